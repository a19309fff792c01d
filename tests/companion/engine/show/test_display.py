"""Display in chapters: numbers without digits that another processor would round differently."""

import ast
import re

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup

from companion import engine as book
from companion.engine import ledger_rows
from companion.engine.build import chapters, outputs
from companion.engine.show import display
from companion.papers import published
from companion.papers.bouckaert2005 import section_3
from companion.papers.ledger import COLUMNS, compare


def test_numbers_in_prose_have_twelve_digits(monkeypatch):
    glued = {}
    monkeypatch.setattr(
        "myst_nb.glue", lambda name, value, display: glued.update({name: value})
    )
    book.glue(third=np.float64(0.1) + 0.2, whole=np.int64(10**15), word="x")
    assert glued == {"third": 0.3, "whole": 10**15, "word": "x"}


def test_rows_that_travel_do_not_depend_on_the_order_of_a_sum():
    rows = section_3.ledger_rows()
    assert rows["rebuilt"].map(type).eq(float).any()
    nearly = rows.assign(
        rebuilt=[
            np.nextafter(x, 1) if isinstance(x, float) else x for x in rows["rebuilt"]
        ]
    )
    (_, one), (_, other) = (
        book.ledger(given, chapter="mcnemar_theory")._repr_mimebundle_()
        for given in (rows, nearly)
    )
    assert one == other


def test_counts_have_no_decimals_where_one_is_missing():
    page = book.table(
        pd.DataFrame(
            {
                "trees": [10.0, 500.0, np.nan],
                "t": [2.3448, 3.0, np.nan],
            }
        )
    )._repr_html_()
    for cell in ("10", "500", "–", "2.345", "3.000"):
        assert f"<td>{cell}</td>" in page


def test_a_column_of_a_table_may_have_a_format_of_its_own():
    frame = pd.DataFrame({"p": [0.00308, np.nan], "t": [2.3448, 12.0]})
    page = book.table(frame, 1, {"p": ".2g"})._repr_html_()
    assert re.findall("<td>([^<]*)</td>", page) == ["0.0031", "2.3", "–", "12.0"]


def test_what_columns_are_called_has_no_column_of_its_own():
    wide = pd.DataFrame({"2 %": [0.5]}, index=["as written"]).rename_axis(
        index="reading"
    )
    page = book.table(wide.rename_axis(columns="percent").reset_index())._repr_html_()
    assert re.findall("<t[hd]>([^<]*)</t[hd]>", page) == [
        "reading",
        "2 %",
        "as written",
        "0.500",
    ]


def test_a_table_that_is_far_as_a_whole_is_flagged_and_a_statement_shows_its_criterion():
    cells = [
        f"bouckaert2004.tab01.ranksum.{scheme}.source2"
        for scheme in (
            "resampling",
            "k_fold_cv",
            "use_all_data",
            "average_over_folds",
        )
    ]
    values = published.facts().loc[cells, "value"].to_numpy(dtype=float)
    noise = np.random.default_rng(6).normal(size=(4, 20)) + values[:, None]
    statement = pd.DataFrame(
        [
            {
                "id": "bouckaert2004.cl.13",
                "rebuilt": True,
                "numbers": {"networks": 10, "tables": 10},
            }
        ]
    )
    for off, flags in ((2.0, 1), (0.0, 0)):
        frame = pd.DataFrame(
            {"id": cells, "rebuilt": values - off, "replicas": list(noise - off)}
        )
        frame = frame.assign(standard_error=0.2, published_error=1.0)
        page = book.facts("bouckaert2004", compare(frame, statement, chapter="x")).data
        assert page.count("Flagged as far") == flags
        assert page.count("Criterion: ") == 1


@pytest.mark.parametrize("paper", published.PAPERS)
def test_the_page_of_a_paper_has_each_of_its_facts_once_and_a_rule_for_each_verdict(
    paper,
):
    facts = published.facts().query("paper == @paper")
    nothing = pd.DataFrame(columns=COLUMNS).astype({"verdict": object})
    page = BeautifulSoup(book.facts(paper, nothing).data, "html.parser")
    assert [item["id"] for item in page.select(".item")] == list(
        facts["item_id"].unique()
    )
    rows = page.find_all("tr", id=True)
    parts = [display.anchor(i, "fact") for i in facts.query("kind != 'item'").index]
    assert sorted(row["id"] for row in rows) == sorted(parts)
    assert {row.summary.text for row in rows} <= {"open", "not judged"}


def test_each_published_item_has_its_place_on_a_page():
    """None is open, and a chapter hands the rows of each module to the ledger."""
    judged = outputs.committed_verdicts().reindex(published.items()["id"])
    assert judged.notna().all() and "open" not in set(judged)
    handed = set()
    for chapter in chapters.chapters():
        nodes = list(ast.walk(ast.parse("\n".join(chapter.code))))
        modules = {
            name.asname or name.name: f"{node.module}.{name.name}"
            for node in nodes
            if isinstance(node, ast.ImportFrom)
            for name in node.names
        }
        handed |= {
            modules.get(ast.unparse(node.value))
            for node in nodes
            if isinstance(node, ast.Attribute)
            and re.match("ledger_rows|rows_of_", node.attr)
        }
    assert handed >= {module.__name__ for module in ledger_rows.modules().values()}


def test_a_ledger_is_one_line_and_lists_verdicts_that_are_not_the_committed_ones():
    for rebuilt, n_changed in ((0.048767, 0), (0.07, 1)):
        frame = pd.DataFrame({"id": ["berrar2024.ex01.p"], "rebuilt": [rebuilt]})
        page = book.ledger(frame, chapter="wins_and_losses")._repr_mimebundle_()[0][
            "text/html"
        ]
        assert ("1 of 1 fact holds" in page, page.count("<tr id=")) == (
            not n_changed,
            n_changed,
        )
        assert "_verdicts_berrar2024.html" in page
