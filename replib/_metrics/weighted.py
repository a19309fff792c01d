"""The metric of a weighted sample: what exchanges, the bootstrap and the jackknife need."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from replib._bars import with_bar
from replib._metrics import formulas
from replib._metrics.coded import coded, metric_name
from replib._validation import Array, finite_array
from replib.scores import Predictions

Codes = NDArray[np.int64]

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

    @abstractmethod
    def values(self, weights: Codes) -> Array:
        """Return the metric for weights, shape (n, units): shape (models, runs, n)."""

    @abstractmethod
    def values_without_units(self) -> Array:
        """Return the metric without one of each unit: shape (models, runs, units)."""

    @abstractmethod
    def exchanged(self, lent: NDArray[Any]) -> Array:
        """Return the metric of two models that exchange units: shape (2, runs, n).

        `lent`, shape (n, units), says how many of each unit each lends to the other.
        """


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

    def values(self, weights: Codes) -> Array:
        numbers = weights.astype(float)
        return self.formula(*(_weighted_sums(part, numbers) for part in self.parts))

    def values_without_units(self) -> Array:
        without = [total - part for total, part in zip(self._totals, self.parts)]
        return self.formula(*without)

    def exchanged(self, lent: NDArray[Any]) -> Array:
        totals = zip(self._totals, self.parts)
        return self.formula(*(_after_exchange(*total, lent) for total in totals))

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
    rows = values.reshape(-1, n_units)
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

    def exchanged(self, lent: NDArray[Any]) -> Array:
        of_items = lent[:, self.unit].astype(float)
        rest = self.counts[self.unit] - of_items
        truth = np.tile(self.truth, 2)
        a, b = self.scores
        runs = [np.concatenate(pair) for pair in zip(a, b)]
        of_a = [self.formula(truth, run, np.hstack([rest, of_items])) for run in runs]
        of_b = [self.formula(truth, run, np.hstack([of_items, rest])) for run in runs]
        return np.array([of_a, of_b])


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
        samples = [np.repeat(self._rows, w[self.unit]) for w in weights]
        return self._of_samples(
            [[(block, rows)] for rows in samples for block in self.predicted]
        )

    def values_without_units(self) -> Array:
        return self.values(self.counts - np.eye(self.counts.size, dtype=int))

    def exchanged(self, lent: NDArray[Any]) -> Array:
        a, b = self.predicted
        samples = []
        for moved in lent.astype(int):
            lent_rows = np.repeat(self._rows, moved[self.unit])
            own_rows = np.repeat(self._rows, (self.counts - moved)[self.unit])
            samples.append([(a, own_rows), (b, lent_rows)])
            samples.append([(a, lent_rows), (b, own_rows)])
        return self._of_samples(samples)

    @property
    def _rows(self) -> Codes:
        return np.arange(self.truth.size)

    def _of_samples(self, samples: list[list[tuple[NDArray[Any], Codes]]]) -> Array:
        """Return the values of samples, each of rows of some blocks: (models, runs, n).

        Samples of the models stand side by side.
        """
        n_models, n_runs, _ = self.predicted.shape
        values = []
        for sample in with_bar(samples, "sample"):
            truth = np.concatenate([self.truth[rows] for _, rows in sample])
            predicted = np.hstack([block[:, rows] for block, rows in sample])
            values.append([self.function(truth, run) for run in predicted])
        checked = finite_array("values of function", values)
        return np.moveaxis(checked.reshape(-1, n_models, n_runs), 0, -1)


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
    distinct, unit, counts = np.unique(
        rows, axis=1, return_inverse=True, return_counts=True
    )
    unit = unit.reshape(-1)  # its shape has changed between versions of NumPy
    return distinct[0], distinct[1:].reshape(*blocks.shape[:2], -1), unit, counts


def _indicators(truth: Codes, blocks: Codes) -> list[Array]:
    """Return whether each class is true, is predicted, and is both."""
    n_classes = max(truth.max(), blocks.max()) + 1
    labels = np.arange(n_classes).reshape(-1, 1, 1, 1)
    is_true = labels == truth
    is_predicted = labels == blocks
    return [
        part.astype(float) for part in (is_true, is_predicted, is_true & is_predicted)
    ]


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


#: What one item adds to the totals of each metric.
_PARTS: dict[str, Callable[[NDArray[Any], NDArray[Any]], list[Array]]] = {
    **dict.fromkeys(formulas.OF_COUNTS, _indicators),
    "root_mean_squared_error": _squared_errors,
    "r2": _moments,
}
