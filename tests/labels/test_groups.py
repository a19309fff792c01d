"""A group beside its parts, and a row with the means of the others, draw a question."""

import numpy as np
import pandas as pd
import pytest

from replib import Items, Metric, Scores
from replib._labels import notes_about_labels
from replib._labels.groups import notes_about_groups
from replib._labels.means import RARE, chance_of_mean
from replib.readers import from_arrays, from_wide

RNG = np.random.default_rng(12)
ANY = Metric("quality", better="higher")
SETS = ["scifact", "trec-covid", "nfcorpus", "fiqa", "arguana"]
FORUMS = ["android", "english", "gaming", "gis"]


def wide(labels, scores=None, design="datasets"):
    if scores is None:
        scores = RNG.normal(0.6, 0.05, (len(labels), 2)).round(4)
    frame = pd.DataFrame(scores, index=labels, columns=["bge", "gte"])
    return from_wide(frame, design=design, metric=ANY)


def with_group(group, parts, place):
    """Scores of a group that are between those of its parts, or above them."""
    of_parts = RNG.normal(0.6, 0.05, (len(parts), 2))
    of_group = {
        "between": of_parts.mean(axis=0) + 0.001,
        "above": of_parts.max(axis=0) + 0.1,
    }
    scores = np.vstack([RNG.normal(0.6, 0.05, (5, 2)), of_group[place], of_parts])
    return wide([*SETS, group, *parts], scores)


@pytest.mark.parametrize(
    ("group", "parts", "place"),
    [
        ("cqadupstack", [f"cqadupstack/{x}" for x in FORUMS], "above"),
        ("MMLU", ["mmlu:law", "mmlu:art"], "above"),
        ("mmlu", [f"mmlu_{x}" for x in ("law", "art", "us_history")], "between"),
        (
            "CQADupstackRetrieval",
            [f"CQADupstack{x.title()}Retrieval" for x in FORUMS],
            "between",
        ),
        ("Amazon", ["Amazon (books)", "Amazon (toys)", "Amazon (music)"], "between"),
    ],
)
def test_a_group_beside_its_parts(group, parts, place):
    (note,) = notes_about_labels(with_group(group, parts, place))
    assert note.startswith(f"{group!r} is there beside {parts[0]!r}")


SUBJECTS = ["anatomy", "astronomy", "econometrics", "formal_logic", "sociology"]
STATES = ["Alabama", "Alaska", "Ohio", "Texas", "New Mexico"]


@pytest.mark.parametrize(
    ("labels", "whole"),
    [
        ([*STATES, "US"], "US"),
        (["USA", *STATES], "USA"),
        (["AL", "OH", "TX", "UT", "US"], "US"),
        (["England", "Scotland", "Wales", "UK"], "UK"),
        (["Bayern", "Berlin", "Hessen", "Thüringen", "Deutschland"], "Deutschland"),
        (["France", "Spain", "Kenya", "Peru", "World"], "World"),
        ([*SUBJECTS, "stem", "humanities", "social sciences", "other"], "stem"),
        ([f"mmlu_{x}" for x in [*SUBJECTS, "stem", "other"]], "mmlu_stem"),
        (["carpet", "grid", "tile", "bottle", "cable", "Textures"], "Textures"),
        (["svhn", "dtd", "pets", "DMLab", "KITTI", "natural"], "natural"),
        (STATES, None),
        (["US", "DE", "IN", "CA", "CO"], None),  # countries
        (["US", "UK", "Kenya", "Texas", "iris"], None),
        (["stem", "humanities", "social sciences", "other"], None),
        (["billing", "marketing", "management", "shipping", "other"], None),
        (["France", "Germany", "United States", "Spain"], None),
        (["adult-US", "adult-AL", "wine", "iris"], None),
        (["tile", "natural", "svhn", "structured"], None),
    ],
)
def test_a_known_whole_beside_its_parts(labels, whole):
    found = list(notes_about_groups(wide(labels)))
    assert len(found) == (whole is not None)
    assert all(note.startswith(f"{whole!r} is there beside") for note in found)


def test_a_known_whole_with_the_mean_is_asked_about_once():
    scores = RNG.normal(0.6, 0.05, (len(STATES), 2)).round(4)
    table = wide([*STATES, "US"], np.vstack([scores, scores.mean(axis=0).round(4)]))
    (note,) = notes_about_labels(table)
    assert note.startswith("'US' is there beside 'Alabama'")


def test_subjects_among_tasks():
    tasks = np.repeat([*SUBJECTS, "humanities"], 20)
    models = {"a": RNG.random(120), "b": RNG.random(120)}
    table = from_arrays(models, design="items", metric="acc", tasks=tasks)
    (note,) = notes_about_groups(table)
    assert note.endswith("is it a task of its own?")


