"""Labels of runs that show how the runs were made: with one seed, resumed, as states."""

import numpy as np
import pandas as pd
import pytest

from replib import Metric, RandomSplits, Scores, Seeds
from replib._labels.runs import notes_about_runs

RNG = np.random.default_rng(12)
ANY = Metric("quality", better="higher")


def notes(labels, design=None, name="run", scores=None):
    labels = [*labels]
    frame = pd.concat(
        [
            pd.DataFrame(
                {"model": model, name: labels, "score": RNG.random(len(labels))}
            )
            for model in ("gcn", "gat")
        ]
    )
    if scores is not None:
        frame["score"] = np.concatenate([scores, scores])
    table = Scores(
        frame,
        design=design or Seeds(),
        metric=ANY,
        columns={} if name == "run" else {"run": name},
    )
    return list(notes_about_runs(table))


@pytest.mark.parametrize(
    "pattern",
    ["{}_seed=42", "job{},seed=42", "seed42-{}", "random_state=42/{}", "rng 42 ({})"],
)
def test_runs_that_have_one_seed_in_their_labels(pattern):
    (note,) = notes([pattern.format(i) for i in range(5)])
    assert "each has the seed 42: was each run trained" in note


@pytest.mark.parametrize(
    "labels",
    [
        [f"0_seed={i}" for i in range(5)],
        [f"init_seed1_data_seed{i}" for i in range(5)],
        [f"s42-{i}" for i in range(5)],
        [f"seedling42-{i}" for i in range(5)],
        [f"42-{i}" for i in range(5)],
        ["seed42", "7"],
    ],
)
def test_runs_of_several_seeds(labels):
    assert notes(labels) == []


def test_splits_may_have_one_seed_of_the_learner():
    labels = [f"split{i}_seed42" for i in range(5)]
    assert notes(labels, RandomSplits(5, 0.2)) == []


@pytest.mark.parametrize(
    ("labels", "pair"),
    [
        (["0", "1", "2", "2-restarted"], ("2-restarted", "2")),
        (["run1", "run2_retry", "run2"], ("run2_retry", "run2")),
        (["s1", "s2", "s2 (1)"], ("s2 (1)", "s2")),
        (["seed 7", "seed 7 [bis]", "seed 9"], ("seed 7 [bis]", "seed 7")),
    ],
)
@pytest.mark.parametrize("design", ["seeds", "splits"])
def test_a_run_that_has_the_label_of_another_and_a_word(labels, pair, design):
    (note,) = notes(
        labels, RandomSplits(len(labels), 0.2) if design == "splits" else None
    )
    assert note.startswith("'{}' has the label of '{}'".format(*pair))


@pytest.mark.parametrize(
    "labels",
    [
        ["main", "main-longer", "extra"],
        ["1a", "1b", "2a"],
        ["run1", "run2", "run2b"],
        ["seed3-resumed", "seed4-resumed", "seed5"],
        ["7", "7-1", "7-2"],
        ["sunny-sweep-1", "lively-fog-2", "sunny-sweep-11"],
    ],
)
def test_runs_whose_labels_begin_alike(labels):
    assert notes(labels) == []


RISING = np.round(0.9 - 0.4 * np.exp(-np.arange(12) / 4), 3)


@pytest.mark.parametrize(
    ("name", "labels", "scores", "is_noted"),
    [
        ("round", range(12), RISING, True),
        ("generation", range(12), -RISING, True),
        ("run", [f"cycle {i}" for i in range(12)], RISING, True),
        ("round", range(12), RNG.permutation(RISING), False),
        ("round", range(5), RISING[:5], False),
        ("number", range(12), RISING, False),  # sorted by somebody
        ("run", [f"cycle {x}" for x in "abcdefghijkl"], RISING, False),
    ],
)
def test_rounds_from_one_to_the_next_of_which_scores_rise(
    name, labels, scores, is_noted
):
    found = notes(labels, name=name, scores=scores)
    assert len(found) == is_noted
    assert all("states of one training" in note for note in found)
