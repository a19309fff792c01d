r"""Metrics of predictions: means over items, and all others.

A metric that is a mean over items, such as accuracy, gives a score to each item, which
is tested like any such scores.  For two trained models and another metric, the area
under the ROC curve is tested by the method of DeLong et al. (1988), and all others by
exchanging the two models' predictions for an item or cluster at random, with the BCa
bootstrap interval.

*Pseudo-values* turn such a metric into a mean, to first order, for the model of `replib.variance`.
For the area under the ROC curve they are the placement values of DeLong et al., scaled so that
their variance is DeLong's; otherwise those of the jackknife,
:math:`G\hat\theta-(G-1)\hat\theta_{(-g)}`, where g is an item or a cluster.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from replib._validation import Array, finite_array, listed, scores_array, shown
from replib.intervals import ConfidenceInterval
from replib.scores import Predictions
from replib.significance import MeanTestResult, Tails
from replib.variance import difference_test, mean_squares

Codes = NDArray[np.int64]


def _f1(true: Array, predicted: Array, hits: Array) -> Array:
    return 2 * hits / np.maximum(true + predicted, 1)


def _matthews(true: Array, predicted: Array, hits: Array) -> Array:
    n = true.sum(0)
    covariance = hits.sum(0) * n - (true * predicted).sum(0)
    spread = np.sqrt((n**2 - (true**2).sum(0)) * (n**2 - (predicted**2).sum(0)))
    return covariance / np.where(spread > 0, spread, np.inf)


def _r2(n: Array, errors: Array, y: Array, squares: Array) -> Array:
    spread = squares - y**2 / n
    return np.where(spread > 0, 1 - errors / np.where(spread > 0, spread, 1), 0.0)[0]


#: Means over items of a function of truth and prediction, which are classes or numbers.
_OF_ITEMS: dict[str, Callable[..., Any]] = {
    "accuracy": lambda y, p: y == p,
    "error_rate": lambda y, p: y != p,
    "mean_absolute_error": lambda y, p: np.abs(p - y),
    "mean_squared_error": lambda y, p: (p - y) ** 2,
}
#: Functions of how often each class is true, is predicted, and both at once.
_OF_CLASSES: dict[str, Callable[..., Array]] = {
    "balanced_accuracy": lambda true, _, hits: (
        (hits / np.maximum(true, 1)).sum(0) / np.maximum((true > 0).sum(0), 1)
    ),
    "f1": lambda *counts: _f1(*counts)[1],
    "f1_macro": lambda true, predicted, hits: (
        _f1(true, predicted, hits).sum(0) / np.maximum((true + predicted > 0).sum(0), 1)
    ),
    "matthews_corrcoef": _matthews,
}
#: Functions of the number of items, and of sums over them.
_OF_NUMBERS: dict[str, Callable[..., Array]] = {
    "root_mean_squared_error": lambda n, errors, *_: np.sqrt(errors / n)[0],
    "r2": _r2,
}
_KNOWN = ("roc_auc", *_OF_CLASSES, *_OF_NUMBERS, *_OF_ITEMS)
_SAME = {
    "acc": "accuracy",
    "em": "accuracy",
    "exact_match": "accuracy",
    "error": "error_rate",
    "mae": "mean_absolute_error",
    "mse": "mean_squared_error",
    "rmse": "root_mean_squared_error",
}


def _name(predictions: Predictions) -> str:
    """Return the metric's name in the tables above; "" for a function that a person gave."""
    name = _SAME.get(predictions.metric.name, predictions.metric.name)
    if predictions.function is not None:
        return ""
    if name not in _KNOWN:
        raise ValueError(
            f"metric {shown(name)} of predictions needs function=, a function of the truth and the "
            f"predictions of all items: without it there are {', '.join(_KNOWN)}"
        )
    return name


