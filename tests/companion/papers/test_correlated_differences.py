"""Theory of dependent differences: closed forms, simulation, and where it must be exact."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from companion.papers.correlated_differences import (
    equicorrelated_type1_error,
    scale_of_t,
    type1_error_of_scaled_t,
)
from replib.significance import corrected_resampled_t, paired_t


@pytest.mark.parametrize(
    ("n", "rho", "ratio"), [(10, 0.1, 0), (30, 0.3, 0), (10, 0.3, 1 / 9)]
)
def test_equicorrelated_type1_error_is_that_of_simulated_differences(n, rho, ratio):
    """A correlation that is off by 0.02 is found with probability 0.99."""
    repetitions = 40_000
    rng = np.random.default_rng(2010)
    common, own = rng.normal(size=(repetitions, 1)), rng.normal(size=(repetitions, n))
    x = np.sqrt(rho) * common + np.sqrt(1 - rho) * own
    test = corrected_resampled_t(x, test_train_ratio=ratio) if ratio else paired_t(x)
    size = equicorrelated_type1_error(rho, n, test_train_ratio=ratio)
    error = np.sqrt(size * (1 - size) / repetitions)
    assert (
        abs((test.pvalue < 0.05).mean() - size) < 4 * error
    )  # fails once in 16 000 seeds


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("n", [2, 10, 100])
def test_sizes_where_the_assumed_correlation_is_the_true_one(n, alpha):
    size = equicorrelated_type1_error
    assert size(0, n, alpha=alpha) == pytest.approx(alpha)
    for share in (0.1, 1 / 3, 0.5):
        ratio = share / (1 - share)
        assert size(share, n, test_train_ratio=ratio, alpha=alpha) == pytest.approx(
            alpha
        )


@pytest.mark.parametrize("ratio", [0.0, 0.25, 1.0, 3.0])
@pytest.mark.parametrize("n", [2, 7, 200])
def test_scaled_t_by_scipy(n, ratio):
    """P(|sqrt(ratio) T| > critical); with n = 2, T is Cauchy: 1 - (2 / pi) arctan."""
    error = type1_error_of_scaled_t(ratio, n, alpha=0.1)
    critical = stats.t.isf(0.05, n - 1)
    if ratio == 0:
        assert error == 0
    else:
        assert error == pytest.approx(
            2 * stats.t.sf(critical / np.sqrt(ratio), n - 1), rel=1e-12
        )
    if n == 2 and ratio:
        assert critical == pytest.approx(
            np.tan(np.pi * 0.45), rel=1e-10
        )  # 2e-11 by SciPy 1.15
        cauchy = 1 - 2 / np.pi * np.arctan(critical / np.sqrt(ratio))
        assert error == pytest.approx(cauchy, rel=1e-12)


@pytest.mark.parametrize("k", [2, 5, 10])
def test_scale_of_t_follows_from_two_variances(k):
    """Of correlation rho: var(mean) = (1 + (k-1) rho) / k, and s^2 has mean 1 - rho."""
    for rho in (
        Fraction(-1, k),
        Fraction(-1, 3 * k),
        Fraction(0),
        Fraction(1, k),
        Fraction(9, 10),
    ):
        between, within = (1 + (k - 1) * rho) / k, 1 - rho
        claimed = (Fraction(1, k) + Fraction(1, k - 1)) * within
        assert scale_of_t(float(rho), k) ** 2 == pytest.approx(
            float(between / claimed), rel=1e-12, abs=1e-15
        )
    assert scale_of_t(1 / k, k) == pytest.approx(1)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: equicorrelated_type1_error([0.1, 1.0], 5), "rho"),
        (
            lambda: equicorrelated_type1_error(0.1, 5, test_train_ratio=-1),
            "test_train_ratio",
        ),
        (lambda: type1_error_of_scaled_t([1.0, -1.0], 5), "ratio"),
        (lambda: scale_of_t(-0.25, 5), "= -0.25 and below 1, not -0.25"),
    ],
)
def test_values_outside_the_range_are_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()
