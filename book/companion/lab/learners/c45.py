"""C4.5 decision trees, as Weka's J48 grows and prunes them."""

from numbers import Real

import numpy as np
from scipy import special

from companion.lab.learners.base import TableClassifier
from companion.lab.learners.kernels.c45 import grow_tree, tree_probabilities
from companion.lab.learners.table import Table
from replib._validation import whole_number


class C45(TableClassifier):
    """C4.5 decision tree.

    Agrees with Weka's ``J48``, release 8 of C4.5 in Java.  A node is split by the test
    with the best gain ratio among those whose information gain is at least average; a
    numeric test pays for the choice of its cut.  A subtree is replaced by a leaf, or by
    its own largest branch, if these do not have more estimated errors (the upper limit
    of a confidence interval).  Instances with missing values go down all branches with
    a share of their weight.

    Parameters
    ----------
    prune : bool, default True
        Prune the grown tree.  Even without pruning, subtrees that do not reduce the
        training errors are cut.
    confidence : float, default 0.25
        Level of the pruning's confidence interval, above 0 and at most 0.5; smaller
        values prune more.
    min_leaf : int, default 2
        Smallest weight of at least two branches of a split; at least 1.

    Attributes
    ----------
    nodes_ : Nodes
        The nodes of the tree, level by level: tested `attribute` (-1 for a leaf),
        `threshold` of a numeric test, `first_child` (the others follow, in the order of
        the branches), and `counts`, the weight of the training instances of each class.
    classes_ : ndarray of shape (n_classes,)
        Declared classes, absent ones included.
    feature_names_in_ : ndarray of shape (n_attributes,)
        Names of the attributes.
    n_features_in_ : int
        Number of attributes.

    References
    ----------
    J. R. Quinlan. C4.5: Programs for Machine Learning. Morgan Kaufmann, 1993.

    J. R. Quinlan. Improved use of continuous attributes in C4.5. Journal of Artificial
    Intelligence Research 4:77-90, 1996.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({
    ...     "sky": pd.Categorical(["sun", "sun", "sun", "sun", "rain", "rain"]),
    ...     "wind": [1.0, 2.0, 7.0, 8.0, 1.0, 9.0],
    ... })
    >>> learner = C45(prune=False).fit(X, ["out", "out", "in", "in", "in", "in"])
    >>> learner.nodes_.attribute.tolist(), learner.nodes_.threshold.tolist()
    ([0, -1, 1, -1, -1], [nan, nan, 2.0, nan, nan])
    """

    def __init__(
        self, *, prune: bool = True, confidence: float = 0.25, min_leaf: int = 2
    ):
        self.prune = prune
        self.confidence = confidence
        self.min_leaf = min_leaf

    def _learn(self, table: Table, rows: np.ndarray) -> None:
        self._check_parameters()
        self.nodes_ = grow_tree(
            table.columns,
            table.order,
            table.attributes.cardinality,
            table.labels,
            len(table.classes),
            rows,
            float(self.min_leaf),
            bool(self.prune),
            float(self.confidence),
            float(special.ndtri(1 - self.confidence)),
        )

    def _check_parameters(self) -> None:
        if not isinstance(self.prune, (bool, np.bool_)):
            raise ValueError(f"prune must be True or False, not {self.prune!r}")
        if not isinstance(self.confidence, Real) or not 0 < self.confidence <= 0.5:
            raise ValueError(
                f"confidence must be above 0 and at most 0.5, not {self.confidence!r}"
            )
        whole_number("min_leaf", self.min_leaf, at_least=1)

    def _probabilities(self, columns: np.ndarray, rows: np.ndarray) -> np.ndarray:
        return tree_probabilities(
            columns, rows, self._attributes.cardinality, self.nodes_
        )
