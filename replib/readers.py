"""Readers: arrays, wide tables, results of scikit-learn and files that become one table of scores.

Values without labels are labelled by their position, in the order that each docstring
states.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replib import _readers, _reports, _sources
from replib._bars import with_bar
from replib._comparable import without_settings
from replib._missing import check_policy
from replib._names.columns import may_describe_data, measured_by_name
from replib._names.roles import MODELS, is_word_of_labels, label_names
from replib._rows import Coded, Rows
from replib._sources import counts_rows
from replib._strata import strata_of_labels
from replib._tables import (
    advice_on_index,
    check_labels,
    chosen_rows,
    index_keys,
    label_word,
    models_by_name,
    only_column,
    quoted,
    refuse_measured_clusters,
    role_columns,
    score_column,
    with_levels_as_columns,
)
from replib._validation import (
    Array,
    check_instance,
    listed,
    one_line,
    real_array,
    refusal,
    set_fields,
    shown,
)
from replib.designs import (
    CV,
    Datasets,
    Design,
    Items,
    RandomSplits,
    Seeds,
    design_of_splits,
    find_design,
)
from replib.scores import (
    CLASS_METRICS,
    MatchedArrays,
    MatchedPredictions,
    Metric,
    Predictions,
    Scores,
    find_metric,
)

#: Candidates of a search that a note names.
_MOST_FAILED_NAMED = 5
#: Types of numbers that pandas takes as they are.
_PLAIN_NUMBERS = ("bool", "int64", "float64")
#: So many rows are counted by a column only if it counts them.
_FEWEST_COUNTED = 5
#: Such as "resnet_std", beside a column "resnet" or "resnet_mean".
_NAME_OF_ERROR = (
    r"(?P<model>.+?)(?:[ _.-](?:std|sd|stdev|se|sem|stderr|err|ci|ci ?95)\.?"
    r"|[ _]?(?:±|\+/-))|(?:std|sd|stdev|se|sem|stderr)[ _.-](?P<behind>.+)"
)


def from_arrays(
    arrays: Mapping[str, Any],
    *,
    design: Any,
    metric: str | Metric,
    clusters: Any = None,
    tasks: Any = None,
    missing: str = "refuse",
) -> Scores:
    """Read an array of scores per model.

    Parameters
    ----------
    arrays : dict of array_like, Series or DataFrame
        By the names of the models.  Shapes: (runs, folds) or (runs * folds,), all folds
        of the first run first; (splits,); (seeds,); (items,) or (runs, items);
        (datasets,), and if the design says what was done on each data set, (datasets,
        runs, folds), (datasets, runs * folds), (datasets, splits) or (datasets, seeds).
        Arrays without labels have the same order; Series and DataFrames are matched by
        their labels, unless these only count the rows.
    design : design, text or splitter
        As for :func:`replib.designs.find_design`.
    metric : str or Metric
    clusters : array_like, shape (items,), optional
        Cluster of each item, or its fold if the items were predicted by fold.
    tasks : array_like, shape (items,), optional
        Task of each item of a suite.
    missing : {"refuse", "common"}
        As for :class:`replib.scores.Scores`; NaN is a score that is missing.

    Returns
    -------
    Scores

    Raises
    ------
    ValueError
        If shapes do not fit the design or each other, or only some arrays have labels.

    Examples
    --------
    >>> scores = from_arrays({"a": [.8, .9, .7, .8], "b": [.7, .9, .6, .8]}, design="2x2",
    ...                      metric="accuracy")
    >>> scores.blocks["a"].tolist()
    [[0.8, 0.9], [0.7, 0.8]]
    """
    check_policy(missing)
    arrays = models_by_name("arrays", arrays)
    metric = find_metric(metric)
    design = _with_groups(find_design(design), clusters, tasks)
    groups = _groups_of_items(design, clusters, tasks)
    arrays = {
        name: _in_order_of_keys(name, values, design) for name, values in arrays.items()
    }
    if not _have_labels([*arrays.items(), *groups.values()]):
        matched = _matched_by_position(arrays, design, groups)
        if missing == "refuse":
            return Scores(matched, metric=metric, design=design, missing=missing)
        arrays = {
            model: _as_series(array, design) for model, array in matched.arrays.items()
        }

    series = _labelled_scores(arrays, design)
    frame = series.reset_index()
    # a refusal then names rows by all their labels
    frame = frame.set_axis(series.index.rename([None] * series.index.nlevels))
    for role, (name, values) in groups.items():
        items = pd.Index(frame["item"].unique())
        labels = _item_series(name, values, items)
        frame[design.roles[role]] = frame["item"].map(labels)
    return Scores(frame, metric=metric, design=design, missing=missing)


def _as_series(array: Array, design: Design) -> "pd.Series[Any]":
    """Return an array with its places as labels of the keys of the design."""
    places = pd.MultiIndex.from_product(
        [range(size) for size in array.shape], names=design.keys
    )
    index = places if len(design.keys) > 1 else places.get_level_values(0)
    return pd.Series(array.ravel(), index)


class _Named(NamedTuple):
    """Values of the items, and the argument that has them."""

    name: str
    values: Any


def _groups_of_items(design: Design, clusters: Any, tasks: Any) -> dict[str, _Named]:
    """Return by their roles what the items are grouped by."""
    groups = {}
    if design.clustering is not None:
        refuse_measured_clusters(clusters)
        groups[design.clustering] = _Named("clusters", clusters)
    if tasks is not None:
        groups["task"] = _Named("tasks", tasks)
    return groups


def _matched_by_position(
    arrays: Mapping[str, Any], design: Design, groups: Mapping[str, _Named]
) -> MatchedArrays:
    """Return arrays without labels, which must have the same shapes."""
    shaped = {name: _shaped(name, values, design) for name, values in arrays.items()}
    first, *_ = shaped
    # the runs of a model are its own, unless they are paired
    has_runs = isinstance(design, Seeds | Items) and design.keys[0] == "run"
    has_own_runs = has_runs and not getattr(design, "paired", True)
    common = slice(1, None) if has_own_runs else slice(None)
    for name, array in shaped.items():
        if array.shape[common] != shaped[first].shape[common]:
            raise ValueError(
                f"{first} and {name} must have equal shapes, not "
                f"{np.shape(arrays[first])} and {np.shape(arrays[name])}"
            )
    items = pd.RangeIndex(shaped[first].shape[-1])
    labels = {
        role: _item_series(name, np.asarray(values), items)
        for role, (name, values) in groups.items()
    }
    clusters = None
    if design.clustering is not None:
        clusters, _ = pd.factorize(labels[design.clustering])
    strata = None
    if isinstance(design, Items) and "task" in labels:
        check_labels("task", labels["task"].unique())
        strata = strata_of_labels(labels["task"], None, design)
    return MatchedArrays(shaped, clusters, strata)


def _labelled_scores(arrays: Mapping[str, Any], design: Design) -> "pd.Series[Any]":
    """Return the scores of all models with the labels of model and keys of the design."""
    possible = (len(design.needed), len(design.keys))
    labelled: dict[str, Any] = {}
    n_levels = None
    for name, values in arrays.items():
        # rows first: the first key of a table is that of its index
        series = values.T.unstack() if isinstance(values, pd.DataFrame) else values
        n_levels = n_levels or series.index.nlevels
        if series.index.nlevels != n_levels or n_levels not in possible:
            raise ValueError(
                f"{name} must have labels of {listed(design.needed)}, or be an array "
                "without labels"
            )
        labelled[name] = _with_keys(name, series, design.keys[-n_levels:], design)
    return pd.concat(labelled, names=["model"]).rename("score")


def _with_keys(
    name: str, series: "pd.Series[Any]", keys: Sequence[str], design: Design
) -> "pd.Series[Any]":
    """Return a series whose levels are keys of the design, in the design's order."""
    own = index_keys(name, series.index.names, keys, design)
    series = series.rename_axis(own)
    return series if len(keys) == 1 else series.reorder_levels(list(keys))


