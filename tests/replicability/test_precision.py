"""Variances against exact enumeration and symbolic identities, intervals against their coverage."""

from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from companion.papers.bouckaert2004 import section_3
from replib import replicability

PROBABILITIES = [Fraction(k, 8) for k in range(9)]


def true_replicability(p: Fraction) -> Fraction:
    return p**2 + (1 - p) ** 2


@pytest.mark.parametrize("n", [2, 4, 6, 8])
@pytest.mark.parametrize("p", PROBABILITIES)
def test_r1_mean_and_variance_by_enumeration(n, p):
    mean = second = Fraction(0)
    for e, probability in section_3.outcome_probabilities(n, p).items():
        estimate = Fraction(replicability.r1(e)).limit_denominator(n)
        mean += probability * estimate
        second += probability * estimate**2
    assert mean == true_replicability(p)
    expected = replicability.r1_variance(float(true_replicability(p)), n)
    assert float(second - mean**2) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("n", range(2, 13))
@pytest.mark.parametrize("p", PROBABILITIES)
def test_r2_mean_and_variance_by_enumeration(n, p):
    mean, variance = section_3.exact_r2_moments(n, p)
    assert mean == true_replicability(p)
    assert float(variance) == pytest.approx(
        replicability.r2_variance(float(true_replicability(p)), n), abs=1e-15
    )


def test_r2_variance_is_theorem_3_1_with_its_bracket_moved():
    p, n = sympy.symbols("p n")
    f = lambda x: p**x + (1 - p) ** x
    regrouped = (
        2 * (n - 2) * (n - 3) * f(4) + (4 - 2 * (n - 3)) * (n - 2) * f(3)
        + ((n - 2) * (n - 3) + 2) * f(2)
    ) / (n * (n - 1)) - f(2) ** 2
    r = f(2)
    closed = 2 * (1 - r) * ((2 * n - 3) * r - (n - 2)) / (n * (n - 1))
    assert sympy.simplify(regrouped - closed) == 0


def test_variances_differ_by_the_stated_amount_and_only_for_n_above_2():
    r, n = sympy.symbols("r n")
    gain = 2 * r * (1 - r) / n - 2 * (1 - r) * ((2 * n - 3) * r - (n - 2)) / (n * (n - 1))
    assert sympy.simplify(gain - 2 * (n - 2) * (1 - r) ** 2 / (n * (n - 1))) == 0
    assert gain.subs(n, 2).simplify() == 0


def test_the_variance_of_one_pair_is_that_of_an_indicator():
    r = np.array([0.5, 0.7, 1.0])
    np.testing.assert_allclose(replicability.rk_variance(r, [1.0]), r - r**2, atol=1e-15)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("p", [Fraction(1, 2), Fraction(1, 4), Fraction(9, 10)])
def test_rk_variance_by_enumeration_for_arbitrary_weights(seed, p):
    weights = section_3.random_weights(5, seed)
    mean, variance = section_3.exact_moments(weights, 5, p)
    assert mean == true_replicability(p)
    floats = [float(k) for k in weights]
    assert float(variance) == pytest.approx(
        replicability.rk_variance(float(true_replicability(p)), floats), rel=1e-12
    )
    assert variance > section_3.exact_r2_moments(5, p)[1]


@pytest.mark.parametrize("n", [2, 5, 10, 30])
@pytest.mark.parametrize("confidence_level", [0.8, 0.95])
def test_interval_covers_at_least_its_level_for_every_p(n, confidence_level):
    p = np.linspace(0, 1, 401)[:, None]
    r = p**2 + (1 - p) ** 2
    accepted = np.arange(n + 1)
    low, high = replicability.replicability_interval(accepted, n, confidence_level=confidence_level)
    inside = (low <= r + 1e-12) & (r <= high + 1e-12)
    coverage = (stats.binom.pmf(accepted, n, p) * inside).sum(axis=1)
    assert coverage.min() >= confidence_level


@given(st.integers(2, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_interval_is_symmetric_and_contains_the_plug_in_value(case):
    accepted, n = case
    low, high = replicability.replicability_interval(accepted, n)
    assert (low, high) == pytest.approx(replicability.replicability_interval(n - accepted, n))
    plug_in = (accepted / n) ** 2 + (1 - accepted / n) ** 2
    assert 0.5 <= low <= plug_in <= high <= 1


def test_interval_limits_are_clopper_pearson_mapped():
    limits = stats.binomtest(9, 10).proportion_ci(0.95, method="exact")
    low, high = replicability.replicability_interval(9, 10)
    assert low == pytest.approx(limits.low**2 + (1 - limits.low) ** 2)
    assert high == pytest.approx(limits.high**2 + (1 - limits.high) ** 2)


@pytest.mark.parametrize("n", [2, 3, 20, 64])
def test_equal_weights_have_the_variance_of_r2_for_any_number_of_repetitions(n):
    pairs = n * (n - 1) // 2
    assert replicability.rk_variance(0.7, np.full(pairs, 1 / pairs)) == pytest.approx(
        replicability.r2_variance(0.7, n))
    for wrong in (pairs + 1, pairs - 1):
        if wrong not in (1, 2 * pairs):
            with pytest.raises(ValueError, match="weights must be n"):
                replicability.rk_variance(0.7, np.full(wrong, 0.1))
