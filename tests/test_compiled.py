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


USED = """
from math import sqrt
from typing import NamedTuple
from numba.extending import intrinsic
from numba import types
from replib.compiled import njit

STEP = 3  # one of several constants

class Pair(NamedTuple):
    left: int
    right: int

@intrinsic
def nothing(typingctx, x):
    def codegen(context, builder, signature, arguments):
        return arguments[0]
    return x(x), codegen

@njit
def innermost(x):
    return sqrt(x) + 1

@njit
def shifted(x, by=1):
    return x + by

@njit
def inner(x):
    return innermost(x) + nothing(x) + (shifted(x) - abs(x) - 1)
"""
USER = """
import used
from used import Pair, STEP, inner
from replib.compiled import njit

def made(n):
    @njit
    def outer(x):
        return used.inner(x) * STEP + n + Pair(x, 7).left
    return outer

outer = made(0)

@njit
def difference(pair):
    return pair.left - pair.right
"""


@pytest.mark.parametrize("old, new, answer", [
    ("one of several constants", "and a remark", 25.0),
    ("def inner(x):", 'def inner(x):\n    """Words."""', 25.0),
    ("STEP = 3", "STEP = 4", 32.0),
    ("sqrt(x) + 1", "sqrt(x) + 2", 28.0),
    ("innermost(x) + n", "innermost(x) - n", 1.0),
    ("shifted(x) - abs(x) - 1", "abs(x) - shifted(x) - 1", 19.0),
    ("by=1", "by=2", 28.0),
    ("@njit\ndef innermost", "@njit(error_model='numpy')\ndef innermost", 25.0),
    ("return arguments[0]", "return builder.neg(arguments[0])", 1.0),
    ("left: int\n    right: int", "right: int\n    left: int", 28.0),
])
def test_what_is_kept_is_used_as_long_as_nothing_changed_that_it_uses(tmp_path, old, new, answer):
    """Numba looks at the function's own file alone, and would answer 25 in each case."""
    (tmp_path / "user.py").write_text(USER)
    environment = {
        **os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)]),
    }
    program = "import user; print(user.outer(4), sum(user.outer.stats.cache_misses.values()))"
    answers = []
    for text in (USED, USED, USED.replace(old, new)):
        (tmp_path / "used.py").write_text(text)
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, check=True, capture_output=True,
            text=True,
        )
        answers.append(done.stdout.split())
    assert USED.replace(old, new) != USED
    assert answers[:2] == [["25.0", "1"], ["25.0", "0"]]
    means_the_same = "remark" in new or "Words" in new
    assert answers[2] == [str(answer), str(int(not means_the_same))]


def test_named_tuples_are_known_by_their_fields(tmp_path):
    (tmp_path / "user.py").write_text(USER)
    environment = {
        **os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)]),
    }
    program = "import user, used; print(user.difference(used.Pair(5, 3)))"
    answers = []
    fields = "left: int\n    right: int"
    for text in (USED, USED.replace(fields, "right: int\n    left: int")):
        (tmp_path / "used.py").write_text(text)
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, check=True, capture_output=True,
        )
        answers.append(int(done.stdout))
    assert answers == [2, -2]
