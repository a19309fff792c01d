"""Tree augmented naive Bayes: each attribute may depend on one other besides the class."""

import numpy as np
from scipy.special import xlogy

from companion.lab.learners.base import TableClassifier
from companion.lab.learners.table import Table, check_nominal, one_hot

ROOT = -1  # parent of the attribute that depends only on the class

_PSEUDO_COUNT = 0.5  # added to each count, as Weka's SimpleEstimator does by default
_TIE = 1e-9  # nats times rows: sums of logarithms that differ by less count as equal


class TAN(TableClassifier):
    r"""Tree augmented naive Bayes for nominal attributes without missing values.

    The attributes form a tree, rooted at the first one.  The link between a pair has as
    weight its mutual information given the class in the training rows,

    .. math::

       I(X; Y \mid C) = \sum_{x, y, c} \frac{n_{xyc}}{n} \log \frac{n_{xyc} \,
       n_c}{n_{xc} \, n_{yc}},

    and the tree has the largest sum of weights, which maximises the likelihood among
    all trees. The probability of a class is proportional to

    .. math:: p(c) \prod_j p(x_j \mid u_j, c)

    with :math:`u_j` the value of the parent of attribute j.  Each factor is a relative frequency
    after adding 1/2 to every count, so :math:`p(x \mid u, c) = (n_{xuc} + 1/2) / (n_{uc}
    + k/2)` with k declared values of the attribute.

    Attributes
    ----------
    parent_ : dict
        For each attribute the name of its parent; None for the root.
    conditional_ : dict
        For each attribute :math:`p(x \mid u, c)`, shape (n_values_of_parent, n_values,
        n_classes); the root has a parent with one value.
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
        check_nominal("TAN", table)
        codes = _codes(table.columns, rows)
        names = table.attributes.names
        cardinality = table.attributes.cardinality
        labels = table.labels[rows]
        has_value = one_hot(codes, cardinality)
        # rows with each pair of values in each class, shape (values, values, classes)
        by_class = []
        for c in range(len(table.classes)):
            members = has_value[:, labels == c]
            by_class.append(members @ members.T)
        joint = np.stack(by_class, axis=-1)
        first = cardinality.cumsum() - cardinality
        self._parents = _tree(joint, first)
        self.parent_ = {
            name: None if parent == ROOT else names[parent]
            for name, parent in zip(names, self._parents)
        }
        self.conditional_ = {}
        slices = [slice(start, start + n) for start, n in zip(first, cardinality)]
        for name, parent, values in zip(names, self._parents, slices):
            if parent == ROOT:
                # no row has two values: the sum over the first counts the attribute's
                counts = joint[values, values].sum(axis=0)[None]
            else:
                counts = joint[slices[parent], values]
            smoothed = counts + _PSEUDO_COUNT
            self.conditional_[name] = smoothed / smoothed.sum(axis=1, keepdims=True)
        smoothed = np.bincount(labels, minlength=len(table.classes)) + _PSEUDO_COUNT
        self.prior_ = smoothed / smoothed.sum()

    def _probabilities(self, columns: np.ndarray, rows: np.ndarray) -> np.ndarray:
        codes = _codes(columns, rows)
        out = np.tile(self.prior_, (len(rows), 1))
        tables = self.conditional_.values()
        for value, parent, table in zip(codes, self._parents, tables):
            parent_value = 0 if parent == ROOT else codes[parent]
            out *= table[parent_value, value]
            # the product over many attributes must not vanish
            out[out.max(axis=1) < 1e-150] *= 1e150
        # unlike `sum`, `cumsum` adds one class after the other
        total = out.cumsum(axis=1)[:, -1:]
        return out / total

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = False
        return tags


def _codes(columns: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the values of some rows as whole numbers."""
    if np.isnan(columns[:, rows]).any():
        raise ValueError(
            "TAN needs every attribute of every row, but a value is missing"
        )
    return columns[:, rows].astype(np.int64)


def _tree(joint: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Return the parent of each attribute in the tree with the most mutual information.

    `joint` has the rows with each pair of values in each class, `first` each
    attribute's first value.
    """
    # n I(X; Y | C) is, up to a constant, the sum of n log n over the joint counts minus
    # that of each attribute with the class, which is its sum with itself.
    sums = np.add.reduceat(xlogy(joint, joint).sum(axis=-1), first, axis=0)
    sums = np.add.reduceat(sums, first, axis=1)
    strength = sums - sums.diagonal() - sums.diagonal()[:, None]
    # Prim's algorithm: the strongest link from the tree to each attribute outside it
    parent = np.full(len(first), ROOT)
    link = np.full(len(first), -np.inf)
    outside = np.ones(len(first), dtype=bool)
    newest = 0
    for _ in range(len(first) - 1):
        outside[newest] = False
        closer = outside & (strength[newest] > link + _TIE)
        link[closer] = strength[newest, closer]
        parent[closer] = newest
        newest = int(np.argmax(outside & (link > link[outside].max() - _TIE)))
    return parent
