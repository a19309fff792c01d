"""The appendix: the worst case of McNemar's test."""

import numpy as np
import pytest
from scipy import integrate, stats

from companion.papers.bouckaert2005 import appendix


def test_conditional_means_of_the_appendix():
    frame = appendix.errata_of_conditional_means(n=100_000).set_index("outcome")
    grid = 0.5  # the binomial lives on whole numbers
    assert frame.loc["reject", "exact"] == pytest.approx(
        frame.loc["reject", "correct"], abs=grid
    )
    assert frame.loc["accept", "exact"] == pytest.approx(
        frame.loc["accept", "correct"], abs=grid
    )
    assert frame.loc["accept", "printed"] - frame.loc["accept", "exact"] > 200


def test_appendix_falls_short_of_the_arcsine_law():
    frame = appendix.errata_of_worst_case()
    gap = frame["correct"] - frame["printed"]
    assert (gap.diff().dropna() > 0).all() and 0.011 < gap.iloc[-1] < 0.012
    assert (frame["correct"] - frame["two_sided"]).abs().max() < 1e-4


def test_each_approximation_of_the_appendix_by_quadrature():
    """X half normal; both outcomes agree with probability E Phi(t X / sqrt(1 - t^2))."""
    for row in appendix.errata_of_worst_case((0.1, 1 / 3, 0.5)).itertuples():
        t = row.test_fraction
        mean = lambda f: (
            2 * integrate.quad(lambda x: f(x) * stats.norm.pdf(x), 0, np.inf)[0]
        )
        assert mean(lambda x: x) == pytest.approx(np.sqrt(2 / np.pi))
        scaled = mean(lambda x: stats.norm.cdf(t * x / np.sqrt(1 - t * t)))
        assert row.correct == pytest.approx(scaled)
        assert row.variance_kept == pytest.approx(mean(lambda x: stats.norm.cdf(t * x)))
        assert row.variance_kept < row.printed < row.correct < row.mean_kept


def test_half_of_large_data_sets_with_half_of_the_data_reject_at_any_rate():
    """With t = 1/2 the probability of rejecting is uniform over data sets."""
    spread = appendix.spread_of_rejection((0.5,))
    np.testing.assert_allclose(spread["p"], spread["cdf"], atol=1e-12)
