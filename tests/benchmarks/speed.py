"""Time the same work by replib and by other packages, and write the table that the book shows.

    python tests/benchmarks/speed.py book/_static/speeds.csv

Speed is never asserted, because a busy machine would fail the test; that results agree
is.
"""

import csv
import platform
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

import numpy as np
import pandas as pd
import statsmodels.api as sm
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import BernoulliNB
from sklearn.tree import DecisionTreeClassifier
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from companion.lab.experiments import on_sources
from companion.lab.learners import C45, Table, correct_counts
from companion.lab.sources import BayesianNetwork
from replib import Metric, compare, from_arrays, from_predictions
from replib.significance import mcnemar, paired_t, signed_rank

COLUMNS = ["work", "replib (ms)", "other", "other (ms)", "ratio", "measured"]
#: A function without arguments, and how often a call does the work.
Call = tuple[Callable[[], object], float]


def milliseconds(calls: dict[str, Call], repeats: int) -> dict[str, float]:
    """Median CPU time of the work, from calls that take turns in another order each round."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    order, shuffle = list(calls), Random(1).shuffle
    for number in range(repeats + 1):  # the first round may compile
        shuffle(order)
        for name in order:
            run, works = calls[name]
            start = process_time()
            run()
            if number:
                times[name].append(1000 * (process_time() - start) / works)
    return {name: median(found) for name, found in times.items()}


def row(work: str, ours: Call, other: str, theirs: Call, repeats: int = 5) -> list[str]:
    """Return a row of the table; the name of the other begins with that of a distribution."""
    found = milliseconds({"replib": ours, "other": theirs}, repeats)
    ratio = found["other"] / found["replib"]
    return [
        work,
        plain(found["replib"], 3),
        f"{other}, {version(other.split()[0])}",
        plain(found["other"], 3),
        plain(ratio, 2),
        f"{datetime.now(UTC).date()}, Python {platform.python_version()}",
    ]


def plain(number: float, digits: int) -> str:
    """Format with this many significant digits, without an exponent."""
    return np.format_float_positional(
        number, precision=digits, fractional=False, trim="-"
    )


def paired_t_tests() -> list[str]:
    tests = 20_000
    x = np.random.default_rng(2).normal(0.01, 0.05, size=(tests, 100))
    assert_allclose(paired_t(x).pvalue, stats.ttest_1samp(x, 0, axis=-1).pvalue)
    return row(
        "paired t, 100 differences, many tests at once",
        (lambda: paired_t(x), tests),
        "scipy",
        (lambda: stats.ttest_1samp(x, 0, axis=-1), tests),
    )


def mcnemar_tests() -> list[str]:
    tests, few = 1_000_000, 500
    n10, n01 = np.random.default_rng(3).integers(1, 40, size=(2, tests))
    tables = [np.array([[50, b], [c, 10]]) for b, c in zip(n10[:few], n01[:few])]

    def loop():
        return [statsmodels_mcnemar(table, exact=True).pvalue for table in tables]

    assert_allclose(mcnemar(n10, n01).pvalue[:few], loop(), rtol=1e-10)
    return row(
        "McNemar's test, exact",
        (lambda: mcnemar(n10, n01), tests),
        "statsmodels",
        (loop, few),
    )


def signed_rank_tests(n: int, method: str) -> list[str]:
    tests = 5_000
    x = np.random.default_rng(5).normal(0.01, 0.05, size=(tests, n))
    scipy_method = {"normal": "approx", "exact": "exact"}[method]

    def of_scipy():
        return stats.wilcoxon(x, axis=-1, method=scipy_method).pvalue

    assert_allclose(signed_rank(x, method=method).pvalue, of_scipy(), rtol=1e-10)
    return row(
        f"signed rank, {method}, {n} differences, many tests at once",
        (lambda: signed_rank(x, method=method), tests),
        "scipy",
        (of_scipy, tests),
    )


def clusters() -> list[str]:
    rng = np.random.default_rng(6)
    groups = np.repeat(np.arange(50), 40)
    a, b = rng.normal(size=(2, groups.size)) + rng.normal(size=(2, 50))[:, groups]
    any_scores = Metric("score", better="higher")

    def ours():
        scores = from_arrays(
            {"a": a, "b": b}, design="items", metric=any_scores, clusters=groups
        )
        return compare(scores, pairs=[("a", "b")])

    def of_statsmodels():
        model = sm.OLS(a - b, np.ones(groups.size))
        return model.fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)

    assert_allclose(ours().tests.pvalue[0], of_statsmodels().pvalues[0], rtol=1e-10)
    return row(
        "difference of 2,000 items in 50 clusters",
        (ours, 1),
        "statsmodels",
        (of_statsmodels, 1),
        repeats=20,
    )


def area_under_the_curve() -> list[str]:
    rng = np.random.default_rng(7)
    y = pd.Series(rng.integers(2, size=2_000))
    a, b = np.clip(
        0.5 + 0.2 * (y.to_numpy() - 0.5) + rng.normal(0, 0.15, (2, len(y))), 0, 1
    )
    return row(
        "DeLong's test, 2,000 instances",
        (lambda: compare(from_predictions(y, {"a": a, "b": b}, metric="roc_auc")), 1),
        "scikit-learn (the two areas only)",
        (lambda: (roc_auc_score(y, a), roc_auc_score(y, b)), 1),
        repeats=20,
    )


def network(source: str) -> BayesianNetwork:
    """Each of ten binary attributes depends on the class and the one before it, or on nothing."""
    if source == "independent":
        return BayesianNetwork([()] * 11, [[0.5, 0.5]] * 11)
    chance = np.random.default_rng(1).random((10, 2, 2))
    return BayesianNetwork(
        [(), (0,), *((0, a) for a in range(1, 10))],
        [
            [0.5, 0.5],
            np.stack([1 - chance[0, :, 0], chance[0, :, 0]], axis=-1),
            *(np.stack([1 - p, p], axis=-1) for p in chance[1:]),
        ],
    )


def tree() -> DecisionTreeClassifier:
    return DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2)


def binary_attributes(source: str, experiments: int) -> list[str]:
    """An experiment of the book: draw a data set, deal it into folds ten times, train and test."""
    drawn, rng = network(source), np.random.default_rng(1)
    labels, columns = drawn.sample(300, rng)
    # of numbers of eight bits, the sums in BernoulliNB can overflow
    X, y, dealt = columns.T.astype(float), labels.astype(int), rng.permutation(300) % 10
    learners = (BernoulliNB(), tree())

    def one_run():
        for fold in range(10):
            train, test = dealt != fold, dealt == fold
            for learner in learners:
                learner.fit(X[train], y[train]).score(X[test], y[test])

    return row(
        "10 × 10 cross-validation of naive Bayes and C4.5, 300 × 10 binary, "
        f"{source} attributes, {experiments} at a time",
        (
            lambda: on_sources.correct_counts(
                rng,
                source=drawn,
                instances=300,
                experiments=experiments,
                runs=10,
                folds=10,
            ),
            experiments,
        ),
        "scikit-learn (naive Bayes and CART)",
        (one_run, 1 / 10),
        repeats=7,
    )


def numeric_attributes() -> list[str]:
    """A tree without missing values or pruning, the nearest thing that scikit-learn has."""
    X, y = load_breast_cancer(return_X_y=True)
    folds = np.random.default_rng(1).permutation(len(y)) % 10
    splits = [
        (np.flatnonzero(folds != fold), np.flatnonzero(folds == fold))
        for fold in range(10)
    ]
    table = Table.from_frame(X, y)
    return row(
        "10-fold cross-validation of an unpruned tree, breast cancer, 569 × 30 numeric",
        (lambda: correct_counts(table, folds, learners=[C45(prune=False)]), 1),
        "scikit-learn (CART)",
        (lambda: cross_val_predict(tree(), X, y, cv=splits), 1),
    )


def main(file: Path) -> None:
    rows = [
        paired_t_tests(),
        mcnemar_tests(),
        signed_rank_tests(100, "normal"),
        signed_rank_tests(10, "exact"),
        clusters(),
        area_under_the_curve(),
        *(
            binary_attributes(source, experiments)
            for experiments in (1, 20)
            for source in ("structured", "independent")
        ),
        numeric_attributes(),
    ]
    with file.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, lineterminator="\n").writerows([COLUMNS, *rows])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
