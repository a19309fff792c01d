"""Give two jobs to replib and to its peers, and write what the guide shows of them.

    python tests/benchmarks/peers.py book/_static

*Data sets* is the job of many papers: do three classifiers differ in accuracy over
twenty data sets?  *Splits* is that of many more: do two classifiers differ on one data
set?  Both are done in one run, in an environment of its own with replib, autorank,
baycomp, errorbars, mlxtend, scikit-posthocs, sharp-cv and stambo; those that are missing
are named and left out.

mlr3inferr is for R, and is not run: `PUBLISHED` has what its README shows of itself.
"""

import ast
import csv
import inspect
import io
import re
import sys
import textwrap
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from importlib.metadata import version
from itertools import combinations
from pathlib import Path
from statistics import median
from time import process_time
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

DATA = Path(__file__).parents[1] / "data" / "paper_table.csv"
#: Columns of each job's table; the facts of a peer are those after `seconds`.
COLUMNS = {
    "data sets": [
        "package",
        "statements",
        "seconds",
        "test",
        "corrected",
        "intervals",
        "again",
        "SVM and NB",
    ],
    "splits": [
        "package",
        "statements",
        "seconds",
        "trainings",
        "test",
        "intervals",
        "again",
        "tree and naive Bayes",
    ],
}
#: The file of each job's table, and that of what the packages print.
FILES = {"data sets": "peers.csv", "splits": "peers_splits.csv"}
PRINTED = "peers_printed.txt"
#: Lines of a package's output that are shown, and their width.
LINES = 12
WIDTH = 76

#: The README of mlr3inferr 0.2.1 (CRAN, 2025-11-26): one tree on one split of *sonar*.
PUBLISHED = [
    "mlr3inferr 0.2.1 (R; by its README)",
    "4",
    "not published",
    "1",
    "each model alone; by the resampling, here hold-out",
    "of each accuracy",
    "no",
    "0.739 (0.635 to 0.843) for its own example",
]


class Peer(NamedTuple):
    """A package at a job: what a user writes, up to a comment or `return`, and facts."""

    package: str
    function: Callable[..., str]
    facts: tuple[str, ...]


class Data(NamedTuple):
    """What the jobs are about."""

    table: pd.DataFrame
    X: np.ndarray
    y: np.ndarray


PEERS: dict[str, list[Peer]] = {job: [] for job in COLUMNS}


def peer(job, package, *facts):
    """Register a function; its facts are in the order of `COLUMNS`, without the last."""

    def registered(function):
        PEERS[job].append(Peer(package, function, facts))
        return function

    return registered


# ------------------------------------------------------------------ twenty data sets


@peer("data sets", "replib", "signed rank", "Holm", "of differences", "new data")
def replib_on_data_sets(table):
    from replib import Metric, compare

    result = compare(
        table.to_dict("list"), design="datasets", metric=Metric("accuracy", high=100)
    )
    columns = ["a", "b", "difference", "low", "high", "adjusted_p"]
    print(result, result.pairs[columns], sep="\n")
    return f"p = {result.pairs.set_index(['a', 'b']).adjusted_p['SVM', 'NB']:.2g}"


@peer(
    "data sets",
    "autorank",
    "chosen by the data: here ANOVA and Tukey",
    "Tukey",
    "of means",
    "no",
)
def autorank_on_data_sets(table):
    from autorank import autorank, create_report

    result = autorank(table)
    create_report(result)
    # that is all
    apart = result.rankdf.ci_lower["SVM"] > result.rankdf.ci_upper["NB"]
    return f"ANOVA p = {result.pvalue:.2g}; {'a' if apart else 'no'} pair differs"


@peer(
    "data sets",
    "baycomp",
    "Bayesian signed rank; equal within 1 point",
    "no",
    "no",
    "no",
)
def baycomp_on_data_sets(table):
    from baycomp import two_on_multiple

    x = {name: column.to_numpy() for name, column in table.items()}
    print(
        result := {
            (a, b): two_on_multiple(x[a], x[b], rope=1) for a, b in combinations(x, 2)
        }
    )
    return f"P(SVM better) = {result['NB', 'SVM'][2]:.3f}"


@peer("data sets", "errorbars", "paired t", "Holm", "of means", "no")
def errorbars_on_data_sets(table):
    from errorbars.io import ColumnMap, load_dataframe
    from errorbars.leaderboard import build_leaderboard

    long = table.reset_index().melt("Data set")
    result = build_leaderboard(
        load_dataframe(long, ColumnMap("Data set", "variable", "value"))
    )
    print(result)
    # that is all
    pairs = {
        frozenset((pair.model_a, pair.model_b)): pair.p_holm for pair in result.pairwise
    }
    return f"p = {pairs[frozenset(('NB', 'SVM'))]:.2g}"


@peer("data sets", "mlxtend", "permutation of pairs", "no", "no", "no")
def mlxtend_on_data_sets(table):
    from mlxtend.evaluate import permutation_test

    x, options = table.to_dict("list"), dict(paired=True, method="approximate", seed=0)
    print(
        p := {
            (a, b): permutation_test(x[a], x[b], **options)
            for a, b in combinations(x, 2)
        }
    )
    return f"p = {p['NB', 'SVM']:.2g}"


