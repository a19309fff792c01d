"""Section 4 of Berrar (2024): Table 1, its groups, no row open."""

import pandas as pd
import pytest
from numpy.testing import assert_allclose

from companion import stored
from companion.papers import ledger, published
from companion.papers.berrar2024 import (
    section_1,
    section_2_statistics,
    section_2_wins,
    study_1,
    study_2,
    study_3,
    study_4,
    summary,
)


def test_e40_rows_of_table_1():
    frame = summary.studies_in_table_1()
    assert frame[frame["design"] == "cross-validation"]["study"].tolist() == [
        "#3",
        "#4",
    ]


def test_table_1_and_its_average(results):
    groups = summary.groups_of(results)
    table = summary.table_1(groups)
    assert table.loc["study_3", "P"] == pytest.approx(groups[3].at[7, "P"])
    assert_allclose(table.iloc[:4].mean(), table.loc["study_average"])
    printed = published.cells("berrar2024.tab01")
    assert (table.drop(columns="P - F").loc["study_average"] > 0).all() and len(
        printed
    ) == 20


def test_cells_that_follow_from_other_cells_of_table_1_are_recounted():
    rows = pd.DataFrame(
        [
            {"id": f"berrar2024.{key}", "rebuilt": value}
            for key, value in summary.of_print().items()
        ]
    )
    assert len(rows) == 8 and set(ledger.compare(rows, chapter="")["verdict"]) == {
        "recounted"
    }


@pytest.mark.slow
def test_every_fact_of_the_paper_has_a_row(few_draws):
    everything = {name: stored.load(name) for name in summary.NEEDS}
    ids = pd.concat(
        [
            section_1.ledger_rows(),
            section_2_wins.ledger_rows(),
            section_2_statistics.ledger_rows(),
            summary.ledger_rows(results=everything),
            *(
                study.ledger_rows(
                    results={name: everything[name] for name in study.NEEDS}
                )
                for study in (study_1, study_2, study_3, study_4)
            ),
        ]
    )["id"]
    assert not ids.duplicated().any()
    facts = published.facts().query("paper == 'berrar2024' and check_by != 'none'")
    facts = facts.drop(list(published.cannot_fail()), errors="ignore")
    open_items = {
        item
        for item in facts.query("kind == 'item'").index
        if item not in set(ids) and not (facts["item_id"] == item).drop(item).any()
    }
    labels = set(published.judgements()["not_comparable"])
    open_facts = set(facts.query("kind != 'item'").index) - set(ids) - labels
    assert not open_facts and not open_items
