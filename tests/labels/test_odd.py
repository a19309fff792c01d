"""The one model among others whose scores are of another kind."""

import numpy as np
import pytest
from labelled import notes_on

from replib import Metric

RNG = np.random.default_rng(4)
RELATED = np.clip(RNG.normal(0.6, 0.2, 60) + RNG.normal(0, 0.1, (3, 60)), 0, 1).round(3)
PLAIN = dict(zip(["nb", "c45", "svm"], RELATED))
ANSWERS = (RNG.normal(size=150) + RNG.normal(0, 0.5, (2, 150)) > 0).astype(float)
SOLVED = dict(zip(["cox", "rsf"], ANSWERS))
CHANCE = np.tile([0, 1, 1, 0, 1, 0, 0, 0, 1, 0], 15)


@pytest.mark.parametrize(
    ("name", "scores", "is_noted"),
    [
        ("Vpn", np.repeat(range(1, 13), 5), True),
        ("x", np.tile(range(5), 12), True),
        ("x", np.arange(60)[::-1], True),
        ("x", np.sort(np.arange(60) % 7), True),
        ("relevantes", RNG.integers(2, 190, 60), True),
        ("rating", RNG.integers(1, 6, 60), True),
        ("majority", RNG.integers(0, 2, 60), False),
        ("human", RNG.integers(5, 90, 60), False),
        ("x", np.repeat(range(1, 13), 5) + 0.5, False),
    ],
)
def test_whole_numbers_beside_shares(name, scores, is_noted):
    found = notes_on(PLAIN | {name: scores})
    assert len(found) == is_noted
    assert all(note.startswith(f"{name} has") for note in found)
    # a table of ratings, or of errors in whole milliseconds
    rounded = {model: (9 * x).round() for model, x in PLAIN.items()}
    assert notes_on(rounded | {name: RNG.permutation(scores)}) == []


def test_whole_numbers_beside_others_of_any_size():
    scores = dict(zip(["dqn", "sac"], RNG.gamma(4, 900, (2, 30)).round(1)))
    assert notes_on(scores | {"dqn of paper": scores["dqn"].round()}) == []
    (note,) = notes_on(scores | {"Vpn": np.tile(range(10), 3)})
    assert note == "Vpn has the whole numbers 0 to 9, as labels are: is it a model?"


@pytest.mark.parametrize(
    "name", ["event", "status", "Censored", "weights", "survey_weight", "group"]
)
def test_something_about_the_items(name):
    (note,) = notes_on(SOLVED | {name: CHANCE}, design="items")
    assert note == f"{name} is called like something about the rows: is it a model?"
    # a camera of events is right about the same items as others
    alike = (ANSWERS[0] + CHANCE > 0).astype(float)
    assert notes_on(SOLVED | {name: alike}, design="items") == []
    assert notes_on(SOLVED | {"guess": CHANCE}, design="items") == []


@pytest.mark.parametrize(
    "name", ["rtf", "RTFx", "GFLOPs", "real-time factor", "num_rel"]
)
def test_a_measure_that_needs_no_unit(name):
    (note,) = notes_on(PLAIN | {name: RELATED[0][::-1] / 100 + 1.01})
    assert note.startswith(f"{name} is called like")
    better = "higher" if name == "RTFx" else "lower"
    metric = Metric(name, better=better)
    assert notes_on(PLAIN | {"asr": RELATED[0][::-1]}, metric) == []
