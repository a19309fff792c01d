"""Tests of shifted hypotheses: maximum likelihood by a grid, enumeration of signs, SciPy."""

import numpy as np
import pytest
from enumeration import sign_vectors, tail_probabilities
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import optimize, stats

from replib.significance import hodges_lehmann, mcnemar, signed_rank, tango

COUNTS = [
    (6, 16, 161),
    (1, 7, 21),
    (40, 20, 160),
    (0, 0, 30),
    (3, 0, 30),
    (12, 12, 24),
    (9, 0, 9),
]


def score(wins, losses, n, shift):
    """(estimate - shift) / its standard deviation, with the likelihood maximised numerically."""

    def minus_log_likelihood(only_b):
        p = np.array([only_b + shift, only_b, 1 - shift - 2 * only_b])
        counts = np.array([wins, losses, n - wins - losses])
        terms = counts * np.log(np.maximum(p, 1e-300))
        return -np.sum(np.where(counts, terms, 0))

    optimum = optimize.minimize_scalar(
        minus_log_likelihood,
        bounds=(max(0, -shift), (1 - shift) / 2),
        method="bounded",
        options={"xatol": 1e-13},
    )
    variance = (2 * optimum.x + shift - shift**2) / n
    return ((wins - losses) / n - shift) / np.sqrt(variance)


@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize("shift", [-0.9, -0.3, -0.05, 0.02, 0.25, 0.8])
def test_tango_is_the_score_at_the_constrained_maximum(counts, shift):
    z = score(*counts, shift)
    greater, less = tango(*counts, shift=shift)
    assert_allclose((greater, less), stats.norm.sf([z, -z]), rtol=1e-3, atol=1e-9)
    if min(greater, less) > 0:
        quantile = stats.norm.isf(greater) if z > 0 else -stats.norm.isf(less)
        assert_allclose(quantile, z, rtol=1e-5, atol=1e-6)
    wins, losses, n = counts
    assert_allclose(tango(losses, wins, n, shift=-shift), (less, greater), rtol=1e-9)


@pytest.mark.parametrize(
    "counts, limits, error",
    [((6, 16, 161), (-0.1240, -0.0054), 5e-5), ((1, 7, 21), (-0.517, -0.026), 5e-4)],
)
def test_tango_gives_published_limits(counts, limits, error):
    """Cavo et al. (2012) and Bentur et al. (2009), as in Fagerland, Lydersen, Laake (2014)."""
    low, high = limits
    middle = (counts[0] - counts[1]) / counts[2]

    def excess(shift, side):
        return getattr(tango(*counts, shift=shift), side) - 0.025

    lower = optimize.brentq(excess, middle, -1, args=("greater",))
    upper = optimize.brentq(excess, middle, 1, args=("less",))
    assert lower == pytest.approx(low, abs=error)
    assert upper == pytest.approx(high, abs=error)


@pytest.mark.parametrize("counts", COUNTS)
def test_tango_without_shift_is_mcnemar(counts):
    p = 2 * min(tango(*counts, shift=0))
    assert min(p, 1) == pytest.approx(mcnemar(*counts[:2], method="uncorrected").pvalue)


def test_tango_is_defined_at_the_ends():
    # the estimate is the shift, and has no spread
    assert tango(9, 0, 9, shift=1) == (0.5, 0.5)
    assert tango(0, 9, 9, shift=-1) == (0.5, 0.5)
    assert tango(0, 0, 9, shift=0) == (0.5, 0.5)
    assert tango(9, 0, 9, shift=-1) == (0, 1)
    assert tango(8, 0, 9, shift=1) == (1, 0)


SAMPLES = st.lists(st.integers(-8, 8), min_size=2, max_size=9)


@given(SAMPLES, st.sampled_from([-2, -0.5, 0, 0.25, 3]))
def test_a_shifted_test_is_the_enumeration_of_signs(sample, shift):
    x = np.array(sample) - shift
    x = x[x != 0]
    ranks = stats.rankdata(np.abs(x))
    sums = (sign_vectors(len(x)) > 0) @ ranks if len(x) else [0]
    less, greater = tail_probabilities(sums, ranks[x > 0].sum())
    assert_allclose(hodges_lehmann(sample).tails(shift), [float(greater), float(less)])


@given(SAMPLES, st.sampled_from([0.5, 0.8, 0.95]))
def test_the_interval_is_the_shifts_that_are_not_rejected(sample, level):
    """Beside each Walsh average, where the test is for a sample without zeros."""
    result = hodges_lehmann(sample)
    low, high = result.confidence_interval(level)
    assert low <= result.estimate <= high
    walsh = {(a + b) / 2 for i, a in enumerate(sample) for b in sample[i:]}
    assert {low, high} <= walsh | {-np.inf, np.inf}
    for limit, side in ((low, -1), (high, 1)):
        if np.isfinite(limit):
            centred = np.array(sample) - limit
            outside = signed_rank(centred - side / 8)
            inside = signed_rank(centred + side / 8)
            assert outside.pvalue < 1 - level
            assert inside.pvalue >= 1 - level or low == high


@pytest.mark.parametrize("n", [5, 6, 13, 25])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_without_ties_the_limits_are_order_statistics(n, level):
    """Hollander and Wolfe (1973), from the distribution of the signed-rank sum."""
    x = np.random.default_rng(n).normal(0.3, 1, n)
    result = hodges_lehmann(x)
    walsh = np.sort([(a + b) / 2 for i, a in enumerate(x) for b in x[i:]])
    tail = np.array([1.0])
    for rank in range(1, n + 1):
        tail = np.convolve(tail, np.r_[0.5, np.zeros(rank - 1), 0.5])
    k = int(np.searchsorted(np.cumsum(tail), (1 - level) / 2))
    expected = (walsh[k - 1], walsh[-k]) if k else (-np.inf, np.inf)
    assert_allclose(result.confidence_interval(level), expected)
    assert result.estimate == pytest.approx(np.median(walsh))
    for shift in (-0.2, 0.4):
        expected = [
            stats.wilcoxon(x - shift, alternative=side, method="exact").pvalue
            for side in ("greater", "less")
        ]
        assert_allclose(result.tails(shift), expected)


def test_centres_without_spread_are_points():
    assert hodges_lehmann([0.01] * 8).confidence_interval() == (0.01, 0.01)
    assert hodges_lehmann([0.0] * 8).tails(0) == (1, 1)


def test_all_pairs_of_a_sample_are_formed_up_to_a_limit():
    assert hodges_lehmann(np.zeros(5000)).differences.size == 5000
    with pytest.raises(ValueError, match="at most 5000 in each sample, not 5001"):
        hodges_lehmann(np.zeros(5001))
