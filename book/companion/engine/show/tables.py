"""Data frames for readers: headings without empty cells, in words instead of identifiers."""

import html
import re
import sys
from collections.abc import Hashable
from itertools import groupby

import pandas as pd

from replib._numbers import with_minus

#: The text of a cell, between two tags.
_TEXT_OF_CELL = re.compile(r">[^<>]+<")


def in_words(label: Hashable) -> Hashable:
    """Return the words for a row, a column or an index; a label that is not text is unchanged.

    Examples
    --------
    >>> in_words("average_over_sorted_runs"), in_words("nb_c45"), in_words("standard_error")
    ('sorted runs', 'NB vs C4.5', 'standard error')
    """
    from companion.engine.show.pictures import (
        names,
    )  # loads matplotlib: only if there is a table

    return (
        names.WORDS.get(label, label.replace("_", " "))
        if isinstance(label, str)
        else label
    )


def with_minus_signs(table: str) -> str:
    """Return a table in HTML whose negative numbers have a minus sign instead of a hyphen.

    pandas writes hyphens.  The attributes of the tags are left as they are.

    Examples
    --------
    >>> with_minus_signs('<td data-x="-1">-1.5</td><td>10-fold</td>')
    '<td data-x="-1">−1.5</td><td>10-fold</td>'
    """
    return _TEXT_OF_CELL.sub(lambda text: with_minus(text[0]), table)


def data_frame(frame: pd.DataFrame) -> str:
    """Return the HTML of a data frame; pandas' own if it would be cut.

    pandas puts the names of row labels on a separate line below the headings; here they
    are next to the headings, so that there are no empty cells.  The name of the columns
    is above all of them.  Row numbers are left out.

    Examples
    --------
    >>> data_frame(pd.DataFrame(columns=["sweep", "excess"]))
    '<p><em>No rows.</em></p>'
    """
    if frame.empty:
        return "<p><em>No rows.</em></p>"
    from companion.engine.show.pictures import names

    worded = frame.replace(names.WORDS).rename(index=in_words, columns=in_words)
    worded = worded.rename_axis(index=[in_words(name) for name in frame.index.names])
    if (
        0 < pd.get_option("display.max_rows") < len(frame)
        or 0 < pd.get_option("display.max_columns") < frame.shape[1]  # 0 is no limit
    ):
        return with_minus_signs(worded._repr_html_())
    lines = _headings(worded.columns)
    numbered = isinstance(frame.index, pd.RangeIndex) and frame.index.name is None
    beside = (
        ""
        if numbered
        else "".join(
            _cell(name or "", rowspan=len(lines)) for name in worded.index.names
        )
    )
    head = "</tr><tr>".join(
        "".join(_cell(label, colspan=width) for label, width in line) for line in lines
    )
    body = (
        worded.set_axis(range(frame.shape[1]), axis="columns")
        .rename_axis(index=[None] * frame.index.nlevels)
        .to_html(header=False, index=not numbered, na_rep="–")
    )
    headed = body.replace(
        "<tbody>", f"<thead><tr>{beside}{head}</tr></thead>\n  <tbody>", 1
    )
    return with_minus_signs(headed)


def _headings(columns: pd.Index) -> list[list[tuple[Hashable, int]]]:
    """Return lines of headings, each heading with the number of columns below it."""
    paths = [label if isinstance(label, tuple) else (label,) for label in columns]
    named = columns.nlevels == 1 and columns.name is not None
    return [[(in_words(columns.name), len(columns))]] * named + [
        [
            (path[-1], len(list(group)))
            for path, group in groupby(paths, key=lambda path: path[: level + 1])
        ]
        for level in range(columns.nlevels)
    ]


def _cell(heading: object, **spans: int) -> str:
    attributes = "".join(
        f' {name}="{span}"' for name, span in spans.items() if span > 1
    )
    return f"<th{attributes}>{html.escape(str(heading))}</th>"


def show_in_words() -> None:
    """Make data frames display themselves in this way, if this is the kernel of a chapter."""
    if "IPython" in sys.modules and (shell := sys.modules["IPython"].get_ipython()):
        formatter = shell.display_formatter.formatters["text/html"]
        formatter.for_type(pd.DataFrame, data_frame)
