"""Common to all tests: where the reference material is, and how random examples are drawn."""

import errno
import gc
import io
import itertools
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

gc.set_threshold(
    100_000
)  # looking for garbage among all imports: up to a tenth of the time
sys.modules["rfc3987_syntax"] = (
    None  # jsonschema asks: a grammar of addresses, compiled for 2 s
)

# One thread in each process, as chapters have: there is a process for each processor, and
# further threads wait for their turn by counting, for two thirds of the time of some learners.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

# The same examples on every machine: a failure can be repeated by whoever reads about
# it.
for profile, examples in (("ci", 100), ("dev", 25)):
    settings.register_profile(
        profile, derandomize=True, deadline=None, max_examples=examples
    )
settings.load_profile("ci" if os.environ.get("CI") else "dev")


#: States of the modules' generators of random numbers before their first tests.
_STARTS: dict[tuple[str, str], dict[str, Any]] = {}


@pytest.fixture(autouse=True)
def own_draws(request) -> None:
    """Start the generators of a test's module anew: which tests ran before does not matter."""
    module = getattr(request.node, "module", None)  # a doctest has none
    for name, generator in vars(module).items() if module else ():
        if isinstance(generator, np.random.Generator):
            key = (module.__name__, name)
            start = _STARTS.setdefault(key, generator.bit_generator.state)
            generator.bit_generator.state = start


@pytest.fixture(autouse=True)
def closed_figures() -> Iterator[None]:
    """Close what a test has drawn: Matplotlib warns where more than twenty figures are open."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


@pytest.fixture(scope="session")
def shared() -> Path:
    """Folder of golden files beside the checkout; tests that need it skip where it is absent."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip(
            f"the reference files ({folder.name}/ beside the checkout) are not here"
        )
    return folder


@pytest.fixture(scope="session")
def golden(request) -> Callable[[str], Path]:
    """Finds a file of golden values: one that is committed, or else beside the checkout."""

    def find(name: str) -> Path:
        committed = Path(__file__).parent / "golden" / name
        if committed.exists():
            return committed
        return request.getfixturevalue("shared") / "golden" / name

    return find


@contextmanager
def failing(n: int, code: int) -> Iterator[None]:
    """Let the n-th writing or replacing of a file fail."""
    opened, replaced, left = io.open, os.replace, itertools.count(n - 1, -1)

    def count():
        if next(left) == 0:
            raise OSError(code, os.strerror(code))

    def openings(file, mode="r", *args, **options):
        stream = opened(file, mode, *args, **options)
        if mode not in ("r", "rb"):
            count()  # the file is there, and empty
        return stream

    def replace(*names):
        count()
        replaced(*names)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(io, "open", openings)
        patch.setattr(os, "replace", replace)
        yield


@pytest.fixture
def full_disks():
    """Disks that are full, and pipes that are closed, at the first, the second, ... operation."""
    return [
        failing(n, code) for n in range(1, 99) for code in (errno.ENOSPC, errno.EPIPE)
    ]
