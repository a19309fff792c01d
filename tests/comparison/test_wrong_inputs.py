"""What people give by mistake: one sentence each, for the kinds that the catalogue leaves out."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import (
    KFold,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    TimeSeriesSplit,
)
from sklearn.naive_bayes import GaussianNB

from replib.comparison import (
    compare_benchmark,
    compare_classifiers,
    compare_predictions,
    compare_scores,
    gate,
    scores_file,
)
from replib.comparison.gate import entrances
from replib.comparison.predictions import compare_counts

A, B = 0.9 + np.random.default_rng(0).normal(0, 0.03, (2, 100))
X, Y = load_iris(return_X_y=True)
NB = GaussianNB()
TABLE = pd.DataFrame(np.random.default_rng(1).random((8, 3)), columns=["tree", "bayes", "forest"])
scores = lambda a, b=B, **options: compare_scores(a, b, **({"cv": "10x10"} | options))

MISTAKES = [
    (lambda: compare_scores(A, B), "do not say how they were made.*10x10"),
    (lambda: compare_scores(A, B, runs=10), "folds= is missing"),
    (lambda: scores(A, runs=10), "leave runs, folds"),
    (lambda: scores(A, cv=None, folds=10, test_fraction=0.1), "give one of them"),
    (lambda: scores(A, cv=None, runs=100, folds=1), "at least 2 folds, not 1"),
    (lambda: scores([0.9], [0.8], cv=None, test_fraction=0.1), "at least two scores"),
    (lambda: scores(A, cv=None, test_fraction=10), "between 0 and 1, not 10"),
    (lambda: scores(A.reshape(20, 5), B.reshape(20, 5), cv="5x20"), "transpose it"),
    (lambda: scores(A.reshape(2, 5, 10), B.reshape(2, 5, 10)), "flat list, or a block"),
    (lambda: scores(A.reshape(10, 10), B.reshape(10, 10), cv=None, test_fraction=0.1),
     "random splits must be a flat list"),
    (lambda: scores([[1, 2], [3]]), "equally long runs"),
    (lambda: scores("scores.csv"), "not the text.*read the file"),
    (lambda: scores(A + 1j), "must be numbers"),
    (lambda: scores({"test_f1": A, "test_auc": A}, {"test_f1": B, "test_auc": B}),
     "metric=.*test_f1, test_auc"),
    (lambda: scores({"test_f1": A}, metric="f1"), "those of B are not in one"),
    (lambda: scores(A, names=("tree", "tree")), "two different names"),
    (lambda: scores(A, alpha=5), "alpha must lie"),
    (lambda: scores(A, cv="10 by 10"), 'as in "10x10"'),
    (lambda: scores(A, cv=RepeatedStratifiedKFold), "is a class: make a splitter"),
    (lambda: scores(A, cv=PredefinedSplit([0, 1])), "1 run of 2-fold"),
    (lambda: scores(A, cv=TimeSeriesSplit(5)), "growing parts"),
    (lambda: scores(A, cv=ShuffleSplit(100, test_size=30)), "give test_fraction="),
    (lambda: scores(A).probabilities(-0.01), "0 or above, not -0.01"),
    (lambda: gate.scores([], cv=10), "none"),
    (lambda: gate.scores(np.ones((3, 10)), cv=10), "shape|columns"),
    (lambda: gate.scores({"test_a": A, "fit_time": B}, cv="10x10"), "give both dicts"),
    (lambda: gate.scores({"mean_test_score": A}, cv="10x10"), "compare_search"),
    (lambda: compare_classifiers(GaussianNB, NB, X, Y, cv=5), "GaussianNB A must be.*object"),
    (lambda: compare_classifiers(NB, NB, X, Y, cv=KFold(5), random_state=1), "KFold has its own"),
    (lambda: compare_classifiers(NB, NB, X, Y[:9], cv=5), "inconsistent"),
    (lambda: entrances.either("f1", "f1"), "scoring"),
    (lambda: compare_predictions(Y, Y[:9], Y), "pred_a has 9: .*same test"),
    (lambda: compare_predictions([], [], []), "y_true is empty"),
    (lambda: compare_predictions([["a", "b"], ["b", "a"]], Y, Y), r"shape \(2, 2\)"),
    (lambda: compare_counts(1.5, 2, 3), "wins must be a whole number"),
    (lambda: compare_counts(0, 0, 0), "nothing to compare"),
    (lambda: compare_benchmark(TABLE.to_numpy()), "must be a DataFrame"),
    (lambda: compare_benchmark(TABLE[["tree"]]), "only one classifier"),
    (lambda: compare_benchmark(TABLE.iloc[:1]), "only one data set"),
    (lambda: compare_benchmark(TABLE.assign(tree=TABLE["tree"].where(TABLE.index != 3))),
     "'tree' has no score in row 3"),
    (lambda: compare_benchmark(TABLE.assign(task=list("abcdefgh"))), "'task' holds 'a', no number"),
    (lambda: compare_benchmark(pd.DataFrame({"classifier": ["a", "b"], "score": [1, 2]})),
     "a column 'dataset' is needed"),
    (lambda: compare_benchmark(pd.DataFrame({
        "dataset": ["u", "u", "v"], "classifier": ["a", "b", "a"], "score": [1, 2, 3]})),
     "that of b on v"),
]
FILES = [
    (None, "No such file"), (b"\xff\xfea", "breaks off: save it as UTF-8"), (b"", "is empty"),
    (b"a,b\n", "only one line"), (b"a\n1\n2\n", "one column, 'a'"),
    (b"classifier,fold,points\na,1,.9\n", "a column 'score' is needed"),
]


@pytest.mark.parametrize("call, sentence", MISTAKES)
def test_a_mistake_gets_its_sentence(call, sentence):
    with pytest.raises(ValueError) as refusal:
        call()
    said = str(refusal.value)
    assert re.search(sentence, said), said
    assert "\n" not in said and len(said) < 300


@pytest.mark.parametrize("content, sentence", FILES)
def test_a_wrong_file_gets_its_sentence(content, sentence, tmp_path):
    path = tmp_path / "scores.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ValueError, match=sentence):
        gate.scores(scores_file.read(path))


@pytest.mark.parametrize("lower", [1, 0.85])  # all of them below zero, and some
def test_scores_below_zero_are_no_errors(lower):
    assert compare_scores(A - lower, B - lower, cv="10x10").notes == ()
