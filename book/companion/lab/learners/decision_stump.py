"""The decision stump: one test, and the class frequencies in each of its branches."""

from math import log2
from typing import NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from companion.lab.compiled import njit
from companion.lab.learners.base import TableClassifier
from companion.lab.learners.table import Table

HOLDS, FAILS, MISSING = range(3)  # the branches

_TIE = 1e-9  # bits times rows: sums of logarithms that differ by less count as equal


class _Model(NamedTuple):
    """The test, and the class counts of the training rows in its branches."""

    attribute: int
    split: float  # value of a nominal attribute, threshold of a numeric one
    counts: np.ndarray  # (3, n_classes)
    class_counts: np.ndarray  # (n_classes,)


class DecisionStump(TableClassifier):
    """Decision tree with a single test.

    After Weka's ``DecisionStump``.  A test has three branches.  The test of a nominal attribute
    asks whether it has a certain value, that of a numeric one whether it is at most a threshold,
    midway between two neighbouring training values; rows with a missing value take the third
    branch.  The chosen test is the one whose branches have the least entropy of the class, weighted
    by their training rows; among equals, the first attribute and its first value or lowest
    threshold.  The probabilities of the classes are their shares in the branch, or in all training
    rows if no training row took the branch.

    Attributes
    ----------
    attribute_ : object
        Name of the attribute that is tested.
    split_ : object
        The tested value, or the threshold of a numeric attribute.
    counts_ : ndarray of shape (3, n_classes)
        Training rows of each class for which the test holds, fails, and cannot be answered.
    classes_ : ndarray of shape (n_classes,)
        Declared classes, absent ones included.
    feature_names_in_ : ndarray of shape (n_attributes,)
        Names of the attributes.
    n_features_in_ : int
        Number of attributes.

    Notes
    -----
    This class has not been compared with output of Weka.  As in Weka, a test may send all training
    rows down one branch; it means that there is no test, because none would reduce
    the entropy.

    References
    ----------
    W. Iba and P. Langley. Induction of one-level decision trees. ICML 1992.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({
    ...     "sky": pd.Categorical(["sun", "sun", "rain", "fog"]), "wind": [1.0, 5.0, 2.0, 4.0],
    ... })
    >>> learner = DecisionStump().fit(X, ["out", "out", "in", "in"])
    >>> learner.attribute_, learner.split_
    ('sky', 'sun')
    >>> learner.counts_.tolist()
    [[0.0, 2.0], [2.0, 0.0], [0.0, 0.0]]
    """

    def _learn(self, table: Table, rows: np.ndarray) -> None:
        self._model = _Model(*_train(
            table.columns, table.order, table.attributes.cardinality, table.labels,
            len(table.classes), rows,
        ))

    def _probabilities(self, columns: np.ndarray, rows: np.ndarray) -> np.ndarray:
        model = self._model
        known = model.counts.sum(axis=1, keepdims=True) > 0
        counts = np.where(known, model.counts, model.class_counts)
        shares = counts / counts.sum(axis=1, keepdims=True)
        values = columns[model.attribute, rows]
        nominal = self._attributes.cardinality[model.attribute] > 0
        holds = values == model.split if nominal else values <= model.split
        return shares[np.where(np.isnan(values), MISSING, np.where(holds, HOLDS, FAILS))]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # two branches for any number of classes
        return tags

    @property
    def attribute_(self) -> object:
        check_is_fitted(self)
        return self._attributes.names[self._model.attribute]

    @property
    def split_(self) -> object:
        check_is_fitted(self)
        declared = self._attributes.categories[self._model.attribute]
        return self._model.split if declared is None else declared[int(self._model.split)]

    @property
    def counts_(self) -> np.ndarray:
        check_is_fitted(self)
        return self._model.counts


@njit
def _entropy(counts):
    """Return the entropy of the classes in bits, times the number of rows."""
    total = n_log_n = 0.0
    for n in counts:
        if n > 0:
            total += n
            n_log_n += n * log2(n)
    return total * log2(total) - n_log_n if total > 0 else 0.0


@njit
def _divide(known, holds, counts):
    """Set the counts of the two branches of a test."""
    for c in range(len(known)):
        counts[HOLDS, c] = holds[c]
        counts[FAILS, c] = known[c] - holds[c]


@njit
def _best_value(column, n_values, labels, rows, n_classes):
    """Return the value whose test has the least entropy, the entropy, and counts by branch."""
    of_value, counts = np.zeros((n_values, n_classes)), np.zeros((3, n_classes))
    known = np.zeros(n_classes)
    for row in rows:
        if np.isnan(column[row]):
            counts[MISSING, labels[row]] += 1
        else:
            of_value[int(column[row]), labels[row]] += 1
            known[labels[row]] += 1
    best, least = 0, np.inf
    for value in range(n_values):
        _divide(known, of_value[value], counts)
        entropy = _entropy(counts[HOLDS]) + _entropy(counts[FAILS])
        if entropy < least - _TIE:
            best, least = value, entropy
    _divide(known, of_value[best], counts)
    return float(best), least + _entropy(counts[MISSING]), counts


@njit
def _best_threshold(column, order, in_training, labels, n_classes):
    """Do the same for a numeric attribute; if all values are equal, no row is below."""
    counts = np.zeros((3, n_classes))
    known, below, above = np.zeros(n_classes), np.zeros(n_classes), np.zeros(n_classes)
    for row in order:
        if in_training[row]:
            if np.isnan(column[row]):
                counts[MISSING, labels[row]] += 1
            else:
                known[labels[row]] += 1
                above[labels[row]] += 1
    best, least = -np.inf, _entropy(known)
    _divide(known, below, counts)
    found = False
    last = np.nan
    for row in order:
        value = column[row]
        if np.isnan(value):
            break
        if not in_training[row]:
            continue
        if value > last:
            entropy = _entropy(below) + _entropy(above)
            if not found or entropy < least - _TIE:
                best, least, found = last + (value - last) / 2, entropy, True
                _divide(known, below, counts)
        below[labels[row]] += 1
        above[labels[row]] -= 1
        last = value
    return best, least + _entropy(counts[MISSING]), counts


@njit(nogil=True)
def _train(columns, order, cardinality, labels, n_classes, rows):
    """Return the fields of a `_Model`."""
    in_training = np.zeros(columns.shape[1], dtype=np.bool_)
    class_counts = np.zeros(n_classes)
    for row in rows:
        in_training[row] = True
        class_counts[labels[row]] += 1
    best_attribute, best_split, least = 0, 0.0, np.inf
    best_counts = np.zeros((3, n_classes))
    for a in range(len(columns)):
        if cardinality[a] > 0:
            split, entropy, counts = _best_value(
                columns[a], cardinality[a], labels, rows, n_classes
            )
        else:
            split, entropy, counts = _best_threshold(
                columns[a], order[a], in_training, labels, n_classes
            )
        if entropy < least - _TIE:
            best_attribute, best_split, best_counts, least = a, split, counts, entropy
    return best_attribute, best_split, best_counts, class_counts
