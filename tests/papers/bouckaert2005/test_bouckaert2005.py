"""The study of Bouckaert (2005): its simulator, its printed numbers, its errata."""

from fractions import Fraction

import numpy as np
import pytest
import sympy
from scipy import integrate, stats

from replib import replicability, theory
from replib.papers import bouckaert2005 as study
from replib.papers import ledger, published
from replib.significance import mcnemar
from replib.sources import task_1


@pytest.fixture(scope="module")
def trend():
    return study.type1_trend()


@pytest.fixture(scope="module")
def worst():
    return study.worst_case()


@pytest.fixture(scope="module")
def verdicts(trend, worst):
    claims = study.claims_of_figure_1(study.figure_1(), study.lowest_replicability())
    table = ledger.compare(
        study.type1_trend_rows(trend), study.worst_case_rows(worst), claims,
        study.equations_of_section_2(), study.type1_analysis(), study.worst_case_analysis(),
        study.size_of_simulation(), chapter="mcnemar_theory",
    )
    table["id"] = table["id"].str.removeprefix("bouckaert2005.")
    return table.set_index("id")["verdict"]


# ------------------------------------------------------------------ Task I and its simulator


@pytest.mark.parametrize("step", [0, 37, 100])
def test_win_rates_are_those_of_task_1(step):
    q = Fraction(100 + step, 400)
    share = task_1.combinations(q).groupby("sign")["probability"].sum()
    p_plus, p_minus = task_1.rates(step)
    assert (share["+"], share["-"], share["0"]) == (q, Fraction(1, 2) - q, Fraction(1, 2))
    assert (p_plus, p_minus) == pytest.approx((float(share["+"]), float(share["-"])))
    assert task_1.accuracy_difference(step) == pytest.approx(float(100 * (share["+"] - share["-"])))


def plain_simulation(n, m, q, datasets, experiments, rng):
    """Task I instance by instance: draw x and y, predict, split, count, test."""
    source = task_1.combinations(q)
    counts = []
    for _ in range(datasets):
        row = rng.choice(4, size=n, p=source["probability"].astype(float))
        x, y = source["x"].to_numpy()[row], source["y"].to_numpy()[row]
        a_correct, b_correct = y == 1, y == x
        rejected = 0
        for _ in range(experiments):
            test = rng.permutation(n)[:m]
            a, b = a_correct[test], b_correct[test]
            rejected += mcnemar((a & ~b).sum(), (b & ~a).sum(), method="corrected").pvalue < 0.05
        counts.append(rejected)
    return np.array(counts)


def distribution_of_counts(n, m, q, experiments):
    """Exact probability of 0, 1, ..., rejections on a data set."""
    d = theory.rejection_distribution(n, m, q, 0.5 - q)
    i = np.arange(experiments + 1)[:, np.newaxis]
    return np.array([d.expectation(row) for row in stats.binom.pmf(i, experiments, d.probability)])


@pytest.mark.parametrize("plain", [True, False])
def test_both_simulations_have_the_exact_distribution(plain):
    """Chi-square goodness of fit; each case fails by chance once in 1000 seeds."""
    n, m, q, experiments = 60, 30, 0.36, 4
    if plain:
        counts = plain_simulation(n, m, q, 800, experiments, np.random.default_rng(1))
    else:
        counts = study.simulate_mcnemar(
            n, m / n, q, datasets=50_000, experiments=experiments, seed=2
        )
    expected = distribution_of_counts(n, m, q, experiments) * counts.size
    assert expected.min() > 10
    observed = np.bincount(counts, minlength=experiments + 1)
    assert stats.chisquare(observed, expected).pvalue > 1e-3


