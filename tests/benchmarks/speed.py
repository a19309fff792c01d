"""Time the same work by replib and by other packages, and write the table that the book shows.

    python tests/benchmarks/speed.py book/_static/speeds.csv

It takes some three minutes, and measures best on an idle machine.  Speed is never
asserted, because a busy machine would fail the test; that results agree is.
"""

import csv
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import many
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
from timing import COLUMNS, Call, Job, row

from companion.lab.experiments import on_sources
from companion.lab.learners import C45, Table, correct_counts
from companion.lab.sources import BayesianNetwork
from replib import Metric, compare, from_arrays, from_predictions
from replib.significance import mcnemar, paired_t, signed_rank


def paired_t_tests() -> Job:
    tests = 20_000
    x = np.random.default_rng(2).normal(0.01, 0.05, size=(tests, 100))
    assert_allclose(paired_t(x).pvalue, stats.ttest_1samp(x, 0, axis=-1).pvalue)
    return Job(
        "paired t, 100 differences, many tests at once",
        Call(lambda: paired_t(x), tests),
        "scipy",
        Call(lambda: stats.ttest_1samp(x, 0, axis=-1), tests),
    )


def mcnemar_tests() -> Job:
    tests, few = 1_000_000, 500
    n10, n01 = np.random.default_rng(3).integers(1, 40, size=(2, tests))
    tables = [np.array([[50, b], [c, 10]]) for b, c in zip(n10[:few], n01[:few])]

    def loop():
        return [statsmodels_mcnemar(table, exact=True).pvalue for table in tables]

    assert_allclose(mcnemar(n10, n01).pvalue[:few], loop(), rtol=1e-10)
    return Job(
        "McNemar's test, exact",
        Call(lambda: mcnemar(n10, n01), tests),
        "statsmodels",
        Call(loop, few),
    )


def signed_rank_tests(n: int, method: str) -> Job:
    tests = 5_000
    x = np.random.default_rng(5).normal(0.01, 0.05, size=(tests, n))
    scipy_method = {"normal": "approx", "exact": "exact"}[method]

    def of_scipy():
        return stats.wilcoxon(x, axis=-1, method=scipy_method).pvalue

    assert_allclose(signed_rank(x, method=method).pvalue, of_scipy(), rtol=1e-10)
    return Job(
        f"signed rank, {method}, {n} differences, many tests at once",
        Call(lambda: signed_rank(x, method=method), tests),
        "scipy",
        Call(of_scipy, tests),
    )


def clusters() -> Job:
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
    return Job(
        "difference of 2,000 items in 50 clusters",
        Call(ours),
        "statsmodels",
        Call(of_statsmodels),
        repeats=20,
    )


def area_under_the_curve() -> Job:
    rng = np.random.default_rng(7)
    y = pd.Series(rng.integers(2, size=2_000))
    a, b = np.clip(
        0.5 + 0.2 * (y.to_numpy() - 0.5) + rng.normal(0, 0.15, (2, len(y))), 0, 1
    )
    return Job(
        "DeLong's test, 2,000 instances",
        Call(lambda: compare(from_predictions(y, {"a": a, "b": b}, metric="roc_auc"))),
        "scikit-learn (the two areas only)",
        Call(lambda: (roc_auc_score(y, a), roc_auc_score(y, b))),
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


def binary_attributes(source: str, experiments: int) -> Job:
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

    return Job(
        "10 × 10 cross-validation of naive Bayes and C4.5, 300 × 10 binary, "
        f"{source} attributes, {experiments} at a time",
        Call(
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
        Call(one_run, 1 / 10),
        repeats=7,
    )


def numeric_attributes() -> Job:
    """A tree without missing values or pruning, the nearest thing that scikit-learn has."""
    X, y = load_breast_cancer(return_X_y=True)
    folds = np.random.default_rng(1).permutation(len(y)) % 10
    splits = [
        (np.flatnonzero(folds != fold), np.flatnonzero(folds == fold))
        for fold in range(10)
    ]
    table = Table.from_frame(X, y)
    return Job(
        "10-fold cross-validation of an unpruned tree, breast cancer, 569 × 30 numeric",
        Call(lambda: correct_counts(table, folds, learners=[C45(prune=False)])),
        "scikit-learn (CART)",
        Call(lambda: cross_val_predict(tree(), X, y, cv=splits)),
    )


def jobs_of_simulations() -> list[Job]:
    """Return the jobs that a simulation does thousands of times, and single comparisons."""
    return [
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


def main(file: Path) -> None:
    with TemporaryDirectory() as folder:
        # one after the other: a job holds its data until it is done
        rows = [row(job) for job in jobs_of_simulations()]
        rows += [row(job, has_memory=True) for job in many.jobs(Path(folder))]
    with file.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, lineterminator="\n").writerows([COLUMNS, *rows])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
