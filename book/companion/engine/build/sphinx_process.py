"""Sphinx in a separate process, which executes nothing and ends with its parent."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from companion.engine.build import chapters, editions
from companion.engine.build.execution import ChapterFailed
from companion.lab.workers import end_with

#: Environment variable for the Sphinx process: the preset to execute, or "-" for none
#: at all.
PRESET_VARIABLE = "REPLIB_PRESET"
EXECUTE_NOTHING = "-"

_EXCEPTION = re.compile(r"(\w+\.)+\w+: \S")


def make(what: str, *paths: Path, log: Path, edition: str = "book") -> None:
    """Let Sphinx make the site or a page.

    Parameters
    ----------
    what : {"site", "page"}
    *paths : Path
        The arguments of `_make_site` or `_make_page`.
    log : Path
        File for its output.
    edition : str
        A name of `companion.engine.build.editions.EDITIONS`.

    Raises
    ------
    ChapterFailed
        If Sphinx warned or failed.
    """
    environment = {
        **os.environ,
        PRESET_VARIABLE: EXECUTE_NOTHING,
        editions.VARIABLE: edition,
        "PYTHONPATH": os.pathsep.join(map(str, chapters.PACKAGES)),
        "PYTHONUTF8": "1",
    }
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w", encoding="utf-8") as stream:
        done = subprocess.run(
            [sys.executable, "-m", __name__, str(os.getpid()), what, *map(str, paths)],
            stdout=stream,
            stderr=subprocess.STDOUT,
            env=environment,
            check=False,
        )
    _raise_for(done.returncode, log)


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


def _make_page(project: str, site: str, page: str) -> None:
    from jupyter_book.sphinx import build_sphinx

    shutil.rmtree(Path(site) / "book", ignore_errors=True)
    outcome = build_sphinx(
        Path(project),
        site,
        noconfig=True,
        path_config=Path(project) / "_config.yml",
        confoverrides={
            "external_toc_path": f"{project}/_toc.yml",
            "latex_individualpages": False,
        },
        filenames=[page],
        doctreedir=Path(project) / "doctrees",
    )
    sys.exit(outcome if isinstance(outcome, int) else 1)


if __name__ == "__main__":
    end_with(int(sys.argv[1]))
    {"site": _make_site, "page": _make_page}[sys.argv[2]](*sys.argv[3:])
