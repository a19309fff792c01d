"""Labels of groups of the rows of one data set: "cold users", "18-24", "0.2<z<0.4"."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from replib._names.labels.summaries import is_summary
from replib._names.tables import table_of_words
from replib._names.words import NUMBER, plain_words

#: Fewer labels of a kind may be anything.
_FEWEST = 3
#: From this number to that: "18-24", "1 to 5 clicks", "<20", "65+".
_RANGE = re.compile(
    rf"(?:{NUMBER}\s*(?:-|–|—|to|\.\.)\s*{NUMBER}|{NUMBER}\s*\+|[<>≤≥]=?\s*-?{NUMBER}"
    rf"|[(\[]\s*-?{NUMBER}\s*[,;]\s*(?:-?{NUMBER}|inf|∞)\s*[)\]])"
    r"[ ]?[%°]?(?:[ _-]?[^\W\d_]+){0,2}",
    re.IGNORECASE,
)
#: The end of a range, of which the sign is none of "18-24" and "18 - 24".
_END = re.compile(r"(?:(?<!\d)(?<!\d\s)-)?\d+(?:[.,]\d+)?")
#: Ranges of a variable: "0.2<z<0.4", "z>0.4" and "z=0.0-0.2".
_VARIABLE = r"(?P<variable>[^\W\d_]+(?:[ _-][^\W\d_]+)?)"
_BELOW = r"\s*[<≤]=?\s*"
_OF_VARIABLE = (
    re.compile(rf"(?P<low>-?{NUMBER}){_BELOW}{_VARIABLE}{_BELOW}(?P<high>-?{NUMBER})"),
    re.compile(rf"{_VARIABLE}\s*(?P<range>[<>≤≥].+)"),
    re.compile(rf"(?P<least>-?{NUMBER}){_BELOW}{_VARIABLE}"),
    re.compile(rf"{_VARIABLE}\s*(?:=|:|∈)\s*(?P<range>.+)"),
)
_YEAR = re.compile(r"(?:1[89]|20)\d\d")


@cache
def _segments() -> tuple[set[str], set[str]]:
    """Return words for groups of users or products, and for users and products."""
    segments = table_of_words("classes")["segments"]
    return {*segments["groups"]}, {*segments["members"]}


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
    variables = set()
    ranges = []
    for label in labels:
        variable, its_range = _variable_and_range(label.strip())
        if not variable:
            return []
        variables.add(variable)
        ranges.append(its_range)
    return ranges if len(variables) == 1 else []


def _variable_and_range(label: str) -> tuple[str, str]:
    """Return the variable that a label names, and its range as it is written without it.

    >>> _variable_and_range("0.2<z<0.4"), _variable_and_range("z=0-1"), _variable_and_range("z")
    (('z', '[0.2, 0.4)'), ('z', '0-1'), ('', ''))
    """
    for pattern in _OF_VARIABLE:
        match = pattern.fullmatch(label)
        if match is None:
            continue
        ends = match.groupdict()
        if "low" in ends:
            its_range = f"[{ends['low']}, {ends['high']})"
        else:
            its_range = ends["range"] if "range" in ends else f">{ends['least']}"
        return ends["variable"].casefold(), its_range
    return "", ""


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
