"""The law of T: its scale, coverage, selection, thresholds."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import integrate, stats

from companion.papers import correlated_differences
from companion.papers.berrar2024 import law_of_t, printed
from replib import replication_probability


def simulated(
    effect: float,
    correlation: float,
    folds: int = 10,
    draws: int = 20_000,
    seed: int = 2024,
) -> np.ndarray:
    """Draws of T from normal, equally correlated fold differences, sorted.

    `effect` is the noncentrality: the mean difference over the standard deviation of
    the mean.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    common, own = rng.standard_normal((draws, 1)), rng.standard_normal((draws, folds))
    d = np.sqrt(correlation) * common + np.sqrt(1 - correlation) * own
    d += effect * np.sqrt((1 + (folds - 1) * correlation) / folds)
    return np.sort(
        d.mean(axis=1) / np.sqrt((1 / folds + 1 / (folds - 1)) * d.var(axis=1, ddof=1))
    )


@pytest.mark.parametrize("folds", [3, 5, 10, 100])
def test_mean_of_the_noncentral_t(folds):
    # E T = mu E(1/S), S^2 = chi2/df: an integral over the density of S alone
    inverse = integrate.quad(
        lambda x: np.sqrt((folds - 1) / x) * stats.chi2.pdf(x, folds - 1),
        0,
        np.inf,
        epsabs=1e-12,
    )[0]
    assert law_of_t.noncentral_t_mean(1.3, folds) == pytest.approx(
        1.3 * inverse, rel=1e-7
    )


def test_coverage_of_the_interval_as_printed():
    frame = law_of_t.coverage().set_index("interval")
    assert frame.loc["as_printed", "coverage"].between(0.895, 0.92).all()
    assert_allclose(frame.loc["inverted", "coverage"], 0.95, atol=1e-12)
    at_one = law_of_t.coverage((1.0,)).set_index("interval")["coverage_significant"]
    assert at_one["as_printed"] < 0.62 and at_one["inverted"] < 0.82


@pytest.mark.parametrize("folds", [3, 4, 10, 100])
@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.2])
@pytest.mark.parametrize("level", [0.5, 0.999])
def test_coverage_is_exact_for_all_designs(folds, alpha, level):
    frame = law_of_t.coverage(folds=folds, alpha=alpha, confidence_level=level)
    is_printed = frame["interval"] == "as_printed"
    assert_allclose(frame.loc[~is_printed, "coverage"], level, atol=1e-9)
    assert (frame.loc[is_printed, "coverage"] < level).all()
    assert frame["coverage_significant"].between(-1e-12, 1 + 1e-12).all()


@pytest.mark.parametrize("correlation, effect", [(0.1, 1.5), (0.0, 2.0)])
def test_coverage_agrees_with_a_simulation(correlation, effect):
    # 4000 draws: four standard errors are at most 0.02 for all, more for the
    # significant few
    """Fewer than one other seed in 1000 fails; a coverage off by 2.4 points (by 9 among the
    significant) is found with probability 0.9.
    """
    scale, critical = (
        correlated_differences.scale_of_t(correlation, 10),
        stats.t.isf(0.025, 9),
    )
    t = simulated(effect, correlation, draws=4000)
    truth, significant = stats.nct.sf(critical / scale, 9, effect), abs(t) >= critical
    exact = law_of_t.coverage((effect,), scale=scale).set_index("interval")
    assert exact["P"].to_numpy() == pytest.approx(truth)
    for interval, row in exact.iterrows():
        assumed = scale if interval == "scaled" else 1
        result = (
            printed.cv_t(t, 10)
            if interval == "as_printed"
            else replication_probability.cv_t(t, 10, scale=assumed)
        )
        inside = (result.low <= truth) & (truth <= result.high)
        for some, p in (
            (slice(None), row["coverage"]),
            (significant, row["coverage_significant"]),
        ):
            error = np.sqrt(p * (1 - p) / len(inside[some]))
            assert abs(inside[some].mean() - p) < 4 * error


def test_selection_bias_agrees_with_a_simulation():
    """3 of 10^4 other seeds fail. Means off by 0.023 (plain) and 0.057 (selected), or a share off
    by 8.4 points, are found with probability 0.9.
    """
    rng = np.random.default_rng(np.random.SeedSequence(39))
    effect, folds = 1.0, 10
    t = (rng.normal(size=40000) + effect) / np.sqrt(rng.chisquare(9, 40000) / 9)
    t = t[t >= stats.t.isf(0.025, 9)][:1000]
    row = law_of_t.selection_bias((effect,), folds).iloc[0]
    assert row["P"] == pytest.approx(
        stats.nct.sf(stats.t.isf(0.025, 9), 9, effect), rel=1e-10
    )
    for name, selected in (("plain", False), ("selected", True)):
        estimate = replication_probability.cv_t(
            t, folds, selected=selected, scale=1
        ).point
        assert abs(
            estimate.mean() - row[f"{name}_mean"]
        ) < 4 * estimate.std() / np.sqrt(len(t))
        # the share below the median is one half, with a standard error of 0.5 /
        # sqrt(1000)
        assert abs((estimate < row[f"{name}_median"]).mean() - 0.5) < 4 * 0.5 / np.sqrt(
            len(t)
        )


