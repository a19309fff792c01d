"""Logs of evaluations: a score for each item of each task, from one file per model and task.

Every format of such logs returns :class:`Log` objects; what is asked of them is decided
here, once for all.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import pandas as pd

from replib._comparable import PROMPT, SHOTS, VERSION, without_settings
from replib._formats.base import Content, Request
from replib._formats.documents import quoted_path
from replib._rows import Rows
from replib._sources import Source
from replib._tables.rows import chosen_rows, item_values
from replib._validation import joined, listed, refusal, shown
from replib.designs import Design, Items, find_design
from replib.scores import KNOWN, Metric, find_metric

#: Column that must be the same in all rows of an item: it is then the same item.
_QUESTION = "target or document"
#: Tasks with the same metrics that a refusal names.
_MOST_TASKS = 3


@dataclass(frozen=True, kw_only=True)
class Sample:
    """What a log says about one item.

    Attributes
    ----------
    item : str or int
    scores : mapping
        By the names of the metrics.
    location : str
        Where it stands, for messages.
    run : object
        Which answer of the model to the item it is.
    question : object
        Anything that is the same for the same item.
    prompt : str, optional
        What the model was asked, or a hash of it.
    filter : str
        How the answer was extracted.
    fields : mapping
        Of the item, one of which may name its cluster.
    """

    item: str | int
    scores: Mapping[str, Any]
    location: str
    run: Any = 1
    question: Any = None
    prompt: str | None = None
    filter: str = "none"
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Log:
    """The samples of one model on one task, from one file.

    Attributes
    ----------
    source : (name or None, path)
    model : str
        As the file, or its place, says.
    task : str
    samples : sequence of Sample
    better : mapping
        The direction of metrics, where the tool states it.
    shots, version : object
        How many examples a prompt has; the version of the task.
    own_template : str, optional
        A hash of the model's own template, in which every prompt is wrapped.
    groups : mapping
        The groups that the task is a part of, from the largest, and whether the tasks of
        each count equally, and not by their items.
    notes : tuple of str
    """

    source: Source
    model: str
    task: str
    samples: Sequence[Sample]
    better: Mapping[str, str] = field(default_factory=dict)
    shots: Any = None
    version: Any = None
    own_template: str | None = None
    groups: Mapping[str, bool] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def content(logs: Sequence[Log], request: Request) -> Content:
    """Return the scores of the items in logs by one metric.

    Several files of a model and a task, and several answers to an item, are its runs.
    """
    _check_models(logs, request)
    design: Design = Items(runs="samples")
    if request.design is not None:
        design = find_design(request.design)
    frame = _table(logs, getattr(design, "cluster", None))
    frame, where = _chosen(frame, request.where, logs)
    frame, names, notes = _with_scores(frame, request.metric_name)
    metric = request.metric
    if not isinstance(metric, Metric):
        metric = _metric(names, logs)
    of_items = Rows(frame.assign(item=_full_items(frame)), {})
    item_values(of_items, column=_QUESTION)
    if len({log.own_template for log in logs}) > 1 and PROMPT in frame:
        # the same question, wrapped in what each model was trained on
        frame = frame.drop(columns=PROMPT)
        notes = (*notes, "the models were asked in different chat templates")
    compared = without_settings(frame, ignored=request.ignored, chosen=where)
    frame = compared.frame.drop(columns=_QUESTION)
    frame["item"] = _full_items(frame)
    if isinstance(design, Items) and not design.suite and design.cluster != "task":
        frame, design = _with_suite(frame, design, logs)
    own_notes = dict.fromkeys(note for log in logs for note in log.notes)
    return Content(
        frame=frame.drop(columns=["group"], errors="ignore"),
        metric=metric,
        design=design,
        columns=_columns_of(request.columns, frame),
        where=where,
        notes=(*own_notes, *notes, *compared.notes),
    )


def _chosen(
    frame: pd.DataFrame, where: Mapping[str, Any], logs: Sequence[Log]
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return the rows of the tasks, or groups of tasks, and filters that are asked for.

    Tasks that are asked for by their own names are no parts of a group any more.
    """
    conditions = dict(where)
    if "filter" in conditions:
        frame = chosen_rows(frame, "filter", conditions["filter"])
    if "task" not in conditions:
        return frame, conditions
    wanted = conditions.pop("task")
    names = wanted if isinstance(wanted, list) else [wanted]
    groups: dict[str, list[str]] = {task: [] for task in frame["task"].unique()}
    for log in logs:
        if log.task in groups:  # with rows that the filter left
            groups[log.task].extend(log.groups)
    _check_tasks(names, groups)
    group_of_task = {
        task: next((group for group in own_groups if group in names), None)
        for task, own_groups in groups.items()
    }
    of_rows = frame["task"].map(group_of_task).astype(object)
    is_chosen = of_rows.notna() | frame["task"].isin(names)
    return frame.assign(group=of_rows.where(of_rows.notna(), None))[
        is_chosen
    ], conditions


