"""What an error is of by the words behind it: "mae_formation_energy" is an error of energies.

``replib/data/names/around_metrics.toml`` has the words behind an error that make another metric
of it, and the quantities that such a word is a part of.
"""

from collections.abc import Sequence
from functools import cache

from replib._names.metrics.goals import BEHIND_TURNED, UNCERTAIN
from replib._names.metrics.vocabulary import named_at_end
from replib._names.tables import table_of_words


@cache
def _changing() -> frozenset[str]:
    table = table_of_words("around_metrics")
    words = [*table["changing"], *table["of_models"]]
    return frozenset(BEHIND_TURNED.union(UNCERTAIN, words))


@cache
def _quantities() -> frozenset[tuple[str, ...]]:
    names = table_of_words("around_metrics")["quantities"]
    return frozenset(tuple(name.split()) for name in names)


def are_of_quantity(words: Sequence[str]) -> bool:
    """Return whether words behind an error may be those of what was predicted, and no others.

    >>> [are_of_quantity(x.split()) for x in ("formation energy", "band gap", "delta z")]
    [True, True, True]
    >>> [are_of_quantity(x.split()) for x in ("", "gap", "rank of yield", "linear probe")]
    [False, False, False, False]
    """
    if not words or named_at_end(words)[0] is not None:
        return False
    rest = (word.rstrip("0123456789") for word in without_quantities(words))
    return _changing().isdisjoint(rest)


def without_quantities(words: Sequence[str]) -> list[str]:
    """Return the words that are no part of a quantity such as a band gap.

    >>> without_quantities(["homo", "lumo", "gap"]), without_quantities(["gender", "gap"])
    (['homo'], ['gender', 'gap'])
    """
    rest: list[str] = []
    for word in words:
        if (*rest[-1:], word) in _quantities():
            rest.pop()
        else:
            rest.append(word)
    return rest
