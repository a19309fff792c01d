"""What the examples of the catalogue start from: two classifiers, their scores and predictions."""

# ruff: noqa: F401  (the examples use what is imported)
import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
from sklearn.datasets import load_diabetes, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from replib.comparison import (
    compare_benchmark,
    compare_classifiers,
    compare_predictions,
    compare_scores,
)

RNG = np.random.default_rng(4)


def accuracies(*shares, runs=10, folds=10, n=300):
    """Accuracies of classifiers on the same splits, all folds of the first run first.

    Each run deals the same instances into other folds and trains again, which changes few of the
    predictions.
    """
    luck = RNG.random(n)
    orders = [RNG.permutation(n) for _ in range(runs)]
    return [
        np.concatenate([
            ((0.7 * luck + 0.3 * RNG.random(n)) < share)[order].reshape(folds, -1).mean(axis=1)
            for order in orders
        ])
        for share in shares
    ]


tree, bayes, forest = accuracies(0.84, 0.82, 0.86)
one_run = np.array([0.933, 0.9, 0.867, 0.933, 0.967, 0.9, 0.933, 0.867, 0.9, 0.967])
another = np.array([0.9, 0.9, 0.833, 0.9, 0.967, 0.867, 0.933, 0.867, 0.867, 0.933])
run, fold = np.repeat(np.arange(10), 10), np.tile(np.arange(10), 10)
splits = pd.MultiIndex.from_arrays([run, fold], names=["run", "fold"])

X, y = load_iris(return_X_y=True)
X_frame, y_series = load_iris(return_X_y=True, as_frame=True)
X_numbers, y_numbers = load_diabetes(return_X_y=True)

truth = RNG.integers(0, 2, 200)
wrong = RNG.random((2, 200)) < [[0.1], [0.2]]
pred_a, pred_b = np.where(wrong, 1 - truth, truth)

benchmark = pd.DataFrame(
    {"tree": [0.71, 0.64, 0.83, 0.90, 0.58, 0.77, 0.92, 0.81],
     "forest": [0.78, 0.70, 0.88, 0.91, 0.66, 0.79, 0.94, 0.85],
     "bayes": [0.70, 0.66, 0.80, 0.85, 0.60, 0.70, 0.93, 0.80]},
    index=["anneal", "audiology", "balance", "car", "credit", "glass", "iris", "zoo"],
)


def csv(**columns):
    """Columns as the text of a CSV file."""
    return pd.DataFrame(columns).to_csv(index=False)


def command(text, *arguments, name="scores.csv"):
    """Run ``replib compare`` on a file with this text; return what it prints."""
    from replib.comparison.command import main

    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        out, err = io.StringIO(), io.StringIO()
        given = [one.replace("FOLDER", folder) for one in (str(path), *arguments)]
        with redirect_stdout(out), redirect_stderr(err):
            code = main(given)
    plain = lambda said: said.getvalue().strip().replace(folder + "/", "").replace(folder, "FOLDER")
    if code:
        raise ValueError(plain(err).removeprefix("Error: "))
    return plain(out)


__all__ = [name for name in dir(sys.modules[__name__]) if not name.startswith("_")]
