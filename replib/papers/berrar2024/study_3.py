"""Study #3 of Berrar (2024): a support vector machine against itself with an oracle; Figure 13."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy import stats

from replib import replication_probability
from replib.experiments.engine import Experiment, Replications
from replib.papers import published
from replib.papers.berrar2024 import algorithms, in_cross_validation
from replib.papers.berrar2024.algorithms import SVM, Learner
from replib.papers.berrar2024.in_cross_validation import CASES, FOLDS, MEAN, REPLICATIONS, SEED
from replib.papers.berrar2024.rows import rows, spread

#: The long run that :func:`ledger_rows` takes.
NEEDS = ("berrar2024_study_3",)

#: Percentages of the labels that the oracle reveals; features of a case.
PERCENTS, FEATURES = tuple(range(1, 21)), 20
#: The percentage that Figure 13 highlights.
HIGHLIGHTED = 7

NOTES = {
    "alg03": "an oracle that replaces labels, and the hypergeometric number: means and variances",
    "s3.F3": "the other percentages agree; we do not know why this one does not",
    "s3.n_sig3": "the same fact as the share",
    "cl.04": "mean T below its critical value", "cl.05": "from 5 % on",
    "fig13": "below or at the share for each percentage from 5 on, above it for 3",
}


def plan(
    percents: Sequence[int] = PERCENTS, *, learner: Learner = SVM, folds: int = FOLDS,
    replications: int = REPLICATIONS, is_independent: bool = False, seed: int = SEED,
) -> dict[str, tuple[Experiment, int]]:
    """The experiments of all percentages, by name.

    The fits do not depend on the percentage: unless learning sets are to be `is_independent`, as
    Algorithm 3 draws them, one cross-validation serves all.
    """
    parameters = {
        "cases": CASES, "features": FEATURES, "mean": MEAN, "folds": folds, "learner": learner,
    }
    sets = [[q] for q in percents] if is_independent else [list(percents)]
    return {
        f"percents_{some[0]}_to_{some[-1]}": (Experiment(
            algorithms.algorithm_3, seed, {**parameters, "percents": some},
            (3, some[0]) if is_independent else (3,),
        ), replications) for some in sets
    }


def gains(results: Mapping[str, Replications]) -> dict[int, np.ndarray]:
    """How many more are correct with the oracle: by percentage an array (experiments, folds)."""
    return {
        percent: one.counts[:, :, 1 + place].astype(int)
        for one in results.values()
        for place, percent in enumerate(one.experiment.parameters["percents"])
    }


def plain_oracle(
    wrong: int, correct: int, percent: int, times: int, seed: int = SEED
) -> np.ndarray:
    """Gains of an oracle that picks cases and replaces their labels (Algorithm 3, line 28)."""
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    is_wrong = np.repeat([True, False], [wrong, correct])
    revealed = len(is_wrong) * percent // 100
    return np.array([
        is_wrong[rng.choice(len(is_wrong), revealed, replace=False)].sum() for _ in range(times)
    ])


def oracle_agrees(times: int = 4000, max_z: float = 4.0) -> bool:
    """Whether gains of :func:`plain_oracle` have the hypergeometric mean and variance."""
    for percent in (3, 7, 20):
        seen, law = plain_oracle(24, 76, percent, times), stats.hypergeom(100, 24, percent)
        squares = (seen - law.mean()) ** 2
        far = [
            (seen.mean() - law.mean()) / (seen.std() / np.sqrt(times)),
            (squares.mean() - law.var()) / (squares.std() / np.sqrt(times)),
        ]
        if np.abs(far).max() > max_z:
            return False
    return True


def numbers(groups: pd.DataFrame) -> dict[str, float]:
    """What the paper prints of the study, from `in_cross_validation.by_group`, by its id."""
    of_1000 = lambda share: 1 + share * (REPLICATIONS - 1)  # Equation 16 the other way round
    printed = {
        "s3.T3": (3, "t"), "s3.p3": (3, "p"), "s3.F3": (3, "F"), "s3.p4": (4, "p"),
        "s3.P4": (4, "P"), "s3.F4": (4, "F"), "s3.p7": (7, "p"), "s3.F7": (7, "F"),
        "s3.P7": (7, "P"), "disc.T2": (2, "t"), "disc.p2": (2, "p"),
    }
    found = {key: groups.at[where] for key, where in printed.items()}
    two, three = (of_1000(groups.at[q, "F"]) for q in (2, 3))
    return found | {"s3.n_sig3": three, "disc.n2": two, "disc.F2": two / REPLICATIONS}


def ledger_rows(
    *, results: Mapping[str, Mapping[str, Replications]], alpha: float = 0.05,
    folds: int = FOLDS, seed: int = SEED,
) -> pd.DataFrame:
    """Ledger rows of study #3; errors are those of samples of experiments, ours and the paper's."""
    experiments = in_cross_validation.outcomes(gains(results[NEEDS[0]]), alpha=alpha)
    groups = in_cross_validation.by_group(experiments, folds=folds, alpha=alpha)
    ours, theirs = (
        [numbers(frame) for frame in in_cross_validation.redrawn(
            experiments, size=size, folds=folds, alpha=alpha, seed=seed
        )] for size in (None, REPLICATIONS)
    )
    rebuilt, critical = numbers(groups), stats.t.isf(alpha / 2, folds - 1)
    below = (groups["P"] <= groups["F"]).loc[5:]
    first = published.value("berrar2024.s3.t31")
    printed_mean = published.value("berrar2024.s3.T3")
    return rows(
        {key: (value, spread(ours, key)) for key, value in rebuilt.items()} | {
            "s3.p31": 2 * stats.t.sf(first, folds - 1),
            "s3.P3": replication_probability.cv_t(printed_mean, folds, alpha=alpha).point,
            "alg03": oracle_agrees(), "cl.04": bool((groups["t"].loc[:2] < critical).all()),
            "cl.05": bool(below.all()),
            "fig13": bool(below.all() and groups.at[3, "P"] > groups.at[3, "F"]),
        },
        published_error={key: spread(theirs, key) for key in rebuilt}, note=NOTES,
        recounted={"s3.p31": "from the printed T", "s3.P3": "from the printed mean T"},
    )
