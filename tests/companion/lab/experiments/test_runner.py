"""The same bits however an experiment is run, and nothing stale."""

import importlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import joblib
import numpy as np
import pytest
import runner_kernels
from joblib import parallel_config

from companion.lab import datasets
from companion.lab.experiments import provenance, runner
from companion.lab.experiments.runner import Experiment, replicate

TESTS = Path(__file__).parent
WALK = Experiment(runner_kernels.walk, seed=7, parameters={"steps": 50}, stream=(3, 1))


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch):
    for variable in (runner.WORKERS_VARIABLE, runner.CACHE_VARIABLE):
        monkeypatch.delenv(variable, raising=False)


def independent(experiment: Experiment, kernel, replications: int) -> np.ndarray:
    """The definition: one stream a replication, in a loop."""
    return np.stack(
        [
            kernel(
                np.random.Generator(
                    np.random.PCG64(
                        np.random.SeedSequence(
                            experiment.seed, spawn_key=(*experiment.stream, index)
                        )
                    )
                ),
                **experiment.parameters,
            )
            for index in range(replications)
        ]
    )


def chunks(folder: Path) -> dict[Path, int]:
    """Finished chunks, with the time of writing."""
    return {file: file.stat().st_mtime_ns for file in folder.rglob("output.pkl")}


# ---- the same bits


@pytest.mark.parametrize("chunk_size", [None, 7, 1000])
@pytest.mark.parametrize("workers", ["", "2"])
def test_any_chunk_size_and_number_of_workers_is_the_definition(
    chunk_size, workers, tmp_path, monkeypatch
):
    monkeypatch.setenv(runner.WORKERS_VARIABLE, workers)
    monkeypatch.setenv(runner.CACHE_VARIABLE, str(tmp_path))
    for kernel, parameters in (
        ("walk", {"steps": 50}),
        ("sorted_products", {"size": 60}),
    ):
        experiment = Experiment(f"runner_kernels:{kernel}", 7, parameters, (3, 1))
        expected = independent(experiment, getattr(runner_kernels, kernel), 30)
        found = replicate(experiment, 20, chunk_size=chunk_size)
        before = chunks(tmp_path)
        np.testing.assert_array_equal(found.counts, expected[:20])
        assert found.counts.dtype == np.int64 and found.experiment == experiment
        more = replicate(experiment, 30, chunk_size=chunk_size)
        np.testing.assert_array_equal(more.counts, expected)
        assert before.items() <= chunks(tmp_path).items()


@pytest.mark.slow
def test_a_dask_cluster_of_two_processes(tmp_path, monkeypatch):
    distributed = pytest.importorskip(
        "distributed", reason="dask's distributed is not installed"
    )
    expected = independent(WALK, runner_kernels.walk, 40)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        with distributed.Client(cluster), parallel_config("dask"):
            found = replicate(WALK, 40, chunk_size=4, cache=tmp_path / "caller")
        np.testing.assert_array_equal(found.counts, expected)
        monkeypatch.setenv(runner.WORKERS_VARIABLE, cluster.scheduler_address)
        found = replicate(WALK, 40, chunk_size=4, cache=tmp_path / "variable")
        np.testing.assert_array_equal(found.counts, expected)
    assert len(chunks(tmp_path / "caller")) == len(chunks(tmp_path / "variable")) == 10


IRIS = {"dataset": "iris", "runs": 1, "folds": 2, "learners": ["naive_bayes"]}


