"""Sets of models among which no pair differs."""

import numpy as np
from numpy.typing import NDArray

#: Most sets that are listed: there can be as many as 3 to the power of a third of the models.
MOST_SETS = 1000


class TooManySets(ValueError):
    """There are more maximal sets than anybody reads."""


def maximal_cliques(alike: NDArray[np.bool_]) -> list[list[int]]:
    """Find the maximal sets of at least two in which no pair differs.

    By the algorithm of Bron and Kerbosch with the pivot of Tomita et al. (2006): of the
    candidates only those are tried that are not next to the pivot, because a maximal
    set has the pivot or one of these.

    Parameters
    ----------
    alike : ndarray of bool, shape (models, models)
        Symmetric.

    Returns
    -------
    list of list of int
        Ascending.

    Raises
    ------
    TooManySets
        If there are more than `MOST_SETS`.

    Examples
    --------
    >>> maximal_cliques(np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1]], dtype=bool))
    [[0, 1], [1, 2]]
    """
    neighbours = [
        set(np.flatnonzero(row).tolist()) - {i} for i, row in enumerate(alike)
    ]
    cliques: list[list[int]] = []

    def extend(clique: list[int], candidates: set[int], done: set[int]) -> None:
        """Add the maximal cliques with these members that contain nobody who is done."""
        if not candidates and not done:
            if len(clique) > 1:
                cliques.append(sorted(clique))
            if len(cliques) > MOST_SETS:
                raise TooManySets
            return
        pivot = max(candidates | done, key=lambda i: len(neighbours[i] & candidates))
        for i in sorted(candidates - neighbours[pivot]):
            extend([*clique, i], candidates & neighbours[i], done & neighbours[i])
            candidates = candidates - {i}
            done = done | {i}

    extend([], set(range(len(alike))), set())
    return sorted(cliques)
