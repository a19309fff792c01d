"""Jobs that are timed: by replib, by another package, and by bare NumPy."""

import platform
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from random import Random
from statistics import median
from time import process_time
from typing import NamedTuple

import numpy as np

COLUMNS = [
    "work",
    "replib (ms)",
    "replib (MB)",
    "goal",
    "other",
    "other (ms)",
    "ratio",
    "NumPy (ms)",
    "measured",
]


class Call(NamedTuple):
    """A function without arguments, and how often a call does the work."""

    run: Callable[[], object]
    works: float = 1


class Job(NamedTuple):
    """Work that is done by replib and, perhaps, by others.

    Attributes
    ----------
    work : str
    ours : Call
    other : str
        The other package and, in brackets, what of the work it does.
    theirs : Call or None
    numpy : Call or None
        The least that has to be computed, with NumPy alone: what the time could be.
    goal : str
        What an idle machine should need, where there is a goal.
    repeats : int
    """

    work: str
    ours: Call
    other: str = ""
    theirs: Call | None = None
    numpy: Call | None = None
    goal: str = ""
    repeats: int = 5


def row(job: Job, *, has_memory: bool = False) -> list[str]:
    """Return a row of the table; the name of the other begins with that of a distribution."""
    calls = {"ours": job.ours, "theirs": job.theirs, "numpy": job.numpy}
    times = milliseconds(
        {name: call for name, call in calls.items() if call is not None}, job.repeats
    )
    ratio = ""
    other = ""
    if job.theirs is not None:
        ratio = plain(times["theirs"] / times["ours"], 2)
        other = f"{job.other}, {version(job.other.split()[0])}"
    return [
        job.work,
        plain(times["ours"], 3),
        plain(megabytes(job.ours), 2) if has_memory else "",
        job.goal,
        other,
        plain(times.get("theirs"), 3),
        ratio,
        plain(times.get("numpy"), 3),
        f"{datetime.now(UTC).date()}, Python {platform.python_version()}",
    ]


def milliseconds(calls: dict[str, Call], repeats: int) -> dict[str, float]:
    """Median CPU time of the work, from calls that take turns in another order each round."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    order, shuffle = list(calls), Random(1).shuffle
    for number in range(repeats + 1):  # the first round may compile
        shuffle(order)
        for name in order:
            run, works = calls[name]
            start = process_time()
            run()
            if number:
                times[name].append(1000 * (process_time() - start) / works)
    return {name: median(found) for name, found in times.items()}


def megabytes(call: Call) -> float:
    """Return the most memory that a call takes at once, beyond what there was before."""
    tracemalloc.start()
    try:
        call.run()
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return most / 1e6


def plain(number: float | None, digits: int) -> str:
    """Format with this many significant digits, without an exponent; nothing for None."""
    if number is None:
        return ""
    return np.format_float_positional(
        number, precision=digits, fractional=False, trim="-"
    )
