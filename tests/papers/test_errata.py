"""Each erratum again, by another way than the one the book shows; and the page as a whole."""

import re
from fractions import Fraction
from itertools import permutations, product
from math import comb

import jupytext
import numpy as np
import pytest
import sympy
from scipy import integrate, stats

from replib.book import chapters as book
from replib.book.display import anchor
from replib.papers import bouckaert2004, bouckaert_frank2004, errata, published

QUARTER = Fraction(1, 4)


# ------------------------------------------------------------------ the page


@pytest.fixture(scope="module")
def sections() -> dict[str, list]:
    """Heading of each section of the page and the code cells beneath it, by its target."""
    found, current = {}, None
    for cell in jupytext.read(book.SOURCES / "91_errata.md").cells:
        if cell.cell_type == "code":
            if current:
                found[current].append(cell.source)
            continue
        for part in re.split(r"(?m)^(?=\(erratum-|##? )", cell.source):
            target = re.match(r"\((erratum-[\w-]+)\)=\n### (e\d\d): (\S.+)", part)
            if target:
                current = target[1]
                assert current.endswith(f"-{target[2]}") and current not in found
                found[current] = [target[3]]
            elif re.match(r"##? ", part):
                current = None
    return found


def test_every_erratum_has_its_section_and_no_other_has(sections):
    assert set(sections) == {anchor(i, "erratum") for i in published.errata()["id"]}


def test_every_erratum_is_shown_by_a_cell(sections):
    for target, (_, *cells) in sections.items():
        assert any("table(" in source for source in cells), target


def test_errata_stand_under_their_paper_in_the_order_of_the_list(sections):
    wanted = [
        anchor(i, "erratum")
        for paper in published.PAPERS for i in published.errata().query("paper == @paper")["id"]
    ]
    assert list(sections) == wanted


def test_references_to_errata_lead_somewhere(sections):
    for source in book.SOURCES.glob("*.md"):
        assert set(re.findall(r"\{ref\}`(erratum-[\w-]+)`", source.read_text())) <= set(sections)


def test_counts_add_up_to_the_list():
    counts = errata.counts()
    assert counts["all"].sum() == len(published.errata()) == len(errata.overview())
    kinds = ["certain", "text layer", "inferred"]
    assert (counts[kinds].sum(axis=1) == counts["all"]).all()


# ------------------------------------------------------------------ Bouckaert, ICML 2004


def test_e01_printed_bracket_is_wrong_and_regrouped_right_as_polynomials():
    n, p = sympy.symbols("n p")
    f = lambda x: p**x + (1 - p) ** x
    r, s = f(2), p * (1 - p)
    inner = 2 * (n - 2) * (n - 3) * f(4) + (4 - 2 * (n - 3)) * (n - 2) * f(3)
    # from the covariances of agreeing pairs, without either formula
    true = (4 * (n - 2) * s * (1 - 4 * s) + 2 * (r - r**2)) / (n * (n - 1))
    regrouped = (inner + ((n - 2) * (n - 3) + 2) * f(2)) / (n * (n - 1)) - r**2
    printed = (inner + (n - 2) * (n - 3) + 2) * f(2) / (n * (n - 1)) - r**2
    assert sympy.simplify(regrouped - true) == 0
    assert sympy.simplify(printed - true) != 0


def test_e02_variances_are_equal_for_two_repetitions_and_only_then():
    frame = errata.variances_of_r1_and_r2((2, 4, 6), p=QUARTER)
    r = Fraction(5, 8)
    for row in frame.itertuples():
        assert row.difference == 2 * (row.n - 2) * (1 - r) ** 2 / Fraction(row.n * (row.n - 1))
    assert (frame["difference"] == 0).tolist() == [True, False, False]


