"""Maximal sets of models among which no pair differs."""

import numpy as np
import pytest

from replib._cliques import MOST_SETS, TooManySets, maximal_cliques


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


def test_a_hundred_models_that_all_tie_are_one_set():
    """Without a pivot this takes longer than the age of the universe."""
    assert maximal_cliques(np.ones((100, 100), bool)) == [list(range(100))]


@pytest.mark.parametrize("n_triples, n_sets", [(6, 3**6), (7, 3**7)])
def test_more_sets_than_anybody_reads_are_refused(n_triples, n_sets):
    """Moon and Moser (1965): triples that differ within make the most sets, 3^(n/3)."""
    triple = np.arange(3 * n_triples) // 3
    alike = triple[:, None] != triple
    np.fill_diagonal(alike, True)
    if n_sets <= MOST_SETS:
        assert len(maximal_cliques(alike)) == n_sets
    else:
        with pytest.raises(TooManySets):
            maximal_cliques(alike)
