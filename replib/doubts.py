"""What looks wrong in the values of a table, although each value is allowed.

A doubt is a function of a table, with the sentence beside its condition.  A condition is one of
structure and arithmetic, never of how a name sounds.  In right data it holds with a probability
below :data:`RARE`; only what is too little to decide anything is said of right data, too.  Copies
of runs are refused, because they make a difference look more certain than it is.
"""

from collections.abc import Callable, Iterator
from itertools import combinations
from math import comb, factorial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from replib.designs import CV, Datasets, Items, RandomSplits, Seeds
from replib.scores import Array, Predictions, Scores
from replib.validation import shown

#: Values are doubted only if right data look like this with a probability below it.
RARE = 1e-3
_UNITS = {CV: "split", RandomSplits: "split", Seeds: "seed", Items: "item", Datasets: "data set"}


def doubts(data: Scores | Predictions) -> list[str]:
    """Return what looks wrong in the values, one sentence for each kind of doubt.

    Parameters
    ----------
    data : Scores or Predictions

    Returns
    -------
    list of str

    Raises
    ------
    ValueError
        If runs are copies of each other.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"model": ["a"] * 10 + ["b"] * 10, "run": [*range(10)] * 2,
    ...                       "score": [.81, .85, .79, .88, .84, .80, .86, .83, .82, .87] * 2})
    >>> doubts(Scores(frame, metric="accuracy", design="10 x 30%"))
    ['a and b have the same score on every split: was one of them given twice?']
    """
    table = _Table(data) if isinstance(data, Scores) else _Answers(data)
    _refuse_copies(table)
    with np.errstate(divide="ignore", invalid="ignore"):
        texts = [next(check(table), None) for units, check in _DOUBTS if table.unit in units]
    return [text for text in texts if text]


class _Table:
    """Scores as models x units: splits, seeds, data sets, or items, averaged over runs."""

    def __init__(self, data: Scores) -> None:
        self.data, self.names, self.unit = data, data.models, _UNITS[type(data.design)]
        self.design: Any = data.design
        self.sign, self.high = data.metric.sign, float(data.metric.high or 0)
        self.blocks = [np.atleast_2d(block) for block in data.blocks.values()]
        rows = [x.mean(axis=0) if self.unit == "item" else x.ravel() for x in self.blocks]
        even = len(set(map(len, rows))) == 1  # or seeds without labels in common
        self.x = np.stack(rows) if even else np.empty((len(rows), 0))
        self.k, self.n = int(self.x.shape[0]), int(self.x.shape[1])
        self.values = np.concatenate([x.ravel() for x in self.blocks])
        self.spread = np.ptp(self.x, axis=1) if even else np.zeros(self.k)
        self.noise = 1e-9 * max(1.0, float(np.abs(self.values).max()))

    def label(self, unit: int) -> str:
        labels = self.data.units
        return f"{self.unit} {shown(labels[unit]) if labels else unit + 1}"


class _Answers:
    """Predictions as codes, and how well they fit the truth."""

    unit = "prediction"

    def __init__(self, data: Predictions) -> None:
        self.data, self.names, self.n = data, data.models, len(data.units)
        self.blocks = [np.atleast_2d(x) for x in data.predicted.values()]
        self.classes = pd.unique(data.truth)
        self.whole = [_whole(x) for x in self.blocks]
        self.labelled = _whole(self.classes) and len(self.classes) <= min(50, max(20, self.n / 3))

    def fit(self, answers: NDArray[Any], truth: NDArray[Any], whole: bool) -> float:
        """Return by how many standard errors answers fit the truth better than by chance."""
        if self.labelled and whole:
            shares = [pd.Series(x).value_counts(normalize=True) for x in (answers, truth)]
            chance = float((shares[0] * shares[1]).sum())
            return (np.mean(answers == truth) - chance) / np.sqrt(chance * (1 - chance) / self.n)
        numbers = pd.Series(answers).rank(), pd.Series(pd.factorize(truth, sort=True)[0])
        return _correlation(*numbers) * np.sqrt(self.n)


def luck(x: Array) -> float:
    """Return the probability that two scores are equal, as far as their number can show it.

    >>> luck(np.array([0.5, 0.5, 0.25, 1.0]))
    0.2857142857142857
    """
    counts = np.unique(x[..., :100_000].round(9), axis=-1, return_counts=True)[1]
    n = counts.sum()
    return float(((counts * (counts - 1)).sum() + 2) / (n * (n - 1) + 2))


