"""Compiling once: if several processes need a function at the same time, one compiles it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]

KERNELS = """
from companion.lab.compiled import njit

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


def environment(modules, cache):
    return {
        **os.environ, "NUMBA_CACHE_DIR": str(cache),
        # Python takes a module of the same size and second for the one that it has compiled
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": os.pathsep.join([str(modules), str(ROOT)]),
    }


def printed(program, modules, cache):
    """Words printed by a new process that imports from one folder and keeps code in another."""
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(modules, cache), check=True,
        capture_output=True, text=True, timeout=300,
    )
    return done.stdout.split()


def test_several_processes_compile_each_signature_once(tmp_path):
    (tmp_path / "kernels.py").write_text(KERNELS)
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM], env=environment(tmp_path, tmp_path / "cache"),
            stdout=subprocess.PIPE, text=True,
        )
        for _ in range(3)
    ]
    answers = [process.communicate(timeout=300)[0].split() for process in processes]
    assert {tuple(answer[:2]) for answer in answers} == {("515", "582.5")}
    assert sum(int(answer[2]) for answer in answers) == 4  # two functions, two signatures


def test_a_process_that_dies_holds_up_nobody(tmp_path):
    (tmp_path / "kernels.py").write_text(KERNELS)
    dying = "import kernels, os; kernels.outer._cache._lock('any'); os._exit(9)"
    with pytest.raises(subprocess.CalledProcessError):
        printed(dying, tmp_path, tmp_path / "cache")
    assert printed(PROGRAM, tmp_path, tmp_path / "cache")[0] == "515"


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Folder of a module whose functions have been compiled, and are kept beside it."""
    folder = tmp_path_factory.mktemp("kept")
    (folder / "kernels.py").write_text(KERNELS)
    assert printed(PROGRAM, folder, folder / "cache") == ["515", "582.5", "4"]
    assert printed(PROGRAM, folder, folder / "cache") == ["515", "582.5", "0"]
    return folder


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", [b"", b"nonsense", None])
def test_a_damaged_file_is_compiled_again(kept, tmp_path, ending, damage):
    cache = shutil.copytree(kept / "cache", tmp_path / "cache")
    for file in cache.rglob(f"*.{ending}"):
        file.write_bytes(file.read_bytes()[:-9] if damage is None else damage)
    assert printed(PROGRAM, kept, cache) == ["515", "582.5", "4"]


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_one_flipped_bit_is_noticed_wherever_it_is(kept, tmp_path, ending):
    rng = np.random.default_rng(1)
    for place in range(3):
        cache = shutil.copytree(kept / "cache", tmp_path / str(place))
        for file in cache.rglob(f"*.{ending}"):
            content = bytearray(file.read_bytes())
            content[rng.integers(len(content))] ^= 1 << int(rng.integers(8))
            file.write_bytes(content)
        assert printed(PROGRAM, kept, cache) == ["515", "582.5", "4"]


USED = """
from math import sqrt
from typing import NamedTuple
from numba.extending import intrinsic
from numba import types
from companion.lab.compiled import njit

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
from companion.lab.compiled import njit

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


OUTER = "import user; print(user.outer(4), sum(user.outer.stats.cache_misses.values()))"
DIFFERENCE = "import user, used; print(user.difference(used.Pair(5, 3)))"


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """Folder of the two modules, compiled."""
    folder = tmp_path_factory.mktemp("both")
    (folder / "user.py").write_text(USER)
    (folder / "used.py").write_text(USED)
    assert printed(OUTER, folder, folder / "cache") == ["25.0", "1"]
    assert printed(OUTER, folder, folder / "cache") == ["25.0", "0"]
    assert printed(DIFFERENCE, folder, folder / "cache") == ["2"]
    return folder


@pytest.fixture
def edited(both):
    """Changes a line of the module that the other one uses, until the test has ended."""
    def edit(old, new):
        assert old in USED
        (both / "used.py").write_text(USED.replace(old, new))
        return both

    yield edit
    (both / "used.py").write_text(USED)


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
def test_what_is_kept_is_used_as_long_as_nothing_changed_that_it_uses(edited, old, new, answer):
    """Numba checks only the function's own file, and would answer 25 in each case."""
    folder = edited(old, new)
    means_the_same = "remark" in new or "Words" in new
    found = printed(OUTER, folder, folder / "cache")
    assert found == [str(answer), str(int(not means_the_same))]


def test_named_tuples_are_known_by_their_fields(edited):
    folder = edited("left: int\n    right: int", "right: int\n    left: int")
    assert printed(DIFFERENCE, folder, folder / "cache") == ["-2"]
