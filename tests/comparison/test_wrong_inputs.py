"""What people give by mistake, and the sentence that each of them gets."""

import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import (
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    RepeatedKFold,
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
from replib.comparison.predictions import compare_counts

RNG = np.random.default_rng(0)
A, B = 0.9 + RNG.normal(0, 0.03, (2, 100))
WITH_NAN = np.where(np.arange(100) == 41, np.nan, A)
X, Y = load_iris(return_X_y=True)
TABLE = pd.DataFrame(RNG.random((8, 3)), columns=["tree", "bayes", "forest"])


def frame(**changes):
    return TABLE.assign(**changes)


SCORES = {
    "no design": (lambda: compare_scores(A, B), "do not say how they were made.*10x10"),
    "runs only": (lambda: compare_scores(A, B, runs=10), "folds= is missing"),
    "folds only": (lambda: compare_scores(A, B, folds=10), "runs= is missing"),
    "cv and runs": (lambda: compare_scores(A, B, cv="10x10", runs=10), "leave runs, folds"),
    "folds and fraction": (
        lambda: compare_scores(A, B, folds=10, test_fraction=0.1), "give one of them"),
    "one fold": (lambda: compare_scores(A, B, runs=100, folds=1), "at least 2 folds, not 1"),
    "one score": (lambda: compare_scores([0.9], [0.8], test_fraction=0.1), "at least two scores"),
    "fraction in percent": (
        lambda: compare_scores(A, B, test_fraction=10), "between 0 and 1, not 10"),
    "other number of scores": (
        lambda: compare_scores(A[:90], B[:90], cv="10x10"),
        "90 scores are not those of 10 runs of 10-fold.*all folds of the first run"),
    "unequal lengths": (
        lambda: compare_scores(A, B[:90], cv="10x10"),
        "A has 100 scores and B has 90.*same splits"),
    "swapped axes": (
        lambda: compare_scores(A.reshape(20, 5), B.reshape(20, 5), runs=5, folds=20),
        "transpose it"),
    "wrong block": (
        lambda: compare_scores(A.reshape(4, 25), B.reshape(4, 25), cv="10x10"),
        r"shape \(4, 25\).*\(10, 10\)"),
    "three axes": (
        lambda: compare_scores(A.reshape(2, 5, 10), B.reshape(2, 5, 10), cv="10x10"),
        "flat list, or a block"),
    "block of random splits": (
        lambda: compare_scores(A.reshape(10, 10), B.reshape(10, 10), test_fraction=0.1),
        "random splits must be a flat list"),
    "ragged": (lambda: compare_scores([[1, 2], [3]], B, cv="10x10"), "equally long runs"),
    "text": (lambda: compare_scores("scores.csv", B, cv="10x10"), "not the text.*read the file"),
    "words": (lambda: compare_scores(["good", "bad"], [1, 2], cv=2), "must be numbers"),
    "complex": (lambda: compare_scores(A + 1j, B, cv="10x10"), "must be numbers"),
    "empty": (lambda: compare_scores([], [], cv="10x10"), r"shape \(0,\)"),
    "NaN": (lambda: compare_scores(WITH_NAN, B, cv="10x10"), "missing or infinite.*place 42"),
    "infinite": (lambda: compare_scores(A, B / 0.0, cv="10x10"), "100 of the 100 scores of B"),
    "percent and fractions": (
        lambda: compare_scores(100 * A, B, cv="10x10"), "some scores of A look like percent"),
    "Series in other orders": (
        lambda: compare_scores(pd.Series(A), pd.Series(B).iloc[::-1], cv="10x10"),
        "same labels in different orders"),
    "dict of several metrics": (
        lambda: compare_scores({"test_f1": A, "test_auc": A}, {"test_f1": B, "test_auc": B},
                               cv="10x10"), "metric=.*test_f1, test_auc"),
    "dict without the metric": (
        lambda: compare_scores({"test_f1": A}, {"test_f1": B}, cv="10x10", metric="accuracy"),
        "metric=.*test_f1"),
    "dict and plain scores": (
        lambda: compare_scores({"test_f1": A}, B, cv="10x10", metric="f1"),
        "those of B are not in one"),
    "dict of nothing": (
        lambda: compare_scores({"fit_time": A}, {"fit_time": B}, cv="10x10"), "none .it has fit_"),
    "equal names": (
        lambda: compare_scores(A, B, cv="10x10", names=("tree", "tree")), "two different names"),
    "alpha in percent": (lambda: compare_scores(A, B, cv="10x10", alpha=5), "alpha must lie"),
    "bad text for cv": (lambda: compare_scores(A, B, cv="10 by 10"), 'as in "10x10"'),
    "class for a splitter": (
        lambda: compare_scores(A, B, cv=RepeatedStratifiedKFold), "is a class: make a splitter"),
    "leave one out": (lambda: compare_scores(A, B, cv=LeaveOneOut()),
        "LeaveOneOut tests one.*cross_val_predict"),
    "predefined split": (
        lambda: compare_scores(A, B, cv=PredefinedSplit([0, 1])), "1 run of 2-fold"),
    "time series": (lambda: compare_scores(A, B, cv=TimeSeriesSplit(5)), "growing parts"),
    "wrong splitter": (
        lambda: compare_scores(A, B, cv=KFold(10)), "1 run of 10-fold.*which are 10"),
    "other repeats": (
        lambda: compare_scores(A, B, cv=RepeatedKFold(n_splits=5, n_repeats=10)), "which are 50"),
    "sizes in instances": (
        lambda: compare_scores(A, B, cv=ShuffleSplit(100, test_size=30)), "give test_fraction="),
    "negative rope": (
        lambda: compare_scores(A, B, cv="10x10").probabilities(-0.01), "0 or above, not -0.01"),
}

OTHERS = {
    "class for an estimator": (
        lambda: compare_classifiers(GaussianNB, GaussianNB(), X, Y, cv=5),
        "GaussianNB A must be.*object"),
    "two seeds": (
        lambda: compare_classifiers(
            GaussianNB(), GaussianNB(), X, Y, cv=KFold(5), random_state=1
        ), "KFold has its own"),
    "X and y unequal": (
        lambda: compare_classifiers(GaussianNB(), GaussianNB(), X, Y[:9], cv=5), "inconsistent"),
    "probabilities": (
        lambda: compare_predictions(Y, np.full((150, 3), 1 / 3), Y), "predict, not predict_proba"),
    "scores for classes": (
        lambda: compare_predictions(Y, np.full(150, 0.3), Y), "these are probabilities"),
    "unequal predictions": (lambda: compare_predictions(Y, Y[:9], Y), "pred_a has 9: .*same test"),
    "coded otherwise": (
        lambda: compare_predictions(Y, np.full(150, "setosa"), Y), "coded alike"),
    "missing class": (
        lambda: compare_predictions([1, 0, None], [1, 0, 1], [1, 0, 1]), "y_true has 1 missing"),
    "no prediction": (lambda: compare_predictions([], [], []), "y_true is empty"),
    "negative count": (lambda: compare_counts(-1, 2, 3), "wins must be a whole number"),
    "broken count": (lambda: compare_counts(1.5, 2, 3), "wins must be a whole number"),
    "no counts": (lambda: compare_counts(0, 0, 0), "nothing to compare"),
    "benchmark array": (lambda: compare_benchmark(TABLE.to_numpy()), "must be a DataFrame"),
    "one classifier": (lambda: compare_benchmark(TABLE[["tree"]]), "only one classifier"),
    "one data set": (lambda: compare_benchmark(TABLE.iloc[:1]), "only one data set"),
    "missing score": (
        lambda: compare_benchmark(frame(tree=TABLE["tree"].where(TABLE.index != 3))),
        "'tree' has no score in row 3"),
    "names among scores": (
        lambda: compare_benchmark(frame(task=list("abcdefgh"))), "'task' holds 'a', no number"),
    "column twice": (
        lambda: compare_benchmark(TABLE.set_axis(["tree", "tree", "x"], axis=1)),
        "two columns of the frame are called 'tree'"),
    "long without data sets": (
        lambda: compare_benchmark(pd.DataFrame({"classifier": ["a", "b"], "score": [1, 2]})),
        "a column 'dataset' is needed"),
    "long with a gap": (
        lambda: compare_benchmark(pd.DataFrame({
            "dataset": ["u", "u", "v"], "classifier": ["a", "b", "a"], "score": [1, 2, 3]})),
        "that of b on v"),
    "percent in one column": (
        lambda: compare_benchmark(frame(tree=90 + 0 * TABLE["tree"])),
        "some scores of tree look like percent"),
    "percent in one column, a small one too": (
        lambda: compare_benchmark(frame(tree=100.0 * (TABLE.index > 0))),
        "some scores of tree look like percent"),
}

FILES = {
    "missing file": (None, "No such file"),
    "spreadsheet": (b"PK\x03\x04....", "save it as CSV"),
    "broken encoding": (b"\xff\xfea", "breaks off: save it as UTF-8"),
    "a split is missing": (
        b"run,fold,a,b\n1,1,.9,.8\n1,2,.9,.7\n2,1,.8,.8\n",
        "3 rows.*run and fold name 2 x 2 splits"),
    "empty file": (b"", "is empty"),
    "head only": (b"a,b\n", "only one line"),
    "one column": (b"a\n1\n2\n", "one column, 'a'"),
    "no head": (b"0.9,0.8\n0.9,0.7\n", "names of the classifiers must stand there"),
    "no classifier": (b"run,fold,tree\n1,1,.9\n", "columns run, fold, tree"),
    "no score": (b"classifier,fold,points\na,1,.9\n", "a column 'score' is needed"),
    "one classifier only": (b"model,score\na,.9\na,.8\n", "has scores of 1 classifier"),
    "words in a column": (b"a,b\n.9,.8\n.9,n/a\n", "'b' .* holds 'n/a' in line 3"),
    "empty cell": (b"a,b\n.9,.8\n.9,\n", "is empty in line 3"),
    "line too short": (b"a,b\n.9,.8\n.9\n", "line 3 .* has 1 fields"),
    "name twice": (b"a,a\n.9,.8\n", "two columns .* 'a'"),
    "duplicate rows": (b"fold,a,b\n1,.9,.8\n1,.9,.8\n", "two rows of fold 1"),
    "duplicate rows, long": (
        b"model,run,fold,score\na,1,1,.9\na,1,1,.8\nb,1,1,.9\n", "two rows of run 1, fold 1 for a"),
    "other splits": (
        b"model,fold,score\na,1,.9\na,2,.8\nb,1,.9\nb,3,.8\n", "not scored on the same splits"),
}


@pytest.mark.parametrize("mistake", [*SCORES, *OTHERS])
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_a_mistake_gets_its_sentence(mistake):
    made, sentence = {**SCORES, **OTHERS}[mistake]
    with pytest.raises(ValueError) as refusal:
        made()
    said = str(refusal.value)
    assert re.search(sentence, said), said
    assert "\n" not in said and len(said) < 300


@pytest.mark.parametrize("mistake", FILES)
def test_a_wrong_file_gets_its_sentence(mistake, tmp_path):
    content, sentence = FILES[mistake]
    path = tmp_path / "scores.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ValueError) as refusal:
        found = scores_file.read(path)
        gate.scores(found)
    assert re.search(sentence, str(refusal.value)), refusal.value


SUSPICIOUS = {
    "errors": (lambda: compare_scores(1 - A, 1 - B, cv="10x10"), "if these are errors"),
    "the same twice": (lambda: compare_scores(A, A, cv="10x10"), "same score on every split"),
    "constant": (lambda: compare_scores(A, 0 * B + 0.9, cv="10x10"), "B has the same score, 0.9"),
    "column-major": (
        lambda: compare_scores(_block(1).T, _block(2).T, cv="10x10"), "runs in the columns"),
    "column-major and flat": (
        lambda: compare_scores(_block(1).ravel("F"), _block(2).ravel("F"), cv="10x10"),
        "runs in the columns"),
    "few data sets": (lambda: compare_benchmark(TABLE.iloc[:4]), "six are the fewest"),
    "transposed benchmark": (lambda: compare_benchmark(TABLE.set_axis(["u", "v", "w"], axis=1).T),
        "rows and columns swapped"),
}


def _block(seed):
    """Accuracies of ten runs, each of which deals out the same hard and easy instances."""
    rng = np.random.default_rng(seed)
    hard = np.repeat([0, 1], [60, 240])
    return np.array([rng.permutation(hard).reshape(10, 30).mean(axis=1) for _ in range(10)])


@pytest.mark.parametrize("mistake", SUSPICIOUS)
def test_what_may_be_right_is_compared_with_a_note(mistake):
    made, sentence = SUSPICIOUS[mistake]
    result = made()
    assert any(sentence in note for note in result.notes), result.notes
    assert sentence in str(result)


def test_good_scores_get_no_note():
    assert compare_scores(_block(1), _block(2), cv="10x10").notes == ()
    assert compare_scores(1 - A, 1 - B, cv="10x10", greater_is_better=False).notes == ()


@pytest.mark.parametrize("lower", [1, 0.85])  # all of them below zero, and some
def test_scores_below_zero_are_no_errors(lower):
    assert compare_scores(A - lower, B - lower, cv="10x10").notes == ()


@pytest.mark.parametrize("arguments, sentence", [
    (["FILE"], "how were the 4 splits made"),
    (["FILE", "--cv", "10x10"], "4 scores are not those"),
    (["FILE", "--cv", "2x2", "--pair", "a", "z"], "no classifier 'z'"),
    (["FILE", "--cv", "2x2", "--rope", "0.01"], "say --pair"),
])
def test_the_command_refuses_in_one_line(arguments, sentence, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("a,b,c\n.9,.8,.7\n.8,.9,.6\n.9,.7,.7\n.8,.8,.6\n")
    arguments = [str(path) if one == "FILE" else one for one in arguments]
    done = subprocess.run(
        [sys.executable, "-m", "replib", "compare", *arguments], capture_output=True, text=True,
        check=False,
    )
    assert done.returncode == 2 and done.stdout == ""
    assert re.fullmatch(f"Error: .*{re.escape(sentence)}.*\n", done.stderr), done.stderr
