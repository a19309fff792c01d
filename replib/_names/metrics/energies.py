"""Metrics that are energies of bound molecules, by a program, a bond or a unit in their names."""

import re

from replib._names.languages import in_english
from replib._names.metrics.directions import is_turned
from replib._names.metrics.goals import BEHIND_TURNED

#: Programs that place a molecule in a pocket, and what they do.
_DOCKING = {
    *("autodock", "dock", "docking", "gbsa", "glide", "gnina", "mmgbsa", "mmpbsa"),
    *("pbsa", "qvina", "smina", "vina"),
}
#: Words of energies, where they are of a bond or have a unit of energy.
_ENERGIES = {"affinity", "dg", "energy", "score", "δg"}
_BONDS = {"binding", "interaction"}
_UNIT = re.compile(r"(?<![a-z])k(?:cal|j)[ _/]*(?:per[ _])?mol(?![a-z])")


def is_energy_of_bond(name: str) -> bool:
    """Return whether a metric is the energy of a bond, of which the sign was not turned.

    >>> names = ("vina_score", "Binding affinity (kcal/mol)", "neg_docking_score", "affinity")
    >>> [is_energy_of_bond(name) for name in names]
    [True, True, False, False]
    """
    plain = in_english(name).casefold()
    words = {*re.findall(r"[^\W\d_]+", plain)}
    if is_turned(plain) or not BEHIND_TURNED.isdisjoint(words):
        return False
    has_unit = _UNIT.search(plain) is not None
    is_energy = not _ENERGIES.isdisjoint(words)
    is_of_bond = has_unit or not _BONDS.isdisjoint(words)
    return not _DOCKING.isdisjoint(words) or (is_energy and is_of_bond)
