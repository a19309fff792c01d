"""What all tests share: the properties of their outcomes, and what they refuse."""

from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

from replib.significance import (
    RankTestResult,
    corrected_resampled_t,
    five_by_two_cv_t,
    mcnemar,
    paired_t,
    sign_test,
    signed_rank,
)

corrected_t = partial(corrected_resampled_t, test_train_ratio=1 / 9)


def five_by_two(differences, **options):
    """The 5x2cv test on a flat sample of ten, to share checks with the other tests."""
    x = np.asarray(differences)
    return five_by_two_cv_t(x.reshape(*x.shape[:-1], 5, 2), **options)


T_TESTS = [paired_t, corrected_t, five_by_two]
RANK_TESTS = [sign_test, signed_rank]

# Differences of ten folds as counts of test instances: ties and zeros are frequent.
counts = arrays(np.int64, 10, elements=st.integers(-6, 6))


def sign_vectors(n):
    return np.array(list(product((-1, 1), repeat=n)))


def test_signed_rank_with_equal_sizes_is_the_sign_test():
    signs = sign_vectors(9)
    assert_allclose(signed_rank(0.5 * signs).pvalue, sign_test(signs).pvalue, rtol=1e-13)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("test", RANK_TESTS)
@pytest.mark.parametrize("sizes", [range(1, 11), [1] * 10, [0, 0, 0, 1, 2, 2, 3, 3, 3, 4]])
def test_exact_tests_keep_every_level(test, sizes, alternative):
    differences = sign_vectors(10) * np.array(sizes)
    p = test(differences, alternative=alternative).pvalue
    for level in np.unique(p):
        assert (p <= level).mean() <= level * (1 + 1e-12)


@given(counts, st.sampled_from(T_TESTS + RANK_TESTS), st.sampled_from([1e-3, 0.1, 3.0, 1e4]))
@pytest.mark.filterwarnings("ignore:.*no variance:RuntimeWarning")
def test_unit_of_the_differences_does_not_matter(x, test, unit):
    one, other = test(x), test(unit * x)
    assert_allclose(other.statistic, one.statistic, rtol=1e-9, atol=1e-12)
    assert_allclose(other.pvalue, one.pvalue, rtol=1e-9)


@given(counts, st.sampled_from(T_TESTS + RANK_TESTS))
@pytest.mark.filterwarnings("ignore:.*no variance:RuntimeWarning")
def test_exchanging_the_classifiers_exchanges_the_tails(x, test):
    one, other = test(x), test(-x)
    assert_allclose(other.estimate, -np.asarray(one.estimate), rtol=1e-12)
    assert_allclose(other.pvalue, one.pvalue, rtol=1e-12)
    less, greater = test(x, alternative="less"), test(-x, alternative="greater")
    assert_allclose(less.pvalue, greater.pvalue, rtol=1e-12)
    if test in T_TESTS:
        assert_allclose(other.statistic, -np.asarray(one.statistic), rtol=1e-12)


@given(counts, st.randoms(use_true_random=False))
@pytest.mark.filterwarnings("ignore:.*no variance:RuntimeWarning")
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
@pytest.mark.filterwarnings("ignore:.*no variance:RuntimeWarning")
def test_a_batch_is_its_rows(test, alternative):
    """Ties, zeros, degenerate samples, mixed numbers of nonzero differences, all at once."""
    x = np.random.default_rng(9).integers(-4, 5, size=(3, 20, 10)) / 50
    x[0, 0], x[0, 1], x[0, 2, :7] = 0, 0.02, 0
    batch = test(x, alternative=alternative)
    for index in np.ndindex(3, 20):
        row = test(x[index], alternative=alternative)
        assert isinstance(row.pvalue, float)
        for field in vars(row).keys() - {"alternative", "n", "df"}:
            assert getattr(batch, field)[index] == pytest.approx(getattr(row, field), abs=1e-14)
        assert np.broadcast_to(batch.n, (3, 20))[index] == row.n
        assert batch.direction[index] == row.direction == np.sign(row.estimate)


