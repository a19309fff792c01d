"""Data frames as a reader sees them: one line of headings, in words instead of identifiers."""

import html
import sys
from collections.abc import Hashable

import pandas as pd


def in_words(label: Hashable) -> Hashable:
    """What a row, a column or an index is called; a label that is no text stays as it is.

    Examples
    --------
    >>> in_words("average_over_sorted_runs"), in_words("nb_c45"), in_words("standard_error")
    ('sorted runs', 'NB vs C4.5', 'standard error')
    """
    from replib.book.pictures import names  # with matplotlib: only where there is a table

    return names.WORDS.get(label, label.replace("_", " ")) if isinstance(label, str) else label


def data_frame(frame: pd.DataFrame) -> str:
    """HTML of a data frame; as pandas has it where it would be cut or headings have two levels.

    pandas gives the names of row labels a line of their own below the headings; here they stand
    in the same line, so that a narrow page shows one line of headings and no empty cells.
    """
    from replib.book.pictures import names

    worded = frame.replace(names.WORDS).rename(index=in_words, columns=in_words)
    worded = worded.rename_axis(index=[in_words(name) for name in frame.index.names])
    if (
        frame.columns.nlevels > 1 or frame.columns.name is not None
        or 0 < pd.get_option("display.max_rows") < len(frame)
        or 0 < pd.get_option("display.max_columns") < frame.shape[1]  # 0 is no limit
    ):
        return worded._repr_html_()
    headings = [name or "" for name in worded.index.names] + list(worded.columns)
    cells = "".join(f"<th>{html.escape(str(heading))}</th>" for heading in headings)
    body = worded.rename_axis(index=[None] * frame.index.nlevels).to_html(
        header=False, border=1, notebook=True,
    )
    return body.replace("<tbody>", f"<thead><tr>{cells}</tr></thead>\n  <tbody>", 1)


def show_in_words() -> None:
    """Let data frames show themselves so, if this is the kernel of a chapter."""
    if "IPython" in sys.modules and (shell := sys.modules["IPython"].get_ipython()):
        formatter = shell.display_formatter.formatters["text/html"]
        formatter.for_type(pd.DataFrame, data_frame)
