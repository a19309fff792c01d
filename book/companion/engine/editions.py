"""What a reader sees of a chapter: no plumbing, and of exercises what the edition is for.

The book folds solutions, the student's edition leaves them out, the teacher's shows them and,
beside them, the blocks of class ``teacher``.  A chapter's source and what executing it leaves know
nothing of this: it is done where they become a page, a notebook to take away, or slides.
"""

import ast
import re
from collections.abc import Container
from dataclasses import dataclass

import nbformat

from companion.engine.directives import Directive, replace

#: Set for the Sphinx process: the edition that it makes.
VARIABLE = "REPLIB_EDITION"

#: Statements that hand values from code to prose, or values to a check; nobody reads them to learn.
PLUMBING = frozenset({"book.glue", "book.check_parameters"})

#: Parameters that a page shows as code; more of them fold, since the card lists them all.
MOST_PARAMETERS = 5


@dataclass(frozen=True)
class Edition:
    """Whether solutions are left out, folded or open, and whether there are notes for a teacher."""

    name: str
    solutions: str
    notes: bool = False

    def text(self, markdown: str) -> str:
        """Markdown of a chapter as this edition has it."""
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
    edition.name: edition for edition in (
        Edition("book", "folded"), Edition("student", "none"), Edition("teacher", "open", True),
    )
}


def for_readers(
    notebook: nbformat.NotebookNode, edition: Edition, hidden: Container[str] = PLUMBING
) -> nbformat.NotebookNode:
    """A chapter, executed or not, as a reader of an edition sees it: without calls of `hidden`.

    A cell of code that has nothing left keeps its outputs, in which glued numbers travel; it has no
    source, and is not shown.
    """
    seen = nbformat.from_dict(notebook)
    for cell in seen.cells:
        if cell.cell_type == "markdown":
            cell.source = edition.text(cell.source)
        elif cell.cell_type == "code":
            cell.source = without_calls(cell.source, hidden)
            fold_many_parameters(cell)
    return seen


def fold_many_parameters(cell: nbformat.NotebookNode) -> None:
    """Fold the cell of parameters if there are more than `MOST_PARAMETERS`."""
    tags = cell.metadata.get("tags", [])
    number = len(cell.source.splitlines())
    if "parameters" in tags and number > MOST_PARAMETERS:
        cell.metadata["tags"] = [*tags, "hide-input"]
        cell.metadata["mystnb"] = {"code_prompt_show": f"Set {number} parameters"}


def without_calls(source: str, names: Container[str]) -> str:
    """The code of a cell without the statements that only call one of these functions."""
    lines = source.split("\n")
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) \
                and ast.unparse(statement.value.func) in names:
            for line in range(statement.lineno - 1, statement.end_lineno):
                lines[line] = None
    kept = "\n".join(line for line in lines if line is not None)
    return re.sub(r"\n{3,}", "\n\n", kept).strip("\n") if None in lines else source
