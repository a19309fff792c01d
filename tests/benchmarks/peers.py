"""Give one job to replib and to its peers, and write the table that the guide shows.

    python tests/benchmarks/peers.py book/_static/peers.csv

The job is that of many papers: do three classifiers differ in accuracy over twenty data
sets?  Run it in an environment of its own, with replib, autorank, baycomp, errorbars,
mlxtend, scikit-posthocs and stambo; those that are missing are named and left out.
"""

import ast
import csv
import inspect
import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from importlib.metadata import version
from itertools import combinations
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np
import pandas as pd

DATA = Path(__file__).parents[1] / "data" / "paper_table.csv"
COLUMNS = [
    "package",
    "statements",
    "seconds",
    "test",
    "corrected",
    "intervals",
    "again",
    "SVM and NB",
]
PEERS = {}


def peer(*facts):
    """Store what a user writes, up to a comment or `return`, and the four facts of COLUMNS."""

    def store(function):
        PEERS[function.__name__.replace("_", "-")] = function, facts
        return function

    return store


@peer("signed rank", "Holm", "of differences", "new data")
def replib(table):
    from replib import Metric, compare

    result = compare(
        table.to_dict("list"), design="datasets", metric=Metric("accuracy", high=100)
    )
    print(result, result.pairs)
    return f"p = {result.pairs.set_index(['a', 'b']).adjusted_p['SVM', 'NB']:.2g}"


@peer("chosen by the data: here ANOVA and Tukey", "Tukey", "of means", "no")
def autorank(table):
    from autorank import autorank, create_report

    result = autorank(table)
    create_report(result)
    # that is all
    apart = result.rankdf.ci_lower["SVM"] > result.rankdf.ci_upper["NB"]
    return f"ANOVA p = {result.pvalue:.2g}; {'a' if apart else 'no'} pair differs"


@peer("Bayesian signed rank; equal within 1 point", "no", "no", "no")
def baycomp(table):
    from baycomp import two_on_multiple

    x = {name: column.to_numpy() for name, column in table.items()}
    print(
        result := {
            (a, b): two_on_multiple(x[a], x[b], rope=1) for a, b in combinations(x, 2)
        }
    )
    return f"P(SVM better) = {result['NB', 'SVM'][2]:.3f}"


@peer("paired t", "Holm", "of means", "no")
def errorbars(table):
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


@peer("permutation of pairs", "no", "no", "no")
def mlxtend(table):
    from mlxtend.evaluate import permutation_test

    x, options = table.to_dict("list"), dict(paired=True, method="approximate", seed=0)
    print(
        p := {
            (a, b): permutation_test(x[a], x[b], **options)
            for a, b in combinations(x, 2)
        }
    )
    return f"p = {p['NB', 'SVM']:.2g}"


@peer("Nemenyi", "in the test", "no", "no")
def scikit_posthocs(table):
    from scikit_posthocs import posthoc_nemenyi_friedman

    print(result := posthoc_nemenyi_friedman(table))
    return f"p = {result.loc['NB', 'SVM']:.2g}"


@peer("bootstrap of data sets", "Holm", "of differences", "no")
def stambo(table):
    from stambo import pairwise_bootstrap_test, pairwise_to_latex

    samples = tuple(table[name].to_numpy() for name in table)
    result = pairwise_bootstrap_test(
        samples, {"mean": np.mean}, labels=tuple(table), seed=0
    )
    print(pairwise_to_latex(result))
    return f"p = {result['mean']['NB / SVM']['p_value_adjusted']:.2g}"


def row(name, function, facts, table):
    """Run the job six times, quietly; the first time, which imports, does not count."""
    seconds = []
    for _ in range(6):
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            start = process_time()
            said = function(table)
            seconds.append(process_time() - start)
    time = f"{median(seconds[1:]):.2g}"
    return [f"{name} {version(name)}", n_statements(function), time, *facts, said]


def n_statements(function):
    """Count the statements that a user writes: up to a comment, or to `return`."""
    source = inspect.getsource(function)
    (definition,) = ast.parse(source).body
    lines = [line.strip() for line in source.splitlines()]
    end = [line.startswith(("return", "#")) for line in lines].index(True)
    return sum(statement.lineno <= end for statement in definition.body)


def main(file):
    table, rows = pd.read_csv(DATA, index_col=0)[["NB", "C4.5", "SVM"]], []
    for name, (function, facts) in PEERS.items():
        try:
            rows.append(row(name, function, facts, table))
        except ModuleNotFoundError as missing:
            print(f"{name} is left out: {missing}", file=sys.stderr)
    with file.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, lineterminator="\n").writerows([COLUMNS, *rows])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
