"""Naive Bayes on bit sets, compiled; the functions check nothing.

    learn_naive_bayes(table, train, model)           # `train` is a set of rows
    predict_naive_bayes(model, other, predicted)     # any table with the same attributes

Counts are whole numbers, so every probability is computed by the same operations as in
:mod:`companion.lab.learners.naive_bayes`, in the same order, and is equal to the last bit.
"""

from typing import NamedTuple

import numpy as np

from companion.lab.compiled import njit
from companion.lab.learners.kernels.bits import WORD, lowest_bit, popcount, unpack

# A row's product is scaled up when it falls below this.
_SMALLEST_PRODUCT = 1e-75


class NaiveBayesModel(NamedTuple):
    """Probabilities, and memory, of naive Bayes on tables with the same attributes."""

    factors: np.ndarray  # (n_values, n_classes) probability of a value in a class
    prior: np.ndarray  # (n_classes,)
    product: np.ndarray  # (n_classes,)


def empty_model(table) -> NaiveBayesModel:
    """Allocate memory for tables with the attributes and classes of this one."""
    n_classes = len(table.classes)
    return NaiveBayesModel(
        np.empty((len(table.values), n_classes)),
        np.empty(n_classes),
        np.empty(n_classes),
    )


@njit(error_model="numpy", _nrt=False)
def learn_naive_bayes(table, train, model):
    """Write prior and conditional probabilities from a set of rows, at least one."""
    values, classes, first_value = table.values, table.classes, table.first_value
    factors, prior = model.factors, model.prior
    n_classes, n_words = classes.shape
    n_training = 0
    for c in range(n_classes):
        n_class = 0
        for w in range(n_words):
            n_class += popcount(train[w] & classes[c, w])
        n_training += n_class
        prior[c] = n_class + 1
        for a in range(len(first_value) - 1):
            n_values, last = first_value[a + 1] - first_value[a], first_value[a + 1] - 1
            others = 0
            for v in range(first_value[a], last):
                count = 0
                for w in range(n_words):
                    count += popcount(train[w] & classes[c, w] & values[v, w])
                others += count
                factors[v, c] = (count + 1) / (n_class + n_values)
            factors[last, c] = (n_class - others + 1) / (n_class + n_values)
    for c in range(n_classes):
        prior[c] /= n_training + n_classes


@njit(error_model="numpy", _nrt=False)
def _multiply_and_scale(row, codes, factors, prior, product):
    """Multiply a row's probabilities in each class, scaling up whenever all products are small."""
    n_classes = len(prior)
    for c in range(n_classes):
        product[c] = prior[c]
    for a in range(codes.shape[1]):
        largest = 0.0
        for c in range(n_classes):
            product[c] *= factors[codes[row, a], c]
            largest = max(largest, product[c])
        if 0 < largest < _SMALLEST_PRODUCT:
            for c in range(n_classes):
                product[c] /= _SMALLEST_PRODUCT


@njit(inline="always")
def _likeliest(row, codes, factors, prior, product):
    """Return the first of the classes with the largest probability for a row."""
    n_classes = len(prior)
    largest = 0.0
    for c in range(n_classes):
        x = prior[c]
        for a in range(codes.shape[1]):
            x *= factors[np.uint64(codes[row, a]), c]
        product[c] = x
        largest = max(largest, x)
    if (
        largest < _SMALLEST_PRODUCT
    ):  # no factor is above 1, so otherwise it never was smaller
        _multiply_and_scale(row, codes, factors, prior, product)
    total = 0.0
    for c in range(n_classes):
        total += product[c]
    best = 0
    for c in range(1, n_classes):  # different products may be equal as probabilities
        if product[c] / total > product[best] / total:
            best = c
    return best


@njit(error_model="numpy", _nrt=False)
def _hits(test, codes, labels, model):
    """Count the rows of a set that are classified correctly."""
    factors, prior, product = model.factors, model.prior, model.product
    hits = 0
    for w in range(len(test)):
        word = test[w]
        while word:
            row = w * WORD + lowest_bit(word)
            word &= word - np.uint64(1)
            hits += _likeliest(row, codes, factors, prior, product) == labels[row]
    return hits


@njit(error_model="numpy", _nrt=False)
def _predict_rows(codes, model, out):
    factors, prior, product = model.factors, model.prior, model.product
    for row in range(len(out)):
        out[row] = _likeliest(row, codes, factors, prior, product)


@njit
def predict_naive_bayes(model, table, out):
    """Write the class that naive Bayes gives each row of a table, whose classes are ignored."""
    codes, _ = unpack(table)
    _predict_rows(codes, model, out)


@njit(nogil=True)
def count_correct_naive_bayes(table, train, test, model, correct):
    """Write how many test rows naive Bayes classifies correctly in each split.

    `train` and `test` are sets of rows, shape (n_splits, n_words), none empty.
    """
    codes, labels = unpack(table)
    for s in range(len(test)):
        learn_naive_bayes(table, train[s], model)
        correct[s] = _hits(test[s], codes, labels, model)
