"""Compiled functions are loaded by the next process, until any file with such functions changes."""

import os
import select
import subprocess
import sys
from pathlib import Path

import numba
import pytest
from numba.core import event

from companion.lab import compiled

PROGRAM = """
import numpy as np
from companion.lab.learners.kernels import bits
print(bits.pack_masks(np.ones((2, 70), dtype=bool)).tolist()[0])
kernels = bits.pack_masks, bits.add_row, bits.n_words_of  # the first calls the others
print(sum(sum(kernel.stats.cache_misses.values()) for kernel in kernels))
"""


@pytest.mark.slow
def test_a_second_process_does_not_compile_again(tmp_path):
    for misses in ("3", "0"):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            check=True,
            capture_output=True,
            text=True,
            env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        )
        assert done.stdout.splitlines() == [str([2**64 - 1, 2**6 - 1]), misses]


ASKING = """
import fcntl, os, sys
flock = fcntl.flock

def asking(folder, operation):
    print("asks", flush=True)
    flock(folder, operation)
    print("allowed" if os.path.exists(sys.argv[1]) else "not allowed", flush=True)
    fcntl.flock = flock

fcntl.flock = asking
"""


@pytest.mark.slow
def test_a_process_waits_while_another_one_compiles(tmp_path, monkeypatch):
    """Two at once could give one signature the code of another in numba's cache.

    The other process says when it asks for the lock: this one need not guess how long that takes.
    """
    # as the other process names it
    folder = tmp_path / Path(numba.config.CACHE_DIR).name
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(folder))
    allowed = tmp_path / "allowed"
    with event.trigger_event("numba:compiler_lock"):
        with event.trigger_event("numba:compiler_lock"):
            pass  # the end of the inner one leaves the lock in place
        other = subprocess.Popen(
            [sys.executable, "-c", ASKING + PROGRAM, str(allowed)],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        )
        assert other.stdout.readline() == "asks\n"
        assert not select.select([other.stdout], [], [], 1)[0]
        allowed.touch()
    answer = other.communicate(timeout=300)[0].splitlines()
    assert answer[0] == "allowed" and answer[-1] == "3"


def test_the_folder_is_another_after_any_change_of_compiled_functions(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(compiled, "__file__", str(tmp_path / "lab" / "compiled.py"))
    kernels, other = tmp_path / "kernels.py", tmp_path / "other.py"
    folders = []
    for kernel, plain in (("@njit", ""), ("@njit", "x = 1"), ("@njit  # new", "x = 1")):
        kernels.write_text(kernel)
        other.write_text(plain)
        folders.append(compiled._folder())
    assert folders[0] == folders[1] != folders[2]
