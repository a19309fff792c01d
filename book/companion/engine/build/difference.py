"""What other parameters changed: every number of two executions of a chapter, side by side."""

import ast
import builtins
import math
import re
from collections.abc import Mapping
from pathlib import Path

import nbformat
import pandas as pd

from companion.engine.build import executed
from companion.papers import ledger, published

COLUMNS = ["kind", "words", "paper", "default", "yours", "verdict", "errors", "change"]

#: Standard errors up to which a change is not surprising.
NOISE = 2

_ROLE = re.compile(r"\{glue:(?:text|md)\}`(\w+)(?::([^`]*))?`")

#: What a column of a table holds, by words in its name; the rest of the name is the quantity.
_HOLDS = {
    "printed": "printed", "rebuilt": "value", "found": "value", "mean": "value",
    "simulated": "value", "error": "error", "standard": "error", "±": "error",
}


def difference(
    default: Path, yours: Path, parameters: Mapping[str, tuple[object, object]] | None = None
) -> pd.DataFrame:
    """Return every number of a chapter that differs between two executions, most surprising first.

    Verdicts that changed come first, starting with those that fell furthest.  Then come changes of
    more than `NOISE` standard errors; then changes whose error is not known, by relative change;
    and finally the other changes.

    Parameters
    ----------
    default, yours : Path
        Executed notebooks of one chapter.
    parameters : mapping of str to tuple, optional
        By name, the two values of each parameter that was changed.  A number that only repeats a
        parameter is left out.

    Returns
    -------
    DataFrame
        `kind` (``"ledger"``, ``"text"`` or ``"table"``), `words` (what the number is; for a number
        in the text the sentence that quotes it, from your run), `paper` (as printed), `default`
        and `yours` (rounded as on the page, or with more digits if that hides the change; empty
        where only one of the runs has the cell), `verdict` (``"exact → differs"``, empty if it did
        not change), `errors` (the change in joint standard errors of both runs, as if they were
        independent; NaN if not known), `change` (relative to the default; infinite from zero, NaN
        if one of the two is not a number).
    """
    given = dict(parameters or {})
    found = [
        *_ledger(default, yours), *_text(default, yours, given), *_tables(default, yours, given)
    ]
    frame = pd.DataFrame(found, columns=COLUMNS)
    fell = frame["verdict"].map(_fall)
    ranks = {"verdict": fell.ne(0), "fall": fell, "errors": frame["errors"].fillna(NOISE)}
    order = frame.assign(**{f"_{name}": rank for name, rank in ranks.items()}).sort_values(
        ["_verdict", "_fall", "_errors", "change"], ascending=False, kind="stable"
    )
    return order[COLUMNS].reset_index(drop=True)


def _fall(verdict: str) -> int:
    """Return by how many places a verdict fell; 0 only if it is the same."""
    before, _, after = verdict.partition(" → ")
    places = [*ledger.VERDICTS, ""]  # "" for a fact that only one run has
    return places.index(after) - places.index(before)


def _ledger(default: Path, yours: Path) -> list[tuple]:
    theirs, ours = (executed.ledger_rows([path]).set_index("id") for path in (default, yours))
    rows = []
    for fact in theirs.index.union(ours.index, sort=False):
        named = ours if fact in ours.index else theirs
        words = f"{named.at[fact, 'where']}: {named.at[fact, 'quantity']}"
        values, errors, verdicts = (
            [frame[column].get(fact) for frame in (theirs, ours)]
            for column in ("rebuilt", "standard_error", "verdict")
        )
        before, after = (verdict or "" for verdict in verdicts)
        rows += _changed(
            "ledger", words, *values, paper=named.at[fact, "printed"], errors=errors,
            verdict="" if before == after else f"{before} → {after}",
        )
    return rows


def _text(default: Path, yours: Path, given: Mapping[str, tuple]) -> list[tuple]:
    theirs, ours = executed.glued(default), executed.glued(yours)
    quotes, echoes = _quotations(yours, ours), _echoes(yours)
    rows = []
    for name in {**theirs, **ours}:
        pair = (theirs.get(name), ours.get(name))
        if name not in echoes and not _repeats(pair, given):
            words, spec = quotes.get(name, (name.replace("_", " "), ""))
            rows += _changed("text", words, *pair, spec=spec)
    return rows


def _tables(default: Path, yours: Path, given: Mapping[str, tuple]) -> list[tuple]:
    theirs, ours = executed.table_cells(default), executed.table_cells(yours)
    heads = {**_first_texts(theirs), **_first_texts(ours)}
    printed = _companions(ours, "printed")
    errors = [_companions(cells, "error") for cells in (theirs, ours)]
    both = theirs.add_suffix("_default").join(ours, how="outer", sort=False)
    rows = []
    for place, cell in both[both["text_default"] != both["text"]].iterrows():
        section = cell["section_default"] if pd.isna(cell["section"]) else cell["section"]
        row = heads.get(place[:3], place[2])
        words = " › ".join(part for part in (section, row, place[3]) if part)
        texts = ["" if pd.isna(cell[c]) else cell[c] for c in ("text_default", "text")]
        first, second = map(executed.numbers, texts)
        pair = first[0] if first else None, second[0] if second else None
        if first != second and not _repeats(pair, given):
            of_both = [(executed.numbers(known.get(place, "")) or [None])[0] for known in errors]
            paper = printed.get(place, "")
            rows.append((
                "table", words, paper, *texts, "", _in_errors(*pair, of_both), _change(*pair)
            ))
    return rows


