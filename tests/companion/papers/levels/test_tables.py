"""Which table says at which level the other one is judged, and that no number judges itself."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from companion import stored
from companion.papers import ledger, published, synthetic
from companion.papers.bouckaert2004 import table_1
from companion.papers.bouckaert_frank2004 import table_5
from companion.papers.levels import committed, tables

TABLES = (table_1.TABLE, table_5.TABLE)
MEASURES = ["rejected", "consistent", "replicability_normalized"]
DESIGNS = sorted(
    {
        *table_1.TABLE.rows.values(),
        *table_5.TABLE.rows.values(),
        table_1.LENIENT_SIGN_TEST,
    }
)


@pytest.fixture(scope="module")
def of_networks():
    """Measures that are linear in the level, with noise: all designs on all networks."""
    rng = np.random.default_rng(8)
    rows = {}
    for name in committed.names():
        source, place = committed.source_and_place(name)
        level = committed.table().at[name, "naive_bayes"]
        for number, design in enumerate(DESIGNS):
            mean = 50 + 1.5 * (level - 75) + number
            noisy = mean + rng.normal(size=len(MEASURES))
            rows[place, source, design] = dict(zip(MEASURES, noisy))
    frame = pd.DataFrame(rows).T.rename_axis(["network", "source", "design"])
    return frame.sort_index()


@pytest.fixture(scope="module")
def of_margins():
    """Ten networks of source 1, which has no level."""
    rng = np.random.default_rng(9)
    rows = {
        (place, 1, design): dict(zip(MEASURES, 50 + rng.normal(size=3)))
        for place in range(10)
        for design in DESIGNS
    }
    return pd.DataFrame(rows).T.rename_axis(["network", "source", "design"])


@pytest.fixture
def moved(monkeypatch):
    """A function that moves the printed numbers of some rows of a table."""
    printed = synthetic.printed

    def move(item, designs, by=4.0):
        def moved_print(table):
            frame = printed(table)
            is_moved = frame["design"].isin(designs) & (table.item == item)
            return frame.assign(printed=frame["printed"] + by * is_moved)

        monkeypatch.setattr(synthetic, "printed", moved_print)

    return move


def intervals(of_networks, of_margins, table):
    rows = tables.predicted_rows(of_networks, of_margins, table)
    return np.array(rows["interval"].tolist())


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.item)
def test_no_number_has_a_say_in_its_own_judgement(
    of_networks, of_margins, moved, table
):
    """Moving a table leaves the intervals that judge it, and moves those of the other table."""
    before = intervals(of_networks, of_margins, table)
    moved(table.item, DESIGNS)
    assert np.array_equal(intervals(of_networks, of_margins, table), before)
    other = tables.JUDGED_BY[table.item]
    assert other.item != table.item
    moved(other.item, DESIGNS)
    assert not np.allclose(intervals(of_networks, of_margins, table), before)


def test_rows_in_doubt_say_nothing_about_the_level(of_networks, moved):
    for table in TABLES:
        before = tables.estimates(of_networks, table)
        assert set(tables.IN_DOUBT) & set(table.rows.values())
        moved(table.item, tables.IN_DOUBT, by=20.0)
        after = tables.estimates(of_networks, table)
        assert all(after[s].level == before[s].level for s in tables.SOURCES)


def test_the_level_is_where_the_curves_meet_the_printed_numbers(
    of_networks, monkeypatch
):
    """Printed numbers that are those of level 73 on every row."""
    printed = synthetic.printed

    def at_73(table):
        frame = printed(table)
        values = 50 + 1.5 * (73 - 75) + frame["design"].map(DESIGNS.index)
        return frame.assign(printed=values)

    monkeypatch.setattr(synthetic, "printed", at_73)
    for table in TABLES:
        for source, found in tables.estimates(of_networks, table).items():
            low, _ = committed.search_terms()["windows"][str(source)]
            if low < 73:
                assert abs(found.level - 73) < 4 * found.deviation < 4
                assert found.pvalue > 0.001


def test_every_cell_has_a_row_with_an_interval(of_networks, of_margins):
    for table in TABLES:
        rows = tables.predicted_rows(of_networks, of_margins, table)
        assert set(rows["id"]) == set(synthetic.printed(table)["id"])
        low, high = np.array(rows["interval"].tolist()).T
        assert ((low < rows["rebuilt"]) & (rows["rebuilt"] < high)).all()
        judged = ledger.compare(rows, chapter="any")
        assert set(judged["verdict"]) <= {"in kind", "not comparable", "differs"}
        facts = published.facts().loc[judged["id"]]
        inside = facts["value"].between(judged["low"].values, judged["high"].values)
        assert ((judged["verdict"].values != "differs") == inside).all()
        of_minimum = rows["column"] == table.minimum
        least = rows[~of_minimum].groupby("design")["rebuilt"].min()
        if table.least == table.measure:
            of_least = rows[of_minimum].set_index("design")["rebuilt"]
            assert (of_least <= least[of_least.index] + 1e-6).all()


def test_at_the_levels_one_comparison_of_sources_is_undecided_and_none_contradicted():
    """What ``judgements.csv`` says of claim 6 of Bouckaert and Frank."""
    results = {name: stored.load(name) for name in tables.NEEDS}
    of_margins = synthetic.measures_by_network(results["synthetic_decisions"])
    rows = tables.predicted_rows(
        tables.measured(results), of_margins, table_5.TABLE
    ).set_index(["design", "column"])
    rebuilt, error = (rows[name].unstack() for name in ("rebuilt", "standard_error"))
    others = rebuilt.index.drop("five_by_two_cv")
    reversed_order = [
        (design, easy, hard)
        for design in others
        for easy, hard in product(("source1", "source4"), ("source2", "source3"))
        if rebuilt.at[design, easy] < rebuilt.at[design, hard]
    ]
    assert reversed_order == [("corrected_resampled_10", "source4", "source2")]
    (design, easy, hard), *_ = reversed_order
    gap = rebuilt.at[design, hard] - rebuilt.at[design, easy]
    assert gap < np.hypot(error.at[design, hard], error.at[design, easy])
    sources = list(synthetic.SOURCE_COLUMNS)
    assert rebuilt.loc["five_by_two_cv", sources].idxmin() == "source4"


def test_what_explains_power_is_the_level_where_power_is_made_of_it(of_networks):
    noisy = of_networks.assign(rejected_error=0.5)
    found = tables.explained_by(noisy, DESIGNS[0])
    assert list(found.index) == list(tables.SOURCES)
    assert (found["level"] < found["margin"] / 2).all()
    # the noise has a standard deviation of 1
    assert found["level"].between(0.6, 1.5).all()
    assert (found["noise"] == 0.5).all()
