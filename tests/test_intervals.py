"""Intervals against the equations that define them."""

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

from replib import intervals
from replib.significance import cv_clt


@given(
    st.integers(1, 120).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    st.floats(0.5, 0.999),
)
def test_clopper_pearson_limits_solve_their_equations(counts, confidence_level):
    x, n = counts
    low, high = intervals.clopper_pearson(x, n, confidence_level=confidence_level)
    tail = (1 - confidence_level) / 2
    if x > 0:
        assert stats.binom.sf(x - 1, n, low) == pytest.approx(tail, rel=1e-8)
    if x < n:
        assert stats.binom.cdf(x, n, high) == pytest.approx(tail, rel=1e-8)
    assert (x > 0 or low == 0) and (x < n or high == 1)


@pytest.mark.slow
@given(st.floats(1, 300), st.floats(1, 300), st.floats(0.05, 0.999))
def test_hdi_has_its_mass_and_no_shorter_interval_has(a, b, confidence_level):
    if a == b == 1:
        return
    low, high = intervals.highest_density_interval(a, b, confidence_level=confidence_level)
    beta = stats.beta(a, b)
    assert beta.cdf(high) - beta.cdf(low) == pytest.approx(confidence_level, abs=1e-10)
    below = np.linspace(0, 1 - confidence_level, 201)
    widths = beta.ppf(np.minimum(below + confidence_level, 1)) - beta.ppf(below)
    assert high - low <= widths.min() + 1e-9


@pytest.mark.parametrize("a, b", [
    (2, 1.0001), (1.0001, 2), (1, 5), (5, 1), (1, 1.5), (1.5, 1), (1.0, 1.0001),
])
def test_hdi_starts_or_ends_at_the_boundary_beside_a_flat_end(a, b):
    low, high = intervals.highest_density_interval(a, b)
    assert np.isfinite([low, high]).all()
    assert (low == pytest.approx(0, abs=1e-6)) == (a < b)
    assert (high == pytest.approx(1, abs=1e-6)) == (a > b)


def plain_nested_cv(losses, folds, factor):
    """Algorithm 1 of Bates et al. by loops over runs, folds and instances."""
    runs, k, n = losses.shape
    gaps, inner, outer = [], [], []
    for r in range(runs):
        for g in range(k):
            e_in = [losses[r, g, i] for i in range(n) if folds[r, i] != g]
            e_out = [losses[r, g, i] for i in range(n) if folds[r, i] == g]
            a = (statistics.fmean(e_in) - statistics.fmean(e_out)) ** 2
            gaps.append(a - statistics.variance(e_out) / len(e_out))
            inner += e_in
            outer += e_out
    bias = factor * (statistics.fmean(inner) - statistics.fmean(outer))
    # the authors' package has the same error as an inflation of s / sqrt(n), from 1 to sqrt(K)
    s = statistics.stdev(inner)
    inflation = math.sqrt(max(0, statistics.fmean(gaps))) / (s / math.sqrt(n * (k - 1) / k))
    inflation = max(1, min(inflation, math.sqrt(k)))
    return statistics.fmean(inner) - bias, bias, inflation * s / math.sqrt(n)


@pytest.mark.parametrize("bias, factor", [
    ("paper", 1.6), ("package", 1 + 0.6**1.5), (None, 0),
])
@pytest.mark.parametrize("between", [0.0, 0.3, 3.0])  # the error is raised, as it is, cut
def test_nested_cv_is_its_algorithm(bias, factor, between):
    rng = np.random.default_rng(8)
    folds = np.array([[rng.permutation(np.arange(23) % 5) for _ in range(4)] for _ in range(2)])
    own = folds[:, :, np.newaxis] == np.arange(5)[:, np.newaxis]
    shift = between * rng.normal(size=(2, 4, 5, 1))
    losses = rng.normal(0.1, 1, size=(2, 4, 5, 23)) + shift * own
    result = intervals.nested_cv(losses, folds=folds, bias=bias)
    for one in range(2):
        estimate, correction, error = plain_nested_cv(losses[one], folds[one], factor)
        assert result.estimate[one] == pytest.approx(estimate, rel=1e-11)
        assert result.bias[one] == pytest.approx(correction, rel=1e-11)
        assert result.standard_error[one] == pytest.approx(error, rel=1e-11)
        single = intervals.nested_cv(losses[one], folds=folds[one], bias=bias)
        assert isinstance(single.estimate, float) and single.n == 23
        assert single.standard_error == pytest.approx(error, rel=1e-11)
        assert single.confidence_interval(0.9) == pytest.approx(
            stats.norm.interval(0.9, single.estimate, error), rel=1e-11
        )
    shared = intervals.nested_cv(losses, folds=folds[0], bias=bias)  # leading axes broadcast
    assert_allclose(shared.estimate[0], result.estimate[0])


def test_nested_cv_of_a_model_that_does_not_learn_is_near_cv_clt():
    """Losses that no training changes: the folds average out, s / sqrt(n) is the right error."""
    rng = np.random.default_rng(9)
    loss, n = rng.normal(size=60), 60
    folds = np.array([rng.permutation(np.arange(n) % 6) for _ in range(400)])
    result = intervals.nested_cv(np.broadcast_to(loss, (400, 6, n)), folds=folds)
    assert result.inner_mean == pytest.approx(loss.mean())
    assert result.bias == pytest.approx(0, abs=1e-12)
    assert result.standard_error == pytest.approx(cv_clt(loss).standard_error, rel=0.1)


@pytest.mark.parametrize("value", [0.1, 0, -1 / 3])
def test_nested_cv_of_equal_losses_has_no_error_and_no_bias(value):
    folds = [np.arange(12) % 4] * 3
    result = intervals.nested_cv(np.full((3, 4, 12), value), folds=folds)
    assert (result.standard_error, result.bias) == (0, 0)
    assert result.confidence_interval() == (result.estimate, result.estimate)
    assert result.estimate == pytest.approx(value)
