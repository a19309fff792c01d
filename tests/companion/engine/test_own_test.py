"""The command `bench`: a reader's test in the table, and what is refused."""

import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from companion.engine.cli import main

MODULE = """
import numpy as np
def mean(x): return float(abs(x.mean()) < 0.02)
def wrong(x): return 1.5
def fails(x): return x[100]
number = 3
def prints(x):
    print("a line")
    return 0.5
def decides(x): return x.mean() > 0.02
def leaves(x): raise SystemExit
def several(x): return np.array([0.1, 0.2])
def without(x): pass
def unknown(x): return float("nan")
def other(a, b): return 0.5
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "of_mine.py").write_text(MODULE)
    (tmp_path / "broken.py").write_text("def test(x: return 0.5")
    (tmp_path / "fails_early.py").write_text("import absent")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "of_mine", raising=False)


def test_the_command_places_the_test_in_the_table(module):
    arguments = ["bench", "of_mine:mean", "--size", "100", "--datasets", "2"]
    shown = CliRunner().invoke(main, arguments)
    assert shown.exit_code == 0
    lines = shown.output.splitlines()
    assert sum(line.startswith("* of_mine:mean") for line in lines) == 1
    assert len(lines) > 8 and max(map(len, lines)) <= 100
    order = ["", "not settled", "not held"]
    levels = [order.index(line.partition("   level ")[2]) for line in lines[1:8]]
    assert levels == sorted(levels)


@pytest.mark.parametrize(
    "arguments, words",
    [
        (
            ["of_mine:wrong"],
            "p-value of the test must be one number from 0 to 1, not 1.5",
        ),
        (["of_mine:fails"], "failed on an array of 10 runs x 10 folds"),
        (["of_mine:absent"], "MODULE:FUNCTION"),
        (["of_mine"], "MODULE:FUNCTION"),
        (["not_there:mean"], "MODULE:FUNCTION"),
        (["./of_mine.py:mean"], "MODULE:FUNCTION"),
        (["broken:test"], "not 'broken:test': "),
        (["fails_early:test"], "No module named 'absent'"),
        (["of_mine:number"], "must be a function"),
        (["of_mine:decides"], "must be one number from 0 to 1, not True"),
        (["of_mine:several"], "must be one number from 0 to 1, not array([0.1, 0.2])"),
        (["of_mine:without"], "must be one number from 0 to 1, not None"),
        (["of_mine:leaves"], "failed on an array of 10 runs x 10 folds: SystemExit()"),
        (["of_mine:other"], "missing 1 required positional argument"),
        (["of_mine:mean", "--size", "200"], "'200' is not one of '100', '300'"),
        (["of_mine:mean", "--alpha", "5"], "alpha"),
        (["of_mine:mean", "--datasets", "0"], "--datasets"),
    ],
)
def test_the_command_refuses(module, arguments, words):
    shown = CliRunner().invoke(main, ["bench", *arguments])
    assert shown.exit_code == 2
    assert words in shown.stderr and shown.stderr.count("\n") == 1
    assert not shown.stdout


def test_what_a_test_prints_is_not_shown(module):
    shown = CliRunner().invoke(main, ["bench", "of_mine:prints", "--datasets", "1"])
    assert shown.exit_code == 0 and "a line" not in shown.output


@pytest.mark.slow
def test_the_command_needs_no_checkout_and_no_unicode(module, tmp_path):
    """A terminal may know ASCII only, and the names of the tests have a ×."""
    program = "from companion.engine.cli import main; main()"
    arguments = ["bench", "of_mine:mean", "--datasets", "1"]
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "* of_mine:mean" in done.stdout
