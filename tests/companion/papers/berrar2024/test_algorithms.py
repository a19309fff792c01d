"""The algorithms of Berrar (2024): data, folds, counts, and the same bits however they are run."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict

import numpy as np
import pytest
from joblib import parallel_config
from scipy import stats
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB

from companion.lab.experiments import engine
from companion.lab.experiments.engine import Experiment, replicate
from companion.lab.learners import GaussianNaiveBayes, RadialSVC, RandomForest
from companion.lab.sources.gaussian import TwoGaussians
from companion.papers.berrar2024 import algorithms

SMALL = [
    Experiment(algorithms.algorithm_2, 5, {
        "start": 20, "datasets": 3, "learners": [algorithms.NAIVE_BAYES, algorithms.SVM],
    }, (1, 3)),
    Experiment(algorithms.algorithm_1, 5, {
        "start": 20, "datasets": 3, "learners": [algorithms.NAIVE_BAYES, algorithms.SVM],
        "seed": 5, "key": [1, 3, 0],
    }, (1, 3, 0)),
    Experiment(algorithms.algorithm_3, 5, {
        "cases": 60, "features": 4, "mean": 0.3, "folds": 5, "percents": [10, 50],
        "learner": algorithms.SVM,
    }, (3,)),
    Experiment(algorithms.algorithm_4, 5, {
        "cases": 60, "features": 4, "mean": 0.3, "folds": 5,
        "learners": [algorithms.SVM, algorithms.forest(3)],
    }, (4, 4)),
]


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch):
    for variable in (engine.WORKERS_VARIABLE, engine.CACHE_VARIABLE):
        monkeypatch.delenv(variable, raising=False)


# ------------------------------------------------------------------ data and folds


def test_features_follow_the_two_normal_distributions():
    x, y = TwoGaussians(4000, 5, 0.4, 1.4).sample(np.random.default_rng(1))
    assert (y[:2000] == 1).all() and (y[2000:] == 0).all()
    for part, mean, sd in ((x[:2000], 0.4, 1.4), (x[2000:], 0.0, 1.0)):
        assert stats.kstest(part.ravel(), stats.norm(mean, sd).cdf).pvalue > 1e-4


def test_folds_are_stratified_and_random():
    y = np.repeat([1, 0], 50)
    fold = algorithms._stratified(y, 10, np.random.default_rng(2))
    for label in (0, 1):
        assert (np.bincount(fold[y == label]) == 5).all()
    again = algorithms._stratified(y, 10, np.random.default_rng(3))
    assert (fold != again).any()


def test_a_bootstrap_resamples_the_data_of_its_experiment():
    original, sample = SMALL[:2]
    sequence = np.random.SeedSequence(5, spawn_key=(1, 3, 0))
    drawn = algorithms._pairs(np.random.default_rng(sequence), 20, 3)
    kept = algorithms._pairs_of(5, (1, 3, 0), 20, 3)
    for one, other in zip(drawn, kept):
        for (x, _), (x_kept, _) in zip(one, other):
            np.testing.assert_array_equal(x, x_kept)
    counts = [
        algorithms._correct(algorithms.NAIVE_BAYES, None, train, test) for train, test in drawn
    ]
    np.testing.assert_array_equal(original.replication(0)[:, 0], counts)
    assert (sample.replication(0) != original.replication(0)).any()
    x, y = algorithms._resampled(drawn[0][0], np.random.default_rng(0))
    assert len(x) == 30 and set(map(tuple, x)) < set(map(tuple, drawn[0][0][0]))
    labels = dict(zip(map(tuple, drawn[0][0][0]), drawn[0][0][1]))
    assert [labels[tuple(row)] for row in x] == y.tolist()


# ------------------------------------------------------------------ counts


@pytest.mark.parametrize("learner", [GaussianNaiveBayes, RadialSVC, RandomForest])
def test_counts_are_those_of_fit_and_predict(learner):
    name, rng = [f"companion.lab.learners:{learner.__name__}", {}], np.random.default_rng(4)
    train, test = (TwoGaussians(80, 6, 0.5).sample(rng) for _ in range(2))
    found = algorithms._correct(name, np.random.default_rng(5), train, test)
    model = learner()
    if hasattr(model, "random_state"):
        model.random_state = int(np.random.default_rng(5).integers(2**31))
    assert found == (model.fit(*train).predict(test[0]) == test[1]).sum()


def test_any_classifier_of_scikit_learn():
    rng = np.random.default_rng(6)
    train, test = (TwoGaussians(80, 6, 0.5).sample(rng) for _ in range(2))
    found = algorithms._correct(["sklearn.naive_bayes:GaussianNB", {}], rng, train, test)
    assert found == (GaussianNB().fit(*train).predict(test[0]) == test[1]).sum()
    fold = np.arange(80) % 5
    forest = ["sklearn.ensemble:RandomForestClassifier", {"n_estimators": 3}]
    counts = algorithms._correct_of_folds(forest, np.random.default_rng(7), train, fold)
    model = RandomForestClassifier(
        n_estimators=3, random_state=int(np.random.default_rng(7).integers(2**31))
    )
    x, y = train
    expected = [
        (model.fit(x[fold != k], y[fold != k]).predict(x[fold == k]) == y[fold == k]).sum()
        for k in range(5)
    ]
    assert counts.tolist() == expected


def test_forests_of_any_size_meet_the_same_data_and_folds():
    ten, three = (
        Experiment(algorithms.algorithm_4, 5, {
            **SMALL[3].parameters, "learners": [algorithms.SVM, algorithms.forest(trees)],
        }, (4, 4)) for trees in (10, 3)
    )
    np.testing.assert_array_equal(ten.replication(2)[:, 0], three.replication(2)[:, 0])


def test_the_oracle_reveals_all_or_nothing():
    everything = Experiment(algorithms.algorithm_3, 5, {
        **SMALL[2].parameters, "percents": [0, 100],
    }, (3,))
    correct, none, all_of_them = everything.replication(0).T
    assert (none == 0).all() and (correct + all_of_them == 12).all()


# ------------------------------------------------------------------ the same bits


@pytest.mark.parametrize("experiment", SMALL, ids=lambda e: e.function.split(":")[1])
def test_one_and_two_processes_give_the_same_bits(experiment, tmp_path, monkeypatch):
    expected = np.stack([experiment.replication(i) for i in range(6)])
    for workers in ("1", "2"):
        monkeypatch.setenv(engine.WORKERS_VARIABLE, workers)
        found = replicate(experiment, 6, chunk_size=2, cache=tmp_path / workers, progress=False)
        np.testing.assert_array_equal(found.counts, expected)


def test_a_local_dask_cluster_gives_the_same_bits(tmp_path):
    distributed = pytest.importorskip("distributed", reason="dask's distributed is not installed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster, distributed.Client(cluster), parallel_config("dask"):
        for experiment in SMALL:
            found = replicate(experiment, 4, chunk_size=1, cache=tmp_path, progress=False)
            expected = np.stack([experiment.replication(i) for i in range(4)])
            np.testing.assert_array_equal(found.counts, expected)


RUN = """
import json, sys
from companion.lab.experiments.engine import Experiment, replicate
experiment = Experiment(**json.loads(sys.argv[2]))
print(replicate(experiment, 40, chunk_size=1, cache=sys.argv[1], progress=False).counts.tolist())
"""


def test_killed_twice_and_resumed(tmp_path):
    experiment = SMALL[3]
    command = [sys.executable, "-c", RUN, str(tmp_path), json.dumps(asdict(experiment))]
    for at_least in (2, 12):
        run = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)
        while len(list(tmp_path.rglob("output.pkl"))) < at_least:
            assert run.poll() is None
            time.sleep(0.002)
        os.killpg(run.pid, signal.SIGKILL)
        assert run.wait() == -signal.SIGKILL
    survived = {file: file.stat().st_mtime_ns for file in tmp_path.rglob("output.pkl")}
    assert len(survived) < 40
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    expected = np.stack([experiment.replication(i) for i in range(40)])
    np.testing.assert_array_equal(json.loads(output), expected)
    assert all(file.stat().st_mtime_ns == at for file, at in survived.items())
