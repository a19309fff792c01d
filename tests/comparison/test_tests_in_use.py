"""Tests in use: the library's results, decisions at any level, errors by simulation."""

import numpy as np
import pytest
from scipy import stats
from scores_of_two import A, B

from replib import methods, schemes, significance, theory
from replib.comparison import agreement, compare_scores


def test_direct_use_of_the_library():
    result = compare_scores(A, B, cv="10x10")
    block = (A - B).reshape(10, 10)
    tests = result.tests()
    direct = significance.corrected_resampled_t(block, test_train_ratio=1 / 9, axis=(-2, -1))
    assert (result.statistic, result.pvalue) == tuple(direct)
    assert result.confidence_interval() == direct.confidence_interval()
    ordered = schemes.sample(block, scheme="average_over_sorted_runs")
    assert tests.at["t on sorted runs", "pvalue"] == significance.paired_t(ordered).pvalue
    assert tests.at["paired t on all differences", "pvalue"] == stats.ttest_rel(A, B).pvalue
    assert tests.at["corrected t on all differences", "agreement"] == result.agreement.point
    assert result.agreement.point == agreement.predict(block, test_train_ratio=1 / 9).point


@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.2])
@pytest.mark.parametrize("shift", [-0.02, 0.004, 0.02])
def test_the_table_of_tests_decides_by_the_level(alpha, shift):
    tests = compare_scores(A - np.mean(A - B) + shift, B, cv="10x10", alpha=alpha).tests()
    rejects = (tests["pvalue"] < alpha).to_numpy()
    assert tests["decision"].tolist() == np.where(rejects, np.sign(shift), 0).tolist()
    plain = ["paired t" in name for name in tests.index]
    assert tests["type_1_error"].notna().tolist() == plain
    on_all = theory.equicorrelated_type1_error(0.1, 100, alpha=alpha)
    assert tests.at["paired t on all differences", "type_1_error"] == on_all


@pytest.mark.parametrize("options", [{"cv": "10x10"}, {"test_fraction": 0.001}])
def test_the_verdict_is_about_the_type_1_error(options):
    tests = compare_scores(A, B, **options).tests()
    for name, test in tests.iterrows():
        if name.startswith("corrected") and "cv" in options:
            assert test["verdict"].startswith("recommended, measured: ")
        elif "cv" in options:
            holds = "sorted runs" in name
            assert ("holds its level, measured: " in test["verdict"]) == holds
            assert ("finds differences that are not there, measured" in test["verdict"]) != holds
        else:
            assert test["verdict"] == "not examined"


def test_new_evidence_changes_what_is_recommended(monkeypatch):
    before = methods.EVIDENCE["corrected_repeated_cv"]
    monkeypatch.setitem(
        methods.EVIDENCE, "corrected_repeated_cv", before._replace(type_1_error=0.09)
    )
    tests = compare_scores(A, B, cv="10x10").tests()
    verdict = tests.at["corrected t on all differences", "verdict"]
    assert verdict .startswith("finds differences that are not there, measured: 9.0%")


def test_a_claim_about_a_test_needs_evidence_of_these_runs_folds_and_level():
    tests = compare_scores(A, B, runs=20, folds=5).tests()
    assert tests.at["t on sorted runs", "verdict"] == "not examined"
    tests = compare_scores(A, B, cv="10x10", alpha=0.01).tests()
    assert tests.at["t on sorted runs", "verdict"] == "not examined"


def test_random_splits_and_single_runs_have_the_tests_that_they_allow():
    """Each with the error that plain t tests have of differences correlated by the test share."""
    splits = compare_scores(A, B, test_fraction=0.2).tests()
    plain = stats.ttest_rel(A, B)
    row = splits.loc["paired t on all splits"]
    assert (row["statistic"], row["pvalue"]) == pytest.approx(tuple(plain), rel=1e-10)
    assert row["type_1_error"] == theory.equicorrelated_type1_error(0.2, 100)
    corrected = splits.loc["corrected resampled t"]
    shrunk = plain.statistic * np.sqrt((1 / 100) / (1 / 100 + 0.2 / 0.8))
    assert corrected["statistic"] == pytest.approx(shrunk, rel=1e-10)

    run = compare_scores(A[:8], B[:8], runs=1, folds=8).tests()
    assert run.index.tolist() == ["corrected t on all differences", "paired t on the first run"]
    row, plain = run.loc["paired t on the first run"], stats.ttest_rel(A[:8], B[:8])
    assert (row["statistic"], row["pvalue"]) == pytest.approx(tuple(plain), rel=1e-10)
    assert row["type_1_error"] == theory.equicorrelated_type1_error(1 / 8, 8)
