"""Readers: arrays, wide tables, results of scikit-learn and files that become one table of scores.

Values without labels are labelled by their position, in the order that each docstring states.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replib.designs import CV, Datasets, Design, Items, RandomSplits, Seeds, find_design
from replib.scores import Metric, Predictions, Scores, chosen_rows, find_metric
from replib.validation import check_choice, check_instance, listed, real_array, shown


def from_arrays(
    arrays: Mapping[str, Any], *, design: Any, metric: str | Metric, clusters: Any = None
) -> Scores:
    """Read an array of scores per model.

    Parameters
    ----------
    arrays : dict of array_like, Series or DataFrame
        By the names of the models.  Shapes: (runs, folds) or (runs * folds,), all folds of the
        first run first; (splits,); (seeds,); (items,) or (runs, items); (datasets,), and if the
        design says what was done on each data set, (datasets, runs, folds),
        (datasets, runs * folds), (datasets, splits) or (datasets, seeds).  Arrays without labels
        have the same order; Series and DataFrames are matched by their labels, unless these only
        count the rows.
    design : design, text or splitter
        As for :func:`replib.designs.find_design`.
    metric : str or Metric
    clusters : array_like, shape (items,), optional
        Cluster of each item, or its fold if the items were predicted by fold.

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
    return _of_arrays(arrays, find_design(design), find_metric(metric), clusters)


def _of_arrays(
    arrays: Mapping[str, Any], design: Design, metric: Metric, clusters: Any = None,
    notes: tuple[str, ...] = (),
) -> Scores:
    of = design.within if isinstance(design, Datasets) else design
    free = design.keys.index("run") if (  # the runs of each model are its own
        isinstance(of, Seeds | Items) and not of.paired and "run" in design.keys) else None
    given, labels = _aligned(_by_model("arrays", arrays), design, free)
    shaped = {name: _shaped(name, values, design) for name, values in given.items()}
    common = [axis for axis in range(len(design.keys)) if axis != free]
    first = next(iter(shaped))
    for name, x in shaped.items():
        if any(x.shape[axis] != shaped[first].shape[axis] for axis in common):
            raise ValueError(f"{first} and {name} must have equal shapes, not "
                             f"{shaped[first].shape} and {x.shape}")
        if isinstance(of, Seeds | Items) and x.shape[-1] < 2:
            raise ValueError(f"{name} must have at least two {of}, not {x.shape[-1]}")
    places = np.concatenate([np.indices(x.shape).reshape(x.ndim, -1) for x in shaped.values()], 1)
    columns: dict[str, Any] = dict(zip(design.keys, places))
    units: Sequence[Any] = ()
    for axis, key in enumerate(design.keys):
        if key in ("item", "dataset"):
            units = labels[axis] if labels else range(shaped[first].shape[axis])
            columns[key] = pd.Index(units)[places[axis]]
    codes = None
    if isinstance(design, Items):
        named = labels[-1] if labels and not _counts(labels[-1]) else None
        design, of_items = _clustered(design, clusters, len(units), named)
        if of_items is not None:
            codes = pd.factorize(of_items)[0].astype(np.int64)
            by = "fold" if design.predicted == "by_fold" else "cluster"
            columns[by] = of_items[places[-1]]
    elif clusters is not None:
        raise ValueError(f"clusters are of items, and the design is {design}")
    frame = pd.DataFrame({
        "model": np.repeat(list(shaped), [x.size for x in shaped.values()]), **columns,
        "score": np.concatenate([x.ravel() for x in shaped.values()]),
    })
    blocks = {name: x.mean(axis=tuple(range(1, x.ndim))) if isinstance(design, Datasets) else
              x[:, None] if isinstance(design, RandomSplits) else
              np.atleast_2d(x) if isinstance(design, Items) else x.copy()
              for name, x in shaped.items()}
    return Scores.of_blocks(frame, blocks, metric=metric, design=design, units=units,
                            clusters=codes, notes=notes)