def _checked(predictions: Predictions) -> tuple[NDArray[Any], dict[str, NDArray[Any]]]:
    """Return truth and predictions: codes of classes, numbers, or what a function is given."""
    name, truth = _name(predictions), np.array(predictions.truth.tolist())
    blocks = {model: np.array(x.tolist()) for model, x in predictions.predicted.items()}
    classes, counts = np.unique(truth, return_counts=True)
    if name in ("accuracy", "error_rate", *_OF_CLASSES):
        for model, block in blocks.items():
            own = np.unique(block)
            if (
                set(own.tolist()).isdisjoint(classes.tolist())
                and 2 * len(classes) <= truth.size
            ):
                raise ValueError(
                    f"{model} predicts {listed(own)}, and the classes are "
                    f"{listed(classes)}: code them alike"
                )
        classes = np.unique(np.concatenate([truth, *map(np.ravel, blocks.values())]))
        if name == "f1" and len(classes) != 2:
            raise ValueError(
                f"f1 needs two classes, not {listed(classes)}: say f1_macro"
            )
        truth, code = np.searchsorted(classes, truth), np.searchsorted
        blocks = {model: code(classes, block) for model, block in blocks.items()}
    elif name:
        blocks = {
            model: scores_array(f"{model}'s predictions", x)
            for model, x in blocks.items()
        }
        if name != "roc_auc":
            truth = scores_array("truth", truth)
        elif len(classes) == 2 and counts.min() > 1:
            truth = truth == classes[1]
        else:
            raise ValueError(
                f"roc_auc needs two classes of two items or more, not {listed(classes)}"
            )
    return truth, blocks


def item_scores(predictions: Predictions) -> dict[str, Array] | None:
    """Return the score of each item, if the metric is a mean over items.

    Parameters
    ----------
    predictions : Predictions

    Returns
    -------
    dict of ndarray, shape (runs, items), or None

    Raises
    ------
    ValueError
        If the metric is not known and has no function, or the predictions do not fit
        it.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"model": list("aabb"), "item": [1, 2, 1, 2], "truth": [3, 5, 3, 5],
    ...                       "prediction": [4, 5, 1, 5]})
    >>> item_scores(Predictions(frame, metric="mean_absolute_error"))["b"].tolist()
    [[2.0, 0.0]]
    """
    if (name := _name(predictions)) not in _OF_ITEMS:
        return None
    truth, blocks = _checked(predictions)
    return {
        model: np.asarray(_OF_ITEMS[name](truth, x), float)
        for model, x in blocks.items()
    }


def _metric(
    predictions: Predictions, *models: str
) -> tuple[Callable[[NDArray[Any]], Array], Codes, Codes]:
    """Return the metric of each run as a function of how often each unit of each model counts.

    Units are clusters or, without clusters, distinct items; also returned are the unit
    of each item, and how often each unit is there.
    """
    name, clusters, (truth, checked) = (
        _name(predictions),
        predictions.clusters,
        _checked(predictions),
    )
    blocks = np.stack(
        [checked[model] for model in models], axis=1
    )  # runs, models, items
    unit = np.arange(truth.size) if clusters is None else clusters
    counts = np.ones(unit.max() + 1, int)
    if not name:
        truth, blocks = np.tile(truth, len(models)), blocks.reshape(len(blocks), -1)
        of_both = np.add.outer(np.arange(len(models)) * counts.size, unit).ravel()
        chosen = lambda weight: np.repeat(
            np.arange(truth.size), weight[of_both].astype(int)
        )
        return (
            lambda weights: finite_array(
                "values of function",
                [
                    [
                        predictions.function(truth[items], row[items])
                        for items in map(chosen, weights)
                    ]
                    for row in blocks
                ],
            ).reshape(len(blocks), len(weights)),
            unit,
            counts,
        )
    if clusters is None:
        table, unit, counts = np.unique(
            np.vstack([truth[None], blocks.reshape(-1, truth.size)]),
            axis=1,
            return_inverse=True,
            return_counts=True,
        )
        truth, blocks = table[0], table[1:].reshape(*blocks.shape[:2], -1)
    if name in _OF_CLASSES:
        labels = np.arange(max(truth.max(), blocks.max()) + 1).reshape(-1, 1, 1, 1)
        parts = [
            labels == truth,
            labels == blocks,
            (labels == truth) & (labels == blocks),
        ]
    else:
        y, p = truth - truth.mean(), blocks - truth.mean()
        parts = [x[None] for x in (np.ones(y.shape), (p - y) ** 2, y, y**2)]
    sums = np.stack(np.broadcast_arrays(*parts)).astype(
        float
    )  # part, class, run, model, item
    if clusters is not None:
        sums = np.apply_along_axis(lambda x: np.bincount(clusters, x), -1, sums)
    shape, sums = sums.shape[:3], sums.reshape(-1, len(models) * counts.size)
    return (
        lambda weights: (_OF_CLASSES | _OF_NUMBERS)[name](
            *(sums @ weights.T.astype(float)).reshape(*shape, -1)
        ),
        unit,
        counts,
    )


