"""A reader's own run of a chapter: executed, compared with the default run, made into a page."""

import ast
import builtins
import math
import os
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import nbformat
import pandas as pd

from companion.engine.build import chapters, editions, files, outputs, pages, staleness
from companion.engine.build.chapters import Chapter
from companion.engine.build.execution import execute_all, renew_text
from companion.engine.show import display
from companion.lab.locks import one_at_a_time
from companion.papers import ledger, published

COLUMNS = ["words", "paper", "default", "yours", "verdict", "errors", "change"]

#: Standard errors up to which a change is not surprising.
NOISE = 2

#: Rows of the difference that the page shows before the rest is folded.
SHOWN = 12


def run(
    chapter: Chapter,
    values: Mapping[str, object],
    base: Mapping[str, object] | None = None,
) -> tuple[Path, pd.DataFrame]:
    """Execute a reader's copy of a chapter and make its page; no other chapter is executed.

    The default run, with which the copy is compared, is that of the book if the book
    has it; otherwise it is executed once together with the copy, and kept under
    ``_build/defaults``.

    Parameters
    ----------
    chapter : Chapter
    values : mapping
        Checked parameter values.
    base : mapping, optional
        Checked values of a preset, which the copy and the run that it is compared with
        share, except for those in `values`.

    Returns
    -------
    page : Path
        The page of the copy, under ``runs/``; the notebook and the difference are next
        to it.
    changes : DataFrame
        From :func:`difference`.
    """
    base = dict(base or {})
    values = base | dict(values)
    key = staleness.key(chapter, values)[:8]
    work = chapters.BUILD / "copies" / f"{chapter.name}-{key}"
    copy = chapters.RUNS / chapter.name / key / f"{chapter.name}.ipynb"
    with one_at_a_time(work):  # a second run of the same copy finds it finished
        changes = _execute(chapter, values, base, copy, work / "part.ipynb")
        print("making the page ...", file=sys.stderr)
        return pages.one_page(chapter, copy, log=work / "page.log"), changes


def _execute(
    chapter: Chapter, values: dict, base: dict, copy: Path, part: Path
) -> pd.DataFrame:
    """Execute what is missing of the copy and of the default run, and compare the two."""
    part.unlink(missing_ok=True)  # left by a run that was killed
    kept = f"{chapter.source.stem}{'.preset' * bool(base)}.ipynb"
    kept_default = chapters.BUILD / "defaults" / kept
    for executed in (chapter.executed, kept_default):
        renew_text(executed, chapter)
    tasks = []
    if not staleness.is_fresh(copy, chapter, values):
        tasks.append((chapter, values, part))
    elif not outputs.has_text_of(chapter, copy):
        shutil.copy(copy, part)
        renew_text(part, chapter)
    default = chapter.executed
    if not staleness.is_fresh(default, chapter, base):
        default = kept_default
        if not staleness.is_fresh(default, chapter, base):
            tasks.append((chapter, base, default))
    execute_all(tasks, jobs=2)
    changes = difference(
        default, part if part.exists() else copy, changed(chapter, values, base)
    )
    copy.parent.mkdir(parents=True, exist_ok=True)
    if part.exists():
        mark(
            part,
            values,
            changes,
            "the default run" + " with the same preset" * bool(base),
        )
        os.replace(part, copy)
    files.write(copy.with_name("difference.csv"), changes.to_csv(index=False))
    return changes


def changed(chapter: Chapter, values: Mapping, base: Mapping) -> dict[str, tuple]:
    """Return both values, in the default run and in the copy, of each parameter that differs."""
    pairs = {
        name: (base.get(name, parameter.default), values.get(name, parameter.default))
        for name, parameter in chapter.parameters.items()
    }
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def mark(
    path: Path,
    values: Mapping[str, object],
    changes: pd.DataFrame,
    compared_with: str = "the default run",
) -> None:
    """Say at the top of a copy which parameters it was run with and what they changed."""
    setting = ", ".join(f"{name} = {value!r}" for name, value in values.items())
    text = display.html(
        "rerun",
        setting=setting or "the defaults",
        rows=changes.to_dict("records"),
        shown=SHOWN,
        compared_with=compared_with,
        verdicts=int((changes["verdict"] != "").sum()),
    )
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(
        1,
        nbformat.v4.new_code_cell(
            "# what these parameters changed",  # a cell without source would be dropped
            id=chapters.MARK,
            metadata={"tags": ["remove-input"]},
            outputs=[nbformat.v4.new_output("display_data", {"text/html": text})],
        ),
    )
    chapters.write_sealed(notebook, path)


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
    rows = [*_ledger(default, yours), *_prose(default, yours, dict(parameters or {}))]
    frame = pd.DataFrame(rows, columns=COLUMNS)
    fell = frame["verdict"].map(_fall)
    words = frame["change"].isna() & ~frame["yours"].str.contains(r"[\d$]|^$")
    order = frame.assign(
        decides=fell.ne(0) + 2 * words, fell=fell, known=frame["errors"].fillna(NOISE)
    )
    by_surprise = ["decides", "fell", "known", "change"]
    ranked = order.sort_values(by_surprise, ascending=False, kind="stable")
    return ranked[COLUMNS].reset_index(drop=True)


def _fall(verdict: str) -> int:
    """Return by how many places a verdict fell; 0 only if it is the same."""
    before, _, after = verdict.partition(" → ")
    places = [*ledger.VERDICTS, ""]  # "" for a fact that only one run has
    return places.index(after) - places.index(before)


