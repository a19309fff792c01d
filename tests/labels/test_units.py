"""Rows that are numbered, or called, as units of another kind."""

import numpy as np
import pandas as pd
import pytest
from labelled import ANY, long, notes, numbered, wide

from replib import CV, Items, RandomSplits, Scores, Seeds

RNG = np.random.default_rng(4)


@pytest.mark.parametrize(
    "word, design, unit",
    [
        ("fold ", "datasets", "fold"),
        ("Seed=", "datasets", "seed"),
        ("rep_", "datasets", "repetition"),
        ("split-", "datasets", "split"),
        ("epoch ", "datasets", "epoch"),
        ("cv", "datasets", "fold"),
        ("iter ", "datasets", "iteration"),
        ("fold", "items", "fold"),
        ("seed", "items", "seed"),
        ("Fold ", "seeds", "fold"),
        ("split ", "seeds", "split"),
        ("ckpt-", "seeds", "checkpoint"),
        ("fold #", RandomSplits(6, 0.2), "fold"),
        ("seed ", CV(1, 6), "seed"),
        ("task", "datasets", None),
        ("data set ", "datasets", None),
        ("q", "items", None),
        ("seed ", "seeds", None),
        ("run_", "seeds", None),
        ("split ", RandomSplits(6, 0.2), None),
        ("seed ", RandomSplits(6, 0.2), None),
        ("fold ", CV(1, 6), None),
    ],
)
def test_rows_that_are_numbered_as_another_unit(word, design, unit):
    texts = notes(wide(numbered(word), design))
    assert len(texts) == (unit is not None)
    assert all(text.endswith(f"are they {unit}s?") for text in texts)


def test_one_label_of_another_kind_leaves_the_others_alone():
    assert notes(wide([*numbered("fold "), "iris"])) == []


@pytest.mark.parametrize("design", ["seeds", RandomSplits(4, 0.2), CV(1, 4)])
def test_rows_with_names_in_words_are_data_sets(design):
    names = ["anneal", "autos", "breast", "colic"]
    (note,) = notes(wide(names, design))
    assert "'anneal' and 'autos' and so on: are they data sets?" in note
    assert notes(wide(["a1", *names[1:]], design)) == []
    assert notes(wide([*"abcd"], design)) == []


@pytest.mark.parametrize(
    ("column", "labels", "asks"),
    [
        ("heldOutSpeaker", ["1", "2", "3", "4"], "'heldOutSpeaker' has the groups"),
        ("excluded_plant", ["P", "Q", "R", "S"], "'excluded_plant' has the groups"),
        ("target", ["PDB0031", "PDB0044", "PDB0102"], "are they items, or groups?"),
        ("fold", ["lake-a1", "river", "marsh", "tundra"], "are they data sets?"),
        ("held_out_fold", ["1", "2", "3"], None),
        ("fold", ["k101", "k102", "k103"], None),
        ("fold", ["job4711", "job4719", "job4730"], None),
        ("fold", ["cut-1a", "cut-2b", "cut-3c"], None),
    ],
)
def test_folds_that_are_groups_lead_to_their_design(column, labels, asks):
    rows = [(name, x, RNG.random()) for name in ("nb", "svm") for x in labels]
    frame = pd.DataFrame(rows, columns=["model", column, "score"])

    def notes_of(design):
        columns = {"fold": column}
        return notes(Scores(frame, design=design, metric=ANY, columns=columns))

    found = notes_of(CV(1, len(labels)))
    assert len(found) == (asks is not None)
    assert all(asks in note and "design says groups=True" in note for note in found)
    assert notes_of(CV(1, len(labels), groups=True)) == []


def test_folds_among_other_evaluations_are_no_data_sets():
    (note,) = notes(wide([*(f"fold_{i}" for i in range(4)), "OOF", "public LB"]))
    assert note.endswith("are they folds?")
    (note,) = notes(wide(["OOF", "public LB", "private LB", "CV"]))
    assert "are they" in note
    assert notes(wide(["news", "blogs", "public health", "holdout"])) == []


