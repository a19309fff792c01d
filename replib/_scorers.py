"""Scorers of scikit-learn, by the name of a metric and the class that it is about."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import metrics
from sklearn.base import is_classifier, is_regressor

from replib._names.metrics.directions import direction_of_metric
from replib._positive import positive_class
from replib._validation import listed, shown
from replib.scores import METRICS_OF_ONE_CLASS, Metric

#: Names of metrics that scikit-learn writes otherwise.
_NAMES_OF_SCORERS = {
    "acc": "accuracy",
    "brier": "brier_score",
    "brier_score_loss": "brier_score",
    "cross_entropy": "log_loss",
    "mae": "mean_absolute_error",
    "mse": "mean_squared_error",
    "rmse": "root_mean_squared_error",
}
#: Functions whose value depends on which of two classes is the positive one, by the
#: names of their scorers, and what their scorers take from an estimator.  (The area
#: under the ROC curve and the log loss are the same for both.)
_OF_ONE_CLASS: dict[str, tuple[Any, dict[str, Any]]] = {
    "average_precision": (
        metrics.average_precision_score,
        {"response_method": ("decision_function", "predict_proba")},
    ),
    "f1": (metrics.f1_score, {}),
    "jaccard": (metrics.jaccard_score, {}),
    "neg_brier_score": (
        metrics.brier_score_loss,
        {"greater_is_better": False, "response_method": "predict_proba"},
    ),
    "precision": (metrics.precision_score, {}),
    "recall": (metrics.recall_score, {}),
}


@dataclass(frozen=True)
class _Loss:
    """A scorer of a loss, whose sign scikit-learn has turned, with its own sign."""

    negative: Any

    def __call__(self, estimator: Any, X: Any, y: Any) -> float:
        return -float(self.negative(estimator, X, y))


@dataclass(frozen=True)
class Scoring:
    """How fitted estimators are scored.

    Attributes
    ----------
    metric : Metric
    scorer : callable
        Of an estimator, X and y.
    name : str
        Scikit-learn's of the scorer; "" for one that a person gave.
    """

    metric: Metric
    scorer: Any
    name: str = ""

    def scorer_of(self, y: Any) -> Any:
        """Return the scorer for data with the target y, of the class that the metric is about.

        Raises
        ------
        ValueError
            If the metric needs two classes, or does not say which of two is meant.
        """
        positive = self._positive_class(y)
        scorer = self.scorer
        if positive is not None and self.name in _OF_ONE_CLASS:
            function, options = _OF_ONE_CLASS[self.name]
            scorer = metrics.make_scorer(function, pos_label=positive, **options)
        is_loss = self.name.startswith("neg_") and self.metric.better == "lower"
        return _Loss(scorer) if is_loss else scorer

    def _positive_class(self, y: Any) -> Any:
        """Return the class that the metric is about, or None if there is no need to know."""
        is_of_one_class = self.metric.name in METRICS_OF_ONE_CLASS
        if not self.name or not is_of_one_class or np.ndim(y) != 1:
            return None
        classes = np.unique(np.asarray(y))
        if len(classes) != 2:
            self._check_several(classes)
            return None
        if self.name not in _OF_ONE_CLASS and self.metric.positive is None:
            return None
        return positive_class(self.metric, classes)

    def _check_several(self, classes: NDArray[Any]) -> None:
        """Refuse several classes where the metric is about one of two."""
        of_all = f"{self.name}_macro"
        if of_all in metrics.get_scorer_names():
            raise ValueError(
                f"{self.metric} needs two classes, not {listed(classes)}: say {of_all}"
            )
        if self.metric.positive is not None:
            raise ValueError(f"{self.metric} needs two classes, not {listed(classes)}")


def find_scoring(metric: Any, estimators: Sequence[Any]) -> Scoring:
    """Return how estimators are scored by a metric, by its name, or by a scorer.

    Parameters
    ----------
    metric : str, Metric, callable or None
        If None, accuracy of classifiers and R² of regressors.
    estimators : sequence of estimator

    Raises
    ------
    ValueError
        If there is no such scorer, or its sign contradicts its name.

    Examples
    --------
    >>> find_scoring("rmse", []).name
    'neg_root_mean_squared_error'
    """
    if metric is None:
        metric = _usual_metric(estimators)
    if callable(metric):
        _check_sign(metric)
        name = getattr(metric, "__name__", "score")
        return Scoring(Metric(name, better="higher"), metric)
    name = metric.name if isinstance(metric, Metric) else metric
    scorer_name = _name_of_scorer(name)
    if scorer_name is None:
        raise ValueError(
            "metric must be a scorer, or its name in sklearn.metrics."
            f"get_scorer_names(), not {shown(name)}"
        )
    if not isinstance(metric, Metric):
        # all scorers are better higher, but not the losses whose sign was turned
        metric = Metric(name, better="higher" if name == scorer_name else None)
    return Scoring(metric, metrics.get_scorer(scorer_name), scorer_name)


def _usual_metric(estimators: Sequence[Any]) -> str | None:
    if all(map(is_classifier, estimators)):
        return "accuracy"
    if all(map(is_regressor, estimators)):
        return "r2"
    return None


def _name_of_scorer(metric: Any) -> str | None:
    """Return scikit-learn's name of the scorer of a metric, or of its negative; None if unknown.

    >>> _name_of_scorer("f1"), _name_of_scorer("mae"), _name_of_scorer("speed")
    ('f1', 'neg_mean_absolute_error', None)
    """
    if not isinstance(metric, str):
        return None
    name = _NAMES_OF_SCORERS.get(metric, metric)
    known = metrics.get_scorer_names()
    return next((scorer for scorer in (name, f"neg_{name}") if scorer in known), None)


def _check_sign(scorer: Any) -> None:
    """Refuse a scorer whose sign contradicts the name of its function."""
    match = re.match(
        r"make_scorer\((?P<name>\w+)(?P<turned>, greater_is_better=False)?",
        repr(scorer),
    )
    if match is None:
        return
    name = match["name"]
    sign = "higher" if match["turned"] is None else "lower"
    by_name = direction_of_metric(name.removesuffix("_score")) or direction_of_metric(
        name
    )
    if by_name in (None, sign):
        return
    is_gain = by_name == "higher"
    raise ValueError(
        f"{name} is by its name better {by_name}, and the scorer says {sign}: give "
        f"make_scorer({name}, greater_is_better={is_gain})"
    )