@pytest.mark.parametrize(
    "n, fraction, step", [(1000, 0.1, 0), (1000, 0.5, 13), (20_000, 1 / 3, 3), (200_000, 0.1, 2)]
)
def test_simulated_power_and_replicability_are_the_exact_ones(n, fraction, step):
    """Within 4 standard errors: each of the eight comparisons fails once in 16 000 seeds."""
    rates = task_1.rates(step)
    experiments = 10
    rejections = study.simulate_mcnemar(n, fraction, float(rates[0]), datasets=20_000, seed=7)
    exact = theory.rejection_distribution(n, study.size_of_test_set(n, fraction), *rates)
    r2 = replicability.r2_from_counts(rejections, experiments)
    for values, expected in ((rejections / experiments, exact.power), (r2, exact.replicability)):
        error = values.std(ddof=1) / np.sqrt(values.size)
        assert abs(values.mean() - expected) < 4 * error


def test_simulation_is_repeatable_and_follows_its_seed():
    run = lambda seed: study.simulate_mcnemar(500, 0.1, 0.3, datasets=50, seed=seed)
    np.testing.assert_array_equal(run(3), run(3))
    assert not np.array_equal(run(3), run(4))


def test_standard_errors_of_the_design_by_simulation(trend, worst):
    """A standard deviation of 1000 values is good to about 3 %."""
    for frame, simulated, derived in (
        (trend, "standard_error", "published_error"),
        (worst, "standard_error", "published_error"),
        (worst, "simulated_power_error", "published_power_error"),
    ):
        np.testing.assert_allclose(frame[simulated], frame[derived], rtol=0.1)


def test_expected_minimum_of_two_normals():
    expected = lambda *means: study._expected_minimum(np.array(means), np.ones(2))
    assert expected(0.0, 0.0) == pytest.approx(-1 / np.sqrt(np.pi), abs=1e-6)
    assert expected(0.0, 50.0) == pytest.approx(0, abs=1e-6)


# ------------------------------------------------------------------ printed numbers


def test_lowest_steps_are_the_printed_ones(worst):
    printed = [published.value(f"bouckaert2005.txt.worst_delta_n{n}") for n in worst["size"]]
    assert worst["step"].tolist() == printed
    assert (worst["selection_bias"].abs() < 0.01).all()


def test_verdicts(verdicts):
    by_verdict = {v: set(rows.index) for v, rows in verdicts.groupby(verdicts)}
    assert by_verdict["within noise"] == {
        *(f"txt.type1_repl_n{n}" for n in study.SIZES),
        *(f"txt.worst_{q}_n{n}" for q in ("repl", "power") for n in study.WORST_CASE_SIZES),
    }
    assert by_verdict["erratum"] == {
        *(f"txt.worst_delta_n{n}" for n in study.WORST_CASE_SIZES),
        "cl.05", "eq01", "eq_sorted", "txt_type1_analysis", "app_worst_case",
        "fn01", "fn1.slope", "fn1.intercept",
    }
    assert by_verdict["in kind"] == {"fig01"}
    assert by_verdict["exact"] == {
        "cl.01", "cl.02", "cl.03", "cl.04", "eq01.chi2", "eq02", "txt.type1_bound", "txt.z",
        "txt_type1_bound", "app.half", "txt.worst_at_power", "txt_task1", "txt.total_experiments",
        "txt.cost_ratio",
    }
    assert verdicts.size == sum(map(len, by_verdict.values())) == 38


def test_claims_fail_where_the_curves_do():
    """The checks of the claims are not empty: spoiled curves are found out."""
    profile, lowest = study.figure_1(), study.lowest_replicability()
    holds = lambda p, low: study.claims_of_figure_1(p, low).set_index("id")["rebuilt"]
    by_size = profile.copy()
    by_size["power"] = profile["power"].where(profile["size"] < 10_000, profile["power"] / 2)
    assert not holds(by_size, lowest)["bouckaert2005.cl.01"]
    flat = profile.assign(replicability=profile["replicability"].iloc[0])
    assert not holds(flat, lowest)["bouckaert2005.cl.02"]
    uneven = lowest.assign(replicability=lowest["replicability"] + 0.1 * (lowest["size"] == 2000))
    assert not holds(profile, uneven)["bouckaert2005.cl.03"]
    uncorrected = study.figure_1(method="uncorrected")
    assert not holds(uncorrected, lowest)["bouckaert2005.cl.04"]


