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
    FTestResult,
    ZTestResult,
    conservative_z,
    cv_clt,
    five_by_two_cv_f,
    five_by_two_cv_t,
    paired_t,
)

ALTERNATIVES = ["two-sided", "less", "greater"]
whole = arrays(np.int64, 12, elements=st.integers(-3, 3))
DEALT = np.arange(12) % 3


def plain_pvalue(z, alternative):
    normal = stats.norm()
    return {
        "two-sided": 2 * normal.sf(abs(z)), "less": normal.cdf(z), "greater": normal.sf(z)
    }[alternative]


def plain_cv_clt(x, folds, variance):
    """Estimate and standard error by loops, from the two formulas of Bayle et al."""
    n, mean = len(x), sum(x) / len(x)
    if variance == "all_pairs":
        squared = sum((one - mean) ** 2 for one in x) / n
    else:
        of_folds = []
        for label in set(folds):
            inside = [one for one, fold in zip(x, folds) if fold == label]
            centre = sum(inside) / len(inside)
            of_folds.append(sum((one - centre) ** 2 for one in inside) / (len(inside) - 1))
        squared = sum(of_folds) / len(of_folds)
    return mean, math.sqrt(squared / n)


def plain_conservative_z(x, halves):
    """Estimate and standard error by loops, from Equation 17 of Nadeau and Bengio."""
    total = 0.0
    for one, other in halves:
        total += (sum(one) / len(one) - sum(other) / len(other)) ** 2
    return sum(x) / len(x), math.sqrt(total / (2 * len(halves)))


# ------------------------------------------------------------------ cv_clt


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("variance", ["all_pairs", "within_fold"])
def test_cv_clt_is_its_formula(variance, alternative):
    rng = np.random.default_rng(1)
    x, folds = rng.integers(-1, 2, size=(4, 3, 23)), rng.permutation(np.arange(23) % 5) - 7
    result = cv_clt(x, folds=folds, variance=variance, alternative=alternative)
    assert isinstance(result, ZTestResult) and result.n == 23
    for index in np.ndindex(4, 3):
        mean, error = plain_cv_clt(x[index].tolist(), folds.tolist(), variance)
        assert result.estimate[index] == pytest.approx(mean, rel=1e-13)
        assert result.standard_error[index] == pytest.approx(error, rel=1e-13)
        assert result.statistic[index] == pytest.approx(mean / error, rel=1e-12)
        p = plain_pvalue(mean / error, alternative)
        assert result.pvalue[index] == pytest.approx(p, rel=1e-12)
        one = cv_clt(x[index], folds=folds, variance=variance, alternative=alternative)
        assert isinstance(one.pvalue, float) and one.pvalue == pytest.approx(p, rel=1e-12)


