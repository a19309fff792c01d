"""Common to all tests: the properties of their outcomes, and what they refuse."""

import numpy as np
import pytest
from enumeration import sign_vectors
from every_test import RANK_TESTS, T_TESTS, corrected_t
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose

from replib.significance import paired_t, sign_test, signed_rank

# Differences of ten folds as counts of test instances: ties and zeros are frequent.
counts = arrays(np.int64, 10, elements=st.integers(-6, 6))


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("test", RANK_TESTS)
@pytest.mark.parametrize(
    "sizes", [range(1, 11), [1] * 10, [0, 0, 0, 1, 2, 2, 3, 3, 3, 4]]
)
def test_exact_tests_keep_every_level(test, sizes, alternative):
    differences = sign_vectors(10) * np.array(sizes)
    p = test(differences, alternative=alternative).pvalue
    for level in np.unique(p):
        assert (p <= level).mean() <= level * (1 + 1e-12)


@pytest.mark.slow
@given(
    counts,
    st.sampled_from(T_TESTS + RANK_TESTS),
    st.sampled_from([1e-3, 0.1, 3.0, 1e4]),
)
def test_unit_of_the_differences_does_not_matter(x, test, unit):
    one, other = test(x), test(unit * x)
    assert_allclose(other.statistic, one.statistic, rtol=1e-9, atol=1e-12)
    assert_allclose(other.pvalue, one.pvalue, rtol=1e-9)


@given(counts, st.sampled_from(T_TESTS + RANK_TESTS))
def test_exchanging_the_classifiers_exchanges_the_tails(x, test):
    one, other = test(x), test(-x)
    assert_allclose(other.estimate, -np.asarray(one.estimate), rtol=1e-12)
    assert_allclose(other.pvalue, one.pvalue, rtol=1e-12)
    less, greater = test(x, alternative="less"), test(-x, alternative="greater")
    assert_allclose(less.pvalue, greater.pvalue, rtol=1e-12)
    if test in T_TESTS:
        assert_allclose(other.statistic, -np.asarray(one.statistic), rtol=1e-12)


@pytest.mark.slow
@given(counts, st.randoms(use_true_random=False))
@pytest.mark.parametrize("test", [paired_t, corrected_t, sign_test, signed_rank])
def test_order_of_the_sample_does_not_matter(test, x, random):
    shuffled = x.copy()
    random.shuffle(shuffled)
    assert_allclose(tuple(test(shuffled)), tuple(test(x)), rtol=1e-12, atol=1e-15)


@given(counts, st.sampled_from(RANK_TESTS))
def test_one_sided_p_of_discrete_tests_share_the_observed_value(x, test):
    less = test(x, alternative="less").pvalue
    greater = test(x, alternative="greater").pvalue
    assert less + greater >= 1 - 1e-12
    assert test(x).pvalue == pytest.approx(min(1, 2 * min(less, greater)), rel=1e-12)


@pytest.mark.parametrize("test", T_TESTS + RANK_TESTS)
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_a_batch_is_its_rows(test, alternative):
    """Ties, zeros, degenerate samples, mixed numbers of nonzero differences, all at once."""
    x = np.random.default_rng(9).integers(-4, 5, size=(3, 20, 10)) / 50
    x[0, 0], x[0, 1], x[0, 2, :7] = 0, 0.02, 0
    batch = test(x, alternative=alternative)
    for index in np.ndindex(3, 20):
        row = test(x[index], alternative=alternative)
        assert isinstance(row.pvalue, float)
        for field in vars(row).keys() - {"alternative", "n", "df"}:
            assert getattr(batch, field)[index] == pytest.approx(
                getattr(row, field), abs=1e-14
            )
        assert np.broadcast_to(batch.n, (3, 20))[index] == row.n
        assert batch.direction[index] == row.direction == np.sign(row.estimate)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("test", T_TESTS + RANK_TESTS)
def test_all_differences_zero_accepts(test, alternative):
    result = test(np.zeros(10), alternative=alternative)
    assert (result.statistic, result.pvalue, result.estimate) == (0, 1, 0)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("correction", ["none", "towards_zero"])
def test_without_any_nonzero_difference_nothing_deviates(correction, alternative):
    result = signed_rank(
        np.zeros((2, 10)),
        method="normal",
        correction=correction,
        alternative=alternative,
    )
    assert (result.zstatistic == 0).all()
