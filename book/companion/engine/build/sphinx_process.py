"""Sphinx in a separate process, which executes nothing and ends with its parent.

It is a new process, or one that is forked from this one if it has imported Sphinx.
"""

import os
import re
import shutil
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

import yaml

from companion.engine.build import chapters, editions
from companion.engine.build.execution import ChapterFailed
from companion.lab.workers import end_with

#: Environment variable for the Sphinx process: the preset to execute, or "-" for none
#: at all.
PRESET_VARIABLE = "REPLIB_PRESET"
EXECUTE_NOTHING = "-"

#: What Jupyter Book loads for a page, besides the extensions of Sphinx and of the book.
_IMPORTED_FOR_A_PAGE = (
    "jupyter_book.sphinx",
    "myst_nb.core.execute.cache",
    "myst_nb.sphinx_ext",
    "pybtex.style.formatting.alpha",
    "pydata_sphinx_theme",
    "sphinx.ext.intersphinx",
    "sphinx_book_theme",
    "sphinx_comments",
    "sphinx_copybutton",
    "sphinx_design.extension",
    "sphinx_external_toc",
    "sphinx_jupyterbook_latex.events",
    "sphinx_multitoc_numbering",
    "sphinx_thebe",
    "sphinx_togglebutton",
    "sphinxcontrib.bibtex",
    "sphinxcontrib.bibtex.style.referencing.author_year",
)

_EXCEPTION = re.compile(r"(\w+\.)+\w+: \S")


#: Whether :func:`import_sphinx` was called here.
_has_sphinx = False


def import_sphinx() -> None:
    """Import all that makes a page, so that pages are made by forks of this process.

    For a process that makes many pages and has no threads.
    """
    global _has_sphinx
    config = yaml.safe_load((chapters.ROOT / "_config.yml").read_text(encoding="utf-8"))
    of_book = config["sphinx"]["extra_extensions"]
    from sphinx.application import builtin_extensions

    for name in (*_IMPORTED_FOR_A_PAGE, *builtin_extensions, *of_book):
        import_module(name)
    from pygments.lexers import get_lexer_by_name

    get_lexer_by_name("ipython3")  # its rules are compiled when it is first used
    _has_sphinx = True


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
        PRESET_VARIABLE: EXECUTE_NOTHING,
        editions.VARIABLE: edition,
        "PYTHONPATH": os.pathsep.join(map(str, chapters.PACKAGES)),
        "PYTHONUTF8": "1",
    }
    arguments = [str(os.getpid()), what, *map(str, paths)]
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w", encoding="utf-8") as stream:
        if _has_sphinx:
            process = get_context("fork").Process(
                target=_forked, args=(arguments, environment, stream.fileno())
            )
            process.start()
            process.join()
            code = process.exitcode
        else:
            code = subprocess.run(
                [sys.executable, "-m", __name__, *arguments],
                stdout=stream,
                stderr=subprocess.STDOUT,
                env=os.environ | environment,
                check=False,
            ).returncode
    _raise_for(code, log)


def _forked(arguments: list[str], environment: dict[str, str], log: int) -> None:
    """Make pages in this process, which is a fork."""
    os.environ.update(environment)
    with (
        os.fdopen(log, "w", encoding="utf-8", closefd=False) as stream,
        redirect_stdout(stream),
        redirect_stderr(stream),
    ):
        _run(arguments)


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


def _run(arguments: list[str]) -> None:
    parent, what, *paths = arguments
    end_with(int(parent))
    {"site": _make_site, "page": _make_page}[what](*paths)


if __name__ == "__main__":
    _run(sys.argv[1:])
