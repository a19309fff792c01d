"""Tables of frames: the names of row labels stand in the line of the columns' names.

pandas gives them a line of their own below it, which reads like an empty row.
"""

from bs4 import BeautifulSoup, Tag
from docutils import nodes


def put_heads_on_one_line(app, doctree) -> None:
    for shown in doctree.findall(nodes.raw):
        if shown["format"] == "html" and 'class="dataframe"' in shown.astext():
            page = BeautifulSoup(shown.astext(), "html.parser")
            for head in page.select("table.dataframe > thead"):
                merge(head)
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


def setup(app):
    app.connect("doctree-read", put_heads_on_one_line)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
