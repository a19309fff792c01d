"""Wilcoxon's signed-rank test."""

from functools import lru_cache
from itertools import accumulate

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from replib._validation import ROUNDING_NOISE, Array, check_choice
from replib.significance.results import ALTERNATIVES, RankTestResult, pvalue_of_tails
from replib.significance.samples import Axis, finite_samples

EXACT_UP_TO = (
    50  # nonzero differences: up to here `signed_rank(method="auto")` is exact
)


def signed_rank(
    differences: ArrayLike,
    *,
    axis: Axis = -1,
    alternative: str = "two-sided",
    method: str = "auto",
    correction: str = "none",
) -> RankTestResult:
    r"""Compute Wilcoxon's signed-rank test.

    Zero differences are discarded, which leaves n'; tied absolute differences share the
    mean of their ranks. Under H0 each rank counts towards the sum of positive ranks W+
    with probability 1/2, so W+ has mean :math:`n'(n'+1)/4` and variance
    :math:`\frac14\sum_i \text{rank}_i^2`, which equals
    :math:`\frac{n'(n'+1)(2n'+1)}{24} - \frac{\sum (t^3 - t)}{48}` over groups of t ties
    (Berrar 2024, Eq. 10).

    Parameters
    ----------
    differences : array_like
        Scores of A minus scores of B, in any unit.
    axis : int or tuple of ints, default -1
        The axis or axes that hold a sample, of at least two differences.
    alternative : {"two-sided", "less", "greater"}
        "greater": A is better.
    method : {"auto", "exact", "normal"}
        "exact" uses the null distribution of W+ given the ranks, ties included;
        "normal" its normal approximation; "auto" is exact for each sample of at most 50
        nonzero differences. The cost of "exact" grows with the cube of n'.
    correction : {"none", "towards_zero", "as_printed"}
        Continuity correction of the normal approximation: none (Bouckaert 2004, Section
        2.2); 1/2 from W+ towards its mean, or against a one-sided alternative, as in R;
        or always -1/2 (Berrar 2024, Eq. 10 as printed), which moves W+ *away* from the
        mean if B is ahead.

    Returns
    -------
    RankTestResult
        `statistic` W+, `zstatistic` its normal approximation with the `correction` (for
        every method), `n` the number n' of nonzero differences, `estimate` the share of
        the rank sum that is positive minus the share that is negative; without the axes
        `axis`.

    Raises
    ------
    ValueError
        If a sample has fewer than two differences or one that is not finite, or an
        option is unknown.

    Notes
    -----
    Bouckaert (2004) calls this the rank sum test and prints the variance without the 2 in
    :math:`2n'+1`; that variance is not used here.

    Examples
    --------
    >>> result = signed_rank([17, 3, 1, 9, -4, -2, -3, 3])
    >>> result.statistic, result.pvalue, round(result.zstatistic, 4)
    (24.0, 0.4609375, 0.8443)
    >>> round(signed_rank([17, 3, 1, 9, -4, -2, -3, 3], method="normal").pvalue, 4)
    0.3985
    """
    check_choice("alternative", alternative, ALTERNATIVES)
    check_choice("method", method, ("auto", "exact", "normal"))
    check_choice("correction", correction, ("none", "towards_zero", "as_printed"))
    size, positive = doubled_midranks(finite_samples(differences, axis))
    # Doubled mid-ranks are integers: the sums below are exact, and so are their
    # comparisons.
    n = np.count_nonzero(size, axis=-1)
    total = size.sum(axis=-1)
    doubled_sum = np.where(positive, size, 0).sum(axis=-1)

    deviation = (doubled_sum - total / 2) / 2
    if correction == "as_printed":
        deviation = deviation - 0.5
    elif correction == "towards_zero":
        half = {"two-sided": np.sign(deviation), "greater": 1.0, "less": -1.0}[
            alternative
        ]
        deviation = deviation - half / 2
    sd = np.sqrt((size.astype(float) ** 2).sum(axis=-1)) / 4
    zstatistic = np.divide(deviation, sd, out=np.zeros(sd.shape), where=n > 0)

    at_most, at_least = (np.asarray(special.ndtr(z)) for z in (zstatistic, -zstatistic))
    exact = {"auto": n <= EXACT_UP_TO, "exact": n >= 0, "normal": n < 0}[method]
    if exact.any():
        at_most[exact], at_least[exact] = _signed_rank_tails(
            size[exact], doubled_sum[exact]
        )
    pvalue = np.where(n == 0, 1.0, pvalue_of_tails(at_most, at_least, alternative))
    return RankTestResult(
        statistic=doubled_sum / 2,
        pvalue=pvalue,
        alternative=alternative,
        n=n,
        estimate=(2 * doubled_sum - total) / np.maximum(total, 1),
        zstatistic=zstatistic,
    )


