"""However and whenever a command is ended: the same bits afterwards, and nothing left behind."""

import contextlib
import os
import random
import signal
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest
from harness import Command, command_line, forget, is_a_sentence, pages_of, results_of

pytestmark = pytest.mark.campaign

ENDS = (
    "SIGKILL of all", "SIGKILL of the first process", "SIGKILL of another process", "SIGINT",
    "SIGTERM",
)
COMMANDS = {
    "build": ["build", "--preset", "quick", "--jobs", "2"],
    "run": ["run", "small", "-p", "n", "5"],
    "results": ["results", "small"],
}


def end(command: Command, how: str, moments: random.Random) -> None:
    first = psutil.Process(command.process.pid)
    if how == "SIGKILL of all":
        first.suspend()  # so that it starts no other one while the list is read
        for process in [*command.workers(), first]:
            process.kill()
    elif how == "SIGKILL of the first process":
        first.kill()
    elif how == "SIGKILL of another process":
        moments.choice(command.computing() or [first]).kill()
    elif how == "SIGINT":  # Ctrl-C reaches all processes of the terminal
        os.killpg(command.process.pid, signal.SIGINT)
    else:
        os.kill(command.process.pid, signal.SIGTERM)


@dataclass
class Undisturbed:
    """A command, how long it takes, and what it leaves."""

    name: str
    book: Path
    seconds: float = 0.0
    results: dict[str, bytes] = field(default_factory=dict)
    pages: dict[str, bytes] = field(default_factory=dict)

    def start(self, cache: str) -> Command:
        forget(self.book)
        return Command(self.book, *COMMANDS[self.name], REPLIB_CACHE=str(self.book / cache))


@pytest.fixture(scope="module", params=COMMANDS)
def undisturbed(request, small_book):
    found = Undisturbed(request.param, small_book)
    for cache in ("first", "second"):  # the first one also makes what all share
        started = time.monotonic()
        code, said = found.start(cache).ended()
        assert code == 0, said
    found.seconds = time.monotonic() - started
    found.results, found.pages = results_of(small_book), pages_of(small_book)
    assert found.results and (found.pages or request.param == "results")
    return found


def what_is_wrong(undisturbed: Undisturbed, command: Command) -> list[str]:
    """What an ended command has wrongly left behind, and what it has lost."""
    book = undisturbed.book
    code, said = command.ended()
    orphans = command.orphans()
    wrong = [f"still there: {' '.join(command_line(process))}" for process in orphans]
    for process in orphans:
        process.kill()
    good = {**undisturbed.results, **undisturbed.pages}
    now = {**results_of(book), **pages_of(book)}
    wrong += [
        *(f"empty: {f}" for f in book.glob("runs/**") if f.is_dir() and not any(f.iterdir())),
        *(f"other bits: {name}" for name, text in now.items() if text != good.get(name)),
        *(f"lost: {name}" for name in undisturbed.pages if name not in now),
    ]
    return wrong + ([] if is_a_sentence(said) and code != -999 else [f"{code}: {said[-2000:]}"])


@pytest.mark.parametrize("how", ENDS)
def test_killed_at_random_moments(how, undisturbed, moments, record):
    chance, survived, times = random.Random(), 0, -(-moments // len(ENDS))
    all_wrong = []
    for _ in range(times):
        command = undisturbed.start("cache")
        time.sleep(chance.uniform(0.3, undisturbed.seconds))
        with contextlib.suppress(psutil.NoSuchProcess, ProcessLookupError):  # it was quicker
            end(command, how, chance)
        wrong = what_is_wrong(undisturbed, command)
        survived += not wrong
        all_wrong += wrong
    code, said = undisturbed.start("cache").ended()
    book = undisturbed.book
    again = code, results_of(book), pages_of(book)
    assert again == (0, undisturbed.results, undisturbed.pages), said
    record(
        "Kills", f"{undisturbed.name}: {how}", times, survived,
        "nothing left behind, nothing lost, one sentence at most; same bits when repeated",
        all_wrong,
    )
