"""Reports of skore: fitted estimators with their test sets, recognised by their attributes.

A ``ComparisonReport`` has `reports_`, a dict by name; a ``CrossValidationReport`` has
`split_indices`, and a list of `reports_`, which was called `estimator_reports_` before 0.28;
an ``EstimatorReport`` has `estimator_`, `X_test` and `y_test`
(``skore/_sklearn/_comparison/report.py``, ``_cross_validation/report.py`` and
``_estimator/report.py`` of probabl-ai/skore).  Scores are computed by scikit-learn.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from replib._validation import Array, listed, shown
from replib.scores import CLASS_METRICS, PROBABILITY_METRICS, Metric


class SplitScores(NamedTuple):
    """Scores of each model on each split, and the row numbers of the splits."""

    arrays: dict[str, Array]
    splits: list[Any]


class OneTestSet(NamedTuple):
    """The truth of a test set, and what each model predicts."""

    truth: Any
    predictions: dict[str, Any]


def reports_of(data: Any) -> dict[str, Any] | None:
    """Return the reports that are compared, by the names of the models; None for other data."""
    reports = getattr(data, "reports_", data)
    if not isinstance(reports, Mapping) or not reports:
        return None
    if not all(map(_is_report, reports.values())):
        return None
    return {str(name): report for name, report in reports.items()}


def _is_report(data: Any) -> bool:
    return hasattr(data, "split_indices") or hasattr(data, "y_test")


def is_cross_validation(reports: Mapping[str, Any]) -> bool:
    """Return whether reports are about the splits of a data set, not about one test set."""
    are_of_splits = {hasattr(x, "split_indices") for x in reports.values()}
    if len(are_of_splits) > 1:
        raise ValueError("reports must be of cross-validation, or of one test set")
    return are_of_splits.pop()


def scores_on_splits(reports: Mapping[str, Any], metric: Metric) -> SplitScores:
    """Return the scores of the models on the splits, which must be the same for all."""
    # loaded here, because most who read files need no scikit-learn
    metrics = import_module("sklearn.metrics")
    if metric.name not in metrics.get_scorer_names():
        raise ValueError(
            f"metric {shown(metric.name)} is no scorer of scikit-learn, by which reports "
            "are scored"
        )
    scorer = metrics.get_scorer(metric.name)
    arrays = {}
    splits: list[Any] = []
    for name, report in reports.items():
        report_splits = [
            (np.asarray(train).tolist(), np.asarray(test).tolist())
            for train, test in report.split_indices
        ]
        if splits not in ([], report_splits):
            raise ValueError(
                f"{name} was scored on other splits than the models before it: give all "
                "models the same splitter, with random_state="
            )
        splits = report_splits
        arrays[name] = np.array(
            [scorer(r.estimator_, r.X_test, r.y_test) for r in _of_splits(report)]
        )
    return SplitScores(arrays, splits)


def _of_splits(report: Any) -> Any:
    """Return the reports on the splits, which have had two names."""
    older = getattr(report, "estimator_reports_", None)
    return report.reports_ if older is None else older


def predictions_of(reports: Mapping[str, Any], metric: Metric) -> OneTestSet:
    """Return what the models predict for their test set, which must be the same for all."""
    first, *other_names = reports
    truth = np.asarray(reports[first].y_test)
    for name in other_names:
        if not np.array_equal(truth, np.asarray(reports[name].y_test)):
            raise ValueError(f"{first} and {name} have different test sets")
    return OneTestSet(
        truth,
        {name: _predicted(name, report, metric) for name, report in reports.items()},
    )


def _predicted(name: str, report: Any, metric: Metric) -> Array:
    """Return the classes or numbers that a model predicts, or probabilities of a class."""
    estimator = report.estimator_
    if metric.name not in (*PROBABILITY_METRICS, *CLASS_METRICS):
        return np.asarray(estimator.predict(report.X_test))
    if not hasattr(estimator, "predict_proba"):
        raise ValueError(
            f"{name} predicts no probabilities, which {metric} needs: calibrate it"
        )
    if metric.name in CLASS_METRICS:
        return np.asarray(estimator.predict_proba(report.X_test))
    classes = [str(label) for label in estimator.classes_]
    positive = classes[-1] if metric.positive is None else str(metric.positive)
    if positive not in classes:
        raise ValueError(
            f"positive must be one of the classes {listed(classes)}, not {positive!r}"
        )
    probabilities = np.asarray(estimator.predict_proba(report.X_test))
    return probabilities[:, classes.index(positive)]
