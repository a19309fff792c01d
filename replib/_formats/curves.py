"""Learning curves: a row for each epoch or step, of which one has the score of a run.

Keras' ``CSVLogger`` writes the column `epoch` and then those of the logs, in order of their
names, with NA where there is none (``keras/src/callbacks/csv_logger.py`` of
keras-team/keras).  Lightning's ``CSVLogger`` writes ``<name>/version_<n>/metrics.csv`` with
`epoch` and `step`, and a row each time that something is logged, with gaps for everything
else (``loggers/csv_logs.py`` of Lightning-AI/pytorch-lightning).  A chart that Weights &
Biases exports has a column of steps and for each run ``<run> - <metric>``, and the same with
``__MIN`` and ``__MAX``; its page is not public code, and this is what exported charts have.

Which epoch counts is said: ``where={"epoch": "last"}``, ``"best"`` or a number.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from replib._formats.base import (
    Content,
    Format,
    Request,
    folder_name,
    own_name,
    which_column,
)
from replib._formats.documents import Peek
from replib._names.labels.training_parts import is_of_training
from replib._names.scores import refuse_column
from replib._sources import Source, table
from replib._validation import listed, refusal, shown
from replib.scores import find_metric

#: What Lightning calls the file of a run.
_LIGHTNING = "metrics.csv"
#: What metrics of a validation set are called after that of the training set.
_VALIDATION = "val_"

#: A run that ends before this part of the steps, while most runs have all, may have crashed.
_SHARE_OF_STEPS = 0.5
_SHARE_OF_WHOLE = 0.75


def _is_keras(peek: Peek) -> bool:
    names = peek.names
    return names[:1] == ["epoch"] and "loss" in names and "model" not in names


def _is_lightning(peek: Peek) -> bool:
    names = set(peek.names)
    return {"epoch", "step"} <= names and "model" not in names


def _is_chart(peek: Peek) -> bool:
    names = set(peek.names)
    return any(
        name.endswith("__MIN") and name.removesuffix("__MIN") in names for name in names
    )


def read_histories(sources: Sequence[Source], request: Request) -> Content:
    """Return the score of each file, which is a run; files of one name are runs of a model."""
    runs: dict[str, int] = {}
    curves = []
    notes: dict[str, None] = {}
    for name, path in sources:
        source_name = folder_name(path) if path.name == _LIGHTNING else own_name(path)
        model = name or source_name
        runs[model] = runs.get(model, 0) + 1
        rows = table(path).replace("NA", None)
        column = _score_column(rows, request)
        metric = find_metric(request.metric)
        refuse_column(column, metric.name, metric.better)
        if _is_of_training(column, rows):
            notes[f"{column} is that of the training data"] = None
        scores = pd.to_numeric(rows[column], errors="coerce")
        curves.append(
            rows.assign(model=model, run=runs[model], score=scores, file=path.name)
        )
    frame = pd.concat(curves, ignore_index=True)
    steps = [name for name in ("epoch", "step") if name in frame]
    content = _content(frame, steps, request)
    return replace(content, notes=(*notes, *content.notes))


def _is_of_training(column: str, rows: pd.DataFrame) -> bool:
    """Return whether scores are those of the training data, as the columns are called."""
    return is_of_training(column) or f"{_VALIDATION}{column}" in rows


KERAS = Format(
    name="a history of Keras",
    sign="*.csv with epoch and loss (Keras)",
    recognises=_is_keras,
    read=read_histories,
    patterns=("*.csv", "*/*.csv", "*.log", "*/*.log"),
    named_by_folder=True,
)
LIGHTNING = Format(
    name="the metrics of a run of Lightning",
    sign="metrics.csv (Lightning)",
    recognises=_is_lightning,
    read=read_histories,
    patterns=("metrics.csv", "*/metrics.csv", "*/*/metrics.csv"),
    named_by_folder=True,
)


def _score_column(rows: pd.DataFrame, request: Request) -> str:
    """Return the column that has the score, as was said, or as the metric is called."""
    column_of_role = request.columns.get("score")
    column = column_of_role or request.metric_name
    candidates = [name for name in rows if name not in ("epoch", "step")]
    if column not in candidates:
        raise which_column("score", "a learning curve", candidates)
    of_validation = f"{_VALIDATION}{column}"
    if column_of_role is None and of_validation in candidates:
        raise refusal(
            f"{column} is that of the training data, and {of_validation} that of the "
            "validation data",
            f'say which, as in columns={{"score": "{of_validation}"}}',
            f"say which, as in --column score={of_validation}",
        )
    return str(column)


def read_chart(sources: Sequence[Source], request: Request) -> Content:
    """Return the score of each run at one step of a chart.

    A run that is called ``<model>-seed<number>``, or with run, rep or trial, is of that
    model; in a file with a name all runs are of it.
    """
    curves = []
    steps: dict[str, None] = {}
    for name, path in sources:
        rows = table(path)
        step = str(rows.columns[0])
        steps[step] = None
        for column, (run_name, metric) in _lines(rows, request).items():
            model, run = _model_and_run(run_name, name)
            curves.append(
                pd.DataFrame(
                    {
                        "model": model,
                        "run": run,
                        "metric": metric,
                        step: rows[step],
                        "score": pd.to_numeric(rows[column], errors="coerce"),
                    }
                )
            )
    if len(steps) > 1:
        raise ValueError(f"the charts count different steps: {listed(steps)}")
    frame = pd.concat(curves, ignore_index=True)
    return _content(frame, list(steps), request)


CHART = Format(
    name="a chart of Weights & Biases",
    recognises=_is_chart,
    read=read_chart,
)


def _lines(rows: pd.DataFrame, request: Request) -> Mapping[str, tuple[str, str]]:
    """Return the run and the metric of each line of a chart, by its column."""
    lines = {}
    for column in map(str, rows):
        if f"{column}__MIN" in rows:
            run, _, metric = column.rpartition(" - ")
            lines[column] = (run, metric)
    metrics = list(dict.fromkeys(metric for _, metric in lines.values()))
    wanted = request.columns.get("score")
    if wanted is None and len(metrics) > 1:
        wanted = request.metric_name
    if len(metrics) > 1 and wanted not in metrics:
        raise which_column("score", "a chart of Weights & Biases", metrics)
    return {
        column: (run, metric)
        for column, (run, metric) in lines.items()
        if wanted is None or metric == wanted
    }


def _model_and_run(run_name: str, model: str | None) -> tuple[str, Any]:
    """Return the model of a run and its label."""
    match = run_of_model(run_name)
    if model is not None:
        return model, run_name
    if match is None:
        raise ValueError(
            f"the run {shown(run_name)} does not say its model: call runs "
            "MODEL-seedNUMBER, give a chart per model as NAME=FILE, or give the table "
            "of runs, which has their settings"
        )
    return match


def run_of_model(name: str) -> tuple[str, int] | None:
    """Return the model and the number in the name of a run, if it says both.

    >>> run_of_model("adamw-seed0"), run_of_model("sgd_run=12"), run_of_model("misty-sun-3")
    (('adamw', 0), ('sgd', 12), None)
    """
    match = re.fullmatch(
        r"(.*?)[\s_./-]*(?:seed|run|rep|trial)[\s_.=:-]*(\d+)", name, re.IGNORECASE
    )
    if match is None or not match[1]:
        return None
    return match[1], int(match[2])


# ---------------------------------------------------------------- which row counts


def _content(frame: pd.DataFrame, steps: Sequence[str], request: Request) -> Content:
    """Return the row of each run that counts."""
    frame = frame[frame["score"].notna()]
    if frame.empty:
        raise ValueError("the column of the score has no number")
    where = dict(request.where)
    asked = {step: _only(where.pop(step)) for step in steps if step in where}
    notes: tuple[str, ...] = ()
    for step, which in asked.items():
        frame = _at(frame, step, which, request)
        if which == "last":
            notes = (*notes, *_runs_that_end_early(frame, step))
        if which == "best":
            note = (
                f"the best {step} of each run was chosen by the scores that are "
                "compared, which flatters runs whose scores vary more"
            )
            notes = (*notes, note)
    n_rows = frame.groupby(["model", "run"], sort=False).size()
    if n_rows.max() > 1:
        raise _which_step(frame, steps)
    if frame["model"].is_unique:
        raise ValueError(
            "each model has one run, which shows no spread: name the files of its runs "
            "alike, as in mlp=run1.csv mlp=run2.csv, or give a folder for each model"
        )
    columns = ["model", "run", "score", *(name for name in where if name in frame)]
    return Content(
        frame=frame[columns],
        metric=request.metric,
        design=request.design,
        where=where,
        notes=notes,
    )


def _only(values: Any) -> Any:
    """Return the only value of a list, which a command gives, or the value itself."""
    return values[0] if isinstance(values, list) and len(values) == 1 else values


def _at(frame: pd.DataFrame, step: str, which: Any, request: Request) -> pd.DataFrame:
    """Return the rows of each run at a step that is the last, the best, or a number."""
    by_run = frame.groupby(["model", "run"], sort=False)
    if which == "last":
        return frame.loc[by_run[step].idxmax()]
    if which == "best":
        sign = find_metric(request.metric).sign
        advantage = frame.assign(advantage=sign * frame["score"])
        best = advantage.groupby(["model", "run"], sort=False)["advantage"].idxmax()
        return frame.loc[best]
    wanted = which if isinstance(which, list) else [which]
    texts = [str(value) for value in wanted]
    # a command has texts only
    is_chosen = frame[step].isin(wanted) | frame[step].astype(str).isin(texts)
    if not is_chosen.any():
        raise ValueError(
            f"no row has {step} {listed(texts)}: there are {frame[step].min():g} to "
            f"{frame[step].max():g}, last and best"
        )
    return frame[is_chosen]


def _runs_that_end_early(ends: pd.DataFrame, step: str) -> Iterator[str]:
    """Note few runs whose last step is before that of all others, as that of a crashed one is.

    Runs that are stopped early end at many steps, so that few of them are at the last one.
    """
    last = ends[step].max()
    early = ends[ends[step] < _SHARE_OF_STEPS * last]
    n_whole = int((ends[step] == last).sum())
    if early.empty or n_whole < _SHARE_OF_WHOLE * len(ends):
        return
    first = early.iloc[0]
    yield (
        f"Run {shown(first['run'])} of {first['model']} ends at {step} {first[step]:.10g}, "
        f"and {n_whole} of {len(ends)} runs at {last:.10g}: is it complete?"
    )


def _which_step(frame: pd.DataFrame, steps: Sequence[str]) -> ValueError:
    step = steps[0]
    return refusal(
        f"each run has several rows, {step} {frame[step].min():g} to "
        f"{frame[step].max():g}",
        f'say which counts, as in where={{"{step}": "last"}}, "best" or a number',
        f"say which counts, as in --where {step}=last, best or a number",
    )
