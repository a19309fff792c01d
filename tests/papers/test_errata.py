"""Each erratum again, by another way than the one the book shows; and the page as a whole."""

import re

import jupytext
import numpy as np
import pytest
from scipy import integrate, stats

from replib.book import chapters as book
from replib.book.display import anchor
from replib.papers import errata, published

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
    listed = errata.overview()
    assert counts["all"].sum() + counts["remarks"].sum() == len(published.errata()) == len(listed)
    assert counts["remarks"].sum() == (listed["kind"] == "remark").sum() == 4
    kinds = ["certain", "text layer", "inferred"]
    assert (counts[kinds].sum(axis=1) == counts["all"]).all()


# ------------------------------------------------------------------ Bouckaert, ICML 2004


# ------------------------------------------------------------------ Bouckaert and Frank, PAKDD 2004


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