@peer("data sets", "scikit-posthocs", "Nemenyi", "in the test", "no", "no")
def scikit_posthocs_on_data_sets(table):
    from scikit_posthocs import posthoc_nemenyi_friedman

    print(result := posthoc_nemenyi_friedman(table))
    return f"p = {result.loc['NB', 'SVM']:.2g}"


@peer("data sets", "stambo", "bootstrap of data sets", "Holm", "of differences", "no")
def stambo_on_data_sets(table):
    from stambo import pairwise_bootstrap_test, pairwise_to_latex

    samples = tuple(table[name].to_numpy() for name in table)
    result = pairwise_bootstrap_test(
        samples, {"mean": np.mean}, labels=tuple(table), seed=0
    )
    print(pairwise_to_latex(result))
    return f"p = {result['mean']['NB / SVM']['p_value_adjusted']:.2g}"


# ------------------------------------------------------------------ splits of one


def models():
    """Return the two classifiers."""
    return GaussianNB(), DecisionTreeClassifier(random_state=0)


@peer("splits", "replib", "100", "corrected t, 10 × 10 folds", "yes", "another seed")
def replib_on_splits(bayes, tree, X, y):
    from replib import compare, train

    scores = train(
        {"bayes": bayes, "tree": tree}, X, y, design="10x10", metric="accuracy"
    )
    print(result := compare(scores))
    return f"p = {result.pairs.p[0]:.2g}"


@peer(
    "splits",
    "baycomp",
    "100",
    "Bayesian correlated t, 10 × 10 folds; equal within 1 point",
    "no",
    "no",
)
def baycomp_on_splits(bayes, tree, X, y):
    from baycomp import two_on_single
    from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score

    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    a = cross_val_score(bayes, X, y, cv=cv)
    b = cross_val_score(tree, X, y, cv=cv)
    print(result := two_on_single(b, a, rope=0.01, runs=10))
    return f"P(naive Bayes better) = {result[2]:.3f}"


@peer("splits", "mlxtend", "10", "Dietterich's t, 5 × 2 folds", "no", "no")
def mlxtend_on_splits(bayes, tree, X, y):
    from mlxtend.evaluate import paired_ttest_5x2cv

    print(result := paired_ttest_5x2cv(bayes, tree, X, y, random_seed=0))
    return f"p = {result[1]:.2g}"


@peer("splits", "sharp-cv", "300", "SHARP, 30 × 2 × 5 folds", "yes", "no")
def sharp_cv_on_splits(bayes, tree, X, y):
    from sharp_cv import sharp_cross_val_test
    from sklearn.model_selection import RepeatedStratifiedKFold

    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=30, random_state=0)
    print(result := sharp_cross_val_test(bayes, tree, X, y, cv=cv))
    return f"p = {result.pvalue:.2g}"


# ------------------------------------------------------------------ the tables


def data():
    """Return the table of a paper, and a data set of scikit-learn."""
    table = pd.read_csv(DATA, index_col=0)[["NB", "C4.5", "SVM"]]
    return Data(table, *load_breast_cancer(return_X_y=True))


def arguments(job, about):
    """Return what the function of a peer is called with."""
    if job == "data sets":
        return (about.table,)
    return (*models(), about.X, about.y)


def row(job, package, about, times=6):
    """Run a job several times, quietly; the first time, which imports, does not count.

    Returns
    -------
    tuple of list and str
        The row of the table, and what the last time printed.
    """
    seconds = []
    for _ in range(times):
        with redirect_stdout(io.StringIO()) as printed, redirect_stderr(io.StringIO()):
            start = process_time()
            answer = package.function(*arguments(job, about))
            seconds.append(process_time() - start)
    time = f"{median(seconds[1:]):.2g}"
    title = f"{package.package} {version(package.package)}"
    statements = n_statements(package.function)
    return [title, statements, time, *package.facts, answer], printed.getvalue()


def n_statements(function):
    """Count the statements that a user writes: up to a comment, or to `return`."""
    source = inspect.getsource(function)
    (definition,) = ast.parse(source).body
    lines = [line.strip() for line in source.splitlines()]
    end = [line.startswith(("return", "#")) for line in lines].index(True)
    return sum(statement.lineno <= end for statement in definition.body)


def shown(title, printed):
    """Return what a package printed, in lines of a page; of much, the beginning."""
    # where an object lies in memory differs from run to run
    lasting = re.sub(r" at 0x[0-9a-f]+", "", printed)
    lines = []
    for line in lasting.splitlines():
        lines += textwrap.wrap(line, WIDTH, break_on_hyphens=False) or [""]
    if len(lines) > LINES:
        rest = len(lines) - LINES
        lines = [*lines[:LINES], f"... and {rest} more lines"]
    return "\n".join([f"--- {title}", *(line.rstrip() for line in lines), ""])


def main(folder):
    about = data()
    outputs = []
    pd.set_option("display.width", WIDTH)
    for job, peers in PEERS.items():
        rows = []
        for package in peers:
            try:
                of_package, printed = row(job, package, about)
            except ModuleNotFoundError as missing:
                print(f"{package.package} is left out: {missing}", file=sys.stderr)
                continue
            rows.append(of_package)
            outputs.append(shown(f"{of_package[0]}, {job}", printed))
        if job == "splits":
            rows.append(PUBLISHED)
        with (folder / FILES[job]).open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream, lineterminator="\n").writerows([COLUMNS[job], *rows])
    (folder / PRINTED).write_text("\n".join(outputs), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
