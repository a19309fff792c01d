"""Files: tables, and what tools write (`replib._formats`)."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from replib import _formats, _sources
from replib._bars import with_bar
from replib._comparable import without_settings
from replib._names.models.files import notes_about_file_names
from replib._sources import counts_rows
from replib._tables.checks import RepeatedRowsError
from replib._tables.rows import chosen_rows
from replib._validation import check_instance, listed, set_fields, shown
from replib.designs import find_design
from replib.readers._long import has_predictions, long_table, roles_in
from replib.readers._nameless import (
    named_files,
    proposed_names,
    refuse_files_without_model,
)
from replib.readers.wide import from_wide
from replib.scores import Predictions, Scores, find_metric


def read(
    *paths: str | os.PathLike[str] | Mapping[str, str | os.PathLike[str]],
    design: Any = None,
    metric: Any = None,
    columns: Mapping[str, Any] | None = None,
    where: Mapping[str, Any] | None = None,
    missing: str = "refuse",
) -> Scores | Predictions:
    """Read files: tables, and what many tools write.

    Parameters
    ----------
    *paths : path, or "name=path"; or a dict of paths by model
        *CSV*, *Parquet*: a row per score or prediction as for :func:`as_data`, or a
        column per model as for :func:`from_wide`; with "name=path" a file per model.
        Columns are separated by commas, semicolons, tabs or "|"; numbers may have
        decimal commas, if none has a point.
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
    sources = _sources.sources(paths)
    files = {os.path.realpath(path) for _, path in sources}
    if not sources or len(files) < len(sources):
        given = [str(path) for _, path in sources]
        raise ValueError(f"paths must be one or more, and different: {listed(given)}")
    check_instance("columns", columns, Mapping, type(None))
    check_instance("where", where, Mapping, type(None))
    request = _formats.Request(
        metric=metric,
        design=design,
        columns=columns or {},
        where=where or {},
        missing=missing,
    )
    content = _formats.read(sources, request)
    if content is None:
        return _data_of_tables(sources, request)
    named = _files_by_model((name, path) for name, path in sources if name is not None)
    return Scores(
        content.frame,
        origin=_sources.digests(content.files),
        metric=find_metric(content.metric),
        design=find_design(content.design),
        columns=content.columns,
        where=content.where or None,
        missing=missing,
        notes=(*content.notes, *notes_about_file_names(named)),
    )


def _data_of_tables(
    sources: Sequence[_sources.Source], request: _formats.Request
) -> Scores | Predictions:
    """Return what files of CSV or Parquet have."""
    files_to_read = with_bar(sources, "file")
    tables = [_named_table(name, path, request) for name, path in files_to_read]
    if len(tables) == 1:
        data = _table_in_files(tables[0], request)
        set_fields(data, origin=_sources.digests([sources[0][1]]))
        return data
    refuse_files_without_model(sources, tables, request)
    column = request.columns.get("model", "model")
    models = [[*table[column].unique()] if column in table else [] for table in tables]
    paths = [path for _, path in sources]
    try:
        data = _table_in_files(pd.concat(tables), request)
    except RepeatedRowsError as problem:
        files = [x for x, names in zip(paths, models) if names == [problem.model]]
        is_named = any(name is not None for name, _ in sources)
        raise (
            problem if is_named or len(files) < 2 else _one_name(files, problem.model)
        ) from None
    alone = _files_by_model(
        (str(names[0]), path) for names, path in zip(models, paths) if len(names) == 1
    )
    notes = (*data.notes, *notes_about_file_names(alone))
    set_fields(data, origin=_sources.digests(paths), notes=notes)
    return data


def _files_by_model(named: Iterable[tuple[str, Path]]) -> dict[str, list[Path]]:
    """Return the files of each model."""
    files: dict[str, list[Path]] = {}
    for name, path in named:
        files.setdefault(name, []).append(path)
    return files


def _one_name(paths: Sequence[Path], model: str) -> ValueError:
    """Return the refusal of files that have the same rows of one model."""
    return named_files(
        f"{listed(map(str, paths))} have the same rows of one model, {shown(model)}",
        "if they are of several models, name these, as in",
        [*zip(proposed_names(paths), paths)],
    )


def _named_table(
    name: str | None, path: Path, request: _formats.Request
) -> pd.DataFrame:
    """Return the table in a file, which is of one model if the source names it."""
    table = _sources.table(path)
    if name is None:
        return table
    roles = roles_in(table.assign(model=name), request)
    if "score" not in roles and not has_predictions(roles):
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


def _table_in_files(
    frame: pd.DataFrame, request: _formats.Request
) -> Scores | Predictions:
    """Return the table that files have: long, or with a column per model."""
    roles = roles_in(frame, request)
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
    if has_predictions(roles):
        return long_table(frame, replace(request, columns=columns))
    return Scores(frame, design=request.design, columns=columns, notes=notes, **options)


def _asked_alike(
    frame: pd.DataFrame, request: _formats.Request
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
