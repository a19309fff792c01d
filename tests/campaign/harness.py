"""A small book that can be killed, and commands that run on it in sessions of their own."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[2]
#: By this variable of its environment a process is known to be of the campaign.
MARK = "REPLIB_CAMPAIGN"

CHAPTER = """---
kernelspec: {display_name: Python 3, name: python3}
replib: {minutes_to_read: 1}
---

# A small chapter

```{code-cell} ipython3
:tags: [parameters]

n: int = 3  # things; 1 to 9; how many
word: str = "plain"  # text; any; what is shown
```

```{code-cell} ipython3
import time
import numpy as np
import pandas as pd
from replib import significance
time.sleep(0.5)  # long enough to be killed
x = np.random.default_rng(n).normal(0.5, 1, 30)
pd.DataFrame({"mean": [x.mean()], "p": [significance.paired_t(x).pvalue], "word": [word]})
```
"""
#: A long run that takes two seconds, which the catalogue of the copy has.
TOSSES = """
import time


def toss(rng, n):
    time.sleep(0.05)
    return rng.binomial(n, 0.5)
"""
ENTRY = """

def _small():
    return {"coins": (engine.Experiment("replib.tosses:toss", 1, {"n": 10}), 40)}


CATALOGUE["small"] = LongRun("for the campaign", _small, 1)
"""
CONTENTS = """
format: jb-book
root: book/intro
chapters:
  - file: book/chapters/10_small
  - file: book/chapters/11_other
"""


def copy_of_checkout(folder: Path) -> Path:
    """A checkout with two small chapters, whose pages take seconds."""
    for name in ("replib", "book/companion", "book/_static"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in (
        "requirements.txt", "_config.yml", "CITATION.cff", "book/references.bib", "book/ledger.csv",
    ):
        shutil.copy(ROOT / name, folder / name)
    config = folder / "_config.yml"  # the first page of this book has nothing to compute
    config.write_text(config.read_text().replace("companion.engine.sphinx.landing, ", ""))
    (folder / "replib" / "tosses.py").write_text(TOSSES)
    with (folder / "book" / "companion" / "papers" / "stored.py").open("a") as catalogue:
        catalogue.write(ENTRY)
    (folder / "notebooks" / "presets").mkdir(parents=True)
    (folder / "notebooks" / "presets" / "quick.yml").write_text("small:\n  n: 4\n")
    (folder / "notebooks" / "costs.yml").write_text("{}\n")
    (folder / "notebooks" / "10_small.md").write_text(CHAPTER)
    (folder / "notebooks" / "11_other.md").write_text(CHAPTER.replace("A small", "Another"))
    (folder / "book" / "intro.md").write_text("# A small book\n")
    (folder / "_toc.yml").write_text(CONTENTS)
    return folder


class Command:
    """``python -m replib ...`` in a session of its own."""

    def __init__(
        self, folder: Path, *arguments: str, python=sys.executable, before=None, options=(),
        **environment,
    ):
        self.folder = folder
        self.process = subprocess.Popen(
            [python, *options, "-m", "replib", *arguments], cwd=folder, text=True,
            start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            preexec_fn=before, env={
                **os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{folder / 'book'}",
                MARK: str(folder), "REPLIB_WORKERS": "2",
                **environment,
            },
        )

    def ended(self, seconds: float = 300) -> tuple[int, str]:
        """Exit code and standard error."""
        try:
            said = self.process.communicate(timeout=seconds)[1]
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            return -999, "it did not end: " + self.process.communicate()[1]
        return self.process.returncode, said

    def orphans(self, seconds: float = 15) -> list[psutil.Process]:
        """Processes of this command that still exist after they have had time to end."""
        until = time.monotonic() + seconds
        while (left := self._relatives()) and time.monotonic() < until:
            time.sleep(0.1)
        return left

    def workers(self) -> list[psutil.Process]:
        try:
            return psutil.Process(self.process.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return []

    def computing(self) -> list[psutil.Process]:
        """Workers, without the process in which joblib keeps a list of things to tidy up.

        If killed, it is started again and complains at length about what it has lost.
        """
        return [
            process for process in self.workers()
            if "resource_tracker" not in " ".join(command_line(process))
        ]

    def _relatives(self) -> list[psutil.Process]:
        found = []
        for process in psutil.process_iter():
            try:
                if process.environ().get(MARK) == str(self.folder) and process.status() != "zombie":
                    found.append(process)
            except (psutil.NoSuchProcess, psutil.AccessDenied):
                continue
        return found


def command_line(process: psutil.Process) -> list[str]:
    """The command that started a process; empty if it has ended."""
    try:
        return process.cmdline()
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return []


def is_a_sentence(said: str) -> bool:
    """Whether an error says one thing, apart from progress, and nothing about the code."""
    lines = [line for line in said.replace("\r", "\n").splitlines() if "Error:" in line]
    return "Traceback" not in said and len(lines) <= 1


def results_of(folder: Path) -> dict[str, bytes]:
    """The files of numbers that a build, a run or a long run leaves for a reader."""
    return _files(folder, "book/chapters/*.ipynb", "runs/*/*/*.ipynb", "runs/*/*/*.csv",
                  "book/results/*.npz")


def pages_of(folder: Path) -> dict[str, bytes]:
    """The pages that a build or a run leaves for a reader, without the versions of style sheets.

    Sphinx puts them into addresses only where an earlier build has left the sheet.
    """
    found = _files(folder, "_build/html/**/*.html", "runs/*/*/*.html")
    return {name: re.sub(rb"[?]v=\w+", b"", page) for name, page in found.items()}


def forget(folder: Path) -> None:
    """Undo what commands did, so that there is something to do; keep pages and finished chunks."""
    for name in (*results_of(folder), "_build/html.stamp"):
        (folder / name).unlink(missing_ok=True)


def _files(folder: Path, *patterns: str) -> dict[str, bytes]:
    found = sorted(file for pattern in patterns for file in folder.glob(pattern))
    return {str(file.relative_to(folder)): file.read_bytes() for file in found}
