"""Columns of codes in which case counts: SMILES, hashes in base 64, short identifiers.

Of names, such as "heart-C" and "heart-c", one is a slip.  Of "c1ccccc1" and "C1CCCCC1",
which are benzene and cyclohexane, none is, and the whole column shows it.
"""

import re
from collections.abc import Iterable

#: Share of the labels that look so.
_SHARE = 0.9
_SHARE_OF_MIXED = 0.3
#: Labels that are looked at.
_MOST_LABELS = 10_000
#: The atoms, bonds and rings of a molecule.
_SMILES = re.compile(
    r"(?:\[[^\]\s]+\]|Br|Cl|[BCNOPSFIbcnops]|[-=#$:/\\.~*()]|%\d\d|\d)+"
)
_SIGN_OF_SMILES = re.compile(r"\d|[=#(\[]")
#: A capital behind a small letter or a digit, and small ones again, but no word: "aB3x",
#: but neither "BreastCancer" nor "siteA".
_MIXED = re.compile(r"[a-z\d][A-Z](?![a-z]{2}).*[a-z]")


def case_counts(labels: Iterable[str]) -> bool:
    """Return whether labels are codes whose small and capital letters say different things.

    >>> case_counts(["c1ccccc1", "C1CCCCC1", "c1ccncc1"]), case_counts(["aB3x", "Ab3x"])
    (True, True)
    >>> case_counts(["heart-c", "heart-C", "iris"]), case_counts(["P01", "p01", "P02"])
    (False, False)
    """
    texts = [*labels][:_MOST_LABELS]
    n_molecules = sum(map(_is_molecule, texts))
    if n_molecules >= _SHARE * len(texts) > 0:
        n_shown = sum(_SIGN_OF_SMILES.search(text) is not None for text in texts)
        return n_shown >= _SHARE_OF_MIXED * len(texts)
    n_mixed = sum(_MIXED.search(text) is not None for text in texts)
    return n_mixed >= _SHARE_OF_MIXED * len(texts) > 0


def _is_molecule(text: str) -> bool:
    """Return whether a text has the signs of SMILES, and each ring and bracket is closed.

    >>> _is_molecule("CC(=O)c1ccccc1"), _is_molecule("C1"), _is_molecule("P01")
    (True, False, False)
    """
    if _SMILES.fullmatch(text) is None or text.count("(") != text.count(")"):
        return False
    rings = re.findall(r"%\d\d|\d", re.sub(r"\[[^\]]*\]", "", text))
    return all(rings.count(ring) % 2 == 0 for ring in set(rings))
