"""Tree augmented naive Bayes: each attribute may depend on one other besides the class."""

from math import log
from typing import NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from companion.lab.compiled import njit
from companion.lab.learners.base import TableClassifier
from companion.lab.learners.table import Table

ROOT = -1  # parent of the attribute that depends only on the class

_PSEUDO_COUNT = 0.5  # added to each count, as Weka's SimpleEstimator does by default
_TIE = 1e-9  # nats times rows: sums of logarithms that differ by less count as equal


class _Model(NamedTuple):
    """The tree, and the probabilities along it."""

    parent: np.ndarray  # (n_attributes,) position of an attribute, or ROOT
    prior: np.ndarray  # (n_classes,)
    first: np.ndarray  # (n_attributes,) start of each attribute's tables in conditional
    conditional: np.ndarray  # (rows, n_classes); attribute a with value x, its parent with u:
    #                           row first[a] + u * cardinality[a] + x


class TAN(TableClassifier):
    r"""Tree augmented naive Bayes for nominal attributes without missing values.

    The attributes form a tree, rooted at the first one.  The link between a pair has as weight its
    mutual information given the class in the training rows,

    .. math::

       I(X; Y \mid C) = \sum_{x, y, c} \frac{n_{xyc}}{n} \log \frac{n_{xyc} \, n_c}{n_{xc} \,
       n_{yc}},

    and the tree has the largest sum of weights, which maximises the likelihood among all trees.
    The probability of a class is proportional to

    .. math:: p(c) \prod_j p(x_j \mid u_j, c)

    with :math:`u_j` the value of the parent of attribute j.  Each factor is a relative frequency
    after adding 1/2 to every count, so :math:`p(x \mid u, c) = (n_{xuc} + 1/2) / (n_{uc}
    + k/2)` with k declared values of the attribute.

    Attributes
    ----------
    parent_ : dict
        For each attribute the name of its parent; None for the root.
    conditional_ : dict
        For each attribute :math:`p(x \mid u, c)`, shape (n_values_of_parent, n_values, n_classes);
        the root has a parent with one value.
    prior_ : ndarray of shape (n_classes,)
        p(c).
    classes_ : ndarray of shape (n_classes,)
        Declared classes, absent ones included.
    feature_names_in_ : ndarray of shape (n_attributes,)
        Names of the attributes.
    n_features_in_ : int
        Number of attributes.

    Notes
    -----
    A pseudo count of one half is the default of the estimator of Weka's ``BayesNet``.  In its
    search for the tree Weka compares scores of a network, whereas this class compares mutual
    information, so Weka may choose another tree; this class has not been compared with output of
    Weka's TAN.  Because of the pseudo counts, the probabilities depend slightly on which attribute
    is the root.  Among equally good trees, the one is taken that Prim's algorithm finds when it
    starts at the first attribute and prefers, among equal links, that to the first attribute.

    References
    ----------
    N. Friedman, D. Geiger and M. Goldszmidt. Bayesian network classifiers. Machine Learning
    29:131-163, 1997.

    Examples
    --------
    The class is whether two coins agree, which neither of them reveals alone.

    >>> import pandas as pd
    >>> X = pd.DataFrame({"a": list("0011"), "b": list("0101")}, dtype="category")
    >>> learner = TAN().fit(X, ["equal", "differ", "differ", "equal"])
    >>> learner.parent_
    {'a': None, 'b': 'a'}
    >>> learner.predict(X).tolist()
    ['equal', 'differ', 'differ', 'equal']
    """

    def _learn(self, table: Table, rows: np.ndarray) -> None:
        cardinality = table.attributes.cardinality
        if not cardinality.all():
            name = table.attributes.names[int(np.argmin(cardinality))]
            raise ValueError(f"TAN takes nominal attributes only, and {name!r} is none")
        self._model = _Model(*_train(
            table.columns, cardinality, table.labels, len(table.classes), rows
        ))

    def _probabilities(self, columns: np.ndarray, rows: np.ndarray) -> np.ndarray:
        out = np.tile(self._model.prior, (len(rows), 1))
        _multiply(
            _codes(columns, rows), self._attributes.cardinality, self._model.parent,
            self._model.first, self._model.conditional, out,
        )
        return out / out.cumsum(axis=1)[:, -1:]  # unlike `sum`, adds one class after the other

    @property
    def parent_(self) -> dict[object, object]:
        check_is_fitted(self)
        names = self._attributes.names
        return {
            name: None if parent == ROOT else names[parent]
            for name, parent in zip(names, self._model.parent)
        }

    @property
    def conditional_(self) -> dict[object, np.ndarray]:
        check_is_fitted(self)
        tables = np.split(self._model.conditional, self._model.first[1:])
        return {
            name: table.reshape(-1, cardinality, len(self.classes_))
            for name, cardinality, table in zip(
                self._attributes.names, self._attributes.cardinality, tables
            )
        }

    @property
    def prior_(self) -> np.ndarray:
        check_is_fitted(self)
        return self._model.prior

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = False
        return tags


