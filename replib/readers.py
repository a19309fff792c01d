"""Readers: arrays, wide tables, results of scikit-learn and files that become one table of scores.

Values without labels are labelled by their position, in the order that each docstring
states.
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

from replib import _logs
from replib._validation import (
    check_instance,
    listed,
    one_line,
    real_array,
    rectangular_array,
    shown,
)
from replib.designs import CV, Design, Items, find_design
from replib.scores import (
    UNITS,
    MatchedArrays,
    Metric,
    Predictions,
    Scores,
    by_role,
    check_labels,
    find_metric,
)

_MOST_COLUMNS = 1_000
_TABLES = (".csv", ".tsv", ".txt", ".parquet", "")
#: Names that label rows and are never those of a model.
_ROLES = (
    "model",
    "score",
    "run",
    "fold",
    "item",
    "dataset",
    "cluster",
    "truth",
    "prediction",
)


def from_arrays(
    arrays: Mapping[str, Any],
    *,
    design: Any,
    metric: str | Metric,
    clusters: Any = None,
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
    given, metric = by_model("arrays", arrays), find_metric(metric)
    design = _with_cluster(find_design(design), clusters)
    by, parts = design.roles.get(design.clustering), list[pd.Series]()
    if not _labelled([*given.items(), *([("clusters", clusters)] if by else [])]):
        first, *_ = shaped = {
            name: _shaped(name, x, design) for name, x in given.items()
        }
        # the runs of a model are its own, unless they are paired
        own = int(design.keys[0] == "run" and not getattr(design, "paired", True))
        for name, x in shaped.items():
            if x.shape[own:] != shaped[first].shape[own:]:
                raise ValueError(
                    f"{first} and {name} must have equal shapes, not "
                    f"{np.shape(given[first])} and {np.shape(given[name])}"
                )
        items = pd.RangeIndex(x.shape[-1])
        codes = (
            pd.factorize(_by_item("clusters", np.asarray(clusters), items))[0]
            if by
            else None
        )
        return Scores(MatchedArrays(shaped, codes), metric=metric, design=design)
    for name, values in given.items():
        series = values.T.unstack() if isinstance(values, pd.DataFrame) else values
        levels = (parts or [series])[0].index.nlevels
        if series.index.nlevels != levels or levels not in (
            len(design.needed),
            len(design.keys),
        ):
            raise ValueError(
                f"{name} must have labels of {listed(design.needed)}, or be an array "
                "without labels"
            )
        parts.append(series.rename_axis(list(design.keys[-levels:])))
    series = pd.concat(parts, keys=given, names=["model"]).rename("score")
    frame = series.reset_index().set_axis(
        series.index.rename([None] * series.index.nlevels)
    )
    if by:
        items = pd.Index(frame["item"].unique())
        frame[by] = frame["item"].map(_by_item("clusters", clusters, items))
    return Scores(frame, metric=metric, design=design)


def from_wide(
    frame: pd.DataFrame,
    *,
    design: Any,
    metric: str | Metric,
    columns: Mapping[str, Any] | None = None,
    where: Mapping[str, Any] | None = None,
) -> Scores:
    """Read a table with a column per model; of one with a row per model give the transpose.

    Parameters
    ----------
    frame : DataFrame
        A row per split, seed, item or data set.  Columns `run`, `fold`, `item`,
        `dataset` and the cluster are labels, as is an index of items or data sets; all
        other columns are models. Without such columns the rows are all folds of the
        first run first, then those of the next.
    design : design, text or splitter
    metric : str or Metric
    columns : mapping, optional
        Names of columns with other names, as for :class:`replib.scores.Scores`, such as
        ``{"dataset": "task", "ignored": ["date"]}``.
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
    design, metric = find_design(design), find_metric(metric)
    check_instance("frame", frame, pd.DataFrame)
    unit, known = UNITS.get(type(design)), {*design.roles.values()}.difference(frame)
    named = columns if isinstance(columns, Mapping) else {}
    if unit in known.difference(named) and not _counts(frame.index):
        frame = frame.rename_axis(index=unit)
    frame = frame.reset_index(
        level=[name for name in frame.index.names if name in known]
    )
    labels, scores = by_role(frame, design.roles, columns, where)
    there = [key for key in design.keys if key in labels]
    place = (
        labels.groupby(there).cumcount().to_numpy() if there else np.arange(len(labels))
    )
    of = getattr(design, "within", design)
    missing = [
        key
        for key in design.keys
        if key not in there and (key, unit) != ("run", "item")
    ]
    if missing == ["run", "fold"]:
        labels = labels.assign(run=place // of.folds, fold=place % of.folds)
    elif len(missing) == 1 and (missing != ["dataset"] or of is None):
        labels = labels.assign(**{missing[0]: place})
    if odd := [name for name in scores if name in _ROLES]:
        raise ValueError(
            f"column {shown(odd[0])} is no model, and {design} has no such label: say "
            f"columns={{'ignored': {odd}}}"
        )
    if text := [
        name for name in scores if not pd.api.types.is_numeric_dtype(scores[name])
    ]:
        column, role = scores[text[0]], (missing or ["ignored"])[0]
        place = pd.to_numeric(column, errors="coerce").isna().to_numpy().argmax()
        raise ValueError(
            f"{shown(column.iloc[place])} in row {place + 1} of {shown(text[0])} is "
            "no number; if the column is no model, say what it is, as in "
            f"columns={{{shown(role)}: {shown(text[0])}}}"
        )
    long = scores.assign(**labels).melt(
        [*labels], var_name="model", value_name="score", ignore_index=False
    )
    return Scores(
        long,
        metric=metric,
        design=design,
        columns={design.clustering: design.clustering} if design.clustering else {},
    )


def from_predictions(
    y: Any,
    predictions: Mapping[str, Any],
    *,
    metric: str | Metric,
    design: Any = "items",
    clusters: Any = None,
    function: Any = None,
) -> Predictions:
    """Read the predictions of several models for the same items.

    Parameters
    ----------
    y : array_like, shape (items,)
        The truth.
    predictions : dict of array_like, shape (items,), (items, 1) or (runs, items)
        By the names of the models, in the order of `y`.  If `y` is a Series with
        labels, Series and DataFrames are matched by them.
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
    metric, design = find_metric(metric), _with_cluster(find_design(design), clusters)
    by, y = design.roles.get(design.clustering), only_column("y", y)
    models = {
        name: only_column(name, x)
        for name, x in by_model("predictions", predictions).items()
    }
    given = [("y", y), *models.items(), *([("clusters", clusters)] if by else [])]
    if isinstance(y, pd.Series):  # arrays are in its order
        given = [
            (name, x) for name, x in given if isinstance(x, pd.Series | pd.DataFrame)
        ]
    labels, blocks = y.index if _labelled(given) else pd.RangeIndex(np.size(y)), {}
    for name, values in models.items():
        if np.shape(values)[-1:] != labels.shape or np.ndim(values) > 2:
            raise ValueError(
                f"{name} must have shape {labels.shape} or (runs, {len(labels)}), not "
                f"{np.shape(values)}; of probabilities give one column"
            )
        if not isinstance(values, pd.DataFrame):
            own = values.index if isinstance(values, pd.Series) else labels
            values = pd.DataFrame(np.atleast_2d(values), columns=own)
        if not values.columns.is_unique:
            raise ValueError(f"{name} has two predictions for one item")
        _check_items(name, values.columns, labels)
        blocks[name] = values.T.unstack()
    frame = (
        pd.concat(blocks, names=["model", "run", "item"])
        .rename("prediction")
        .reset_index()
    )
    frame["truth"] = frame["item"].map(_by_item("y", y, labels))
    if by:
        frame[by] = frame["item"].map(_by_item("clusters", clusters, labels))
    return Predictions(frame, metric=metric, design=design, function=function)


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
    metric, arrays, splits = find_metric(metric), dict[str, Any](), list[Any]()
    for name, result in by_model("results", results).items():
        check_instance(name, result, Mapping, pd.DataFrame)
        there = [key for key in result if str(key).startswith("test_")]
        entry = score or (
            "test_score" if "test_score" in there else f"test_{metric.name}"
        )
        if entry not in there:
            raise ValueError(
                f"{name} has no test score {shown(entry)}: it has {listed(there)}"
            )
        arrays[name] = result[entry]
        if "indices" in result:
            own = [
                [rows.tolist() for rows in result["indices"][x]]
                for x in ("train", "test")
            ]
            if splits not in ([], own):
                raise ValueError(
                    f"{name} was scored on other splits than the models before it: "
                    "give all models the same splitter, with random_state="
                )
            splits = own
    if splits:
        of: Any = find_design(zip(*splits))
        design = of if design is None else find_design(design)
        if (type(design), getattr(design, "shape", None)) != (type(of), of.shape):
            raise ValueError(f"design is {design}, and the indices are those of {of}")
    return from_arrays(arrays, design=design, metric=metric)


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
    results, scoring = (
        getattr(search, "cv_results_", search),
        getattr(search, "scoring", None),
    )
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
    if search is not results:
        if scoring is None:
            kind = search.__sklearn_tags__().estimator_type
            scoring = {"classifier": "accuracy", "regressor": "r2"}.get(kind)
        if metric is None:
            metric = search.refit if isinstance(search.refit, str) else scoring
        if design is None:
            cv = 5 if search.cv is None else search.cv
            design = CV(1, cv) if isinstance(cv, int) else find_design(cv, seeded=False)
    metric, design = find_metric(metric), find_design(design)
    there = [
        key[len("mean_test_") :] for key in results if str(key).startswith("mean_test_")
    ]
    metrics, name = (there, metric.name) if there != ["score"] else ([scoring], "score")
    if metric.name not in metrics and metrics != [None] and not callable(scoring):
        raise ValueError(
            f"metric is {metric.name}, and the search scored {listed(metrics)}"
        )
    keys = [f"split{place}_test_{name}" for place in range(len(list(results)))]
    table = np.column_stack(
        [np.asarray(results[key], float) for key in keys if key in results]
    )
    names = [
        ", ".join(f"{key}={one_line(repr(value))}" for key, value in candidate.items())
        or "no parameters"
        for candidate in results["params"]
    ]
    scored = np.isfinite(table).all(axis=1)
    arrays = {model: row for model, row, there in zip(names, table, scored) if there}
    failed = [model for model, there in zip(names, scored) if not there]
    notes = (
        [
            f"{len(failed)} of {len(table)} candidates failed and are left out: "
            + listed(failed[:5])
        ]
        if failed
        else []
    )
    if len(arrays) < 2:
        raise ValueError(
            f"search must have at least two candidates with scores, not {len(arrays)}"
        )
    return replace(
        from_arrays(arrays, design=design, metric=metric), notes=tuple(notes)
    )


def as_data(
    data: Any, *, design: Any = None, metric: Any = None
) -> Scores | Predictions:
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
        for name, given, find, own in (
            ("design", design, find_design, data.design),
            ("metric", metric, find_metric, data.metric),
        ):
            if given is not None and find(given) != own:
                raise ValueError(
                    f"{name} is {given}, and the data have {own}: leave {name}= out"
                )
        return data
    if isinstance(data, pd.DataFrame):
        return _of_frame(data, design, metric)
    if isinstance(data, Mapping):
        return from_arrays(data, design=design, metric=metric)
    paths = data if isinstance(data, list | tuple) else [data]
    if paths and all(isinstance(path, str | os.PathLike) for path in paths):
        return read(*paths, design=design, metric=metric)
    raise ValueError(
        "data must be Scores, Predictions, a DataFrame with a row per score, a dict "
        f"of arrays by model, or paths, not {shown(data)}"
    )


def _of_frame(
    frame: pd.DataFrame,
    design: Any,
    metric: Any,
    columns: Mapping[str, Any] | None = None,
    where: Mapping[str, Any] | None = None,
    *,
    wide: bool = False,
) -> Scores | Predictions:
    """Return the table that a frame with a row per score or prediction describes."""
    named = columns if isinstance(columns, Mapping) else {}
    there = {
        role
        for role in ("model", "score", "truth", "prediction")
        if named.get(role, role) in frame
    }
    how: dict[str, Any] = dict(
        design=design, metric=metric, columns=columns or {}, where=where
    )
    if wide and "model" in there and _counts(frame.index):
        frame = frame.set_axis(
            range(2, len(frame) + 2)
        )  # the lines of a file with a head
    if {"model", "truth", "prediction"} <= there:
        return Predictions(
            frame, **how | {"design": Items() if design is None else design}
        )
    if {"model", "score"} <= there or (wide and "model" in there):
        return Scores(frame, **how)
    if wide:
        return from_wide(frame, **how)
    raise ValueError(
        "a DataFrame must have columns model and score, or model, truth and prediction, and has "
        f"{listed(frame)}: for a column per model call from_wide"
    )


def read(
    *paths: str | os.PathLike[str],
    design: Any = None,
    metric: Any = None,
    columns: Mapping[str, Any] | None = None,
    where: Mapping[str, Any] | None = None,
) -> Scores | Predictions:
    """Read files: CSV, Parquet, or logs of lm-evaluation-harness.

    Parameters
    ----------
    *paths : path, or "name=path"
        *CSV*: a row per score or prediction as for :func:`as_data`, or a column per
        model as for :func:`from_wide`; with "name=path" a file per model.
        *lm-evaluation-harness* (``--log_samples``): files ``samples_<task>_<date>.jsonl``, folders
        of a model with such files, or a folder with such folders; several files of a task are runs
        of the model, and items are called "task/doc_id".  Of Inspect's logs, give the
        DataFrame that its `samples_df` makes to :class:`replib.scores.Scores`.
    design : design, text or splitter, optional
        For logs by default items, whose runs are samples; a cluster may be a field of
        each `doc`.
    metric : str or Metric, optional
        For logs by default the only one that they have.
    columns, where : mapping, optional
        As for :class:`replib.scores.Scores`.  Logs have the columns `task` and
        `filter`.

    Returns
    -------
    Scores or Predictions

    Raises
    ------
    ValueError
        If a file cannot be read, or what it holds is refused.
    """
    sources = [_logs.source(path) for path in paths]
    if not paths or len({os.path.realpath(path) for _, path in sources}) < len(sources):
        raise ValueError(
            f"paths must be one or more, and different: {listed(map(str, paths))}"
        )
    of_logs = [path.suffix == ".jsonl" or os.path.isdir(path) for _, path in sources]
    if any(of_logs) != all(of_logs):
        raise ValueError("paths must be tables, or logs, not both")
    if any(of_logs):
        design = Items(runs="samples") if design is None else find_design(design)
        frame, name = _logs.read(
            sources,
            metric=getattr(metric, "name", metric),
            field=getattr(design, "cluster", None),
        )
        return Scores(
            frame,
            design=design,
            metric=find_metric(metric or name),
            columns=columns or {},
            where=where,
        )
    tables = [
        _table(path) if name is None else _table(path).assign(model=name)
        for name, path in sources
    ]
    return _of_frame(pd.concat(tables), design, metric, columns, where, wide=True)


def _table(path: Path) -> pd.DataFrame:
    """Read CSV, whose separator is the most frequent in the first line, or Parquet."""
    line = (_logs.head(path).decode("utf-8-sig", "replace").splitlines() or [""])[0]
    try:
        if path.suffix == ".parquet":
            return pd.read_parquet(path)
        separator = max(",;\t|", key=line.count)
        if line.count(separator) >= _MOST_COLUMNS or len(line) > 2**19:
            raise ValueError(
                f"it has {line.count(separator) + 1} columns, and at most "
                f"{_MOST_COLUMNS} are read: write a row per score"
            )
        how: dict[str, Any] = dict(
            sep=separator,
            encoding="utf-8-sig",
            skipinitialspace=True,
            keep_default_na=False,
            na_values=[""],
            index_col=False,
        )
        if path.suffix.lower() not in _TABLES:
            raise ValueError(
                f"tables end with {listed(_TABLES)}, and logs with '.jsonl'"
            )
        cells = pd.read_csv(path, header=None, nrows=1, dtype=str, **how).iloc[0]
        with warnings.catch_warnings():  # that a row is longer than the first
            warnings.simplefilter("error", pd.errors.ParserWarning)
            table = pd.read_csv(path, low_memory=False, **how)
        if table.empty:
            raise ValueError("it has no row below its first line")
        named = cells.dropna()
        if named.duplicated().any():
            raise ValueError(
                f"two columns are called {shown(named[named.duplicated()].iloc[0])}"
            )
        numbers = pd.Index(pd.to_numeric(named, errors="coerce"))
        if numbers.notna().all() and not _counts(numbers):
            raise ValueError("its first line must have names, not numbers")
        for name in table.select_dtypes(exclude="number"):
            if (
                table[name]
                .head(100)
                .astype(str)
                .str.fullmatch(r"\s*-?\d+,\d+\s*")
                .all()
            ):
                raise ValueError(
                    f"column {shown(name)} has decimal commas; give the DataFrame "
                    'that pandas.read_csv(..., decimal=",") makes'
                )
    except (ValueError, ImportError, pd.errors.ParserWarning) as problem:
        said = (
            "it is not UTF-8"
            if isinstance(problem, UnicodeError)
            else one_line(problem)
        )
        if "Expected" in said or isinstance(problem, pd.errors.ParserWarning):
            said = "a row has more cells than the first line, which must have the names"
        raise ValueError(f"{str(path)!r} cannot be read: {said.rstrip('.')}") from None
    empty = [
        name
        for name, cell in zip(table, cells)
        if pd.isna(cell) and table[name].isna().all()
    ]
    table = table.drop(columns=empty).dropna(how="all")
    if pd.isna(cells[0]) and empty[:1] != [
        table.columns[0]
    ]:  # the index of a DataFrame
        table = table.set_index(table.columns[0]).rename_axis(index=None)
    return table


def by_model(name: str, given: Any) -> dict[str, Any]:
    """Return a dict of two or more things by the names of models, as text."""
    if not isinstance(given, Mapping) or len(given) < 2:
        raise ValueError(
            f'{name} must be a dict of two or more models, such as {{"a": ..., "b": '
            f"...}}, not {shown(given)}"
        )
    check_labels("model", given)
    return {str(model): values for model, values in given.items()}


def _counts(index: pd.Index) -> bool:
    """Return whether labels only count the rows."""
    return bool(index.nlevels == 1 and index.equals(pd.RangeIndex(len(index))))


def _labelled(given: list[tuple[str, Any]]) -> bool:
    """Return whether values have labels; refuse a mixture."""
    has = [
        isinstance(x, pd.Series | pd.DataFrame) and not all(map(_counts, x.axes))
        for _, x in given
    ]
    if any(has) != all(has):
        raise ValueError(
            f"{given[has.index(True)][0]} has labels and "
            f"{given[has.index(False)][0]} has none: give labels to both, or arrays "
            "without labels in the same order"
        )
    return all(has)


def only_column(name: str, values: Any) -> Any:
    """Return the only column of a table, or the values themselves."""
    array = rectangular_array(name, values)
    if array.ndim != 2 or array.shape[1] != 1:
        return values
    return values.iloc[:, 0] if isinstance(values, pd.DataFrame) else array[:, 0]


def _by_item(name: str, values: Any, labels: pd.Index) -> pd.Series:
    """Return a value for each item, by its label."""
    if not isinstance(values, pd.Series):
        array = np.asarray(values)
        if array.shape != labels.shape or (name == "clusters" and pd.isna(array).any()):
            raise ValueError(
                f"{name} must have a value for each of {len(labels)} items, not shape "
                f"{array.shape}"
            )
        values = pd.Series(array, labels)
    if not values.index.is_unique:
        raise ValueError(f"{name} must have a value for each item, and not two")
    _check_items(name, values.index, labels)
    return values


def _check_items(name: str, own: pd.Index, labels: pd.Index) -> None:
    """Refuse values that have not the labels of the items."""
    if len(lacking := labels.difference(own, sort=False)):
        raise ValueError(
            f"{name} has no item {shown(lacking[0])}: it has {listed(own)}"
        )


def _shaped(name: str, values: Any, design: Design) -> NDArray[np.float64]:
    """Return an array with an axis for each key of the design."""
    array, within = real_array(name, values), getattr(design, "within", None)
    of: Any = within or design
    outer = array.shape[:1] if within else ()
    inner, sizes = array.shape[len(outer) :], getattr(of, "shape", ())
    if sizes and inner in (sizes, (sizes[0] * sizes[1],)):
        return array.reshape(*outer, *sizes[: len(of.keys)])
    if not sizes and array.ndim == len(design.keys):
        return array
    if array.ndim == 1 and design.keys == ("run", "item"):
        return array[None]
    axes = [f"{key}s" for key in design.keys]
    if sizes:
        axes = [*axes[: len(outer)], *map(str, sizes[: len(of.keys)])]
    raise ValueError(
        f"{name} must have shape ({', '.join(axes)}) for {design}, not {array.shape}"
    )


def _with_cluster(design: Design, clusters: Any) -> Design:
    """Return the design with a name of clusters, if there are any."""
    if design.clustering and clusters is None:
        raise ValueError(
            f"clusters must give the {design.clustering} of each item (of leave-one-out, "
            "range(n))"
        )
    if clusters is None or design.clustering:
        return design
    if not isinstance(design, Items):
        raise ValueError(f"clusters are of items, and the design is {design}")
    return replace(design, cluster="cluster")
