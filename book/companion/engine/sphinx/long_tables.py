"""Folding of long tables: a page shows a summary, and the rows when it is opened."""

from bs4 import BeautifulSoup, Tag
from docutils import nodes

#: Most rows that a page shows; a longer table is folded behind a summary.
MOST_ROWS = 12


def fold_long_tables(app, doctree) -> None:
    for shown in doctree.findall(nodes.raw):
        if shown["format"] == "html" and 'class="dataframe"' in shown.astext():
            page = BeautifulSoup(shown.astext(), "html.parser")
            for table in page.select("table.dataframe"):
                fold(page, table)
            shown[:] = [nodes.Text(str(page))]


def fold(page: BeautifulSoup, table: Tag) -> None:
    """Put a table of many rows into an element that opens."""
    rows = len(table.select("tbody > tr"))
    if (
        rows > MOST_ROWS
        and not table.find_parent("details")
        and not table.find_parent("noscript")
    ):
        details = table.wrap(page.new_tag("details", attrs={"class": "replib-rows"}))
        summary = page.new_tag("summary")
        summary.string = f"Show the table of {rows} rows"
        details.insert(0, summary)


def setup(app):
    app.connect("doctree-read", fold_long_tables)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
