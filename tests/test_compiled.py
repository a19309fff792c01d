"""Compiling once: of several processes that need a function at the same time one compiles it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

KERNELS = """
from replib.compiled import njit

@njit(inline="always")
def square(x):
    return x * x

@njit
def inner(x):
    return square(x) + 1

@njit(nogil=True)
def outer(x):
    total = 0
    for i in range(10):
        total += inner(x + i)
    return total
"""
PROGRAM = """
import kernels
print(kernels.outer(2), kernels.outer(2.5))
print(sum(sum(f.stats.cache_misses.values()) for f in (kernels.inner, kernels.outer)))
"""


def test_several_processes_compile_each_signature_once(tmp_path):
    (tmp_path / "kernels.py").write_text(KERNELS)
    environment = {
        **os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)]),
    }
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM], env=environment, stdout=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    answers = [process.communicate(timeout=300)[0].split() for process in processes]
    assert {tuple(answer[:2]) for answer in answers} == {("515", "582.5")}
    assert sum(int(answer[2]) for answer in answers) == 4  # two functions, two signatures


def test_a_process_that_dies_holds_up_nobody(tmp_path):
    (tmp_path / "kernels.py").write_text(KERNELS)
    environment = {
        **os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)]),
    }
    dying = "import kernels, os; kernels.outer._cache._lock('any'); os._exit(9)"
    subprocess.run([sys.executable, "-c", dying], env=environment, check=False, timeout=100)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, timeout=100
    )
    assert done.stdout.split()[0] == b"515"


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", [b"", b"nonsense", None])
def test_a_damaged_file_is_compiled_anew(tmp_path, ending, damage):
    (tmp_path / "kernels.py").write_text(KERNELS)
    environment = {
        **os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)]),
    }
    command = [sys.executable, "-c", PROGRAM]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    for file in (tmp_path / "cache").rglob(f"*.{ending}"):
        file.write_bytes(file.read_bytes()[:-9] if damage is None else damage)
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["515", "582.5", "4"]