def test_means_after_selection_do_not_depend_on_the_cells():
    coarse, fine = (
        law_of_t.selection_bias((0.0, 2.0, 6.0), cells=cells) for cells in (200, 600)
    )
    assert_allclose(coarse, fine, atol=5e-5)


@pytest.mark.parametrize("target", [0.7, 0.95])
def test_thresholds_are_where_the_readings_reach_the_target(target):
    frame = law_of_t.thresholds((3, 10, 30), target)
    for folds, row in frame.iterrows():
        t = pd.Series(stats.t.isf(row / 2, folds - 1), index=row.index)
        assert_allclose(
            [
                replication_probability.cv_t(t["point"], folds, scale=1).point,
                replication_probability.cv_t(
                    t["selected"], folds, selected=True, scale=1
                ).point,
                printed.cv_t(t["low_as_printed"], folds).low,
                replication_probability.cv_t(t["low_inverted"], folds, scale=1).low,
            ],
            target,
            atol=1e-8,
        )
    assert frame.at[10, "point"] == pytest.approx(
        law_of_t.threshold(target)[0], rel=1e-8
    )


def test_a_target_that_every_significant_result_reaches_has_threshold_alpha():
    assert law_of_t.thresholds((10,), target=0.4).at[10, "point"] == pytest.approx(0.05)


@pytest.mark.parametrize("k", [2, 5, 10])
@pytest.mark.parametrize("rho", [-0.1, 0.0, 0.1, 0.9])
def test_correlation_of_folds_follows_from_two_variances(k, rho):
    """Of correlation rho: var(mean) = (1 + (k-1) rho) / k, and s^2 has mean 1 - rho."""
    between, within = (1 + (k - 1) * rho) / k, 1 - rho
    found = law_of_t.correlation_of_folds(between, within, k)
    assert found == pytest.approx(rho, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("correlation", [0.0, 0.1, 0.4])
@pytest.mark.parametrize("folds", [5, 10])
def test_t_of_correlated_folds_is_a_multiple_of_a_noncentral_t(folds, correlation):
    """Six tests: 6 of 10^4 other seeds fail; a scale 3% off was found in 51 of 60 trials."""
    effect, scale = 1.5, correlated_differences.scale_of_t(correlation, folds)
    drawn = simulated(effect, correlation, folds)
    law = lambda t: stats.nct.cdf(t / scale, folds - 1, effect)
    assert stats.kstest(drawn, law).pvalue > 1e-4
    # the proposition's law is another unless the correlation is 1/k
    plain = stats.kstest(drawn, lambda t: stats.nct.cdf(t, folds - 1, effect)).pvalue
    assert (plain > 1e-4) == bool(np.isclose(scale, 1.0))


def test_the_size_with_independent_folds_by_simulation():
    """Fails once in 16 000 other seeds; a correlation of 0.01 (a size of 1.2% for 0.9%) is always
    found.
    """
    t = simulated(0.0, 0.0, draws=200_000)
    share = (np.abs(t) >= stats.t.isf(0.025, 9)).mean()
    expected = law_of_t.sizes().iloc[0]["size"]
    assert share == pytest.approx(expected, abs=4 * np.sqrt(expected / 200_000))


@pytest.mark.slow
def test_the_winner_is_overestimated_by_the_share_of_wrong_winners():
    """Four standard errors; a share off by 6 points is found with probability 0.9."""
    rng = np.random.default_rng(np.random.SeedSequence(41))
    for effect in (0.0, 0.25, 0.5):
        t = (rng.normal(size=40_000) + effect) / np.sqrt(rng.chisquare(9, 40_000) / 9)
        t = t[np.abs(t) >= stats.t.isf(0.025, 9)]
        estimate = replication_probability.cv_t(
            np.abs(t), 10, selected=True, scale=1
        ).point
        critical = stats.t.isf(0.025, 9)
        truth = stats.nct.sf(critical, 9, np.where(t > 0, effect, -effect))
        expected = law_of_t.estimates_above_truth((effect,))["winner"].iloc[0]
        # the solver's last digit decides at the border, where a few results lie
        share = (estimate > truth - 1e-9).mean()
        error = 4 * np.sqrt(0.25 / len(t))
        assert abs(share - expected) < error + 0.001
