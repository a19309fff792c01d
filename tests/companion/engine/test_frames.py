"""Names of row labels stand beside those of columns, above the same cells as before."""


import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup

from companion.engine.extensions.frames import MOST_ROWS, fold, merge

FRAME = pd.DataFrame(np.arange(6.0).reshape(3, 2), columns=["mean", "error"])


def merged(frame: pd.DataFrame) -> tuple[list[list[str]], str]:
    """The lines of the head, and the table."""
    page = BeautifulSoup(frame.to_html(), "html.parser")
    merge(page.thead)
    lines = page.thead.find_all("tr")
    return [[cell.get_text() for cell in line.find_all("th")] for line in lines], str(page)


@pytest.mark.parametrize("frame, head", [
    (FRAME.rename_axis("test"), [["test", "mean", "error"]]),
    (FRAME.set_index(pd.MultiIndex.from_product([["a"], [1, 2, 3]], names=["x", "y"])),
     [["x", "y", "mean", "error"]]),
    (FRAME, [["", "mean", "error"]]),
    # rows and columns have a name each: there is no place for both
    (FRAME.rename_axis("test").rename_axis(columns="of"),
     [["of", "mean", "error"], ["test", "", ""]]),
    (FRAME.set_axis(pd.MultiIndex.from_product([["m"], ["mean", "error"]]), axis=1)
     .rename_axis("test"), [["", "m"], ["test", "mean", "error"]]),
])
def test_a_head_has_the_lines_that_it_needs(frame, head):
    found, table = merged(frame)
    assert found == head
    values = [float(cell.get_text()) for cell in BeautifulSoup(table, "html.parser").find_all("td")]
    assert np.array_equal(values, FRAME.to_numpy().ravel())


@pytest.mark.parametrize("rows, folds", [(MOST_ROWS, False), (MOST_ROWS + 1, True)])
def test_a_long_table_folds_and_says_how_long_it_is(rows, folds):
    page = BeautifulSoup(pd.DataFrame({"x": range(rows)}).to_html(), "html.parser")
    fold(page, page.table)
    assert (page.table.parent.name == "details") == folds
    assert (f"table of {rows} rows" in page.get_text()) == folds
