"""Compiled loops of the simulation: decisions of experiments on Task I, from counts alone.

Differences d are whole numbers: wins of B minus wins of A in a test set.  If T is the
sum of N differences and ``V = N sum(d^2) - T^2``, the t test whose variance is
corrected by the test/train ratio rho rejects if ``T^2 > limit V``, where
``limit = c^2 (1 + rho N) / (N - 1)`` and c is the quantile of Student's t.  So a sample
without variance rejects unless its sum is zero.
"""

import numpy as np

from companion.lab.compiled import njit

# Tables leave out counts this many standard deviations from their mean, a mass below
# 1e-14.
_REACH = 8.0
# Slots in the guide to a table, a power of two.
_SLOTS = 512


@njit(nogil=True)
def _rejects(total, squares, size, limit):
    return float(total) * total > limit * (float(size) * squares - float(total) * total)


@njit(nogil=True)
def resampling(rng, data, test_size, samples, limits, experiments, log_factorial):
    """Count the experiments on each data set that reject, for each number of random test sets.

    `samples` increases; an experiment with more test sets starts with those of the
    smaller one.
    """
    rejections = np.zeros((len(data), len(samples)), np.int64)
    for i in range(len(data)):
        lowest, cumulative = _table_of_differences(data[i], test_size, log_factorial)
        guide = np.searchsorted(cumulative, np.arange(_SLOTS) / _SLOTS, side="right")
        for _ in range(experiments):
            total = 0
            squares = 0
            drawn = 0
            for s in range(len(samples)):
                while drawn < samples[s]:
                    u = rng.random()
                    k = guide[int(u * _SLOTS)]
                    while cumulative[k] <= u:
                        k += 1
                    d = lowest + k
                    total += d
                    squares += d * d
                    drawn += 1
                rejections[i, s] += _rejects(total, squares, drawn, limits[s])
    return rejections


@njit(nogil=True)
def cross_validation(
    rng, data, folds, runs, corrected, plain, experiments, log_factorial
):
    """Count the experiments on each data set that reject, for three tests and each number of runs.

    The tests use all differences, with the limits `corrected`; and the means over
    sorted runs and the means over runs, one per fold, with the limit `plain`.  `runs`
    increases; an experiment with more runs starts with those of the smaller one.
    """
    rejections = np.zeros((len(data), 3, len(runs)), np.int64)
    fold = np.empty(folds, np.int64)
    sums = np.empty(folds, np.int64)
    sorted_sums = np.empty(folds, np.int64)
    for i in range(len(data)):
        surplus = data[i, 1] - data[i, 0]
        for _ in range(experiments):
            sums[:] = 0
            sorted_sums[:] = 0
            squares = 0
            done = 0
            for s in range(len(runs)):
                while done < runs[s]:
                    _deal(rng, data[i], fold, log_factorial)
                    sums += fold
                    _sort(fold)
                    sorted_sums += fold
                    squares += (fold * fold).sum()
                    done += 1
                total = done * surplus
                rejections[i, 0, s] += _rejects(
                    total, squares, done * folds, corrected[s]
                )
                for kind, sample in ((1, sorted_sums), (2, sums)):
                    rejections[i, kind, s] += _rejects(
                        total, (sample * sample).sum(), folds, plain
                    )
    return rejections


@njit(nogil=True, error_model="numpy")
def _deal(rng, data, fold, log_factorial):
    """Deal one run: the differences of all folds, which have equal sizes."""
    wins_a = data[0]
    wins_b = data[1]
    rest = data.sum()
    size = rest // len(fold)
    for j in range(len(fold) - 1):
        a = hypergeometric(rng, wins_a, rest - wins_a, size, log_factorial)
        b = hypergeometric(rng, wins_b, rest - wins_a - wins_b, size - a, log_factorial)
        fold[j] = b - a
        wins_a -= a
        wins_b -= b
        rest -= size
    fold[-1] = wins_b - wins_a


@njit(nogil=True)
def _sort(values):
    """Sort by insertion, which is the fastest for a few values."""
    for i in range(1, len(values)):
        value = values[i]
        j = i
        while j > 0 and values[j - 1] > value:
            values[j] = values[j - 1]
            j -= 1
        values[j] = value


@njit(nogil=True, error_model="numpy")
def hypergeometric(rng, good, bad, draws, log_factorial):
    """Draw a hypergeometric number by ratio of uniforms, table-mountain hat (Stadlober 1990)."""
    total = good + bad
    if draws == 0 or good == 0:
        return 0
    if bad == 0 or draws == total:
        return min(good, draws)
    least = max(0, draws - bad)
    most = min(draws, good)
    mean = draws * good / total
    variance = mean * bad * (total - draws) / (total * max(total - 1.0, 1.0))
    width = np.sqrt(8 / np.e * (variance + 0.5)) + 3 - 2 * np.sqrt(3 / np.e)
    # faster than //, and exact below 2**53
    mode = int((draws + 1) * (good + 1) / (total + 2))
    peak = _log_weight(mode, good, bad, draws, log_factorial)
    while True:
        u = rng.random()
        x = mean + 0.5 + width * (rng.random() - 0.5) / u
        if x < least or x >= most + 1:
            continue
        height = _log_weight(int(x), good, bad, draws, log_factorial) - peak
        # two bounds on log u avoid most of the logarithms
        if u * (4 - u) - 3 <= height:
            return int(x)
        if u * (u - height) < 1 and 2 * np.log(u) <= height:
            return int(x)


@njit(inline="always")
def _log_weight(k, good, bad, draws, log_factorial):
    # unsigned: Numba otherwise checks whether an index is negative
    return -(
        log_factorial[np.uint64(k)]
        + log_factorial[np.uint64(good - k)]
        + log_factorial[np.uint64(draws - k)]
        + log_factorial[np.uint64(bad - draws + k)]
    )


@njit(nogil=True)
def _table_of_differences(data, test_size, log_factorial):
    """Distribution function of d in a random test set: the least value, and P(d <= value)."""
    total = data.sum()
    low_a, weights_a = _weights(data[0], total, test_size, log_factorial)
    low_b, weights_b = _weights(data[1], total, test_size, log_factorial)
    low_draws, weights_draws = _weights(data[2], total, test_size, log_factorial)
    lowest = low_b - (low_a + len(weights_a) - 1)
    mass = np.zeros(len(weights_a) + len(weights_b) - 1)
    for i in range(len(weights_a)):
        for j in range(len(weights_b)):
            wins_a = low_a + i
            wins_b = low_b + j
            k = test_size - wins_a - wins_b - low_draws
            if 0 <= k < len(weights_draws):
                weight = weights_a[i] * weights_b[j] * weights_draws[k]
                mass[wins_b - wins_a - lowest] += weight
    cumulative = np.cumsum(mass)
    cumulative /= cumulative[-1]
    cumulative[-1] = 1.0
    return lowest, cumulative


@njit(nogil=True)
def _weights(kind, total, test_size, log_factorial):
    """``1 / (k! (kind - k)!)``, up to a factor, for every k that is not negligible."""
    mean = test_size * kind / total
    reach = _REACH * np.sqrt(mean * (1 - kind / total) * (1 - test_size / total)) + 1
    low = max(0, int(mean - reach))
    high = min(kind, test_size, int(mean + reach) + 1)
    weights = np.empty(high - low + 1)
    for k in range(low, high + 1):
        weights[k - low] = -log_factorial[k] - log_factorial[kind - k]
    return low, np.exp(weights - weights.max())
