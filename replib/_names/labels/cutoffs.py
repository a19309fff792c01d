"""Labels that are cutoffs of a ranking, or are compared with numbers: "R@10", "edge > 1%"."""

import re
from collections.abc import Sequence

from replib._names.metrics.quantities import quantity_of_metric
from replib._names.things.kinds import only_count
from replib._names.words import matches_of_all, plain_text

#: Labels such as "@5", "R@10", "top-5" and "Top 10 %".
_CUTOFF = re.compile(
    r"(?P<stem>.*?)[ _-]*(?P<sign>@|(?<![^\W_])(?:top|at|first|rank)(?![^\W\d_]))"
    r"[ _.:=#-]*(?:k ?= ?)?(?P<number>\d+(?:\.\d+)?) ?%?"
    r"(?: (?:items|results|hits|docs|documents|candidates|recommendations))?"
)
#: Labels such as "edge>1%", "p < 0.05" and ">= 3 stars", and those between such numbers.
_NUMBER = r"-?\d+(?:[.,]\d+)?(?:e-?\d+)?"
_UNIT = r" ?[kKM]? ?(?P<unit>[%°$€£]|[^\W\d_]+)??"
_COMPARED = re.compile(
    rf"(?P<stem>[^<>≤≥=\d]*?\d?) *(?P<sign>[<>]=?|[≤≥]) *[$€£]?{_NUMBER}{_UNIT}"
)
_BETWEEN = re.compile(
    rf"(?P<stem>[^<>≤≥=\d]*?) *{_NUMBER}[kKM%]? ?(?:-|–|to) ?{_NUMBER}{_UNIT}"
)
#: Letters of a metric before its cutoff, as in "R@5" and "Hit@10".
_MOST_LETTERS = 4


def are_cutoffs(labels: Sequence[str]) -> bool:
    """Return whether labels are the cutoffs of one ranking, with one metric or without.

    >>> are_cutoffs(["@1", "@5"]), are_cutoffs(["Top-1", "top 10%"]), are_cutoffs(["R@5", "R@9"])
    (True, True, True)
    >>> are_cutoffs(["R@5", "P@5"]), are_cutoffs(["rank 1", "rank 2"])
    (False, False)
    """
    matches = matches_of_all(_CUTOFF, map(plain_text, labels))
    numbers = [match["number"] for match in matches]
    stems = {match["stem"] for match in matches}
    if len({*numbers}) < 2 or len(stems) > 1 or not _may_be_metric(*stems):
        return False
    is_certain = all(match["sign"] in ("@", "top") for match in matches)
    return is_certain or not only_count(numbers)


def _may_be_metric(stem: str) -> bool:
    """Return whether what stands before a cutoff may be a metric, or is nothing."""
    return len(stem) <= _MOST_LETTERS or quantity_of_metric(stem) is not None


def kind_of_compared(labels: Sequence[str]) -> str | None:
    """Return "threshold" for labels such as "edge > 1%" and "edge > 2%", or None.

    Labels that lie on both sides of numbers, or between these, are levels.

    >>> kind_of_compared(["p<0.05", "p<0.01"]), kind_of_compared(["≥ 3 stars", "≥ 4 stars"])
    ('threshold', 'threshold')
    >>> kind_of_compared(["<50", "50-65", ">65"]), kind_of_compared(["x>1", "y>1"])
    ('level', None)
    """
    texts = [label.strip() for label in labels]
    if not any(map(_COMPARED.fullmatch, texts[:2])) or len({*labels}) < 2:
        return None
    compared = [match for text in texts if (match := _COMPARED.fullmatch(text))]
    others = [text for text in texts if _COMPARED.fullmatch(text) is None]
    between = matches_of_all(_BETWEEN, others)
    things = {*map(_thing_with_unit, [*compared, *between])}
    if len(between) < len(others) or len(things) > 1:
        return None
    are_below = {match["sign"][0] in "<≤" for match in compared}
    return "level" if between or len(are_below) > 1 else "threshold"


def _thing_with_unit(match: re.Match[str]) -> tuple[str, str]:
    """Return what is compared with a number, and in which unit."""
    unit = (match["unit"] or "").casefold()
    return match["stem"].casefold().strip(" _"), unit.rstrip("s")
