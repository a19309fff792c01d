"""The nearest neighbour, as in Weka's IBk."""

from typing import NamedTuple

import numpy as np

from companion.lab.compiled import njit
from companion.lab.learners.base import TableClassifier
from companion.lab.learners.table import Table
from replib._validation import check_choice


class _Model(NamedTuple):
    """The training rows and the range of each attribute in them."""

    columns: np.ndarray  # (n_attributes, n_training)
    labels: np.ndarray  # (n_training,)
    lowest: np.ndarray  # (n_attributes,) inf if no value is known
    highest: np.ndarray  # (n_attributes,) -inf if no value is known


class NearestNeighbour(TableClassifier):
    r"""One nearest neighbour.

    Agrees with Weka's ``IBk`` with k = 1.  The squared distance is a sum over the
    attributes. Numeric values are scaled by the range of the attribute in the training
    set to lie between 0 and 1, and contribute their squared difference (1 if both are
    missing; if one is, the largest possible difference within the range).  Nominal
    values contribute 0 if they are equal, 1 if they differ or are missing.

    All training rows at the smallest distance vote, or only the first of them (`ties`);
    class c has the probability

    .. math:: \frac{v_c + 1/n}{v + C/n}

    with :math:`v_c` of v votes, n training rows and C declared classes.

    Parameters
    ----------
    ties : {"vote", "first"}, default "vote"
        Which of several nearest training rows vote: all of them, as in Weka today, or
        the first one, in the order in which they were given for training.
    update_ranges : bool, default False
        Widen the ranges by each row before it is classified, and keep them so for the
        following rows, as Weka does.  Predictions then depend on the order of the rows.
        Every call of `predict` starts with the ranges of the training set.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Declared classes, absent ones included.
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

    def __init__(self, *, ties: str = "vote", update_ranges: bool = False):
        self.ties = ties
        self.update_ranges = update_ranges

    def _learn(self, table: Table, rows: np.ndarray) -> None:
        check_choice("ties", self.ties, ("vote", "first"))
        if not isinstance(self.update_ranges, (bool, np.bool_)):
            raise ValueError(
                f"update_ranges must be True or False, not {self.update_ranges!r}"
            )
        lowest, highest = _ranges(table.columns, rows)
        self._model = _Model(
            table.columns.take(rows, axis=1), table.labels[rows], lowest, highest
        )

    def _probabilities(self, columns: np.ndarray, rows: np.ndarray) -> np.ndarray:
        return _neighbour_probabilities(
            columns,
            rows,
            self._attributes.cardinality,
            len(self.classes_),
            self._model,
            self.ties == "first",
            bool(self.update_ranges),
        )


@njit
def _ranges(columns, rows):
    n_attributes = len(columns)
    lowest, highest = np.full(n_attributes, np.inf), np.full(n_attributes, -np.inf)
    for a in range(n_attributes):
        for row in rows:
            if columns[a, row] < lowest[a]:
                lowest[a] = columns[a, row]
            if columns[a, row] > highest[a]:
                highest[a] = columns[a, row]
    return lowest, highest


@njit
def _scaled(value, low, high):
    """Return the position of a number in its range; NaN stays NaN."""
    if np.isnan(value):
        return value
    return (value - low) / (high - low) if low < high else 0.0


@njit
def _largest_difference(known):
    """Return the largest distance of a number in the range from a scaled, or missing, value."""
    return 1.0 if np.isnan(known) else max(known, 1 - known)


@njit
def _add_numeric(value, column, distances):
    """Add the squared differences of a scaled number to those in a column."""
    if np.isnan(value):
        for j in range(len(column)):
            difference = _largest_difference(column[j])
            distances[j] += difference * difference
    else:
        if_missing = _largest_difference(value)
        for j in range(len(column)):
            difference = value - column[j]
            difference = if_missing if np.isnan(difference) else difference
            distances[j] += difference * difference


@njit
def _add_nominal(value, column, distances):
    """Add 1 wherever a column does not hold the value; NaN also differs from everything."""
    for j in range(len(column)):
        distances[j] += 1.0 if value != column[j] else 0.0


@njit
def _scale(column, lowest, highest, scaled):
    """Fill an array with the scaled numbers of a column."""
    for j in range(len(column)):
        scaled[j] = _scaled(column[j], lowest, highest)


@njit
def _vote(distances, labels, only_first, votes):
    """Count the votes of the nearest rows, or of the first of them, and return their number."""
    smallest = np.inf
    for distance in distances:
        smallest = min(distance, smallest)
    votes[:] = 0.0
    n_votes = 0
    for j in range(len(distances)):
        if distances[j] == smallest:
            votes[labels[j]] += 1
            n_votes += 1
            if only_first:
                break
    return n_votes


@njit(nogil=True)
def _neighbour_probabilities(
    columns, rows, cardinality, n_classes, model, only_first, widen
):
    n_attributes, n_training = model.columns.shape
    lowest, highest = model.lowest.copy(), model.highest.copy()
    training = model.columns.copy()
    # whether a numeric attribute must be scaled again
    stale = np.ones(n_attributes, dtype=np.bool_)
    distances = np.empty(n_training)
    votes = np.empty(n_classes)
    out = np.empty((len(rows), n_classes))
    for i in range(len(rows)):
        # Attribute by attribute over all training rows at once.  A square root, or
        # another order of the sum, would change which distances are exactly equal.
        for j in range(n_training):
            distances[j] = 0.0
        for a in range(n_attributes):
            value = columns[a, rows[i]]
            if cardinality[a] > 0:
                _add_nominal(value, training[a], distances)
                continue
            if widen and (value < lowest[a] or value > highest[a]):
                lowest[a] = min(value, lowest[a])
                highest[a] = max(value, highest[a])
                stale[a] = True
            if stale[a]:
                _scale(model.columns[a], lowest[a], highest[a], training[a])
                stale[a] = False
            _add_numeric(_scaled(value, lowest[a], highest[a]), training[a], distances)
        n_votes = _vote(distances, model.labels, only_first, votes)
        for c in range(n_classes):
            out[i, c] = (votes[c] + 1 / n_training) / (n_votes + n_classes / n_training)
    return out
