"""Readers: arrays, wide tables, results of scikit-learn and files that become one table of scores.

Values without labels are labelled by their position, in the order that each docstring states.
"""

import os
import warnings
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replib import logs
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
from replib.scores import Metric, Predictions, Scores, chosen_rows, find_metric
from replib.validation import check_choice, check_instance, listed, real_array, shown

_MOST_COLUMNS = 1_000


def from_arrays(
    arrays: Mapping[str, Any], *, design: Any, metric: str | Metric, clusters: Any = None,
    notes: tuple[str, ...] = (),
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
    notes : tuple of str
        What there is to say about the scores.

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
    design, metric = find_design(design), find_metric(metric)
    of = design.within if isinstance(design, Datasets) else design
    free = isinstance(of, Seeds | Items) and not of.paired  # the runs of each model are its own
    given, others = _by_model("arrays", arrays), [] if clusters is None else [clusters]
    aligned, units = _aligned([*given, "clusters"], [*given.values(), *others], design.keys, free)
    design, by, of_items = _clustered(design, aligned.pop() if others else None)
    shaped = {name: _shaped(name, values, design) for name, values in zip(given, aligned)}
    first = next(iter(shaped))
    for name, x in shaped.items():
        lengths = zip(design.keys, shaped[first].shape, x.shape)
        if any(m != n and not (free and key == "run") for key, m, n in lengths):
            raise ValueError(f"{first} and {name} must have equal shapes, not "
                             f"{np.shape(given[first])} and {np.shape(given[name])}")
        if isinstance(of, Seeds | Items) and x.shape[-1] < 2:
            raise ValueError(f"{name} must have at least two {of}, not {x.shape[-1]}")
    places = np.concatenate([np.indices(x.shape).reshape(x.ndim, -1) for x in shaped.values()], 1)
    columns: dict[str, Any] = dict(zip(design.keys, places))
    for key, length in zip(design.keys, shaped[first].shape):
        if key in ("item", "dataset"):
            units = pd.RangeIndex(length) if units is None else units
            columns[key] = units[columns[key]]
    codes = None
    if of_items is not None:
        if len(of_items) != shaped[first].shape[-1]:
            raise ValueError(f"clusters must be one label for each of {shaped[first].shape[-1]} "
                             f"items, not {len(of_items)}")
        codes = pd.factorize(of_items)[0].astype(np.int64)
        columns["fold" if by == "fold" else "cluster"] = of_items[places[-1]]
    frame = pd.DataFrame({
        "model": np.repeat(list(shaped), [x.size for x in shaped.values()]), **columns,
        "score": np.concatenate([x.ravel() for x in shaped.values()]),
    })
    blocks = {
        name: x.mean(axis=tuple(range(1, x.ndim))) if isinstance(design, Datasets) else
        x[:, None] if isinstance(design, RandomSplits) else
        np.atleast_2d(x) if isinstance(design, Items) else x.copy() for name, x in shaped.items()
    }
    return Scores.of_blocks(frame, blocks, metric=metric, design=design, notes=notes,
                            units=() if units is None else list(units), clusters=codes)


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
    if not isinstance(frame, pd.DataFrame) or frame.columns.nlevels > 1:
        raise ValueError(f"frame must be a DataFrame with one row of names, not {shown(frame)}")
    ignored = np.atleast_1d(np.array(columns.pop("ignored", []), object)).tolist()
    for name in [*ignored, *columns.values()]:
        if name not in frame:
            raise ValueError(f"there is no column {shown(name)}: there are {listed(frame)}")
    by = _by(design)
    roles = [*design.keys, *([by] if by else [])]
    renamed = {name: by if role == "cluster" else role for role, name in columns.items()}
    table = chosen_rows(frame, where).drop(columns=[*ignored, *(where or {})])
    table = table.rename(columns=renamed)
    if models == "rows":
        table = (table.set_index("model") if "model" in table else table).T
        table = table.infer_objects().rename_axis(columns=None)
    unit = next((key for key in ("item", "dataset") if key in design.keys), None)
    if unit and unit not in table and not _counts(table.index):
        table = table.rename_axis(index=unit)
    levels = [name for name in table.index.names if name in roles and name not in table]
    table = _with_positions(table.reset_index(level=levels) if levels else table, design)
    roles = [role for role in roles if role in table]
    scores = table.drop(columns=roles)
    _refuse_commas(scores)
    if text := [name for name in scores if not pd.api.types.is_numeric_dtype(scores[name])]:
        raise ValueError(f"columns {listed(text)} are not numbers: say which roles they have, or "
                         f"columns={{'ignored': {text[:10]}}}")
    if len(scores.columns) < 2:
        raise ValueError(f"there must be two or more models, and the columns are {listed(frame)}")
    long = [table[roles].assign(model=str(name), score=scores[name]) for name in scores]
    return Scores(pd.concat(long), metric=metric, design=design)


def _with_positions(table: pd.DataFrame, design: Design) -> pd.DataFrame:
    """Return a table in which runs, folds, items or data sets without labels have numbers."""
    of = design.within if isinstance(design, Datasets) else design
    there = [key for key in design.keys if key in table]
    missing = [key for key in design.keys if key not in there and (key, type(of)) != ("run", Items)]
    place = np.arange(len(table)) if not there else table.groupby(there).cumcount().to_numpy()
    if missing == ["run", "fold"] and isinstance(of, CV):
        return table.assign(run=place // of.folds, fold=place % of.folds)
    if len(missing) == 1 and not (missing == ["dataset"] and of is not None):
        return table.assign(**{missing[0]: place})
    return table


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
    models = _by_model("predictions", predictions)
    names = ["y", *models, *([] if clusters is None else ["clusters"])]
    values = [y, *models.values(), *([] if clusters is None else [clusters])]
    tables = [place for place, x in enumerate(values) if isinstance(x, pd.Series | pd.DataFrame)
              or not isinstance(y, pd.Series)]  # plain predictions are in the order of y
    aligned, units = _aligned([names[place] for place in tables],
                              [values[place] for place in tables], ("run", "item"), True)
    for place, x in zip(tables, aligned):
        values[place] = x
    truth, *rest = [np.asarray(x) for x in values]
    design, by, of_items = _clustered(design, rest.pop() if clusters is not None else None)
    n = len(truth) if truth.ndim == 1 else 0
    items = pd.RangeIndex(n) if units is None else units
    parts = []
    for name, predicted in zip(models, rest):
        if n < 2 or predicted.ndim not in (1, 2) or predicted.shape[-1] != n or (
                of_items is not None and len(of_items) != n):
            raise ValueError(f"y and clusters must have shape (items,), and {name} that or (runs, "
                             f"items), not {truth.shape} and {predicted.shape}")
        for run, row in enumerate(np.atleast_2d(predicted)):
            labels = dict(model=name, run=run, item=items, truth=truth, prediction=row)
            parts.append(pd.DataFrame(labels if by is None else labels | {by: of_items}))
    frame = pd.concat(parts, ignore_index=True)
    if by == "fold":
        frame = frame.drop(columns="run")
    return Predictions(frame, metric=metric, design=design, function=function)


def from_cross_validate(
    results: Mapping[str, Any], *, metric: str | Metric, design: Any = None,
    score: str = "test_score",
) -> Scores:
    """Read the results of scikit-learn's `cross_validate` for several models.

    Parameters
    ----------
    results : dict of dict
        By the names of the models, what `cross_validate` returned.
    metric : str or Metric
    design : design, text or splitter, optional
        May be left out if the results have indices (``return_indices=True``).
    score : str, default "test_score"
        Which entry has the scores.

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
    arrays, splits = {}, {}
    for name, result in _by_model("results", results).items():
        if not isinstance(result, Mapping) or score not in result:
            there = listed(result) if isinstance(result, Mapping) else shown(result)
            raise ValueError(f"{name} has no {shown(score)}: it has {there}")
        arrays[name] = result[score]
        if "indices" in result:
            rows = result["indices"]
            splits[name] = list(zip(rows["train"], rows["test"]))
    if splits:
        first = next(iter(splits))
        for name, pairs in splits.items():
            if len(pairs) != len(splits[first]) or not all(
                    np.array_equal(a, b) for one, two in zip(pairs, splits[first])
                    for a, b in zip(one, two)):
                raise ValueError(f"{first} and {name} were scored on different splits: give all "
                                 "models the same splitter, with random_state=")
        seen = design_of_splits(splits[first])
        design = seen if design is None else find_design(design)
        if (type(design), getattr(design, "shape", None)) != (type(seen), seen.shape):
            raise ValueError(f"design is {design}, and the indices are those of {seen}")
    return from_arrays(arrays, design=design, metric=metric)


def from_search(
    search: Any, *, metric: str | Metric | None = None, design: Any = None
) -> Scores:
    """Read the candidates of a grid or random search as models.

    Parameters
    ----------
    search : fitted GridSearchCV or RandomizedSearchCV, or its `cv_results_`
    metric : str or Metric, optional
        What was scored; by default that with which the search chose.  If it scored several, the
        name of one of them.
    design : design, text or splitter, optional
        Needed with `cv_results_`, and with splits that the search no longer has.

    Returns
    -------
    Scores
        The models are called such as "C=1, kernel='rbf'".  Candidates that failed or occur again
        are left out, with a note.

    Raises
    ------
    ValueError
        If the search is not fitted, halves its candidates, or did not score by `metric`.

    Examples
    --------
    >>> results = {"params": [{"C": 1}, {"C": 9}], "mean_test_score": [.75, .85],
    ...            "split0_test_score": [.7, .8], "split1_test_score": [.8, .9]}
    >>> from_search(results, metric="accuracy", design="1x2").models
    ('C=1', 'C=9')
    """
    results, scoring = getattr(search, "cv_results_", search), getattr(search, "scoring", None)
    if not isinstance(results, Mapping | pd.DataFrame) or "params" not in results:
        raise ValueError("search must be a fitted GridSearchCV or RandomizedSearchCV or its "
                         f"cv_results_, not {shown(search)}")
    if "iter" in results:
        raise ValueError("a halving search does not score all candidates on the same data, so its "
                         "scores cannot be compared")
    if search is not results:
        if scoring is None:
            kind = search.__sklearn_tags__().estimator_type
            scoring = {"classifier": "accuracy", "regressor": "r2"}.get(kind)
        if metric is None:
            metric = search.refit if isinstance(search.refit, str) else scoring
        if design is None:
            cv = 5 if search.cv is None else search.cv
            design = CV(1, cv) if isinstance(cv, int) else find_design(cv, seeded=False)
    if not isinstance(metric, str | Metric):
        raise ValueError("metric must say what the search scored, such as \"accuracy\" or "
                         f"Metric(..., better=...), not {shown(metric)}")
    metric, design = find_metric(metric), find_design(design)
    there = [key[len("mean_test_"):] for key in results if str(key).startswith("mean_test_")]
    if (isinstance(scoring, str) and metric.name != scoring) or (
            there != ["score"] and metric.name not in there):
        raise ValueError(f"metric is {metric.name}, and the search scored "
                         f"{listed(there if there != ['score'] else [scoring])}")
    name = "score" if there == ["score"] else metric.name
    keys = [f"split{place}_test_{name}" for place in range(len(list(results)))]
    table = np.column_stack([np.asarray(results[key], float) for key in keys if key in results])
    arrays: dict[str, Any] = {}
    failed, again = [], 0
    for candidate, row in zip(results["params"], table):
        model = ", ".join(f"{key}={' '.join(repr(value).split())}"
                          for key, value in candidate.items()) or "no parameters"
        if not np.isfinite(row).all():
            failed.append(model)
        elif model in arrays:
            again += 1
        else:
            arrays[model] = row
    notes = (
        *[f"{len(failed)} of {len(table)} candidates failed: {listed(failed[:5])}."] * bool(failed),
        *[f"{again} of {len(table)} candidates occur again."] * bool(again),
    )
    if len(arrays) < 2:
        raise ValueError(f"search must have at least two candidates with scores, not {len(arrays)}")
    return from_arrays(arrays, design=design, metric=metric, notes=notes)


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
            if given not in (None, own):
                raise ValueError(f"{name} is {given}, and the data have {own}: leave {name}= out")
        return data
    if isinstance(data, pd.DataFrame):
        return _of_frame(data, design, metric)
    if isinstance(data, Mapping):
        return from_arrays(data, design=design, metric=metric)
    paths = data if isinstance(data, list | tuple) else [data]
    if paths and all(isinstance(path, str | os.PathLike) for path in paths):
        return read(*paths, design=design, metric=metric)
    raise ValueError(
        "data must be Scores, Predictions, a DataFrame with a row per score, a dict of arrays by "
        f"model, or one or more paths, not {shown(data)}"
    )


def _of_frame(
    frame: pd.DataFrame, design: Any, metric: Any, columns: Mapping[str, Any] | None = None,
    where: Mapping[str, Any] | None = None, *, wide: bool = False,
) -> Scores | Predictions:
    """Return the table that a frame with a row per score or prediction describes."""
    check_instance("columns", columns, Mapping, type(None))
    columns = columns or {}
    there = {role for role in ("model", "score", "truth", "prediction")
             if columns.get(role, role) in frame}
    how: dict[str, Any] = dict(design=design, metric=metric, columns=columns, where=where)
    if wide and "model" in there and _counts(frame.index):
        frame = frame.set_axis(range(2, len(frame) + 2))  # the lines of a file with a head
    if {"model", "truth", "prediction"} <= there:
        return Predictions(frame, **how | {"design": Items() if design is None else design})
    if {"model", "score"} <= there:
        return Scores(frame, **how)
    if wide:
        return from_wide(frame, **how)
    raise ValueError(
        "a DataFrame must have columns model and score, or model, truth and prediction, and has "
        f"{listed(frame)}: for a column per model call from_wide"
    )


def read(
    *paths: str | os.PathLike[str], design: Any = None, metric: Any = None,
    columns: Mapping[str, Any] | None = None, where: Mapping[str, Any] | None = None,
) -> Scores | Predictions:
    """Read files: CSV, Parquet, logs of lm-evaluation-harness or of Inspect.

    Parameters
    ----------
    *paths : path, or "name=path"
        *CSV or Parquet*: a row per score or prediction as for :func:`as_data`, or a column per
        model as for :func:`from_wide`; with "name=path" a file per model.
        *lm-evaluation-harness* (``--log_samples``): files ``samples_<task>_<date>.jsonl``, folders
        of a model with such files, or a folder with such folders; several files of a task are runs
        of the model, and items are called "task/doc_id".  *Inspect*: files or folders.
    design : design, text or splitter, optional
        For logs by default items, whose runs are samples; a cluster may be a field of each `doc`.
    metric : str or Metric, optional
        For logs by default the only one that they have.
    columns, where : mapping, optional
        As for :class:`replib.scores.Scores`.  Logs have the columns `task` and `filter`.

    Returns
    -------
    Scores or Predictions

    Raises
    ------
    ValueError
        If a file cannot be read, or what it holds is refused.
    """
    sources = [logs.source(path) for path in paths]
    if not paths or len({path.resolve() for _, path in sources}) < len(sources):
        raise ValueError("paths must be one or more, and different")
    of_logs = [path.is_dir() or path.suffix in (".jsonl", ".json", ".eval") for _, path in sources]
    if any(of_logs) != all(of_logs):
        raise ValueError("paths must be tables, or logs, not both")
    if any(of_logs):
        design = Items(runs="samples") if design is None else find_design(design)
        frame, name = logs.read(
            sources, metric=metric.name if isinstance(metric, Metric) else metric, where=where,
            field=design.cluster if isinstance(design, Items) else None)
        return Scores(frame, design=design, metric=find_metric(metric or name),
                      columns=columns or {})
    tables = [_table(path) if name is None else _table(path).assign(model=name)
              for name, path in sources]
    return _of_frame(pd.concat(tables), design, metric, columns, where, wide=True)


def _table(path: Path) -> pd.DataFrame:
    """Read CSV, whose separator is the most frequent in the first line, or Parquet."""
    line = (logs.head(path).decode("utf-8-sig", "replace").splitlines() or [""])[0]
    try:
        if path.suffix == ".parquet":
            return pd.read_parquet(path)
        separator = max(",;\t|", key=line.count)
        if line.count(separator) >= _MOST_COLUMNS or len(line) > 2**19:
            raise ValueError(f"it has {line.count(separator) + 1} columns, and at most "
                             f"{_MOST_COLUMNS} are read: write a row per score")
        how: dict[str, Any] = dict(sep=separator, encoding="utf-8-sig", skipinitialspace=True,
                                   keep_default_na=False, na_values=[""], index_col=False)
        cells = pd.read_csv(path, header=None, nrows=1, dtype=str, **how).iloc[0]
        with warnings.catch_warnings():  # that a row is longer than the first
            warnings.simplefilter("error", pd.errors.ParserWarning)
            table = pd.read_csv(path, low_memory=False, float_precision="round_trip", **how)
        named = cells.dropna()
        if named.duplicated().any():
            raise ValueError(f"two columns are called {shown(named[named.duplicated()].iloc[0])}")
        numbers = pd.Index(pd.to_numeric(named, errors="coerce"))
        if numbers.notna().all() and not _counts(numbers):
            raise ValueError("its first line must have names, not numbers")
        _refuse_commas(table)
    except (ValueError, ImportError, pd.errors.ParserWarning) as problem:
        said = "Parquet needs pyarrow" if isinstance(problem, ImportError) else (
            "it is not UTF-8" if isinstance(problem, UnicodeError) else
            " ".join(str(problem).split()).rstrip("."))
        raise ValueError(f"{str(path)!r} cannot be read: {said}") from None
    empty = [name for name, cell in zip(table, cells) if pd.isna(cell) and table[name].isna().all()]
    table = table.drop(columns=empty).dropna(how="all")
    if pd.isna(cells[0]) and empty[:1] != [table.columns[0]]:  # the index of a DataFrame
        table = table.set_index(table.columns[0]).rename_axis(index=None)
    return table


def _refuse_commas(table: pd.DataFrame) -> None:
    for name, values in table.items():
        if not pd.api.types.is_numeric_dtype(values) and len(values) and (
                values.head(100).astype(str).str.fullmatch(r"\s*-?\d+,\d+\s*").all()):
            raise ValueError(f"column {shown(name)} has decimal commas: give the DataFrame that "
                             'pandas.read_csv(..., decimal=",") reads')


def _by_model(name: str, given: Any) -> dict[Any, Any]:
    """Return a dict of two or more things by the names of models, as text."""
    if not isinstance(given, Mapping) or len(given) < 2:
        raise ValueError(f'{name} must be a dict of two or more models, such as {{"a": ..., "b": '
                         f"...}}, not {shown(given)}")
    if len(named := {str(model): values for model, values in given.items()}) < len(given):
        raise ValueError(f"{name} has two models with the same name: {listed(given)}")
    return named


def _counts(index: pd.Index) -> bool:
    """Return whether labels only count the rows."""
    return bool(index.nlevels == 1 and index.equals(pd.RangeIndex(len(index))))


def _aligned(
    names: list[str], values: list[Any], keys: tuple[str, ...], free: bool
) -> tuple[list[Any], pd.Index | None]:
    """Return values in the order of the labels of the first, and its labels of items or data sets.

    The last axis of values has the last key.  Labels of free runs are not matched.
    """
    values = [x.unstack(sort=False) if isinstance(x, pd.Series) and x.index.nlevels == 2 else x
              for x in values]
    axes = [{axis: x.axes[axis] for axis in range(-x.ndim, 0)
             if not (free and keys[max(axis, -len(keys))] == "run")}
            if isinstance(x, pd.Series | pd.DataFrame) else {} for x in values]
    labelled = [not all(map(_counts, own.values())) for own in axes]
    if not any(labelled):
        return values, None
    if not all(labelled):
        raise ValueError(f"{names[labelled.index(True)]} has labels and "
                         f"{names[labelled.index(False)]} has none: give labels to both, or "
                         "arrays without labels in the same order")
    for place, own in enumerate(axes):
        for axis, labels in own.items():
            wanted = axes[0].get(axis, labels)
            if labels.has_duplicates:
                raise ValueError(f"label {shown(labels[labels.duplicated()][0])} of {names[place]} "
                                 "occurs twice")
            if odd := [*labels[~labels.isin(wanted)], *wanted[~wanted.isin(labels)]]:
                raise ValueError(f"only one of {names[0]} and {names[place]} has {shown(odd[0])}")
            values[place] = values[place].reindex(wanted, axis=axis % values[place].ndim)
    unit = axes[0][-1 if "item" in keys else min(axes[0])]
    return values, None if _counts(unit) or not {"item", "dataset"} & set(keys) else unit


def _shaped(name: str, values: Any, design: Design) -> NDArray[np.float64]:
    """Return an array with an axis for each key of the design."""
    array = real_array(name, values)
    of = design.within if isinstance(design, Datasets) else design
    outer = int(isinstance(design, Datasets))
    if isinstance(of, CV | RandomSplits):
        if array.shape[outer:] in (of.shape, (of.shape[0] * of.shape[1],)) and array.ndim > outer:
            return array.reshape(*array.shape[:outer], *of.shape[:len(of.keys)])
        wanted = [*map(str, of.shape)] if isinstance(of, CV) else [str(of.splits)]
    elif array.ndim == len(design.keys):
        return array
    elif array.ndim == 1 and design.keys == ("run", "item"):
        return array[None]
    else:
        wanted = {Seeds: ["seeds"], Items: ["items"]}.get(type(of), [])
    shape = ", ".join(["data sets"] * outer + wanted)
    raise ValueError(f"{name} must have shape ({shape}) for {design}, not {array.shape}")


def _by(design: Design) -> str | None:
    """Return the column of folds or clusters of items, if the design has one."""
    if not isinstance(design, Items):
        return None
    return "fold" if design.predicted == "by_fold" else design.cluster


def _clustered(design: Design, clusters: Any) -> tuple[Design, str | None, NDArray[Any] | None]:
    """Return the design with clusters, the name of their column, and the cluster of each item."""
    by = _by(design)
    if clusters is None and by:
        raise ValueError("clusters must give the " + (
            "fold of each item, for leave-one-out range(n)" if by == "fold" else
            "cluster of each item"))
    if clusters is None:
        return design, None, None
    if not isinstance(design, Items):
        raise ValueError(f"clusters are of items, and the design is {design}")
    of_items = np.asarray(clusters)
    if of_items.ndim != 1 or pd.isna(of_items).any():
        raise ValueError("clusters must be one label for each item, with no label missing")
    return design if by else replace(design, cluster="cluster"), by or "cluster", of_items
