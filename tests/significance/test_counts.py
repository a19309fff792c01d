"""Sign test and McNemar's test: enumeration in fractions, and other software."""

import numpy as np
import pytest
from enumeration import sign_vectors, tail_probabilities
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from replib.significance import mcnemar, sign_test

MCNEMAR_METHODS = ["exact", "corrected", "uncorrected"]
DISCORDANT = [(25, 12), (12, 25), (6, 5), (1, 0), (0, 9), (300, 211)]

# Differences of ten folds as counts of test instances: ties and zeros are frequent.
counts = arrays(np.int64, 10, elements=st.integers(-6, 6))
scores = arrays(np.float64, 10, elements=st.floats(-1, 1).map(lambda x: round(x, 4)))


@pytest.mark.parametrize("n", [2, 3, 8])
def test_sign_test_is_the_enumeration_of_all_signs(n):
    signs = sign_vectors(n)
    pluses = (signs > 0).sum(axis=1)
    result = {
        alt: sign_test(signs, alternative=alt).pvalue for alt in ("less", "greater")
    }
    two_sided = sign_test(signs).pvalue
    for row, z in enumerate(pluses):
        at_most, at_least = tail_probabilities(pluses, z)
        assert result["less"][row] == pytest.approx(float(at_most), rel=1e-13)
        assert result["greater"][row] == pytest.approx(float(at_least), rel=1e-13)
        assert two_sided[row] == pytest.approx(
            float(min(1, 2 * min(at_most, at_least))), rel=1e-13
        )


@pytest.mark.parametrize(("n10", "n01"), DISCORDANT)
@pytest.mark.parametrize("method", ["exact", "corrected", "uncorrected"])
def test_mcnemar_agrees_with_statsmodels(n10, n01, method):
    ours = mcnemar(n10, n01, method=method)
    exact, corrected = method == "exact", method == "corrected"
    theirs = statsmodels_mcnemar(
        [[40, n10], [n01, 9]], exact=exact, correction=corrected
    )
    if not exact:
        assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-12)
    assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-11)


def test_mcnemar_where_the_correction_must_stop_at_zero():
    """Others print (0 - 1)^2 / n at a tie."""
    assert tuple(mcnemar(5, 5, method="corrected")) == (0, 1)


@given(st.integers(0, 40), st.integers(0, 40), st.sampled_from(MCNEMAR_METHODS))
def test_mcnemar_is_symmetric_and_ordered(n10, n01, method):
    one, other = mcnemar(n10, n01, method=method), mcnemar(n01, n10, method=method)
    assert one.pvalue == other.pvalue
    assert one.estimate == -other.estimate
    uncorrected = mcnemar(n10, n01, method="uncorrected").pvalue
    assert uncorrected <= mcnemar(n10, n01, method="corrected").pvalue


@given(counts)
def test_mcnemar_exact_is_the_sign_test_of_the_instances(x):
    result = mcnemar((x > 0).sum(), (x < 0).sum())
    assert result.pvalue == pytest.approx(sign_test(x).pvalue, rel=1e-12)
    assert result.estimate == sign_test(x).estimate


@pytest.mark.parametrize("method", MCNEMAR_METHODS)
def test_no_discordant_pair_accepts(method):
    result = mcnemar(0, 0, method=method)
    assert (result.statistic, result.pvalue, result.estimate) == (0, 1, 0)


def test_counts_of_any_integer_type_are_accepted():
    small = np.array([3, 200], dtype=np.uint8)
    expected = mcnemar([3, 200], [5, 100]).pvalue
    assert_array_equal(
        mcnemar(small, np.array([5, 100], dtype=np.uint8)).pvalue, expected
    )
    assert_array_equal(mcnemar([3.0, 200.0], [5, 100]).pvalue, expected)
    with pytest.raises(ValueError):
        mcnemar([1, 2, 3], [1, 2])
    with pytest.raises(ValueError, match="method"):
        mcnemar(1, 2, method="chi2")


@pytest.mark.parametrize("n", [0, 1, 300, 10_000])
def test_many_exact_tests_are_those_of_their_counts(n):
    """More tests than there are counts take their p-values from a table."""
    n10, n01 = np.random.default_rng(n).integers(0, 25, size=(2, n))
    each = [mcnemar(a, b).pvalue for a, b in zip(n10[:400], n01[:400])]
    assert_array_equal(mcnemar(n10, n01).pvalue[:400], each)
