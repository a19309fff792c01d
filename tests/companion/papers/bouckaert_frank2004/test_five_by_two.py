"""The exact size of 5x2cv for independent normal differences, by three roads."""

import numpy as np
import pytest
from scipy import special, stats

from companion.papers.bouckaert_frank2004 import five_by_two
from replib import significance


def by_two_integrals(critical: float) -> float:
    """Integrate over the spread of the first run and the sum of the other four variances."""
    v, weight_of_v = special.roots_hermitenorm(80)
    half_w, weight_of_w = special.roots_genlaguerre(80, 1)  # w / 2 is Gamma(2)
    v, w = v[:, None], 2 * half_w[None, :]
    reach = critical * np.sqrt(2 * (v**2 + w) / five_by_two.RUNS)
    rejected = stats.norm.sf(reach - v) + stats.norm.cdf(-reach - v)
    return weight_of_v @ rejected @ weight_of_w / np.sqrt(2 * np.pi)


@pytest.mark.parametrize("alpha", [0.2, 0.05, 0.01])
def test_one_integral_equals_the_two_of_the_definition(alpha):
    critical = five_by_two.critical_value(alpha)
    assert five_by_two.type1_error(critical) == pytest.approx(
        by_two_integrals(critical), abs=1e-5
    )


def test_the_librarys_test_rejects_as_often():
    rng = np.random.default_rng(np.random.SeedSequence(2004))
    samples = 100_000
    pvalues = significance.five_by_two_cv_t(rng.normal(size=(samples, 5, 2))).pvalue
    exact = five_by_two.type1_error(five_by_two.critical_value(0.05))
    error = np.sqrt(exact * (1 - exact) / samples)
    assert abs((pvalues < 0.05).mean() - exact) < 4 * error
    # twice or half of it would be far outside
    assert 0.02 < exact < 0.04


@pytest.mark.parametrize("alpha", [0.2, 0.05, 0.01])
def test_a_numerator_from_another_run_would_make_it_students(alpha):
    critical = five_by_two.critical_value(alpha)
    assert five_by_two.type1_error_if_independent(critical) == pytest.approx(alpha)
    assert five_by_two.type1_error(critical) < alpha


@pytest.mark.parametrize("alpha", [0.2, 0.05, 0.01])
def test_the_exact_critical_value_gives_the_level(alpha):
    critical = five_by_two.exact_critical_value(alpha)
    assert five_by_two.type1_error(critical) == pytest.approx(alpha)
    assert critical < five_by_two.critical_value(alpha)
