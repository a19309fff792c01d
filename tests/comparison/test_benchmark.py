"""Many classifiers on many data sets: ranks, pairs, and frames that say the same."""

import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import make_moons
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from replib import replication_probability
from replib.comparison import (
    compare_benchmark,
    compare_classifiers,
    run_benchmark,
)


@pytest.mark.parametrize("greater_is_better", [True, False])
def test_the_corrected_decision_is_predicted_given_that_it_is_significant(greater_is_better):
    drawn = np.random.default_rng(5).normal([0, 0.2, 1.2], 1, (15, 3))
    scores = pd.DataFrame(drawn, columns=list("abc"))
    pairs = compare_benchmark(scores, greater_is_better=greater_is_better, alpha=0.1).pairs
    d = np.array([scores[row.a] - scores[row.b] for row in pairs.itertuples()])
    again = replication_probability.signed_rank(
        d if greater_is_better else -d, alpha=0.1, selected=True
    )
    for name, values in (("", again.point), ("_low", again.low), ("_high", again.high)):
        np.testing.assert_array_equal(pairs[f"replication{name}"], values)
    assert set(pairs["decision"]) == {0, 1}


def test_two_classifiers_are_compared_by_the_sign_test():
    wins = pd.DataFrame({"a": [0.9, 0.8, 0.7, 0.9, 0.8], "b": [0.8, 0.6, 0.4, 0.5, 0.9]})
    result = compare_benchmark(wins)
    assert result.friedman_pvalue == pytest.approx(stats.binomtest(4, 5).pvalue)
    assert "sign test" in result.sentence() and "Friedman" not in result.sentence()


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("classifiers", range(3, 9))
def test_the_same_order_on_every_data_set_has_no_chance(classifiers):
    for datasets in range(6, 12):
        scores = np.tile(np.linspace(0.5, 0.9, classifiers), (datasets, 1))
        result = compare_benchmark(pd.DataFrame(scores))
        assert result.friedman_pvalue == 0 and "Friedman" in result.sentence()


def test_long_and_wide_frames_say_the_same():
    rng = np.random.default_rng(3)
    wide = pd.DataFrame(rng.random((9, 3)), columns=list("abc"), index=list("stuvwxyzk"))
    repeated = pd.concat([wide - 0.01, wide + 0.01])
    long = wide.rename_axis("dataset").reset_index().melt("dataset", var_name="Classifier",
                                                          value_name="Score")
    named = wide.rename_axis("dataset").reset_index()
    reference = compare_benchmark(wide)
    folds = named.assign(fold=0)
    indexed = pd.concat([folds, folds.assign(fold=1)]).set_index("dataset")
    for other in (repeated, long.sample(frac=1, random_state=1), named, indexed):
        found = compare_benchmark(other)
        assert found.mean_ranks.to_dict() == pytest.approx(reference.mean_ranks.to_dict())
        assert found.friedman_pvalue == pytest.approx(reference.friedman_pvalue)
    errors = compare_benchmark(1 - wide, greater_is_better=False)
    assert errors.pairs["signed_rank"].tolist() == pytest.approx(
        reference.pairs["signed_rank"].tolist())


# ---------------------------------------------------------------- run_benchmark

MOONS = {f"moons {i}": make_moons(40, noise=0.3, random_state=i) for i in range(6)}
PAIR = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}


def test_a_benchmark_is_the_mean_of_comparisons_on_each_data_set():
    result = run_benchmark(PAIR, MOONS, cv="2x3", random_state=4, progress=False)
    for name, (X, y) in MOONS.items():
        two = compare_classifiers(PAIR, X, y, cv="2x3", random_state=4, progress=False)
        for classifier, scores in zip(two.names, two.scores):
            assert result.scores.loc[name, classifier] == pytest.approx(scores.mean())
            np.testing.assert_array_equal(
                result.splits.loc[name, classifier].to_numpy(), scores.ravel()
            )
    assert result.splits.index.names == ["dataset", "run", "fold"]
    by_frame = compare_benchmark(result.scores)
    pd.testing.assert_frame_equal(result.pairs, by_frame.pairs)
    assert result.sentence() == by_frame.sentence()
    assert "run_benchmark(estimators, datasets, cv=&#x27;2x3&#x27;" in result.page()
    assert result.record["moons 0"] == "40 instances with 2 features"


