"""Units of measures, such as "ms", "kcal/mol" and "meV/Å", in names or behind them.

A unit is a product of powers of symbols, each perhaps behind a prefix: a list of all
units would have no end.
"""

import re
import unicodedata
from collections import Counter
from functools import cache, lru_cache

from replib._names.languages import in_english
from replib._names.tables import table_of_words
from replib._names.words import MOST_NAMES

#: Symbols that a prefix may stand before, and prefixes.
_SYMBOLS = {
    *("A", "B", "Bq", "C", "D", "F", "Gy", "Ha", "Hz", "IU", "J", "K", "L", "M", "N"),
    *("Pa", "S", "Sv", "T", "U", "V", "W", "Wh", "b", "bar", "bit", "byte", "cal"),
    *("eV", "g", "iB", "l", "lm", "m", "mol", "s", "$", "€", "£"),
}
_PREFIXES = {*"nμmcdkKMGT", "u"}
#: Two capitals are often other words: KD, ML, MA.  These are units.
_CAPITALS = re.compile(r"[KMGT][BJW]|IU|[^A-Z].*|.|.*[^A-Z]")
#: Symbols without prefixes, and other spellings.
_ALONE = {
    **{symbol: symbol for symbol in ("%", "$", "€", "£", "¥", "°", "h", "min", "Å")},
    **{
        symbol: symbol
        for symbol in ("atm", "dB", "fps", "hPa", "mmHg", "mph", "bpm", "ppb", "ppm")
    },
    **{symbol: symbol for symbol in ("qps", "rpm", "Ry", "°C", "°F", "hartree", "yr")},
    **{symbol: symbol for symbol in ("Nm", "bohr", "debye", "d", "ha", "t")},
    **dict.fromkeys(["sec", "secs", "second", "seconds"], "s"),
    **dict.fromkeys(["msec", "millisecond", "milliseconds"], "ms"),
    **dict.fromkeys(["mins", "minute", "minutes"], "min"),
    **dict.fromkeys(["hr", "hrs", "hour", "hours"], "h"),
    **dict.fromkeys(["day", "days"], "d"),
    **dict.fromkeys(["year", "years"], "yr"),
    **dict.fromkeys(["usd", "USD", "dollar", "dollars"], "$"),
    **dict.fromkeys(["eur", "EUR", "euro", "euros"], "€"),
    **dict.fromkeys(["gbp", "GBP"], "£"),
    **dict.fromkeys(["kwh", "KWh", "KWH"], "kWh"),
    **dict.fromkeys(["kb", "kB", "KiB"], "KB"),
    **dict.fromkeys(["mb", "MiB"], "MB"),
    **dict.fromkeys(["gb", "GiB"], "GB"),
    **dict.fromkeys(["tb", "TiB"], "TB"),
}
#: What is counted is no unit alone, but "$/task" and "tokens/s" are.
_COUNTED = {"tok": "token", "img": "image"} | {
    thing: thing
    for thing in ("atom", "episode", "image", "item", "query", "request", "sample")
    + ("step", "task", "token")
}
#: Behind a name without a bracket, most short words are no units: "mm" is multimodal,
#: and "cal" calibrated.  These are.
_BEHIND_NAMES = re.compile(
    r"[nmuµμ]s|s|m?secs?|(?:milli)?seconds?|mins|minutes|hrs?|hours?|[kKMGTmgt]i?[bB]"
    r"|[kKM]?[wW][hH]|KWH|[mkM]?eV|kPa|kJ|kcal|mmHg|°[CF]|[$€]|usd|USD|dollars|eur|EUR"
    r"|euros|fps|qps|\S+/\S+"
)
#: A bracket behind a name.
BRACKET = re.compile(r"[(\[]((?:[^()\[\]]|\([^()]*\))+)[)\]]")
_BEHIND_IN = re.compile(r" in (\S\S+)$")
_LAST_WORD = re.compile(r"[ _]([^\s_]+)$")


