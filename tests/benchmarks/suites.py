"""Simulate tests and intervals for suites of tasks: Type I error and coverage.

    python tests/benchmarks/suites.py tests/data/suites.csv book/_static/suites.csv

writes the counts of each setting to the first file, which it continues if some are
missing, and to the second the table that the book shows.  Each setting has a seed of its
own.

Two models answer the items of each task, right or wrong.  Only the numbers of items that
one of them alone has right matter, which are multinomial within a task.  Answers of both
models correlate by 1/2, so that at the rate p the models differ on p (1 - p) of the
items.
"""

import csv
import sys
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import special

from replib.significance import mcnemar

ALPHA = 0.05
#: The standard error of a rate of 5% is 0.2 points.
EXPERIMENTS = 10_000
SEED = 53
TASKS = (3, 10, 57)
ITEMS = (20, 200, 2000)
RATES = ("0.05", "0.5", "0.95", "0.05 to 0.95")
SIZES = ("equal", "unequal")
#: What is true of the tasks: the sizes of the differences are shares of the largest that
#: the rate allows.
TRUTHS = ("no task differs", "tasks differ and cancel", "one model is ahead")
#: Differences that are equal may differ by so much after rounding, on another processor by
#: another amount: an interval without width has the truth if it is equal to it.
ROUNDING = 1e-12
#: Sizes of unequal tasks, relative to their mean, run from 1/4 to 7/4.
LEAST_SIZE = 0.25
COLUMNS = ["tasks", "items", "rate", "sizes", "truth", "mean", "experiments"]
COLUMNS += ["rejected", "covered"]


class Setting(NamedTuple):
    """Tasks, mean number of items of each, rate of right answers, sizes, and the truth."""

    tasks: int
    items: int
    rate: str
    sizes: str
    truth: str

    def n_items(self) -> np.ndarray:
        """Numbers of items of the tasks."""
        if self.sizes == "equal":
            return np.full(self.tasks, self.items)
        relative = np.linspace(LEAST_SIZE, 2 - LEAST_SIZE, self.tasks)
        return np.round(self.items * relative).astype(int)

    def discordant(self) -> np.ndarray:
        """Share of items of each task that only one model has right."""
        low, _, high = self.rate.partition(" to ")
        rates = np.linspace(float(low), float(high or low), self.tasks)
        return rates * (1 - rates)

    def differences(self, weights: np.ndarray) -> np.ndarray:
        """True difference on each task, whose mean has these weights."""
        largest = self.discordant() / 2
        if self.truth == "no task differs":
            return np.zeros(self.tasks)
        if self.truth == "one model is ahead":
            return largest
        # tasks take turns, and the last of an odd number does not differ
        signs = np.where(np.arange(self.tasks) % 2, -1.0, 1.0)
        signs[self.tasks - self.tasks % 2 :] = 0
        sizes = signs / weights
        scale = np.min(largest[signs != 0] / np.abs(sizes[signs != 0]))
        return scale * sizes


def settings() -> list[Setting]:
    return [Setting(*values) for values in product(TASKS, ITEMS, RATES, SIZES, TRUTHS)]


def weights(n_items: np.ndarray, mean: str) -> np.ndarray:
    """Weights of the tasks in the mean."""
    if mean == "items":
        return n_items / n_items.sum()
    return np.full(len(n_items), 1 / len(n_items))


def wins_and_losses(
    setting: Setting, mean: str, n: int
) -> tuple[np.ndarray, np.ndarray]:
    """Draw the items that only the first, and only the second has right: (n, tasks)."""
    key = [SEED, *indices(setting), int(mean == "items")]
    rng = np.random.default_rng(key)
    n_items = setting.n_items()
    difference = setting.differences(weights(n_items, mean))
    discordant = setting.discordant()
    shares = np.stack(
        [
            (discordant + difference) / 2,
            (discordant - difference) / 2,
            1 - discordant,
        ],
        axis=-1,
    )
    counts = rng.multinomial(n_items, shares, size=(n, setting.tasks))
    return counts[..., 0], counts[..., 1]