def from_wide(
    frame: pd.DataFrame, *, design: Any, metric: str | Metric,
    columns: Mapping[str, Any] | None = None, models: str = "columns",
    where: Mapping[str, Any] | None = None,
) -> Scores:
    """Read a table with a column per model.

    Parameters
    ----------
    frame : DataFrame
        A row per split, seed, item or data set.  Columns `run`, `fold`, `item`, `dataset` and the
        cluster are labels, as is an index of items or data sets; all other columns are models.
        Without such columns the rows are all folds of the first run first, then those of the next.
    design : design, text or splitter
    metric : str or Metric
    columns : mapping, optional
        Names of columns with other names, as for :class:`replib.scores.Scores`, such as
        ``{"dataset": "task", "ignored": ["date"]}``.
    models : {"columns", "rows"}
        "rows": the table has a row per model, named by the index or a column `model`, and a column
        per split, seed, item or data set.
    where : mapping, optional
        Values of columns that choose the rows.

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
    design, metric, columns = find_design(design), find_metric(metric), dict(columns or {})
    check_choice("models", models, ("columns", "rows"))
    check_instance("columns", columns, Mapping)
    if not isinstance(frame, pd.DataFrame) or frame.columns.nlevels > 1:
        raise ValueError(f"frame must be a DataFrame with one row of names, not {shown(frame)}")
    ignored = columns.pop("ignored", [])
    ignored = [ignored] if isinstance(ignored, str) else list(ignored)
    for name in [*ignored, *columns.values()]:
        if name not in frame.columns:
            raise ValueError(f"there is no column {shown(name)}: the columns are "
                             f"{listed(frame.columns)}")
    cluster = getattr(design, "cluster", None)
    renamed = {name: role for role, name in columns.items()} | ({cluster: "cluster"} if cluster
                                                               else {})
    table = chosen_rows(frame, where).drop(columns=[*ignored, *(where or {})])
    table = table.rename(columns=renamed)
    if models == "rows":
        table = (table.set_index("model") if "model" in table else table).T
        table = table.infer_objects().rename_axis(columns=None)
    keys = [*design.keys, "cluster", *(["fold"] if "fold" not in design.keys and
                                       getattr(design, "predicted", "") == "by_fold" else [])]
    unit = design.keys[0] if isinstance(design, Datasets) else design.keys[-1]
    if unit in ("item", "dataset") and unit not in table and not _counts(table.index):
        table = table.rename_axis(index=unit)
    named = [name for name in table.index.names if name in keys and name not in table]
    table = _with_positions(table.reset_index(level=named) if named else table, design)
    keys = [key for key in keys if key in table]
    scores = table.drop(columns=keys)
    for name, values in scores.items():
        if not pd.api.types.is_numeric_dtype(values):
            commas = values.astype(str).str.fullmatch(r"\s*-?\d+,\d+\s*").any()
            raise ValueError(f"column {shown(name)} has " + (
                'decimal commas: read it with pandas.read_csv(..., decimal=",") and give the table'
                if commas else "values that are not numbers: say what it is, as in "
                f"columns={{'ignored': [{shown(name)}]}}"))
    if len(scores.columns) < 2:
        raise ValueError(f"there must be at least two models, and the columns are "
                         f"{listed(frame.columns)}")
    long = pd.concat([table[keys].assign(model=str(name), score=values)
                      for name, values in scores.items()])
    return Scores(long, metric=metric, design=design,
                  columns={"cluster": "cluster"} if cluster else {})


def _with_positions(table: pd.DataFrame, design: Design) -> pd.DataFrame:
    """Return a table in which runs, folds, items or data sets without labels have numbers."""
    of = design.within if isinstance(design, Datasets) else design
    there = [key for key in design.keys if key in table]
    if isinstance(of, CV) and not {"run", "fold"} & set(there):
        place = table.groupby(there).cumcount() if there else pd.Series(range(len(table)))
        run, fold = np.divmod(place.to_numpy(), of.folds)
        return table.assign(run=run, fold=fold)
    missing = [key for key in design.keys if key not in there
               and not (isinstance(of, Items) and key == "run")]
    if len(missing) != 1 or (missing == ["dataset"] and of is not None):
        return table
    place = table.groupby(there).cumcount() if there else pd.Series(range(len(table)))
    return table.assign(**{missing[0]: place.to_numpy()})


def from_predictions(
    y: Any, predictions: Mapping[str, Any], *, metric: str | Metric, design: Any = "items",
    clusters: Any = None, function: Any = None,
) -> Predictions:
    """Read the predictions of several models for the same items.

    Parameters
    ----------
    y : array_like, shape (items,)
        The truth.
    predictions : dict of array_like, shape (items,) or (runs, items)
        By the names of the models, in the order of `y`.  If `y` is a Series with labels, Series
        and DataFrames are matched by them.
    metric : str or Metric
    design : Items or "items"
    clusters : array_like, shape (items,), optional
        Cluster of each item, or its fold if the items were predicted by fold.
    function : callable, optional
        As for :class:`replib.scores.Predictions`.

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
    metric, design = find_metric(metric), find_design(design)
    if not isinstance(design, Items):
        raise ValueError(f'the design of predictions is "items" or Items(...), not {design}')
    labels = y.index if hasattr(y, "index") and not _counts(y.index) else None
    truth = _like("y", y, labels, None)
    design, of_items = _clustered(design, clusters, len(truth), labels)
    by = "fold" if design.predicted == "by_fold" else "cluster"
    parts = []
    for name, values in _by_model("predictions", predictions).items():
        rows = np.atleast_2d(_like(name, values, labels, len(truth)))
        items = np.arange(len(truth)) if labels is None else labels
        for run, row in enumerate(rows):
            parts.append(pd.DataFrame({
                "model": name, "item": items, "truth": truth, "prediction": row,
                **({} if design.predicted == "by_fold" else {"run": run}),
                **({} if of_items is None else {by: of_items})}))
    return Predictions(pd.concat(parts, ignore_index=True), metric=metric, design=design,
                       function=function, columns={} if design.cluster is None else
                       {"cluster": "cluster"})


