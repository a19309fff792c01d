"""Replicability of tables: decreases and orders counted one by one, and chance disagreements."""

from itertools import pairwise, product

import numpy as np
import pytest

from companion.papers import ledger, uci
from companion.papers.bouckaert_frank2004 import section_3, tables_2_to_4
from companion.studies import replicability_of_tables


def summaries(results, test, pair, runs):
    return uci.summaries(section_3.acceptances(results, test, pair, runs=runs))


def win(a, b):
    """Return 1 if a is larger, 0 if b is, and one half if they are equal."""
    return (a > b) + (a == b) / 2


@pytest.mark.parametrize("number", [2, 3])
def test_falls_are_counted_row_by_row(made_up, number):
    found = replicability_of_tables.falls_of_a_table(number, made_up)
    falls = np.zeros(2, int)  # two tables of ten experiments
    for pair in uci.PAIRS:
        columns = [
            summaries(made_up, options["test"], pair, options["runs"])
            for options in tables_2_to_4.columns(number).values()
        ]
        for before, after in pairwise(columns):
            for table, measure in product(range(2), before):
                falls[table] += after[measure].iloc[table] < before[measure].iloc[table]
    assert found.tolist() == falls.tolist() and (falls > 0).all()


def test_order_at_equal_effort_compares_every_pair_of_tables(made_up):
    found = replicability_of_tables.order_at_equal_effort(made_up)
    assert len(found) == 3 * len(tables_2_to_4.TABLE_3_RUNS)
    for (pair, rounds), row in found.iterrows():
        resampling = summaries(made_up, "resampling", pair, rounds)["replicability_R"]
        repeated = summaries(made_up, "cross_validation", pair, rounds // 10)[
            "replicability_R"
        ]
        assert row["ahead"] == pytest.approx(repeated.mean() - resampling.mean())
        wins = [win(b, a) for a, b in product(resampling, repeated)]
        assert row["wins"] == np.mean(wins)
        column = tables_2_to_4.TABLE_2_RUNS.index(rounds)
        in_print = [
            tables_2_to_4.printed_table(number)
            .xs("replicability_R", level="measure")
            .loc[pair]
            .iloc[column]
            for number in (3, 2)
        ]
        assert row["printed"] == win(*in_print)


def test_what_is_printed_as_we_have_it_is_not_outside_but_would_be_by_chance(made_up):
    ours = tables_2_to_4.table(3, made_up)
    rarest = [
        0 if law is None or law[0] < law[-1] else len(law) - 1 for law in ours["law"]
    ]
    can_fail = [
        law is None or ledger.chances(law).min() < ledger.LEVEL for law in ours["law"]
    ]
    for printed, outside in ((ours["rebuilt"], 0), (rarest, sum(can_fail))):
        judged = {"Table 3": ours.assign(printed=printed)}
        found = replicability_of_tables.expected_disagreements(
            judged, made_up, tables=400
        ).loc["Table 3"]
        assert (
            found["outside"] == outside
            and found["cells"] == len(ours) > sum(can_fail) > 0
        )
        assert 0 < found["by_chance"] < found["cells"]
