"""Naive Bayes with normal distributions for numeric attributes, as in Weka."""

from math import erf, erfc, sqrt
from typing import NamedTuple

import numpy as np

from companion.lab.compiled import njit
from companion.lab.learners.base import TableClassifier
from companion.lab.learners.table import Table

# Weka's constants.
_DEFAULT_PRECISION = (
    0.01  # for an attribute with fewer than two distinct training values
)
_SMALLEST_FACTOR = 1e-75  # limits the evidence of a single attribute against a class
_DEVIATIONS_PER_PRECISION = (
    6.0  # a standard deviation is at least the precision divided by this
)


class _Model(NamedTuple):
    """Counts and moments of the training rows."""

    class_counts: np.ndarray  # (n_classes,)
    value_counts: (
        np.ndarray
    )  # (sum of cardinalities, n_classes), attributes one after the other
    first_value: (
        np.ndarray
    )  # (n_attributes,) position of each attribute's values in value_counts
    known: np.ndarray  # (n_attributes, n_classes) rows with a value
    precision: np.ndarray  # (n_attributes,) of numeric attributes
    mean: np.ndarray  # (n_attributes, n_classes)
    deviation: np.ndarray  # (n_attributes, n_classes)


class NaiveBayes(TableClassifier):
    r"""Naive Bayes classifier.

    Agrees with Weka's ``NaiveBayes``.  The probability of a class is proportional to

    .. math::

       \frac{n_c + 1}{n + C} \prod_j p_j(x_j \mid c)

    over the attributes j whose value is known, with :math:`n_c` of the n training rows
    in class c and C declared classes.  For a nominal attribute :math:`p_j` is the
    Laplace estimate.  For a numeric one it is the probability that a normal variable
    lies within half a *precision* of the value.  The precision is the mean gap between
    neighbouring distinct training values, and values are first rounded to a multiple of
    it.  The normal distribution has the mean and the standard deviation (divisor
    :math:`n_c`, at least a sixth of the precision) of the class.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Declared classes, absent ones included.
    model_ : tuple
        Its `class_counts`, training rows of each class, of shape (n_classes,);
        `value_counts`, those of each value of the nominal attributes, one attribute
        after the other; and of numeric attributes `precision`, and `mean` and
        `deviation` in each class.
    feature_names_in_ : ndarray of shape (n_attributes,)
        Names of the attributes.
    n_features_in_ : int
        Number of attributes.

    Notes
    -----
    Weka takes the difference of two normal distribution functions, which far above the mean is a
    difference of two numbers close to one; this class does the same, to agree.  Where nothing is
    left of the difference, as with any factor below 1e-75, the factor is 1e-75.

    References
    ----------
    G. H. John and P. Langley. Estimating continuous distributions in Bayesian classifiers.
    UAI 1995.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"sky": pd.Categorical(["sun", "sun", "rain", "rain"])})
    >>> learner = NaiveBayes().fit(X, ["out", "out", "in", "out"])
    >>> learner.predict(X).tolist()
    ['out', 'out', 'out', 'out']
    >>> learner.predict_proba(X)[:, 0].round(3).tolist()
    [0.217, 0.217, 0.455, 0.455]
    """

    def _learn(self, table: Table, rows: np.ndarray) -> None:
        n_attributes, n_classes = len(table.columns), len(table.classes)
        cardinality = table.attributes.cardinality
        self.model_ = _Model(
            np.zeros(n_classes),
            np.zeros((cardinality.sum(), n_classes)),
            np.cumsum(cardinality) - cardinality,
            np.zeros((n_attributes, n_classes)),
            np.zeros(n_attributes),
            *np.zeros((2, n_attributes, n_classes)),
        )
        _count(table.columns, table.order, cardinality, table.labels, rows, self.model_)

    def _probabilities(self, columns: np.ndarray, rows: np.ndarray) -> np.ndarray:
        counts = self.model_.class_counts
        prior = (counts + 1) / (counts.sum() + len(counts))
        out = np.tile(prior, (len(rows), 1))
        values, cardinality = columns[:, rows], self._attributes.cardinality
        numeric = cardinality == 0
        precision = self.model_.precision[numeric, None]
        values[numeric] = np.rint(values[numeric] / precision) * precision
        # Equal values one after the other: the factors of each are computed only once.
        _multiply(values, values.argsort(axis=1), cardinality, self.model_, out)
        return (
            out / out.cumsum(axis=1)[:, -1:]
        )  # unlike `sum`, adds one class after the other


