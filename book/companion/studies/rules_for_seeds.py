"""Rules that use one score per seed: P(A > B) and almost stochastic order, on one yardstick.

Bouthillier et al. (2021) estimate the probability that a run of A scores higher than
the run of B with the same number.  They call A better if the percentile bootstrap
interval of that probability is above 1/2 and extends above gamma = 0.75.  Del Barrio et
al. (2018) and Dror et al. (2019) bound from above how far the scores of A are from
being stochastically larger than those of B.  Dror et al. call A better if the bound is
below 1/2; Ulmer et al. (2022) advise 0.2.

The Type I error of each rule is counted on designs of
`companion.studies.five_seeds`, next to that of the t tests of `replib.variance`.
"""

from collections.abc import Mapping
from functools import cache
from itertools import product

import numpy as np
import pandas as pd
from scipy import special

from companion.lab.experiments import runner
from companion.studies import five_seeds
from companion.studies.five_seeds import Cell
from replib.variance import difference_test, mean_squares

GAMMA = 0.75
RESAMPLES = 1000
EXPERIMENTS = 4000
#: Rules, by the names of their columns.
RULES = ("new_seeds_t", "both_t", "outperforming", "aso_half", "aso_fifth")
_CHUNK = 2_000_000  # scores drawn at a time


def probability_of_outperforming(
    a: np.ndarray, b: np.ndarray, *, confidence_level: float = 0.95
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Compute the share of pairs of runs in which A scores higher, with its bootstrap interval.

    Parameters
    ----------
    a, b : ndarray, shape (..., runs)
        Score of each run; runs with the same number form a pair.
    confidence_level : float

    Returns
    -------
    estimate, low, high : ndarray, shape (...)
        A tie counts one half.  The percentile limits are those of infinitely many
        resamples.

    Examples
    --------
    >>> [float(x) for x in probability_of_outperforming(np.array([3, 4, 5]), np.array([1, 5, 2]))]
    [0.6666666666666666, 0.0, 1.0]
    """
    runs = a.shape[-1]
    wins = (a > b).sum(-1)
    ties = (a == b).sum(-1)
    limits = _limits(runs, confidence_level)[wins, ties]
    return (wins + ties / 2) / runs, limits[..., 0], limits[..., 1]


@cache
def _limits(runs: int, confidence_level: float) -> np.ndarray:
    """Limits by number of wins and ties, from the exact distribution of a resample's sum."""
    tail = (1 - confidence_level) / 2
    limits = np.full((runs + 1, runs + 1, 2), np.nan)
    for wins in range(runs + 1):
        for ties in range(runs + 1 - wins):
            # in half points: one for a tie, two for a win
            run_distribution = np.array([runs - wins - ties, ties, wins]) / runs
            distribution = np.ones(1)
            for _ in range(runs):
                distribution = np.convolve(distribution, run_distribution)
            half_points = np.searchsorted(np.cumsum(distribution), [tail, 1 - tail])
            limits[wins, ties] = np.minimum(half_points, 2 * runs) / (2 * runs)
    return limits


def outperforms(a: np.ndarray, b: np.ndarray, *, gamma: float = GAMMA) -> np.ndarray:
    """Decide by the rule of Bouthillier et al.: 1 for A, -1 for B, 0 for neither.

    Examples
    --------
    >>> outperforms(np.array([3, 4, 5]), np.array([1, 2, 3])).item()
    1
    """
    _, low, high = probability_of_outperforming(a, b)
    a_better = (low > 0.5) & (high > gamma)
    b_better = (high < 0.5) & (low < 1 - gamma)
    return np.subtract(a_better, b_better, dtype=int)


def violation_ratio(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    r"""Compute the share of the quantile functions' squared distance where B is above A.

    .. math:: \varepsilon = \int_{F^{-1}<G^{-1}} (F^{-1}-G^{-1})^2 / \int (F^{-1}-G^{-1})^2

    Parameters
    ----------
    a, b : ndarray, shape (..., runs)
        Equally many scores, so that the quantile functions have steps of equal width.

    Returns
    -------
    ndarray, shape (...)
        0 where A is stochastically larger, 1 where B is, 1/2 where all scores are
        equal.

    Examples
    --------
    >>> violation_ratio(np.array([1.0, 5.0]), np.array([3.0, 2.0])).item()  # 1 + 4 to 1
    0.2
    """
    d = np.sort(a, axis=-1) - np.sort(b, axis=-1)
    total = (d**2).sum(-1)
    against = (np.minimum(d, 0) ** 2).sum(-1)
    return np.where(total > 0, against / np.where(total > 0, total, 1), 0.5)


def almost_stochastic_order(
    a: np.ndarray,
    b: np.ndarray,
    *,
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
    confidence_level: float = 0.95,
) -> np.ndarray:
    """Compute the upper confidence limit of the violation ratio: A is better if it is small.

    Parameters
    ----------
    a, b : ndarray, shape (..., runs)
        Equally many scores.
    rng : Generator
        Draws the bootstrap samples of A's and of B's runs; all experiments have the
        same draws.
    resamples : int
    confidence_level : float
        One-sided.

    Returns
    -------
    ndarray, shape (...)
        Between 0 and 1.  The limit for (b, a) is that on the other side.
    """
    ratio = violation_ratio(a, b)
    again = np.empty((resamples, *ratio.shape))
    runs = a.shape[-1]
    for k in range(resamples):
        runs_a, runs_b = rng.integers(runs, size=(2, runs))
        again[k] = violation_ratio(a[..., runs_a], b[..., runs_b])
    deviation = np.sqrt(((again - again.mean(0)) ** 2).mean(0))
    return np.clip(ratio + special.ndtri(confidence_level) * deviation, 0, 1)


def decisions(
    scores_a: np.ndarray, scores_b: np.ndarray, rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """Decide by all `RULES` on scores of shape (experiments, runs, items): 1, -1 or 0."""
    squares = mean_squares(scores_a, scores_b)
    a = scores_a.mean(-1)
    b = scores_b.mean(-1)
    limit_for_a = almost_stochastic_order(a, b, rng=rng)
    limit_for_b = almost_stochastic_order(b, a, rng=rng)

    def t_decisions(question: str) -> np.ndarray:
        with np.errstate(all="ignore"):
            pvalue = difference_test(squares, generalize=question).pvalue
        return np.where(pvalue < five_seeds.ALPHA, np.sign(squares.estimate), 0)

    def order_decisions(largest_limit: float) -> np.ndarray:
        a_better = limit_for_a < largest_limit
        b_better = limit_for_b < largest_limit
        return np.subtract(a_better, b_better, dtype=int)

    return {
        "new_seeds_t": t_decisions("seeds"),
        "both_t": t_decisions("both"),
        "outperforming": outperforms(a, b),
        "aso_half": order_decisions(0.5),
        "aso_fifth": order_decisions(0.2),
    }


def plan() -> dict[str, tuple[runner.Experiment, int]]:
    """The stored experiments: 500 independent items, right or wrong, for each question."""
    experiments = {}
    designs = product((3, 5, 10, 29), ("seeds", "both"), (0.0, 0.3, 0.6))
    for runs, question, share in designs:
        experiment = runner.Experiment(
            claims,
            seed=five_seeds.SEED,
            parameters={
                "question": question,
                "runs": runs,
                "share": share,
                "experiments": EXPERIMENTS,
            },
        )
        experiments[f"{question}_{runs}_{share}"] = experiment, 1
    return experiments


def claims(
    rng: np.random.Generator,
    *,
    question: str,
    runs: int,
    share: float,
    experiments: int,
) -> np.ndarray:
    """Count the experiments in which each rule claims a difference between equal models.

    Examples
    --------
    >>> rng = np.random.default_rng(five_seeds.SEED)  # all three pairs: 25%, less ties
    >>> int(claims(rng, question="seeds", runs=3, share=0.0, experiments=100)[2])
    30
    """
    cell = Cell(question, 1, 500, 0, 0.0, runs, share)
    key = [8, ("seeds", "both").index(question), cell.items, runs, round(100 * share)]
    entropy = rng.bit_generator.seed_seq.entropy
    rng = np.random.default_rng(np.random.SeedSequence(entropy, spawn_key=key))
    spread = five_seeds.run_effect(cell, rng)
    counts = np.zeros(len(RULES), int)
    chunk = max(1, _CHUNK // (2 * runs * cell.items))
    for first in range(0, experiments, chunk):
        n = min(chunk, experiments - first)
        scores_a, scores_b = five_seeds.scores(cell, n, spread, rng)
        by_rule = decisions(scores_a, scores_b, rng)
        counts += [int(np.count_nonzero(decision)) for decision in by_rule.values()]
    return counts


#: The names of the rules in a table.
TITLES = (
    "Welch's t on the means of runs",
    "t for new seeds and items",
    "P(A > B), bootstrap",
    "almost stochastic order, 0.5",
    "almost stochastic order, 0.2",
)


def type_1_errors(
    results: Mapping[str, runner.Replications], *, share: float = 0.3
) -> pd.DataFrame:
    """Tabulate Type I error (%) by rule, question and number of seeds.

    Parameters
    ----------
    results : mapping
        The stored run ``rules_for_seeds``.
    share : float
        Share of the run effects in the variance of the difference.
    """
    rates = {}
    for result in results.values():
        cell = result.experiment.parameters
        if cell["share"] == share:
            key = cell["question"], cell["runs"]
            rates[key] = result.counts[0] / cell["experiments"] * 100
    frame = pd.DataFrame(rates, index=pd.Index(TITLES, name="rule"))
    return frame.rename_axis(columns=["question", "runs"])
