"""The t tests: size by formula and simulation, agreement with SciPy, R and formulas."""

from functools import partial

import numpy as np
import pytest
from every_test import T_TESTS, corrected_t
from golden import read_rows
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from scipy import stats

from replib.significance import corrected_resampled_t, five_by_two_cv_t, paired_t

scores = arrays(np.float64, 10, elements=st.floats(-1, 1).map(lambda x: round(x, 4)))


def test_corrected_t_has_its_size_when_the_correlation_is_what_it_assumes():
    """Equicorrelated differences with rho / (1 - rho) = ratio make it an exact t test."""
    repetitions, n, ratio = 40_000, 20, 1 / 4
    rho = ratio / (1 + ratio)
    rng = np.random.default_rng(2005)
    shared = rng.normal(size=(repetitions, 1))
    x = np.sqrt(rho) * shared + np.sqrt(1 - rho) * rng.normal(size=(repetitions, n))
    rejected = (corrected_resampled_t(x, test_train_ratio=ratio).pvalue < 0.05).mean()
    assert abs(rejected - 0.05) < 4 * np.sqrt(0.05 * 0.95 / repetitions)
    assert (paired_t(x).pvalue < 0.05).mean() > 0.3


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_paired_t_agrees_with_scipy(random_differences, alternative):
    ours = paired_t(random_differences, alternative=alternative)
    theirs = stats.ttest_1samp(random_differences, 0, axis=-1, alternative=alternative)
    assert_allclose(ours.statistic, theirs.statistic, rtol=1e-12)
    assert_allclose(ours.pvalue, theirs.pvalue, rtol=1e-12)
    assert ours.df == 11
    for level in (0.5, 0.95):
        assert_allclose(
            ours.confidence_interval(level), theirs.confidence_interval(level), rtol=1e-10
        )


def test_five_by_two_cv_t_is_the_formula_of_dietterich():
    for block in np.random.default_rng(3).normal(0.02, 0.05, size=(20, 5, 2)):
        t = block[0, 0] / np.sqrt(np.mean([(x - y) ** 2 / 2 for x, y in block]))
        ours = five_by_two_cv_t(block)
        assert tuple(ours) == pytest.approx((t, 2 * stats.t.sf(abs(t), 5)), rel=1e-12)
        assert ours.df == 5


@pytest.mark.parametrize("name", ["ls1_d20", "ls3_d11", "ls5_d24"])
def test_corrected_t_of_cross_validation_agrees_with_r(golden, name):
    folds = read_rows(golden(f"berrar/{name}_folds.csv"))
    column = {key: np.array([float(row[key]) for row in folds]) for key in folds[0]}
    for row in read_rows(golden(f"berrar/{name}_t.csv")):
        contrast = row["contrast"]
        if contrast.startswith("oracle_q"):
            x = column[contrast.replace("oracle_", "oracle_diff_")]
        else:
            x = column["svm_acc"] - column[contrast.replace("svm_minus_", "").replace("_", "_acc_")]
        result = corrected_resampled_t(x, test_train_ratio=100 / 900)
        assert result.statistic == pytest.approx(float(row["t"]), rel=1e-9, abs=1e-12)
        assert result.pvalue == pytest.approx(float(row["p"]), rel=1e-9)


@given(scores, st.sampled_from(T_TESTS))
def test_two_sided_and_one_sided_p_of_t_tests(x, test):
    less = test(x, alternative="less").pvalue
    greater = test(x, alternative="greater").pvalue
    two_sided = test(x)
    if two_sided.statistic == 0 and two_sided.standard_error == 0:
        assert less == greater == two_sided.pvalue == 1
    else:
        assert less + greater == pytest.approx(1)
        assert two_sided.pvalue == pytest.approx(2 * min(less, greater), rel=1e-12)


@given(scores, st.floats(0.5, 0.999), st.sampled_from(["two-sided", "less", "greater"]))
@pytest.mark.parametrize("test", [paired_t, corrected_t])
def test_interval_holds_what_the_test_accepts(test, x, level, alternative):
    result = test(x, alternative=alternative)
    if result.standard_error == 0:
        assert result.confidence_interval(level).low in (result.estimate, -np.inf)
        return
    for limit in result.confidence_interval(level):
        if np.isfinite(limit):
            at_limit = test(x - limit, alternative=alternative).pvalue
            assert at_limit == pytest.approx(1 - level, rel=1e-5)


# Differences of one fold more or less, by way of accuracies: equal up to rounding noise only.
NOISY_CONSTANTS = [
    np.full(10, 0.1),
    np.full(7, 1 / 3),
    np.arange(60, 70) / 100 - np.arange(59, 69) / 100,
    (np.arange(60, 70) / 10) - (np.arange(59, 69) / 10),
]


@pytest.mark.parametrize("x", NOISY_CONSTANTS)
@pytest.mark.parametrize("test", [paired_t, corrected_t])
def test_constant_differences_are_recognised_through_rounding_noise(test, x):
    for sign in (1, -1):
        result = test(sign * x)
        assert result.statistic == sign * np.inf
        assert result.pvalue == 0
        assert result.standard_error == 0
        assert result.confidence_interval() == (result.estimate, result.estimate)
        towards = test(sign * x, alternative="greater" if sign > 0 else "less")
        away = test(sign * x, alternative="less" if sign > 0 else "greater")
        assert (towards.pvalue, away.pvalue) == (0, 1)


def test_noise_among_ordinary_samples_is_counted():
    x = np.array([[0.1, 0.2, 0.3], [0.1, 0.1, 0.1], [0.0, 0.0, 0.0]])
    result = paired_t(x)
    assert result.statistic[1:].tolist() == [np.inf, 0]
    assert result.pvalue[1:].tolist() == [0, 1]
    assert result.statistic[0] == pytest.approx(12**0.5)


def test_nearly_constant_is_not_constant():
    x = 1 + 1e-7 * np.array([-1.0, 0.0, 1.0])
    assert paired_t(x).statistic == pytest.approx(np.sqrt(3) / 1e-7, rel=1e-6)


def test_five_by_two_without_variance():
    result = five_by_two_cv_t(np.full((5, 2), -0.1))
    assert (result.statistic, result.pvalue) == (-np.inf, 0)
    no_numerator = np.full((5, 2), 0.1)
    no_numerator[0] = 0
    assert tuple(five_by_two_cv_t(no_numerator)) == (0, 1)


@pytest.mark.parametrize("size", [1e80, 1e-80, 1e155, 1e-200, 1e305])
@pytest.mark.parametrize("test", [
    paired_t, partial(corrected_resampled_t, test_train_ratio=0.1),
    lambda x: five_by_two_cv_t(np.outer(x, [1, 3])),
])
def test_differences_whose_squares_no_float_can_hold_are_refused(test, size):
    x = np.array([1.0, 2, 3, 4, 5])
    with pytest.raises(ValueError, match="between 1e-75 and 1e75 in size"):
        test(size * x)
    for factor in (1e70, 1e-70):
        assert test(factor * x).pvalue == pytest.approx(test(x).pvalue)
