"""Execution of chapters: a single one, or all that are stale.

Executed notebooks keep nothing that changes from run to run (times, cell ids), so two
executions of one commit give identical files.
"""

import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from multiprocessing import forkserver, get_context, resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from joblib import Parallel, delayed
from tqdm import tqdm

from companion.engine.build import (
    chapters,
    files,
    kept_trainings,
    leftovers,
    parameters,
    staleness,
)
from companion.engine.build.chapters import Chapter
from companion.engine.build.progress import Report, Step, tell_nobody
from replib._files import replacing
from replib._validation import listed

# Chapters that share cores must not each start one thread per core, and the order in
# which threads add floating-point numbers must not change the bits of a page. They
# import the packages from this checkout.  Matplotlib's settings in a home directory, or
# its warning if there is none, must not change a picture.
_ENVIRONMENT = {
    chapters.VARIABLE: "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONUTF8": "1",
    "MPLCONFIGDIR": str(chapters.BUILD / "matplotlib"),
    "PYTHONPATH": os.pathsep.join(
        filter(None, [*map(str, chapters.PACKAGES), os.environ.get("PYTHONPATH")])
    ),
}

# Chapters are forked from a process that has imported what they need.
_FORKS = get_context("forkserver")
_FORKS.set_forkserver_preload(["companion.engine.build.cells", __name__])
# The path of its socket, in the folder for temporary files, may not be longer than 107
# bytes.
if len(os.fsencode(tempfile.gettempdir())) > 70:
    tempfile.tempdir = "/tmp"  # nosec B108


class ChapterFailed(RuntimeError):
    """A cell of a chapter raised an error; the message names the cell and the log."""


def start_forks() -> None:
    """Start the process from which chapters are forked; it imports what they need meanwhile."""
    os.environ.update(_ENVIRONMENT)
    forkserver.ensure_running()


def execute(
    chapter: Chapter,
    values: Mapping[str, object],
    destination: Path,
    *,
    bar: bool = True,
    report: Report = tell_nobody,
) -> float:
    """Execute a chapter and put the notebook in place if, and only if, all cells passed.

    Parameters
    ----------
    chapter : Chapter
    values : mapping
        Checked parameter values; missing ones keep their defaults.
    destination : Path
        File for the executed notebook.
    bar : bool
        Whether to show a progress bar over cells, if there is a terminal.
    report : callable
        Is called with each step (`companion.engine.build.progress`).

    Returns
    -------
    float
        Seconds spent.

    Raises
    ------
    ChapterFailed
        If a cell raised an error.  The partly executed notebook and the traceback are
        kept under ``_build/logs``; the file at `destination` is not changed.
    """
    started = time.monotonic()
    destination.parent.mkdir(parents=True, exist_ok=True)
    with leftovers.working_folder(chapter.source.stem) as folder:
        part = folder / "part.ipynb"
        # of the code that is about to be read
        parts = staleness.parts(chapter, values)
        source = staleness.of_source(chapter)
        trained = kept_trainings.folder(chapter, parts)
        reads, error = _run_cells(chapter, dict(values), part, trained, bar, report)
        if error:
            log = chapters.BUILD / "logs" / f"{chapter.source.stem}.log"
            log.parent.mkdir(exist_ok=True)
            files.write(log, "\n".join(error["traceback"]))
            files.move(part, log.with_suffix(".ipynb"))
            lines = error["source"].splitlines()
            code = next((line for line in lines if line.strip()), "").strip()
            raise ChapterFailed(
                f"chapter {chapter.name} failed in cell {error['cell_index']} ({code!r}): "
                f"{error['ename']}: {error['evalue']}; the log is {log.relative_to(chapters.ROOT)}"
            )
        ours = {
            "key": staleness.key_of(parts),
            "parts": parts,
            "source": source,
            "parameters": dict(values),
            "data": staleness.hashes(staleness.data_among(reads)),
        }
        _finish(nbformat.read(part, as_version=4), chapter, ours, part)
        files.move(part, destination)
    return time.monotonic() - started


def renew_text(executed: Path, chapter: Chapter) -> None:
    """Put the present prose into an executed notebook, if its code cells are still the same.

    The file is then the one that executing the chapter again would give.

    Parameters
    ----------
    executed : Path
        File of the notebook; it may be absent or damaged, and then nothing is done.
    chapter : Chapter
    """
    ours = chapters.executed_metadata(executed)
    if not ours or ours["source"] == staleness.of_source(chapter):
        return
    old = nbformat.read(executed, as_version=4)
    own = [cell for cell in old.cells if cell["id"] not in chapters.ADDED]
    ran = [cell for cell in own if cell.cell_type == "code"]
    # written and read, which drops the same metadata as on the way to an execution
    new = nbformat.reads(jupytext.writes(chapter.notebook, "ipynb"), as_version=4)
    code = [cell for cell in new.cells if cell.cell_type == "code"]
    if [cell.source for cell in code] != [cell.source for cell in ran]:
        return
    for cell, before in zip(code, ran):
        cell.outputs = before.outputs
        cell.execution_count = before.execution_count
    injected = [cell for cell in old.cells if cell["id"] == chapters.INJECTED]
    if injected:
        declaring = [parameters.declares(cell) for cell in new.cells].index(True)
        new.cells[declaring + 1 : declaring + 1] = injected
    new.metadata["language_info"] = old.metadata["language_info"]
    ours["source"] = staleness.of_source(chapter)
    with replacing(executed) as (part,):
        _finish(new, chapter, ours, part)


