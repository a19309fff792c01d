"""What is found of two classifiers: posterior probabilities, the runs that are needed."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scores_of_two import A, B

from replib import replication_probability
from replib.comparison import compare_benchmark, compare_scores
from replib.comparison.predictions import compare_counts

FIVE_WINS = pd.DataFrame({"a": [0.9, 0.8, 0.7, 0.9, 0.8], "b": [0.85, 0.7, 0.4, 0.5, 0.6]})


@pytest.mark.parametrize("difference, rope, expected", [
    (0.25, 0, (1, 0, 0)), (-0.25, 0, (0, 0, 1)), (0.25, 0.25, (0.5, 0.5, 0)),
    (-0.25, 0.25, (0, 0.5, 0.5)), (0, 0, (0.5, 0, 0.5)), (0.25, 0.5, (0, 1, 0)),
])
def test_scores_that_differ_always_by_the_same(difference, rope, expected):
    """Then the posterior is a point, and half of a point on the border is on either side."""
    b = np.full((2, 10), 0.5)
    found = compare_scores(b + difference, b, cv="2x10").probabilities(rope)
    assert tuple(found.values()) == expected


@given(st.integers(0, 2**32 - 1), st.floats(-0.1, 0.1), st.floats(0.55, 0.999))
def test_an_interval_leaves_as_much_of_the_posterior_on_either_side(seed, shift, level):
    """A region of equivalence that ends at a limit has that tail beyond it."""
    a, b = np.random.default_rng(seed).normal(0.8, 0.05, (2, 4, 5))
    result = compare_scores(a + shift, b, runs=4, folds=5)
    low, high = result.confidence_interval(level)
    tail = (1 - level) / 2
    for limit in (low, high):
        beyond = result.probabilities(abs(limit))["A" if limit > 0 else "B"]
        assert min(beyond, 1 - beyond) == pytest.approx(tail, abs=1e-9)
    assert low < result.estimate < high


@given(st.integers(0, 2**32 - 1), st.floats(0, 0.1), st.floats(0, 0.1))
def test_a_wider_region_of_equivalence_takes_from_either_side(seed, rope, more):
    a, b = np.random.default_rng(seed).normal(0.8, 0.05, (2, 4, 5))
    narrow, wide = (
        compare_scores(a, b, runs=4, folds=5).probabilities(width) for width in (rope, rope + more)
    )
    assert sum(wide.values()) == pytest.approx(1, abs=1e-12) and min(wide.values()) >= 0
    assert wide["A"] <= narrow["A"] and wide["B"] <= narrow["B"]


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1), st.floats(-0.1, 0.1))
@settings(max_examples=20)
def test_exchanging_the_classifiers_mirrors_what_is_found(seed, shift):
    a, b = np.random.default_rng(seed).normal(0.8, 0.05, (2, 4, 5))
    one = compare_scores(a + shift, b, runs=4, folds=5)
    other = compare_scores(b, a + shift, runs=4, folds=5)
    assert other.decision == -one.decision and other.pvalue == pytest.approx(one.pvalue, rel=1e-12)
    limits = one.confidence_interval()
    assert other.confidence_interval() == pytest.approx([-limits[1], -limits[0]], rel=1e-12)
    assert other.probabilities(0.01)["B"] == pytest.approx(one.probabilities(0.01)["A"], abs=1e-12)
    assert other.runs_needed == one.runs_needed
    assert other.replication_probability() == one.replication_probability()


def test_errors_are_the_better_the_smaller_they_are():
    scores = compare_scores(A, B, cv="10x10")
    errors = compare_scores(1 - A, 1 - B, cv="10x10", greater_is_better=False)
    np.testing.assert_allclose(errors.differences, scores.differences, atol=1e-15)
    assert errors.pvalue == pytest.approx(scores.pvalue, rel=1e-10)


def test_one_row_holds_what_is_found():
    result = compare_scores(A, B, cv="10x10", names=("tree", "bayes"), metric="accuracy")
    (row,) = result.to_frame().to_dict("records")
    assert (row["a"], row["b"], row["metric"]) == ("tree", "bayes", "accuracy")
    assert (row["mean_a"], row["mean_b"]) == pytest.approx((A.mean(), B.mean()), rel=1e-12)
    assert row["difference"] == pytest.approx(A.mean() - B.mean(), rel=1e-10)
    assert (row["low"], row["high"]) == result.confidence_interval() and row["df"] == 99
    again = result.replication_probability()
    for name, found in (("agreement", result.agreement), ("replication", again)):
        limits = row[name], row[f"{name}_low"], row[f"{name}_high"]
        assert limits == (found.point, found.low, found.high)
    assert row["runs_needed"] == result.runs_needed > 1 and row["statistic"] == result.statistic
    assert (row["pvalue"], row["decision"]) == (result.pvalue, result.decision)
    (row,) = compare_scores(A[:10], B[:10], cv="1x10").to_frame().to_dict("records")
    assert np.isnan([row["runs_needed"], row["agreement"], row["agreement_low"]]).all()


@pytest.mark.parametrize("cv, scale", [
    ("1x10", 0.85028), ("10x10", 1), ({"test_fraction": 0.1}, 1),  # sqrt(29 * 9) / 19 for one run
])
def test_replication_takes_the_scale_that_its_design_had_in_simulations(cv, scale):
    how = cv if isinstance(cv, dict) else {"cv": cv}
    n = 100 if cv == "10x10" else 10
    result = compare_scores(A[:n] + 0.02, B[:n], **how)
    t, asked = abs(result.statistic), {"alpha": result.alpha}
    expected = replication_probability.cv_t(t, n, scale=scale, **asked)
    found = result.replication_probability()
    assert (found.point, found.low) == pytest.approx((expected.point, expected.low), abs=1e-5)
    asked_for = result.replication_probability(0.8, scale=0.7)
    expected = replication_probability.cv_t(t, n, scale=0.7, confidence_level=0.8, **asked)
    assert (asked_for.point, asked_for.high) == (expected.point, expected.high)


def test_replication_given_that_the_result_is_significant():
    result = compare_scores(A + 0.06, B, cv="10x10")
    assert result.decision == 1
    t = result.statistic
    expected = replication_probability.cv_t(t, 100, scale=1, selected=True)
    assert result.replication_probability(selected=True) == expected
    assert expected.point < result.replication_probability().point
    none = compare_scores(A, A[::-1], cv="10x10")
    assert none.decision == 0
    with pytest.raises(ValueError, match="significant first result"):
        none.replication_probability(selected=True)


@pytest.mark.parametrize("compared, decision", [
    (lambda alpha: compare_scores(A, B - 0.05, cv="10x10", alpha=alpha), 1),
    (lambda alpha: compare_counts(0, 5, 9, names=("A", "B"), alpha=alpha), -1),
    (lambda alpha: compare_benchmark(FIVE_WINS, alpha=alpha).pairs.iloc[0], 1),
])
def test_a_pvalue_of_just_alpha_is_no_difference(compared, decision):
    result = compared(0.05)
    p = result.signed_rank if hasattr(result, "signed_rank") else result.pvalue
    assert (compared(p).decision, compared(1.001 * p).decision) == (0, decision)
