"""Sets of models among which no pair differs."""

import numpy as np
from numpy.typing import NDArray


def maximal_cliques(alike: NDArray[np.bool_]) -> list[list[int]]:
    """Find the maximal sets of at least two in which no pair differs (Bron and Kerbosch).

    Examples
    --------
    >>> maximal_cliques(np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1]], dtype=bool))
    [[0, 1], [1, 2]]
    """
    neighbours = [set(np.flatnonzero(row)) - {i} for i, row in enumerate(alike)]
    cliques = []

    def extend(clique: list[int], candidates: set[int], done: set[int]) -> None:
        if not candidates and not done and len(clique) > 1:
            cliques.append(sorted(int(i) for i in clique))
        for i in sorted(candidates):
            extend([*clique, i], candidates & neighbours[i], done & neighbours[i])
            candidates = candidates - {i}
            done = done | {i}

    extend([], set(range(len(alike))), set())
    return sorted(cliques)
