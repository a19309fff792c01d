"""Distance of a block of differences inside the rejection region of a t test, run by run."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from replib import _validation as validation
from replib._validation import Array
from replib.significance.samples import finite_scores

#: The paired t test on sorted runs, the corrected t test on all differences, and the
#: plain paired t test on all differences.
TESTS = ("sorted_runs", "corrected", "plain")

_MOST_RUNS = 10**6


@dataclass(frozen=True, eq=False)
class Margins:
    """Margins of a block for A and for B, and the spread of the runs' contributions to each.

    Attributes
    ----------
    margin, deviation : ndarray, shape (2, ...)
        First for A, then for B, in the unit of the differences.  With one run the
        deviation is infinite.
    """

    margin: Array
    deviation: Array


def margins(
    differences: ArrayLike,
    *,
    test_train_ratio: float,
    test: str = "corrected",
    alpha: float = 0.05,
    runs: int | None = None,
) -> Margins:
    r"""Compute how far a block is inside the rejection region of a t test, for A and for B.

    Given the data set, the runs of a repeated cross-validation (or random splits) are
    independent and identically distributed: they differ only in the seed.  A t test
    finds A better if its *margin*

    .. math:: g = \bar x - c\,s

    is positive, where the mean and standard deviation are those of its sample and c is
    a constant; for B the margin is :math:`-\bar x - c\,s`.  Both are smooth functions
    of averages over runs, so g is, to first order, the average of one *contribution*
    per run.

    Parameters
    ----------
    differences : array_like, shape (..., runs, folds)
        Scores of A minus scores of B; n random splits are n runs of one fold.
    test_train_ratio : float
        Test instances per training instance, 1 / (folds - 1) in cross-validation.
    test : str
        One of `TESTS`.
    alpha : float, default 0.05
        Significance level.
    runs : int, optional
        Number of runs for the critical value; by default those of the block.

    Returns
    -------
    Margins

    Raises
    ------
    ValueError
        If the test is unknown, a number lies outside its range, a difference is not
        finite, or there is only one difference, or one fold per run to be sorted.

    Notes
    -----
    To :math:`\pm\bar x - c\,s`, run i contributes, up to a constant,

    * if the sample is the k means :math:`m_j` over sorted runs,
      :math:`\sum_j \left[\frac{\pm 1}k - \frac{c\,(m_j - \bar m)}{(k-1)\,s}\right]
      x_{i(j)}`;
    * if it is all differences, :math:`\frac1k\sum_j \left[\pm x_{ij} - \frac c{2s}
      (x_{ij} - \bar x)^2\right]`, which contains the covariance of a run's mean with
      its spread.

    Examples
    --------
    >>> block = np.random.default_rng(3).normal(0.05, 0.04, size=(10, 10))
    >>> margins(block, test_train_ratio=1 / 9).margin.round(3).tolist()
    [0.018, -0.077]
    """
    validation.check_choice("test", test, TESTS)
    validation.check_level("alpha", alpha)
    ratio = validation.positive_number("test_train_ratio", test_train_ratio)
    x = finite_scores("differences", differences, runs=1, folds=1)
    n_runs, n_folds = x.shape[-2:]
    if n_folds == 1 and (n_runs == 1 or test == "sorted_runs"):
        raise ValueError(
            "differences must have at least two folds, or for the tests on all of them "
            f"of at least two random splits, not {n_runs} x {n_folds}"
        )
    runs = validation.whole_number(
        "runs",
        n_runs if runs is None else runs,
        at_least=2 if n_folds == 1 else 1,
        at_most=_MOST_RUNS,
    )
    return margins_with_runs(
        x, test_train_ratio=ratio, test=test, alpha=alpha, runs=np.asarray(runs)
    )


def margins_with_runs(
    x: Array,
    *,
    test_train_ratio: float,
    alpha: float,
    runs: NDArray[np.integer],
    test: str = "corrected",
) -> Margins:
    """Compute :func:`margins` of valid arguments with the critical values for numbers of runs.

    Parameters
    ----------
    runs : ndarray of int
        One number, or for a single block of shape (runs, folds) several; the margins
        and deviations then have shape (2, numbers).
    """
    n_runs, n_folds = x.shape[-2:]
    sample = _sample(x, test)
    n = n_folds if test == "sorted_runs" else runs * n_folds
    correction = test_train_ratio if test == "corrected" else 0.0
    critical = -special.stdtrit(n - 1, alpha / 2) * np.sqrt(1 / n + correction)
    mean = sample.mean(axis=-1)
    sd = validation.without_rounding_noise(
        sample.std(axis=-1, ddof=1), np.abs(sample).max(axis=-1)
    )
    sides = np.array([1.0, -1.0]).reshape(2, *[1] * max(mean.ndim, runs.ndim))
    margin = sides * mean - critical * sd

    # delta method: the effect of each run on the mean, and on critical * sd
    to_mean = x.mean(axis=-1)
    to_sd = _contributions_to_sd(x, sample, sd, test=test, critical=critical)
    contributions = sides[..., np.newaxis] * to_mean - to_sd
    if n_runs == 1:
        return Margins(margin, np.full(margin.shape, np.inf))
    deviation = validation.without_rounding_noise(
        contributions.std(axis=-1, ddof=1), np.abs(to_mean).max(axis=-1)
    )
    return Margins(margin, deviation)


def _sample(x: Array, test: str) -> Array:
    """Return the sample of a test, (..., n), from differences (..., runs, folds)."""
    if test == "sorted_runs":
        return np.asarray(np.sort(x, axis=-1).mean(axis=-2))
    return x.reshape(*x.shape[:-2], -1)


def _contributions_to_sd(
    x: Array, sample: Array, sd: Array, *, test: str, critical: Array
) -> Array:
    """Return the effect of each run on `critical` times the standard deviation of the sample."""
    mean = sample.mean(axis=-1)
    # where the sample is constant, every effect on its spread is zero
    divisor = np.where(sd > 0, sd, 1.0)[..., np.newaxis]
    critical = np.asarray(critical)[..., np.newaxis]
    if test == "sorted_runs":
        n_folds = sample.shape[-1]
        slopes = (sample - mean[..., np.newaxis]) / ((n_folds - 1) * divisor)
        effects = np.vecdot(np.sort(x, axis=-1), slopes[..., np.newaxis, :])
        return np.asarray(critical * effects)
    squares = (x - mean[..., np.newaxis, np.newaxis]) ** 2
    return np.asarray(critical * squares.mean(axis=-1) / (2 * divisor))
