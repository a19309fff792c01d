"""The runs that readers asked for: in line, one at a time, in a process that can be stopped."""

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count

from companion.engine.build import chapters
from companion.engine.build.reruns import Rerun

#: Seconds that a run has to clean up after it was stopped, before it is killed.
PATIENCE = 10
#: Seconds after which those who wait are told that nothing is new, so that neither side
#: takes the other for gone.
PULSE = 15

_numbers = count(1)


@dataclass(eq=False)
class Run:
    """A run, and how far it is.

    Attributes
    ----------
    asked : Rerun
    state : str
        ``"waiting"``, ``"running"``, ``"done"``, ``"failed"`` or ``"stopped"``.
    parts : dict
        Of your copy, the default run and the page: the last step.
    sentence : str
        What changed, or why it failed.
    place : int
        The number of runs before it.
    """

    asked: Rerun
    state: str = "waiting"
    parts: dict[str, dict] = field(default_factory=dict)
    sentence: str = ""
    place: int = 0
    number: int = field(default_factory=lambda: next(_numbers))
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_over(self) -> bool:
        return self.state in ("done", "failed", "stopped")

    def set(self, **changes: object) -> None:
        """Change what is known of the run, and wake those who follow it."""
        for name, value in changes.items():
            setattr(self, name, value)
        self._news.set()
        self._news = asyncio.Event()

    async def states(self) -> AsyncIterator[dict]:
        """Yield what is known of the run now, whenever it changed, and at each pulse.

        It ends when the run is over.
        """
        while True:
            news = self._news
            yield self.known()
            if self.is_over:
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(news.wait(), PULSE)

    def known(self) -> dict:
        """Return what a page is told about the run."""
        return {
            "number": self.number,
            "chapter": self.asked.chapter.name,
            "state": self.state,
            "parts": self.parts,
            "sentence": self.sentence,
            "place": self.place,
        }


class Runs:
    """The line of runs, and the process that makes them."""

    def __init__(self) -> None:
        self.unfinished: list[Run] = []
        self.known: dict[int, Run] = {}
        self._worker = Worker()
        self._arrival = asyncio.Event()

    def add(self, asked: Rerun) -> Run:
        """Put a run in line; return the one that is in line already if it is the same."""
        for run in self.unfinished:
            if run.asked.folder == asked.folder:
                return run
        run = Run(asked, place=len(self.unfinished))
        self.known[run.number] = run
        self.unfinished.append(run)
        self._arrival.set()
        return run

    async def stop(self, run: Run) -> None:
        """Stop a run, or take it out of the line; what it has computed is kept."""
        if run.is_over:
            return
        is_running = run.state == "running"
        self._end(run, state="stopped")
        if is_running:
            await self._worker.stop()

    async def work(self) -> None:
        """Make the runs in line, for ever."""
        await self._worker.start()
        while True:
            await self._arrival.wait()
            self._arrival.clear()
            while self.unfinished:
                await self._make(self.unfinished[0])

    async def close(self) -> None:
        """End what runs."""
        await self._worker.stop()

    async def _make(self, run: Run) -> None:
        run.set(state="running")
        try:
            async for event in self._worker.run(run.asked):
                if run.is_over:  # a reader stopped it: the process is about to end
                    continue
                match event:
                    case {"state": "running", "part": part, **step}:
                        run.set(parts=run.parts | {part: step})
                    case {"state": state, "sentence": sentence}:
                        self._end(run, state=state, sentence=sentence)
        except WorkerEnded as problem:
            if not run.is_over:
                self._end(run, state="failed", sentence=str(problem))

    def _end(self, run: Run, **outcome: str) -> None:
        self.unfinished.remove(run)
        run.set(**outcome)
        for place, waiting in enumerate(self.unfinished):
            waiting.set(place=place)


class WorkerEnded(RuntimeError):
    """The process that makes runs has ended in the middle of one."""


class Worker:
    """The process that makes runs, at most one at a time (`companion.engine.serve.worker`)."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._started = 0.0
        self._changing = asyncio.Lock()

    async def run(self, asked: Rerun) -> AsyncIterator[dict]:
        """Make a run; yield what happens."""
        await self.start()
        process = self._process
        order = {
            "chapter": asked.chapter.name,
            "values": asked.values,
            "small": bool(asked.base),
        }
        with suppress(ConnectionError):  # what it could not read it does not answer
            process.stdin.write(json.dumps(order).encode() + b"\n")
            await process.stdin.drain()
        while line := await process.stdout.readline():
            event = json.loads(line)
            yield event
            if event["state"] != "running":
                return
        raise WorkerEnded(
            "the process that runs chapters was ended from outside, perhaps for lack of "
            "memory; what it has computed is kept: run it again"
        )

    async def start(self) -> None:
        """Start the process, or another one if it has ended or what it loads has changed."""
        is_old = self._started < _newest_loaded()
        if self._is_alive and not is_old:
            return
        await self.stop()
        async with self._changing:
            self._started = time.time()
            paths = os.pathsep.join(map(str, chapters.PACKAGES))
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "companion.engine.serve.worker",
                str(os.getpid()),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env=os.environ | {"PYTHONPATH": paths},
                start_new_session=True,  # Ctrl-C is for the server
            )

    async def stop(self) -> None:
        """End the process and all that it has started."""
        process = self._process
        self._process = None  # what comes next is not for one that is about to end
        async with self._changing:
            if process is None:
                return
            if process.returncode is None:
                process.send_signal(signal.SIGTERM)
                with suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), PATIENCE)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()

    @property
    def _is_alive(self) -> bool:
        return self._process is not None and self._process.returncode is None


def _newest_loaded() -> float:
    """Return when something in this checkout that the process loads was last changed."""
    root = chapters.ROOT
    code = (root / "replib", root / "book" / "companion")
    look = (root / "book" / "_static", root / "book" / "_templates")
    loaded = [
        *(root / name for name in ("_config.yml", "_toc.yml", "book/references.bib")),
        *(file for folder in code for file in folder.rglob("*.py")),
        *(file for folder in look for file in folder.rglob("*")),
    ]
    return max(file.stat().st_mtime for file in loaded)
