"""Logs of evaluations of language models by lm-evaluation-harness."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from replib._sources import Source, first_bytes
from replib._tables import item_values
from replib._validation import listed, refusal, shown

#: Column that must be the same in all rows of an item: it is then the same item.
_QUESTION = "target or document"


def read(
    sources: Sequence[Source],
    *,
    metric: str | None = None,
    field: str | None = None,
) -> tuple[pd.DataFrame, str]:
    """Return the samples with their scores by one metric, and its name.

    Parameters
    ----------
    sources : sequence of (name or None, path)
        Files and folders.
    metric : str, optional
        By default the only one.
    field : str, optional
        What names the cluster: "task", or a field of the document.

    Returns
    -------
    frame : DataFrame
        Columns `model`, `task`, `filter`, `run`, `item`, `score` and the field; the
        index has files and lines.
    metric : str

    Raises
    ------
    ValueError
        If a file cannot be read, there are several metrics and none is named, or the
        target of an item differs between rows.
    """
    # the task has a column of its own already
    frame = pd.DataFrame(_samples(sources, None if field == "task" else field))
    if frame.empty:
        raise ValueError("the logs have no samples")
    frame = frame.set_index("source").rename_axis(None)
    metric = _only_metric(frame["scores"], metric)
    # a doc_id counts the documents of one task
    frame["item"] = frame["task"] + "/" + frame["item"].astype(str)
    item_values(frame, column=_QUESTION)
    values = [scores.get(metric) for scores in frame["scores"]]
    # pandas before 3.1 cannot look for the type of an integer of 400 digits
    frame["score"] = pd.Series(values, frame.index, dtype=object)
    return frame.drop(columns=["scores", _QUESTION]), metric


def _only_metric(scores: "pd.Series[Any]", metric: str | None) -> str:
    """Return the metric that is asked for, or the only one that the samples have."""
    names = list(dict.fromkeys(name for sample in scores for name in sample))
    if metric is None and len(names) == 1:
        return str(names[0])
    if metric is None or metric not in names:
        raise refusal(
            f"the logs have the metrics {listed(names)}",
            "say metric=, one of them",
            "say --metric, one of them",
        )
    return metric


def _samples(sources: Sequence[Source], field: str | None) -> Iterator[dict[str, Any]]:
    """Yield a row for each sample; several files of a model and a task are its runs."""
    runs: Counter[tuple[str, str]] = Counter()
    folders: dict[str, Path] = {}
    for name, path in sources:
        for file in _files(name, path):
            folder = file.absolute().parent
            model = name or folder.name
            if folders.setdefault(model, folder) != folder and name is None:
                raise ValueError(
                    f"two folders are called {shown(model)}: name both, as in "
                    f"a={folder}"
                )
            # samples_<task>_<date>.jsonl
            task = re.sub(r"^samples_|_\d{4}-.*$", "", file.stem)
            runs[model, task] += 1
            labels = {"model": model, "task": task, "run": runs[model, task]}
            for number, line in _lines(file):
                row = {"source": f"{model}/{file.name}:{number}"}
                place = f"line {number} of {str(file)!r}"
                yield labels | row | _sample(line, place, field)


def _files(name: str | None, path: Path) -> list[Path]:
    """Return the files of a source: itself, or those in its folder, or in the folders there."""
    if not path.is_dir():
        return [path]
    files = sorted(path.glob("samples_*.jsonl"))
    if not files:
        files = sorted(path.glob("*/samples_*.jsonl"))
    if not files:
        raise ValueError(
            f"{str(path)!r} has no files samples_*.jsonl: let the harness write them "
            "with --log_samples"
        )
    folders = {file.parent for file in files}
    if name and len(folders) > 1:
        raise ValueError(f"{str(path)!r} has several models, and {shown(name)} is one")
    return files


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file that are not empty, with their numbers."""
    first_bytes(file)  # refuses what is not a file, too large, or not text
    for number, line in enumerate(file.read_bytes().split(b"\n"), start=1):
        if line.strip():
            yield number, line


def _sample(line: bytes, place: str, field: str | None) -> dict[Any, Any]:
    """Return item, target and scores of a line of JSON, and a field of its document."""
    try:
        sample = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError(f"{place} is not JSON, or too deep") from None
    if not isinstance(sample, dict) or not isinstance(sample.get("doc_id"), int | str):
        raise ValueError(
            f"{place} is not a sample of lm-evaluation-harness: it has no doc_id"
        )
    names = sample.get("metrics")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError(
            f"{place} must have a list of names as metrics, not {shown(names)}"
        )
    question = json.dumps([sample.get("target"), sample.get("doc_hash")])
    row = {
        "item": sample["doc_id"],
        "filter": str(sample.get("filter", "none")),
        _QUESTION: question,
        "scores": {name: sample.get(name) for name in names},
    }
    document = sample.get("doc")
    label = document.get(field) if isinstance(document, dict) else None
    # a column of the table, whatever the field is called, must keep its meaning
    return ({field: label} if isinstance(label, int | str) else {}) | row
