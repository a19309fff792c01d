"""Limits of many samples at once: what one test after the other says of one sample."""

from bisect import bisect_left

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from replib.significance import _walsh, hodges_lehmann, ranks, signed_rank

LEVELS = st.sampled_from([0.2, 0.5, 0.8, 0.9, 0.95, 0.99, 1 - 1e-6])


def walsh_averages(sample):
    i, j = np.triu_indices(len(sample))
    return np.sort((sample[i] + sample[j]) / 2)


def interval(sample, level):
    """The limits by bisection, with one signed-rank test for each shift."""
    walsh = walsh_averages(sample)
    noise = 1e-10 * np.abs(walsh).max()
    distinct = walsh[np.append(True, np.diff(walsh) > noise)]
    between = (distinct[1:] + distinct[:-1]) / 2
    shifts = np.concatenate([distinct[:1] - 1, between, distinct[-1:] + 1])

    def limit(alternative, limits, shifts):
        def is_kept(place):
            shifted = sample - shifts[place]
            shifted[np.abs(shifted) <= 1e-10 * np.abs(sample).max()] = 0
            p = signed_rank(shifted, alternative=alternative).pvalue
            return p >= (1 - level) / 2

        beyond = np.abs(limits - np.median(walsh)) > noise
        n_beyond = int(np.cumprod(beyond).sum())
        return bisect_left(range(n_beyond + 1), True, key=is_kept)

    n_below = limit("greater", distinct, shifts)
    n_above = limit("less", distinct[::-1], shifts[::-1])
    low = distinct[n_below - 1] if n_below else -np.inf
    high = distinct[::-1][n_above - 1] if n_above else np.inf
    return low, high


KINDS = ["equal", "few", "real", "rounded", "scores", "zero"]


def drawn_sample(kind, n, rng):
    match kind:
        case "real":
            return rng.normal(0.1, 1, n)
        case "rounded":
            return rng.normal(0.01, 0.03, n).round(2)
        case "scores":
            return rng.random(n).round(2) - rng.random(n).round(2)
        case "few":
            return rng.choice([0, 0, 0, 1, -1, 0.5], n)
        case "equal":
            return np.full(n, 0.91) - np.full(n, 0.90)
    return np.zeros(n)


@st.composite
def tables(draw):
    """A few samples: real numbers, hundredths with ties, few values, equal or zero ones."""
    n = draw(st.sampled_from([2, 3, 5, 8, 13, 21, 49, 50, 51, 60]))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=4))
    return np.array([drawn_sample(kind, n, rng) for kind in kinds])


@settings(max_examples=60, deadline=None)
@given(tables(), LEVELS)
def test_limits_of_many_are_those_of_one_test_after_the_other(samples, level):
    low, high = hodges_lehmann(samples).confidence_interval(level)
    for row, sample in enumerate(samples):
        assert (low[row], high[row]) == interval(sample, level)


@settings(max_examples=30, deadline=None)
@given(tables())
def test_centres_and_tails_of_many_are_those_of_one_sample_each(samples):
    together = hodges_lehmann(samples)
    each = [hodges_lehmann(sample) for sample in samples]
    medians = [np.median(walsh_averages(sample)) for sample in samples]
    assert_array_equal(together.estimate, [single.estimate for single in each])
    assert_array_equal(together.estimate, medians)
    for shift in (0, 0.01, -0.3):
        tails = np.transpose([single.tails(shift) for single in each])
        assert_array_equal(together.tails(shift), tails)


@pytest.mark.parametrize("n_averages", [1, 20, 21, 50, 10**6])
def test_parts_do_not_show(monkeypatch, n_averages):
    samples = np.random.default_rng(3).normal(size=(2, 5, 6)).round(1)
    expected = hodges_lehmann(samples).confidence_interval()
    monkeypatch.setattr(_walsh, "_AT_A_TIME", n_averages)
    monkeypatch.setattr(ranks, "_SUMS_AT_A_TIME", n_averages)
    result = hodges_lehmann(samples)
    assert result.estimate.shape == (2, 5)
    assert_array_equal(result.confidence_interval(), expected)


def test_no_samples_have_no_centres():
    result = hodges_lehmann(np.empty((0, 4)))
    low, high = result.confidence_interval()
    assert result.estimate.shape == low.shape == high.shape == (0,)


@pytest.mark.parametrize("n", [51, 52, 80, 200])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999, 1 - 1e-12])
def test_critical_counts_are_the_least_that_the_normal_test_keeps(n, level):
    sample = np.random.default_rng(n).normal(size=n)
    x = np.array([sample.round(digits) for digits in (1, 2, 9)])
    table = ranks.RankSums.from_samples(x + 10)
    tail = (1 - level) / 2
    counts = _walsh._normal_critical_count(table, tail)
    sums = np.arange(n * (n + 1) // 2 + 1)
    for row in range(3):
        doubled_ranks = np.broadcast_to(table.doubled_ranks[row], (len(sums), n))
        at_most, _ = ranks.RankSums(doubled_ranks, 2 * sums).tails(method="normal")
        assert counts[row] == np.argmax(at_most >= tail)
