"""Models whose scores are computed from those of others."""

import numpy as np
import pytest
from labelled import notes_on

RNG = np.random.default_rng(7)
THREE = dict(zip(["nb", "c45", "svm"], RNG.normal(0.8, 0.03, (3, 12)).round(3)))


def best(*names, of=THREE):
    return np.max([of[name] for name in names], axis=0)


@pytest.mark.parametrize(
    ("name", "scores"),
    [
        ("best baseline", best("nb", "c45")),
        ("x", best("nb", "c45")),
        ("x", np.min([THREE["nb"], THREE["svm"]], axis=0)),
        ("x", np.mean([*THREE.values()], axis=0).round(3)),
        ("x", np.sum([*THREE.values()], axis=0)),
    ],
)
def test_scores_that_are_computed_from_those_of_others(name, scores):
    (note,) = notes_on(THREE | {name: scores})
    assert note == f"The scores of {name} are computed from those of the others."
    # one that is chosen by other data, or a sample, is not the best in every row
    chosen = scores.copy()
    chosen[3] = min(x[3] for x in THREE.values()) + 0.001
    assert notes_on(THREE | {name: chosen}) == []


@pytest.mark.parametrize(
    ("n_others", "n_rows", "is_rare"), [(2, 9, True), (4, 6, False)]
)
def test_best_scores_of_few_rows_may_be_a_coincidence(n_others, n_rows, is_rare):
    scores = np.arange(n_others * n_rows, dtype=float).reshape(n_rows, n_others) / 100
    order = [np.roll(row, place) for place, row in enumerate(scores)]
    models = dict(zip("abcd", np.stack(order).T))
    assert bool(notes_on(models | {"x": scores.max(axis=1)})) == is_rare


@pytest.mark.parametrize("name", ["x", "residue"])
def test_scores_that_are_the_difference_of_two_others(name):
    models = THREE | {name: (THREE["svm"] - THREE["nb"] / 2).round(3)}
    assert notes_on(models) == []
    models["half"] = (THREE["nb"] / 2).round(3)
    (note,) = notes_on(models)
    assert note in (
        "The scores of half are those of svm minus those of x.",
        f"The scores of {name} are those of svm minus those of half.",
        f"The scores of half are those of svm minus those of {name}.",
    )


ITEMS = dict(zip(["nb", "c45", "svm"], RNG.integers(0, 2, (3, 200))))


@pytest.mark.parametrize("name", ["union", "oracle", "pass@3", "any agent"])
def test_items_that_any_model_solves(name):
    (note,) = notes_on(ITEMS | {name: best(*ITEMS, of=ITEMS)}, design="items")
    assert note == f"The scores of {name} are computed from those of the others."
    assert notes_on(ITEMS | {name: ITEMS["nb"][::-1]}, design="items") == []


@pytest.mark.parametrize(
    ("name", "scores"),
    [
        ("majority vote", np.median([*ITEMS.values()], axis=0)),
        ("either", best("nb", "c45", of=ITEMS)),
        ("both", ITEMS["nb"] * ITEMS["c45"]),
    ],
)
def test_combinations_of_models_that_are_right_or_wrong(name, scores):
    assert notes_on(ITEMS | {name: scores}, design="items") == []


def test_mixtures_may_have_the_mean_of_scores():
    mean = np.mean([*THREE.values()], axis=0).round(3)
    assert notes_on(THREE | {"soft vote": mean}) == []


@pytest.mark.parametrize(
    ("name", "is_noted"),
    [("tie", True), ("Tie (both bad)", True), ("neither", True), ("llama", False)],
)
def test_a_rest_that_completes_the_others(name, is_noted):
    votes = RNG.integers(0, 3, 60)
    models = {"gpt": votes == 0, "claude": votes == 1, name: votes == 2}
    models = {model: x.astype(float) for model, x in models.items()}
    found = notes_on(models, design="items")
    assert len(found) == is_noted
    assert all("add up to 1 in every row" in note for note in found)
    assert notes_on(models | {"gpt": models["gpt"][::-1]}, design="items") == []
