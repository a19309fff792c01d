"""Repeated on a fresh copy and by other commands, everything gives the same bytes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from harness import ROOT, Command, copy_of_checkout, pages_of, results_of

pytestmark = pytest.mark.campaign


def test_two_runs_of_a_chapter(tmp_path, record):
    """In clones of the committed checkout, at different times and places."""
    found = []
    for name in ("one", "another"):
        clone = tmp_path / name / "book"
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        committed = results_of(clone)
        code, said = Command(clone, "run", "estimators", "-p", "n", "20").ended(600)
        assert code == 0, said
        made = results_of(clone).items() - committed.items()
        found.append(dict(made) | pages_of(clone))
    different = [file for file in found[0] if found[0][file] != found[1].get(file)]
    print(*different)
    assert len(found[0]) == 3  # notebook, difference, page
    record("Repeated", "run estimators -p n 20, in two clones: files", 3, 3 - len(different),
           "the same bytes")


def test_jupyter_book_alone(tmp_path, record):
    """It executes chapters that have not been executed, and makes the same pages as the build."""
    ours, alone = (copy_of_checkout(tmp_path / name / "book") for name in ("ours", "alone"))
    code, said = Command(ours, "build").ended(600)
    assert code == 0, said
    shutil.rmtree(alone / "book" / "chapters", ignore_errors=True)
    done = subprocess.run(
        [Path(sys.executable).with_name("jupyter-book"), "build", "."], cwd=alone, check=False,
        env={**os.environ, "PYTHONPATH": f"{alone}{os.pathsep}{alone / 'book'}"},
        capture_output=True, text=True,
    )
    print(done.stdout[-2000:], done.stderr[-2000:])
    chapters = results_of(ours)
    fine = done.returncode == 0 and chapters and results_of(alone) == chapters
    record("Repeated", "jupyter-book build . on a fresh copy", 1, int(fine),
           "the chapters of replib build, byte by byte")
