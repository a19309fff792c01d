"""Classifiers of scikit-learn as learners: by hand, with what is missing or unseen."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nominal_data import drawn
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from companion.lab.learners import LEARNERS, Table
from companion.lab.learners.scikit_learn import ScikitLearner, _OneHot, named_classifier


def test_a_learner_of_scikit_learn_is_what_it_would_be_by_hand():
    rng = np.random.default_rng(8)
    X = pd.DataFrame({"a": rng.normal(size=60), "b": rng.normal(size=60)})
    y = np.where(X["a"] + X["b"] > 0, "yes", "no")
    ours = ScikitLearner("DecisionTreeClassifier").fit(X[:40], y[:40]).predict(X[40:])
    scaled = (X - X[:40].mean()) / X[:40].std(ddof=0)
    by_hand = (
        DecisionTreeClassifier(random_state=0)
        .fit(scaled[:40], y[:40])
        .predict(scaled[40:])
    )
    assert ours.tolist() == by_hand.tolist()


def test_a_learner_of_scikit_learn_takes_missing_and_unseen_values():
    X = pd.DataFrame(
        {
            "all missing in training": [np.nan] * 6 + [1.0, 2.0],
            "unseen": pd.Categorical(
                list("aabbab") + ["c", None], categories=list("abc")
            ),
        }
    )
    table = Table.from_frame(X, list("nnyyny") + ["y", "n"])
    learner = ScikitLearner("LogisticRegression").fit_table(table, np.arange(6))
    assert learner.predict_table(table, np.arange(6)).tolist() == [0, 0, 1, 1, 0, 1]
    assert learner.predict_table(table, np.array([6, 7])).shape == (2,)


def test_unknown_classifiers_are_refused():
    with pytest.raises(ValueError, match="no classifier 'Oracle'"):
        named_classifier("Oracle")
    with pytest.raises(ValueError, match="without arguments"):
        named_classifier("VotingClassifier")


def test_the_linear_machine_is_scikit_learns_on_one_hot_values():
    labels, columns = drawn(4)
    table = Table.from_codes(columns, labels, [3] * 5, 2)
    train, test = table.all_rows[:80], table.all_rows[80:]
    learner = LEARNERS["linear_svm"]().fit_table(table, train)
    by_hand = make_pipeline(
        OneHotEncoder(handle_unknown="ignore"), LinearSVC(random_state=0)
    )
    by_hand.fit(columns[:, train].T, labels[train])
    assert_allclose(
        learner.pipeline_[-1].coef_,
        by_hand[-1].coef_,
        rtol=0,
        atol=1e-3,  # liblinear's own
    )
    assert_array_equal(
        learner.predict_table(table, test), by_hand.predict(columns[:, test].T)
    )


@given(
    st.lists(
        st.tuples(*[st.sampled_from([0.0, 1.0, 3.0, np.nan])] * 2),
        min_size=2,
        max_size=12,
    )
)
def test_one_hot_values_are_those_of_scikit_learn(rows):
    rows = np.array(rows)
    train, new = rows[: len(rows) // 2], rows
    theirs = make_pipeline(
        SimpleImputer(strategy="most_frequent", keep_empty_features=True),
        OneHotEncoder(handle_unknown="ignore", sparse_output=False),
    )
    assert_array_equal(
        _OneHot().fit(train).transform(new), theirs.fit(train).transform(new)
    )


def test_learners_of_scikit_learn_are_deterministic():
    labels, columns = drawn(5)
    table = Table.from_codes(columns, labels, [3] * 5, 2)
    first, second = (
        ScikitLearner("LinearSVC").fit_table(table, table.all_rows).pipeline_[-1].coef_
        for _ in range(2)
    )
    assert_array_equal(first, second)
