"""Mean squares of many pairs at once are those of each pair alone."""

from dataclasses import fields
from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from replib import _squares
from replib._squares import single_pairs, squares_of_pairs, stacked_tests
from replib._strata import Strata
from replib.variance import difference_test, mean_squares

RNG = np.random.default_rng(11)
EVEN = {name: RNG.normal(size=(3, 40)) for name in "abcd"}
UNEVEN = {name: RNG.normal(size=(n_runs, 40)) for n_runs, name in enumerate("abcd", 2)}


@pytest.mark.parametrize("n_scores", [1, 300, 10**6])
@pytest.mark.parametrize("groups", [None, np.arange(40) // 3])
@pytest.mark.parametrize(
    "blocks, paired", [(EVEN, False), (EVEN, True), (UNEVEN, False)]
)
def test_parts_have_the_mean_squares_of_single_pairs(
    blocks, paired, groups, n_scores, monkeypatch
):
    monkeypatch.setattr(_squares, "_MOST_SCORES", n_scores)
    pairs = list(combinations(blocks, 2))
    parts = squares_of_pairs(blocks, pairs, groups=groups, paired_runs=paired)
    alone = [
        mean_squares(blocks[a], blocks[b], groups=groups, paired_runs=paired)
        for a, b in pairs
    ]
    for part, single in zip(single_pairs(parts), alone, strict=True):
        assert part.df_of_strata is single.df_of_strata is None
        for field in fields(single)[:-1]:
            assert_allclose(getattr(part, field.name), getattr(single, field.name))
    for question in ("both", "items", "seeds"):
        pvalues = [difference_test(s, generalize=question).pvalue for s in alone]
        assert_allclose(stacked_tests(parts, question).pvalue, pvalues)


@pytest.mark.parametrize("n_scores", [1, 10**6])
def test_parts_of_a_suite_have_the_degrees_of_freedom_of_single_pairs(
    n_scores, monkeypatch
):
    monkeypatch.setattr(_squares, "_MOST_SCORES", n_scores)
    strata = Strata.from_labels(np.arange(40) // 20)
    pairs = list(combinations(EVEN, 2))
    parts = squares_of_pairs(EVEN, pairs, strata=strata)
    for part, pair in zip(single_pairs(parts), pairs, strict=True):
        (single,) = squares_of_pairs(EVEN, [pair], strata=strata)
        assert_allclose(part.df_item, single.df_item[0])
        assert_allclose(part.item, single.item[0])
