"""One process at a time in a folder, whatever happens to the one before."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from companion.lab.locks import one_at_a_time

ROOT = Path(__file__).resolve().parents[3]


HOLD = """
import sys, time
from pathlib import Path
from companion.lab.locks import one_at_a_time
with one_at_a_time(Path(sys.argv[1])):
    print("inside", flush=True)
    time.sleep(600)
"""


def started(program, folder):
    command = [sys.executable, "-c", program, str(folder)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def entered(folder):
    """Set as soon as this process is in the folder."""
    inside = threading.Event()

    def enter():
        with one_at_a_time(folder):
            inside.set()

    threading.Thread(target=enter, daemon=True).start()
    return inside


def test_others_wait_until_the_process_ends_though_it_is_killed(tmp_path):
    holder = started(HOLD, tmp_path / "new")  # which makes the folder
    assert holder.stdout.readline() == "inside\n"
    assert entered(tmp_path / "other").wait(timeout=30)
    inside = entered(tmp_path / "new")
    assert not inside.wait(timeout=0.5)
    holder.kill()
    holder.wait(timeout=30)
    assert inside.wait(timeout=30)
    assert not list((tmp_path / "new").iterdir())  # nothing is left behind


def test_an_error_inside_lets_the_next_one_in(tmp_path):
    with pytest.raises(ZeroDivisionError), one_at_a_time(tmp_path):
        1 / 0  # noqa: B018
    assert entered(tmp_path).wait(timeout=30)