# ------------------------------------------------------------------ errata


def test_algebra_of_section_3():
    a, e, plus, minus = sympy.symbols("a epsilon plus minus", positive=True)
    n = plus + minus
    bound = 1 - 2 * a + 2 * a**2
    assert sympy.expand(a * a + (1 - a) * (1 - a) - bound) == 0                        # e14
    assert sympy.expand(a * a + (1 - a) * (a - 1) - bound) != 0
    z = (plus / n - sympy.Rational(1, 2)) / sympy.sqrt(sympy.Rational(1, 4) / n)       # e18
    assert sympy.simplify(z - (plus - minus) / sympy.sqrt(n)) == 0
    assert sympy.simplify(2 * (plus / n - 1) / sympy.sqrt(1 / n) - z) != 0
    own_terms = (1 - a) * (1 - a) + a * (a + e)                                        # e23
    assert sympy.expand(own_terms - (1 - (2 - e) * a + 2 * a**2)) == 0
    # of two experiments with Type I error a, P(both accept) = 1 - 2a + P(both reject)
    both_reject = a * (a + e)
    assert sympy.expand(1 - 2 * a + 2 * both_reject - (bound + 2 * a * e)) == 0
    for row in study.errata_of_algebra().itertuples():
        assert abs(row.printed_value - row.correct_value) > 1e-4


def test_printed_statistic_is_wrong_at_ties_only():
    frame = study.errata_of_mcnemar_statistic()
    tie = frame["n10"] == frame["n01"]
    assert (frame.loc[~tie, "printed"] == frame.loc[~tie, "correct"]).all()
    assert (frame.loc[tie, "printed"] == 1 / (2 * frame.loc[tie, "n10"])).all()
    assert (frame.loc[tie, "correct"] == 0).all() and (frame.loc[tie, "correct_p"] == 1).all()


def test_sorted_and_repeated_cross_validation_have_the_wrong_size_as_printed():
    frame = study.errata_of_cross_validation(datasets=1000).set_index(["test", "runs"])
    sorted_runs, repeated = frame.loc["sorted runs"], frame.loc["repeated cross-validation"]
    assert sorted_runs.loc[1, "printed"] < 1 and sorted_runs.loc[50, "printed"] > 25
    assert sorted_runs.loc[10, "printed"] == sorted_runs.loc[10, "correct"]
    assert sorted_runs["correct"].between(1, 9).all()
    ten = repeated.loc[10]
    assert ten["printed"] < ten["correct"] - 4 * ten["correct_error"]


@pytest.mark.parametrize("z", [0.0, 1.0, 1.959963984540054, 8.0, 40.0])
def test_truncated_mean_by_quadrature(z):
    # with x = z + u the common factor exp(-z^2/2) cancels
    density = lambda u: np.exp(-z * u - u * u / 2)
    tail = lambda k: integrate.quad(lambda u: u**k * density(u), 0, np.inf, epsabs=0)[0]
    assert study.truncated_mean(z) == pytest.approx(z + tail(1) / tail(0), rel=1e-9)


def test_line_of_footnote_1():
    x = np.linspace(0, 8, 801)
    printed = 0.97 * x + 0.33
    assert (printed < study.truncated_mean(x)).all()  # no fit of any kind to the whole range
    line = study.truncated_mean_line()
    tangent = 0.97 * x + line["tangent_intercept"]
    assert (tangent <= study.truncated_mean(x) + 1e-9).all()
    assert study.truncated_mean(line["tangent_at"]) == pytest.approx(
        0.97 * line["tangent_at"] + line["tangent_intercept"]
    )
    at_z = study.errata_of_truncated_mean().set_index("z").loc[1.959964]
    assert (round(at_z["exact"], 3), round(at_z["line"], 3)) == (2.338, 2.231)
    assert at_z["excess_percent"] == pytest.approx(19.3, abs=0.05)


