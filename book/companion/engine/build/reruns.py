"""A reader's own run of a chapter: executed, compared with the default run, made into a page."""

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import nbformat
import pandas as pd

from companion.engine.build import (
    chapters,
    costs,
    files,
    marks,
    pages,
    parameters,
    staleness,
)
from companion.engine.build.chapters import Chapter
from companion.engine.build.differences import difference, is_text
from companion.engine.build.execution import execute_all, renew_text
from companion.engine.build.progress import Step, tell_nobody
from companion.engine.show import display, fields
from companion.lab.locks import one_at_a_time
from replib._files import replacing


@dataclass(frozen=True)
class Rerun:
    """A chapter with a reader's values, which are checked: see :func:`rerun`.

    Attributes
    ----------
    chapter : Chapter
    values : dict
        Those that the reader gave.
    base : dict
        Those of the small version, which the default run has, too; otherwise empty.
    """

    chapter: Chapter
    values: dict[str, object]
    base: dict[str, object]

    @property
    def all_values(self) -> dict[str, object]:
        return self.base | self.values

    @cached_property
    def folder(self) -> Path:
        """Where its notebook, its page and the difference are, or will be."""
        key = staleness.key(self.chapter, self.all_values)[:8]
        return chapters.RUNS / self.chapter.name / key

    @property
    def copy(self) -> Path:
        """Its executed notebook."""
        return self.folder / f"{self.chapter.name}.ipynb"

    @property
    def page(self) -> Path:
        return self.copy.with_suffix(".html")

    @property
    def seconds(self) -> float | None:
        """How long the default run of this size took when it was last recorded."""
        preset = "quick" if self.base else "paper"
        return costs.recorded().get(self.chapter.name, {}).get(preset)


@dataclass(frozen=True)
class Answer:
    """What a rerun left: where its page is, and what differs from the default run.

    Attributes
    ----------
    page : Path
        The notebook and the difference as CSV are next to it.
    changes : DataFrame
        From `companion.engine.build.differences.difference`.
    sentence : str
        What the parameters changed, counted.
    """

    page: Path
    changes: pd.DataFrame
    sentence: str


def rerun(name: str, given: Mapping[str, object], *, small: bool = False) -> Rerun:
    """Return the rerun that a reader asks for.

    Parameters
    ----------
    name : str
        A chapter, with or without its number.
    given : mapping
        Values by name, as texts or of their types.
    small : bool
        Whether what is not given has the value of the preset ``quick``, in the default
        run, too.

    Raises
    ------
    ParameterError
        If there is no such chapter, it has no such parameter, or a value is not allowed.
    """
    chapter = chapters.find(name)
    values = parameters.read(given, chapter.parameters)
    base = chapters.preset("quick").get(chapter.name, {}) if small else {}
    checked = chapter.check(base | values)
    return Rerun(chapter, {name: checked[name] for name in values}, base)


def run(asked: Rerun, report: Callable[[str, Step], object] = tell_nobody) -> Answer:
    """Execute a reader's copy of a chapter and make its page; no other chapter is executed.

    The default run, with which the copy is compared, is that of the book if the book
    has it; otherwise it is executed once together with the copy, and kept under
    ``_build/defaults``.

    Parameters
    ----------
    asked : Rerun
    report : callable
        Is called with what is being made, and each step of it.
    """
    chapter, folder = asked.chapter, asked.folder
    work = chapters.BUILD / "copies" / f"{chapter.name}-{folder.name}"
    with one_at_a_time(work):  # a second run of the same copy finds it finished
        default = _execute(asked, work / "part.ipynb", report)
        differing = changed(chapter, asked.all_values, asked.base)
        changes = difference(default, asked.copy, differing)
        files.write(folder / "difference.csv", changes.to_csv(index=False))
        counts = _sentence_of_page(asked, default)
        if counts is None:
            report("the page", Step(0, 0))
            print("making the page ...", file=sys.stderr)
            counts = _make_page(asked, default, changes, log=work / "page.log")
    return Answer(asked.page, changes, counts)


def prepare() -> None:
    """Read the code of all chapters, so that the first rerun here does not wait for it."""
    for chapter in chapters.chapters():
        staleness.key(chapter, {})


def finished_page(asked: Rerun) -> Path | None:
    """Return the page of a rerun if it is what :func:`run` would make."""
    default = _fresh_default(asked)
    is_fresh = default and staleness.is_fresh(
        asked.copy, asked.chapter, asked.all_values
    )
    if is_fresh and _sentence_of_page(asked, default) is not None:
        return asked.page
    return None


def _make_page(asked: Rerun, default: Path, changes: pd.DataFrame, log: Path) -> str:
    """Make the page, and say what changed."""
    marked = marks.marked(default, asked.copy)
    notebook = marked.notebook
    counts = sentence(asked, changes, n_figures=marked.figures, n_tables=marked.tables)
    box = _box(asked, changes, counts)
    _put_box(box, asked.copy)
    _insert(box, notebook)
    pages.one_page(asked.chapter, asked.copy, notebook, log=log)
    stamp = {"inputs": _inputs_of_page(asked, default), "sentence": counts}
    files.write(asked.page.with_suffix(".json"), json.dumps(stamp))
    return counts


