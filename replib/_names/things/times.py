"""Labels that are times, such as days in a row."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replib._names.languages import words_in_order
from replib._names.words import words_of_column

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
#: Such as "lead_6h", "T+24", "+12h", "3 months" and "2 steps ahead".
_UNIT = (
    r"(?:h|hrs?|hours?|d|days?|mins?|minutes?|w|wk|weeks?|m|mo|months?|y|yrs?|years?"
    r"|steps?)"
)
_HORIZON = re.compile(
    rf"(?:lead|leadtime|fcst|forecast|horizon|ahead)(?:[ _-]?(?:time|{_UNIT}))?"
    rf"[-_ .:=+]*\d+[-_ ]?{_UNIT}?"
    rf"|[tdhf]?[ _]?\+[ _]?\d+[-_ ]?{_UNIT}?"
    rf"|\d+[-_ ]?(?:h|hrs?|hours?|days?|mins?|minutes?|weeks?|months?)(?:[-_ ]ahead)?"
    rf"|\d+[-_ ]?{_UNIT}[-_ ]ahead"
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
#: Years of training and of test.
_FEWEST_OF_WINDOW = 2
_YEAR_BEHIND = re.compile(r"[-_/ .']*(?:(?:19|20)?\d\d)?$")
#: Fewer days of a week, or months, may be anything.
_FEWEST_IN_ORDER = 3
_SHORTEST_WORD = 3
#: Fewer words of two letters, such as "Mo", may be anything.
_FEWEST_SHORT = 5
#: Such as "frame_00010", "Frame0001.png" and "md step 500": a number behind words.
_FRAME = re.compile(r"(?P<words>.*[^\W\d_])[\W_]*(?P<number>\d+)(?:\.[^\W\d_]+\d?)?")
#: Last words of what one run, or one film, has one after the other.
_FRAMES = {
    *("frame", "frames", "snap", "snaps", "snapshot", "snapshots", "step", "steps"),
    *("tick", "ticks", "timestep", "timesteps"),
}
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
    for pattern, things in ((_NUMBERED, "times of one series"), (_HORIZON, "horizons")):
        if all(map(pattern.fullmatch, plain)):
            return things
    return _in_order(plain)


def _in_order(plain: Sequence[str]) -> str | None:
    """Return what words that follow each other are, such as months; else None."""
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


def are_windows(labels: Sequence[str]) -> bool:
    """Return whether each label has the years of a training, and later ones of a test.

    >>> are_windows([f"train2001-{year}_test{year + 1}" for year in range(2005, 2009)])
    True
    >>> are_windows(["2001-2002", "2003-2004"]), are_windows(["iris 2001", "iris 2002"])
    (False, False)
    """
    if len(labels) < _FEWEST_IN_ORDER:
        return False
    years = [[*map(int, _YEAR.findall(label))] for label in labels]
    if min(map(len, years)) < _FEWEST_OF_WINDOW:
        return False
    are_alike = len({_YEAR.sub("", label) for label in labels}) == 1
    last_years = [of_label[-1] for of_label in years]
    are_in_order = all(of_label == sorted(of_label) for of_label in years)
    return are_alike and are_in_order and len({*last_years}) == len(labels)


def are_years(labels: Sequence[Any]) -> bool:
    """Return whether labels are years that follow each other.

    >>> are_years([2006, 2007, 2008]), are_years(["2006", "2008"]), are_years([1, 2, 3])
    (True, False, False)
    """
    texts = [*map(str, labels)]
    if len(texts) < _FEWEST_IN_ORDER or not all(map(_YEAR.fullmatch, texts)):
        return False
    years = sorted(map(int, texts))
    return years == [*range(years[0], years[0] + len(years))]


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


def are_frames(labels: Sequence[str]) -> bool:
    """Return whether labels are the frames, or steps, of one run at equal distances.

    >>> are_frames([f"frame_{n:05d}" for n in range(0, 200, 10)])
    True
    >>> are_frames([f"image_{n:05d}.png" for n in range(0, 200, 10)])
    False
    """
    matches = [_FRAME.fullmatch(label.strip()) for label in labels[:1]]
    if not matches or matches[0] is None:
        return False
    first = matches[0]["words"]
    words = words_of_column(first)
    if not words or words[-1] not in _FRAMES:
        return False
    matches = [_FRAME.fullmatch(label.strip()) for label in labels]
    known = [
        match for match in matches if match is not None and match["words"] == first
    ]
    if len(known) < len(labels):
        return False
    return are_at_equal_steps(np.array([int(match["number"]) for match in known]))


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