@njit
def _codes(columns, rows):
    """Return the values of some rows as whole numbers, shape (n_attributes, len(rows))."""
    codes = np.empty((len(columns), len(rows)), dtype=np.int64)
    for a in range(len(columns)):
        for i in range(len(rows)):
            value = columns[a, rows[i]]
            if np.isnan(value):
                raise ValueError("TAN needs every attribute of every row, but a value is missing")
            codes[a, i] = int(value)
    return codes


@njit
def _sum_of_n_log_n(counts):
    total = 0.0
    for n in counts:
        if n > 1:
            total += n * log(n)
    return total


@njit
def _count_jointly(x, y, n_values_of_y, counts):
    """Count each pair of values, row by row."""
    for i in range(len(counts)):
        counts[i] = 0
    for i in range(len(x)):
        counts[x[i] * n_values_of_y + y[i]] += 1


@njit
def _tree(codes, cardinality, with_class, n_classes):
    """Return the parent of each attribute in the tree with the most mutual information.

    `with_class` holds value * n_classes + class for each attribute and row.
    """
    n_attributes = len(codes)
    counts = np.empty(cardinality.max() ** 2 * n_classes, dtype=np.int64)
    # n I(X; Y | C) is, up to a constant, the sum of n log n over the joint counts minus that of
    # each attribute with the class.
    alone = np.empty(n_attributes)
    for a in range(n_attributes):
        of_attribute = np.zeros(cardinality[a] * n_classes, dtype=np.int64)
        for value_and_class in with_class[a]:
            of_attribute[value_and_class] += 1
        alone[a] = _sum_of_n_log_n(of_attribute)

    # Prim's algorithm: the strongest link from the tree to each attribute outside it
    parent = np.full(n_attributes, ROOT)
    link = np.full(n_attributes, -np.inf)
    outside = np.ones(n_attributes, dtype=np.bool_)
    newest = 0
    for _ in range(n_attributes - 1):
        outside[newest] = False
        best = -1
        for a in range(n_attributes):
            if not outside[a]:
                continue
            n_joint = cardinality[newest] * cardinality[a] * n_classes
            _count_jointly(
                codes[newest], with_class[a], cardinality[a] * n_classes, counts[:n_joint]
            )
            strength = _sum_of_n_log_n(counts[:n_joint]) - alone[newest] - alone[a]
            if strength > link[a] + _TIE:
                link[a], parent[a] = strength, newest
            if best == -1 or link[a] > link[best] + _TIE:
                best = a
        newest = best
    return parent


@njit(nogil=True)
def _train(columns, cardinality, labels, n_classes, rows):
    """Return the fields of a `_Model`."""
    codes = _codes(columns, rows)
    n_attributes, n_rows = codes.shape
    with_class = np.empty_like(codes)
    for a in range(n_attributes):
        for i in range(n_rows):
            with_class[a, i] = codes[a, i] * n_classes + labels[rows[i]]
    parent = _tree(codes, cardinality, with_class, n_classes)

    prior = np.full(n_classes, _PSEUDO_COUNT)
    for row in rows:
        prior[labels[row]] += 1
    for c in range(n_classes):
        prior[c] /= len(rows) + n_classes * _PSEUDO_COUNT

    first = np.zeros(n_attributes, dtype=np.int64)
    n_tables = 0
    for a in range(n_attributes):
        first[a] = n_tables
        n_tables += cardinality[a] * (1 if parent[a] == ROOT else cardinality[parent[a]])
    conditional = np.full((n_tables, n_classes), _PSEUDO_COUNT)
    flat = conditional.reshape(-1)
    for a in range(n_attributes):
        base = first[a] * n_classes
        for i in range(n_rows):
            above = 0 if parent[a] == ROOT else codes[parent[a], i]
            flat[base + above * cardinality[a] * n_classes + with_class[a, i]] += 1
        stop = first[a + 1] if a + 1 < n_attributes else n_tables
        for start in range(first[a], stop, cardinality[a]):
            for c in range(n_classes):
                total = 0.0
                for row in range(start, start + cardinality[a]):
                    total += conditional[row, c]
                for row in range(start, start + cardinality[a]):
                    conditional[row, c] /= total
    return parent, prior, first, conditional


@njit(nogil=True)
def _multiply(codes, cardinality, parent, first, conditional, out):
    """Multiply prior probabilities, shape (rows, n_classes), by those of the attributes' values."""
    n_rows, n_classes = out.shape
    for i in range(n_rows):
        for a in range(len(codes)):
            above = 0 if parent[a] == ROOT else codes[parent[a], i]
            table = first[a] + above * cardinality[a] + codes[a, i]
            largest = 0.0
            for c in range(n_classes):
                out[i, c] *= conditional[table, c]
                largest = max(largest, out[i, c])
            if largest < 1e-150:  # with many attributes no product may vanish
                for c in range(n_classes):
                    out[i, c] *= 1e150
