"""Progress bars of a kernel, which has no terminal, shown by the process that waits for it."""

import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

from tqdm import tqdm

_LOOK_EVERY = 0.5  # seconds
_SAY_EVERY = 30.0  # seconds, without a terminal
_LONG = 5.0  # seconds; shorter computations are not announced there


def forward(log: str) -> None:
    """From now on write the progress of this process's bars to a file.

    Only bars that are shown only on a terminal are written, and only the outermost one at a time.
    """
    begin, end = tqdm.__init__, tqdm.close
    open_bars: list[tqdm] = []

    def begin_forwarded(self, *args, **options):
        if options.get("disable", False) is None:
            options |= {"disable": False, "file": StringIO()}
            open_bars.append(self)
        begin(self, *args, **options)

    def write(self, *args, **options):
        if open_bars and self is open_bars[0]:
            state = {name: getattr(self, name) for name in ("desc", "n", "total", "unit")}
            with Path(log).open("a", encoding="utf-8") as file:
                file.write(json.dumps(state | {"bar": id(self)}) + "\n")

    def end_forwarded(self):
        end(self)
        if self in open_bars:
            open_bars.remove(self)

    tqdm.__init__, tqdm.display, tqdm.close = begin_forwarded, write, end_forwarded  # type: ignore[method-assign]


@contextmanager
def shown(log: Path, name: str, position: int | None) -> Iterator[None]:
    """Show the progress that `forward` writes to a file while the body runs.

    Parameters
    ----------
    log : Path
        May not exist yet.
    name : str
        Name of the chapter, for a process without a terminal.
    position : int or None
        Line of the terminal; None without a terminal, where a sentence is written now and then.
    """
    done = threading.Event()
    states = _states(log, done)
    follower = (
        threading.Thread(target=_in_sentences, args=(states, name), daemon=True)
        if position is None
        else threading.Thread(target=_on_terminal, args=(states, position), daemon=True)
    )
    follower.start()
    try:
        yield
    finally:
        done.set()
        follower.join()


def _states(log: Path, done: threading.Event) -> Iterator[dict]:
    """Yield the newest state that has been written, until the work is done."""
    place = 0
    while not done.wait(_LOOK_EVERY):
        if log.exists():
            with log.open(encoding="utf-8") as file:
                file.seek(place)
                lines = file.readlines()
                if lines and lines[-1].endswith("\n"):
                    place = file.tell()
                    yield json.loads(lines[-1])


def _on_terminal(states: Iterator[dict], position: int) -> None:
    bar, which = None, None
    for state in states:
        if bar is None:
            bar = tqdm(
                position=position, leave=False, mininterval=0,
                bar_format="    {desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}",
            )
        if state["bar"] != which:
            which = state["bar"]
            bar.reset(state["total"])
            bar.set_description_str(state["desc"], refresh=False)
        bar.update(state["n"] - bar.n)
    if bar is not None:
        bar.close()


def _in_sentences(states: Iterator[dict], name: str) -> None:
    which, began = None, 0.0
    said = time.monotonic()
    for state in states:
        now = time.monotonic()
        words = ""
        if state["bar"] != which:
            which, began = state["bar"], now
            if state["unit"] == "s" and state["total"] > _LONG:  # the time is known beforehand
                words = state["desc"]
        elif now - said > _SAY_EVERY and 0 < state["n"] < state["total"]:
            share = state["n"] / state["total"]
            left = (now - began) * (1 - share) / share / 60
            words = f"{state['desc']}: {share:.0%} done, about {left:.0f} min left"
        if words:
            said = now
            print(f"{name}: {words}", file=sys.stderr, flush=True)