def rank_sum_probabilities(ranks: NDArray[np.int64]) -> Array:
    """Return the distribution of the sum of positive ranks under H0, with independent fair signs.

    Parameters
    ----------
    ranks : ndarray of int, shape (n,)
        With ties, twice the mean ranks, which give twice the sum.

    Returns
    -------
    ndarray
        Probability of the sums 0, 1, ..., the sum of all ranks.  With n up to 52 each
        is exactly the number of sign patterns with that sum, times :math:`2^{-n}`.

    Examples
    --------
    >>> (8 * rank_sum_probabilities(np.array([1, 2, 3]))).tolist()
    [1.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0]
    """
    probability = np.ones(1)
    for rank in ranks:
        left_out = np.pad(probability, (0, rank))
        counted = np.pad(probability, (rank, 0))
        probability = (left_out + counted) / 2
    return probability


@lru_cache(maxsize=32)
def _cumulative(ranks: bytes) -> Array:
    return np.cumsum(rank_sum_probabilities(np.frombuffer(ranks, dtype=np.int64)))


def doubled_midranks(x: Array) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return doubled mid-ranks of |x| on the last axis, ascending, 0 for zeros; and where x > 0."""
    order = np.argsort(np.abs(x), axis=-1)
    x = np.take_along_axis(x, order, axis=-1)
    size = np.abs(x)
    noise = ROUNDING_NOISE * size[..., -1:]
    zeros = np.count_nonzero(size <= noise, axis=-1, keepdims=True)
    size[size <= noise] = (
        0.0  # otherwise noise and the smallest difference might look tied
    )
    n = x.shape[-1]
    place = np.broadcast_to(np.arange(n), x.shape)
    border = np.pad(  # before the first and after the last of equal sizes
        np.diff(size, axis=-1) > noise,
        [(0, 0)] * (x.ndim - 1) + [(1, 1)],
        constant_values=True,
    )
    first = np.maximum.accumulate(np.where(border[..., :-1], place, 0), axis=-1)
    last = np.minimum.accumulate(
        np.where(border[..., 1:], place, n)[..., ::-1], axis=-1
    )[..., ::-1]
    return np.where(place < zeros, 0, first + last + 2 - 2 * zeros), x > 0


def _signed_rank_tails(
    doubled_ranks: NDArray[np.int64], doubled_sum: NDArray[np.int64]
) -> tuple[Array, Array]:
    """Return P(W+ <= w) and P(W+ >= w) given ranks (m, n) and sums (m,), all doubled."""
    patterns, pattern = np.unique(doubled_ranks, axis=0, return_inverse=True)
    pattern = pattern.reshape(-1)  # its shape has changed between versions of NumPy
    tables = [_cumulative(ranks.tobytes()) for ranks in patterns]
    start = np.array([0, *accumulate(len(table) for table in tables)])
    cdf = np.concatenate(tables)
    # W+ is symmetric about half the sum of all ranks, so P(W+ >= w) = P(W+ <= total -
    # w).
    total = doubled_ranks.sum(axis=-1)
    return cdf[start[pattern] + doubled_sum], cdf[start[pattern] + total - doubled_sum]