@pytest.mark.slow
def test_dask_workers_get_the_data_sets_and_one_may_die(tmp_path, monkeypatch):
    """The data are here only; a worker is killed in the middle, and the counts are the same."""
    distributed = pytest.importorskip(
        "distributed", reason="dask's distributed is not installed"
    )
    dask = pytest.importorskip("dask")
    data = os.environ.get("REPLIB_DATA")
    if not data:
        pytest.skip("the UCI data are not here")
    on_data = Experiment(
        "companion.lab.experiments.on_datasets:cross_validation", 1, IRIS
    )
    slow = replace(WALK, parameters={"steps": 50, "pause": 0.05})
    expected = independent(slow, runner_kernels.walk, 200)
    here = replicate(on_data, 3, cache=tmp_path / "here").counts
    monkeypatch.delenv("REPLIB_DATA")
    # of a machine that has other things to do
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "120s")
    dask.config.refresh()
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    )
    with closing_in_time(cluster), distributed.Client(cluster) as client:
        client.run(runner_kernels.disconnect)
        monkeypatch.setenv(runner.WORKERS_VARIABLE, cluster.scheduler_address)
        with pytest.raises(datasets.DataUnavailable, match="2 of 2 workers .*iris"):
            replicate(on_data, 3, cache=tmp_path / "without")
        monkeypatch.setenv("REPLIB_DATA", data)
        found = replicate(on_data, 3, cache=tmp_path / "sent")
        np.testing.assert_array_equal(found.counts, here)

        first, _ = client.run(os.getpid).values()
        killer = threading.Timer(1.5, os.kill, (first, signal.SIGKILL))
        killer.start()
        found = replicate(slow, 200, cache=tmp_path / "died")
        np.testing.assert_array_equal(found.counts, expected)
        assert not Path(f"/proc/{first}/cmdline").exists()


@contextmanager
def closing_in_time(cluster):
    """Close a cluster; what kept the killed worker may not answer any more."""
    try:
        yield
    finally:
        with suppress(TimeoutError):
            cluster.close()


@pytest.mark.parametrize(
    "n, seconds, size",
    [
        (50, 1e-3, 1),  # few are a chunk each
        (10_000, 1e-4, 100),  # short ones: a hundred chunks, which show progress
        (10_000, 0.05, 60),  # three seconds
        (10_000, 0.5, 10),  # at most a thousand chunks
        (1000, 0.5, 6),
        (1000, 600, 1),
    ],
)
def test_a_chunk_takes_some_seconds(n, seconds, size, tmp_path):
    memory = joblib.Memory(tmp_path, verbose=0).cache(runner._sealed)
    run = runner._Run(WALK, n, memory)
    run.finished[0] = 0, np.zeros((1, 3)), seconds
    assert run.size_of_chunk == size
    parts = [run.part(0, 1), *run.rest(size)]
    assert [first for *_, first, _ in parts] == [0, *range(1, n, size)]
    assert [last for *_, last in parts] == [*range(1, n, size), n]


def test_experiments_of_a_plan_are_run_together(tmp_path, capsys):
    """Each has its own numbers, in one line and with one bar; a longer one finds its first."""
    plan = {"a": (WALK, 5), "b": (replace(WALK, seed=8), 3)}
    found = runner.replicate_all(plan, cache=tmp_path, progress=True)
    assert capsys.readouterr().err.count("\n") == 1
    for name, (experiment, n) in plan.items():
        expected = independent(experiment, runner_kernels.walk, n)
        np.testing.assert_array_equal(found[name].counts, expected)
        assert found[name].experiment == experiment
    before = chunks(tmp_path)
    again = runner.replicate_all(plan, cache=tmp_path)
    assert chunks(tmp_path) == before
    assert again["b"].provenance["seconds"] == found["b"].provenance["seconds"]


def test_streams_keep_experiments_apart(tmp_path):
    one = replicate(WALK, 20, cache=tmp_path).counts
    for other in (
        replace(WALK, seed=8),
        replace(WALK, stream=(3, 2)),
        replace(WALK, stream=(3,)),
    ):
        assert (replicate(other, 20, cache=tmp_path).counts != one).any()


@pytest.mark.parametrize(
    "progress, shown", [(True, True), (False, False), (None, False)]
)
def test_progress_is_shown_where_it_is_asked_for_or_on_a_terminal(
    progress, shown, capsys, tmp_path
):
    replicate(WALK, 4, progress=progress, cache=tmp_path)
    assert bool(re.search(r"\d/4 ", capsys.readouterr().err)) == shown


# ---- interruption


RUN = """
import sys
import runner_kernels
import joblib
from companion.lab.experiments.runner import Experiment, replicate
experiment = Experiment(runner_kernels.walk, seed=7, parameters={"steps": 50, "pause": 0.02})
counts = replicate(experiment, 120, chunk_size=3, cache=sys.argv[1], progress=True).counts
print(counts.tolist())
"""