@pytest.mark.parametrize("test", [paired_t, corrected_t, sign_test, signed_rank])
def test_axes(test):
    x = np.random.default_rng(10).normal(size=(4, 5, 6))
    merged = test(x.reshape(4, 30)).pvalue
    assert_allclose(test(x, axis=(-2, -1)).pvalue, merged, rtol=1e-12)
    assert_allclose(test(x, axis=(2, 1)).pvalue, merged, rtol=1e-12)
    assert_allclose(test(np.moveaxis(x, 0, 1), axis=(0, 2)).pvalue, merged, rtol=1e-12)
    assert_allclose(test(x, axis=0).pvalue, test(np.moveaxis(x, 0, -1)).pvalue, rtol=1e-12)
    assert test(np.empty((0, 10))).pvalue.shape == (0,)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("test", T_TESTS + RANK_TESTS)
def test_all_differences_zero_accepts(test, alternative):
    result = test(np.zeros(10), alternative=alternative)
    assert (result.statistic, result.pvalue, result.estimate) == (0, 1, 0)


@pytest.mark.parametrize("test", T_TESTS + RANK_TESTS)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_differences_that_are_not_finite_are_refused(test, bad):
    x = np.linspace(-1, 2, 10)
    x[3] = bad
    with pytest.raises(ValueError, match="finite"):
        test(np.stack([np.zeros(10), x]))


@pytest.mark.parametrize("test", [paired_t, corrected_t, sign_test, signed_rank])
def test_bad_samples_and_options_are_refused(test):
    for too_small in ([0.1], [], [[0.1], [0.2]]):
        with pytest.raises(ValueError, match="at least two"):
            test(too_small)
    with pytest.raises(ValueError, match="at least two"):
        test(np.ones((3, 4)), axis=())
    for axis in (2, -3, (0, 0), "runs", 1.5):
        with pytest.raises(ValueError, match="axis"):
            test(np.ones((3, 4)), axis=axis)
    for alternative in ("both", None, 1):
        with pytest.raises(ValueError, match="alternative must be one of"):
            test(np.arange(4), alternative=alternative)
    for not_numbers in (["a", "b"], [[1, 2], [3]], [None, None, "x"], [1j, 2j]):
        with pytest.raises(ValueError, match="real numbers"):
            test(not_numbers)
    with pytest.raises(TypeError):
        test([1, 2, 3], 0)


@pytest.mark.parametrize(
    ("test", "options"),
    [
        (sign_test, {"zeros": "drop"}),
        (sign_test, {"method": "normal"}),
        (signed_rank, {"method": "as_printed"}),
        (signed_rank, {"correction": True}),
    ],
)
def test_unknown_options_are_refused(test, options):
    with pytest.raises(ValueError, match="must be one of"):
        test([1, 2, 3], **options)


def test_a_result_has_nothing_that_its_test_has_not():
    """A count has no standard error; what has none has no interval and no degrees of freedom."""
    for result in (sign_test([1, 2, -3]), signed_rank([1, 2, -4]), mcnemar(3, 1)):
        for name in ("standard_error", "df", "confidence_interval"):
            assert not hasattr(result, name)
        assert hasattr(result, "zstatistic") == (type(result) is RankTestResult)


def test_direction_is_the_sign_of_the_estimate():
    assert (paired_t([3, -1]).direction, paired_t([-3, 1]).direction) == (1, -1)
    assert (mcnemar(3, 5).direction, sign_test([2, -2]).direction) == (-1, 0)
    directions = signed_rank([[1, -2, -4], [1, 3, -4], [5, -1, 1]]).direction
    assert_array_equal(directions, [-1, 0, 1])
    assert directions.dtype == np.int8


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, np.nan])
def test_bad_confidence_level_is_refused(level):
    with pytest.raises(ValueError, match="confidence_level"):
        paired_t([1, 2, 4]).confidence_interval(level)


def test_result_unpacks_to_statistic_and_pvalue_and_is_frozen():
    result = paired_t([1, 2, 4])
    statistic, pvalue = result
    assert (statistic, pvalue) == (result.statistic, result.pvalue)
    with pytest.raises(AttributeError):
        result.pvalue = 0
