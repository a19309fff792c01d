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
    group.addoption(
        "--figures", type=lambda file: Path(file).absolute(), help="CSV file of the table",
    )


def pytest_configure(config):
    config.stash[_ROWS] = []


@pytest.fixture(scope="session")
def moments(request) -> int:
    return request.config.getoption("moments", 2)


@pytest.fixture
def record(request):
    """`record(part, tried, times, survived, how)`: a line of the table; fails unless all did."""
    def add(part: str, tried: str, times: int, survived: int, how: str) -> None:
        row = [part, tried, str(times), str(survived), how]
        request.config.stash[_ROWS].append(row)
        if file := request.config.getoption("figures", None):
            _keep(row, file)  # at once, so that a campaign that is killed keeps what it has found
        assert survived == times, f"{tried}: survived {survived} of {times}"
    return add


def _keep(row: list[str], file: Path) -> None:
    """Put a line into the table, in place of the one of the same part and name."""
    old = list(csv.reader(file.open()))[1:] if file.exists() else []
    others = [line for line in old if line[:2] != row[:2]]
    with file.open("w", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([COLUMNS, *sorted([*others, row])])


def pytest_terminal_summary(terminalreporter, config):
    for row in config.stash[_ROWS]:
        terminalreporter.write_line("  ".join(row))


@pytest.fixture(scope="module")
def small_book(tmp_path_factory) -> Path:
    return copy_of_checkout(tmp_path_factory.mktemp("book"))
