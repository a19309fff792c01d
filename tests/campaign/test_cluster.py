"""A dask cluster that loses a worker, then its scheduler."""

import json
import os
import subprocess
import sys
import threading
import time

import numpy as np
import psutil
import pytest
from harness import Command, forget, is_a_sentence, results_of
from joblib import parallel_config

from companion.lab.experiments.engine import Experiment, replicate

pytestmark = pytest.mark.campaign
distributed = pytest.importorskip("distributed")

SLOW = Experiment("engine_kernels:walk", 7, {"steps": 50, "pause": 0.02})
PLAIN = Experiment("engine_kernels:walk", 7, {"steps": 50})


def kernel_path(monkeypatch):
    """Workers find the kernels of the engine's tests."""
    import engine_kernels

    monkeypatch.setenv("PYTHONPATH", str(engine_kernels.__file__).rsplit("/", 1)[0])


def test_a_worker_is_killed(tmp_path, monkeypatch, moments, record):
    kernel_path(monkeypatch)
    expected = replicate(PLAIN, 120, chunk_size=3, cache=tmp_path / "plain").counts
    times, survived = -(-moments // 20), 0
    for attempt in range(times):
        cache = tmp_path / f"cache{attempt}"
        with distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster, distributed.Client(cluster):
            worker = psutil.Process(next(iter(cluster.workers.values())).pid)
            threading.Timer(1.0, worker.kill).start()
            with parallel_config("dask"):
                found = replicate(SLOW, 120, chunk_size=3, cache=cache).counts
        survived += np.array_equal(found, expected)
    record("Cluster", "one of two workers killed", times, survived, "same bits")


def test_the_scheduler_is_killed(small_book, moments, record):
    """While a command of the book uses it."""
    times, survived, kept = -(-moments // 20), 0, 0
    results = ["results", "small"]
    code, said = Command(small_book, *results, REPLIB_CACHE=str(small_book / "plain")).ended()
    good = results_of(small_book)
    assert code == 0 and good, said
    for attempt in range(times):
        cache, file = small_book / f"cache{attempt}", small_book / f"scheduler{attempt}.json"
        forget(small_book)
        scheduler = dask(small_book, "scheduler", "--host", "127.0.0.1", "--port", "0",
                         "--scheduler-file", file)
        worker = dask(small_book, "worker", "--scheduler-file", file, "--nworkers", "2",
                      "--nthreads", "1")
        wait_until(file.exists)
        address = json.loads(file.read_text())["address"]
        command = Command(small_book, *results, REPLIB_WORKERS=address, REPLIB_CACHE=str(cache))
        wait_until(lambda: len(list(cache.rglob("output.pkl"))) >= 5)
        scheduler.kill()
        code, said = command.ended()
        refused = code == 1 and "is gone" in said and is_a_sentence(said)
        kept = len(list(cache.rglob("output.pkl")))
        worker.kill()
        print(code, said[-2000:])
        code, said = Command(small_book, *results, REPLIB_CACHE=str(cache)).ended()
        whole = code == 0 and results_of(small_book) == good
        survived += refused and 5 <= kept < 40 and whole
    record("Cluster", "the scheduler killed", times, survived,
           f"a sentence; finished chunks kept ({kept} of 40), same bits when repeated")


def dask(folder, kind: str, *options: object) -> subprocess.Popen:
    """A scheduler or workers in processes of their own."""
    return subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--no-dashboard",
         *map(str, options)],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(folder)}, stderr=subprocess.DEVNULL,
    )


def wait_until(condition, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)
