"""Other installed versions of Python install the pins and compute the same outputs."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from harness import ROOT, Command, forget, results_of

pytestmark = pytest.mark.campaign

BUILD = ["build", "--preset", "quick", "--jobs", "1"]


def runs(python: str) -> bool:
    """Whether the command exists, and is not only a shim without a chosen version."""
    found = shutil.which(python)
    return bool(found) and not subprocess.run([found, "--version"], capture_output=True).returncode


OTHERS = [
    name for minor in range(11, 20) if minor != sys.version_info.minor
    if runs(name := f"python3.{minor}")
]


def outputs(book: Path) -> dict[str, list]:
    """Outputs of the executed chapters' cells; the version of Python is stored elsewhere."""
    return {
        name: [cell.get("outputs") for cell in json.loads(text)["cells"]]
        for name, text in results_of(book).items()
    }


@pytest.mark.parametrize("python", OTHERS)
def test_another_python(python, small_book, tmp_path, record):
    code, said = Command(small_book, *BUILD).ended()
    assert code == 0, said
    expected = outputs(small_book)
    subprocess.run([python, "-m", "venv", tmp_path], check=True)
    other = tmp_path / "bin" / "python"
    subprocess.run(
        [other, "-m", "pip", "install", "--quiet", "--require-hashes", "-r",
         ROOT / "requirements.txt"], check=True,
    )
    forget(small_book)
    code, said = Command(small_book, *BUILD, python=other).ended()
    same = code == 0 and outputs(small_book) == expected
    record("Resources", f"{python} in place of 3.{sys.version_info.minor}", 1, int(same),
           "the pins are installed; same outputs", () if same else (said[-2000:],))
