"""Papermill and chapters: its command runs one, by way of the declared entry point."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import nbformat
import pytest

from companion.engine.build import chapters

DECLARED = tomllib.loads((chapters.ROOT / "book" / "pyproject.toml").read_text())[
    "project"
]


@pytest.fixture
def papermill(project, monkeypatch):
    """The command, in the folder of a book, where the entry points of the project are installed."""
    monkeypatch.delenv(
        chapters.VARIABLE, raising=False
    )  # left by a chapter of another test
    installed = project / "site" / "book_entry_points-1.dist-info"
    installed.mkdir(parents=True)
    lines = [
        f"{name} = {where}"
        for name, where in DECLARED["entry-points"]["papermill.io"].items()
    ]
    (installed / "entry_points.txt").write_text(
        "\n".join(["[papermill.io]", *lines]) + "\n"
    )
    (installed / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: book-entry-points\n"
    )
    packages = Path(chapters.__file__).parents[3]
    path = os.pathsep.join(map(str, (installed.parent, packages, packages.parent)))

    def run(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "papermill", *arguments],
            cwd=project,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )

    return run


def test_a_chapter_is_executed_with_parameters(papermill, project):
    done = papermill("notebooks/10_sample.md", "out.ipynb", "-p", "n", "4")
    assert done.returncode == 0, done.stderr
    assert "does not end in" not in done.stderr
    notebook = nbformat.read(project / "out.ipynb", as_version=4)
    assert notebook.metadata.papermill.parameters == {"n": 4}
    assert notebook.cells[-1].outputs[0].data["text/plain"].startswith("array([-0.")


def test_the_text_has_names_for_numbers_that_only_the_book_fills_in(papermill, project):
    source = project / "notebooks" / "10_sample.md"
    glue = "from companion import engine as book\nbook.glue(share=n / 8, word=str(n))"
    source.write_text(
        f"{source.read_text()}\n```{{code-cell}} ipython3\n{glue}\n```\n\n"
        "It is {glue:text}`share:.1f`% or {glue:md}`word`.\n"
    )
    done = papermill("notebooks/10_sample.md", "out.ipynb", "-p", "n", "4")
    assert done.returncode == 0, done.stderr
    cells = nbformat.read(project / "out.ipynb", as_version=4).cells
    assert "stands for the number" in cells[1].source
    assert cells[-1].source == "It is `share`% or `word`."
    shown = [out.data.get("text/markdown") for out in cells[-2].outputs]
    assert "`share` = 0.5, `word` = 4" in shown


def test_a_notebook_in_the_same_folder_is_read_as_ever(papermill, project):
    nbformat.write(
        chapters.find("sample").notebook, project / "notebooks" / "own.ipynb"
    )
    assert papermill("notebooks/own.ipynb", "notebooks/out.ipynb").returncode == 0
    assert (project / "notebooks" / "out.ipynb").exists()
