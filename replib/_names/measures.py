"""What is measured, in which unit, by a name: "latency_ms" is no model."""

import re
from collections.abc import Iterable
from functools import lru_cache

from replib._names.languages import in_english
from replib._names.words import MOST_NAMES, plain_words, text_in_bracket

#: What is measured in a unit, and no score.
_MEASURED = {
    *("carbon", "co2", "cost", "delay", "disk", "duration", "emissions", "energy"),
    *("flops", "footprint", "latency", "macs", "mem", "memory", "params", "power"),
    *("price", "ram", "runtime", "size", "speed", "storage", "throughput", "time"),
    *("tokens", "traffic", "vram"),
}
_RATE = re.compile(
    r"[\w$]+/(?:s|sec|second|min|h|hour|day|token|query|image|img|sample)\b"
)
_TIMES = {"days", "hours", "minutes", "seconds"}
#: Words that may stand beside these.
_BESIDE_MEASURED = {
    *("avg", "average", "cpu", "fit", "gpu", "inference", "infer", "mean", "median"),
    *("model", "peak", "per", "query", "request", "sample", "test", "total", "train"),
    *("training", "usage", "use", "used", "item", "image", "img", "images", "samples"),
}
#: Units that have one spelling, and those of all spellings.
_PLAIN_UNITS = (
    *("ns", "ms", "min", "h", "J", "kJ", "Wh", "kWh", "W", "kPa", "B", "kg", "g"),
    *("mm", "cm", "km", "%", "fps", "qps", "mg/dL", "mmol/L", "mmHg", "tokens/s"),
    *("tok/s", "img/s"),
)
_UNITS = {
    **{unit: unit for unit in _PLAIN_UNITS},
    **dict.fromkeys(["us", "µs", "μs"], "us"),
    **dict.fromkeys(["s", "sec", "secs", "second", "seconds"], "s"),
    **dict.fromkeys(["mins", "minutes"], "min"),
    **dict.fromkeys(["hr", "hrs", "hour", "hours"], "h"),
    **dict.fromkeys(["millisecond", "milliseconds", "msec"], "ms"),
    **dict.fromkeys(["KB", "kB", "kb", "KiB"], "KB"),
    **dict.fromkeys(["MB", "mb", "MiB"], "MB"),
    **dict.fromkeys(["GB", "gb", "GiB"], "GB"),
    **dict.fromkeys(["TB", "tb", "TiB"], "TB"),
    **dict.fromkeys(["kwh", "KWh", "KWH"], "kWh"),
    **dict.fromkeys(["$", "usd", "USD", "dollars"], "$"),
    **dict.fromkeys(["€", "eur", "EUR", "euros"], "€"),
}
#: Behind a name, these may be anything: "mm" is also multimodal.
_ONLY_IN_BRACKETS = {"%", "B", "J", "W", "cm", "g", "h", "kg", "km", "min", "mm"}
#: Where a name without a bracket has its unit.
_LAST_WORD = re.compile(r"[ _]([^\s_]+)$")


@lru_cache(MOST_NAMES)
def is_measure(name: str) -> bool:
    """Return whether a name is that of a measure with its unit, such as "latency_ms".

    >>> [is_measure(name) for name in ("latency_ms", "memory (GB)", "memory net", "size M")]
    [True, True, False, False]
    """
    nouns, units, rest = _parts_of_measure(name)
    if not rest <= _BESIDE_MEASURED | {"p"}:
        return False
    if nouns and units:
        return True
    is_rate = _RATE.search(name) is not None and re.search(r"\d", name) is None
    is_time = bool(rest) and not _TIMES.isdisjoint(units)
    return is_rate or is_time


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
    tokens = re.findall(r"[^\W\d_]+\d?", _RATE.sub("", name))
    units = {token for token in tokens if token in _UNITS and len(token) > 1}
    units -= {"min"}  # of costs, the smallest
    signs = re.findall(r"(?<=[(\[])[sh](?=[)\]])|[$€£]", name)
    of_units = {unit.casefold() for unit in [*units, *signs]}
    words = {token.casefold() for token in tokens}
    nouns = words & _MEASURED
    return nouns, of_units, words - nouns - of_units


def is_of_measure(metric: str, name: str) -> bool:
    """Return whether a metric measures what a name says, such as a latency.

    >>> is_of_measure("peak memory", "memory (GB)"), is_of_measure("accuracy", "latency_ms")
    (True, False)
    """
    return not set(plain_words(metric).split()).isdisjoint(
        _MEASURED.intersection(plain_words(name).split())
    )


def different_units(names: Iterable[str]) -> tuple[str, str] | None:
    """Return two names that end in different units, such as "onnx (ms)" and "torch (s)".

    A letter alone may also be a size, as of "yolo (s)" and "yolo (m)".

    >>> different_units(["onnx (ms)", "torch (s)"]), different_units(["vit (s)", "vit (h)"])
    (('onnx (ms)', 'torch (s)'), None)
    """
    first: dict[str, str] = {}
    names = list(names)
    for name in names:
        unit = _unit_behind(name)
        if unit is not None and not _is_size(name, names):
            first.setdefault(unit, name)
    are_letters = all(len(unit) == 1 for unit in first)
    if len(first) < 2 or are_letters:
        return None
    one, two, *_ = first.values()
    return one, two


def _unit_behind(name: str) -> str | None:
    """Return the unit in the bracket behind a name, or else of its last word."""
    name = in_english(name)
    in_bracket = text_in_bracket(name)
    if in_bracket is not None:
        return _UNITS.get(in_bracket)
    last_word = _LAST_WORD.search(name.strip())
    unit = _UNITS.get(last_word[1]) if last_word else None
    return None if unit in _ONLY_IN_BRACKETS else unit


def _is_size(name: str, names: Iterable[str]) -> bool:
    """Return whether a letter behind a name is a size, as those of "vit_s" and "vit_ms"."""
    stem = re.fullmatch(r"(.*[ _])[a-z]", name)
    return stem is not None and any(
        other != name and other.startswith(stem[1]) for other in names
    )
