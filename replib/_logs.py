"""Logs of evaluations of language models by lm-evaluation-harness."""

import json
import os
import re
import stat
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from replib._validation import file_path, listed, one_line, shown
from replib.scores import of_items

#: Larger files are refused before anything is read.
MOST_BYTES = 250_000_000

Source = tuple[str | None, Path]


def source(path: Any) -> Source:
    """Return the name in "name=path", if there is one, and the path.

    Examples
    --------
    >>> source("a=out/a.csv")
    ('a', PosixPath('out/a.csv'))
    """
    whole = file_path("path", path)
    name, mark, rest = str(whole).partition("=")
    return (
        (name, file_path("path", rest))
        if mark and not os.path.exists(whole)
        else (None, whole)
    )


def head(path: Path) -> bytes:
    """Return the beginning of a file, or refuse what is not a file of a moderate size, or text."""
    name = one_line(repr(str(path)))
    try:
        state = path.stat()
        if not stat.S_ISREG(state.st_mode):
            raise ValueError(f"{name} is not a file")
        if state.st_size > MOST_BYTES:
            raise ValueError(
                f"{name} has {state.st_size / 1e6:.0f} MB, at most "
                f"{MOST_BYTES / 1e6:.0f} are read: give a DataFrame with what matters"
            )
        with path.open("rb") as file:
            start = file.read(2**20)
    except (OSError, UnicodeError) as problem:
        raise ValueError(
            f"{name} cannot be read: {getattr(problem, 'strerror', problem)}"
        ) from (None)
    if path.suffix != ".parquet" and (b"\0" in start or start[:2] == b"PK"):
        raise ValueError(f"{name} is not text: export it as CSV")
    return start


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
    frame = pd.DataFrame(_samples(sources, None if field == "task" else field))
    if frame.empty:
        raise ValueError("the logs have no samples")
    frame = frame.set_index("source").rename_axis(None)
    names = list(dict.fromkeys(name for scores in frame["scores"] for name in scores))
    if not names or metric not in (names if len(names) > 1 else [None, *names]):
        raise ValueError(
            f"the logs have the metrics {listed(names)}: say metric=, one of them"
        )
    frame["item"] = frame["task"] + "/" + frame["item"].astype(str)
    of_items(frame, column="target or document")
    metric = metric or names[0]
    frame["score"] = [scores.get(metric) for scores in frame["scores"]]
    return frame.drop(columns=["scores", "target or document"]), metric


def _samples(sources: Sequence[Source], field: str | None) -> Iterator[dict[str, Any]]:
    runs: Counter[tuple[str, str]] = Counter()
    folders: dict[str, Path] = {}
    for name, path in sources:
        files = (
            [path]
            if not path.is_dir()
            else (
                sorted(path.glob("samples_*.jsonl"))
                or sorted(path.glob("*/samples_*.jsonl"))
            )
        )
        if not files:
            raise ValueError(
                f"{str(path)!r} has no files samples_*.jsonl: let the harness "
                "write them with --log_samples"
            )
        if name and len({file.parent for file in files}) > 1:
            raise ValueError(
                f"{str(path)!r} has several models, and {shown(name)} is one"
            )
        for file in files:
            folder = file.absolute().parent
            model, task = (
                name or folder.name,
                re.sub(r"^samples_|_\d{4}-.*$", "", file.stem),
            )
            if folders.setdefault(model, folder) != folder and not name:
                raise ValueError(
                    f"two folders are called {shown(model)}: name both, as in "
                    f"a={folder}"
                )
            runs[model, task] += 1
            head(file)
            for number, line in enumerate(file.read_bytes().split(b"\n"), start=1):
                if line.strip():
                    row = {
                        "model": model,
                        "task": task,
                        "run": runs[model, task],
                        "source": f"{model}/{file.name}:{number}",
                    }
                    yield row | _sample(line, f"line {number} of {str(file)!r}", field)


def _sample(line: bytes, where: str, field: str | None) -> dict[Any, Any]:
    """Return item, target and scores of a line of JSON, and a field of its document."""
    try:
        sample = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError(f"{where} is not JSON, or too deep") from None
    if not isinstance(sample, dict) or not isinstance(sample.get("doc_id"), int | str):
        raise ValueError(
            f"{where} is not a sample of lm-evaluation-harness: it has no doc_id"
        )
    names, doc = sample.get("metrics"), sample.get("doc")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError(
            f"{where} must have a list of names as metrics, not {shown(names)}"
        )
    label = doc.get(field) if isinstance(doc, dict) else None
    return ({field: label} if isinstance(label, int | str) else {}) | {
        "item": sample["doc_id"],
        "filter": str(sample.get("filter", "none")),
        "target or document": json.dumps(
            [sample.get("target"), sample.get("doc_hash")]
        ),
        "scores": {name: sample.get(name) for name in names},
    }
