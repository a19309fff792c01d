"""Workers do not outlive the process that they work for."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest
from joblib import Parallel, delayed

from companion.lab.workers import processes

AT_WORK = """
import os, time
from joblib import Parallel, delayed
from companion.lab.workers import processes

def say_and_wait(seconds):
    os.write(1, f"{{os.getpid()}}\\n".encode())  # at once: two workers share the pipe
    time.sleep(seconds)

with processes(2):
    Parallel()(delayed(say_and_wait)({seconds}) for _ in range(2))
print("idle", flush=True)
time.sleep(600)
"""


def is_there(pid: int) -> bool:
    """Whether a process is running, and is not only a number that waits to be collected."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.skipif(sys.platform == "win32", reason="a dead parent keeps its number")
@pytest.mark.parametrize("seconds", [600, 0.5], ids=["at work", "idle"])
def test_workers_end_when_their_parent_is_killed(seconds):
    parent = subprocess.Popen(
        [sys.executable, "-c", AT_WORK.format(seconds=seconds)],
        text=True,
        stdout=subprocess.PIPE,
    )
    workers = {int(parent.stdout.readline()) for _ in range(2)}
    if seconds < 1:
        assert parent.stdout.readline() == "idle\n"
    assert (
        len(workers) == 2 and parent.pid not in workers and all(map(is_there, workers))
    )
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    until = time.monotonic() + 60
    while any(map(is_there, workers)) and time.monotonic() < until:
        time.sleep(0.1)
    assert not any(map(is_there, workers))


def test_ctrl_c_is_left_to_the_process_that_they_work_for():
    with processes(2):
        assert (
            Parallel()([delayed(signal.raise_signal)(signal.SIGINT)] * 4) == [None] * 4
        )


INTERRUPTED = """
import os, signal, threading, time
from joblib import Parallel, delayed
from companion.lab.workers import processes

signal.signal(signal.SIGINT, lambda *_: None)

def interrupt():
    while True:
        os.killpg(0, signal.SIGINT)
        time.sleep(0.01)

threading.Thread(target=interrupt, daemon=True).start()
with processes(2):
    print(Parallel()([delayed(abs)(-1)] * 4))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of groups are Unix's")
def test_nor_do_they_answer_it_while_they_start():
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED],
        start_new_session=True,
        text=True,
        capture_output=True,
        timeout=100,
    )
    assert (done.stdout, done.stderr) == ("[1, 1, 1, 1]\n", "")


def test_one_worker_needs_no_process():
    with processes(1):
        assert Parallel()([delayed(os.getpid)()]) == [os.getpid()]
