"""Details of lighteval: a score for each document of a task.

With ``--save-details`` lighteval writes
``details/<model>/<date>/details_<task>_<date>.parquet`` (``save_details`` in
``logging/evaluation_tracker.py`` of huggingface/lighteval), with the columns `doc` (the
fields of ``Doc`` in ``tasks/requests.py``), `metric` and `model_response`; before, one of
them was called `metrics`.  The same rows as lines of JSON are read, too.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from replib._bars import with_bar
from replib._formats import logs
from replib._formats.base import Content, Format, Request, own_name, summary_only
from replib._formats.documents import Peek, quoted_path, records
from replib._formats.logs import Log, Sample
from replib._sources import Source, table
from replib._validation import shown

_SCORES = ("metric", "metrics")
#: The date in the name of a file, to a microsecond.
_DATE = r"_(\d{4}-\d{2}-\d{2}.*)$"


def recognises(peek: Peek) -> bool:
    """Return whether a file has details, by the name of a table or the first line."""
    if peek.path.suffix == ".parquet":
        return peek.path.name.startswith("details_")
    has_scores = any(isinstance(peek.record.get(name), dict) for name in _SCORES)
    return has_scores and ("doc" in peek.record or "full_prompt" in peek.record)


def read(sources: Sequence[Source], request: Request) -> Content:
    """Return the scores in details; a model is called as the folder of its dates."""
    return logs.content([_log(source) for source in with_bar(sources, "file")], request)


FORMAT = Format(
    name="details of lighteval",
    sign="details_*.parquet (lighteval)",
    recognises=recognises,
    read=read,
    patterns=tuple(
        f"{'*/' * depth}{name}"
        for depth in range(5)
        for name in ("details_*.parquet", "details_*.jsonl")
    ),
)

SUMMARY = summary_only(
    "a summary of lighteval",
    lambda peek: {"config_general", "results"} <= peek.fields.keys(),
    "which has no scores of documents: give the files details_*.parquet that "
    "--save-details writes",
)


def _log(source: Source) -> Log:
    name, path = source
    date = re.search(_DATE, own_name(path))
    # details/<model>/<date>/details_<task>_<date>.parquet
    in_place = date is not None and path.absolute().parent.name == date[1]
    model = path.absolute().parents[1].name if in_place else name or own_name(path)
    task = "documents"
    if path.name.startswith("details_"):
        task = re.sub(f"^details_|{_DATE}", "", own_name(path))
    rows = list(_rows(path))
    samples = [
        _sample(row, number, f"{name or model}/{path.name}:{number}")
        for number, row in enumerate(rows, start=1)
    ]
    documents = [row.get("doc") for row in rows]
    asked = {
        doc.get("num_asked_few_shots", -1) for doc in documents if isinstance(doc, dict)
    }
    shots = asked.pop() if len(asked) == 1 else -1
    return Log(
        source=source,
        model=model,
        task=task,
        samples=samples,
        shots=None if shots == -1 else shots,
    )


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the documents of a file with their scores."""
    if path.suffix == ".parquet":
        yield from table(path).to_dict("records")
        return
    for number, record in records(path):
        if not isinstance(record, dict):
            raise ValueError(f"line {number} of {quoted_path(path)} is no object")
        yield record


def _sample(row: Mapping[str, Any], number: int, location: str) -> Sample:
    scores = next((row[name] for name in _SCORES if row.get(name) is not None), None)
    if not isinstance(scores, dict):
        raise ValueError(f"{location} must have scores as metric, not {shown(scores)}")
    fields = row.get("doc")
    fields = fields if isinstance(fields, dict) else {}
    query = fields.get("query", row.get("example"))
    return Sample(
        # the identifier of a document counts them; some tasks leave it empty
        item=fields.get("id") or number,
        scores={name: value for name, value in scores.items() if value is not None},
        location=location,
        question=_hashable(query),
        prompt=_hashable(fields.get("full_prompt", row.get("full_prompt"))),
        fields=fields,
    )


def _hashable(text: Any) -> str | None:
    return (
        text if text is None or isinstance(text, str) else json.dumps(text, default=str)
    )
