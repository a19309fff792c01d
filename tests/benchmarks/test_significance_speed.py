"""Speed of the tests and intervals compared with other packages: see conftest.py."""

import baycomp
import mlxtend.evaluate
import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.metrics import roc_auc_score
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from replib.comparison import compare_item_scores, compare_predictions, compare_scores
from replib.significance import (
    corrected_resampled_t,
    five_by_two_cv_t,
    mcnemar,
    paired_t,
    signed_rank,
)

pytestmark = pytest.mark.benchmarks


def test_corrected_t(beside):
    tests, few = 20_000, 200
    blocks = np.random.default_rng(1).normal(0.01, 0.05, size=(tests, 10, 10))
    zero = np.zeros(100)

    def ours():
        return corrected_resampled_t(blocks, test_train_ratio=1 / 9, axis=(-2, -1))

    def loop():
        return [2 * min(baycomp.two_on_single(x.ravel(), zero, runs=10)) for x in blocks[:few]]

    assert_allclose(ours().pvalue[:few], loop(), rtol=1e-8)
    beside("corrected t, 10 × 10 differences", (ours, tests), {"baycomp": (loop, few)})


def test_one_comparison(beside):
    a, b = 0.9 + np.random.default_rng(0).normal(0, 0.03, (2, 100))
    beside(
        "compare_scores: corrected t, agreement, runs needed",
        (lambda: compare_scores(a, b, cv="10x10").to_frame(), 1),
        {"baycomp (p only)": (lambda: baycomp.two_on_single(a, b, runs=10), 1)}, repeats=20,
    )


def test_paired_t(beside):
    tests = 20_000
    x = np.random.default_rng(2).normal(0.01, 0.05, size=(tests, 100))
    assert_allclose(paired_t(x).pvalue, stats.ttest_1samp(x, 0, axis=-1).pvalue)
    beside(
        "paired t, 100 differences, many tests at once", (lambda: paired_t(x), tests),
        {"scipy": (lambda: stats.ttest_1samp(x, 0, axis=-1), tests)},
    )


def test_mcnemar(beside):
    tests, few = 1_000_000, 500
    n10, n01 = np.random.default_rng(3).integers(1, 40, size=(2, tests))
    tables = [np.array([[50, b], [c, 10]]) for b, c in zip(n10[:few], n01[:few])]

    def of_mlxtend():
        return [mlxtend.evaluate.mcnemar(t, exact=True)[1] for t in tables]

    def of_statsmodels():
        return [statsmodels_mcnemar(t, exact=True).pvalue for t in tables]

    for theirs in (of_mlxtend(), of_statsmodels()):
        assert_allclose(mcnemar(n10, n01).pvalue[:few], theirs, rtol=1e-10)
    beside(
        "McNemar's test, exact", (lambda: mcnemar(n10, n01), tests),
        {"mlxtend": (of_mlxtend, few), "statsmodels": (of_statsmodels, few)},
    )


def test_five_by_two_cv_t(beside):
    tests, few = 200_000, 500
    blocks = np.random.default_rng(4).normal(0.01, 0.05, size=(tests, 5, 2))

    def arithmetic_of_mlxtend():
        """The statements of mlxtend.evaluate.paired_ttest_5x2cv, which takes no scores."""
        pvalues = []
        for block in blocks[:few]:
            variance = 0.0
            for first, second in block:
                mean = (first + second) / 2.0
                variance += (first - mean) ** 2 + (second - mean) ** 2
            t = block[0, 0] / np.sqrt(1 / 5.0 * variance)
            pvalues.append(stats.t.sf(np.abs(t), 5) * 2.0)
        return pvalues

    assert_allclose(five_by_two_cv_t(blocks[:few]).pvalue, arithmetic_of_mlxtend(), rtol=1e-10)
    beside(
        "5×2cv t", (lambda: five_by_two_cv_t(blocks), tests),
        {"mlxtend (its arithmetic)": (arithmetic_of_mlxtend, few)},
    )


@pytest.mark.parametrize(("n", "method"), [(100, "normal"), (10, "exact")])
def test_signed_rank(beside, n, method):
    tests = 5_000
    x = np.random.default_rng(5).normal(0.01, 0.05, size=(tests, n))
    scipy_method = {"normal": "approx", "exact": "exact"}[method]

    def of_scipy():
        return stats.wilcoxon(x, axis=-1, method=scipy_method).pvalue

    assert_allclose(signed_rank(x, method=method).pvalue, of_scipy(), rtol=1e-10)
    beside(
        f"signed rank, {method}, {n} differences, many tests at once",
        (lambda: signed_rank(x, method=method), tests), {"scipy": (of_scipy, tests)},
    )


def test_clusters(beside):
    rng = np.random.default_rng(6)
    groups = np.repeat(np.arange(50), 40)
    a, b = rng.normal(size=(2, groups.size)) + rng.normal(size=(2, 50))[:, groups]

    def ours():
        return compare_item_scores(a, b, groups=groups)

    def of_statsmodels():
        one = sm.OLS(a - b, np.ones(groups.size))
        return one.fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)

    assert_allclose(ours().pvalue, of_statsmodels().pvalues[0], rtol=1e-10)
    beside("difference of 2,000 items in 50 clusters", (ours, 1),
           {"statsmodels": (of_statsmodels, 1)}, repeats=20)


def test_area_under_the_curve(beside):
    rng = np.random.default_rng(7)
    y = pd.Series(rng.integers(2, size=2_000))
    a, b = np.clip(0.5 + 0.2 * (y.to_numpy() - 0.5) + rng.normal(0, 0.15, (2, len(y))), 0, 1)

    def areas():
        return roc_auc_score(y, a), roc_auc_score(y, b)

    beside(
        "DeLong's test, 2,000 instances",
        (lambda: compare_predictions(y, a, b, metric="roc_auc").pvalue, 1),
        {"scikit-learn (the two areas only)": (areas, 1)}, repeats=20,
    )
