"""Scores of HELM by instance.

``helm-run`` writes into ``runs/<suite>/<run>/`` the files ``per_instance_stats.json``, a list
of ``PerInstanceStats`` (``benchmark/metrics/metric.py`` of stanford-crfm/helm), one for each
instance, trial and kind of metrics, and ``run_spec.json`` with the model and the number of
examples in a prompt (``benchmark/runner.py``).  The score is the sum over the count of a
``Stat`` (``benchmark/metrics/statistic.py``), which its `mean` repeats.  Instances that were
perturbed are left out: they are copies of others.  The name of a ``Stat`` has the split of
its instance (``MetricName`` in ``benchmark/metrics/metric_name.py``), `valid` or `test`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from replib._bars import with_bar
from replib._formats import logs
from replib._formats.base import Content, Format, Request, own_name, summary_only
from replib._formats.documents import Peek, document, quoted_path
from replib._formats.logs import Log, Sample
from replib._sources import Source
from replib._validation import joined, listed, shown

#: The split that counts, where a file has several.
_TEST = "test"


def recognises(peek: Peek) -> bool:
    """Return whether a file is a list of instances with statistics."""
    return {"instance_id", "stats"} <= _first(peek).keys()


def _first(peek: Peek) -> Mapping[Any, Any]:
    """Return the first entry of a list; nothing of anything else."""
    entries = peek.document if isinstance(peek.document, list) else []
    return entries[0] if entries and isinstance(entries[0], dict) else {}


def read(sources: Sequence[Source], request: Request) -> Content:
    """Return the scores of instances; several trials are answers of the same model."""
    wanted = request.metric_name
    wanted = [*wanted.values()] if isinstance(wanted, Mapping) else [wanted]
    of_files = [_log(source, wanted) for source in with_bar(sources, "file")]
    return logs.content(of_files, request)


FORMAT = Format(
    name="scores of HELM by instance",
    sign="per_instance_stats.json (HELM)",
    recognises=recognises,
    read=read,
    patterns=tuple(f"{'*/' * depth}per_instance_stats.json" for depth in range(4)),
)

SUMMARY = summary_only(
    "a summary of HELM",
    lambda peek: {"name", "count", "sum"} <= _first(peek).keys(),
    "which has no scores of instances: give per_instance_stats.json, beside it",
)


def _log(source: Source, wanted: Sequence[Any]) -> Log:
    name, path = source
    about = _run_spec(path)
    run = str(about.get("name") or path.absolute().parent.name)
    adapter = about.get("adapter_spec")
    adapter = adapter if isinstance(adapter, dict) else {}
    named = re.search(r"\bmodel=([^,]+)", run)
    fallback = named[1] if named else name or own_name(path)
    model = str(adapter.get("model") or fallback)
    task = re.sub(r"[,:]?\bmodel=[^,]+", "", run) if named else "instances"
    stats = list(_stats(path))
    left_out = _left_out(stats, path)
    counted = [stat for stat in stats if stat.split not in left_out]
    samples = _samples(counted, wanted, path, f"{name or model}/{path.name}")
    note = (
        f"instances of the split {joined(left_out)} are left out, and those of {_TEST} "
        "count"
    )
    return Log(
        source=source,
        model=model,
        task=task,
        samples=samples,
        shots=adapter.get("max_train_instances"),
        notes=(note,) if left_out else (),
    )


def _run_spec(path: Path) -> Mapping[str, Any]:
    spec = path.with_name("run_spec.json")
    content = document(spec) if spec.is_file() else {}
    return content if isinstance(content, dict) else {}


class _Stat(NamedTuple):
    """The mean of a statistic of one instance, in one trial; None if it was not counted."""

    instance: Any
    trial: Any
    metric: str
    split: str | None
    mean: float | None


def _stats(path: Path) -> Iterator[_Stat]:
    """Yield the statistics of instances that were not perturbed."""
    for entry in document(path):
        if not isinstance(entry, dict) or "instance_id" not in entry:
            raise ValueError(
                f"{quoted_path(path)} has an entry without an instance_id: {shown(entry)}"
            )
        if entry.get("perturbation") is not None:
            continue
        for stat in entry.get("stats") or []:
            name = stat["name"]
            if name.get("perturbation") is None:
                yield _Stat(
                    instance=entry["instance_id"],
                    trial=entry.get("train_trial_index", 0),
                    metric=str(name["name"]),
                    split=name.get("split"),
                    mean=stat["sum"] / stat["count"] if stat.get("count") else None,
                )


def _left_out(stats: Sequence[_Stat], path: Path) -> list[str]:
    """Return the splits whose instances do not count: all but the test, if there is one."""
    splits = list(dict.fromkeys(stat.split for stat in stats if stat.split is not None))
    if len(splits) < 2:
        return []
    if _TEST not in splits:
        raise ValueError(
            f"{quoted_path(path)} has statistics of the splits {listed(splits)}, and none "
            f"of {_TEST}: keep those of one"
        )
    return [split for split in splits if split != _TEST]


def _samples(
    stats: Sequence[_Stat], wanted: Sequence[Any], path: Path, log: str
) -> list[Sample]:
    """Return the instances of a file, each with all its statistics.

    Several metrics may count the same, so that a statistic occurs twice: the one that is
    wanted must then be equal.
    """
    has_one = len({stat.metric for stat in stats}) == 1
    scores: dict[tuple[Any, Any], dict[str, float]] = {}
    splits: dict[tuple[Any, Any], str | None] = {}
    for stat in stats:
        key = (stat.instance, stat.trial)
        of_instance = scores.setdefault(key, {})
        splits.setdefault(key, stat.split)
        if stat.mean is None:
            continue
        first = of_instance.setdefault(stat.metric, stat.mean)
        if first != stat.mean and (has_one or stat.metric in wanted):
            raise ValueError(
                f"{quoted_path(path)} has {stat.metric} of instance "
                f"{shown(stat.instance)} twice in trial {shown(stat.trial)}, as {first:.6g} "
                f"and {stat.mean:.6g}: keep one"
            )
    return [
        Sample(
            item=item,
            scores=values,
            location=f"{log}:{item}",
            run=trial,
            question=splits[item, trial],
        )
        for (item, trial), values in scores.items()
    ]
