"""Data frames of a chapter have one line of headings, in words."""

import re
from types import SimpleNamespace

import pandas as pd
import pytest
from bs4 import BeautifulSoup

from companion.engine.show import display, tables
from companion.engine.show.pictures import explorers

FRAME = pd.DataFrame(
    {
        "standard_error": [0.5, 1.5, 2.5, 3.5],
        "winner": ["a<b", "c45", "paired_t", None],
    },
    index=pd.MultiIndex.from_product(
        [["nb_c45", "nb_nn"], [10, 20]], names=["pair", "test_fraction"]
    ),
)
CROSSED = pd.DataFrame(
    [[1, 2]],
    index=pd.Index(["right"], name="A"),
    columns=pd.Index(["x", "y"], name="B"),
)


@pytest.mark.parametrize(
    "frame, lines",
    [
        (
            FRAME,
            [  # names of row labels beside the headings, known names in words, no value lost
                ["pair", "test share τ", "standard error", "winner"],
                ["NB vs C4.5", "10", "0.5", "a<b"],
                ["20", "1.5", "C4.5"],
                ["NB vs NN", "10", "2.5", "t test"],
                ["20", "3.5", "–"],
            ],
        ),
        (
            FRAME[["standard_error"]].unstack(),
            [  # headings of two levels span what they stand above
                ["pair", "standard error"],
                ["10", "20"],
                ["NB vs C4.5", "0.5", "1.5"],
                ["NB vs NN", "2.5", "3.5"],
            ],
        ),
        (CROSSED, [["A", "B"], ["x", "y"], ["right", "1", "2"]]),
        (
            pd.DataFrame({"x": [3, 4]}),
            [["x"], ["3"], ["4"]],
        ),  # row numbers are left out
        (
            pd.DataFrame([[1, 2]], columns=[0.5, 1.0], index=[2.0]),
            [
                ["", "0.5", "1.0"],
                ["2.0", "1", "2"],
            ],
        ),
    ],
    ids=[
        "labels",
        "levels",
        "names of columns",
        "row numbers",
        "labels that are no text",
    ],
)
def test_a_frame_has_these_lines(frame, lines):
    page = BeautifulSoup(tables.data_frame(frame), "html.parser")
    assert [[cell.text for cell in row(["th", "td"])] for row in page("tr")] == lines


NEGATIVE = pd.DataFrame({"gain": [-0.25, 1.5], "95% interval": ["-0.5 to -0.1", "n-1"]})


@pytest.mark.parametrize(
    "written",
    [
        tables.data_frame(NEGATIVE.set_index(pd.Index([-1, 2], name="shift"))),
        tables.data_frame(pd.concat([NEGATIVE] * pd.get_option("display.max_rows"))),
        display.table(NEGATIVE, 2)._repr_html_(),
        explorers.again(NEGATIVE, alpha=0.05)._repr_html_(),
    ],
    ids=["a data frame", "a data frame that is cut", "a plain table", "an explorer"],
)
def test_negative_numbers_have_minus_signs(written):
    cells = {cell.text for cell in BeautifulSoup(written, "html.parser")(["th", "td"])}
    assert {"−0.5 to −0.1", "n-1"} <= cells
    assert any(cell.startswith("−0.25") for cell in cells)
    assert not any(re.search(r"(?<!n)-\d", cell) for cell in cells)


def test_what_would_be_cut_is_left_to_pandas():
    long = pd.DataFrame({"x": range(pd.get_option("display.max_rows") + 1)})
    assert "..." in tables.data_frame(long)


def test_a_kernel_shows_data_frames_so(monkeypatch):
    from IPython.core.formatters import DisplayFormatter

    kernel = SimpleNamespace(display_formatter=DisplayFormatter())
    monkeypatch.setattr("IPython.get_ipython", lambda: kernel)
    tables.show_in_words()
    shown, _ = kernel.display_formatter.format(pd.DataFrame({"a_b": [1]}))
    assert "<th>a b</th>" in shown["text/html"]
