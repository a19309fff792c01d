"""Probabilities of many counts against SciPy's, exact fractions and sums."""

from fractions import Fraction
from math import comb, factorial, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from replib.theory import distributions

LOG_FACTORIAL = distributions.log_factorials(400)

# total, good, draws
URNS = st.integers(1, 40).flatmap(
    lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(0, n))
)


def test_logarithms_of_factorials_and_of_none():
    table = distributions.log_factorials(30)
    exact = [log(factorial(k)) for k in range(31)]
    np.testing.assert_allclose(table[:31], exact, rtol=1e-14, atol=1e-14)
    assert all(table[-k] == np.inf for k in range(1, 31)) and len(table) == 61


@given(URNS)
def test_hypergeometric_probabilities_in_fractions(urn):
    total, good, draws = urn
    x = np.arange(draws + 1)
    found = distributions.hypergeometric_pmf(x, total, good, draws, LOG_FACTORIAL)
    exact = [
        Fraction(comb(good, k) * comb(total - good, draws - k), comb(total, draws)) for k in x
    ]
    np.testing.assert_allclose(found, [float(p) for p in exact], rtol=1e-12, atol=1e-300)


@given(st.integers(0, 60), st.fractions(0, 1, max_denominator=1000))
def test_binomial_probabilities_in_fractions(n, p):
    exact = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    pmf = distributions.binomial_pmf(np.arange(n + 1), n, np.array(float(p)), LOG_FACTORIAL)
    np.testing.assert_allclose(pmf, np.array(exact, dtype=float), rtol=1e-11, atol=1e-300)
    counts = np.arange(-2, n + 1)
    cdf = distributions.binomial_cdf(counts, np.full(n + 3, n), np.array(float(p)))
    sums = [0, 0, *np.cumsum(exact)]
    np.testing.assert_allclose(cdf, np.array(sums, dtype=float), rtol=1e-11, atol=1e-300)


@given(st.data(), st.integers(2, 400), st.integers(1, 4))
def test_tails_of_growing_samples_are_scipys(data, total, settings):
    """Samples one larger each time, and a count that stays or rises by one."""
    first = data.draw(st.integers(0, total - 1))
    draws = np.arange(first, data.draw(st.integers(first, min(total, first + 60))) + 1)
    rises = data.draw(st.lists(st.booleans(), min_size=len(draws), max_size=len(draws)))
    x = data.draw(st.integers(0, first)) + np.cumsum([0, *rises[1:]])
    good = np.array(data.draw(
        st.lists(st.integers(0, total), min_size=settings, max_size=settings)
    ))
    found = distributions.hypergeometric_cdf(x, total, good, draws, LOG_FACTORIAL)
    expected = stats.hypergeom.cdf(x, total, good[:, None], draws)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11)


@pytest.mark.parametrize("n", [1, 20, 1000, 10**6])
@pytest.mark.parametrize("p", [[0.5], [0.001, 0.2], [0.0, 1.0], [0.999999]])
def test_outside_the_window_lies_next_to_nothing(n, p):
    p = np.array(p)
    low, high = distributions.binomial_window(n, p)
    assert 0 <= low <= high <= n
    assert (stats.binom.cdf(low - 1, n, p) <= 1e-14).all()
    assert (stats.binom.sf(high, n, p) <= 1e-14).all()
    # and it is no wider: one count less at either end leaves out more
    assert low == 0 or stats.binom.cdf(low, n, p).max() > 1e-14
    assert high == 0 or stats.binom.sf(high - 1, n, p).max() > 1e-14
