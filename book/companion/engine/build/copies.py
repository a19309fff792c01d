"""A reader's own copy of a chapter: executed, compared with the default run, made into a page."""

import os
from collections.abc import Mapping
from pathlib import Path

import nbformat
import pandas as pd

from companion.engine.build import chapters, files, pages, staleness
from companion.engine.build.chapters import Chapter
from companion.engine.build.difference import difference
from companion.engine.build.executed import MARK
from companion.engine.build.execution import execute_all
from companion.engine.show import display
from companion.lab.locks import one_at_a_time

#: Rows of the difference that the page shows before the rest is folded.
SHOWN = 12

#: Most rows on the page: thousands of them would be larger than the rest of the page.
LISTED = 400


def run(
    chapter: Chapter, values: Mapping[str, object], base: Mapping[str, object] | None = None
) -> tuple[Path, pd.DataFrame]:
    """Execute a reader's copy of a chapter and make its page; no other chapter is executed.

    The default run, with which the copy is compared, is that of the book if the book has it;
    otherwise it is executed once together with the copy, and kept under ``_build/defaults``.

    Parameters
    ----------
    chapter : Chapter
    values : mapping
        Checked parameter values.
    base : mapping, optional
        Checked values of a preset, which the copy and the run that it is compared with share,
        except for those in `values`.

    Returns
    -------
    page : Path
        The page of the copy, under ``runs/``; the notebook and the difference are next to it.
    changes : DataFrame
        From `companion.engine.build.difference.difference`.
    """
    base = dict(base or {})
    key = staleness.key(chapter, base | dict(values))[:8]
    work = chapters.BUILD / "copies" / f"{chapter.name}-{key}"
    folder = chapters.RUNS / chapter.name / key
    # a second run of the same copy finds it finished
    with one_at_a_time(work):
        copy, changes = _run(chapter, base | dict(values), base, folder, work / "part.ipynb")
        return pages.one_page(chapter, copy, log=work / "page.log"), changes


def _run(
    chapter: Chapter, values: dict, base: dict, folder: Path, part: Path
) -> tuple[Path, pd.DataFrame]:
    copy, default = folder / f"{chapter.name}.ipynb", chapter.executed
    part.unlink(missing_ok=True)  # left by a run that was killed
    tasks = []
    if not staleness.is_fresh(copy, chapter, values):
        tasks.append((chapter, values, part))
    if not staleness.is_fresh(default, chapter, base):
        kept = f"{chapter.source.stem}{'.preset' * bool(base)}.ipynb"
        default = chapters.BUILD / "defaults" / kept
        if not staleness.is_fresh(default, chapter, base):
            tasks.append((chapter, base, default))
    execute_all(tasks, jobs=2)
    changes = difference(default, part if part.exists() else copy, changed(chapter, values, base))
    folder.mkdir(parents=True, exist_ok=True)
    if part.exists():
        mark(part, values, changes, "the default run" + " with the same preset" * bool(base))
        os.replace(part, copy)
    files.write(folder / "difference.csv", changes.to_csv(index=False))
    return copy, changes


def changed(chapter: Chapter, values: Mapping, base: Mapping) -> dict[str, tuple]:
    """Return both values, in the default run and in the copy, of each parameter that differs."""
    pairs = {
        name: (base.get(name, parameter.default), values.get(name, parameter.default))
        for name, parameter in chapter.parameters.items()
    }
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def mark(
    path: Path, values: Mapping[str, object], changes: pd.DataFrame,
    compared_with: str = "the default run",
) -> None:
    """Say at the top of a copy which parameters it was run with and what they changed."""
    setting = ", ".join(f"{name} = {value!r}" for name, value in values.items())
    text = display.html(
        "copy", setting=setting or "the defaults", rows=changes.to_dict("records"), shown=SHOWN,
        listed_at_most=LISTED, compared_with=compared_with,
        verdicts=int((changes["verdict"] != "").sum()),
    )
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(1, nbformat.v4.new_code_cell(
        "# what these parameters changed",  # a cell without source would be dropped
        id=MARK, metadata={"tags": ["remove-input"]},
        outputs=[nbformat.v4.new_output("display_data", {"text/html": text})],
    ))
    chapters.write_sealed(notebook, path)
