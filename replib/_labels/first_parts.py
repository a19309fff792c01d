"""Items of few things by the first part of their labels: "P01_AAACCTG-1", "DEBB021_2023-06-01".

The things are numbered, or have identifiers of one form, whatever an item of them is
called.  Beside a date they may have any names.  What has only a number behind a thing is
noted if it is counted anew (`counted`), and else may be a number in the whole table.
"""

import re
from collections.abc import Sequence

from replib._labels.counted import are_things
from replib._names.models.families import is_benchmark

_DATE = r"(?:19|20)\d\d(?P<sign>[-_./]?)(?:0[1-9]|1[0-2])(?P=sign)(?:[0-2]\d|3[01])"
_TIME = r"(?:[T _-]?[0-2]\d(?:[:h-]?[0-5]\d){0,2}Z?)?"
#: A thing, and one of its dates, in either order.
_DATED = (
    re.compile(rf"(?P<thing>.*[^\W_])[\W_]+(?P<rest>{_DATE}{_TIME})"),
    re.compile(rf"(?P<rest>{_DATE}{_TIME})[\W_]+(?P<thing>[^\W_].*)"),
)
#: What stands behind a thing.  Problems of a contest have a letter there: "abc301_a".
_REST = r"[\W_]+(?P<rest>.{3,})"
#: A thing with a number of its own, as "P01" and "site_4" have it.
_NUMBERED = (
    re.compile(rf"(?P<thing>[^\W\d_]+\d+[a-zA-Z]?){_REST}"),
    re.compile(rf"(?P<thing>(?![A-Z]+[-_ .])[^\W\d_]+[-_ .]\d+){_REST}"),
)
_IDENTIFIED = re.compile(rf"(?P<thing>[A-Z]+\d+){_REST}")
#: Letters of persons, patients and plates; of subjects, samples, sites and stations; of users.
#: A class, a fold, a level, a task and others have other letters.
_LETTERS = {"p", "s", "u"}
#: Synsets of WordNet are classes: "n01440764".
_SYNSET = re.compile(r"n\d{8}")
#: Chromosomes have variants, and categories have pictures: these are no groups.
_NO_THINGS = {"cat", "chr", "chrom", "chromosome", "cls", "lvl"}
_SHORTEST_IDENTIFIER = 6
#: Benchmarks have shorter numbers: "STS12", but not "GSM4500037".
_MOST_DIGITS_OF_BENCHMARKS = 4
#: Share of the numbers up to the last one that occur, if things are counted.
_SHARE_OF_NUMBERS = 0.5
#: Fewer things may be anything, or are no clusters that a test could use.
_FEWEST_THINGS = 5
#: Mean number of items of a thing from which their dependence matters.
_FEWEST_EACH = 4


def items_of_first_parts(labels: Sequence[str]) -> tuple[str, str] | None:
    """Return two items of one thing, if few things have all items by their labels; else None.

    >>> days = [f"2023-06-{day:02}" for day in range(1, 31)]
    >>> stations = ("DEBB021", "DEBE010", "DEBY039", "DEHE040", "DENI054")
    >>> items_of_first_parts([f"{station}_{day}" for station in stations for day in days])
    ('DEBB021_2023-06-01', 'DEBB021_2023-06-02')
    >>> items_of_first_parts([f"law/{i}" for i in range(40)])
    """
    for pattern in (*_DATED, *_NUMBERED, _IDENTIFIED):
        items = _items_of_things(labels, pattern)
        if len(items) < _FEWEST_THINGS or len(labels) < _FEWEST_EACH * len(items):
            continue
        if pattern in _DATED or _have_identifiers([*items], pattern):
            first, second, *_ = max(items.values(), key=len)
            return first, second
    return None


def _items_of_things(
    labels: Sequence[str], pattern: re.Pattern[str]
) -> dict[str, list[str]]:
    """Return the labels of each thing; nothing if one has none, or all have numbers only."""
    items: dict[str, list[str]] = {}
    are_numbers = pattern not in _DATED
    for label in labels:
        match = pattern.fullmatch(label.strip())
        if match is None:
            return {}
        are_numbers &= match["rest"].isdecimal()
        items.setdefault(match["thing"], []).append(label)
    return {} if are_numbers or any(map(_is_short_benchmark, items)) else items


def _is_short_benchmark(thing: str) -> bool:
    n_digits = len(re.findall(r"\d", thing))
    return n_digits <= _MOST_DIGITS_OF_BENCHMARKS and is_benchmark(thing)


def _have_identifiers(things: Sequence[str], pattern: re.Pattern[str]) -> bool:
    """Return whether things are numbered, or identified, and are no tasks or classes."""
    if all(map(_SYNSET.fullmatch, things)):
        return False
    if pattern is _IDENTIFIED:
        return _are_identifiers(things)
    words = {re.findall(r"[^\W\d_]+", thing)[0] for thing in things}
    have_codes = any(word.isupper() for word in words) and not _are_counted(things)
    return not have_codes and all(map(_may_be_thing, words)) and are_things(things)


def _may_be_thing(word: str) -> bool:
    """Return whether a word before a number may be that of a person, a place or a device."""
    plain = word.casefold()
    return plain not in _NO_THINGS and (len(plain) > 1 or plain in _LETTERS)


def _are_counted(things: Sequence[str]) -> bool:
    """Return whether things have numbers of one width, or most of those up to the last one.

    Codes of norms, such as "ISO9001" and "ISO14001", have neither.
    """
    numbers = [re.sub(r"\D", "", thing) for thing in things]
    is_dense = len(numbers) >= _SHARE_OF_NUMBERS * max(map(int, numbers))
    return is_dense or len({*map(len, numbers)}) == 1


def _are_identifiers(things: Sequence[str]) -> bool:
    """Return whether names have letters and digits in the same places, and differ in both.

    Courses such as "MATH101" and "PHYS101" have the same number.
    """
    forms = {re.sub(r"\d", "0", re.sub("[A-Z]", "A", thing)) for thing in things}
    letters = {re.sub(r"\d", "", thing) for thing in things}
    numbers = {re.sub(r"\D", "", thing) for thing in things}
    is_long = min(map(len, things)) >= _SHORTEST_IDENTIFIER
    differ_in_both = len(letters) > 1 and len(numbers) == len(things)
    return is_long and len(forms) == 1 and differ_in_both


__all__ = ["items_of_first_parts"]
