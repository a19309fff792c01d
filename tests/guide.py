"""What the blocks of the guide to the library print.

``python tests/guide.py`` runs the blocks of each page of the guide one after the other,
and writes below each what it prints. `test_guide.py` holds the pages to that.
"""

import ast
import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import NamedTuple

import pandas as pd

ROOT = Path(__file__).resolve().parents[1]
PAGES = {name: ROOT / "book" / f"{name}.md" for name in ("library", "noise")}
#: Columns of a block that a page shows without a bar to scroll.
COLUMNS = 76
#: A block of code, and what it prints.
_BLOCK = re.compile(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", re.DOTALL)


class Block(NamedTuple):
    """Code, and what is printed below it."""

    code: str
    printed: str


def locked(package):
    """Return the version of a package in the list of what the book needs."""
    requirements = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    return re.search(rf"^{package}==(\S+)", requirements, re.MULTILINE)[1]


def blocks(text):
    """Return the blocks of a page."""
    return [Block(*match.groups(default="")) for match in _BLOCK.finditer(text)]


def outputs(codes, names):
    """Run blocks in the folder of their data, and return what each prints.

    Parameters
    ----------
    codes : iterable of str
    names : dict
        The names that the blocks bind; it is filled.
    """
    options = ("display.width", COLUMNS, "display.max_columns", 20)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "data"
        shutil.copytree(ROOT / "tests" / "data", folder)
        with (
            contextlib.chdir(folder),
            pd.option_context(*options, "display.precision", 3),
        ):
            return [_output(code, names) for code in codes]


def _output(code, names):
    """Return what a console would show for a block, in lines of a page."""
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        for statement in ast.parse(code).body:
            if isinstance(statement, ast.Expr):
                source = compile(ast.Expression(statement.value), "guide", "eval")
                value = eval(source, names)
                if value is not None:
                    print(repr(value))
            else:
                module = ast.Module([statement], type_ignores=[])
                exec(compile(module, "guide", "exec"), names)
    return "".join(f"{line}\n" for line in _wrapped(stream.getvalue()))


def _wrapped(text):
    """Return lines, of which the sentences are broken."""
    for line in text.splitlines():
        # tables are narrower, and keep their columns
        yield from (
            textwrap.wrap(line, COLUMNS) if len(line) > COLUMNS else [line.rstrip()]
        )


def with_outputs(text):
    """Return a page with formatted code and what each block prints."""
    codes = [_formatted(block.code) for block in blocks(text)]
    printed = iter(zip(codes, outputs(codes, {})))

    def written(_):
        code, output = next(printed)
        below = f"\n\n```text\n{output}```" if output else ""
        return f"```python\n{code}```{below}"

    return _BLOCK.sub(written, text)


def _formatted(code):
    command = ("-m", "ruff", "format", f"--line-length={COLUMNS}", "-")
    return subprocess.run(
        [sys.executable, *command],
        input=code,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


if __name__ == "__main__":
    os.environ["TQDM_DISABLE"] = "1"
    for page in PAGES.values():
        page.write_text(with_outputs(page.read_text("utf-8")), encoding="utf-8")
