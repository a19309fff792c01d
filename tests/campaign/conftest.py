"""Common to all parts of the campaign: how often each thing is tried, and the table of survivals.

    python -m pytest tests/campaign -m campaign --moments 100 --figures reliability.csv
"""

import csv
from pathlib import Path

import pytest
from harness import copy_of_checkout

COLUMNS = ["part", "tried", "times", "survived", "how"]
_PROPERTY = "campaign"  # under which a row travels in the report of a test


def pytest_addoption(parser):
    group = parser.getgroup("campaign")
    group.addoption("--moments", type=int, default=2, help="how often each thing is tried")
    group.addoption(
        "--figures", type=lambda file: Path(file).absolute(), help="CSV file of the table",
    )


def pytest_configure(config):
    if not hasattr(config, "workerinput"):  # the process that hears of all tests
        config.pluginmanager.register(_Table(config.getoption("figures", None)))


class _Table:
    """What the tests have recorded, in whichever process they run."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self.rows: list[list[str]] = []

    def pytest_runtest_logreport(self, report):
        new = [row for name, row in report.user_properties if name == _PROPERTY]
        if report.when == "call" and new:
            self.rows += new
            if self.file:  # at once, so that a campaign that is killed keeps what it has found
                _keep(new, self.file)

    def pytest_terminal_summary(self, terminalreporter):
        for row in self.rows:
            terminalreporter.write_line("  ".join(row))


def _keep(new: list[list[str]], file: Path) -> None:
    """Put rows into the table, replacing those of the same part and name."""
    old = list(csv.reader(file.open()))[1:] if file.exists() else []
    rows = {tuple(row[:2]): row for row in [*old, *new]}
    with file.open("w", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([COLUMNS, *sorted(rows.values())])


@pytest.fixture(scope="session")
def moments(request) -> int:
    return request.config.getoption("moments", 2)


@pytest.fixture
def record(request):
    """`record(part, tried, times, survived, how)`: a row of the table; fails unless all did.

    Where a test knows what was `wrong`, the row says so, and the table keeps it.
    """
    def add(part: str, tried: str, times: int, survived: int, how: str, wrong=()) -> None:
        row = [part, tried, str(times), str(survived), "; ".join(wrong) or how]
        request.node.user_properties.append((_PROPERTY, row))
        assert survived == times, f"{tried}: survived {survived} of {times}: {row[-1]}"
    return add


@pytest.fixture(scope="module")
def small_book(tmp_path_factory) -> Path:
    return copy_of_checkout(tmp_path_factory.mktemp("book"))
