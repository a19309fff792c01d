"""Models that are the truth."""

import numpy as np
import pytest
from labelled import notes

from replib import Items, Metric
from replib.readers import from_arrays

RNG = np.random.default_rng(4)


def test_a_truth_that_is_right_on_every_item():
    right = RNG.integers(0, 2, 50)
    for name, is_noted in (("gold", True), ("oracle-70b", False)):
        models = {"llama": right, name: np.ones(50)}
        table = from_arrays(models, design=Items(), metric="accuracy")
        assert bool(notes(table)) == is_noted
    models = {"llama": right, "gold": right[::-1]}
    assert notes(from_arrays(models, design=Items(), metric="accuracy")) == []


@pytest.mark.parametrize(
    ("name", "is_noted"),
    [
        (name, True)
        for name in ("refA", "Reference", "gold", "Human", "ref_2", "human-B")
    ]
    + [(name, False) for name in ("refiner", "human-in-the-loop", "Goldfish", "our")],
)
def test_a_reference_that_has_the_highest_score_on_every_item(name, is_noted):
    metric = Metric("BLEU", better="higher", low=0, high=100)
    overlap = RNG.uniform(5, 90, (2, 60)).round(2)
    models = {"nllb": overlap[0], name: np.full(60, 100.0)}
    texts = notes(from_arrays(models, design="items", metric=metric))
    assert any("is it a model?" in text for text in texts) == is_noted
    # rated like the others
    rated = {**models, name: overlap[1]}
    assert notes(from_arrays(rated, design="items", metric=metric)) == []


def test_a_person_may_answer_all_questions():
    right = {"gpt": RNG.integers(0, 2, 40), "human": np.ones(40)}
    assert notes(from_arrays(right, design="items", metric="accuracy")) == []


@pytest.mark.parametrize(
    ("name", "is_noted"),
    [
        *((name, True) for name in ("is_attack", "was_churned", "phishing")),
        *((name, False) for name in ("ISLR", "attack_net", "hasty", "willow")),
    ],
)
def test_a_rare_class_that_the_others_predict(name, is_noted):
    truth = RNG.random(300) < 0.2
    predicted = np.where(RNG.random((3, 300)) < 0.9, truth, ~truth)
    models = dict(zip(["elm", "oak", "yew"], predicted)) | {name: truth}
    texts = notes(from_arrays(models, design="items", metric="accuracy"))
    assert any("is named like the truth" in text for text in texts) == is_noted


def test_of_several_questions_none_is_the_truth():
    right = np.where(RNG.random((3, 300)) < 0.8, RNG.random(300) < 0.6, 0)
    models = dict(zip(["is_right_a", "is_right_b", "svm"], right.astype(float)))
    assert notes(from_arrays(models, design="items", metric="accuracy")) == []


@pytest.mark.parametrize(
    ("name", "is_noted"),
    [
        *((name, True) for name in ("true_class", "ReferenceLabel", "gt_diagnosis")),
        *((name, True) for name in ("the correct answer", "expected_outputs", "gold")),
        *(
            (name, False)
            for name in ("reference", "true_north", "gold-7b", "answer_net")
        ),
        ("gold_standard_bert", False),
    ],
)
def test_a_truth_that_the_others_predict(name, is_noted):
    truth = RNG.integers(0, 2, 300)
    predicted = np.where(RNG.random((3, 300)) < 0.88, truth, 1 - truth)
    models = {
        "elm": predicted[0],
        name: truth,
        "oak": predicted[1],
        "yew": predicted[2],
    }
    texts = notes(from_arrays(models, design="items", metric="accuracy"))
    assert any("is named like the truth" in text for text in texts) == is_noted


def test_answers_of_a_model_that_is_called_gold_are_as_hard_as_those_of_others():
    hard = RNG.normal(0, 1.5, 300)
    right = RNG.normal(0, 1, (3, 300)) + hard > 0
    models = dict(zip(("silver", "gold", "bronze"), right.astype(int)))
    assert notes(from_arrays(models, design="items", metric="accuracy")) == []
