"""Experiments on a data set: split it at random, train, test, count correct predictions.

Each function is one experiment for :mod:`companion.lab.experiments.runner`: it takes a
random generator and plain parameters, loads its data by name, and returns the numbers
of correct test predictions. Divided by the sizes of the test sets
(:mod:`companion.lab.experiments.splits`) they are accuracies.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

import numpy as np

from companion.lab import datasets
from companion.lab.experiments.splits import (
    size_of_test_set,
    stratified_folds,
    test_set,
)
from companion.lab.learners.cross_validation import (
    correct_counts,
    correct_counts_of_splits,
)
from companion.lab.learners.table import Table

#: The learners of the papers of 2004, in the order of the last axis of all counts.
LEARNERS = ("naive_bayes", "c45", "nearest_neighbour")


def cross_validation(
    rng: np.random.Generator,
    *,
    dataset: str,
    runs: int,
    folds: int,
    learners: Sequence[str] = LEARNERS,
    shuffled: bool = False,
    grouped: bool = False,
) -> np.ndarray:
    """Run repeated stratified cross-validation.

    Parameters
    ----------
    rng : Generator
    dataset : str
        A name of :func:`companion.lab.datasets.names`.
    runs, folds : int
        In each run the data are dealt into folds again; at least 1, and 2 to their
        number.
    learners : sequence of str
        Names in `companion.lab.learners.LEARNERS`.
    shuffled : bool
        Whether learners see the training instances in random order, a new one in each
        run, instead of that of the data set.  The folds are the same either way.
    grouped : bool
        Whether shuffled instances then come fold by fold and, within a fold, by class
        in order of appearance, as in Weka's stratified cross-validation.

    Returns
    -------
    ndarray of int, shape (runs, folds, learners)
        Correct predictions in each fold.

    Examples
    --------
    >>> import os
    >>> rng = np.random.default_rng(0)
    >>> if os.environ.get(datasets.FOLDER_VARIABLE):
    ...     counts = cross_validation(rng, dataset="iris", runs=2, folds=3, learners=["c45"])
    ...     assert counts.shape == (2, 3, 1)
    """
    table = _table(dataset)
    dealt = stratified_folds(table.labels, folds, rng, runs=runs)
    if not shuffled:
        return correct_counts(table, dealt, learners=learners)
    counts = []
    for run in dealt:
        order = rng.permutation(table.n_rows)
        if grouped:
            order = _fold_by_fold(order, run, table.labels)
        counts.append(
            correct_counts(_ordered(table, order), run[order], learners=learners)
        )
    return np.stack(counts)


def resampling(
    rng: np.random.Generator,
    *,
    dataset: str,
    runs: int,
    test_percent: int,
    stratified: bool,
    learners: Sequence[str] = LEARNERS,
    shuffled: bool = False,
) -> np.ndarray:
    """Run repeated random splits into a training and a test set.

    Parameters
    ----------
    rng : Generator
    dataset : str
        A name of :func:`companion.lab.datasets.names`.
    runs : int
        Number of splits.
    test_percent : int
        Percentage of test instances, from 1 to 99; see
        :func:`companion.lab.experiments.splits.size_of_test_set`.
    stratified : bool
        Whether a test set contains its share of each class, to within an instance.
    learners : sequence of str
    shuffled : bool
        As for :func:`cross_validation`.

    Returns
    -------
    ndarray of int, shape (runs, learners)
        Correct predictions in each test set.

    Examples
    --------
    >>> import os
    >>> rng = np.random.default_rng(0)
    >>> if os.environ.get(datasets.FOLDER_VARIABLE):
    ...     counts = resampling(rng, dataset="iris", runs=2, test_percent=10, stratified=True)
    ...     assert counts.shape == (2, 3)
    """
    table = _table(dataset)
    size = size_of_test_set(table.n_rows, Fraction(test_percent, 100))
    test = np.stack(
        [test_set(table.labels, size, rng, stratified=stratified) for _ in range(runs)]
    )
    if not shuffled:
        return correct_counts_of_splits(table, test, learners=learners)
    counts = []
    for run in test:
        order = rng.permutation(table.n_rows)
        counts.append(
            correct_counts_of_splits(
                _ordered(table, order), run[order], learners=learners
            )
        )
    return np.stack(counts)


def _fold_by_fold(
    order: np.ndarray, folds: np.ndarray, labels: np.ndarray
) -> np.ndarray:
    """Sort instances by fold, then by class in order of appearance, then in the given order."""
    met = labels[order]
    appears = np.array([np.argmax(met == label) for label in range(labels.max() + 1)])
    return order[np.lexsort((appears[met], folds[order]))]


def _ordered(table: Table, order: np.ndarray) -> Table:
    """Return the same data set with its rows in another order."""
    return replace(table, columns=table.columns[:, order], labels=table.labels[order])


@lru_cache(maxsize=2)
def _table(dataset: str) -> Table:
    loaded = datasets.load(dataset)
    return Table.from_frame(loaded.X, loaded.y)
