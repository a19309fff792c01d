"""Details of lighteval: a score for each document of a task.

With ``--save-details`` lighteval writes
``details/<model>/<date>/details_<task>_<date>.parquet`` (``save_details`` in
``logging/evaluation_tracker.py`` of huggingface/lighteval), with the columns `doc` (the
fields of ``Doc`` in ``tasks/requests.py``), `metric` and `model_response`; before, one of
them was called `metrics`.  The same rows as lines of JSON are read, too.
"""

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
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
    pairs = list(zip(sources, _models(sources)))
    return logs.content([_log(*pair) for pair in with_bar(pairs, "file")], request)


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


def _models(sources: Sequence[Source]) -> list[str]:
    """Return what the model of each file is called: its name, with the owner if need be."""
    full_names: dict[tuple[str | None, str], set[str]] = defaultdict(set)
    for name, path in sources:
        place = _place(path)
        full_names[name, place.name].add(_full_name(place))
    return [_model(source, full_names) for source in sources]


def _model(
    source: Source, full_names: Mapping[tuple[str | None, str], Collection[str]]
) -> str:
    """Return what the model of a file is called, given all full names by short ones."""
    name, path = source
    if name is not None and _folder(path) is None:
        return name
    place = _place(path)
    if len(full_names[name, place.name]) == 1:
        return place.name
    full_name = _full_name(place)
    if not full_name.startswith("/"):
        return full_name
    if name is None:
        raise ValueError(
            f"the details of two models are called {shown(place.name)}: name both, as in "
            f"a={path if _folder(path) is None else place}"
        )
    return place.name


def _place(path: Path) -> Path:
    """Return the folder of a model, or the file without its ending if it is in none."""
    return _folder(path) or path.absolute().with_name(own_name(path))


def _folder(path: Path) -> Path | None:
    """Return the folder of a model: details/<model>/<date>/details_<task>_<date>.parquet."""
    date = re.search(_DATE, own_name(path))
    in_place = date is not None and path.absolute().parent.name == date[1]
    return path.absolute().parents[1] if in_place else None


def _full_name(place: Path) -> str:
    """Return a model as lighteval calls it, below `details`; elsewhere the whole path.

    >>> _full_name(Path("/out/details/org/small")), _full_name(Path("/out/small"))
    ('org/small', '/out/small')
    """
    *_, name = place.as_posix().rpartition("/details/")
    return name


def _log(source: Source, model: str) -> Log:
    name, path = source
    task = "documents"
    if path.name.startswith("details_"):
        task = re.sub(f"^details_|{_DATE}", "", own_name(path))
    rows = list(_rows(path))
    documents = [row.get("doc") for row in rows]
    samples = [
        _sample(row, item, f"{name or model}/{path.name}:{number}")
        for number, (row, item) in enumerate(zip(rows, _items(documents)), start=1)
    ]
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


def _items(documents: Sequence[Any]) -> list[Any]:
    """Return the identifiers of documents, or their numbers where one has none.

    >>> _items([{"id": 0}, {"id": 1}]), _items([{"id": ""}, {"id": "1"}, None])
    ([0, 1], [1, 2, 3])
    """
    ids = [doc.get("id") if isinstance(doc, dict) else None for doc in documents]
    # some tasks leave the identifier empty; a number beside others could be one of them
    if any(item is None or item == "" for item in ids):
        return list(range(1, len(ids) + 1))
    return ids


def _sample(row: Mapping[str, Any], item: Any, location: str) -> Sample:
    scores = next((row[name] for name in _SCORES if row.get(name) is not None), None)
    if not isinstance(scores, dict):
        raise ValueError(f"{location} must have scores as metric, not {shown(scores)}")
    fields = row.get("doc")
    fields = fields if isinstance(fields, dict) else {}
    query = fields.get("query", row.get("example"))
    return Sample(
        item=item,
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
