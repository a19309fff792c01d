"""The metric of a weighted sample: what exchanges, the bootstrap and the jackknife need."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from replib._metrics import formulas
from replib._metrics.coded import coded, metric_name
from replib._validation import Array, finite_array
from replib.scores import Predictions

Codes = NDArray[np.int64]
#: Most weights at once: a few megabytes.
_MOST_WEIGHTS = 2_000_000


@dataclass(frozen=True, eq=False, kw_only=True)
class WeightedMetric(ABC):
    """The metric of each run as a function of how often each unit of each model counts.

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
    def __call__(self, weights: NDArray[Any]) -> Array:
        """Return values, shape (runs, n), for weights, shape (n, models x units)."""


@dataclass(frozen=True, eq=False, kw_only=True)
class MetricOfTotals(WeightedMetric):
    """A metric that depends on totals of the units, such as counts of classes.

    Attributes
    ----------
    formula : callable
        Of arrays of shape (classes, runs, n), one per part.
    totals : ndarray, shape (parts, classes, runs, models x units)
    """

    formula: Callable[..., Array]
    totals: Array

    def __call__(self, weights: NDArray[Any]) -> Array:
        return self.formula(*(self.totals @ weights.T.astype(float)))


@dataclass(frozen=True, eq=False, kw_only=True)
class MetricOfFunction(WeightedMetric):
    """A metric that a person gave as a function of the truth and the predictions of all items.

    Attributes
    ----------
    function : callable
    truth : ndarray, shape (models x items,)
    predicted : ndarray, shape (runs, models x items)
    unit_of_row : ndarray, shape (models x items,)
        Which weight counts for a row.
    """

    function: Callable[[NDArray[Any], NDArray[Any]], float]
    truth: NDArray[Any]
    predicted: NDArray[Any]
    unit_of_row: Codes

    def __call__(self, weights: NDArray[Any]) -> Array:
        rows = np.arange(self.truth.size)
        samples = [np.repeat(rows, w[self.unit_of_row].astype(int)) for w in weights]
        values = [
            [self.function(self.truth[sample], run[sample]) for sample in samples]
            for run in self.predicted
        ]
        shape = (len(self.predicted), len(weights))
        return finite_array("values of function", values).reshape(shape)


def weighted_metric(predictions: Predictions, *models: str) -> WeightedMetric:
    """Return the metric of predictions of one model, or of several side by side."""
    truth, predicted = coded(predictions)
    blocks = np.stack([predicted[model] for model in models], axis=1)
    if predictions.function is not None:
        return _of_function(predictions, truth, blocks)
    return _of_totals(predictions, truth, blocks)


def _of_function(
    predictions: Predictions, truth: NDArray[Any], blocks: NDArray[Any]
) -> MetricOfFunction:
    """Return the metric for blocks of shape (runs, models, items)."""
    n_runs, n_models, n_items = blocks.shape
    unit = predictions.clusters
    if unit is None:
        unit = np.arange(n_items)
    n_units = unit.max() + 1
    first_unit = n_units * np.arange(n_models)
    return MetricOfFunction(
        unit=unit,
        counts=np.ones(n_units, int),
        function=predictions.function,
        truth=np.tile(truth, n_models),
        predicted=blocks.reshape(n_runs, -1),
        unit_of_row=np.add.outer(first_unit, unit).ravel(),
    )


def _of_totals(
    predictions: Predictions, truth: NDArray[Any], blocks: NDArray[Any]
) -> MetricOfTotals:
    """Return the metric for blocks of shape (runs, models, items)."""
    name = metric_name(predictions)
    clusters = predictions.clusters
    if clusters is None:
        truth, blocks, unit, counts = _distinct_items(truth, blocks)
    else:
        unit = clusters
        counts = np.ones(clusters.max() + 1, int)
    parts_of = _indicators if name in formulas.OF_COUNTS else _moments
    parts = parts_of(truth, blocks)
    if clusters is not None:
        parts = np.apply_along_axis(_cluster_totals, -1, parts, clusters)
    n_parts, n_classes, n_runs = parts.shape[:3]
    return MetricOfTotals(
        unit=unit,
        counts=counts,
        formula=(formulas.OF_COUNTS | formulas.OF_SUMS)[name],
        totals=parts.reshape(n_parts, n_classes, n_runs, -1),
    )


def _cluster_totals(values: Array, clusters: Codes) -> Array:
    return np.asarray(np.bincount(clusters, values), float)


def _distinct_items(
    truth: NDArray[Any], blocks: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any], Codes, Codes]:
    """Return truth and predictions of distinct items, the number of each item, and counts."""
    rows = np.vstack([truth[None], blocks.reshape(-1, truth.size)])
    distinct, unit, counts = np.unique(
        rows, axis=1, return_inverse=True, return_counts=True
    )
    return distinct[0], distinct[1:].reshape(*blocks.shape[:2], -1), unit, counts


def _indicators(truth: Codes, blocks: Codes) -> Array:
    """Return whether each class is true, is predicted, and both: (3, classes, *blocks.shape)."""
    n_classes = max(truth.max(), blocks.max()) + 1
    labels = np.arange(n_classes).reshape(-1, 1, 1, 1)
    true = np.broadcast_to(labels == truth, (n_classes, *blocks.shape))
    predicted = labels == blocks
    return np.stack([true, predicted, true & predicted]).astype(float)


def _moments(truth: Array, blocks: Array) -> Array:
    """Return 1, the squared error, the truth and its square: shape (4, 1, *blocks.shape).

    The mean of the truth is subtracted, which changes neither RMSE nor R2, so that the
    sums of squares keep their digits.
    """
    centre = truth.mean()
    y = np.broadcast_to(truth - centre, blocks.shape)
    error = blocks - centre - y
    return np.stack([np.ones(blocks.shape), error**2, y, y**2])[:, None]


def in_parts(values: Callable[[Codes], Array], n: int, n_units: int) -> Array:
    """Return the values of the numbers up to n, computed in parts that need little memory."""
    size = max(1, _MOST_WEIGHTS // n_units)
    parts = [np.arange(start, min(start + size, n)) for start in range(0, n, size)]
    return np.concatenate([values(part) for part in parts], axis=-1)


def values_without_units(values: Callable[[Codes], Array], counts: Codes) -> Array:
    """Return the values without one of each distinct unit: shape (..., units)."""

    def without(units: Codes) -> Array:
        left_out = units[:, None] == np.arange(counts.size)
        return values(counts - left_out)

    return in_parts(without, counts.size, counts.size)
