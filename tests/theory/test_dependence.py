"""Theory of dependent differences: closed forms, simulation, and where it must be exact."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from replib import theory
from replib.significance import corrected_resampled_t, paired_t


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
        cauchy = 1 - 2 / np.pi * np.arctan(np.tan(np.pi * 0.45) / np.sqrt(ratio))
        assert error == pytest.approx(cauchy, rel=1e-12)


def test_scheme_variances_of_two_runs_by_hand():
    """Of 16 covariances 4 are 1, 4 within runs 0, 8 between them 1/2; s^2 has mean (4 - 2) / 3."""
    frame = theory.scheme_variances(runs=2, folds=2).set_index(["scheme", "test"])
    row = frame.loc[("use_all_data", "paired_t")]
    assert (row["n"], row["true"]) == (4, 8 / 16)
    assert row["claimed"] == pytest.approx(2 / 3 / 4)
    assert row["ratio"] == pytest.approx(3)
    assert row["type1_error"] == theory.type1_error_of_scaled_t(row["ratio"], 4)


@pytest.mark.parametrize("call, name", [
    (lambda: theory.equicorrelated_type1_error(1.0, 5), "rho"),
    (lambda: theory.equicorrelated_type1_error(-0.1, 5), "rho"),
    (lambda: theory.equicorrelated_type1_error(0.1, 1), "n must"),
    (lambda: theory.equicorrelated_type1_error(0.1, 5, test_train_ratio=-1), "test_train_ratio"),
    (lambda: theory.type1_error_of_scaled_t(np.nan, 5), "ratio"),
    (lambda: theory.type1_error_of_scaled_t(1, 5, alpha=1), "alpha"),
    (lambda: theory.scheme_variances(runs=1, folds=5), "runs"),
    (lambda: theory.scheme_variances(runs=5, folds=2.5), "folds"),
    (lambda: theory.scheme_variances(runs=2**20, folds=2**20), "runs times folds"),
])
def test_bad_input_is_refused(call, name):
    with pytest.raises(ValueError, match=name):
        call()
