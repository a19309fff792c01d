"""Speed of the learners on bit sets beside the plain ones and scikit-learn's, in one run.

    python -m pytest tests/benchmarks/test_packed_speed.py -m benchmarks -s

Prints CPU times of experiments as the papers' simulations make them, asserts none.
"""

from collections.abc import Callable
from statistics import median
from time import process_time

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import BernoulliNB
from sklearn.tree import DecisionTreeClassifier

from companion.lab.experiments import on_sources
from companion.lab.learners import C45, Table, cross_validation, packed
from companion.lab.sources import BayesianNetwork

pytestmark = pytest.mark.benchmarks

ROWS, ATTRIBUTES, RUNS, FOLDS = 300, 10, 10, 10
DATA_SETS, REPEATS = 15, 7


def network(source: str, seed: int) -> BayesianNetwork:
    """Each attribute depends on the class and the one before it, or on nothing."""
    if source == "independent":
        return BayesianNetwork([()] * (ATTRIBUTES + 1), [[0.5, 0.5]] * (ATTRIBUTES + 1))
    chance = np.random.default_rng(seed).random((ATTRIBUTES, 2, 2))
    return BayesianNetwork(
        [(), (0,), *((0, a) for a in range(1, ATTRIBUTES))],
        [[0.5, 0.5], np.stack([1 - chance[0, :, 0], chance[0, :, 0]], axis=-1),
         *(np.stack([1 - p, p], axis=-1) for p in chance[1:])],
    )


def microseconds(run: Callable[[], object], repeats: int = REPEATS) -> float:
    """Median CPU time of a call, after one that compiles."""
    run()
    times = []
    for _ in range(repeats):
        start = process_time()
        run()
        times.append(process_time() - start)
    return median(times) * 1e6


@pytest.mark.parametrize("source", ["structured", "independent"])
def test_speed_of_an_experiment(source):
    sizes, ours, plain, peers = [], [], {}, {}
    for seed in range(DATA_SETS):
        drawn, rng = network(source, seed), np.random.default_rng(seed)
        labels, columns = drawn.sample(ROWS, rng)
        table = packed.pack(columns, labels, [2] * ATTRIBUTES, 2)
        sizes.append([
            len(packed.grow(table, np.ones(ROWS, dtype=bool), prune=prune).attribute)
            for prune in (True, False)
        ])
        dealt = rng.permutation(ROWS) % FOLDS
        add_times_of_others(columns, labels, dealt, plain, peers)
        # what the book runs: draw a data set, deal it into folds ten times, train and test
        ours.append(microseconds(lambda: on_sources.correct_counts(
            rng, source=drawn, instances=ROWS, experiments=1, runs=RUNS, folds=FOLDS
        )))
    report(source, np.median(sizes, axis=0), ours, plain, peers)


def add_times_of_others(columns, labels, folds, plain, peers):
    """CPU times of one run of the plain learners, and of scikit-learn's, appended by name."""
    X = columns.T.copy()
    frame = pd.DataFrame(X).apply(lambda x: pd.Categorical(x, categories=[0, 1]))
    table = Table.from_frame(frame, pd.Series(labels))
    for name in ("naive_bayes", "c45"):
        plain.setdefault(name, []).append(microseconds(
            lambda: cross_validation.correct_counts(table, folds, learners=[name]), 1
        ))
    for learner in (
        BernoulliNB(),
        DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2),
    ):
        def run():
            for f in range(FOLDS):
                train, test = folds != f, folds == f
                learner.fit(X[train], labels[train]).score(X[test], labels[test])

        peers.setdefault(type(learner).__name__, []).append(microseconds(run, 1))


def report(source, sizes, engine, plain, peers):
    """Medians over the data sets."""
    trainings = 2 * RUNS * FOLDS
    ours = median(engine) / trainings
    print(
        f"\n{source} attributes, {ROWS} x {ATTRIBUTES}, trees of {sizes[0]:.0f} nodes "
        f"({sizes[1]:.0f} unpruned)\n  one data set, {RUNS} x {FOLDS} folds, both learners: "
        f"{median(engine) / 1000:.3f} ms (least {min(engine) / 1000:.3f})"
    )
    print(f"  {'bit sets, both learners':36} {1e6 / ours:10.0f} trainings/s")
    for name, times in (plain | peers).items():
        theirs = median(times) / FOLDS
        print(f"  {name:36} {1e6 / theirs:10.0f} trainings/s {theirs / ours:8.0f} x slower")


@pytest.mark.parametrize("rows", [1_000, 10_000, 100_000])
def test_speed_on_many_rows(rows):
    """One training and test of C4.5, beside the plain one."""
    labels, columns = network("structured", 1).sample(rows, np.random.default_rng(rows))
    table = packed.pack(columns, labels, [2] * ATTRIBUTES, 2)
    frame = pd.DataFrame(columns.T).apply(lambda x: pd.Categorical(x, categories=[0, 1]))
    plain = Table.from_frame(frame, pd.Series(labels))
    test = np.arange(rows) % 10 == 0
    print(f"\n{rows} rows, one training and test of C4.5, CPU ms")
    for name, run in {
        "bit sets": lambda: packed.correct_counts_of_splits(table, test, learners=[C45()]),
        "plain": lambda: cross_validation.correct_counts_of_splits(plain, test, learners=[C45()]),
    }.items():
        print(f"  {name:10} {microseconds(run, 3) / 1000:10.3f}")
