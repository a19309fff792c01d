"""Common to all learners on tables: idioms, errors, and what must not matter."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nominal_data import drawn
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import PredefinedSplit, cross_val_predict

from companion.lab.learners import (
    C45,
    LEARNERS,
    NaiveBayes,
    NearestNeighbour,
    Table,
    correct_counts,
)

EVERY_LEARNER = [NaiveBayes(), C45(), C45(prune=False), NearestNeighbour()]


# ---------------------------------------------------------------- what must not matter


@pytest.mark.parametrize("learner", EVERY_LEARNER, ids=str)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=25)
def test_order_of_rows_and_names_of_classes_do_not_matter(learner, seed, random_table):
    rng = np.random.default_rng(seed)
    table = random_table(rng, 30)
    train, test = np.split(rng.permutation(30), [20])
    permutation = rng.permutation(4)  # old position of each new class
    renamed = replace(
        table,
        classes=table.classes[permutation],
        labels=np.argsort(permutation)[table.labels],
    )
    before = learner.fit_table(table, train).predict_proba_table(table, test)
    shuffled = rng.permutation(10)
    after = learner.fit_table(renamed, rng.permutation(train))
    after = after.predict_proba_table(renamed, test[shuffled])
    assert_allclose(after, before[np.ix_(shuffled, permutation)], rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("learner", EVERY_LEARNER, ids=str)
def test_probabilities_sum_to_one_also_for_missing_rows_and_unknown_columns(learner):
    X = pd.DataFrame(
        {
            "empty": np.full(6, np.nan),
            "kind": pd.Categorical([None] * 6, categories=["u", "v"]),
            "x": [1.0, 2.0, 3.0, 4.0, np.nan, 6.0],
        }
    )
    learner = learner.fit(X, list("aaabbb"))
    new = pd.DataFrame(
        {
            "empty": [1.0, np.nan],
            "kind": pd.Categorical(["v", None], categories=["u", "v"]),
            "x": [5.0, np.nan],
        }
    )
    probabilities = learner.predict_proba(new)
    assert_allclose(probabilities.sum(axis=1), 1)
    assert (probabilities >= 0).all()


# ---------------------------------------------------------------- scikit-learn's idioms


@pytest.mark.parametrize("learner", EVERY_LEARNER, ids=str)
def test_keeps_scikit_learns_idioms(learner, data):
    X, y = data("labor")
    with pytest.raises(NotFittedError):
        clone(learner).predict(X)
    fitted = clone(learner).fit(X, y)
    assert clone(fitted).get_params() == learner.get_params()
    assert fitted.classes_.tolist() == ["bad", "good"]
    assert fitted.feature_names_in_.tolist() == [*X.columns]
    assert fitted.n_features_in_ == 16
    assert fitted.score(X, y) > 0.8
    probabilities = fitted.predict_proba(X)
    assert_array_equal(fitted.predict(X), fitted.classes_[probabilities.argmax(axis=1)])
    assert_array_equal(
        pickle.loads(pickle.dumps(fitted)).predict_proba(X), probabilities
    )
    folds = np.arange(len(y)) % 3
    right = cross_val_predict(clone(learner), X, y, cv=PredefinedSplit(folds)) == y
    counts = correct_counts(Table.from_frame(X, y), folds, learners=[learner])[:, 0]
    assert_array_equal(counts, np.bincount(folds, right))


def test_classes_of_plain_labels_are_sorted_and_declared_ones_are_kept():
    X = pd.DataFrame({"x": [1.0, 2.0, 3.0]})
    assert C45().fit(X, [7, 3, 7]).classes_.tolist() == [3, 7]
    declared = pd.Series(["b", "c", "b"], dtype=pd.CategoricalDtype(["c", "b", "a"]))
    learner = NaiveBayes().fit(X, declared)
    assert learner.classes_.tolist() == ["c", "b", "a"]
    assert learner.model_.class_counts.tolist() == [1, 2, 0]
    # an absent class counts: (0 + 1) / (3 + 3)
    assert learner.predict_proba(pd.DataFrame({"x": [np.nan]}))[0, 2] == pytest.approx(
        1 / 6
    )


def test_categories_may_be_declared_in_another_order_when_predicting():
    X = pd.DataFrame({"kind": pd.Categorical(list("uuvvw"), categories=[*"uvw"])})
    new = pd.DataFrame(
        {"kind": pd.Categorical(["w", "u", None], categories=["w", "z", "u"])}
    )
    for learner in EVERY_LEARNER:
        learner.fit(X, list("aabbb"))
        same = new.assign(kind=new["kind"].cat.set_categories([*"uvw"]))
        assert_array_equal(learner.predict_proba(new), learner.predict_proba(same))


# ---------------------------------------------------------------- refusals

GOOD = pd.DataFrame(
    {"kind": pd.Categorical(["u", "v", "u", "v"]), "x": [1.0, 2.0, 3.0, 4.0]}
)
Y = ["a", "a", "b", "b"]

REFUSED_IN_FIT = [
    # X, y, what the sentence says
    (GOOD.iloc[:0], [], "X has no rows"),
    (GOOD[[]], Y, "X has no columns"),
    (GOOD, ["a"] * 4, "one class only, 'a'"),
    (GOOD, Y[:3], "4 rows but y has 3"),
    (GOOD, ["a", None, "b", "b"], "the class in row 1 of y is missing"),
    (GOOD.mask(GOOD.notna()), Y, "all values of X are missing"),
    (GOOD.assign(x=[1, np.inf, 2, 3]), Y, "column 'x' holds inf in row 1"),
    (GOOD.assign(x=["1", "2", "3", "four"]), Y, "column 'x' holds strings"),
    (GOOD.assign(x=[True, False, True, True]), Y, "column 'x' holds bool"),
    (GOOD.set_axis(["x", "x"], axis=1), Y, "'x' occurs more than once"),
]

REFUSED_IN_PREDICT = [
    (GOOD.iloc[:0], "X has no rows"),
    (GOOD[["x", "kind"]], "those of the training data, 'kind', 'x', not 'x', 'kind'"),
    (GOOD.assign(x=GOOD["kind"]), "column 'x' was numeric in training but is nominal"),
    (GOOD.assign(kind=1.0), "column 'kind' was nominal in training"),
    (
        GOOD.assign(kind=pd.Categorical(["u", "w", "u", "v"])),
        "holds 'w', which is not among its",
    ),
]


def test_refuses_other_data():
    """Data frames are checked in `Table`, alike for every learner."""
    table, other = Table.from_frame(GOOD, Y), Table.from_frame(GOOD, Y)
    learner = C45().fit_table(table, [0, 2])
    with pytest.raises(ValueError, match="must be of the table that was learnt from"):
        learner.predict_table(other, [0])
    for X, y, sentence in REFUSED_IN_FIT:
        with pytest.raises(ValueError, match=sentence):
            learner.fit(X, y)
    for X, sentence in REFUSED_IN_PREDICT:
        with pytest.raises(ValueError, match=sentence):
            learner.predict(X)


@pytest.mark.parametrize(
    ("learner", "sentence"),
    [
        (C45(confidence=0.0), "confidence must be above 0"),
        (C45(confidence=0.6), "at most 0.5, not 0.6"),
        (C45(min_leaf=2.5), "min_leaf must be a whole number of at least 1, not 2.5"),
        (C45(prune="yes"), "prune must be True or False"),
        (
            NearestNeighbour(ties="last"),
            "ties must be one of 'vote', 'first', not 'last'",
        ),
        (
            NearestNeighbour(update_ranges=1),
            "update_ranges must be True or False, not 1",
        ),
    ],
    ids=str,
)
def test_refuses_parameters(learner, sentence):
    with pytest.raises(ValueError, match=sentence):
        learner.fit(GOOD, Y)


def test_one_class_in_training_is_all_that_is_predicted():
    """Not so by naive Bayes and TAN: rare values may speak for a class that was never seen."""
    labels, columns = drawn(6)
    table = Table.from_codes(columns, labels, [3] * 5, 2)
    for name in ("c45", "nearest_neighbour", "decision_stump", "linear_svm"):
        learner = LEARNERS[name]().fit_table(table, np.flatnonzero(labels == 1))
        assert (learner.predict_table(table, table.all_rows) == 1).all()
