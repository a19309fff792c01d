"""A reader's copy of a chapter: what it says about its parameters."""

import nbformat
import pandas as pd
import pytest

from replib.book import chapters as book
from replib.book import display


def executed(path, rebuilt: float):
    frame = pd.DataFrame({"id": ["berrar2024.ex01.p"], "rebuilt": [rebuilt]})
    data, metadata = display.ledger(frame, chapter="test")._repr_mimebundle_()
    output = nbformat.v4.new_output("execute_result", data, metadata=metadata, execution_count=1)
    cells = [nbformat.v4.new_markdown_cell("# Title"), nbformat.v4.new_code_cell("x", outputs=[output])]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


def test_the_difference_is_read_from_the_two_notebooks(tmp_path):
    default, yours = executed(tmp_path / "a.ipynb", 0.0488), executed(tmp_path / "b.ipynb", 0.2)
    (row,) = book._difference(default, yours).itertuples()
    assert (row.printed, row.default, row.yours) == ("0.0488", 0.0488, 0.2)


@pytest.mark.parametrize("rebuilt, changed", [(0.2, 1), (0.0488, 0)])
def test_the_copy_says_with_what_it_was_run_and_what_changed(tmp_path, rebuilt, changed):
    default, yours = executed(tmp_path / "a.ipynb", 0.0488), executed(tmp_path / "b.ipynb", rebuilt)
    book._mark_as_copy(yours, {"wins": 30}, book._difference(default, yours))
    mark = nbformat.read(yours, as_version=4).cells[1].outputs[0].data["text/html"]
    assert "wins = 30" in mark and f"{changed} of 1 ledger values differ" in mark
    assert ("<td>0.2</td>" in mark) == bool(changed)


def test_the_ledger_travels_inside_the_notebook(tmp_path):
    frame = book.ledger_rows([executed(tmp_path / "a.ipynb", 0.0488)])
    assert frame[["id", "verdict", "chapter"]].values.tolist() == [
        ["berrar2024.ex01.p", "exact", "test"]
    ]


def test_of_two_chapters_that_judge_a_fact_the_worse_verdict_stays(tmp_path):
    notebooks = [executed(tmp_path / "a.ipynb", 0.3), executed(tmp_path / "b.ipynb", 0.0488)]
    assert book.ledger_rows(notebooks)["verdict"].tolist() == ["differs"]
    assert book.ledger_rows(notebooks[::-1])["verdict"].tolist() == ["differs"]
