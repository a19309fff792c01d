"""Items of a few files or classes draw a question; items of tasks or issues draw none."""

import numpy as np
import pandas as pd
import pytest

from replib import Items, Scores
from replib._labels.stems import notes_about_stems

RNG = np.random.default_rng(5)
NAMES = ["net", "fs", "mm", "sound", "crypto", "block"]


def notes(labels, design="items", **columns):
    frame = pd.DataFrame({"item": labels, "score": RNG.random(len(labels)), **columns})
    both = pd.concat([frame.assign(model=name) for name in ("vit", "cnn")])
    return list(notes_about_stems(Scores(both, design=design, metric="accuracy")))


def within(pattern, n_items, names=NAMES):
    return [pattern.format(name, f"x{i}y") for name in names for i in range(n_items)]


@pytest.mark.parametrize(
    ("pattern", "things"),
    [
        ("kernel/{}.c:{}", "6 files"),
        ("tests/test_{}.py::{}", "6 files"),
        ("{}.wav@{}", "6 files"),
        ("reports/{}.pdf#{}", "6 files"),
        ("{}.nii.gz[{}]", "6 files"),
        ("org.apache.{}.{}", "6 modules or classes"),
        ("{}.Parser.{}", "6 modules or classes"),
        ("std::{}::Queue::{}(int)", "6 modules or classes"),
    ],
)
def test_items_of_a_few_containers(pattern, things):
    labels = within(pattern, 8)
    (note,) = notes(labels)
    assert f"items are of {things}, such as {labels[0]!r} and {labels[1]!r}" in note
    clusters = np.repeat(NAMES, 8)
    assert notes(labels, Items(cluster="file"), file=clusters) == []
    assert notes(within(pattern, 8, NAMES[:3])) == []  # too few for a test
    few = within(pattern, 2)  # which hardly matter
    assert not any(things in note for note in notes(few))


@pytest.mark.parametrize(
    "labels",
    [
        within("mmlu.{}:{}", 8),
        within("mmlu.{}/{}", 8),
        within("bbh.{}.{}", 8),
        within("{}#{}", 8),
        within("https://x.org/{}/{}", 8),
        within("suite__{}-1{}", 8),
        [f"mmlu/{x}-{i}" for x in NAMES for i in RNG.permutation(9999)[:20]],
        [f"suite__{x}-{i}" for x in NAMES for i in RNG.permutation(9999)[:20]],
        [f"{x}-dev__{x}-{i}" for x in NAMES for i in RNG.permutation(9999)[:20]],
        [f"{x}/{x}-core#{i}" for x in NAMES for i in RNG.permutation(9999)[:20]],
        [f"f{i}.c:main" for i in range(60)],
        [f"10.1000/j.{x}.{i}" for x in NAMES for i in RNG.permutation(9999)[:20]],
    ],
    ids=lambda labels: labels[0],
)
def test_items_of_tasks_and_issues(labels):
    assert notes(labels) == []