def _in_order_of_keys(name: str, values: Any, design: Design) -> Any:
    """Return values with a row per run, as the names of their axes say, if they have any.

    Also of labels that only count: these are read by their place.
    """
    if isinstance(values, pd.DataFrame) and len(design.keys) == 2:
        names = [values.index.name, values.columns.name]
        own = index_keys(name, names, design.keys, design)
        return values if own == list(design.keys) else values.T
    if isinstance(values, pd.Series) and values.index.nlevels == 1:
        index_keys(name, values.index.names, design.keys[-1:], design)
    return values


def from_wide(
    frame: pd.DataFrame,
    *,
    design: Any,
    metric: str | Metric,
    columns: Mapping[str, Any] | None = None,
    where: Mapping[str, Any] | None = None,
    missing: str = "refuse",
) -> Scores:
    """Read a table with a column per model; of one with a row per model give the transpose.

    Parameters
    ----------
    frame : DataFrame
        A row per split, seed, item or data set.  Columns `run`, `fold`, `item`,
        `dataset` and the cluster are labels, also under names such as `seed` and
        `question_id`, as is an index of items or data sets; all other columns are models.
        Without such columns the rows are all folds of the
        first run first, then those of the next.
    design : design, text or splitter
    metric : str or Metric
    columns : mapping, optional
        Names of columns with other names, as for :class:`replib.scores.Scores`, such as
        ``{"dataset": "task", "ignored": ["date"]}``.
    where : mapping, optional
        Values of columns that choose the rows.
    missing : {"refuse", "common"}
        As for :class:`replib.scores.Scores`; an empty cell is a score that is missing.

    Returns
    -------
    Scores

    Raises
    ------
    ValueError
        If a column is not numeric or the rows do not fit the design.

    Examples
    --------
    >>> table = pd.DataFrame({"dataset": ["iris", "wine"], "a": [.9, .8], "b": [.7, .9]})
    >>> scores = from_wide(table, design="datasets", metric="accuracy")
    >>> scores.units, scores.blocks["b"].tolist()
    (['iris', 'wine'], [0.7, 0.9])
    """
    check_instance("frame", frame, pd.DataFrame)
    design = find_design(design)
    metric = find_metric(metric)
    check_instance("columns", columns, Mapping, type(None))
    check_instance("where", where, Mapping, type(None))
    frame = _with_index_as_columns(frame, design, columns or {}, where or {})
    columns = _with_identifiers(frame, design, columns)
    labels, scores = role_columns(frame, design.roles, columns, where, design.needed)
    absent = _missing_keys(labels, design)
    labels = _with_counted_keys(labels, absent, design)
    _check_models(scores, absent, design, metric)
    _refuse_transposed(scores, design)
    long = _row_per_score(labels, scores, design)
    # columns of clusters and tasks are called after their roles, not as the design says
    own = {role: role for role in design.roles if role not in design.keys}
    return Scores(long, metric=metric, design=design, columns=own, missing=missing)


