"""The scores behind everything on the page: four kernels on the same hundred folds."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd
from sklearn.datasets import make_moons
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.svm import SVC

from companion.papers import published
from companion.papers.bouckaert_frank2004.section_3 import squared_t
from replib import significance

#: The page's name for each kernel, and its arguments for the support vector machine.
KERNELS = {
    "rbf": {"kernel": "rbf"},
    "linear": {"kernel": "linear"},
    "3_poly": {"kernel": "poly", "degree": 3},
    "2_poly": {"kernel": "poly", "degree": 2},
}

INSTANCES, RUNS, FOLDS = 100, 10, 10

#: Test instances per training instance.
TEST_TRAIN_RATIO = 1 / (FOLDS - 1)


def scores(
    kernels: Sequence[str] = tuple(KERNELS), *, data_seed: int = 1, splits_seed: int = 0
) -> pd.DataFrame:
    """Return the area under the ROC curve of each kernel on the folds of ten runs.

    Parameters
    ----------
    kernels : sequence of str
        Names in `KERNELS`.
    data_seed, splits_seed : int
        The page uses 1 and 0.

    Returns
    -------
    DataFrame
        Indexed by (`run`, `fold`), one column per kernel.
    """
    X, y = make_moons(noise=0.352, random_state=data_seed, n_samples=INSTANCES)
    splits = RepeatedStratifiedKFold(
        n_splits=FOLDS, n_repeats=RUNS, random_state=splits_seed
    )
    rows = [
        [
            _area(
                SVC(**KERNELS[name]).fit(X[train], y[train]).decision_function(X[test]),
                y[test],
            )
            for name in kernels
        ]
        for train, test in splits.split(X, y)
    ]
    index = pd.MultiIndex.from_product(
        [range(RUNS), range(FOLDS)], names=["run", "fold"]
    )
    return pd.DataFrame(rows, index=index, columns=list(kernels))


def _area(decision: np.ndarray, label: np.ndarray) -> float:
    """The probability that an instance of class 1 ranks above one of class 0; ties count half."""
    difference = decision[label == 1][:, None] - decision[label == 0]
    return float(np.mean((difference > 0) + 0.5 * (difference == 0)))


def corrected(differences: np.ndarray, **options) -> significance.MeanTestResult:
    """Apply the corrected resampled t test to the differences of all folds of all runs."""
    return significance.corrected_resampled_t(
        np.ravel(differences), test_train_ratio=TEST_TRAIN_RATIO, **options
    )


def without_the_level_of_the_folds(found: pd.DataFrame) -> pd.DataFrame:
    """scikit_learn.e67: subtract from each fold the mean of all kernels on it.

    The page gives the correlation between the *models* as the reason for the
    correction.  The tests use differences, from which a level that a fold gives to all
    models drops out.

    Columns `statistic` (a correlation of two models, or t), `scores`, `centred`.
    """
    centred = found.sub(found.mean(axis=1), axis=0)
    rows = [
        (
            f"correlation of {a} and {b}",
            found[a].corr(found[b]),
            centred[a].corr(centred[b]),
        )
        for a, b in (("rbf", "linear"), ("rbf", "3_poly"), ("linear", "3_poly"))
    ]
    rows.append(
        (
            "corrected t of rbf and linear",
            *(
                corrected(frame["rbf"] - frame["linear"]).statistic
                for frame in (found, centred)
            ),
        )
    )
    return pd.DataFrame(rows, columns=["statistic", "scores", "centred"])


def ledger_rows() -> pd.DataFrame:
    """Ledger rows: the two tables of scores, and the page's conclusions from them."""
    found = scores()
    rows = [{"id": "scikit_learn.eq_t", "rebuilt": _is_the_library_s(found)}]
    mean, deviation = found.mean(), found.std(ddof=0)
    rank = mean.rank(ascending=False)
    for name in KERNELS:
        rows += [
            {"id": f"scikit_learn.tab01.{name}.{what}", "rebuilt": frame[name]}
            for what, frame in (("rank", rank), ("mean", mean), ("std", deviation))
        ]
    without = without_the_level_of_the_folds(found).iloc[-1]
    same_t = bool(np.isclose(without["scores"], without["centred"]))
    correlation = found.corr()
    for cell in published.cells("scikit_learn.tab02")["cell_id"]:
        a, b = cell.split(".")[-2:]
        rows.append({"id": cell, "rebuilt": correlation.at[a, b]})
    rows += [
        {
            "id": "scikit_learn.cl.01",
            "rebuilt": bool(
                list(mean.sort_values(ascending=False).index) == list(KERNELS)
                and mean["rbf"] - mean["linear"]
                < mean["linear"] - mean["3_poly"]
                < mean["3_poly"] - mean["2_poly"]
            ),
        },
        {"id": "scikit_learn.cl.02", "rebuilt": bool(share_of_the_folds(found) > 0.5)},
        {"id": "scikit_learn.cl.11", "rebuilt": not same_t, "corrected": same_t},
    ]
    return pd.DataFrame(rows)


def share_of_the_folds(found: pd.DataFrame) -> float:
    """Return the share of the variance within models that is common to all on a fold (eta²)."""
    within = found - found.mean()
    return float(
        found.shape[1] * within.mean(axis=1).pow(2).sum() / within.pow(2).sum().sum()
    )


def _is_the_library_s(found: pd.DataFrame) -> bool:
    """Return whether the printed formula gives the library's statistic, with areas in 50ths."""
    areas = found.map(lambda area: Fraction(round(50 * area), 50))
    x = (areas["rbf"] - areas["linear"]).tolist()
    square = squared_t(x, Fraction(1, FOLDS - 1))
    return bool(
        np.isclose(
            corrected(found["rbf"] - found["linear"]).statistic ** 2, float(square)
        )
    )