def _whole(values: NDArray[Any]) -> bool:
    """Return whether no value is a number with a fraction."""
    if values.dtype.kind == "f":
        return not (values % 1).any()
    return values.dtype != object or not any(isinstance(x, float) and x % 1 for x in values.flat)


def _peculiar(row: Array) -> bool:
    """Return whether another model has these scores, too, with a probability below RARE."""
    return _fine(row) if len(row) < 6 else luck(row) ** (len(row) / 2) < RARE


def _fine(row: Array) -> bool:
    """Return whether some score is no fraction with a denominator up to 1000."""
    parts = np.multiply.outer(row, np.arange(1, 1001))
    return bool((np.abs(parts - parts.round()) > 1e-7).all(axis=-1).any())


def _near(x: Array) -> Array:
    """Return half a unit of the last decimal that the columns of scores have."""
    near = np.full(x.shape[1], 5e-10)
    for decimals in range(8, 0, -1):
        near[(np.abs(x - x.round(decimals)) < 1e-10).all(axis=0)] = 0.501 * 10.0**-decimals
    return near


def _correlation(a: Any, b: Any) -> float:
    a, b = a - np.mean(a), b - np.mean(b)
    norm = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / norm if norm else 0.0


def _p_of_r(r: float, n: int) -> float:
    """Return the one-sided p-value of a correlation."""
    t = r * np.sqrt((n - 2) / max(1e-12, 1 - r * r)) if n > 3 else 0
    return float(special.stdtr(n - 2, -t))


# ------------------------------------------------------------------ copies