def test_known_data_sets_are_no_seeds():
    (note,) = notes(wide(["sst2", "cola", "mnli", "boolq"], "seeds"))
    assert note.endswith("are they data sets?")
    assert notes(wide(["cola", "pepsi2", "fanta3", "sprite"], "seeds")) == []


def test_groups_have_names_and_two_rows_may_have_any():
    assert notes(wide(["Bern", "Rome", "Oslo"], CV(1, 3, groups=True))) == []
    assert notes(wide(["first", "second"], "seeds")) == []


def test_runs_of_each_model_may_have_names_of_their_own():
    frame = pd.DataFrame(
        {
            "model": ["vit"] * 3 + ["cnn"] * 3,
            "run": ["eager", "quiet", "brave", "sunny", "calm", "noble"],
            "score": RNG.random(6),
        }
    )
    assert notes(Scores(frame, design="seeds", metric=ANY)) == []


def test_a_text_index_has_the_labels_of_seeds():
    table = wide(["s2", "s1", "s3"], Seeds(paired=True))
    assert sorted(table.frame["run"].unique()) == ["s1", "s2", "s3"]


def test_runs_with_letters_are_what_their_word_says():
    for word, kind in (
        ("prompt", "prompts"),
        ("Template", "prompts"),
        ("fold", "folds"),
    ):
        (note,) = notes(long([f"{word}_{letter}" for letter in "ABCDE"], "seeds"))
        assert note.endswith(f"are they {kind}?")


@pytest.mark.parametrize(
    ("labels", "is_noted"),
    [
        (["E0", "D1", "I1", "F1", "N1", "B1"], False),
        (["A1", "C2", "F1", "G3"], False),
        (["iris", "wine", "zoo", "F1"], True),
        (["iris", "D1", "zoo", "F1"], True),
    ],
)
def test_a_letter_and_number_among_others_is_a_code(labels, is_noted):
    assert len(notes(wide(labels))) == is_noted


def clustered(name, labels):
    """Answers to questions that come in clusters with some labels."""
    n = len(labels)
    rows = [
        (model, item, int(RNG.integers(0, 2)), labels[item])
        for model in ("nb", "svm")
        for item in range(n)
    ]
    frame = pd.DataFrame(rows, columns=["model", "item", "score", name])
    return Scores(frame, design=Items(cluster=name), metric="accuracy")


@pytest.mark.parametrize("name", ["result", "true_label", "final_diagnosis", "Outcome"])
def test_few_large_clusters_called_after_an_outcome(name):
    few = RNG.choice(["a", "b", "c"], 150).tolist()
    (note,) = notes(clustered(name, few))
    assert "has outcomes by its name" in note
    assert notes(clustered("clinic", few)) == []
    assert notes(clustered(name, [f"p{i // 3}" for i in range(150)])) == []


def test_classes_of_a_school_are_no_outcomes():
    assert notes(clustered("class", RNG.choice(["5a", "5b", "6a"], 150).tolist())) == []


@pytest.mark.parametrize(
    ("score", "other", "is_noted"),
    [
        ("is_sortino", "oos_sortino", True),
        ("ic_IS", "ic_OOS", True),
        ("is_return", "test_return", True),
        ("is_sortino", "oos_ic", False),
        ("is_right", "n_right", False),
    ],
)
def test_a_column_is_in_sample_if_another_is_out_of_sample(score, other, is_noted):
    rows = [(m, r, RNG.random(), RNG.random()) for m in ("nb", "svm") for r in range(9)]
    frame = pd.DataFrame(rows, columns=["model", "run", score, other])
    columns = {"score": score, "ignored": [other]}
    found = notes(Scores(frame, design="seeds", metric=ANY, columns=columns))
    assert any("training data" in note for note in found) == is_noted
