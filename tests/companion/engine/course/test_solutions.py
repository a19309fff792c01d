"""The code in solutions of exercises runs after the part of its chapter that it needs."""

import ast
import re

import pytest

from companion.engine.build import chapters

_SOLUTION = re.compile(r"(?ms)^(:::+)\{solution\} (\S+)(.*?)^\1\s*$")
_CODE = re.compile(r"(?ms)^```python\n(.*?)^```")


def names(node: ast.AST, context: type) -> set[str]:
    return {
        n.id
        for n in ast.walk(node)
        if isinstance(n, ast.Name) and isinstance(n.ctx, context)
    }


def defined(statement: ast.stmt) -> set[str]:
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {alias.asname or alias.name.split(".")[0] for alias in statement.names}
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return {statement.name}
    return names(statement, ast.Store)


def needed_by(code: str, statements: list[ast.stmt]) -> list[ast.stmt]:
    """The statements that define what code uses, and what they use in turn."""
    wanted = set().union(*(names(s, ast.Load) for s in ast.parse(code).body))
    chosen = []
    for statement in reversed(statements):
        if defined(statement) & wanted:
            chosen.insert(0, statement)
            wanted |= names(statement, ast.Load)
    return chosen


def solutions() -> list:
    return [
        pytest.param(chapter, code, id=f"{chapter.name}-{label}")
        for chapter in chapters.chapters()
        for _, label, body in _SOLUTION.findall(chapter.source.read_text())
        for code in _CODE.findall(body)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("chapter, code", solutions())
def test_the_code_of_a_solution_runs(chapter, code):
    cells = [statement for cell in chapter.code for statement in ast.parse(cell).body]
    before = needed_by(code, cells)
    values = chapters.preset("quick").get(chapter.name, {})
    namespace: dict = {"__name__": "solution"}
    for statement in before:
        exec(compile(ast.Module([statement], []), chapter.name, "exec"), namespace)
        stored = defined(statement) & values.keys()
        namespace.update({name: values[name] for name in stored})
    exec(compile(code, "solution", "exec"), namespace)
