"""The visible cells of a chapter of Part I run with the library alone, copied one after another."""

import subprocess
import sys
from pathlib import Path

import pytest

import replib
from companion.engine.build import chapters

HIDDEN = {"hide-input", "remove-input", "remove-cell"}


def visible(chapter) -> list[str]:
    cells = [cell for cell in chapter.notebook.cells if cell.cell_type == "code"]
    return [cell.source for cell in cells
            if "parameters" in cell.metadata.get("tags", ())
            or not HIDDEN & {*cell.metadata.get("tags", ())}]


@pytest.mark.slow
@pytest.mark.parametrize("chapter", [
    chapter for chapter in chapters.chapters() if chapter.number <= 7
], ids=lambda chapter: chapter.name)
def test_copied_cells_run_without_the_book(chapter, tmp_path):
    parameters, first, *rest = visible(chapter)
    assert "from sklearn.datasets import load_breast_cancer" in first or "import replib" in first
    blocked = "import sys; sys.modules['companion'] = None"  # importing it is an error
    program = "\n".join([blocked, parameters.replace("seeds: int = 4", "seeds: int = 2"), first,
                         *rest])
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={"PYTHONPATH": str(Path(replib.__file__).parents[1]), "PATH": ""},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "companion" not in program.replace(blocked, "")