def _first_texts(cells: pd.DataFrame) -> dict[tuple, str]:
    """Return, for rows of tables with only a number as label, the text of the first cell."""
    first = cells["text"].groupby(level=["cell", "table", "row"], sort=False).first()
    return {place: text for place, text in first.items() if re.fullmatch(r"row \d+", place[2])}


def _companions(cells: pd.DataFrame, role: str) -> dict[tuple, str]:
    """Return, by cell of a table, the text in the same row with that role for its quantity."""
    found = {
        (cell, table, row, quantity, n): text
        for (cell, table, row, column, n), text in cells["text"].items()
        for quantity, holds in [_quantity(column)] if holds == role
    }
    return {
        place: found[beside] for place in cells.index
        for quantity, holds in [_quantity(place[3])] if holds == "value"
        if (beside := (*place[:3], quantity, place[4])) in found
    }


def _quantity(column: str) -> tuple[str, str]:
    """Return the quantity of a column, and what it holds: the printed value, value or error."""
    words = column.split()
    roles = {_HOLDS[word] for word in words if word in _HOLDS}
    role = next((one for one in ("error", "printed") if one in roles), "value")
    return " ".join(word for word in words if word not in _HOLDS), role


def _echoes(path: Path) -> set[str]:
    """Return the names of glued values that depend only on parameters."""
    cells = [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
    declared = {
        name.id for cell in cells if "parameters" in cell.metadata.get("tags", ())
        for name in ast.walk(ast.parse(cell.source))
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }
    return {
        keyword.arg for cell in cells for call in ast.walk(ast.parse(cell.source))
        if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "glue"
        for keyword in call.keywords
        if (names := {n.id for n in ast.walk(keyword.value) if isinstance(n, ast.Name)})
        & declared and names <= declared | set(dir(builtins))
    }


def _repeats(pair: tuple, given: Mapping[str, tuple]) -> bool:
    """Return whether the values of both runs are those of a parameter that was changed."""
    return any(pair == values for values in given.values())


def _changed(
    kind: str, words: str, default: object, yours: object, *, paper: str = "", spec: str = "",
    errors: tuple | list = (None, None), verdict: str = "",
) -> list[tuple]:
    """Return the row of a value if it, or its verdict, changed."""
    missing = [x is None or x != x for x in (default, yours)]
    numbers = [
        float(x) if isinstance(x, (int, float)) and not isinstance(x, bool) and not gone else None
        for x, gone in zip((default, yours), missing)
    ]
    shown = ["" if gone else str(x) for x, gone in zip((default, yours), missing)]
    is_same = all(missing) or (not any(missing) and default == yours)
    specs = (spec, ".4g") if is_same else (spec, ".4g", ".7g", ".12g")
    for digits in specs:
        texts = [
            text if x is None else _format(x, digits) for x, text in zip(numbers, shown)
        ]
        if digits and texts[0] != texts[1]:
            break
    else:
        if not verdict:  # the last bits were rounded differently
            return []
    return [(
        kind, words, paper, *texts, verdict, _in_errors(*numbers, errors), _change(*numbers)
    )]


def _format(x: float, spec: str) -> str:
    try:
        return format(int(x) if x == int(x) and not spec.endswith("f") else x, spec)
    except (ValueError, OverflowError):
        return f"{x:.4g}"


def _in_errors(default: float | None, yours: float | None, errors: tuple | list) -> float:
    """Return a change in joint standard errors of both values; NaN unless both are known."""
    known = [x for x in errors if x is not None and x > 0]
    if default is None or yours is None or len(known) < 2:
        return math.nan
    return abs(yours - default) / math.hypot(*known)


def _change(default: float | None, yours: float | None) -> float:
    if default is None or yours is None:
        return math.nan
    if default == 0:
        return math.inf if yours else 0.0
    return abs(yours - default) / abs(default)


def _quotations(path: Path, values: Mapping[str, object]) -> dict[str, tuple[str, str]]:
    """Return, by glued value, the first sentence that quotes it, filled in, and its format."""
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
    """Return a sentence without markup, with its numbers, the number `own` in brackets."""
    def filled(match: re.Match) -> str:
        value = values.get(match[1], "…")
        text = _format(value, match[2] or "") if isinstance(value, float) else str(value)
        return f"[{text}]" if match[1] == own else text

    text = _ROLE.sub(filled, sentence)
    text = re.sub(r"\s*\(\{\w+(:\w+)?\}`[^`]*`\)", "", text)  # references in parentheses
    text = re.sub(r"\{cite:\w+\}`([^`]*)`", lambda m: published.PAPERS.get(m[1], m[1]), text)
    text = re.sub(r"\{\w+(:\w+)?\}`(?:([^`<]*)<[^`]*>|[^`]*)`", lambda m: m[2] or "…", text)
    # text between dollars is a formula, in which stars are not markup
    return re.sub(r"(\$[^$]+\$)|\*\*?|^[-*] |^#+ ", lambda m: m[1] or "", text).strip()