def _with_identifiers(
    frame: pd.DataFrame, design: Design, columns: Mapping[str, Any] | None
) -> Mapping[str, Any] | None:
    """Return the columns, with that of the items or data sets if it is called "id"."""
    unit = design.unit
    declared = columns or {}
    if unit is None or unit in declared or design.roles[unit] in frame:
        return columns
    names = label_names(unit)
    if any(str(name).strip().casefold() in names for name in frame):
        return columns
    found = [
        name
        for name in frame
        if measured_by_name(name) == "identifiers"
        and name not in declared.values()
        and frame[name].is_unique
        and frame[name].dtype.kind != "f"
    ]
    return {**declared, unit: found[0]} if len(found) == 1 else columns


def _row_per_score(labels: pd.DataFrame, scores: pd.DataFrame, design: Design) -> Rows:
    """Return the labels once for each model, with the columns `model` and `score`.

    `DataFrame.melt` would compare all texts of the labels between models.
    """
    n_rows, n_models = scores.shape
    rows = np.tile(np.arange(n_rows), n_models)
    columns = [column for _, column in scores.items()]
    values = pd.concat(columns or [pd.Series(dtype=float)])
    frame = labels.iloc[rows].assign(
        model=scores.columns.repeat(n_rows), score=values.array
    )
    coded = {"model": Coded(np.repeat(np.arange(n_models), n_rows), scores.columns)}
    unit = design.unit
    if unit is not None and unit in labels:
        codes, distinct = Coded.from_column(labels[unit])
        coded[unit] = Coded(codes[rows], distinct)
    return Rows(frame, coded)


def _with_index_as_columns(
    frame: pd.DataFrame,
    design: Design,
    declared: Mapping[str, Any],
    where: Mapping[str, Any],
) -> pd.DataFrame:
    """Return a wide table whose index, if it has labels of the design, is among the columns."""
    own_names = [*design.roles.values(), *declared.values(), *where]
    frame = with_levels_as_columns(frame, own_names)
    missing = [
        key
        for key in design.keys
        if key not in declared and design.roles[key] not in frame
    ]
    names = list(frame.index.names)
    if not missing:
        return frame
    if len(names) > 1:
        if len(names) != len(missing):
            raise ValueError(advice_on_index("frame", names, missing, design))
        keys = index_keys("frame", names, missing, design)
        return frame.rename_axis(index=keys).reset_index()

    word = label_word(names[0], design)
    if str(names[0]).strip().casefold() in MODELS:
        raise refusal(
            f"the index {shown(names[0])} has models by its name",
            "give the transpose, frame.T: a table has a column for each model",
            "a table has a column for each model",
        )
    if word is not None and word not in design.roles:
        raise ValueError(advice_on_index("frame", names, missing, design))
    if word in missing:
        return frame.rename_axis(index=word).reset_index()
    if design.unit in missing and not counts_rows(frame.index):
        return frame.rename_axis(index=design.unit).reset_index()
    unlabelled = [key for key in missing if key != "run" or key in design.needed]
    if len(unlabelled or missing) == 1 and _has_texts(frame.index):
        return frame.rename_axis(index=(unlabelled or missing)[0]).reset_index()
    return frame  # its rows are counted


def _has_texts(index: "pd.Index[Any]") -> bool:
    """Return whether rows have names, each its own."""
    return index.is_unique and all(isinstance(label, str) for label in index)


def _missing_keys(labels: pd.DataFrame, design: Design) -> list[str]:
    """Return the keys of the design of which a wide table has no labels."""
    missing = [key for key in design.keys if key not in labels]
    if isinstance(design, Items) and "run" in missing:
        missing.remove("run")  # items of a single run
    return missing


