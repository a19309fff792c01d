"""Summaries of OpenCompass: a table of data sets and models.

``DefaultSummarizer`` (``opencompass/summarizers/default.py`` of open-compass/opencompass)
writes ``summary/summary_<date>.csv`` with the columns dataset, version (a hash of the
prompt), metric, mode and one per model, in percent.  A hyphen is a score that is missing; a
row of hyphens only is a heading.  Metrics of data sets may differ: scores
are compared together if they are in percent and one direction is better in all of them.
"""

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from replib._comparable import EVALUATION_MODE, PROMPT_VERSION, without_settings
from replib._formats.base import Content, Format, Request
from replib._formats.documents import Peek, quoted_path
from replib._formats.opencompass_groups import groups_beside_parts
from replib._names.metrics.directions import direction_of_metric
from replib._names.metrics.named import metric_at_end, named_metric
from replib._sources import Source, table
from replib._tables.arguments import quoted
from replib._tables.rows import chosen_rows
from replib._validation import MOST_LISTED, joined, listed, refusal
from replib.designs import Datasets
from replib.scores import KNOWN, Metric, find_metric

_LABELS = ["dataset", "version", "metric", "mode"]
_MISSING = "-"
#: What columns are called here: the version of a data set is a hash of its prompts.
_COLUMNS = {"version": PROMPT_VERSION, "mode": EVALUATION_MODE}
#: Column of the file that a row is from.
_FILE = "file"
#: Columns by which rows of a data set differ, their names in a file, and what to say.
_TOLD_APART = (
    ("metric", "metric", "has the metrics"),
    (PROMPT_VERSION, "version", "occurs in the versions"),
    (EVALUATION_MODE, "mode", "occurs in the modes"),
)
#: Unit of all metrics but losses without an upper bound, such as a perplexity.
_PERCENT = "percent"


def recognises(peek: Peek) -> bool:
    """Return whether a table begins with the four columns of labels."""
    return peek.names[:4] == _LABELS


def read(sources: Sequence[Source], request: Request) -> Content:
    """Return the scores of the models on the data sets."""
    frame = pd.concat([_rows(source) for source in sources])
    where = {_COLUMNS.get(name, name): value for name, value in request.where.items()}
    for column in [name for name in where if name in frame]:
        frame = chosen_rows(frame, column, where.pop(column))
    _check_repeated(frame)
    notes: tuple[str, ...] = ()
    if "dataset" not in request.where:
        frame, notes = _without_groups(frame)
    kind = _only_kind(frame["metric"])
    compared = without_settings(
        frame.rename(columns={"dataset": "task"}), ignored=request.ignored
    )
    frame = compared.frame.rename(columns={"task": "dataset"})
    return Content(
        frame=frame[["model", "dataset", "score"]],
        metric=_metric(request.metric, kind, frame["metric"]),
        design=request.design or Datasets(),
        where=where,
        notes=(*notes, *compared.notes, *_notes_on_direction(request.metric, frame)),
    )


FORMAT = Format(
    name="a summary of OpenCompass",
    sign="summary_*.csv (OpenCompass)",
    recognises=recognises,
    read=read,
    patterns=("summary_*.csv", "summary/*.csv", "*/summary/*.csv"),
)


def _rows(source: Source) -> pd.DataFrame:
    """Return a row for each score in a file, and for each that is missing."""
    name, path = source
    wide = table(path)
    models = [column for column in wide if column not in _LABELS]
    is_heading = (wide[models].astype(str) == _MISSING).all(axis=1)
    long = wide[~is_heading].melt(_LABELS, var_name="model", value_name="score")
    if name is not None:
        long["model"] = name
    long["score"] = long["score"].replace(_MISSING, None)
    return long.rename(columns=_COLUMNS).assign(**{_FILE: quoted_path(path)})


def _check_repeated(frame: pd.DataFrame) -> None:
    """Refuse a data set that a model has twice: by several metrics, versions or files."""
    repeated = frame.duplicated(["model", "dataset"])
    if not repeated.any():
        return
    model, dataset = frame.loc[repeated, ["model", "dataset"]].iloc[0]
    rows = frame[(frame["model"] == model) & (frame["dataset"] == dataset)]
    for column, name, words in _TOLD_APART:
        values = [*rows[column].drop_duplicates()]
        if len(values) > 1:
            raise refusal(
                f"{dataset} {words} {listed(values)}",
                f'choose rows by where={{"{name}": [...]}}{_or_one_file(rows)}',
                f"choose rows by --where {name}=NAME, once for each{_or_one_file(rows)}",
            )
    files = rows[_FILE].unique()
    if len(files) > 1:
        raise ValueError(
            f"{dataset} of {model} is in the files {joined(files)}: give one of them"
        )
    raise ValueError(
        f"{dataset} of {model} has {len(rows)} rows in {joined(files)}: keep one"
    )


