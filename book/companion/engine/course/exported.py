"""A chapter as a separate notebook that opens, runs and reads well in JupyterLab.

Numbers in the text are those of the run that the book shows; the code computes the reader's own.
"""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat
import yaml
from pybtex.database import Entry

from companion.engine.build import chapters, files, outputs
from companion.engine.build.chapters import Chapter
from companion.engine.build.configuration import addresses
from companion.engine.build.editions import Edition, for_readers
from companion.engine.course import references
from companion.engine.course.plain_markdown import PlainMarkdown, cited
from companion.engine.course.references import Target
from companion.engine.show import quizzes

#: Import for what displays a chapter; everything else is in the library.
_IMPORT = "from companion import engine as book"
_HIDDEN = frozenset({"book.glue", "book.card"})

_CHANGE_ME = """# PARAMETERS. Change me, then choose Run > Run All Cells.
# Each line ends with the unit, what is allowed, and what the parameter does.
"""
_ABOUT = """This notebook is chapter {number} of *{book}*; it takes about {minutes} minutes to read.
To run it, install the book (`make lab` in its folder does that and opens JupyterLab), change the
parameters below and choose *Run > Run All Cells*. Tables and figures become yours; numbers in the
text stay those of the book's own run. JupyterLab hides the figures of a notebook that comes from
elsewhere until its cells are run, or *Trust Notebook* is chosen in its command palette."""
_IN_COLAB = """# In Colab this cell installs the book; elsewhere it does nothing.
import subprocess, sys
if "google.colab" in sys.modules:
    clone = ["git", "clone", "--quiet", "--depth=1", {url!r}, "the_book"]
    install = [sys.executable, "-m", "pip", "install", "--quiet", "-e", ".", "-e", "./book"]
    subprocess.run(clone, check=True)
    subprocess.run(install, check=True, cwd="the_book")
    sys.path[:0] = ["the_book", "the_book/book"]"""
_NOT_EXECUTED = """The book has not executed this chapter here: a number of the text that is not
known is … (`make book` computes it)."""


@dataclass(frozen=True)
class Book:
    """Data about the whole book that every chapter needs."""

    title: str
    repository: str
    macros: Mapping[str, str]
    targets: Mapping[str, Target]
    works: Mapping[str, Entry]

    @classmethod
    def read(cls) -> "Book":
        config = yaml.safe_load((chapters.ROOT / "_config.yml").read_text(encoding="utf-8"))
        tex = config["sphinx"]["config"]["mathjax3_config"]["tex"]
        return cls(
            config["title"], addresses(config)[0], tex["macros"], references.targets(),
            references.literature(),
        )


def notebook(chapter: Chapter, book: Book, edition: Edition) -> nbformat.NotebookNode:
    """Return a chapter as a notebook without Sphinx syntax, with its outputs if executed."""
    is_executed = outputs.has_text_of(chapter)
    source = nbformat.read(chapter.executed, as_version=4) if is_executed else chapter.notebook
    values = outputs.glued_texts(chapter.executed) if is_executed else {}
    plain = PlainMarkdown(
        chapter.source.stem, book.targets, book.works, values, book.macros, edition
    )
    cells: list[nbformat.NotebookNode] = []
    works: set[str] = set()
    seen = for_readers(source, edition, _HIDDEN)
    _import_where_used([cell for cell in seen.cells if cell.cell_type == "code"])
    if questions := quizzes.of_chapter(chapter):
        quizzes.insert(seen, quizzes.in_notebook(questions))
    for cell in seen.cells:
        if cell.cell_type == "markdown":
            works |= cited(cell.source)
            cells.append(_markdown(plain(cell.source), cell.id))
        elif cell.source:
            cells += _code(cell, plain)
    about = _ABOUT.format(number=chapter.number, book=book.title, minutes=chapter.minutes_to_read)
    remark = about if is_executed else f"{about} {_NOT_EXECUTED}"
    cells.insert(1, _markdown(remark, "about"))
    if book.repository:
        install = _IN_COLAB.format(url=book.repository)
        cells.insert(2, nbformat.v4.new_code_cell(install, id="in-colab"))
    if works:
        lines = sorted(f"- {references.entry(book.works[key])}" for key in works)
        cells.append(_markdown("\n".join(["## References", "", *lines]), "references"))
    return nbformat.v4.new_notebook(
        cells=[cell for cell in cells if cell.source],
        metadata={"kernelspec": source.metadata["kernelspec"]},
    )


def write(chapter: Chapter, book: Book, edition: Edition, folder: Path) -> Path:
    """Write the notebook of a chapter into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{chapter.source.stem}.ipynb"
    files.write(file, nbformat.writes(notebook(chapter, book, edition)) + "\n")
    return file


def _import_where_used(cells: Sequence[nbformat.NotebookNode]) -> None:
    """Move an import that is alone in its cell to the cell that needs it."""
    waits = False
    for cell in cells:
        if cell.source == _IMPORT:
            cell.source, waits = "", True
            continue
        nodes = list(ast.walk(ast.parse(cell.source)))
        has_own = any(isinstance(node, ast.alias) and node.asname == "book" for node in nodes)
        uses = any(isinstance(node, ast.Name) and node.id == "book" for node in nodes)
        if waits and uses and not has_own:
            cell.source = f"{_IMPORT}\n{cell.source}"
        waits = waits and not uses


def _code(cell: nbformat.NotebookNode, plain: PlainMarkdown) -> list[nbformat.NotebookNode]:
    """Return a code cell with its outputs, and the caption of its figure."""
    tags = cell.metadata.get("tags", ())
    source = _CHANGE_ME + cell.source if "parameters" in tags else cell.source
    metadata = {"tags": list(tags)}
    if {"hide-input", "remove-input"} & set(tags):
        metadata["jupyter"] = {"source_hidden": True}
    shown = nbformat.v4.new_code_cell(
        source, id=cell.id, metadata=metadata, execution_count=cell.get("execution_count"),
        outputs=[
            output for output in cell.get("outputs", ())
            if "scrapbook" not in output.get("metadata", {})  # a glued number
        ],
    )
    if not (figure := cell.metadata.get("mystnb", {}).get("figure")):
        return [shown]
    words = plain.targets[figure["name"]].words
    caption = f"**{words}.** {plain(figure.get('caption', ''))}"
    return [shown, _markdown(caption, f"{cell.id}-caption")]


def _markdown(text: str, name: str) -> nbformat.NotebookNode:
    return nbformat.v4.new_markdown_cell(text, id=name[-64:])
