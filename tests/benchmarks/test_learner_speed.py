"""Speed of the learners beside Weka and scikit-learn, in one run: prints, asserts no time.

    python -m pytest tests/benchmarks/test_learner_speed.py -m benchmarks -s
"""

from collections.abc import Callable
from pathlib import Path
from time import process_time

import numpy as np
import pytest
from sklearn.model_selection import cross_val_predict
from sklearn.tree import DecisionTreeClassifier

from companion.lab.datasets import names, read_arff
from companion.lab.learners import C45, LEARNERS, WEKA_LEARNERS, Table, correct_counts
from companion.lab.sources import random_network

pytestmark = pytest.mark.benchmarks

REPEATS = 3

# One 10-fold cross-validation of Weka's three learners over the same sets, in a warm JVM.
SECONDS_OF_WEKA = 2.2


@pytest.fixture(scope="module")
def tables(shared: Path) -> dict[str, Table]:
    """The 27 data sets."""
    found = {}
    for name in names():
        dataset = read_arff(shared / "uci" / f"{name}.arff")
        found[name] = Table.from_frame(dataset.X, dataset.y)
    return found


def ten_folds(table: Table, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).permutation(table.n_rows) % 10


def cpu_seconds(run: Callable[[], object]) -> float:
    """Least CPU time of a few calls, the first of which also loads compiled code."""
    run()
    times = []
    for _ in range(REPEATS):
        start = process_time()
        run()
        times.append(process_time() - start)
    return min(times)


def test_speed_of_cross_validation_over_the_27_sets(tables):
    print(f"\none 10-fold cross-validation of {len(tables)} data sets, CPU seconds")
    total = 0.0
    for name in WEKA_LEARNERS:
        seconds = {
            data: cpu_seconds(lambda: correct_counts(table, ten_folds(table), learners=[name]))
            for data, table in tables.items()
        }
        total += sum(seconds.values())
        slowest = max(seconds, key=seconds.get)
        print(f"  {name:20} {sum(seconds.values()):6.3f}  ({slowest}: {seconds[slowest]:.3f})")
    print(f"  {'together':20} {total:6.3f}  Weka about {SECONDS_OF_WEKA}")


@pytest.mark.parametrize("name", ["vehicle", "sonar", "vowel", "ionosphere"])
def test_speed_of_c45_beside_scikit_learn(tables, name):
    """A CART tree without missing values, the nearest thing that scikit-learn has."""
    table = tables[name]
    folds = ten_folds(table)
    ours = cpu_seconds(lambda: correct_counts(table, folds, learners=[C45(prune=False)]))
    splits = [(np.flatnonzero(folds != f), np.flatnonzero(folds == f)) for f in range(10)]
    tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2)
    peer = cpu_seconds(lambda: cross_val_predict(tree, table.columns.T, table.labels, cv=splits))
    print(f"\n10-fold cross-validation of {name}: C45 {ours:.3f} s, CART {peer:.3f} s")


def test_speed_on_a_sample_of_a_source():
    """All learners on 300 rows of ten binary attributes, as the sweeps train them."""
    network = random_network(seed=1, arrows=10)
    labels, columns = network.sample(300, np.random.default_rng(1))
    table = Table.from_codes(columns, labels, network.cardinality[1:], network.n_classes)
    print("\n270 rows of ten binary attributes, CPU microseconds to train and test on 30 more")
    for name in LEARNERS:
        seconds = cpu_seconds(lambda: correct_counts(table, ten_folds(table), learners=[name]))
        print(f"  {name:20} {seconds / 10 * 1e6:8.0f}")
