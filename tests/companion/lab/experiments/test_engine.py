"""The same bits however an experiment is run, and nothing stale."""

import importlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import engine_kernels
import joblib
import numpy as np
import pytest
from joblib import parallel_config

from companion.lab.experiments import engine, provenance
from companion.lab.experiments.engine import Experiment, replicate
from companion.lab.experiments.results import save_results, spot_check

TESTS = Path(__file__).parent
WALK = Experiment(engine_kernels.walk, seed=7, parameters={"steps": 50}, stream=(3, 1))


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch):
    for variable in (engine.WORKERS_VARIABLE, engine.CACHE_VARIABLE):
        monkeypatch.delenv(variable, raising=False)


def independent(experiment: Experiment, kernel, replications: int) -> np.ndarray:
    """The definition: one stream a replication, in a loop."""
    return np.stack([
        kernel(
            np.random.Generator(np.random.PCG64(
                np.random.SeedSequence(experiment.seed, spawn_key=(*experiment.stream, index))
            )),
            **experiment.parameters,
        )
        for index in range(replications)
    ])


def chunks(folder: Path) -> dict[Path, int]:
    """Finished chunks, with the time of writing."""
    return {file: file.stat().st_mtime_ns for file in folder.rglob("output.pkl")}


# ---- the same bits


@pytest.mark.parametrize("chunk_size", [None, 1, 7, 40, 1000])
def test_any_chunk_size_is_the_definition(chunk_size, tmp_path):
    found = replicate(WALK, 40, chunk_size=chunk_size, cache=tmp_path)
    np.testing.assert_array_equal(found.counts, independent(WALK, engine_kernels.walk, 40))
    assert found.counts.dtype == np.int64 and found.experiment == WALK


def test_more_replications_begin_with_the_same_ones(tmp_path):
    few = replicate(WALK, 20, chunk_size=10, cache=tmp_path)
    before = chunks(tmp_path)
    many = replicate(WALK, 35, chunk_size=10, cache=tmp_path)
    np.testing.assert_array_equal(many.counts[:20], few.counts)
    assert before.items() <= chunks(tmp_path).items()


@pytest.mark.parametrize("workers", ["1", "2"])
def test_any_number_of_workers(workers, tmp_path, monkeypatch):
    experiment = Experiment(engine_kernels.sorted_products, seed=2, parameters={"size": 60})
    monkeypatch.setenv(engine.WORKERS_VARIABLE, workers)
    found = replicate(experiment, 30, chunk_size=4, cache=tmp_path)
    np.testing.assert_array_equal(
        found.counts, independent(experiment, engine_kernels.sorted_products, 30)
    )


def test_workers_of_the_caller(tmp_path):
    with parallel_config("threading", n_jobs=3):
        found = replicate(WALK, 40, chunk_size=4, cache=tmp_path)
    np.testing.assert_array_equal(found.counts, independent(WALK, engine_kernels.walk, 40))


def test_a_dask_cluster_of_two_processes(tmp_path, monkeypatch):
    distributed = pytest.importorskip("distributed", reason="dask's distributed is not installed")
    expected = independent(WALK, engine_kernels.walk, 40)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        with distributed.Client(cluster), parallel_config("dask"):
            found = replicate(WALK, 40, chunk_size=4, cache=tmp_path / "caller")
        np.testing.assert_array_equal(found.counts, expected)
        monkeypatch.setenv(engine.WORKERS_VARIABLE, cluster.scheduler_address)
        found = replicate(WALK, 40, chunk_size=4, cache=tmp_path / "variable")
        np.testing.assert_array_equal(found.counts, expected)
    assert len(chunks(tmp_path / "caller")) == len(chunks(tmp_path / "variable")) == 10


def test_streams_keep_experiments_apart(tmp_path):
    one = replicate(WALK, 20, cache=tmp_path).counts
    for other in (replace(WALK, seed=8), replace(WALK, stream=(3, 2)), replace(WALK, stream=(3,))):
        assert (replicate(other, 20, cache=tmp_path).counts != one).any()


