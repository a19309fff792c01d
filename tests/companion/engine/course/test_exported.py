"""Notebooks to take away: every chapter converts, and its code runs."""

import ast
import re
import subprocess
import sys
from dataclasses import replace

import nbclient
import nbformat
import pytest

from companion.engine.build import chapters
from companion.engine.build.editions import EDITIONS
from companion.engine.course import exported
from companion.engine.course.plain_markdown import cited


@pytest.fixture(scope="module")
def book():
    return exported.Book.read()


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda edition: edition.name)
@pytest.mark.parametrize("chapter", chapters.chapters(), ids=lambda chapter: chapter.name)
def test_every_chapter_converts(chapter, edition, book):
    found = exported.notebook(chapter, book, edition)
    nbformat.validate(found)
    text = "\n".join(cell.source for cell in found.cells if cell.cell_type == "markdown")
    code = "\n".join(cell.source for cell in found.cells if cell.cell_type == "code")
    assert text.startswith("# ")
    assert not re.search(r"\{[\w:]+\}`|^:::|^```+\{|^\(\S+\)=|^:\w+:", text, flags=re.MULTILINE)
    assert not re.search(r"\\(E|Var|Cov)(?![A-Za-z])", text)
    assert "book.glue" not in code and "book.card" not in code
    imported = False
    for statement in ast.parse(code).body:  # `book` is imported where, and only where, it is used
        uses = any(isinstance(node, ast.Name) and node.id == "book" for node in ast.walk(statement))
        assert imported or not uses
        imported |= ast.unparse(statement) == "from companion import engine as book"
    for cell in found.cells:
        assert cell.source != "from companion import engine as book"
    assert ("Solution" in text) <= (edition.solutions != "none")
    works = set().union(*(cited(cell.source) for cell in chapter.notebook.cells))
    assert ("## References" in text) == bool(works)
    if chapter.parameters:
        assert code.index("Change me") < code.index(next(iter(chapter.parameters)))


def test_an_exported_notebook_runs(tmp_path, book, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", ":".join(map(str, chapters.PACKAGES)))
    chapter = chapters.find("wins_and_losses")
    file = exported.write(chapter, book, EDITIONS["student"], tmp_path)
    found = nbformat.read(file, as_version=4)
    for cell in found.cells:
        cell.pop("outputs", None) if cell.cell_type == "markdown" else cell.update(outputs=[])
    nbclient.execute(found, cwd=tmp_path, timeout=600)
    figures = [cell for cell in found.cells if cell.cell_type == "code" and any(
        "svg" in output.get("data", {}).get("text/html", "") for output in cell.outputs
    )]
    captions = [cell for cell in found.cells if cell.source.startswith("**Figure 25.")]
    assert len(figures) >= len(captions) > 0


def test_in_colab_the_book_is_installed_and_elsewhere_nothing_happens(book, monkeypatch):
    chapter, edition = chapters.find("wins_and_losses"), EDITIONS["book"]
    assert all(cell.id != "in-colab" for cell in exported.notebook(chapter, book, edition).cells)
    address = "https://code.example.org/someone/a-book"
    there = replace(book, repository=address)
    [cell] = [c for c in exported.notebook(chapter, there, edition).cells if c.id == "in-colab"]
    asked = []
    monkeypatch.setattr(subprocess, "run", lambda words, **_: asked.append(words))
    monkeypatch.setattr(sys, "path", list(sys.path))
    exec(cell.source, {})
    assert asked == []
    monkeypatch.setitem(sys.modules, "google.colab", sys)
    exec(cell.source, {})
    assert address in asked[0] and asked[1][1:4] == ["-m", "pip", "install"]
    assert sys.path[:2] == ["the_book", "the_book/book"]
