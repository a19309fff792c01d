"""Logs of lm-evaluation-harness.

With ``--log_samples`` the harness writes, into a folder for each model, a file
``samples_<task>_<date>.jsonl`` per task and one ``results_<date>.json`` about all of them
(``EvaluationTracker.save_results_samples`` and ``save_results_aggregated`` in
``lm_eval/loggers/evaluation_tracker.py`` of EleutherAI/lm-evaluation-harness; the fields of
a sample are those of ``evaluate`` in ``lm_eval/evaluator.py``).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from replib._bars import with_bar
from replib._formats import logs
from replib._formats.base import Content, Format, Request, summary_only
from replib._formats.documents import Peek, document, records
from replib._formats.logs import Log, Sample
from replib._sources import Source
from replib._validation import shown

#: The date in the name of a file, to a microsecond.
_DATE = r"_\d{4}-\d{2}-\d{2}.*$"


def recognises(peek: Peek) -> bool:
    """Return whether a file is one of samples, by its name or its first line."""
    has_name = peek.path.name.startswith("samples_") and peek.path.suffix == ".jsonl"
    return has_name or "doc_id" in peek.record


def read(sources: Sequence[Source], request: Request) -> Content:
    """Return the scores in files of samples; a model is called as its folder."""
    return logs.content(
        [_log(source, sources) for source in with_bar(sources, "file")], request
    )


FORMAT = Format(
    name="a log of lm-evaluation-harness",
    sign="samples_*.jsonl (lm-evaluation-harness)",
    recognises=recognises,
    read=read,
    patterns=("samples_*.jsonl", "*/samples_*.jsonl", "*/*/samples_*.jsonl"),
)

SUMMARY = summary_only(
    "a summary of lm-evaluation-harness",
    lambda peek: {"results", "higher_is_better"} <= peek.fields.keys(),
    "which has no scores of items: give the files samples_*.jsonl that --log_samples "
    "writes beside it, or their folder",
)


def _log(source: Source, sources: Sequence[Source]) -> Log:
    name, path = source
    folder = path.absolute().parent
    _check_folder(name, folder, sources)
    task = re.sub(f"^samples_|{_DATE}", "", path.stem)
    about = _results(path)
    directions = _of_task(about, "higher_is_better", task, {})
    return Log(
        source=source,
        model=folder.name,
        task=task,
        samples=list(_samples(path, name or folder.name)),
        better={
            metric: "higher" if is_higher else "lower"
            for metric, is_higher in directions.items()
            if isinstance(is_higher, bool)
        },
        shots=_of_task(about, "n-shot", task, None),
        version=_of_task(about, "versions", task, None),
        own_template=about.get("chat_template_sha"),
        groups={
            group: _parts_count_equally(about, group) for group in _groups(about, task)
        },
    )


def _check_folder(name: str | None, folder: Path, sources: Sequence[Source]) -> None:
    """Refuse a second folder of the same name, which would be taken for the same model."""
    if name is not None:
        return
    for other_name, path in sources:
        parent = path.absolute().parent
        if other_name is None and parent.name == folder.name and parent != folder:
            raise ValueError(
                f"two folders are called {shown(folder.name)}: name both, as in "
                f"a={folder}"
            )


def _results(path: Path) -> Mapping[str, Any]:
    """Return what the summary of the same run says, if there is one beside the samples."""
    date = re.search(_DATE, path.stem)
    if date is None:
        return {}
    summary = path.with_name(f"results{date.group()}.json")
    if not summary.is_file():
        return {}
    content = document(summary)
    return content if isinstance(content, dict) else {}


def _of_task(about: Mapping[str, Any], entry: str, task: str, otherwise: Any) -> Any:
    """Return what a summary says about a task in one of its entries."""
    value = _entries(about, entry).get(task)
    if isinstance(otherwise, dict) and not isinstance(value, dict):
        return otherwise
    return value


def _groups(about: Mapping[str, Any], task: str) -> list[str]:
    """Return the groups that a task is a part of and that have means of their own.

    The largest is the first.
    """
    parents = {
        child: group
        for group, children in _entries(about, "group_subtasks").items()
        for child in children
    }
    groups: list[str] = []
    seen = {task}
    while task in parents and parents[task] not in seen:
        task = parents[task]
        seen.add(task)
        if _values(about, task):
            groups.insert(0, task)
    return groups


def _parts_count_equally(about: Mapping[str, Any], group: str) -> bool:
    """Return whether the mean of a group is nearer to that of its tasks than of their items.

    The summary does not say how a group is weighted (`weight_by_size` in
    ``lm_eval/config/group.py``), but it has the mean.
    """
    tasks = _tasks_of(about, group)
    sizes = [_of_task(about, "n-samples", task, {}).get("effective") for task in tasks]
    if not all(isinstance(size, int) and size > 0 for size in sizes):
        return False
    means = [_values(about, task) for task in tasks]
    for metric, value in _values(about, group).items():
        if not all(metric in of_task for of_task in means):
            continue
        parts = [of_task[metric] for of_task in means]
        by_items = abs(np.average(parts, weights=sizes) - value)
        by_tasks = abs(np.mean(parts) - value)
        return bool(by_tasks < by_items)
    return False


def _tasks_of(about: Mapping[str, Any], group: str) -> list[str]:
    """Return the tasks of a group, also those of groups in it."""
    children = _entries(about, "group_subtasks").get(group) or []
    if not children:
        return [group]
    return [task for child in children for task in _tasks_of(about, child)]


def _values(about: Mapping[str, Any], task: str) -> dict[str, float]:
    """Return the means of a task or group by their metrics."""
    return {
        metric: value
        for metric, value in _of_task(about, "results", task, {}).items()
        if isinstance(value, float) and "_stderr" not in metric
    }


def _entries(about: Mapping[str, Any], entry: str) -> Mapping[str, Any]:
    entries = about.get(entry)
    return entries if isinstance(entries, dict) else {}


def _samples(path: Path, model: str) -> Iterator[Sample]:
    for number, record in records(path):
        yield _sample(
            record, f"{model}/{path.name}:{number}", f"line {number} of {path}"
        )


def _sample(record: Any, location: str, line: str) -> Sample:
    if not isinstance(record, dict) or not isinstance(record.get("doc_id"), int | str):
        raise ValueError(
            f"{shown(line)} is not a sample of lm-evaluation-harness: it has no doc_id"
        )
    names = record.get("metrics")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError(
            f"{shown(line)} must have a list of names as metrics, not {shown(names)}"
        )
    fields = record.get("doc")
    return Sample(
        item=record["doc_id"],
        scores={name: record.get(name) for name in names},
        location=location,
        question=[record.get("target"), record.get("doc_hash")],
        prompt=record.get("prompt_hash"),
        filter=str(record.get("filter", "none")),
        fields=fields if isinstance(fields, dict) else {},
    )
