"""Scores per run and item from files: long CSV, samples of lm-evaluation-harness, logs of Inspect.

*Long CSV*: columns `item`, `model`, `score`, and where there are several runs or clusters `run` and
`group`.  *lm-evaluation-harness* (``--log_samples``) writes a file ``samples_<task>_<date>.jsonl``
per run into a folder named after the model; each line has `doc_id`, `filter` and the values of the
metrics that `metrics` names.  *Inspect* writes a log per evaluation, as JSON if asked
(``--log-format json``); each of its `samples` has `id`, `epoch` and `scores`, in which "C", "P",
"I" and "N" stand for 1, 0.5, 0 and 0.
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from replib.checks import file_path
from replib.comparison import rules, scores_file
from replib.comparison.gate import tables

_ITEM = ("item", "item_id", "question", "question_id", "doc_id", "example", "instance", "sample_id")
_GROUP = ("group", "cluster", "cluster_id", "group_id")
_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}


class Items(NamedTuple):
    """Scores per run and item.

    Attributes
    ----------
    scores : dict of ndarray, shape (runs, items)
        By model.
    groups : ndarray of str or None
        Cluster of each item.
    items : list of str
    metric : str
        What the scores are called.
    """

    scores: dict[str, np.ndarray]
    groups: np.ndarray | None
    items: list[str]
    metric: str


class _Answer(NamedTuple):
    model: str
    run: str
    item: str
    score: float
    group: str | None


def holds_items(path: str | Path) -> bool:
    """Say whether a file has scores per item: logs by their endings, CSV by its columns."""
    path = file_path("path", path)
    if path.suffix in (".jsonl", ".json"):
        return True
    if not path.is_file():  # what a pipe has sent cannot be read again
        return False
    with path.open("rb") as file:
        lines = file.read(10_000).decode("utf-8-sig", "replace").splitlines()
    head = next((line for line in lines if line.strip() and line[0] != "#"), "")
    names = {rules.simple(name.strip(' "')) for name in re.split(r"[;,|\t]", head)}
    models = rules.table()["columns"]["classifier"]
    return bool(names & set(_ITEM)) and bool(names & set(models))


def read(
    *paths: str | Path, metric: str | None = None, group: str | None = None
) -> Items:
    """Read scores per run and item.

    Parameters
    ----------
    *paths : str or Path
        One CSV file, or one or more files of lm-evaluation-harness or Inspect; files of one model
        are its runs.
    metric : str, optional
        Of lm-evaluation-harness, such as "acc" or "exact_match,strict-match" (with its filter); of
        Inspect the name of a scorer.
    group : str, optional
        Which field of each document (lm-evaluation-harness) or of the metadata of each sample
        (Inspect) names the cluster.

    Returns
    -------
    Items

    Raises
    ------
    ValueError
        If a file is of another kind, or a model lacks an item or has one twice in a run.
    """
    if not paths:
        raise ValueError("give at least one file")
    answers: list[_Answer] = []
    called = set()
    for place, path in enumerate(map(file_path, ["path"] * len(paths), paths)):
        kind = {".jsonl": _harness, ".json": _inspect}.get(path.suffix, _csv)
        for name, answer in kind(path, metric, group):
            # an epoch of one file is another run than the same epoch of the next
            run = answer.run if kind is _csv else f"{place}/{answer.run}"
            called.add(name)
            answers.append(answer._replace(run=run))
    if len(called) > 1:
        raise ValueError(f"the files have different scores, {rules.listed(sorted(called))}: say "
                         "metric=, one that all of them have")
    return _arranged(answers, called.pop() if called else "score")


def _arranged(answers: Sequence[_Answer], metric: str) -> Items:
    items = list(dict.fromkeys(answer.item for answer in answers))
    clusters: dict[str, str | None] = {}
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for one in answers:
        its = runs.setdefault(one.model, {}).setdefault(one.run, {})
        if one.item in its:
            raise ValueError(
                f"{rules.shown(one.model)} has item {rules.shown(one.item)} twice in one run: "
                "answers from several runs need a column 'run', or a file each"
            )
        its[one.item] = one.score
        if clusters.setdefault(one.item, one.group) != one.group:
            raise ValueError(f"item {rules.shown(one.item)} is in two groups")
    for model, of in runs.items():
        for run, its in of.items():
            if missing := [item for item in items if item not in its]:
                raise ValueError(
                    f"run {run} of {rules.shown(model)} lacks {len(missing)} of the {len(items)} "
                    f"items, such as {rules.shown(missing[0])}: all models must answer the same "
                    "items in each run"
                )
    named = None not in clusters.values()
    groups = np.array([str(clusters[item]) for item in items]) if named else None
    scores = {
        model: np.array([[its[item] for item in items] for its in of.values()])
        for model, of in runs.items()
    }
    return Items(scores, groups, items, metric)


def _csv(path: Path, metric: str | None, group: str | None) -> Iterator[tuple[str, _Answer]]:
    lines = scores_file.lines_of(path)
    (_, head), body = lines[0], lines[1:]
    tables.check_names(head, str(path))
    names = [rules.simple(name) for name in head]
    words = rules.table()["columns"]
    find: Callable[..., Any] = lambda allowed: next(
        (names.index(name) for name in allowed if name in names), None
    )
    model, item = find(words["classifier"]), find(_ITEM)
    score = find([rules.simple(metric)] if metric else words["score"])
    run, of = find(words["run"]), find([rules.simple(group)] if group else _GROUP)
    missing = [name for name, at in (("item", item), ("model", model), (metric or "score", score))
               if at is None]
    if missing or (group and of is None):
        raise ValueError(
            f"{path} has no column {rules.listed(missing or [group])}: it has {rules.listed(head)}"
        )
    for line, row in body:
        if len(row) != len(head):
            rules.apply("line-length", line=line, path=path, n=len(row), m=len(head))
        cells = [cell.strip() for cell in row]
        value = tables.numbers([cells[score]], head[score], str(path), [f"line {line}"])[0]
        yield metric or head[score], _Answer(
            cells[model], "1" if run is None else cells[run], cells[item], float(value),
            None if of is None else cells[of],
        )


def _harness(path: Path, metric: str | None, group: str | None) -> Iterator[tuple[str, _Answer]]:
    wanted, _, which = (metric or "").partition(",")
    numbered = enumerate(_text(path).splitlines(), start=1)
    lines = [_json(line, f"line {n} of {path}") for n, line in numbered if line.strip()]
    if not lines or not all(isinstance(x, dict) and "doc_id" in x for x in lines):
        raise ValueError(f"{path} does not hold samples of lm-evaluation-harness: no 'doc_id'")
    filters = list(dict.fromkeys(x.get("filter", "none") for x in lines))
    if len(filters) > 1 and which not in filters:
        raise ValueError(
            f"{path} has the answers under {len(filters)} filters, {rules.listed(filters)}: say "
            f"which, as in metric='{wanted or _metrics(lines[0])[0]},{filters[0]}'"
        )
    for x in lines:
        if which and x.get("filter", "none") != which:
            continue
        name = wanted or (_metrics(x) or [""])[0]
        if not isinstance(x.get(name), (int, float)):
            raise ValueError(f"{path} has no numbers under {name!r}: choose metric= from "
                             f"{rules.listed(_metrics(x)) or 'none'}")
        of = None if group is None else _field(x.get("doc"), group, path)
        model = path.absolute().parent.name
        yield name, _Answer(model, "1", str(x["doc_id"]), float(x[name]), of)


def _metrics(sample: dict[str, Any]) -> list[str]:
    return [x for x in sample.get("metrics", []) if isinstance(sample.get(x), (int, float))]


def _inspect(path: Path, metric: str | None, group: str | None) -> Iterator[tuple[str, _Answer]]:
    log = _json(_text(path), str(path))
    if not isinstance(log, dict) or not isinstance(log.get("samples"), list):
        raise ValueError(f"{path} is not a log of Inspect with samples")
    if log.get("status", "success") != "success":
        raise ValueError(f"{path} is the log of an evaluation that ended with {log['status']!r}")
    model = str(log.get("eval", {}).get("model", path.stem))
    for sample in log["samples"]:
        found = sample.get("scores") or {}
        name = metric or next(iter(found), "")
        if name not in found or (metric is None and len(found) > 1):
            raise ValueError(
                f"item {sample.get('id')} of {path} has the scores "
                f"{rules.listed(found) or 'none'}: say metric=, one that all items have"
            )
        of = None if group is None else _field(sample.get("metadata"), group, path)
        yield name, _Answer(model, str(sample.get("epoch", 1)), str(sample.get("id")),
                            _value(found[name].get("value"), f"item {sample.get('id')} of {path}"),
                            of)


def _value(value: Any, where: str) -> float:
    if isinstance(value, str) and value in _LETTERS:
        return _LETTERS[value]
    if isinstance(value, (int, float)) and math.isfinite(value):
        return float(value)
    raise ValueError(f"the score of {where} is {value!r}: expected a number, or C, P, I or N")


def _field(fields: Any, name: str, path: Path) -> str:
    if not isinstance(fields, dict) or name not in fields:
        raise ValueError(f"an item of {path} has no field {name!r} that names its group")
    return str(fields[name])


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError as problem:
        rules.apply("unreadable", path=path, why=problem.strerror)
    except UnicodeDecodeError:
        rules.apply("not-text", path=path)
    raise AssertionError  # both rules refuse


def _json(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as problem:
        raise ValueError(f"{where} is not JSON: {problem}") from None
