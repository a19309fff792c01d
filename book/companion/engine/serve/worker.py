"""The process that runs chapters for the server, one after the other, and keeps its imports.

It reads a rerun from each line of its input, and writes what happens to it, a JSON object
a line.  It ends with the server.
"""

import json
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress

from tqdm import tqdm

from companion.engine import problems
from companion.engine.build import chapters, execution, pages, reruns
from companion.engine.build.progress import Step
from companion.lab.workers import end_with


def main(server: int) -> None:
    """Run what is asked for until the input ends."""
    end_with(server)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # cleans up as for Ctrl-C
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints is no answer
    lock = threading.Lock()

    def tell(**event: object) -> None:
        with lock:
            print(json.dumps(event), file=answers, flush=True)

    tqdm.monitor_interval = 0  # its thread would be forked, too
    execution.start_forks()
    with suppress(execution.ChapterFailed):  # the first run tells what is wrong
        pages.keep_sphinx(log=chapters.BUILD / "logs" / "outlines.log")
    reruns.prepare()
    try:
        for line in sys.stdin:
            _run(json.loads(line), tell)
    except BrokenPipeError:  # the server was killed, and nobody reads
        os.dup2(os.open(os.devnull, os.O_WRONLY), answers.fileno())


def _run(order: dict, tell: Callable[..., None]) -> None:
    """Run one chapter, and tell how it goes and how it ends."""

    def report(part: str, step: Step) -> None:
        tell(state="running", part=part, **step._asdict())

    try:
        asked = reruns.rerun(order["chapter"], order["values"], small=order["small"])
        answer = reruns.run(asked, report)
    except Exception as problem:
        tell(state="failed", sentence=_sentence(problem))
    else:
        tell(state="done", sentence=answer.sentence)


def _sentence(problem: Exception) -> str:
    try:
        return str(problems.answer(problem)[1])
    except Exception:  # nobody expected it
        traceback.print_exc()
        name = type(problem).__name__
        return f"{name}: {problem} (the terminal of the server shows where)"


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):  # a run was stopped
        main(int(sys.argv[1]))
