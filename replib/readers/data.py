"""Data in whatever form a person has them."""

import os
from collections.abc import Mapping
from typing import Any

import pandas as pd

from replib import _formats, _reports
from replib._validation import shown
from replib.designs import Items, find_design
from replib.readers._long import long_table
from replib.readers.arrays import from_arrays
from replib.readers.files import read
from replib.readers.predictions import from_predictions
from replib.readers.scikit_learn import (
    design_of_indices,
    from_cross_validate,
    from_search,
)
from replib.scores import Predictions, Scores, find_metric


def as_data(
    data: Any, *, design: Any = None, metric: Any = None
) -> Scores | Predictions:
    """Return the table that any kind of data describes.

    Parameters
    ----------
    data : Scores, Predictions, DataFrame, dict, fitted search, path or list of paths
        A DataFrame has columns `model` and `score` (or one that is called after the
        metric), or `model`, `truth` and `prediction`.  A dict has arrays by model, as for
        :func:`from_arrays`; paths by model; what `cross_validate` returned, as for
        :func:`from_cross_validate`; or reports of skore, as a `ComparisonReport` has.
        See :func:`from_search` and :func:`read` for the others.
    design, metric : optional
        As for :class:`replib.scores.Scores`.  A table has its own already.

    Returns
    -------
    Scores or Predictions

    Raises
    ------
    ValueError
        If it is nothing of this, or a table has another design or metric.

    Examples
    --------
    >>> as_data({"a": [.8, .9], "b": [.7, .6]}, design="seeds", metric="accuracy").models
    ('a', 'b')
    """
    if isinstance(data, Scores | Predictions):
        _check_declared(data, design, metric)
        return data
    if isinstance(data, pd.DataFrame):
        return long_table(data, _formats.Request(design=design, metric=metric))
    reports = _reports.reports_of(data)
    if reports is not None:
        return _from_reports(reports, design, metric)
    if hasattr(data, "cv_results_"):
        return from_search(data, design=design, metric=metric)
    if isinstance(data, Mapping) and _has_results(data):
        return from_cross_validate(data, design=design, metric=metric)
    if isinstance(data, Mapping) and data and all(map(_is_path, data.values())):
        return read(data, design=design, metric=metric)
    if isinstance(data, Mapping):
        return from_arrays(data, design=design, metric=metric)
    paths = data if isinstance(data, list | tuple) else [data]
    if paths and all(map(_is_path, paths)):
        return read(*paths, design=design, metric=metric)
    raise ValueError(
        "data must be Scores, Predictions, a DataFrame with a row per score, a dict "
        f"of arrays by model, or paths, not {shown(data)}"
    )


def _is_path(value: Any) -> bool:
    return isinstance(value, str | os.PathLike)


def _has_results(data: Mapping[Any, Any]) -> bool:
    """Return whether a dict has what `cross_validate` returned, by model."""
    return bool(data) and all(
        isinstance(result, Mapping)
        and any(str(entry).startswith("test_") for entry in result)
        for result in data.values()
    )


def _from_reports(
    reports: Mapping[str, Any], design: Any, metric: Any
) -> Scores | Predictions:
    """Return the scores on the splits of reports, or the predictions for their test set."""
    metric = find_metric(metric)
    if _reports.is_cross_validation(reports):
        arrays, splits = _reports.scores_on_splits(reports, metric)
        design = design_of_indices(splits, design)
        return from_arrays(arrays, design=design, metric=metric)
    truth, predictions = _reports.predictions_of(reports, metric)
    design = Items() if design is None else design
    return from_predictions(truth, predictions, design=design, metric=metric)


def _check_declared(data: Scores | Predictions, design: Any, metric: Any) -> None:
    """Refuse a design or metric other than those that a table has already."""
    if design is not None and find_design(design) != data.design:
        raise ValueError(
            f"design is {design}, and the data have {data.design}: leave design= out"
        )
    if metric is not None and find_metric(metric) != data.metric:
        raise ValueError(
            f"metric is {metric}, and the data have {data.metric}: leave metric= out"
        )
