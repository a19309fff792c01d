"""Walsh averages of many samples, and the limits of the signed-rank test that they give.

The Walsh averages of a sample are the means of all pairs of its differences, and the
differences themselves.  Where no Walsh average is the shift, the sum W+ of the positive
ranks of the shifted sample is the number of those above it.
"""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import special

from replib._validation import Array, is_rounding_noise, without_rounding_noise
from replib.significance.ranks import EXACT_UP_TO, RankSums, untied_probabilities

# Averages that are sorted together: a megabyte, which a processor has at hand.  With
# ten times as many, 5,000 samples of 200 take three times as long.
_AT_A_TIME = 2**17


def sorted_walsh_averages(samples: Array) -> Iterator[tuple[Array, Array]]:
    """Yield some samples (m, n) at a time, and their Walsh averages (m, N), ascending."""
    n = samples.shape[-1]
    n_averages = n * (n + 1) // 2
    step = max(_AT_A_TIME // n_averages, 1)
    for first in range(0, len(samples), step):
        x = samples[first : first + step]
        walsh = np.empty((len(x), n_averages))
        end = 0
        for i in range(n):
            start = end
            end = start + n - i
            np.add(x[:, i : i + 1], x[:, i:], out=walsh[:, start:end])
        walsh /= 2
        walsh.sort(axis=-1)
        yield x, walsh


def shifted_ranks(samples: Array, shifts: Array) -> RankSums:
    """Return the rank sums of samples (..., n) minus shifts (...)."""
    largest = np.abs(samples).max(axis=-1, keepdims=True)
    shifted = without_rounding_noise(samples - shifts[..., np.newaxis], largest)
    return RankSums.from_samples(shifted)


def limits(x: Array, walsh: Array, tail: float) -> tuple[Array, Array]:
    """Return lower and upper limits of the centre for samples (m, n), with their averages (m, N).

    Beyond a limit, the one-sided test rejects the shift at the level `tail`.

    If the distribution of W+ is the same for all shifts, the limits are order
    statistics of the Walsh averages (Hollander and Wolfe 1973).  It is not for a small
    sample with ties: they stand elsewhere among the ranks for another shift.
    """
    n = x.shape[-1]
    is_first = _first_of_equals(walsh)
    ranks = _ranks_above_all_shifts(x)
    if n > EXACT_UP_TO:
        n_outside = _normal_critical_count(ranks, tail)
        return _order_statistics(walsh, is_first, n_outside)

    n_outside = np.full(len(x), np.searchsorted(untied_probabilities(n), tail))
    low, high = _order_statistics(walsh, is_first, n_outside)
    is_tied = (ranks.doubled_ranks != 2 * np.arange(1, n + 1)).any(axis=-1)
    if is_tied.any():
        low[is_tied], high[is_tied] = _bisected_limits(
            x[is_tied], walsh[is_tied], is_first[is_tied], tail
        )
    return low, high


def _first_of_equals(walsh: Array) -> NDArray[np.bool_]:
    """Return which sorted averages are larger than those before them, but for rounding."""
    largest = np.maximum(-walsh[:, :1], walsh[:, -1:])
    is_first = np.ones(walsh.shape, dtype=bool)
    is_first[:, 1:] = ~is_rounding_noise(np.diff(walsh, axis=-1), largest)
    return is_first


def _ranks_above_all_shifts(x: Array) -> RankSums:
    """Return the ranks after a shift below all differences: equal differences are the ties."""
    lowest = x.min(axis=-1)
    distance = np.maximum(np.ptp(x, axis=-1), np.abs(x).max(axis=-1))
    shift = lowest - np.where(distance > 0, distance, 1.0)
    return RankSums.from_samples(x - shift[:, np.newaxis])


def _normal_critical_count(ranks: RankSums, tail: float) -> NDArray[np.int64]:
    """Return the least c with P(W+ <= c) >= tail by the normal approximation.

    Ties lower the variance of W+, and by as much for all shifts.
    """
    total = ranks.doubled_total // 2
    near = np.ceil(total / 2 + special.ndtri(tail) * ranks.sd).astype(np.int64)
    # the inverse may be off by one in its last place, and the count with it
    counts = near + np.array([[-1], [0], [1]])
    is_too_few = special.ndtr((2 * counts - total) / 2 / ranks.sd) < tail
    return np.maximum(counts[0] + is_too_few.sum(axis=0), 0)


def _order_statistics(
    walsh: Array, is_first: NDArray[np.bool_], n_outside: NDArray[np.int64]
) -> tuple[Array, Array]:
    """Return the averages of these ranks from below and from above; infinite for rank 0.

    Of averages that are equal but for rounding, it is the smallest.
    """
    m, n_averages = walsh.shape
    first = np.where(is_first, np.arange(n_averages), 0)
    first = np.maximum.accumulate(first, axis=-1)
    row = np.arange(m)
    low = walsh[row, first[row, n_outside - 1]]
    high = walsh[row, first[row, n_averages - np.maximum(n_outside, 1)]]
    is_endless = n_outside == 0
    return np.where(is_endless, -np.inf, low), np.where(is_endless, np.inf, high)


def _bisected_limits(
    x: Array, walsh: Array, is_first: NDArray[np.bool_], tail: float
) -> tuple[Array, Array]:
    """Return the limits by the test of shifts between the distinct averages.

    Between two of them the p-values do not change.
    """
    n_distinct = is_first.sum(axis=-1)
    order = np.argsort(~is_first, axis=-1, kind="stable")
    distinct = np.take_along_axis(walsh, order, axis=-1)
    largest = np.maximum(-walsh[:, :1], walsh[:, -1:])
    centre = np.median(walsh, axis=-1, keepdims=True)
    is_distinct = np.arange(walsh.shape[-1]) < n_distinct[:, np.newaxis]
    is_beyond = is_distinct & ~is_rounding_noise(distinct - centre, largest)

    def keeps_from_below(
        rows: NDArray[np.int64], n_below: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Return whether a shift above so many averages is not rejected as too low."""
        shifts = _shift_above(distinct[rows], n_distinct[rows], n_below)
        _, at_least = shifted_ranks(x[rows], shifts).tails()
        return at_least >= tail

    def keeps_from_above(
        rows: NDArray[np.int64], n_above: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Return whether a shift below so many averages is not rejected as too high."""
        n_below = n_distinct[rows] - n_above
        shifts = _shift_above(distinct[rows], n_distinct[rows], n_below)
        at_most, _ = shifted_ranks(x[rows], shifts).tails()
        return at_most >= tail

    n_below = _bisected(
        (is_beyond & (distinct < centre)).sum(axis=-1), keeps_from_below
    )
    n_above = _bisected(
        (is_beyond & (distinct > centre)).sum(axis=-1), keeps_from_above
    )
    row = np.arange(len(x))
    low = distinct[row, n_below - 1]
    high = distinct[row, n_distinct - np.maximum(n_above, 1)]
    return np.where(n_below == 0, -np.inf, low), np.where(n_above == 0, np.inf, high)


def _shift_above(
    distinct: Array, n_distinct: NDArray[np.int64], n_below: NDArray[np.int64]
) -> Array:
    """Return a shift above so many of the distinct averages (m, ...), and below the others."""
    row = np.arange(len(distinct))
    below = distinct[row, np.maximum(n_below - 1, 0)]
    above = distinct[row, np.minimum(n_below, n_distinct - 1)]
    shift = (above + below) / 2
    shift = np.where(n_below == 0, above - 1, shift)
    return np.where(n_below == n_distinct, below + 1, shift)


def _bisected(
    most: NDArray[np.int64],
    condition: Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.bool_]],
) -> NDArray[np.int64]:
    """Return, for each row, the least number for which a condition holds; `most` + 1 if none.

    The condition takes the rows that are asked about, and a number for each.
    """
    low = np.zeros(most.shape, dtype=np.int64)
    high = most + 1
    rows = np.flatnonzero(low < high)
    while rows.size:
        middle = (low[rows] + high[rows]) // 2
        holds = condition(rows, middle)
        high[rows[holds]] = middle[holds]
        low[rows[~holds]] = middle[~holds] + 1
        rows = np.flatnonzero(low < high)
    return low
