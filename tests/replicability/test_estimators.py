"""Estimators of replicability against what defines them, plain loops and printed counts."""

from itertools import combinations, product
from math import comb

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from companion.papers import published
from companion.papers.bouckaert2004 import section_3
from companion.papers.bouckaert_frank2004 import table_1
from replib import replicability


@pytest.mark.slow
@given(st.lists(st.booleans(), min_size=2, max_size=40))
def test_r2_from_counts_equals_r2(outcomes):
    assert replicability.r2(outcomes) == pytest.approx(
        replicability.r2_from_counts(sum(outcomes), len(outcomes)), abs=1e-15
    )


@given(st.lists(st.sampled_from([-1, 0, 1]), min_size=2, max_size=30))
def test_three_outcomes_never_more_replicable_than_two(outcomes):
    counts = [outcomes.count(label) for label in (1, -1, 0)]
    three = replicability.three_outcome_r2(*counts)
    assert three == pytest.approx(replicability.r2(outcomes), abs=1e-15)
    two = replicability.r2_from_counts(outcomes.count(0), len(outcomes))
    contradictions = counts[0] * counts[1] / comb(len(outcomes), 2)
    assert two - three == pytest.approx(contradictions, abs=1e-12)


def test_rk_contains_r1_and_r2():
    outcomes = np.array(list(product((False, True), repeat=6)))
    for weights, known in (
        (section_3.r1_weights(6), replicability.r1),
        (section_3.r2_weights(6), replicability.r2),
    ):
        linear = replicability.rk(outcomes, [float(k) for k in weights])
        np.testing.assert_allclose(linear, known(outcomes), atol=1e-15)


def test_r2_is_the_only_unbiased_function_of_the_count():
    p = sympy.symbols("p")
    g = sympy.symbols("g0:6")
    mean = sum(comb(5, i) * p**i * (1 - p) ** (5 - i) * g[i] for i in range(6))
    equations = sympy.Poly(sympy.expand(mean - p**2 - (1 - p) ** 2), p).coeffs()
    (solution,) = sympy.solve(equations, g, dict=True)
    assert [float(solution[x]) for x in g] == pytest.approx(
        replicability.r2_from_counts(np.arange(6), 5).tolist()
    )


def test_consistency_reproduces_the_printed_summary_of_table_1():
    summary = table_1.summary_of_print()
    for row in summary.itertuples():
        decimals = 3 if "replicability" in row.id else 0
        assert round(row.rebuilt, decimals) == published.value(row.id)


def test_two_decisions_per_data_set_are_the_fewest():
    found = replicability.consistency([0, 1, 2], 2)
    assert (found.consistent, found.almost_consistent, found.replicability) == (2, 3, 2 / 3)


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
    left_out = np.array([estimate([i for i in everything if i != k]) for k in everything])
    error = np.sqrt(11 / 12 * ((left_out - left_out.mean()) ** 2).sum())
    found = replicability.agreement_over_pairs(common, scale=size)
    assert found == pytest.approx((estimate(everything), error))


@pytest.mark.parametrize("unit", [1e-3, 1, 1e3])
def test_a_scale_in_another_unit_scales_estimate_and_error(unit):
    x = np.random.default_rng(7).random((9, 9))
    scale = np.random.default_rng(8).random(9)
    found = replicability.agreement_over_pairs(x + x.T, scale=unit * scale)
    expected = replicability.agreement_over_pairs((x + x.T) / unit, scale=scale)
    assert found == pytest.approx(expected, rel=1e-12)


def test_jackknife_error_is_the_deviation_of_the_estimate():
    rng = np.random.default_rng(6)
    drawn = rng.random((400, 50)) < 0.3
    found = np.array([replicability.agreement_over_pairs(x[:, None] == x) for x in drawn])
    assert np.allclose(found[:, 0], replicability.r2(drawn))
    true_error = np.sqrt(replicability.r2_variance(0.3**2 + 0.7**2, 50))
    # a mean of 400 errors, each off by about a fifth: to 1 %, five times that
    assert found[:, 1].mean() == pytest.approx(true_error, rel=0.05)


def test_normalised_scale():
    assert replicability.normalized([0.5, 1.0]).tolist() == [0, 1]
    assert replicability.normalized(1 + 2e-16) == pytest.approx(1)  # rounding
    with pytest.raises(ValueError, match="from 0 to 1, not 85"):
        replicability.normalized(85)
