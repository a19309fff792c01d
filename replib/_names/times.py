"""Labels that are times, such as days in a row."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

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
#: Share of the steps from one time to the next that are equal, but for the days of a month
#: and for weekends.
_SHARE_OF_STEPS = 0.75
_UNEQUAL = 0.15


def follow_in_time(labels: Sequence[Any]) -> bool:
    """Return whether labels are days, or other times, at equal steps.

    >>> days = pd.date_range("2024-01-01", periods=12)
    >>> follow_in_time(days), follow_in_time([*map(str, days)]), follow_in_time(range(12))
    (True, True, False)
    """
    times = _times(labels)
    if times is None or len(times) < _FEWEST_DAYS or not times.is_unique:
        return False
    steps = np.diff(np.sort(times.asi8))
    is_equal = np.abs(steps / np.median(steps) - 1) <= _UNEQUAL
    return bool(is_equal.mean() >= _SHARE_OF_STEPS)


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
