"""Type I error of the three questions on a grid of items, clusters, seeds and run effects.

A score is the sum of an item effect of each model, a run effect and their interaction; a *binary*
one says whether that sum, and the difficulty of the item that both models share, is above a
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
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import special, stats

from replib.significance import mcnemar
from replib.variance import difference_test, mean_squares

SEED = 2024
ALPHA = 0.05
#: Latent variance of difficulty (binary scores only), item x model, and seed x item.
DIFFICULTY, FAVOUR, CHANCE = 0.6, 0.2, 0.2
ACCURACY = 0.7
#: Numbers of clusters; the last two have sizes in proportion to 1, 2, 3, ...
CLUSTERS = (0, 20, 60, 5, 10)
_UNEQUAL = (5, 10)
_CHUNK = 2_000_000  # scores that are made at a time


class Cell(NamedTuple):
    """One design and one null hypothesis.

    Attributes
    ----------
    question : {"both", "items", "seeds"}
    binary : int
        1 for right and wrong, 0 for normal scores.
    items, clusters : int
        0 clusters: independent items.
    icc : float
        Correlation within a cluster.
    runs : int
    share : float
        Of the run effects in the variance of the difference.
    """

    question: str
    binary: int
    items: int
    clusters: int
    icc: float
    runs: int
    share: float


def grid() -> Iterator[Cell]:
    """The cells, without those that are the same by construction.

    Clusters do not enter the question *seeds*, and run effects cancel from *items* if scores are
    normal.
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
    97
    """
    key = [
        ("both", "items", "seeds").index(cell.question), cell.binary, cell.items, cell.clusters,
        round(100 * cell.icc), cell.runs, round(100 * cell.share),
    ]
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
    spread = run_effect(cell, rng)
    groups = _groups(cell)
    count, left = 0, experiments
    while left:
        n = min(left, max(1, _CHUNK // (2 * cell.runs * cell.items)))
        a, b = scores(cell, n, spread, rng)
        count += int(np.count_nonzero(_pvalues(cell, a, b, groups) < ALPHA))
        left -= n
    return count


def _pvalues(cell: Cell, a: np.ndarray, b: np.ndarray, groups: np.ndarray | None) -> np.ndarray:
    if cell.binary and cell.runs == 1 and groups is None:
        wins, losses = ((x > y).sum((-2, -1)) for x, y in ((a, b), (b, a)))
        return np.asarray(mcnemar(wins, losses).pvalue)
    with np.errstate(all="ignore"):
        return np.asarray(
            difference_test(mean_squares(a, b, groups=groups), generalize=cell.question).pvalue
        )


def scores(
    cell: Cell, n: int, spread: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Scores of A and B in n experiments, each of shape (n, runs, items)."""
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
    if cell.question == "seeds":  # what favours A on one item favours B on the next
        favour[:, 1] = favour[:, 0].reshape(n, 1, -1, 2)[..., ::-1].reshape(n, 1, -1)
        difficulty[..., 1::2] = difficulty[..., ::2]
    y = effects(CHANCE, 2, cell.runs)
    y += favour + difficulty
    y += of_run
    if cell.binary:
        y = y > -special.ndtri(ACCURACY)
    return y[:, 0], y[:, 1]


def run_effect(cell: Cell, rng: np.random.Generator) -> float:
    """Standard deviation of the run effects that have the wanted share of the variance."""
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
    """Fill a CSV file, a row per cell; rows that are there already are kept."""
    path = Path(path)
    done = set()
    if path.exists():
        with path.open(newline="") as file:
            done = {tuple(row)[:7] for row in csv.reader(file)}
    with path.open("a", newline="") as file:
        write = csv.writer(file).writerow
        if not done:
            write([*Cell._fields, "experiments", "rejections"])
        for cell in sorted(grid(), key=lambda cell: (cell.items, cell.runs)):
            if tuple(map(str, cell)) in done:
                continue
            experiments = 10_000 if cell.items == 100 else 4_000
            write([*cell, experiments, rejections(cell, experiments, seed=seed)])
            file.flush()


if __name__ == "__main__":
    import sys

    start = time.process_time()
    simulate(sys.argv[1])
    print(f"{time.process_time() - start:.0f} seconds of one core")
