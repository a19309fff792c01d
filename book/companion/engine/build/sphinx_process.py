"""Sphinx in a separate process, which executes nothing and ends with its parent.

It is a new process; for the page of a copy, one that is forked from this one if this one
keeps Sphinx (:func:`keep`).
"""

import gc
import os
import re
import subprocess
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from companion.engine.build import chapters, editions
from companion.engine.build.execution import ChapterFailed
from companion.lab.workers import end_with

if TYPE_CHECKING:
    from sphinx.application import Sphinx

#: Environment variable for the Sphinx process: the preset to execute, or "-" for none
#: at all.
PRESET_VARIABLE = "REPLIB_PRESET"
EXECUTE_NOTHING = "-"

_EXCEPTION = re.compile(r"(?:(?:\w+\.)+\w+|\w+Error): \S")

#: Sphinx as it is kept here for the pages of copies.
_kept: "Sphinx | None" = None


def make_site(workshop: Path, *, log: Path, edition: str) -> None:
    """Let Sphinx make the site of an edition, a name of `editions.EDITIONS`.

    Raises
    ------
    ChapterFailed
        If Sphinx warned or failed.
    """
    _run_new("site", workshop, log=log, edition=edition)


def make_page(project: Path, document: str, notebook: Path, *, log: Path) -> None:
    """Let Sphinx make the page of a document from a notebook, in the project of copies.

    Raises
    ------
    ChapterFailed
        If Sphinx failed.
    """
    if _kept is None:
        _run_new("page", project, document, notebook, log=log)
        return
    process = get_context("fork").Process(
        target=_make_forked, args=(document, notebook, log), daemon=True
    )
    process.start()
    process.join()
    _raise_for(process.exitcode, log)


def keep(project: Path, document: str, notebook: Path, *, log: Path) -> None:
    """Load Sphinx here, and make a page with it: later ones are made by forks of this process.

    For a process that makes many pages.  On macOS a process may not use in a fork what
    its parent has loaded: each page is made by a new process, the first one here, which
    reads what has changed.

    Raises
    ------
    ChapterFailed
        If Sphinx failed.
    """
    global _kept
    if sys.platform == "darwin":
        make_page(project, document, notebook, log=log)
        return
    os.environ.update(_variables("book"))
    with _output_to(log):
        try:
            app = _make_page(str(project), document, str(notebook))
        except Exception as problem:
            traceback.print_exc(file=sys.__stderr__)
            raise ChapterFailed(f"Sphinx failed; the log is {log}") from problem
    gc.collect()
    gc.freeze()  # memory that a fork does not touch stays shared
    _kept = app


def _run_new(what: str, *arguments: object, log: Path, edition: str = "book") -> None:
    log.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", __name__, str(os.getpid()), what]
    paths = os.pathsep.join(map(str, chapters.PACKAGES))
    with log.open("w", encoding="utf-8") as stream:
        code = subprocess.run(
            [*command, *map(str, arguments)],
            stdout=stream,
            stderr=subprocess.STDOUT,
            env={**os.environ, **_variables(edition), "PYTHONPATH": paths},
            check=False,
        ).returncode
    _raise_for(code, log)


def _variables(edition: str) -> dict[str, str]:
    return {
        PRESET_VARIABLE: EXECUTE_NOTHING,
        editions.VARIABLE: edition,
        "PYTHONUTF8": "1",
    }


def _make_forked(document: str, notebook: Path, log: Path) -> None:
    """Make a page in this process, which is a fork of one that keeps Sphinx."""
    from companion.engine.sphinx import one_page

    end_with(os.getppid())
    with _output_to(log):
        try:
            one_page.make(_kept, document, notebook.read_text(encoding="utf-8"))
        except Exception:
            traceback.print_exc(file=sys.__stderr__)
            sys.exit(1)


@contextmanager
def _output_to(log: Path) -> Iterator[None]:
    """Send what this process prints to a file within a `with`.

    Sphinx goes on printing to the two streams with which it was loaded.
    """
    streams = sys.__stdout__, sys.__stderr__
    for stream in streams:
        stream.flush()
    before = [os.dup(stream.fileno()) for stream in streams]
    with log.open("w", encoding="utf-8") as file:
        try:
            for stream in streams:
                os.dup2(file.fileno(), stream.fileno())
            yield
        finally:
            for stream, own in zip(streams, before):
                stream.flush()
                os.dup2(own, stream.fileno())
                os.close(own)


def _raise_for(code: int, log: Path) -> None:
    """Raise an error that says why Sphinx failed, if it did."""
    if code < 0:
        raise ChapterFailed(
            "the process that makes the pages was ended from outside, perhaps for lack of memory"
        )
    if code:
        lines = log.read_text(encoding="utf-8").splitlines()
        problems = [line for line in lines if "WARNING" in line or "ERROR" in line] or [
            line for line in lines if _EXCEPTION.match(line)
        ][-1:]
        raise ChapterFailed(
            "the pages could not be made without a warning:\n"
            + "\n".join(problems[:20])
            + f"\nthe log is {log}"
        )


def _make_site(workshop: str) -> None:
    from jupyter_book.cli.main import main

    main(
        [
            "build",
            str(chapters.ROOT),
            "-W",
            "-n",
            "--keep-going",
            "--path-output",
            workshop,
        ]
    )


def _make_page(project: str, document: str, notebook: str) -> "Sphinx":
    """Load Sphinx, which reads what has changed, and make a page with it."""
    from companion.engine.sphinx import one_page

    app = one_page.load(Path(project), Path(project, "html"))
    one_page.make(app, document, Path(notebook).read_text(encoding="utf-8"))
    return app


def _run(arguments: list[str]) -> None:
    parent, what, *others = arguments
    end_with(int(parent))
    {"site": _make_site, "page": _make_page}[what](*others)


if __name__ == "__main__":
    _run(sys.argv[1:])
