"""Theory of dependent differences: closed forms, simulation, and where it must be exact."""

from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from replib import theory
from replib.significance import corrected_resampled_t, paired_t
from replib.theory import dependence


@pytest.mark.parametrize(("runs", "folds"), [(10, 10), (2, 5), (7, 3)])
def test_ratios_of_variances_have_closed_forms(runs, folds):
    r, k = runs, folds
    ratio = theory.scheme_variances(runs=r, folds=k).set_index(["scheme", "test"])["ratio"]
    closed = {
        ("resampling", "paired_t"): 1 + r / (k - 1),
        ("resampling", "corrected_t"): 1,
        ("k_fold", "paired_t"): 1,
        ("k_fold", "corrected_t"): (k - 1) / (2 * k - 1),
        ("use_all_data", "paired_t"): (r * k - 1) / (k - 1),
        ("use_all_data", "corrected_t"): (r * k - 1) / (r * k + k - 1),
        ("average_over_folds", "paired_t"): np.inf,
        ("average_over_runs", "paired_t"): r,
    }
    assert ratio.index.tolist() == list(closed)
    assert_allclose(ratio, list(closed.values()), rtol=1e-12)


@pytest.mark.parametrize(("n", "rho", "ratio"), [(10, 0.1, 0), (30, 0.3, 0), (10, 0.3, 1 / 9)])
def test_equicorrelated_type1_error_is_that_of_simulated_differences(n, rho, ratio):
    repetitions = 40_000
    rng = np.random.default_rng(2010)
    common, own = rng.normal(size=(repetitions, 1)), rng.normal(size=(repetitions, n))
    x = np.sqrt(rho) * common + np.sqrt(1 - rho) * own
    test = corrected_resampled_t(x, test_train_ratio=ratio) if ratio else paired_t(x)
    size = theory.equicorrelated_type1_error(rho, n, test_train_ratio=ratio)
    error = np.sqrt(size * (1 - size) / repetitions)
    assert abs((test.pvalue < 0.05).mean() - size) < 4 * error  # fails once in 16 000 seeds


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("n", [2, 10, 100])
def test_sizes_where_the_assumed_correlation_is_the_true_one(n, alpha):
    size = theory.equicorrelated_type1_error
    assert size(0, n, alpha=alpha) == pytest.approx(alpha)
    for share in (0.1, 1 / 3, 0.5):
        ratio = share / (1 - share)
        assert size(share, n, test_train_ratio=ratio, alpha=alpha) == pytest.approx(alpha)


@pytest.mark.parametrize("ratio", [0.0, 0.25, 1.0, 3.0])
@pytest.mark.parametrize("n", [2, 7, 200])
def test_scaled_t_by_scipy(n, ratio):
    """P(|sqrt(ratio) T| > critical); with n = 2, T is Cauchy: 1 - (2 / pi) arctan."""
    error = theory.type1_error_of_scaled_t(ratio, n, alpha=0.1)
    critical = stats.t.isf(0.05, n - 1)
    if ratio == 0:
        assert error == 0
    else:
        assert error == pytest.approx(2 * stats.t.sf(critical / np.sqrt(ratio), n - 1), rel=1e-12)
    if n == 2 and ratio:
        assert critical == pytest.approx(np.tan(np.pi * 0.45), rel=1e-10)  # 2e-11 by SciPy 1.15
        cauchy = 1 - 2 / np.pi * np.arctan(critical / np.sqrt(ratio))
        assert error == pytest.approx(cauchy, rel=1e-12)


def test_scheme_variances_of_two_runs_by_hand():
    """Of 16 covariances 4 are 1, 4 within runs 0, 8 between them 1/2; s^2 has mean (4 - 2) / 3."""
    frame = theory.scheme_variances(runs=2, folds=2).set_index(["scheme", "test"])
    row = frame.loc[("use_all_data", "paired_t")]
    assert (row["n"], row["true"]) == (4, 8 / 16)
    assert row["claimed"] == pytest.approx(2 / 3 / 4)
    assert row["ratio"] == pytest.approx(3)
    assert row["type1_error"] == theory.type1_error_of_scaled_t(row["ratio"], 4)


def test_the_largest_block_is_allowed(monkeypatch):
    monkeypatch.setattr(dependence, "_LARGEST_BLOCK", 6)
    assert theory.scheme_variances(runs=2, folds=3)["n"].max() == 6
    with pytest.raises(ValueError, match="must be at most 6, not 8"):
        theory.scheme_variances(runs=2, folds=4)


@pytest.mark.parametrize("k", [2, 5, 10])
def test_correlation_of_folds_and_scale_of_t_follow_from_two_variances(k):
    """Of correlation rho: var(mean) = (1 + (k-1) rho) / k, and s^2 has mean 1 - rho."""
    for rho in (Fraction(-1, k), Fraction(-1, 3 * k), Fraction(0), Fraction(1, k),
                Fraction(9, 10)):
        between, within = (1 + (k - 1) * rho) / k, 1 - rho
        found = theory.correlation_of_folds(float(between), float(within), k)
        assert found == pytest.approx(float(rho), rel=1e-12, abs=1e-15)
        claimed = (Fraction(1, k) + Fraction(1, k - 1)) * within
        assert theory.scale_of_t(float(rho), k) ** 2 == pytest.approx(
            float(between / claimed), rel=1e-12, abs=1e-15
        )
    assert theory.scale_of_t(1 / k, k) == pytest.approx(1)
    assert theory.correlation_of_folds([0.0, 3.0], [7.0, 0.1], k)[0] == -1 / (k - 1)


def test_schemes_of_unequal_runs_and_folds_claim_what_s2_has_on_average():
    """By hand for 3 runs of 2 folds: means over runs of the folds, and a resampling of three."""
    frame = theory.scheme_variances(runs=3, folds=2, alpha=0.2).set_index(["scheme", "test"])
    expected = {  # n, true variance of the mean, claimed one
        ("resampling", "paired_t"): (3, (3 + 6 / 2) / 9, (1 - 1 / 2) / 3),
        ("resampling", "corrected_t"): (3, (3 + 6 / 2) / 9, (1 / 3 + 1) * (1 - 1 / 2)),
        ("k_fold", "paired_t"): (2, 1 / 2, 1 / 2),
        ("k_fold", "corrected_t"): (2, 1 / 2, (1 / 2 + 1) * 1),
        # one run and fold: 1/3 of variance 1 and 2/3 of covariance 1/2; two folds: 0 and 1/2
        ("average_over_runs", "paired_t"): (2, (2 / 3 + 1 / 3) / 2, (2 / 3 - 1 / 3) / 2),
        ("average_over_folds", "paired_t"): (3, 1 / 2, 0),
    }
    for row, (n, true, claimed) in expected.items():
        found = frame.loc[row]
        assert (found["n"], found["true"]) == (n, pytest.approx(true))
        assert found["claimed"] == pytest.approx(claimed, abs=1e-15)
        ratio = true / claimed if claimed else np.inf
        assert found["ratio"] == pytest.approx(ratio)
        assert found["type1_error"] == theory.type1_error_of_scaled_t(found["ratio"], n, alpha=0.2)
