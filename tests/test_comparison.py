"""One call, one result: corrections, equivalence, ranks, the sentence and what is refused."""

import json
import re

import numpy as np
import pytest

from replib import Items, Metric, Scores, compare, from_arrays, from_predictions

ANY = Metric("score", better="higher")
RNG = np.random.default_rng(7)
SHIFTS = {"forest": 0.05, "svm": 0.045, "bayes": 0.02, "tree": 0.0}
FOUR = {
    name: RNG.normal(0.80 + shift, 0.02, (10, 10)) for name, shift in SHIFTS.items()
}
TWO = {name: FOUR[name] for name in ("tree", "bayes")}


@pytest.fixture(scope="module")
def result():
    return compare(FOUR, design="10x10", metric=ANY, equivalence=0.03)


def test_sentence_table_page_and_json_say_the_same(result, tmp_path):
    said = result.sentence()
    for row in result.pairs.itertuples():
        found = re.search(rf"\b{row.a} than [^;]*\b{row.b} \(p", said)
        assert bool(found) == (row.decision != 0)
    numbers = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert numbers["sentence"] == said and len(numbers["pairs"]) == 6
    assert numbers["pairs"][0]["adjusted_p"] == result.pairs["adjusted_p"][0]
    page = result.report(tmp_path / "page.html").read_text()
    assert "holm1979" in page and said.split(". ")[-1][:40] in page.replace("\xa0", " ")
    assert result._repr_html_().count("<tr") == 7


def test_a_decision_that_the_interval_contradicts_is_called_borderline():
    wins, losses, n = (
        16,
        5,
        60,
    )  # exact p = 0.027; Agresti and Min's 99% interval contains 0
    a = np.r_[np.ones(wins), np.zeros(losses), np.ones(n - wins - losses)]
    b = np.r_[np.zeros(wins), np.ones(losses), np.ones(n - wins - losses)]
    said = {
        alpha: str(
            compare({"a": a, "b": b}, design="items", metric="accuracy", alpha=alpha)
        )
        for alpha in (0.05, 0.0265)
    }
    assert "borderline" not in said[0.05] and "borderline" in said[0.0265]


def test_the_decision_is_the_signed_rank_tests_where_most_differences_are_zero():
    b = 0.1 + np.arange(34) / 50
    ahead = np.where(
        np.arange(34) < 10, 0.01, 0
    )  # SciPy: p = 0.002 for ten positive ranks
    for sign in (1, -1):
        result = compare(
            {"a": b + sign * ahead, "b": b}, design="datasets", metric="accuracy"
        )
        pair = result.pairs.iloc[0]
        assert pair.difference == 0 and pair.p == pytest.approx(2 / 2**10)
        assert {pair.a: pair.decision, pair.b: -pair.decision}["a"] == sign
        assert (
            "borderline" in result.sentence()
            and "significantly higher" in result.sentence()
        )


def test_a_rerun_is_predicted_by_design_and_never_by_the_width_of_its_interval():
    """To print narrow intervals only would select the overconfident predictions."""
    one_run = compare(
        {name: x[0] for name, x in TWO.items()}, design="1x10", metric=ANY
    )
    assert "cannot be predicted" in str(one_run) and one_run.reruns is None
    rng = np.random.default_rng(2)
    for n_runs in (2, 5, 6, 10):
        for shift in (0, 0.01, 0.03):
            scores = rng.normal(0.8, 0.03, (2, n_runs, 10))
            scores[1] += shift
            result = compare(dict(zip("ab", scores)), design=f"{n_runs}x10", metric=ANY)
            assert ("is predicted to" in str(result)) == (n_runs >= 6)


