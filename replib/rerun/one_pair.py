"""Predicted reruns of one pair: the decision, and how many runs make two experiments agree."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from replib import _validation as validation
from replib._validation import Array
from replib.intervals import Prediction
from replib.replicability import agreement
from replib.rerun.distances import Margins, margins, margins_with_runs
from replib.significance.samples import finite_scores

#: Probabilities outside an interval of 95%, below its lower and its upper limit.
TAILS = ((1 - 0.95) / 2, (1 + 0.95) / 2)

# The noncentral t is searched up to this limit of the noncentrality.  A limit beyond it
# has the normal probability 0 or 1, and need not be exact.
_FARTHEST = 10.0

# Step of the numerical derivative of the noncentral t.
_STEP = 1e-4

# `runs_needed` looks at this many numbers of runs, evenly spaced on a logarithmic scale.
_MOST_RUNS = 100_000
_NUMBERS_OF_RUNS = 300
# So many at once stay in the cache of a processor.
_NUMBERS_AT_ONCE = 16

# Quantiles that stand for a distribution, in each of two dimensions.
_QUANTILES = 60


@dataclass(frozen=True, eq=False)
class Rerun(Prediction):
    """Probability that a rerun with another seed reaches the same decision as the block.

    Attributes
    ----------
    point, low, high : float or ndarray
        The prediction, and the limits of its 95% interval.
    decision : int or ndarray, or None
        Decision of the block: +1 A better, -1 B better, 0 no significant difference.
        For a choice it is the index of the chosen candidate; for several decisions
        together it is None.
    shares : ndarray, shape (3, ...), optional
        Of all reruns of one pair: those that find A better, neither, and B better.
    """

    decision: NDArray[np.integer] | int | None
    shares: Array | None = None


def predict(
    differences: ArrayLike,
    *,
    test_train_ratio: float,
    test: str = "corrected",
    alpha: float = 0.05,
) -> Rerun:
    """Predict how probable it is that a rerun with another seed reaches this block's decision.

    Parameters
    ----------
    differences : array_like, shape (..., runs, folds)
        Scores of A minus scores of B, at least two runs; n random splits are n runs of
        one fold.
    test_train_ratio : float
        Test instances per training instance, 1 / (folds - 1) in cross-validation.
    test : str
        One of `TESTS`.
    alpha : float, default 0.05
        Level of the test.

    Returns
    -------
    Rerun
        With a 95% interval.

    Raises
    ------
    ValueError
        If there are fewer than two runs, or an argument lies outside its range.

    Notes
    -----
    "No significant difference" has the remaining probability.  Its limits are one minus the sums
    of those for A and B, which is cautious where neither is negligible.

    Examples
    --------
    >>> rng = np.random.default_rng(3)
    >>> block = rng.normal(0.05, 0.04, size=(10, 10))
    >>> again = predict(block, test_train_ratio=1 / 9)
    >>> again.decision, round(again.point, 3), round(again.low, 3), round(again.high, 3)
    (1, 0.979, 0.795, 1.0)
    """
    x = finite_scores("differences", differences, runs=2, folds=1)
    n_runs = x.shape[-2]
    block = margins(x, test_train_ratio=test_train_ratio, test=test, alpha=alpha)
    t = _noncentralities(block, n_runs)
    point = special.stdtr(n_runs - 1, t / np.sqrt(2))
    lower_tail, upper_tail = TAILS
    low = special.ndtr(_noncentrality_limit(t, n_runs - 1, upper_tail))
    high = special.ndtr(_noncentrality_limit(t, n_runs - 1, lower_tail))

    is_better = block.margin > 0
    of_decision = _probability_of_decision(is_better, point, point)
    share_a, share_b = point
    share_of_neither = _probability_of_neither(point)
    least = _probability_of_decision(is_better, low, high)
    most = _probability_of_decision(is_better, high, low)
    better_a, better_b = is_better
    return Rerun(
        point=of_decision,
        low=np.minimum(least, of_decision),
        high=np.maximum(most, of_decision),
        decision=better_a.astype(int) - better_b,
        shares=np.stack([share_a, share_of_neither, share_b]),
    )


def predict_or_none(
    block: Array, *, test_train_ratio: float, test: str = "corrected", alpha: float
) -> Rerun | None:
    """Return what :func:`predict` does, or None where the runs of a block show no spread.

    Parameters and errors are those of :func:`predict`.
    """
    if block.shape[-2] < 2:
        return None
    spread = margins(
        block, test_train_ratio=test_train_ratio, test=test, alpha=alpha
    ).deviation
    if not spread.all():
        return None
    return predict(block, test_train_ratio=test_train_ratio, test=test, alpha=alpha)


def runs_needed(
    differences: ArrayLike,
    *,
    test_train_ratio: float,
    alpha: float = 0.05,
    wanted: float = 0.95,
) -> float:
    r"""Return the number of runs with which two experiments are predicted to agree.

    With R runs each, two experiments on data at the distance
    :math:`\delta = \gamma/\omega` from the border are on the same side of it with
    probability :math:`\Phi(\delta\sqrt R)^2 + \Phi(-\delta\sqrt R)^2`.  The prediction
    is the mean of this over the posterior distribution of :math:`\delta` that
    :func:`predict` uses.  It rises to 1: half the disagreement costs four times the
    runs.

    Parameters
    ----------
    differences : array_like, shape (runs, folds)
        At least two runs.
    test_train_ratio, alpha
        As for :func:`predict`.
    wanted : float, default 0.95

    Returns
    -------
    float
        Infinite above 100 000 runs.

    Raises
    ------
    ValueError
        If there are fewer than two runs, or an argument lies outside its range.

    Examples
    --------
    >>> rng = np.random.default_rng(3)
    >>> runs_needed(rng.normal(0.04, 0.04, size=(10, 10)), test_train_ratio=1 / 9)
    66.0
    """
    validation.check_level("wanted", wanted)
    x = finite_scores("differences", differences, exactly=True, runs=2, folds=1)
    n_runs, n_folds = x.shape
    candidates = np.unique(np.geomspace(1, _MOST_RUNS, _NUMBERS_OF_RUNS).astype(int))
    candidates = candidates[candidates * n_folds > 1]
    # the block on the side of the classifier that is ahead, as far from the border as
    # it would be with each number of runs
    side = 0 if x.mean() >= 0 else 1
    margins(x, test_train_ratio=test_train_ratio, alpha=alpha)  # refuses what is wrong
    block = margins_with_runs(
        x, test_train_ratio=test_train_ratio, alpha=alpha, runs=candidates
    )
    t = _noncentralities(block, n_runs)[side]
    # from the largest number down to the first that is too small
    for end in range(candidates.size, 0, -_NUMBERS_AT_ONCE):
        part = slice(max(0, end - _NUMBERS_AT_ONCE), end)
        is_too_few = _mean_agreement(t[part], candidates[part], n_runs) < wanted
        if is_too_few.any():
            enough = part.start + int(np.flatnonzero(is_too_few)[-1]) + 1
            return float(candidates[enough]) if enough < candidates.size else np.inf
    return float(candidates[0])


def _mean_agreement(t: Array, runs: NDArray[np.int64], n_runs: int) -> Array:
    """Return the predicted agreement of two experiments with each number of runs.

    `t` are the margins of a block of `n_runs` runs in standard errors, for each number.
    """
    distance = _posterior_of_distance(t, n_runs)
    p = special.ndtr(distance * np.sqrt(runs)[:, np.newaxis, np.newaxis])
    return np.asarray(np.mean(agreement(p), axis=(1, 2)))


def _noncentralities(block: Margins, n_runs: int) -> Array:
    """Return margins in standard errors, shape (2, ...); infinite where all runs are equal."""
    is_certain = block.deviation == 0
    deviation = np.where(is_certain, 1.0, block.deviation)
    t = np.sqrt(n_runs) * block.margin / deviation
    return np.where(is_certain, np.where(block.margin > 0, np.inf, -np.inf), t)


def _probability_of_decision(
    is_better: NDArray[np.bool_], better: Array, better_for_neither: Array
) -> Array:
    """Return the probability of the block's decision.

    Parameters
    ----------
    is_better : ndarray of bool, shape (2, ...)
        Whether the block finds A better, and B.
    better : ndarray, shape (2, ...)
        Probability that the rerun finds A better, and B.
    better_for_neither : ndarray, shape (2, ...)
        The same, for one minus their sum.
    """
    neither = _probability_of_neither(better_for_neither)
    return np.select(list(is_better), list(better), neither)


def _probability_of_neither(better: Array) -> Array:
    """Return what remains of the probabilities that A, and that B, is better."""
    return np.clip(1 - better.sum(axis=0), 0, 1)


def _posterior_of_distance(t: Array, n_runs: int) -> Array:
    """Return values of gamma / omega, equally probable given margins t in standard errors.

    Shape (len(t), `_QUANTILES`, `_QUANTILES`): omega by the quantiles of chi-square,
    gamma by those of the normal distribution.
    """
    df = n_runs - 1
    quantile = (np.arange(_QUANTILES) + 0.5) / _QUANTILES
    z = special.ndtri(quantile)
    s = np.sqrt(2 * special.gammaincinv(df / 2, quantile) / df)
    t = t[:, np.newaxis, np.newaxis]
    return np.asarray((t * s[:, np.newaxis] + z) / np.sqrt(n_runs))


def _noncentrality_limit(t: Array, df: int, probability: float) -> Array:
    """Return the noncentrality at which a noncentral t is below `t` with a given probability."""
    tail = min(probability, 1 - probability)
    farthest_t = _FARTHEST / np.sqrt(2 * special.gammaincinv(df / 2, tail) / df)
    near = np.clip(t, -farthest_t, farthest_t)
    limit = special.nctdtrinc(df, probability, near)
    # SciPy's search stops at 1e-6; two steps of Newton's method go on from there
    for _ in range(2):
        above = special.nctdtr(df, limit + _STEP, near)
        below = special.nctdtr(df, limit - _STEP, near)
        slope = (above - below) / (2 * _STEP)
        limit = limit - (special.nctdtr(df, limit, near) - probability) / slope
    return np.where(np.isinf(t), t, limit)
