"""Normal tests and the combined F: slow plain versions of the formulas, size, degenerate input."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from replib.significance import (
    MeanTestResult,
    TestResult,
    cv_clt,
    five_by_two_cv_f,
    five_by_two_cv_t,
    paired_t,
)

ALTERNATIVES = ["two-sided", "less", "greater"]
whole = arrays(np.int64, 12, elements=st.integers(-3, 3))


def plain_pvalue(z, alternative):
    normal = stats.norm()
    return {
        "two-sided": 2 * normal.sf(abs(z)), "less": normal.cdf(z), "greater": normal.sf(z)
    }[alternative]


# ------------------------------------------------------------------ cv_clt


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
        assert isinstance(alone.pvalue, float) and alone.pvalue == pytest.approx(p, rel=1e-12)


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
    assert cv_clt([0.1, 0.2, -0.3, 0.0]).estimate == 0.0 != np.mean([0.1, 0.2, -0.3, 0.0])


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
    assert five_by_two_cv_f(block).statistic == pytest.approx(np.mean(squares), rel=1e-12)


@pytest.mark.parametrize("runs", [[0.1] * 5, [0.1, -0.1, 0, 0.3, -0.3]])
def test_f_without_variance(runs):
    block = np.repeat(np.array(runs)[:, np.newaxis], 2, axis=1)
    result = five_by_two_cv_f(block)
    assert (result.statistic, result.pvalue) == (np.inf, 0)
    assert tuple(five_by_two_cv_f(0 * block)) == (0, 1)
    noise = block + 1e-15 * np.array([1, -1])
    assert five_by_two_cv_f([noise, 0 * block]).statistic.tolist() == [np.inf, 0]