def _by_model(name: str, given: Any) -> dict[str, Any]:
    """Return a dict of two or more things by the names of models, as text."""
    if not isinstance(given, Mapping) or len(given) < 2:
        raise ValueError(
            f'{name} must be a dict of two or more models, such as {{"a": ..., "b": ...}}, not '
            f"{shown(given)}"
        )
    if len(named := {str(model): values for model, values in given.items()}) < len(given):
        raise ValueError(f"{name} has two models with the same name: {listed(given)}")
    return named


def _counts(index: pd.Index) -> bool:
    """Return whether labels only count the rows."""
    return bool(index.nlevels == 1 and index.equals(pd.RangeIndex(len(index))))


def _aligned(
    given: dict[str, Any], design: Design, free: int | None
) -> tuple[dict[str, Any], list[pd.Index]]:
    """Return values in the order of the labels of the first, and these labels, if there are any."""
    for name, values in given.items():
        if isinstance(values, pd.Series) and values.index.nlevels == 2:
            given[name] = values.unstack(sort=False)
        elif isinstance(values, pd.Series) and design.keys == ("run", "item"):
            given[name] = values.set_axis(values.index).to_frame(0).T
    axes = {name: [values.index, *([values.columns] if values.ndim > 1 else [])]
            for name, values in given.items() if isinstance(values, pd.Series | pd.DataFrame)}
    labelled = [name for name, of in axes.items() if not all(map(_counts, of))]
    if not labelled:
        return given, []
    if len(labelled) < len(given):
        bare = next(name for name in given if name not in labelled)
        raise ValueError(f"{labelled[0]} has labels and {bare} has none: give labels to both, or "
                         "arrays without labels in the same order")
    first = labelled[0]
    for name, own in axes.items():
        for axis, (labels, wanted) in enumerate(zip(own, axes[first])):
            if labels.has_duplicates:
                raise ValueError(f"label {shown(labels[labels.duplicated()][0])} of {name} occurs "
                                 "twice")
            odd = [*labels[~labels.isin(wanted)], *wanted[~wanted.isin(labels)]]
            if axis != free and odd:
                raise ValueError(f"only one of {first} and {name} has {shown(odd[0])}")
            if axis != free:
                given[name] = given[name].reindex(wanted, axis=axis)
    return given, axes[first]


def _shaped(name: str, values: Any, design: Design) -> NDArray[np.float64]:
    """Return an array with an axis for each key of the design."""
    array = real_array(name, values)
    of = design.within if isinstance(design, Datasets) else design
    outer = ["datasets"] if isinstance(design, Datasets) else []
    lead, rest = array.shape[:len(outer)], array.shape[len(outer):]
    if isinstance(of, CV | RandomSplits):
        allowed = [of.shape, (of.shape[0] * of.shape[1],)]
        if len(lead) == len(outer) and rest in allowed:
            return array.reshape(*lead, *of.shape[:len(of.keys)])
        shapes = [[*map(str, shape)] for shape in allowed]
    elif isinstance(of, Items) and len(of.keys) == 2:
        if len(rest) == 1:
            return array[None]
        shapes = [["items"], ["runs", "items"]]
    else:
        shapes = [[] if of is None else ["seeds"] if isinstance(of, Seeds) else ["items"]]
    if array.ndim in [len(outer) + len(shape) for shape in shapes] and (
            not isinstance(of, CV | RandomSplits)):
        return array
    wanted = " or ".join(f"({', '.join(all_) + ',' * (len(all_) == 1)})"
                         for all_ in ([*outer, *shape] for shape in shapes))
    raise ValueError(f"{name} must have shape {wanted} for {design}, not {array.shape}")


