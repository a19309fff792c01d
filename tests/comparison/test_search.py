"""The winner of a search: the tests of scikit-learn's example, the choice allowed for, reruns."""

import json
from functools import cache

import numpy as np
import pandas as pd
import pytest
from equal_learners import accuracies
from scipy import stats
from sklearn.datasets import make_moons
from sklearn.model_selection import (
    GridSearchCV,
    RandomizedSearchCV,
    RepeatedStratifiedKFold,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from replib.comparison import SearchComparison, compare_search, words
from replib.comparison.design import read_design


@cache
def example():
    """The search of scikit-learn's "Statistical comparison of models using grid search"."""
    X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    grid = [{"kernel": ["linear"]}, {"kernel": ["poly"], "degree": [2, 3]}, {"kernel": ["rbf"]}]
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    return GridSearchCV(SVC(random_state=0), grid, scoring="roc_auc", cv=cv).fit(X, y)


def made(scores, baseline=0, **options):
    runs, folds = scores.shape[1:]
    design = read_design(f"{runs}x{folds}") if folds > 1 else read_design(
        test_fraction=0.1, runs=runs)
    names = tuple({"k": place} for place in range(len(scores)))
    return SearchComparison(names, scores, design, baseline, **options)


@pytest.mark.slow
def test_the_example_of_scikit_learn():
    result = compare_search(example(), baseline={"kernel": "linear"})
    assert result.best == {"kernel": "rbf"} and result.metric == "roc auc"
    second = result.versus_second
    assert round(second.statistic, 3) == 0.750 and second.df == 99
    assert round(second.pvalue, 3) == 0.455 and round(second.pvalue / 2, 3) == 0.227
    assert result.scores.mean(axis=(1, 2)) == pytest.approx(
        example().cv_results_["mean_test_score"], rel=1e-12
    )
    assert "t(99) = 0.75, p = 0.45)" in result.sentence()
    assert result.pvalue > second.pvalue  # the same pair, allowing for the choice
    by_results = compare_search(
        example().cv_results_, cv="10x10", baseline=0, metric="roc_auc"
    )
    assert by_results.sentence() == result.sentence()
    default = compare_search(example(), baseline=SVC().get_params())
    assert default.pvalue is None and "baseline is the best" in default.sentence()
    plain = GridSearchCV(SVC(), {"C": [0.1, 1.0]}).fit(*make_moons(noise=0.352, random_state=1))
    assert (compare_search(plain).design.runs, compare_search(plain).design.folds) == (1, 5)


def test_without_a_baseline_nothing_is_guessed():
    result = compare_search(example())
    assert result.pvalue is result.decision is result.confidence_interval() is None
    assert "than the baseline" not in result.sentence() and result.notes == ()
    assert "No baseline was named" in result.contents().methods


def test_one_candidate_against_the_baseline_is_the_plain_test():
    """Of two candidates only one can be chosen, and the largest of one |t| is that |t|."""
    rng = np.random.default_rng(0)
    scores = rng.normal([[[0.80]], [[0.83]]], 0.03, (2, 5, 4))
    result = made(scores)
    assert result.pvalue == pytest.approx(result.versus_baseline.pvalue, abs=1e-15)
    largest = np.sort(result._largest)
    assert stats.kstest(largest, lambda t: 1 - 2 * stats.t.sf(t, 19)).pvalue > 0.001


@pytest.mark.slow
def test_equally_correlated_candidates_have_dunnetts_distribution():
    """Independent candidates differ from a common baseline: correlations of a half."""
    rng = np.random.default_rng(1)
    scores = rng.normal(0.8, 0.03, (4, 20_000, 1))
    scores = scores[:, :, :1]
    result = made(scores)
    z = rng.multivariate_normal(np.zeros(3), 0.5 + 0.5 * np.eye(3), 200_000)
    for level in (0.9, 0.95, 0.99):  # standard errors of both quantiles are below 0.03
        expected = np.quantile(np.abs(z).max(axis=1), level)
        assert np.quantile(result._largest, level) == pytest.approx(expected, abs=0.1)


def test_copies_of_a_candidate_cost_nothing_and_the_baseline_may_be_tied():
    rng = np.random.default_rng(2)
    scores = rng.normal([[[0.80]], [[0.83]]], 0.03, (2, 5, 4))
    twice = made(scores[[0, 1, 1, 1]])
    assert twice.pvalue == pytest.approx(made(scores).versus_baseline.pvalue, abs=0.015)
    assert twice.versus_second.pvalue == 1 and twice.versus_second.estimate == 0
    equal = made(scores[[0, 0]], baseline=1)
    assert equal.pvalue == 1 and equal.decision == 0


@pytest.mark.slow
def test_equal_candidates_are_seldom_better_than_the_baseline():
    """At a true rate of 5% more than 32 of 500 would be found in 6% of all seeds."""
    rng = np.random.default_rng(4)
    adjusted = unadjusted = second = 0
    for seed in range(500):
        c = made(accuracies(rng, [1.0] * 10), seed=seed)
        second += c.versus_second.pvalue < 0.05
        if c.ranking[0] != 0 and c.versus_baseline.pvalue < 0.05:
            unadjusted += 1
            adjusted += c.decision
    assert adjusted <= 32 and second <= 32
    assert unadjusted > 32  # what the adjustment is for


def test_two_leaders_that_are_equal_are_seldom_told_apart():
    rng = np.random.default_rng(6)
    found = sum(
        made(accuracies(rng, [1.6, 1.6, 0.4, 0.4, 0.4])).versus_second.pvalue < 0.05
        for _ in range(500)
    )
    assert found <= 36  # at a true rate of 5% more are found in 1% of all seeds


@pytest.mark.slow
def test_the_predicted_choice_is_calibrated():
    """Over 80 data sets, the mean prediction is the share of reruns with the same choice."""
    rng = np.random.default_rng(8)
    predicted, same = [], []
    for seed in range(80):
        of_runs = accuracies(rng, rng.uniform(0.9, 1.5, 6), runs=110, folds=5)
        reruns = of_runs.reshape(6, 11, 10, 5)
        predicted.append(made(reruns[:, 0], seed=seed).agreement.point)
        best = reruns.mean(axis=(2, 3)).argmax(axis=0)
        same.append(np.mean(best[1:] == best[0]))
    error = np.subtract(predicted, same)
    assert abs(error.mean()) < 3 * error.std() / np.sqrt(80)
    assert np.abs(error).mean() < 0.15 and np.std(same) > 0.1


def test_a_single_run_cannot_tell_what_another_chooses():
    rng = np.random.default_rng(3)
    one = made(rng.normal(0.8, 0.03, (3, 1, 5)))
    assert one.agreement is None and "cannot be predicted" in one.sentence()
    copied = made(np.repeat(rng.normal(0.8, 0.03, (3, 1, 5)), 6, axis=1))
    assert copied.agreement is None and "no spread" in copied.sentence()


def test_errors_are_the_better_the_smaller():
    rng = np.random.default_rng(5)
    scores = rng.normal([[[0.80]], [[0.83]], [[0.7]]], 0.03, (3, 5, 4))
    up, down = made(scores), made(1 - scores, greater_is_better=False, metric="error")
    assert down.best == up.best and down.pvalue == pytest.approx(up.pvalue)
    assert down.agreement.point == up.agreement.point and "lowest mean error" in down.sentence()
    negated = {"params": [{"k": 0}, {"k": 1}], "mean_test_neg_log_loss": [0, 0]} | {
        f"split{i}_test_neg_log_loss": -scores[:2].reshape(2, -1)[:, i] for i in range(20)
    }
    found = compare_search(negated, cv="5x4", metric="neg_log_loss")
    assert found.metric == "log loss" and not found.greater_is_better
    assert found.scores.ravel() == pytest.approx(scores[:2].ravel())


def test_table_json_page_and_sentence_agree():
    result = compare_search(example(), baseline={"kernel": "poly", "degree": 2})
    frame = result.to_frame()
    assert frame["role"].tolist() == ["best", "second", "", "baseline"]
    assert frame["chosen"].sum() == pytest.approx(1)
    assert result.decision == 1 == frame["decision"].iloc[-1]
    low, high = result.confidence_interval()
    assert 0 < low < result.versus_baseline.estimate < high
    plain = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert plain["table"][0]["pvalue"] is None and plain["table"][3]["decision"] == 1
    assert "significantly better than the baseline" in plain["sentence"]
    assert "SVC(random_state=0)" in result.page() and len(result.plot().axes) == 1


def test_a_choice_by_another_rule_than_the_mean_is_noted():
    X, y = make_moons(60, noise=0.3, random_state=0)
    search = GridSearchCV(
        KNeighborsClassifier(), {"n_neighbors": [1, 5, 9]}, cv=5,
        refit=lambda results: int(np.argmin(results["mean_test_score"])),
    ).fit(X, y)
    result = compare_search(search)
    assert result.best != search.best_params_
    assert any("has not the best mean" in note for note in result.notes)


def test_a_random_search_and_a_frame_of_results():
    X, y = make_moons(60, noise=0.3, random_state=0)
    search = RandomizedSearchCV(
        KNeighborsClassifier(), {"n_neighbors": range(1, 12)}, n_iter=4, cv=5, random_state=0
    ).fit(X, y)
    result = compare_search(search, baseline=1)
    assert result.scores.shape == (4, 1, 5) and result.design.folds == 5
    frame = compare_search(pd.DataFrame(search.cv_results_), cv=5, baseline=1)
    assert frame.to_frame().equals(result.to_frame())


@pytest.mark.parametrize("wrong, options, says", [
    (lambda: GridSearchCV(SVC(), {"C": [1, 2]}), {}, "must be fitted"),
    (lambda: GaussianNB(), {}, "must be fitted"),
    (lambda: [1, 2], {}, "not a list"),
    (example, {"cv": 5}, "cv must be left out"),
    (example, {"metric": "accuracy"}, "roc_auc"),
    (example, {"baseline": {"kernel": "sigmoid"}}, "fits 0 of 4"),
    (example, {"baseline": {}}, "fits 0 of 4"),
    (example, {"baseline": 4}, "baseline must be"),
    (lambda: example().cv_results_, {"cv": "5x10"}, "50 splits"),
    (lambda: example().cv_results_, {}, "do not say how"),
    (lambda: {**example().cv_results_, "iter": [0] * 4}, {"cv": "10x10"}, "successive halving"),
    (lambda: {"params": [{}], "mean_test_score": [1]}, {"cv": 5}, "split0_test_score"),
])
def test_a_mistake_gets_its_sentence(wrong, options, says):
    with pytest.raises(ValueError, match=says) as refusal:
        compare_search(wrong(), **options)
    assert "\n" not in str(refusal.value)


def test_a_candidate_whose_fit_failed_is_left_out_and_named():
    results = dict(example().cv_results_)
    results["split3_test_score"] = np.where(np.arange(4) == 1, np.nan, results["split3_test_score"])
    found = compare_search(results, cv="10x10", baseline={"kernel": "linear"})
    assert len(found.scores) == 3 and any("degree=2" in note for note in found.notes)
    with pytest.raises(ValueError, match="no score on some split"):
        compare_search(results, cv="10x10", baseline={"kernel": "poly", "degree": 2})


# ------------------------------------------------------------------ tables, pages and pictures


def three(baseline=2, **options):
    rng = np.random.default_rng(12)
    return made(rng.normal([[[0.80]], [[0.83]], [[0.79]]], 0.02, (3, 5, 4)), baseline, **options)


def test_a_table_has_a_row_per_candidate_and_a_test_where_there_is_one():
    result = three()
    frame = result.to_frame()
    assert frame["candidate"].tolist() == ["k=1", "k=0", "k=2"]
    assert frame["role"].tolist() == ["best", "second", "baseline"]
    means = result.scores.mean(axis=(1, 2))[[1, 0, 2]]
    assert frame["mean"].tolist() == means.tolist()
    assert frame["difference"].tolist() == pytest.approx(means[0] - means)
    assert frame.loc[0, ["statistic", "df", "unadjusted", "pvalue", "decision"]].isna().all()
    for row, one, p in ((1, result.versus_second, result.versus_second.pvalue),
                        (2, result.versus_baseline, result.pvalue)):
        assert frame.loc[row, ["statistic", "df", "unadjusted", "pvalue", "decision"]].tolist() == [
            one.statistic, 19, one.pvalue, p, float(p < 0.05)]
    assert three(1).to_frame()["role"].tolist() == ["best, baseline", "second", ""]
    assert three(0).to_frame()["role"].tolist() == ["best", "second, baseline", ""]
    assert three(None).to_frame()["role"].tolist() == ["best", "second", ""]


def test_a_sentence_says_what_was_better_than_what():
    result = three()
    low, high = result.confidence_interval()
    one, said = result.versus_baseline, result.sentence()
    assert said.startswith("Of 3 candidates, k=1 had the highest mean score (")
    assert "It was not significantly better than the second, k=0 (difference " in said
    for p, name in ((result.versus_second.pvalue, "second, k=0"),
                    (result.pvalue, "baseline, k=2")):
        for alpha, what in ((1.001 * p, "was"), (p, "was not")):
            assert f"It {what} significantly better than the {name} " in three(
                alpha=alpha).sentence()
    assert (f"k=2 (difference {one.estimate:.3f}, 95% confidence interval {words.number(low)} "
            f"to {words.number(high)}; "
            f"t(19) = {one.statistic:.2f}, ") in said
    assert "adjusted for the choice among 3 candidates" in said
    assert "It was not significantly better than the baseline" in three(alpha=1e-9).sentence()
    assert "The baseline is the best candidate itself" in three(1).sentence()
    assert three(alpha=1e-9).decision == 0 and three(1).decision is None
    wide, narrow = three().confidence_interval(0.99), three().confidence_interval(0.5)
    assert wide[0] < low < narrow[0] < one.estimate < narrow[1] < high < wide[1]
    assert (low + high) / 2 == pytest.approx(one.estimate)


def test_a_page_has_what_the_table_has():
    result = three()
    it, frame = result.contents(), result.to_frame()
    shown = it.tables["Candidates"]
    assert list(shown.index) == frame["candidate"].tolist()
    assert shown[""].tolist() == frame["role"].tolist()
    assert shown["p"].tolist() == ["–", *(f"{p:.3g}" for p in frame["pvalue"][1:])]
    assert shown["chosen again"].tolist() == [f"{p:.2f}" for p in frame["chosen"]]
    assert it.title == "k=1 and 2 other candidates"
    assert "Dunnett 1955" in it.methods and "No baseline" not in it.methods
    assert "simulating it from the spread" in it.methods
    one_run = made(result.scores[:, :1])
    assert "simulating" not in one_run.contents().methods
    assert one_run.contents().tables["Candidates"]["chosen again"].tolist() == ["–"] * 3


@pytest.mark.parametrize("baseline, drawn", [
    (0, [9, 8, 7, 6, 5, 4, 3, 0]), (5, [9, 8, 7, 6, 5, 4, 3, 2]), (None, [9, 8, 7, 6, 5, 4, 3, 2]),
])
def test_the_picture_has_the_eight_best_and_the_baseline(baseline, drawn):
    rng = np.random.default_rng(3)
    scores = rng.normal(np.linspace(0.5, 0.9, 10)[:, None, None], 0.004, (10, 6, 4))
    result = made(scores, baseline)
    fig = result.plot()
    (ax,) = fig.axes
    assert fig.get_size_inches()[1] == pytest.approx(0.9 + 0.5 * 8)
    for row, place in enumerate(drawn):
        dots, mean = ax.lines[2 * row : 2 * row + 2]
        assert dots.get_xdata() == pytest.approx(scores[place].mean(axis=1))
        assert (dots.get_ydata() == row).all() and dots.get_marker() == "o"
        assert (dots.get_markersize(), dots.get_alpha()) == (4, 0.5)
        assert mean.get_xydata().ravel() == pytest.approx([scores[place].mean(), row])
        assert (mean.get_marker(), mean.get_markersize()) == ("D", 7)
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == [f"k={k}; again {result._predicted[1][k]:.2f}" for k in drawn]
    assert ax.get_yticks().tolist() == list(range(8)) and ax.get_ylim() == (7.5, -0.5)
    assert ax.get_xlabel() == "mean score" and not ax.spines["left"].get_visible()
    tick = ax.yaxis.get_tick_params()
    assert tick["length"] == 0 and {label.get_size() for label in ax.get_yticklabels()} == {9}
    ax.set_xlim(0, 6)
    assert len([x for x in ax.get_xticks() if 0 <= x <= 6]) == 4  # few, for a narrow page
    assert "again" not in made(scores[:, :1]).plot().axes[0].get_yticklabels()[0].get_text()


def results(scores, name="score", **more):
    return {"params": [{"k": i} for i in range(len(scores))], f"mean_test_{name}": scores.mean(1),
            **{f"split{i}_test_{name}": scores[:, i] for i in range(scores.shape[1])}, **more}


def test_candidates_that_are_all_the_same_are_noted():
    scores = np.random.default_rng(0).random((1, 6))
    same = "All candidates have the same scores: what was searched made no difference."
    assert compare_search(results(np.tile(scores, (3, 1))), cv="2x3").notes == (same,)
    nearly = np.vstack([scores, scores + 1e-9])
    assert compare_search(results(nearly), cv="2x3").notes == ()
    assert compare_search(results(np.vstack([scores, scores + 1])), cv="2x3").notes == ()


def test_failed_candidates_before_the_baseline_move_it():
    scores = np.random.default_rng(0).random((8, 6))
    scores[[0, 2, 3, 5, 6, 7], 1] = np.nan
    found = compare_search(results(scores), cv="2x3", baseline=4)
    assert found.candidates == ({"k": 1}, {"k": 4}) and found.baseline == 1
    assert found.notes == (
        "6 of 8 candidates failed and are left out: k=0; k=2; k=3; k=5; k=6.",)
    assert compare_search(results(scores), cv="2x3").baseline is None
    scores[4] = np.nan
    with pytest.raises(ValueError, match="at least two candidates, not 1"):
        compare_search(results(scores), cv="2x3")


def test_of_several_measures_one_is_chosen_by_name():
    one, other = np.random.default_rng(0).random((2, 3, 6))
    both = results(one, "f1") | results(other, "neg_brier")
    found = compare_search(both, cv="2x3", metric="f1")
    assert found.metric == "f1" and found.scores.ravel() == pytest.approx(one.ravel())
    negated = compare_search(both, cv="2x3", metric="neg_brier")
    assert negated.metric == "brier" and not negated.greater_is_better
    assert negated.scores.ravel() == pytest.approx(-other.ravel())
    for metric in (None, "auc"):
        with pytest.raises(ValueError, match="must be one of f1, neg_brier"):
            compare_search(both, cv="2x3", metric=metric)
    named = compare_search(results(one), cv="2x3", metric="my_error", greater_is_better=False)
    assert named.metric == "my error" and not named.greater_is_better
    assert (named.scores >= 0).all()


@pytest.mark.parametrize("baseline, says", [
    ({"k": 9}, "fits 0 of 6: k=0; k=1; k=2; k=3; k=4 …$"), (-1, "baseline must be"),
    (6, "baseline must be"),
])
def test_a_baseline_is_one_of_the_candidates(baseline, says):
    scores = np.random.default_rng(0).random((6, 6))
    with pytest.raises(ValueError, match=says):
        compare_search(results(scores), cv="2x3", baseline=baseline)
    assert compare_search(results(scores), cv="2x3", baseline={"k": 5, "more": 1}).baseline == 5
    few = r"fits 0 of 5: k=0; k=1; k=2; k=3; k=4$"
    with pytest.raises(ValueError, match=few):
        compare_search(results(scores[:5]), cv="2x3", baseline={"k": 9})
