"""Tables as a whole: ranks of a distance, and the checks that a shuffled table would pass."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest

from companion.papers import ledger, published

CELLS = [
    f"bouckaert2004.tab01.ranksum.{scheme}.source2"
    for scheme in (
        "resampling",
        "k_fold_cv",
        "use_all_data",
        "average_over_folds",
    )
]


@pytest.fixture(autouse=True)
def _no_words(monkeypatch):
    """The numbers alone, without words from `judgements.csv`."""
    monkeypatch.setattr(published, "judgements", dict)


def test_the_distance_is_that_from_the_mean_of_all_tables():
    ours = np.array([[1.0, 2.0, 4.0], [0.0, 0.0, 3.0], [5.0, 5.0, 5.0]])
    printed = np.array([9.0, 1.0, 5.0])
    tables = np.column_stack([ours, printed])
    expected = [
        np.mean(
            [(x - row.mean()) ** 2 / row.var() for x, row in zip(table[:2], tables)]
            + [0.0]
        )
        for table in tables.T
    ]
    found = ledger.joint_test(printed, ours)
    assert found["distance"] == pytest.approx(expected[-1])
    assert found["largest"] == pytest.approx(max(expected[:-1]))
    assert found["pvalue"] == np.mean(np.array(expected) >= expected[-1] - 1e-12)
    assert (found["cells"], found["replicas"]) == (3, 3)


def test_the_joint_test_rejects_as_often_as_it_says_even_if_cells_depend_on_one_another():
    """Every rank of an exchangeable table is equally likely: exactly, as each is printed once."""
    rng = np.random.default_rng(3)
    tables = rng.standard_normal((6, 1)) @ rng.random((1, 5)) + rng.exponential(
        size=(6, 5)
    )
    pvalues = [
        ledger.joint_test(tables[k], np.delete(tables, k, axis=0).T)["pvalue"]
        for k in range(6)
    ]
    assert sorted(pvalues) == pytest.approx(np.arange(1, 7) / 6)


@pytest.mark.parametrize("unit", [1e-3, 1e3])
def test_the_joint_test_is_the_same_in_any_unit(unit):
    rng = np.random.default_rng(5)
    ours, printed = rng.random((4, 7)), rng.random(4)
    scaled = ledger.joint_test(unit * printed, unit * ours)
    assert scaled == pytest.approx(ledger.joint_test(printed, ours))


def test_a_table_far_from_ours_has_the_least_probability():
    ours = np.random.default_rng(4).normal(50, 5, size=(8, 20))
    assert ledger.joint_test(np.full(8, 80.0), ours)["pvalue"] == 1 / 21
    assert ledger.joint_test(np.full(8, 50.0), ours)["pvalue"] > 0.5


def test_a_table_that_is_far_as_a_whole_is_flagged_though_every_cell_agrees():
    """Four cells, all two standard deviations too high; twenty tables with their own noise."""
    noise = np.random.default_rng(6).normal(size=(4, 20))
    values = published.facts().loc[CELLS, "value"].to_numpy(dtype=float)
    for off, is_far in ((2.0, True), (0.0, False)):
        found = rows(
            rebuilt=values - off,
            standard_error=0.2,
            published_error=1.0,
            replicas=list(noise + values[:, None] - off),
        )
        table = ledger.by_table(found).loc["bouckaert2004.tab01"]
        assert table["agree"] == 1 and table["far"] == is_far


def rows(**columns):
    frame = pd.DataFrame({"id": CELLS, **columns})
    return ledger.compare(frame, chapter="test")


def test_the_shuffle_figure_is_the_mean_over_all_shuffled_tables():
    found = rows(rebuilt=[27.0, 28.0, 71.0, 75.0], standard_error=[0.5, 3.0, 3.0, 4.0])
    facts = published.facts().loc[CELLS]
    shares = []
    for order in permutations(range(4)):
        shuffled = found.assign(moved=facts["value"].to_numpy()[list(order)])
        beyond = (shuffled["moved"] - shuffled["rebuilt"]).abs() - 0.05
        joint = np.hypot(shuffled["standard_error"], facts["standard_error"].to_numpy())
        shares.append((beyond <= ledger.MAX_Z * joint).mean())
    assert ledger.shuffled_share(found) == pytest.approx(np.mean(shares))
    assert (
        0 < ledger.shuffled_share(found) < (found["verdict"] == "within noise").mean()
    )


@pytest.mark.parametrize("off, share", [(0.049, 0.25), (0.05, 0.25), (0.051, 0)])
def test_a_printed_digit_is_worth_half_of_itself(off, share):
    values = published.facts().loc[CELLS, "value"].to_numpy(dtype=float)
    for side in (-off, off):
        found = rows(rebuilt=values + side, standard_error=0.0, published_error=0.0)
        assert ledger.shuffled_share(found) == share


def test_a_dot_in_the_place_of_a_number_stands_for_none_or_all():
    """It agrees like any other count: up to three standard errors."""
    cells = published.cells("bouckaert2004.tab02")
    dots = cells.loc[cells["value"].isna(), "cell_id"].iloc[:4]
    frame = pd.DataFrame({"id": dots, "rebuilt": [0.4, 9.6, 2.0, 13.0]})
    frame["standard_error"] = 0.15
    found = ledger.compare(frame.assign(holds=True), chapter="test")
    assert ledger.shuffled_share(found) == 0.5
    # beside a 9 and a 4: the first two rows agree with both dots, the third with the 9
    whole = [cells.loc[cells["value"] == value, "cell_id"].iloc[0] for value in (9, 4)]
    frame = pd.DataFrame({"id": [*dots[:2], *whole], "rebuilt": [0.4, 9.6, 9.3, 5.0]})
    found = ledger.compare(
        frame.assign(standard_error=0.15, holds=True), chapter="test"
    )
    assert ledger.shuffled_share(found) == (2 + 2 + 1 + 0) / 16


def test_the_shuffle_figure_of_unpublished_inputs_is_by_prediction_intervals():
    replicas = [
        [20.0, 24.0, 30.0],
        [20.0, 40.0, 75.0],
        [65.0, 71.0, 75.0],
        [75.0, 75.1, 75.2],
    ]
    found = rows(rebuilt=25.0, replicas=replicas, in_kind="networks are unpublished")
    values = published.facts().loc[CELLS, "value"]
    ends = [ledger.prediction_interval(ours, rounding=0.05) for ours in replicas]
    expected = [[low <= x <= high for x in values] for low, high in ends]
    assert ledger.shuffled_share(found) == np.mean(expected) < 1


def test_replicas_of_published_inputs_do_not_judge_a_shuffled_table():
    judged = {
        "rebuilt": [27.0, 28.0, 71.0, 75.0],
        "standard_error": [0.5, 3.0, 3.0, 4.0],
    }
    replicas = [[0.0, 100.0]] * 4
    plain, with_replicas = rows(**judged), rows(**judged, replicas=replicas)
    assert ledger.shuffled_share(with_replicas) == ledger.shuffled_share(plain) < 1
    in_kind = rows(
        **judged, in_kind="seeds are unpublished"
    )  # but nothing has been drawn again
    assert ledger.shuffled_share(in_kind) == ledger.shuffled_share(plain)


def test_a_source_has_its_own_cells_and_only_those_of_unpublished_inputs():
    others = [cell.replace("source2", "source3") for cell in CELLS]
    frame = pd.DataFrame({"id": CELLS + others, "rebuilt": 28.0})
    frame["replicas"] = [[20.0, 30.0 + k] for k in range(8)]
    frame["in_kind"] = ["networks are unpublished"] * 7 + [None]
    table = ledger.by_table(ledger.compare(frame, chapter="test"))
    assert table["cells"].to_dict() == {
        "bouckaert2004.tab01": 8,
        "bouckaert2004.tab01, source2": 4,
        "bouckaert2004.tab01, source3": 3,
    }


def test_the_joint_test_is_of_cells_that_have_a_number_and_replicas():
    """A dot is not a number, and one of the others was computed only once."""
    cells = published.cells("bouckaert2004.tab02").query("unit == 'count of 10'")
    cells = cells.set_index("cell_id")["value"]
    numbers = cells[cells.notna()].iloc[:3]
    replicas = [[1.0, 2.0, 4.0], [3.0, 9.0, 9.0], [5.0, 5.0, 6.0]]
    frame = pd.DataFrame(
        {"id": [*numbers.index, cells.index[cells.isna()][0]], "rebuilt": 5.0}
    )
    frame["replicas"] = [replicas[0], replicas[1], None, replicas[2]]
    found = ledger.by_table(
        ledger.compare(frame.assign(holds=True), chapter="test")
    ).iloc[0]
    expected = ledger.joint_test(numbers.iloc[:2], replicas[:2])
    assert found["cells"] == 4
    for name in ("replicas", "distance", "largest", "pvalue"):
        assert found[name] == expected[name]


def test_figures_leave_out_what_follows_from_print():
    printed = published.facts().loc[CELLS, "value"]
    columns = {
        "rebuilt": 28.0,
        "in_kind": "networks are unpublished",
        "recounted": ["searched for", None, None, None],
    }
    # one more of three replicas lies within 18 or within 45 points
    for spread, agree in ((0.4, 1), (1.0, 0)):
        replicas = [[x - spread, x, x + spread] for x in printed]
        table = ledger.by_table(rows(**columns, replicas=replicas))
        assert table.index.tolist() == [
            "bouckaert2004.tab01",
            "bouckaert2004.tab01, source2",
        ]
        assert (table["cells"] == 3).all() and (table["agree"] == agree).all()
        assert (table["replicas"] == 3).all()


def test_a_table_that_only_repeats_print_has_no_figures():
    cells = published.cells("berrar2024.tab02")
    frame = pd.DataFrame({"id": cells["cell_id"], "rebuilt": cells["value"]})
    table = ledger.by_table(ledger.compare(frame, chapter="test"))
    numbers = table.loc["berrar2024.tab02"]
    assert (numbers["rows"], numbers["cells"], numbers["could_fail"]) == (
        len(cells),
        0,
        0,
    )
    assert numbers.drop(["rows", "cells", "could_fail"]).isna().all()


@pytest.mark.parametrize("error, share", [(0.1, 4), (8.0, 2), (30.0, 0)])
def test_a_row_could_fail_if_its_check_does_not_admit_every_number(error, share):
    """In percent, from 0 to 100: three standard errors and half a digit on either side."""
    found = rows(
        rebuilt=[23.0, 50.0, 77.0, 50.0],
        standard_error=[error, 2.1 * error] * 2,
        published_error=0.0,
    )
    assert ledger.by_table(found).loc["bouckaert2004.tab01", "could_fail"] == share
