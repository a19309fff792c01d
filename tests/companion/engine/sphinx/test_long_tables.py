"""A long table folds, and says how long it is."""

import pandas as pd
import pytest
from bs4 import BeautifulSoup

from companion.engine.sphinx.long_tables import MOST_ROWS, fold


@pytest.mark.parametrize("rows, folds", [(MOST_ROWS, False), (MOST_ROWS + 1, True)])
def test_a_long_table_folds_and_says_how_long_it_is(rows, folds):
    page = BeautifulSoup(pd.DataFrame({"x": range(rows)}).to_html(), "html.parser")
    fold(page, page.table)
    assert (page.table.parent.name == "details") == folds
    assert (f"table of {rows} rows" in page.get_text()) == folds
