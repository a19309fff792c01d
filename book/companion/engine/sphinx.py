"""Sphinx in a process of its own, which executes nothing and ends with the one that started it.

It imports what it needs as soon as it is started, which takes a second, while the chapter of which
it is to make a page is still being executed.
"""

import gc
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.engine import chapters, editions
from companion.engine.execution import ChapterFailed
from companion.lab.workers import end_with

#: Set for the Sphinx process: the preset whose chapters it should execute, or "-" for none at all.
PRESET_VARIABLE = "REPLIB_PRESET"
EXECUTE_NOTHING = "-"

_EXCEPTION = re.compile(r"(\w+\.)+\w+: \S")


@contextmanager
def started(log: Path, edition: str = "book") -> Iterator[Callable[..., None]]:
    """Start Sphinx, and end it when the `with` ends if it has been given nothing to make.

    Parameters
    ----------
    log : Path
        Where it writes what it does.
    edition : str
        A name of `companion.engine.editions.EDITIONS`.

    Yields
    ------
    callable
        To be called once, with "site" or "page" and the folders and files that `_make_site` or
        `_make_page` takes.  Raises `ChapterFailed` if Sphinx warned or failed.
    """
    def make(what: str, *paths: Path) -> None:
        process.communicate(json.dumps([what, *map(str, paths)]).encode())
        _raise_for(process.returncode, log)

    command = [sys.executable, "-m", __name__, str(os.getpid())]
    environment = {
        **os.environ, PRESET_VARIABLE: EXECUTE_NOTHING, editions.VARIABLE: edition,
        "PYTHONPATH": os.pathsep.join(map(str, chapters.PACKAGES)), "PYTHONUTF8": "1",
    }
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w", encoding="utf-8") as stream, subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=stream, stderr=subprocess.STDOUT, env=environment
    ) as process:
        try:
            yield make
        finally:
            process.kill()


def _raise_for(code: int, log: Path) -> None:
    """Say why Sphinx did not end well, if it did not."""
    if code < 0:
        raise ChapterFailed(
            "the process that makes the pages was ended from outside, perhaps for want of memory"
        )
    if code:
        lines = log.read_text(encoding="utf-8").splitlines()
        problems = [line for line in lines if "WARNING" in line or "ERROR" in line] or [
            line for line in lines if _EXCEPTION.match(line)
        ][-1:]
        raise ChapterFailed(
            "the pages could not be made without a warning:\n"
            + "\n".join(problems[:20]) + f"\nthe log is {log}"
        )


def _make_site(workshop: str) -> None:
    from jupyter_book.cli.main import main

    main(["build", str(chapters.ROOT), "-W", "-n", "--keep-going", "--path-output", workshop])


def _make_page(project: str, site: str, page: str) -> None:
    from jupyter_book.sphinx import build_sphinx

    shutil.rmtree(Path(site) / "book", ignore_errors=True)
    outcome = build_sphinx(
        Path(project), site, noconfig=True, path_config=Path(project) / "_config.yml",
        confoverrides={
            "external_toc_path": f"{project}/_toc.yml", "latex_individualpages": False,
        },
        filenames=[page],
        doctreedir=Path(project) / "doctrees",
    )
    sys.exit(outcome if isinstance(outcome, int) else 1)


def _import_in_advance() -> None:
    """What Sphinx and the extensions of the book import."""
    for name in ("jupyter_book.sphinx", "myst_nb", "sphinx_book_theme", "sphinxcontrib.bibtex"):
        __import__(name)


if __name__ == "__main__":
    end_with(int(sys.argv[1]))
    gc.disable()  # all that is read is kept to the end; a third of the time went into looking at it
    _import_in_advance()
    if order := sys.stdin.read():  # nothing if the `with` ended before
        what, *paths = json.loads(order)
        try:
            {"site": _make_site, "page": _make_page}[what](*paths)
        except SystemExit as end:
            if end.code:
                raise
            sys.stdout.flush()
            os._exit(0)  # at once: to free all of it takes a second
