"""What the parts of the campaign share: how often each thing is tried, and the table of what was
survived.

    python -m pytest tests/campaign -m campaign --moments 100 --figures book/_static/reliability.csv
"""

import csv
from pathlib import Path

import pytest
from harness import copy_of_checkout

COLUMNS = ["part", "tried", "times", "survived", "how"]
_ROWS = pytest.StashKey[list]()


def pytest_addoption(parser):
    group = parser.getgroup("campaign")
    group.addoption("--moments", type=int, default=2, help="how often each thing is tried")
    group.addoption("--figures", type=Path, help="CSV file to which the table is added")


def pytest_configure(config):
    config.stash[_ROWS] = []


@pytest.fixture(scope="session")
def moments(request) -> int:
    return request.config.getoption("moments", 2)


@pytest.fixture
def record(request):
    """`record(part, tried, times, survived, how)`: a line of the table; fails unless all did."""
    def add(part: str, tried: str, times: int, survived: int, how: str) -> None:
        request.config.stash[_ROWS].append([part, tried, times, survived, how])
        assert survived == times, f"{tried}: survived {survived} of {times}"
    return add


def pytest_terminal_summary(terminalreporter, config):
    rows = config.stash[_ROWS]
    for row in rows:
        terminalreporter.write_line("  ".join(map(str, row)))
    if (file := config.getoption("figures", None)) and rows:
        old = list(csv.reader(file.open()))[1:] if file.exists() else []
        new = {tuple(row[:2]) for row in rows}
        kept = [row for row in old if tuple(row[:2]) not in new]
        with file.open("w", newline="") as stream:
            csv.writer(stream, lineterminator="\n").writerows([COLUMNS, *sorted(kept + rows)])


@pytest.fixture(scope="module")
def small_book(tmp_path_factory) -> Path:
    return copy_of_checkout(tmp_path_factory.mktemp("book"))
