"""Type I error of the three questions on a grid of items, clusters, seeds and run effects.

A score is the sum of an item effect of each model, a run effect and their interaction; a *binary*
score says whether that sum plus the difficulty of the item, which both models share, is above a
threshold.  Effects of items and interactions are correlated within a cluster.  Every question has
its own null hypothesis:

* *both*: the two models are exchangeable;
* *items*: both trained models have the same run effects, so their expected scores on new items are
  equal;
* *seeds*: items come in pairs that favour A and B in turn, so over new seeds the mean scores on
  these very items are equal.
"""

import csv
import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import special, stats

from replib.checks import check_choice
from replib.comparison import compare_predictions
from replib.significance import mcnemar
from replib.variance import MeanSquares, difference_test, mean_squares, squares_of_totals

#: The folder of the tables.
FOLDER = Path(__file__).resolve().parents[3] / "results"

SEED = 2024
ALPHA = 0.05
#: Latent variance of difficulty (binary scores only), item x model, and seed x item.
DIFFICULTY, FAVOUR, CHANCE = 0.6, 0.2, 0.2
ACCURACY = 0.7
#: Numbers of clusters; the last two have sizes in proportion to 1, 2, 3, ...
CLUSTERS = (0, 20, 60, 5, 10)
_UNEQUAL = (5, 10)
#: Metrics that are not means over items; the last is given as a function.
METRICS = ("roc_auc", "f1_macro", "matthews_corrcoef", "function")
_CHUNK = 2_000_000  # scores drawn at a time
_MANY = 2000  # with at least this many items, normal scores are drawn cluster by cluster


class Cell(NamedTuple):
    """One design and one null hypothesis.

    Attributes
    ----------
    question : {"both", "items", "seeds"}
    binary : int
        1 for right and wrong, 0 for normal scores.
    items, clusters : int
        0 clusters means independent items.
    icc : float
        Correlation within a cluster.
    runs : int
    share : float
        Share of the run effects in the variance of the difference.
    """

    question: str
    binary: int
    items: int
    clusters: int
    icc: float
    runs: int
    share: float


def grid() -> Iterator[Cell]:
    """Yield the cells, without those that are the same by construction or have no test.

    Clusters have no effect on the question *seeds*, run effects cancel from *items* if scores are
    normal, and with one run only *items* can be tested.
    """
    for items, clusters, icc, runs, share, binary, question in itertools.product(
        (100, 500, 2000), CLUSTERS, (0.0, 0.1, 0.3), (1, 2, 3, 5, 10), (0.0, 0.3, 0.6), (0, 1),
        ("both", "items", "seeds"),
    ):
        if (
            (clusters == 0 and icc > 0)
            or (runs == 1 and question != "items")
            or (question == "seeds" and clusters)
            or (question == "items" and not binary and share)
        ):
            continue
        yield Cell(question, binary, items, clusters, icc, runs, share)


