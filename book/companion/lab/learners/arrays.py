"""Base class of the learners on arrays of numbers: scikit-learn's interface, and a faster one."""

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data


class ArrayClassifier(ClassifierMixin, BaseEstimator, ABC):
    """Classifier that tells two classes apart, by a matrix of numbers without missing values."""

    def fit(self, X: ArrayLike, y: ArrayLike) -> "ArrayClassifier":
        """Learn from a data set.

        Parameters
        ----------
        X : array_like of float, shape (n_rows, n_features)
        y : array_like of shape (n_rows,)
            Classes.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If the shapes do not match, a value is missing or infinite, there are more
            than two classes, or a parameter of the learner is out of its range.
        """
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, labels = np.unique(column_or_1d(y), return_inverse=True)
        if len(self.classes_) > 2:
            raise ValueError(
                "Only binary classification is supported. The type of the target is multiclass."
            )
        self._learn(X, labels)
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Predict the class of each row.

        Parameters
        ----------
        X : array_like of float, shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows,)
            Elements of `classes_`.

        Raises
        ------
        ValueError
            If the shape differs from that in training, or a value is missing or
            infinite.
        """
        labels = self._labels(self._checked(X))
        return self.classes_[labels]

    def count_correct(
        self,
        X: np.ndarray,
        labels: np.ndarray,
        X_test: np.ndarray,
        labels_test: np.ndarray,
    ) -> int:
        """Learn from one data set and count the rows of another that are classified correctly.

        The number is that of ``fit`` and ``predict``.  Nothing is checked, for
        simulations that call it a million times.

        Parameters
        ----------
        X, X_test : ndarray of float, shape (n_rows, n_features)
        labels, labels_test : ndarray of int, shape (n_rows,)
            Classes: 0 and 1, each of them in `labels`.

        Returns
        -------
        int
        """
        self._learn(X, labels)
        return int(np.count_nonzero(self._labels(X_test) == labels_test))

    def count_correct_of_folds(
        self, X: np.ndarray, labels: np.ndarray, test_folds: np.ndarray
    ) -> np.ndarray:
        """Count the correctly classified test rows in each fold of a cross-validation.

        As with :meth:`count_correct`, nothing is checked.

        Parameters
        ----------
        X : ndarray of float, shape (n_rows, n_features)
        labels : ndarray of int, shape (n_rows,)
            Classes: 0 and 1, each of them outside every fold.
        test_folds : ndarray of int, shape (n_rows,)
            The fold, counted from 0, in which each row is a test row.

        Returns
        -------
        ndarray of int, shape (folds,)
        """
        tests = test_folds == np.arange(test_folds.max() + 1)[:, None]
        return np.array(
            [
                self.count_correct(X[~test], labels[~test], X[test], labels[test])
                for test in tests
            ]
        )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _checked(self, X: ArrayLike) -> np.ndarray:
        check_is_fitted(self)
        return validate_data(self, X, dtype=np.float64, reset=False)

    @abstractmethod
    def _learn(self, X: np.ndarray, labels: np.ndarray) -> None:
        """Check the parameters and learn from checked data, classes counted from 0."""

    @abstractmethod
    def _labels(self, X: np.ndarray) -> np.ndarray:
        """Return the position in `classes_` of the class of each row of checked data."""