def test_e03_true_derivative_is_the_slope_of_the_variance():
    n, step = 5, Fraction(1, 1000)
    weights = bouckaert2004.random_weights(n, 1)
    pairs = [(i, j) for i in range(1, n + 1) for j in range(i + 1, n + 1)]
    frame = errata.derivatives_of_theorem_3_2(n, QUARTER, seed=1).set_index(["a", "b"])
    variance = lambda k: bouckaert2004.exact_moments(k, n, QUARTER)[1]
    for pair, row in frame.iterrows():
        moved = [[*weights], [*weights]]
        for k, sign in zip(moved, (1, -1)):
            k[pairs.index(pair)] += sign * step
            k[0] -= sign * step
        slope = (variance(moved[0]) - variance(moved[1])) / (2 * step)  # exact for a quadratic
        assert row["true"] == pytest.approx(float(slope), abs=1e-12)
        assert abs(row["printed"] - row["true"]) > 0.05


def test_e04_coefficient_is_the_variance_of_an_indicator():
    for row in errata.coefficients_of_theorem_3_2().itertuples():
        r = row.p**2 + (1 - row.p) ** 2
        if row.case == "a > 2":
            assert row.enumerated == r - r**2 == 2 * row.printed
        else:
            assert row.enumerated == (1 - r) / 2 == row.printed


def test_e05_variance_of_the_rank_sum_by_all_sign_vectors():
    n = 8
    sums = [sum(np.multiply(signs, range(1, n + 1))) for signs in product((0, 1), repeat=n)]
    row = errata.signed_rank_variance((n,)).iloc[0]
    assert row["enumerated"] == row["right"] == Fraction(int(np.var(sums) * 2**16), 2**16)
    assert row["printed"] < row["right"]
    for name in ("printed", "right"):
        z = (np.array(sums) - np.mean(sums)) / float(row[name]) ** 0.5
        rejected = np.abs(z) >= stats.norm.isf(0.025)
        assert row[f"size {name}"] == pytest.approx(100 * rejected.mean())


def test_e05_the_printed_variance_does_not_keep_the_level():
    frame = errata.signed_rank_variance((10, 20, 50))
    assert (frame["size printed"] > 12).all() and (frame["size right"] < 5).all()


def test_e06_the_two_tests_disagree_and_ranks_of_ties_need_a_rule():
    unpaired, paired = errata.rank_tests()["pvalue"]
    assert unpaired > 0.5 and paired == 2 / 2**8
    x = (1, -1, 1, -1, 2, 3, -3, 4)
    sums = {
        sum(rank for rank, i in enumerate(order, 1) if x[i] > 0)
        for order in permutations(range(8)) if all(
            abs(x[i]) <= abs(x[j]) for i, j in zip(order, order[1:])
        )
    }
    least, greatest = errata.ranks_of_ties(x)["sum of positive ranks"][[1, 0]]
    assert (min(sums), max(sums)) == (least, greatest)


def test_e07_sizes_of_the_sign_test():
    frame = errata.sign_test_rule((10, 20)).set_index("n")
    for n in (10, 20):
        tail = lambda low, high: 100 * sum(comb(n, i) for i in range(low, high + 1)) / 2**n
        printed, exact = frame.loc[n].itertuples(index=False)
        for _, up_to, from_, size in (printed, exact):
            assert size == tail(0, up_to) + tail(from_, n)
        assert printed[3] > 5 >= exact[3] and exact[1] + exact[2] == n
        # one plus more or less, and the exact test would exceed 2.5 % on a side
        assert tail(0, exact[1]) < 2.5 <= tail(0, exact[1] + 1)


def test_e08_printed_statistic_is_the_reciprocal():
    frame = errata.t_statistic()
    assert np.allclose(frame["product"], 1) and frame["printed"].is_monotonic_decreasing
    x = frame["mean"].iloc[0] + np.array([-2, -1, 0, 1, 2])
    assert frame["t"].iloc[0] == pytest.approx(stats.ttest_1samp(x, 0).statistic)


@pytest.mark.parametrize("runs, folds", [(3, 3), (2, 5), (10, 10), (1, 4)])
def test_e09_mended_index_meets_every_fold_of_every_run_once(runs, folds):
    frame = errata.use_all_data_index(runs, folds)
    block = set(product(range(1, runs + 1), range(1, folds + 1)))
    assert set(zip(frame["right run"], frame["fold"])) == block
    assert set(zip(frame["printed run"], frame["fold"])) != block


