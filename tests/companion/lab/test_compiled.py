"""Compiled functions are loaded by the next process, until any file with such functions changes."""

import os
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


@pytest.mark.slow
def test_a_process_waits_while_another_one_compiles(tmp_path, monkeypatch):
    """Two at once could give one signature the code of another in numba's cache."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    folder = (
        tmp_path / Path(numba.config.CACHE_DIR).name
    )  # as the other process names it
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(folder))
    with (
        event.trigger_event("numba:compiler_lock"),
        event.trigger_event("numba:compiler_lock"),
    ):
        other = subprocess.Popen(
            [sys.executable, "-c", f"print(flush=True)\n{PROGRAM}"],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        other.stdout.readline()  # it has begun; alone it would need about two seconds
        with pytest.raises(subprocess.TimeoutExpired):
            other.communicate(timeout=5)
    assert other.communicate()[0].splitlines()[-1] == "3"


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
