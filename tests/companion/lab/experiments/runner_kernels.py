"""Experiments for test_engine.py; in a module of their own, so that workers can import them."""

import re
import resource
import time
from pathlib import Path

import numpy as np

from companion.lab.datasets import openml


def walk(rng, *, steps, pause=0.0, log=None):
    """Three positions of a random walk; the sleep makes it last, the log counts the calls."""
    time.sleep(pause)
    if log:
        with open(Path(log), "a") as file:
            file.write("x")
    return np.cumsum(rng.integers(-1, 2, size=steps))[-3:]


def sorted_products(rng, *, size):
    """Comparisons of sums that BLAS may round otherwise with another number of threads."""
    a, b = rng.normal(size=(2, size, size))
    return (a @ b > b @ a).sum(axis=0)


def _peak_of_program():
    """The most memory, in kB, of the program that this process runs.

    What the system counts for a process begins with the memory of the one that started it,
    here of a worker that has run thousands of tests.

    """
    status = Path("/proc/self/status")
    if status.exists():
        (peak,) = re.findall(r"VmHWM:\s*(\d+) kB", status.read_text())
        return int(peak)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def peak_memory(rng, *, width):
    """The most memory, in kB, that this process has used, and ballast."""
    peak = _peak_of_program()
    return np.concatenate([[peak], rng.integers(100, size=width)])


def fractions(rng):
    return rng.random(3)


def ragged(rng):
    return rng.integers(2, size=rng.integers(1, 4))


def mixed_types(rng):
    return rng.random() < 0.5 if rng.random() < 0.5 else 1


def disconnect():
    """Let this process fetch no data."""

    def unreachable(*_):
        raise OSError("no network")

    openml.fetch = unreachable
