"""Learners: C4.5, naive Bayes and the nearest neighbour, which agree with Weka's, and others.

They are scikit-learn estimators on DataFrames: a column of dtype `category` is nominal
with its declared categories, a numeric column is numeric, and NaN is missing.

>>> import pandas as pd
>>> X = pd.DataFrame({"size": [1.0, 2.0, 8.0, 9.0], "shape": pd.Categorical(list("oooi"))})
>>> C45().fit(X, ["small", "small", "large", "large"]).predict(X).tolist()
['small', 'small', 'large', 'large']

Experiments that train on many subsets of a data set pack it once:

>>> table = Table.from_frame(X, ["small", "small", "large", "large"])
>>> correct_counts(table, [[0, 1, 0, 1]], learners=["nearest_neighbour"]).tolist()
[[[1], [2]]]

Three learners from R take arrays of numbers: :class:`RadialSVC`, :class:`GaussianNaiveBayes` and
:class:`RandomForest`.

On nominal data without missing values, `correct_counts` trains naive Bayes and C4.5 on
bit sets, tens of times as fast, with the same results:
:mod:`companion.lab.learners.packed`.
"""

from companion.lab.learners import packed
from companion.lab.learners.arrays import ArrayClassifier
from companion.lab.learners.base import TableClassifier
from companion.lab.learners.c45 import C45
from companion.lab.learners.cross_validation import (
    LEARNERS,
    WEKA_LEARNERS,
    correct_counts,
    correct_counts_of_splits,
)
from companion.lab.learners.decision_stump import DecisionStump
from companion.lab.learners.gaussian_naive_bayes import GaussianNaiveBayes
from companion.lab.learners.naive_bayes import NaiveBayes
from companion.lab.learners.nearest_neighbour import NearestNeighbour
from companion.lab.learners.radial_svc import RadialSVC
from companion.lab.learners.random_forest import RandomForest
from companion.lab.learners.table import Attributes, Table
from companion.lab.learners.tan import TAN

__all__ = [
    "C45",
    "LEARNERS",
    "TAN",
    "WEKA_LEARNERS",
    "ArrayClassifier",
    "Attributes",
    "DecisionStump",
    "GaussianNaiveBayes",
    "NaiveBayes",
    "NearestNeighbour",
    "RadialSVC",
    "RandomForest",
    "Table",
    "TableClassifier",
    "correct_counts",
    "correct_counts_of_splits",
    "packed",
]