@lru_cache(MOST_NAMES)
def unit_of_text(text: str) -> str | None:
    """Return the unit that a text is, spelled in one way, or None.

    >>> [unit_of_text(text) for text in ("meV/Å", "cm⁻¹", "1/cm", "seconds", "log mol/L")]
    ['meV Å^-1', 'cm^-1', 'cm^-1', 's', 'log L^-1 mol']
    >>> [unit_of_text(text) for text in ("UCI", "3 classes", "task", "NL", "KD", "L2")]
    [None, None, None, None, None, None]
    """
    plain = unicodedata.normalize("NFKC", text).replace("−", "-").strip()
    logarithm = re.fullmatch(r"(?:log(?:10)?|ln)(?: +|[ (]+)([^()]+)\)?", plain)
    if logarithm is not None:
        unit = unit_of_text(logarithm[1])
        return None if unit is None else f"log {unit}"
    above, *below = re.split(r"/| per ", plain)
    powers: Counter[str] = Counter()
    for sign, product in [(1, above), *((-1, product) for product in below)]:
        for factor in re.split(r"[·*. ]+", product.strip("() ")):
            symbol, power = _symbol_and_power(factor)
            if symbol is None:
                return None
            powers[symbol] += sign * power
    powers.pop("1", None)
    are_counted = powers.keys() <= {*_COUNTED.values()}
    if not powers or are_counted:
        return None
    return " ".join(
        symbol if powers[symbol] == 1 else f"{symbol}^{powers[symbol]}"
        for symbol in sorted(powers)
    )


def _symbol_and_power(factor: str) -> tuple[str | None, int]:
    """Return the symbol of a factor such as "cm^-1", and its power; None if it has none."""
    if factor == "1":
        return "1", 1
    match = re.fullmatch(r"(?P<symbol>[^\d^-]+)\^?(?P<power>-?\d)?", factor)
    if match is None or re.fullmatch(r"[A-Z]\d|[^\d^-]+1", factor):
        return None, 1  # "lasso (L1)", "ridge (L2)" and "resnet (V2)" have no units
    return _symbol(match["symbol"]), int(match["power"] or 1)


def _symbol(word: str) -> str | None:
    """Return the one spelling of a symbol with its prefix, or None."""
    if word in _ALONE:
        return _ALONE[word]
    counted = word if word in _COUNTED else word.removesuffix("s")
    if counted in _COUNTED:
        return _COUNTED[counted]
    is_prefixed = word[:1] in _PREFIXES and word[1:] in _SYMBOLS
    if word not in _SYMBOLS and not is_prefixed:
        return None
    if _CAPITALS.fullmatch(word) is None:
        return None
    return re.sub("^[uµ]", "μ", word) if is_prefixed else word


def unit_of_word(word: str) -> str | None:
    """Return the unit that a word behind a name is, or None if it may be another word.

    >>> unit_of_word("ms"), unit_of_word("meV"), unit_of_word("cal")
    ('ms', 'meV', None)
    """
    return unit_of_text(word) if _BEHIND_NAMES.fullmatch(word) else None


@lru_cache(MOST_NAMES)
def unit_of_name(name: str) -> str | None:
    """Return the unit in a bracket of a name, or else that of its last word, or None.

    >>> [unit_of_name(name) for name in ("MACE MAE (eV)", "latency_ms", "clip_mm", "a (mm)")]
    ['eV', 'ms', None, 'mm']
    """
    # as written first: "MW" is no Mittelwert, though "Sek." are seconds
    for spelling in (name, in_english(name)):
        unit = _unit_as_spelled(spelling)
        if unit is not None:
            return unit
    return None


def _unit_as_spelled(name: str) -> str | None:
    """Return the unit in a bracket of a name, or else that of its last word, or None."""
    brackets = BRACKET.findall(name)
    if brackets:
        units = [unit_of_text(text) for text in reversed(brackets)]
        return next((unit for unit in units if unit is not None), None)
    behind_in = _BEHIND_IN.search(name.strip())
    if behind_in is not None:
        return unit_of_text(behind_in[1])
    last_word = _LAST_WORD.search(name.strip())
    return unit_of_word(last_word[1]) if last_word else None


@cache
def spellings_of_units() -> list[tuple[dict[str, str], set[str]]]:
    """Return the unit by its spelling, and the clear units, of each quantity.

    >>> any(units.get("vox") == "voxels" for units, _ in spellings_of_units())
    True
    """
    quantities = []
    for table in table_of_words("units").values():
        units = dict(table)
        clear = {*units.pop("clear")}
        words = {word: unit for unit, spellings in units.items() for word in spellings}
        quantities.append((words, clear))
    return quantities


@cache
def words_of_units() -> frozenset[str]:
    """Return all words in which units are spelled, in lower case.

    >>> {"mm", "voxels", "degc"} <= words_of_units()
    True
    """
    spellings = (spelling for words, _ in spellings_of_units() for spelling in words)
    return frozenset(word for text in spellings for word in text.casefold().split())
