"""What the chapters of Part I say about the reader's own seed, and words that follow numbers."""

import re
from collections.abc import Iterable
from math import inf

from companion.engine.show.display import html

#: Words for a share, each up to a bound.
_WORDS = {
    "agree": (
        (0.6, "agree hardly more often than two coins"),
        (0.8, "often disagree"),
        (0.95, "mostly agree"),
        (0.999, "nearly always agree"),
        (inf, "always agree"),
    ),
    "share": (
        (0.001, "none"),
        (0.1, "few"),
        (0.4, "a minority"),
        (0.6, "about half"),
        (0.9, "most"),
        (0.999, "nearly all"),
        (inf, "all"),
    ),
    "level": (
        (0.8, "fewer than its level allows, so it is cautious"),
        (1.5, "about as many as its level allows"),
        (3, "more than its level allows"),
        (inf, "far more than its level allows"),
    ),
}


def words(kind: str, number: float) -> str:
    """Put a number into words, so that a conclusion follows the numbers of a reader's own run.

    Parameters
    ----------
    kind : {"agree", "share", "level"}
        How often two reruns agree, a share of reruns, or an error rate divided by its
        level.
    number : float

    Returns
    -------
    str

    Examples
    --------
    >>> words("agree", 0.55), words("agree", 0.99)
    ('agree hardly more often than two coins', 'nearly always agree')
    """
    return next(text for bound, text in _WORDS[kind] if number < bound)


def all_or_none(
    conditions: Iterable[bool], if_all: str, if_none: str, otherwise: str
) -> str:
    """Choose words by whether all conditions hold, or none.

    >>> all_or_none([True, False], "both", "neither", "one of them")
    'one of them'
    """
    holds = [bool(condition) for condition in conditions]
    if all(holds):
        return if_all
    return otherwise if any(holds) else if_none


class your_seed:
    """A sentence about the experiment of the reader's own seed, which every page remembers.

    Parameters
    ----------
    sentence : str
        With a name in braces for each number that depends on the seed.
    with_box : bool
        Whether the sentence has the box in which readers choose their seed: a page has one,
        and a picture with a seed has it.
    **columns : iterable
        The numbers, the first for seed 1; without scripts that one is shown.
    """

    def __init__(
        self, sentence: str, *, with_box: bool = True, **columns: Iterable[object]
    ):
        self.sentence = sentence
        self.with_box = with_box
        self.columns = {
            name: [str(one) for one in column] for name, column in columns.items()
        }

    def __repr__(self) -> str:
        first = {name: column[0] for name, column in self.columns.items()}
        return f"Seed 1: {self.sentence.format(**first)}"

    def _repr_html_(self) -> str:
        parts = re.split(r"\{(\w+)\}", self.sentence)
        return html(
            "seed",
            parts=parts,
            columns=self.columns,
            with_box=self.with_box,
            seeds=len(next(iter(self.columns.values()))),
        )
