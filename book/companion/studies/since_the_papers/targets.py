"""What a cross-validation estimates: its models, or its learners."""

import numpy as np
import pandas as pd

from companion.lab.experiments.splits import fold_sizes
from companion.studies.since_the_papers import experiments
from companion.studies.since_the_papers.methods import FOLDS
from replib import significance


def sample(
    source: str, pair: str, *, instances: int, datasets: int, seed: int = 1
) -> pd.DataFrame:
    """Cross-validate once on data sets from a source, with the truth about the fitted models.

    One row per data set: `estimate`, the cross-validated difference in accuracy or, for
    a single learner, its accuracy; `models`, the mean of the true values of the fitted
    models; `low` and `high`, the interval of :func:`replib.significance.cv_clt`.

    >>> frame = sample("twins.0", "c45-c45", instances=60, datasets=3)
    >>> list(frame.columns), len(frame)
    (['estimate', 'models', 'low', 'high'], 3)
    """
    place = list(experiments.pairs_of(source)).index(pair)
    rows = []
    for stream in np.random.default_rng(seed).spawn(datasets):
        data = experiments.drawn(stream, source, instances)
        hits, _, _, test = experiments._cross_validated(data, stream, 1, FOLDS)
        models = data.fitted(test)[place] @ (fold_sizes(instances, FOLDS) / instances)
        result = significance.cv_clt(hits[place, 0])
        low, high = result.confidence_interval()
        rows.append((result.estimate, models, low, high))
    return pd.DataFrame(rows, columns=["estimate", "models", "low", "high"])


def errors(found: pd.DataFrame, learners: float) -> pd.DataFrame:
    """Compare estimates with both targets; `learners` is the expected value.

    Indexed by target: `rms`, the root mean square distance of the estimate from it;
    `correlation` with it; `covered`, the share of intervals that cover it; and the
    standard error of that share.
    """
    rows = {}
    for name, target in (("models", found["models"]), ("learners", learners)):
        distance = found["estimate"] - target
        covered = ((found["low"] <= target) & (target <= found["high"])).mean()
        rows[name] = {
            "rms": np.sqrt((distance**2).mean()),
            "correlation": found["estimate"].corr(found["models"])
            if name == "models"
            else 0.0,
            "covered": covered,
            "covered_error": np.sqrt(covered * (1 - covered) / len(found)),
        }
    return pd.DataFrame(rows).T.rename_axis("target")
