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
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
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
from replib import Metric, compare, from_arrays, from_predictions, read
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


# ---------------------------------------------------------------- where there are many

ANY = Metric("score", better="higher")


def named(arrays: np.ndarray) -> dict[str, np.ndarray]:
    """Return arrays by names of models."""
    return {f"model {number}": array for number, array in enumerate(arrays)}


def two_models(size: int, seed: int) -> np.ndarray:
    """Return scores of two models on items that both find hard, shape (2, size)."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=size) + rng.normal(size=(2, size))


def pairs_over_datasets(n_models: int, n_sets: int) -> list[str]:
    rng = np.random.default_rng(11)
    scores = rng.normal(0.8, 0.05, (n_models, n_sets))
    table = from_arrays(named(scores), design="datasets", metric=ANY)
    pairs = list(combinations(scores, 2))

    def loop():
        return [stats.wilcoxon(a - b).pvalue for a, b in pairs]

    ours = np.sort(compare(table).tests.pvalue)
    assert_allclose(ours, np.sort(loop()), rtol=1e-9)
    return row(
        f"all pairs of {n_models} models on {n_sets} data sets, with limits",
        (lambda: compare(table).pairs, 1),
        "scipy (p-values only)",
        (loop, 1),
    )


def pair_of_cross_validation() -> list[str]:
    a, b = np.random.default_rng(12).normal(0.8, 0.03, (2, 10, 10))
    scores = {"a": a, "b": b}
    return row(
        "two models, 10 × 10-fold cross-validation: compare and print",
        (lambda: str(compare(scores, design="10x10", metric=ANY)), 1),
        "scipy (uncorrected test only)",
        (lambda: stats.ttest_rel(a.ravel(), b.ravel()), 1),
        repeats=50,
    )


def areas(n_models: int, n_items: int) -> list[str]:
    rng = np.random.default_rng(13)
    y = rng.integers(2, size=n_items)
    x = 1 / (1 + np.exp(-y - rng.normal(size=(n_models, n_items))))
    table = from_predictions(y, named(x), metric="roc_auc")
    return row(
        f"DeLong's tests of {n_models} models, {n_items:,} instances",
        (lambda: compare(table), 1),
        "scikit-learn (the areas only)",
        (lambda: [roc_auc_score(y, scores) for scores in x], 1),
    )


def root_mean_squared_errors() -> list[str]:
    n_items, n_exchanges = 10_000, 9_999
    rng = np.random.default_rng(14)
    y = rng.normal(size=n_items)
    a, b = y + rng.normal(size=(2, n_items))
    table = from_predictions(y, {"a": a, "b": b}, metric="rmse")
    squares = ((a - y) ** 2, (b - y) ** 2)

    def difference(u, v, axis):
        return np.sqrt(u.mean(axis=axis)) - np.sqrt(v.mean(axis=axis))

    def exchange():
        return stats.permutation_test(
            squares,
            difference,
            permutation_type="samples",
            vectorized=True,
            n_resamples=n_exchanges,
            batch=200,
            rng=np.random.default_rng(1),
        )

    return row(
        "RMSE by exchange, 10,000 instances, with its interval",
        (lambda: compare(table).pairs, 1),
        "scipy (p-value only)",
        (exchange, 1),
        repeats=3,
    )


def right_or_wrong(n_models: int, n_items: int) -> list[str]:
    rng = np.random.default_rng(15)
    hard = rng.normal(size=n_items)
    right = hard + rng.normal(size=(n_models, n_items)) > 0
    table = from_arrays(named(right), design="items", metric="accuracy")
    pairs = list(combinations(right, 2))

    def loop():
        pvalues = []
        for a, b in pairs:
            only_a, only_b = (a & ~b).sum(), (b & ~a).sum()
            counts = np.array([[0, only_a], [only_b, 0]])
            pvalues.append(statsmodels_mcnemar(counts, exact=True).pvalue)
        return pvalues

    ours = np.sort(compare(table).tests.pvalue)
    assert_allclose(ours, np.sort(loop()), rtol=1e-8)
    return row(
        f"McNemar's tests of all pairs of {n_models} models, {n_items:,} items",
        (lambda: compare(table), 1),
        "statsmodels",
        (loop, 1),
    )


def many_predictions() -> list[str]:
    n_items = 1_000_000
    a, b = (two_models(n_items, 16) > 0).astype(int)
    y = np.ones(n_items, dtype=int)

    def of_statsmodels():
        only_a, only_b = ((a == y) & (b != y)).sum(), ((b == y) & (a != y)).sum()
        return statsmodels_mcnemar(np.array([[0, only_a], [only_b, 0]]), exact=True)

    return row(
        "predictions of two models, 1,000,000 items",
        (lambda: compare(from_predictions(y, {"a": a, "b": b}, metric="accuracy")), 1),
        "statsmodels",
        (of_statsmodels, 1),
        repeats=3,
    )


def many_clusters() -> list[str]:
    n_items = 1_000_000
    groups = np.repeat(np.arange(n_items // 20), 20)
    a, b = two_models(n_items, 17)

    def ours():
        scores = from_arrays(
            {"a": a, "b": b}, design="items", metric=ANY, clusters=groups
        )
        return compare(scores)

    def of_statsmodels():
        model = sm.OLS(a - b, np.ones(n_items))
        return model.fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)

    return row(
        "difference of 1,000,000 items in 50,000 clusters",
        (ours, 1),
        "statsmodels",
        (of_statsmodels, 1),
        repeats=3,
    )


def file_of_items(folder: Path) -> list[str]:
    n_items = 500_000
    file = folder / "items.csv"
    scores = two_models(n_items, 18).round(4)
    frame = pd.DataFrame(scores.T, columns=["a", "b"]).rename_axis("item").reset_index()
    long = frame.melt("item", var_name="model", value_name="score")
    long.to_csv(file, index=False)
    return row(
        "a CSV file of 1,000,000 rows",
        (lambda: read(file, design="items", metric=ANY), 1),
        "pandas (reading only)",
        (lambda: pd.read_csv(file), 1),
        repeats=3,
    )


def where_there_are_many() -> list[list[str]]:
    """Return rows of jobs with many models, pairs or items."""
    with TemporaryDirectory() as folder:
        return [
            pair_of_cross_validation(),
            pairs_over_datasets(30, 12),
            pairs_over_datasets(100, 200),
            areas(30, 2_000),
            areas(2, 1_000_000),
            root_mean_squared_errors(),
            right_or_wrong(2, 1_000_000),
            right_or_wrong(30, 14_000),
            many_predictions(),
            many_clusters(),
            file_of_items(Path(folder)),
        ]


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
        *where_there_are_many(),
    ]
    with file.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, lineterminator="\n").writerows([COLUMNS, *rows])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
