"""Jobs where there are many models, pairs or items, each with a goal.

The goals are for a person who waits.  They were set from what other packages take for a
part of the job, and from what NumPy takes for the least that has to be computed.
"""

import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import statsmodels.api as sm
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.metrics import roc_auc_score
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from timing import Call, Job

from replib import Metric, compare, from_arrays, from_predictions, read

ANY = Metric("score", better="higher")
MILLION = 1_000_000


def jobs(folder: Path) -> Iterator[Job]:
    """Yield the jobs; files go into the folder."""
    yield from two_models_of_cross_validation()
    yield sets_of_models_that_are_not_separated()
    yield all_pairs_on_few_data_sets()
    yield from all_pairs_on_many_data_sets()
    yield report_of_many_models(folder)
    yield areas(30, 2_000, goal="50 ms")
    yield areas(2, MILLION, goal="600 ms")
    yield from root_mean_squared_errors()
    yield right_or_wrong_of_many_models()
    yield from right_or_wrong_of_many_items()
    yield from many_clusters()
    yield three_models_on_many_items()
    yield from files(folder)


def named(arrays: np.ndarray) -> dict[str, np.ndarray]:
    """Return arrays by names of models."""
    return {f"model {number}": array for number, array in enumerate(arrays)}


def two_models(size: int, seed: int) -> np.ndarray:
    """Return scores of two models on items that both find hard, shape (2, size)."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=size) + rng.normal(size=(2, size))


def two_models_of_cross_validation() -> Iterator[Job]:
    a, b = np.random.default_rng(12).normal(0.8, 0.03, (2, 10, 10))
    scores = {"a": a, "b": b}

    def result():
        return compare(scores, design="10x10", metric=ANY)

    def bare():
        x = (a - b).ravel()
        t = x.mean() / np.sqrt((1 / 100 + 1 / 9) * x.var(ddof=1))
        return 2 * stats.t.sf(abs(t), 99)

    assert_allclose(result().tests.pvalue[0], bare(), rtol=1e-9)
    parts: dict[str, tuple[Callable[[], object], str]] = {
        "compare": (result, "2 ms"),
        "compare, and the table of pairs": (lambda: result().pairs, "3 ms"),
        "compare and print": (lambda: str(result()), "5 ms"),
    }
    for part, (ours, goal) in parts.items():
        yield Job(
            f"two models, 10 × 10-fold cross-validation: {part}",
            Call(ours),
            "scipy (uncorrected test only)",
            Call(lambda: stats.ttest_rel(a.ravel(), b.ravel())),
            numpy=Call(bare),
            goal=goal,
            repeats=50,
        )


def sets_of_models_that_are_not_separated() -> Job:
    skill = np.linspace(0, 0.1, 30)[:, np.newaxis]
    scores = 0.8 + skill + np.random.default_rng(19).normal(0, 0.05, (30, 40))
    result = compare(from_arrays(named(scores), design="datasets", metric=ANY))
    return Job(
        "sets of 30 models that are not separated",
        Call(lambda: result.tied()),
        goal="10 ms",
    )


def all_pairs_on_few_data_sets() -> Job:
    scores = np.random.default_rng(11).normal(0.8, 0.05, (30, 12))
    table = from_arrays(named(scores), design="datasets", metric=ANY)
    differences = np.array([a - b for a, b in combinations(scores, 2)])

    def loop():
        return [stats.wilcoxon(x).pvalue for x in differences]

    ours = np.sort(compare(table).tests.pvalue)
    assert_allclose(ours, np.sort(loop()), rtol=1e-9)
    return Job(
        "30 models on 12 data sets: all pairs, with limits",
        Call(lambda: compare(table).pairs),
        "scipy (p-values only, one after the other)",
        Call(loop),
        numpy=Call(lambda: medians_of_walsh_averages(differences)),
        goal="50 ms",
    )


def medians_of_walsh_averages(differences: np.ndarray) -> np.ndarray:
    i, j = np.triu_indices(differences.shape[1])
    return np.array([np.median(x[i] + x[j]) / 2 for x in differences])


def all_pairs_on_many_data_sets() -> Iterator[Job]:
    scores = np.random.default_rng(11).normal(0.8, 0.05, (100, 200))
    table = from_arrays(named(scores), design="datasets", metric=ANY)
    differences = np.array([a - b for a, b in combinations(scores, 2)])

    def decided():
        result = compare(table)
        return result.tests.pvalue, result.decisions

    def at_once():
        return stats.wilcoxon(differences, axis=-1, method="approx").pvalue

    assert_allclose(np.sort(decided()[0]), np.sort(at_once()), rtol=1e-9)
    yield Job(
        "100 models on 200 data sets: p-values and decisions of all pairs",
        Call(decided),
        "scipy (p-values only, all at once)",
        Call(at_once),
        goal="200 ms, 100 MB",
    )
    yield Job(
        "100 models on 200 data sets: all pairs, with estimates and limits",
        Call(lambda: compare(table).pairs),
        numpy=Call(lambda: medians_of_walsh_averages(differences)),
        goal="3 s",
        repeats=2,
    )


def report_of_many_models(folder: Path) -> Job:
    scores = np.random.default_rng(12).normal(0.8, 0.03, (100, 10, 10))
    table = from_arrays(named(scores), design="10x10", metric=ANY)

    def printed_and_reported():
        result = compare(table)
        return str(result), result.report(folder / "many.html")

    return Job(
        "100 models, 10 × 10-fold cross-validation: print and report",
        Call(printed_and_reported),
        goal="3 s",
        repeats=2,
    )


def areas(n_models: int, n_items: int, goal: str) -> Job:
    rng = np.random.default_rng(13)
    y = rng.integers(2, size=n_items)
    x = 1 / (1 + np.exp(-y - rng.normal(size=(n_models, n_items))))
    return Job(
        f"DeLong's tests of {n_models} models, {n_items:,} instances",
        Call(lambda: compare(from_predictions(y, named(x), metric="roc_auc"))),
        "scikit-learn (the areas only)",
        Call(lambda: [roc_auc_score(y, scores) for scores in x]),
        numpy=Call(lambda: [np.argsort(scores) for scores in x]),
        goal=goal,
        repeats=3,
    )


def root_mean_squared_errors() -> Iterator[Job]:
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

    def random_bits():
        rng = np.random.default_rng(1)
        bits = rng.integers(0, 256, (n_exchanges, n_items // 8), dtype=np.uint8)
        # so small that BLAS uses one thread: two wait for each other
        parts = np.array_split(bits, 400)
        return [np.unpackbits(x, axis=1).astype(np.float32) @ squares[0] for x in parts]

    assert_allclose(compare(table).tests.pvalue[0], exchange().pvalue, atol=0.03)
    yield Job(
        "RMSE by exchange, 10,000 instances: p-value",
        Call(lambda: compare(table).tests.pvalue),
        "scipy",
        Call(exchange),
        numpy=Call(random_bits),
        goal="300 ms",
        repeats=2,
    )
    yield Job(
        "RMSE by exchange, 10,000 instances: p-value and interval",
        Call(lambda: compare(table).pairs),
        goal="1.5 s",
        repeats=2,
    )


def right_or_wrong_of_many_models() -> Job:
    rng = np.random.default_rng(15)
    hard = rng.normal(size=14_000)
    right = hard + rng.normal(size=(30, 14_000)) > 0
    table = from_arrays(named(right), design="items", metric="accuracy")
    pairs = list(combinations(right, 2))

    def loop():
        return [statsmodels_mcnemar(two_by_two(a, b)).pvalue for a, b in pairs]

    ours = np.sort(compare(table).tests.pvalue)
    assert_allclose(ours, np.sort(loop()), rtol=1e-8)
    return Job(
        "McNemar's tests of all pairs of 30 models, 14,000 items",
        Call(lambda: compare(table)),
        "statsmodels",
        Call(loop),
        numpy=Call(lambda: right.astype(np.float32) @ ~right.T),
        goal="100 ms",
        repeats=3,
    )


def two_by_two(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return how many items only one of two models has right, in a table."""
    return np.array([[0, (a & ~b).sum()], [(b & ~a).sum(), 0]])


