"""A reader's own run of a chapter: executed, compared with the default run, made into a page."""

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pandas as pd

from companion.engine.build import chapters, files, marks, pages, staleness
from companion.engine.build.chapters import Chapter
from companion.engine.build.differences import difference, is_text
from companion.engine.build.execution import execute_all, renew_text
from companion.engine.show import display, fields
from companion.lab.locks import one_at_a_time
from replib.files import replacing


@dataclass(frozen=True)
class Rerun:
    """A finished run: where its page is, and what differs from the default run.

    Attributes
    ----------
    page : Path
        Under ``runs/``; the notebook and the difference as CSV are next to it.
    changes : DataFrame
        From `companion.engine.build.differences.difference`.
    sentence : str
        What the parameters changed, counted.
    """

    page: Path
    changes: pd.DataFrame
    sentence: str


def run(
    chapter: Chapter,
    values: Mapping[str, object],
    base: Mapping[str, object] | None = None,
) -> Rerun:
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
    """
    own, base = dict(values), dict(base or {})
    values = base | own
    key = staleness.key(chapter, values)[:8]
    work = chapters.BUILD / "copies" / f"{chapter.name}-{key}"
    copy = chapters.RUNS / chapter.name / key / f"{chapter.name}.ipynb"
    with one_at_a_time(work):  # a second run of the same copy finds it finished
        default = _execute(chapter, values, base, copy, work / "part.ipynb")
        changes = difference(default, copy, changed(chapter, values, base))
        files.write(copy.with_name("difference.csv"), changes.to_csv(index=False))
        notebook, figures = marks.marked(default, copy)
        counts = sentence(own, changes, figures, is_small=bool(base))
        report = _report(counts, changes, own, is_small=bool(base))
        _put_report(report, copy)
        _insert(report, notebook)
        print("making the page ...", file=sys.stderr)
        page = pages.one_page(chapter, copy, notebook, log=work / "page.log")
    return Rerun(page, changes, counts)


def _execute(
    chapter: Chapter, values: dict, base: dict, copy: Path, part: Path
) -> Path:
    """Execute what is missing of the copy and of the default run; return the default run."""
    part.unlink(missing_ok=True)  # left by a run that was killed
    kept = f"{chapter.source.stem}{'.preset' * bool(base)}.ipynb"
    kept_default = chapters.BUILD / "defaults" / kept
    for executed in (copy, chapter.executed, kept_default):
        renew_text(executed, chapter)
    tasks = []
    if not staleness.is_fresh(copy, chapter, values):
        tasks.append((chapter, values, part))
    default = chapter.executed
    if not staleness.is_fresh(default, chapter, base):
        default = kept_default
        if not staleness.is_fresh(default, chapter, base):
            tasks.append((chapter, base, default))
    labels = [
        f"{'your copy' if path == part else 'the default run'} of {chapter.name}"
        for _, _, path in tasks
    ]
    execute_all(tasks, jobs=2, labels=labels)
    if part.exists():
        copy.parent.mkdir(parents=True, exist_ok=True)
        os.replace(part, copy)
    return default


def changed(chapter: Chapter, values: Mapping, base: Mapping) -> dict[str, tuple]:
    """Return both values, in the default run and in the copy, of each parameter that differs."""
    pairs = {
        name: (base.get(name, parameter.default), values.get(name, parameter.default))
        for name, parameter in chapter.parameters.items()
    }
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def sentence(
    values: Mapping[str, object],
    changes: pd.DataFrame,
    n_figures: int,
    *,
    is_small: bool = False,
) -> str:
    """Count what parameters changed.

    >>> rows = pd.DataFrame({"verdict": ["", ""], "yours": ["1", "2"], "change": [0.5, 0.1]})
    >>> sentence({"n": 20}, rows, 1)
    'n = 20: 2 numbers, no verdict and 1 figure changed.'
    """
    setting = ", ".join(f"{name} = {value!r}" for name, value in values.items())
    setting = setting or "the defaults"
    if is_small:
        setting += " (small version)"
    n_texts = int(is_text(changes).sum())
    counts = [_counted(len(changes) - n_texts, "number")]
    if n_texts:
        counts.append(_counted(n_texts, "wording"))
    counts.append(_counted(int(changes["verdict"].ne("").sum()), "verdict"))
    return (
        f"{setting}: {', '.join(counts)} and {_counted(n_figures, 'figure')} changed."
    )


def _counted(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'s' * (number > 1)}"


def _report(
    counts: str, changes: pd.DataFrame, values: Mapping[str, object], *, is_small: bool
) -> str:
    """Return the box on top of the page: what changed, counted and in a table."""
    typed = {name: fields.typed(value) for name, value in values.items()}
    if is_small:
        typed["small"] = "1"
    return display.html(
        "rerun",
        counts=counts,
        values=json.dumps(typed),
        rows=changes.to_dict("records"),
        has_printed_values=bool(changes["paper"].ne("").any()),
        compared_with="the default run" + " of the small version" * is_small,
        has_verdicts=bool(changes["verdict"].ne("").any()),
    )


def _insert(report: str, notebook: nbformat.NotebookNode) -> None:
    """Put the report below the opening of a notebook, in the place of an earlier one."""
    cell = nbformat.v4.new_code_cell(
        "# what these parameters changed",  # a cell without source would be dropped
        id=chapters.MARK,
        metadata={"tags": ["remove-input"]},
        outputs=[nbformat.v4.new_output("display_data", {"text/html": report})],
    )
    others = [cell for cell in notebook.cells if cell.get("id") != chapters.MARK]
    notebook.cells = [others[0], cell, *others[1:]]


def _put_report(report: str, copy: Path) -> None:
    """Put the report into the notebook of a copy, which is complete with or without it."""
    notebook = nbformat.read(copy, as_version=4)
    _insert(report, notebook)
    with replacing(copy) as (part,):
        chapters.write_sealed(notebook, part)
