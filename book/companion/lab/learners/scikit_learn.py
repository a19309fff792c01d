"""Any classifier of scikit-learn as a learner, with the data preparation that it needs."""

from functools import lru_cache

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.compose import make_column_transformer
from sklearn.dummy import DummyClassifier
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import all_estimators

from companion.lab.learners.base import TableClassifier
from companion.lab.learners.table import Table


class ScikitLearner(TableClassifier):
    """A classifier of scikit-learn by the name of its class, with its default settings.

    Missing numbers are replaced by the median and numbers are standardised; missing
    nominal values are replaced by the most frequent one and nominal values are one-hot
    encoded.  All of this is learnt from the training rows.  A classifier that uses
    random numbers has ``random_state=0``. If all training rows have one class, which
    many classifiers refuse, it is always predicted.

    Parameters
    ----------
    classifier : str
        For instance ``"RandomForestClassifier"``.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Declared classes, absent ones included.
    pipeline_ : Pipeline
        The fitted pipeline; its classes are positions in `classes_`.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"size": [1.0, None, 9.0], "shape": pd.Categorical(["o", "o", None])})
    >>> learner = ScikitLearner("DecisionTreeClassifier")
    >>> learner = learner.fit(X, ["small", "small", "large"])
    >>> learner.predict(pd.DataFrame({"size": [8.0], "shape": pd.Categorical(["o"])})).tolist()
    ['large']
    """

    def __init__(self, classifier: str):
        self.classifier = classifier

    def _learn(self, table: Table, rows: np.ndarray) -> None:
        nominal = table.attributes.cardinality > 0
        preparation = _OneHot()
        if not nominal.all():
            fill = SimpleImputer(strategy="median", keep_empty_features=True)
            preparation = make_column_transformer(
                (make_pipeline(fill, StandardScaler()), ~nominal),
                (preparation, nominal),
            )
        classifier, labels = named_classifier(self.classifier), table.labels[rows]
        if (labels == labels[0]).all():
            classifier = DummyClassifier()
        self.pipeline_ = make_pipeline(preparation, classifier)
        self.pipeline_.fit(table.columns[:, rows].T, labels)

    def _probabilities(self, columns: np.ndarray, rows: np.ndarray) -> np.ndarray:
        # not every classifier gives probabilities: the predicted class has probability
        # one
        return np.eye(len(self.classes_))[self.pipeline_.predict(columns[:, rows].T)]


class _OneHot(TransformerMixin, BaseEstimator):
    """One column of 0 and 1 per value that occurs; a missing value is the most frequent one.

    Does the same as scikit-learn's SimpleImputer and OneHotEncoder, for the positions
    of values in a `Table`: their checks take ten times as long as training a linear
    machine on 300 rows.
    """

    def fit(self, X: np.ndarray, y: object = None) -> "_OneHot":
        counts = (X[:, :, None] == np.arange(np.nanmax(X, initial=0) + 1)).sum(axis=0)
        self.most_frequent_ = counts.argmax(axis=1)
        counts[np.arange(len(counts)), self.most_frequent_] += (
            1  # also where all are missing
        )
        self.attribute_, self.value_ = np.nonzero(counts)
        return self

    def transform(self, X: np.ndarray) -> np.ndarray:
        X = np.where(np.isnan(X), self.most_frequent_, X)
        return (X[:, self.attribute_] == self.value_).astype(float)


def named_classifier(name: str) -> ClassifierMixin:
    """Return an unfitted classifier of scikit-learn by the name of its class.

    Raises
    ------
    ValueError
        If there is no such classifier, or it cannot be made without arguments.

    Examples
    --------
    >>> named_classifier("DecisionTreeClassifier")
    DecisionTreeClassifier(random_state=0)
    """
    known = _classifiers()
    if name not in known:
        raise ValueError(
            f"scikit-learn has no classifier {name!r}; it has, for instance, "
            "DecisionTreeClassifier, LogisticRegression, RandomForestClassifier and SVC"
        )
    try:
        classifier = known[name]()
    except TypeError as problem:
        raise ValueError(
            f"{name} cannot be made without arguments: {problem}"
        ) from problem
    if "random_state" in classifier.get_params():
        classifier.set_params(random_state=0)
    return classifier


@lru_cache
def _classifiers() -> dict[str, type]:
    return dict(all_estimators(type_filter="classifier"))