def indices(setting: Setting) -> list[int]:
    """Place of each value in its list."""
    lists = (TASKS, ITEMS, RATES, SIZES, TRUTHS)
    return [values.index(value) for values, value in zip(lists, setting)]


def stratified(wins, losses, n_items, weight):
    """Return estimate, its variance and Satterthwaite's degrees of freedom."""
    shares = (wins - losses) / n_items
    variance = ((wins + losses) / n_items - shares**2) / (n_items - 1)
    parts = weight**2 * variance
    total = parts.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        df = total**2 / (parts**2 / (n_items - 1)).sum(axis=-1)
    return (weight * shares).sum(axis=-1), total, df


def of_tasks(wins, losses, n_items, truth):
    """Decisions of the stratified t test, and whether its interval has the truth."""
    weight = weights(n_items, "tasks")
    estimate, variance, df = stratified(wins, losses, n_items, weight)
    error = np.sqrt(variance)
    constant = variance == 0
    reach = np.where(constant, 0, special.stdtrit(np.where(constant, 1, df), 0.975))
    # no spread: no p-value if there is a difference, and p = 1 without one
    rejected = ~constant & (np.abs(estimate) > reach * error)
    covered = np.abs(estimate - truth) <= reach * error + ROUNDING
    return rejected, covered


def of_items(wins, losses, n_items, truth):
    """Decisions of McNemar's pooled test, and whether the stratified interval has the truth."""
    b = wins.sum(axis=-1)
    c = losses.sum(axis=-1)
    rejected = np.asarray(mcnemar(b, c).pvalue) < ALPHA
    weight = weights(n_items, "items")
    _, variance, _ = stratified(wins, losses, n_items, weight)
    n = n_items.sum()
    middle = (b - c) / (n + 2)
    reach = special.ndtri(0.975) * np.sqrt(variance * n**2 + 1) / (n + 2)
    return rejected, np.abs(middle - truth) <= reach + ROUNDING


METHODS = {"tasks": of_tasks, "items": of_items}


def counts(setting: Setting, mean: str, n: int = EXPERIMENTS) -> tuple[int, int]:
    """Return in how many of n experiments the test rejects, and the interval covers."""
    wins, losses = wins_and_losses(setting, mean, n)
    n_items = setting.n_items()
    weight = weights(n_items, mean)
    truth = float(weight @ setting.differences(weight))
    rejected, covered = METHODS[mean](wins, losses, n_items, truth)
    return int(rejected.sum()), int(covered.sum())


def summary(table: pd.DataFrame) -> pd.DataFrame:
    """Return the ranges over settings that the book shows."""
    rows = []
    for (mean, tasks, items), part in table.groupby(["mean", "tasks", "items"]):
        null = part[part["truth"] != "one model is ahead"]
        rows.append(
            {
                "mean over": mean,
                "tasks": tasks,
                "items of each": items,
                "settings": len(part),
                "Type I error (%)": _range(null["rejected"] / null["experiments"]),
                "coverage (%)": _range(part["covered"] / part["experiments"]),
            }
        )
    return pd.DataFrame(rows)


def _range(shares: pd.Series) -> str:
    percent = 100 * shares
    return f"{percent.mean():.1f} ({percent.min():.1f} to {percent.max():.1f})"


def main(raw: Path, shown: Path) -> None:
    rows = []
    if raw.exists():
        rows = list(csv.reader(raw.read_text(encoding="utf-8").splitlines()))[1:]
    done = {tuple(row[:6]) for row in rows}
    for setting, mean in product(settings(), METHODS):
        key = (*map(str, setting), mean)
        if key in done:
            continue
        rows.append([*key, str(EXPERIMENTS), *map(str, counts(setting, mean))])
        with raw.open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream, lineterminator="\n").writerows([COLUMNS, *rows])
    summary(pd.read_csv(raw)).to_csv(shown, index=False)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
