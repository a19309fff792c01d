"""The support vector machine with a radial kernel, as in R's package e1071."""

from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from companion.lab.learners.arrays import ArrayClassifier
from companion.lab.learners.kernels.radial_svm import (
    similarities,
    solve,
    weighted_similarity,
)

_TOLERANCE, _MOST_STEPS = 1e-3, 10**7  # of LIBSVM


class RadialSVC(ArrayClassifier):
    r"""Support vector machine for two classes, kernel :math:`e^{-\gamma \|x - x'\|^2}`.

    Agrees with ``svm`` of R's package e1071.  Features are standardised with the mean
    and the standard deviation (divisor :math:`n - 1`) of the training rows; if any
    feature is constant there, none is standardised, as in R.  Both take the steps of
    LIBSVM, with the classes in the order of their first rows.

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
    If all training rows have one class, it is always predicted.

    References
    ----------
    C.-C. Chang and C.-J. Lin. LIBSVM: A library for support vector machines. ACM Transactions on
    Intelligent Systems and Technology 2(3), 2011.

    D. Meyer, E. Dimitriadou, K. Hornik, A. Weingessel and F. Leisch. e1071: Misc
    Functions of the Department of Statistics, Probability Theory Group. R package,
    2022.

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
        """Compute decision values, above 0 for the second class.

        Parameters
        ----------
        X : array_like of float, shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows,)

        Raises
        ------
        ValueError
            If the shape differs from that in training, or a value is missing or
            infinite.
        """
        decisions = self._decisions(self._checked(X))
        return -decisions if self._first == 0 else decisions

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
        # LIBSVM's path, and its choice in a tie, depend on the order of the classes: in
        # R that of their first rows, in scikit-learn that of their names.
        self._first, X = labels[0], self._scaled(X)
        is_first = labels == self._first
        if is_first.all():
            self.support_, self._weights, self._intercept = (
                np.arange(0),
                np.zeros(0),
                1.0,
            )
        else:
            rows = np.concatenate([np.flatnonzero(is_first), np.flatnonzero(~is_first)])
            weights, self._intercept = solve(
                similarities(X[rows]),
                np.where(is_first[rows], 1.0, -1.0),
                float(self.C),
                _TOLERANCE,
                _MOST_STEPS,
            )
            vectors = np.flatnonzero(weights)
            self.support_, self._weights = rows[vectors], weights[vectors]
        self._vectors = X[self.support_]

    def _labels(self, X: np.ndarray) -> np.ndarray:
        return np.where(self._decisions(X) > 0, self._first, 1 - self._first)

    def _decisions(self, X: np.ndarray) -> np.ndarray:
        """Return decision values, above 0 for the class of the first training row."""
        return (
            weighted_similarity(self._scaled(X), self._vectors, self._weights)
            + self._intercept
        )

    def _scaled(self, X: np.ndarray) -> np.ndarray:
        """Standardise such that the kernel is exp of minus half the squared distance."""
        mean, deviation = self._scale
        return (X - mean) * (np.sqrt(2 * self._gamma) / deviation)
