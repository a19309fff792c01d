"""Count how often the intervals of `replib.estimate` hold the true mean.

    python tests/benchmarks/estimates.py tests/data/estimates.csv book/_static/estimates.csv

writes the counts of each setting to the first file, which it continues if some are
missing, and to the second the table that the book shows.  Every model of a table is one
experiment, with scores of its own; each setting has a seed of its own.
"""

import csv
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import special

from replib import Metric, Predictions, Scores, estimate, from_arrays, from_predictions

#: The standard error of a coverage of 95% is 0.5 points, with bootstrap samples 1 point.
EXPERIMENTS = 2000
BOOTSTRAPPED = 500
SEED = 28
COLUMNS = ["interval", "setting", "experiments", "covered"]
SCORE = Metric("score", better="higher", low=0, high=1)

Generator = np.random.Generator


class Drawn(NamedTuple):
    """A table of models, and the true mean of each."""

    table: Scores | Predictions
    truth: float


def names(n: int) -> list[str]:
    return [f"model {i}" for i in range(n)]


def right_or_wrong(rng: Generator, n: int, *, items: int, rate: float) -> Drawn:
    """Independent items."""
    right = rng.random((n, items)) < rate
    scores = dict(zip(names(n), right))
    return Drawn(from_arrays(scores, design="items", metric="accuracy"), rate)


def graded(rng: Generator, n: int, *, items: int, beta: tuple[float, float]) -> Drawn:
    """Independent items with beta-distributed scores."""
    scores = dict(zip(names(n), rng.beta(*beta, (n, items))))
    truth = beta[0] / sum(beta)
    return Drawn(from_arrays(scores, design="items", metric=SCORE), truth)


def in_clusters(rng: Generator, n: int, *, clusters: int, unequal: bool) -> Drawn:
    """Right or wrong items, whose clusters have rates of their own: beta(2, 2)."""
    sizes = np.full(clusters, 10)
    if unequal:
        sizes = np.resize([2, 5, 8, 25], clusters)
    labels = np.repeat(np.arange(clusters), sizes)
    rates = rng.beta(2, 2, (n, clusters))[:, labels]
    scores = dict(zip(names(n), rng.random(rates.shape) < rates))
    table = from_arrays(scores, design="items", metric="accuracy", clusters=labels)
    return Drawn(table, 0.5)


def in_tasks(rng: Generator, n: int, *, tasks: int, items: int, rate: float) -> Drawn:
    """Right or wrong items of several tasks, with rates around a mean."""
    spread = min(rate, 1 - rate) / 2
    rates = np.linspace(rate - spread, rate + spread, tasks)
    labels = np.repeat(np.arange(tasks), items)
    scores = dict(zip(names(n), rng.random((n, labels.size)) < rates[labels]))
    table = from_arrays(scores, design="items", metric="accuracy", tasks=labels)
    return Drawn(table, rate)


def area(rng: Generator, n: int, *, items: int, auc: float) -> Drawn:
    """Normal scores of two classes, a third of the items positive."""
    truth = (np.arange(items) % 3 == 0).astype(int)
    shift = np.sqrt(2) * special.ndtri(auc)
    scores = dict(zip(names(n), rng.normal(size=(n, items)) + shift * truth))
    return Drawn(from_predictions(truth, scores, metric="roc_auc"), auc)


def f1(rng: Generator, n: int, *, items: int, share: float) -> Drawn:
    """Predictions that find 80% of the positives, and 10% of the others."""
    truth = (rng.random(items) < share).astype(int)
    chance = np.where(truth == 1, 0.8, 0.1)
    guesses = (rng.random((n, items)) < chance).astype(int)
    table = from_predictions(truth, dict(zip(names(n), guesses)), metric="f1")
    found = 0.8 * share
    wrong = 0.1 * (1 - share) + 0.2 * share
    return Drawn(table, 2 * found / (2 * found + wrong))


