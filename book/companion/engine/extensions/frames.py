"""Tables of frames: names of row labels are in the line of the columns' names; many rows fold.

pandas gives them a line of their own below it, which reads like an empty row.
"""

from bs4 import BeautifulSoup, Tag
from docutils import nodes

#: Rows that a page shows; a longer table folds behind the sentence before it.
MOST_ROWS = 12


def put_heads_on_one_line(app, doctree) -> None:
    for shown in doctree.findall(nodes.raw):
        if shown["format"] == "html" and 'class="dataframe"' in shown.astext():
            page = BeautifulSoup(shown.astext(), "html.parser")
            for head in page.select("table.dataframe > thead"):
                merge(head)
            for table in page.select("table.dataframe"):
                fold(page, table)
            shown[:] = [nodes.Text(str(page))]


def merge(head: Tag) -> None:
    """Move names of row labels up, if nothing is above them and nothing else in their line."""
    lines = [line.find_all("th", recursive=False) for line in head.find_all("tr")]
    if len(lines) < 2 or len(lines[-2]) != len(lines[-1]):
        return
    above, names = lines[-2:]
    texts = [(over.get_text(strip=True), name.get_text(strip=True))
             for over, name in zip(above, names)]
    if all(not (over and name) for over, name in texts) and texts[0][1]:
        for over, name in zip(above, names):
            if name.get_text(strip=True):
                over.replace_with(name)
        head.find_all("tr")[-1].decompose()


def fold(page: BeautifulSoup, table: Tag) -> None:
    """Put a table of many rows into an element that opens."""
    rows = len(table.select("tbody > tr"))
    if rows > MOST_ROWS and not table.find_parent("details") and not table.find_parent("noscript"):
        details = table.wrap(page.new_tag("details", attrs={"class": "replib-rows"}))
        summary = page.new_tag("summary")
        summary.string = f"Show the table of {rows} rows"
        details.insert(0, summary)


def setup(app):
    app.connect("doctree-read", put_heads_on_one_line)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
