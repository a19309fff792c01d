"""Data frames of a chapter have one line of headings, in words."""

from types import SimpleNamespace

import pandas as pd
import pytest
from bs4 import BeautifulSoup

from companion.engine.build import executed
from companion.engine.show import tables


@pytest.fixture
def frame():
    index = pd.MultiIndex.from_product(
        [["nb_c45", "nb_nn"], [10, 20]], names=["pair", "test_fraction"]
    )
    return pd.DataFrame(
        {"standard_error": [0.5, 1.5, 2.5, 3.5], "winner": ["a<b", "c45", "paired_t", None]},
        index=index,
    )


def test_names_of_row_labels_stand_in_the_line_of_the_headings(frame):
    head = BeautifulSoup(tables.data_frame(frame), "html.parser").select("thead tr")
    assert [[cell.text for cell in row("th")] for row in head] == [
        ["pair", "test share τ", "standard error", "winner"]
    ]


def test_row_numbers_are_left_out():
    numbered = BeautifulSoup(tables.data_frame(pd.DataFrame({"x": [3, 4]})), "html.parser")
    assert [[cell.text for cell in row(["th", "td"])] for row in numbered("tr")] == [
        ["x"], ["3"], ["4"]
    ]


def test_what_the_columns_are_called_stands_above_them():
    crossed = pd.DataFrame(
        [[1, 2]], index=pd.Index(["right"], name="A"), columns=pd.Index(["x", "y"], name="B"),
    )
    head = BeautifulSoup(tables.data_frame(crossed), "html.parser").select("thead tr")
    assert [[cell.text for cell in row("th")] for row in head] == [["A", "B"], ["x", "y"]]
    cells = list(executed._cells_of_table(tables.data_frame(crossed)))
    assert cells == [("right", "B x", "1"), ("right", "B y", "2")]


def test_no_value_is_lost_and_known_names_are_words(frame):
    cells = list(executed._cells_of_table(tables.data_frame(frame)))
    assert cells == [
        ("NB vs C4.5 10", "standard error", "0.5"), ("NB vs C4.5 10", "winner", "a<b"),
        ("NB vs C4.5 20", "standard error", "1.5"), ("NB vs C4.5 20", "winner", "C4.5"),
        ("NB vs NN 10", "standard error", "2.5"), ("NB vs NN 10", "winner", "t test"),
        ("NB vs NN 20", "standard error", "3.5"), ("NB vs NN 20", "winner", "–"),
    ]


def test_headings_of_two_levels_span_what_they_stand_above(frame):
    unstacked = tables.data_frame(frame[["standard_error"]].unstack())
    head = BeautifulSoup(unstacked, "html.parser").select("thead tr")
    assert [[cell.text for cell in row("th")] for row in head] == [
        ["pair", "standard error"], ["10", "20"]
    ]
    assert [(column, text) for _, column, text in executed._cells_of_table(unstacked)] == [
        ("standard error 10", "0.5"), ("standard error 20", "1.5"),
        ("standard error 10", "2.5"), ("standard error 20", "3.5"),
    ]


def test_what_would_be_cut_is_left_to_pandas():
    long = pd.DataFrame({"x": range(pd.get_option("display.max_rows") + 1)})
    assert "..." in tables.data_frame(long)


def test_labels_that_are_no_text_stay(frame):
    numbered = pd.DataFrame([[1, 2]], columns=[0.5, 1.0], index=[2.0])
    cells = list(executed._cells_of_table(tables.data_frame(numbered)))
    assert cells == [("2.0", "0.5", "1"), ("2.0", "1.0", "2")]


def test_a_kernel_shows_data_frames_so(monkeypatch):
    from IPython.core.formatters import DisplayFormatter

    kernel = SimpleNamespace(display_formatter=DisplayFormatter())
    monkeypatch.setattr("IPython.get_ipython", lambda: kernel)
    tables.show_in_words()
    shown, _ = kernel.display_formatter.format(pd.DataFrame({"a_b": [1]}))
    assert "<th>a b</th>" in shown["text/html"]