@pytest.mark.parametrize(
    ("group", "parts", "place"),
    [
        (
            "ImageNet",
            ["ImageNet-A", "ImageNet-R", "ImageNet-V2", "ImageNet-Sketch"],
            "between",
        ),
        (
            "breast-cancer",
            [f"breast-cancer-wisc{x}" for x in ("", "-diag", "-prog")],
            "above",
        ),
        (
            "hopper-medium-v2",
            ["hopper-medium-replay-v2", "hopper-medium-expert-v2"],
            "between",
        ),
        ("heart", ["heart-c", "heart-h", "heart-statlog"], "between"),
        ("yelp", ["yelp-2013", "yelp-2014", "yelp-2015"], "between"),
        ("mnist", ["fashion-mnist", "kuzushiji-mnist", "rotated-mnist"], "between"),
        ("SQuAD", ["SQuAD/v2"], "between"),
    ],
)
def test_a_data_set_beside_its_versions(group, parts, place):
    assert list(notes_about_groups(with_group(group, parts, place))) == []


@pytest.mark.parametrize("label", ["all", "Global", "Weltweit", "zusammen"])
@pytest.mark.parametrize("place", [0, 9])
def test_a_row_with_the_means_of_the_others(label, place):
    scores = RNG.normal(0.6, 0.05, (9, 2)).round(4)
    names = [f"q{i}" for i in range(9)]
    mean = scores.mean(axis=0).round(4)
    rows = [*names[:place], label, *names[place:]]
    for design in ("datasets", "items"):
        (note,) = notes_about_labels(
            wide(rows, np.insert(scores, place, mean, 0), design)
        )
        assert note.startswith(f"{label!r} has the means of the other rows")
        near = np.insert(scores, place, mean + [0, 0.0002], 0)
        assert not [*notes_about_labels(wide(rows, near, design))]


@pytest.mark.parametrize(("label", "is_noted"), [("ALL", True), ("colon", False)])
def test_a_mean_of_few_digits_counts_with_a_word_for_all(label, is_noted):
    scores = (
        np.array([[71, 73], [64, 60], [80, 85], [92, 95], [67, 70], [59, 58]]) / 1.0
    )
    rows = [*SETS, "hotpotqa", label]
    table = wide(rows, np.vstack([scores, scores.mean(axis=0).round()]))
    assert len(list(notes_about_labels(table))) == is_noted


def test_means_are_rare_among_right_tables():
    """Of 10,000 right tables with two digits or fewer, at most one has a mean at an end."""
    n_noted = 0
    for _ in range(10_000):
        n_sets, digits = RNG.integers(4, 30), RNG.integers(0, 3)
        level = RNG.normal(80, 8, n_sets)
        scores = (level + RNG.normal(0, 2, (2, n_sets))).round(digits)
        n_noted += chance_of_mean(scores[:, -1], scores[:, :-1]) < RARE
    assert n_noted <= 1


@pytest.mark.parametrize(
    ("labels", "is_noted"),
    [
        ([*[f"test/{i}" for i in range(9)], *[f"train/{i}" for i in range(9)]], True),
        (
            [
                *[f"mbpp-dev-{i}" for i in range(9)],
                *[f"mbpp-train-{i}" for i in range(9)],
            ],
            True,
        ),
        ([f"train/{i}" for i in range(9)], False),
        ([*[f"train {i}" for i in range(9)], *[f"bus {i}" for i in range(9)]], False),
        ([*[f"test/{i}" for i in range(9)], *[f"val/{i}" for i in range(9)]], False),
    ],
)
def test_items_of_the_training_part_among_others(labels, is_noted):
    frame = pd.DataFrame({"item": labels, "score": RNG.random(len(labels))})
    both = pd.concat([frame.assign(model=model) for model in ("nb", "svm")])
    table = Scores(both, design=Items(), metric=ANY)
    assert len(list(notes_about_labels(table))) == is_noted


@pytest.mark.parametrize(
    ("labels", "design", "is_noted"),
    [
        (["train", "valid", "xval"], "datasets", True),
        (["public", "private"], "seeds", True),
        (["train", "cross-validation", "holdout"], "datasets", True),
        (["in-sample", "out-of-sample"], "datasets", True),
        (["internal", "external"], "datasets", False),
        (["train", "bus", "car"], "datasets", False),
        (["sample", "data", "set"], "datasets", False),
    ],
)
def test_rows_that_are_parts_of_the_data(labels, design, is_noted):
    found = [*notes_about_labels(wide(labels, design=design))]
    assert [note for note in found if "are they parts of the data?" in note] == found
    assert len(found) == is_noted
