"""The nearest neighbour, as Weka's IBk finds it."""

from typing import NamedTuple

import numpy as np
from numba import njit

from replib.learners.base import TableClassifier
from replib.learners.table import Table


class _Model(NamedTuple):
    """The training rows and the range of each attribute in them."""

    values: np.ndarray  # (n_training, n_attributes), row-major: a distance reads whole rows
    labels: np.ndarray  # (n_training,)
    lowest: np.ndarray  # (n_attributes,) inf if no value is known
    highest: np.ndarray  # (n_attributes,) -inf if no value is known


class NearestNeighbour(TableClassifier):
    r"""One nearest neighbour.

    Agrees with Weka's ``IBk`` with k = 1.  The squared distance is a sum over the attributes.
    Numeric values are scaled by the range of the attribute in the training set to lie between 0
    and 1, and their squared difference counts (1 if both are missing; if one is, the largest
    difference that is possible within the range).  Nominal values count 0 if equal, 1 if they
    differ or are missing.

    All training rows at the smallest distance vote; class c has the probability

    .. math:: \frac{v_c + 1/n}{v + C/n}

    with :math:`v_c` of v votes, n training rows and C declared classes.

    Parameters
    ----------
    update_ranges : bool, default False
        Widen the ranges by each row before it is classified, and keep them so for the rows that
        follow, as Weka does.  Predictions then depend on the order of the rows.  Every call of
        `predict` starts from the ranges of the training set.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Declared classes, absent ones included.
    ranges_ : dict
        For each numeric attribute the lowest and highest training value, in its units.
    feature_names_in_ : ndarray of shape (n_attributes,)
        Names of the attributes.
    n_features_in_ : int
        Number of attributes.

    References
    ----------
    D. W. Aha, D. Kibler and M. K. Albert. Instance-based learning algorithms. Machine Learning
    6:37-66, 1991.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"size": [1.0, 2.0, 9.0]})
    >>> learner = NearestNeighbour().fit(X, ["small", "small", "large"])
    >>> learner.predict(pd.DataFrame({"size": [3.0, 8.0]})).tolist()
    ['small', 'large']
    """

    def __init__(self, *, update_ranges: bool = False):
        self.update_ranges = update_ranges

    def fit_table(self, table: Table, rows: np.ndarray) -> "NearestNeighbour":
        """As :meth:`TableClassifier.fit_table`."""
        if not isinstance(self.update_ranges, (bool, np.bool_)):
            raise ValueError(f"update_ranges must be True or False, not {self.update_ranges!r}")
        self._adopt(table)
        lowest, highest = _ranges(table.values, rows)
        self._model = _Model(
            np.ascontiguousarray(table.values[rows]), table.labels[rows], lowest, highest
        )
        return self

    def _probabilities(self, values: np.ndarray, rows: np.ndarray) -> np.ndarray:
        return _neighbour_probabilities(
            values, rows, self._attributes.cardinality, len(self.classes_), self._model,
            self.update_ranges,
        )

    @property
    def ranges_(self) -> dict[object, tuple[float, float]]:
        model, attributes = self._model, self._attributes
        return {
            name: (float(low), float(high))
            for name, low, high, n_values in zip(
                attributes.names, model.lowest, model.highest, attributes.cardinality
            )
            if n_values == 0
        }


@njit(cache=True)
def _ranges(values, rows):
    n_attributes = values.shape[1]
    lowest, highest = np.full(n_attributes, np.inf), np.full(n_attributes, -np.inf)
    for a in range(n_attributes):
        for row in rows:
            if values[row, a] < lowest[a]:
                lowest[a] = values[row, a]
            if values[row, a] > highest[a]:
                highest[a] = values[row, a]
    return lowest, highest


@njit(cache=True)
def _scaled(value, low, high):
    """Place of a number in its range; NaN stays NaN."""
    if np.isnan(value):
        return value
    return (value - low) / (high - low) if low < high else 0.0


@njit(cache=True)
def _largest_difference(known):
    """How far from a scaled value, or from a missing one, another in the range can lie."""
    return 1.0 if np.isnan(known) else max(known, 1 - known)


@njit(cache=True)
def _squared_distance(first, second, nominal, limit):
    """Sum over the attributes in their order; more than `limit` if that becomes clear on the way.

    The order and the absence of a square root matter: ties are judged on this very number.
    """
    total = 0.0
    for a in range(len(first)):
        if nominal[a]:
            if first[a] != second[a]:  # NaN, too, differs from everything
                total += 1.0
        else:
            difference = first[a] - second[a]
            if np.isnan(difference):
                difference = _largest_difference(second[a] if np.isnan(first[a]) else first[a])
            total += difference * difference
        if total > limit:
            break
    return total


@njit(cache=True, nogil=True)
def _neighbour_probabilities(values, rows, cardinality, n_classes, model, widen):
    n_training, n_attributes = model.values.shape
    nominal = cardinality > 0
    lowest, highest = model.lowest.copy(), model.highest.copy()
    training = np.empty((n_training, n_attributes))
    stale = ~nominal
    training[:] = model.values
    wanted = np.empty(n_attributes)
    votes = np.empty(n_classes)
    out = np.empty((len(rows), n_classes))
    for i in range(len(rows)):
        for a in range(n_attributes):
            wanted[a] = values[rows[i], a]
            if nominal[a]:
                continue
            if widen and (wanted[a] < lowest[a] or wanted[a] > highest[a]):
                lowest[a] = min(wanted[a], lowest[a])
                highest[a] = max(wanted[a], highest[a])
                stale[a] = True
            if stale[a]:
                for j in range(n_training):
                    training[j, a] = _scaled(model.values[j, a], lowest[a], highest[a])
                stale[a] = False
            wanted[a] = _scaled(wanted[a], lowest[a], highest[a])
        smallest = np.inf
        for j in range(n_training):
            distance = _squared_distance(wanted, training[j], nominal, smallest)
            if distance < smallest:
                smallest = distance
                votes[:] = 0.0
            if distance == smallest:
                votes[model.labels[j]] += 1
        out[i] = (votes + 1 / n_training) / (votes.sum() + n_classes / n_training)
    return out
