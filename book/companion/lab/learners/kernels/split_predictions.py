"""Predictions of naive Bayes, C4.5 and the nearest neighbour, split by split, compiled.

These are for experiments that need to know which rows are classified correctly, not
only how many. All attributes and the class are binary; the functions check nothing.
"""

import numpy as np

from companion.lab.compiled import njit
from companion.lab.learners.kernels.bits import WORD, lowest_bit
from companion.lab.learners.kernels.packed_c45 import learn_binary, predicted_label
from companion.lab.learners.kernels.packed_naive_bayes import (
    _likeliest,
    learn_naive_bayes,
)

#: The learners, in the order of the predictions.
LEARNERS = ("naive_bayes", "c45", "nearest_neighbour")


def by_distance(attributes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return all combinations of differing attributes, by number, and the end of each number.

    >>> [part.tolist() for part in by_distance(2)]
    [[0, 1, 2, 3], [1, 3, 4]]
    """
    flips = np.arange(2**attributes)
    distance = np.bitwise_count(flips)
    ends = np.bincount(distance).cumsum()
    return flips[np.argsort(distance, kind="stable")], ends


@njit
def _nearest(cell, votes, flips, ends):
    """Return the majority class of the nearest training rows, the first class in a tie."""
    first = 0
    for end in ends:
        first_class = 0
        second_class = 0
        for i in range(first, end):
            first_class += votes[cell ^ flips[i], 0]
            second_class += votes[cell ^ flips[i], 1]
        if first_class + second_class > 0:
            return 1 if second_class > first_class else 0
        first = end
    return 0


@njit(error_model="numpy", nogil=True)
def predict_splits(table, train, codes, test, place, memory, model, flips, ends, out):
    """Write the classes that each learner gives test rows after training on each set of rows.

    Parameters
    ----------
    table : PackedTable
        The training data.
    train : ndarray of uint64, shape (splits, words)
        Sets of its rows, none empty.
    codes : ndarray of int, shape (rows, attributes)
        Values of the rows to predict, of `table` or another, numbered over all
        attributes as in `companion.lab.learners.kernels.bits.unpack`.
    test : ndarray of uint64, shape (splits, words)
        Sets of these rows.
    place : ndarray of int, shape (splits,)
        Position of each split's predictions on the first axis of `out`.
    memory, model : Workspace, NaiveBayesModel
        For `table`.
    flips, ends : ndarray of int
        From :func:`by_distance`.
    out : ndarray of int8, shape (places, 3, rows)
        Overwritten for test rows only.
    """
    factors = model.factors
    prior = model.prior
    product = model.product
    attribute = memory.attribute
    first_child = memory.first_child
    counts = memory.counts
    first_value = table.first_value
    classes = table.classes
    n_attributes = codes.shape[1]
    cells = np.zeros(len(codes), dtype=np.int64)
    for a in range(n_attributes):
        for row in range(len(codes)):
            cells[row] = 2 * cells[row] + codes[row, a] - first_value[a]
    training_cells = np.zeros(table.n_rows, dtype=np.int64)
    for a in range(n_attributes):
        values = table.values[first_value[a] + 1]
        for row in range(table.n_rows):
            bit = (values[row // WORD] >> np.uint64(row % WORD)) & np.uint64(1)
            training_cells[row] = 2 * training_cells[row] + np.int64(bit)
    votes = np.empty((len(flips), 2), dtype=np.int64)
    known = np.empty(len(flips), dtype=np.int8)
    for s in range(len(train)):
        learn_naive_bayes(table, train[s], model)
        learn_binary(table, train[s], memory)
        votes[:] = 0
        known[:] = -1
        for w in range(train.shape[1]):
            for c in range(2):
                word = train[s, w] & classes[c, w]
                while word:
                    row = w * WORD + lowest_bit(word)
                    votes[training_cells[row], c] += 1
                    word &= word - np.uint64(1)
        predictions = out[place[s]]
        for w in range(test.shape[1]):
            word = test[s, w]
            while word:
                row = w * WORD + lowest_bit(word)
                word &= word - np.uint64(1)
                predictions[0, row] = _likeliest(row, codes, factors, prior, product)
                predictions[1, row] = predicted_label(
                    row, codes, first_value, attribute, first_child, counts
                )
                cell = cells[row]
                if known[cell] < 0:
                    known[cell] = _nearest(cell, votes, flips, ends)
                predictions[2, row] = known[cell]