@pytest.mark.parametrize("progress, shown", [(True, True), (False, False), (None, False)])
def test_progress_is_shown_where_it_is_asked_for_or_on_a_terminal(
    progress, shown, capsys, tmp_path
):
    replicate(WALK, 4, progress=progress, cache=tmp_path)
    assert bool(re.search(r"\d/4 ", capsys.readouterr().err)) == shown


# ---- interruption


RUN = """
import sys
import engine_kernels
import joblib
from companion.lab.experiments.engine import Experiment, replicate
experiment = Experiment(engine_kernels.walk, seed=7, parameters={"steps": 50, "pause": 0.02})
counts = replicate(experiment, 120, chunk_size=3, cache=sys.argv[1], progress=True).counts
print(counts.tolist())
"""


def started(cache: Path) -> subprocess.Popen:
    path = os.pathsep.join([str(TESTS), str(TESTS.parent), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        [sys.executable, "-c", RUN, str(cache)], start_new_session=True, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": path, engine.WORKERS_VARIABLE: "2"},
    )


def test_killed_twice_at_random_moments(tmp_path):
    moments = random.Random()  # another moment each time: it must not matter
    survived = {}
    for at_least in (moments.randint(1, 6), moments.randint(7, 12)):
        run = started(tmp_path)
        while len(chunks(tmp_path)) < at_least:
            assert run.poll() is None, run.communicate()[1]
            time.sleep(0.002)
        time.sleep(moments.uniform(0, 0.03))
        os.killpg(run.pid, signal.SIGKILL)
        assert run.wait() == -signal.SIGKILL
        run.communicate()
        now = chunks(tmp_path)
        assert survived.items() <= now.items() and at_least <= len(now) < 40
        survived = now
    output, progress = started(tmp_path).communicate()
    undisturbed = Experiment(engine_kernels.walk, seed=7, parameters={"steps": 50})
    np.testing.assert_array_equal(
        json.loads(output), independent(undisturbed, engine_kernels.walk, 120)
    )
    assert survived.items() <= chunks(tmp_path).items(), "a finished chunk was computed again"
    shown = re.findall(r" (\d+)/120 \[", progress)
    assert (shown[0], shown[-1]) == (str(3 * len(survived)), "120"), "it went on where it was"
    assert re.search(r"\d\d:\d\d<\d\d:\d\d", progress), "the remaining time is shown"


def test_a_finished_run_is_not_run_again(tmp_path):
    log = tmp_path / "log"
    experiment = replace(WALK, parameters={"steps": 50, "log": str(log)})
    first = replicate(experiment, 12, chunk_size=5, cache=tmp_path / "cache")
    in_another_order = replace(WALK, parameters={"log": str(log), "steps": 50})
    again = replicate(in_another_order, 12, chunk_size=5, cache=tmp_path / "cache")
    np.testing.assert_array_equal(first.counts, again.counts)
    assert len(log.read_text()) == 12
    assert again.provenance["seconds"] == first.provenance["seconds"]


def test_a_chunk_with_other_counts_is_computed_again(tmp_path):
    first = replicate(WALK, 12, chunk_size=4, cache=tmp_path)
    for chunk in chunks(tmp_path):
        begin, counts, *rest = joblib.load(chunk)
        joblib.dump((begin, counts + 1, *rest), chunk)
    again = replicate(WALK, 12, chunk_size=4, cache=tmp_path)
    np.testing.assert_array_equal(again.counts, first.counts)


def test_what_is_shown_of_results_is_short(tmp_path):
    found = replicate(WALK, 12, cache=tmp_path)
    assert repr(found) == f"Replications(experiment={WALK!r})"


def test_a_damaged_chunk_is_computed_again(tmp_path):
    first = replicate(WALK, 12, chunk_size=4, cache=tmp_path)
    damaged = sorted(chunks(tmp_path))[1]
    damaged.write_bytes(damaged.read_bytes()[:20])
    again = replicate(WALK, 12, chunk_size=4, cache=tmp_path)
    np.testing.assert_array_equal(again.counts, first.counts)


# ---- nothing stale


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package whose kernel reaches constants through two imports, one inside a function."""
    folder = tmp_path / "changing"
    folder.mkdir()
    files = {
        "__init__.py": "",
        "kernel.py": "from .rules import value\n\ndef run(rng, *, n=1):\n    return value() * n\n",
        "rules.py": "def value():\n"
                    "    from changing import constants\n    return constants.VALUE\n",
        "constants.py": "import csv\nfrom pathlib import Path\nfrom changing.tables import NUMBER\n"
                        "VALUE = 10 + NUMBER\n",
        "unrelated.py": "",
        "tables/__init__.py": "from pathlib import Path\n"
                              "FOLDER = Path(__file__).parent\n"
                              "NUMBER = sum(int(f.read_text()) for f in FOLDER.glob('t.*'))\n",
        "tables/t.csv": "1\n",
        "tables/t.json": "0\n",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # two writes may have one time stamp

    def run(changes=(), **parameters):
        for name, text in dict(changes).items():
            (folder / name).write_text(text)
        for module in [name for name in sys.modules if name.split(".")[0] == "changing"]:
            del sys.modules[module]
        importlib.invalidate_caches()
        experiment = Experiment("changing.kernel:run", seed=1, parameters=parameters)
        return replicate(experiment, 4, cache=tmp_path / "cache").counts.tolist()

    return run


def test_no_stale_chunk_is_read(package, tmp_path):
    assert package() == [11] * 4
    assert package({"constants.py": "VALUE = 20\n"}) == [20] * 4
    assert package(n=2) == [40] * 4
    assert package({"rules.py": "def value():\n    return 30\n"}) == [30] * 4
    assert package({"kernel.py": "def run(rng, *, n=1):\n    return 40 * n\n"}) == [40] * 4


def test_a_second_module_of_the_user_counts(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (tmp_path / "tosses.py").write_text(
        "import tosses_helper\n\ndef toss(rng):\n    return rng.random() < tosses_helper.P\n"
    )
    found = []
    for p in (0.0, 1.0):
        (tmp_path / "tosses_helper.py").write_text(f"P = {p}\n")
        for name in ("tosses", "tosses_helper"):
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        found.append(replicate(Experiment("tosses:toss", 1), 20, cache=tmp_path / "kept").counts)
    assert not found[0].any() and found[1].all()


def test_a_file_that_an_experiment_depends_on_counts(tmp_path):
    data = tmp_path / "p.txt"
    found = []
    for p in ("0", "1"):
        data.write_text(p)
        experiment = Experiment(
            engine_kernels.toss_by_file, 1, {"file": str(data)}, depends_on=[str(data)]
        )
        found.append(replicate(experiment, 20, cache=tmp_path / "kept").counts)
    assert not found[0].any() and found[1].all()


def test_a_worker_with_other_code_refuses(tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "_code", lambda experiment, codes=iter("ab"): next(codes))
    with pytest.raises(RuntimeError, match="a worker has other code, packages or files for"):
        replicate(WALK, 1, cache=tmp_path)


def test_data_beside_a_package_count_as_its_source(package):
    assert package() == [11] * 4
    assert package({"tables/t.csv": "5\n"}) == [15] * 4
    assert package({"tables/t.json": "4\n"}) == [19] * 4


def test_what_is_not_reached_does_not_matter(package, tmp_path):
    package()
    before = chunks(tmp_path)
    package({"unrelated.py": "x = 1\n"})
    assert chunks(tmp_path) == before


def test_other_packages_make_other_chunks(tmp_path, monkeypatch):
    replicate(WALK, 2, cache=tmp_path)
    monkeypatch.setattr(engine.provenance, "versions", lambda modules: {"numpy": "another"})
    replicate(WALK, 2, cache=tmp_path)
    assert len(chunks(tmp_path)) == 4


# ---- memory


def test_memory_of_a_worker_does_not_grow_with_the_run(tmp_path, monkeypatch):
    """40 MB of results; a worker, which holds a hundredth of them, stays far below 1 GB."""
    monkeypatch.setenv(engine.WORKERS_VARIABLE, "2")
    experiment = Experiment(engine_kernels.peak_memory, seed=1, parameters={"width": 499})
    peak = replicate(experiment, 10_000, cache=tmp_path).counts[:, 0] / 1000  # MB
    assert peak.max() < 1000
    assert peak.max() - peak[:200].min() < 30


# ---- refusals


BAD = [
    (lambda: Experiment(lambda rng: 1, seed=1), "must be found by its name"),
    (lambda: Experiment("engine_kernels:absent", seed=1), "must be found by its name"),
    (lambda: Experiment("no_such_module:walk", seed=1), "must be found by its name"),
    (lambda: Experiment("engine_kernels", seed=1), "must be found by its name"),
    (lambda: Experiment("engine_kernels.walk", seed=1), "must be found by its name"),
    (lambda: Experiment("__main__:walk", seed=1), "must be found by its name"),
    (lambda: Experiment("engine_kernels:TESTS", seed=1), "must be found by its name"),
    (lambda: replace(WALK, seed=-1), "seed must be a whole number of at least 0, not -1"),
    (lambda: replace(WALK, seed=1.5), "seed must be a whole number of at least 0, not 1.5"),
    (lambda: replace(WALK, seed=True), "seed must be a whole number"),
    (lambda: replace(WALK, stream=(1, -2)), "stream must be a whole number of at least 0, not -2"),
    (lambda: replace(WALK, parameters={"steps": np.arange(2)}), "what JSON can hold"),
    (lambda: replace(WALK, parameters={"steps": float("nan")}), "what JSON can hold"),
    (lambda: replicate(WALK, 0), "replications must be a whole number from 1 to 1e+09, not 0"),
    (lambda: replicate(WALK, 2.5), "replications must be a whole number from 1 to 1e+09, not 2.5"),
    (lambda: replicate(WALK, 5, chunk_size=0),
     "chunk_size must be a whole number of at least 1, not 0"),
    (lambda: save_results("x", {}), "at least one experiment"),
    (lambda: spot_check({}, 0), "k must be a whole number of at least 1, not 0"),
]


@pytest.mark.parametrize("call, sentence", BAD, ids=range(len(BAD)))
def test_refused(call, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        call()


@pytest.mark.parametrize("kernel, sentence", [
    ("fractions", "must return integers or booleans, not float64"),
    ("ragged", "must return one shape and type, not int64 of shape"),
    ("mixed_types", "must return one shape and type, not bool of shape (), int64 of shape ()"),
])
@pytest.mark.parametrize("chunk_size", [1, 50])
def test_results_of_another_form_are_refused(kernel, sentence, chunk_size, tmp_path):
    experiment = Experiment(f"engine_kernels:{kernel}", seed=1)
    with pytest.raises(ValueError, match=re.escape(sentence)):
        replicate(experiment, 50, chunk_size=chunk_size, cache=tmp_path)


@pytest.mark.parametrize("setting", ["0", "-1", "many", "٣", "1.5", " "])
def test_bad_workers_are_refused(setting, tmp_path, monkeypatch):
    monkeypatch.setenv(engine.WORKERS_VARIABLE, setting)
    with pytest.raises(ValueError, match="REPLIB_WORKERS must be a number of processes or "):
        replicate(WALK, 2, cache=tmp_path)


def test_the_cache_folder_of_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv(engine.CACHE_VARIABLE, str(tmp_path))
    replicate(WALK, 2)
    assert len(chunks(tmp_path)) == 2


def test_the_digest_covers_learners_that_parameters_name():
    """A change of such a learner must not go unnoticed: no import statement leads to it."""
    forest = Experiment(
        "companion.papers.berrar2024.algorithms:algorithm_4", 1,
        {"learners": [["companion.lab.learners:RandomForest", {"n_trees": 3}]], "time": "12:30"},
    )
    without = replace(forest, parameters={"learners": []})
    reached = provenance.closure(forest.modules)
    assert "companion.lab.learners.kernels.forest" in reached
    assert engine.source_digest(forest) != engine.source_digest(without)
