"""Stored reruns in the chapters of the short book: how many people reach each decision."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from companion.papers import uci
from replib.methods import decide

#: Pairs of learners and data sets to choose from: the most divided ones first, then clear ones.
PLACES = (
    ("c45_nn", "diabetes"), ("nb_nn", "credit-a"), ("nb_c45", "lymph"), ("c45_nn", "autos"),
    ("nb_c45", "heart-statlog"), ("nb_c45", "iris"), ("nb_c45", "vehicle"),
)
_LEARNERS = {
    "nb_c45": ("naive Bayes", "C4.5"), "nb_nn": ("naive Bayes", "nearest neighbour"),
    "c45_nn": ("C4.5", "nearest neighbour"),
}


def reruns(
    results: Mapping[str, uci.Results], *, alpha: float = 0.05
) -> list[dict[str, object]]:
    """Count how many of 200 people find each learner better, or neither, by number of runs.

    Returns a dict for each of `PLACES`: `title`, `learners`, and `counts`: for each number of runs,
    how many people find the first learner better, neither, and the second, by the corrected t test.
    """
    sets = []
    for pair, dataset in PLACES:
        block = uci.differences(results, "uci_cross_validation", pair)[dataset]
        found = [decisions(block[:, :runs], alpha) for runs in range(1, block.shape[1] + 1)]
        sets.append({
            "title": f"{' and '.join(_LEARNERS[pair])}: {dataset}", "learners": _LEARNERS[pair],
            "counts": [[int((one == kind).sum()) for kind in (1, 0, -1)] for one in found],
        })
    return sets


def decisions(block: np.ndarray, alpha: float = 0.05) -> np.ndarray:
    """Decide by the corrected t test on each block of shape (..., runs, folds): 1, 0 or -1."""
    return decide(block, design="corrected_repeated_cv", alpha=alpha)


def table(sets: Sequence[Mapping[str, object]]) -> pd.DataFrame:
    """The counts with all runs, one row per data set."""
    return pd.DataFrame({
        str(one["title"]): one["counts"][-1] for one in sets
    }, ["first better", "neither", "second better"]).T


def digits_differences(
    data_sets: int, *, size: int, runs: int, folds: int, seed: int
) -> np.ndarray:
    """Measure nearest neighbour accuracy minus that of nearest class means, on samples of digits.

    Each data set is a random sample of scikit-learn's 1797 digits.  Returns shape (data_sets, runs,
    folds).
    """
    from sklearn.datasets import load_digits

    X, y = load_digits(return_X_y=True)
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    found = np.empty((data_sets, runs, folds))
    for one in found:
        chosen = rng.choice(len(y), size, replace=False)
        here, classes = X[chosen], y[chosen]
        squares = (here**2).sum(axis=1)
        distances = squares[:, np.newaxis] + squares - 2 * here @ here.T
        for run in one:
            for fold, test in enumerate(np.array_split(rng.permutation(size), folds)):
                run[fold] = _difference(here, classes, distances, test)
    return found


def _difference(X: np.ndarray, y: np.ndarray, distances: np.ndarray, test: np.ndarray) -> float:
    """Accuracy of the nearest neighbour minus that of class means, trained on all but `test`."""
    train = np.setdiff1d(np.arange(len(y)), test)
    neighbour = y[train][distances[np.ix_(test, train)].argmin(axis=1)]
    labels, place = np.unique(y[train], return_inverse=True)
    members = np.eye(len(labels))[place]
    means = members.T @ X[train] / members.sum(axis=0)[:, np.newaxis]
    to_means = (means**2).sum(axis=1) - 2 * X[test] @ means.T
    by_mean = labels[to_means.argmin(axis=1)]
    return float((neighbour == y[test]).mean() - (by_mean == y[test]).mean())
