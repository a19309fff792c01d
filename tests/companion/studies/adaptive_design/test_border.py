"""The border model: laws by quadrature, and walks compared with them."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from companion.studies.adaptive_design import border as border_model


@pytest.mark.parametrize("distance", [-0.4, 0.0, 0.25])
@pytest.mark.parametrize("runs", [1, 4, 20])
def test_fixed_designs_of_the_border_model_are_normal(distance, runs):
    """4.5 standard errors, nine settings: 6 of 10^5 other seeds fail; a rate off by 2.1 points is
    found with probability 0.9.
    """
    walks = 20_000
    found = border_model.border(
        "fixed", [runs], 20, distances=[distance], walks=walks, seed=3
    ).iloc[0]
    p = stats.norm.cdf(distance * np.sqrt(runs))
    assert abs(found["rejects"] - p) < 4.5 * np.sqrt(p * (1 - p) / walks)
    q = found["rejects"]
    assert_allclose(found["disagree"], 2 * q * (1 - q) * walks / (walks - 1))


def test_forecast_of_the_border_model_ends_in_its_decision():
    seen = border_model.border_course(0.1, 12, walks=100)
    assert_array_equal(seen.forecast[:, -1], seen.margin[:, -1] > 0)
    by_hand = [
        m.std(ddof=1) for m in np.diff(seen.margin * np.arange(1, 13), prepend=0)
    ]
    assert_allclose(seen.deviation[:, -1], by_hand)


@pytest.mark.parametrize("runs", [1, 10, 50])
def test_law_of_fixed_designs_by_quadrature(runs):
    u = np.linspace(-40, 40, 200_001)
    probability = (
        2 * stats.norm.cdf(u * np.sqrt(runs)) * stats.norm.cdf(-u * np.sqrt(runs))
    )
    assert_allclose(
        border_model.disagreement_of_fixed(0.3, runs),
        30 * np.trapezoid(probability, u),
        rtol=1e-7,
    )


def test_a_rule_without_freedom_has_the_price_of_a_fixed_design():
    """Ten runs at least and at most; 0.05 is five standard errors of the integral of 4000 walks.

    A disagreement off by 7% is found with probability 0.9.
    """
    (row,) = border_model.prices([10], [0.9], 0.2, min_runs=10, walks=4000).itertuples()
    assert row.runs == 10
    assert_allclose(
        row.disagree, border_model.disagreement_of_fixed(0.2, 10), rtol=0.05
    )
    assert_allclose(row.fixed, 10, rtol=0.1)


def test_density_is_found_again():
    runs = np.array([1, 3, 50])
    exact = pd.DataFrame(
        {"level": runs, "disagree": border_model.disagreement_of_fixed(0.17, runs)}
    )
    assert_allclose(border_model.density_at_border(exact), 0.17)