def _refuse_copies(table: Any) -> None:
    blocks, design = table.blocks, table.data.design
    if isinstance(design, Items):
        if all(len(x) > 1 and (x == x[0]).all() for x in blocks) and table.n > 9:
            raise ValueError(
                f"the {len(blocks[0])} runs of each model are one run repeated, item by item: give "
                "one run, or train or ask again"
            )
    elif isinstance(design, Seeds):
        if all(np.ptp(x) == 0 for x in blocks) and min(x.size for x in blocks) > 2 and (
                min(x.size for x in blocks) > 4 or _fine(table.values[:1])):
            raise ValueError("all seeds of each model have the same score: was the seed changed?")
    elif isinstance(design, CV | RandomSplits) and table.spread.any():
        x, (runs, folds), chance = np.stack(blocks).round(9), design.shape, luck(table.x)
        if runs > 1 and folds > 1 and (np.ptp(x, axis=2) == 0).all():
            raise ValueError("in each run all folds have the same score: give that of each fold")
        first: dict[Any, int] = {}
        for run in range(runs) if folds > 1 else ():
            other = first.setdefault(tuple(sorted(map(tuple, x[:, run].T.tolist()))), run)
            if other != run and chance**folds * factorial(min(folds, 99)) * comb(runs, 2) < RARE:
                raise ValueError(
                    f"runs {other + 1} and {run + 1} have the same scores in every model: shuffle "
                    "the splits with another seed in each run"
                )
        for period in (p for p in range(1, table.n // 2 + 1) if table.n % p == 0):
            x = x.reshape(table.k, -1)
            again = (x[:, period:] == x[:, :-period]).all()
            if again and chance ** (table.n - period) < RARE:
                raise ValueError(
                    f"the {table.n} splits are {period} repeated, in every model: draw new splits"
                )


Doubt = Callable[[Any], Iterator[str]]
_DOUBTS: list[tuple[tuple[str, ...], Doubt]] = []


def _doubt(*units: str) -> Callable[[Doubt], Doubt]:
    """Add a doubt about tables with these units."""
    def add(check: Doubt) -> Doubt:
        _DOUBTS.append((units, check))
        return check
    return add


@_doubt("split", "seed", "data set", "item", "prediction")
def _few(table: Any) -> Iterator[str]:
    data, design = table.data, table.data.design
    n, clusters = len(data.units), data.clusters
    if isinstance(design, Datasets) and n < 6:
        yield f"With {n} data sets no signed rank test can reach 0.05: six are the fewest."
    if isinstance(design, Items) and n < 10:
        yield f"{n} items are few: no test can say much."
    if clusters is not None and design.predicted == "once" and (count := clusters.max() + 1) in (
            n, *range(10)):
        yield (f"Each of the {n} items is a cluster of its own, so clusters change nothing."
               if count == n else f"{count} clusters are few: the test is rough below ten.")
    if table.unit in ("split", "seed") and min(x.size for x in table.blocks) == 2:
        yield "Two scores of a model show next to nothing of how much they vary."


# ------------------------------------------------------------------ models made from others


@_doubt("split", "seed", "data set", "item")
def _related(table: _Table) -> Iterator[str]:
    for i, j in combinations(np.flatnonzero(table.spread > table.noise), 2):
        a, b, one, two = table.x[i], table.x[j], table.names[i], table.names[j]
        if (r := abs(_correlation(a, b))) < 0.99 or not _peculiar(a):
            continue
        gap, grid = np.abs(a - b).max(), [_near(y[:, None])[0] for y in (a, b)]
        if gap <= table.noise:
            yield (f"{one} and {two} have the same score on every {table.unit}: was one of them "
                   "given twice?")
        elif grid[0] != grid[1] and gap <= max(grid) and (2 * gap / a.std()) ** len(a) < RARE:
            yield f"{one} and {two} differ only by rounding: was one of them given twice?"
        elif np.ptp(a + b) <= table.noise:
            yield (f"The scores of {one} and {two} add up to {a[0] + b[0]:g} on every "
                   f"{table.unit}: is one the error, or the loser's share, of the other?")
        elif np.ptp(a - b) <= table.noise or (
                r > 1 - 1e-6 and len(a) > 9 and min(len(np.unique(y)) for y in (a, b)) > 4):
            yield (f"The scores of {one} and {two} lie on a straight line, as those of trained "
                   "models never do: were some made from the others?")


@_doubt("split", "seed", "data set", "item")
def _computed(table: _Table) -> Iterator[str]:
    x, noise = table.x, table.noise
    if table.k < 3 or table.n < 5:
        return
    if np.ptp(x.sum(axis=0)) <= noise < table.spread.min() and _peculiar(x[0]):
        yield (f"The scores of all models add up to {x[:, 0].sum():g} on every {table.unit}: are "
               "they ranks or shares?")
    for i, name in enumerate(table.names):
        others = np.delete(x, i, axis=0)
        unequal = np.abs(others - x[i]) > noise
        if (unequal.sum(axis=1) < 3).any() or not _peculiar(x[i]):
            continue
        ways = {"the mean": others.mean(axis=0)}
        if (((~unequal) & ((~unequal).sum(axis=0) == 1)).sum(axis=1) > 1).sum() > 1:  # take turns
            ways |= {"the largest": others.max(axis=0), "the smallest": others.min(axis=0)}
        for what, of in ways.items():
            if np.abs(x[i] - of).max() <= max(noise, min(5.01e-4, _near(x[i][:, None])[0])):
                yield f"The scores of {name} are {what} of the others: leave {name} out."
        pairs = np.argwhere(np.abs(x[:, None, 0] - x[:, 0] - x[i, 0]) <= noise)
        if any(np.abs(x[a] - x[b] - x[i]).max() <= noise for a, b in pairs if len({a, b, i}) > 2):
            yield f"The scores of {name} are differences of two others: leave {name} out."


@_doubt("split")
def _opposite(table: _Table) -> Iterator[str]:
    for i, j in combinations(np.flatnonzero(table.spread > 0), 2):
        if _p_of_r(-_correlation(table.x[i], table.x[j]), table.n) < RARE / 10 / table.k**2:
            yield (f"{table.names[i]} scores low where {table.names[j]} scores high: has one of "
                   "them errors where the other has scores?")


@_doubt("seed")
def _together(table: _Table) -> Iterator[str]:
    for i, j in combinations(np.flatnonzero(table.spread > 0), 2):
        r = _correlation(table.x[i], table.x[j])
        if not table.design.paired and _p_of_r(r, table.n) < RARE / 10 / table.k**2:
            yield (f"{table.names[i]} and {table.names[j]} score high and low together, as on "
                   "splits or with paired seeds, and seeds that are not paired were declared.")


# ------------------------------------------------------------------ units made from others


@_doubt("split", "seed", "data set")
def _summary_row(table: _Table) -> Iterator[str]:
    x, n = table.x, table.n
    if not 4 <= n <= 100 or isinstance(table.data.design, CV) or table.spread.min() <= table.noise:
        return
    # the others are all but the row, or all but it and one more, which may be a summary, too
    row, one_more = x[:, :, None], np.where(np.eye(n, dtype=bool), 0, x[:, None, :])
    count = n - 2 + np.eye(n)
    mean = (x.sum(axis=1)[:, None, None] - row - one_more) / count
    squares = ((x**2).sum(axis=1)[:, None, None] - row**2 - one_more**2) / count - mean**2
    sd, near = np.sqrt(np.maximum(squares, 0)), np.maximum(_near(x), table.noise)[:, None]
    odds = [luck(y) / n for y in x]
    for of in (mean, sd, sd * np.sqrt(count / (count - 1))):
        for i, j in np.argwhere((np.abs(of - row) <= near).all(axis=0)):
            chance = np.prod(np.minimum(1, near[i] / x.std(axis=1)) + odds)
            if chance * n * (1 if i == j else n) < RARE:
                yield (f"The scores of {table.label(i)} are the mean or the standard deviation of "
                       "others: leave it out.")


@_doubt("data set")
def _copied_unit(table: _Table) -> Iterator[str]:
    first: dict[bytes, int] = {}
    chance = np.prod([luck(row) for row in table.x])
    for unit in range(table.n):
        other = first.setdefault((table.x[:, unit].round(9) + 0.0).tobytes(), unit)
        if other != unit and chance * table.n**2 < 2 * RARE and np.ptp(table.x[:, unit]):
            yield (f"{table.label(other)} and {table.label(unit)} have the same score for every "
                   "model: is one a copy?")


@_doubt("item")
def _pooled(table: _Table) -> Iterator[str]:
    x = table.x[np.ptp(table.x, axis=1) > 0] if max(map(len, table.blocks)) == 1 else table.x[:0]
    for count in (c for c in range(2, 21) if len(x) and table.n % c == 0 and table.n >= 20 * c):
        period = table.n // count
        here, before, after = (
            np.mean([_correlation(y[lag:], y[:-lag]) for y in x])
            for lag in (period, period - 1, period + 1))
        if here - max(before, after, 0) > max(0.3, 5 / np.sqrt(table.n - period)):
            yield (f"The scores repeat themselves after {period} items, as {count} runs on the "
                   "same items do: give a column run, because items must not count twice.")


# ------------------------------------------------------------------ scales and single values


@_doubt("split", "seed", "data set", "item")
def _scales(table: _Table) -> Iterator[str]:
    values = table.values
    small, large = values[(values > 0) & (values <= 1)], values[values > 1.5]
    if values.min() >= 0 and values.max() <= 100 and small.size and large.size and (
            small.size + large.size == (values > 0).sum()):
        low, high = (33, 300) if table.sign > 0 else (67, 150)
        if low < np.median(large) / np.median(small) < high:
            yield (f"Some scores lie between 0 and 1, as {small[0]:g}, and others are as large as "
                   f"{large[0]:g}: are fractions and percent mixed?")
    if table.sign > 0 and 0 < 50 * values.max() <= table.high < np.inf:
        yield f"No score is above {values.max():g}, and scores may go up to {table.high:g}."


@_doubt("split", "seed", "data set")
def _one_value(table: _Table) -> Iterator[str]:
    values = table.values
    if np.isin(values, (0, 1)).all() and np.ptp(values) and values.size > 9:
        yield (f"Every score is 0 or 1, as if each {table.unit} were one item: give scores of "
               "items.")
    for name, block in zip(table.names, table.blocks):
        row, n = block.ravel(), block.size
        for value in map(float, (row.min(), row.max())) if n > 4 and table.unit != "data set" else ():
            rest = row[row != value]
            if not 0 < n - len(rest) <= max(1, n // 10):
                continue
            gap = np.abs(rest - value).min()
            far = gap > np.ptp(rest) * max(1, (100 * n) ** (1 / (n - 2)) - 1)
            moved = [s for s in (-1, 0.01, 0.1, 10, 100)
                     if rest.min() <= value * s <= rest.max() and value * s != value]
            if far and moved:
                yield (f"{name} has a score of {value:g}, far from its others, and {moved[0]:g} "
                       "times that would be among them: is it a slip?")
            elif far and value < rest.min() and (
                    value in (-1, 0) or abs(1 / value - round(1 / value)) < 1e-6):
                yield (f"{name} has a score of {value:g}, and its others are at least "
                       f"{rest.min():g}: does it stand for a fit that failed?")
    if table.unit == "data set" and table.sign > 0 and table.n > 4 and table.x.max() > 0:
        middle = np.median(table.x, axis=0) if table.k > 2 else table.x[::-1]
        ratio = table.x / np.where(middle > 0, middle, np.nan)
        inside = ((ratio > 1 / 3) & (ratio < 3)).sum(axis=1) == table.n - 1
        failed = (table.x <= 0) & (middle > 0.6 * table.x.max())
        for i, unit in np.argwhere((failed | (abs(np.log10(ratio)) > 0.85)) & inside[:, None]):
            yield (f"{table.names[i]} has a score of {table.x[i, unit]:g} on {table.label(unit)}, "
                   "far from the other models': is it a slip, or a fit that failed?")


@_doubt("item")
def _code(table: _Table) -> Iterator[str]:
    for name, block in zip(table.names, table.blocks):
        below = block[block < 0]
        if 0 < below.size <= 0.1 * block.size and np.ptp(below) == 0 and below[0] % 1 == 0:
            yield f"{name} has the score {below[0]:g} on a few items: is an answer missing?"
    if not np.isin(table.values, (0, 1)).all() and table.n > 9:
        for name, row in zip(table.names, table.x):
            if np.ptp(row) == 0 and row[0] not in (table.values.min(), table.values.max(), 0, 1):
                yield f"{name} has the same score, {row[0]:g}, on every item: is it a mean?"


@_doubt("split", "data set")
def _constant(table: _Table) -> Iterator[str]:
    good = table.x.mean(axis=1) * table.sign
    for i in np.flatnonzero(table.spread == 0) if table.spread.any() and table.n > 4 else ():
        value = table.x[i, 0]
        best = good[i] == good.max() and table.n > 9
        if value not in (0, 1, 100) and (best or _fine(table.x[i, :1])):
            yield (f"{table.names[i]} has the same score, {value:g}, on every {table.unit}: is it "
                   "a mean?")


# ------------------------------------------------------------------ order and axes


@_doubt("split", "seed", "item")
def _ordered(table: _Table) -> Iterator[str]:
    blocks = table.x[:, None] if table.unit == "item" else table.blocks
    rows = [y if y.shape[1] > 1 else y.T for y in blocks if np.ptp(y) > 0]
    chances, drifts = [], []
    for y in rows if len(rows) > 1 else ():
        steps, n = np.diff(y, axis=1), y.size
        counts = [np.unique(z, return_counts=True)[1] for z in y]
        ways = [special.gammaln(c.sum() + 1) - special.gammaln(c + 1).sum() for c in counts]
        in_order = ((steps >= 0).all(axis=1) | (steps <= 0).all(axis=1)).all()
        chances.append(float(np.exp(len(y) * np.log(2) - sum(ways))) if in_order else 1.0)
        ratio = (np.diff(y.ravel()) ** 2).sum() / ((y - y.mean()) ** 2).sum()  # von Neumann's
        drifts.append((2 - ratio) / np.sqrt(4 * (n - 2) / (n**2 - 1)) if n > 9 else 0)
    if rows and max(chances, default=1) < 1 and (
            np.prod(chances) if table.unit == "seed" else min(chances)) < RARE:
        yield f"The scores of each model are in order of the {table.unit}s: were they sorted?"
    elif table.unit != "item" and min(drifts, default=0) > 3.3:
        yield (f"The scores of each model drift in the order of the {table.unit}s: are they "
               "running means, or scores of epochs?")


@_doubt("split")
def _axes(table: _Table) -> Iterator[str]:
    runs, folds = table.design.shape
    for name, block in zip(table.names, table.blocks):
        if min(runs, folds) < 3 or len(np.unique(block)) <= max(4, folds):
            continue
        over_runs = block.mean(axis=1).var(ddof=1) * folds
        over_folds = block.mean(axis=0).var(ddof=1) * runs
        within = (block - block.mean(axis=0)).var() * runs / (runs - 1)
        if special.fdtrc(folds - 1, folds * (runs - 1), over_folds / max(within, 1e-300)) < 1e-8:
            yield (f"The scores of {name} depend on the number of the fold far more than on the "
                   "run: were the same splits used in every run?")
        elif special.fdtrc(runs - 1, folds - 1, over_runs / over_folds) < RARE / 10:
            yield (f"The means of {name}'s runs differ far more than those of its folds, and each "
                   "run tests on all rows: are runs and folds exchanged?")


@_doubt("item")
def _runs_like_items(table: _Table) -> Iterator[str]:
    shapes = {block.shape for block in table.blocks}
    if len(shapes) == 1 and table.n < len(table.blocks[0]) and not table.design.paired:
        a, b = (block.mean(axis=1) for block in table.blocks[:2])
        if min(np.ptp(a), np.ptp(b)) > 0 and _p_of_r(_correlation(a, b), len(a)) < 1e-6:
            yield ("Runs of both models go together, as items do: are runs and items exchanged?")


# ------------------------------------------------------------------ predictions

@_doubt("prediction")
def _same_answers(table: _Answers) -> Iterator[str]:
    truth = table.data.truth
    for (one, a), (two, b) in combinations(zip(table.names, table.blocks), 2):
        if a.shape == b.shape and (a == b).all() and not (a == truth).all():
            row = a[0] == truth if table.labelled else pd.factorize(a[0])[0]
            if luck(row.astype(float)) ** (table.n / 2) < RARE:
                yield f"{one} and {two} predict the same for every item: was one given twice?"


@_doubt("prediction")
def _truth_given(table: _Answers) -> Iterator[str]:
    wrong = [(x != table.data.truth).sum(axis=1).min() for x in table.blocks]
    for name, count in zip(table.names, wrong):
        if not count and (not table.labelled or min(x for x in [*wrong, table.n] if x) > 35):
            yield f"The predictions of {name} are the truth itself: do they come from a model?"


@_doubt("prediction")
def _one_answer(table: _Answers) -> Iterator[str]:
    for name, x in zip(table.names, table.blocks):
        if any(len(pd.unique(row)) == 1 for row in x):
            yield f"{name} predicts {shown(x.flat[0])} for every item."


@_doubt("prediction")
def _unknown_classes(table: _Answers) -> Iterator[str]:
    for name, x, whole in zip(table.names, table.blocks, table.whole):
        unknown = x[0][~np.isin(x[0], table.classes)]
        if table.labelled and whole and len(unknown) > min(6, table.n - 1):
            yield (f"{name} predicts {shown(unknown[0])}, which is never the truth: are classes "
                   "written in the same way?")
    if table.labelled and any(table.whole) and not all(table.whole):
        a, b = (table.names[table.whole.index(of)] for of in (True, False))
        yield f"{a} predicts classes and {b} fractions: are both what the metric takes?"


@_doubt("prediction")
def _unfit(table: _Answers) -> Iterator[str]:
    truth, strong = table.data.truth, max(5.0, 0.4 * table.n**0.5)
    fits = [table.fit(x[0], truth, whole) for x, whole in zip(table.blocks, table.whole)]
    for name, x, whole, fit in zip(table.names, table.blocks, table.whole, fits):
        if fit < -5:
            yield (f"{name} fits the truth far worse than by chance: are classes exchanged, or a "
                   "sign?")
        moved = [table.fit(y, truth, whole) for y in (x[0][::-1], np.roll(x[0], 1),
                                                       np.roll(x[0], -1))]
        if table.n >= 30 and fit < 2.5 and max(moved) > strong:
            yield f"{name} fits the truth only if its rows are reversed or moved: was it sorted?"
    if table.n >= 30 and max(fits) < 2.5 and table.whole[0] == table.whole[1]:
        a, b = (x[0] for x in table.blocks[:2])
        if table.fit(a, b, table.whole[0]) > strong and not (a == b).all():
            yield "The models agree with each other and not with the truth: has it another order?"


@_doubt("prediction")
def _pooled_answers(table: _Answers) -> Iterator[str]:
    truth, clusters = pd.factorize(table.data.truth)[0], table.data.clusters
    if clusters is not None and table.data.design.predicted == "once" and (
            pd.factorize(clusters)[0] == truth).all():
        yield "The clusters are the classes of the truth: name what items share, as their text."
    periods = (p for p in range(1, table.n // 2 + 1) if table.n % p == 0)
    period = next((p for p in periods if (truth[p:] == truth[:-p]).all()), 1)
    if period >= 20 and (np.diff(truth[:period]) != 0).sum() > len(table.classes):
        yield (f"The truth repeats itself after {period} items, as that of several runs does: give "
               "a column run, because items must not count twice.")
