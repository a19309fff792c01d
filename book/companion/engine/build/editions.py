"""What a reader sees of a chapter: without plumbing, and with the solutions of the edition.

The book folds solutions, the student's edition leaves them out, and the teacher's
edition shows them together with the blocks of class ``teacher``.  A chapter's source
and its executed notebook do not depend on the edition: it is applied when they become a
page, a notebook or slides.
"""

import ast
import re
from collections.abc import Container
from dataclasses import dataclass

import nbformat

from companion.engine.build.directives import Directive, replace

#: Environment variable for the Sphinx process: the edition that it makes.
VARIABLE = "REPLIB_EDITION"

#: Calls that pass values from code to prose, or to a check; they teach a reader
#: nothing.
PLUMBING = frozenset({"book.glue", "book.check_parameters"})

#: A number in prose, which a cell glues: its name, and its format.
GLUED = re.compile(r"\{glue:(?:text|md)\}`(\w+)(?::([^`]*))?`")
_NAMES = "In the text, a name such as `n` stands for the number that a cell shows under this name."


@dataclass(frozen=True)
class Edition:
    """Whether solutions are left out, folded or open, and whether there are notes for teachers."""

    name: str
    solutions: str
    notes: bool = False

    def text(self, markdown: str) -> str:
        """Return the Markdown of a chapter for this edition."""
        return replace(markdown, self._change)

    def _change(self, directive: Directive) -> str | None:
        if "teacher" in directive.classes and not self.notes:
            return ""
        if directive.name == "solution" and self.solutions == "none":
            return ""
        if directive.name == "solution" and self.solutions == "open":
            return f":::{{solution}} {directive.argument}\n{directive.body}\n:::"
        return None


EDITIONS = {
    edition.name: edition
    for edition in (
        Edition("book", "folded"),
        Edition("student", "none"),
        Edition("teacher", "open", True),
    )
}


def for_readers(
    notebook: nbformat.NotebookNode, edition: Edition, hidden: Container[str] = PLUMBING
) -> nbformat.NotebookNode:
    """Return a chapter, executed or not, as an edition shows it: without calls of `hidden`.

    A code cell with nothing left keeps its outputs, because they carry glued numbers;
    it has no source, and is not shown.
    """
    seen = nbformat.from_dict(notebook)
    for cell in seen.cells:
        if cell.cell_type == "markdown":
            cell.source = edition.text(cell.source)
        elif cell.cell_type == "code":
            cell.source = without_calls(cell.source, hidden)
            fold_parameters(cell)
    return seen


def with_names(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Replace the roles that quote glued numbers by names: Jupyter alone does not fill them in."""
    quoting = [
        cell
        for cell in notebook.cells
        if cell.cell_type == "markdown" and GLUED.search(cell.source)
    ]
    for cell in quoting:
        cell.source = GLUED.sub(r"`\1`", cell.source)
    if quoting:
        notebook.cells.insert(1, nbformat.v4.new_markdown_cell(_NAMES, id="names"))
    return notebook


def fold_parameters(cell: nbformat.NotebookNode) -> None:
    """Fold the cell of parameters, because the card lists them all."""
    tags = cell.metadata.get("tags", [])
    if "parameters" in tags:
        cell.metadata["tags"] = [*dict.fromkeys([*tags, "hide-input"])]
        cell.metadata["mystnb"] = {"code_prompt_show": "Set the parameters"}


def without_calls(source: str, names: Container[str]) -> str:
    """Remove the statements that only call one of these functions from the code of a cell."""
    lines = source.split("\n")
    for statement in ast.parse(source).body:
        if (
            isinstance(statement, ast.Expr)
            and isinstance(statement.value, ast.Call)
            and ast.unparse(statement.value.func) in names
        ):
            for line in range(statement.lineno - 1, statement.end_lineno):
                lines[line] = None
    kept = "\n".join(line for line in lines if line is not None)
    return re.sub(r"\n{3,}", "\n\n", kept).strip("\n") if None in lines else source
