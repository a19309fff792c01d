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
    at_most = ranks.lower_tail(zstatistic, method=method)
    at_least = ranks.upper_tail(zstatistic, method=method)
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

    def lower_tail(self, zstatistic: Array, *, method: str = "auto") -> Array:
        """Return P(W+ <= w) under H0, 1 without any ranks."""
        return self._tail(zstatistic, self.doubled_sum, method)

    def upper_tail(self, zstatistic: Array, *, method: str = "auto") -> Array:
        """Return P(W+ >= w) under H0, 1 without any ranks."""
        # the distribution of W+ is symmetric about half the sum of all ranks
        return self._tail(-zstatistic, self.doubled_total - self.doubled_sum, method)

    def _tail(
        self, zstatistic: Array, doubled_sum: NDArray[np.int64], method: str
    ) -> Array:
        """Return P(W+ <= w), where w has this normal approximation."""
        probability = np.asarray(special.ndtr(zstatistic))
        is_exact = _is_exact(self.n, method)
        if is_exact.any():
            probability[is_exact] = exact_lower_tails(
                self.doubled_ranks[is_exact], doubled_sum[is_exact]
            )
        return np.where(self.n == 0, 1.0, probability)


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


def exact_lower_tails(
    doubled_ranks: NDArray[np.int64], doubled_sum: NDArray[np.int64]
) -> Array:
    """Return P(W+ <= w) under H0, given ascending ranks (m, n) and sums w (m,), all doubled."""
    n_nonzero = np.count_nonzero(doubled_ranks, axis=-1)
    n_zeros = doubled_ranks.shape[-1] - n_nonzero
    untied_ranks = np.arange(1, doubled_ranks.shape[-1] + 1) - n_zeros[:, np.newaxis]
    untied_ranks = 2 * np.maximum(untied_ranks, 0)
    is_tied = (doubled_ranks != untied_ranks).any(axis=-1)

    probability = np.empty(doubled_sum.shape)
    for n in np.unique(n_nonzero[~is_tied]):
        rows = ~is_tied & (n_nonzero == n)
        probability[rows] = untied_probabilities(int(n))[doubled_sum[rows] // 2]
    if is_tied.any():
        probability[is_tied] = _tied_lower_tails(
            doubled_ranks[is_tied], doubled_sum[is_tied]
        )
    return probability


def _tied_lower_tails(
    doubled_ranks: NDArray[np.int64], doubled_sum: NDArray[np.int64]
) -> Array:
    """Return the same for any ranks: samples with the same ties share a distribution."""
    # by symmetry, P(W+ <= w) is 1 less P(W+ <= total - w - 1): half a table will do
    complement = doubled_ranks.sum(axis=-1) - doubled_sum - 1
    is_upper = complement < doubled_sum
    smaller_sum = np.where(is_upper, complement, doubled_sum)
    tail = _smaller_tails(doubled_ranks, smaller_sum)
    return np.where(is_upper, 1 - tail, tail)


def _smaller_tails(
    doubled_ranks: NDArray[np.int64], doubled_sum: NDArray[np.int64]
) -> Array:
    """Return the same for sums w from -1 to half of the largest."""
    patterns, index = np.unique(doubled_ranks, axis=0, return_inverse=True)
    index = index.reshape(-1)  # its shape has changed between versions of NumPy
    n_sums = int(doubled_sum.max()) + 1
    tail = np.zeros(doubled_sum.shape)
    step = max(_SUMS_AT_A_TIME // max(n_sums, 1), 1)
    for first in range(0, len(patterns), step):
        table = _lower_tail_table(patterns[first : first + step], n_sums)
        rows = (first <= index) & (index < first + step) & (doubled_sum >= 0)
        tail[rows] = table[index[rows] - first, doubled_sum[rows]]
    return tail


def _lower_tail_table(ranks: NDArray[np.int64], n_sums: int) -> Array:
    """Return P(sum <= 0), ..., P(sum < n_sums) for each row of ranks.

    It does for all rows at once what :func:`rank_sum_probabilities` does for one.
    """
    largest = int(ranks.max())
    # to the left of a sum of 0 the probabilities are 0
    padded = np.zeros((len(ranks), largest + n_sums))
    shifted_by = np.lib.stride_tricks.sliding_window_view(padded, n_sums, axis=-1)
    probability = padded[:, largest:]
    probability[:, :1] = 1.0
    row = np.arange(len(ranks))
    for rank in ranks.T:
        probability += shifted_by[row, largest - rank]
        probability /= 2
    return np.cumsum(probability, axis=-1)


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
