"""Walsh averages of many samples, and the limits of the signed-rank test that they give.

The Walsh averages of a sample are the means of all pairs of its differences, and the
differences themselves.  If no Walsh average is the shift, the sum W+ of the positive
ranks of the shifted sample is the number of averages above it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy import special

from replib._bars import with_bar
from replib._validation import (
    Array,
    is_rounding_noise,
    largest,
    without_rounding_noise,
)
from replib.significance.ranks import EXACT_UP_TO, RankSums, untied_probabilities

Counts = NDArray[np.int64]

# Averages that are made together: a megabyte, which a processor has at hand.  With
# ten times as many, 5,000 samples of 200 take three times as long.
_AT_A_TIME = 2**17


def walsh_averages(samples: Array) -> Iterator[tuple[Array, Array]]:
    """Yield some samples (m, n) at a time, and their Walsh averages (m, N) in no order."""
    n = samples.shape[-1]
    n_averages = n * (n + 1) // 2
    step = max(_AT_A_TIME // n_averages, 1)
    for first in with_bar(range(0, len(samples), step), "part"):
        x = samples[first : first + step]
        walsh = np.empty((len(x), n_averages))
        end = 0
        for i in range(n):
            start = end
            end = start + n - i
            np.add(x[:, i : i + 1], x[:, i:], out=walsh[:, start:end])
        walsh /= 2
        yield x, walsh


def medians(walsh: Array) -> Array:
    """Return the median of each row, as `np.median` does, which seeks several ranks at once."""
    n_averages = walsh.shape[-1]
    half = n_averages // 2
    parted = np.partition(walsh, half, axis=-1)
    upper = parted[..., half]
    if n_averages % 2:
        return upper
    lower = parted[..., :half].max(axis=-1)
    return np.asarray((lower + upper) / 2)


def shifted_ranks(samples: Array, shifts: Array) -> RankSums:
    """Return the rank sums of samples (..., n) minus shifts (...)."""
    largest = np.abs(samples).max(axis=-1, keepdims=True)
    shifted = without_rounding_noise(samples - shifts[..., np.newaxis], largest)
    return RankSums.from_samples(shifted)


def limits(x: Array, walsh: Array, tail: float) -> tuple[Array, Array]:
    """Return lower and upper limits of the centre for samples (m, n), with their averages (m, N).

    Beyond a limit, the one-sided test rejects the shift at the level `tail`.

    If the distribution of W+ is the same for all shifts, the limits are order
    statistics of the Walsh averages (Hollander and Wolfe 1973).  For a small sample
    with ties it is not: after another shift, the ties have other ranks.
    """
    n = x.shape[-1]
    ranks = _ranks_above_all_shifts(x)
    if n > EXACT_UP_TO:
        return _order_statistics(walsh, _normal_critical_count(ranks, tail))

    critical = np.searchsorted(untied_probabilities(n), tail)
    low, high = _order_statistics(walsh, np.full(len(x), critical))
    is_tied = (ranks.doubled_ranks != 2 * np.arange(1, n + 1)).any(axis=-1)
    if is_tied.any():
        averages = np.sort(walsh[is_tied], axis=-1)
        low[is_tied], high[is_tied] = _bisected_limits(x[is_tied], averages, tail)
    return low, high


def _order_statistics(walsh: Array, rank: Counts) -> tuple[Array, Array]:
    """Return the averages of a rank from below and from above; infinite for rank 0.

    Of averages that are equal but for rounding it is the smallest.  Each is sought by
    itself: NumPy seeks two ranks at once without vector instructions, five times as long.
    """
    low = np.full(len(walsh), -np.inf)
    high = np.full(len(walsh), np.inf)
    for row in np.flatnonzero(rank):
        averages = walsh[row]
        from_below = rank[row] - 1
        from_above = averages.size - rank[row]
        scale = largest(averages)
        up_to_low = np.partition(averages, from_below)[: from_below + 1]
        up_to_high = np.partition(averages, from_above)[: from_above + 1]
        low[row] = _smallest_equal(up_to_low, scale)
        high[row] = _smallest_equal(up_to_high, scale)
    return low, high


def _smallest_equal(averages: Array, scale: float) -> float:
    """Return the smallest average that equals the last, which is the largest, but for rounding."""
    smallest = averages[-1]
    while True:
        is_equal = is_rounding_noise(averages - smallest, scale)
        equal = averages[is_equal].min()
        if equal == smallest:
            return float(smallest)
        smallest = equal


def _ranks_above_all_shifts(x: Array) -> RankSums:
    """Return the ranks after a shift below all differences: equal differences are the ties."""
    lowest = x.min(axis=-1)
    distance = np.maximum(np.ptp(x, axis=-1), np.abs(x).max(axis=-1))
    shift = lowest - np.where(distance > 0, distance, 1.0)
    return RankSums.from_samples(x - shift[:, np.newaxis])


def _normal_critical_count(ranks: RankSums, tail: float) -> Counts:
    """Return the least c with P(W+ <= c) >= tail by the normal approximation.

    Ties lower the variance of W+, by as much for all shifts.
    """
    total = ranks.doubled_total // 2
    near = np.ceil(total / 2 + special.ndtri(tail) * ranks.sd).astype(np.int64)
    # the inverse may be off by one in its last place, and the count with it
    counts = near + np.array([[-1], [0], [1]])
    is_too_few = special.ndtr((2 * counts - total) / 2 / ranks.sd) < tail
    return np.maximum(counts[0] + is_too_few.sum(axis=0), 0)


@dataclass(frozen=True, eq=False)
class _DistinctAverages:
    """Sorted Walsh averages of samples, and where they differ by more than rounding.

    Attributes
    ----------
    walsh : ndarray, shape (m, N)
    is_first : ndarray of bool, shape (m, N)
        Whether an average is larger than those before it.
    scale : ndarray, shape (m, 1)
        The largest size of an average.
    """

    walsh: Array
    is_first: NDArray[np.bool_]
    scale: Array

    @classmethod
    def from_sorted(cls, walsh: Array) -> Self:
        """Compare each average with the one before it."""
        scale = np.maximum(-walsh[:, :1], walsh[:, -1:])
        is_first = np.ones(walsh.shape, dtype=bool)
        is_first[:, 1:] = ~is_rounding_noise(np.diff(walsh, axis=-1), scale)
        return cls(walsh, is_first, scale)

    def in_rows(self) -> tuple[Array, Counts]:
        """Return the distinct averages of each sample, then others, and how many are distinct."""
        order = np.argsort(~self.is_first, axis=-1, kind="stable")
        averages = np.take_along_axis(self.walsh, order, axis=-1)
        return averages, self.is_first.sum(axis=-1)

    def number_below_centre(self) -> Counts:
        """Return how many distinct averages are below the median of all."""
        distance = self.walsh - np.median(self.walsh, axis=-1, keepdims=True)
        is_equal = is_rounding_noise(distance, self.scale)
        return (self.is_first & (distance < 0) & ~is_equal).sum(axis=-1)


def _bisected_limits(x: Array, walsh: Array, tail: float) -> tuple[Array, Array]:
    """Return the limits by tests of shifts: between two distinct averages p does not change."""
    averages, n_distinct = _DistinctAverages.from_sorted(walsh).in_rows()
    n_below = _number_too_low(x, walsh, tail)
    n_above = _number_too_low(-x, -walsh[:, ::-1], tail)
    row = np.arange(len(x))
    low = averages[row, n_below - 1]
    high = averages[row, n_distinct - np.maximum(n_above, 1)]
    return np.where(n_below == 0, -np.inf, low), np.where(n_above == 0, np.inf, high)


def _number_too_low(x: Array, walsh: Array, tail: float) -> Counts:
    """Return after how many distinct averages, of those up to the centre, a shift is not rejected.

    It is one more than there are below the centre if all shifts there are rejected.
    """
    distinct = _DistinctAverages.from_sorted(walsh)
    averages, n_distinct = distinct.in_rows()

    def is_kept(rows: Counts, n_below: Counts) -> NDArray[np.bool_]:
        """Return whether the test of some samples does not reject a shift above so many."""
        shifts = _shift_above(averages[rows], n_distinct[rows], n_below)
        _, at_least = shifted_ranks(x[rows], shifts).tails()
        return at_least >= tail

    low = np.zeros(len(x), dtype=np.int64)
    high = distinct.number_below_centre() + 1
    rows = np.arange(len(x))
    while rows.size:
        middle = (low[rows] + high[rows]) // 2
        kept = is_kept(rows, middle)
        high[rows[kept]] = middle[kept]
        low[rows[~kept]] = middle[~kept] + 1
        rows = np.flatnonzero(low < high)
    return low


def _shift_above(averages: Array, n_distinct: Counts, n_below: Counts) -> Array:
    """Return a shift above so many of the distinct averages (m, ...), and below the others."""
    row = np.arange(len(averages))
    below = averages[row, np.maximum(n_below - 1, 0)]
    above = averages[row, np.minimum(n_below, n_distinct - 1)]
    shift = (above + below) / 2
    shift = np.where(n_below == 0, above - 1, shift)
    return np.where(n_below == n_distinct, below + 1, shift)
