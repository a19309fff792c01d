"""A dask cluster that loses a worker, then its scheduler."""

import threading
import time

import numpy as np
import psutil
import pytest
from joblib import parallel_config

from replib.experiments.engine import Experiment, replicate

pytestmark = pytest.mark.campaign
distributed = pytest.importorskip("distributed")

SLOW = Experiment("engine_kernels:walk", 7, {"steps": 50, "pause": 0.02})
PLAIN = Experiment("engine_kernels:walk", 7, {"steps": 50})


def kernel_path(monkeypatch):
    """Workers find the kernels of the engine's tests."""
    import engine_kernels

    monkeypatch.setenv("PYTHONPATH", str(engine_kernels.__file__).rsplit("/", 1)[0])


def test_a_worker_and_then_the_scheduler_are_killed(tmp_path, monkeypatch, moments, record):
    kernel_path(monkeypatch)
    expected = replicate(PLAIN, 120, chunk_size=3, cache=tmp_path / "plain").counts
    times, survived, kept = -(-moments // 20), 0, 0
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

    survived = 0
    for attempt in range(times):
        cache = tmp_path / f"scheduler{attempt}"
        cluster = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        )
        client = distributed.Client(cluster, timeout=5)
        threading.Timer(1.0, lambda: cluster.sync(cluster.scheduler.close)).start()
        try:
            with parallel_config("dask"):
                replicate(SLOW, 120, chunk_size=3, cache=cache)
        except Exception:
            kept = len(list(cache.rglob("output.pkl")))
        client.close()
        cluster.close()
        started = time.monotonic()
        again = replicate(SLOW, 120, chunk_size=3, cache=cache).counts
        survived += np.array_equal(again, expected) and time.monotonic() - started < 120
    record("Cluster", "the scheduler ended", times, survived,
           f"finished chunks kept ({kept} of 40), same bits when repeated")
