r"""Metrics of predictions: means over items, and all others.

A metric that is a mean over items, such as accuracy, gives a score to each item, which is tested
like any such scores.  For two trained models and another metric, the area under the ROC curve is
tested by the method of DeLong et al. (1988), and all others by exchanging the two models'
predictions for an item or cluster at random, with the BCa bootstrap interval.

*Pseudo-values* turn such a metric into a mean, to first order, for the model of `replib.variance`.
For the area under the ROC curve they are the placement values of DeLong et al., scaled so that
their variance is DeLong's; otherwise those of the jackknife,
:math:`G\hat\theta-(G-1)\hat\theta_{(-g)}`, where g is an item or a cluster.
"""

from dataclasses import dataclass

import numpy as np

from replib._metrics import formulas
from replib._metrics.coded import coded, metric_name
from replib._metrics.exchange import ExchangeTest, exchange_test
from replib._metrics.placements import placements
from replib._metrics.weighted import values_without_units, weighted_metric
from replib._validation import Array
from replib.intervals import ConfidenceInterval
from replib.scores import Predictions
from replib.significance import MeanTestResult, Tails
from replib.variance import difference_test, mean_squares

#: Exchanges, and bootstrap samples, of a known metric and of a function that a person gave,
#: which is called that many times.
EXCHANGES = 9999
EXCHANGES_OF_FUNCTION = 1999


def value(predictions: Predictions, model: str) -> float:
    """Return the metric of a model, the mean over its runs.

    Raises
    ------
    ValueError
        If the metric is not known and has no function, or the predictions do not fit it.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"model": list("aabb"), "item": [1, 2, 1, 2], "truth": [3, 5, 3, 5],
    ...                       "prediction": [4, 5, 1, 5]})
    >>> value(Predictions(frame, metric="r2"), "a")
    0.5
    """
    name = metric_name(predictions)
    if name in formulas.OF_ITEMS or name == formulas.AREA:
        scores = item_scores(predictions) or pseudo_values(predictions)
        return float(scores[model].mean())
    metric = weighted_metric(predictions, model)
    return float(metric(metric.counts[None]).mean())


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
        positive, scores = coded(predictions)
        return {model: placements(positive, block) for model, block in scores.items()}
    return {model: _jackknife(predictions, model) for model in predictions.models}


def _jackknife(predictions: Predictions, model: str) -> Array:
    """Return the jackknife's pseudo-values of a model, shape (runs, items)."""
    metric = weighted_metric(predictions, model)
    counts, unit = metric.counts, metric.unit
    n_units = counts.sum()
    left_out = values_without_units(metric, counts)
    mean = np.average(left_out, axis=-1, weights=counts)[:, None]
    # a cluster's change is shared by its items
    items_per_unit = np.bincount(unit) / counts
    share = (n_units - 1) / n_units * unit.size / items_per_unit
    change = share * (mean - left_out)
    return metric(counts[None]) + change[:, unit]


@dataclass(frozen=True, eq=False)
class AreaTest:
    """Test of the difference of two areas under ROC curves by DeLong's variance.

    Attributes
    ----------
    name : str
        The test, in words.
    result : MeanTestResult
    """

    name: str
    result: MeanTestResult

    @property
    def estimate(self) -> float:
        """Area of A minus area of B, means over runs."""
        return float(self.result.estimate)

    @property
    def statistic(self) -> float:
        """Difference divided by its standard error."""
        return float(self.result.statistic)

    @property
    def df(self) -> float:
        """Degrees of freedom, infinite for a z statistic."""
        return float(self.result.df)

    @property
    def pvalue(self) -> float:
        """Two-sided p-value."""
        return float(self.result.pvalue)

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the interval of the difference."""
        return self.result.confidence_interval(confidence_level)

    def tails(self, shift: float) -> Tails:
        """Test whether the difference is above, and whether it is below the shift."""
        return self.result.tails(shift)


MetricTest = AreaTest | ExchangeTest


def metric_test(
    predictions: Predictions,
    a: str,
    b: str,
    *,
    resamples: int | None = None,
    seed: int = 0,
) -> MetricTest:
    """Test whether two trained models differ on new items, by a metric that is no mean over items.

    Parameters
    ----------
    predictions : Predictions
    a, b : str
        Two models, with equally many runs unless the metric is the area under the ROC
        curve.
    resamples : int, optional
        Number of exchanges, and of bootstrap samples: 9999, or 1999 for a function.
    seed : int

    Returns
    -------
    AreaTest or ExchangeTest
        By DeLong's test for the area under the ROC curve, with clusters or several runs
        by Student's t of its pseudo-values; otherwise by exchanging the predictions of
        items or clusters, p = (1 + b) / (1 + B).

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
    >>> result = metric_test(Predictions(frame, metric="f1"), "a", "b")
    >>> round(result.estimate, 3), round(result.pvalue, 1)
    (0.333, 0.5)
    """
    name = metric_name(predictions)
    if name == formulas.AREA:
        return _area_test(predictions, a, b)
    if len(predictions.predicted[a]) != len(predictions.predicted[b]):
        raise ValueError(
            f"{a} and {b} must have equally many runs for an exchange of predictions"
        )
    usual = EXCHANGES if name else EXCHANGES_OF_FUNCTION
    metric = weighted_metric(predictions, a, b)
    return exchange_test(metric, n_exchanges=resamples or usual, seed=seed)


def _area_test(predictions: Predictions, a: str, b: str) -> AreaTest:
    values = pseudo_values(predictions)
    clusters = predictions.clusters
    squares = mean_squares(values[a], values[b], groups=clusters)
    test = difference_test(squares, generalize="items")
    single_runs = len(values[a]) == len(values[b]) == 1
    if clusters is not None or not single_runs:
        return AreaTest("t test of DeLong's placement values", test)
    normal = MeanTestResult.from_estimate(
        estimate=squares.estimate,
        standard_error=test.standard_error,
        scale=squares.scale,
        n=squares.items,
        df=np.inf,
        alternative="two-sided",
    )
    return AreaTest("DeLong's test", normal)
