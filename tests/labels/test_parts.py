"""Rows of parts of the data."""

import numpy as np
import pandas as pd
import pytest
from labelled import ANY, notes, wide

from replib import Scores
from replib.readers import from_arrays

RNG = np.random.default_rng(4)


@pytest.mark.parametrize(
    ("models", "n_notes"),
    [
        (["accuracy", "val_accuracy"], 1),
        (["auc", "test_auc"], 1),
        (["rf~Accuracy", "gbm~Accuracy"], 0),
        (["bert", "bert_val"], 0),
    ],
)
def test_a_history_has_one_model_on_two_parts_of_the_data(models, n_notes):
    columns = dict(zip(models, RNG.normal(0.8, 0.03, (2, 8)).round(3)))
    table = from_arrays(columns, design="seeds", metric="accuracy")
    assert len(notes(table)) == n_notes


def test_parts_of_the_data():
    scores = RNG.normal(0.8, 0.03, (2, 10))
    for names, is_noted in (
        (("train", "Test"), True),
        (("training", "validation"), True),
        (("svm_val", "svm_test"), True),
        (("svm_val", "nb_test"), True),
        (("train-short", "test-time"), False),
    ):
        table = from_arrays(dict(zip(names, scores)), design="1x10", metric="accuracy")
        assert bool(notes(table)) == is_noted
    (note,) = notes(wide(["iris-train", "iris-test", "wine", "zoo"]))
    assert "'iris-train' and 'iris-test' are parts of one data set" in note
    assert notes(wide(["trains", "tests", "train_a", "test_b"])) == []


@pytest.mark.parametrize(
    ("labels", "is_noted"),
    [
        (["snli dev", "snli test", "mnli"], True),
        (["Cards_BUILD", "Cards_OOT", "Loans_OOT"], True),
        (["basin 12 (calibration)", "basin 12 (validation)", "basin 3"], True),
        (["PTB valid", "WikiText test", "enwik8"], False),
        (["clinic A internal", "clinic A external", "clinic B"], False),
        (["librispeech test-clean", "librispeech test-other"], False),
        (["deep learning", "deep forest"], False),
    ],
)
def test_data_sets_that_are_parts_of_one(labels, is_noted):
    found = [note for note in notes(wide(labels)) if "parts of one data set" in note]
    assert len(found) == is_noted


@pytest.mark.parametrize(
    ("name", "value", "is_noted"),
    [
        ("dataset_part", "calibration", True),
        ("dataset_part", "train", True),
        ("eval_set", "in-sample", True),
        ("sample", "Development", True),
        ("sample_type", "estimation", True),
        ("phase", "development", False),
        ("calibration", "isotonic", False),
        ("method", "learning", False),
        ("subset", "validation", False),
        ("part", "dev", False),
    ],
)
def test_chosen_rows_of_what_models_were_fitted_to(name, value, is_noted):
    rows = [(m, i, value, RNG.random()) for m in "ab" for i in range(9)]
    frame = pd.DataFrame(rows, columns=["model", "item", name, "score"])
    table = Scores(frame, design="items", metric=ANY, where={name: value})
    assert len(notes(table)) == is_noted


SETS = ["iris", "wine", "zoo", "glass", "heart", "sonar"]


@pytest.mark.parametrize(
    ("label", "is_noted"),
    [
        *[(label, True) for label in ("gsm8k_train", "SQuAD (training)", "iris:train")],
        *[(label, True) for label in ("SQuAD train", "wine training set")],
        *[(label, True) for label in ("Training cohort", "apparent (training data)")],
        *[(label, True) for label in ("Development cohort", "derivation sample")],
        *[(label, False) for label in ("development set", "development", "cohort")],
        *[(label, False) for label in ("trains", "bullet train", "train", "retrain")],
        *[(label, False) for label in ("training_on_test_set", "Trainor Clinic")],
    ],
)
def test_the_training_part_of_a_data_set(label, is_noted):
    found = notes(wide([*SETS, label]))
    assert len(found) == is_noted
    assert all("is a part for training" in note for note in found)


def test_rows_that_are_parts_of_the_data():
    (note,) = notes(wide(["val", "test"], "seeds"))
    assert note == "The rows are called 'val' and 'test': are they parts of the data?"


def test_chosen_rows_are_of_one_part():
    rows = [
        (m, i, "val" if i < 5 else "test", RNG.random()) for m in "ab" for i in range(9)
    ]
    frame = pd.DataFrame(rows, columns=["model", "item", "split", "score"])
    for parts, is_noted in ((["val", "test"], True), (["test"], False), ("val", False)):
        table = Scores(frame, design="items", metric=ANY, where={"split": parts})
        assert bool(notes(table)) == is_noted
