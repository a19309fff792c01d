"""The support vector machine with a radial kernel, as in R's package e1071."""

from itertools import combinations
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from companion.lab.learners.arrays import ArrayClassifier
from companion.lab.learners.kernels.radial_svm import (
    is_above,
    similarities,
    solve,
    weighted_similarity,
)

_TOLERANCE, _MOST_STEPS = 1e-3, 10**7  # of LIBSVM


class RadialSVC(ArrayClassifier):
    r"""Support vector machine with the kernel :math:`e^{-\gamma \|x - x'\|^2}`.

    Agrees with ``svm`` of R's package e1071.  Features are standardised with the mean and the
    standard deviation (divisor :math:`n - 1`) of the training rows; if any feature is constant
    there, none is standardised, as in R.  Both take the steps of LIBSVM, with the classes in the
    order of their first rows.

    Parameters
    ----------
    C : float, default 1.0
        Cost of a violated margin, above 0.
    gamma : float, optional
        Parameter of the kernel, above 0.  By default 1 / n_features.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    support_ : ndarray of int
        Positions of the support vectors among the training rows.
    n_features_in_ : int
        Number of features.

    Notes
    -----
    With more than two classes each pair votes; among classes with the most votes, the one whose
    first row comes first wins.  If all training rows have one class, it is always predicted.

    References
    ----------
    C.-C. Chang and C.-J. Lin. LIBSVM: A library for support vector machines. ACM Transactions on
    Intelligent Systems and Technology 2(3), 2011.

    D. Meyer, E. Dimitriadou, K. Hornik, A. Weingessel and F. Leisch. e1071: Misc Functions of the
    Department of Statistics, Probability Theory Group. R package, 2022.

    Examples
    --------
    >>> learner = RadialSVC().fit([[1.0], [2.0], [7.0], [8.0]], list("aabb"))
    >>> learner.predict([[0.0], [5.0]]).tolist()
    ['a', 'b']
    >>> learner.decision_function([[5.0]]).round(3).tolist()
    [0.269]
    """

    def __init__(self, *, C: float = 1.0, gamma: float | None = None):
        self.C = C
        self.gamma = gamma

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Compute decision values.

        Parameters
        ----------
        X : array_like of float, shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows,) or (n_rows, n_classes)
            With two classes, above 0 for the second.  With more, the number of votes of each, less
            a small amount by which the class whose first training row comes first wins a tie.

        Raises
        ------
        ValueError
            If the shape differs from that in training, or a value is missing or infinite.
        """
        values = self._decisions(self._checked(X))
        if values.shape[1] > 1:
            return values
        return -values[:, 0] if self._order[-1] else values[:, 0]

    def _learn(self, X: np.ndarray, labels: np.ndarray) -> None:
        for name in ("C", "gamma"):
            value = getattr(self, name)
            if not (name == "gamma" and value is None) and (
                not isinstance(value, Real) or not 0 < value < np.inf
            ):
                raise ValueError(f"{name} must be a number above 0, not {value!r}")
        self._scale = (0.0, 1.0)
        if len(X) > 1 and (X.min(axis=0) < X.max(axis=0)).all():
            self._scale = X.mean(axis=0), X.std(axis=0, ddof=1)
        self._gamma = 1 / X.shape[1] if self.gamma is None else self.gamma
        # LIBSVM's path, and its choice in a tie, depend on the order of the classes: in R that of
        # their first rows, in scikit-learn that of their names.
        first = np.full(labels.max() + 1, len(labels))
        np.minimum.at(first, labels, np.arange(len(labels)))
        self._order = first.argsort()
        rank, X, self._pairs = self._order.argsort()[labels], self._scaled(X), []
        for i, j in combinations(range(len(self._order)), 2):
            rows = np.concatenate([np.flatnonzero(rank == i), np.flatnonzero(rank == j)])
            sign = np.where(rank[rows] == i, 1.0, -1.0)
            weights, intercept = solve(
                similarities(X[rows]), sign, float(self.C), _TOLERANCE, _MOST_STEPS
            )
            vectors = np.flatnonzero(weights)
            self._pairs.append((rows[vectors], X[rows[vectors]], weights[vectors], intercept))
        self.support_ = np.flatnonzero(np.bincount(
            np.concatenate([labels[:0], *(pair[0] for pair in self._pairs)]), minlength=len(X)
        ))

    def _labels(self, X: np.ndarray) -> np.ndarray:
        if len(self._pairs) != 1:
            return self._decisions(X).argmax(axis=1)
        (_, vectors, weights, intercept), = self._pairs
        is_first = is_above(self._scaled(X), vectors, weights, -intercept)
        return self._order[np.where(is_first, 0, 1)]

    def _decisions(self, X: np.ndarray) -> np.ndarray:
        """Return one column for two classes, above 0 for the first; otherwise one per class."""
        X, n = self._scaled(X), len(self._order)
        values = [
            weighted_similarity(X, vectors, weights) + intercept
            for _, vectors, weights, intercept in self._pairs
        ]
        if n < 3:
            return np.column_stack([*values, *([np.zeros(len(X))] if n < 2 else [])])
        votes = np.tile(-np.arange(n) / n, (len(X), 1))
        for (i, j), value in zip(combinations(range(n), 2), values):
            votes[np.arange(len(X)), np.where(value > 0, i, j)] += 1
        return votes[:, self._order.argsort()]

    def _scaled(self, X: np.ndarray) -> np.ndarray:
        """Standardise such that the kernel is exp of minus half the squared distance."""
        mean, deviation = self._scale
        return (X - mean) * (np.sqrt(2 * self._gamma) / deviation)
