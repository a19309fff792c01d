"""Speed of the significance tests beside other packages, in one run: prints, asserts no time.

    python -m pytest tests/benchmarks -m benchmarks -s
"""

from collections.abc import Callable
from statistics import median
from time import perf_counter

import baycomp
import mlxtend.evaluate
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from replib.significance import (
    corrected_resampled_t,
    five_by_two_cv_t,
    mcnemar,
    paired_t,
    signed_rank,
)

pytestmark = pytest.mark.benchmarks

REPEATS = 5


def microseconds(run: Callable[[], object], calls: int) -> float:
    """Median time of a call, in microseconds, where `run` makes that many calls."""
    times = []
    for _ in range(REPEATS):
        start = perf_counter()
        run()
        times.append(perf_counter() - start)
    return median(times) / calls * 1e6


def report(task: str, ours: float, peers: dict[str, float]) -> None:
    print(f"\n{task}\n  {'replib':32} {ours:10.3f} us per test")
    for name, theirs in peers.items():
        print(f"  {name:32} {theirs:10.3f} us per test  {theirs / ours:8.0f} x")


def test_speed_of_corrected_t():
    tests, peer_tests = 100_000, 500
    blocks = np.random.default_rng(1).normal(0.01, 0.05, size=(tests, 10, 10))
    few = blocks[:peer_tests].reshape(peer_tests, 100)
    zero = np.zeros(100)

    def ours():
        return corrected_resampled_t(blocks, test_train_ratio=1 / 9, axis=(-2, -1))

    def baycomp_loop():
        return [2 * min(baycomp.two_on_single(x, zero, runs=10)) for x in few]

    assert_allclose(ours().pvalue[:peer_tests], baycomp_loop(), rtol=1e-8)
    report(
        f"corrected t test of 10 x 10 differences, {tests} tests ({peer_tests} for peers)",
        microseconds(ours, tests),
        {"baycomp.two_on_single": microseconds(baycomp_loop, peer_tests)},
    )


def test_speed_of_paired_t():
    tests = 100_000
    x = np.random.default_rng(2).normal(0.01, 0.05, size=(tests, 100))
    report(
        f"paired t test of 100 differences, {tests} tests",
        microseconds(lambda: paired_t(x), tests),
        {"scipy.stats.ttest_1samp (axis)": microseconds(
            lambda: stats.ttest_1samp(x, 0, axis=-1), tests)},
    )


@pytest.mark.parametrize("method", ["exact", "corrected"])
def test_speed_of_mcnemar(method):
    tests, peer_tests = 1_000_000, 1_000
    n10, n01 = np.random.default_rng(3).integers(1, 40, size=(2, tests))
    tables = [np.array([[50, b], [c, 10]]) for b, c in zip(n10[:peer_tests], n01[:peer_tests])]
    exact = method == "exact"

    def ours():
        return mcnemar(n10, n01, method=method)

    def mlxtend_loop():
        return [mlxtend.evaluate.mcnemar(t, exact=exact)[1] for t in tables]

    def statsmodels_loop():
        return [statsmodels_mcnemar(t, exact=exact).pvalue for t in tables]

    if exact:  # the others' corrected statistic is wrong where n10 = n01
        assert_allclose(ours().pvalue[:peer_tests], mlxtend_loop(), rtol=1e-10)
        assert_allclose(ours().pvalue[:peer_tests], statsmodels_loop(), rtol=1e-10)
    report(
        f"McNemar's test, {method}, {tests} tests ({peer_tests} for peers)",
        microseconds(ours, tests),
        {
            "mlxtend.evaluate.mcnemar": microseconds(mlxtend_loop, peer_tests),
            "statsmodels mcnemar": microseconds(statsmodels_loop, peer_tests),
        },
    )


def test_speed_of_five_by_two_cv_t():
    tests, peer_tests = 1_000_000, 1_000
    blocks = np.random.default_rng(4).normal(0.01, 0.05, size=(tests, 5, 2))

    def arithmetic_of_mlxtend():
        """The statements of mlxtend.evaluate.paired_ttest_5x2cv, which takes no scores."""
        pvalues = []
        for block in blocks[:peer_tests]:
            variance = 0.0
            for first, second in block:
                mean = (first + second) / 2.0
                variance += (first - mean) ** 2 + (second - mean) ** 2
            t = block[0, 0] / np.sqrt(1 / 5.0 * variance)
            pvalues.append(stats.t.sf(np.abs(t), 5) * 2.0)
        return pvalues

    assert_allclose(
        five_by_two_cv_t(blocks[:peer_tests]).pvalue, arithmetic_of_mlxtend(), rtol=1e-10
    )
    report(
        f"5x2cv t test, {tests} tests ({peer_tests} for peers)",
        microseconds(lambda: five_by_two_cv_t(blocks), tests),
        {"arithmetic of mlxtend": microseconds(arithmetic_of_mlxtend, peer_tests)},
    )


@pytest.mark.parametrize(("n", "method"), [(100, "normal"), (10, "exact")])
def test_speed_of_signed_rank(n, method):
    tests, peer_tests = 20_000, 50
    x = np.random.default_rng(5).normal(0.01, 0.05, size=(tests, n))
    scipy_method = {"normal": "approx", "exact": "exact"}[method]

    def scipy_loop():
        return [stats.wilcoxon(row, method=scipy_method).pvalue for row in x[:peer_tests]]

    def scipy_axis():
        return stats.wilcoxon(x, axis=-1, method=scipy_method).pvalue

    assert_allclose(signed_rank(x, method=method).pvalue, scipy_axis(), rtol=1e-10)
    report(
        f"signed-rank test of {n} differences, {method}, {tests} tests ({peer_tests} in the loop)",
        microseconds(lambda: signed_rank(x, method=method), tests),
        {
            "scipy.stats.wilcoxon (loop)": microseconds(scipy_loop, peer_tests),
            "scipy.stats.wilcoxon (axis)": microseconds(scipy_axis, tests),
        },
    )
