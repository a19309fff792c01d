"""Compiled functions are loaded by the next process, until any file with such functions changes."""

import os
import subprocess
import sys
from itertools import pairwise

import pytest

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
            [sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True,
            env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        )
        assert done.stdout.splitlines() == [str([2**64 - 1, 2**6 - 1]), misses]


TIMED = """
import time
import numpy as np
from companion.lab.learners.kernels import bits
from numba.core import event
class Times(event.Listener):
    def on_start(self, _): print(time.monotonic())
    def on_end(self, _): print(time.monotonic())
event.register("numba:compiler_lock", Times())
bits.pack_masks(np.ones((2, 70), dtype=bool))
"""


@pytest.mark.slow
def test_processes_compile_one_after_the_other(tmp_path):
    """Two at once could give one signature the code of another in numba's cache."""
    running = [
        subprocess.Popen([sys.executable, "-c", TIMED], stdout=subprocess.PIPE, text=True,
                         env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}) for _ in range(3)
    ]
    times = [[float(line) for line in process.communicate()[0].split()] for process in running]
    spans = sorted((min(of), max(of)) for of in times)
    assert spans[-1][1] - spans[0][0] > 0.1  # somebody compiled
    assert all(end <= start for (_, end), (start, _) in pairwise(spans)), times


def test_the_folder_is_another_after_any_change_of_compiled_functions(tmp_path, monkeypatch):
    monkeypatch.setattr(compiled, "__file__", str(tmp_path / "lab" / "compiled.py"))
    kernels, other = tmp_path / "kernels.py", tmp_path / "other.py"
    folders = []
    for kernel, plain in (("@njit", ""), ("@njit", "x = 1"), ("@njit  # new", "x = 1")):
        kernels.write_text(kernel)
        other.write_text(plain)
        folders.append(compiled._folder())
    assert folders[0] == folders[1] != folders[2]
