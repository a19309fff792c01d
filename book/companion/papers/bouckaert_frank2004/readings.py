"""Formulas that may be behind two rows of Table 5 of Bouckaert and Frank (2004).

Our rows of 5x2cv and of ten resamplings differ from the printed ones even on source 1,
where the unknown network cannot be the reason.  The 5x2cv test may have had one degree
of freedom less, or may have been Alpaydin's F test; the correction may have used
another ratio of test to training instances.
"""

from collections.abc import Sequence

import numpy as np
from scipy import stats

from companion.lab.experiments import on_sources, runner
from companion.lab.sources import BayesianNetwork
from companion.papers import networks, synthetic
from replib import significance

#: Readings by design; the paper's formula comes first.
READINGS = (
    ("five_by_two_cv", "t, 5 degrees of freedom"),
    ("five_by_two_cv", "t, 4 degrees of freedom"),
    ("five_by_two_cv", "F of Alpaydin"),
    ("corrected_resampled_10", "ratio 1/9"),
    ("corrected_resampled_10", "ratio 1/10"),
)

#: Data sets of each committed network on which the readings are stored.
DATASETS = 100


def plan() -> dict[str, tuple[runner.Experiment, int]]:
    """The stored experiments, by source; one replication has a data set of each network."""
    return {
        f"source{source}": (
            runner.Experiment(
                decisions_by_reading,
                seed=synthetic.SEED,
                stream=(source,),
                parameters={"sources": networks.names(source)},
            ),
            DATASETS,
        )
        for source in synthetic.SOURCES
    }


def decisions_by_reading(
    rng: np.random.Generator, *, sources: Sequence[str]
) -> np.ndarray:
    """Outcomes under :data:`READINGS` on a data set of each network, at the paper's setting.

    Shape (len(sources), len(READINGS), 3), counts as in `on_sources.decisions`.
    """
    return np.stack(
        [
            outcomes_by_reading(one, networks.load(name))
            for one, name in zip(rng.spawn(len(sources)), sources)
        ]
    )


def outcomes_by_reading(
    rng: np.random.Generator, network: BayesianNetwork
) -> np.ndarray:
    """Outcomes under :data:`READINGS` on one data set of a network."""
    size = {name: synthetic.SETTING[name] for name in ("instances", "experiments")}
    halves, alpha = rng.spawn(1)[0], synthetic.SETTING["alpha"]
    block = on_sources.differences(
        on_sources.correct_counts(halves, source=network, runs=5, folds=2, **size),
        size["instances"],
    )
    sign, better = np.sign(block[..., 0, 0]), np.sign(block.mean(axis=(-2, -1)))
    outcomes = [
        np.where(five_by_two_p(block) < alpha, sign, 0),
        np.where(five_by_two_p(block, df=4) < alpha, sign, 0),
        np.where(alpaydin_p(block) < alpha, better, 0),
    ]
    counts = [
        [int((one == outcome).sum()) for outcome in (-1, 0, 1)] for one in outcomes
    ]
    seed = int(rng.integers(2**32))  # both ratios use the same splits
    for ratio in (1 / 9, 1 / 10):
        counts += on_sources.decisions(
            np.random.default_rng(seed),
            source=network,
            designs=["corrected_resampled_10"],
            alpha=level_of_another_ratio(alpha, ratio),
            **size,
        ).tolist()
    return np.array(counts)


def five_by_two_p(block: np.ndarray, *, df: int = 5) -> np.ndarray:
    """p-values of the 5x2cv test on blocks (..., 5, 2) with `df` degrees of freedom."""
    return 2 * stats.t.sf(np.abs(significance.five_by_two_cv_t(block).statistic), df)


def level_of_degrees(alpha: float, df: int, *, used: int = 5) -> float:
    """The level at which a t test with `used` degrees of freedom decides as `df` does at alpha.

    >>> round(level_of_degrees(0.05, 4), 4), round(level_of_degrees(0.05, 5), 4)
    (0.0391, 0.05)
    """
    return float(2 * stats.t.sf(stats.t.isf(alpha / 2, df), used))


def alpaydin_p(block: np.ndarray) -> np.ndarray:
    """p-values of Alpaydin's combined F test on blocks (..., 5, 2)."""
    return significance.five_by_two_cv_f(block).pvalue


def level_of_another_ratio(alpha: float, ratio: float) -> float:
    """The level at which the test on ten resamplings, with 1/9, decides as `ratio` does at alpha.

    Only the variance factor, 1/10 + ratio, differs.

    >>> level_of_another_ratio(0.05, 1 / 9)
    0.05
    """
    threshold = stats.t.isf(alpha / 2, 9) * np.sqrt((1 / 10 + ratio) / (1 / 10 + 1 / 9))
    return float(2 * stats.t.sf(threshold, 9))
