"""What is measured, in which unit, by a name: "latency_ms" is no model."""

import re
from functools import lru_cache

from replib._names.languages import in_english
from replib._names.things.nouns import noun_of_name, words_of_class
from replib._names.things.units import unit_of_text, unit_of_word
from replib._names.words import MOST_NAMES, plain_words, text_in_bracket

#: What is measured in a unit, and no score.
MEASURED = words_of_class("measured")
#: A cost per task, perhaps with its unit.
_PER = re.compile(r"(?<![a-z])per[ _][a-z]+ *(?:[(\[].*[)\]])?$", re.IGNORECASE)
#: "secs_per_page", "€ per call", and "pages per hour".
_UNIT_PER = re.compile(
    r"(?:.*[ _])?(?P<unit>[^\W_]+|[$€£])[ _]per[ _](?P<thing>[a-z]+)", re.IGNORECASE
)
_TIMES_OF_RATES = {"day", "hour", "hr", "min", "minute", "s", "sec", "second"}
#: No data set is called after these.
_COSTS = words_of_class("costs")
_RATE = re.compile(
    r"[\w$]+/(?:s|sec|second|min|h|hour|day|token|query|image|img|sample)\b"
)
_TIMES = {"days", "hours", "minutes", "seconds"}
#: Words that may stand beside these.
_BESIDE_MEASURED = words_of_class("beside_measured")
#: Another letter in a bracket may be a size, and "%" the unit of any score.
_LETTERS_OF_UNITS = "sh$€£"


@lru_cache(MOST_NAMES)
def is_measure(name: str) -> bool:
    """Return whether a name is that of a measure with its unit, such as "latency_ms".

    >>> [is_measure(name) for name in ("latency_ms", "memory (GB)", "memory net", "size M")]
    [True, True, False, False]
    >>> [is_measure(name) for name in ("secs_per_page", "pages per hour", "k per class")]
    [True, True, False]
    """
    nouns, units, rest = _parts_of_measure(name)
    if (nouns and _PER.search(name)) or _is_unit_per_thing(name):
        return True
    if not rest <= _BESIDE_MEASURED | {"p"}:
        return False
    if nouns and units:
        return True
    is_rate = _RATE.search(name) is not None and re.search(r"\d", name) is None
    is_time = bool(rest) and not _TIMES.isdisjoint(units)
    return is_rate or is_time


def _is_unit_per_thing(name: str) -> bool:
    """Return whether a name is a unit for each thing, or things for each unit of time."""
    match = _UNIT_PER.fullmatch(_without_bracket(in_english(name)))
    if match is None:
        return False
    unit = match["unit"]
    is_clear = len(unit) > 1 or unit in _LETTERS_OF_UNITS
    is_unit = is_clear and unit_of_word(unit) is not None
    return is_unit or match["thing"].casefold() in _TIMES_OF_RATES


def _without_bracket(name: str) -> str:
    return re.sub(r" *[(\[].*[)\]]$", "", name.strip())


def is_cost(name: str) -> bool:
    """Return whether a name is that of what something costs or takes, with or without a unit.

    Data sets are called after energy and traffic, but not after a mean of these.

    >>> [is_cost(name) for name in ("Cost", "avg. time", "traffic", "cost-sensitive")]
    [True, True, False, False]
    """
    nouns, _, rest = _parts_of_measure(name)
    if not nouns or not rest <= _BESIDE_MEASURED:
        return False
    return bool(rest) or not nouns.isdisjoint(_COSTS)


def may_be_measure(name: str) -> bool:
    """Return whether a name has only a unit and words that are used with measures: "infer_ms".

    >>> may_be_measure("infer_ms"), may_be_measure("onnx_ms")
    (True, False)
    """
    _, units, rest = _parts_of_measure(name)
    return bool(units) and bool(rest) and rest <= _BESIDE_MEASURED


@lru_cache(MOST_NAMES)
def _parts_of_measure(name: str) -> tuple[set[str], set[str], set[str]]:
    """Return what is measured by a name, the units, and its other words, in lower case."""
    name = in_english(name)
    in_bracket = text_in_bracket(name) or ""
    has_unit = unit_of_text(in_bracket) is not None
    before = name[: name.rindex(in_bracket)] if has_unit else name
    tokens = re.findall(r"[^\W\d_]+\d?", _RATE.sub("", before))
    units = {token for token in tokens if len(token) > 1 and unit_of_word(token)}
    units |= set(re.findall(r"[$€£]", before))
    is_letter = len(in_bracket) == 1 and in_bracket not in _LETTERS_OF_UNITS
    if has_unit and not is_letter:
        units.add(in_bracket)
    of_units = {unit.casefold() for unit in units}
    words = {token.casefold() for token in tokens}
    nouns = words & MEASURED
    return nouns, of_units, words - nouns - of_units


def is_of_measure(metric: str, name: str) -> bool:
    """Return whether a metric measures what a name says, such as a latency.

    >>> is_of_measure("peak memory", "memory (GB)"), is_of_measure("accuracy", "latency_ms")
    (True, False)
    """
    measured = {
        word
        for word in plain_words(name).split()
        if word in MEASURED or noun_of_name(word, "noted", "apart", "far", "unrelated")
    }
    return not measured.isdisjoint(plain_words(metric).split())
