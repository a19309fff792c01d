"""Several learners, several data sets: outcomes and lists against plain loops."""

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from companion import stored
from companion.papers import many_comparisons
from replib import replicability


@given(
    counts=st.lists(st.integers(0, 9), min_size=2, max_size=5), seed=st.integers(0, 99)
)
def test_outcomes_of_several_learners_by_hand(counts, seed):
    k = len(counts)
    p = np.random.default_rng(seed).random(k * (k - 1) // 2) ** 3
    pairs = many_comparisons.pairs(k)
    margin = np.array([counts[a] - counts[b] for a, b in pairs])
    found = many_comparisons.outcomes(margin, p, 0.3)
    top = [i for i in range(k) if counts[i] == max(counts)]
    assert found["best"] == (top[0] + 1 if len(top) == 1 else 0)
    winner = int(found["significantly_best"])
    rejected = np.zeros(len(p), dtype=bool)
    for place, pair in enumerate(np.argsort(p, kind="stable")):  # Holm's steps
        if not p[pair] * (len(p) - place) < 0.3:
            break
        rejected[pair] = True
    beats = [
        all(
            any(rejected[n] and {a, b} == {i, j} for n, (a, b) in enumerate(pairs))
            and counts[i] > counts[j]
            for j in range(k)
            if j != i
        )
        for i in range(k)
    ]
    assert winner == (beats.index(True) + 1 if any(beats) else 0)


def test_rankings_have_codes_of_their_own():
    totals = np.array(
        [[0, 1, 2], [0, 1, 1], [2, 1, 0], [1, 1, 1], [3, 5, 9], [0, 2, 1]]
    )
    margin = np.stack(
        [totals[:, a] - totals[:, b] for a, b in many_comparisons.pairs(3)], axis=-1
    )
    codes = many_comparisons.outcomes(margin, np.ones(margin.shape), 0.05)["ranking"]
    ranks = [tuple(stats.rankdata(row)) for row in totals]
    for i, j in combinations(range(len(totals)), 2):
        assert (codes[i] == codes[j]) == (ranks[i] == ranks[j])


@pytest.fixture(scope="module")
def papers():
    """Two hundred papers on the UCI data sets."""
    return stored.load("uci_cross_validation")


def test_uncorrected_lists_follow_from_their_data_sets(papers):
    """Data sets are independent, so the chance of the same list is a product."""
    lists = many_comparisons.lists_of_significant(
        papers, "nb_nn", corrections=["none"]
    ).loc["none"]
    entries = (
        many_comparisons._differences_and_pvalues(papers, "nb_nn")[1] < 0.05
    ).mean(axis=0)
    assert lists["listed"] == pytest.approx(entries.sum())
    product = np.prod(entries**2 + (1 - entries) ** 2)
    assert lists["same"] / 100 == pytest.approx(
        product, abs=5 * lists["same_error"] / 100
    )


def test_one_conclusion_from_all_data_sets():
    papers = stored.load("uci_cross_validation", size=20)
    found = many_comparisons.across_datasets(papers)
    commonest = round(0.2 * found.loc["order of average ranks", "share"])
    least = (
        100 * comb(commonest, 2) / comb(20, 2)
    )  # of pairs that agree on the commonest order
    assert found.loc["order of average ranks", "replicability"] >= least - 1e-9
    correct = many_comparisons._correct(papers)
    ranks = np.array(
        [[stats.rankdata(-row) for row in paper / np.ones(3)] for paper in correct]
    ).mean(axis=1)
    orders = Counter(tuple(np.argsort(row, kind="stable")) for row in ranks)
    assert (
        found.loc["order of average ranks", "share"] == 100 * max(orders.values()) / 20
    )


def test_jackknife_of_a_mean_over_pairs():
    """Against leaving out one repetition after another, in plain loops."""
    rng = np.random.default_rng(5)
    sets = rng.random((12, 6)) < 0.5
    common = (sets[:, None] & sets).sum(axis=-1).astype(float)
    size = sets.sum(axis=1)

    def estimate(some):
        pairs = list(combinations(some, 2))
        return sum(common[i, j] for i, j in pairs) / len(pairs) / np.mean(size[some])

    everything = list(range(12))
    left_out = np.array(
        [estimate([i for i in everything if i != k]) for k in everything]
    )
    error = np.sqrt(11 / 12 * ((left_out - left_out.mean()) ** 2).sum())
    found = many_comparisons.agreement_over_pairs(common, scale=size)
    assert found == pytest.approx((estimate(everything), error))


@pytest.mark.parametrize("unit", [1e-3, 1, 1e3])
def test_a_scale_in_another_unit_scales_estimate_and_error(unit):
    x = np.random.default_rng(7).random((9, 9))
    scale = np.random.default_rng(8).random(9)
    found = many_comparisons.agreement_over_pairs(x + x.T, scale=unit * scale)
    expected = many_comparisons.agreement_over_pairs((x + x.T) / unit, scale=scale)
    assert found == pytest.approx(expected, rel=1e-12)


def test_jackknife_error_is_the_deviation_of_the_estimate():
    """An error 10% off is found with probability 0.9."""
    rng = np.random.default_rng(6)
    drawn = rng.random((400, 50)) < 0.3
    found = np.array(
        [many_comparisons.agreement_over_pairs(x[:, None] == x) for x in drawn]
    )
    assert np.allclose(found[:, 0], replicability.r2(drawn))
    true_error = np.sqrt(replicability.r2_variance(0.3**2 + 0.7**2, 50))
    # over 100 seeds 0.8% too small, with a deviation of 1.5%: 5% are nearly three of
    # these
    assert found[:, 1].mean() == pytest.approx(true_error, rel=0.05)
