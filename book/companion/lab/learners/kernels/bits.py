"""Sets of rows as bits, compiled: row r is in the set if bit r % 64 of word r // 64 is 1.

Nominal data without missing values are such sets, one per value of each attribute and
one per class (`PackedTable`).  A training set, a fold and the rows at a node of a tree
are also sets, and the learners need only the numbers of rows in intersections.  The
functions check nothing.
"""

from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from companion.lab.compiled import njit

WORD = 64  # bits of a word


class PackedTable(NamedTuple):
    """Nominal data as bit sets; the bits beyond the last row are 0."""

    values: (
        np.ndarray
    )  # uint64 (n_values, n_words): rows with each value, of all attributes
    first_value: (
        np.ndarray
    )  # (n_attributes + 1,) position where each attribute's values begin
    classes: np.ndarray  # uint64 (n_classes, n_words): rows of each class
    n_rows: int


@intrinsic
def popcount(typingctx, word):
    """Return the number of bits that are set in a word."""
    if word != types.uint64:
        return None

    def codegen(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), codegen


@intrinsic
def lowest_bit(typingctx, word):
    """Return the position of the lowest bit that is set in a word, 64 if none is."""
    if word != types.uint64:
        return None

    def codegen(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), codegen


@njit
def n_words_of(n_rows):
    """Return the number of words in a set of rows."""
    return (n_rows + WORD - 1) // WORD


@njit
def add_row(rows, row):
    """Add a row to a set."""
    rows[row // WORD] |= np.uint64(1) << np.uint64(row % WORD)


@njit
def pack_rows(columns, labels, cardinality, n_classes):
    """Return the `PackedTable` of whole numbers, which are not checked.

    Parameters
    ----------
    columns : ndarray of int, shape (n_attributes, n_rows)
        Values, from 0 to one less than the attribute's cardinality.
    labels : ndarray of int, shape (n_rows,)
        Classes, from 0 to `n_classes` - 1.
    cardinality : ndarray of int, shape (n_attributes,)
    n_classes : int
    """
    n_attributes, n_rows = columns.shape
    first_value = np.zeros(n_attributes + 1, dtype=np.int64)
    for a in range(n_attributes):
        first_value[a + 1] = first_value[a] + cardinality[a]
    values = np.zeros((first_value[-1], n_words_of(n_rows)), dtype=np.uint64)
    classes = np.zeros((n_classes, n_words_of(n_rows)), dtype=np.uint64)
    for a in range(n_attributes):
        for row in range(n_rows):
            add_row(values[first_value[a] + columns[a, row]], row)
    for row in range(n_rows):
        add_row(classes[labels[row]], row)
    return PackedTable(values, first_value, classes, n_rows)


@njit
def pack_masks(masks):
    """Return bit sets, shape (n_masks, n_words), of boolean masks of shape (n_masks, n_rows)."""
    n_masks, n_rows = masks.shape
    packed = np.zeros((n_masks, n_words_of(n_rows)), dtype=np.uint64)
    for i in range(n_masks):
        for row in range(n_rows):
            if masks[i, row]:
                add_row(packed[i], row)
    return packed


@njit
def pack_folds(test_folds, n_folds):
    """Return bit sets of the rows in each fold of each run, shape (runs * n_folds, n_words).

    `test_folds`, shape (runs, n_rows), gives the fold of each row.
    """
    runs, n_rows = test_folds.shape
    packed = np.zeros((runs * n_folds, n_words_of(n_rows)), dtype=np.uint64)
    for run in range(runs):
        for row in range(n_rows):
            add_row(packed[run * n_folds + test_folds[run, row]], row)
    return packed


@njit
def unpack(table):
    """Return the values of each row, numbered over all attributes, and its class."""
    n_words = table.values.shape[1]
    codes = np.empty((table.n_rows, len(table.first_value) - 1), dtype=np.int32)
    labels = np.empty(table.n_rows, dtype=np.int32)
    for a in range(len(table.first_value) - 1):
        for v in range(table.first_value[a], table.first_value[a + 1]):
            for w in range(n_words):
                word = table.values[v, w]
                while word:
                    codes[w * WORD + lowest_bit(word), a] = v
                    word &= word - np.uint64(1)
    for c in range(len(table.classes)):
        for w in range(n_words):
            word = table.classes[c, w]
            while word:
                labels[w * WORD + lowest_bit(word)] = c
                word &= word - np.uint64(1)
    return codes, labels