@pytest.mark.slow
def test_a_killed_benchmark_goes_on_where_it_stopped(tmp_path):
    """A process is killed in the middle; the same call then reads what it kept."""
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, time\n"
        "from sklearn.datasets import make_moons\n"
        "from sklearn.naive_bayes import GaussianNB\n"
        "from sklearn.base import BaseEstimator, ClassifierMixin\n"
        "from replib.comparison import run_benchmark\n"
        "class Slow(GaussianNB):\n"
        "    def fit(self, X, y):\n"
        "        time.sleep(float(open(sys.argv[2]).read()))\n"
        "        return super().fit(X, y)\n"
        "moons = {str(i): make_moons(40, noise=0.3, random_state=i) for i in range(2)}\n"
        "result = run_benchmark({'nb': GaussianNB(), 'slow': Slow()}, moons, cv=5,\n"
        "                       cache=sys.argv[1], progress=False)\n"
        "print(result.splits.to_csv())\n"
    )
    folder, pause = tmp_path / "cache", tmp_path / "pause"
    pause.write_text("0.2")
    command = [sys.executable, script, folder, pause]
    running = subprocess.Popen(command, stdout=subprocess.PIPE)
    while len(list(folder.glob("*.json"))) < 7:  # five of nb, two of slow
        assert running.poll() is None
        time.sleep(0.01)
    running.kill()
    running.wait()
    before = {file.name: file.stat().st_mtime_ns for file in folder.glob("*.json")}
    assert 7 <= len(before) < 20
    pause.write_text("0")
    finish = lambda where: subprocess.run(
        [*command[:2], where, pause], capture_output=True, text=True, check=True).stdout
    resumed = finish(folder)
    after = {file.name: file.stat().st_mtime_ns for file in folder.glob("*.json")}
    assert len(after) == 20 and before.items() <= after.items()
    assert resumed == finish(tmp_path / "other") == finish(folder)


@pytest.mark.parametrize("estimators, datasets, options, says", [
    ([GaussianNB()], MOONS, {"cv": 5}, "estimators must be a dict"),
    (PAIR, [MOONS], {"cv": 5}, "datasets must be a dict"),
    (PAIR, {"one": 3, "two": 4}, {"cv": 5}, "data set 'one' must be a pair"),
    (PAIR, MOONS, {"cv": KFold(5, shuffle=True), "cache": "c"}, "cv must have a seed"),
    ({"nb": GaussianNB, "tree": PAIR["tree"]}, MOONS, {"cv": 5}, "nb must be a scikit-learn"),
    ({"nb": GaussianNB()}, MOONS, {"cv": 5}, "estimators must be a dict of two or more"),
    ({"1": GaussianNB(), 1: GaussianNB()}, MOONS, {"cv": 5}, "different names"),
    (PAIR, {"moons": MOONS["moons 0"]}, {"cv": 5}, "datasets must be a dict of two or more"),
])
def test_a_benchmark_that_cannot_be_run_is_refused(
    estimators, datasets, options, says, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=says):
        run_benchmark(estimators, datasets, progress=False, **options)


def test_errors_of_a_regression_are_the_better_the_smaller():
    rng = np.random.default_rng(0)
    data = {str(i): (x := rng.normal(size=(40, 2)), x[:, 0] + rng.normal(0, 0.1, 40))
            for i in range(6)}
    result = run_benchmark(
        {"mean": DummyRegressor(), "line": LinearRegression()}, data, cv=4,
        scoring="neg_mean_absolute_error", progress=False,
    )
    assert not result.greater_is_better and (result.scores > 0).all(axis=None)
    assert result.mean_ranks.index[0] == "line" and result.record["metric"] == "mean absolute error"
