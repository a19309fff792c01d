"""Scores per run and item from files: long CSV, lm-evaluation-harness samples, Inspect logs.

*Long CSV*: columns `item`, `model` and `score`; `run` and `group` if there are several runs or
clusters.  *lm-evaluation-harness* (``--log_samples``) writes ``samples_<task>_<date>.jsonl`` per
run and task into a folder named after the model; each line has `doc_id`, `filter`, `target` and the
values of the metrics that `metrics` lists.  *Inspect* writes one log per evaluation, as JSON with
``--log-format json``; each of its `samples` has `id`, `epoch`, `target` and `scores`, in which "C",
"P", "I" and "N" mean 1, 0.5, 0 and 0.
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from replib.comparison import rules, scores_file
from replib.comparison.gate import tables
from replib.validation import file_path

_RUN = ("epoch", "attempt")
_NAMELESS = ("score", "scores", "value", "metric_value")  # columns that do not say the measure
_GROUP = ("group", "cluster", "cluster_id", "group_id")
_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, "true": 1.0, "false": 0.0}


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
        Name of the scores.
    runs : dict of tuple of str
        Names of the runs, by model.
    notes : tuple of str
    """

    scores: dict[str, np.ndarray]
    groups: np.ndarray | None
    items: list[str]
    metric: str
    runs: dict[str, tuple[str, ...]]
    notes: tuple[str, ...] = ()

    def pair(self, a: str, b: str, *, paired_runs: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Return the scores of two models; paired runs are matched by their names."""
        one, other = self.runs[a], self.runs[b]
        if not paired_runs or len(one) != len(other) or one == other:
            return self.scores[a], self.scores[b]
        if only := set(one) ^ set(other):
            rules.apply("run-labels", run=min(only, key=tables.natural))
        return self.scores[a], self.scores[b][[other.index(run) for run in one]]


class _Answer(NamedTuple):
    model: str
    run: str
    item: Any  # a pair of task and name, later joined in one text
    score: float
    group: str | None
    target: Any = None


def holds_items(path: str | Path) -> bool:
    """Return whether a file has scores per item: logs by their suffix, CSV by its columns."""
    path = file_path("path", path)
    if path.suffix in (".jsonl", ".json"):
        return True
    if not path.is_file():  # a pipe can be read only once
        return False
    with path.open("rb") as file:
        lines = file.read(10_000).decode("utf-8-sig", "replace").splitlines()
    lines = [line for line in lines if line.strip() and not scores_file.PREAMBLE.match(line)]
    head = lines[0] if lines else ""
    names = {rules.simple(name.strip(' "')) for name in re.split(r"[;,|\t]", head)}
    words = rules.table()["columns"]
    return bool(names & set(words["item"])) and bool(names & {*words["classifier"], "item"})


def read(
    *paths: str | Path, metric: str | None = None, group: str | None = None
) -> Items:
    """Read scores per run and item.

    Parameters
    ----------
    *paths : str or Path
        One CSV file, or one or more files of lm-evaluation-harness or Inspect; several files of
        one model are its runs.
    metric : str, optional
        For lm-evaluation-harness such as "acc" or "exact_match,strict-match" (with its filter);
        for Inspect the name of a scorer.
    group : str, optional
        Which field of each document (lm-evaluation-harness) or of the metadata of each sample
        (Inspect) names the cluster.

    Returns
    -------
    Items

    Raises
    ------
    ValueError
        If a file is of another kind, or a run of a model lacks an item or has it twice.
    """
    if not paths:
        raise ValueError("give at least one file")
    answers: list[_Answer] = []
    called = set()
    notes: list[str] = []
    seen: dict[tuple[str, ...], int] = {}
    for path in map(file_path, ["path"] * len(paths), paths):
        if (same := ("", str(path.resolve()))) in seen:
            rules.apply("same-file", path=path)
        kind = {".jsonl": _harness, ".json": _inspect}.get(path.suffix, _csv)
        if path.suffix == ".eval":
            raise ValueError(f"{path} is a log of Inspect in its binary form: write it as JSON, "
                             "with inspect log convert --to json")
        found = list(kind(path, metric, group, notes))
        # an epoch of one file and the same epoch of the task's next file are different runs
        of_task = {(answer.model, answer.item[0]) for _, answer in found}
        for name, answer in found:
            called.add(name)
            place = seen.get((answer.model, answer.item[0]), 0)
            item = "/".join(answer.item) if answer.item[0] else answer.item[1]
            run = answer.run if kind is _csv else f"{place + 1}/{answer.run}"
            answers.append(answer._replace(run=run, item=item))
        seen |= {same: 1, **{key: seen.get(key, 0) + 1 for key in of_task if kind is not _csv}}
    if len(called) > 1:
        raise ValueError(f"the files have different scores, {rules.listed(sorted(called))}: say "
                         "metric=, one that all of them have")
    return _arranged(answers, called.pop() if called else "score")._replace(
        notes=tuple(dict.fromkeys(notes))
    )


def _arranged(answers: Sequence[_Answer], metric: str) -> Items:
    items = list(dict.fromkeys(answer.item for answer in answers))
    clusters: dict[str, str | None] = {}
    targets: dict[str, Any] = {}
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for one in answers:
        its = runs.setdefault(one.model, {}).setdefault(one.run, {})
        if one.item in its:
            rules.apply("item-twice", model=one.model, item=one.item)
        its[one.item] = one.score
        if (other := clusters.setdefault(one.item, one.group)) != one.group:
            rules.apply("item-groups", item=one.item, one=other, other=one.group)
        if (other := targets.setdefault(one.item, one.target)) != one.target:
            rules.apply("item-texts", item=one.item, one=repr(other), other=repr(one.target))
    tables.check_names(list(runs), "the column of models")
    for model, of in runs.items():
        for run, its in of.items():
            if missing := [item for item in items if item not in its]:
                rules.apply("item-lacking", run=run, model=model, count=len(missing),
                            n=len(items), item=missing[0])
    named = None not in clusters.values()
    groups = np.array([str(clusters[item]) for item in items]) if named else None
    scores = {
        model: np.array([[its[item] for item in items] for its in of.values()])
        for model, of in runs.items()
    }
    return Items(scores, groups, items, metric, {name: tuple(of) for name, of in runs.items()})


def _csv(
    path: Path, metric: str | None, group: str | None, notes: list[str]
) -> Iterator[tuple[str, Any]]:
    lines = scores_file.lines_of(path)
    head, body = [name.strip() for name in lines[0][1]], lines[1:]
    tables.check_names(head, str(path))
    names = [rules.simple(name) for name in head]
    words = rules.table()["columns"]
    find: Callable[..., Any] = lambda allowed: next(
        (names.index(name) for name in allowed if name in names), None
    )
    model, item = find(words["classifier"]), find(words["item"])
    measure = find(words["metric"])
    named = [rules.simple(metric), *_NAMELESS] if metric else words["score"]
    score = find(words["score"] if measure is not None else named)
    run, of = find([*words["run"], *_RUN]), find([rules.simple(group)] if group else _GROUP)
    missing = [name for name, at in (("item", item), ("model", model), (metric or "score", score))
               if at is None]
    if missing or (group and of is None):
        rules.apply("item-columns", source=path, missing=rules.listed(missing or [group]),
                    there=rules.listed(head))
    width = [(line, row) for line, row in body if len(row) == len(head)]
    for at, name in enumerate(names):
        if rules.role(name) == "dataset":
            there = list(dict.fromkeys(row[at] for _, row in width))
            if len(there) > 1:
                rules.apply("several-datasets", source=path, n=len(there),
                            named=rules.listed(there))
    called = metric or head[score]
    if measure is not None:
        called = tables.one_metric([row[measure] for _, row in width], metric, str(path))
    used = {model, item, score, run, of, measure}
    notes += tables.notes_of_unused([name for at, name in enumerate(head) if at not in used
                                     and rules.role(name) not in ("row", "dataset", "other")])
    for line, row in body:
        if len(row) != len(head):
            rules.apply("line-length", line=line, path=path, n=len(row), m=len(head))
        cells = [cell.strip() for cell in row]
        if measure is not None and cells[measure] != called:
            continue
        letter = cells[score].lower() if len(cells[score]) > 1 else cells[score]
        value = _LETTERS.get(letter)
        if value is None:
            value = tables.numbers([cells[score]], head[score], str(path), [f"line {line}"])[0]
        yield called, _Answer(
            cells[model], "1" if run is None else cells[run], ("", cells[item]), float(value),
            None if of is None else cells[of],
        )


def _harness(
    path: Path, metric: str | None, group: str | None, notes: list[str]
) -> Iterator[tuple[str, Any]]:
    wanted, _, which = (metric or "").partition(",")
    numbered = enumerate(_text(path).splitlines(), start=1)
    lines = [_json(line, f"line {n} of {path}") for n, line in numbered if line.strip()]
    if not lines or not all(isinstance(x, dict) and "doc_id" in x for x in lines):
        raise ValueError(f"{path} does not hold samples of lm-evaluation-harness: no 'doc_id'")
    task = re.sub(r"^samples_|_\d{4}-\d\d-\d\d.*$", "", path.stem)
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
            if not (there := rules.listed(_metrics(x))):
                raise ValueError(f"item {x['doc_id']} of {path} has no score that is a number")
            raise ValueError(f"{path} has no numbers under {name!r}: choose metric= from {there}")
        of = None if group is None else _field(x.get("doc"), group, path)
        model = path.absolute().parent.name
        target = x.get("target") if "doc_hash" not in x else f"{x.get('target')} ({x['doc_hash']})"
        yield name, _Answer(model, "1", (task, str(x["doc_id"])), float(x[name]), of, target)


def _metrics(sample: dict[str, Any]) -> list[str]:
    return [x for x in sample.get("metrics", []) if isinstance(sample.get(x), (int, float))]


def _inspect(
    path: Path, metric: str | None, group: str | None, notes: list[str]
) -> Iterator[tuple[str, Any]]:
    log = _json(_text(path), str(path))
    if not isinstance(log, dict) or not isinstance(log.get("samples"), list):
        totals = isinstance(log, dict) and "results" in log and "eval" not in log
        raise ValueError(
            f"{path} " + ("holds the totals of lm-evaluation-harness: write samples as well, with "
                          "--log_samples" if totals else "is not a log of Inspect with samples")
        )
    if log.get("status", "success") != "success":
        raise ValueError(f"{path} is the log of an evaluation that ended with {log['status']!r}")
    about = log.get("eval", {})
    model, task = str(about.get("model", path.stem)), str(about.get("task", ""))
    for sample in log["samples"]:
        found = sample.get("scores") or {}
        name = metric or next(iter(found), "")
        if name not in found or (metric is None and len(found) > 1):
            raise ValueError(
                f"item {sample.get('id')} of {path} has the scores "
                f"{rules.listed(found) or 'none'}: say metric=, one that all items have"
            )
        of = None if group is None else _field(sample.get("metadata"), group, path)
        yield name, _Answer(
            model, str(sample.get("epoch", 1)), (task, str(sample.get("id"))),
            _value(found[name].get("value"), f"item {sample.get('id')} of {path}"), of,
            sample.get("target"),
        )


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
    raise AssertionError  # not reached: both rules refuse


def _json(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as problem:
        raise ValueError(f"{where} is not JSON: {problem}") from None
