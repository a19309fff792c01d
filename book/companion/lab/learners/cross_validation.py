"""Training and testing on many splits of one data set.

Naive Bayes and C4.5 count on bit sets where a table allows it (`Table.bits`), with the
same results, tens of times as fast on small tables.
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from companion.lab.learners.base import TableClassifier
from companion.lab.learners.c45 import C45
from companion.lab.learners.decision_stump import DecisionStump
from companion.lab.learners.kernels.bits import PackedTable, pack_masks
from companion.lab.learners.kernels.packed_c45 import (
    count_correct_any,
    count_correct_binary,
)
from companion.lab.learners.kernels.packed_naive_bayes import (
    count_correct_naive_bayes,
    empty_model,
)
from companion.lab.learners.naive_bayes import NaiveBayes
from companion.lab.learners.nearest_neighbour import NearestNeighbour
from companion.lab.learners.packed import workspace
from companion.lab.learners.scikit_learn import ScikitLearner
from companion.lab.learners.table import Table
from companion.lab.learners.tan import TAN
from replib._validation import check_choice

#: Learners by name, each with its defaults; the "first neighbour" is the nearest
#: neighbour for which only the first of several nearest rows votes.
LEARNERS: dict[str, Callable[[], TableClassifier]] = {
    "naive_bayes": NaiveBayes,
    "c45": C45,
    "nearest_neighbour": NearestNeighbour,
    "first_neighbour": partial(NearestNeighbour, ties="first"),
    "tan": TAN,
    "decision_stump": DecisionStump,
    "linear_svm": partial(ScikitLearner, "LinearSVC"),
}

#: Learners that take every kind of attribute and agree with Weka's.
WEKA_LEARNERS = ("naive_bayes", "c45", "nearest_neighbour")

Learners = Sequence[str | TableClassifier]


def correct_counts(
    table: Table, test_folds: ArrayLike, *, learners: Learners = WEKA_LEARNERS
) -> np.ndarray:
    """Count the correctly classified test rows in each fold of cross-validations.

    Parameters
    ----------
    table : Table
    test_folds : array_like of int, shape (runs, n_rows) or (n_rows,)
        The fold, counted from 0, in which each row is a test row; elsewhere it is a
        training row. At least two folds, none of them empty in any run.
    learners : sequence of str or TableClassifier
        Names in `LEARNERS`, or learners with other parameters, which are not changed.
        By default the three of `WEKA_LEARNERS`.

    Returns
    -------
    ndarray of int, shape (runs, folds, len(learners)), without the first axis if `test_folds` has
    one
        Counts; divide by the size of the fold for an accuracy.

    Raises
    ------
    ValueError
        If a learner is unknown.

    Examples
    --------
    >>> X = np.arange(12.0)[:, None]
    >>> table = Table.from_frame(X, X[:, 0] > 5)
    >>> correct_counts(table, [[0, 1, 2] * 4], learners=["c45", "nearest_neighbour"]).tolist()
    [[[4, 3], [4, 4], [3, 4]]]
    """
    test = masks_of_folds(np.asarray(test_folds))
    return correct_counts_of_splits(table, test, learners=learners)


def correct_counts_of_splits(
    table: Table, test: ArrayLike, *, learners: Learners = WEKA_LEARNERS
) -> np.ndarray:
    """Count the correctly classified test rows in each of any number of splits.

    Parameters
    ----------
    table : Table
    test : array_like of bool, shape (..., n_rows)
        Test rows of each split, at least one; it trains on the others, at least one.
    learners : sequence of str or TableClassifier
        As for :func:`correct_counts`.

    Returns
    -------
    ndarray of int, shape (..., len(learners))

    Raises
    ------
    ValueError
        If a learner is unknown.

    Examples
    --------
    >>> X = np.arange(12.0)[:, None]
    >>> table = Table.from_frame(X, X[:, 0] > 5)
    >>> test = np.arange(12) % 2 == 0
    >>> correct_counts_of_splits(table, test, learners=["c45"])
    array([6])
    """
    fresh, test = [_learner(learner) for learner in learners], np.asarray(test)
    correct = np.empty((*test.shape[:-1], len(fresh)), dtype=np.int64)
    for k, learner in enumerate(fresh):
        if table.bits is not None and isinstance(learner, (NaiveBayes, C45)):
            correct[..., k] = _correct_on_bit_sets(table.bits, test, learner)
            continue
        for split in np.ndindex(test.shape[:-1]):
            learner.fit_table(table, np.flatnonzero(~test[split]))
            predicted = learner.predict_table(table, np.flatnonzero(test[split]))
            correct[*split, k] = (predicted == table.labels[test[split]]).sum()
    return correct


def _correct_on_bit_sets(
    table: PackedTable, test: np.ndarray, learner: NaiveBayes | C45
) -> np.ndarray:
    test_sets = pack_masks(np.ascontiguousarray(test).reshape(-1, table.n_rows))
    train_sets = np.bitwise_or.reduce(table.classes) & ~test_sets
    correct = np.empty(len(test_sets), dtype=np.int64)
    if isinstance(learner, C45):
        memory = workspace(table, learner=learner)
        count = count_correct_binary if memory.is_binary else count_correct_any
        count(table, train_sets, test_sets, memory, correct)
    else:
        count_correct_naive_bayes(
            table, train_sets, test_sets, empty_model(table), correct
        )
    return correct.reshape(test.shape[:-1])


def masks_of_folds(folds: np.ndarray) -> np.ndarray:
    """Return the test rows of each fold, a mask of shape (..., folds, n_rows)."""
    return folds[..., None, :] == np.arange(folds.max() + 1)[:, None]


def _learner(learner: str | TableClassifier) -> TableClassifier:
    if isinstance(learner, TableClassifier):
        return clone(learner)
    check_choice("each of learners", learner, LEARNERS)
    return LEARNERS[learner]()