def _with_counted_keys(
    labels: pd.DataFrame, missing: Sequence[str], design: Design
) -> pd.DataFrame:
    """Return labels with those keys that the order of the rows tells."""
    if not missing:
        return labels
    keys = [key for key in design.keys if key in labels]
    place = np.arange(len(labels))
    if keys:
        place = labels.groupby(keys, sort=False).cumcount().to_numpy()
    splits = design.within if isinstance(design, Datasets) else design
    if missing == ["run", "fold"] and isinstance(splits, CV):
        # all folds of the first run first
        return labels.assign(run=place // splits.folds, fold=place % splits.folds)
    counts_data_sets = missing == ["dataset"] and splits is not None
    if len(missing) == 1 and not counts_data_sets:
        return labels.assign(**{missing[0]: place})
    return labels


def _refuse_transposed(scores: pd.DataFrame, design: Design) -> None:
    """Refuse a table that has a column for each split, and a row for each model."""
    if not isinstance(design, CV | RandomSplits):
        return
    n_rows, n_columns = scores.shape
    n_runs, n_folds = design.shape
    n_splits = n_runs * n_folds
    if n_columns == n_splits != n_rows:
        raise refusal(
            f"the table has {n_rows} rows, and a column for each of the {n_splits} splits",
            "give its transpose, frame.T: a table has a column for each model",
            "a table has a column for each model, and a row for each split",
        )


def _check_models(
    scores: pd.DataFrame, missing: Sequence[str], design: Design, metric: Metric
) -> None:
    """Refuse columns that are no models: with labels, with errors of a model, or with texts."""
    for name in scores:
        if is_word_of_labels(name):
            problem = f"is no model, and {design} has no such label"
            role = label_word(name, design)
            raise _refusal_of_column(name, problem, role if role in missing else None)
        problem = _no_model(name, scores, metric)
        if problem:
            raise _refusal_of_column(name, problem)
    for name in scores:
        column = scores[name]
        if pd.api.types.is_numeric_dtype(column):
            continue
        is_number = pd.to_numeric(column, errors="coerce").notna()
        is_text = (~is_number & column.notna()).to_numpy()
        if not is_text.any():
            continue  # numbers and gaps
        place = int(is_text.argmax())
        if _has_error(column.iloc[place]):
            raise ValueError(
                f"{shown(column.iloc[place])} in row {place + 1} of {shown(name)} is a "
                "number with its error: give the number alone"
            )
        role = missing[0] if missing else "ignored"
        advice = "if the column is no model, say what it is, as in"
        raise refusal(
            f"{shown(column.iloc[place])} in row {place + 1} of {shown(name)} is no "
            "number",
            f"{advice} columns={{{shown(role)}: {shown(name)}}}",
            f"{advice} --column {role}={quoted(name)}",
        )


def _no_model(name: Any, scores: pd.DataFrame, metric: Metric) -> str:
    """Say why a column has no scores of a model; empty if it may have."""
    measured = measured_by_name(name)
    if measured is not None and not _may_be_scores(scores[name], measured, metric):
        return f"has {measured} by its name, and no scores"
    if may_describe_data(name) and _is_whole_beside_fractions(name, scores):
        return "has whole numbers, and no scores"
    if _counts_from_one_or_zero(scores[name]):
        return "counts the rows, and is no model"
    model = _model_with_error(name, scores)
    return "" if model is None else f"is by its name the error of {model}"


def _is_whole_beside_fractions(name: Any, scores: pd.DataFrame) -> bool:
    """Return whether a column has whole numbers, and each of the others has fractions."""
    numbers = scores.apply(pd.to_numeric, errors="coerce")
    has_fractions = (numbers.fillna(0) % 1 != 0).any()
    others = has_fractions.drop(name)
    return bool(not has_fractions[name] and len(others) and others.all())


def _may_be_scores(column: "pd.Series[Any]", measured: str, metric: Metric) -> bool:
    """Return whether a column that is called "memory" or "id" has fractions, as scores have.

    Sizes and identifiers are whole numbers or texts; times are fractions, too.
    """
    if measured not in ("sizes", "identifiers") or column.dtype.kind != "f":
        return False
    if not np.isfinite(metric.high - metric.low):
        return False  # scores without a range may be anything
    values = column.dropna().to_numpy()
    return bool((values % 1 != 0).any() and metric.allows(values).all())


def _has_error(text: Any) -> bool:
    """Return whether a text is a number with a standard error or deviation.

    >>> [_has_error(text) for text in ("0.91 ± 0.02", "91.2 (0.4)", "tree (small)")]
    [True, True, False]
    """
    number = r"-?\d*[.,]?\d+%?"
    error = rf"\s*(?:±|\+/?-|\\pm)\s*{number}|\s*\({number}\)"
    return re.fullmatch(rf"\s*{number}(?:{error})\s*", str(text)) is not None


def _refusal_of_column(name: Any, problem: str, role: str | None = None) -> ValueError:
    """Return the refusal of a column that is no model but, perhaps, labels of a role."""
    if role is None:
        python, shell = f"say columns={{'ignored': [{shown(name)}]}}", "ignored"
    else:
        python, shell = f"say columns={{{shown(role)}: {shown(name)}}}", role
    return refusal(
        f"column {shown(name)} {problem}",
        python,
        f"say --column {shell}={quoted(name)}",
    )


def _counts_from_one_or_zero(column: "pd.Series[Any]") -> bool:
    """Return whether a column has the numbers of its rows, of which there are several."""
    if len(column) < _FEWEST_COUNTED or column.dtype.kind not in "iuf":
        return False
    place = np.arange(len(column))
    return any(np.array_equal(column, place + first) for first in (0, 1))


def _model_with_error(name: Any, scores: pd.DataFrame) -> Any:
    """Return the column whose standard deviations or errors a column has, by its name."""
    match = re.fullmatch(_NAME_OF_ERROR, str(name))
    if match is None:
        return None
    model = match["model"] or match["behind"]
    return next((own for own in (model, f"{model}_mean") if own in scores), None)


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
    design = _with_groups(find_design(design), clusters, tasks)
    groups = _groups_of_items(design, clusters, tasks)
    truth = _in_order_of_keys("y", only_column("y", y), design)
    models = {
        name: _predictions_of_model(name, values, design, metric)
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
    if _have_labels(named):
        items = truth.index
    elif "task" not in groups and missing == "refuse":
        matched = _matched_numbers(truth, models, groups.get(design.clustering))
        if matched is not None:
            return Predictions(matched, metric=metric, design=design, function=function)
    if missing == "common":
        models = {name: _with_all_items(x, items) for name, x in models.items()}
    predicted = {
        name: _labelled_predictions(name, values, items)
        for name, values in models.items()
    }
    frame = pd.concat(predicted, names=["model", "run", "item"])
    frame = frame.rename("prediction").reset_index()
    frame["truth"] = frame["item"].map(_item_series("y", truth, items))
    for role, (name, values) in groups.items():
        labels = _item_series(name, values, items)
        frame[design.roles[role]] = frame["item"].map(labels)
    return Predictions(
        frame, metric=metric, design=design, function=function, missing=missing
    )


def _predictions_of_model(
    name: str, values: Any, design: Design, metric: Metric
) -> Any:
    """Return predictions with an entry for each item, which may have scores of all classes."""
    if metric.name in CLASS_METRICS:
        return _scores_of_classes(name, values)
    return _in_order_of_keys(name, only_column(name, values), design)


def _scores_of_classes(name: str, values: Any) -> Any:
    """Return the scores of all classes as one entry, a tuple, for each item."""
    array = real_array(name, values, axes=["items", "classes"])
    entries = np.empty(array.shape[:-1], object)
    rows = array.reshape(-1, array.shape[-1]).tolist()
    for place, row in zip(np.ndindex(entries.shape), rows):
        entries[place] = tuple(row)
    if isinstance(values, pd.DataFrame):
        return pd.Series(entries, values.index)
    return entries


def _matched_numbers(
    y: Any, models: Mapping[str, Any], clusters: _Named | None
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
    shapes = {array.shape for array in predicted.values()}
    fit = len(shapes) == 1 and truth.ndim == 1 and truth.size > 1
    if not fit or {truth.shape, labels.shape} != {shapes.pop()[1:]}:
        return None
    if any(array.dtype.kind == "f" and np.isnan(array).any() for array in arrays):
        return None
    common = np.result_type(*predicted.values())
    return MatchedPredictions(
        truth,
        {name: x.astype(common, copy=False) for name, x in predicted.items()},
        None if clusters is None else pd.factorize(labels)[0],
    )


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
    _check_items(name, values.columns, items)
    return values.T.unstack()


def from_cross_validate(
    results: Mapping[str, Any],
    *,
    metric: str | Metric,
    design: Any = None,
    score: str | None = None,
) -> Scores:
    """Read the results of scikit-learn's `cross_validate` for several models.

    Parameters
    ----------
    results : dict of dict
        By the names of the models, what `cross_validate` returned.
    metric : str or Metric
        If there are several, the name of one of them.
    score : str, optional
        The entry with the scores, such as "test_acc", if it is not called after the
        metric.
    design : design, text or splitter, optional
        May be left out if the results have indices (``return_indices=True``).

    Returns
    -------
    Scores

    Raises
    ------
    ValueError
        If an entry is missing, or the indices show different splits or another design.

    Examples
    --------
    >>> from_cross_validate({"a": {"test_score": [.8, .9]}, "b": {"test_score": [.7, .6]}},
    ...                     metric="accuracy", design="1x2").blocks["b"].tolist()
    [[0.7, 0.6]]
    """
    metric = find_metric(metric)
    check_instance("score", score, str, type(None))
    arrays: dict[str, Any] = {}
    splits: list[Any] = []
    for name, result in models_by_name("results", results).items():
        arrays[name] = _test_scores(name, result, metric, score)
        if "indices" not in result:
            continue
        own_splits = [
            [rows.tolist() for rows in result["indices"][part]]
            for part in ("train", "test")
        ]
        if splits not in ([], own_splits):
            raise ValueError(
                f"{name} was scored on other splits than the models before it: "
                "give all models the same splitter, with random_state="
            )
        splits = own_splits
    if splits:
        design = _design_of_indices(list(zip(*splits)), design)
    return from_arrays(arrays, design=design, metric=metric)


def _test_scores(name: str, result: Any, metric: Metric, score: str | None) -> Any:
    """Return the scores of a model in what `cross_validate` returned."""
    check_instance(name, result, Mapping, pd.DataFrame)
    entries = [key for key in result if str(key).startswith("test_")]
    # a single scorer has no name
    usual = "test_score" if "test_score" in entries else f"test_{metric.name}"
    entry = usual if score is None else score
    if entry not in entries:
        raise ValueError(
            f"{name} has no test score {shown(entry)}: it has {listed(entries)}"
        )
    return result[entry]


def _design_of_indices(splits: Sequence[Any], design: Any) -> Any:
    """Return the design of pairs of rows, which must be that declared."""
    from_indices = design_of_splits(splits)
    if design is None:
        return from_indices
    design = find_design(design)
    is_same_kind = isinstance(design, type(from_indices))
    if not is_same_kind or design.shape != from_indices.shape:
        raise ValueError(
            f"design is {design}, and the indices are those of {from_indices}"
        )
    return design


def from_search(
    search: Any, *, metric: str | Metric | None = None, design: Any = None
) -> Scores:
    """Read the candidates of a grid or random search as models.

    Parameters
    ----------
    search : fitted GridSearchCV or RandomizedSearchCV, or its `cv_results_`
    metric : str or Metric, optional
        What was scored; by default that with which the search chose.  If it scored
        several, the name of one of them.
    design : design, text or splitter, optional
        Needed with `cv_results_`, and with splits that the search no longer has.

    Returns
    -------
    Scores
        The models are called such as "C=1, kernel='rbf'".  Candidates that failed are
        left out, with a note.

    Raises
    ------
    ValueError
        If the search is not fitted, halves its candidates, or did not score by
        `metric`.

    Examples
    --------
    >>> results = {"params": [{"C": 1}, {"C": 9}], "mean_test_score": [.75, .85],
    ...            "split0_test_score": [.7, .8], "split1_test_score": [.8, .9]}
    >>> from_search(results, metric="accuracy", design="1x2").models
    ('C=1', 'C=9')
    """
    results = getattr(search, "cv_results_", search)
    if not isinstance(results, Mapping | pd.DataFrame) or "params" not in results:
        raise ValueError(
            "search must be a fitted GridSearchCV or RandomizedSearchCV or its "
            f"cv_results_, not {shown(search)}"
        )
    if "iter" in results:
        raise ValueError(
            "a halving search does not score all candidates on the same data, so its "
            "scores cannot be compared"
        )
    scoring = None
    if search is not results:
        scoring = _scoring(search)
        if metric is None:
            metric = search.refit if isinstance(search.refit, str) else scoring
        if design is None:
            design = _design_of_search(search)
    metric = find_metric(metric)
    design = find_design(design)

    names = [_candidate_name(parameters) for parameters in results["params"]]
    table = _candidate_scores(results, _scorer_name(results, metric, scoring))
    is_scored: list[bool] = np.isfinite(table).all(axis=1).tolist()  # type: ignore[assignment]
    arrays = {name: row for name, row, scored in zip(names, table, is_scored) if scored}
    if len(arrays) < 2:
        raise ValueError(
            f"search must have at least two candidates with scores, not {len(arrays)}"
        )
    candidates = from_arrays(arrays, design=design, metric=metric)
    scores = replace(candidates, of_search=True)
    failed = [name for name, scored in zip(names, is_scored) if not scored]
    if not failed:
        return scores
    note = (
        f"{len(failed)} of {len(names)} candidates failed and are left out: "
        f"{listed(failed[:_MOST_FAILED_NAMED])}"
    )
    return replace(scores, notes=(note,))


def _scoring(search: Any) -> Any:
    """Return what a search scored by; without a scorer, that of its estimator."""
    if search.scoring is not None:
        return search.scoring
    kind = search.__sklearn_tags__().estimator_type
    return {"classifier": "accuracy", "regressor": "r2"}.get(kind)


def _design_of_search(search: Any) -> Design:
    """Return the design of the splits, which were drawn once for all candidates."""
    cv = 5 if search.cv is None else search.cv
    return CV(1, cv) if isinstance(cv, int) else find_design(cv, seeded=False)


def _scorer_name(results: Any, metric: Metric, scoring: Any) -> str:
    """Return the name that a metric has among the columns of a search's results."""
    prefix = "mean_test_"
    names = [
        key.removeprefix(prefix) for key in map(str, results) if key.startswith(prefix)
    ]
    if names != ["score"]:
        if metric.name not in names:
            raise ValueError(
                f"metric is {metric.name}, and the search scored {listed(names)}"
            )
        return metric.name
    # a single scorer is called "score"; a function may be called anything
    if scoring is not None and not callable(scoring) and metric.name != scoring:
        raise ValueError(
            f"metric is {metric.name}, and the search scored {listed([scoring])}"
        )
    return "score"


def _candidate_scores(results: Any, scorer: str) -> Array:
    """Return the scores of each candidate (row) on each split (column)."""
    columns: list[Array] = []
    while (key := f"split{len(columns)}_test_{scorer}") in results:
        columns.append(np.asarray(results[key], float))
    return np.column_stack(columns)


def _candidate_name(parameters: Mapping[str, Any]) -> str:
    """Return a candidate's parameters as the name of a model.

    >>> _candidate_name({"C": 1, "kernel": "rbf"})
    "C=1, kernel='rbf'"
    """
    settings = [f"{key}={one_line(repr(value))}" for key, value in parameters.items()]
    return ", ".join(settings) or "no parameters"


def as_data(
    data: Any, *, design: Any = None, metric: Any = None
) -> Scores | Predictions:
    """Return the table that any kind of data describes.

    Parameters
    ----------
    data : Scores, Predictions, DataFrame, dict, fitted search, path or list of paths
        A DataFrame has columns `model` and `score` (or one that is called after the
        metric), or `model`, `truth` and `prediction`.  A dict has arrays by model, as for
        :func:`from_arrays`; what `cross_validate` returned, as for
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
        return _long_table(data, _readers.Request(design=design, metric=metric))
    reports = _reports.reports_of(data)
    if reports is not None:
        return _from_reports(reports, design, metric)
    if hasattr(data, "cv_results_"):
        return from_search(data, design=design, metric=metric)
    if isinstance(data, Mapping) and _has_results(data):
        return from_cross_validate(data, design=design, metric=metric)
    if isinstance(data, Mapping):
        return from_arrays(data, design=design, metric=metric)
    paths = data if isinstance(data, list | tuple) else [data]
    if paths and all(isinstance(path, str | os.PathLike) for path in paths):
        return read(*paths, design=design, metric=metric)
    raise ValueError(
        "data must be Scores, Predictions, a DataFrame with a row per score, a dict "
        f"of arrays by model, or paths, not {shown(data)}"
    )


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
        design = _design_of_indices(splits, design)
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


def _long_table(frame: pd.DataFrame, request: _readers.Request) -> Scores | Predictions:
    """Return the table that a frame with a row per score or prediction describes."""
    roles = _roles_in(frame, request)
    if not _has_predictions(roles) and not {"model", "score"} <= roles:
        raise ValueError(
            "a DataFrame must have columns model and score, or model, truth and "
            f"prediction, and has {listed(frame)}: for a column per model call from_wide"
        )
    options: dict[str, Any] = dict(
        metric=request.metric,
        columns=request.columns,
        where=request.where or None,
        missing=request.missing,
    )
    if _has_predictions(roles):
        design = Items() if request.design is None else request.design
        return Predictions(frame, design=design, **options)
    return Scores(frame, design=request.design, **options)


def _roles_in(frame: pd.DataFrame, request: _readers.Request) -> set[str]:
    """Return the roles of a long table that have a column."""
    roles = {
        role
        for role in ("model", "score", "truth", "prediction")
        if request.columns.get(role, role) in frame
    }
    metric = request.metric_name
    if isinstance(metric, str) and score_column(
        frame, metric, request.columns, request.where
    ):
        roles.add("score")
    return roles


def _has_predictions(roles: set[str]) -> bool:
    return {"model", "truth", "prediction"} <= roles


def _table_in_files(
    frame: pd.DataFrame, request: _readers.Request
) -> Scores | Predictions:
    """Return the table that files have: long, or with a column per model."""
    roles = _roles_in(frame, request)
    options: dict[str, Any] = dict(
        metric=request.metric, where=request.where or None, missing=request.missing
    )
    if "model" not in roles:
        return from_wide(
            frame, design=request.design, columns=request.columns, **options
        )
    if counts_rows(frame.index):
        # refusals name lines of the file, whose first has the names
        frame = frame.set_axis(range(2, len(frame) + 2))
    frame, columns, notes = _asked_alike(frame, request)
    if _has_predictions(roles):
        return _long_table(frame, replace(request, columns=columns))
    return Scores(frame, design=request.design, columns=columns, notes=notes, **options)


def _asked_alike(
    frame: pd.DataFrame, request: _readers.Request
) -> tuple[pd.DataFrame, Mapping[str, Any], tuple[str, ...]]:
    """Return a table of items without columns that say how models were asked, and notes."""
    roles = {
        name: role
        for role, name in request.columns.items()
        if role in ("model", "item", "task")
    }
    table = frame.rename(columns=roles)
    if "item" not in table or not set(request.where) <= set(frame):
        return frame, request.columns, ()
    for name, value in request.where.items():
        table = chosen_rows(table, roles.get(name, name), value)
    compared = without_settings(table, ignored=request.ignored, chosen=request.where)
    dropped = set(table).difference(compared.frame)
    columns = dict(request.columns)
    if dropped and "ignored" in columns:
        columns["ignored"] = [x for x in request.ignored if x not in dropped]
    return frame.drop(columns=list(dropped)), columns, compared.notes


def read(
    *paths: str | os.PathLike[str],
    design: Any = None,
    metric: Any = None,
    columns: Mapping[str, Any] | None = None,
    where: Mapping[str, Any] | None = None,
    missing: str = "refuse",
) -> Scores | Predictions:
    """Read files: tables, and what many tools write.

    Parameters
    ----------
    *paths : path, or "name=path"
        *CSV*, *Parquet*: a row per score or prediction as for :func:`as_data`, or a
        column per model as for :func:`from_wide`; with "name=path" a file per model.
        *Logs* of lm-evaluation-harness, Inspect, lighteval, HELM and SWE-bench: files,
        or folders that have them; "name=path" names the model.  Several files of a
        model and a task, and several answers to an item, are its runs, in the order of
        the files; items are called "task/item".
        *Runs* of Weights & Biases and MLflow, exported as a table; learning curves of
        Keras and Lightning, a file per run, and charts of Weights & Biases: runs of one
        model are numbered in the order of the files.
        *Summaries* of OpenCompass: data sets and models.
        What a tool writes is recognised by its structure.
    design : design, text or splitter, optional
        For logs by default items, whose runs are samples; a cluster may be a field of
        each item.
    metric : str or Metric, optional
        For logs by default the only one that they have; if tasks have different ones, a
        dict such as ``{"arc": "acc", "gsm8k": "exact_match"}``.  A column that is called so has
        the scores, if no other could be meant.
    columns, where : mapping, optional
        As for :class:`replib.scores.Scores`.  Logs have the columns `task` and
        `filter`; of a learning curve, `where` says which epoch or step counts, as in
        ``{"epoch": "last"}``, "best" or a number.
    missing : {"refuse", "common"}
        As for :class:`replib.scores.Scores`.

    Returns
    -------
    Scores or Predictions

    Raises
    ------
    ValueError
        If a file cannot be read, what it holds is refused, or the models were not asked
        the same.
    """
    sources = [_sources.source(path) for path in paths]
    files = {os.path.realpath(path) for _, path in sources}
    if not paths or len(files) < len(sources):
        raise ValueError(
            f"paths must be one or more, and different: {listed(map(str, paths))}"
        )
    check_instance("columns", columns, Mapping, type(None))
    check_instance("where", where, Mapping, type(None))
    request = _readers.Request(
        metric=metric,
        design=design,
        columns=columns or {},
        where=where or {},
        missing=missing,
    )
    content = _readers.read(sources, request)
    if content is None:
        files_to_read = with_bar(sources, "file")
        tables = [_named_table(name, path, request) for name, path in files_to_read]
        data = _table_in_files(pd.concat(tables), request)
        set_fields(data, origin=_sources.digests(path for _, path in sources))
        return data
    return Scores(
        content.frame,
        origin=_sources.digests(content.files),
        metric=find_metric(content.metric),
        design=find_design(content.design),
        columns=content.columns,
        where=content.where or None,
        missing=missing,
        notes=content.notes,
    )


def _named_table(
    name: str | None, path: Path, request: _readers.Request
) -> pd.DataFrame:
    """Return the table in a file, which is of one model if the source names it."""
    table = _sources.table(path)
    if name is None:
        return table
    roles = _roles_in(table.assign(model=name), request)
    if "score" not in roles and not _has_predictions(roles):
        usual = request.columns.get("score", "score")
        raise ValueError(
            f"{str(path)!r} has no column {shown(usual)}, but {listed(table)}: "
            "NAME=FILE is a file of one model, a row per score"
        )
    column = request.columns.get("model", "model")
    if column in table and table[column].nunique() > 1:
        raise ValueError(
            f"{str(path)!r} has the models {listed(table[column].unique())}, and "
            f"{shown(name)} is one: leave the name out"
        )
    return table.assign(**{column: name})


def _have_labels(named: Sequence[tuple[str, Any]]) -> bool:
    """Return whether values have labels; refuse a mixture."""
    labelled: list[str] = []
    without: list[str] = []
    for name, values in named:
        is_labelled = isinstance(values, pd.Series | pd.DataFrame) and not all(
            counts_rows(axis) for axis in values.axes
        )
        (labelled if is_labelled else without).append(name)
    if labelled and without:
        raise ValueError(
            f"{labelled[0]} has labels and {without[0]} has none: give labels to both, "
            "or arrays without labels in the same order"
        )
    return bool(labelled)


def _item_series(name: str, values: Any, items: pd.Index) -> "pd.Series[Any]":
    """Return a value for each item, by its label."""
    if not isinstance(values, pd.Series):
        array = np.asarray(values)
        has_gap = name in ("clusters", "tasks") and pd.isna(array).any()
        if array.shape != items.shape or has_gap:
            raise ValueError(
                f"{name} must have a value for each of {len(items)} items, not shape "
                f"{array.shape}"
            )
        values = pd.Series(array, items)
    if not values.index.is_unique:
        raise ValueError(f"{name} must have a value for each item, and not two")
    _check_items(name, values.index, items)
    return values


def _check_items(name: str, labels: pd.Index, items: pd.Index) -> None:
    """Refuse values that have not the labels of the items."""
    missing = items.difference(labels, sort=False)
    if len(missing):
        raise ValueError(
            f"{name} has no item {shown(missing[0])}: it has {listed(labels)}"
        )


def _shaped(name: str, values: Any, design: Design) -> NDArray[np.float64]:
    """Return an array with an axis for each key of the design."""
    array = real_array(name, values)
    if isinstance(design, Datasets):
        outer = array.shape[:1] if design.within else ()
        repeated: Any = design.within or design
    else:
        outer = ()
        repeated = design
    inner = array.shape[len(outer) :]
    if isinstance(repeated, CV | RandomSplits):
        runs, folds = repeated.shape
        if inner in ((runs, folds), (runs * folds,)):
            # random splits are runs of a single test set, which has no key
            shape = (runs, folds)[: len(repeated.keys)]
            return array.reshape(*outer, *shape)
        wanted = ["datasets"] * len(outer) + [str(size) for size in (runs, folds)][
            : len(repeated.keys)
        ]
    else:
        if array.ndim == len(design.keys):
            return array
        if array.ndim == 1 and design.keys == ("run", "item"):
            return array[None]  # a single run
        wanted = [f"{key}s" for key in design.keys]
    raise ValueError(
        f"{name} must have shape ({', '.join(wanted)}) for {design}, not {array.shape}"
    )


def _with_groups(design: Design, clusters: Any, tasks: Any) -> Design:
    """Return the design with names of clusters and of tasks, if there are any."""
    if design.clustering is not None and clusters is None:
        raise ValueError(
            f"clusters must give the {design.clustering} of each item (of "
            "leave-one-out, range(n))"
        )
    if getattr(design, "suite", None) is not None and tasks is None:
        raise ValueError("tasks must give the task of each item")
    for name, values in (("clusters", clusters), ("tasks", tasks)):
        if values is not None and not isinstance(design, Items):
            raise ValueError(f"{name} are of items, and the design is {design}")
    if not isinstance(design, Items):
        return design
    if design.strata:
        raise ValueError("strata are read from a column: give Scores a DataFrame")
    if clusters is not None and design.clustering is None:
        design = replace(design, cluster="cluster")
    if tasks is not None and design.suite is None:
        design = replace(design, suite="task")
    return design
