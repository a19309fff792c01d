"""Labels of portions of one data set: "10%", "100 samples", "18-24", "cold users", "u1"."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from replib._names.labels.summaries import is_summary
from replib._names.tables import table_of_words
from replib._names.things.kinds import kind_in_role, kind_of_amounts, only_count
from replib._names.things.units import unit_of_text
from replib._names.words import plain_words

#: Fewer labels of a kind may be anything.
_FEWEST = 3
#: Amounts beside all of the data.
_FEWEST_AMOUNTS = 2
#: All of the data, beside shares of them.
_WHOLE = {"full", "all", "whole", "full data", "all data", "complete"}
#: An amount with what it is of: "10%", "100k", "1/8", "4x", "100 samples", "5/class".
_NUMBER = r"\d+(?:[.,]\d+)*(?:e[-+]?\d+)?"
_AMOUNT = re.compile(
    rf"(?P<number>{_NUMBER})(?P<sign>[ ]?%|[kmx]|/\d+|)"
    r"(?P<things>(?:[ _/-]?[^\W\d_]{3,}){0,3})",
    re.IGNORECASE,
)
#: A word for an amount before it: "train_100", "size=500", "n 250".
_NAMED_AMOUNT = re.compile(
    rf"(?P<name>[^\W\d_]+(?:[ _-][^\W\d_]+)?)[ _.:=#-]*(?P<number>{_NUMBER})[ ]?[%k]?",
    re.IGNORECASE,
)
_WORDS_BEFORE_SIZES = {
    *("downsampled", "first", "n", "size", "sub", "subsampled", "train", "training"),
    "top",
}
#: Behind a stem, "100k" is also a name: "ml-100k" and "ml-1m" are two data sets.
_NAME_OF_RELEASE = re.compile(rf"{_NUMBER}[kmb]", re.IGNORECASE)
_THOUSANDS = re.compile(r"(?P<number>\d+)k", re.IGNORECASE)
#: Behind the number of a share, a multiple or a rate, in contrast to "11 targets".
_SHARE = re.compile(
    rf"{_NUMBER}(?:[ ]?%|x|/\d+|/[^\W\d_]+|.*[ _-]per[ _-]|[ _-]?(?:pct|perc|percent)\b).*",
    re.IGNORECASE,
)
#: First digits of the numbers that people step through: 1, 2, 5, 10, 20, 50.
_STEPS = re.compile(r"[125]0*")
#: A number and its unit, which has two letters, or a blank before it: "10K" and "2D" are none.
_LEVEL = re.compile(
    rf"[-+−]?(?:{_NUMBER}|inf|∞)(?:[ _](?P<apart>\S+)|(?P<unit>[^\d\s_]{{2,}}|°))"
)
#: What is set, and its number: "SNR -5", "noise_10".
_NAMED_LEVEL = re.compile(rf"(?P<name>[^\W\d_]+)[ _:=]*[-+−]?(?:{_NUMBER}|inf|∞)")
#: Units of one letter that stand behind a number; "1 A" and "2 B" are also parts of a task.
_LETTERS = {"K", "T", "V", "g", "h", "m", "s"}
#: What stands beside levels of noise and the like, and has none of it.
_UNDISTURBED = {
    *("ambient", "base", "baseline", "clean", "none", "normal", "original", "quiet"),
    *("ref", "reference", "undistorted", "unperturbed"),
}
#: From this number to that: "18-24", "1 to 5 clicks", "<20", "65+".
_RANGE = re.compile(
    rf"(?:{_NUMBER}\s*(?:-|–|—|to|\.\.)\s*{_NUMBER}|{_NUMBER}\s*\+|[<>≤≥]=?\s*-?{_NUMBER}"
    rf"|[(\[]\s*-?{_NUMBER}\s*[,;]\s*(?:-?{_NUMBER}|inf|∞)\s*[)\]])"
    r"[ ]?[%°]?(?:[ _-]?[^\W\d_]+){0,2}",
    re.IGNORECASE,
)
#: The end of a range, of which the sign is none of "18-24" and "18 - 24".
_END = re.compile(r"(?:(?<!\d)(?<!\d\s)-)?\d+(?:[.,]\d+)?")
#: Ranges of a variable: "0.2<z<0.4", "z>0.4" and "z=0.0-0.2".
_VARIABLE = r"(?P<variable>[^\W\d_]+(?:[ _-][^\W\d_]+)?)"
_BELOW = r"\s*[<≤]=?\s*"
_OF_VARIABLE = (
    re.compile(
        rf"(?P<low>-?{_NUMBER}){_BELOW}{_VARIABLE}{_BELOW}(?P<high>-?{_NUMBER})"
    ),
    re.compile(rf"{_VARIABLE}\s*(?P<range>[<>≤≥].+)"),
    re.compile(rf"(?P<least>-?{_NUMBER}){_BELOW}{_VARIABLE}"),
    re.compile(rf"{_VARIABLE}\s*(?:=|:|∈)\s*(?P<range>.+)"),
)
_YEAR = re.compile(r"(?:1[89]|20)\d\d")
#: A part of a stem that is counted: "ml-100k/u1", "credit/3", "adult (2)".
_COUNTED = re.compile(
    r"(?P<stem>.*[^\W_])(?:[\W_]+(?P<letter>[a-z])|[/#(\[]|[ ]\()(?P<number>\d{1,2})[)\]]?",
    re.IGNORECASE,
)
#: How often data are cut by most people.
_USUAL_NUMBERS = {3, 5, 10}
#: Letters behind which benchmarks count functions, queries and tasks.
_NO_PARTS = {"f", "q", "t"}


@cache
def _segments() -> tuple[set[str], set[str]]:
    """Return words for groups of users or products, and for users and products."""
    segments = table_of_words("classes")["segments"]
    return {*segments["groups"]}, {*segments["members"]}


def are_sizes(labels: Sequence[str]) -> bool:
    """Return whether labels are all amounts of one thing, as a learning curve has.

    >>> are_sizes(["10%", "50%", "full"]), are_sizes(["100 docs", "1000 docs", "5000 docs"])
    (True, True)
    >>> are_sizes(["train_100", "train_200", "train_400"]), are_sizes(["3", "6", "11"])
    (True, False)
    """
    amounts = [label for label in labels if plain_words(label) not in _WHOLE]
    if len(labels) < _FEWEST or len({*amounts}) < _FEWEST_AMOUNTS:
        return False
    if all(map(_YEAR.match, amounts)):
        return False
    return _are_of_one_thing(amounts) or _are_named_sizes(amounts)


def are_sizes_of_stem(rests: Sequence[str]) -> bool:
    """Return whether labels, without a stem that all of them share, are amounts of it.

    >>> are_sizes_of_stem(["10x", "15x", "50x"]), are_sizes_of_stem(["100k", "1m", "10m"])
    (True, False)
    >>> are_sizes_of_stem(["100 docs", "500 docs", "900 docs"])
    True
    >>> are_sizes_of_stem(["1k", "2k", "5k"]), are_sizes_of_stem(["3k", "6k", "68k"])
    (True, False)
    >>> are_sizes_of_stem(["11 tasks", "12 tasks", "13 tasks"])
    False
    """
    amounts = [rest for rest in rests if plain_words(rest) not in _WHOLE]
    if not are_sizes(rests):
        return False
    if any(map(_NAME_OF_RELEASE.fullmatch, amounts)):
        return _rise_in_thousands(amounts)
    if all(map(_SHARE.fullmatch, amounts)):
        return len({re.sub(r"[\d.,]+", "", rest) for rest in amounts}) == 1 or all(
            "/" in rest for rest in amounts
        )
    numbers = [re.findall(_NUMBER, rest) for rest in amounts]
    return all(len(x) == 1 for x in numbers) and rise_in_round_steps(
        [number for (number,) in numbers]
    )


def _rise_in_thousands(amounts: Sequence[str]) -> bool:
    """Return whether amounts rise as 1k, 2k, 5k and 10k, or as 1k, 2k, 4k and 8k, do."""
    matches = [match for amount in amounts if (match := _THOUSANDS.fullmatch(amount))]
    numbers = [match["number"] for match in matches]
    if len(matches) < len(amounts) or len(amounts) < _FEWEST:
        return False
    rise = all(int(a) < int(b) for a, b in pairwise(numbers))
    are_usual = all(map(_STEPS.fullmatch, numbers))
    are_doubled = len(numbers) > _FEWEST and all(
        2 * int(a) == int(b) for a, b in pairwise(numbers)
    )
    return rise and (are_usual or are_doubled)


def are_levels(labels: Sequence[str]) -> bool:
    """Return whether labels are numbers with one unit or name, perhaps beside what has none.

    >>> are_levels(["-5dB", "0dB", "5dB", "clean"]), are_levels(["300 K", "600 K", "900 K"])
    (True, True)
    >>> are_levels(["clean", "SNR 20", "SNR 10", "SNR -5"]), are_levels(["30°", "60°", "90°"])
    (True, True)
    >>> are_levels(["1D", "2D", "3D"]), are_levels(["1 T", "2 T", "3 T"])
    (False, False)
    """
    levels = [
        label.strip() for label in labels if plain_words(label) not in _UNDISTURBED
    ]
    if len(labels) < _FEWEST or len({*levels}) < _FEWEST_AMOUNTS:
        return False
    units = {*map(_unit_of_level, levels)}
    if len(units) > 1 or None in units:
        return False
    numbers = re.findall(_NUMBER, " ".join(levels))
    has_unit = all(map(_LEVEL.fullmatch, levels)) and units.isdisjoint(_LETTERS)
    return has_unit or not only_count(numbers)


def _unit_of_level(label: str) -> str | None:
    """Return the unit behind the number that a label is, or what has such a number, or None."""
    named = _NAMED_LEVEL.fullmatch(label)
    if named is not None and kind_of_amounts(named["name"]) == "setting":
        return named["name"].casefold()
    match = _LEVEL.fullmatch(label)
    if match is None:
        return None
    unit = (match["apart"] or match["unit"]).replace("db", "dB")
    is_letter = len(unit) == 1 and unit.isalpha()
    return unit_of_text(unit) if unit in _LETTERS or not is_letter else None


def _are_of_one_thing(labels: Sequence[str]) -> bool:
    """Return whether labels are amounts of one thing, or else numbers in round steps."""
    matches = [match for label in labels if (match := _AMOUNT.fullmatch(label.strip()))]
    if len(matches) < len(labels):
        return False
    things = {match["things"].strip(" _-").casefold().rstrip("s") for match in matches}
    signs = {match["sign"][:1].casefold() for match in matches}
    if len(things) > 1 or (things != {""} and len(signs) > 1):
        return False
    if things == {""} and signs == {"m"}:
        return False  # metres, or minutes
    if things != {""} or signs != {""}:
        return True
    return rise_in_round_steps([match["number"] for match in matches])


def rise_in_round_steps(numbers: Sequence[str]) -> bool:
    """Return whether whole numbers are all round, or each the same multiple of the one before.

    >>> rise_in_round_steps(["100", "250", "500"]), rise_in_round_steps(["4", "8", "16", "32"])
    (True, True)
    >>> rise_in_round_steps(["31", "40", "1000"])
    False
    """
    if len(numbers) < _FEWEST or not all(number.isdecimal() for number in numbers):
        return False
    values = [int(number) for number in numbers]
    if any(a >= b for a, b in pairwise(values)) or values[0] == 0:
        return False
    if all(value % 10 == 0 for value in values):
        return True
    multiples = {b / a for a, b in pairwise(values)}
    return len(values) > _FEWEST and len(multiples) == 1


def _are_named_sizes(labels: Sequence[str]) -> bool:
    """Return whether labels are a word for a size and a number each, in round steps."""
    matches = [
        match for label in labels if (match := _NAMED_AMOUNT.fullmatch(label.strip()))
    ]
    names = {match["name"].casefold() for match in matches}
    if len(matches) < len(labels) or len(names) > 1:
        return False
    (name,) = names
    if kind_of_amounts(name) == "size":
        return True
    return name in _WORDS_BEFORE_SIZES and rise_in_round_steps(
        [match["number"] for match in matches]
    )


def are_segments(labels: Sequence[str]) -> bool:
    """Return whether labels are groups of users or products, or ranges of a quantity.

    >>> are_segments(["cold users", "1-5 clicks", "6-10 clicks", "all users"])
    True
    >>> are_segments(["18-24", "25-34", "35+"]), are_segments(["2014-2015", "2015-2016", "x"])
    (True, False)
    >>> are_segments(["0<z<1", "1<z<2", "2<z<3"]), are_segments(["z=0-1", "z=1-2", "z=2-3"])
    (True, True)
    """
    segments = [label for label in labels if not is_summary(label)]
    if len({*segments}) < _FEWEST:
        return False
    ranges = _ranges_of_variable(segments) or segments
    return all(_is_range(label) or _is_group(label) for label in ranges)


def _ranges_of_variable(labels: Sequence[str]) -> list[str]:
    """Return the ranges of one variable that all labels name; none if they do not.

    >>> _ranges_of_variable(["z<0.2", "0.2<z<0.4", "z>0.4"])
    ['<0.2', '[0.2, 0.4)', '>0.4']
    >>> _ranges_of_variable(["x>1", "y>1"])
    []
    """
    variables, ranges = set(), []
    for label in labels:
        matches = (pattern.fullmatch(label.strip()) for pattern in _OF_VARIABLE)
        match = next((match for match in matches if match is not None), None)
        if match is None:
            return []
        ends = match.groupdict()
        variables.add(ends["variable"].casefold())
        ranges.append(_written_as_range(ends))
    return ranges if len(variables) == 1 else []


def _written_as_range(ends: dict[str, Any]) -> str:
    """Return the ends of a variable as they are written without it."""
    if "range" in ends:
        return str(ends["range"])
    return (
        f">{ends['least']}" if "least" in ends else f"[{ends['low']}, {ends['high']})"
    )


def _is_range(label: str) -> bool:
    """Return whether a label is a range of numbers, and not one of years."""
    if _RANGE.fullmatch(label.strip()) is None or _YEAR.search(label):
        return False
    ends = [float(end.replace(",", ".")) for end in _END.findall(label)]
    return all(low < high for low, high in pairwise(ends))


def _is_group(label: str) -> bool:
    """Return whether a label is a word for some users or products, perhaps with these."""
    groups, members = _segments()
    words = plain_words(label)
    if words in groups:
        return True
    before, _, last = words.rpartition(" ")
    return last in members and before in groups


def counted_stem(labels: Sequence[str]) -> str | None:
    """Return the one thing of which all labels are counted parts, or None.

    >>> counted_stem([f"ml-100k/u{i}" for i in range(1, 6)])
    'ml-100k'
    >>> counted_stem(["monks-1", "monks-2", "monks-3"])
    """
    matches = [
        match for label in labels if (match := _COUNTED.fullmatch(label.strip()))
    ]
    signs = {(match["stem"], (match["letter"] or "").casefold()) for match in matches}
    if (
        len(matches) < len(labels)
        or len(signs) != 1
        or len(labels) not in _USUAL_NUMBERS
    ):
        return None
    ((stem, letter),) = signs
    numbers = [str(int(match["number"])) for match in matches]
    if letter in _NO_PARTS or len({*numbers}) < len(labels) or not only_count(numbers):
        return None
    is_word = kind_in_role(stem) is not None
    return None if is_word else stem
