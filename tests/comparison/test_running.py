"""Fits: each once per split, kept one by one, computed again when anything has changed."""

import json

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_moons
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

from replib.comparison import gate, running

X, Y = make_moons(40, noise=0.3, random_state=0)


class Counting(ClassifierMixin, BaseEstimator):
    """Predicts the majority, and counts its fits in a file, in whatever process."""

    def __init__(self, file=None, fails_at=None):
        self.file, self.fails_at = file, fails_at

    def fit(self, X, y):
        self.classes_, counts = np.unique(y, return_counts=True)
        self.majority_ = self.classes_[counts.argmax()]
        with open(self.file, "a") as file:
            file.write(".")
        if self.fails_at is not None and fits(self.file) >= self.fails_at:
            raise FloatingPointError("out of luck")
        return self

    def predict(self, X):
        return np.full(len(X), self.majority_)


def fits(file) -> int:
    return len(file.read_text()) if file.exists() else 0


def plan(estimators, X=X, y=Y, cv="2x5", scoring=None):
    names = [str(place) for place in range(len(estimators))]
    seed = 0 if isinstance(cv, str) else None
    return gate.estimators(estimators, names, X, y, cv=cv, scoring=scoring, random_state=seed)


def keys(estimator, **options):
    return running.keys([estimator], plan([estimator], **options), options.get("scoring"))


def test_a_key_changes_with_all_on_which_a_score_depends():
    tree = DecisionTreeClassifier(random_state=0)
    own = keys(tree)
    assert own == keys(DecisionTreeClassifier(random_state=0)) and len(set(own)) == 10
    others = [
        keys(DecisionTreeClassifier(random_state=1)),
        keys(DecisionTreeClassifier(random_state=0, max_depth=3)),
        keys(GaussianNB()),
        keys(tree, X=X + 1e-12),
        keys(tree, y=1 - Y),
        keys(tree, scoring="roc_auc"),
        keys(tree, cv=KFold(5, shuffle=True, random_state=1)),
    ]
    assert all(not set(own) & set(other) for other in others)
    # the folds of another number of runs are the same where the seed is
    assert keys(tree, cv="3x5")[:10] == own


def test_a_key_changes_with_the_code_of_a_class_and_of_a_function():
    def made(text):
        names = {"Counting": Counting}
        exec(text, names)
        return names

    one = made("class Own(Counting):\n def predict(self, X):\n  return [0] * len(X)")["Own"]()
    other = made("class Own(Counting):\n def predict(self, X):\n  return [1] * len(X)")["Own"]()
    code = [running._code(x) for x in (one, other)]
    assert code[0] != code[1]
    again = made("class Own(Counting):\n def predict(self, X):\n  return [0] * len(X)")["Own"]()
    assert running._code(again) == code[0]
    logs = [running._code(FunctionTransformer(f).func) for f in (np.sum, fits, keys)]
    assert logs[1] != logs[2]


def test_an_estimator_that_cannot_be_written_down_is_refused():
    with pytest.raises(ValueError, match="Counting cannot be kept in a cache"):
        keys(Counting(file=lambda: None))


def test_what_is_kept_is_not_trained_again(tmp_path):
    counting = Counting(file=tmp_path / "fits")
    estimators = [counting, GaussianNB()]
    one = plan(estimators)
    tasks = running.tasks("moons", ["most", "nb"], estimators, one)
    own = running.keys(estimators, one, None)
    options = {"progress": False, "cache": tmp_path, "keys": own}
    first = running.run(tasks, **options)
    assert fits(tmp_path / "fits") == 10
    np.testing.assert_array_equal(running.run(tasks, **options), first)
    assert fits(tmp_path / "fits") == 10
    np.testing.assert_array_equal(running.run(tasks, progress=False), first)
    assert fits(tmp_path / "fits") == 20


@pytest.mark.parametrize("damage", [
    lambda text: "", lambda text: text[:-9], lambda text: "[1, 2]", lambda text: "{}",
    lambda text: text.replace("score", "scare"), lambda text: text.replace("0.", "1."),
])
def test_a_damaged_file_is_computed_again(damage, tmp_path):
    one = plan([GaussianNB()])
    tasks, own = running.tasks("moons", ["nb"], [GaussianNB()], one), keys(GaussianNB())
    options = {"progress": False, "cache": tmp_path, "keys": own}
    first = running.run(tasks, **options)
    file = tmp_path / f"{own[3]}.json"
    before = file.read_text()
    file.write_text(damage(before))
    np.testing.assert_array_equal(running.run(tasks, **options), first)
    assert file.read_text() == before and json.loads(before)


def test_a_failing_fit_is_named_and_the_others_are_kept(tmp_path):
    file = tmp_path / "fits"
    failing = Counting(file=file, fails_at=7)
    one = plan([failing])
    tasks, own = running.tasks("moons", ["most"], [failing], one), keys(failing)
    with pytest.raises(ValueError, match=r"most failed on moons, split 7: FloatingPoint.*luck"):
        running.run(tasks, progress=False, cache=tmp_path, keys=own)
    assert len(list(tmp_path.glob("*.json"))) == 6


@pytest.mark.slow
def test_processes_and_a_set_backend_give_the_same_scores():
    from joblib import parallel_config

    one = plan([DecisionTreeClassifier(random_state=0)])
    tasks = running.tasks("moons", ["tree"], [DecisionTreeClassifier(random_state=0)], one)
    alone = running.run(tasks, progress=False)
    np.testing.assert_array_equal(running.run(tasks, n_jobs=2, progress=False), alone)
    with parallel_config("threading", n_jobs=2):
        np.testing.assert_array_equal(running.run(tasks, progress=False), alone)


def test_the_bar_counts_what_is_there(tmp_path, capsys):
    one = plan([GaussianNB()])
    tasks = running.tasks("moons", ["nb"], [GaussianNB()], one)
    own = keys(GaussianNB())
    running.run(tasks[:4], progress=False, cache=tmp_path, keys=own[:4])
    running.run(tasks, progress=True, cache=tmp_path, keys=own)
    assert "10/10" in capsys.readouterr().err
