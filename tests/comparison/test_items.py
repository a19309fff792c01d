"""Comparisons on the items of one test set: what they answer, and what they refuse or note."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from replib.comparison import compare_item_scores, compare_predictions
from replib.comparison.items import SPEAKS_OF


def _answers(seed=0, runs=5, items=200, shift=0.4):
    rng = np.random.default_rng(seed)
    difficulty = rng.normal(size=items)
    one = lambda mean: (difficulty + rng.normal(mean, 1, (runs, items)) > 0).astype(int)
    return one(shift), one(0.0)


A, B = _answers()


@pytest.mark.parametrize("runs", [1, 5])
def test_the_default_question_is_the_widest_that_can_be_answered(runs):
    result = compare_item_scores(A[:runs], B[:runs])
    assert result.generalize == ("both" if runs > 1 else "items")
    assert SPEAKS_OF[result.generalize] in result.sentence()


def test_a_sentence_says_by_how_much_the_better_one_is_better():
    said = compare_item_scores(A, B, names=("new", "old")).sentence()
    assert "new" in said.split(" had ")[0]
    numbers = re.search(r"\(difference .*?;", said)[0]
    assert numbers in compare_item_scores(B, A, names=("old", "new")).sentence()


def test_one_run_of_right_and_wrong_is_tested_exactly():
    result = compare_item_scores(A[0], B[0])
    wins, losses = (A[0] > B[0]).sum(), (A[0] < B[0]).sum()
    assert result.pvalue == pytest.approx(stats.binomtest(wins, wins + losses).pvalue, rel=1e-10)
    same = compare_predictions(np.ones(200, int), A[0], B[0], labels=[0, 1])
    assert result.pvalue == same.pvalue
    assert result.confidence_interval() == same.confidence_interval()
    assert result.df is None and result.agreement is None
    assert "McNemar" in result.sentence()


def test_one_run_of_scores_is_a_paired_t_test():
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(2, 30))
    assert compare_item_scores(a, b).pvalue == pytest.approx(stats.ttest_rel(a, b).pvalue)


@pytest.mark.parametrize("question", SPEAKS_OF)
def test_predictions_of_runs_are_compared_as_their_items(question):
    y = np.random.default_rng(5).integers(0, 3, 200)
    pred = [np.where(x == 1, y, (y + 1) % 3) for x in (A, B)]
    expected = compare_item_scores(A, B, generalize=question)
    as_text = [np.array(["x", "y", "z"])[p] for p in (y, *pred)]
    as_frames = (pd.Series(y), *(pd.DataFrame(p) for p in pred))
    for given in ((y, *pred), as_text, as_frames):
        result = compare_predictions(*given, generalize=question)
        assert result.pvalue == expected.pvalue and result.metric == "accuracy"


def test_frames_are_aligned_by_the_names_of_items():
    names = [f"q{i}" for i in range(200)]
    a, b = pd.DataFrame(A, columns=names), pd.DataFrame(B, columns=names)
    expected = compare_item_scores(A, B).pvalue
    assert compare_item_scores(a, b[names[::-1]]).pvalue == expected
    assert compare_item_scores(a.loc[0], b.loc[0][names[::-1]]).pvalue == pytest.approx(
        compare_item_scores(A[0], B[0]).pvalue
    )


def test_agreement_and_replication_follow_the_decision():
    result = compare_item_scores(A, B)
    assert result.decision == 1 and result.agreement.decision == 1
    assert result.agreement.low <= result.agreement.point <= result.agreement.high
    assert result.agreement.point == pytest.approx(result.agreement.better[0])
    mirrored = compare_item_scores(B, A)
    assert mirrored.decision == -1
    assert mirrored.agreement.point == pytest.approx(result.agreement.point)
    again = result.replication_probability()
    assert mirrored.replication_probability().point == pytest.approx(again.point)
    # new items besides new seeds make the same decision less sure here
    assert again.point < result.agreement.point


@pytest.mark.parametrize(
    ("a", "b", "options", "message"),
    [
        (A.T, B.T, {}, "transpose"),
        (A.T, B.T, {"groups": np.arange(200) // 5}, "transpose"),
        (A[:, :-1], B, {}, "199 items and .* 200"),
        (A[[0, 0]], B[[1, 1]], {}, "one run repeated"),
        (np.where(A == 1, np.nan, A), B, {}, "missing or infinite, the first in run 1 on item"),
        (np.ma.masked_equal(A, 0), B, {}, "masked"),
        (100.0 * A, B, {}, "same scale"),
        (A[0], B[0], {"generalize": "both"}, "two or more runs"),
        (A[0], B, {"generalize": "seeds"}, "two or more runs"),
        (A, B[:3], {"paired_runs": True}, "need the same runs"),
        (A, B, {"groups": np.zeros(200)}, "one cluster"),
        (A, B, {"groups": np.arange(5)}, "each of the 200 items"),
        (A, B, {"groups": [None] * 200}, "no cluster for 200 of the 200 items"),
        (A, B, {"generalize": "instances"}, "generalize must be one of"),
        (A, B, {"names": ("x", "x")}, "two different names"),
        (A, B, {"alpha": 5}, "alpha must"),
        (A[:, :1], B[:, :1], {}, "at least two items"),
        (A[None], B[None], {}, "block of runs x items"),
        ([["yes", "no"]], [["no", "no"]], {}, "real numbers"),
        (pd.DataFrame(A), pd.DataFrame(B).rename(columns={0: 200}), {}, "different labels"),
    ],
)
def test_mistakes_are_refused_in_one_sentence(a, b, options, message):
    with pytest.raises(ValueError, match=message) as caught:
        compare_item_scores(a, b, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "options",
    [{}, {"generalize": "items"}, {"generalize": "seeds"}, {"paired_runs": True},
     {"groups": np.arange(200) // 10}, {"groups": [f"text {i // 4}" for i in range(200)]}],
)
def test_right_uses_draw_no_note_and_no_warning(options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = compare_item_scores(A, B, **options)
        result.to_dict()
    assert result.notes == ()
    assert compare_item_scores(A[:, :20].repeat(1, 0), B[:, :20]).notes == ()


@pytest.mark.slow
def test_equal_models_err_as_often_as_they_may():
    """600 null experiments of three runs: at most 6%, with four standard errors of 0.97%."""
    rejected = 0
    for seed in range(600):
        rng = np.random.default_rng([seed, 7])
        difficulty = rng.normal(size=100)
        a, b = difficulty + rng.normal(0, 0.3, (2, 3, 1)) + rng.normal(size=(2, 3, 100)) > 0
        rejected += compare_item_scores(a, b).pvalue < 0.05
    assert rejected / 600 < 0.06 + 4 * 0.0097
    assert rejected > 4


# ------------------------------------------------------------------ tables, pages and pictures


def _by_hand(runs=4, seed=2, **options):
    a, b = _answers(seed, runs, 60)
    return compare_item_scores(a, b, names=("new", "old"), **options), a, b


@pytest.mark.parametrize("groups", [None, np.arange(60) // 3])
@pytest.mark.parametrize("runs", [1, 4])
def test_a_table_has_the_numbers_of_the_result(runs, groups):
    result, a, b = _by_hand(runs, groups=groups)
    (row,) = result.to_frame().to_dict("records")
    again, agreement, parts = (
        result.replication_probability(), result.agreement, result.components
    )
    unknown = pytest.approx(np.nan, nan_ok=True)
    assert row == {
        "a": "new", "b": "old", "metric": "score", "items": 60, "runs": runs,
        "generalize": "both" if runs > 1 else "items",
        "clusters": unknown if groups is None else 20,
        "mean_a": a.mean(), "mean_b": b.mean(), "difference": a.mean() - b.mean(),
        "low": result.confidence_interval()[0], "high": result.confidence_interval()[1],
        "statistic": result.statistic, "df": unknown if result.df is None else result.df,
        "pvalue": result.pvalue, "decision": result.decision,
        "agreement": agreement.point if agreement else unknown,
        "agreement_low": agreement.low if agreement else unknown,
        "agreement_high": agreement.high if agreement else unknown,
        "replication": again.point, "replication_low": again.low, "replication_high": again.high,
        "variance_item": parts.item, "variance_cluster": parts.cluster,
        "variance_seed": parts.seed, "variance_interaction": parts.interaction,
    }
    assert (agreement is None) == (runs == 1)