def _check_tasks(names: Sequence[Any], groups: Mapping[str, Sequence[str]]) -> None:
    """Refuse a name of no task or group, and one of a part of another.

    Parameters
    ----------
    names : sequence
        That were asked for.
    groups : mapping
        The groups of each task.
    """
    all_groups = [*dict.fromkeys(group for own in groups.values() for group in own)]
    unknown = [name for name in names if name not in groups and name not in all_groups]
    if unknown:
        and_groups = f", and groups {listed(all_groups)}" if all_groups else ""
        raise ValueError(
            f"no row has 'task' = {listed(unknown)}: there are {listed(groups)}{and_groups}"
        )
    for task, own_groups in groups.items():
        chosen = [name for name in dict.fromkeys([*own_groups, task]) if name in names]
        if len(chosen) > 1:
            raise ValueError(
                f"{chosen[-1]} is a part of {chosen[0]}: choose one of them, or all parts "
                f"of {chosen[0]} by their names"
            )


def _with_suite(
    frame: pd.DataFrame, design: Items, logs: Sequence[Log]
) -> tuple[pd.DataFrame, Items]:
    """Return rows of several tasks, or of a group of tasks, with the design of a suite."""
    if frame["task"].nunique() == 1:
        return frame, design
    if "group" not in frame or frame["group"].isna().all():
        return frame, replace(design, suite="task")
    equal = {
        group for log in logs for group, is_equal in log.groups.items() if is_equal
    }
    group = frame["group"].where(frame["group"].notna(), frame["task"])
    frame = frame.assign(stratum=frame["task"], task=group)
    strata = tuple(name for name in group.unique() if name in equal)
    return frame, replace(design, suite="task", strata="stratum", equal_strata=strata)


def _columns_of(columns: Mapping[str, Any], frame: pd.DataFrame) -> dict[str, Any]:
    """Return what was said of columns, without those that were ignored before."""
    roles = dict(columns)
    if "ignored" in roles:
        names = roles["ignored"]
        names = [names] if isinstance(names, str) else names
        roles["ignored"] = [name for name in names if name in frame]
    return roles


def _check_models(logs: Sequence[Log], request: Request) -> None:
    """Refuse a name for a folder with the logs of several models."""
    for name, folder in request.named_folders:
        models = {log.model for log in logs if folder in log.source[1].parents}
        if len(models) > 1:
            raise ValueError(
                f"{quoted_path(folder)} has logs of several models, "
                f"{listed(sorted(models))}, and {shown(name)} is one"
            )


def _table(logs: Sequence[Log], cluster: str | None) -> pd.DataFrame:
    """Return a row for each sample."""
    # the task has a column of its own already
    cluster = None if cluster == "task" else cluster
    frame = pd.DataFrame(_rows(logs, cluster))
    if frame.empty:
        raise ValueError("the logs have no samples")
    for setting in (PROMPT, SHOTS, VERSION, "group"):
        if frame[setting].isna().all():
            frame = frame.drop(columns=setting)
    return frame.set_index("source").rename_axis(None)


def _rows(logs: Sequence[Log], cluster: str | None) -> Iterator[dict[str, Any]]:
    """Yield a row for each sample; each new answer to an item is a run."""
    n_runs: Counter[tuple[str, str]] = Counter()
    for log in logs:
        name, _ = log.source
        model = name or log.model
        first = n_runs[model, log.task]
        numbers: dict[Any, int] = {}
        of_log = {
            "model": model,
            "task": log.task,
            "group": next(iter(log.groups), None),
            SHOTS: log.shots,
            VERSION: log.version,
        }
        for sample in log.samples:
            number = numbers.setdefault(sample.run, len(numbers) + 1)
            of_cluster = {}
            if cluster and isinstance(sample.fields.get(cluster), int | str):
                of_cluster = {cluster: sample.fields[cluster]}
            # a column of the table, whatever the field is called, must keep its meaning
            yield of_cluster | of_log | _row(sample, first + number)
        n_runs[model, log.task] += len(numbers)


def _row(sample: Sample, run: int) -> dict[str, Any]:
    return {
        "source": sample.location,
        "filter": sample.filter,
        "run": run,
        "item": sample.item,
        _QUESTION: json.dumps(sample.question, default=str),
        PROMPT: sample.prompt,
        "scores": sample.scores,
    }


def _full_items(frame: pd.DataFrame) -> "pd.Series[Any]":
    """Return labels of items that differ between tasks, in each of which they are counted."""
    return frame["task"] + "/" + frame["item"].astype(str)


# ---------------------------------------------------------------- the metric


class _MetricNames(NamedTuple):
    """Metrics of a task: those with a score for each item, and those of the whole corpus."""

    of_items: list[str]
    of_corpus: list[str]


