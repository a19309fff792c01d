"""Codes for missing scores are noted where they lie outside of all scores, and not elsewhere."""

import numpy as np
import pytest

from replib import Metric
from replib._notes.codes import notes_about_codes
from replib.readers import from_arrays, from_predictions

ANY = Metric("quality", better="higher")
RATING = Metric("rating", better="higher")
SCORES = {
    "a": [0.62, 0.71, 0.68, 0.74, 0.66, 0.69],
    "b": [0.6, 0.7, 0.65, 0.77, 0.63, 0.64],
}


def noted(models, design="datasets", metric=ANY):
    table = from_arrays(models, design=design, metric=metric)
    return bool(list(notes_about_codes(table)))


def with_code(code, places=(2,), scores=SCORES):
    a = np.array(scores["a"], float)
    a[list(places)] = code
    return {"a": a, "b": scores["b"]}


@pytest.mark.parametrize("design", ["datasets", "seeds", "2x3", "6 x 10%", "items"])
@pytest.mark.parametrize(
    "code, is_noted",
    [(-1, True), (-99, True), (-999, True), (-9999, True), (999, True)]
    + [(9999, True), (99999, True), (1e6, True), (1e38, True), (-1.02, False)]
    + [(1000, False), (1e5, False), (2e10, False)]
    + [(2, False), (0, False)],
)
def test_codes_in_every_design(code, is_noted, design):
    assert noted(with_code(code), design) == is_noted


def test_the_sentence_names_code_and_model():
    table = from_arrays(with_code(-1), design="seeds", metric="r2")
    (note,) = notes_about_codes(table)
    assert (
        note == "Score -1 of a is far from all others: is it a code for a missing one?"
    )


def test_the_lowest_correlation_is_a_score_of_an_item_only():
    """An item may have few pairs of numbers, and a test set has many."""
    spearman = Metric("spearman", better="higher", low=-1, high=1)
    assert not noted(with_code(-1), "items", spearman)
    assert noted(with_code(-1), "seeds", "matthews_corrcoef")
    assert noted(with_code(-1), "seeds", "r2")


@pytest.mark.parametrize("others, is_noted", [(0.29, True), (-0.25, False)])
def test_a_code_is_farther_from_the_others_than_these_are_apart(others, is_noted):
    """Up to 0.77: the distance from -1 is 1.29 and the range 0.48, or 0.75 and 1.02."""
    scores = {"a": SCORES["a"], "b": [*SCORES["b"][:5], others]}
    assert noted(with_code(-1, scores=scores)) == is_noted


@pytest.mark.parametrize("n_codes, is_noted", [(2, True), (3, True), (4, False)])
def test_at_most_a_quarter_are_codes(n_codes, is_noted):
    """Three of twelve are; half as many would let 2 pass, twice as many note 4."""
    assert noted(with_code(-99, range(n_codes))) == is_noted


@pytest.mark.parametrize("n_distinct, is_noted", [(3, False), (4, True), (7, True)])
def test_four_scores_show_what_scores_are(n_distinct, is_noted):
    values = np.arange(1, 12) % n_distinct / 100 + 0.6
    assert noted({"a": [*values[:5], -1], "b": values[5:]}) == is_noted


def test_99_beside_scores_up_to_ten():
    for largest, is_noted in ((5.1, True), (9.9, True), (10.1, False), (19.0, False)):
        scores = {"a": SCORES["a"], "b": [*SCORES["b"][:5], largest]}
        assert noted(with_code(99, scores=scores)) == is_noted


@pytest.mark.parametrize("n_codes, is_noted", [(4, True), (6, True), (10, False)])
def test_a_rating_of_minus_one(n_codes, is_noted):
    """At most a tenth of eighty, and only where ratings begin at 1."""
    ratings = np.arange(80).reshape(2, 40) % 5 + 1
    ratings[0, :n_codes] = -1
    models = dict(zip("ab", ratings))
    assert noted(models, "items", RATING) == is_noted
    marks = {name: np.where(x == 1, 0, x) for name, x in models.items()}
    assert not noted(marks, "items", RATING)


def test_right_wrong_and_abstained():
    answers = np.arange(60).reshape(2, 30) % 3 - 1
    answers[:, 5:] = 1
    assert not noted(dict(zip("ab", answers)), "items", RATING)


# ---------------------------------------------------------------- zero


@pytest.mark.parametrize("metric", ["accuracy", "roc_auc"])
@pytest.mark.parametrize("design", ["seeds", "2x3", "6 x 10%"])
def test_a_share_of_right_answers_that_is_zero_once(design, metric):
    assert noted(with_code(0), design, metric)
    assert not noted(with_code(0, (2, 3)), design, metric)  # twice is no accident
    coarse = {"a": [0.2, 0, 0.4, 0.6, 0.2, 0.4], "b": SCORES["b"]}
    assert not noted(coarse, design, metric)


