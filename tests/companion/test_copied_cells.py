"""The visible cells of a chapter of Part I run with the library alone, copied one after another."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import replib
from companion.engine.build import chapters

HIDDEN = {"hide-input", "remove-input", "remove-cell"}


def visible(chapter) -> list[str]:
    cells = [cell for cell in chapter.notebook.cells if cell.cell_type == "code"]
    return [
        cell.source
        for cell in cells
        if "parameters" in cell.metadata.get("tags", ())
        or not HIDDEN & {*cell.metadata.get("tags", ())}
    ]


RUN = """
import json, sys
sys.modules["companion"] = None  # importing it is an error
for name, code in json.load(sys.stdin).items():
    print(name, file=sys.stderr)
    exec(code, {"__name__": "__main__"})
"""


@pytest.mark.slow
def test_copied_cells_run_without_the_book(tmp_path):
    programs = {}
    for chapter in chapters.chapters():
        if chapter.number <= 7:
            parameters, *cells = visible(chapter)
            few = parameters.replace("seeds: int = 4", "seeds: int = 2")
            programs[chapter.name] = "\n".join([few, *cells])
            assert "companion" not in programs[chapter.name]
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        input=json.dumps(programs),
        env={"PYTHONPATH": str(Path(replib.__file__).parents[1]), "PATH": ""},
    )
    assert done.returncode == 0, done.stderr[-2000:]