def started(cache: Path) -> subprocess.Popen:
    path = os.pathsep.join(
        [str(TESTS), str(TESTS.parent), os.environ.get("PYTHONPATH", "")]
    )
    return subprocess.Popen(
        [sys.executable, "-c", RUN, str(cache)],
        start_new_session=True,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": path, runner.WORKERS_VARIABLE: "2"},
    )


@pytest.mark.slow
def test_a_killed_run_goes_on_where_it_was(tmp_path):
    run = started(tmp_path)
    while len(chunks(tmp_path)) < 5:
        assert run.poll() is None, run.communicate()[1]
        time.sleep(0.002)
    os.killpg(run.pid, signal.SIGKILL)
    assert run.wait() == -signal.SIGKILL
    run.communicate()
    survived = chunks(tmp_path)
    assert 5 <= len(survived) < 40
    output, progress = started(tmp_path).communicate()
    undisturbed = Experiment(runner_kernels.walk, seed=7, parameters={"steps": 50})
    np.testing.assert_array_equal(
        json.loads(output), independent(undisturbed, runner_kernels.walk, 120)
    )
    assert survived.items() <= chunks(tmp_path).items(), (
        "a finished chunk was computed again"
    )
    shown = re.findall(r" (\d+)/120 \[", progress)
    assert (shown[0], shown[-1]) == (str(3 * len(survived)), "120")
    assert re.search(r"\d\d:\d\d<\d\d:\d\d", progress), "the remaining time is shown"


@pytest.mark.parametrize(
    "damage",
    [
        lambda chunk: chunk.write_bytes(chunk.read_bytes()[:20]),
        lambda chunk: joblib.dump(
            (lambda begin, counts, *rest: (begin, counts + 1, *rest))(
                *joblib.load(chunk)
            ),
            chunk,
        ),
    ],
    ids=["truncated", "other counts"],
)
def test_a_damaged_chunk_is_computed_again(damage, tmp_path):
    first = replicate(WALK, 12, chunk_size=4, cache=tmp_path)
    damage(min(chunks(tmp_path)))
    again = replicate(WALK, 12, chunk_size=4, cache=tmp_path)
    np.testing.assert_array_equal(again.counts, first.counts)


def test_a_finished_run_is_not_run_again(tmp_path):
    log = tmp_path / "log"
    experiment = replace(WALK, parameters={"steps": 50, "log": str(log)})
    first = replicate(experiment, 12, chunk_size=5, cache=tmp_path / "cache")
    in_another_order = replace(WALK, parameters={"log": str(log), "steps": 50})
    again = replicate(in_another_order, 12, chunk_size=5, cache=tmp_path / "cache")
    np.testing.assert_array_equal(first.counts, again.counts)
    assert len(log.read_text()) == 12
    assert again.provenance["seconds"] == first.provenance["seconds"]


# ---- nothing stale


