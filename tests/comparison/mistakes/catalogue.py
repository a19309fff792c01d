"""The catalogue of mistakes and right uses, and a way to run an example."""

import ast
import runpy
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent


def rows(name: str) -> list[dict[str, Any]]:
    """Rows of ``mistakes.toml`` or ``right_uses.toml``."""
    with (HERE / f"{name}.toml").open("rb") as file:
        (found,) = tomllib.load(file).values()
    return found


@cache
def prelude() -> dict[str, Any]:
    """Names that ``prelude.py`` defines."""
    found = runpy.run_path(str(HERE / "prelude.py"))
    return {name: found[name] for name in found["__all__"]}


def run(code: str, **more: Any) -> Any:
    """Run an example; return the value of its last line."""
    names = prelude() | {"RNG": np.random.default_rng(7)} | more
    tree = ast.parse(code.strip())
    last = tree.body.pop()
    if not isinstance(last, ast.Expr):
        raise SyntaxError(f"the last line is not an expression: {code}")
    exec(compile(tree, "<example>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<example>", "eval"), names)


def answer(code: str) -> tuple[str, str]:
    """What an example is answered: "refused" or "answered", and the sentences."""
    try:
        return "answered", str(run(code))
    except Exception as refusal:
        kind = "refused" if isinstance(refusal, ValueError) else type(refusal).__name__
        return kind, str(refusal)
