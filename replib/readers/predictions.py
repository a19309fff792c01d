"""Predictions of trained models, and the truth."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replib._labels.coded_classes import note_on_codes_of_classes
from replib._missing import check_policy
from replib._names.things.truth import note_on_truth
from replib._tables.arguments import models_by_name, only_column
from replib._tables.index import advice_on_index
from replib._validation import real_array
from replib.designs import Design, find_design
from replib.readers._matching import (
    Named,
    check_items,
    groups_of_items,
    have_labels,
    in_order_of_keys,
    item_series,
    with_groups,
)
from replib.scores import (
    CLASS_METRICS,
    MatchedPredictions,
    Metric,
    Predictions,
    find_metric,
)

#: Types of numbers that pandas takes as they are.
_PLAIN_NUMBERS = ("bool", "int64", "float64")


def from_predictions(
    y: Any,
    predictions: Mapping[str, Any],
    *,
    metric: str | Metric,
    design: Any = "items",
    clusters: Any = None,
    tasks: Any = None,
    function: Any = None,
    missing: str = "refuse",
) -> Predictions:
    """Read the predictions of several models for the same items.

    Parameters
    ----------
    y : array_like, shape (items,)
        The truth.
    predictions : dict of array_like, shape (items,), (items, 1) or (runs, items)
        By the names of the models, in the order of `y`.  If `y` is a Series with
        labels, Series and DataFrames are matched by them.  For roc_auc_ovr of several
        classes (items, classes) or (runs, items, classes), in the order of the sorted
        classes, as `predict_proba` has them.
    metric : str or Metric
    design : Items or "items"
    clusters : array_like, shape (items,), optional
        Cluster of each item, or its fold if the items were predicted by fold.
    tasks : array_like, shape (items,), optional
        Task of each item of a suite.
    function : callable, optional
        As for :class:`replib.scores.Predictions`.
    missing : {"refuse", "common"}
        As for :class:`replib.scores.Scores`; NaN is a prediction that is missing, and so
        is an item without a label in a Series.

    Returns
    -------
    Predictions

    Raises
    ------
    ValueError
        If the lengths differ, or only some values have labels.

    Examples
    --------
    >>> data = from_predictions([0, 1, 1], {"a": [0, 1, 0], "b": [1, 1, 1]}, metric="f1")
    >>> data.predicted["b"].tolist()
    [[1, 1, 1]]
    """
    check_policy(missing)
    metric = find_metric(metric)
    design = with_groups(find_design(design), clusters, tasks)
    groups = groups_of_items(design, clusters, tasks)
    truth = in_order_of_keys("y", only_column("y", y), design)
    models = {
        name: _predictions_of_model(name, values, design, metric, truth)
        for name, values in models_by_name("predictions", predictions).items()
    }
    if isinstance(truth, pd.Series) and truth.index.nlevels > 1:
        names = truth.index.names
        raise ValueError(advice_on_index("y", names, ["item"], design))
    named = [("y", truth), *models.items(), *groups.values()]
    if isinstance(truth, pd.Series):  # arrays are in its order
        named = [
            (name, values)
            for name, values in named
            if isinstance(values, pd.Series | pd.DataFrame)
        ]
    items: pd.Index = pd.RangeIndex(np.size(truth))
    if have_labels(named):
        items = truth.index
    elif "task" not in groups and missing == "refuse":
        matched = _matched_numbers(truth, models, groups.get(design.clustering))
        if matched is not None:
            return Predictions(
                matched,
                metric=metric,
                design=design,
                function=function,
                notes=_notes_on_truth(truth, models, metric),
            )
    if missing == "common":
        models = {name: _with_all_items(x, items) for name, x in models.items()}
    predicted = {
        name: _labelled_predictions(name, values, items)
        for name, values in models.items()
    }
    frame = pd.concat(predicted, names=["model", "run", "item"])
    frame = frame.rename("prediction").reset_index()
    frame["truth"] = frame["item"].map(item_series("y", truth, items))
    for role, (name, values) in groups.items():
        labels = item_series(name, values, items)
        frame[design.roles[role]] = frame["item"].map(labels)
    return Predictions(
        frame,
        metric=metric,
        design=design,
        function=function,
        missing=missing,
        notes=_notes_on_truth(truth, models, metric),
    )


def _notes_on_truth(
    truth: Any, models: Mapping[str, Any], metric: Metric
) -> tuple[str, ...]:
    """Note a model that has the name and the values of the truth, and codes of classes."""
    name = getattr(truth, "name", None)
    if not isinstance(name, str):
        return ()
    if name not in models:
        arrays = {model: np.asarray(values) for model, values in models.items()}
        note = note_on_codes_of_classes(name, metric.name, np.asarray(truth), arrays)
        return () if note is None else (note,)
    values = models[name]
    if isinstance(values, pd.Series) and values.index.is_unique:
        values = values.reindex(truth.index)
    is_equal = np.array_equal(np.ravel(values), np.ravel(truth))
    return (note_on_truth(name),) if is_equal else ()


def _predictions_of_model(
    name: str, values: Any, design: Design, metric: Metric, truth: Any
) -> Any:
    """Return predictions with an entry for each item, which may have scores of all classes."""
    if metric.name in CLASS_METRICS:
        return _scores_of_classes(name, _in_order_of_classes(values, truth))
    return in_order_of_keys(name, only_column(name, values), design)


def _in_order_of_classes(values: Any, truth: Any) -> Any:
    """Return scores whose columns are called after the classes in the order of these."""
    if not isinstance(values, pd.DataFrame):
        return values
    labels = np.asarray(truth).ravel()
    indices = {str(column): index for index, column in enumerate(values)}
    if {*map(str, pd.unique(labels))} != {*indices}:
        return values  # what is wrong with them is said later
    try:
        classes = np.unique(labels)
    except TypeError:  # texts and numbers
        return values
    return values.iloc[:, [indices[str(label)] for label in classes]]


def _scores_of_classes(name: str, values: Any) -> Any:
    """Return the scores of all classes as one entry, a tuple, for each item."""
    array = real_array(name, values, axes=["items", "classes"])
    entries = np.empty(array.shape[:-1], object)
    rows = array.reshape(-1, array.shape[-1]).tolist()
    for index, row in zip(np.ndindex(entries.shape), rows):
        entries[index] = tuple(row)
    if isinstance(values, pd.DataFrame):
        return pd.Series(entries, values.index)
    return entries


def _matched_numbers(
    y: Any, models: Mapping[str, Any], clusters: Named | None
) -> MatchedPredictions | None:
    """Return numbers without labels or gaps, which need no table; None for anything else.

    A table of a million predictions takes a second.  What it may have to refuse goes
    into one, so that each refusal is written once.
    """
    of_clusters = None if clusters is None else clusters.values
    if any(map(np.ma.isMaskedArray, (y, of_clusters, *models.values()))):
        return None
    truth = np.array(y)
    labels = np.zeros_like(truth) if clusters is None else np.array(of_clusters)
    predicted = {name: np.array(values, ndmin=2) for name, values in models.items()}
    arrays = [truth, labels, *predicted.values()]
    kinds = {array.dtype.kind for array in predicted.values()}
    are_plain = all(array.dtype.name in _PLAIN_NUMBERS for array in arrays)
    # pandas would make objects of numbers beside Booleans
    if not are_plain or ("b" in kinds and len(kinds) > 1):
        return None
    if truth.size < 2 or not _have_shapes_of_items(truth, labels, predicted):
        return None
    if any(array.dtype.kind == "f" and np.isnan(array).any() for array in arrays):
        return None
    common = np.result_type(*predicted.values())
    return MatchedPredictions(
        truth,
        {name: x.astype(common, copy=False) for name, x in predicted.items()},
        None if clusters is None else pd.factorize(labels)[0],
    )


def _have_shapes_of_items(
    truth: NDArray[Any], labels: NDArray[Any], predicted: Mapping[str, NDArray[Any]]
) -> bool:
    """Return whether models have the same number of runs, each with an entry for each item."""
    shapes = {array.shape for array in predicted.values()}
    if truth.ndim != 1 or len(shapes) != 1:
        return False
    _, *shape_of_run = shapes.pop()
    return truth.shape == labels.shape == (*shape_of_run,)


def _with_all_items(values: Any, items: pd.Index) -> Any:
    """Return labelled predictions with a gap for each item that they lack."""
    if isinstance(values, pd.Series) and values.index.is_unique:
        return values.reindex(items)
    if isinstance(values, pd.DataFrame) and values.columns.is_unique:
        return values.reindex(columns=items)
    return values


def _labelled_predictions(name: str, values: Any, items: pd.Index) -> "pd.Series[Any]":
    """Return the predictions of a model with the labels of run and item."""
    if np.shape(values)[-1:] != items.shape or np.ndim(values) > 2:
        raise ValueError(
            f"{name} must have shape {items.shape} or (runs, {len(items)}), not "
            f"{np.shape(values)}; of probabilities give one column"
        )
    if not isinstance(values, pd.DataFrame):
        labels = values.index if isinstance(values, pd.Series) else items
        values = pd.DataFrame(np.atleast_2d(values), columns=labels)
    if not values.columns.is_unique:
        raise ValueError(f"{name} has two predictions for one item")
    check_items(name, values.columns, items)
    return values.T.unstack()
