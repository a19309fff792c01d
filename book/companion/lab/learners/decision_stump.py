"""The decision stump: one test, and the class frequencies in each of its branches."""

import numpy as np
from scipy.special import xlogy

from companion.lab.learners.base import TableClassifier
from companion.lab.learners.table import Table, check_nominal, one_hot

HOLDS, FAILS, MISSING = range(3)  # the branches

_TIE = 1e-9  # nats times rows: sums of logarithms that differ by less count as equal


class DecisionStump(TableClassifier):
    """Decision tree for nominal attributes with a single test.

    After Weka's ``DecisionStump``.  A test has three branches: it asks whether an
    attribute has a certain value, and rows with a missing value take the third branch.
    The chosen test is the one whose branches have the least entropy of the class,
    weighted by their training rows; among equals, the first attribute and its first
    value.  The probabilities of the classes are their shares in the branch, or in all
    training rows if no training row took the branch.

    Attributes
    ----------
    attribute_ : object
        Name of the attribute that is tested.
    split_ : object
        The tested value.
    counts_ : ndarray of shape (3, n_classes)
        Training rows of each class for which the test holds, fails, and cannot be
        answered.
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
    >>> X = pd.DataFrame({"sky": ["sun", "sun", "rain", "fog"], "wind": list("yyny")})
    >>> X = X.astype("category")
    >>> learner = DecisionStump().fit(X, ["out", "out", "in", "in"])
    >>> learner.attribute_, learner.split_
    ('sky', 'sun')
    >>> learner.counts_.tolist()
    [[0.0, 2.0], [2.0, 0.0], [0.0, 0.0]]
    """

    def _learn(self, table: Table, rows: np.ndarray) -> None:
        check_nominal("DecisionStump", table)
        cardinality = table.attributes.cardinality
        first = cardinality.cumsum() - cardinality
        is_of_class = np.eye(len(table.classes))[table.labels[rows]]
        self._class_counts = is_of_class.sum(axis=0)
        # training rows of each class, for each value of each attribute
        holds = one_hot(table.columns[:, rows], cardinality) @ is_of_class
        known = np.repeat(np.add.reduceat(holds, first), cardinality, axis=0)
        branches = np.stack([holds, known - holds, self._class_counts - known])
        total = branches.sum(axis=-1)
        branch_entropy = xlogy(total, total) - xlogy(branches, branches).sum(axis=-1)
        entropy = branch_entropy.sum(axis=0)
        best = int(np.argmax(entropy < entropy.min() + _TIE))
        attribute = int(np.searchsorted(first, best, side="right")) - 1
        value = best - first[attribute]
        self._attribute = attribute
        self._value = value
        self.counts_ = branches[:, best]
        self.attribute_ = table.attributes.names[attribute]
        self.split_ = table.attributes.categories[attribute][value]

    def _probabilities(self, columns: np.ndarray, rows: np.ndarray) -> np.ndarray:
        known = self.counts_.sum(axis=1, keepdims=True) > 0
        counts = np.where(known, self.counts_, self._class_counts)
        shares = counts / counts.sum(axis=1, keepdims=True)
        values = columns[self._attribute, rows]
        holds = np.where(values == self._value, HOLDS, FAILS)
        return shares[np.where(np.isnan(values), MISSING, holds)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # two branches for any number of classes
        return tags
