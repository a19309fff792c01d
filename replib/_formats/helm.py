"""Scores of HELM by instance.

``helm-run`` writes into ``runs/<suite>/<run>/`` the files ``per_instance_stats.json``, a list
of ``PerInstanceStats`` (``benchmark/metrics/metric.py`` of stanford-crfm/helm), one for each
instance, trial and kind of metrics, and ``run_spec.json`` with the model and the number of
examples in a prompt (``benchmark/runner.py``).  The score is the sum over the count of a
``Stat`` (``benchmark/metrics/statistic.py``), which its `mean` repeats.  Instances that were
perturbed are left out: they are copies of others.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from replib._bars import with_bar
from replib._formats import logs
from replib._formats.base import Content, Format, Request, own_name, summary_only
from replib._formats.documents import Peek, document, quoted_path
from replib._formats.logs import Log, Sample
from replib._sources import Source
from replib._validation import shown


def recognises(peek: Peek) -> bool:
    """Return whether a file is a list of instances with statistics."""
    return {"instance_id", "stats"} <= _first(peek).keys()


def _first(peek: Peek) -> Mapping[Any, Any]:
    """Return the first entry of a list; nothing of anything else."""
    entries = peek.document if isinstance(peek.document, list) else []
    return entries[0] if entries and isinstance(entries[0], dict) else {}


def read(sources: Sequence[Source], request: Request) -> Content:
    """Return the scores of instances; several trials are answers of the same model."""
    return logs.content([_log(source) for source in with_bar(sources, "file")], request)


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


def _log(source: Source) -> Log:
    name, path = source
    about = _run_spec(path)
    run = str(about.get("name") or path.absolute().parent.name)
    adapter = about.get("adapter_spec")
    adapter = adapter if isinstance(adapter, dict) else {}
    named = re.search(r"\bmodel=([^,]+)", run)
    fallback = named[1] if named else name or own_name(path)
    model = str(adapter.get("model") or fallback)
    task = re.sub(r"[,:]?\bmodel=[^,]+", "", run) if named else "instances"
    return Log(
        source=source,
        model=model,
        task=task,
        samples=_samples(path, f"{name or model}/{path.name}"),
        shots=adapter.get("max_train_instances"),
    )


def _run_spec(path: Path) -> Mapping[str, Any]:
    spec = path.with_name("run_spec.json")
    content = document(spec) if spec.is_file() else {}
    return content if isinstance(content, dict) else {}


def _samples(path: Path, log: str) -> list[Sample]:
    """Return the instances of a file, each with all its statistics."""
    scores: dict[tuple[Any, Any], dict[str, float]] = {}
    for entry in document(path):
        if not isinstance(entry, dict) or "instance_id" not in entry:
            raise ValueError(
                f"{quoted_path(path)} has an entry without an instance_id: {shown(entry)}"
            )
        if entry.get("perturbation") is None:
            key = (entry["instance_id"], entry.get("train_trial_index", 0))
            scores.setdefault(key, {}).update(_scores(entry.get("stats")))
    return [
        Sample(item=item, scores=values, location=f"{log}:{item}", run=trial)
        for (item, trial), values in scores.items()
    ]


def _scores(stats: Any) -> dict[str, float]:
    """Return the mean of each statistic that was counted."""
    return {
        str(stat["name"]["name"]): stat["sum"] / stat["count"]
        for stat in stats or []
        if stat.get("count")
    }
