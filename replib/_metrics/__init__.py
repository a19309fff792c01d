r"""Metrics of predictions: means over items, and all others.

A metric that is a mean over items, such as accuracy, gives a score to each item, which is tested
like any such scores.  For two trained models and another metric, the area under the ROC curve is
tested by the method of DeLong et al. (1988), and all others by exchanging the two models'
predictions for an item or cluster, with the BCa bootstrap interval.  The outcomes of all exchanges
are gone through if they are few, and drawn at random if not.  Where only the order of the scores
matters, as for average precision, models exchange the ranks of items and not their scores, which
may have other scales.

*Pseudo-values* turn such a metric into a mean, to first order, for the model of `replib.variance`.
For the area under the ROC curve they are the placement values of DeLong et al., scaled so that
their variance is DeLong's; otherwise those of the jackknife,
:math:`G\hat\theta-(G-1)\hat\theta_{(-g)}`, where g is an item or a cluster.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from replib._metrics import formulas
from replib._metrics.coded import coded, metric_name
from replib._metrics.exchange import (
    Bootstrapped,
    ExchangeTest,
    is_behind,
    name_of_exchanges,
)
from replib._metrics.placements import placements
from replib._metrics.weighted import weighted_metric
from replib._squares import squares_of_pairs, stacked_tests
from replib._validation import Array, shown
from replib.scores import Metric, Predictions
from replib.significance import MeanTestResult

AREA = formulas.AREA
#: Exchanges, and bootstrap samples, of a known metric; and of one that has to see all items
#: each time, such as a function that a person gave.
_EXCHANGES = 9999
_EXCHANGES_OF_ALL = 1999


def values(predictions: Predictions) -> dict[str, float]:
    """Return the metric of each model, the mean over its runs.

    Raises
    ------
    ValueError
        If the metric is not known and has no function, or the predictions do not fit it.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"model": list("aabb"), "item": [1, 2, 1, 2], "truth": [3, 5, 3, 5],
    ...                       "prediction": [4, 5, 1, 5]})
    >>> values(Predictions(frame, metric="r2"))
    {'a': 0.5, 'b': -1.0}
    """
    scores = item_scores(predictions)
    if scores is None and metric_name(predictions) == formulas.AREA:
        scores = pseudo_values(predictions)
    if scores is not None:
        return {model: float(block.mean()) for model, block in scores.items()}
    metrics = {
        model: weighted_metric(predictions, model) for model in predictions.models
    }
    means = {
        model: float(metric.values(metric.counts[None]).mean())
        for model, metric in metrics.items()
    }
    for model, value in means.items():
        _check_range(value, model, predictions.metric)
    return means


def _check_range(value: float, model: str, metric: Metric) -> None:
    """Refuse the value of a function that lies outside the range of what it is called."""
    if not metric.allows(value):
        raise ValueError(
            f"function gives {value:.6g} for {shown(model)}, outside the range of "
            f"{metric}, {metric.low:g} to {metric.high:g}: is its sign turned, or its "
            "unit another?"
        )


def item_scores(predictions: Predictions) -> dict[str, Array] | None:
    """Return the score of each item, if the metric is a mean over items.

    Returns
    -------
    dict of ndarray, shape (runs, items), or None

    Raises
    ------
    ValueError
        If the metric is not known and has no function, or the predictions do not fit it.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"model": list("aabb"), "item": [1, 2, 1, 2], "truth": [3, 5, 3, 5],
    ...                       "prediction": [4, 5, 1, 5]})
    >>> item_scores(Predictions(frame, metric="mean_absolute_error"))["b"].tolist()
    [[2.0, 0.0]]
    """
    name = metric_name(predictions)
    if name not in formulas.OF_ITEMS:
        return None
    formula = formulas.OF_ITEMS[name]
    truth, predicted = coded(predictions)
    return {model: formula(truth, block) for model, block in predicted.items()}


def pseudo_values(predictions: Predictions) -> dict[str, Array]:
    """Return a value of each item whose mean over items is the metric, to first order.

    Parameters
    ----------
    predictions : Predictions
        With a metric that is not a mean over items.

    Returns
    -------
    dict of ndarray, shape (runs, items)

    Raises
    ------
    ValueError
        If the metric is not known and has no function, or the predictions do not fit it.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"model": list("aaaabbbb"), "item": [1, 2, 3, 4] * 2, "truth":
    ...                       [0, 0, 1, 1] * 2, "prediction": [.1, .6, .3, .9, .1, .2, .3, .9]})
    >>> pseudo_values(Predictions(frame, metric="roc_auc"))["b"].tolist()
    [[1.0, 1.0, 1.0, 1.0]]
    """
    if metric_name(predictions) == formulas.AREA:
        if predictions not in _PLACEMENTS:
            positive, scores = coded(predictions)
            _PLACEMENTS[predictions] = {
                model: placements(positive, block) for model, block in scores.items()
            }
        return _PLACEMENTS[predictions]
    return {model: _jackknife(predictions, model) for model in predictions.models}


#: Placements of the tables that are in use.  The means of the models and the tests need
#: them, and to sort a million scores takes most of the time of both.
_PLACEMENTS: WeakKeyDictionary[Predictions, dict[str, Array]] = WeakKeyDictionary()


def _jackknife(predictions: Predictions, model: str) -> Array:
    """Return the jackknife's pseudo-values of a model, shape (runs, items)."""
    metric = weighted_metric(predictions, model)
    counts, unit = metric.counts, metric.unit
    n_units = counts.sum()
    (left_out,) = metric.values_without_units()
    mean = np.average(left_out, axis=-1, weights=counts)[:, None]
    # a cluster's change is shared by its items
    items_per_unit = np.bincount(unit) / counts
    share = (n_units - 1) / n_units * unit.size / items_per_unit
    change = share * (mean - left_out)
    (values,) = metric.values(counts[None])
    return np.asarray(values + change[:, unit])


