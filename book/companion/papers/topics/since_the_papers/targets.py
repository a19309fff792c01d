"""What a cross-validation estimates, and how its differences correlate between equal learners."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from companion.lab.experiments.splits import fold_sizes
from companion.papers.topics.since_the_papers import experiments
from companion.papers.topics.since_the_papers.methods import FOLDS
from replib import significance
from replib.theory import equicorrelated_type1_error


def sample(
    source: str, pair: str, *, instances: int, datasets: int, seed: int = 1
) -> pd.DataFrame:
    """Cross-validate once on data sets from a source, with the truth about the fitted models.

    One row per data set: `estimate`, the cross-validated difference in accuracy or, for a single
    learner, its accuracy; `models`, the mean of the true values of the fitted models; `low` and
    `high`, the interval of :func:`replib.significance.cv_clt`.

    >>> frame = sample("twins.0", "c45-c45", instances=60, datasets=3)
    >>> list(frame.columns), len(frame)
    (['estimate', 'models', 'low', 'high'], 3)
    """
    place = list(experiments.pairs_of(source)).index(pair)
    rows = []
    for stream in np.random.default_rng(seed).spawn(datasets):
        data = experiments._drawn(stream, source, instances)
        hits, _, _, test = experiments._cross_validated(data, stream, 1, FOLDS)
        models = data.fitted(test)[place] @ (fold_sizes(instances, FOLDS) / instances)
        result = significance.cv_clt(hits[place, 0])
        low, high = result.confidence_interval()
        rows.append((result.estimate, models, low, high))
    return pd.DataFrame(rows, columns=["estimate", "models", "low", "high"])


def errors(found: pd.DataFrame, learners: float) -> pd.DataFrame:
    """Compare estimates with both targets; `learners` is the expected value.

    Indexed by target: `rms`, the root mean square distance of the estimate from it; `correlation`
    with it; `covered`, the share of intervals that cover it; and the standard error of that share.
    """
    rows = {}
    for name, target in (("models", found["models"]), ("learners", learners)):
        distance = found["estimate"] - target
        covered = ((found["low"] <= target) & (target <= found["high"])).mean()
        rows[name] = {
            "rms": np.sqrt((distance**2).mean()),
            "correlation": found["estimate"].corr(found["models"]) if name == "models" else 0.0,
            "covered": covered,
            "covered_error": np.sqrt(covered * (1 - covered) / len(found)),
        }
    return pd.DataFrame(rows).T.rename_axis("target")


def correlation(
    sources: Sequence[str], pair: str, *, instances: int, datasets: int, runs: int = 10,
    seed: int = 1,
) -> dict[str, float]:
    r"""Measure how the differences of 10-fold cross-validations of equally good learners correlate.

    If differences have variance :math:`\sigma^2` and any two of them have correlation :math:`\rho`,
    the mean of J has variance :math:`\sigma^2 (\rho + (1 - \rho) / J)`, and their sample variance
    has expectation :math:`\sigma^2 (1 - \rho)`.  So the odds are

    .. math:: \frac{\rho}{1 - \rho} = \frac{\mathrm E\,\bar x^2}{\mathrm E\,s^2} - \frac1J .

    From each source, `datasets` data sets are drawn.  Returns `odds`, a mean over sources, with its
    standard error `odds_error`, and `type_1`, the Type I error in percent of the corrected t test
    on 10 x 10 folds with such odds.

    Without training the odds are (J - 10) / 9 J, here 1/10:

    >>> found = correlation(["task_1.0"], "constant-attribute", instances=100, datasets=200)
    >>> abs(found["odds"] - 0.1) < 4 * found["odds_error"]
    True
    """
    odds, errors = [], []
    for source in sources:
        place = list(experiments.pairs_of(source)).index(pair)
        squares, variances = [], []
        for stream in np.random.default_rng(seed).spawn(datasets):
            data = experiments._drawn(stream, source, instances)
            block = experiments._cross_validated(data, stream, runs, FOLDS)[2][place]
            squares.append(block.mean() ** 2)
            variances.append(block.var(ddof=1))
        ratio = np.mean(squares) / np.mean(variances)
        odds.append(ratio - 1 / (runs * FOLDS))
        errors.append(np.std(squares, ddof=1) / np.sqrt(datasets) / np.mean(variances))
    mean = float(np.mean(odds))
    return {
        "odds": mean, "odds_error": float(np.sqrt(np.sum(np.square(errors))) / len(errors)),
        "type_1": 100 * float(equicorrelated_type1_error(
            mean / (1 + mean), n=100, test_train_ratio=1 / (FOLDS - 1)
        )),
    }
