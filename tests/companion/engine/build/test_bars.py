"""Progress bars of a process without a terminal: how they are recorded and shown elsewhere."""

import json
import subprocess
import sys
import time

import pytest

from companion.engine.build import bars

KERNEL = """
import sys
from companion.engine.build import bars
bars.forward(sys.argv[1])
from tqdm import tqdm
with tqdm(total=4, desc="outer", unit="s", disable=None, mininterval=0) as outer:
    with tqdm(total=9, desc="inner", disable=None, mininterval=0) as inner:
        inner.update(5)
    outer.update(3)
with tqdm(total=1, desc="hidden", disable=True) as hidden:
    hidden.update()
with tqdm(total=2, desc="next", disable=None, mininterval=0) as last:
    last.update(2)
"""


def test_the_outermost_bar_is_written_down_and_nothing_is_shown(tmp_path):
    log = tmp_path / "log"
    done = subprocess.run(
        [sys.executable, "-c", KERNEL, log], capture_output=True, text=True, check=True
    )
    assert done.stdout == done.stderr == ""
    states = [json.loads(line) for line in log.read_text().splitlines()]
    assert {state["desc"].removesuffix(": ") for state in states} == {"outer", "next"}
    outer = [state for state in states if state["desc"].startswith("outer")]
    assert outer[0]["n"] == 0 and outer[-1]["n"] == 3
    assert {(state["total"], state["unit"]) for state in outer} == {(4, "s")}


def write(log, n, *, unit="s", bar=1, total=100):
    state = {"bar": bar, "desc": "2 experiments are not stored, about 2 min", "n": n,
             "total": total, "unit": unit}
    with log.open("a") as file:
        file.write(json.dumps(state) + "\n")
    time.sleep(0.1)


@pytest.fixture
def log(tmp_path, monkeypatch):
    """The file of a chapter's bars, which is looked at all the time."""
    monkeypatch.setattr(bars, "_LOOK_EVERY", 0.01)
    monkeypatch.setattr(bars, "_SAY_EVERY", 0.0)
    return tmp_path / "log"


def test_without_a_terminal_it_says_at_once_what_is_expected_and_then_what_is_left(log, capsys):
    with bars.shown(log, "study_2", None):
        write(log, 0)
        write(log, 50)
    first, *_, last = capsys.readouterr().err.splitlines()
    assert first == "study_2: 2 experiments are not stored, about 2 min"
    assert "50% done" in last and last.endswith("min left")


def test_what_is_short_or_of_unknown_length_is_not_announced(log, capsys):
    with bars.shown(log, "study_2", None):
        write(log, 0, total=2)
        write(log, 0, unit="replication", bar=2)
    assert capsys.readouterr().err == ""


def test_on_a_terminal_there_is_one_bar_with_the_time_that_remains(log, capsys):
    with bars.shown(log, "study_2", 1):
        write(log, 0)
        write(log, 50)
    err = capsys.readouterr().err
    assert "about 2 min:   0%" in err and "about 2 min:  50%" in err and "<" in err
