"""Sorted runs and the corrected t test: thresholds of both tests, the share by quadrature."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from scipy import stats

from companion.lab.experiments import runner
from companion.papers import uci
from companion.studies import sorting_as_correction
from replib import schemes, significance

RUNS = 4


blocks = arrays(
    float,
    st.tuples(st.integers(1, 5), st.integers(2, 6)),
    elements=st.integers(-20, 20).map(float),
).filter(
    lambda block: np.ptp(np.sort(block, axis=-1).mean(axis=0)) > 0 and block.mean() != 0
)


@given(blocks, st.floats(0.001, 0.5))
def test_ratio_of_thresholds_is_that_of_the_two_tests(block, alpha):
    runs, folds = block.shape
    sample = schemes.sample(block, scheme="average_over_sorted_runs")
    by_sorting = significance.paired_t(sample)
    corrected = significance.corrected_resampled_t(
        block, test_train_ratio=1 / (folds - 1), axis=(-2, -1)
    )
    threshold = lambda result: abs(
        result.estimate / result.statistic * stats.t.isf(alpha / 2, result.df)
    )
    assert_allclose(
        sorting_as_correction.ratio_of_thresholds(
            sorting_as_correction.within_rank_share(block), runs, folds, alpha
        ),
        threshold(by_sorting) / threshold(corrected),
        rtol=1e-9,
    )


@pytest.mark.parametrize(
    "runs, folds, alpha", [(10, 10, 0.05), (2, 10, 0.01), (100, 5, 0.1)]
)
def test_thresholds_are_equal_at_the_share_of_equal_thresholds(runs, folds, alpha):
    equal = sorting_as_correction.share_of_equal_thresholds(runs, folds, alpha)
    assert_allclose(
        sorting_as_correction.ratio_of_thresholds(equal, runs, folds, alpha),
        1,
        rtol=1e-12,
    )


def test_within_rank_share_of_independent_normal_differences():
    """E W / E S = (r-1) sum Var X_(j) / (rk-1), with the variances by quadrature.

    0.002 is over five deviations of 20 seeds; with the divisor of all runs and folds the share is
    0.209 for 0.190, and always found.
    """
    x = np.linspace(-9, 9, 20001)
    variances = []
    for j in range(10):
        weight = stats.beta.pdf(stats.norm.cdf(x), j + 1, 10 - j) * stats.norm.pdf(x)
        mean = np.trapezoid(weight * x, x)
        variances.append(np.trapezoid(weight * (x - mean) ** 2, x))
    rng = np.random.default_rng(np.random.SeedSequence(1))
    shares = sorting_as_correction.within_rank_share(rng.normal(size=(20_000, 10, 10)))
    # a mean of ratios is not the ratio of means: the two differ by less than 0.001 here
    assert abs(shares.mean() - 9 * sum(variances) / 99) < 0.002


def test_both_tests_decide_alike_as_counted():
    rng = np.random.default_rng(np.random.SeedSequence(22))
    sizes = uci.test_sizes("uci_cross_validation", "labor")
    counts = rng.binomial(
        sizes[:, None], [0.75, 0.65, 0.7], (2 * uci.TABLE, RUNS, 10, 3)
    )
    experiment = uci.experiment("uci_cross_validation", "labor")
    results = {"labor": runner.Replications(experiment, counts.astype(np.uint8), {})}
    frame = sorting_as_correction.decisions(results, runs=RUNS)
    row = frame[frame["pair"] == "c45_nn"].iloc[0]
    block = uci.differences(results, "uci_cross_validation", "c45_nn")["labor"]
    decisions = [
        (
            stats.ttest_1samp(np.sort(one, axis=-1).mean(axis=0), 0).pvalue >= 0.05,
            significance.corrected_resampled_t(
                one.ravel(), test_train_ratio=1 / 9
            ).pvalue
            >= 0.05,
        )
        for one in block
    ]
    assert row["sorted_runs"] == 100 * np.mean([a for a, _ in decisions])
    assert row["corrected"] == 100 * np.mean([b for _, b in decisions])
    assert row["same"] == 100 * np.mean([a == b for a, b in decisions])
