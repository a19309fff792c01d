"""Berrar (2024): every formula value against print, the checks of its items, and what we add to
it."""

from fractions import Fraction
from math import comb

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import integrate, stats

from replib import replication_probability
from replib.papers import berrar2024 as study
from replib.papers import ledger, published

WINS = (
    study.quiz_answer, study.definitions, study.example_1, study.example_2,
    study.binomial_and_bayesian_items, study.text_about_figure_2, study.not_significant,
    study.wins_in_text,
)
RANKS_AND_FOLDS = (
    study.wilcoxon_and_cv_t_items, study.example_3, study.group_3_wilcoxon, study.example_4,
    study.study_3_text, study.five_sigma, study.table_2,
)
ERRATA = {
    "ex01": "e35", "ex01.P_b": "e36", "ex01.p_again": "e36", "txt24.P_b": "e36", "prop02": "e37",
    "eq14": "e38", "eq10": "e52",
}


@pytest.fixture(scope="module")
def rebuilt() -> pd.DataFrame:
    frames = [function() for function in WINS + RANKS_AND_FOLDS]
    return ledger.compare(*frames, chapter="test").set_index("id")


def test_every_printed_value_that_follows_from_a_formula_agrees_or_is_an_erratum(rebuilt):
    facts = published.facts().query("paper == 'berrar2024' and check_by == 'formula'")
    assert set(facts.index) <= set(rebuilt.index)
    found = rebuilt.loc[rebuilt["verdict"] == "erratum", "erratum"]
    assert found.to_dict() == {f"berrar2024.{i}": f"berrar2024.{e}" for i, e in ERRATA.items()}
    assert set(rebuilt["verdict"]) == {"exact", "erratum", "recounted"}


def test_every_item_of_section_2_has_a_row(rebuilt):
    items = [f"eq{i:02d}" for i in range(1, 16)] + [f"fig{i:02d}" for i in range(1, 5)]
    items += ["def01", "def02", "def03", "lem01", "lem02", "prop01", "prop02"]
    assert {f"berrar2024.{item}" for item in items} <= set(rebuilt.index)


def test_the_two_chapters_share_no_id():
    ids = [id_ for function in WINS + RANKS_AND_FOLDS for id_ in function()["id"]]
    assert len(ids) == len(set(ids))


def test_other_parameters_change_the_verdicts():
    frame = ledger.compare(study.example_1(wins=31), study.example_4(folds=5), chapter="test")
    assert (frame["verdict"] == "differs").sum() > 10


def test_item_checks_fail_when_the_library_is_wrong(monkeypatch):
    wrong = replication_probability.smallest_significant
    monkeypatch.setattr(replication_probability, "smallest_significant", lambda n,
                        **kw: wrong(n, **kw) + 1)
    rows = study.binomial_and_bayesian_items().set_index("id")["rebuilt"]
    assert not rows["berrar2024.fig01"] and not rows["berrar2024.fig02"]


# ------------------------------------------------------------------ errata


def test_rounded_rates_explain_the_printed_values():
    for printed, wins, rounded in (
        ("ex01.P_b", 29, Fraction(66, 100)), ("txt24.P_b", 24, Fraction(5455, 10000)),
    ):
        value = published.value(f"berrar2024.{printed}")
        assert round(float(study.binomial_tail(29, 44, rounded)), 4) == value
        assert round(float(study.binomial_tail(29, 44, Fraction(wins, 44))), 4) != value


def test_the_p_value_of_example_1_is_twice_the_printed_sum():
    total = study.binomial_tail(29, 44, Fraction(1, 2))
    assert round(float(total), 4) == 0.0244
    assert float(2 * total) == pytest.approx(study.two_sided_binomial_p(29, 44), rel=1e-12)


@pytest.mark.parametrize("folds", [3, 5, 10, 100])
def test_mean_of_the_noncentral_t(folds):
    # E T = mu E(1/S), S^2 = chi2/df: an integral over the density of S alone
    inverse = integrate.quad(
        lambda x: np.sqrt((folds - 1) / x) * stats.chi2.pdf(x, folds - 1), 0, np.inf, epsabs=1e-12
    )[0]
    assert study.noncentral_t_mean(1.3, folds) == pytest.approx(1.3 * inverse, rel=1e-7)


def test_the_example_with_t_as_the_mean_is_another():
    at_mean = replication_probability.cv_t(2.262 / study.noncentral_t_mean(1.0), 10).point
    assert round(at_mean, 4) == 0.4548


# ------------------------------------------------------------------ definitions


