"""The winner of a search: the tests of scikit-learn's example, the choice allowed for, reruns."""

import json
from functools import cache

import numpy as np
import pytest
from equal_learners import accuracies
from scipy import stats
from sklearn.datasets import make_moons
from sklearn.model_selection import (
    GridSearchCV,
    RepeatedStratifiedKFold,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from replib.comparison import SearchComparison, compare_search
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


def test_a_choice_by_another_rule_than_the_mean_is_noted():
    X, y = make_moons(60, noise=0.3, random_state=0)
    search = GridSearchCV(
        KNeighborsClassifier(), {"n_neighbors": [1, 5, 9]}, cv=5,
        refit=lambda results: int(np.argmin(results["mean_test_score"])),
    ).fit(X, y)
    result = compare_search(search)
    assert result.best != search.best_params_
    assert any("has not the best mean" in note for note in result.notes)


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


# ------------------------------------------------------------------ tables, pages and pictures


def results(scores, name="score", **more):
    return {"params": [{"k": i} for i in range(len(scores))], f"mean_test_{name}": scores.mean(1),
            **{f"split{i}_test_{name}": scores[:, i] for i in range(scores.shape[1])}, **more}


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


@pytest.mark.parametrize("baseline, roles", [
    (2, ["best", "second", "baseline"]), (1, ["best, baseline", "second", ""]),
    (0, ["best", "second, baseline", ""]), (None, ["best", "second", ""]),
])
def test_table_sentence_and_json_agree(baseline, roles):
    rng = np.random.default_rng(12)
    result = made(rng.normal([[[0.80]], [[0.83]], [[0.79]]], 0.02, (3, 5, 4)), baseline)
    frame, said = result.to_frame(), result.sentence()
    assert frame["candidate"].tolist() == ["k=1", "k=0", "k=2"] and frame["role"].tolist() == roles
    assert frame["chosen"].sum() == pytest.approx(1)
    means = result.scores.mean(axis=(1, 2))[[1, 0, 2]]
    assert frame["difference"].tolist() == pytest.approx(means[0] - means)
    assert said.startswith("Of 3 candidates, k=1 had the highest mean score (")
    if baseline == 2:
        assert frame.loc[2, "pvalue"] == result.pvalue
        verb = "was" if result.decision else "was not"
        assert f"It {verb} significantly better than the baseline, k=2 " in said
        low, high = result.confidence_interval()
        assert (low + high) / 2 == pytest.approx(result.versus_baseline.estimate)
    plain = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert plain["table"][0]["pvalue"] is None and plain["sentence"] == said
    assert len(result.plot().axes) == 1 and "k=1 and 2 other candidates" in result.page()
