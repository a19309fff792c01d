"""What differs between two executions of a chapter: rows of the ledger, numbers in prose."""

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import nbformat
import pandas as pd

from companion.engine.build import outputs
from companion.engine.build.quotations import (
    names_that_repeat_parameters,
    quotations,
    text_of_value,
)
from companion.papers import ledger

#: Standard errors up to which a change is not surprising.
NOISE = 2

#: A number of the ledger has as many digits as tell both runs apart, the last bits
#: excepted, which may be rounded differently.
_FORMATS_OF_THE_LEDGER = (".4g", ".7g", ".12g")


class Difference(NamedTuple):
    """A row of :func:`difference`, which describes the fields."""

    words: str
    paper: str
    default: str
    yours: str
    verdict: str = ""
    errors: float = math.nan
    change: float = math.nan


COLUMNS = list(Difference._fields)


def difference(
    default: Path,
    yours: Path,
    parameters: Mapping[str, tuple[object, object]] | None = None,
) -> pd.DataFrame:
    """Return the ledger rows and the numbers in prose that differ between two executions.

    Words of the text that changed, such as a decision, come first, and then verdicts
    that changed, starting with those that fell furthest.  Then come changes of more
    than `NOISE` standard errors; then changes whose error is not known, by relative
    change; and finally the other changes.  A number that the page does not show, or
    shows with the same digits, has no row.

    Parameters
    ----------
    default, yours : Path
        Executed notebooks of one chapter.
    parameters : mapping of str to tuple, optional
        By name, the two values of each parameter that was changed.  A number that only
        repeats a parameter is left out.

    Returns
    -------
    DataFrame
        `words` (what the number is; for a number in the text the sentence that quotes
        it, from your run), `paper` (as printed), `default` and `yours` (rounded as on
        the page, or with more digits if that hides the change; empty where only one of
        the runs has the number), `verdict` (``"exact → differs"``, empty if it did not
        change), `errors` (the change in joint standard errors of both runs, as if they
        were independent; NaN if not known), `change` (relative to the default; infinite
        from zero, NaN if one of the two is not a number).
    """
    rows = [*_of_ledger(default, yours), *_of_prose(default, yours, parameters or {})]
    frame = pd.DataFrame(rows, columns=COLUMNS)
    ranks = pd.DataFrame(
        {
            "decides": frame["verdict"].ne("") + 2 * is_text(frame),
            "fell": frame["verdict"].map(_places_fallen),
            "errors": frame["errors"].fillna(NOISE),
            "change": frame["change"],
        }
    )
    by_surprise = ranks.sort_values([*ranks], ascending=False, kind="stable").index
    return frame.loc[by_surprise].reset_index(drop=True)


def is_text(frame: pd.DataFrame) -> pd.Series:
    """Return of each row of a difference whether words changed, and not a number."""
    return frame["change"].isna() & ~frame["yours"].str.contains(r"[\d$]|^$")


def _places_fallen(verdict: str) -> int:
    """Return by how many places a verdict fell; negative if it rose."""
    before, _, after = verdict.partition(" → ")
    places = [*ledger.VERDICTS, ""]  # "" for a fact that only one run has
    return places.index(after) - places.index(before)


def _of_ledger(default: Path, yours: Path) -> list[Difference]:
    """Return the rows of the facts of the ledger."""
    before, after = (
        outputs.ledger_rows([path]).set_index("id") for path in (default, yours)
    )
    rows = []
    for fact in before.index.union(after.index, sort=False):
        described = (after if fact in after.index else before).loc[fact]
        values, errors, verdicts = (
            [_known(frame[column].get(fact)) for frame in (before, after)]
            for column in ("rebuilt", "standard_error", "verdict")
        )
        is_same = verdicts[0] == verdicts[1]
        row = _row(
            f"{described['where']}: {described['quantity']}",
            values,
            _FORMATS_OF_THE_LEDGER,
            verdict="" if is_same else " → ".join(v or "" for v in verdicts),
        )
        if row:
            errors_of_change = _in_errors(values, errors)
            rows.append(
                row._replace(paper=described["printed"], errors=errors_of_change)
            )
    return rows


def _of_prose(
    default: Path, yours: Path, parameters: Mapping[str, tuple]
) -> list[Difference]:
    """Return the rows of the glued values that the prose quotes."""
    before, after = outputs.glued(default), outputs.glued(yours)
    notebook = nbformat.read(yours, as_version=4)
    repeating = names_that_repeat_parameters(notebook)
    rows = []
    for name, (words, spec) in quotations(notebook, after).items():
        values = [before.get(name), after.get(name)]
        if name not in repeating and tuple(values) not in parameters.values():
            rows.append(_row(words, [_known(x) for x in values], [spec]))
    return [row for row in rows if row]


def _row(
    words: str, values: list[object], formats: Iterable[str], *, verdict: str = ""
) -> Difference | None:
    """Return the row of a value; None unless the value, as shown, or its verdict changed."""
    pairs = [[text_of_value(x, spec) for x in values] for spec in formats]
    shown = next((pair for pair in pairs if pair[0] != pair[1]), pairs[0])
    if shown[0] == shown[1] and not verdict:
        return None
    return Difference(words, "", *shown, verdict, change=_relative_change(values))


def _relative_change(values: list[object]) -> float:
    """Return the change relative to the first value; NaN unless both are numbers."""
    if not all(map(_is_number, values)):
        return math.nan
    before, after = values
    step = abs(after - before)
    if not before:
        return math.inf if step else 0.0
    return step / abs(before)


def _in_errors(values: list[object], errors: list[float | None]) -> float:
    """Return the change in joint standard errors of both runs; NaN if one is not known."""
    has_errors = all(error is not None and error > 0 for error in errors)
    if not has_errors or not all(map(_is_number, values)):
        return math.nan
    return abs(values[1] - values[0]) / math.hypot(*errors)


def _is_number(x: object) -> bool:
    return isinstance(x, (int, float)) and not isinstance(x, bool)


def _known(x: object) -> object:
    """Return a value, None for NaN."""
    return x if x == x else None