@given(st.integers(0, 12), st.integers(6, 14))
def test_replication_given_the_effect_is_power(k, n):
    theta = Fraction(1 + k, 14)
    first, again = study.two_experiments({theta: Fraction(1)}, n)
    s = replication_probability.smallest_significant(n)
    assert first == again == sum(
        comb(n, i) * theta**i * (1 - theta) ** (n - i) for i in range(s, n + 1)
    )


@given(st.lists(st.integers(1, 13), min_size=2, max_size=4, unique=True))
def test_with_an_uncertain_effect_the_first_result_tells_something(numerators):
    share = Fraction(1, len(numerators))
    first, again = study.two_experiments({Fraction(k, 14): share for k in numerators}, 10)
    assert again > first


@pytest.mark.parametrize("experiments", [2, 5, 9])
@pytest.mark.parametrize("power", [Fraction(1, 40), Fraction(1, 2), Fraction(9, 10)])
def test_empirical_probability_without_the_first_is_unbiased(experiments, power):
    assert study.mean_empirical_probability(power, experiments) == power
    with_first = study.mean_empirical_probability(power, experiments, leave_out_first=False)
    assert with_first == power + (1 - power) / experiments


# -------------------------------------------------------------- statistics of the paper against R


def test_signed_rank_statistic_as_printed_agrees_with_r(shared):
    golden = pd.read_csv(shared / "golden" / "berrar" / "table_zw_cases.csv")
    ours = [
        study.printed_signed_rank_z([int(x) for x in counts.split()])
        for counts in golden["diff_counts"]
    ]
    assert_allclose(ours, golden["z_paper_cc"], atol=1e-10)


def test_corrected_t_as_printed_agrees_with_r(shared):
    golden = pd.read_csv(shared / "golden" / "berrar" / "table_t_cases.csv")
    checked = 0
    for row in golden.itertuples():
        counts = [int(x) for x in row.diff_counts.split()]
        if len(set(counts)) == 1:
            continue  # no variance: 0/0 or infinite, which the README of the golden files excludes
        differences = [Fraction(x, row.n_valid) for x in counts]
        ours = study.printed_corrected_t(differences, Fraction(row.n_valid, row.n_train))
        assert ours == pytest.approx(row.t, abs=1e-10)
        checked += 1
    assert checked > 5


# ------------------------------------------------------------------ figures and what we add


def test_figure_1_sums():
    frame = study.figure_1()
    assert_allclose(frame[["null", "alternative"]].sum(), 1)
    s = replication_probability.smallest_significant(44)
    red = frame.loc[frame["significant"] != "", "null"].sum()
    assert red == pytest.approx(2 * stats.binom.sf(s - 1, 44, 0.5)) and red < 0.05


@pytest.mark.parametrize("wins, n", [(29, 44), (0, 44), (15, 20), (20, 20)])
def test_average_over_the_posterior_by_quadrature(wins, n):
    s = replication_probability.smallest_significant(n)
    integrand = lambda x: stats.binom.sf(s - 1, n, x) * stats.beta.pdf(x, 1 + wins, 1 + n - wins)
    mean = integrate.quad(integrand, 0, 1, points=[wins / n] if 0 < wins < n else None)[0]
    assert study.averaged_over_posterior(wins, n) == pytest.approx(mean, rel=1e-6)


def test_power_over_theta_passes_through_the_estimate_and_its_limits():
    curve = study.power_over_theta()
    result = replication_probability.binomial(29, 44)
    theta = replication_probability.clopper_pearson(29, 44)
    read = np.interp([theta.low, 29 / 44, theta.high], curve["theta"], curve["P"])
    assert_allclose(read, [result.low, result.point, result.high], atol=2e-3)
    assert curve.loc[curve["posterior"].idxmax(), "theta"] == pytest.approx(29 / 44, abs=2e-3)


def test_coverage_of_the_interval_as_printed():
    frame = study.coverage().set_index("interval")
    assert frame.loc["as_printed", "coverage"].between(0.895, 0.92).all()
    assert_allclose(frame.loc["inverted", "coverage"], 0.95, atol=1e-12)
    at_one = study.coverage((1.0,)).set_index("interval")["coverage_significant"]
    assert at_one["as_printed"] < 0.62 and at_one["inverted"] < 0.82


