"""Speed of the learners on bit sets, scikit-learn's and the plain ones: see conftest.py."""

from collections.abc import Callable
from statistics import median
from time import process_time

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import BernoulliNB
from sklearn.tree import DecisionTreeClassifier

from companion.lab.experiments import on_sources
from companion.lab.learners import C45, Table, packed
from companion.lab.sources import BayesianNetwork

pytestmark = pytest.mark.benchmarks

ROWS, ATTRIBUTES, RUNS, FOLDS = 300, 10, 10, 10
REPEATS = 7


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
@pytest.mark.parametrize("experiments", [1, 20])
def test_an_experiment(beside, source, experiments):
    """As in the book: draw a data set, deal it into folds ten times, train and test."""
    drawn, rng = network(source, 1), np.random.default_rng(1)
    labels, columns = drawn.sample(ROWS, rng)
    # of numbers of eight bits, the sums in BernoulliNB can overflow
    X, y, dealt = columns.T.astype(float), labels.astype(int), rng.permutation(ROWS) % FOLDS
    learners = (BernoulliNB(), DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2))

    def one_run():
        for f in range(FOLDS):
            train, test = dealt != f, dealt == f
            for learner in learners:
                learner.fit(X[train], y[train]).score(X[test], y[test])

    beside(
        f"{RUNS} × {FOLDS} cross-validation of naive Bayes and C4.5, {ROWS} × {ATTRIBUTES} binary, "
        f"{source} attributes, {experiments} at a time",
        (lambda: on_sources.correct_counts(
            rng, source=drawn, instances=ROWS, experiments=experiments, runs=RUNS, folds=FOLDS
        ), experiments),
        {"scikit-learn (naive Bayes and CART)": (one_run, 1 / RUNS)}, repeats=REPEATS,
    )


@pytest.mark.parametrize("rows", [1_000, 10_000, 100_000])
def test_speed_on_many_rows(rows):
    """One training of C4.5, beside the plain one."""
    labels, columns = network("structured", 1).sample(rows, np.random.default_rng(rows))
    table = packed.pack(columns, labels, [2] * ATTRIBUTES, 2)
    frame = pd.DataFrame(columns.T).apply(lambda x: pd.Categorical(x, categories=[0, 1]))
    plain = Table.from_frame(frame, pd.Series(labels))
    test = np.arange(rows) % 10 == 0
    train = np.flatnonzero(~test)
    print(f"\n{rows} rows, one training of C4.5, CPU ms")
    for name, run in {
        "bit sets": lambda: packed.grow(table, ~test),
        "plain": lambda: C45().fit_table(plain, train),
    }.items():
        print(f"  {name:10} {microseconds(run, 3) / 1000:10.3f}")
