"""Notes about rows that are times: days as seeds, quarters as data sets, a trajectory as items."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from replib._labels.texts import has_labels, labels_of_key, texts_of_key
from replib._names.labels.shared import readings_of_labels
from replib._names.labels.summaries import wholes_of_times
from replib._names.things.times import (
    are_at_equal_steps,
    are_frames,
    are_windows,
    are_years,
    follow_in_time,
    parts_of_time,
)
from replib._names.words import words_of_column
from replib._validation import listed, shown
from replib.designs import Datasets, Items, Seeds
from replib.scores import Predictions, Scores

#: More rows have other labels.
_MOST_TIMES = 10_000
#: Folds that may be years.
_MOST_FOLDS = 100
#: A smaller number is no day such as 20250301.
_FIRST_DAY = 19000101
#: So many days in a row are no names of trainings.
_FEWEST_DAYS = 5
#: Words of a column whose whole numbers are times.
_TIMES = {
    *("bjd", "doy", "frame", "frames", "fs", "hjd", "hours", "jd", "mjd", "minutes"),
    *("ms", "ns", "ps", "sec", "seconds", "time", "times", "timestamp"),
    *("timestep", "us"),
}
_BESIDE_TIMES = {
    *("id", "idx", "in", "index", "nr", "number", "sim", "step", "t", "video"),
}


def notes_about_times(table: Scores | Predictions) -> Iterator[str]:
    """Note data sets, runs or items that are times by their labels."""
    if isinstance(table.design, Items):
        if table.design.clustering is None:
            yield from _trajectory(table)
        return
    for key, unit in (("dataset", "data sets"), ("run", "runs"), ("fold", "folds")):
        if key in table.design.keys and has_labels(table, key):
            yield from _times_as_units(table, key, unit)


def _times_as_units(table: Scores | Predictions, key: str, unit: str) -> Iterator[str]:
    """Note units that are days in a row, or parts of a week or of years."""
    if getattr(table.design, "groups", False):
        return  # held out as a whole
    labels = labels_of_key(table, key)
    times = _times_of_units(table, key)
    if times is not None:
        called = listed([*map(str, labels[:2])])
        yield f"The {unit} are called {called} and so on: are they {times}?"


def _times_of_units(table: Scores | Predictions, key: str) -> str | None:
    """Return what times the labels of a key are, or None."""
    labels = labels_of_key(table, key)
    first_labels = [*map(str, labels[:_MOST_FOLDS])]
    if key == "fold" and any(map(are_years, readings_of_labels(first_labels))):
        return "years"
    column = table.frame[key]
    if pd.api.types.is_numeric_dtype(column) and column.iloc[0] < _FIRST_DAY:
        return None
    if len(labels) > _MOST_TIMES:
        return None
    may_be_days = isinstance(table.design, Datasets | Seeds) or key == "fold"
    if may_be_days and follow_in_time([*labels], fewest=_FEWEST_DAYS):
        return "times of one series"
    texts = texts_of_key(table, key)
    if key != "dataset" and are_windows(texts):
        return "windows of time"
    return _times_of(texts) if len(texts) == len(labels) else None


def _times_of(labels: Sequence[str]) -> str | None:
    """Return what labels are, but for those of whole years and for the words that all share."""
    wholes = wholes_of_times(labels)
    parts = [label for label in labels if label not in wholes]
    times = map(parts_of_time, readings_of_labels(parts))
    return next((things for things in times if things is not None), None)


def _trajectory(table: Scores | Predictions) -> Iterator[str]:
    """Note items that are called by numbers at equal steps, as times are, or like frames."""
    labels = labels_of_key(table, "item")
    if not pd.api.types.is_numeric_dtype(np.asarray(labels[:1])):
        if are_frames([*map(str, labels[:_MOST_TIMES])]):
            yield _note_on_steps(labels)
        return
    name = table.columns.get("item")
    words = set(words_of_column(name)) - _BESIDE_TIMES
    is_called_time = name is not None and bool(words) and words <= _TIMES
    numbers = np.asarray(labels[:_MOST_TIMES])
    have_fractions = numbers.dtype.kind == "f" and (numbers % 1 != 0).any()
    if (is_called_time or have_fractions) and are_at_equal_steps(numbers):
        yield _note_on_steps(labels)


def _note_on_steps(labels: "Sequence[Any] | pd.Index[Any]") -> str:
    first = ", ".join(shown(label) for label in labels[:3])
    return (
        f"Items {first} and so on are at equal steps, as times are: do neighbours depend "
        "on each other? Then give blocks of time as clusters."
    )


__all__ = ["notes_about_times"]
