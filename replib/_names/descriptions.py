"""Names of columns that have no scores of a model: of upper bounds, or none at all."""

import re
from functools import lru_cache

from replib._names.words import MOST_NAMES, plain_words

#: How an oracle chose the best answer by means of the truth.
_CHOICE = (
    r"(?:ext|extractive|abs|abstractive|greedy|sentences?|re ?rank(?:ing|er)?|n best"
    r"|\d+ best|upper bound|ub)"
)
_BOUND = re.compile(rf"{_CHOICE} oracle|oracle {_CHOICE}(?: {_CHOICE})?")
#: Names that a program gives to a column without a name.
_WITHOUT_NAME = re.compile(r"unnamed: \d+\w*(?:\.\d+)?|\.\.\.\d+")


@lru_cache(MOST_NAMES)
def is_upper_bound(name: str) -> bool:
    """Return whether a name is that of an oracle, and says how it chose by means of the truth.

    An oracle alone may be a model that was told something.

    >>> names = ("ORACLE (ext.)", "greedy oracle", "oracle", "Oracle-70B")
    >>> [is_upper_bound(name) for name in names]
    [True, True, False, False]
    """
    return _BOUND.fullmatch(plain_words(name)) is not None


@lru_cache(MOST_NAMES)
def is_without_name(name: str) -> bool:
    """Return whether a name is the one that a column without a name gets.

    >>> is_without_name("Unnamed: 0"), is_without_name("unnamed baseline")
    (True, False)
    """
    return _WITHOUT_NAME.fullmatch(name.strip().casefold()) is not None
