"""Replication probabilities against exact tails, R's values, quadrature and defining equations."""

from fractions import Fraction
from functools import partial
from itertools import combinations, product
from math import comb

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, optimize, special, stats

from companion.papers import correlated_differences
from replib import replication_probability, significance
from replib.multiple_comparisons import adjusted_pvalues
from replib.replication_probability import (
    bayesian,
    binomial,
    signed_rank,
    smallest_significant,
    wilcoxon,
)

#: Proposition 2 as it is printed, where T is a noncentral t; and what a user gets.
cv_t = partial(replication_probability.cv_t, scale=1)
default_cv_t = replication_probability.cv_t

COUNTS = st.integers(1, 120).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
LEVELS = st.sampled_from([0.001, 0.005, 0.01, 0.05, 0.1])
FOLDS = st.integers(2, 40)
STATISTICS = st.floats(-40, 40).map(lambda x: round(x, 6))
# an interval takes some twenty evaluations of the noncentral t, one of SciPy's slow
# functions
few_examples = settings(max_examples=30)
# from 2/3 on, every interval contains its point estimate, also with one degree of
# freedom
CONFIDENCE = st.floats(2 / 3, 0.999)


def upper_tail(s: int, n: int, rate: Fraction) -> Fraction:
    terms = (comb(n, i) * rate**i * (1 - rate) ** (n - i) for i in range(s, n + 1))
    return sum(terms, Fraction(0))


def as_array(result: replication_probability.Prediction) -> np.ndarray:
    return np.array([result.point, result.low, result.high])


# ---------------------------------------------------------------- R's values


@pytest.mark.parametrize(
    "table, models",
    [
        (
            "table_binom_bayes",
            {
                "binom": lambda rows, **levels: binomial(
                    rows["x"], rows["N"], **levels
                ),
                "bayes": lambda rows, **levels: bayesian(
                    rows["x"], rows["N"], **levels
                ),
            },
        ),
        (
            "table_wilcoxon",
            {"w": lambda rows, **levels: wilcoxon(rows["z"], rows["s_star"], **levels)},
        ),
    ],
)
def test_models_agree_with_r(golden, table, models):
    golden = pd.read_csv(golden(f"berrar/{table}.csv"))
    for (alpha, c), rows in golden.groupby(["alpha", "c"]):
        for name, model in models.items():
            result = model(rows, alpha=alpha, confidence_level=1 - c)
            for ours, column in (
                (result.point, ""),
                (result.low, "_low"),
                (result.high, "_high"),
            ):
                np.testing.assert_allclose(
                    ours, rows[f"P_{name}{column}"], rtol=0, atol=1e-10
                )


def test_the_point_of_cv_t_agrees_with_r(golden):
    golden = pd.read_csv(golden("berrar/table_cv_t.csv"))
    for alpha, rows in golden.groupby("alpha"):
        point = cv_t(rows["t"], rows["k"], alpha=alpha).point
        np.testing.assert_allclose(point, rows["P_t"], rtol=0, atol=1e-10)


# ---------------------------------------------------------------- wins and losses


