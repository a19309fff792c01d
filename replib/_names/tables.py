"""The tables of words in ``replib/data``, and patterns of the phrases that they have."""

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any


@cache
def table_of_words(name: str) -> dict[str, Any]:
    """Return a table of words by the name of its file; whoever gets it changes nothing.

    >>> sorted(table_of_words("classes")["segments"])
    ['groups', 'members']
    """
    file = resources.files("replib").joinpath("data", "names", f"{name}.toml")
    return tomllib.loads(file.read_text("utf-8"))


def any_of(phrases: Iterable[str]) -> str:
    """Return the regular expression of one of some phrases, which are such expressions.

    >>> any_of(["cold ?start", "warm ?start"])
    '(?:cold ?start|warm ?start)'
    """
    return f"(?:{'|'.join(phrases)})"


def pattern_of(phrases: Iterable[str]) -> re.Pattern[str]:
    """Return the pattern of one of some phrases.

    >>> pattern_of(["cold ?start", "warm ?start"]).fullmatch("coldstart") is not None
    True
    """
    return re.compile(any_of(phrases))
