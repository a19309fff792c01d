"""Labels of portions of one data set: "10%", "100 samples", "18-24", "cold users", "u1"."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from replib._names.labels.summaries import is_summary
from replib._names.tables import table_of_words
from replib._names.things.kinds import kind_in_role, kind_of_amounts, only_count
from replib._names.words import plain_words

#: Fewer labels of a kind may be anything.
_FEWEST = 3
#: Amounts beside all of the data.
_FEWEST_AMOUNTS = 2
#: All of the data, beside shares of them.
_WHOLE = {"full", "all", "whole", "full data", "all data", "complete"}
#: An amount with what it is of: "10%", "100k", "1/8", "4x", "100 samples", "10% labels".
_NUMBER = r"\d+(?:[.,]\d+)*(?:e[-+]?\d+)?"
_AMOUNT = re.compile(
    rf"(?P<number>{_NUMBER})(?P<sign>[ ]?%|[kmx]|/\d+|)"
    r"(?P<things>(?:[ _-]?[^\W\d_]{3,}){0,2})",
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
#: Behind the number of a share or a multiple, in contrast to "11 targets".
_SHARE = re.compile(
    rf"{_NUMBER}(?:[ ]?%|x|/\d+|[ _-]?(?:pct|perc|percent)\b).*", re.IGNORECASE
)
#: From this number to that: "18-24", "1 to 5 clicks", "<20", "65+".
_RANGE = re.compile(
    rf"(?:{_NUMBER}\s*(?:-|–|—|to|\.\.)\s*{_NUMBER}|{_NUMBER}\s*\+|[<>≤≥]=?\s*{_NUMBER}"
    rf"|[(\[]\s*-?{_NUMBER}\s*[,;]\s*(?:{_NUMBER}|inf|∞)\s*[)\]])"
    r"(?:[ _-]?[^\W\d_]+){0,2}",
    re.IGNORECASE,
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
    >>> are_sizes_of_stem(["11 tasks", "12 tasks", "13 tasks"])
    False
    """
    amounts = [rest for rest in rests if plain_words(rest) not in _WHOLE]
    if not are_sizes(rests) or any(map(_NAME_OF_RELEASE.fullmatch, amounts)):
        return False
    if all(map(_SHARE.fullmatch, amounts)):
        return len({re.sub(r"[\d.,]+", "", rest) for rest in amounts}) == 1 or all(
            "/" in rest for rest in amounts
        )
    numbers = [re.findall(_NUMBER, rest) for rest in amounts]
    return all(len(x) == 1 for x in numbers) and rise_in_round_steps(
        [number for (number,) in numbers]
    )


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
    """
    segments = [label for label in labels if not is_summary(label)]
    if len({*segments}) < _FEWEST:
        return False
    return all(_is_range(label) or _is_group(label) for label in segments)


def _is_range(label: str) -> bool:
    """Return whether a label is a range of numbers, and not one of years."""
    if _RANGE.fullmatch(label.strip()) is None or _YEAR.search(label):
        return False
    ends = [
        float(end.replace(",", ".")) for end in re.findall(r"\d+(?:[.,]\d+)?", label)
    ]
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
