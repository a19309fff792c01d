"""How benchmarks measure, print, and fill the tables of the book's page on speed.

    python -m pytest tests/benchmarks -m benchmarks -s --speeds book/_static/speeds.csv

The tables of memory and growth, and the figure, are written next to that of speeds.
"""

import csv
import platform
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from ctypes import CDLL
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

import numpy as np
import pytest

#: Of each table; the last column, when and where, is filled in as a row is written.
COLUMNS = {
    "speeds": ["work", "replib (ms)", "other", "other (ms)", "ratio", "measured"],
    "memory": ["work", "at once", "replib (MB)", "other", "other (MB)", "measured"],
    "growth": [
        "work", "grows", "replib", "its upper half", "scikit-learn", "its upper half", "measured",
    ],
}

#: Linux starts the largest resident size afresh if "5" is written there.
RESET = Path("/proc/self/clear_refs")

# Linux counts what a program had before it became this one, so a small process starts it.
PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def pytest_addoption(parser):
    parser.getgroup("benchmarks").addoption("--speeds", type=Path, help="CSV file of the table")


def rounds(
    runs: dict[object, Callable[[], object]], repeats: int,
    clock: Callable[[], float] = process_time,
) -> dict[object, list[float]]:
    """Milliseconds of functions that take turns, in another order each round, after one call."""
    times: dict[object, list[float]] = {name: [] for name in runs}
    order, shuffle = list(runs), Random(1).shuffle
    for round_ in range(repeats + 1):
        shuffle(order)
        for name in order:
            start = clock()
            runs[name]()
            if round_:
                times[name].append(1000 * (clock() - start))
    return times


def timed(runs: dict[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Median CPU times in milliseconds of functions that take turns."""
    return {name: median(found) for name, found in rounds(runs, repeats).items()}


def megabytes(run: Callable[[], object]) -> float:
    """Largest memory of a call beyond what was in use before, in a copy of this process.

    The copy has called it once, so that libraries are loaded, and has given back what that left.
    """
    context = get_context("fork")
    found = context.SimpleQueue()

    def alone() -> None:
        run()
        CDLL(None).malloc_trim(0)
        RESET.write_text("5")
        before = resident("VmRSS")
        run()
        found.put(resident("VmHWM") - before)

    process = context.Process(target=alone)
    process.start()
    process.join()
    assert process.exitcode == 0
    return found.get()


def resident(field: str) -> float:
    """Memory of this process in megabytes: ``VmRSS`` now, ``VmHWM`` at its largest."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field)) / 1024


def printed_and_megabytes(command: Sequence[str]) -> tuple[list[str], float]:
    """Run a program: the words that it prints, and its largest memory from start to end."""
    output = subprocess.check_output([sys.executable, "-c", PEAK, *command], text=True)
    *printed, peak = output.split()
    return printed, int(peak) / 1024


def plain(number: float, digits: int) -> str:
    """Format with this many significant digits, without an exponent."""
    return np.format_float_positional(number, precision=digits, fractional=False, trim="-")


def with_version(name: str) -> str:
    """A name with the version of the distribution that it begins with, if it does."""
    try:
        return f"{name}, {version(name.split()[0])}"
    except PackageNotFoundError:
        return name


def write(file: Path | None, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows, and put them into a table in the place of those of the same work."""
    today = f"{datetime.now(UTC).date()}, Python {platform.python_version()}"
    new = [[*row, today] for row in rows]
    for row in new:
        print("  " + " | ".join(row))
    if file and new:
        works = {row[0] for row in new}
        old = list(csv.reader(file.open()))[1:] if file.exists() else []
        kept = [row for row in old if row[0] not in works]
        at = next((place for place, row in enumerate(old) if row[0] in works), len(kept))
        with file.open("w", newline="") as stream:
            rows = [columns, *kept[:at], *new, *kept[at:]]
            csv.writer(stream, lineterminator="\n").writerows(rows)


@pytest.fixture
def milliseconds_of():
    """:func:`timed`, for times that are only printed."""
    return timed


@pytest.fixture
def rounds_of():
    """:func:`rounds`, for all times."""
    return rounds


@pytest.fixture
def folder(request) -> Path | None:
    """Where the tables are; None if nothing is to be written."""
    speeds = request.config.getoption("speeds")
    return speeds and speeds.parent


@pytest.fixture
def table(folder):
    """`table(name, rows)` prints rows, each with the date, and writes them into a table."""
    return lambda name, rows: write(folder and folder / f"{name}.csv", COLUMNS[name], rows)


@pytest.fixture
def run_program():
    """:func:`printed_and_megabytes`."""
    return printed_and_megabytes


@pytest.fixture
def whole(table):
    """`whole(work, ours, others)`: megabytes of whole programs, from start to end."""
    return lambda work, ours, others: table("memory", [
        [work, "1", f"{ours:.0f}", with_version(name), f"{megabytes:.0f}"]
        for name, megabytes in others.items()
    ])


@pytest.fixture
def beside(table):
    """`beside(work, ours, others, repeats=5)`: time `ours` and each of the `others`, in turn.

    `ours` and the values of `others` are pairs: a function without arguments, and how often it does
    the work.  The names of `others` begin with that of a distribution; `measured` has milliseconds
    of what is timed elsewhere.  Rows of the same work are replaced in the table.  What needs a
    megabyte is also put into the table of memory.
    """

    def add(work, ours, others, *, measured=None, repeats=5):
        tried = {"replib": ours, **others}
        found = timed({name: run for name, (run, _) in tried.items()}, repeats)
        each = {name: found[name] / times for name, (_, times) in tried.items()}
        each |= measured or {}
        print()
        table("speeds", [
            [work, plain(each["replib"], 3), with_version(name), plain(each[name], 3),
             plain(each[name] / each["replib"], 2)]
            for name in each if name != "replib"
        ])
        if others and RESET.exists():
            used = {name: megabytes(run) for name, (run, _) in tried.items()}
            shown = {name: f"{mb:.0f}" if mb >= 1 else "< 1" for name, mb in used.items()}
            table("memory", [
                [work, f"{ours[1]:,}", shown["replib"], with_version(name), shown[name]]
                for name in others if max(used.values()) >= 1
            ])
    return add