@pytest.mark.parametrize("folds", [3, 4, 10, 100])
@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.2])
@pytest.mark.parametrize("level", [0.5, 0.999])
def test_coverage_is_exact_for_all_designs(folds, alpha, level):
    frame = study.coverage(folds=folds, alpha=alpha, confidence_level=level)
    is_inverted = frame["interval"] == "inverted"
    assert_allclose(frame.loc[is_inverted, "coverage"], level, atol=1e-9)
    assert (frame.loc[~is_inverted, "coverage"] < level).all()
    assert frame["coverage_significant"].between(-1e-12, 1 + 1e-12).all()


def test_coverage_agrees_with_a_simulation():
    # 4000 draws each: four standard errors are at most 0.02 for all, more for the significant few
    rng = np.random.default_rng(np.random.SeedSequence(38))
    effect, folds, draws = 1.5, 10, 4000
    t = (rng.normal(size=draws) + effect) / np.sqrt(rng.chisquare(9, draws) / 9)
    truth = stats.nct.sf(stats.t.isf(0.025, 9), 9, effect)
    significant = abs(t) >= stats.t.isf(0.025, 9)
    exact = study.coverage((effect,), folds).set_index("interval")
    for interval, row in exact.iterrows():
        result = replication_probability.cv_t(t, folds, interval=interval)
        inside = (result.low <= truth) & (truth <= result.high)
        for some, p in ((slice(None), row["coverage"]), (significant, row["coverage_significant"])):
            error = np.sqrt(p * (1 - p) / len(inside[some]))
            assert abs(inside[some].mean() - p) < 4 * error


def test_selection_bias_agrees_with_a_simulation():
    rng = np.random.default_rng(np.random.SeedSequence(39))
    effect, folds = 1.0, 10
    t = (rng.normal(size=40000) + effect) / np.sqrt(rng.chisquare(9, 40000) / 9)
    t = t[t >= stats.t.isf(0.025, 9)][:1000]
    row = study.selection_bias((effect,), folds).iloc[0]
    assert row["P"] == pytest.approx(stats.nct.sf(stats.t.isf(0.025, 9), 9, effect), rel=1e-10)
    for name, selected in (("plain", False), ("selected", True)):
        estimate = replication_probability.cv_t(t, folds, selected=selected).point
        assert abs(estimate.mean() - row[f"{name}_mean"]) < 4 * estimate.std() / np.sqrt(len(t))
        # the share below the median is one half, with a standard error of 0.5 / sqrt(1000)
        assert abs((estimate < row[f"{name}_median"]).mean() - 0.5) < 4 * 0.5 / np.sqrt(len(t))


def test_means_after_selection_do_not_depend_on_the_cells():
    coarse, fine = (study.selection_bias((0.0, 2.0, 6.0), cells=cells) for cells in (200, 600))
    assert_allclose(coarse, fine, atol=5e-5)


def test_selection_bias_of_wins_by_fractions():
    n, theta = 12, Fraction(3, 5)
    s = replication_probability.smallest_significant(n)
    pmf = {x: comb(n, x) * theta**x * (1 - theta) ** (n - x) for x in range(s, n + 1)}
    mean = sum(p * study.binomial_tail(s, n, Fraction(x, n)) for x,
               p in pmf.items()) / sum(pmf.values())
    row = study.binomial_selection_bias((0.6,), n).iloc[0]
    assert row["binomial"] == pytest.approx(float(mean), rel=1e-10)
    assert row["P"] == pytest.approx(float(sum(pmf.values())), rel=1e-10)


@pytest.mark.parametrize("target", [0.7, 0.95])
def test_thresholds_are_where_the_readings_reach_the_target(target):
    frame = study.thresholds((3, 10, 30), target)
    for folds, row in frame.iterrows():
        t = pd.Series(stats.t.isf(row / 2, folds - 1), index=row.index)
        assert_allclose([
            replication_probability.cv_t(t["point"], folds).point,
            replication_probability.cv_t(t["selected"], folds, selected=True).point,
            replication_probability.cv_t(t["low_as_printed"], folds).low,
            replication_probability.cv_t(t["low_inverted"], folds, interval="inverted").low,
        ], target, atol=1e-8)
    assert frame.at[10, "point"] == pytest.approx(study.threshold(target)[0], rel=1e-8)


def test_a_target_that_every_significant_result_reaches_has_threshold_alpha():
    assert study.thresholds((10,), target=0.4).at[10, "point"] == pytest.approx(0.05)


def test_table_2_follows_from_its_first_row():
    cells = published.cells("berrar2024.tab02").set_index("cell_id")["value"]
    rows = study.table_2().set_index("id")["rebuilt"]
    assert (rows[cells.index] == cells).all() and len(cells) == 440
