"""A killed command leaves nothing behind and goes on to the same bits; damaged files are noticed.

On a small book of two chapters, at another moment and with another damage each time.
"""

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import numpy as np
import psutil
import pytest

from companion.engine.build import chapters
from companion.lab.experiments.results import load_results

pytestmark = pytest.mark.slow

#: By this variable of its environment a process is known to belong to a command.
MARK = "REPLIB_FAULTS"
CHANCE = random.Random()

CHAPTER = """---
kernelspec: {display_name: Python 3, name: python3}
replib: {minutes_to_read: 1}
---

# A small chapter

```{code-cell} ipython3
:tags: [parameters]

n: int = 3  # things; 1 to 9; how many
```

```{code-cell} ipython3
import time
import numpy as np
import pandas as pd
from replib import significance
time.sleep(0.5)  # long enough to be killed
x = np.random.default_rng(n).normal(0.5, 1, 30)
pd.DataFrame({"mean": [x.mean()], "p": [significance.paired_t(x).pvalue]})
```
"""
#: A long run of two seconds, which the catalogue of the copy has.
TOSSES = """
import time


def toss(rng, n):
    time.sleep(0.05)
    return rng.binomial(n, 0.5)
"""
ENTRY = """

def _small():
    return {"coins": (runner.Experiment("replib.tosses:toss", 1, {"n": 10}), 40)}


CATALOGUE["small"] = LongRun("a small run", _small)
"""


@pytest.fixture(scope="module")
def book(tmp_path_factory, small_book) -> Path:
    """A small book, whose pages take seconds, with a long run of its own."""
    folder = tmp_path_factory.mktemp("book")
    other = CHAPTER.replace("A small", "Another")
    small_book(folder, {"10_small": CHAPTER, "11_other": other})
    (folder / "replib" / "tosses.py").write_text(TOSSES)
    with (folder / "book" / "companion" / "stored.py").open("a") as catalogue:
        catalogue.write(ENTRY)
    (folder / "notebooks" / "presets" / "quick.yml").write_text("small:\n  n: 4\n")
    return folder


#: Folders for temporary files: one that holds the path of a socket; two that are too
#: long for it, of 94 characters and more, and of fewer than 70, each of two bytes.
SHORT, LONG, WIDE = "t ü", "t ü" * 22, "ü" * 28


def start(folder: Path, words: str, temporary: str = SHORT) -> subprocess.Popen:
    """Start ``python -m replib ...`` in a session of its own."""
    (folder.parent / temporary).mkdir(exist_ok=True)
    return subprocess.Popen(
        [sys.executable, "-m", "replib", *words.split()],
        cwd=folder,
        text=True,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={
            **os.environ,
            "PYTHONPATH": f"{folder}{os.pathsep}{folder / 'book'}",
            MARK: str(folder),
            "REPLIB_WORKERS": "2",
            "REPLIB_CACHE": str(folder / "cache"),
            "TMPDIR": str(folder.parent / temporary),
        },
    )


def forget(folder: Path) -> None:
    """Undo what commands did, so that there is something to do; keep the pages."""
    shutil.rmtree(folder / "cache", ignore_errors=True)
    for name in (*results_of(folder), "_build/html.stamp"):
        (folder / name).unlink(missing_ok=True)


def succeed(folder: Path, words: str, temporary: str) -> dict[str, bytes]:
    """Run a command to its end, and return what it leaves."""
    command = start(folder, words, temporary)
    said = command.communicate(timeout=300)[1]
    assert command.returncode == 0, said
    return results_of(folder) | pages_of(folder)


def results_of(folder: Path) -> dict[str, bytes]:
    """The files of numbers that a build or a long run leaves for a reader."""
    return files_of(folder, "book/chapters/*.ipynb", "book/results/*.npz")


def pages_of(folder: Path) -> dict[str, bytes]:
    """The pages for a reader."""
    return files_of(folder, "_build/html/**/*.html")


def files_of(folder: Path, *patterns: str) -> dict[str, bytes]:
    found = sorted(file for pattern in patterns for file in folder.glob(pattern))
    return {str(file.relative_to(folder)): file.read_bytes() for file in found}


def relatives(folder: Path) -> list[psutil.Process]:
    """Processes that commands in this folder have started and that still run."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            if (
                process.environ().get(MARK) == str(folder)
                and process.status() != "zombie"
            ):
                found.append(process)
    return found


def left_behind(folder: Path, seconds: float = 15) -> list[psutil.Process]:
    """Processes that still run after they have had time to end."""
    until = time.monotonic() + seconds
    while (left := relatives(folder)) and time.monotonic() < until:
        time.sleep(0.1)
    return left


ENDS = {
    "SIGKILL of the first process": lambda pid: os.kill(pid, signal.SIGKILL),
    "Ctrl-C": lambda pid: os.killpg(
        pid, signal.SIGINT
    ),  # reaches all processes of a terminal
    "SIGTERM": lambda pid: os.kill(pid, signal.SIGTERM),
}


@pytest.mark.parametrize(
    ("words", "ends"),
    [
        ("build --preset quick --jobs 2", [*ENDS]),
        ("results small", ["SIGKILL of the first process"]),
    ],
)
def test_killed_at_a_random_moment(book, words, ends):
    forget(book)
    started = time.monotonic()
    good = succeed(book, words, LONG)
    seconds = time.monotonic() - started
    pages = pages_of(book)
    forget(book)
    command, end = start(book, words), CHANCE.choice(ends)
    time.sleep(CHANCE.uniform(0.3, 0.6 * seconds))
    with contextlib.suppress(ProcessLookupError):  # it was quicker
        ENDS[end](command.pid)
    said = command.communicate(timeout=300)[1]
    assert not left_behind(book)
    assert "SIGKILL" in end or not any((book.parent / SHORT).iterdir())
    lines = [line for line in said.replace("\r", "\n").splitlines() if "Error:" in line]
    assert "Traceback" not in said and len(lines) <= 1, said
    left = results_of(book) | pages_of(book)
    assert left.items() <= good.items() and pages.keys() <= left.keys()
    assert succeed(book, words, WIDE) == good
    assert not [*book.glob("_build/chapters/*")]


def emptied(data: bytes) -> bytes:
    return b""


def truncated(data: bytes) -> bytes:
    return data[: CHANCE.randrange(len(data))]


def one_bit_flipped(data: bytes) -> bytes:
    damaged = bytearray(data)
    damaged[CHANCE.randrange(len(data))] ^= 1 << CHANCE.randrange(8)
    return bytes(damaged)


DAMAGES = (emptied, truncated, one_bit_flipped)


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_chapters_count_as_not_executed(damage, tmp_path):
    file = tmp_path / "10_small.ipynb"
    cell = nbformat.v4.new_code_cell("x", id="small-000")
    chapters.write_sealed(nbformat.v4.new_notebook(cells=[cell]), file)
    right = json.loads(file.read_text())
    assert "seal" in right["metadata"][chapters.METADATA_KEY]
    file.write_bytes(damage(file.read_bytes()))
    try:
        is_harmless = json.loads(file.read_text()) == right
    except ValueError:
        is_harmless = False
    assert is_harmless or chapters.executed_metadata(file) == {}


class Dangerous:
    def __reduce__(self):
        return Path.touch, (Path("executed"),)


def test_a_pickle_among_results_is_not_executed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("x.json").write_text('{"a": {}}')
    np.savez("x.npz", a=np.array([Dangerous()], dtype=object))
    with pytest.raises(ValueError, match=r"x\.npz"):
        load_results("x")
    assert not Path("executed").exists()