def rejections(cell: Cell, experiments: int, *, seed: int = SEED) -> int:
    """Count the experiments in which equal models differ significantly.

    Parameters
    ----------
    cell : Cell
    experiments : int
    seed : int

    Returns
    -------
    int

    Examples
    --------
    >>> rejections(Cell("items", 0, 100, 0, 0.0, 2, 0.0), 2000)
    114
    """
    key = [
        ("both", "items", "seeds").index(cell.question), cell.binary, cell.items, cell.clusters,
        round(100 * cell.icc), cell.runs, round(100 * cell.share),
    ]
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
    spread = run_effect(cell, rng)
    groups = _groups(cell)
    count, left = 0, experiments
    if cell.items >= _MANY and cell.clusters and not cell.binary:
        squares = squares_of_normal_scores(cell, experiments, spread, rng)
        return int(np.count_nonzero(_by_squares(cell, squares) < ALPHA))
    while left:
        n = min(left, max(1, _CHUNK // (2 * cell.runs * cell.items)))
        a, b = scores(cell, n, spread, rng)
        count += int(np.count_nonzero(_pvalues(cell, a, b, groups) < ALPHA))
        left -= n
    return count


def squares_of_normal_scores(
    cell: Cell, n: int, spread: float, rng: np.random.Generator
) -> MeanSquares:
    """Mean squares of n experiments with normal scores, from the totals of their clusters.

    They have the distribution of the mean squares of :func:`scores`: the total of a cluster of k
    items is normal, with k times the variance of an item's own part plus k² times that of the
    common part.
    """
    sizes = _sizes(cell).astype(float)

    def totals(variance: float, *shape: int) -> np.ndarray:
        own, common = rng.standard_normal((2, n, *shape, len(sizes)))
        return np.asarray(np.sqrt(variance * (1 - cell.icc) * sizes) * own
                          + np.sqrt(variance * cell.icc) * sizes * common)

    of_run = spread * rng.standard_normal((n, 2, cell.runs, 1))
    if cell.question == "items":
        of_run[:, 1] = of_run[:, 0]
    y = totals(FAVOUR, 2, 1) + totals(CHANCE, 2, cell.runs) + of_run * sizes
    effective = mean_squares(*np.zeros((2, 1, cell.items)), groups=_groups(cell)).effective
    return squares_of_totals((y[:, 0], y[:, 1]), sizes, scale=np.ones(n), effective=effective)


def _pvalues(cell: Cell, a: np.ndarray, b: np.ndarray, groups: np.ndarray | None) -> np.ndarray:
    if cell.binary and cell.runs == 1 and groups is None:
        wins, losses = ((x > y).sum((-2, -1)) for x, y in ((a, b), (b, a)))
        return np.asarray(mcnemar(wins, losses).pvalue)
    return _by_squares(cell, mean_squares(a, b, groups=groups))


def _by_squares(cell: Cell, squares: MeanSquares) -> np.ndarray:
    with np.errstate(all="ignore"):
        return np.asarray(difference_test(squares, generalize=cell.question).pvalue)


def scores(
    cell: Cell, n: int, spread: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw scores of A and B in n experiments, each of shape (n, runs, items)."""
    sizes = _sizes(cell)

    def effects(variance: float, *shape: int) -> np.ndarray:
        own = rng.standard_normal((n, *shape, cell.items), dtype=np.float32)
        own *= np.float32(np.sqrt(variance * (1 - cell.icc)))
        if cell.icc:
            common = rng.standard_normal((n, *shape, len(sizes)), dtype=np.float32)
            own += np.repeat(np.float32(np.sqrt(variance * cell.icc)) * common, sizes, axis=-1)
        return own

    favour = effects(FAVOUR, 2, 1)
    difficulty = effects(DIFFICULTY, 1, 1) if cell.binary else np.zeros((1, 1, 1, 1), np.float32)
    of_run = np.float32(spread) * rng.standard_normal((n, 2, cell.runs, 1), dtype=np.float32)
    if cell.question == "items":
        of_run[:, 1] = of_run[:, 0]
    if cell.question == "seeds":  # the effect that favours A on one item favours B on the next
        favour[:, 1] = favour[:, 0].reshape(n, 1, -1, 2)[..., ::-1].reshape(n, 1, -1)
        difficulty[..., 1::2] = difficulty[..., ::2]
    y = effects(CHANCE, 2, cell.runs)
    y += favour + difficulty
    y += of_run
    if cell.binary:
        y = y > -special.ndtri(ACCURACY)
    return y[:, 0], y[:, 1]


def run_effect(cell: Cell, rng: np.random.Generator) -> float:
    """Standard deviation of run effects that have the requested share of the variance."""
    if not cell.share:
        return 0.0
    pilot = cell._replace(question="both")
    n = max(50, 400_000 // (2 * cell.runs * cell.items))
    rest = mean_squares(*scores(pilot, n, 0.0, rng), groups=_groups(cell)).item.mean()
    slope = stats.norm.pdf(special.ndtri(ACCURACY)) if cell.binary else 1.0
    return float(np.sqrt(cell.share / (1 - cell.share) * rest * cell.runs / 2) / slope)


def _sizes(cell: Cell) -> np.ndarray:
    if not cell.clusters:
        return np.ones(cell.items, int)
    unequal = cell.clusters in _UNEQUAL
    weight = np.arange(1, cell.clusters + 1) if unequal else np.ones(cell.clusters)
    ends = np.round(np.cumsum(weight) / weight.sum() * cell.items).astype(int)
    return np.diff(ends, prepend=0)


def _groups(cell: Cell) -> np.ndarray | None:
    return np.repeat(np.arange(cell.clusters), _sizes(cell)) if cell.clusters else None


def simulate(path: str | Path, *, seed: int = SEED) -> None:
    """Fill a CSV file, a row per cell; existing rows are kept."""

    def counted(cell: Cell) -> tuple[int, int]:
        experiments = 10_000 if cell.items == 100 else 4_000
        return experiments, rejections(cell, experiments, seed=seed)

    cells = sorted(grid(), key=lambda cell: (cell.items, cell.runs))
    fill(path, [*Cell._fields, "experiments", "rejections"], cells, counted)


def fill(
    path: str | Path, header: Sequence[str], cells: Iterable[Any],
    counted: Callable[[Any], Iterable[int]],
) -> None:
    """Append the cells that are missing from a CSV file; each row is a cell and its counts."""
    path = Path(path)
    done: set[tuple[str, ...]] = set()
    if path.exists():
        with path.open(newline="") as file:
            done = {tuple(row) for row in csv.reader(file)}
    with path.open("a", newline="") as file:
        write = csv.writer(file, lineterminator="\n").writerow
        if not done:
            write(header)
        for cell in cells:
            if not any(row[:len(cell)] == tuple(map(str, cell)) for row in done):
                write([*cell, *counted(cell)])
                file.flush()


class MetricCell(NamedTuple):
    """One metric and one design, with one run or more; see :class:`Cell`."""

    metric: str
    question: str
    items: int
    clusters: int
    icc: float
    runs: int


def metric_grid() -> Iterator[MetricCell]:
    """Yield the cells of the metrics that are not means over items."""
    for metric, items, clusters, (question, runs) in itertools.product(
        METRICS, (100, 500), (0, 20),
        (("items", 1), ("both", 5)),
    ):
        if metric != "function" or (items == 100 and runs == 1):  # a function takes long
            yield MetricCell(metric, question, items, clusters, 0.3 if clusters else 0.0, runs)


def metric_rejections(cell: MetricCell, experiments: int, *, seed: int = SEED) -> int:
    """Count the experiments in which exchangeable models differ significantly in a metric.

    Half of the items belong to each class; a score is the class plus the effects of :func:`scores`,
    and a prediction says whether it is above the middle.  Permutation tests use 399 exchanges.
    """
    design = Cell(cell.question, 0, cell.items, cell.clusters, cell.icc, cell.runs, 0.0)
    key = [7, METRICS.index(cell.metric), cell.items, cell.clusters, cell.runs]
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
    spread = 0.0 if cell.runs == 1 else 0.1
    groups, count = _groups(design), 0
    metric = _mean_recall if cell.metric == "function" else cell.metric
    for _ in range(experiments):
        a, b = (x[0] for x in scores(design, 1, spread, rng))
        y = rng.permutation(np.arange(cell.items) % 2)
        a, b = (y - 0.5 + x for x in (a, b))
        if cell.metric != "roc_auc":
            a, b = (a > 0).astype(int), (b > 0).astype(int)
        count += compare_predictions(
            y, a, b, metric=metric, groups=groups, resamples=399, seed=int(rng.integers(2**31))
        ).pvalue <= ALPHA
    return count


def _mean_recall(y: np.ndarray, predicted: np.ndarray) -> float:
    return ((predicted[y == 0] == 0).mean() + (predicted[y == 1] == 1).mean()) / 2


def simulate_metrics(path: str | Path, *, experiments: int = 1000, seed: int = SEED) -> None:
    """Fill a CSV file, a row per metric and design; existing rows are kept."""
    fill(path, [*MetricCell._fields, "experiments", "rejections"], metric_grid(),
         lambda cell: (experiments, metric_rejections(cell, experiments, seed=seed)))


class CountsDiffer(RuntimeError):
    """A stored count does not match the simulation of its cell."""


#: Tables that :func:`spot_check` can check: the type of a cell, and the function that counts it.
TABLES: dict[str, tuple[Any, Callable[..., int]]] = {
    "five_seeds": (Cell, rejections),
    "five_seeds_metrics": (MetricCell, metric_rejections),
}
#: Probability that a spot check raises an error about one cell that is right.
FALSE_COMPLAINT = 1e-6


def spot_check(
    name: str, k: int, *, experiments: int = 200, rng: np.random.Generator | int | None = None,
    folder: str | Path = FOLDER,
) -> str:
    """Simulate k stored cells again, drawn at random, with another seed and fewer experiments.

    Parameters
    ----------
    name : {"five_seeds", "five_seeds_metrics"}
    k : int
        Number of cells.
    experiments : int
        Experiments per cell; 200 detect a rate of 10% where 5% is stored only sometimes, and a rate
        of 20% nearly always.
    rng : Generator or int, optional
        Draws the cells and the seed.
    folder : path
        Folder of the tables.

    Returns
    -------
    str
        A sentence with the outcome.

    Raises
    ------
    CountsDiffer
        If a cell's two rates differ with a p-value below `FALSE_COMPLAINT`.
    """
    check_choice("name", name, tuple(TABLES))
    kind, counted = TABLES[name]
    rng = np.random.default_rng(rng)
    with (Path(folder) / f"{name}.csv").open(newline="") as file:
        rows = list(csv.reader(file))[1:]
    types = kind.__annotations__.values()
    for row in (rows[i] for i in rng.choice(len(rows), size=min(k, len(rows)), replace=False)):
        cell = kind(*(convert(text) for convert, text in zip(types, row)))
        stored_experiments, stored_rejections = map(int, row[-2:])
        check_counts(
            f"{name}, {cell}", (stored_rejections, stored_experiments),
            (counted(cell, experiments, seed=int(rng.integers(2**31))), experiments),
        )
    return agreed(name, k, len(rows))


def agreed(name: str, k: int, stored: int) -> str:
    """The sentence of a spot check that found no difference."""
    what = "1 cell was" if k == 1 else f"{min(k, stored)} cells were"
    return (
        f"{name}: {what} drawn at random of {stored} and simulated again with another seed: "
        "within Monte Carlo error."
    )


def check_counts(what: str, stored: tuple[int, int], again: tuple[int, int]) -> None:
    """Raise an error if two counts of rejections do not fit one probability."""
    table = [[count, n - count] for count, n in (stored, again)]
    if stats.fisher_exact(table).pvalue < FALSE_COMPLAINT:
        raise CountsDiffer(
            f"{what}: {stored[0]} of {stored[1]} experiments reject in the stored table, and "
            f"{again[0]} of {again[1]} when they are simulated again"
        )


if __name__ == "__main__":
    import sys

    start = time.process_time()
    {"grid": simulate, "metrics": simulate_metrics}[sys.argv[1]](sys.argv[2])
    print(f"{time.process_time() - start:.0f} seconds of one core")
