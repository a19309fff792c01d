"""Format the code cells of the chapters and assignments as `ruff format` does with modules.

Ruff knows notebooks and Markdown, and no MyST notebook: the cells of all of them are
handed to it as notebooks of their own.  Parameters are left alone, because each is
declared on one line.  Usage: ``python format_cells.py [--check]``; with ``--check``
nothing is written, and exit 1 names each file that would change.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("notebooks", "course/assignments")
#: The opening of a code cell with its options, and the code up to the closing fence.
CELL = re.compile(
    r"(?P<head>^```\{code-cell\}.*\n(?:---\n(?s:.*?)\n---\n|(?::.*\n)*)\n*)"
    r"(?P<code>(?s:.*?))(?=^```$)",
    re.MULTILINE,
)


def main(arguments: list[str]) -> int:
    sources = [
        path for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.md"))
    ]
    texts = {path: path.read_text(encoding="utf-8") for path in sources}
    changed = {
        path: text for path, text in formatted(texts).items() if text != texts[path]
    }
    if "--check" in arguments:
        for path in changed:
            print(f"{path.relative_to(ROOT)}: a code cell is not formatted")
        return int(bool(changed))
    for path, text in changed.items():
        path.write_text(text, encoding="utf-8")
    return 0


def formatted(texts: dict[Path, str]) -> dict[Path, str]:
    """Return each text with its cells formatted."""
    with tempfile.TemporaryDirectory() as folder:
        copies = {
            path: Path(folder, f"{number}.ipynb") for number, path in enumerate(texts)
        }
        for path, copy in copies.items():
            copy.write_text(json.dumps(notebook(texts[path])), encoding="utf-8")
        subprocess.run(
            [
                Path(sys.executable).with_name("ruff"),
                "format",
                "--quiet",
                "--isolated",
                folder,
            ],
            check=True,
        )
        return {path: replaced(texts[path], copy) for path, copy in copies.items()}


def notebook(text: str) -> dict:
    cells = [
        {
            "cell_type": "code",
            "execution_count": None,
            "metadata": {},
            "outputs": [],
            "source": cell["code"].rstrip("\n").splitlines(keepends=True),
        }
        for cell in cells_of(text)
    ]
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}


def cells_of(text: str) -> list[re.Match]:
    return [cell for cell in CELL.finditer(text) if "parameters" not in cell["head"]]


def replaced(text: str, copy: Path) -> str:
    """Return a text with the cells of a formatted notebook."""
    cells = json.loads(copy.read_text(encoding="utf-8"))["cells"]
    for cell, new in reversed(list(zip(cells_of(text), cells, strict=True))):
        code = "".join(new["source"]) + "\n"
        text = text[: cell.start("code")] + code + text[cell.end("code") :]
    return text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