def _run_cells(
    chapter: Chapter, values: dict, part: Path, trained: Path, bar: bool, report: Report
) -> tuple[list[str], dict[str, Any]]:
    """Run the cells of a chapter and write the notebook; return the files read and any error."""
    source = part.with_name("source.ipynb")
    jupytext.write(chapter.notebook, source)
    os.environ.update(_ENVIRONMENT)
    shown = {"desc": chapter.name, "leave": False, "disable": None if bar else True}
    answer, sender = _FORKS.Pipe(duplex=False)
    process = _FORKS.Process(
        target=_forked,
        args=(sender, source, part, values, chapters.ROOT, trained, shown),
        daemon=True,
    )
    try:
        # The server leaves the answer to Ctrl-C to this process; the tracker would let
        # it through.
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        sender.close()
        while isinstance(message := answer.recv(), Step):
            report(message)
        process.join(10)  # it gives back what it took from the system
        return message
    except EOFError:
        process.join()
        raise ChapterFailed(
            f"chapter {chapter.name} failed: its process was ended from outside or does not "
            f"answer, perhaps for lack of memory or disk (exit code {process.exitcode})"
        ) from None
    finally:
        if process.is_alive():  # after Ctrl-C, or when it does not end by itself
            process.kill()


def _forked(sender: Connection, *task: Any) -> None:
    """Run a task where `cells` is imported already; here it would change this process."""
    from companion.engine.build import cells

    if task[0].exists():  # else the command was interrupted meanwhile
        sender.send(cells.execute(*task, report=sender.send))


def _finish(
    notebook: nbformat.NotebookNode, chapter: Chapter, ours: dict, part: Path
) -> None:
    """Write an executed notebook with our metadata, without all that changes from run to run."""
    ids = (cell["id"] for cell in chapter.notebook.cells)
    for cell in notebook.cells:
        injected = chapters.INJECTED in cell.metadata.get("tags", ())
        cell["id"] = chapters.INJECTED if injected else next(ids)
        cell.metadata.pop("papermill", None)
        cell.metadata.pop("execution", None)
        if not cell.metadata.get("tags"):
            cell.metadata.pop("tags", None)  # papermill gives every cell a list
    notebook.metadata.pop("papermill", None)
    notebook.metadata[chapters.METADATA_KEY] = ours
    chapters.write_sealed(notebook, part)


def execute_stale(
    names: Sequence[str] = (), preset_name: str | None = None, jobs: int = 1
) -> dict[str, float]:
    """Execute every stale chapter, those that read the ledger last; renew the text of all others.

    Parameters
    ----------
    names : sequence of str
        Chapters to check; all if empty.
    preset_name : str, optional
        Preset to execute with; None for the papers' own values.
    jobs : int
        Number of chapters that run at once.

    Returns
    -------
    dict
        Seconds of the executed chapters, by name.

    Raises
    ------
    ParameterError
        If a value of the preset is not allowed; raised before anything is executed.
    ChapterFailed
        After all other chapters were executed; it names each chapter that failed.
    """
    preset = chapters.preset(preset_name)
    wanted = [chapters.find(name) for name in names] or chapters.chapters()
    tasks = [(c, preset.get(c.name, {}), c.executed) for c in wanted]
    for chapter in chapters.chapters():  # those that show others read their titles
        renew_text(chapter.executed, chapter)
    stale = [task for task in tasks if staleness.is_stale(*task[:2])]
    for chapter, values, _ in stale:  # the others were checked when they were executed
        chapter.check(values)
        if changed := staleness.changes(chapter, values):
            print(f"{chapter.name}: {listed(changed)} changed", file=sys.stderr)
    seconds = execute_all(
        [task for task in stale if not task[0].reads_ledger], jobs=jobs
    )
    last = [
        task for task in tasks if task[0].reads_ledger and staleness.is_stale(*task[:2])
    ]
    return seconds | execute_all(last, jobs=jobs)


def execute_all(
    tasks: Sequence[tuple[Chapter, dict, Path]],
    *,
    jobs: int = 1,
    labels: Sequence[str] = (),
    report: Callable[[str, Step], object] = tell_nobody,
) -> dict[str, float]:
    """Execute chapters with their values into their destinations, `jobs` at once.

    The terminal and `report` know each task by its label, by default the name of its
    chapter.  Returns the seconds by label.  Raises `ChapterFailed`, which names each
    chapter that failed, after all others were executed.
    """
    seconds: dict[str, float] = {}
    failures: list[str] = []
    if not tasks:
        return seconds
    leftovers.remove()
    n_jobs = min(jobs, len(tasks))
    labels = labels or [chapter.name for chapter, _, _ in tasks]
    calls = [
        delayed(_try_to_execute)(
            label, *task, bar=n_jobs == 1, report=partial(report, label)
        )
        for label, task in zip(labels, tasks)
    ]
    outcomes = Parallel(n_jobs, backend="threading", return_as="generator_unordered")(
        calls
    )
    with tqdm(total=len(tasks), desc="chapters", unit="chapter", disable=None) as bar:
        for label, spent, failure in outcomes:
            bar.update()
            if failure:
                failures.append(failure)
            else:
                seconds[label] = spent
            bar.write(
                f"{label}: {'failed' if failure else f'{spent:.1f} s'}", file=sys.stderr
            )
    if failures:
        raise ChapterFailed("\n".join(failures))
    return seconds


def _try_to_execute(
    label: str,
    chapter: Chapter,
    values: dict,
    destination: Path,
    *,
    bar: bool,
    report: Report,
) -> tuple[str, float, str | None]:
    """Call `execute`; a failure is returned as its message."""
    try:
        spent = execute(chapter, values, destination, bar=bar, report=report)
    except ChapterFailed as failure:
        return label, 0.0, str(failure)
    return label, spent, None