REFUSED = [
    ({"design": None}, "design must be given: a text such as"),
    ({"design": "9" * 5000 + "x5"}, "design must be a text such as"),
    ({"design": "5x10"}, "5 runs"),
    ({"metric": None}, "metric must be given: a name"),
    ({"metric": "goodness"}, "say Metric.*better="),
    ({"alpha": 5}, "alpha must lie above 0 and at most 0.5"),
    ({"equivalence": -1}, "equivalence must be one positive number"),
    (
        {"equivalence": 0.01, "pairs": "best"},
        "pairs that were not chosen by their scores",
    ),
    ({"metric": "accuracy", "equivalence": 5}, "at least half the range of accuracy"),
    ({"about": "models"}, "about is a question for items"),
    ({"pairs": "worst"}, "pairs must be one of 'all', 'best'"),
    ({"pairs": [("svm", "tree", "bayes")]}, "pairs must be .* a list of pairs"),
    ({"pairs": [("svm", "knn")]}, "there is no model 'knn': there are 'forest'"),
    ({"pairs": [("svm", "tree"), ("tree", "svm")]}, "each pair only once"),
    ({"correction": "fdr"}, "correction must be one of"),
]


@pytest.mark.parametrize("options, says", REFUSED)
def test_what_is_refused_gets_one_sentence(options, says):
    with pytest.raises(ValueError, match=says) as refused:
        compare(FOUR, **{"design": "10x10", "metric": ANY} | options)
    assert "\n" not in str(refused.value)


def test_what_a_question_needs_is_refused_without_it():
    one = from_arrays(
        {"a": [1, 0, 1], "b": [0, 0, 1]}, design=Items(), metric="accuracy"
    )
    assert isinstance(one, Scores)
    with pytest.raises(ValueError, match="give two or more trainings"):
        compare(one, about="both")
    truth, answers = (
        [0, 1, 1, 0, 1, 0],
        {"a": [0, 1, 1, 0, 0, 0], "b": [0, 1, 0, 1, 1, 0]},
    )
    once = from_predictions(truth, answers, metric="f1")
    with pytest.raises(ValueError, match="give two or more trainings"):
        compare(once, about="training")
    with pytest.raises(ValueError, match="f1 is no mean over items"):
        compare(once).advantage("a")
    by_fold = from_predictions(
        truth,
        answers,
        metric="f1",
        design=Items(predicted="by_fold"),
        clusters=[1, 1, 2, 2, 3, 3],
    )
    with pytest.raises(ValueError, match="give the score of each fold"):
        compare(by_fold)
    with pytest.raises(ValueError, match="model must be one of .*not 'knn'"):
        compare(TWO, design="10x10", metric=ANY).advantage("knn")


@pytest.mark.parametrize("margin, is_noted", [(0.01, True), (0.05, True), (0.1, False)])
def test_a_margin_that_is_a_fraction_where_scores_are_percent(margin, is_noted):
    scores = {"a": [91.2, 91.9, 92.3, 91.5], "b": [91.0, 92.2, 91.7, 91.1]}
    metric = Metric("accuracy", high=100)
    result = compare(scores, design="seeds", metric=metric, equivalence=margin)
    asked = [note for note in result.notes if "since the scores are percent" in note]
    assert len(asked) == is_noted
    fractions = {name: np.divide(x, 100) for name, x in scores.items()}
    assert (
        compare(fractions, design="seeds", metric="accuracy", equivalence=margin).notes
        == ()
    )


@pytest.mark.parametrize(
    "unit, margin, is_noted", [(1, 1, True), (1, 0.99, False), (1.2, 1, False)]
)
def test_a_margin_in_points_where_scores_are_fractions(unit, margin, is_noted):
    scores = {"a": [0.912, 0.919, 0.923], "b": [0.91, 0.922, 0.917]}
    scores = {name: np.multiply(x, unit) for name, x in scores.items()}
    metric = Metric("quality", better="higher")
    result = compare(scores, design="seeds", metric=metric, equivalence=margin)
    asked = [note for note in result.notes if "since the scores are fract" in note]
    assert len(asked) == is_noted
