"""Sentences: what is said of one pair and of several."""

import numpy as np
import pytest

from replib import Metric, compare, words


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_a_sentence_names_the_better_first_and_gives_its_advantage(better):
    rng = np.random.default_rng(0)
    low, high = rng.normal(0.2, 0.01, 20), rng.normal(0.3, 0.01, 20)
    result = compare({"low": low, "high": high}, design="seeds",
                     metric=Metric("cost per item", better=better))
    first, second = ("high", "low") if better == "higher" else ("low", "high")
    said = result.sentence()
    assert said.startswith(f"{first} (0.") and f"significantly {better} mean cost" in said
    assert f"than {second} (0." in said and "(difference 0.1" in said


def test_cliques_are_maximal():
    rng = np.random.default_rng(1)
    for _ in range(20):
        alike = rng.random((7, 7)) < 0.5
        alike |= alike.T
        np.fill_diagonal(alike, True)
        found = words.cliques(alike)
        for clique in found:
            assert alike[np.ix_(clique, clique)].all()
            others = set(range(7)) - set(clique)
            assert not [other for other in others if alike[other, clique].all()]
        assert {(i, j) for c in found for i in c for j in c if i < j} == {
            (i, j) for i, j in np.argwhere(alike).tolist() if i < j}
