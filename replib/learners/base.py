"""What the learners share: scikit-learn's idioms around arrays of a `Table`."""

from abc import ABC, abstractmethod

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from replib.learners.table import Table


class TableClassifier(ClassifierMixin, BaseEstimator, ABC):
    """Classifier that learns from some rows of a `Table`.

    `fit`, `predict` and `predict_proba` take DataFrames, as :class:`Table` reads them.  Experiments
    that train on many subsets of one data set pack it once and use `fit_table` and
    `predict_table`.
    """

    def fit(self, X: pd.DataFrame | ArrayLike, y: ArrayLike) -> "TableClassifier":
        """Learn from a data set.

        Parameters
        ----------
        X : DataFrame or array_like of shape (n_rows, n_attributes)
            Nominal columns have dtype `category`, numeric ones hold numbers, NaN is missing.
        y : array_like of shape (n_rows,)
            Classes; those of a categorical Series are its declared categories.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            As :meth:`Table.from_frame`; or if a parameter of the learner is out of its range.
        """
        table = Table.from_frame(X, y)
        return self.fit_table(table, table.all_rows)

    @abstractmethod
    def fit_table(self, table: Table, rows: np.ndarray) -> "TableClassifier":
        """Learn from some rows of a packed data set.

        Parameters
        ----------
        table : Table
        rows : ndarray of int
            Positions of the training rows, each at most once, at least one.

        Returns
        -------
        self
        """

    def predict(self, X: pd.DataFrame | ArrayLike) -> np.ndarray:
        """Predict the class of each row: the first of those with the largest probability.

        Parameters
        ----------
        X : DataFrame or array_like of shape (n_rows, n_attributes)
            Columns as in training.

        Returns
        -------
        ndarray of shape (n_rows,)
            Elements of `classes_`.

        Raises
        ------
        ValueError
            As :meth:`Attributes.encode`.
        """
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def predict_proba(self, X: pd.DataFrame | ArrayLike) -> np.ndarray:
        """Probability of each class.

        Parameters
        ----------
        X : DataFrame or array_like of shape (n_rows, n_attributes)
            Columns as in training.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            In the order of `classes_`; rows sum to 1.

        Raises
        ------
        ValueError
            As :meth:`Attributes.encode`.
        """
        check_is_fitted(self)
        values = self._attributes.encode(X)
        return self._probabilities(values, np.arange(len(values)))

    def predict_table(self, table: Table, rows: np.ndarray) -> np.ndarray:
        """Predict classes of some rows of the packed data set that `fit_table` was given.

        Parameters
        ----------
        table : Table
        rows : ndarray of int
            Positions of the rows to classify.

        Returns
        -------
        ndarray of int, shape (len(rows),)
            Positions in `classes_`.
        """
        return self.predict_proba_table(table, rows).argmax(axis=1)

    def predict_proba_table(self, table: Table, rows: np.ndarray) -> np.ndarray:
        """Class probabilities of some rows of the packed data set that `fit_table` was given.

        Parameters
        ----------
        table : Table
        rows : ndarray of int
            Positions of the rows to classify.

        Returns
        -------
        ndarray of shape (len(rows), n_classes)
        """
        return self._probabilities(table.values, rows)

    @abstractmethod
    def _probabilities(self, values: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Class probabilities of some rows of encoded values."""

    def _adopt(self, table: Table) -> None:
        """Take over what `predict` must know of the training data."""
        self._attributes = table.attributes
        self.classes_ = table.classes
        self.feature_names_in_ = np.array(table.attributes.names, dtype=object)
        self.n_features_in_ = len(table.attributes.names)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = True
        return tags