def test_type1_derivation():
    frame = study.errata_of_type1_derivation()
    by_fraction = frame.groupby("test_fraction")
    # as printed: neither alpha nor alpha + epsilon, but towards certainty
    assert (by_fraction["literal"].diff().dropna() > 0).all() and frame["literal"].min() > 0.5
    # the surplus as printed makes the excess vanish, in truth it stays
    assert (by_fraction["surplus_only"].diff().dropna() < 0).all()
    last = by_fraction.last()
    assert (last["surplus_only"] - 0.05 < 2e-4).all()
    np.testing.assert_allclose(last["exact"] - last["type1_error"], last["limit"] - 0.05, rtol=0.02)
    # first results at their mean overstate the excess
    assert (frame["mean_only"] > frame["limit"]).all()
    # P(accept) = P(accept, accept) + P(accept, reject), so the two conditional excesses are tied
    np.testing.assert_allclose(
        0.95 * (1 - frame["accept_given_accept"]), 0.05 * (1 - frame["limit"]), atol=1e-12
    )


def test_type1_trend_comes_from_the_continuity_correction(trend):
    frame = study.errata_of_type1_trend(trend)
    assert (frame["corrected"].diff().dropna() < 0).all()
    large = frame[frame["size"] >= 10_000]
    assert np.ptp(large["uncorrected"]) < 0.05 < 1 < np.ptp(large["corrected"])
    np.testing.assert_allclose(trend["exact"], trend["limit"], atol=0.25)
    np.testing.assert_allclose(trend["exact"][2:], trend["limit"][2:], atol=0.03)
    # raw, the printed values would break the paper's own bound; normalised, they keep it
    assert (frame["printed"] < frame["bound_raw"]).all()
    assert (frame["corrected_raw"] > frame["bound_raw"]).all()


def test_printed_difference_is_twice_the_true_one():
    frame = study.errata_of_difference()
    assert (frame["power_at_printed"] > 96).all()
    assert (frame["power_at_half"] - frame["printed_power"]).abs().max() < 1.6


def test_test_share_raises_type1_replicability_of_large_data_sets_only():
    r = study.errata_of_test_share(sizes=(1000, 10_000)).pivot(
        index="size", columns="test_fraction", values="replicability"
    )
    assert (r.loc[np.inf].diff().dropna() > 0).all()
    assert (r.loc[10_000].diff().dropna() > 0).all()
    assert r.loc[1000, 0.5] < r.loc[1000, 0.1]


def test_conditional_means_of_the_appendix():
    frame = study.errata_of_conditional_means(n=100_000).set_index("outcome")
    grid = 0.5  # the binomial lives on whole numbers
    assert frame.loc["reject", "exact"] == pytest.approx(frame.loc["reject", "correct"], abs=grid)
    assert frame.loc["accept", "exact"] == pytest.approx(frame.loc["accept", "correct"], abs=grid)
    assert frame.loc["accept", "printed"] - frame.loc["accept", "exact"] > 200


def test_appendix_falls_short_of_the_arcsine_law():
    frame = study.errata_of_worst_case()
    gap = frame["correct"] - frame["printed"]
    assert (gap.diff().dropna() > 0).all() and 0.011 < gap.iloc[-1] < 0.012
    assert (frame["correct"] - frame["two_sided"]).abs().max() < 1e-4


@pytest.mark.parametrize("call, message", [
    (lambda: task_1.combinations(0.2), "between 1/4 and 1/2"),
    (lambda: task_1.rates(101), "between 0 and 100"),
    (lambda: study.simulate_mcnemar(100, 0.1, 0.6), "between 1/4 and 1/2"),
    (lambda: study.errata_of_cross_validation(n=301), "multiple"),
])
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
