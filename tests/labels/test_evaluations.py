"""Models that are ways of evaluation, and properties of answers."""

import numpy as np
import pandas as pd
import pytest
from labelled import ANY, notes, numbered, wide

from replib.readers import from_arrays, from_wide

RNG = np.random.default_rng(4)


@pytest.mark.parametrize(
    "models",
    [
        ["CV", "Public LB", "Private LB"],
        ["local", "public_lb"],
        ["resubstitution", "10-fold CV"],
        ["OOB error", "LOOCV"],
        ["5-fold", "repeated 10-fold", "leave-one-subject-out"],
        ["Within-company", "Cross-company"],
        ["intra-dataset", "inter-dataset"],
    ],
)
def test_models_that_are_ways_of_evaluation(models):
    scores = RNG.normal(0.8, 0.03, (6, len(models))).round(3)
    frame = pd.DataFrame(scores, index=numbered("entry"), columns=models)
    assert any(
        note.endswith("are they ways of evaluation?")
        for note in notes(from_wide(frame, design="datasets", metric=ANY))
    )


@pytest.mark.parametrize(
    "models",
    [
        ["local", "global"],
        ["Lasso CV", "Ridge CV"],
        ["LassoCV", "LassoLarsIC"],
        ["bootstrap", "bagging"],
        ["cross-encoder", "bi-encoder"],
        ["Cross-attention", "Self-attention"],
        ["non-private", "DP-SGD"],
        ["nested", "flat"],
        ["within", "cross"],
        ["UB", "LB"],
    ],
)
def test_models_that_are_called_almost_like_ways_of_evaluation(models):
    scores = RNG.normal(0.8, 0.03, (6, len(models))).round(3)
    frame = pd.DataFrame(scores, index=numbered("entry"), columns=models)
    found = notes(from_wide(frame, design="datasets", metric=ANY))
    assert not any("evaluation" in note for note in found)


@pytest.mark.parametrize(
    ("names", "is_noted"),
    [
        (("phi_correct", "yi_correct", "phi_verbalized_confidence"), True),
        (("phi", "yi", "yi_entropy"), True),
        (("phi is_correct", "yi is_correct", "phi mean logprob"), True),
        (("phi", "yi", "margin_phi"), True),
        (("phi_em", "yi_em", "yi_f_overlap"), False),  # of another model
        (("phi", "yi", "gemma_confidence"), False),
        (("phi", "yi", "yi_chat"), False),
    ],
)
def test_a_property_of_the_answers_beside_them(names, is_noted):
    right = RNG.integers(0, 2, (3, 200)).astype(float)
    answers = dict(zip(names, right))
    said = " is called like a statistic of "
    with_answers = notes(from_arrays(answers, design="items", metric="accuracy"))
    assert not any(said in note for note in with_answers)  # a model is called so
    answers[names[2]] = RNG.uniform(0.2, 1, 200).round(3)
    texts = notes(from_arrays(answers, design="items", metric="accuracy"))
    assert any(f"{names[2]!r}{said}" in note for note in texts) == is_noted


def test_models_that_differ_in_a_property_have_scores_between_right_and_wrong():
    scores = RNG.uniform(0.2, 0.9, (3, 60))
    models = dict(zip(("phi", "phi_margin", "phi_entropy"), scores))
    assert notes(from_arrays(models, design="items", metric="accuracy")) == []


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        (["mean", "std", "max"], "'mean', 'std' and 'max' are labelled like summaries"),
        (["accuracy", "macro avg"], "'accuracy' and 'macro avg' are labelled like"),
        (
            ["precision"],
            "'precision' is called like a metric: is it a data set, or are",
        ),
        (["macro avg"], "'macro avg' is labelled like a summary of the rows"),
    ],
)
def test_all_summaries_are_named_and_metrics_are_none(labels, says):
    (note,) = notes(wide([*"abcde", *labels]))
    assert says in note