def rmse(rng: Generator, n: int, *, items: int, df: float) -> Drawn:
    """Errors with a t distribution, whose variance is df / (df - 2)."""
    errors = rng.standard_t(df, size=(n, items))
    table = from_predictions(
        np.zeros(items), dict(zip(names(n), errors)), metric="rmse"
    )
    return Drawn(table, float(np.sqrt(df / (df - 2))))


class Kind(NamedTuple):
    """An interval, the function that draws tables, values of its arguments, models of a table."""

    interval: str
    draw: Callable[..., Drawn]
    values: dict[str, tuple[Any, ...]]
    models: int = 100


RATES = (0.05, 0.5, 0.8, 0.95)
KINDS = [
    Kind(
        "right or wrong items",
        right_or_wrong,
        {"items": (20, 100, 1000), "rate": RATES},
    ),
    Kind(
        "scores of items",
        graded,
        {"items": (20, 100, 1000), "beta": ((0.5, 0.5), (2, 2), (1, 9))},
    ),
    Kind(
        "items in clusters",
        in_clusters,
        {"clusters": (6, 12, 40), "unequal": (False, True)},
    ),
    Kind(
        "items of several tasks",
        in_tasks,
        {"tasks": (3, 10), "items": (20, 200), "rate": RATES},
    ),
    Kind(
        "area under the ROC curve", area, {"items": (60, 300), "auc": (0.6, 0.8, 0.95)}
    ),
    # the truth of a table is shared by its models, so that a table has few of them
    Kind("F1", f1, {"items": (60, 300), "share": (0.2, 0.5)}, models=1),
    Kind("RMSE", rmse, {"items": (60, 300), "df": (30, 4)}, models=20),
]


class Setting(NamedTuple):
    """A kind of interval with values of the arguments."""

    kind: Kind
    arguments: dict[str, Any]

    def __str__(self) -> str:
        return ", ".join(f"{name} {value}" for name, value in self.arguments.items())


def settings() -> list[Setting]:
    return [
        Setting(kind, dict(zip(kind.values, values)))
        for kind in KINDS
        for values in product(*kind.values.values())
    ]


def covered(setting: Setting) -> int:
    """Return in how many experiments the interval holds the true mean."""
    place = [str(other) for other in settings()].index(str(setting))
    rng = np.random.default_rng([SEED, KINDS.index(setting.kind), place])
    kind = setting.kind
    n_covered = 0
    for _ in range(experiments(kind.interval) // kind.models):
        table, truth = kind.draw(rng, kind.models, **setting.arguments)
        means = estimate(table).means
        n_covered += int(((means["low"] <= truth) & (truth <= means["high"])).sum())
    return n_covered


def experiments(interval: str) -> int:
    return BOOTSTRAPPED if interval in ("F1", "RMSE") else EXPERIMENTS


def summary(table: pd.DataFrame) -> pd.DataFrame:
    """Return the ranges over settings that the book shows."""
    percent = 100 * table["covered"] / table["experiments"]
    rows = [
        {
            "interval of": interval,
            "settings": len(part),
            "coverage (%)": f"{part.mean():.1f} ({part.min():.1f} to {part.max():.1f})",
            "lowest for": table.loc[part.idxmin(), "setting"],
        }
        for interval, part in percent.groupby(table["interval"], sort=False)
    ]
    return pd.DataFrame(rows)


def main(raw: Path, shown: Path) -> None:
    rows = {}
    if raw.exists():
        lines = list(csv.reader(raw.read_text(encoding="utf-8").splitlines()))[1:]
        rows = {tuple(line[:2]): line for line in lines}
    keys = [(setting.kind.interval, str(setting)) for setting in settings()]
    for key, setting in zip(keys, settings()):
        if key not in rows:
            n = experiments(setting.kind.interval)
            rows[key] = [*key, str(n), str(covered(setting))]
        with raw.open("w", newline="", encoding="utf-8") as stream:
            in_order = [rows[known] for known in keys if known in rows]
            csv.writer(stream, lineterminator="\n").writerows([COLUMNS, *in_order])
    summary(pd.read_csv(raw)).to_csv(shown, index=False)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