# powers of two among the levels, so that a p-value can equal the level: that is not
# significant
@pytest.mark.parametrize("alpha", [0.05, 0.005, 0.5, 1 / 16, 1 / 32, 2.0**-9])
def test_smallest_significant_count_in_fractions(alpha):
    for n in range(1, 61):
        s = next(
            (
                s
                for s in range(n // 2 + 1, n + 1)
                if 2 * upper_tail(s, n, Fraction(1, 2)) < Fraction(alpha)
            ),
            n + 1,
        )
        assert smallest_significant(n, alpha=alpha) == s


@given(COUNTS, LEVELS)
def test_point_estimates_are_exact_binomial_tails(counts, alpha):
    x, n = counts
    s = smallest_significant(n, alpha=alpha)
    exact = upper_tail(s, n, Fraction(x, n))
    assert binomial(x, n, alpha=alpha).point == pytest.approx(
        float(exact), rel=1e-10, abs=1e-300
    )
    exact = upper_tail(s, n, Fraction(1 + x, 2 + n))
    assert bayesian(x, n, alpha=alpha).point == pytest.approx(
        float(exact), rel=1e-10, abs=1e-300
    )


@pytest.mark.parametrize("model", [binomial, bayesian])
def test_nothing_replicates_where_nothing_can_be_significant(model):
    assert as_array(model(np.arange(6), 5)).tolist() == np.zeros((3, 6)).tolist()


def test_interval_of_the_binomial_model_covers_at_least_its_level():
    n, wins = 44, np.arange(45)
    s = smallest_significant(n)
    result = binomial(wins, n)
    for rate in np.linspace(0.45, 0.95, 26):
        truth = stats.binom.sf(s - 1, n, rate)
        covers = (result.low <= truth) & (truth <= result.high)
        assert stats.binom.pmf(wins, n, rate) @ covers >= 0.95


# ---------------------------------------------------------------- properties of all models


@pytest.mark.slow
@given(COUNTS, LEVELS, CONFIDENCE)
def test_wins_raise_the_binomial_and_bayesian_probabilities(
    counts, alpha, confidence_level
):
    _, n = counts
    for model in (binomial, bayesian):
        wins = np.arange(n + 1)
        result = as_array(
            model(wins, n, alpha=alpha, confidence_level=confidence_level)
        )
        assert (np.diff(result) >= -1e-12).all()
        assert (result[1] <= result[0] + 1e-12).all() and (
            result[0] <= result[2] + 1e-12
        ).all()


@given(st.floats(-30, 30), st.floats(0.05, 5), LEVELS, CONFIDENCE)
def test_wilcoxon_rises_with_z_and_contains_its_point(z, sd, alpha, confidence_level):
    levels = {"alpha": alpha, "confidence_level": confidence_level}
    result = as_array(wilcoxon(np.array([z, z + 0.1]), sd, **levels))
    assert (np.diff(result) >= 0).all()
    assert (result[1] <= result[0]).all() and (result[0] <= result[2]).all()


@few_examples
@given(STATISTICS, FOLDS, LEVELS, CONFIDENCE)
def test_cv_t_rises_with_t_and_contains_its_point(t, folds, alpha, confidence_level):
    levels = {"alpha": alpha, "confidence_level": confidence_level}
    result = as_array(cv_t(np.array([t, t + 0.1]), folds, **levels))
    assert (np.diff(result) >= -1e-12).all()
    assert (result[1] <= result[0] + 1e-12).all() and (
        result[0] <= result[2] + 1e-12
    ).all()


@pytest.mark.slow
@few_examples
@given(st.floats(1, 20), FOLDS, LEVELS, CONFIDENCE)
def test_selection_lowers_all_and_keeps_the_order(
    factor, folds, alpha, confidence_level
):
    levels = {"alpha": alpha, "confidence_level": confidence_level}
    t = factor * stats.t.isf(alpha / 2, folds - 1)
    plain = as_array(cv_t(t, folds, **levels))
    given_significance = as_array(cv_t(t, folds, selected=True, **levels))
    assert (given_significance[1:] <= plain[1:] + 1e-9).all()
    assert given_significance[1] <= given_significance[0] <= given_significance[2]


def test_arrays_give_what_their_elements_give():
    t, folds = np.array([[2.5, 9.0], [4.0, 30.0]]), np.array([10, 20])
    for options in ({}, {"selected": True}):
        block = as_array(cv_t(t, folds, **options))
        one_by_one = [
            [as_array(cv_t(x, k, **options)) for x, k in zip(row, folds)] for row in t
        ]
        np.testing.assert_allclose(
            block, np.moveaxis(one_by_one, -1, 0), rtol=0, atol=1e-12
        )


# ---------------------------------------------------------------- the noncentral t


def bound(effect: float, folds: int, limit: str, **options) -> float:
    """The t at which a limit of `cv_t` is the true probability of that noncentrality."""
    critical = stats.t.isf(0.025, folds - 1)
    truth = stats.nct.sf(critical, folds - 1, effect)
    start = critical if options.get("selected") else -20.0
    return optimize.brentq(
        lambda t: getattr(cv_t(t, folds, **options), limit) - truth,
        start,
        40,
        xtol=1e-12,
    )


def covered(effect: float, folds: int, **options) -> float:
    """Probability of the values of t between the bounds: the limits rise with t."""
    low, high = (bound(effect, folds, limit, **options) for limit in ("high", "low"))
    return np.diff(stats.nct.cdf([low, high], folds - 1, effect))[0]


@pytest.mark.slow
@pytest.mark.parametrize("folds", [5, 10, 20])
@pytest.mark.parametrize("effect", [0.0, 1.0, 2.262, 4.0])
def test_the_interval_covers_its_level(folds, effect):
    assert covered(effect, folds) == pytest.approx(0.95, abs=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize(
    "limit, tail", [("point", 0.5), ("low", 0.025), ("high", 0.975)]
)
@pytest.mark.parametrize("folds, effect", [(5, 3.0), (10, 3.0), (10, 4.5), (20, 3.5)])
def test_selected_estimates_have_their_probability_given_significance(
    folds, effect, limit, tail
):
    df = folds - 1
    t = bound(effect, folds, limit, selected=True)
    critical = stats.t.isf(0.025, df)
    significant = stats.nct.sf(critical, df, effect) + stats.nct.cdf(
        -critical, df, effect
    )
    assert stats.nct.sf(t, df, effect) / significant == pytest.approx(tail, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("effect", [0.0, 0.7, 1.5, 3.0])
def test_selected_estimates_are_exact_over_wins_of_either_classifier(effect):
    """The sign is taken from the winner: where B won, the true effect is the negative one."""
    df, critical = 9, stats.t.isf(0.025, 9)

    def first_at(limit: str, truth: float) -> float:
        off = lambda t: np.log(getattr(cv_t(t, 10, selected=True), limit) / truth)
        return (
            critical
            if off(critical) >= 0
            else optimize.brentq(off, critical, 60, xtol=1e-11)
        )

    covers = not_above = significant = 0.0
    for mu in (effect, -effect):
        truth = stats.nct.sf(critical, df, mu)
        low, median, high = (
            first_at(limit, truth) for limit in ("high", "point", "low")
        )
        beyond = lambda t: stats.nct.sf(t, df, mu)
        significant += beyond(critical)
        covers += beyond(low) - beyond(high)
        not_above += (
            beyond(critical) - beyond(median) if mu is effect else beyond(median)
        )
    assert covers / significant == pytest.approx(0.95, abs=1e-7)
    assert not_above / significant == pytest.approx(0.5, abs=1e-7)


def test_a_barely_significant_result_says_nothing_once_its_selection_counts():
    critical = stats.t.isf(0.025, 9)
    assert cv_t(critical, 10, selected=True).point == pytest.approx(0.025, abs=1e-10)


@pytest.mark.slow
@few_examples
@given(FOLDS, st.floats(1, 300), st.sampled_from([0.5, 0.95, 0.999]))
def test_no_noncentral_t_is_out_of_reach(folds, factor, confidence_level):
    t = factor * stats.t.isf(0.025, folds - 1)
    for options in ({}, {"selected": True}):
        result = as_array(cv_t(t, folds, confidence_level=confidence_level, **options))
        assert ((result >= 0) & (result <= 1)).all()


@pytest.mark.parametrize("scale", [0.5, 0.7, 1.0, 2.0])
@pytest.mark.parametrize("effect", [-1.0, 0.5, 2.0, 4.0])
def test_a_statistic_that_is_a_multiple_of_noncentral_t(scale, effect):
    """Where T is `scale` times noncentral t, its power is a tail beyond the critical value."""
    df, critical = 9, stats.t.isf(0.025, 9)
    power = lambda mu: stats.nct.sf(critical / scale, df, mu)
    found = cv_t(scale * effect, 10, scale=scale)
    assert found.point == pytest.approx(power(effect), rel=1e-9)
    for limit, tail in ((found.low, 0.025), (found.high, 0.975)):
        at_limit = optimize.brentq(
            lambda mu: stats.nct.sf(effect, df, mu) - tail, -12, 16, xtol=1e-12
        )
        assert limit == pytest.approx(power(at_limit), rel=1e-7)


@pytest.mark.parametrize("folds", [2, 5, 10, 100])
def test_newtons_method_finds_what_a_search_between_bounds_finds(folds, monkeypatch):
    t = np.linspace(-5, 20, 11)
    by_newton = as_array(default_cv_t(t, folds))
    monkeypatch.setattr(
        replication_probability,
        "_effects_by_newton",
        lambda t, upper, *_: t + upper * np.nan,
    )
    np.testing.assert_allclose(
        by_newton, as_array(default_cv_t(t, folds)), rtol=0, atol=1e-11
    )


def test_three_steps_of_newton_are_enough_for_a_cross_validation(monkeypatch):
    t = np.linspace(-5, 20, 51)
    width = np.sqrt(1 + t**2 / 18)
    upper = np.array([[0.025], [0.975]])
    effects = replication_probability._effects_by_newton(t, upper, np.array(9.0), width)
    assert np.isfinite(effects).all()
    np.testing.assert_allclose(stats.nct.sf(t, 9, effects), upper + 0 * t, rtol=1e-10)
    monkeypatch.setattr(replication_probability, "_STEPS_OF_NEWTON", 1)
    few = replication_probability._effects_by_newton(t, upper, np.array(9.0), width)
    assert np.isnan(few).any()


def test_a_limit_far_from_t_is_that_of_the_definition():
    """A search between bounds came to 0.99998, where SciPy's noncentral t is not monotone."""
    scale = np.sqrt(29 * 9) / 19
    t, critical = -7.5 / scale, stats.t.isf(0.025, 9) / scale

    def below(effect):
        """P(T < t): Z + effect < t S, and 9 S² is a chi-square."""
        density = lambda s: special.ndtr(t * s - effect) * 3 * stats.chi.pdf(3 * s, 9)
        return integrate.quad(density, 0, 4, epsabs=1e-14)[0]

    effect = optimize.brentq(lambda effect: below(effect) - 0.0005, -10, 0, xtol=1e-12)
    high = default_cv_t(-7.5, 10, confidence_level=0.999).high
    assert high == pytest.approx(stats.nct.sf(critical, 9, effect), rel=1e-6)


@pytest.mark.parametrize("folds", [2, 5, 10, 100])
def test_the_default_scale_is_that_of_half_the_correlation_that_the_correction_supposes(
    folds,
):
    # 1/k is supposed: there the scale is 1
    assert correlated_differences.scale_of_t(1 / folds, folds) == pytest.approx(1)
    scale = correlated_differences.scale_of_t(1 / (2 * folds), folds)
    for options in ({}, {"selected": True}):
        expected = as_array(cv_t(20.0, folds, scale=scale, **options))
        np.testing.assert_allclose(
            as_array(default_cv_t(20.0, folds, **options)), expected
        )


def test_far_and_infinite_statistics_are_certain():
    far = as_array(cv_t(np.array([-np.inf, -1e14, 1e14, np.inf]), 10))
    np.testing.assert_allclose(far, np.tile([0.0, 0, 1, 1], (3, 1)), atol=1e-12)
    np.testing.assert_allclose(as_array(cv_t(np.inf, 10, selected=True)), 1)


@pytest.mark.slow
def test_what_is_farther_than_5000_counts_as_5000():
    """Of one degree of freedom, where the power at 5000 is not yet 1 beside a strict level."""
    far = [cv_t(t, 2, alpha=1e-4).point for t in (4999.0, 5000.0, 5001.0, 1e9)]
    # |T| > c where |S| < (5000 + Z) / c, and S is standard normal
    critical = stats.t.isf(5e-5, 1)
    within = stats.norm.expect(lambda z: 2 * stats.norm.cdf((5000 + z) / critical) - 1)
    assert far[1] == pytest.approx(within, rel=1e-6)
    assert far[0] < far[1] == far[2] == far[3] < 1


# ---------------------------------------------------------------- the signed-rank test and Holm's


def by_enumeration(d: np.ndarray, alpha: float, effect: float) -> dict[str, float]:
    """Confidence, acceptability and power from all patterns of signs, without ties."""
    ranks = stats.rankdata(np.abs(d))
    wins = special.expit(effect * (ranks / len(d)) ** 0.35)
    signs = np.array(list(product([0, 1], repeat=len(d))))
    p = np.prod(np.where(signs, wins, 1 - wins), axis=1)
    sums, w = signs @ ranks, ranks[d > 0].sum()
    least = min(s for s in sums if 2 * np.mean(sums >= s) < alpha)
    given = p * ((sums >= least) | (sums <= sums.max() - least))
    found = {"power": p[sums >= least].sum()}
    for name, q in (("", p), ("_given", given / given.sum())):
        mass = np.bincount(sums.astype(int), q)
        smaller_tail = np.minimum(np.cumsum(mass), np.cumsum(mass[::-1])[::-1])
        rarer = smaller_tail <= smaller_tail[int(w)] * (1 + 1e-9)
        found["accepted" + name] = mass[rarer].sum()
        found["confidence" + name] = mass[int(w) :].sum() - mass[int(w)] / 2
    return found


@pytest.mark.slow
@pytest.mark.parametrize("lost", [[], [2], [0, 6]])
def test_signed_rank_limits_are_those_over_all_signs(lost):
    d = np.array([0.3, 1.1, 0.2, 2.0, 0.7, 1.5, 0.1, 0.9, 0.6])
    d[lost] *= -1
    effects = np.r_[np.linspace(-12, 12, 961), np.linspace(12.1, 30, 30)]
    of = pd.DataFrame([by_enumeration(d, 0.05, x) for x in effects])
    power = of["power"].to_numpy()
    for selected, name in ((False, ""), (True, "_given")):
        found = signed_rank(d, selected=selected)
        confidence = of["confidence" + name].to_numpy()
        inside = power[of["accepted" + name] > 0.05]
        # the library's effects lie on a coarser grid, between whose points power is
        # interpolated
        assert [found.low, found.high] == pytest.approx(
            [inside.min(), inside.max()], abs=0.006
        )
        mean = np.sum(np.diff(confidence) * (power[1:] + power[:-1]) / 2)
        mean += power[0] * confidence[0] + power[-1] * (1 - confidence[-1])
        assert found.point == pytest.approx(mean, abs=0.004)


@pytest.mark.parametrize("wins, n", [(7, 8), (15, 20), (20, 20), (30, 50)])
def test_equal_differences_leave_a_sign_test_with_limits_of_blaker(wins, n):
    """Then W+ is a count of wins; Blaker's interval lies within that of Clopper and Pearson."""
    found = signed_rank(np.repeat([1.0, -1.0], [wins, n - wins]))
    around = binomial(wins, n)
    assert around.low - 0.004 <= found.low <= found.high <= around.high + 0.004
    assert found.high - found.low < around.high - around.low
    chance = np.linspace(0, 1, 4001)[1:-1, np.newaxis]
    mass = stats.binom.pmf(np.arange(n + 1), n, chance)
    tail = np.minimum(np.cumsum(mass, 1), np.cumsum(mass[:, ::-1], 1)[:, ::-1])
    rarer = tail <= tail[:, [wins]] * (1 + 1e-9)
    inside = chance[(mass * rarer).sum(1) > 0.05, 0]
    limits = stats.binom.sf(smallest_significant(n) - 1, n, inside[[0, -1]])
    np.testing.assert_allclose([found.low, found.high], limits, atol=0.01)


@pytest.mark.slow
def test_holm_leaves_each_test_its_level():
    """Alone, at the level that is left to it, a test has the same probability."""
    rng = np.random.default_rng(7)
    seen = set()
    for _ in range(40):
        d = rng.normal(rng.choice([0, 0.5, 1.0], 6)[:, None], 1, (6, 15))
        p = significance.signed_rank(d).pvalue
        together = as_array(signed_rank(d, selected=True))
        decided = adjusted_pvalues(p, method="holm") < 0.05
        for i in range(6):
            others = np.sort(np.delete(p, i))
            r = next((j for j, x in enumerate(others) if x >= 0.05 / (6 - j)), 5)
            assert decided[i] == (p[i] < 0.05 / (6 - r))
            alone = as_array(signed_rank(d[i], alpha=0.05 / (6 - r), selected=True))
            np.testing.assert_allclose(together[:, i], alone)
            seen.add(r)
    assert len(seen) > 3


@few_examples
@given(st.lists(st.integers(-6, 6), min_size=2, max_size=30), st.booleans())
def test_signed_rank_probabilities_are_ordered_and_fall_when_a_loses(d, selected):
    d = np.array(d, dtype=float)
    point, low, high = as_array(signed_rank(d))
    assert 0 <= low <= point <= high <= 1
    worse = as_array(
        signed_rank(np.where(np.arange(len(d)) == np.abs(d).argmax(), -np.abs(d), d))
    )
    assert (worse <= [point + 1e-9, low + 1e-9, high + 1e-9]).all()
    stated = as_array(signed_rank(d, selected=selected))
    significant = significance.signed_rank(d).pvalue < 0.05
    if selected and significant and significance.signed_rank(d).estimate > 0:
        assert stated[1] <= low + 1e-9 and stated[0] <= point + 1e-9
    elif not significant:
        np.testing.assert_array_equal(stated, [point, low, high])
    # the scale and the order of the differences do not matter
    np.testing.assert_allclose(as_array(signed_rank(7.5 * d[::-1])), [point, low, high])


def test_signed_rank_where_nothing_can_be_significant():
    assert signed_rank([0.1, 0.2, 0.3, 0.4]) == signed_rank(np.zeros(9))
    assert (as_array(signed_rank(np.zeros((2, 9)))) == 0).all()
    all_won = signed_rank(np.linspace(0.1, 1, 6))  # p = 1/32, the least of six
    assert all_won.low < 0.05 and all_won.point < 0.9 and all_won.high > 0.999


@pytest.mark.parametrize("selected", [False, True])
def test_exact_and_normal_rank_sums_agree(monkeypatch, selected):
    d = np.random.default_rng(8).normal(0.35, 1, (40, 1, 50))
    exact = as_array(signed_rank(d, selected=selected))
    monkeypatch.setattr(replication_probability, "EXACT_UP_TO", 49)
    normal = as_array(signed_rank(d, selected=selected))
    difference = np.abs(normal - exact)
    assert 0 < difference.mean() < 0.01 and difference.max() < 0.1


@pytest.mark.parametrize(
    "classifiers, selected", [(2, False), (2, True), (3, False), (3, True)]
)
def test_signed_rank_intervals_cover(classifiers, selected):
    """At least 93% of 2000, or of the significant ones: two standard errors below at most.

    A coverage of 90% is found with probability 0.94 or more.
    """
    rng = np.random.default_rng(np.random.SeedSequence(22, spawn_key=(classifiers,)))
    scores = rng.normal(size=(2000, classifiers, 20)) / np.sqrt(2)
    scores[:, 0] += 0.6
    d = np.stack(
        [scores[:, a] - scores[:, b] for a, b in combinations(range(classifiers), 2)], 1
    )
    p = np.asarray(significance.signed_rank(d).pvalue)
    significant = (adjusted_pvalues(p, method="holm") if classifiers > 2 else p) < 0.05
    won = significant & (d.mean(axis=-1) > 0)
    truth = won[:, 0].mean()
    found = signed_rank(d, selected=selected)
    covers = ((found.low <= truth) & (truth <= found.high))[:, 0]
    covers = covers[won[:, 0]] if selected else covers
    assert covers.mean() > 0.93 - 2 * np.sqrt(0.93 * 0.07 / len(covers))
