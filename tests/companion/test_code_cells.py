"""The code of chapters and assignments says one thing a statement, as modules do."""

import ast
from pathlib import Path

import jupytext
import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted([*ROOT.glob("notebooks/*.md"), *ROOT.glob("course/assignments/*.md")])
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def crowded(node: ast.AST) -> bool:
    """Return whether a node says more than one thing."""
    if isinstance(node, ast.IfExp):
        return any(isinstance(part, ast.IfExp) for part in [node.body, node.orelse])
    if isinstance(node, COMPREHENSIONS):
        return len(node.generators) > 1
    if isinstance(node, ast.Assign):
        return isinstance(node.targets[0], ast.Tuple) and isinstance(
            node.value, ast.Tuple
        )
    return False


@pytest.mark.parametrize(
    "code",
    [
        "x = 1 if a else 2 if b else 3",
        "x = [i for row in table for i in row]",
        "x, y = 1, 2",
    ],
)
def test_what_is_crowded(code):
    assert any(map(crowded, ast.walk(ast.parse(code))))


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_no_cell_is_crowded(source):
    """No conditional in another, no second loop in a comprehension, no pair of assignments."""
    cells = jupytext.read(source).cells
    program = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    nodes = filter(crowded, ast.walk(ast.parse(program)))
    assert [ast.unparse(node) for node in nodes] == []
