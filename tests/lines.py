"""Lines of code per room, without blank lines, comments and docstrings: python tests/lines.py."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: Most lines of code; JavaScript is that of the pages, without KaTeX and reveal.js.
CEILINGS = {
    "replib": 4_800,
    "book/companion": 18_481,
    "tests": 16_443,
    ".ci": 250,
    "JavaScript": 1_043,
}


def documented(node: ast.AST) -> bool:
    return isinstance(
        node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    )


def lines_of_code(file: Path) -> int:
    text = file.read_text(encoding="utf-8")
    left_out: set[int] = set()
    comment = r"\s*#" if file.suffix == ".py" else r"\s*(//|/?\*)"
    if file.suffix == ".py":
        for node in filter(documented, ast.walk(ast.parse(text))):
            if ast.get_docstring(node, clean=False) is not None:
                left_out.update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return sum(
        bool(line.strip()) and not re.match(comment, line) and number not in left_out
        for number, line in enumerate(text.splitlines(), start=1)
    )


def files(room: str) -> list[Path]:
    if room == "JavaScript":
        folders = (
            ROOT / "book" / "_static",
            ROOT / "book" / "companion" / "engine" / "templates",
        )
        return [file for folder in folders for file in folder.glob("*.js")]
    return sorted((ROOT / room).rglob("*.py"))


if __name__ == "__main__":
    for room, most in CEILINGS.items():
        print(f"{room:15} {sum(map(lines_of_code, files(room))):6,} of {most:6,}")