@njit
def _precision(column, order, in_training):
    """Return the mean gap between neighbouring distinct values."""
    total, n_gaps = 0.0, 0
    last = np.nan
    for row in order:
        value = column[row]
        if np.isnan(value):
            break
        if in_training[row] and value != last:
            if not np.isnan(last):
                total += value - last
                n_gaps += 1
            last = value
    return total / n_gaps if n_gaps else _DEFAULT_PRECISION


@njit
def _rounded(value, precision):
    return np.rint(value / precision) * precision


@njit(nogil=True)
def _count(columns, order, cardinality, labels, rows, model):
    """Fill a model of zeros."""
    n_attributes, n_rows = columns.shape
    first_value = model.first_value
    in_training = np.zeros(n_rows, dtype=np.bool_)
    for row in rows:
        in_training[row] = True
        model.class_counts[labels[row]] += 1
    for a in range(n_attributes):
        if cardinality[a] > 0:
            values = model.value_counts[first_value[a] :]
            _count_values(columns[a], labels, rows, model.known[a], values)
        else:
            precision = _precision(columns[a], order[a], in_training)
            model.precision[a] = precision
            _fit_normal(columns[a], labels, rows, precision, a, model)


@njit
def _count_values(column, labels, rows, known, value_counts):
    """Count the values of a nominal attribute in each class."""
    for row in rows:
        if not np.isnan(column[row]):
            known[labels[row]] += 1
            value_counts[int(column[row]), labels[row]] += 1


@njit
def _fit_normal(column, labels, rows, precision, a, model):
    """Fit a normal distribution to a numeric attribute in each class."""
    known, mean, deviation = model.known[a], model.mean[a], model.deviation[a]
    for row in rows:
        if not np.isnan(column[row]):
            known[labels[row]] += 1
            mean[labels[row]] += _rounded(column[row], precision)
    for c in range(len(known)):
        mean[c] /= max(known[c], 1)
    for row in rows:
        if not np.isnan(column[row]):
            distance = _rounded(column[row], precision) - mean[labels[row]]
            deviation[labels[row]] += distance * distance
    least = precision / _DEVIATIONS_PER_PRECISION
    for c in range(len(known)):
        deviation[c] = max(sqrt(deviation[c] / max(known[c], 1)), least)


@njit
def _normal_cdf(z):
    # Above the mean: one minus the other tail, not the more precise erfc(-z) / 2; see
    # the Notes.
    if abs(z) < sqrt(2):
        return 0.5 + 0.5 * erf(z / sqrt(2))
    tail = 0.5 * erfc(abs(z) / sqrt(2))
    return 1 - tail if z > 0 else tail


@njit
def _set_factors(a, value, n_values, model, factors):
    """Set the probability of an attribute's value, rounded if numeric, in each class."""
    for c in range(len(factors)):
        if n_values > 0:
            count = model.value_counts[model.first_value[a] + int(value), c]
            factor = (count + 1) / (model.known[a, c] + n_values)
        else:
            half = model.precision[a] / 2
            distance = value - model.mean[a, c]
            deviation = model.deviation[a, c]
            factor = _normal_cdf((distance + half) / deviation) - _normal_cdf(
                (distance - half) / deviation
            )
        factors[c] = max(factor, _SMALLEST_FACTOR)


@njit(nogil=True)
def _multiply(values, order, cardinality, model, out):
    """Multiply prior probabilities, shape (rows, n_classes), by those of the attributes' values.

    `order` sorts the rows by each attribute.
    """
    n_classes = out.shape[1]
    factors = np.empty(n_classes)
    for a in range(len(values)):
        last = np.nan
        for i in order[a]:
            value = values[a, i]
            if np.isnan(value):
                continue
            if value != last:
                _set_factors(a, value, cardinality[a], model, factors)
                last = value
            largest = 0.0
            for c in range(n_classes):
                out[i, c] *= factors[c]
                largest = max(largest, out[i, c])
            if 0 < largest < _SMALLEST_FACTOR:
                for c in range(n_classes):
                    out[i, c] /= _SMALLEST_FACTOR
