"""How benchmarks measure, print, and fill the table of the book's page on speed.

    python -m pytest tests/benchmarks -m benchmarks -s --speeds book/_static/speeds.csv
"""

import csv
import platform
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np
import pytest

COLUMNS = ["work", "replib (ms)", "other", "other (ms)", "ratio", "measured"]


def pytest_addoption(parser):
    parser.getgroup("benchmarks").addoption("--speeds", type=Path, help="CSV file of the table")


def timed(runs: dict[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Median CPU times in milliseconds of functions that take turns, after one call of each."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for round_ in range(repeats + 1):
        for name, run in runs.items():
            start = process_time()
            run()
            if round_:
                times[name].append(1000 * (process_time() - start))
    return {name: median(found) for name, found in times.items()}


def plain(number: float, digits: int) -> str:
    """Format with this many significant digits, without an exponent."""
    return np.format_float_positional(number, precision=digits, fractional=False, trim="-")


@pytest.fixture
def milliseconds_of():
    """:func:`timed`, for times that are only printed."""
    return timed


@pytest.fixture
def beside(request):
    """`beside(work, ours, others, repeats=5)`: time `ours` and each of the `others`, in turn.

    `ours` and the values of `others` are pairs: a function without arguments, and how often it does
    the work.  The names of `others` begin with that of a distribution; `measured` has milliseconds
    of what is timed elsewhere.  Rows of the same work are replaced in the table.
    """
    file = request.config.getoption("speeds")

    def add(work, ours, others, *, measured=None, repeats=5):
        tried = {"replib": ours, **others}
        found = timed({name: run for name, (run, _) in tried.items()}, repeats)
        each = {name: found[name] / times for name, (_, times) in tried.items()}
        each |= measured or {}
        today = f"{datetime.now(UTC).date()}, Python {platform.python_version()}"
        new = [
            [work, plain(each["replib"], 3),
             f"{name}, {version(name.split()[0])}" if name in others else name,
             plain(each[name], 3), plain(each[name] / each["replib"], 2), today]
            for name in each if name != "replib"
        ]
        print(f"\n{work}: replib {plain(each['replib'], 3)} ms")
        for row in new:
            print("  {2} {3} ms, {4} times as long".format(*row))
        if file and new:
            old = list(csv.reader(file.open()))[1:] if file.exists() else []
            kept = [row for row in old if row[0] != work]
            with file.open("w", newline="") as stream:
                csv.writer(stream, lineterminator="\n").writerows([COLUMNS, *kept, *new])
    return add
