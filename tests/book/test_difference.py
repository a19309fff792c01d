"""The difference of two executions: every number that changed, the largest change first."""

import math

import nbformat
import pandas as pd
import pytest

from replib.book import copies, display, executed
from replib.book.difference import COLUMNS, difference

FACT = "berrar2024.ex01.p"
PROSE = """# Title

Of {glue:text}`n` runs {glue:text}`share:.1f` % agree ({ref}`ch-x`). *More* follows."""


def output(data: dict, metadata: dict | None = None):
    return nbformat.v4.new_output("display_data", data, metadata=metadata or {})


def glued(**numbers):
    return [
        output({"application/papermill.record/text/plain": repr(x)}, {"scrapbook": {"name": name}})
        for name, x in numbers.items()
    ]


def notebook(path, *, rebuilt=0.0488, n=10, share=50.0, cells=((1.0, 2.0),)):
    """An executed chapter with one ledger row, two glued numbers and one table."""
    ledger = display.ledger(pd.DataFrame({"id": [FACT], "rebuilt": [rebuilt]}), chapter="test")
    table = pd.DataFrame(cells, columns=["p", "q"], index=[f"r{i}" for i in range(len(cells))])
    outputs = [
        [], [output(*ledger._repr_mimebundle_())], glued(n=n, share=share),
        [output({"text/html": table._repr_html_()})],
    ]
    code = [nbformat.v4.new_code_cell("x", outputs=o, id=f"c{i}") for i, o in enumerate(outputs)]
    prose = nbformat.v4.new_markdown_cell(PROSE, id="prose")
    nbformat.write(nbformat.v4.new_notebook(cells=[prose, *code]), path)
    return path


def test_the_same_numbers_differ_in_nothing(tmp_path):
    both = notebook(tmp_path / "a.ipynb"), notebook(tmp_path / "b.ipynb")
    assert difference(*both).empty


def test_every_kind_of_number_is_listed_the_largest_change_first(tmp_path):
    default = notebook(tmp_path / "a.ipynb")
    yours = notebook(
        tmp_path / "b.ipynb", rebuilt=0.2, n=20, share=51.0, cells=((1.0, 3.0), (4.0, 5.0))
    )
    rows = difference(default, yours).to_dict("records")
    assert [(row["kind"], row["default"], row["yours"]) for row in rows] == [
        ("ledger", "0.0488", "0.2"), ("text", "10", "20"), ("table", "2.0", "3.0"),
        ("text", "50.0", "51.0"), ("table", "", "4.0"), ("table", "", "5.0"),
    ]
    assert rows[0]["paper"] == "0.0488"
    assert rows[1]["words"] == "Of [20] runs 51.0 % agree."
    assert rows[2]["words"] == "Title › r0 › q"
    changes = [row["change"] for row in rows]
    assert changes[:4] == pytest.approx([0.2 / 0.0488 - 1, 1.0, 0.5, 0.02])
    assert all(map(math.isnan, changes[4:]))


@pytest.mark.parametrize("before, after, shown", [
    (50.0, 50.001, ("50", "50.001")),  # the format of the page hides it
    (0.0, 1.0, ("0.0", "1.0")),
    (50.0, 50.0 + 1e-13, None),  # noise of the last bits
    (float("nan"), 1.0, ("", "1.0")),
    (True, False, ("True", "False")),
])
def test_a_change_is_shown_with_digits_enough_to_see_it(tmp_path, before, after, shown):
    default = notebook(tmp_path / "a.ipynb", share=before)
    rows = difference(default, notebook(tmp_path / "b.ipynb", share=after))
    assert [(r.default, r.yours) for r in rows.itertuples()] == ([shown] if shown else [])


def test_the_copy_says_with_what_it_was_run_and_what_changed(tmp_path):
    default, yours = notebook(tmp_path / "a.ipynb"), notebook(tmp_path / "b.ipynb", rebuilt=0.2)
    copies.mark(yours, {"wins": 30, "name": "<script>"}, difference(default, yours))
    cell = nbformat.read(yours, as_version=4).cells[1]
    html = cell.outputs[0].data["text/html"]
    assert cell.id == executed.MARK
    assert "wins = 30" in html and "1 number differs" in html and "<td>0.2</td>" in html
    assert "<script>" not in html
    assert len(difference(default, yours)) == 1  # what we added is no number of the chapter


def test_a_copy_in_which_everything_changed_stays_small_and_says_where_the_rest_is(tmp_path):
    yours = notebook(tmp_path / "b.ipynb")
    rows = pd.DataFrame([("table", f"row {i}", "", "1", "2", 1.0) for i in range(5000)],
                        columns=COLUMNS)
    copies.mark(yours, {"wins": 30}, rows)
    html = nbformat.read(yours, as_version=4).cells[1].outputs[0].data["text/html"]
    assert "5000 numbers differ" in html
    assert html.count("<tr>") == copies.LISTED + 2  # and the heads of the two tables
    assert f"The other {5000 - copies.LISTED}" in html


def test_labels_that_span_rows_belong_to_each_of_them(tmp_path):
    index = pd.MultiIndex.from_product([["a", "b"], ["x", "y"]])
    table = pd.DataFrame({("k", "l"): range(4)}, index=index)
    cell = nbformat.v4.new_code_cell("x", outputs=[output({"text/html": table._repr_html_()})])
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "n.ipynb")
    found = executed.table_cells(tmp_path / "n.ipynb").reset_index()
    assert found["row"].tolist() == ["a x", "a y", "b x", "b y"]
    assert set(found["column"]) == {"k l"} and found["text"].tolist() == list("0123")


def test_of_two_chapters_that_judge_a_fact_the_worse_verdict_stays(tmp_path):
    both = [notebook(tmp_path / "a.ipynb", rebuilt=0.3), notebook(tmp_path / "b.ipynb")]
    assert executed.ledger_rows(both)["verdict"].tolist() == ["differs"]
    assert executed.ledger_rows(both[::-1])["verdict"].tolist() == ["differs"]


@pytest.mark.parametrize("text, found", [
    ("30.8 ± 8.4", [30.8, 8.4]), ("20.2 (18.7–56.9)", [20.2, 18.7, 56.9]), ("1,234.5", [1234.5]),
    ("−0.5", [-0.5]), ("1e-05", [1e-5]), ("R2", []), ("yes", []), ("10×10 cv", [10, 10]),
])
def test_numbers_of_a_table_cell(text, found):
    assert executed.numbers(text) == found
