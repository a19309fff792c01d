"""Quantiles by their names: "qr_q50", "p99.9", "95th percentile"."""

import re
from collections.abc import Sequence

from replib._names.words import plain_text

#: Quantiles behind a name.  "q4" and "q8" are numbers of bits.
_QUANTILE = re.compile(
    r"(?:^|[ _(-])(?:q|p|quantile[ _=-]?|tau[ _=-]?)"
    r"(?P<level>0?\.\d+|0[15]|10|25|50|75|90|95|99)\)?$"
)
#: Such quantiles are the whole label of a row: "p99.9", "95th percentile", "q0.5".
_QUANTILE_ALONE = re.compile(
    r"(?:p|q|perc|percentile|quantile|tau)[ _=-]?(?P<behind>\d+(?:\.\d+)?|\.\d+)"
    r"|(?P<before>\d+(?:\.\d+)?)(?:th)?[ _-]?(?:percentile|quantile|%ile)"
)
#: Levels that quantiles are taken at, in percent.
_LEVELS = {
    *(0.1, 0.5, 1, 2.5, 5, 10, 20, 25, 30, 40, 50, 60, 70, 75, 80, 90, 95, 97.5, 98),
    *(99, 99.5, 99.9, 99.95, 99.99),
}


def different_quantiles(names: Sequence[str]) -> bool:
    """Return whether all names end in a quantile, and in different ones.

    >>> different_quantiles(["qr_q50", "gbm_q90"]), different_quantiles(["llama-q4", "llama-q8"])
    (True, False)
    """
    matches = [_QUANTILE.search(plain_text(name)) for name in names]
    levels = {match["level"] for match in matches if match is not None}
    return all(matches) and len(levels) > 1


def level_of_quantile(label: str) -> float | None:
    """Return the level in percent of the quantile that a label is, or None.

    >>> labels = ("p99.9", "q0.5", "95th percentile", "median", "P7", "p-value")
    >>> [level_of_quantile(label) for label in labels]
    [99.9, 50.0, 95.0, 50.0, None, None]
    """
    plain = plain_text(label)
    if plain == "median":
        return 50.0
    match = _QUANTILE_ALONE.fullmatch(plain)
    if match is None:
        return None
    number = match["behind"] or match["before"]
    is_fraction = number.startswith(("0.", "."))
    level = round(100 * float(number), 6) if is_fraction else float(number)
    return level if level in _LEVELS else None
