"""Base class of the learners on tables: scikit-learn's interface to the arrays of a `Table`."""

from abc import ABC, abstractmethod

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from companion.lab.learners.table import Table, as_frame


class TableClassifier(ClassifierMixin, BaseEstimator, ABC):
    """Classifier that learns from some rows of a `Table`.

    `fit`, `predict` and `predict_proba` take DataFrames, which :class:`Table` reads.
    Experiments that train on many subsets of a data set pack it once and use
    `fit_table` and `predict_table`.
    """

    def fit(self, X: pd.DataFrame | ArrayLike, y: ArrayLike) -> "TableClassifier":
        """Learn from a data set.

        Parameters
        ----------
        X : DataFrame or array_like of shape (n_rows, n_attributes)
            Nominal columns have dtype `category`, numeric ones hold numbers, NaN is
            missing.
        y : array_like of shape (n_rows,)
            Classes; for a categorical Series they are its declared categories.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            As for :meth:`Table.from_frame`; or if a parameter of the learner is out of
            range.
        """
        table = Table.from_frame(X, y)
        return self.fit_table(table, table.all_rows)

    def fit_table(self, table: Table, rows: ArrayLike) -> "TableClassifier":
        """Learn from some rows of a packed data set.

        Parameters
        ----------
        table : Table
        rows : array_like of int
            Positions of at least one training row, each at most once.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a parameter of the learner is out of its range.
        """
        self._learn(table, np.array(rows, dtype=np.int64))
        self._attributes = table.attributes
        self.classes_ = table.classes
        self.feature_names_in_ = np.array(table.attributes.names, dtype=object)
        self.n_features_in_ = len(table.attributes.names)
        return self

    def predict(self, X: pd.DataFrame | ArrayLike) -> np.ndarray:
        """Predict the class of each row: the first class with the largest probability.

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
            As for :meth:`Attributes.encode`.
        """
        probabilities = self.predict_proba(X)
        return self.classes_[probabilities.argmax(axis=1)]

    def predict_proba(self, X: pd.DataFrame | ArrayLike) -> np.ndarray:
        """Compute the probability of each class.

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
            As for :meth:`Attributes.encode`.
        """
        check_is_fitted(self)
        is_array, X = not isinstance(X, pd.DataFrame), as_frame(X)
        if is_array and X.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {X.shape[1]} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input"
            )
        columns = self._attributes.encode(X)
        return self._probabilities(columns, np.arange(columns.shape[1]))

    def predict_table(self, table: Table, rows: ArrayLike) -> np.ndarray:
        """Predict the classes of some rows of the packed data set given to `fit_table`.

        Parameters
        ----------
        table : Table
        rows : array_like of int
            Positions of the rows to classify.

        Returns
        -------
        ndarray of int, shape (len(rows),)
            Positions in `classes_`.

        Raises
        ------
        ValueError
            If it is another table.
        """
        return self.predict_proba_table(table, rows).argmax(axis=1)

    def predict_proba_table(self, table: Table, rows: ArrayLike) -> np.ndarray:
        """Compute class probabilities of some rows of the packed data set given to `fit_table`.

        Parameters
        ----------
        table : Table
        rows : array_like of int
            Positions of the rows to classify.

        Returns
        -------
        ndarray of shape (len(rows), n_classes)

        Raises
        ------
        ValueError
            As for :meth:`predict_table`.
        """
        check_is_fitted(self)
        if table.attributes is not self._attributes:
            raise ValueError(
                "the rows to classify must be of the table that was learnt from"
            )
        return self._probabilities(table.columns, np.array(rows, dtype=np.int64))

    @abstractmethod
    def _learn(self, table: Table, rows: np.ndarray) -> None:
        """Check the parameters and learn from checked rows of a table."""

    @abstractmethod
    def _probabilities(self, columns: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Return the class probabilities of some rows of encoded columns."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = True
        return tags