def test_e10_agreeing_and_differing_exhaust_the_outcomes():
    frame = errata.events_of_lemma_3_1()
    assert (frame["right sum"] == 1).all()
    assert (frame["printed sum"] == [2 * (p**2 + (1 - p) ** 2) for p in frame["p"]]).all()


def test_e11_smallest_estimate():
    frame = errata.smallest_estimates((2, 4, 10, 100))
    assert frame["least R2"].tolist() == [Fraction(n // 2 - 1, n - 1) for n in frame["n"]]
    below = errata.estimates_below_one_half()
    draws = bouckaert_frank2004.table_1_draws().to_numpy()
    assert below["below one half"].iloc[0] == np.isin(draws, (4, 5, 6)).sum()  # 20/45 and 21/45
    assert below["cells"].tolist() == [81, 243]


def test_e12_three_outcomes_are_replicated_less_often():
    pairs = lambda *groups: Fraction(sum(comb(g, 2) for g in groups), comb(10, 2))
    for a, b, none, two, three in errata.three_outcomes().itertuples(index=False):
        assert two == pytest.approx(float(pairs(a + b, none)))
        assert three == pytest.approx(float(pairs(a, b, none)))
        assert (pairs(a, b, none) < pairs(a + b, none)) == (a > 0 and b > 0)


def test_e13_all_printed_means_follow_from_rounding_first():
    frame = errata.means_of_table_2()
    assert len(frame) == 12 and np.allclose(frame["rounded first"], frame["printed"], atol=1e-9)
    assert (frame["unrounded"].round(1) != frame["printed"]).sum() >= 6
    header = errata.header_of_table_2()
    assert header["digits printed"].sum() == 28 and header["data sets"].sum() == 27


def test_e13_the_stated_half_width_is_that_of_the_means_of_r2():
    widths = bouckaert2004.table_2_half_widths()
    limit = published.value("bouckaert2004.cap.tab02_ci")
    assert (widths["r2"] <= limit).all() and (widths["normalised"] > limit).any()


def test_e45_same_margins_other_test_sets():
    frame = errata.size_of_the_test_sets()
    assert frame["margins"].nunique() == 1 and frame["test instances"].nunique() == 2


def test_e46_printed_values_are_those_of_the_normalised_column():
    cells = published.cells("bouckaert2004.tab01").set_index("cell_id")["value"]
    sorted_runs = cells[cells.index.str.endswith("average_sorted_runs.min_norm_repl")]
    called = errata.scale_of_section_4()["called replicability"]
    assert set(sorted_runs) == set(called[:3]) and called.iloc[3] == 50


# ------------------------------------------------------------------ Bouckaert and Frank, PAKDD 2004


def test_e33_two_decreases_neither_in_the_last_row():
    table = bouckaert_frank2004.printed_table(2)
    found = bouckaert_frank2004.decreases(table)
    assert set(zip(found["pair"], found["measure"])) == {
        ("nb_c45", "consistent"), ("c45_nn", "almost_consistent"),
    }
    assert (found["before"] - found["after"] == 1).all()
    assert table.loc[("c45_nn", "replicability_R")].is_monotonic_increasing


def test_e34_resampling_is_ahead_for_one_pair():
    frame = errata.cross_validation_against_resampling()
    ahead = frame[frame["better"] == "resampling"]
    assert set(ahead["pair"]) == {"c45_nn"}
    assert set(ahead["measure"]) == {"consistent", "replicability_R"}


# ------------------------------------------------------------------ Berrar, JMLR 2024


def test_e35_twice_the_sum():
    one, two = errata.two_tailed_p_value()["value"]
    printed = published.value("berrar2024.ex01.p")
    assert two == pytest.approx(stats.binomtest(29, 44).pvalue)
    assert round(two, 4) == printed != round(one, 4)


def test_e36_printed_digits_follow_from_rounded_rates():
    frame = errata.power_of_44_data_sets()
    for row in frame.iloc[:2].itertuples(index=False):
        assert f"{row[2]:.4f}" == row.printed != f"{row[3]:.4f}"
    last = frame.iloc[2]
    assert f"{last['from the exact rate']:.3f}" != last["printed"]


def test_e37_mean_of_the_noncentral_t_by_quadrature():
    frame = errata.mean_under_the_alternative().set_index("T is")
    for row in frame.itertuples():
        density = lambda t: stats.nct.pdf(t, 9, row.noncentrality)
        mean, _ = integrate.quad(lambda t: t * density(t), -20, 200, limit=500)
        assert mean == pytest.approx(row.mean, abs=1e-5)
    assert frame.at["the mean", "mean"] == frame.at["the noncentrality", "noncentrality"]
    point = frame["replication probability"].iloc[0]
    assert round(point, 4) == published.value("berrar2024.ex04.P")


def test_e39_by_simulation():
    frame = errata.estimate_after_significance((0.6,), 44).iloc[0]
    wins = np.random.default_rng(39).binomial(44, 0.6, size=200_000)
    wins = wins[wins >= 29]
    # four standard errors, one chance in 10^4 each
    assert len(wins) / 200_000 == pytest.approx(frame["truth"], abs=4 * 0.001)
    estimate = stats.binom.sf(28, 44, wins / 44)
    assert estimate.mean() == pytest.approx(
        frame["mean estimate"], abs=4 * estimate.std() / len(wins) ** 0.5
    )
    assert frame["mean rate"] > 0.6 and frame["mean estimate"] > frame["truth"]


def test_e40_rows_of_table_1():
    frame = errata.studies_in_table_1()
    assert frame[frame["design"] == "cross-validation"]["study"].tolist() == ["#3", "#4"]


def test_e41_only_the_mended_start_fits_the_text():
    frame = errata.start_sizes_of_algorithm_2()
    printed, right, text = frame.drop(columns="start sizes").to_numpy()
    assert (right == text).all() and (printed != text).all()


def test_e42_most_lines_moved_by_two():
    frame = errata.lines_of_algorithm_2().iloc[:-1]
    assert (frame["right line"].astype(int) - frame["cited line"].astype(int) == 2).all()


def test_e43_table_1_needs_more_than_twenty_features():
    text, algorithm, figure, table = errata.groups_of_study_4()["up to"]
    assert text == 20 < table == 24 <= algorithm == figure == 30


def test_e44_no_t_that_rounds_to_the_printed_one_gives_the_printed_digit():
    frame = errata.last_digit_of_study_4()
    t = np.linspace(2.26185, 2.26195, 21)
    right = stats.nct.sf(stats.t.isf(0.025, 9), 9, t)
    printed = published.value("berrar2024.s4.P11")
    assert (right.round(4) == round(printed - 0.0001, 4)).all()
    assert frame["exact critical value"].to_numpy() == pytest.approx(right[[0, 10, 20]])
    assert (frame["critical value 2.262"].round(4) == printed).all()


def test_e51_printed_interval_can_miss_its_own_estimate():
    frame = errata.interval_at_other_levels((0.5, 0.95)).set_index("1 - c")
    half, usual = frame.loc[0.5], frame.loc[0.95]
    assert half["printed low"] > half["point"] > half["right low"]
    assert usual["printed low"] == pytest.approx(usual["right low"])
    df, point = 9, published.value("berrar2024.ex04.t")
    low = stats.nct.ppf(0.25, df, point)
    assert half["printed low"] == pytest.approx(stats.nct.sf(stats.t.isf(0.25, df), df, low))


def test_e52_swapping_the_classifiers_changes_the_printed_statistic():
    x = np.array([1, 2, 3, 4, 5, 6, 7, -8.0])
    frame = errata.swapped_classifiers(x)
    mean, sd = 8 * 9 / 4, (8 * 9 * 17 / 24) ** 0.5
    assert frame["W+"].tolist() == [28, 8]
    assert frame["printed Z"].to_numpy() == pytest.approx((np.array([28, 8]) - mean - 0.5) / sd)
    assert frame["right Z"].sum() == pytest.approx(0)
    assert frame["printed Z"].sum() != pytest.approx(0)
