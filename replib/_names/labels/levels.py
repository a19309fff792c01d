"""Labels that are levels of one quantity: "-5dB", "300 K", "noise_10", "clean"."""

import re
from collections.abc import Sequence

from replib._names.things.kinds import kind_of_amounts, only_count
from replib._names.things.units import unit_of_text
from replib._names.words import NUMBER, plain_words

#: Fewer labels, and fewer levels beside what has none, may be anything.
_FEWEST = 3
_FEWEST_LEVELS = 2
#: A number and its unit, which has two letters, or a blank before it: "10K" and "2D" are none.
_LEVEL = re.compile(
    rf"[-+−]?(?:{NUMBER}|inf|∞)(?:[ _](?P<apart>\S+)|(?P<unit>[^\d\s_]{{2,}}|°))"
)
#: What is set, and its number: "SNR -5", "noise_10".
_NAMED_LEVEL = re.compile(rf"(?P<name>[^\W\d_]+)[ _:=]*[-+−]?(?:{NUMBER}|inf|∞)")
#: Units of one letter that stand behind a number; "1 A" and "2 B" are also parts of a task.
_LETTERS = {"K", "T", "V", "g", "h", "m", "s"}
#: What stands beside levels of noise and the like, and has none of it.
_UNDISTURBED = {
    *("ambient", "base", "baseline", "clean", "none", "normal", "original", "quiet"),
    *("ref", "reference", "undistorted", "unperturbed"),
}


def are_levels(labels: Sequence[str]) -> bool:
    """Return whether labels are numbers with one unit or name, perhaps beside what has none.

    >>> are_levels(["-5dB", "0dB", "5dB", "clean"]), are_levels(["300 K", "600 K", "900 K"])
    (True, True)
    >>> are_levels(["clean", "SNR 20", "SNR 10", "SNR -5"]), are_levels(["30°", "60°", "90°"])
    (True, True)
    >>> are_levels(["1D", "2D", "3D"]), are_levels(["1 T", "2 T", "3 T"])
    (False, False)
    """
    levels = [
        label.strip() for label in labels if plain_words(label) not in _UNDISTURBED
    ]
    if len(labels) < _FEWEST or len({*levels}) < _FEWEST_LEVELS:
        return False
    units = {*map(_unit_of_level, levels)}
    if len(units) > 1 or None in units:
        return False
    numbers = re.findall(NUMBER, " ".join(levels))
    has_unit = all(map(_LEVEL.fullmatch, levels)) and units.isdisjoint(_LETTERS)
    return has_unit or not only_count(numbers)


def _unit_of_level(label: str) -> str | None:
    """Return the unit behind the number that a label is, or what has such a number, or None."""
    named = _NAMED_LEVEL.fullmatch(label)
    if named is not None and kind_of_amounts(named["name"]) == "setting":
        return named["name"].casefold()
    match = _LEVEL.fullmatch(label)
    if match is None:
        return None
    unit = (match["apart"] or match["unit"]).replace("db", "dB")
    is_letter = len(unit) == 1 and unit.isalpha()
    return unit_of_text(unit) if unit in _LETTERS or not is_letter else None
