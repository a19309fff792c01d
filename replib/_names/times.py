"""Labels that are times, such as days in a row."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replib._names.languages import words_in_order

#: How days look, and are written; whole numbers may be other things.
_DAY = re.compile(
    r"\d{4}[-/]\d{1,2}(?:[-/]\d.*)?|(?:19|20)\d{6}|\d{1,2}[./-]\d{1,2}[./-]\d{4}"
)
_YEARS = range(1900, 2100)
_DATES = (
    *("%Y-%m-%d", "%Y/%m/%d", "%Y%m%d", "%d.%m.%Y", "%d-%m-%Y", "%m/%d/%Y"),
    *("%d/%m/%Y", "%Y-%m", "ISO8601"),
)
_FEWEST_DAYS = 10
#: Parts of a year, such as "2015Q1", "2015-W03", "T1 2015", "2015H1" and "Jan 2015".
_PARTS_OF_YEARS = (
    re.compile(r"(?P<year>(?:19|20)\d\d)[-_/ ]*(?P<word>[^\W\d_]{1,2})[-_ .]?\d{1,2}"),
    re.compile(r"(?P<word>[^\W\d_]{1,2})[-_ .]?\d{1,2}[-_/ ]*(?P<year>(?:19|20)\d\d)"),
    re.compile(r"\d(?P<word>[^\W\d_]{1,2})[-_/ ]*(?P<year>(?:19|20)\d\d)"),
    re.compile(r"\d{1,2}(?P<word>/)(?P<year>(?:19|20)\d\d)"),
)
_NUMBERED = re.compile(r"(?:day|hour|kw|month|quarter|wave|week)[-_ .]?\d+")
_YEAR_BEHIND = re.compile(r"[-_/ .']*(?:(?:19|20)?\d\d)?$")
#: Fewer days of a week, or months, may be anything.
_FEWEST_IN_ORDER = 3
_SHORTEST_WORD = 3
#: Fewer words of two letters, such as "Mo", may be anything.
_FEWEST_SHORT = 5
#: Share of the steps from one time to the next that are equal, but for the days of a month
#: and for weekends.
_SHARE_OF_STEPS = 0.75
_UNEQUAL = 0.15


def parts_of_time(labels: Sequence[str]) -> str | None:
    """Return what all labels are: days of the week, months, parts of years, ...; else None.

    >>> parts_of_time(["Mon", "Tue", "Wed"]), parts_of_time(["2015T1", "2015T2", "2016T1"])
    ('days of the week', 'parts of years')
    >>> parts_of_time(["mon", "tue", "iris"]), parts_of_time(["may", "june", "july"])
    (None, 'months')
    """
    if len(labels) < _FEWEST_IN_ORDER:
        return None
    for pattern in _PARTS_OF_YEARS:
        matches = [pattern.fullmatch(label.strip()) for label in labels]
        words = {match and match["word"].casefold() for match in matches}
        if None not in words and len(words) == 1:
            return "parts of years"
    plain = [label.strip().casefold() for label in labels]
    if all(map(_NUMBERED.fullmatch, plain)):
        return "times of one series"
    stems = {_YEAR_BEHIND.sub("", label) for label in plain}
    shortest = min(map(len, stems))
    if shortest < _SHORTEST_WORD and (shortest < 2 or len(stems) < _FEWEST_SHORT):
        return None
    if len(stems) < _FEWEST_IN_ORDER:
        return None
    for times, languages in words_in_order().items():
        for in_order in languages:
            if all(f" {stem}" in f" {in_order}" for stem in stems):
                return times
    return None


def are_at_equal_steps(values: NDArray[Any]) -> bool:
    """Return whether numbers, sorted, follow each other at equal steps.

    >>> are_at_equal_steps(np.arange(0, 10, 0.5)), are_at_equal_steps(np.arange(20) ** 1.5)
    (True, False)
    """
    if values.size < _FEWEST_DAYS:
        return False
    steps = np.diff(np.sort(values))
    step = np.median(steps)
    if step <= 0:
        return False
    is_equal = np.abs(steps / step - 1) <= _UNEQUAL
    return bool(is_equal.mean() >= _SHARE_OF_STEPS)


def follow_in_time(labels: Sequence[Any], *, fewest: int = _FEWEST_DAYS) -> bool:
    """Return whether labels are days, or other times, at equal steps.

    >>> days = pd.date_range("2024-01-01", periods=12)
    >>> follow_in_time(days), follow_in_time([*map(str, days)]), follow_in_time(range(12))
    (True, True, False)
    """
    times = _times(labels)
    if times is None or len(times) < fewest or not times.is_unique:
        return False
    steps = np.diff(np.sort(times.asi8))
    is_equal = np.abs(steps / np.median(steps) - 1) <= _UNEQUAL
    return bool(is_equal.mean() >= _SHARE_OF_STEPS)


def are_times(labels: Sequence[Any]) -> bool:
    """Return whether labels are days, or other times, and are written as such.

    >>> are_times(["2022-03-31", "2022-06-30"]), are_times(["0.3", "0.5"])
    (True, False)
    """
    return _times(labels) is not None


def _times(labels: Sequence[Any]) -> pd.DatetimeIndex | None:
    """Return labels as times, if all are."""
    if len(labels) == 0:
        return None
    if hasattr(labels[0], "year"):
        return _parsed(labels, None)
    texts = [*map(str, labels)]
    if _DAY.fullmatch(texts[0]) is None:
        return None
    for pattern in _DATES:
        times = _parsed(texts[:1], pattern)
        if times is not None and times[0].year in _YEARS:
            times = _parsed(texts, pattern)
            if times is not None:
                return times
    return None


def _parsed(labels: Sequence[Any], pattern: str | None) -> pd.DatetimeIndex | None:
    """Return labels as times in one way to write them, if all are."""
    try:
        return pd.DatetimeIndex(pd.to_datetime(labels, format=pattern, utc=True))
    except (ValueError, TypeError, OverflowError):
        return None
