"""Names that are the kinds of errors of one model, which add up to the metric: Sub, Del, Ins.

``replib/data/names/around_metrics.toml`` has the kinds.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache

from replib._names.metrics.quantities import quantity_of_metric
from replib._names.tables import table_of_words
from replib._names.words import plain_words, without_bracket

#: So many kinds alone are no models; models may be trained with errors of a kind, too.
_FEWEST_KINDS = 2
_FEWEST_BEHIND_NAME = 3
#: What stands behind a kind of errors: "sub_rate", "Del %".
_UNIT = re.compile(r" ?(?:rate|pct|percent|%)$")
_BESIDE = -1


def kinds_of_errors(names: Sequence[str], metric: str) -> list[str]:
    """Return the names that are kinds of errors of one model, and what stands beside these.

    >>> kinds_of_errors(["tdnn", "Corr", "Sub", "Del", "Ins", "Err"], "wer")
    ['Corr', 'Sub', 'Del', 'Ins', 'Err']
    >>> kinds_of_errors(["ctc_sub", "ctc_del", "ctc_wer", "tdnn"], "wer")
    ['ctc_sub', 'ctc_del', 'ctc_wer']
    >>> kinds_of_errors(["ins", "del", "sub"], "accuracy"), kinds_of_errors(["sub", "svm"], "wer")
    ([], [])
    """
    kinds = _kinds_of_metric(quantity_of_metric(metric))
    if not kinds:
        return []
    of_stems: dict[str, dict[str, int]] = {}
    for name in names:
        stem, kind = _stem_and_kind(name, kinds)
        if kind is not None:
            of_stems.setdefault(stem, {})[name] = kind
    for stem, named in of_stems.items():
        if _are_kinds(named, fewest=_FEWEST_BEHIND_NAME if stem else _FEWEST_KINDS):
            return [*named]
    return []


def _are_kinds(named: Mapping[str, int], *, fewest: int) -> bool:
    """Return whether several names are different kinds, of which one may be what is beside."""
    different = {*named.values()}
    return len(different) >= fewest and len(different - {_BESIDE}) >= _FEWEST_KINDS


def _stem_and_kind(name: str, kinds: Mapping[str, int]) -> tuple[str, int | None]:
    """Return what stands before a kind of errors at the end of a name, and the kind."""
    words = _UNIT.sub("", plain_words(without_bracket(name))).split()
    for cut in range(len(words)):
        kind = kinds.get(" ".join(words[cut:]))
        if kind is not None:
            return " ".join(words[:cut]), kind
    return "", None


@cache
def _kinds_of_metric(quantity: str | None) -> dict[str, int]:
    """Return the number of each kind by its names, and that of what is beside them."""
    for table in table_of_words("around_metrics")["sums_of_errors"]:
        if quantity in table["quantities"]:
            kinds = dict.fromkeys(table["beside"], _BESIDE)
            for number, names in enumerate(table["kinds"]):
                kinds |= dict.fromkeys(names, number)
            return kinds
    return {}