def test_an_exact_match_a_loss_and_a_success_rate_may_be_zero():
    assert not noted(with_code(0), "seeds", "exact_match")
    assert not noted(with_code(0), "seeds", "rmse")
    assert not noted(with_code(0), "seeds", Metric("success rate", better="higher"))
    assert not noted({"a": [0.9, 0], "b": [0.8, 0.7]}, "seeds", "accuracy")
    assert noted({"a": [0.9, 0, 0.91], "b": [0.8, 0.7, 0.8]}, "seeds", "accuracy")


def test_a_zero_among_data_sets():
    third = {"c": [0.61, 0.72, 0.66, 0.73, 0.65, 0.7]}
    assert noted(with_code(0) | third, "datasets", "accuracy")
    # a data set that is hard for others, too, and one model beside one
    hard = {"c": [0.61, 0.72, 0.2, 0.73, 0.65, 0.7]}
    assert not noted(with_code(0) | hard, "datasets", "accuracy")


# ---------------------------------------------------------------- predictions


def test_codes_among_predicted_numbers():
    rng = np.random.default_rng(2)
    truth = np.exp(rng.normal(3, 0.5, 100))
    guesses = truth * np.exp(rng.normal(0, 0.2, (2, 100)))

    def found(truth, models, metric):
        table = from_predictions(truth, models, metric=metric)
        return list(notes_about_codes(table))

    models = dict(zip("ab", guesses))
    assert found(truth, models, "rmse") == []
    models["b"] = np.where(np.arange(100) == 5, -999, models["b"])
    (note,) = found(truth, models, "rmse")
    assert note.startswith("Prediction -999 of b is far from all others")
    # the truth has the code, too
    assert found(np.where(np.arange(100) == 5, -999, truth), models, "rmse") == []

    classes = rng.integers(0, 2, 100)
    shares = np.clip(rng.random((2, 100)), 0.01, 0.99)
    shares[0, 3] = -1
    (note,) = found(classes, dict(zip("ab", shares)), "roc_auc")
    assert note.startswith("Prediction -1 of a")
    # of classes, -1 may be an answer that could not be read
    answers = rng.integers(0, 5, (2, 100))
    answers[0, 3] = -1
    truth = rng.integers(0, 5, 100)
    assert found(truth, dict(zip("ab", answers)), "accuracy") == []


@pytest.mark.parametrize(
    ("scale", "code", "is_noted"),
    [
        (range(1, 8), -99, True),
        (range(11), 999, True),
        (range(1, 6), -9, True),  # of a survey
        (range(1, 6), 88, True),
        (range(61), 99, False),
        (range(61), -9, False),
        (range(1, 8), 9, False),
    ],
)
def test_codes_among_answers_that_are_predicted_as_numbers(scale, code, is_noted):
    rng = np.random.default_rng(3)
    answers = rng.choice([*scale], 200)
    models = {x: (answers + rng.normal(0, 0.4, 200)).round(2) for x in "ab"}

    def found(truth, models, metric="rmse"):
        return [*notes_about_codes(from_predictions(truth, models, metric=metric))]

    is_missing = np.arange(200) < 8
    texts = found(np.where(is_missing, code, answers), models)
    assert len(texts) == is_noted
    assert all(text.startswith(f"The truth of 8 items is {code}") for text in texts)

    models["b"] = np.where(is_missing, code, models["b"])
    texts = found(answers, models)
    assert len(texts) == is_noted
    assert all(text.startswith(f"Prediction {code} of b") for text in texts)


def test_one_extreme_truth_and_classes_are_no_codes():
    rng = np.random.default_rng(4)
    counts = rng.integers(0, 9, 200)
    counts[0] = 99
    models = {x: counts + rng.normal(0, 1, 200).round(2) for x in "ab"}
    table = from_predictions(counts, models, metric="mae")
    assert not [*notes_about_codes(table)]
    classes = np.where(np.arange(200) < 8, -99, rng.integers(0, 9, 200))
    answers = {x: rng.permutation(classes) for x in "ab"}
    assert not [
        *notes_about_codes(from_predictions(classes, answers, metric="accuracy"))
    ]


def test_scores_of_items_whose_truth_is_text_are_no_codes():
    truth = ["spam", "ham"] * 20
    predicted = dict(zip("ab", np.random.default_rng(0).random((2, 40)).round(3)))
    table = from_predictions(
        truth, predicted, metric=ANY, function=lambda truth, scores: scores.mean()
    )
    assert list(notes_about_codes(table)) == []
