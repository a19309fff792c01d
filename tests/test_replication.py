"""Replication probabilities against exact fractions, R's values, and their own promises of coverage."""

from fractions import Fraction
from math import comb

import mpmath
import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import optimize, special, stats

from replib.replication import (
    bayesian, binomial, clopper_pearson, cv_t, highest_density_interval, noncentral_t_log_sf,
    noncentrality, smallest_significant, wilcoxon,
)

HALF = Fraction(1, 2)
levels = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99])
alphas = st.sampled_from([0.005, 0.05, 0.1])
sizes = st.integers(6, 120)
folds_of = st.sampled_from([3, 5, 10, 30])


def tail(s: int, n: int, theta: Fraction) -> Fraction:
    return sum(
        (comb(n, i) * theta**i * (1 - theta) ** (n - i) for i in range(s, n + 1)), Fraction(0)
    )


def enclosed(result) -> bool:
    return bool(np.all(result.low <= result.point) and np.all(result.point <= result.high))


# ------------------------------------------------------------------ wins and losses


@pytest.mark.parametrize("alpha", [Fraction(1, 16), Fraction(1, 20), Fraction(1, 200)])
@pytest.mark.parametrize("n", range(1, 45))
def test_smallest_significant_by_fractions(n, alpha):
    # 1/16 is 2 P(X = 5) for n = 5: the rule is strict
    expected = next((s for s in range(n // 2 + 1, n + 1) if 2 * tail(s, n, HALF) < alpha), n + 1)
    assert smallest_significant(n, alpha=float(alpha)) == expected


@pytest.mark.parametrize("n", [9, 20, 44])
def test_both_models_are_exact_tails(n):
    s = smallest_significant(n)
    for x in range(n + 1):
        assert binomial(x, n).point == pytest.approx(float(tail(s, n, Fraction(x, n))), rel=1e-11)
        mean = Fraction(1 + x, 2 + n)
        assert bayesian(x, n).point == pytest.approx(float(tail(s, n, mean)), rel=1e-11)


@given(st.data(), sizes, levels)
def test_clopper_pearson_limits_have_the_tails_that_define_them(data, n, level):
    x = data.draw(st.integers(1, n - 1))
    low, high = clopper_pearson(x, n, confidence_level=level)
    assert stats.binom.sf(x - 1, n, low) == pytest.approx((1 - level) / 2, rel=1e-9)
    assert stats.binom.cdf(x, n, high) == pytest.approx((1 - level) / 2, rel=1e-9)


@given(st.integers(1, 300), st.integers(1, 300), levels)
def test_highest_density_interval_has_its_mass_and_is_shortest(a, b, level):
    assume((a, b) != (1, 1))
    low, high = highest_density_interval(a, b, confidence_level=level)
    mass = stats.beta.cdf(high, a, b) - stats.beta.cdf(low, a, b)
    assert mass == pytest.approx(level, abs=1e-9)
    below = np.linspace(0, 1 - level, 201)
    others = stats.beta.ppf(np.minimum(below + level, 1), a, b) - stats.beta.ppf(below, a, b)
    assert high - low <= others.min() + 1e-10


@given(sizes, alphas, levels)
def test_more_wins_never_lower_an_estimate(n, alpha, level):
    wins = np.arange(n + 1)
    for model in (binomial, bayesian):
        result = model(wins, n, alpha=alpha, confidence_level=level)
        for limit in (result.point, result.low, result.high):
            assert (np.diff(limit) >= 0).all()
        # the posterior mean can lie outside a short interval of highest density
        assert enclosed(result) or (model is bayesian and level < 0.8)


@given(st.data(), sizes)
def test_wins_intervals_are_nested_in_the_confidence_level(data, n):
    wins = data.draw(st.integers(0, n))
    for model in (binomial, bayesian):
        short, long = (model(wins, n, confidence_level=level) for level in (0.8, 0.95))
        assert long.low <= short.low and short.high <= long.high


@pytest.mark.parametrize("n", [6, 20, 44, 100, 1000])
@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_a_barely_significant_result_has_lower_limit_half_of_one_minus_the_level(n, alpha):
    s = smallest_significant(n, alpha=alpha)
    if s <= n:
        assert binomial(s, n, alpha=alpha, confidence_level=0.9).low == pytest.approx(0.05, rel=1e-9)
    else:
        assert binomial(n, n, alpha=alpha).point == 0.0


# ------------------------------------------------------------------ the Wilcoxon model


@given(st.floats(-5, 8), st.floats(0.1, 3), alphas, levels)
def test_wilcoxon_is_the_power_at_the_shifted_means(z, sd, alpha, level):
    result = wilcoxon(z, sd, alpha=alpha, confidence_level=level)
    half = special.ndtri((1 + level) / 2) * sd
    expected = [stats.norm.sf(special.ndtri(1 - alpha / 2), m, sd) for m in (z, z - half, z + half)]
    assert_allclose([result.point, result.low, result.high], expected, rtol=1e-8, atol=1e-14)
    assert enclosed(result)
    assert wilcoxon(z + 0.1, sd, alpha=alpha).point >= wilcoxon(z, sd, alpha=alpha).point
    wider = wilcoxon(z, sd, alpha=alpha, confidence_level=(1 + level) / 2)
    assert wider.low <= result.low and result.high <= wider.high


# ------------------------------------------------------------------ the cross-validation model


@pytest.mark.parametrize("df, t, effect", [(9, 2.262, -6.0), (9, 8.0, 1.0), (2, 4.3, -3.0), (29, 2.0, 12.0)])
def test_log_tail_against_forty_digits(df, t, effect):
    with mpmath.workdps(40):
        chi = lambda s: 2 * mpmath.mpf(df / 2) ** (df / mpmath.mpf(2)) / mpmath.gamma(
            df / mpmath.mpf(2)) * s ** (df - 1) * mpmath.exp(-df * s**2 / 2)
        points = [0, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 4, 8]
        exact = mpmath.quad(lambda s: chi(s) * mpmath.ncdf(effect - t * s), points)
        expected = float(mpmath.log(exact))
    assert noncentral_t_log_sf(t, df, effect) == pytest.approx(expected, rel=1e-9)


@given(st.floats(-10, 60), st.integers(2, 100), st.sampled_from([0.001, 0.025, 0.4, 0.5, 0.6, 0.975]))
def test_noncentrality_has_the_probability_that_was_asked_for(t, folds, probability):
    mu = noncentrality(t, folds - 1, probability)
    assert -np.expm1(noncentral_t_log_sf(t, folds - 1, mu)) == pytest.approx(probability, abs=1e-12)


@given(st.floats(0.1, 40), folds_of, st.floats(-8, 40))
def test_tail_agrees_with_scipy_wherever_scipy_has_one(t, folds, effect):
    theirs = stats.nct.sf(t, folds - 1, effect)
    assume(np.isfinite(theirs))
    assert np.exp(noncentral_t_log_sf(t, folds - 1, effect)) == pytest.approx(theirs, abs=1e-9)


@given(st.floats(-10, 40), st.integers(2, 100), alphas, levels, st.sampled_from(["as_printed", "inverted"]))
def test_cv_t_rises_with_t_and_has_no_holes(t, folds, alpha, level, interval):
    options = {"alpha": alpha, "interval": interval}
    result, higher = (cv_t(x, folds, confidence_level=level, **options) for x in (t, t + 0.5))
    wider = cv_t(t, folds, confidence_level=(1 + level) / 2, **options)
    values = [result.low, result.point, result.high]
    assert np.isfinite(values).all() and min(values) >= 0 and max(values) <= 1 + 1e-12
    for limit in ("low", "point", "high"):
        assert getattr(higher, limit) >= getattr(result, limit) - 1e-9
    assert wider.low <= result.low + 1e-9 and result.high <= wider.high + 1e-9


@given(st.floats(-10, 40), st.integers(2, 100), st.sampled_from([0.8, 0.95, 0.99]))
def test_inverted_interval_contains_the_estimate(t, folds, level):
    result = cv_t(t, folds, confidence_level=level, interval="inverted")
    assert result.low - 1e-9 <= result.point <= result.high + 1e-9


def reaches(limit, value: float, least: float) -> float:
    """Smallest t from `least` on at which a rising limit reaches the value."""
    off = lambda t: np.log(limit(t)) - np.log(value)
    return least if off(least) >= 0 else optimize.brentq(off, least, 200, xtol=1e-11)


def power(effect: float, folds: int, alpha: float = 0.05) -> float:
    return stats.nct.sf(stats.t.isf(alpha / 2, folds - 1), folds - 1, effect)


@pytest.mark.parametrize("effect", [0.5, 1.0, 2.5, 4.0])
@pytest.mark.parametrize("folds", [5, 10, 30])
def test_coverage_of_both_intervals(effect, folds):
    # limits rise with T: the interval covers for T between the points where they pass the truth
    found = {}
    for interval in ("inverted", "as_printed"):
        limits = [
            lambda t, limit=limit: getattr(cv_t(t, folds, interval=interval), limit)
            for limit in ("high", "low")
        ]
        between = [reaches(limit, power(effect, folds), -6.0) for limit in limits]
        found[interval] = np.diff(stats.nct.cdf(between, folds - 1, effect)).item()
    assert found["inverted"] == pytest.approx(0.95, abs=1e-7)
    bounds = {5: (0.85, 0.88), 10: (0.90, 0.92), 30: (0.935, 0.945)}[folds]
    assert bounds[0] < found["as_printed"] < bounds[1]


@pytest.mark.parametrize("model", ["cv_t", "wilcoxon"])
@pytest.mark.parametrize("effect", [0.0, 0.7, 1.5, 3.0])
def test_selected_estimate_is_median_unbiased_and_its_interval_exact(model, effect):
    """Given significance in either direction, with the sign taken from the winner."""
    if model == "cv_t":
        result = lambda t: cv_t(t, 10, selected=True)
        true_power = lambda mu: power(mu, 10)
        cdf = lambda t, mu: stats.nct.cdf(t, 9, mu)
        critical = stats.t.isf(0.025, 9)
    else:
        sd = 0.8
        result = lambda z: wilcoxon(z, sd, selected=True)
        true_power = lambda mu: stats.norm.sf(stats.norm.isf(0.025), mu, sd)
        cdf = lambda z, mu: stats.norm.cdf(z, mu, sd)
        critical = stats.norm.isf(0.025)
    covered, at_most_truth = 0.0, 0.0
    for mu in (effect, -effect):  # where A won, and where B did
        low, median, high = (
            reaches(lambda t: getattr(result(t), limit), true_power(mu), critical)
            for limit in ("high", "point", "low")
        )
        covered += cdf(high, mu) - cdf(low, mu)
        at_most_truth += cdf(median, mu) - cdf(critical, mu) if mu is effect else 1 - cdf(median, mu)
    significant = 2 - cdf(critical, effect) - cdf(critical, -effect)
    assert covered / significant == pytest.approx(0.95, abs=1e-6)
    assert at_most_truth / significant == pytest.approx(0.5, abs=1e-6)


def test_selected_interval_covers_in_a_simulation():
    # 800 significant results: the share that covers has a standard error of 0.0077; four of them
    rng = np.random.default_rng(np.random.SeedSequence(41))
    effect, folds = 1.0, 10
    t = (rng.normal(size=20000) + effect) / np.sqrt(rng.chisquare(folds - 1, 20000) / (folds - 1))
    t = t[np.abs(t) >= stats.t.isf(0.025, folds - 1)][:800]
    assert len(t) == 800
    result = cv_t(np.abs(t), folds, selected=True)
    truth = np.where(t > 0, power(effect, folds), power(-effect, folds))
    share = np.mean((result.low <= truth) & (truth <= result.high))
    assert abs(share - 0.95) < 4 * np.sqrt(0.95 * 0.05 / 800)


@given(folds_of, alphas)
def test_at_the_critical_value_selection_leaves_the_probability_of_no_effect(folds, alpha):
    critical = stats.t.isf(alpha / 2, folds - 1)
    assert cv_t(critical, folds, alpha=alpha, selected=True).point == pytest.approx(alpha / 2, rel=1e-6)
    z = stats.norm.isf(alpha / 2)
    assert wilcoxon(z, 0.7, alpha=alpha, selected=True).point == pytest.approx(
        stats.norm.sf(z / 0.7), rel=1e-6
    )


def test_far_from_the_critical_value_selection_does_not_matter():
    assert cv_t(30.0, 100, selected=True).point == pytest.approx(cv_t(30.0, 100).point, abs=1e-12)
    plain, given_it = wilcoxon(8.0, 1.0), wilcoxon(8.0, 1.0, selected=True)
    assert_allclose(
        [given_it.point, given_it.low, given_it.high], [plain.point, plain.low, plain.high], atol=1e-6
    )


# ------------------------------------------------------------------ R's values


def test_wins_and_losses_agree_with_r(shared):
    golden = pd.read_csv(shared / "golden" / "berrar" / "table_binom_bayes.csv")
    for (alpha, c), rows in golden.groupby(["alpha", "c"]):
        x, n = rows["x"].to_numpy(), rows["N"].to_numpy()
        options = {"alpha": alpha, "confidence_level": 1 - c}
        assert (smallest_significant(n, alpha=alpha) == rows["s"]).all()
        hdi = highest_density_interval(1 + x, 1 + n - x, confidence_level=1 - c)
        cp = clopper_pearson(x, n, confidence_level=1 - c)
        found = {"cp_low": cp.low, "cp_high": cp.high, "hdi_low": hdi.low, "hdi_high": hdi.high}
        for name, result in (("binom", binomial(x, n, **options)), ("bayes", bayesian(x, n, **options))):
            found |= {f"P_{name}": result.point, f"P_{name}_low": result.low, f"P_{name}_high": result.high}
        for column, ours in found.items():
            assert_allclose(ours, rows[column], atol=1e-8, rtol=0, err_msg=column)


def test_wilcoxon_agrees_with_r(shared):
    golden = pd.read_csv(shared / "golden" / "berrar" / "table_wilcoxon.csv")
    for (alpha, c), rows in golden.groupby(["alpha", "c"]):
        result = wilcoxon(rows["z"], rows["s_star"], alpha=alpha, confidence_level=1 - c)
        for column, ours in (("P_w", result.point), ("P_w_low", result.low), ("P_w_high", result.high)):
            assert_allclose(ours, rows[column], atol=1e-8, rtol=0, err_msg=column)


def test_cv_t_agrees_with_r(shared):
    golden = pd.read_csv(shared / "golden" / "berrar" / "table_cv_t.csv")
    for (alpha, c), rows in golden.groupby(["alpha", "c"]):
        result = cv_t(rows["t"], rows["k"], alpha=alpha, confidence_level=1 - c)
        for column, ours in (("P_t", result.point), ("P_t_low", result.low), ("P_t_high", result.high)):
            assert_allclose(ours, rows[column], atol=1e-8, rtol=0, err_msg=column)


# ------------------------------------------------------------------ edges and refusals


@pytest.mark.parametrize("result, expected", [
    (binomial(5, 5), (0, 0, 0)),  # five wins of five are not significant
    (binomial(0, 44), (0, 0, stats.binom.sf(28, 44, clopper_pearson(0, 44).high))),
    (binomial(44, 44), (1, stats.binom.sf(28, 44, 0.025 ** (1 / 44)), 1)),
    (bayesian(6, 6), ((7 / 8) ** 6, 0.05 ** (6 / 7), 1)),
    (binomial(1, 1), (0, 0, 0)),
    (cv_t(0.0, 10, interval="inverted", confidence_level=1e-9), (0.025, 0.025, 0.025)),
    (cv_t(500.0, 10, interval="inverted"), (1, 1, 1)),
    (wilcoxon(100.0, 1.0), (1, 1, 1)),
], ids=["too few", "no wins", "all wins", "all wins, prior", "one", "no effect", "huge t", "huge z"])
def test_edges_have_defined_answers(result, expected):
    assert_allclose([result.point, result.low, result.high], expected, atol=1e-8)


def test_arrays_broadcast_and_scalars_stay_scalars():
    assert cv_t([2.0, 3.0], [[5], [10]]).point.shape == (2, 2)
    assert binomial([29, 30], 44).low.shape == (2,)
    assert isinstance(cv_t(3.0, 10, selected=True).low, float)
    assert cv_t([3.0, 4.0], [10, 20], selected=True).point[1] == pytest.approx(
        cv_t(4.0, 20, selected=True).point
    )


@pytest.mark.parametrize("call, words", [
    (lambda: binomial(45, 44), "between 0 and n"),
    (lambda: binomial(2.5, 44), "whole number"),
    (lambda: binomial(0, 0), "n is a whole number"),
    (lambda: binomial(29, 44, alpha=0), "alpha"),
    (lambda: bayesian(29, 44, confidence_level=1), "confidence_level"),
    (lambda: highest_density_interval(1, 1), "not both 1"),
    (lambda: highest_density_interval(0.5, 3), "at least 1"),
    (lambda: wilcoxon(2.0, 0.0), "sd"),
    (lambda: wilcoxon(np.nan, 1.0), "z is a finite number"),
    (lambda: wilcoxon(1.9, 1.0, selected=True), "critical value"),
    (lambda: cv_t(2.0, 1), "folds"),
    (lambda: cv_t(np.inf, 10), "t is a finite number"),
    (lambda: cv_t(2.0, 10, interval="exact"), "as_printed"),
    (lambda: cv_t(2.0, 10, selected=True), "critical value"),
])
def test_bad_input_is_refused_in_one_sentence(call, words):
    with pytest.raises(ValueError, match=words):
        call()
