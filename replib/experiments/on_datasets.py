"""Experiments on a data set: split it at random, train, test, count what is right.

Each function is one experiment for :mod:`replib.experiments.engine`: it takes a random generator and plain
parameters, loads its data by name, and returns the numbers of correct test predictions.  Divided by
the sizes of the test sets (:func:`fold_sizes`, :func:`size_of_test_set`) they are accuracies.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from replib import datasets
from replib.learners.cross_validation import correct_counts, correct_counts_of_splits
from replib.learners.table import Table

#: The learners of the papers of 2004, in the order of the last axis of all counts.
LEARNERS = ("naive_bayes", "c45", "nearest_neighbour")


def cross_validation(
    rng: np.random.Generator, *, dataset: str, runs: int, folds: int,
    learners: Sequence[str] = LEARNERS, shuffled: bool = False,
) -> np.ndarray:
    """Repeated stratified cross-validation.

    Parameters
    ----------
    rng : Generator
    dataset : str
        A name of :func:`replib.datasets.names`.
    runs, folds : int
        The data are dealt anew into folds in each run.
    learners : sequence of str
    shuffled : bool
        Whether learners see the training instances in random order, a new one in each run, instead
        of in that of the data set.  The folds are the same either way.

    Returns
    -------
    ndarray of int, shape (runs, folds, learners)
        Correct predictions in each fold.
    """
    table = _table(dataset)
    dealt = np.stack([stratified_folds(table.labels, folds, rng) for _ in range(runs)])
    if not shuffled:
        return correct_counts(table, dealt, learners=list(learners))
    counts = []
    for run in dealt:
        order = rng.permutation(table.n_rows)
        counts.append(correct_counts(_ordered(table, order), run[order], learners=list(learners)))
    return np.stack(counts)


def resampling(
    rng: np.random.Generator, *, dataset: str, runs: int, test_percent: int, stratified: bool,
    learners: Sequence[str] = LEARNERS, shuffled: bool = False,
) -> np.ndarray:
    """Repeated random splits into a training and a test set.

    Parameters
    ----------
    rng : Generator
    dataset : str
        A name of :func:`replib.datasets.names`.
    runs : int
        Number of splits.
    test_percent : int
        Share of test instances in percent, see :func:`size_of_test_set`.
    stratified : bool
        Whether a test set has its share of each class, to within an instance.
    learners : sequence of str
    shuffled : bool
        As for :func:`cross_validation`.

    Returns
    -------
    ndarray of int, shape (runs, learners)
        Correct predictions in each test set.
    """
    table = _table(dataset)
    size = size_of_test_set(table.n_rows, test_percent)
    test = np.zeros((runs, table.n_rows), dtype=bool)
    for run in test:
        order = rng.permutation(table.n_rows)
        if stratified:
            order = order[np.argsort(table.labels[order], kind="stable")]
            # every (n / size)-th of the sorted instances, from a random start
            places = (rng.random() + np.arange(size)) * table.n_rows / size
            run[order[places.astype(int)]] = True
        else:
            run[order[:size]] = True
    if not shuffled:
        return correct_counts_of_splits(table, test, learners=list(learners))
    counts = []
    for run in test:
        order = rng.permutation(table.n_rows)
        counts.append(
            correct_counts_of_splits(_ordered(table, order), run[order], learners=list(learners))
        )
    return np.stack(counts)


def stratified_folds(labels: np.ndarray, folds: int, rng: np.random.Generator) -> np.ndarray:
    """Deal instances into folds so that every fold has its share of each class.

    The instances are shuffled, sorted by class, and dealt out in turn.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Classes.
    folds : int
    rng : Generator

    Returns
    -------
    ndarray of int, shape (n,)
        The fold of each instance; fold f has the size ``fold_sizes(n, folds)[f]``.

    Examples
    --------
    >>> labels = np.array([0] * 6 + [1] * 3)
    >>> dealt = stratified_folds(labels, 3, np.random.default_rng(0))
    >>> [np.bincount(labels[dealt == f]).tolist() for f in range(3)]
    [[2, 1], [2, 1], [2, 1]]
    """
    order = rng.permutation(len(labels))
    order = order[np.argsort(labels[order], kind="stable")]
    dealt = np.empty(len(labels), dtype=np.int64)
    dealt[order] = np.arange(len(labels)) % folds
    return dealt


def fold_sizes(n: int, folds: int) -> np.ndarray:
    """Sizes of the folds into which n instances are dealt.

    Examples
    --------
    >>> fold_sizes(11, 3).tolist()
    [4, 4, 3]
    """
    return np.bincount(np.arange(n) % folds, minlength=folds)


def size_of_test_set(n: int, test_percent: int) -> int:
    """Number of test instances of a random split: the share of n, rounded, at least one.

    Examples
    --------
    >>> size_of_test_set(150, 10), size_of_test_set(57, 10)
    (15, 6)
    """
    return max(1, round(n * test_percent / 100))


def _ordered(table: Table, order: np.ndarray) -> Table:
    """The same data set with its rows in another order."""
    return replace(table, columns=table.columns[:, order], labels=table.labels[order])


@lru_cache(maxsize=2)
def _table(dataset: str) -> Table:
    loaded = datasets.load(dataset)
    return Table.from_frame(loaded.X, loaded.y)
