"""Editions: no plumbing in any of them, solutions and notes where they belong, values untouched."""

import ast
import re

import nbformat
import pytest

from companion.engine.build import chapters
from companion.engine.build.editions import (
    EDITIONS,
    PLUMBING,
    for_readers,
    without_calls,
)

MARKDOWN = """:::{exercise} One (★, code)
:label: ex-one
What?
:::

:::{solution} ex-one
:class: dropdown
The answer.
:::

:::{admonition} For the teacher
:class: teacher
Five minutes.
:::"""


@pytest.mark.parametrize(
    "source, shown",
    [
        ("book.glue(a=1)", ""),
        ("x = 1\nbook.glue(\n    a=x,\n)\n\ny = 2", "x = 1\n\ny = 2"),
        (
            "import numpy\n\nbook.check_parameters('c', globals())\nn = 1",
            "import numpy\n\nn = 1",
        ),
        (
            "text = '''\nbook.glue(a=1)\n\n\n\n'''",
            "text = '''\nbook.glue(a=1)\n\n\n\n'''",
        ),
        ("glue(a=1)\nbook.ledger(rows)", "glue(a=1)\nbook.ledger(rows)"),
    ],
)
def test_only_plumbing_is_taken_out(source, shown):
    assert without_calls(source, PLUMBING) == shown


@pytest.mark.parametrize(
    "name, answer, folded, note",
    [
        ("book", True, True, False),
        ("student", False, False, False),
        ("teacher", True, False, True),
    ],
)
def test_an_edition_has_its_solutions_and_notes(name, answer, folded, note):
    text = EDITIONS[name].text(MARKDOWN)
    assert "What?" in text
    assert ("The answer." in text, "dropdown" in text, "Five minutes." in text) == (
        answer,
        folded,
        note,
    )


@pytest.mark.parametrize(
    "chapter", chapters.chapters(), ids=lambda chapter: chapter.name
)
def test_chapters_lose_their_plumbing_and_nothing_else(chapter):
    before = nbformat.writes(chapter.notebook)
    seen = for_readers(chapter.notebook, EDITIONS["student"])
    assert nbformat.writes(chapter.notebook) == before
    code = "\n".join(cell.source for cell in seen.cells if cell.cell_type == "code")
    assert not re.search(
        r"^\s*book\.(glue|check_parameters)\(", code, flags=re.MULTILINE
    )
    assert ast.unparse(ast.parse(code)) == ast.unparse(
        ast.Module(
            [
                statement
                for statement in ast.parse("\n".join(chapter.code)).body
                if not re.match(
                    r"book\.(glue|check_parameters)\(", ast.unparse(statement)
                )
            ],
            [],
        )
    )
    text = "\n".join(cell.source for cell in seen.cells if cell.cell_type == "markdown")
    assert "{solution}" not in text and ":class: teacher" not in text