def _with_scores(
    frame: pd.DataFrame, metric: Any
) -> tuple[pd.DataFrame, list[str], tuple[str, ...]]:
    """Return the rows that have a metric, with its scores, its names, and what was left out."""
    by_task = {
        str(task): _metric_names(rows["scores"])
        for task, rows in frame.groupby("task", sort=False)
    }
    notes: tuple[str, ...] = ()
    if isinstance(metric, Mapping):
        names = _metric_of_each_task(by_task, metric)
    else:
        name = _only_metric(by_task, metric)
        names = {
            task: name for task, metrics in by_task.items() if name in metrics.of_items
        }
        without = [task for task in by_task if task not in names]
        if without:
            notes = (f"{_tasks(without)} left out, which {_have(without)} no {name}",)
    frame = frame[frame["task"].isin(list(names))]
    values = [
        scores.get(names[task]) for task, scores in zip(frame["task"], frame["scores"])
    ]
    # pandas before 3.1 cannot look for the type of an integer of 400 digits
    scores = pd.Series(values, frame.index, dtype=object)
    frame = frame.assign(score=scores).drop(columns="scores")
    return frame, list(dict.fromkeys(names.values())), notes


def _metric_names(scores: "pd.Series[Any]") -> _MetricNames:
    """Return the metrics that samples have; of a corpus, an item has a list of parts."""
    are_lists = {
        name: isinstance(value, list | tuple)
        for sample in scores
        for name, value in sample.items()
    }
    return _MetricNames(
        [name for name, is_list in are_lists.items() if not is_list],
        [name for name, is_list in are_lists.items() if is_list],
    )


def _tasks(names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"task {names[0]} is"
    return f"tasks {joined(names)} are"


def _have(names: Sequence[str]) -> str:
    return "has" if len(names) == 1 else "have"


def _only_metric(by_task: Mapping[str, _MetricNames], metric: str | None) -> str:
    """Return the metric that is asked for, or the only one that items have."""
    names = list(
        dict.fromkeys(x for metrics in by_task.values() for x in metrics.of_items)
    )
    if metric in names or (metric is None and len(names) == 1):
        return metric or names[0]
    of_corpus = [name for metrics in by_task.values() for name in metrics.of_corpus]
    problem = ""
    if metric in of_corpus or not names:
        problem = (
            f"{metric or of_corpus[0]} is a metric of a whole corpus, and has no "
            "score for each item; "
        )
    if not names:
        raise ValueError(f"{problem}nor has any other metric of these logs")
    raise refusal(
        f"{problem}the logs have the metrics {_described(by_task)}",
        "say metric=, one of them",
        "say --metric, one of them",
    )


def _metric_of_each_task(
    by_task: Mapping[str, _MetricNames], metric: Mapping[Any, Any]
) -> dict[str, str]:
    """Return the metric of each task that was named with one."""
    for task, name in metric.items():
        if task not in by_task:
            raise ValueError(
                f"there is no task {shown(task)}: there are {listed(by_task)}"
            )
        metrics = by_task[task].of_items
        if name not in metrics:
            raise ValueError(
                f"items of {task} have no {shown(name)}: they have {listed(metrics)}"
            )
    return {str(task): str(name) for task, name in metric.items()}


def _described(by_task: Mapping[str, _MetricNames]) -> str:
    """Write the metrics that items have, with their tasks if they differ."""
    tasks: dict[str, list[str]] = {}
    for task, metrics in by_task.items():
        if metrics.of_items:
            tasks.setdefault(joined(metrics.of_items), []).append(task)
    if len(tasks) == 1:
        return next(iter(tasks))
    parts = []
    for names, own_tasks in tasks.items():
        more = ", ..." if len(own_tasks) > _MOST_TASKS else ""
        parts.append(f"{names} ({', '.join(own_tasks[:_MOST_TASKS])}{more})")
    return "; ".join(parts)


def _metric(names: Sequence[str], logs: Sequence[Log]) -> Metric:
    """Return the metric of the scores; several, of which each task has one, must be alike."""
    metrics = [_known_metric(name, logs) for name in names]
    first, *other_metrics = metrics
    if not other_metrics:
        return first
    scales = {(metric.better, metric.low, metric.high) for metric in metrics}
    if len(scales) > 1:
        raise ValueError(
            f"{joined(names)} have not one direction and range, so their means cannot be "
            "compared together: choose tasks with one of them"
        )
    return replace(first, name=joined(names))


def _known_metric(name: str, logs: Sequence[Log]) -> Metric:
    """Return a metric, whose direction the logs may state."""
    directions = {log.better[name] for log in logs if name in log.better}
    if len(directions) == 1 and name not in KNOWN:
        return Metric(name, better=directions.pop())
    return find_metric(name)