def test_no_stale_chunk_is_read(tmp_path, monkeypatch):
    """A change of the kernel, of what it imports, or of data beside a package counts."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(
        sys, "dont_write_bytecode", True
    )  # two writes may have one time stamp
    folder = tmp_path / "changing"
    folder.mkdir()

    def run(name, text):
        (folder / name).write_text(text)
        for module in [
            name for name in sys.modules if name.split(".")[0] == "changing"
        ]:
            del sys.modules[module]
        importlib.invalidate_caches()
        experiment = Experiment("changing.kernel:run", seed=1)
        return replicate(experiment, 2, cache=tmp_path / "cache").counts.tolist()

    (folder / "kernel.py").write_text(
        "from .rules import value\ndef run(rng): return value()\n"
    )
    (folder / "rules.py").write_text(
        "def value():\n    from changing import VALUE\n    return VALUE\n"
    )
    (folder / "data.csv").write_text("1")
    assert run(
        "__init__.py",
        "from pathlib import Path\n"
        "VALUE = int((Path(__file__).parent / 'data.csv').read_text())\n",
    ) == [1, 1]
    before = chunks(tmp_path)
    run("unrelated.py", "x = 1\n")
    assert chunks(tmp_path) == before
    assert run("data.csv", "5") == [5, 5]
    assert run("__init__.py", "VALUE = 20\n") == [20, 20]
    assert run("rules.py", "def value(): return 30\n") == [30, 30]
    assert run("kernel.py", "def run(rng): return 40\n") == [40, 40]
    monkeypatch.setattr(
        runner.provenance, "versions", lambda modules: {"numpy": "another"}
    )
    before = chunks(tmp_path)
    assert (
        run("unrelated.py", "") == [40, 40] and len(chunks(tmp_path)) == len(before) + 2
    )


def test_a_worker_with_other_code_refuses(tmp_path, monkeypatch):
    monkeypatch.setattr(
        runner, "_code", lambda experiment, codes=iter("ab"): next(codes)
    )
    with pytest.raises(RuntimeError, match="a worker has other code or packages for"):
        replicate(WALK, 1, cache=tmp_path)


# ---- memory


@pytest.mark.slow
def test_memory_of_a_worker_does_not_grow_with_the_run(tmp_path, monkeypatch):
    """40 MB of results; a worker, which holds a hundredth of them, stays far below 1 GB."""
    monkeypatch.setenv(runner.WORKERS_VARIABLE, "2")
    experiment = Experiment(
        runner_kernels.peak_memory, seed=1, parameters={"width": 499}
    )
    peak = replicate(experiment, 10_000, cache=tmp_path).counts[:, 0] / 1000  # MB
    assert peak.max() < 1000
    assert peak.max() - peak[:200].min() < 30


# ---- refusals


@pytest.mark.parametrize(
    "function",
    [
        lambda rng: 1,
        "runner_kernels:absent",
        "no_such_module:walk",
        "runner_kernels.walk",
        "__main__:walk",
        "runner_kernels:__name__",
    ],
)
def test_a_function_must_be_found_by_its_name(function):
    with pytest.raises(ValueError, match="must be found by its name"):
        Experiment(function, seed=1)


@pytest.mark.parametrize(
    "change, sentence",
    [
        ({"seed": -1}, "seed must be a whole number of at least 0, not -1"),
        ({"stream": (1, -2)}, "stream must be a whole number of at least 0, not -2"),
        ({"parameters": {"steps": float("nan")}}, "what JSON can hold"),
    ],
)
def test_a_wrong_experiment_is_refused(change, sentence):
    with pytest.raises(ValueError, match=sentence):
        replace(WALK, **change)


@pytest.mark.parametrize(
    "kernel, sentence",
    [
        ("fractions", "must return integers or booleans, not float64"),
        ("ragged", "must return one shape and type, not int64 of shape"),
        (
            "mixed_types",
            "must return one shape and type, not bool of shape (), int64 of shape ()",
        ),
    ],
)
@pytest.mark.parametrize("chunk_size", [1, 50])
def test_results_of_another_form_are_refused(kernel, sentence, chunk_size, tmp_path):
    experiment = Experiment(f"runner_kernels:{kernel}", seed=1)
    with pytest.raises(ValueError, match=re.escape(sentence)):
        replicate(experiment, 50, chunk_size=chunk_size, cache=tmp_path)


@pytest.mark.parametrize("setting", ["0", "-1", "many", "٣", "1.5", " "])
def test_bad_workers_are_refused(setting, tmp_path, monkeypatch):
    monkeypatch.setenv(runner.WORKERS_VARIABLE, setting)
    with pytest.raises(
        ValueError, match="REPLIB_WORKERS must be a number of processes or "
    ):
        replicate(WALK, 2, cache=tmp_path)


def test_the_digest_covers_learners_that_parameters_name():
    """A change of such a learner must not go unnoticed: no import statement leads to it."""
    forest = Experiment(
        "companion.papers.berrar2024.algorithms:algorithm_4",
        1,
        {
            "learners": [["companion.lab.learners:RandomForest", {"n_trees": 3}]],
            "time": "12:30",
        },
    )
    without = replace(forest, parameters={"learners": []})
    reached = provenance.closure(forest.modules)
    assert "companion.lab.learners.kernels.forest" in reached
    assert runner.source_digest(forest) != runner.source_digest(without)
