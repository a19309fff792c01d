"""Labels of portions of one data set by their sizes, or by a number: "10%", "100 docs", "u1"."""

import re
from collections.abc import Sequence
from itertools import pairwise

from replib._names.things.kinds import kind_in_role, kind_of_amounts, only_count
from replib._names.words import NUMBER, matches_of_all, plain_words

#: Fewer labels of a kind may be anything.
_FEWEST = 3
#: Amounts beside all of the data.
_FEWEST_AMOUNTS = 2
#: All of the data, beside shares of them.
_WHOLE = {"full", "all", "whole", "full data", "all data", "complete"}
#: An amount with what it is of: "10%", "100k", "1/8", "4x", "100 samples", "5/class".
_AMOUNT = re.compile(
    rf"(?P<number>{NUMBER})(?P<sign>[ ]?%|[kmx]|/\d+|)"
    r"(?P<things>(?:[ _/-]?[^\W\d_]{3,}){0,3})",
    re.IGNORECASE,
)
#: A word for an amount before it: "train_100", "size=500", "n 250".
_NAMED_AMOUNT = re.compile(
    rf"(?P<name>[^\W\d_]+(?:[ _-][^\W\d_]+)?)[ _.:=#-]*(?P<number>{NUMBER})[ ]?[%k]?",
    re.IGNORECASE,
)
_WORDS_BEFORE_SIZES = {
    *("downsampled", "first", "n", "size", "sub", "subsampled", "train", "training"),
    "top",
}
#: Behind a stem, "100k" is also a name: "ml-100k" and "ml-1m" are two data sets.
_NAME_OF_RELEASE = re.compile(rf"{NUMBER}[kmb]", re.IGNORECASE)
_THOUSANDS = re.compile(r"(?P<number>\d+)k", re.IGNORECASE)
#: Behind the number of a share, a multiple or a rate, in contrast to "11 targets".
_SHARE = re.compile(
    rf"{NUMBER}(?:[ ]?%|x|/\d+|/[^\W\d_]+|.*[ _-]per[ _-]|[ _-]?(?:pct|perc|percent)\b).*",
    re.IGNORECASE,
)
#: First digits of the numbers that people step through: 1, 2, 5, 10, 20, 50.
_STEPS = re.compile(r"[125]0*")
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
        units = {re.sub(r"[\d.,]+", "", amount) for amount in amounts}
        return len(units) == 1 or all("/" in amount for amount in amounts)
    numbers_of_amounts = [re.findall(NUMBER, amount) for amount in amounts]
    if any(len(numbers) != 1 for numbers in numbers_of_amounts):
        return False
    return rise_in_round_steps([number for (number,) in numbers_of_amounts])


def _rise_in_thousands(amounts: Sequence[str]) -> bool:
    """Return whether amounts rise as 1k, 2k, 5k and 10k, or as 1k, 2k, 4k and 8k, do."""
    numbers = [match["number"] for match in matches_of_all(_THOUSANDS, amounts)]
    if len(numbers) < _FEWEST:
        return False
    steps = [(int(low), int(high)) for low, high in pairwise(numbers)]
    if any(low >= high for low, high in steps):
        return False
    are_doubled = all(2 * low == high for low, high in steps)
    are_usual = all(map(_STEPS.fullmatch, numbers))
    return are_usual or (are_doubled and len(numbers) > _FEWEST)


def _are_of_one_thing(labels: Sequence[str]) -> bool:
    """Return whether labels are amounts of one thing, or else numbers in round steps."""
    matches = matches_of_all(_AMOUNT, map(str.strip, labels))
    things = {match["things"].strip(" _-").casefold().rstrip("s") for match in matches}
    signs = {match["sign"][:1].casefold() for match in matches}
    if len(things) != 1:
        return False
    if things != {""}:
        return len(signs) == 1
    if signs == {""}:
        return rise_in_round_steps([match["number"] for match in matches])
    return signs != {"m"}  # which are metres, or minutes


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
    if any(low >= high for low, high in pairwise(values)) or values[0] == 0:
        return False
    if all(value % 10 == 0 for value in values):
        return True
    multiples = {high / low for low, high in pairwise(values)}
    return len(values) > _FEWEST and len(multiples) == 1


def _are_named_sizes(labels: Sequence[str]) -> bool:
    """Return whether labels are a word for a size and a number each, in round steps."""
    matches = matches_of_all(_NAMED_AMOUNT, map(str.strip, labels))
    names = {match["name"].casefold() for match in matches}
    if len(names) != 1:
        return False
    (name,) = names
    if kind_of_amounts(name) == "size":
        return True
    numbers = [match["number"] for match in matches]
    return name in _WORDS_BEFORE_SIZES and rise_in_round_steps(numbers)


def counted_stem(labels: Sequence[str]) -> str | None:
    """Return the one thing of which all labels are counted parts, or None.

    >>> counted_stem([f"ml-100k/u{i}" for i in range(1, 6)])
    'ml-100k'
    >>> counted_stem(["monks-1", "monks-2", "monks-3"])
    """
    if len(labels) not in _USUAL_NUMBERS:
        return None
    matches = matches_of_all(_COUNTED, map(str.strip, labels))
    stems = {(match["stem"], (match["letter"] or "").casefold()) for match in matches}
    if len(stems) != 1:
        return None
    ((stem, letter),) = stems
    if letter in _NO_PARTS or kind_in_role(stem) is not None:
        return None
    numbers = {str(int(match["number"])) for match in matches}
    return stem if len(numbers) == len(labels) and only_count(numbers) else None
