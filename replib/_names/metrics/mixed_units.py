"""Names that have different units of one quantity, such as "onnx (ms)" and "torch (s)"."""

import math
import re
from collections.abc import Sequence
from functools import lru_cache

from replib._names.metrics.vocabulary import named_at_end, words_of_name
from replib._names.things.units import (
    BRACKET,
    spellings_of_units,
    unit_of_name,
    unit_of_text,
)
from replib._names.words import MOST_NAMES

#: Words for what numbers were turned into.
_SCALES = {
    *("boxcox", "exp", "ln", "log", "log10", "log1p", "log2", "logged", "logits"),
    *("minmax", "norm", "normalised", "normalized", "pct", "percent", "scaled"),
    *("sqrt", "standardised", "standardized", "zscore", "zscores"),
}
#: Shorter words may be in others by chance.
_SHORTEST_QUANTITY = 3
_LETTER = re.compile(r"[(\[ _]\w[)\]]?$")
#: More than this share of the brackets behind names must be units.
_SHARE_OF_UNITS = 0.5


def different_units(names: Sequence[str]) -> tuple[str, str] | None:
    """Return two names that have different units, such as "onnx (ms)" and "torch (s)".

    A letter alone may also be a size, as of "yolo (s)" and "yolo (m)".

    >>> different_units(["onnx (ms)", "torch (s)"]), different_units(["vit (s)", "vit (h)"])
    (('onnx (ms)', 'torch (s)'), None)
    """
    units = {name: unit_of_name(name) for name in names}
    first: dict[str, str] = {}
    for name, unit in units.items():
        if unit is not None and not _is_size(name, names):
            first.setdefault(unit, name)
    are_letters = all(map(_LETTER.search, first.values()))
    if len(first) < 2 or are_letters:
        return _different_spellings(names)
    in_brackets = [units[name] is not None for name in names if BRACKET.search(name)]
    if in_brackets and sum(in_brackets) <= _SHARE_OF_UNITS * len(in_brackets):
        return None  # of "load (GB)", "load (DE)" and "load (FR)" none is in gigabytes
    a, b, *_ = first.values()
    return a, b


def _different_spellings(names: Sequence[str]) -> tuple[str, str] | None:
    """Return two names that end in words for different units of one quantity, or None.

    >>> _different_spellings(["wrf_t2m_degC", "era5_t2m_K"])
    ('wrf_t2m_degC', 'era5_t2m_K')
    >>> _different_spellings(["pool_k", "pool_c"]), _different_spellings(["net_mm", "net_km"])
    (None, ('net_mm', 'net_km'))
    >>> _different_spellings(["net_mm", "net_cm"]), _different_spellings(["a_mae_mm", "b_mae_cm"])
    (None, ('a_mae_mm', 'b_mae_cm'))
    """
    for words, clear in spellings_of_units():
        first: dict[str, str] = {}
        is_clear = False
        for name in names:
            end = next((end for end in _ends(name) if end in words), None)
            if end is not None:
                first.setdefault(words[end], name)
                is_known = words[end] in clear or _is_behind_metric(end, name)
                is_clear |= is_known and len(end) > 1
        if len(first) > 1 and is_clear:
            a, b, *_ = first.values()
            return a, b
    return None


def says_scale(name: str, names: Sequence[str]) -> bool:
    """Return whether a name has a unit or a scale, or lacks one that another name has.

    >>> says_scale("rf_ic50", ["rf_ic50", "gnn_pic50"]), says_scale("svr_log1p", [])
    (True, True)
    >>> says_scale("IC50_nM", []), says_scale("logit", ["logit", "it"])
    (True, False)
    """
    words = re.findall(r"[^\W_]+", name.casefold())
    if unit_of_name(name) is not None or unit_of_text(_last_word(name)) is not None:
        return True
    if not _SCALES.isdisjoint(words[:1] + words[-2:]):
        return True
    others = {
        word
        for other in names
        if other != name
        for word in re.findall(r"[^\W_]+", other.casefold())
    }
    return any(
        len(word) >= _SHORTEST_QUANTITY and f"{scale}{word}" in others
        for word in words
        for scale in ("p", "log", "ln")
    )


def _last_word(name: str) -> str:
    return re.findall(r"[^\W_]+|$", name)[-2:][0]


def _is_behind_metric(unit: str, name: str) -> bool:
    """Return whether a unit behind a name is that of a metric, as of "net_hd95_mm".

    A metric that lies between 0 and 1 has no unit: "clip_map_mm" may be multimodal.
    """
    before = re.findall(r"[^\W_]+", name.casefold())[: -len(unit.split())]
    metric, _ = named_at_end(words_of_name(" ".join(before)))
    return metric is not None and metric.high == math.inf


@lru_cache(MOST_NAMES)
def _ends(name: str) -> list[str]:
    """Return the last two words of a name, and the last one, if there is another before."""
    words = re.findall(r"[^\W_]+|[°%$€£¥][CF]?", name)
    return [" ".join(words[-n:]) for n in (2, 1) if len(words) > n]


def _is_size(name: str, names: Sequence[str]) -> bool:
    """Return whether a letter behind a name is a size, as those of "vit_s" and "vit_ms"."""
    stem = re.fullmatch(r"(.*[ _])[a-z]", name)
    return stem is not None and any(
        other_name != name and other_name.startswith(stem[1]) for other_name in names
    )
