"""What the examples of the catalogue start from: two classifiers, their scores and predictions."""

# ruff: noqa: F401  (the examples use what is imported)
import io
import json
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
    compare_item_scores,
    compare_predictions,
    compare_scores,
    run_benchmark,
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


difficulty = RNG.normal(size=120)


def answers(ability, runs=5):
    """Right and wrong answers to the same 120 items."""
    return (difficulty + RNG.normal(ability, 1, (runs, 120)) > 0).astype(int)


new, old = answers(0.8), answers(0.3)
ids, texts = [f"q{i}" for i in range(120)], [f"text {i // 5}" for i in range(120)]
new_frame, old_frame = (pd.DataFrame(x, columns=ids) for x in (new, old))
scores_a, scores_b = (
    1 / (1 + np.exp(-RNG.normal(truth - 0.5, spread, (5, 200)))) for spread in (0.5, 0.8)
)
runs_a, runs_b = (scores_a > 0.5).astype(int), (scores_b > 0.5).astype(int)
answered = pd.DataFrame(
    [(item, run, model, x[run, i], texts[i]) for model, x in (("new", new), ("old", old))
     for run in range(5) for i, item in enumerate(ids)],
    columns=["item", "run", "model", "score", "group"],
)


def harness(models, task="sums", metric="acc", **more):
    """Samples of lm-evaluation-harness by their names: a file per run and model."""
    return {
        f"{model}/samples_{task}_2025-01-0{run + 1}.jsonl": "\n".join(
            json.dumps({"doc_id": i, "doc": {"text": texts[i]}, "target": str(i % 7),
                        "filter": "none", "metrics": [metric], metric: float(score)} | more)
            for i, score in enumerate(of)
        )
        for model, x in models.items() for run, of in enumerate(np.atleast_2d(x))
    }


def inspect(models, **more):
    """Logs of Inspect by their names: a file per model, an epoch per run."""
    return {
        f"{model}.json": json.dumps({
            "status": "success", "eval": {"model": model, "task": "sums"},
            "samples": [
                {"id": i, "epoch": run + 1, "target": str(i % 7), "metadata": {"text": texts[i]},
                 "scores": {"match": {"value": "IC"[int(score)]}}}
                for run, of in enumerate(np.atleast_2d(x)) for i, score in enumerate(of)
            ],
        } | more)
        for model, x in models.items()
    }


def csv(**columns):
    """Columns as the text of a CSV file."""
    return pd.DataFrame(columns).to_csv(index=False)


def command(text, *arguments, name="scores.csv"):
    """Run ``replib compare`` on a file with this text, or on files; return what it prints."""
    from replib.comparison.command import main

    with TemporaryDirectory() as folder:
        files = text if isinstance(text, dict) else {name: text}
        paths = [Path(folder, one) for one in files]
        for path, of in zip(paths, files.values()):
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(of if isinstance(of, bytes) else of.encode())
        out, err = io.StringIO(), io.StringIO()
        given = [one.replace("FOLDER", folder) for one in (*map(str, paths), *arguments)]
        with redirect_stdout(out), redirect_stderr(err):
            code = main(given)
    plain = lambda said: said.getvalue().strip().replace(folder + "/", "").replace(folder, "FOLDER")
    if code:
        raise ValueError(plain(err).removeprefix("Error: "))
    return plain(out)


__all__ = [name for name in dir(sys.modules[__name__]) if not name.startswith("_")]
