"""Sets of classifiers that are alike, and figures that fit a page of either colour."""

from itertools import combinations

import numpy as np
import pytest

from replib.comparison import compare_scores, pictures


@pytest.mark.parametrize("seed", range(20))
def test_cliques_are_all_the_sets_to_which_nothing_can_be_added(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 8))
    alike = np.triu(rng.random((n, n)) < 0.6, 1)
    alike |= alike.T
    sets = [
        set(some) for size in range(2, n + 1) for some in combinations(range(n), size)
        if all(alike[pair] for pair in combinations(some, 2))
    ]
    maximal = [sorted(one) for one in sets if not any(one < other for other in sets)]
    assert pictures.cliques(alike) == sorted(maximal)


def test_a_picture_has_the_colours_of_its_page_and_a_name():
    a, b = np.random.default_rng(0).normal(0.8, 0.02, (2, 20))
    svg = pictures.as_svg(compare_scores(a, b, cv="4x5").plot(), 'dots & "bars"')
    assert svg.startswith("<svg ") and 'aria-label="dots &amp; &quot;bars&quot;"' in svg
    assert "var(--blue)" in svg and pictures.BLUE not in svg and "<metadata>" not in svg


@pytest.mark.parametrize("splits, drawn, said", [
    (pictures.MOST_DOTS, pictures.MOST_DOTS, False), (20_000, pictures.MOST_DOTS, True),
])
def test_of_many_differences_some_are_drawn_and_the_caption_says_so(splits, drawn, said):
    scores = np.random.default_rng(4).random((2, splits))
    result = compare_scores(*scores, test_fraction=0.1, names=["a", "b"])
    alt = result.contents().alt
    assert ("500 of them, drawn at random" in alt) is said
    dots = result.plot().axes[0].lines[0].get_xdata()
    assert len(dots) == drawn and set(dots) <= set(scores[0] - scores[1])
