"""Logs of Inspect: ``.eval`` files, which are zip files of JSON, and ``.json`` files.

An ``.eval`` file has ``header.json`` (before its end ``_journal/start.json``), summaries of
all samples in ``summaries.json`` (before its end in ``_journal/summaries/<n>.json``) and the
samples in ``samples/<id>_epoch_<epoch>.json`` (``log/_recorders/eval.py`` of
UKGovernmentBEIS/inspect_ai).  Header, summaries and scores are the models ``EvalLog``,
``EvalSampleSummary`` (``log/_log.py``) and ``Score``; letters become numbers as in
``value_to_float`` (``scorer/_metric.py``).
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from replib._bars import with_bar
from replib._formats import logs
from replib._formats.base import Content, Format, Request, summary_only
from replib._formats.documents import Archive, Peek, document, quoted_path
from replib._formats.logs import Log, Sample
from replib._sources import Source
from replib._validation import shown

_HEADER = "header.json"
_START = "_journal/start.json"
_SUMMARIES = "summaries.json"
#: Values of a score that are letters or words, in lower case.
_VALUES = {
    "c": 1.0,
    "p": 0.5,
    "i": 0.0,
    "n": 0.0,
    "yes": 1.0,
    "true": 1.0,
    "no": 0.0,
    "false": 0.0,
}


def recognises(peek: Peek) -> bool:
    """Return whether a file is a log, by the names in the zip file or the fields in JSON."""
    if peek.path.suffix == ".eval" or {_HEADER, _START} & peek.members:
        return True
    return _is_log(peek.fields) and bool(peek.fields.get("samples"))


def _is_log(fields: Mapping[Any, Any]) -> bool:
    header = fields.get("eval")
    return isinstance(header, dict) and {"task", "model"} <= header.keys()


def read(sources: Sequence[Source], request: Request) -> Content:
    """Return the scores in logs; the epochs of a log are answers of the same model."""
    return logs.content([_log(source) for source in with_bar(sources, "file")], request)


FORMAT = Format(
    name="a log of Inspect",
    sign="*.eval (Inspect)",
    recognises=recognises,
    read=read,
    patterns=("*.eval", "*.json", "*/*.eval", "*/*.json"),
)

SUMMARY = summary_only(
    "the header of a log of Inspect",
    lambda peek: _is_log(peek.fields),
    "which has no samples: give the whole log, as Inspect wrote it",
)


def _log(source: Source) -> Log:
    name, path = source
    header, summaries = _parts(path)
    about = header.get("eval")
    if not isinstance(about, dict) or not {"task", "model"} <= about.keys():
        raise ValueError(f"{quoted_path(path)} does not say its task and its model")
    model = str(about["model"])
    with_accuracy = _scorers_with_accuracy(header)
    return Log(
        source=source,
        model=model,
        task=str(about["task"]),
        samples=list(_samples(summaries, f"{name or model}/{path.name}", path)),
        better=dict.fromkeys(with_accuracy, "higher"),
        version=about.get("task_version"),
        notes=_notes(header, path),
    )


def _parts(path: Path) -> tuple[dict[Any, Any], list[Any]]:
    """Return the header of a log, and the summaries of its samples, or the samples."""
    if path.suffix == ".eval" or Peek(path).members:
        with Archive(path) as archive:
            return _header(archive), list(_summaries(archive))
    content = document(path)
    return content, content["samples"]


def _header(archive: Archive) -> dict[Any, Any]:
    name = _HEADER if _HEADER in archive.names else _START
    header = archive.document(name)
    return header if isinstance(header, dict) else {}


def _summaries(archive: Archive) -> Iterator[Any]:
    """Yield the summaries of all samples, from wherever they are."""
    names = [_SUMMARIES]
    if _SUMMARIES not in archive.names:
        names = sorted(x for x in archive.names if x.startswith("_journal/summaries/"))
    for name in names:
        content = archive.document(name)
        yield from content if isinstance(content, list) else []


def _scorers_with_accuracy(header: Mapping[Any, Any]) -> list[str]:
    """Return the scorers that are summarised by an accuracy, so that more is better."""
    results = header.get("results")
    scores = results.get("scores") if isinstance(results, dict) else None
    return [
        str(score.get("name"))
        for score in scores or []
        if isinstance(score, dict) and "accuracy" in (score.get("metrics") or {})
    ]


def _notes(header: Mapping[Any, Any], path: Path) -> tuple[str, ...]:
    """Say that a log is not that of a complete run."""
    status = header.get("status", "started")
    if status == "success":
        return ()
    return (f"the run of {path.name} has the status {shown(status)}",)


def _samples(summaries: Sequence[Any], log: str, path: Path) -> Iterator[Sample]:
    for summary in summaries:
        if not isinstance(summary, dict) or not isinstance(
            summary.get("id"), int | str
        ):
            raise ValueError(
                f"{quoted_path(path)} has a sample without an id: {shown(summary)}"
            )
        scores = summary.get("scores") or {}
        metadata = summary.get("metadata")
        yield Sample(
            item=summary["id"],
            scores=dict(_values(scores)),
            location=f"{log}:{summary['id']}",
            run=summary.get("epoch", 1),
            question=[summary.get("input"), summary.get("target")],
            fields=metadata if isinstance(metadata, dict) else {},
        )


def _values(scores: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the values of the scorers; of one with several values, each by its name."""
    for scorer, score in scores.items():
        value = score.get("value") if isinstance(score, dict) else score
        if isinstance(value, dict):
            for part, part_value in value.items():
                yield f"{scorer}/{part}", _number(part_value)
        else:
            yield scorer, _number(value)


def _number(value: Any) -> Any:
    """Return the number that a letter or word stands for, or the value itself.

    >>> [_number(value) for value in ("C", "P", "yes", 0.25, True, None)]
    [1.0, 0.5, 1.0, 0.25, True, None]
    """
    if isinstance(value, str):
        return _VALUES.get(value.lower(), value)
    return value
