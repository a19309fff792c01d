"""What looks wrong in the values of a table, although each value is allowed.

A doubt is a function of a table, with the sentence beside its condition.  A condition
is one of structure and arithmetic, never of how a name sounds.  In right data it holds
with a probability below :data:`RARE`; only what is too little to decide anything is
said of right data, too.  Copies of runs are refused, because they make a difference
look more certain than it is.
"""

from collections.abc import Callable, Iterator
from itertools import combinations, islice
from math import comb
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from replib._validation import Array, listed, shown
from replib.designs import CV, Datasets, Items, RandomSplits, Seeds
from replib.scores import Predictions, Scores

#: Values are doubted only if right data look like this with a probability below it.
RARE = 1e-3
_UNITS = {
    CV: "split",
    RandomSplits: "split",
    Seeds: "seed",
    Items: "item",
    Datasets: "data set",
}


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
    ['a and b have the same score on every split: is one a copy?']
    """
    table = _Table(data) if isinstance(data, Scores) else _Answers(data)
    with np.errstate(all="ignore"):  # what cannot be computed is no ground for a doubt
        _refuse_copies(table)
        return [
            text
            for doubt in (_few, *_DOUBTS[table.unit])
            for text in islice(doubt(table), 1)
        ]


class _Table:
    """Scores as models x units: splits, seeds, data sets, or items, averaged over runs."""

    def __init__(self, data: Scores) -> None:
        self.data, self.names, self.unit = data, data.models, _UNITS[type(data.design)]
        self.design: Any = data.design
        self.blocks = [np.atleast_2d(block) for block in data.blocks.values()]
        self.rows = [
            x.mean(axis=0) if self.unit == "item" else x.ravel() for x in self.blocks
        ]
        even = (
            len(set(map(len, self.rows))) == 1
        )  # or seeds that do not belong together
        self.x: Array = np.stack(self.rows) if even else np.empty((len(self.rows), 0))
        self.n = self.x.shape[1]
        self.labels = list(data.units) or range(1, self.n + 1)
        self.values = np.concatenate([x.ravel() for x in self.blocks])
        # other metrics may have long tails
        self.bounded = data.metric.high - data.metric.low < np.inf
        self.noise = 1e-9 * float(np.abs(self.values).max())
        self.varies = [float(np.ptp(row)) > self.noise for row in self.rows]

    def pairs(self, least: float) -> Iterator[tuple[str, str, Array, Array, float]]:
        """Yield pairs of models with a correlation of at least this size, and the correlation."""
        if self.n < 4:
            return
        varying = np.flatnonzero(self.varies)
        r = np.atleast_2d(np.corrcoef(self.x[varying]))
        for a, b in np.argwhere(np.triu(np.abs(r) > least, k=1)):
            i, j = varying[[a, b]]
            yield self.names[i], self.names[j], self.x[i], self.x[j], float(r[a, b])


class _Answers:
    """Predictions of classes or of numbers, and how well they fit the truth."""

    unit = "prediction"

    def __init__(self, data: Predictions) -> None:
        self.data, self.names, self.design, self.truth = (
            data,
            data.models,
            data.design,
            data.truth,
        )
        self.blocks, self.n = (
            [np.atleast_2d(x) for x in data.predicted.values()],
            len(data.units),
        )
        self.classes = pd.unique(data.truth)
        self.few = _whole(data.truth) and len(self.classes) <= min(
            50, max(20, self.n / 3)
        )
        self.labels = [self.few and _whole(x) for x in self.blocks]  # or numbers

    def fit(self, answers: NDArray[Any], truth: NDArray[Any], labels: bool) -> float:
        """Return by how many standard errors answers fit the truth better than by chance."""
        if not labels:
            numbers = [
                pd.Series(pd.factorize(x, sort=True)[0]) for x in (answers, truth)
            ]
            return _correlation(*numbers) * np.sqrt(self.n)
        one, two = (pd.Series(x).value_counts(normalize=True) for x in (answers, truth))
        chance = float((one * two).sum())
        return (np.mean(answers == truth) - chance) / np.sqrt(
            chance * (1 - chance) / self.n
        )


def luck(x: Array) -> float:
    """Return the probability that two scores are equal, as far as their number can show it.

    >>> luck(np.array([0.5, 0.5, 0.25, 1.0]))
    0.2857142857142857
    """
    counts = np.unique(x[..., :100_000].round(9), axis=-1, return_counts=True)[1]
    return float(
        ((counts**2).sum() - counts.sum() + 2) / (counts.sum() ** 2 - counts.sum() + 2)
    )


def _fine(row: Array) -> bool:
    """Return whether some score is no fraction with a denominator up to 1000."""
    parts = np.multiply.outer(row, np.arange(1, 1001))
    return bool((np.abs(parts - parts.round()) > 1e-7).all(axis=-1).any())


def _peculiar(row: Array) -> bool:
    """Return whether another model has these scores, too, with a probability below RARE."""
    return _fine(row) if len(row) < 6 else luck(row) ** (len(row) / 2) < RARE


def _whole(values: NDArray[Any]) -> bool:
    """Return whether no value is a number with a fraction."""
    numbers = pd.to_numeric(pd.Series(values.ravel()), errors="coerce").astype(float)
    return not (numbers % 1 > 0).any()


def _near(x: Array) -> Array:
    """Return half a unit of the last decimal that the columns of scores have."""
    near = np.full(x.shape[1], 5e-10)
    for decimals in range(8, 0, -1):
        near[(np.abs(x - x.round(decimals)) < 1e-10).all(axis=0)] = (
            0.501 * 10.0**-decimals
        )
    return near


def _correlation(a: Any, b: Any) -> float:
    return float(np.nan_to_num(np.corrcoef(a, b)[0, 1]))


def _least(errors: float, n: int) -> float:
    """Return the correlation of n pairs that is so many standard errors above 0 (Fisher)."""
    return float(np.tanh(errors / np.sqrt(n - 3))) if n > 3 else 1.0


def _refuse_copies(table: Any) -> None:
    blocks, design = table.blocks, table.design
    copies = all(len(x) > 1 and (x == x[0]).all() for x in blocks)
    if isinstance(design, Items) and table.n > 9 and copies:
        raise ValueError(
            "the runs of each model are one run repeated: give one run, or others"
        )
    if (
        isinstance(design, Seeds)
        and not any(table.varies)
        and min(map(len, table.rows)) > (2 if _fine(table.values[:1]) else 4)
    ):
        raise ValueError(
            "all seeds of each model have the same score: was the seed changed?"
        )
    if not isinstance(design, CV | RandomSplits | Seeds) or not any(table.varies):
        return
    x, chance, first = table.x, luck(table.x) if table.n else 1.0, dict[bytes, int]()
    runs, folds = design.shape if isinstance(design, CV) else (1, table.n)
    for run, part in enumerate(np.split(x, runs, axis=1)):
        same = first.setdefault((part + 0.0).tobytes(), run)
        if same != run and chance**folds * comb(runs, 2) < RARE:
            raise ValueError(
                f"runs {same + 1} and {run + 1} have the same scores in every model: "
                "shuffle the splits with another seed in each run"
            )
    for period in (p for p in range(2, table.n // 2 + 1) if table.n % p == 0):
        parts = x.reshape(len(x), period, -1)
        again = (x[:, period:] == x[:, :-period]).all() or (
            parts == parts[..., :1]
        ).all()
        if again and chance ** (table.n - period) < RARE:
            raise ValueError(
                f"the {table.n} {table.unit}s are {period} repeated: draw each anew"
            )


def _few(table: Any) -> Iterator[str]:
    n, clusters = len(table.data.units), table.data.clusters
    if table.unit == "data set" and n < 6:
        yield f"With {n} data sets no signed rank test can reach 0.05: six are the fewest."
    if isinstance(table.design, Items) and n < 10:
        yield f"{n} items are few: no test can say much."
    if clusters is not None and table.design.predicted == "once" and clusters.max() < 9:
        yield f"{clusters.max() + 1} clusters are few: the test is rough below ten."
    if getattr(table.design, "test", 0) > 0.55 and table.design.train is None:
        yield f"{table.design}, more than training data: is that the share for training?"


# ------------------------------------------------------------------ models and units from others


def _same_model(table: _Table) -> Iterator[str]:
    for one, two, a, b, r in table.pairs(0.99):
        if not _peculiar(a):
            continue
        gap, near = np.abs(a - b).max(), _near(np.stack([a, b], 1))
        if gap <= table.noise:
            yield f"{one} and {two} have the same score on every {table.unit}: is one a copy?"
        if (
            near[0] != near[1]
            and gap <= near.max()
            and (2 * gap / a.std()) ** len(a) < RARE
        ):
            yield f"{one} and {two} differ only by rounding: is one a copy?"
        if abs(r) > 1 - 1e-6:
            yield f"{one} and {two} lie on a straight line: is one computed from the other?"
    first = dict[bytes, str]()
    for name, row in zip(table.names, table.rows):
        same = first.setdefault((np.sort(row) + 0.0).tobytes(), name)
        if same != name and _fine(row):
            yield f"{same} and {name} have the same scores in another order: is one a copy?"


def _made_from_others(table: _Table) -> Iterator[str]:
    x, noise = table.x, table.noise
    if not 3 <= len(x) <= 100 or table.n < 5 or not all(table.varies):
        return
    ranks = np.ptp(x.sum(axis=0)) <= noise and table.data.metric.sign > 0
    if ranks and luck(x[0]) ** (table.n - 1) < RARE:
        yield f"The sum of all models' scores is the same on every {table.unit}: are they ranks?"
    for i, what in _means(x, np.sqrt([[luck(row) * (not _fine(row))] for row in x])):
        yield f"{table.names[i]} is {what}: leave it out."
    for i, name in enumerate(table.names):
        equal = np.abs(np.delete(x, i, axis=0) - x[i]) <= noise
        largest = np.abs(np.delete(x, i, axis=0).max(axis=0) - x[i]).max() <= noise
        if (
            largest
            and _peculiar(x[i])
            and np.sort((equal & (equal.sum(0) == 1)).sum(1))[-2] > 1
        ):
            yield f"The scores of {name} are the largest of the others': leave them out."
        first = np.argwhere(np.abs(x[:, None, 0] - x[:, 0] - x[i, 0]) <= noise)
        for three in (
            {a, b, i} for a, b in first if np.abs(x[a] - x[b] - x[i]).max() <= noise
        ):
            if len(three) > 2:
                yield (
                    f"The scores of one of {listed(table.names[one] for one in sorted(three))} "
                    "are differences of the two others': leave it out."
                )


def _summary_row(table: _Table) -> Iterator[str]:
    if 4 <= table.n <= 100 and all(table.varies):
        x = np.vstack(
            [table.x[:1], table.x[1:] - table.x[0]]
        )  # models that go together say less
        odds = np.array(
            [luck(row) for row in x]
        )  # of scores that are fractions, if rounded ones
        coarse = np.array([table.unit == "split" or not _fine(row) for row in x])
        for i, what in _means(x.T, odds, coarse):
            yield f"{table.unit} {shown(table.labels[i])} is {what}: leave it out."


def _means(rows: Array, odds: Array, coarse: Any = True) -> Iterator[tuple[int, str]]:
    """Yield rows that are the mean of so many rows before or after them, and of which."""
    near = 2 * _near(rows.T)[:, None]  # of differences, too
    near = np.minimum(near, np.median(near))  # some scores are round by chance
    for step, side in ((1, "before"), (-1, "after")):
        total = np.vstack([0 * rows[:1], rows[::step].cumsum(axis=0)])
        for size in range(2, len(rows)):
            gaps = np.abs(
                (total[size:-1] - total[: -size - 1]) / size - rows[::step][size:]
            )
            hits = np.flatnonzero((gaps <= near[::step][size:]).all(axis=1))
            reach, rest = max(1e-9, gaps[hits].max(initial=0)), len(rows) - size
            on_grid = odds * coarse if rest == 1 else odds
            chance = np.minimum(1, reach / rows.std(axis=0) + on_grid / size)
            by_chance = (chance * np.ones_like(rows)).prod(axis=1)[::step][size:].sum()
            if hits.size and by_chance**hits.size * rest < RARE / 5:
                yield (
                    (size + int(hits[0])) * step + min(step, 0),
                    "the mean of the "
                    + ("others" if rest == 1 else f"{size} {side} it"),
                )


def _together(table: _Table) -> Iterator[str]:
    sign = 1 if table.unit == "seed" and not table.design.paired else -1
    for one, two, a, _, r in table.pairs(_least(4.3, table.n)):
        if sign * r > 0 and table.n > 5 and _peculiar(a):
            yield f"{one} and {two} score high and low " + (
                "together: are these splits, or paired seeds?"
                if sign > 0
                else f"on opposite {table.unit}s: has one of them errors where the other has scores?"
            )


def _copied_unit(table: _Table) -> Iterator[str]:
    columns, first, counts = np.unique(
        table.x, axis=1, return_index=True, return_counts=True
    )
    chance = np.prod([luck(row) for row in columns]) * table.n**2
    for i in first[counts > 1] if chance < 2 * RARE else ():
        if np.ptp(table.x[:, i]):
            yield f"Another data set has the same scores as {shown(table.labels[i])}: is it a copy?"


def _pooled(table: _Table) -> Iterator[str]:
    for count in (
        range(20, 1, -1)
        if max(map(len, table.blocks)) == 1 and any(table.varies)
        else ()
    ):
        period, rest = divmod(table.n, count)
        if not rest and period >= 20:
            r = [
                max(
                    0.0,
                    sum(_correlation(y[lag:], y[:-lag]) for y in table.x)
                    / len(table.x),
                )
                for lag in (period - 1, period, period + 1, 1, count)
            ]
            least = max(0.2, 5 / np.sqrt(table.n - period))
            if table.data.clusters is None and r[3] - r[4] > least:
                yield "Neighbouring items score alike: are they samples of an item, or a cluster?"
            if r[1] - max(r[0], r[2]) > least:
                yield f"The scores repeat themselves after {period} items: are these several runs?"


# ------------------------------------------------------------------ scales and single values


def _scales(table: _Table) -> Iterator[str]:
    values, metric = table.values, table.data.metric
    small, large = values[(values > 0) & (values <= 1)], values[values > 1.5]
    if (
        metric.sign > 0
        and small.size
        and 0 < large.size == (values > 1).sum()
        and (
            values.min() >= 0
            and values.max() <= 100
            and 33 < np.median(large) / np.median(small) < 300
        )
    ):
        yield f"Scores are {small[0]:g} and {large[0]:g}: are fractions and percent mixed?"
    inside = [bool(block.min() >= 0 and block.max() <= 1) for block in table.blocks]
    beyond = [bool(np.median(block) > 1.5) for block in table.blocks]
    if (
        metric.sign > 0
        and any(inside)
        and any(beyond)
        and small.size
        and (small < 1).any()
    ):
        yield (
            f"The scores of {table.names[inside.index(True)]} lie within 0 and 1, and those of "
            f"{table.names[beyond.index(True)]} beyond: have models different scales?"
        )
    if metric.sign > 0 and 0 < 50 * values.max() <= metric.high < np.inf:
        yield f"No score is above {values.max():g}, and {metric} may go up to {metric.high:g}."
    if table.unit != "item" and values.size > 9 and set(values) == {0, 1}:
        yield f"All scores are 0 or 1, as if a {table.unit} were one item: give scores of items."
    low, *_, top = sorted(table.blocks, key=np.max)
    if (
        table.unit == "item"
        and not (values % 1).any()
        and top.max() > low.max() > 0
        and (top.max() % low.max() == 0 and (low == low.max()).mean() > 0.03)
    ):
        yield f"Scores go up to {low.max():g} or to {top.max():g}: have models different scales?"
    for code in (values.min(), values.max()) if table.unit == "item" else ():
        rest = values[values != code]
        if (
            0 < values.size - rest.size <= values.size / 10
            and code % 1 == 0
            and (
                code < 0 <= rest.min()
                or np.abs(rest - code).min() > 10 * np.ptp(rest) > 0
            )
        ):
            yield f"A few scores are {code:g}, far from all others: are answers missing?"


def _whole_numbers(table: _Table) -> Iterator[str]:
    whole = [not (row % 1).any() for row in table.rows]
    for name, row, is_whole in zip(table.names, table.rows, whole):
        if is_whole and not all(whole) and len(np.unique(row)) > 2:
            yield f"The scores of {name} are whole numbers, and not the others': is it a model?"


def _far_away(table: _Table) -> Iterator[str]:
    of_sets = table.unit == "data set"
    for i, (name, row) in enumerate(zip(table.names, table.rows)):
        others = np.delete(table.x, i, axis=0) if of_sets else row[None]
        nearest = np.take_along_axis(
            others, np.abs(others - row).argmin(axis=0)[None], 0
        )[0]
        place, n = row - nearest if of_sets else row, len(row)
        for end in np.unique([place.min(), place.max()]) if n > 4 else ():
            there = place == end
            if not 0 < there.sum() <= max(1, n // 10):
                continue
            near, value = others[:, there if of_sets else ~there], row[there][0]
            slip = value <= 0 or any(
                0.9 * near.min() <= value * factor <= 1.1 * near.max()
                for factor in (0.01, 0.1, 10, 100)
            )
            tail = abs(value) > np.abs(near).max() and value * near.flat[0] > 0
            wide = max(
                9 if tail and not table.bounded else 1 if slip else 3,
                ((1e3 if slip else 1e5) * n) ** (1 / (n - 2)) - 1,
            )
            gap, rest = np.abs(place[~there] - end).min(), np.ptp(place[~there])
            if (slip or (rest > 0 and not of_sets)) and gap > wide * rest:
                yield f"{name} has a score of {value:g}, far from others: a slip, or a failed fit?"


def _constant(table: _Table) -> Iterator[str]:
    means = table.x.mean(axis=1) * table.data.metric.sign  # the worst may be a baseline
    for i in np.flatnonzero(np.logical_not(table.varies)) if table.n > 9 else ():
        value, best = (
            table.x[i, 0],
            means[i] == means.max()
            and all(
                _peculiar(row) for row, varies in zip(table.x, table.varies) if varies
            ),
        )
        odd = table.bounded and (
            best or (means[i] > means.min() and _fine(table.x[i, :1]))
        )
        if value not in (0, 1, 100) and (table.unit == "item" or odd):
            yield f"{table.names[i]} has the same score, {value:g}, everywhere: is it a mean?"
    of_items = (
        zip(table.names, table.blocks, table.varies) if table.unit == "item" else ()
    )
    for name, block, varies in of_items:
        flat = np.ptp(block, axis=1) == 0
        share = (block == block[flat.argmax(), 0]).mean()
        if (
            flat.any()
            and varies
            and len(block) > 1
            and len(block) * share**table.n < RARE
        ):
            yield f"Run {flat.argmax() + 1} of {name} has the same score everywhere: did it fail?"


# ------------------------------------------------------------------ order and axes


def _in_order(table: _Table) -> Iterator[str]:
    n, ranks = min(map(len, table.rows)), [pd.Series(row).rank() for row in table.rows]
    ratios = [
        (np.diff(y) ** 2).sum() / ((y - y.mean()) ** 2).sum()  # von Neumann's
        for y, varies in zip(ranks, table.varies)
        if varies
    ]
    limit = (
        12 / n
        if table.unit == "item"
        else 2 - (7 - 10 / n) * np.sqrt((n - 2) / (n**2 - 1))
    )
    one_way = [(np.diff(y) >= 0).all() and y.nunique() > 3 for y in ranks]
    if n > 6 and (
        all(one_way)
        or (len(ratios) > 1 and max(ratios) < limit)
        or (n > 9 and any(one_way) and table.unit != "item")
    ):
        yield f"Scores drift from {table.unit} to {table.unit}: are they sorted, means or epochs?"


def _axes(table: _Table) -> Iterator[str]:
    runs, folds = table.design.shape
    for name, block in zip(table.names, table.blocks if min(runs, folds) > 2 else ()):
        within = block.var(axis=0, ddof=1).mean() + 1e-30
        ratio = runs * block.mean(axis=0).var(ddof=1) / within
        df = (folds - 1, folds * (runs - 1))
        if special.fdtrc(*df, ratio) < 1e-8 and len(np.unique(block)) > 4:
            yield f"{name} scores alike on the same fold of each run: is each run split anew?"
        if special.fdtr(*df, ratio) < RARE / 10 and within > 1e-29:
            yield f"{name}'s folds have equal means, as runs do: are runs and folds exchanged?"


def _runs_like_items(table: _Table) -> Iterator[str]:
    a, b = (block.mean(axis=1) for block in table.blocks[:2])
    if (
        len(a) == len(b) > table.n
        and not table.design.paired
        and (_correlation(a, b) > _least(5, len(a)))
    ):
        yield "The runs of two models go together, as items do: are runs and items exchanged?"


# ------------------------------------------------------------------ predictions


def _copied_answers(table: _Answers) -> Iterator[str]:
    for i, j in combinations(range(len(table.names)), 2):
        a, b = table.blocks[i], table.blocks[j]
        row = a[0] == table.truth if table.labels[i] else pd.factorize(a[0])[0]
        if table.labels[i] and table.n > 19 and a.shape == b.shape and (a != b).all():
            yield f"{table.names[i]} and {table.names[j]} never agree: are other items left out?"
        if np.array_equal(a, b) and luck(row.astype(float)) ** (table.n / 2) < RARE:
            yield f"{table.names[i]} and {table.names[j]} predict the same for every item."
    wrong = [(x != table.truth).sum(axis=1).min() for x in table.blocks]
    if 0 in wrong and min((x for x in wrong if x), default=0) > (
        35 if table.few else 2
    ):
        yield f"The predictions of {table.names[wrong.index(0)]} are the truth itself."


def _classes(table: _Answers) -> Iterator[str]:
    for name, x, labels in zip(table.names, table.blocks, table.labels):
        most = pd.Series(table.truth).mode()[0]  # of a baseline
        if table.few and any((row == row[0]).all() and row[0] != most for row in x):
            yield f"{name} predicts {shown(x.flat[0])} for every item."
        unknown = x[0][~pd.Series(x[0]).isin(table.classes).to_numpy()]
        text = isinstance(x.flat[0], str) or len(pd.unique(x[0])) <= len(table.classes)
        if labels and text and len(unknown) > min(6, table.n - 1):
            yield f"{name} predicts {shown(unknown[0])}, never the truth: are classes coded alike?"
    if table.data.metric.name == "roc_auc" and all(
        len(np.unique(x)) == 2 for x in table.blocks
    ):
        yield "All predictions are one of two values, and roc auc ranks: give probabilities."
    if len({str(label).strip().casefold() for label in table.classes}) < len(
        table.classes
    ):
        yield f"Some classes differ only in case or blanks: {listed(table.classes)}."
    if len(set(table.labels)) > 1:
        yield "Some models predict classes and others fractions: does the metric take both?"


def _unfit(table: _Answers) -> Iterator[str]:
    truth, n, strong = table.truth, table.n, max(5.0, 0.4 * table.n**0.5)
    fits = [
        table.fit(x[0], truth, labels) for x, labels in zip(table.blocks, table.labels)
    ]
    for name, x, fit in zip(table.names, table.blocks, fits):
        if fit < -5:
            yield f"{name} fits the truth worse than by chance: are classes or a sign exchanged?"
        if (
            n >= 30
            and abs(fit) < 2.5
            and max(fits) > 2 * strong
            and (x[0] != x[0][0]).any()
        ):
            yield f"{name} fits the truth no better than by chance: are its rows in another order?"
        if (
            not table.few
            and fit > max(strong, 0.7 * n**0.5)
            and (np.abs(x[0] - truth).mean() > 1.5 * np.std(truth))
        ):
            yield f"{name} goes with the truth, and is far from it: has it another scale?"
    a, b = (x[0] for x in table.blocks[:2])
    if (
        n >= 30
        and max(fits) < 2.5
        and (a != b).any()
        and len(set(table.labels)) == 1
        and (table.fit(a, b, table.labels[0]) > strong)
    ):
        yield "The models agree with each other and not with the truth: has it another order?"


def _repeated_truth(table: _Answers) -> Iterator[str]:
    truth, clusters = pd.factorize(table.truth)[0], table.data.clusters
    if (
        clusters is not None
        and table.few
        and (pd.factorize(clusters)[0] == truth).all()
    ):
        yield "The clusters are the classes of the truth: name what items share, as their text."
    periods = [p for p in range(1, table.n // 2 + 1) if table.n % p == 0]
    period = next(
        (
            p
            for p in periods
            if (truth[p:] == truth[:-p]).all()
            or (np.diff(truth.reshape(p, -1)) == 0).all()
        ),
        1,
    )
    if period >= 20 and (np.diff(truth) != 0).sum() > 2 * len(table.classes):
        yield f"The truth repeats itself after {period} items: are these several runs?"


_OF_ALL: tuple[Callable[[Any], Iterator[str]], ...] = (
    _same_model,
    _made_from_others,
    _scales,
)
_DOUBTS: dict[str, tuple[Callable[[Any], Iterator[str]], ...]] = {
    "split": (
        *_OF_ALL,
        _whole_numbers,
        _summary_row,
        _together,
        _far_away,
        _constant,
        _in_order,
        _axes,
    ),
    "seed": (*_OF_ALL, _whole_numbers, _summary_row, _together, _far_away, _in_order),
    "item": (*_OF_ALL, _together, _constant, _pooled, _in_order, _runs_like_items),
    "data set": (
        *_OF_ALL,
        _whole_numbers,
        _summary_row,
        _together,
        _copied_unit,
        _far_away,
        _constant,
    ),
    "prediction": (_copied_answers, _classes, _unfit, _repeated_truth),
}
