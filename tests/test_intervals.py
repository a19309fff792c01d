"""Intervals against the equations that define them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from replib import intervals


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
    low, high = intervals.highest_density_interval(
        a, b, confidence_level=confidence_level
    )
    beta = stats.beta(a, b)
    assert beta.cdf(high) - beta.cdf(low) == pytest.approx(confidence_level, abs=1e-10)
    below = np.linspace(0, 1 - confidence_level, 201)
    widths = beta.ppf(np.minimum(below + confidence_level, 1)) - beta.ppf(below)
    assert high - low <= widths.min() + 1e-9


@pytest.mark.parametrize(
    "a, b",
    [
        (2, 1.0001),
        (1.0001, 2),
        (1, 5),
        (5, 1),
        (1, 1.5),
        (1.5, 1),
        (1.0, 1.0001),
        (1.0, 1 + 2**-52),
    ],
)
def test_hdi_starts_or_ends_at_the_boundary_beside_a_flat_end(a, b):
    low, high = intervals.highest_density_interval(a, b)
    assert np.isfinite([low, high]).all()
    assert (low == pytest.approx(0, abs=1e-6)) == (a < b)
    assert (high == pytest.approx(1, abs=1e-6)) == (a > b)


def test_parameters_of_a_beta_distribution_have_a_largest_value():
    low, high = intervals.highest_density_interval(1e12, 1e12)
    assert 0.499 < low < 0.5 < high < 0.501
    with pytest.raises(ValueError, match="a must be numbers from 1 to 1e.12"):
        intervals.highest_density_interval(1.1e12, 5)
