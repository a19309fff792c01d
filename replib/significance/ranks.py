"""Wilcoxon's signed-rank test."""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from replib._validation import Array, check_choice, is_rounding_noise
from replib.significance.results import ALTERNATIVES, RankTestResult, pvalue_of_tails
from replib.significance.samples import Axis, finite_samples

#: Nonzero differences up to which `signed_rank(method="auto")` is exact.
EXACT_UP_TO = 50


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
    correction : {"none", "towards_zero"}
        Continuity correction of the normal approximation: none (Bouckaert 2004, Section
        2.2); or 1/2 from W+ towards its mean, or against a one-sided alternative, as in
        R.

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
    check_choice("correction", correction, ("none", "towards_zero"))
    samples = finite_samples(differences, axis)
    return rank_test(
        samples, alternative=alternative, method=method, correction=correction
    )


def rank_test(
    samples: Array,
    *,
    alternative: str = "two-sided",
    method: str = "auto",
    correction: str = "none",
) -> RankTestResult:
    """Apply the signed-rank test to checked samples (..., n), as :func:`signed_rank` does."""
    doubled_ranks, is_positive = doubled_midranks(samples)
    # doubled mid-ranks are integers: the sums below are exact, and so are comparisons
    n = np.count_nonzero(doubled_ranks, axis=-1)
    doubled_total = doubled_ranks.sum(axis=-1)
    doubled_sum = np.where(is_positive, doubled_ranks, 0).sum(axis=-1)

    deviation = (doubled_sum - doubled_total / 2) / 2
    deviation = deviation - _continuity_correction(deviation, correction, alternative)
    sd = np.sqrt((doubled_ranks.astype(float) ** 2).sum(axis=-1)) / 4
    zstatistic = np.divide(deviation, sd, out=np.zeros(sd.shape), where=n > 0)

    at_most = np.asarray(special.ndtr(zstatistic))
    at_least = np.asarray(special.ndtr(-zstatistic))
    is_exact = _is_exact(n, method)
    if is_exact.any():
        at_most[is_exact], at_least[is_exact] = _exact_tails(
            doubled_ranks[is_exact], doubled_sum[is_exact]
        )
    pvalue = pvalue_of_tails(at_most, at_least, alternative)
    negative_sum = doubled_total - doubled_sum
    return RankTestResult(
        statistic=doubled_sum / 2,
        pvalue=np.where(n == 0, 1.0, pvalue),
        alternative=alternative,
        n=n,
        estimate=(doubled_sum - negative_sum) / np.maximum(doubled_total, 1),
        zstatistic=zstatistic,
    )


def _continuity_correction(
    deviation: Array, correction: str, alternative: str
) -> Array | float:
    """Return what is subtracted from the deviation of W+ from its mean."""
    if correction == "none":
        return 0.0
    if alternative == "two-sided":
        return np.sign(deviation) / 2
    return 0.5 if alternative == "greater" else -0.5


def _is_exact(n: NDArray[np.int64], method: str) -> NDArray[np.bool_]:
    """Return for which samples, of n nonzero differences, the null distribution is exact."""
    if method == "auto":
        return np.asarray(n <= EXACT_UP_TO)
    return np.full(np.shape(n), method == "exact")


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
    probability = np.zeros(np.sum(ranks, dtype=np.int64) + 1)
    probability[0] = 1.0
    n_sums = 1  # that the ranks so far can have
    for rank in ranks:
        counted = probability[:n_sums].copy()  # the sums, before this rank is added
        probability[rank : rank + n_sums] += counted
        n_sums += rank
        probability[:n_sums] /= 2
    return probability


@lru_cache(maxsize=256)
def _cumulative_probabilities(ranks: bytes) -> Array:
    """Return P(sum <= 0), P(sum <= 1), ... for the bytes of an array of ranks."""
    return np.cumsum(rank_sum_probabilities(np.frombuffer(ranks, dtype=np.int64)))


def doubled_midranks(x: Array) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return doubled mid-ranks of |x| on the last axis, ascending, 0 for zeros; and where x > 0.

    Zeros and ties are those but for rounding, at the scale of the largest |x|.
    """
    order = np.argsort(np.abs(x), axis=-1)
    x = np.take_along_axis(x, order, axis=-1)
    size = np.abs(x)
    largest = size[..., -1:]
    is_zero = is_rounding_noise(size, largest)
    n_zeros = np.count_nonzero(is_zero, axis=-1, keepdims=True)
    # otherwise noise and the smallest difference might look tied
    size[is_zero] = 0.0
    is_larger = ~is_rounding_noise(np.diff(size, axis=-1), largest)

    # the positions, from 0, at which a tie of equal sizes begins and ends
    n = x.shape[-1]
    position = np.broadcast_to(np.arange(n), x.shape)
    first = np.zeros(x.shape, dtype=np.int64)
    first[..., 1:] = np.where(is_larger, position[..., 1:], 0)
    first = np.maximum.accumulate(first, axis=-1)
    last = np.full(x.shape, n - 1)
    last[..., :-1] = np.where(is_larger, position[..., :-1], n - 1)
    last = np.minimum.accumulate(last[..., ::-1], axis=-1)[..., ::-1]
    # the mean of the ranks first + 1 to last + 1, after the zeros, twice
    doubled_ranks = first + last + 2 - 2 * n_zeros
    return np.where(position < n_zeros, 0, doubled_ranks), x > 0


def _exact_tails(
    doubled_ranks: NDArray[np.int64], doubled_sum: NDArray[np.int64]
) -> tuple[Array, Array]:
    """Return P(W+ <= w) and P(W+ >= w) given ranks (m, n) and sums (m,), all doubled."""
    # samples with the same ties have the same distribution
    patterns, index = np.unique(doubled_ranks, axis=0, return_inverse=True)
    index = index.reshape(-1)  # its shape has changed between versions of NumPy
    tables = [_cumulative_probabilities(ranks.tobytes()) for ranks in patterns]
    lengths = [len(table) for table in tables]
    start = np.cumsum([0, *lengths[:-1]])[index]
    probability = np.concatenate(tables)
    # W+ is symmetric about half its total, so P(W+ >= w) = P(W+ <= total - w)
    doubled_total = doubled_ranks.sum(axis=-1)
    at_most = probability[start + doubled_sum]
    at_least = probability[start + doubled_total - doubled_sum]
    return at_most, at_least