def _in_blocks(of: Callable[[Codes], Array], n: int, units: int) -> Array:
    """Return the results for the numbers up to n, in blocks of a few megabytes."""
    block = max(1, 2_000_000 // units)
    return np.concatenate(
        [of(np.arange(at, min(at + block, n))) for at in range(0, n, block)], axis=-1
    )


def _left_out(value: Callable[[NDArray[Any]], Array], counts: Codes) -> Array:
    """Return values without one of each distinct unit."""
    without = lambda rows: value(counts - (rows[:, None] == np.arange(counts.size)))
    return _in_blocks(without, counts.size, counts.size)


def _placements(positive: NDArray[np.bool_], scores: Array) -> Array:
    """Return pseudo-values of the area under the ROC curve, for each run."""
    n, placed = positive.size, np.empty(scores.shape)
    ranks: Callable[[Array], Array] = lambda x: pd.DataFrame(x).rank(axis=1).to_numpy()
    overall = ranks(scores)
    for which in (positive, ~positive):
        mine, others = int(which.sum()), int((~which).sum())
        below = (overall[:, which] - ranks(scores[:, which])) / others
        area = below if which is positive else 1 - below
        mean = area.mean(axis=1, keepdims=True)
        # the mean square of all items is then the sum of DeLong's two mean squares
        scale = n / mine * np.sqrt(mine / (mine - 1) * (n - 1) / n)
        placed[:, which] = mean + scale * (area - mean)
    return placed


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
        If the metric is not known and has no function, or the predictions do not fit
        it.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"model": list("aaaabbbb"), "item": [1, 2, 3, 4] * 2, "truth":
    ...                       [0, 0, 1, 1] * 2, "prediction": [.1, .6, .3, .9, .1, .2, .3, .9]})
    >>> pseudo_values(Predictions(frame, metric="roc_auc"))["b"].tolist()
    [[1.0, 1.0, 1.0, 1.0]]
    """
    if _name(predictions) == "roc_auc":
        positive, blocks = _checked(predictions)
        return {model: _placements(positive, x) for model, x in blocks.items()}
    values = {}
    for model in predictions.models:
        value, unit, counts = _metric(predictions, model)
        left_out, units = _left_out(value, counts), counts.sum()
        change = np.average(left_out, axis=-1, weights=counts)[:, None] - left_out
        share = (units - 1) / units * unit.size / (np.bincount(unit) / counts)
        values[model] = value(counts[None]) + (share * change)[:, unit]
    return values


@dataclass(frozen=True, eq=False)
class MetricTest:
    """Test of the difference of two trained models in a metric, on new items.

    Attributes
    ----------
    estimate : float
        Metric of A minus metric of B, means over runs.
    statistic, df, pvalue : float
        The degrees of freedom are NaN for a permutation test, whose statistic is the
        estimate.
    name : str
    confidence_interval : callable
        From a confidence level, 0.95 by default, to an interval of the difference.
    tails : callable
        From a shift to the one-sided tests whether the difference is above, and whether
        it is below it; beside a permutation test, the levels at which the limits of the
        BCa interval pass the shift.
    """

    estimate: float
    statistic: float
    df: float
    pvalue: float
    name: str
    confidence_interval: Callable[..., ConfidenceInterval]
    tails: Callable[[float], Tails]


def _delong(predictions: Predictions, a: str, b: str) -> MetricTest:
    values, clusters = pseudo_values(predictions), predictions.clusters
    plain = clusters is None and len(values[a]) == len(values[b]) == 1
    squares = mean_squares(values[a], values[b], groups=clusters)
    test = difference_test(squares, generalize="items")
    if plain:
        test = MeanTestResult.from_estimate(
            estimate=squares.estimate,
            standard_error=test.standard_error,
            scale=squares.scale,
            n=squares.items,
            df=np.inf,
            alternative="two-sided",
        )
    return MetricTest(
        test.estimate,
        test.statistic,
        test.df,
        test.pvalue,
        "DeLong's test" if plain else "t test of DeLong's placement values",
        test.confidence_interval,
        test.tails,
    )


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
    MetricTest
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
    if (name := _name(predictions)) == "roc_auc":
        return _delong(predictions, a, b)
    if len(predictions.predicted[a]) != len(predictions.predicted[b]):
        raise ValueError(
            f"{a} and {b} must have equally many runs for an exchange of predictions"
        )
    value, _, counts = _metric(predictions, a, b)
    n, rng, units = (
        resamples or (9999 if name else 1999),
        np.random.default_rng(seed),
        counts.sum(),
    )

    def difference(own: NDArray[Any], lent: NDArray[Any] | None = None) -> Array:
        """Return A minus B, where some units of each model count for the other one."""
        lent = 0 * own if lent is None else lent
        of_a, of_b = value(np.hstack([own, lent])), value(np.hstack([lent, own]))
        return np.asarray((of_a - of_b).mean(axis=0))

    def exchanged(rows: Codes) -> Array:
        moved = rng.binomial(counts, 0.5, size=(rows.size, counts.size))
        return difference(counts - moved, moved)

    drawn = lambda rows: difference(
        rng.multinomial(units, counts / units, size=rows.size)
    )
    estimate = float(difference(counts[None])[0])
    exceeding = np.abs(_in_blocks(exchanged, n, counts.size)) >= abs(estimate) - 1e-12
    return MetricTest(
        estimate,
        estimate,
        np.nan,
        (1 + int(exceeding.sum())) / (1 + n),
        f"permutation test with {n} exchanges",
        *_bca(
            np.sort(_in_blocks(drawn, n, counts.size)),
            estimate,
            _left_out(difference, counts),
            counts,
        ),
    )


def _bca(
    drawn: Array, estimate: float, left_out: Array, counts: Codes
) -> tuple[Callable[..., ConfidenceInterval], Callable[[float], Tails]]:
    """Return the BCa interval, and the levels at which its limits pass a shift."""
    n = len(drawn)

    def below(shift: float) -> Array:
        """Return the shares of draws below the shift and up to it, neither 0 nor 1."""
        shares = np.searchsorted(drawn, [shift - 1e-12, shift + 1e-12]) / n
        return np.clip(shares, 1 / (n + 1), n / (n + 1))

    influence = np.average(left_out, weights=counts) - left_out
    spread = (counts * influence**2).sum()
    slope = (counts * influence**3).sum() / (6 * spread**1.5) if spread else 0.0
    bias = special.ndtri(below(estimate).mean())

    def interval(confidence_level: float = 0.95) -> ConfidenceInterval:
        z = bias + special.ndtri(
            np.array([1 - confidence_level, 1 + confidence_level]) / 2
        )
        return ConfidenceInterval(
            *np.quantile(drawn, special.ndtr(bias + z / (1 - slope * z))).tolist()
        )

    def tails(shift: float) -> Tails:
        z = special.ndtri(below(shift)) - bias
        z = z / (1 + slope * z) - bias
        return Tails(*special.ndtr([z[1], -z[0]]).tolist())

    return interval, tails


def value(predictions: Predictions, model: str) -> float:
    """Return the metric of a model, the mean over its runs.

    Parameters
    ----------
    predictions : Predictions
    model : str

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If the metric is not known and has no function, or the predictions do not fit
        it.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"model": list("aabb"), "item": [1, 2, 1, 2], "truth": [3, 5, 3, 5],
    ...                       "prediction": [4, 5, 1, 5]})
    >>> value(Predictions(frame, metric="r2"), "a")
    0.5
    """
    if _name(predictions) in _OF_CLASSES | _OF_NUMBERS | {"": None}:
        of, _, counts = _metric(predictions, model)
        return float(of(counts[None]).mean())
    return float((item_scores(predictions) or pseudo_values(predictions))[model].mean())