def _or_one_file(rows: pd.DataFrame) -> str:
    """Return the advice to give one file, where rows are of several."""
    files = rows[_FILE].unique()
    return f", or give one of the files {joined(files)}" if len(files) > 1 else ""


def _without_groups(frame: pd.DataFrame) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return rows without averages of groups whose parts are rows, too, and a note on them."""
    # a group has no prompt of its own
    is_group = frame[PROMPT_VERSION].astype(str) == _MISSING
    groups = groups_beside_parts(
        frame.loc[is_group, "dataset"].astype(str).unique().tolist(),
        frame.loc[~is_group, "dataset"].astype(str).unique().tolist(),
    )
    if not groups:
        return frame, ()
    are = "s of groups, are" if len(groups) > 1 else " of a group, is"
    note = f"{listed(groups)}, the average{are} left out: parts are rows of their own"
    return frame[~frame["dataset"].isin(groups)], (note,)


class _Kind(NamedTuple):
    """What metrics have in common whose scores may be compared together.

    Attributes
    ----------
    better : {"higher", "lower"}
    unit : str
        Percent, or the quantity of a loss without an upper bound.
    """

    better: str
    unit: str


def _kind(metric: str) -> _Kind:
    """Return the kind of a metric by its name; of an unknown one it is that of most.

    >>> _kind("humaneval_pass@1"), _kind("ppl")
    (_Kind(better='higher', unit='percent'), _Kind(better='lower', unit='perplexity'))
    """
    if direction_of_metric(metric) != "lower":
        return _Kind("higher", _PERCENT)  # also naive_average, of a group
    named = named_metric(metric) or metric_at_end(metric)
    if named is None or named.high <= 1:
        return _Kind("lower", _PERCENT)
    return _Kind("lower", named.quantity or metric)


def _only_kind(metrics: "pd.Series[str]") -> _Kind:
    """Return the kind of all metrics; refuse several, whose scores have no common scale."""
    kinds: dict[_Kind, list[str]] = {}
    for metric in metrics.astype(str):
        kinds.setdefault(_kind(metric), []).append(metric)
    if len(kinds) == 1:
        return next(iter(kinds))
    names = {kind: [*dict.fromkeys(of_kind)] for kind, of_kind in kinds.items()}
    described = joined(
        [f"{listed(names[kind])} (better {kind.better})" for kind in kinds]
    )
    most = names[max(kinds, key=lambda kind: len(kinds[kind]))]
    advice = "choose those of one scale, as in"
    shell = " ".join(f"--where metric={quoted(name)}" for name in most[:MOST_LISTED])
    raise refusal(
        f"rows have metrics of several directions or units, {described}",
        f'{advice} where={{"metric": [{_in_quotes(most)}]}}',
        f"{advice} {shell}",
    )


def _in_quotes(names: Sequence[str]) -> str:
    """Return names as entries of a list, of which the first ones are written."""
    rest = [] if len(names) <= MOST_LISTED else ["..."]
    return ", ".join([f'"{name}"' for name in names[:MOST_LISTED]] + rest)


def _metric(said: object, kind: _Kind, metrics: "pd.Series[str]") -> object:
    """Return the metric, with the range of percent, in which OpenCompass writes scores."""
    if isinstance(said, str) and KNOWN.get(said, ("", 0, 0))[1:] == (0, 1):
        return Metric(said, high=100)
    if said is not None:
        return said
    if kind == ("higher", _PERCENT):
        return Metric("score", better="higher", low=0, high=100)
    name = joined([*metrics.astype(str).unique()])
    if kind.unit == _PERCENT:
        return Metric(name, better=kind.better, low=0, high=100)
    return Metric(name, better=kind.better)


def _notes_on_direction(said: object, frame: pd.DataFrame) -> tuple[str, ...]:
    """Return a note on a metric that was said, if its direction is not that of the rows."""
    if said is None:
        return ()
    better = find_metric(said).better
    by_name = map(direction_of_metric, frame["metric"].astype(str).unique())
    directions = {direction for direction in by_name if direction is not None}
    if directions <= {better}:
        return ()
    known = joined(sorted(directions))
    return (
        f"by their metrics, rows are better {known}, and metric= is better {better}",
    )
