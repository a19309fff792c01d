"""Ends of intervals by words: "95lo", "lower CI", "ucl95", "q2.5".

A name is taken apart into words for a side, words for an interval, and levels in percent.
"""

import re
from functools import lru_cache

from replib._names.words import MOST_NAMES

#: Words for the lower side and for the upper one; those of `_PAIRED_SIDES` are also others.
_SIDES = {
    **dict.fromkeys(["lower", "lwr", "lb", "lci", "lcl", "ll", "lolim", "lowlim"], -1),
    **dict.fromkeys(["upper", "upr", "ub", "uci", "ucl", "ul", "uplim", "uprlim"], 1),
}
_PAIRED_SIDES = {
    **dict.fromkeys(["lo", "low", "min", "minimum", "l", "left", "inf", "bottom"], -1),
    **dict.fromkeys(["hi", "high", "max", "maximum", "u", "right", "sup", "top"], 1),
    **dict.fromkeys(["minus", "from", "floor"], -1),
    **dict.fromkeys(["plus", "to", "ceil"], 1),
}
_INTERVALS = {
    *("asymp", "bca", "boot", "bootstrap", "bound", "bounds", "ci", "cint", "cl"),
    *("conf", "confidence", "cred", "credible", "cri", "eti", "exact", "hdi", "hpd"),
    *("int", "interval", "lim", "limit", "pi", "range", "sd", "se"),
    *("whisker", "wilson"),
}
#: Levels of intervals, in percent.
_LEVELS = {*map(str, (50, 60, 66, 67, 68, 75, 80, 89, 90, 94, 95, 96, 97, 98, 99))}
#: Words before a quantile, and the levels that people take it at.
_QUANTILES = {
    *("centile", "p", "pct", "perc", "percentile", "q", "quant", "quantile", "th", "x"),
}
_LEVELS_OF_QUANTILES = {
    *(0.5, 1, 2.5, 5, 10, 16, 20, 25, 75, 80, 84, 90, 95, 97.5, 99, 99.5),
}
#: Few other things are 2.5 or 97.5, but for releases.
_CLEAR_LEVELS = {2.5, 97.5}
#: Words that may be written as one with a side: "CIlow", "lowCI".
_TOKEN = re.compile(
    r"0 \d+|[1-9]\d* \d+|\d+|%|(?:ci|cri|eti|hdi|hpd|pi)(?=(?:lo|hi|up|[lu]\b))"
    r"|(?:lower|low|lo|upper|high|hi)(?=(?:ci|cri|hdi|pi)\b)|[^\W\d_]+"
)


@lru_cache(MOST_NAMES)
def side_of_end(words: str) -> tuple[int, bool]:
    """Return on which side of a score an end of its interval is, and whether its words are clear.

    It is -1 for the lower side, 1 for the upper, 0 for words of something else.  Words
    that are not clear have another meaning, too.

    >>> [side_of_end(words) for words in ("95lo", "ucl", "2 5%", "p90")]
    [(-1, True), (1, True), (-1, True), (1, False)]
    >>> [side_of_end(words) for words in ("high", "mean", "50", "low rank")]
    [(1, False), (0, False), (0, False), (0, False)]
    """
    tokens = _TOKEN.findall(words)
    clear = {_SIDES[token] for token in tokens if token in _SIDES}
    sides = clear | {_PAIRED_SIDES[token] for token in tokens if token in _PAIRED_SIDES}
    if not sides:
        return _side_of_quantile(tokens)
    beside = [x for x in tokens if x not in _SIDES and x not in _PAIRED_SIDES]
    if len(sides) > 1 or not (_INTERVALS | _LEVELS | {"%"}).issuperset(beside):
        return 0, False
    return sides.pop(), bool(clear) or bool(beside)


def _side_of_quantile(tokens: list[str]) -> tuple[int, bool]:
    """Return on which side of the median a quantile is, and whether it is nothing else."""
    levels = [_percent(token) for token in tokens if token[0].isdecimal()]
    words = {token for token in tokens if not token[0].isdecimal()}
    if len(levels) != 1 or not (_QUANTILES | _INTERVALS | {"%"}).issuperset(words):
        return 0, False
    (level,) = levels
    if level not in _LEVELS_OF_QUANTILES or not (words or level in _CLEAR_LEVELS):
        return 0, False
    return (-1 if level < 50 else 1), bool(words) and level in _CLEAR_LEVELS


def _percent(digits: str) -> float:
    """Return the level of a quantile in percent, of which "025" and "0 025" are fractions.

    >>> [_percent(digits) for digits in ("025", "0 05", "975", "97 5", "5")]
    [2.5, 5.0, 97.5, 97.5, 5.0]
    """
    number = digits.replace(" ", ".")
    if number.startswith("0") and number != "0":
        return round(100 * float(f"0.{number.removeprefix('0.')}"), 6)
    return float(number) / (10 if number in ("025", "975", "995") else 1)
