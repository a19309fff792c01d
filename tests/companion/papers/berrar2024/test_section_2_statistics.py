"""Z and T in Berrar (2024): against R, and errata."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import integrate, stats

from companion.papers import ledger, published
from companion.papers.berrar2024 import (
    law_of_t,
    section_1,
    section_2_statistics,
    section_2_wins,
)


def test_signed_rank_statistic_as_printed_agrees_with_r(golden):
    golden = pd.read_csv(golden("berrar/table_zw_cases.csv"))
    ours = [
        section_2_statistics.printed_signed_rank_z([int(x) for x in counts.split()])
        for counts in golden["diff_counts"]
    ]
    assert_allclose(ours, golden["z_paper_cc"], atol=1e-10)


def test_corrected_t_as_printed_agrees_with_r(golden):
    golden = pd.read_csv(golden("berrar/table_t_cases.csv"))
    checked = 0
    for row in golden.itertuples():
        counts = [int(x) for x in row.diff_counts.split()]
        if len(set(counts)) == 1:
            continue  # no variance: 0/0 or infinite, which the README of the golden files excludes
        differences = [Fraction(x, row.n_valid) for x in counts]
        ratio = Fraction(row.n_valid, row.n_train)
        ours = section_2_statistics.printed_corrected_t(differences, ratio)
        assert ours == pytest.approx(row.t, abs=1e-10)
        checked += 1
    assert checked > 5


def test_e37_mean_of_the_noncentral_t_by_quadrature():
    frame = section_2_statistics.mean_under_the_alternative().set_index("T is")
    for row in frame.itertuples():
        density = lambda t: stats.nct.pdf(t, 9, row.noncentrality)
        mean, _ = integrate.quad(lambda t: t * density(t), -20, 200, limit=500)
        assert mean == pytest.approx(row.mean, abs=1e-5)
    assert (
        frame.at["the mean", "mean"] == frame.at["the noncentrality", "noncentrality"]
    )
    point = frame["replication probability"].iloc[0]
    assert round(point, 4) == published.value("berrar2024.ex04.P")


def test_e51_printed_interval_can_miss_its_own_estimate():
    frame = section_2_statistics.interval_at_other_levels((0.5, 0.95)).set_index(
        "1 - c"
    )
    half, usual = frame.loc[0.5], frame.loc[0.95]
    assert half["printed low"] > half["point"] > half["right low"]
    assert usual["printed low"] == pytest.approx(usual["right low"])
    df, point = 9, published.value("berrar2024.ex04.t")
    low = stats.nct.ppf(0.25, df, point)
    assert half["printed low"] == pytest.approx(
        stats.nct.sf(stats.t.isf(0.25, df), df, low)
    )


def test_e52_swapping_the_classifiers_changes_the_printed_statistic():
    x = np.array([1, 2, 3, 4, 5, 6, 7, -8.0])
    frame = section_2_statistics.swapped_classifiers(x)
    mean, sd = 8 * 9 / 4, (8 * 9 * 17 / 24) ** 0.5
    assert frame["W+"].tolist() == [28, 8]
    assert frame["printed Z"].to_numpy() == pytest.approx(
        (np.array([28, 8]) - mean - 0.5) / sd
    )
    assert frame["right Z"].sum() == pytest.approx(0)
    assert frame["printed Z"].sum() != pytest.approx(0)


ERRATA = {
    "ex01": "e35",
    "ex01.P_b": "e36",
    "ex01.p_again": "e36",
    "txt24.P_b": "e36",
    "prop02": "e37",
    "eq14": "e38",
    "eq10": "e52",
    "cl.16": "e39",
    "cl.17": "e59",
}


@pytest.fixture(scope="module")
def rebuilt() -> pd.DataFrame:
    frames = [
        module.ledger_rows()
        for module in (section_1, section_2_wins, section_2_statistics)
    ]
    return ledger.compare(*frames, chapter="test").set_index("id")


def test_section_2_agrees_with_print_or_is_an_erratum(rebuilt):
    facts = published.facts().query("paper == 'berrar2024' and check_by == 'formula'")
    of_section_2 = facts[facts["where"].str.contains("Example|Figure [1-4]$|Section 2")]
    assert set(of_section_2.index) <= set(rebuilt.index)
    found = rebuilt.loc[rebuilt["verdict"] == "erratum", "erratum"]
    assert found.to_dict() == {
        f"berrar2024.{i}": f"berrar2024.{e}" for i, e in ERRATA.items()
    }
    assert set(rebuilt["verdict"]) == {"exact", "holds", "recounted", "erratum"}
    # they follow from other printed numbers, or from a row that was read off a figure
    recounted = set(rebuilt.index[rebuilt["verdict"] == "recounted"])
    facts = ("cited.oakes_share", "fig02.p32", "fig03.mu1")
    probabilities = ("fig04.P", "fig04.P_lo", "fig04.P_hi")
    assert recounted == {f"berrar2024.{fact}" for fact in (*facts, *probabilities)}


def test_other_parameters_change_the_verdicts():
    rows = (
        section_2_wins.ledger_rows(wins=31),
        section_2_statistics.ledger_rows(folds=5),
    )
    frame = ledger.compare(*rows, chapter="test")
    assert (frame["verdict"] == "differs").sum() > 10


def test_widths_are_those_of_the_printed_intervals():
    printed = {
        key: published.value(f"berrar2024.{key}")
        for key in (
            "ex04.P_lo",
            "ex04.P_hi",
            "fig04.p",
            "fig04.P_lo",
            "fig04.P_hi",
            "ex03.P_lo",
            "ex03.P_hi",
        )
    }
    found = section_2_statistics.widths([0.05, printed["fig04.p"]])
    folds = [
        printed["ex04.P_hi"] - printed["ex04.P_lo"],
        printed["fig04.P_hi"] - printed["fig04.P_lo"],
    ]
    assert_allclose(found["cross-validation"], folds, atol=0.0011)
    assert found.at[0, "s* = 1"] == pytest.approx(
        printed["ex03.P_hi"] - printed["ex03.P_lo"]
    )
    assert (found["printed s*"] <= found["s* = 1"]).all()


@pytest.mark.parametrize(
    "fact, works",
    [
        (
            "cl.11",
            lambda monkeypatch: monkeypatch.setattr(
                section_2_statistics,
                "widths",
                lambda p: pd.DataFrame(
                    {"cross-validation": 0.2 + 0 * p, "s* = 1": 0.9, "printed s*": 0.9}
                ),
            ),
        ),
        (
            "cl.17",
            lambda monkeypatch: monkeypatch.setattr(
                section_2_statistics.correlated_differences,
                "scale_of_t",
                lambda correlation, folds: 0.7,
            ),
        ),
    ],
)
def test_statements_can_fail(fact, works, monkeypatch):
    judge = lambda: (
        ledger.compare(
            section_2_statistics.statements_about_intervals_and_t(), chapter="test"
        )
        .set_index("id")
        .at[f"berrar2024.{fact}", "verdict"]
    )
    assert judge() != "differs"
    works(monkeypatch)
    assert judge() == "differs"


def test_figures_2_to_4_show_what_their_captions_say():
    two, three, four = (
        section_2_wins.figure_2(),
        section_2_statistics.figure_3(),
        section_2_statistics.figure_4(),
    )
    assert ((two["low_binomial"] <= 0.5) == (two["p"] >= 0.00038)).all()
    for column, peak in {
        "null": 0,
        "alternative": 1.96,
        "worst": 0,
        "best": 3.92,
    }.items():
        assert (
            abs(three.loc[three[column].idxmax(), "x"] - peak)
            <= three["x"].diff().iloc[1]
        )
    assert (four["point"].diff().dropna() < 0).all()
    assert ((four["low"] < four["point"]) & (four["point"] < four["high"])).all()
    marked = np.log(law_of_t.threshold()[0])
    assert abs(np.interp(marked, np.log(four["p"]), four["point"]) - 0.95) < 1e-3
