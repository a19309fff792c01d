"""Tables of runs that trackers of experiments export: Weights & Biases and MLflow.

A row is a training.  Which column has the model and which the score is said, or is plain
from the names; columns that are constant for each model, such as its learning rate, are
settings of the model and need no role.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from replib._formats.base import Content, Format, Request, which_column
from replib._formats.documents import Peek
from replib._names.scores import may_have_scores_of
from replib._names.things.roles import label_names
from replib._sources import Source, table
from replib._validation import shown
from replib.designs import Seeds, find_design

#: Columns that W&B adds to the table of runs, whatever was logged.  Its page is not public
#: code: these are the columns of exported tables.
_WANDB = {
    *("Name", "State", "Notes", "User", "Tags", "Created", "Runtime", "Sweep", "ID"),
    *("Group", "Job Type", "Updated", "End Time", "Hostname", "Description", "Commit"),
    *("GitHub", "GPU Count", "GPU Type", "Github"),
}
#: Columns of `mlflow.search_runs` (mlflow/tracking/fluent.py of mlflow/mlflow), and of the
#: CSV that the page of an experiment downloads (`runInfosToCsv` in
#: mlflow/server/js/src/experiment-tracking/utils/CsvUtils.ts).
_MLFLOW = {
    *("run_id", "experiment_id", "status", "artifact_uri", "start_time", "end_time"),
    *("Start Time", "Duration", "Run ID", "Name", "Source Type", "Source Name", "User"),
    "Status",
}
#: States of a run that has ended as it should, by both trackers.
_ENDED = ("finished",)
_STATES = ("State", "status", "Status")


class _Tracker(NamedTuple):
    """What a tracker adds to the columns of a run.

    Attributes
    ----------
    name : str
    columns : set of str
        Columns that it adds.
    settings, scores : str
        What the names of settings and of scores begin with.
    """

    name: str
    columns: set[str]
    settings: str = ""
    scores: str = ""


def _is_wandb(peek: Peek) -> bool:
    return {"Name", "State", "Created"} <= set(peek.names)


def _is_mlflow(peek: Peek) -> bool:
    names = set(peek.names)
    in_python = {"run_id", "experiment_id", "status"} <= names
    return in_python or {"Run ID", "Source Type", "Status"} <= names


def _reader(
    of_file: Callable[[pd.DataFrame], _Tracker],
) -> Callable[[Sequence[Source], Request], Content]:
    """Return the reader of the tables of one tracker."""

    def read(sources: Sequence[Source], request: Request) -> Content:
        frame = _rows(sources, request)
        return _content(frame, of_file(frame), request)

    return read


def _of_wandb(frame: pd.DataFrame) -> _Tracker:
    return _Tracker("a Weights & Biases table of runs", _WANDB)


def _of_mlflow(frame: pd.DataFrame) -> _Tracker:
    if "run_id" in frame:
        return _Tracker("a table of MLflow runs", _MLFLOW, "params.", "metrics.")
    return _Tracker("a table of MLflow runs", _MLFLOW)


WANDB = Format(
    name="a table of runs of Weights & Biases",
    recognises=_is_wandb,
    read=_reader(_of_wandb),
)
MLFLOW = Format(
    name="a table of runs of MLflow",
    recognises=_is_mlflow,
    read=_reader(_of_mlflow),
)


def _rows(sources: Sequence[Source], request: Request) -> pd.DataFrame:
    """Return the rows of all tables; those of a table with a name are of that model."""
    tables = []
    for name, path in sources:
        rows = table(path)
        rows = rows.set_axis(range(2, len(rows) + 2))
        if name is not None:
            rows = rows.assign(**{request.columns.get("model", "model"): name})
        tables.append(rows)
    frame = pd.concat(tables)
    for column in frame.select_dtypes(exclude="number"):
        frame[column] = _without_escapes(frame[column])
    return frame


def _without_escapes(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """Return numbers below zero, before which MLflow writes a quotation mark, as numbers."""
    texts = column.astype(str)
    is_escaped = texts.str.match(r"'-[\d.]")
    if not is_escaped.any():
        return column
    numbers = pd.to_numeric(texts.str.lstrip("'"), errors="coerce")
    return column if numbers.isna().ne(column.isna()).any() else numbers


def _content(frame: pd.DataFrame, tracker: _Tracker, request: Request) -> Content:
    design = find_design(request.design)
    roles = {key: name for key, name in request.columns.items() if key != "ignored"}
    if "model" not in roles:
        roles["model"] = _model_column(frame, tracker)
    if "score" not in roles:
        roles["score"] = _score_column(frame, tracker, request)
    for role in design.needed:
        column = _label_column(frame, tracker, role)
        if column is not None:
            roles.setdefault(role, column)
    if isinstance(design, Seeds) and not design.paired and "run" not in roles:
        # seeds that are not paired need no labels
        frame = frame.assign(run=frame.groupby(roles["model"], sort=False).cumcount())
        roles["run"] = "run"
    used = {*roles.values(), *request.where}
    free = [name for name in frame if name not in used]
    ignored = {*request.ignored, *_without_role(frame, free, roles["model"], tracker)}
    return Content(
        frame=frame,
        metric=request.metric,
        design=design,
        columns={**roles, "ignored": [name for name in frame if name in ignored]},
        where=request.where,
        notes=_notes(frame, request),
    )


def _model_column(frame: pd.DataFrame, tracker: _Tracker) -> str:
    """Return the column that is called model, or ask for one."""
    for name in ("model", f"{tracker.settings}model"):
        if name in frame:
            return name
    candidates = [
        name
        for name in _of_runs(frame, tracker)
        if name.startswith(tracker.settings) and _may_name_models(frame[name])
    ]
    raise which_column("model", tracker.name, candidates)


def _of_runs(frame: pd.DataFrame, tracker: _Tracker) -> list[str]:
    """Return the columns that the runs have logged, not the tracker."""
    return [
        name
        for name in frame
        if name not in tracker.columns and not re.match(r"_|tags\.|system/", name)
    ]


def _may_name_models(column: "pd.Series[Any]") -> bool:
    """Return whether a column has several texts, each of several runs."""
    is_text = not pd.api.types.is_numeric_dtype(column)
    counts = column.value_counts()
    return is_text and len(counts) > 1 and bool(counts.max() > 1)


def _score_column(frame: pd.DataFrame, tracker: _Tracker, request: Request) -> str:
    """Return the column that is called after the metric, or ask for one."""
    metric = request.metric_name or "score"
    named = [name for name in (metric, f"{tracker.scores}{metric}") if name in frame]
    candidates = [
        name
        for name in _of_runs(frame, tracker)
        if name.startswith(tracker.scores) and frame[name].dtype.kind == "f"
    ]
    if not named:
        raise which_column("score", tracker.name, candidates)
    rivals = [
        name
        for name in candidates
        if name not in named and may_have_scores_of(name, metric)
    ]
    if rivals:  # val_accuracy, for instance, beside the accuracy on the training data
        raise which_column("score", tracker.name, [*rivals, named[0]])
    return named[0]


def _label_column(frame: pd.DataFrame, tracker: _Tracker, role: str) -> str | None:
    """Return the column whose name says that it has the labels of a role, such as seed."""
    names = _of_runs(frame, tracker)
    settings = {name.removeprefix(tracker.settings).casefold(): name for name in names}
    return next(
        (settings[word] for word in label_names(role) if word in settings), None
    )


def _without_role(
    frame: pd.DataFrame, names: Iterable[str], model: str, tracker: _Tracker
) -> list[str]:
    """Return the columns that say nothing about which run of its model a row is."""
    run_columns = set(_of_runs(frame, tracker))
    n_settings = frame.groupby(model, sort=False)
    return [
        name
        for name in names
        if name not in run_columns
        or (tracker.scores and name.startswith(tracker.scores))
        or n_settings[name].nunique(dropna=False).max() == 1
    ]


def _notes(frame: pd.DataFrame, request: Request) -> tuple[str, ...]:
    """Say that runs have not ended as they should."""
    for name in _STATES:
        if name in frame and name not in request.where:
            states = frame[name].astype(str)
            unfinished_states = states[~states.str.casefold().isin(_ENDED)]
            if len(unfinished_states):
                counts: Mapping[Any, int] = unfinished_states.value_counts().to_dict()
                listing = ", ".join(f"{n} {state}" for state, n in counts.items())
                return (f"some runs have not finished: {listing} ({shown(name)})",)
    return ()
