"""Contents of executed notebooks: rows of the ledger, glued numbers, cells of tables."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import nbformat
import pandas as pd

from companion.engine.build import chapters
from companion.engine.build.chapters import Chapter
from companion.engine.build.execution import INJECTED
from companion.papers import ledger

#: Id of the cell that is added to a reader's copy.
MARK = "your-copy"

_NUMBER = re.compile(r"(?<![\w.])[-+−]?\d+(?:[,\u202f]\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?")


def has_text_of(chapter: Chapter) -> bool:
    """Return whether there is an executed notebook of the chapter's present source."""
    if not chapters.executed_metadata(chapter.executed):
        return False
    found = {cell.id: cell.source for cell in nbformat.read(chapter.executed, as_version=4).cells}
    found.pop(INJECTED, None)
    return found == {cell.id: cell.source for cell in chapter.notebook.cells}


def ledger_rows(notebooks: Iterable[Path]) -> pd.DataFrame:
    """Return the ledger rows of executed notebooks, the worst row of each fact."""
    rows = [
        row
        for path in notebooks
        for cell in _cells(path)
        for output in cell.get("outputs", ())
        for row in output.get("metadata", {}).get(chapters.METADATA_KEY, {}).get("ledger", ())
    ]
    frame = pd.DataFrame(rows, columns=ledger.COLUMNS)
    numbers = dict.fromkeys(("published_error", "replica_error", "compared"), float)
    return ledger.worst(frame.astype(numbers))


def current_rows() -> pd.DataFrame:
    """Return the ledger rows of the executed chapters, the worst row of each fact."""
    return ledger_rows(
        c.executed for c in chapters.chapters() if c.executed.exists() and not c.reads_ledger
    )


def current_ledger() -> pd.DataFrame:
    """Return the verdict on every published fact, from the executed chapters."""
    return ledger.assess(current_rows())


def glued(path: Path) -> dict[str, object]:
    """Return the values that prose quotes, by name."""
    return {name: _literal(text) for name, text in glued_texts(path).items()}


def glued_texts(path: Path) -> dict[str, str]:
    """Return the values that prose quotes, by name, as stored texts."""
    found = {}
    for cell in _cells(path):
        for output in cell.get("outputs", ()):
            name = output.get("metadata", {}).get("scrapbook", {}).get("name")
            if name:
                texts = {mime.split("/")[-1]: text for mime, text in output["data"].items()}
                found[name] = "".join(texts.get("markdown", texts["plain"])).strip("'\"")
    return found


def table_cells(path: Path) -> pd.DataFrame:
    """Return the cells of all tables except the ledger, as they are shown.

    Returns
    -------
    DataFrame
        Indexed by `cell` (id), `table`, `row`, `column` and `occurrence`; columns `section`
        (nearest heading) and `text`.
    """
    rows, section = [], ""
    for cell in _cells(path):
        for line in cell["source"].splitlines() if cell["cell_type"] == "markdown" else ():
            section = line.lstrip("#").strip() if line.startswith("#") else section
        outputs = [
            "".join(output["data"]["text/html"]) for output in cell.get("outputs", ())
            if "text/html" in output.get("data", {})
            and chapters.METADATA_KEY not in output.get("metadata", {})
        ]
        for position, html in enumerate(outputs):
            if "<table" in html:
                for row, column, text in _cells_of_table(html):
                    rows.append((cell["id"], position, row, column, section, text))
    frame = pd.DataFrame(rows, columns=["cell", "table", "row", "column", "section", "text"])
    place = ["cell", "table", "row", "column"]
    frame["occurrence"] = frame.groupby(place).cumcount()
    return frame.set_index([*place, "occurrence"])


def numbers(text: str) -> list[float]:
    """Return the numbers in a table's cell."""
    return [
        float(re.sub("[ ,\u202f]", "", match.replace("−", "-"))) for match in _NUMBER.findall(text)
    ]


def _cells(path: Path) -> list:
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.get("id") != MARK]


def _cells_of_table(html: str) -> Iterator[tuple[str, str, str]]:
    """Yield the labels of row and column, and the text, of each cell of an HTML table."""
    from bs4 import BeautifulSoup  # every chapter imports this module, but few call this function

    for table in BeautifulSoup(html, "html.parser").find_all("table"):
        heads = [_texts(tr) for tr in table.select("thead tr")]
        # a second line of headings has no cells below those that span both
        widest = max(map(len, heads), default=0)
        heads = [[""] * (widest - len(head)) + head for head in heads]
        # pandas writes the names of row labels on a separate line, below those of the columns
        names = [head for head in heads if any(head)]
        columns = list(map(" ".join, zip(*names))) if len({*map(len, names)}) == 1 else (
            names[0] if names else []
        )
        spanning: list[list] = []  # labels that span further rows: text, number of rows
        for line, tr in enumerate(table.select("tbody tr"), start=1):
            cells = tr.find_all(["th", "td"])
            labels = [text for text, _ in spanning] + [_text(c) for c in cells if c.name == "th"]
            spanning = [[text, rows - 1] for text, rows in spanning if rows > 1] + [
                [_text(c), int(c["rowspan"]) - 1] for c in cells if int(c.get("rowspan", 1)) > 1
            ]
            for position, cell in enumerate(cells):
                if cell.name == "td":
                    # rows below a spanning label have fewer cells, so count from the right
                    place = position - len(cells) + len(columns)
                    column = columns[place].strip() if 0 <= place < len(columns) else ""
                    yield " ".join(labels) or f"row {line}", column, _text(cell)


def _texts(row) -> list[str]:
    texts = []
    for cell in row.find_all(["th", "td"]):
        texts += [_text(cell)] * int(cell.get("colspan", 1))
    return texts


def _text(tag) -> str:
    return " ".join(tag.get_text(" ").split())


def _literal(text: str) -> object:
    """Return a glued value: a number if its text reads as one."""
    if text in ("True", "False"):
        return text == "True"
    try:
        return float(text)
    except ValueError:
        return text
