"""The paper's and others' formulas on every single experiment: by quadrature, noise and hand."""

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, stats

from companion.papers.berrar2024 import single_experiments, summary
from replib import replication_probability


def test_formulas_of_others_at_the_critical_value():
    frame = single_experiments.related_formulas(np.array([0.05]))
    for name in ("Goodman, Miller", "Goodman, flat prior"):
        assert frame[name].iloc[0] == pytest.approx(0.5)
    # Killeen (2005): p_rep of a two-sided 0.05 is 0.917
    assert frame["Killeen"].iloc[0] == pytest.approx(0.917, abs=5e-4)
    assert frame["shrinkage"].iloc[0] < 0.5


def test_averaging_over_a_flat_prior_by_quadrature():
    z, critical = 2.5, stats.norm.isf(0.025)
    integrand = lambda effect: (
        stats.norm.pdf(effect, z) * stats.norm.sf(critical - effect)
    )
    p = 2 * stats.norm.sf(z)
    mean = integrate.quad(integrand, -10, 15)[0]
    flat = single_experiments.related_formulas(np.array([p]))[
        "Goodman, flat prior"
    ].iloc[0]
    assert flat == pytest.approx(mean, rel=1e-8)


def test_p_rep_is_the_share_of_the_same_direction_if_every_effect_is_equally_likely():
    """Four standard errors; without the noise of the effect a share is 3 or 7 points off: always
    found.
    """
    rng = np.random.default_rng(np.random.SeedSequence(81))
    again = 1.7 + rng.normal(size=(2, 100_000)).sum(
        axis=0
    )  # an effect near 1.7, and its noise
    for beyond in (0.0, 1.96):
        found = single_experiments.average_over_effects(1.7, beyond)
        assert abs((again > beyond).mean() - found) < 4 * np.sqrt(0.25 / 100_000)


def test_cummings_interval_covers_where_only_noise_differs():
    """Four standard errors; a coverage off by 1.7 points is found with probability 0.9."""
    rng = np.random.default_rng(np.random.SeedSequence(80))
    first, again = rng.normal(2.5, 1, size=(2, 20_000))
    limits = single_experiments.interval_of_next_p(
        2 * stats.norm.sf(first[first > 0]), 0.8
    )
    p = 2 * stats.norm.sf(again[first > 0])
    inside = (limits["low"] <= p) & (p <= limits["high"])
    assert inside.mean() == pytest.approx(0.8, abs=4 * np.sqrt(0.16 / len(p)) + 0.002)


def test_single_estimates_spread_and_are_too_high_after_selection(results):
    groups, seen = summary.groups_of(results), summary.experiments_of(results)
    for number in seen:
        spread = single_experiments.spread_of_estimates(
            single_experiments.estimates(number, seen[number], groups[number])
        )
        weak = spread[spread["F"] < 0.7]
        assert (weak["mean_significant"] > weak["F"]).all()
        assert ((weak["q95"] - weak["q05"]) > 0.3).all()


def test_a_single_estimate_is_the_formula(results):
    groups, seen = summary.groups_of(results), summary.experiments_of(results)
    one = seen[3].iloc[0]
    found = single_experiments.estimates(3, seen[3].iloc[:1], groups[3])["P"].iloc[0]
    assert found == pytest.approx(
        replication_probability.cv_t(one["statistic"], 10, scale=1).point
    )


def test_what_fails_among_barely_significant_results():
    """Two groups of four experiments: a share of 0.25 and one of 1, by hand."""
    seen = pd.DataFrame(
        {
            "group": [1] * 4 + [2] * 4,
            "p": [0.02, 0.2, 0.3, 0.4, 0.03, 0.009, 0.01, 0.001],
            "is_significant": [True, False, False, False, True, True, True, True],
        }
    )
    groups = pd.DataFrame({"F": [0.25, 1.0], "p": [0.049, 0.009]}, index=[1, 2])
    found = single_experiments.barely_significant({1: seen}, {1: groups}).loc[1]
    assert found["of_groups"] == 0.75
    assert found["of_experiments"] == pytest.approx(1 - (0.25 + 1 + 1) / 3)
