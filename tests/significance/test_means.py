"""Tests of means: size by formula and simulation, agreement with SciPy, R and formulas."""

import math
from decimal import Decimal
from functools import partial

import numpy as np
import pytest
from every_test import T_TESTS, corrected_t
from golden import read_rows
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from replib.significance import (
    MeanTestResult,
    TestResult,
    corrected_resampled_t,
    cv_clt,
    five_by_two_cv_f,
    five_by_two_cv_t,
    means,
    paired_t,
)

scores = arrays(np.float64, 10, elements=st.floats(-1, 1).map(lambda x: round(x, 4)))


@pytest.mark.parametrize(
    "runs, folds, within, between",
    [
        (1, 10, 0.04, 0.3),
        (2, 10, 0.04, 0.12),
        (10, 10, 0.08, 0.14),
        (10, 10, 0.0, 1 / 9),
        (20, 1, 0.0, 0.2),
        (5, 2, 0.3, 0.1),
    ],
)
def test_odds_give_the_variance_of_the_mean(runs, folds, within, between):
    rho_w, rho_b = within / (1 + within), between / (1 + between)
    same_run = np.kron(np.eye(runs), np.ones((folds, folds)))
    covariance = rho_b * (1 - same_run) + rho_w * same_run
    np.fill_diagonal(covariance, 1)
    j = runs * folds
    of_mean = covariance.sum() / j**2
    of_sample = (j - covariance.sum() / j) / (j - 1)  # expectation of s^2

    x = np.random.default_rng(1).normal(size=(3, runs, folds))
    found = corrected_resampled_t(x, odds=(within, between), axis=(-2, -1))
    s = x.reshape(3, -1).var(axis=-1, ddof=1)
    assert found.standard_error**2 / s == pytest.approx(of_mean / of_sample)
    moved = corrected_resampled_t(
        x.transpose(2, 0, 1), odds=(within, between), axis=(2, 0)
    )
    assert moved.pvalue == pytest.approx(found.pvalue)


def test_equal_odds_are_the_ratio_whatever_the_number_of_runs():
    x = np.random.default_rng(1).normal(size=(4, 10))
    found = corrected_resampled_t(x, odds=(1 / 9, 1 / 9), axis=(-2, -1))
    assert found.pvalue == pytest.approx(
        corrected_resampled_t(x, test_train_ratio=1 / 9, axis=(-2, -1)).pvalue
    )


def test_corrected_t_has_its_size_when_the_correlation_is_what_it_assumes():
    """Equicorrelated differences with rho / (1 - rho) = ratio make it an exact t test.

    Fails once in 16 000 other seeds; a ratio that is 10% off is found with probability
    0.999.
    """
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
            ours.confidence_interval(level),
            theirs.confidence_interval(level),
            rtol=1e-10,
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
            x = (
                column["svm_acc"]
                - column[contrast.replace("svm_minus_", "").replace("_", "_acc_")]
            )
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


# Differences of one fold more or less, by way of accuracies: equal up to rounding noise
# only.
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
@pytest.mark.parametrize(
    "test",
    [
        paired_t,
        partial(corrected_resampled_t, test_train_ratio=0.1),
        lambda x: five_by_two_cv_t(np.outer(x, [1, 3])),
    ],
)
def test_differences_whose_squares_no_float_can_hold_are_refused(test, size):
    x = np.array([1.0, 2, 3, 4, 5])
    with pytest.raises(ValueError, match="between 1e-75 and 1e75 in size"):
        test(size * x)
    for factor in (1e70, 1e-70):
        assert test(factor * x).pvalue == pytest.approx(test(x).pvalue)


# ------------------------------------------------------------------ cv_clt

ALTERNATIVES = ["two-sided", "less", "greater"]
whole = arrays(np.int64, 12, elements=st.integers(-3, 3))


def plain_pvalue(z, alternative):
    normal = stats.norm()
    return {
        "two-sided": 2 * normal.sf(abs(z)),
        "less": normal.cdf(z),
        "greater": normal.sf(z),
    }[alternative]


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_cv_clt_is_its_formula(alternative):
    x = np.random.default_rng(1).integers(-1, 2, size=(4, 3, 23))
    result = cv_clt(x, alternative=alternative)
    assert isinstance(result, MeanTestResult) and result.n == 23
    assert_array_equal(cv_clt(x.transpose(2, 0, 1), axis=0).statistic, result.statistic)
    for index in np.ndindex(4, 3):
        one, mean = x[index].tolist(), sum(x[index].tolist()) / 23
        error = math.sqrt(sum((value - mean) ** 2 for value in one)) / 23
        assert result.estimate[index] == pytest.approx(mean, rel=1e-13)
        assert result.standard_error[index] == pytest.approx(error, rel=1e-13)
        assert result.statistic[index] == pytest.approx(mean / error, rel=1e-12)
        p = plain_pvalue(mean / error, alternative)
        assert result.pvalue[index] == pytest.approx(p, rel=1e-12)
        alone = cv_clt(x[index], alternative=alternative)
        assert isinstance(alone.pvalue, float) and alone.pvalue == pytest.approx(
            p, rel=1e-12
        )