def _clustered(
    design: Items, clusters: Any, n: int, labels: pd.Index | None
) -> tuple[Items, NDArray[Any] | None]:
    """Return the design with clusters, and the cluster or fold of each item."""
    by_fold = design.predicted == "by_fold"
    if clusters is None:
        if by_fold or design.cluster:
            raise ValueError("clusters must give the " + (
                "fold of each item, for leave-one-out range(n)" if by_fold else
                "cluster of each item"))
        return design, None
    of_items = _like("clusters", clusters, labels, n)
    if of_items.ndim != 1 or pd.isna(of_items).any():
        raise ValueError("clusters must be one label for each item, with no label missing")
    return design if by_fold else replace(design, cluster=design.cluster or "cluster"), of_items


def _like(name: str, values: Any, labels: pd.Index | None, n: int | None) -> NDArray[Any]:
    """Return values for items in the order of the labels; values without labels have it."""
    if isinstance(values, pd.Series | pd.DataFrame):
        axis = values.ndim - 1
        own = values.axes[axis]
        if _counts(own) != (labels is None):
            raise ValueError(f"only one of {name} and the others has labels: give labels to all, "
                             "or arrays without labels in the same order")
        if labels is not None:
            if own.has_duplicates or len(own) != len(labels) or not own.isin(labels).all():
                raise ValueError(f"{name} must have each label of the items once")
            values = values.reindex(labels, axis=axis)
    array = np.asarray(values)
    if array.ndim not in ((1,) if n is None else (1, 2)) or (n or array.shape[-1]) != (
            array.shape[-1]):
        raise ValueError(f"{name} must have shape ({n or 'items'},)"
                         f"{f' or (runs, {n})' if n else ''}, not {array.shape}")
    return array


def as_data(data: Any, *, design: Any = None, metric: Any = None) -> Scores | Predictions:
    """Return the table that any kind of data describes.

    Parameters
    ----------
    data : Scores, Predictions, DataFrame, dict of array_like, path or list of paths
        A DataFrame has columns `model` and `score`, or `model`, `truth` and `prediction`; see
        :func:`from_arrays` and :func:`read` for the others.
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
        for name, given, own in (("design", design and find_design(design), data.design),
                                 ("metric", metric and find_metric(metric), data.metric)):
            if given is not None and given != own:
                raise ValueError(f"{name} is {given}, and the {type(data).__name__} were made with "
                                 f"{own}: leave {name}= out")
        return data
    if isinstance(data, pd.DataFrame):
        return _from_frame(data, design, metric)
    if isinstance(data, Mapping):
        return from_arrays(data, design=design, metric=metric)
    if isinstance(data, str | os.PathLike):
        return read(data, design=design, metric=metric)
    if isinstance(data, list | tuple) and data and all(
            isinstance(path, str | os.PathLike) for path in data):
        return read(*data, design=design, metric=metric)
    raise ValueError(
        "data must be Scores, Predictions, a DataFrame with a row per score, a dict of arrays by "
        f"model, or one or more paths, not {shown(data)}"
    )


def _from_frame(
    frame: pd.DataFrame, design: Any, metric: Any, columns: Mapping[str, Any] | None = None,
    where: Mapping[str, Any] | None = None, *, wide: bool = False,
) -> Scores | Predictions:
    """Return the table that a frame with a row per score or prediction describes."""
    columns = columns or {}
    check_instance("columns", columns, Mapping)
    there = {role for role in ("model", "score", "truth", "prediction")
             if columns.get(role, role) in frame}
    how: dict[str, Any] = dict(design=design, metric=metric, columns=columns, where=where)
    if {"model", "truth", "prediction"} <= there:
        return Predictions(frame, **how | {"design": Items() if design is None else design})
    if {"model", "score"} <= there:
        return Scores(frame, **how)
    if wide:
        return from_wide(frame, **how)
    raise ValueError(
        "a DataFrame must have columns model and score, or model, truth and prediction, and the "
        f"columns are {listed(frame.columns)}: for a column per model call from_wide"
    )


def read(
    *paths: str | os.PathLike[str], design: Any = None, metric: Any = None,
    columns: Mapping[str, Any] | None = None, where: Mapping[str, Any] | None = None,
) -> Scores | Predictions:
    """Read CSV."""
    return _from_frame(pd.read_csv(paths[0]), design, metric, columns, where, wide=True)
