"""Power of McNemar's test against enumeration, and where rounding must not matter."""

import numpy as np
import pytest
from scipy import stats

from replib.significance import mcnemar, mcnemar_critical_count, mcnemar_power

METHODS = ("corrected", "uncorrected", "exact")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.1, 0.39, 0.9])
def test_critical_count_is_the_rejection_region(alpha, method):
    n = np.arange(61)
    critical = mcnemar_critical_count(n, alpha=alpha, method=method)
    for total in n:
        fewer = np.arange(total // 2 + 1)
        significant = mcnemar(total - fewer, fewer, method=method).pvalue < alpha
        np.testing.assert_array_equal(significant, fewer <= critical[total])


@pytest.mark.parametrize("discordant", [3, 4, 5, 6])
def test_a_pvalue_of_just_alpha_is_not_significant(discordant):
    alpha = 2 * 0.5**discordant  # of the exact test, when one side wins all
    assert mcnemar_critical_count(discordant, alpha=alpha, method="exact") == -1
    assert mcnemar_critical_count(discordant, alpha=1.001 * alpha, method="exact") == 0


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("alpha", [0.05, 0.4, 0.9])
@pytest.mark.parametrize("p_plus, p_minus", [(0.25, 0.25), (0.6, 0.1), (0.7, 0.3)])
def test_power_is_the_probability_of_the_rejected_counts(
    p_plus, p_minus, alpha, method
):
    m = 12
    plus, minus = np.divmod(np.arange((m + 1) ** 2), m + 1)
    plus, minus = plus[plus + minus <= m], minus[plus + minus <= m]
    rejected = mcnemar(plus, minus, method=method).pvalue < alpha
    counts = np.stack([plus, minus, m - plus - minus], axis=-1)
    rates = [p_plus, p_minus, 1 - p_plus - p_minus]
    probability = stats.multinomial.pmf(counts, m, rates)
    power = mcnemar_power(m, p_plus, p_minus, alpha=alpha, method=method)
    assert power == pytest.approx(probability[rejected].sum(), abs=1e-12)


def test_rounding_leads_to_no_power_above_one():
    assert mcnemar_power(100, np.linspace(0.7, 1, 61), 0).max() == 1


def test_rates_may_exceed_one_together_by_rounding():
    exact, rounded = (mcnemar_power(20, 0.8, 0.2 + more) for more in (0, 1e-13))
    assert rounded == pytest.approx(exact, abs=1e-12)


def test_no_discordant_instance_is_never_significant():
    assert mcnemar_power(20, 0, 0) == 0