class AreaTests(NamedTuple):
    """Tests of differences of areas under ROC curves by DeLong's variance.

    Attributes
    ----------
    name : str
        The test, in words.
    result : MeanTestResult
        Of arrays, one entry per pair.
    """

    name: str
    result: MeanTestResult


def area_tests(predictions: Predictions, pairs: Sequence[tuple[str, str]]) -> AreaTests:
    """Test pairs of trained models by the area under the ROC curve, on new items.

    By DeLong's test; with clusters or several runs by Student's t of the placements.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"model": list("aaaabbbb"), "item": [1, 2, 3, 4] * 2, "truth":
    ...                       [0, 0, 1, 1] * 2, "prediction": [.1, .6, .3, .9, .1, .2, .3, .9]})
    >>> tests = area_tests(Predictions(frame, metric="roc_auc"), [("a", "b")])
    >>> tests.name, tests.result.estimate.tolist()
    ("DeLong's test", [-0.25])
    """
    values = pseudo_values(predictions)
    return placement_tests(values, pairs, clusters=predictions.clusters)


def placement_tests(
    values: Mapping[str, Array],
    pairs: Sequence[tuple[str, str]],
    *,
    clusters: NDArray[np.int64] | None = None,
) -> AreaTests:
    """Test pairs of models by their placement values, shape (runs, items)."""
    squares = squares_of_pairs(values, pairs, groups=clusters)
    test = stacked_tests(squares, "items")
    single_runs = max(len(block) for block in values.values()) == 1
    if clusters is not None or not single_runs:
        return AreaTests("t test of DeLong's placement values", test)
    normal = MeanTestResult.from_estimate(
        estimate=test.estimate,
        standard_error=test.standard_error,
        scale=np.concatenate([part.scale for part in squares]),
        n=squares[0].items,
        df=np.inf,
        alternative="two-sided",
    )
    return AreaTests("DeLong's test", normal)


def bootstrapped(predictions: Predictions, model: str) -> Bootstrapped:
    """Return the metric of a trained model with its bootstrap interval, on new items.

    Parameters
    ----------
    predictions : Predictions
        With a metric that is not a mean over items.
    model : str

    Returns
    -------
    Bootstrapped

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"model": list("aaaaaabbbbbb"), "item": list(range(6)) * 2,
    ...                       "truth": [0, 0, 1, 1, 1, 0] * 2,
    ...                       "prediction": [0, 0, 1, 1, 0, 0, 0, 1, 0, 1, 1, 0]})
    >>> bootstrapped(Predictions(frame, metric="f1"), "a").estimate
    0.8
    """
    return Bootstrapped(
        metric=weighted_metric(predictions, model),
        n_exchanges=usual_exchanges(predictions),
    )


def usual_exchanges(predictions: Predictions) -> int:
    """Return the number of exchanges: fewer where each takes as long as sorting all items."""
    of_order = formulas.OF_ORDER | formulas.OF_ORDERS
    is_slow = predictions.function is not None or metric_name(predictions) in of_order
    return _EXCHANGES_OF_ALL if is_slow else _EXCHANGES


def exchange_test(
    predictions: Predictions,
    a: str,
    b: str,
    *,
    resamples: int | None = None,
    seed: int = 0,
) -> ExchangeTest:
    """Test whether two trained models differ on new items, by exchanging their predictions.

    Parameters
    ----------
    predictions : Predictions
        With a metric that is not a mean over items.
    a, b : str
        Two models with equally many runs.
    resamples : int, optional
        Number of exchanges, and of bootstrap samples: 9999, or 1999 for a
        function and for a metric of the order of the items.
    seed : int

    Returns
    -------
    ExchangeTest
        p is the probability of a difference at least as large in all exchanges of the
        predictions of items or clusters, if their outcomes are few enough; otherwise
        (1 + b) / (1 + B) for B random exchanges, of which b have one.

    Raises
    ------
    ValueError
        If the metric is not known and has no function, or the predictions do not fit
        it.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"model": list("aaaaaabbbbbb"), "item": list(range(6)) * 2,
    ...                       "truth": [0, 0, 1, 1, 1, 0] * 2,
    ...                       "prediction": [0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 1, 0]})
    >>> result = exchange_test(Predictions(frame, metric="f1"), "a", "b")
    >>> round(result.estimate, 3), round(result.pvalue, 3)
    (0.333, 0.5)
    """
    if len(predictions.predicted[a]) != len(predictions.predicted[b]):
        raise ValueError(
            f"{a} and {b} must have equally many runs for an exchange of predictions"
        )
    usual = usual_exchanges(predictions)
    metric = weighted_metric(predictions, a, b)
    turned = is_behind(metric)
    if turned is None:
        turned = _comes_after(predictions.predicted[a], predictions.predicted[b])
    if turned:
        metric = weighted_metric(predictions, b, a)
    return ExchangeTest(
        metric=metric, n_exchanges=resamples or usual, seed=seed, turned=turned
    )


def _comes_after(a: NDArray[Any], b: NDArray[Any]) -> bool:
    """Return whether predictions come later in the alphabet, where they first differ."""
    differing = np.argwhere(a != b)
    if not len(differing):
        return False
    place = tuple(differing[0])
    return str(a[place]) > str(b[place])


__all__ = [
    "AREA",
    "Bootstrapped",
    "ExchangeTest",
    "area_tests",
    "bootstrapped",
    "exchange_test",
    "item_scores",
    "metric_name",
    "name_of_exchanges",
    "placement_tests",
    "pseudo_values",
    "usual_exchanges",
    "values",
]
