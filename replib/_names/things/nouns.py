"""What a name is of by its noun, if that is no model: a time, a size, a place, a share.

``replib/data/names/nouns.toml`` has the nouns, and how sure each is.
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

from replib._names.languages import in_english
from replib._names.tables import any_of, pattern_of, table_of_words
from replib._names.words import MOST_NAMES, split_at_capitals

#: Fewer others have no word in common that a name could lack.
_FEWEST_OTHERS = 2
_CLASS = re.compile("<(\\w+)>")
#: A bracket behind a name, such as that of "fit time (s)".
_BRACKET = re.compile(r"(?<=.)[ _]*[(\[]([^()\[\]]*)[)\]]$")
#: At these, words are told by their capitals, too, as in "FitTime" and "badRate".
_SPLIT = {"refused", "noted", "apart", "aside", "far", "whole", "alone", "with_unit"}
#: At these, a bracket behind a name may belong to the phrase.
_WHOLE_NAME = {"refused", "in_tables", "noted", "with_unit"}
#: At these, a bracket belongs to the name: "recall (10 seconds)" is a recall, and
#: "SOTA (BERT)" one model.
_WITH_BRACKET = {"score", "of_each"}
#: At these, a hyphen joins words to another one: "train-time" says when, "train_time" how long.
_WITH_HYPHEN = {"in_tables"}


@lru_cache(MOST_NAMES)
def noun_of_name(name: str, *levels: str) -> str | None:
    """Return what a name is of at one of the levels of ``nouns.toml``, or None.

    >>> names = ("fit_time", "p_delong", "BadRate", "TPOT")
    >>> [noun_of_name(name, "refused", "apart") for name in names]
    ['times', 'results of tests', 'descriptions of the data', None]
    """
    for level in levels:
        spellings = _spellings(name, level)
        for called, pattern in _patterns(level):
            if any(pattern.fullmatch(spelling) for spelling in spellings):
                return called
    return None


def called_like(noun: str) -> str:
    """Return one of what a name is of, as :func:`noun_of_name` says it.

    >>> called_like("times"), called_like("results of tests")
    ('a time', 'a result of a test')
    """
    tables = (table for table in _tables().values() if "like" in table)
    return next((table["like"] for table in tables if table["called"] == noun), noun)


def are_coordinates(name: str, names: Iterable[str]) -> bool:
    """Return whether a name is that of a coordinate, and another one that of its fellow.

    >>> are_coordinates("lat", ["svm", "LAT", "lon"]), are_coordinates("lat", ["lat", "ditto"])
    (True, False)
    """
    plain = _plain(in_english(name))
    fellows = {word for pair in _fellows() if plain in pair for word in pair - {plain}}
    return bool(fellows) and any(_plain(in_english(x)) in fellows for x in names)


def has_arms(names: Iterable[str]) -> bool:
    """Return whether two names are those of the two arms of a trial.

    >>> has_arms(["Control", "treatment", "lift"]), has_arms(["control", "lift"])
    (True, False)
    """
    plain = {_plain(in_english(name)) for name in names}
    return any(
        all(any(map(arm.fullmatch, plain)) for arm in trial) for trial in _arms()
    )


@cache
def _arms() -> list[list[re.Pattern[str]]]:
    """Return the two arms of trials, each with its names as a pattern."""
    return [[pattern_of(arm) for arm in trial] for trial in _tables()["arms"]]


def is_odd_one_out(name: str, names: Iterable[str]) -> bool:
    """Return whether all others have the word of a score in common, and a name has it not.

    >>> is_odd_one_out("actual", ["ae_glm", "ae_gbm", "actual"])
    True
    >>> is_odd_one_out("size", ["bert_base", "bert_large", "size"])
    False
    """
    words = {other: _plain(other).split() for other in names}
    own = words.pop(name, [])
    if len(words) < _FEWEST_OTHERS:
        return False
    ends = [{*others[:1], *others[-1:]} for others in words.values() if others[1:]]
    if len(ends) < len(words):
        return False
    common = set.intersection(*ends) - set(own)
    return any(word in words_of_class("scores") for word in common)


@cache
def _fellows() -> list[set[str]]:
    """Return coordinates that only occur with each other."""
    return [
        {spelling for axis in pair for spelling in axis}
        for pair in _tables()["fellows"]
    ]


def words_of_class(name: str) -> set[str]:
    """Return the words of a class in ``nouns.toml``.

    >>> "latency" in words_of_class("measured")
    True
    """
    return set(_tables()["words"][name])


@cache
def _patterns(level: str) -> list[tuple[str, re.Pattern[str]]]:
    """Return what names are of at a level, each with its phrases as one pattern."""
    return [
        (table["called"], pattern_of(map(_with_words, table[level])))
        for table in _tables().values()
        if "called" in table and level in table
    ]


def _with_words(phrase: str) -> str:
    """Return a phrase with the words of its classes in place of their names."""
    words = _tables()["words"]
    return _CLASS.sub(lambda match: any_of(words[match[1]]), phrase)


def _tables() -> dict[str, Any]:
    return table_of_words("nouns")


def _spellings(name: str, level: str) -> set[str]:
    """Return a name in lower case with a blank between words, and without its bracket."""
    name = in_english(name)
    names = {name, split_at_capitals(name)} if level in _SPLIT else {name}
    hyphen = "-" if level in _WITH_HYPHEN else ""
    if level in _WITH_BRACKET:
        return {_plain(spelling, "()[]") for spelling in names}
    bare = {_plain(_BRACKET.sub("", spelling), hyphen) for spelling in names}
    if level not in _WHOLE_NAME:
        return bare
    return bare | {
        _plain(spelling, hyphen + brackets)
        for spelling in names
        for brackets in ("", "()[]")
    }


@lru_cache(MOST_NAMES)
def _plain(name: str, signs: str = "") -> str:
    """Return a name in lower case, with a blank for all signs between its words but some.

    A sum such as "size + weight" is none of its parts.
    """
    name = re.sub(r"±|\+/-", " ± ", name.casefold()).replace("#", " n ")
    return re.sub(rf"(?:[^\w%±+&{re.escape(signs)}]|_)+", " ", name).strip(" -")
