"""What executed notebooks hold besides pictures: rows of the ledger, and numbers for the prose."""

from collections.abc import Iterable
from pathlib import Path

import nbformat
import pandas as pd

from companion.engine.build import chapters, staleness
from companion.engine.build.chapters import Chapter
from companion.papers import ledger

#: The verdicts that `check` compares with.
COMMITTED = chapters.ROOT / "book" / "ledger.csv"


def has_text_of(chapter: Chapter, executed: Path) -> bool:
    """Return whether there is an executed notebook of the chapter's present source."""
    found = chapters.executed_metadata(executed)
    return found.get("source") == staleness.of_source(chapter)


def ledger_rows(notebooks: Iterable[Path]) -> pd.DataFrame:
    """Return the ledger rows of executed notebooks, the worst row of each fact."""
    rows = [
        row
        for path in notebooks
        for output in _outputs(path)
        for row in output.get("metadata", {})
        .get(chapters.METADATA_KEY, {})
        .get("ledger", ())
    ]
    frame = pd.DataFrame(rows, columns=ledger.COLUMNS)
    numbers = dict.fromkeys(("low", "high", "compared"), float)
    return ledger.worst(frame.astype(numbers))


def current_rows() -> pd.DataFrame:
    """Return the ledger rows of the executed chapters, the worst row of each fact."""
    return ledger_rows(
        c.executed
        for c in chapters.chapters()
        if c.executed.exists() and not c.reads_ledger
    )


def committed_verdicts() -> pd.Series:
    """Return the committed verdict of each fact, indexed by id."""
    return pd.read_csv(COMMITTED, index_col="id")["verdict"]


def glued(path: Path) -> dict[str, object]:
    """Return the values that prose quotes, by name; those that read as numbers are numbers."""
    return {name: _literal(text) for name, text in glued_texts(path).items()}


def glued_texts(path: Path) -> dict[str, str]:
    """Return the values that prose quotes, by name, as stored texts."""
    found = {}
    for output in _outputs(path):
        if name := output.get("metadata", {}).get("scrapbook", {}).get("name"):
            texts = {mime.split("/")[-1]: text for mime, text in output["data"].items()}
            found[name] = "".join(texts.get("markdown", texts["plain"])).strip("'\"")
    return found


def _outputs(path: Path) -> list:
    cells = nbformat.read(path, as_version=4).cells
    own = [cell for cell in cells if cell.get("id") != chapters.MARK]
    return [output for cell in own for output in cell.get("outputs", ())]


def _literal(text: str) -> object:
    if text in ("True", "False"):
        return text == "True"
    try:
        return float(text)
    except ValueError:
        return text
