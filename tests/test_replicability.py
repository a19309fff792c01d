"""Estimators against what defines them, plain loops and printed counts; variances against exact
enumeration and symbolic identities; intervals against their coverage."""

from fractions import Fraction
from math import comb

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


@given(st.lists(st.sampled_from([-1, 0, 1]), min_size=2, max_size=30))
def test_three_outcomes_never_more_replicable_than_two(outcomes):
    counts, three = (
        [outcomes.count(label) for label in (1, -1, 0)],
        replicability.r2(outcomes),
    )
    two = replicability.r2_from_counts(outcomes.count(0), len(outcomes))
    contradictions = counts[0] * counts[1] / comb(len(outcomes), 2)
    assert two - three == pytest.approx(contradictions, abs=1e-12)


def test_r2_is_the_only_unbiased_function_of_the_count():
    p = sympy.symbols("p")
    g = sympy.symbols("g0:6")
    mean = sum(comb(5, i) * p**i * (1 - p) ** (5 - i) * g[i] for i in range(6))
    equations = sympy.Poly(sympy.expand(mean - p**2 - (1 - p) ** 2), p).coeffs()
    (solution,) = sympy.solve(equations, g, dict=True)
    assert [float(solution[x]) for x in g] == pytest.approx(
        replicability.r2_from_counts(np.arange(6), 5).tolist()
    )


def test_normalised_scale():
    assert replicability.normalized([0.5, 1.0]).tolist() == [0, 1]
    assert replicability.normalized(1 + 2e-16) == pytest.approx(1)  # rounding
    with pytest.raises(ValueError, match="from 0 to 1, not 85"):
        replicability.normalized(85)


@pytest.mark.parametrize("n", [2, 4, 6, 8])
@pytest.mark.parametrize("p", PROBABILITIES)
def test_r1_mean_and_variance_by_enumeration(n, p):
    mean = second = Fraction(0)
    for e, probability in section_3.outcome_probabilities(n, p).items():
        estimate = Fraction(replicability.r1(e)).limit_denominator(n)
        mean += probability * estimate
        second += probability * estimate**2
    assert mean == true_replicability(p)
    r = float(true_replicability(p))
    assert float(second - mean**2) == pytest.approx(2 * r * (1 - r) / n, abs=1e-15)


@pytest.mark.parametrize("n", range(2, 13))
@pytest.mark.parametrize("p", PROBABILITIES)
def test_r2_mean_and_variance_by_enumeration(n, p):
    mean, variance = section_3.exact_r2_moments(n, p)
    assert mean == true_replicability(p)
    assert float(variance) == pytest.approx(
        replicability.r2_variance(float(true_replicability(p)), n), abs=1e-15
    )


@pytest.mark.parametrize("n", [2, 5, 10, 30])
@pytest.mark.parametrize("confidence_level", [0.8, 0.95])
def test_interval_covers_at_least_its_level_for_every_p(n, confidence_level):
    p = np.linspace(0, 1, 401)[:, None]
    r = p**2 + (1 - p) ** 2
    accepted = np.arange(n + 1)
    low, high = replicability.replicability_interval(
        accepted, n, confidence_level=confidence_level
    )
    inside = (low <= r + 1e-12) & (r <= high + 1e-12)
    coverage = (stats.binom.pmf(accepted, n, p) * inside).sum(axis=1)
    assert coverage.min() >= confidence_level


@given(st.integers(2, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_interval_is_symmetric_and_contains_the_plug_in_value(case):
    accepted, n = case
    low, high = replicability.replicability_interval(accepted, n)
    assert (low, high) == pytest.approx(
        replicability.replicability_interval(n - accepted, n)
    )
    plug_in = (accepted / n) ** 2 + (1 - accepted / n) ** 2
    assert 0.5 <= low <= plug_in <= high <= 1


def test_interval_limits_are_clopper_pearson_mapped():
    limits = stats.binomtest(9, 10).proportion_ci(0.95, method="exact")
    low, high = replicability.replicability_interval(9, 10)
    assert low == pytest.approx(limits.low**2 + (1 - limits.low) ** 2)
    assert high == pytest.approx(limits.high**2 + (1 - limits.high) ** 2)
