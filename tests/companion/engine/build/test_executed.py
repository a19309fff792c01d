"""Contents of executed notebooks: cells of tables with their labels, numbers, ledger rows."""

import nbformat
import pandas as pd
import pytest

from companion.engine.build import executed


def test_glued_values_are_numbers_where_they_read_as_such(notebook, tmp_path):
    path = notebook(tmp_path / "n.ipynb", n=True, share="three")
    assert executed.glued(path) == {"n": True, "share": "three"}
    assert executed.glued(notebook(path, n=10, share=1e-5)) == {"n": 10, "share": 1e-5}
    assert executed.glued_texts(path) == {"n": "10", "share": "1e-05"}


def test_labels_that_span_rows_belong_to_each_of_them(tmp_path):
    index = pd.MultiIndex.from_product([["a", "b"], ["x", "y"]])
    table = pd.DataFrame({("k", "l"): range(4)}, index=index)
    cell = nbformat.v4.new_code_cell("x", outputs=[
        nbformat.v4.new_output("display_data", {"text/html": table._repr_html_()}),
    ])
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "n.ipynb")
    found = executed.table_cells(tmp_path / "n.ipynb").reset_index()
    assert found["row"].tolist() == ["a x", "a y", "b x", "b y"]
    assert set(found["column"]) == {"k l"} and found["text"].tolist() == list("0123")


def test_of_two_chapters_that_judge_a_fact_the_worse_verdict_stays(notebook, tmp_path):
    both = [notebook(tmp_path / "a.ipynb", rebuilt=0.3), notebook(tmp_path / "b.ipynb")]
    assert executed.ledger_rows(both)["verdict"].tolist() == ["differs"]
    assert executed.ledger_rows(both[::-1])["verdict"].tolist() == ["differs"]


@pytest.mark.parametrize("text, found", [
    ("30.8 ± 8.4", [30.8, 8.4]), ("20.2 (18.7–56.9)", [20.2, 18.7, 56.9]), ("1,234.5", [1234.5]),
    ("−0.5", [-0.5]), ("1e-05", [1e-5]), ("R2", []), ("yes", []), ("10×10 cv", [10, 10]),
])
def test_numbers_of_a_table_cell(text, found):
    assert executed.numbers(text) == found
