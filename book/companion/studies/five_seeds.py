"""Type I error of the three questions on a grid of items, clusters, seeds and run effects.

A score is the sum of an item effect of each model, a run effect and their interaction;
a *binary* score says whether that sum plus the difficulty of the item, which both
models share, is above a threshold.  Effects of items and interactions are correlated
within a cluster.  Every question has its own null hypothesis:

* *both*: the two models are exchangeable;
* *items*: both trained models have the same run effects, so their expected scores on new items are
  equal;
* *seeds*: items come in pairs that favour A and B in turn, so over new seeds the mean scores on
  these very items are equal.
"""

import itertools
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import special, stats

from companion.lab.experiments import runner
from replib import Metric, compare, from_predictions
from replib._metrics import AREA, area_tests, exchange_test
from replib.significance import mcnemar
from replib.variance import (
    MeanSquares,
    difference_test,
    mean_squares,
    squares_of_totals,
)

SEED = 2024
ALPHA = 0.05
#: Latent variance of difficulty (binary scores only), item x model, and seed x item.
DIFFICULTY = 0.6
FAVOUR = 0.2
CHANCE = 0.2
ACCURACY = 0.7
#: Numbers of clusters; the last two have sizes in proportion to 1, 2, 3, ...
CLUSTERS = (0, 20, 60, 5, 10)
_UNEQUAL = (5, 10)
QUESTIONS = ("both", "items", "seeds")
#: Metrics that are not means over items; the last is given as a function.
METRICS = ("roc_auc", "f1_macro", "matthews_corrcoef", "function")
_CHUNK = 2_000_000  # scores drawn at a time
# with at least this many items, normal scores are drawn cluster by cluster
_MANY = 2000


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


def grid(question: str, items: int, clusters: int, runs: int) -> Iterator[Cell]:
    """Yield the cells, without those that are the same by construction or have no test.

    Clusters have no effect on the question *seeds*, run effects cancel from *items* if
    scores are normal, and with one run only *items* can be tested.
    """
    if (runs == 1 and question != "items") or (question == "seeds" and clusters):
        return
    combinations = itertools.product((0.0, 0.1, 0.3), (0.0, 0.3, 0.6), (0, 1))
    for icc, share, binary in combinations:
        lacks_clusters = icc > 0 and clusters == 0
        cancels = share > 0 and question == "items" and not binary
        if not (lacks_clusters or cancels):
            yield Cell(question, binary, items, clusters, icc, runs, share)


def plan() -> dict[str, tuple[runner.Experiment, int]]:
    """The stored experiments, each with the cells of a question, a size and a number of runs."""
    by_name = {}
    designs = itertools.product((100, 500, 2000), CLUSTERS, (1, 2, 3, 5, 10), QUESTIONS)
    for items, clusters, runs, question in designs:
        parameters = {
            "question": question,
            "items": items,
            "clusters": clusters,
            "runs": runs,
        }
        if any(grid(**parameters)):
            experiment = runner.Experiment(rejections, seed=SEED, parameters=parameters)
            by_name[f"{question}_{items}_{clusters}_{runs}"] = experiment, 1
    return by_name


def type_1_errors(results: Mapping[str, runner.Replications]) -> pd.DataFrame:
    """Tabulate the stored cells: the fields of `Cell`, `experiments` and `rejections`."""
    cells: list[Cell] = []
    counts: list[int] = []
    for result in results.values():
        cells += grid(**result.experiment.parameters)
        counts += list(result.counts[0])
    return pd.DataFrame(cells).assign(
        experiments=[experiments(cell) for cell in cells],
        rejections=np.array(counts, int),
    )


def rejections(
    rng: np.random.Generator, *, question: str, items: int, clusters: int, runs: int
) -> np.ndarray:
    """Count the experiments in which equal models differ significantly, by cell of :func:`grid`.

    Each cell has a random stream of its own, from the seed of `rng` and its numbers.

    Examples
    --------
    >>> rng = np.random.default_rng(SEED)
    >>> int(rejections(rng, question="items", items=100, clusters=0, runs=1)[0])
    503
    """
    entropy = rng.bit_generator.seed_seq.entropy
    cells = grid(question, items, clusters, runs)
    counts = [rejections_of(cell, experiments(cell), seed=entropy) for cell in cells]
    return np.array(counts)