def test_samples_may_have_folds_of_their_own_on_any_axis():
    """Different labels and numbers of folds, unequal sizes; the axis of the instances moves."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=(3, 12))
    folds = np.array([np.arange(12) % 3, np.arange(12) // 2 + 40, [-1] * 5 + [2**40] * 7])
    result = cv_clt(x, folds=folds, variance="within_fold")
    expected = [plain_cv_clt(*rows, "within_fold")[1] for rows in zip(x.tolist(), folds.tolist())]
    assert_allclose(result.standard_error, expected, rtol=1e-12)
    turned = cv_clt(x.T, folds=folds.T, variance="within_fold", axis=0)
    assert_array_equal(turned.statistic, result.statistic)
    deep = np.stack([x, 2 * x], axis=-1)  # (3, 12, 2)
    shared = cv_clt(deep, folds=folds[0], variance="within_fold", axis=1)
    assert shared.statistic.shape == (3, 2)
    assert_allclose(shared.statistic[:, 0], shared.statistic[:, 1], rtol=1e-12)


@given(whole)
def test_all_pairs_is_the_paired_t_of_instances_up_to_its_divisor(x):
    if np.ptp(x) == 0:
        return
    z, t = cv_clt(x), paired_t(x)
    assert z.statistic == pytest.approx(t.statistic * math.sqrt(12 / 11), rel=1e-12)
    assert z.confidence_interval(0.9) == pytest.approx(
        stats.norm.interval(0.9, z.estimate, z.standard_error), rel=1e-12, abs=1e-15
    )


@given(whole, st.permutations(range(12)))
@pytest.mark.filterwarnings("ignore:.*no variance:RuntimeWarning")
def test_within_fold_depends_on_the_folds_and_not_on_order_or_names(x, order):
    labels = np.array([7, -2, 300])[DEALT]
    one = cv_clt(x, folds=DEALT, variance="within_fold", alternative="less")
    order = list(order)
    other = cv_clt(x[order], folds=labels[order], variance="within_fold", alternative="less")
    assert_allclose(other.pvalue, one.pvalue, rtol=1e-9)


def test_within_fold_without_variance_inside_is_recognised_through_noise():
    x = np.repeat([0.3, -0.2, -0.1], 3)  # each fold constant; the mean is rounding noise
    result = cv_clt(x, folds=np.repeat([0, 1, 2], 3), variance="within_fold")
    assert (result.statistic, result.pvalue, result.standard_error) == (0, 1, 0)
    assert cv_clt(x).standard_error > 0.05
    assert cv_clt([0.1, 0.2, -0.3, 0.0]).estimate == 0.0 != np.mean([0.1, 0.2, -0.3, 0.0])


@pytest.mark.parametrize("options", [
    {}, {"variance": "within_fold", "folds": [0, 0, 0, 1, 1, 1, 1]},
])
@pytest.mark.parametrize("value", [1 / 3, -0.1, 1.0])
def test_constant_differences(options, value):
    with pytest.warns(RuntimeWarning, match="no variance") as record:
        result = cv_clt([value] * 7, **options)
    assert record[0].filename == __file__
    assert (result.statistic, result.pvalue) == (np.copysign(np.inf, value), 0)
    assert result.confidence_interval() == (result.estimate, result.estimate)
    with pytest.warns(RuntimeWarning):
        away = cv_clt([value] * 7, **options, alternative="less" if value > 0 else "greater")
    assert away.pvalue == 1
    for alternative in ALTERNATIVES:
        nothing = cv_clt([0] * 7, **options, alternative=alternative)
        assert (nothing.statistic, nothing.pvalue, nothing.estimate) == (0, 1, 0)


# ------------------------------------------------------------------ conservative z


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_conservative_z_is_its_formula(alternative):
    rng = np.random.default_rng(3)
    x, halves = rng.normal(size=(4, 3, 15)), rng.normal(size=(4, 3, 10, 2, 7))
    result = conservative_z(x, halves=halves, alternative=alternative)
    assert isinstance(result, ZTestResult) and result.n == 15
    for index in np.ndindex(4, 3):
        mean, error = plain_conservative_z(x[index].tolist(), halves[index].tolist())
        assert result.estimate[index] == pytest.approx(mean, rel=1e-12)
        assert result.standard_error[index] == pytest.approx(error, rel=1e-12)
        p = plain_pvalue(mean / error, alternative)
        assert result.pvalue[index] == pytest.approx(p, rel=1e-11)


def test_conservative_z_broadcasts_leading_axes():
    rng = np.random.default_rng(4)
    x, halves = rng.normal(size=(4, 1, 5)), rng.normal(size=(3, 1, 2, 1))
    result = conservative_z(x, halves=halves)
    assert result.statistic.shape == result.estimate.shape == result.pvalue.shape == (4, 3)
    one = conservative_z(x[2, 0], halves=halves[1])
    assert result.statistic[2, 1] == pytest.approx(one.statistic)
    result.estimate[0] = 7  # an array of its own, not a view
    assert conservative_z([0.1], halves=[[[0.1], [0.3]]]).n == 1


def test_conservative_z_without_variance():
    equal = [[[0.1, 0.3], [0.3, 0.1]], [[0.2, 0.2], [0.4, 0.0]]]
    with pytest.warns(RuntimeWarning, match="no variance") as record:
        result = conservative_z([0.1, -0.3], halves=equal)
    assert record[0].filename == __file__
    assert (result.statistic, result.pvalue) == (-np.inf, 0)
    for halves in (equal, np.zeros((3, 2, 5))):
        nothing = conservative_z([0.3, -0.2, -0.1], halves=halves)
        assert (nothing.statistic, nothing.pvalue) == (0, 1)
    assert conservative_z([0, 0], halves=[[[1], [2]]], alternative="less").pvalue == 0.5


# ------------------------------------------------------------------ combined F


def test_five_by_two_cv_f_is_the_formula_of_alpaydin():
    blocks = np.random.default_rng(5).normal(0.02, 0.05, size=(20, 5, 2))
    ours = five_by_two_cv_f(blocks)
    assert isinstance(ours, FTestResult)
    assert (ours.n, ours.df, ours.alternative) == (10, (10, 5), "two-sided")
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


def test_axes_of_f():
    x = np.random.default_rng(12).normal(size=(5, 3, 2))
    expected = five_by_two_cv_f(np.moveaxis(x, 1, 0)).statistic
    assert_array_equal(five_by_two_cv_f(x, axis=(0, 2)).statistic, expected)
    assert_array_equal(five_by_two_cv_f(x.transpose(2, 1, 0), axis=(2, 0)).statistic, expected)


@pytest.mark.parametrize("runs", [[0.1] * 5, [0.1, -0.1, 0, 0.3, -0.3]])
def test_f_without_variance(runs):
    block = np.repeat(np.array(runs)[:, np.newaxis], 2, axis=1)
    with pytest.warns(RuntimeWarning, match="no variance") as record:
        result = five_by_two_cv_f(block)
    assert record[0].filename == __file__
    assert (result.statistic, result.pvalue) == (np.inf, 0)
    assert tuple(five_by_two_cv_f(0 * block)) == (0, 1)
    noise = block + 1e-15 * np.array([1, -1])
    with pytest.warns(RuntimeWarning, match="1 of 2 samples"):
        assert five_by_two_cv_f([noise, 0 * block]).statistic.tolist() == [np.inf, 0]
