"""Maximal sets of models among which no pair differs."""

import numpy as np

from replib._cliques import maximal_cliques


def test_cliques_are_maximal():
    rng = np.random.default_rng(1)
    for _ in range(20):
        alike = rng.random((7, 7)) < 0.5
        alike |= alike.T
        np.fill_diagonal(alike, True)
        found = maximal_cliques(alike)
        for clique in found:
            assert alike[np.ix_(clique, clique)].all()
            others = set(range(7)) - set(clique)
            assert not [other for other in others if alike[other, clique].all()]
        assert {(i, j) for c in found for i in c for j in c if i < j} == {
            (i, j) for i, j in np.argwhere(alike).tolist() if i < j
        }
