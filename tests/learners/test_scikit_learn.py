"""Classifiers of scikit-learn as learners: by hand, with what is missing or unseen."""

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

from replib.learners.scikit_learn import ScikitLearner, named_classifier
from replib.learners.table import Table


def test_a_learner_of_scikit_learn_is_what_it_would_be_by_hand():
    rng = np.random.default_rng(8)
    X = pd.DataFrame({"a": rng.normal(size=60), "b": rng.normal(size=60)})
    y = np.where(X["a"] + X["b"] > 0, "yes", "no")
    ours = ScikitLearner("DecisionTreeClassifier").fit(X[:40], y[:40]).predict(X[40:])
    scaled = (X - X[:40].mean()) / X[:40].std(ddof=0)
    by_hand = DecisionTreeClassifier(random_state=0).fit(scaled[:40], y[:40]).predict(scaled[40:])
    assert ours.tolist() == by_hand.tolist()


def test_a_learner_of_scikit_learn_takes_missing_and_unseen_values():
    X = pd.DataFrame({
        "all missing in training": [np.nan] * 6 + [1.0, 2.0],
        "unseen": pd.Categorical(list("aabbab") + ["c", None], categories=list("abc")),
    })
    table = Table.from_frame(X, list("nnyyny") + ["y", "n"])
    learner = ScikitLearner("LogisticRegression").fit_table(table, np.arange(6))
    assert learner.predict_table(table, np.arange(6)).tolist() == [0, 0, 1, 1, 0, 1]
    assert learner.predict_table(table, np.array([6, 7])).shape == (2,)


def test_unknown_classifiers_are_refused():
    with pytest.raises(ValueError, match="no classifier 'Oracle'"):
        named_classifier("Oracle")
    with pytest.raises(ValueError, match="without arguments"):
        named_classifier("VotingClassifier")
