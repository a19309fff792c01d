"""The line of runs: one at a time, none twice, and what happens when one is stopped."""

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.engine.serve import runs as module
from companion.engine.serve.runs import Runs, WorkerEnded


class Worker:
    """Makes what its test tells it to, instead of a process."""

    def __init__(self):
        self.events = asyncio.Queue()
        self.made, self.stops = [], 0

    async def start(self):
        pass

    async def stop(self):
        self.stops += 1
        self.events.put_nowait(WorkerEnded("ended"))

    async def run(self, asked):
        self.made.append(asked.folder.name)
        while True:
            event = await self.events.get()
            if isinstance(event, Exception):
                raise event
            yield dict(event)
            if event["state"] != "running":
                return


def asked(name):
    return SimpleNamespace(folder=Path(name), chapter=SimpleNamespace(name="sample"))


def in_line(scenario, monkeypatch):
    """Run a scenario with a line of runs and its worker."""
    monkeypatch.setattr(module, "Worker", Worker)

    @asynccontextmanager
    async def working():
        runs = Runs()
        work = asyncio.ensure_future(runs.work())
        yield runs, runs._worker
        work.cancel()

    async def main():
        async with working() as (runs, worker):
            await asyncio.wait_for(scenario(runs, worker), 5)

    asyncio.run(main())


async def settle():
    for _ in range(20):
        await asyncio.sleep(0)


STEP = {"state": "running", "part": "your copy", "cell": 1, "n_cells": 4, "percent": 0}
DONE = {"state": "done", "sentence": "n = 20: 1 number changed."}


def test_one_run_at_a_time_and_the_others_know_their_place(monkeypatch):
    async def scenario(runs, worker):
        first, second, third = (runs.add(asked(name)) for name in "abc")
        await settle()
        assert worker.made == ["a"]
        assert [run.known()["state"] for run in (first, second, third)] == [
            "running",
            "waiting",
            "waiting",
        ]
        assert [second.place, third.place] == [1, 2]
        worker.events.put_nowait(STEP)
        worker.events.put_nowait(DONE)
        await settle()
        assert worker.made == ["a", "b"]
        assert first.known()["sentence"] == DONE["sentence"] and third.place == 1
        assert first.parts == {"your copy": {"cell": 1, "n_cells": 4, "percent": 0}}

    in_line(scenario, monkeypatch)


def test_the_same_run_is_in_line_once(monkeypatch):
    async def scenario(runs, worker):
        first = runs.add(asked("a"))
        assert runs.add(asked("a")) is first is not runs.add(asked("b"))
        await settle()
        worker.events.put_nowait(DONE)
        await settle()
        assert runs.add(asked("a")) is not first

    in_line(scenario, monkeypatch)


def test_a_run_that_is_stopped_makes_way_and_one_that_waits_is_never_made(monkeypatch):
    async def scenario(runs, worker):
        first, second, third = (runs.add(asked(name)) for name in "abc")
        await settle()
        await runs.stop(second)
        assert worker.stops == 0 and third.place == 1
        await runs.stop(first)
        await settle()
        assert worker.stops == 1 and worker.made == ["a", "c"]
        assert first.state == second.state == "stopped"
        await runs.stop(first)
        assert worker.stops == 1

    in_line(scenario, monkeypatch)


@pytest.mark.parametrize(
    "event", [{"state": "failed", "sentence": "no"}, WorkerEnded("no")]
)
def test_a_run_that_fails_says_why_and_the_next_one_is_made(monkeypatch, event):
    async def scenario(runs, worker):
        first, _ = (runs.add(asked(name)) for name in "ab")
        await settle()
        worker.events.put_nowait(event)
        await settle()
        assert (first.state, first.sentence) == ("failed", "no")
        assert worker.made == ["a", "b"]

    in_line(scenario, monkeypatch)


def test_those_who_follow_a_run_hear_each_change_and_the_pulse(monkeypatch):
    monkeypatch.setattr(module, "PULSE", 0.01)

    async def scenario(runs, worker):
        run = runs.add(asked("a"))
        states = run.states()
        assert (await anext(states))["state"] == "waiting"
        assert (await anext(states))["state"] in ("waiting", "running")
        await asyncio.sleep(0.02)
        assert (await anext(states))["state"] == "running"  # nothing is new
        worker.events.put_nowait(DONE)
        rest = [state["state"] async for state in states]
        assert rest[-1] == "done" and rest.count("done") == 1

    in_line(scenario, monkeypatch)


def test_the_process_is_started_again_when_what_it_loads_has_changed(monkeypatch):
    """With a process that answers each order, and says how many it had."""
    answering = (
        "import sys, json\n"
        "for number, line in enumerate(sys.stdin):\n"
        "    print(json.dumps({'state': 'done', 'sentence': str(number)}), flush=True)\n"
    )
    create = asyncio.create_subprocess_exec

    async def start(python, *command, **options):
        return await create(python, "-c", answering, **options)

    monkeypatch.setattr(asyncio, "create_subprocess_exec", start)
    order = SimpleNamespace(chapter=SimpleNamespace(name="a"), values={}, base={})

    async def main():
        worker, newest = module.Worker(), 0.0
        monkeypatch.setattr(module, "_newest_loaded", lambda: newest)

        async def sentence():
            [event] = [event async for event in worker.run(order)]
            return event["sentence"]

        assert [await sentence(), await sentence()] == ["0", "1"]
        newest = worker._started + 1
        assert await sentence() == "0"
        await worker.stop()
        assert not worker._is_alive

    asyncio.run(main())


def test_the_next_run_is_not_given_to_a_process_that_is_about_to_end(monkeypatch):
    """With a process that tells much, and takes a while to end when it is stopped."""
    talking = (
        "import json, signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: (time.sleep(0.3), sys.exit()))\n"
        "name = json.loads(input())['chapter']\n"
        "step = {'state': 'running', 'part': 'yours', 'text': 100 * 'x'}\n"
        "while name == 'long':\n"
        "    print(json.dumps(step), flush=True)\n"
        "    time.sleep(0.001)\n"
        "print(json.dumps({'state': 'done', 'sentence': name}), flush=True)\n"
        "input()\n"
    )
    create = asyncio.create_subprocess_exec

    async def start(python, *command, **options):
        return await create(python, "-c", talking, **options)

    monkeypatch.setattr(asyncio, "create_subprocess_exec", start)

    def order(name):
        chapter = SimpleNamespace(name=name)
        return SimpleNamespace(folder=Path(name), chapter=chapter, values={}, base={})

    async def main():
        runs = Runs()
        work = asyncio.ensure_future(runs.work())
        long, short = (runs.add(order(name)) for name in ("long", "short"))
        while not long.parts:
            await asyncio.sleep(0.01)
        await runs.stop(long)
        while not short.is_over:
            await asyncio.sleep(0.01)
        assert (long.state, short.state, short.sentence) == ("stopped", "done", "short")
        work.cancel()
        await runs.close()

    asyncio.run(asyncio.wait_for(main(), 20))


def test_a_process_that_ends_in_the_middle_is_named(monkeypatch):
    create = asyncio.create_subprocess_exec

    async def start(python, *command, **options):
        return await create(python, "-c", "input()", **options)

    monkeypatch.setattr(asyncio, "create_subprocess_exec", start)
    order = SimpleNamespace(chapter=SimpleNamespace(name="a"), values={}, base={})

    async def main():
        worker = module.Worker()
        with pytest.raises(WorkerEnded, match="from outside.* kept"):
            [event async for event in worker.run(order)]
        await worker.stop()

    asyncio.run(main())