def experiments(cell: Cell) -> int:
    """Return how many experiments of a cell are simulated."""
    return 10_000 if cell.items == 100 else 4_000


def rejections_of(cell: Cell, experiments: int, *, seed: int = SEED) -> int:
    """Count the experiments of a cell in which equal models differ significantly.

    Examples
    --------
    >>> rejections_of(Cell("items", 0, 100, 0, 0.0, 2, 0.0), 2000)
    114
    """
    key = [
        QUESTIONS.index(cell.question),
        cell.binary,
        cell.items,
        cell.clusters,
        round(100 * cell.icc),
        cell.runs,
        round(100 * cell.share),
    ]
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
    spread = run_effect(cell, rng)
    groups = _groups(cell)
    if cell.items >= _MANY and cell.clusters and not cell.binary:
        squares = squares_of_normal_scores(cell, experiments, spread, rng)
        return int(np.count_nonzero(_by_squares(cell, squares) < ALPHA))
    count = 0
    chunk = max(1, _CHUNK // (2 * cell.runs * cell.items))
    for first in range(0, experiments, chunk):
        a, b = scores(cell, min(chunk, experiments - first), spread, rng)
        count += int(np.count_nonzero(_pvalues(cell, a, b, groups) < ALPHA))
    return count


def squares_of_normal_scores(
    cell: Cell, n: int, spread: float, rng: np.random.Generator
) -> MeanSquares:
    """Compute mean squares of n experiments with normal scores, from the totals of their clusters.

    They have the distribution of the mean squares of :func:`scores`: the total of a
    cluster of k items is normal, with k times the variance of an item's own part plus
    k² times that of the common part.
    """
    sizes = _sizes(cell).astype(float)

    def totals(variance: float, *shape: int) -> np.ndarray:
        item_parts, common_parts = rng.standard_normal((2, n, *shape, len(sizes)))
        item_parts *= np.sqrt(variance * (1 - cell.icc) * sizes)
        common_parts *= np.sqrt(variance * cell.icc) * sizes
        return np.asarray(item_parts + common_parts)

    run_effects = spread * rng.standard_normal((n, 2, cell.runs, 1))
    if cell.question == "items":
        run_effects[:, 1] = run_effects[:, 0]
    y = totals(FAVOUR, 2, 1) + totals(CHANCE, 2, cell.runs) + run_effects * sizes
    # the effective number of clusters depends on their sizes only
    no_scores = np.zeros((1, cell.items))
    effective = mean_squares(no_scores, no_scores, groups=_groups(cell)).effective
    return squares_of_totals(
        (y[:, 0], y[:, 1]), sizes, scale=np.ones(n), effective=effective
    )


def _pvalues(
    cell: Cell, a: np.ndarray, b: np.ndarray, groups: np.ndarray | None
) -> np.ndarray:
    if cell.binary and cell.runs == 1 and groups is None:
        wins = (a > b).sum((-2, -1))
        losses = (b > a).sum((-2, -1))
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
        by_item = rng.standard_normal((n, *shape, cell.items), dtype=np.float32)
        by_item *= np.float32(np.sqrt(variance * (1 - cell.icc)))
        if cell.icc:
            by_cluster = rng.standard_normal((n, *shape, len(sizes)), dtype=np.float32)
            by_cluster *= np.float32(np.sqrt(variance * cell.icc))
            by_item += np.repeat(by_cluster, sizes, axis=-1)
        return by_item

    favour = effects(FAVOUR, 2, 1)
    difficulty = np.zeros((1, 1, 1, 1), np.float32)
    if cell.binary:
        difficulty = effects(DIFFICULTY, 1, 1)
    run_effects = rng.standard_normal((n, 2, cell.runs, 1), dtype=np.float32)
    run_effects *= np.float32(spread)
    if cell.question == "items":
        run_effects[:, 1] = run_effects[:, 0]
    if cell.question == "seeds":
        # the effect that favours A on one item favours B on the next
        neighbours = favour[:, 0].reshape(n, 1, -1, 2)[..., ::-1]
        favour[:, 1] = neighbours.reshape(n, 1, -1)
        difficulty[..., 1::2] = difficulty[..., ::2]
    y = effects(CHANCE, 2, cell.runs)
    y += favour + difficulty
    y += run_effects
    if cell.binary:
        y = y > -special.ndtri(ACCURACY)
    return y[:, 0], y[:, 1]


def run_effect(cell: Cell, rng: np.random.Generator) -> float:
    """Return the standard deviation of run effects with the requested share of the variance."""
    if not cell.share:
        return 0.0
    pilot = cell._replace(question="both")
    n = max(50, 400_000 // (2 * cell.runs * cell.items))
    squares = mean_squares(*scores(pilot, n, 0.0, rng), groups=_groups(cell))
    rest = squares.item.mean()
    # by how much the accuracy rises with the latent score
    slope = stats.norm.pdf(special.ndtri(ACCURACY)) if cell.binary else 1.0
    variance = cell.share / (1 - cell.share) * rest * cell.runs / 2
    return float(np.sqrt(variance) / slope)


def _sizes(cell: Cell) -> np.ndarray:
    if not cell.clusters:
        return np.ones(cell.items, int)
    unequal = cell.clusters in _UNEQUAL
    weight = np.arange(1, cell.clusters + 1) if unequal else np.ones(cell.clusters)
    ends = np.round(np.cumsum(weight) / weight.sum() * cell.items).astype(int)
    return np.diff(ends, prepend=0)


def _groups(cell: Cell) -> np.ndarray | None:
    if not cell.clusters:
        return None
    return np.repeat(np.arange(cell.clusters), _sizes(cell))


def metrics_plan() -> dict[str, tuple[runner.Experiment, int]]:
    """The stored experiments with metrics that are not means over items."""
    by_name = {}
    designs = itertools.product(METRICS, (100, 500), (0, 20), (1, 5))
    for metric, items, clusters, runs in designs:
        is_small = items == 100 and runs == 1
        if metric == "function" and not is_small:
            continue  # a function takes long
        experiment = runner.Experiment(
            metric_rejections,
            seed=SEED,
            parameters={
                "metric": metric,
                "items": items,
                "clusters": clusters,
                "runs": runs,
                "experiments": 1000,
            },
        )
        by_name[f"{metric}_{items}_{clusters}_{runs}"] = experiment, 1
    return by_name


def metric_rejections(
    rng: np.random.Generator,
    *,
    metric: str,
    items: int,
    clusters: int,
    runs: int,
    experiments: int,
) -> int:
    """Count the experiments in which exchangeable models differ significantly in a metric.

    Half of the items belong to each class; a score is the class plus the effects of
    :func:`scores`, and a prediction says whether it is above the middle.  Permutation
    tests use 399 exchanges.  The question is *items* with one run, else *both*.
    """
    icc = 0.3 if clusters else 0.0
    design = Cell("items" if runs == 1 else "both", 0, items, clusters, icc, runs, 0.0)
    key = [7, METRICS.index(metric), items, clusters, runs]
    entropy = rng.bit_generator.seed_seq.entropy
    rng = np.random.default_rng(np.random.SeedSequence(entropy, spawn_key=key))
    spread = 0.0 if runs == 1 else 0.1
    groups = _groups(design)
    count = 0
    function = _mean_recall if metric == "function" else None
    named = Metric("mean recall", better="higher") if function else metric
    for _ in range(experiments):
        a, b = (x[0] for x in scores(design, 1, spread, rng))
        y = rng.permutation(np.arange(items) % 2)
        predictions = {"A": y - 0.5 + a, "B": y - 0.5 + b}
        if metric != "roc_auc":
            predictions = {
                name: (score > 0).astype(int) for name, score in predictions.items()
            }
        table = from_predictions(
            y, predictions, metric=named, function=function, clusters=groups
        )
        seed = int(rng.integers(2**31))
        if runs > 1:
            p = compare(table, pairs=[("A", "B")]).tests.pvalue[0]
        elif metric == AREA:
            p = area_tests(table, [("A", "B")]).result.pvalue[0]
        else:
            p = exchange_test(table, "A", "B", resamples=399, seed=seed).pvalue
        count += p <= ALPHA
    return count


def _mean_recall(y: np.ndarray, predicted: np.ndarray) -> float:
    recall_of_zero = (predicted[y == 0] == 0).mean()
    recall_of_one = (predicted[y == 1] == 1).mean()
    return (recall_of_zero + recall_of_one) / 2