def right_or_wrong_of_many_items() -> Iterator[Job]:
    a, b = two_models(MILLION, 16) > 0
    y = np.ones(MILLION, dtype=int)
    predictions = {"a": a.astype(int), "b": b.astype(int)}

    def counts():
        return np.count_nonzero(a & ~b), np.count_nonzero(b & ~a)

    yield Job(
        "McNemar's test of two models, arrays of 1,000,000 items",
        Call(
            lambda: compare({"a": a, "b": b}, design="items", metric="accuracy"),
        ),
        "statsmodels",
        Call(lambda: statsmodels_mcnemar(two_by_two(a, b))),
        numpy=Call(counts),
        goal="30 ms",
    )

    def of_statsmodels():
        right = [x == y for x in predictions.values()]
        return statsmodels_mcnemar(two_by_two(*right))

    yield Job(
        "McNemar's test of two models, predictions of 1,000,000 items",
        Call(lambda: compare(from_predictions(y, predictions, metric="accuracy"))),
        "statsmodels",
        Call(of_statsmodels),
        numpy=Call(counts),
        goal="400 ms, 100 MB",
        repeats=3,
    )


def many_clusters() -> Iterator[Job]:
    groups = np.repeat(np.arange(MILLION // 20), 20)
    a, b = two_models(MILLION, 17)

    def ours():
        scores = from_arrays(
            {"a": a, "b": b}, design="items", metric=ANY, clusters=groups
        )
        return compare(scores)

    def of_statsmodels():
        model = sm.OLS(a - b, np.ones(MILLION))
        return model.fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)

    bare = Call(lambda: np.bincount(groups, a - b).var())
    assert_allclose(ours().tests.pvalue[0], of_statsmodels().pvalues[0], rtol=1e-6)
    yield Job(
        "scores of 1,000,000 items in 50,000 clusters",
        Call(ours),
        "statsmodels",
        Call(of_statsmodels),
        numpy=bare,
        goal="150 ms",
        repeats=3,
    )
    y = np.ones(MILLION, dtype=int)
    predictions = {"a": (a > 0).astype(int), "b": (b > 0).astype(int)}
    yield Job(
        "predictions of 1,000,000 items in 50,000 clusters",
        Call(
            lambda: compare(
                from_predictions(y, predictions, metric="accuracy", clusters=groups)
            )
        ),
        numpy=bare,
        goal="500 ms",
        repeats=3,
    )


def three_models_on_many_items() -> Job:
    rng = np.random.default_rng(20)
    scores = rng.normal(size=100_000) + rng.normal(size=(3, 100_000))
    table = from_arrays(named(scores), design="items", metric=ANY)
    return Job(
        "three models on 100,000 items: compare and print",
        Call(lambda: str(compare(table))),
        repeats=3,
    )


def files(folder: Path) -> Iterator[Job]:
    scores = pd.DataFrame(two_models(MILLION, 18).round(4).T, columns=["a", "b"])
    wide = scores.rename(index="item-{:07d}".format).rename_axis("item").reset_index()
    wide.to_csv(folder / "wide.csv", index=False)
    half = scores.head(MILLION // 2).rename_axis("item").reset_index()
    long = half.melt("item", var_name="model", value_name="score")
    long.to_csv(folder / "long.csv", index=False)

    def job(work: str, name: str, reader: Callable[[Path], object], goal: str) -> Job:
        file = folder / name
        return Job(
            work,
            Call(lambda: read(file, design="items", metric=ANY)),
            "pandas (reading only)",
            Call(lambda: reader(file)),
            goal=goal,
            repeats=3,
        )

    yield job(
        "a CSV file of 1,000,000 rows, numbers as items",
        "long.csv",
        pd.read_csv,
        "200 ms",
    )
    yield job(
        "a CSV file of 1,000,000 rows, texts as items",
        "wide.csv",
        pd.read_csv,
        "700 ms",
    )
    if find_spec("pyarrow") is None:
        print("Parquet is left out: pyarrow is not installed", file=sys.stderr)
        return
    long.to_parquet(folder / "long.parquet", index=False)
    yield job(
        "a Parquet file of 1,000,000 rows",
        "long.parquet",
        pd.read_parquet,
        goal="150 ms",
    )
