"""Speed of the learners compared with Weka and scikit-learn: see conftest.py."""

import os
import subprocess
import sys
from pathlib import Path
from statistics import median

import numpy as np
import pytest
from sklearn.model_selection import cross_val_predict
from sklearn.tree import DecisionTreeClassifier

from companion.lab.datasets import names, read_arff
from companion.lab.learners import C45, LEARNERS, WEKA_LEARNERS, Table, correct_counts
from companion.lab.sources import random_network

pytestmark = pytest.mark.benchmarks

REPEATS = 3


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


# What is measured below, as a program.
OURS = """
import sys
import numpy as np
from companion.lab.datasets import read_arff
from companion.lab.learners import Table, correct_counts
for file in sys.argv[1:]:
    dataset = read_arff(file)
    table = Table.from_frame(dataset.X, dataset.y)
    correct_counts(table, np.random.default_rng(1).permutation(table.n_rows) % 10)
"""


def test_the_27_sets_beside_weka(beside, run_program, whole, shared, tables, tmp_path):
    """Read the files, train and test; with WEKA_JAR, the file of Weka 3.6, it does the same.

    Its time is the median of a warm virtual machine.
    """
    work = "27 UCI data sets, read and 10-fold cross-validated with three learners"
    jar = os.environ.get("WEKA_JAR")
    files = [str(shared / "uci" / f"{name}.arff") for name in tables]
    measured = {}
    if jar:
        program = Path(__file__).with_name("CrossValidation.java")
        subprocess.run(["javac", "-cp", jar, "-d", str(tmp_path), str(program)], check=True)
        java = ["java", "-cp", f"{jar}:{tmp_path}", program.stem, *files]
        name, python = f"Weka ({Path(jar).stem})", [sys.executable, "-c", OURS, *files]
        times, memory = run_program(java)
        measured[name] = median(map(float, times))
        least = min(run_program(python)[1] for _ in range(2))
        whole(f"whole program: {work}", least, {name: memory})

    def ours():
        for file in files:
            dataset = read_arff(file)
            table = Table.from_frame(dataset.X, dataset.y)
            correct_counts(table, ten_folds(table), learners=WEKA_LEARNERS)

    beside(work, (ours, 1), {}, measured=measured)


def test_the_27_sets_by_learner(milliseconds_of, tables):
    """CPU milliseconds of each learner, data sets read and packed before."""
    print(f"\none 10-fold cross-validation of {len(tables)} data sets, CPU milliseconds")
    for name in WEKA_LEARNERS:
        times = milliseconds_of({
            data: lambda table=table: correct_counts(table, ten_folds(table), learners=[name])
            for data, table in tables.items()
        }, REPEATS)
        slowest = max(times, key=times.get)
        print(f"  {name:20} {sum(times.values()):6.0f}  ({slowest}: {times[slowest]:.0f})")


@pytest.mark.parametrize("name", ["vehicle", "sonar", "vowel", "ionosphere"])
def test_c45_beside_cart(beside, tables, name):
    """A tree without missing values or pruning, the nearest thing that scikit-learn has."""
    table = tables[name]
    folds = ten_folds(table)
    splits = [(np.flatnonzero(folds != f), np.flatnonzero(folds == f)) for f in range(10)]
    tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2)
    beside(
        f"10-fold cross-validation of an unpruned tree on {name}",
        (lambda: correct_counts(table, folds, learners=[C45(prune=False)]), 1),
        {"scikit-learn (CART)": (
            lambda: cross_val_predict(tree, table.columns.T, table.labels, cv=splits), 1
        )},
    )


def test_a_sample_of_a_source(milliseconds_of):
    """All learners on 300 rows of ten binary attributes, as the sweeps train them."""
    network = random_network(seed=1, arrows=10)
    labels, columns = network.sample(300, np.random.default_rng(1))
    table = Table.from_codes(columns, labels, network.cardinality[1:], network.n_classes)
    print("\n10-fold cross-validation of 300 rows of ten binary attributes, CPU milliseconds")
    for name, time in milliseconds_of({
        name: lambda name=name: correct_counts(table, ten_folds(table), learners=[name])
        for name in LEARNERS
    }, REPEATS).items():
        print(f"  {name:20} {time:8.2f}")
