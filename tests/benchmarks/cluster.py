"""Measure what a cluster of dask costs: a stored run with two workers on this machine.

    python tests/benchmarks/cluster.py sweep_class_cardinality book/_static/cluster.csv

What is sent is counted at the loopback of this machine, which should have nothing else
to do.  The process that asks has the scheduler, too; its processor time, other than the
time by the clock, hardly depends on what else the machine does.
"""

import os
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import psutil
from distributed import LocalCluster

from companion import stored
from companion.lab.experiments import results, runner

#: With one, joblib works in the process that asks.
N_WORKERS = 2


def measured(name: str) -> dict[str, object]:
    """Return what a run takes on a cluster."""
    with (
        TemporaryDirectory() as folder,
        LocalCluster(
            n_workers=N_WORKERS,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
        ) as cluster,
    ):
        os.environ[runner.WORKERS_VARIABLE] = cluster.scheduler_address
        os.environ[runner.CACHE_VARIABLE] = str(Path(folder, "cache"))
        sent, used, began = _sent(), time.process_time(), time.monotonic()
        stored.run(name, folder=Path(folder))
        seconds = time.monotonic() - began
        used, sent = time.process_time() - used, _sent() - sent
        n_pieces = sum(1 for _ in Path(folder, "cache").rglob("output.pkl"))
        made = results.load_results(Path(folder, name)).values()
    working = sum(result.provenance["seconds"] for result in made)
    return {
        "run": name,
        "workers": N_WORKERS,
        "pieces": n_pieces,
        "seconds": round(seconds, 1),
        "seconds per piece": round(working / n_pieces, 2),
        "milliseconds of the asking processor per piece": round(1000 * used / n_pieces),
        "kilobytes per piece": round(sent / n_pieces / 1000),
    }


def _sent() -> int:
    """Return the bytes that were sent from this machine to itself."""
    return psutil.net_io_counters(pernic=True)["lo"].bytes_sent


if __name__ == "__main__":
    pd.DataFrame([measured(sys.argv[1])]).to_csv(sys.argv[2], index=False)