def _ledger(default: Path, yours: Path) -> list[tuple]:
    first, second = (
        outputs.ledger_rows([path]).set_index("id") for path in (default, yours)
    )
    rows = []
    for fact in first.index.union(second.index, sort=False):
        fact_row = (second if fact in second.index else first).loc[fact]
        values, errors, verdicts = (
            [frame[column].get(fact) for frame in (first, second)]
            for column in ("rebuilt", "standard_error", "verdict")
        )
        verdict = (
            "" if verdicts[0] == verdicts[1] else " → ".join(v or "" for v in verdicts)
        )
        rows += _row(
            f"{fact_row['where']}: {fact_row['quantity']}",
            fact_row["printed"],
            values,
            errors=errors,
            verdict=verdict,
        )
    return rows


def _prose(default: Path, yours: Path, given: Mapping[str, tuple]) -> list[tuple]:
    first, second = outputs.glued(default), outputs.glued(yours)
    notebook = nbformat.read(yours, as_version=4)
    quotations, echoes = _quotations(notebook, second), _echoes(notebook)
    rows = []
    for name, (words, spec) in quotations.items():
        pair = (first.get(name), second.get(name))
        if name not in echoes and pair not in given.values():
            rows += _row(words, "", pair, spec=spec)
    return rows


def _echoes(notebook: nbformat.NotebookNode) -> set[str]:
    """Return the names of glued values that depend only on parameters."""
    cells = [(c, ast.parse(c.source)) for c in notebook.cells if c.cell_type == "code"]
    declared = {
        node.target.id
        for cell, code in cells
        if "parameters" in cell.metadata.get("tags", ())
        for node in code.body
        if isinstance(node, ast.AnnAssign)
    }
    known = declared | set(dir(builtins))
    names = {
        keyword.arg: {
            node.id for node in ast.walk(keyword.value) if isinstance(node, ast.Name)
        }
        for _, code in cells
        for call in ast.walk(code)
        if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "glue"
        for keyword in call.keywords
    }
    return {name for name, used in names.items() if used & declared and used <= known}


def _row(
    words: str,
    paper: str,
    values: tuple | list,
    *,
    spec: str = "",
    errors: tuple | list = (),
    verdict: str = "",
) -> list[tuple]:
    """Return the row of a value if it, or its verdict, changed."""
    values = [None if x is None or x != x else x for x in values]
    is_number = [
        isinstance(x, (int, float)) and not isinstance(x, bool) for x in values
    ]
    # a number of the ledger has as many digits as tell the two apart
    for digits in (spec,) if spec else (".4g", ".7g", ".12g"):
        texts = [
            "" if x is None else _format(x, digits) if number else str(x)
            for x, number in zip(values, is_number)
        ]
        if texts[0] != texts[1]:
            break
    else:
        if not verdict:  # the last bits were rounded differently
            return []
        texts = [
            _format(x, ".4g") if n else t for x, n, t in zip(values, is_number, texts)
        ]
    in_errors = change = math.nan
    if all(is_number):
        step = abs(values[1] - values[0])
        change = step / abs(values[0]) if values[0] else math.inf if step else 0.0
        known = [x for x in errors if x is not None and x > 0]
        in_errors = step / math.hypot(*known) if len(known) == 2 else math.nan
    return [(words, paper, *texts, verdict, in_errors, change)]


def _format(x: float, spec: str) -> str:
    try:
        return format(int(x) if x == int(x) and not spec.endswith("f") else x, spec)
    except (ValueError, OverflowError):
        return f"{x:.4g}"


def _quotations(
    notebook: nbformat.NotebookNode, values: Mapping[str, object]
) -> dict[str, tuple[str, str]]:
    """Return, by glued value, the first sentence that quotes it, filled in, and its format."""
    found: dict[str, tuple[str, str]] = {}
    prose = editions.EDITIONS["book"].text(
        "\n\n".join(
            cell.source
            if cell.cell_type == "markdown"
            else cell.metadata.get("mystnb", {}).get("figure", {}).get("caption", "")
            for cell in notebook.cells
        )
    )
    for paragraph in re.split(r"\n\s*\n|\n\s*(?:[-*]|\d+\.) ", prose):
        for sentence in re.split(
            r"(?<=[.!?])\s+(?=[A-Z{$*])", " ".join(paragraph.split())
        ):
            roles = editions.GLUED.findall(sentence)
            for name, spec in roles:
                own = name if len(roles) > 1 else ""
                found.setdefault(name, (_plain(sentence, values, own), spec))
    return found


def _plain(sentence: str, values: Mapping[str, object], own: str) -> str:
    """Return a sentence without markup, with its numbers, the number `own` in brackets."""

    def filled(match: re.Match) -> str:
        value = values.get(match[1], "…")
        text = (
            _format(value, match[2] or "") if isinstance(value, float) else str(value)
        )
        return f"[{text}]" if match[1] == own else text

    text = editions.GLUED.sub(filled, sentence)
    text = re.sub(
        r"\s*\(\{\w+(:\w+)?\}`[^`]*`\)", "", text
    )  # references in parentheses
    text = re.sub(
        r"\{cite:\w+\}`([^`]*)`", lambda m: published.PAPERS.get(m[1], m[1]), text
    )
    text = re.sub(
        r"\{\w+(:\w+)?\}`(?:([^`<]*)<[^`]*>|[^`]*)`", lambda m: m[2] or "…", text
    )
    # text between dollars is a formula, in which stars are not markup
    return re.sub(r"(\$[^$]+\$)|\*\*?|^[-*] |^#+ ", lambda m: m[1] or "", text).strip()
