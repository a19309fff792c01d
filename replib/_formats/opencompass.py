"""Summaries of OpenCompass: a table of data sets and models.

``DefaultSummarizer`` (``opencompass/summarizers/default.py`` of open-compass/opencompass)
writes ``summary/summary_<date>.csv`` with the columns dataset, version (a hash of the
prompt), metric, mode and one per model, in percent.  A hyphen is a score that is missing; a
row of hyphens only is a heading.
"""

from collections.abc import Sequence

import pandas as pd

from replib._comparable import EVALUATION_MODE, PROMPT_VERSION, without_settings
from replib._formats.base import Content, Format, Request
from replib._formats.documents import Peek
from replib._sources import Source, table
from replib._tables.rows import chosen_rows
from replib._validation import listed, refusal
from replib.designs import Datasets
from replib.scores import KNOWN, Metric

_LABELS = ["dataset", "version", "metric", "mode"]
_MISSING = "-"


def recognises(peek: Peek) -> bool:
    """Return whether a table begins with the four columns of labels."""
    return peek.names[:4] == _LABELS


def read(sources: Sequence[Source], request: Request) -> Content:
    """Return the scores of the models on the data sets."""
    frame = pd.concat([_rows(source) for source in sources])
    where = dict(request.where)
    for column in [name for name in where if name in frame]:
        frame = chosen_rows(frame, column, where.pop(column))
    _check_metrics(frame, request)
    compared = without_settings(
        frame.rename(columns={"dataset": "task"}), ignored=request.ignored
    )
    frame = compared.frame.rename(columns={"task": "dataset"})
    return Content(
        frame=frame[["model", "dataset", "score"]],
        metric=_in_percent(request.metric),
        design=request.design or Datasets(),
        where=where,
        notes=compared.notes,
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
    # the version of a data set is a hash of its prompts
    return long.rename(columns={"version": PROMPT_VERSION, "mode": EVALUATION_MODE})


def _check_metrics(frame: pd.DataFrame, request: Request) -> None:
    """Refuse a data set with several metrics, which would count several times."""
    per_model = frame[frame["model"] == frame["model"].iloc[0]]
    repeated = per_model["dataset"].duplicated()
    if repeated.any():
        dataset = per_model.loc[repeated, "dataset"].iloc[0]
        metrics = per_model.loc[per_model["dataset"] == dataset, "metric"]
        raise refusal(
            f"{dataset} has the metrics {listed(metrics)}",
            'choose rows by where={"metric": [...]}',
            "choose rows by --where metric=NAME, once for each",
        )


def _in_percent(metric: object) -> object:
    """Return the metric with the range of percent, in which OpenCompass writes scores."""
    if metric is None:
        return Metric("score", better="higher", low=0, high=100)
    if isinstance(metric, str) and KNOWN.get(metric, ("", 0, 0))[1:] == (0, 1):
        return Metric(metric, high=100)
    return metric
