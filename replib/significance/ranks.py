"""Wilcoxon's signed-rank test."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from replib._validation import Array, check_choice, is_rounding_noise
from replib.significance.results import ALTERNATIVES, RankTestResult, pvalue_of_tails
from replib.significance.samples import Axis, finite_samples

#: Nonzero differences up to which `signed_rank(method="auto")` is exact.
EXACT_UP_TO = 50
# Probabilities that are computed together: a megabyte, which a processor has at hand.
_SUMS_AT_A_TIME = 2**17


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
    ranks = RankSums.from_samples(samples)
    half = _continuity_correction(ranks.deviation, correction, alternative)
    zstatistic = ranks.standardized(ranks.deviation - half)
    at_most, at_least = ranks.tails(zstatistic, method=method)
    negative_sum = ranks.doubled_total - ranks.doubled_sum
    return RankTestResult(
        statistic=ranks.doubled_sum / 2,
        pvalue=pvalue_of_tails(at_most, at_least, alternative),
        alternative=alternative,
        n=ranks.n,
        estimate=(ranks.doubled_sum - negative_sum)
        / np.maximum(ranks.doubled_total, 1),
        zstatistic=zstatistic,
    )


@dataclass(frozen=True, eq=False)
class RankSums:
    """Ranks of the sizes of differences, and the sum of those of positive ones.

    Doubled mid-ranks are integers: their sums are exact, and so are comparisons.

    Attributes
    ----------
    doubled_ranks : ndarray of int, shape (..., n)
        Ascending; 0 for zero differences.
    doubled_sum : ndarray of int, shape (...)
        Twice W+.
    """

    doubled_ranks: NDArray[np.int64]
    doubled_sum: NDArray[np.int64]

    @classmethod
    def from_samples(cls, samples: Array) -> Self:
        """Return the rank sums of checked samples (..., n)."""
        doubled_ranks, is_positive = doubled_midranks(samples)
        doubled_sum = np.where(is_positive, doubled_ranks, 0).sum(axis=-1)
        return cls(doubled_ranks, np.asarray(doubled_sum))

    @cached_property
    def n(self) -> NDArray[np.int64]:
        """Number of nonzero differences."""
        return np.asarray(np.count_nonzero(self.doubled_ranks, axis=-1))

    @cached_property
    def doubled_total(self) -> NDArray[np.int64]:
        """Twice the sum of all ranks."""
        return np.asarray(self.doubled_ranks.sum(axis=-1))

    @cached_property
    def sd(self) -> Array:
        """Standard deviation of W+ under H0."""
        return np.asarray(
            np.sqrt((self.doubled_ranks.astype(float) ** 2).sum(axis=-1)) / 4
        )

    @cached_property
    def deviation(self) -> Array:
        """W+ minus its mean under H0."""
        return np.asarray((self.doubled_sum - self.doubled_total / 2) / 2)

    @property
    def zstatistic(self) -> Array:
        """Normal approximation of W+, without a continuity correction."""
        return self.standardized(self.deviation)

    def standardized(self, deviation: Array) -> Array:
        """Return the deviation divided by its standard deviation, 0 without any ranks."""
        zeros = np.zeros(self.sd.shape)
        return np.divide(deviation, self.sd, out=zeros, where=self.n > 0)

    def tails(
        self, zstatistic: Array | None = None, *, method: str = "auto"
    ) -> tuple[Array, Array]:
        """Return P(W+ <= w) and P(W+ >= w) under H0, both 1 without any ranks.

        A statistic with a continuity correction may stand for the normal approximation.
        """
        if zstatistic is None:
            zstatistic = self.zstatistic
        at_most = np.asarray(special.ndtr(zstatistic))
        at_least = np.asarray(special.ndtr(-zstatistic))
        is_exact = _is_exact(self.n, method)
        if is_exact.any():
            at_most[is_exact], at_least[is_exact] = exact_tails(
                self.doubled_ranks[is_exact], self.doubled_sum[is_exact]
            )
        is_empty = self.n == 0
        return np.where(is_empty, 1.0, at_most), np.where(is_empty, 1.0, at_least)


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


@lru_cache(maxsize=EXACT_UP_TO)
def untied_probabilities(n: int) -> Array:
    """Return P(W+ <= 0), P(W+ <= 1), ... under H0 for n nonzero differences without ties."""
    return np.cumsum(rank_sum_probabilities(np.arange(1, n + 1)))


def exact_tails(
    doubled_ranks: NDArray[np.int64], doubled_sum: NDArray[np.int64]
) -> tuple[Array, Array]:
    """Return P(W+ <= w) and P(W+ >= w) under H0.

    Parameters
    ----------
    doubled_ranks : ndarray of int, shape (m, n)
        Ascending in each sample; 0 for zero differences.
    doubled_sum : ndarray of int, shape (m,)
        Twice w.
    """
    n_nonzero = np.count_nonzero(doubled_ranks, axis=-1)
    n_zeros = doubled_ranks.shape[-1] - n_nonzero
    untied_ranks = np.arange(1, doubled_ranks.shape[-1] + 1) - n_zeros[:, np.newaxis]
    untied_ranks = 2 * np.maximum(untied_ranks, 0)
    is_tied = (doubled_ranks != untied_ranks).any(axis=-1)

    at_most = np.empty(doubled_sum.shape)
    at_least = np.empty(doubled_sum.shape)
    for n in np.unique(n_nonzero[~is_tied]):
        rows = ~is_tied & (n_nonzero == n)
        w = doubled_sum[rows] // 2
        cumulative = untied_probabilities(int(n))
        at_most[rows] = cumulative[w]
        # the distribution is symmetric about half the sum of all ranks
        at_least[rows] = cumulative[len(cumulative) - 1 - w]
    if is_tied.any():
        at_most[is_tied], at_least[is_tied] = _tied_tails(
            doubled_ranks[is_tied], doubled_sum[is_tied]
        )
    return at_most, at_least


def _tied_tails(
    doubled_ranks: NDArray[np.int64], doubled_sum: NDArray[np.int64]
) -> tuple[Array, Array]:
    """Return the same for any ranks: samples with the same ties share a distribution."""
    # by symmetry, both tails follow from that of the smaller of w and total - w
    opposite_sum = doubled_ranks.sum(axis=-1) - doubled_sum
    smaller_sum = np.minimum(doubled_sum, opposite_sum)
    up_to, below = _cumulative_probabilities(doubled_ranks, smaller_sum)
    is_lower = doubled_sum <= opposite_sum
    at_most = np.where(is_lower, up_to, 1 - below)
    at_least = np.where(is_lower, 1 - below, up_to)
    return at_most, at_least


def _cumulative_probabilities(
    doubled_ranks: NDArray[np.int64], doubled_sum: NDArray[np.int64]
) -> tuple[Array, Array]:
    """Return P(W+ <= w) and P(W+ < w) for ranks (m, n) and sums w (m,), all doubled."""
    patterns, index = np.unique(doubled_ranks, axis=0, return_inverse=True)
    index = index.reshape(-1)  # its shape has changed between versions of NumPy
    n_sums = int(doubled_sum.max()) + 1
    up_to = np.empty(doubled_sum.shape)
    below = np.empty(doubled_sum.shape)
    step = max(_SUMS_AT_A_TIME // n_sums, 1)
    for first in range(0, len(patterns), step):
        table = _lower_tail_table(patterns[first : first + step], n_sums)
        rows = (first <= index) & (index < first + step)
        up_to[rows] = table[index[rows] - first, doubled_sum[rows] + 1]
        below[rows] = table[index[rows] - first, doubled_sum[rows]]
    return up_to, below


def _lower_tail_table(ranks: NDArray[np.int64], n_sums: int) -> Array:
    """Return P(sum < 0), P(sum < 1), ..., P(sum < n_sums) for each row of ranks.

    It does for all rows at once what :func:`rank_sum_probabilities` does for one.
    """
    largest = int(ranks.max())
    # to the left of a sum of 0 the probabilities are 0
    padded = np.zeros((len(ranks), largest + n_sums))
    shifted_by = np.lib.stride_tricks.sliding_window_view(padded, n_sums, axis=-1)
    probability = padded[:, largest:]
    probability[:, 0] = 1.0
    row = np.arange(len(ranks))
    for rank in ranks.T:
        probability += shifted_by[row, largest - rank]
        probability /= 2
    table = np.zeros((len(ranks), n_sums + 1))
    np.cumsum(probability, axis=-1, out=table[:, 1:])
    return table


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
    is_first = np.ones(x.shape, dtype=bool)
    is_first[..., 1:] = ~is_rounding_noise(np.diff(size, axis=-1), largest)

    # ties of equal sizes, in all samples one after the other: where each begins
    first = np.flatnonzero(is_first)
    length = np.diff(first, append=x.size)
    # the mean of its first and its last rank, twice, as if there were no zeros
    doubled_rank = 2 * (first % x.shape[-1]) + length + 1
    doubled_ranks = np.repeat(doubled_rank, length).reshape(x.shape) - 2 * n_zeros
    return np.where(is_zero, 0, doubled_ranks), x > 0