@given(whole)
def test_all_pairs_is_the_paired_t_of_instances_up_to_its_divisor(x):
    if np.ptp(x) == 0:
        return
    z, t = cv_clt(x), paired_t(x)
    assert z.statistic == pytest.approx(t.statistic * math.sqrt(12 / 11), rel=1e-12)
    assert z.confidence_interval(0.9) == pytest.approx(
        stats.norm.interval(0.9, z.estimate, z.standard_error), rel=1e-12, abs=1e-15
    )


def test_a_mean_that_is_rounding_noise_is_zero():
    assert (
        cv_clt([0.1, 0.2, -0.3, 0.0]).estimate == 0.0 != np.mean([0.1, 0.2, -0.3, 0.0])
    )


@pytest.mark.parametrize("value", [1 / 3, -0.1, 1.0])
def test_constant_differences(value):
    result = cv_clt([value] * 7)
    assert (result.statistic, result.pvalue) == (np.copysign(np.inf, value), 0)
    assert result.confidence_interval() == (result.estimate, result.estimate)
    away = cv_clt([value] * 7, alternative="less" if value > 0 else "greater")
    assert away.pvalue == 1
    for alternative in ALTERNATIVES:
        nothing = cv_clt([0] * 7, alternative=alternative)
        assert (nothing.statistic, nothing.pvalue, nothing.estimate) == (0, 1, 0)


# ------------------------------------------------------------------ combined F


def test_five_by_two_cv_f_is_the_formula_of_alpaydin():
    blocks = np.random.default_rng(5).normal(0.02, 0.05, size=(20, 5, 2))
    ours = five_by_two_cv_f(blocks)
    assert isinstance(ours, TestResult)
    assert (ours.n, ours.alternative) == (10, "two-sided")
    assert_allclose(ours.estimate, blocks.mean(axis=(1, 2)))
    f = [(block**2).sum() / (2 * block.var(axis=1, ddof=1).sum()) for block in blocks]
    assert_allclose(ours.statistic, f, rtol=1e-12)
    assert_allclose(ours.pvalue, stats.f.sf(f, 10, 5), rtol=1e-12)
    assert tuple(five_by_two_cv_f(blocks[0])) == (ours.statistic[0], ours.pvalue[0])


def test_f_is_the_mean_of_the_ten_squared_t():
    """Each order of the ten puts another difference into the numerator of Dietterich's t."""
    block = np.random.default_rng(6).normal(0.02, 0.05, size=(5, 2))
    squares = []
    for run, fold in np.ndindex(5, 2):
        order = np.roll(np.roll(block, -run, axis=0), -fold, axis=1)
        squares.append(five_by_two_cv_t(order).statistic ** 2)
    assert five_by_two_cv_f(block).statistic == pytest.approx(
        np.mean(squares), rel=1e-12
    )


@pytest.mark.parametrize("runs", [[0.1] * 5, [0.1, -0.1, 0, 0.3, -0.3]])
def test_f_without_variance(runs):
    block = np.repeat(np.array(runs)[:, np.newaxis], 2, axis=1)
    result = five_by_two_cv_f(block)
    assert (result.statistic, result.pvalue) == (np.inf, 0)
    assert tuple(five_by_two_cv_f(0 * block)) == (0, 1)
    noise = block + 1e-15 * np.array([1, -1])
    assert five_by_two_cv_f([noise, 0 * block]).statistic.tolist() == [np.inf, 0]


def decimal_scores(rng, n, largest, digits):
    """Scores of B as they are read from a file, and of A: as many last digits higher."""
    b = [Decimal(f"{x:.{digits}f}") for x in rng.uniform(largest / 2, largest, n)]
    step = Decimal(int(rng.integers(1, 20))).scaleb(-digits)
    return np.array([float(x + step) for x in b]), np.array([float(x) for x in b])


@pytest.mark.parametrize("test", [means.corrected_t, means.clt_z])
@pytest.mark.parametrize("largest, digits", [(1, 2), (1, 6), (100, 6), (10**6, 2)])
def test_a_constant_shift_of_decimal_scores_has_no_spread(test, largest, digits):
    rng = np.random.default_rng(digits)
    for _ in range(100):
        a, b = decimal_scores(rng, int(rng.integers(2, 30)), largest, digits)
        result = test(a - b, scale=a.max())
        assert result.without_spread and result.standard_error == 0
        reverse = test(b - a, scale=a.max())
        assert (result.statistic, reverse.statistic) == (np.inf, -np.inf)
        if largest == 1:  # the size of the scores need not be known
            assert paired_t(a - b).without_spread and cv_clt(a - b).without_spread


@pytest.mark.parametrize("test", [means.corrected_t, means.clt_z])
def test_scores_that_differ_by_their_rounding_do_not_differ(test):
    a = np.array([0.1, 0.2, 0.3, 0.7]) + 0.2
    b = np.array([0.3, 0.4, 0.5, 0.9])
    assert (a != b).any()
    result = test(a - b, scale=b.max())
    assert (result.estimate, result.pvalue, result.without_spread) == (0, 1, False)


@pytest.mark.parametrize("test", [means.corrected_t, means.clt_z])
def test_the_size_of_scores_matters_to_rounding_only(test):
    x = np.random.default_rng(4).normal(0.02, 0.03, size=(5, 10)).round(4)
    with_scale = test(x, scale=np.full(5, 0.9))
    assert_array_equal(with_scale.pvalue, test(x).pvalue)
    assert not with_scale.without_spread.any()
