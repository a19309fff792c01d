"""Wholes beside their parts that no words show: a country and its states.

``replib/data/names/wholes.toml`` has the names.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from replib._names.labels.shared import readings_of_labels
from replib._names.tables import table_of_words
from replib._names.words import plain_words

#: Share of the rows that are parts of one whole, or such wholes.
_SHARE_OF_ONE = 0.8
#: So many parts must be nothing else, where some may be.
_FEWEST_SURE = 2


class _Whole(NamedTuple):
    """Names of a whole and of its parts.

    Attributes
    ----------
    wholes, parts : set of str
    sure : set of str
        Parts that are no parts of another whole.
    fewest : int
        How many parts must be there.
    """

    wholes: set[str]
    parts: set[str]
    sure: set[str]
    fewest: int


@cache
def _known_wholes() -> list[_Whole]:
    places = table_of_words("families")["places"]
    return [
        _Whole(
            {*entry["wholes"]},
            {
                *entry["parts"],
                *(x for key in entry.get("places", []) for x in places[key]),
            },
            {*entry.get("sure", [])},
            entry["fewest"],
        )
        for entry in table_of_words("wholes").values()
    ]


def whole_and_parts(labels: Sequence[str]) -> tuple[str, list[str]] | None:
    """Return the label of a whole, and those of its parts beside it, or None.

    >>> whole_and_parts(["Ohio", "Texas", "Utah", "Iowa", "US"])
    ('US', ['Ohio', 'Texas', 'Utah', 'Iowa'])
    >>> whole_and_parts(["US", "DE", "IN", "CA", "CO"])
    """
    for reading in readings_of_labels(labels):
        names = [plain_words(text) for text in reading]
        for known in _known_wholes():
            if _have_whole(names, known):
                wholes = [x for x, name in zip(labels, names) if name in known.wholes]
                parts = [x for x, name in zip(labels, names) if name in known.parts]
                return wholes[0], parts
    return None


def _have_whole(names: Sequence[str], known: _Whole) -> bool:
    """Return whether one of nearly all names is that of a whole, and others its parts."""
    parts = {*names} & known.parts
    wholes = {*names} & known.wholes - known.parts
    are_sure = not known.sure or len(parts & known.sure) >= _FEWEST_SURE
    are_many = len(parts) >= known.fewest and are_sure
    n_of_one = sum(name in known.parts | known.wholes for name in names)
    return bool(wholes) and are_many and n_of_one >= _SHARE_OF_ONE * len(names)
