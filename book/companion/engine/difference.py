"""What other parameters changed: every number of two executions of a chapter, side by side."""

import math
import re
from collections.abc import Mapping
from pathlib import Path

import nbformat
import pandas as pd

from companion.engine import executed
from companion.papers import published

COLUMNS = ["kind", "words", "paper", "default", "yours", "change"]

_ROLE = re.compile(r"\{glue:(?:text|md)\}`(\w+)(?::([^`]*))?`")


def difference(default: Path, yours: Path) -> pd.DataFrame:
    """Every number of a chapter that differs between two executions, largest relative change first.

    Parameters
    ----------
    default, yours : Path
        Executed notebooks of one chapter.

    Returns
    -------
    DataFrame
        `kind` (``"ledger"``, ``"text"`` or ``"table"``), `words` (what the number is; for one of
        the text the sentence that quotes it, as your run has it), `paper` (as printed), `default`
        and `yours` (rounded as on the page, further if that hides the change; empty where only one
        of the runs has the cell), `change` (relative to the default; infinite from zero, NaN if one
        of the two is no number).
    """
    found = [*_ledger(default, yours), *_text(default, yours), *_tables(default, yours)]
    frame = pd.DataFrame(found, columns=COLUMNS)
    return frame.sort_values("change", ascending=False, kind="stable", ignore_index=True)


def _ledger(default: Path, yours: Path) -> list[tuple]:
    theirs, ours = (executed.ledger_rows([path]).set_index("id") for path in (default, yours))
    rows = []
    for fact in theirs.index.union(ours.index, sort=False):
        pair = [frame["rebuilt"].get(fact) for frame in (theirs, ours)]
        named = ours if fact in ours.index else theirs
        words = f"{named.at[fact, 'where']}: {named.at[fact, 'quantity']}"
        rows += _changed("ledger", words, *pair, paper=named.at[fact, "printed"])
    return rows


def _text(default: Path, yours: Path) -> list[tuple]:
    theirs, ours = executed.glued(default), executed.glued(yours)
    quotes = _quotations(yours, ours)
    rows = []
    for name in {**theirs, **ours}:
        words, spec = quotes.get(name, (name.replace("_", " "), ""))
        rows += _changed("text", words, theirs.get(name), ours.get(name), spec=spec)
    return rows


def _tables(default: Path, yours: Path) -> list[tuple]:
    theirs, ours = executed.table_cells(default), executed.table_cells(yours)
    both = theirs.add_suffix("_default").join(ours, how="outer", sort=False)
    rows = []
    for (_, _, row, column, _), cell in both[both["text_default"] != both["text"]].iterrows():
        section = cell["section_default"] if pd.isna(cell["section"]) else cell["section"]
        words = " › ".join(part for part in (section, row, column) if part)
        pair = ["" if pd.isna(cell[c]) else cell[c] for c in ("text_default", "text")]
        first, second = map(executed.numbers, pair)
        if first != second:
            change = _change(first[0] if first else None, second[0] if second else None)
            rows.append(("table", words, "", *pair, change))
    return rows


def _changed(
    kind: str, words: str, default: object, yours: object, *, paper: str = "", spec: str = ""
) -> list[tuple]:
    """The row of a value if it changed."""
    missing = [x is None or x != x for x in (default, yours)]
    if all(missing) or (not any(missing) and default == yours):
        return []
    numbers = [
        float(x) if isinstance(x, (int, float)) and not isinstance(x, bool) and not gone else None
        for x, gone in zip((default, yours), missing)
    ]
    shown = ["" if gone else str(x) for x, gone in zip((default, yours), missing)]
    for digits in (spec, ".4g", ".7g", ".12g"):
        texts = [
            text if x is None else _format(x, digits) for x, text in zip(numbers, shown)
        ]
        if digits and texts[0] != texts[1]:
            return [(kind, words, paper, *texts, _change(*numbers))]
    return []  # rounding of the last bits


def _format(x: float, spec: str) -> str:
    try:
        return format(int(x) if x == int(x) and not spec.endswith("f") else x, spec)
    except (ValueError, OverflowError):
        return f"{x:.4g}"


def _change(default: float | None, yours: float | None) -> float:
    if default is None or yours is None:
        return math.nan
    if default == 0:
        return math.inf if yours else 0.0
    return abs(yours - default) / abs(default)


def _quotations(path: Path, values: Mapping[str, object]) -> dict[str, tuple[str, str]]:
    """For each glued value the first sentence that quotes it, filled in, and the format there."""
    found: dict[str, tuple[str, str]] = {}
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type != "markdown":
            continue
        for paragraph in re.split(r"\n\s*\n", cell.source):
            for sentence in re.split(r"(?<=[.!?:;])\s+(?=[A-Z{$*])", " ".join(paragraph.split())):
                roles = _ROLE.findall(sentence)
                for name, spec in roles:
                    own = name if len(roles) > 1 else ""
                    found.setdefault(name, (_plain(sentence, values, own), spec))
    return found


def _plain(sentence: str, values: Mapping[str, object], own: str) -> str:
    """A sentence of a chapter without markup, its numbers filled in, its `own` one in brackets."""
    def filled(match: re.Match) -> str:
        value = values.get(match[1], "…")
        text = _format(value, match[2] or "") if isinstance(value, float) else str(value)
        return f"[{text}]" if match[1] == own else text

    text = _ROLE.sub(filled, sentence)
    text = re.sub(r"\s*\(\{\w+(:\w+)?\}`[^`]*`\)", "", text)  # references in parentheses
    text = re.sub(r"\{cite:\w+\}`([^`]*)`", lambda m: _author(m[1]), text)
    text = re.sub(r"\{\w+(:\w+)?\}`(?:([^`<]*)<[^`]*>|[^`]*)`", lambda m: m[2] or "…", text)
    return re.sub(r"\*\*?|^[-*] |^#+ ", "", text).strip()


def _author(key: str) -> str:
    return published.PAPERS.get(key, key)
