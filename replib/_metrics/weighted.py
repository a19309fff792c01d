"""The metric of a weighted sample: what exchanges, the bootstrap and the jackknife need."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from replib._bars import with_bar
from replib._metrics import formulas
from replib._metrics.coded import coded, metric_name
from replib._metrics.outcomes import Codes, Kinds, distinct_columns, kinds_of_steps
from replib._validation import Array, real_array
from replib.scores import Predictions

#: Weights that are drawn, or units that are left out, at once: two megabytes, which a
#: processor has at hand.  With ten times as many, their sums take three times as long.
WEIGHTS_AT_A_TIME = 2**18
#: Rows of values that are weighted at once.  A larger product is shared by threads, which
#: here wait for each other for longer than they work.
_ROWS_OF_A_PRODUCT = 2


@dataclass(frozen=True, eq=False, kw_only=True)
class WeightedMetric(ABC):
    """The metric of one or two models as a function of how often each unit counts.

    Units are clusters or, without clusters, distinct items.

    Attributes
    ----------
    unit : ndarray, shape (items,)
        The unit of each item.
    counts : ndarray, shape (units,)
        How often each unit is there.
    """

    unit: Codes
    counts: Codes
    #: Most outcomes of all exchanges that are gone through.  Where each takes as long as to
    #: sort all items, or to call a function, it is about as many as are drawn otherwise.
    most_outcomes: ClassVar[int] = 2**11

    @abstractmethod
    def values(self, weights: Codes) -> Array:
        """Return the metric for weights, shape (n, units): shape (models, runs, n)."""

    @abstractmethod
    def values_without_units(self) -> Array:
        """Return the metric without one of each unit: shape (models, runs, units)."""

    @abstractmethod
    def exchanged(self, lent: NDArray[Any], units: Codes | None = None) -> Array:
        """Return the metric of two models that exchange units: shape (2, runs, n).

        `lent`, shape (n, units), says how many of each unit each lends to the other; of all
        units, or of those with these numbers.
        """

    @property
    @abstractmethod
    def kinds(self) -> Kinds:
        """Units of two models, put together if their exchanges come to the same."""

    def _lent_of_all(self, lent: NDArray[Any], units: Codes | None) -> NDArray[Any]:
        """Return how many are lent of all units, if those of some are given."""
        if units is None:
            return lent
        of_all = np.zeros((len(lent), self.counts.size))
        of_all[:, units] = lent
        return of_all

    def _units_of(self, items: NDArray[np.bool_]) -> Kinds:
        """Return the units that have any of these items, each a kind of its own."""
        units = np.unique(self.unit[items])
        return Kinds(units, like=np.ones_like(units), opposite=np.zeros_like(units))


@dataclass(frozen=True, eq=False, kw_only=True)
class MetricOfTotals(WeightedMetric):
    """A metric that depends on totals over the items, such as counts of classes.

    Attributes
    ----------
    formula : callable
        Of arrays of shape (classes, models, runs, n), one per part.
    parts : list of ndarray, shape (classes, models, runs, units)
        What one of each unit adds to the totals.  A part that all models share, such as
        the truth, has one model and one run.
    """

    formula: Callable[..., Array]
    parts: Sequence[Array]
    # a tenth of a second
    most_outcomes: ClassVar[int] = 2**16

    def values(self, weights: Codes) -> Array:
        numbers = weights.astype(float)
        return self.formula(*(_weighted_sums(part, numbers) for part in self.parts))

    def values_without_units(self) -> Array:
        without = [total - part for total, part in zip(self._totals, self.parts)]
        return self.formula(*without)

    def exchanged(self, lent: NDArray[Any], units: Codes | None = None) -> Array:
        parts = self.parts
        if units is not None:
            parts = [part[..., units] for part in parts]
        totals = zip(self._totals, parts)
        return self.formula(*(_after_exchange(*total, lent) for total in totals))

    @cached_property
    def kinds(self) -> Kinds:
        steps = [
            (part[:, 1] - part[:, 0]).reshape(-1, self.counts.size)
            for part in self.parts
            if part.shape[1] == 2
        ]
        return kinds_of_steps(np.concatenate(steps), self.counts)

    @cached_property
    def _totals(self) -> list[Array]:
        """Totals of the parts over all units, shape (classes, models, runs, 1)."""
        return [(part @ self.counts)[..., None] for part in self.parts]


def _after_exchange(total: Array, part: Array, lent: NDArray[Any]) -> Array:
    """Return the totals of a part of two models that exchange units."""
    n_models = part.shape[1]
    if n_models == 1:
        return total
    of_a, of_b = part[:, 0], part[:, 1]
    moved = _weighted_sums(of_b - of_a, lent)
    return total + np.stack([moved, -moved], axis=1)


def _weighted_sums(values: Array, weights: Array) -> Array:
    """Return sums over the last axis for weights, shape (n, units), as the last axis."""
    n_units = values.shape[-1]
    rows = values.reshape(math.prod(values.shape[:-1]), n_units)
    sums = np.empty((len(rows), len(weights)))
    for first in range(0, len(rows), _ROWS_OF_A_PRODUCT):
        part = slice(first, first + _ROWS_OF_A_PRODUCT)
        np.matmul(rows[part], weights.T, out=sums[part])
    return sums.reshape(*values.shape[:-1], len(weights))


@dataclass(frozen=True, eq=False, kw_only=True)
class MetricOfOrder(WeightedMetric):
    """A metric of the order in which scores put the items.

    Attributes
    ----------
    formula : callable
        Of the truth, the scores, and how often each item is there.
    truth : ndarray, shape (items,)
        Which items are positive, or their classes.
    scores : ndarray, shape (models, runs, items) or (models, runs, items, classes)
    """

    formula: Callable[[NDArray[Any], Array, Array], Array]
    truth: NDArray[Any]
    scores: Array

    def values(self, weights: Codes) -> Array:
        of_items = weights[:, self.unit].astype(float)
        return np.array(
            [
                [self.formula(self.truth, run, of_items) for run in block]
                for block in self.scores
            ]
        )

    def values_without_units(self) -> Array:
        n = self.counts.size
        size = max(1, WEIGHTS_AT_A_TIME // self.unit.size)
        parts = []
        for first in with_bar(range(0, n, size), "part"):
            left_out = np.eye(min(size, n - first), n, first, dtype=int)
            parts.append(self.values(self.counts - left_out))
        return np.concatenate(parts, axis=-1)

    def exchanged(self, lent: NDArray[Any], units: Codes | None = None) -> Array:
        lent = self._lent_of_all(lent, units)
        of_items = lent[:, self.unit].astype(float)
        rest = self.counts[self.unit] - of_items
        truth = np.tile(self.truth, 2)
        a, b = self.scores
        runs = [np.concatenate(pair) for pair in zip(a, b)]
        of_a = [self.formula(truth, run, np.hstack([rest, of_items])) for run in runs]
        of_b = [self.formula(truth, run, np.hstack([of_items, rest])) for run in runs]
        return np.array([of_a, of_b])

    @cached_property
    def kinds(self) -> Kinds:
        a, b = self.scores
        return self._units_of(_differing_items(a, b))


def _differing_items(a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.bool_]:
    """Return the items on which blocks of shape (runs, items, ...) differ."""
    return np.asarray((a != b).any(axis=(0, *range(2, a.ndim))))


@dataclass(frozen=True, eq=False, kw_only=True)
class MetricOfFunction(WeightedMetric):
    """A metric that a person gave as a function of the truth and the predictions of all items.

    Attributes
    ----------
    function : callable
    truth : ndarray, shape (items,)
    predicted : ndarray, shape (models, runs, items)
    """

    function: Callable[[NDArray[Any], NDArray[Any]], float]
    truth: NDArray[Any]
    predicted: NDArray[Any]

    def values(self, weights: Codes) -> Array:
        are_all = np.array_equal(weights, self.counts[None])
        sample = "all items" if are_all else "a bootstrap sample of the items"
        return self._of_weights(weights, sample)

    def values_without_units(self) -> Array:
        weights = self.counts - np.eye(self.counts.size, dtype=int)
        left_out = "item" if self.counts.size == self.truth.size else "cluster"
        return self._of_weights(weights, f"a sample without one {left_out}")

    def _of_weights(self, weights: Codes, sample: str) -> Array:
        drawn = [np.repeat(self._rows, w[self.unit]) for w in weights]
        samples = [[(block, rows)] for rows in drawn for block in self.predicted]
        return self._of_samples(samples, sample)

    def exchanged(self, lent: NDArray[Any], units: Codes | None = None) -> Array:
        a, b = self.predicted
        samples = []
        for moved in self._lent_of_all(lent, units).astype(int):
            lent_rows = np.repeat(self._rows, moved[self.unit])
            own_rows = np.repeat(self._rows, (self.counts - moved)[self.unit])
            samples.append([(a, own_rows), (b, lent_rows)])
            samples.append([(a, lent_rows), (b, own_rows)])
        return self._of_samples(samples, "a sample with exchanged predictions")

    @cached_property
    def kinds(self) -> Kinds:
        a, b = self.predicted
        return self._units_of(_differing_items(a, b))

    @property
    def _rows(self) -> Codes:
        return np.arange(self.truth.size)

    def _of_samples(
        self, samples: list[list[tuple[NDArray[Any], Codes]]], kind: str
    ) -> Array:
        """Return the values of samples, each of rows of some blocks: (models, runs, n).

        Samples of the models stand side by side.  What they are, an error says.
        """
        n_models, n_runs, _ = self.predicted.shape
        values = []
        for sample in with_bar(samples, "sample"):
            truth = np.concatenate([self.truth[rows] for _, rows in sample])
            predicted = np.hstack([block[:, rows] for block, rows in sample])
            values.append([self.function(truth, run) for run in predicted])
        numbers = real_array("values of function", values)
        _check_values(numbers, kind)
        return np.moveaxis(numbers.reshape(-1, n_models, n_runs), 0, -1)


def _check_values(values: Array, sample: str) -> None:
    """Refuse a function that gives no number for a sample that may well occur."""
    is_undefined = ~np.isfinite(values)
    if is_undefined.any():
        value = f"{values[is_undefined][0]:g}".replace("nan", "NaN")
        raise ValueError(
            f"function gives {value} for {sample}: let it return a number there, such as "
            "0 where the metric is undefined"
        )


def weighted_metric(predictions: Predictions, *models: str) -> WeightedMetric:
    """Return the metric of the predictions of one model, or of several side by side."""
    truth, predicted = coded(predictions)
    blocks = np.stack([predicted[model] for model in models])
    name = metric_name(predictions)
    of_order = formulas.OF_ORDER | formulas.OF_ORDERS
    if predictions.function is None and name not in of_order:
        return _of_totals(predictions, truth, blocks)
    unit = predictions.clusters
    if unit is None:
        unit = np.arange(truth.size)
    counts = np.ones(unit.max() + 1, int)
    if predictions.function is None:
        return MetricOfOrder(
            unit=unit,
            counts=counts,
            formula=of_order[name],
            truth=truth,
            scores=blocks,
        )
    return MetricOfFunction(
        unit=unit,
        counts=counts,
        function=predictions.function,
        truth=truth,
        predicted=blocks,
    )


def _of_totals(
    predictions: Predictions, truth: NDArray[Any], blocks: NDArray[Any]
) -> MetricOfTotals:
    """Return the metric for blocks of shape (models, runs, items)."""
    name = metric_name(predictions)
    clusters = predictions.clusters
    if clusters is None:
        truth, blocks, unit, counts = _distinct_items(truth, blocks)
    else:
        unit = clusters
        counts = np.ones(clusters.max() + 1, int)
    parts = _PARTS[name](truth, blocks)
    if clusters is not None:
        parts = [_cluster_totals(part, clusters) for part in parts]
    formula = (formulas.OF_COUNTS | formulas.OF_SUMS)[name]
    return MetricOfTotals(unit=unit, counts=counts, formula=formula, parts=parts)


def _cluster_totals(part: Array, clusters: Codes) -> Array:
    """Return the sums of a part over the items of each cluster."""
    return np.apply_along_axis(partial(np.bincount, clusters), -1, part)


def _distinct_items(
    truth: NDArray[Any], blocks: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any], Codes, Codes]:
    """Return truth and predictions of distinct items, the number of each item, and counts."""
    rows = np.vstack([truth[None], blocks.reshape(-1, truth.size)])
    distinct = distinct_columns(rows)
    first = distinct.first
    return truth[first], blocks[..., first], distinct.code, distinct.counts


def _indicators(truth: Codes, blocks: Codes) -> list[Array]:
    """Return whether each class is true, is predicted, and is both."""
    n_classes = max(truth.max(), blocks.max()) + 1
    labels = np.arange(n_classes).reshape(-1, 1, 1, 1)
    is_true = labels == truth
    is_predicted = labels == blocks
    return [
        part.astype(float) for part in (is_true, is_predicted, is_true & is_predicted)
    ]


def _hits(truth: Codes, blocks: Codes) -> list[Array]:
    """Return whether each class is true, and is predicted where it is true."""
    is_true, _, is_hit = _indicators(truth, blocks)
    return [is_true, is_hit]


def _hits_of_positive(truth: Codes, blocks: Codes) -> list[Array]:
    """Return the same of the second of two classes."""
    return [part[1:] for part in _hits(truth, blocks)]


def _squared_errors(truth: Array, blocks: Array) -> list[Array]:
    """Return 1 and the squared error."""
    ones = np.ones((1, 1, 1, truth.size))
    return [ones, (blocks - truth)[None] ** 2]


def _moments(truth: Array, blocks: Array) -> list[Array]:
    """Return 1, the squared error, the truth and its square.

    The mean of the truth is subtracted, which does not change R2, so that the sums of
    squares keep their digits.
    """
    y = (truth - truth.mean()).reshape(1, 1, 1, -1)
    return [*_squared_errors(truth, blocks), y, y**2]


#: What one item adds to the totals of each metric: only what it depends on, so that an
#: exchange changes one of them only if it may change the metric.
_PARTS: dict[str, Callable[[NDArray[Any], NDArray[Any]], list[Array]]] = {
    **dict.fromkeys(formulas.OF_COUNTS, _indicators),
    "balanced_accuracy": _hits,
    "recall": _hits_of_positive,
    "root_mean_squared_error": _squared_errors,
    "r2": _moments,
}
