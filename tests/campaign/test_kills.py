"""Whatever ends a command at whatever moment: the same bits afterwards, and nothing left behind."""

import contextlib
import os
import random
import signal
import time

import psutil
import pytest
from harness import Command, forget, is_a_sentence, pages_of, results_of

pytestmark = pytest.mark.campaign

ENDS = ("SIGKILL of all", "SIGKILL of a process", "SIGINT", "SIGTERM")
COMMANDS = {
    "build": ["build", "--preset", "quick", "--jobs", "2"],
    "run": ["run", "small", "-p", "n", "5"],
    "results": ["results", "small", "--into", "."],
}


def end(command: Command, how: str, moments: random.Random) -> None:
    if how == "SIGKILL of all":
        for process in [*command.workers(), psutil.Process(command.process.pid)]:
            process.kill()
    elif how == "SIGKILL of a process":
        found = command.computing() or [psutil.Process(command.process.pid)]
        moments.choice(found).kill()
    elif how == "SIGINT":  # Ctrl-C reaches all processes of the terminal
        os.killpg(command.process.pid, signal.SIGINT)
    else:
        os.kill(command.process.pid, signal.SIGTERM)


@pytest.mark.parametrize("name", COMMANDS)
def test_killed_at_random_moments(name, small_book, moments, record):
    arguments, chance = COMMANDS[name], random.Random()
    cache = {"REPLIB_CACHE": str(small_book / "cache")}
    for other in ("first", "second"):  # the first one also makes what all share
        forget(small_book)
        started = time.monotonic()
        code, said = Command(small_book, *arguments, REPLIB_CACHE=str(small_book / other)).ended()
        assert code == 0, said
    good, seconds = results_of(small_book), time.monotonic() - started
    pages = pages_of(small_book)
    assert good and (pages or name == "results")
    for how in ENDS:
        survived, problems, times = 0, [], -(-moments // len(ENDS))
        for _ in range(times):
            forget(small_book)
            command = Command(small_book, *arguments, **cache)
            time.sleep(chance.uniform(0.3, seconds))
            with contextlib.suppress(psutil.NoSuchProcess, ProcessLookupError):  # it was quicker
                end(command, how, chance)
            code, said = command.ended()
            left = command.orphans()
            damaged = {
                file: text for file, text in results_of(small_book).items() if text != good[file]
            }
            empty = [f for f in small_book.glob("runs/**") if f.is_dir() and not any(f.iterdir())]
            there = pages_of(small_book)
            lost = [page for page in pages if there.get(page) != pages[page]]
            if left or damaged or lost or not is_a_sentence(said) or empty or code == -999:
                problems.append((code, said[-2000:], left, list(damaged), lost, empty))
                for process in left:
                    process.kill()
            else:
                survived += 1
        code, said = Command(small_book, *arguments, **cache).ended()
        assert (code, results_of(small_book), pages_of(small_book)) == (0, good, pages), said
        print(*problems, sep="\n")
        record(
            "Kills", f"{name}: {how}", times, survived,
            "no process left, the last good page in place, no file half-written, one sentence at "
            "most; same bits when repeated",
        )