def _sentence_of_page(asked: Rerun, default: Path) -> str | None:
    """Return what changed if there is a page and it is up to date."""
    try:
        text = asked.page.with_suffix(".json").read_text(encoding="utf-8")
        stamp = dict(json.loads(text))
        is_fresh = stamp["inputs"] == _inputs_of_page(asked, default)
        return str(stamp["sentence"]) if is_fresh else None
    except (OSError, ValueError, KeyError, TypeError):  # missing, or damaged
        return None


def _inputs_of_page(asked: Rerun, default: Path) -> str:
    return pages.digest_of_inputs(asked.copy, asked.page, default)


def _execute(asked: Rerun, part: Path, report: Callable[[str, Step], object]) -> Path:
    """Execute what is missing of the copy and of the default run; return the default run."""
    chapter = asked.chapter
    part.unlink(missing_ok=True)  # left by a run that was killed
    for executed in (asked.copy, *_defaults(asked)):
        renew_text(executed, chapter)
    tasks = {}
    if not staleness.is_fresh(asked.copy, chapter, asked.all_values):
        tasks["your copy"] = (chapter, asked.all_values, part)
    default = _fresh_default(asked)
    if default is None:
        default = _defaults(asked)[1]
        tasks["the default run"] = (chapter, asked.base, default)
    execute_all([*tasks.values()], jobs=2, labels=[*tasks], report=report)
    if part.exists():
        asked.copy.parent.mkdir(parents=True, exist_ok=True)
        files.move(part, asked.copy)
    return default


def _defaults(asked: Rerun) -> tuple[Path, Path]:
    """Return the two files of a default run: of the book, and the one kept for reruns."""
    of_preset = ".preset" if asked.base else ""
    kept = f"{asked.chapter.source.stem}{of_preset}.ipynb"
    return asked.chapter.executed, chapters.BUILD / "defaults" / kept


def _fresh_default(asked: Rerun) -> Path | None:
    for default in _defaults(asked):
        if staleness.is_fresh(default, asked.chapter, asked.base):
            return default
    return None


def changed(chapter: Chapter, values: Mapping, base: Mapping) -> dict[str, tuple]:
    """Return both values, in the default run and in the copy, of each parameter that differs."""
    pairs = {
        name: (base.get(name, parameter.default), values.get(name, parameter.default))
        for name, parameter in chapter.parameters.items()
    }
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def sentence(
    asked: Rerun, changes: pd.DataFrame, *, n_figures: int, n_tables: int
) -> str:
    """Count what the values changed.

    >>> rows = pd.DataFrame({"verdict": ["", ""], "yours": ["1", "2"], "change": [0.5, 0.1]})
    >>> sentence(rerun("estimators", {"n": 20}), rows, n_figures=1, n_tables=3)
    'n = 20: 2 numbers, no verdict, 3 tables and 1 figure changed.'
    """
    setting = ", ".join(f"{name} = {value!r}" for name, value in asked.values.items())
    setting = setting or "The defaults"
    if asked.base:
        setting += " (small version)"
    n_texts = int(is_text(changes).sum())
    counts = [_counted(len(changes) - n_texts, "number")]
    if n_texts:
        counts.append(_counted(n_texts, "wording"))
    counts.append(_counted(int(changes["verdict"].ne("").sum()), "verdict"))
    if n_tables:
        counts.append(_counted(n_tables, "table"))
    return (
        f"{setting}: {', '.join(counts)} and {_counted(n_figures, 'figure')} changed."
    )


def _counted(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'s' * (number > 1)}"


def _box(asked: Rerun, changes: pd.DataFrame, counts: str) -> str:
    """Return the box on top of the page: what changed, counted and in a table."""
    typed = {name: fields.typed(value) for name, value in asked.values.items()}
    if asked.base:
        typed["small"] = "1"
    return display.html(
        "rerun",
        counts=counts,
        values=json.dumps(typed),
        rows=changes.to_dict("records"),
        has_printed_values=bool(changes["paper"].ne("").any()),
        compared_with="the default run" + " of the small version" * bool(asked.base),
        has_verdicts=bool(changes["verdict"].ne("").any()),
    )


def _insert(box: str, notebook: nbformat.NotebookNode) -> None:
    """Put the box below the opening of a notebook, in the place of an earlier one."""
    cell = nbformat.v4.new_code_cell(
        "# what these parameters changed",  # a cell without source would be dropped
        id=chapters.MARK,
        metadata={"tags": ["remove-input"]},
        outputs=[nbformat.v4.new_output("display_data", {"text/html": box})],
    )
    others = [cell for cell in notebook.cells if cell.get("id") != chapters.MARK]
    notebook.cells = [others[0], cell, *others[1:]]


def _put_box(box: str, copy: Path) -> None:
    """Put the box into the notebook of a copy, which is complete with or without it."""
    notebook = nbformat.read(copy, as_version=4)
    _insert(box, notebook)
    with replacing(copy) as (part,):
        chapters.write_sealed(notebook, part)
