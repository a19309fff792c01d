"""Units that occur twice, and models that are rounded copies of others."""

import numpy as np
import pandas as pd
import pytest

from replib import CV, Datasets, Items, Metric, RandomSplits, Scores, Seeds
from replib._notes.repeats import notes_about_marked_items, notes_about_repeats
from replib.readers import from_arrays, from_predictions, from_wide

ANY = Metric("quality", better="higher")


def notes(models, design="datasets", metric=ANY):
    return list(notes_about_repeats(from_arrays(models, design=design, metric=metric)))


def correlated(n_models, n_units, digits, *, seed=0, spread=0.1):
    """Scores of models that share most of what is easy and hard."""
    rng = np.random.default_rng(seed)
    common = rng.normal(0.75, spread, n_units)
    scores = common + spread / 4 * rng.normal(size=(n_models, n_units))
    return dict(zip("abcdefgh", scores.round(digits)))


def with_copy(models, first=2, second=7):
    """A table in which a unit has the scores of another."""
    return {
        name: np.where(np.arange(x.size) == second, x[first], x)
        for name, x in models.items()
    }


# ---------------------------------------------------------------- units


@pytest.mark.parametrize(
    "design, n_models, digits, is_noted",
    [
        (Datasets(), 3, 4, True),
        (Datasets(), 3, 2, False),  # by chance
        (Datasets(), 2, 12, True),
        (Seeds(), 4, 12, True),
        (Seeds(paired=True), 4, 12, True),
        (Seeds(), 3, 12, False),  # learners of few optima
        (RandomSplits(15, 0.2), 3, 12, True),
        (CV(3, 5), 3, 12, True),
        (CV(3, 5), 3, 2, False),
        (CV(1, 15), 2, 5, True),
        (CV(1, 15, groups=True), 2, 5, False),  # of any size
    ],
)
def test_two_units_with_the_same_scores_in_every_model(
    design, n_models, digits, is_noted
):
    models = correlated(n_models, 15, digits)
    assert notes(models, design) == []
    assert bool(notes(with_copy(models), design)) == is_noted


def test_the_note_names_the_units():
    scores = with_copy(correlated(4, 10, 6))
    (note,) = notes(scores, "seeds")
    assert note == "Seeds 3 and 8 have the same scores in every model: is one a copy?"
    counted = pd.DataFrame(scores).rename_axis("run").reset_index()
    (note,) = notes_about_repeats(from_wide(counted, design="seeds", metric=ANY))
    assert note.startswith("Seeds 2 and 7 have the same scores")
    frame = pd.DataFrame(scores, index=[f"uci-{i}" for i in range(10)])
    (note,) = notes_about_repeats(from_wide(frame, design="datasets", metric=ANY))
    assert note.startswith("Data sets 'uci-2' and 'uci-7' have the same scores")


def test_the_note_names_folds_and_runs():
    scores = with_copy(correlated(4, 10, 6))
    (note,) = notes(scores, CV(1, 10))
    assert note.startswith("Folds 3 and 8 have the same scores in every model")
    (note,) = notes(scores, CV(2, 5))
    assert note.startswith("Folds 3 of run 1 and 3 of run 2 have the same scores")
    rows = [f"fold_{number}" for number in range(10)]
    frame = pd.DataFrame(scores).assign(fold=rows)
    (note,) = notes_about_repeats(from_wide(frame, design="1x10", metric=ANY))
    assert note.startswith("Folds 'fold_2' and 'fold_7' have the same scores")


@pytest.mark.parametrize("metric", ["accuracy", "f1", "roc_auc", "balanced_accuracy"])
@pytest.mark.parametrize("n_items, digits", [(25, 12), (25, 3), (41, 12), (41, 4)])
@pytest.mark.parametrize("design", [CV(1, 10), CV(2, 5), CV(10, 10)])
def test_small_folds_may_have_equal_counts(metric, n_items, digits, design):
    rng = np.random.default_rng(n_items)
    n_folds = design.runs * design.folds
    sizes = n_items + np.arange(n_folds) % 2
    first = rng.binomial(sizes, 0.85) / sizes
    # the second model differs on an item or two, and one fold is like another
    second = first + rng.integers(-1, 2, n_folds) / sizes
    first[4], second[4] = first[2], second[2]
    models = {"a": first.round(digits), "b": second.clip(0, 1).round(digits)}
    assert notes(models, design, metric=metric) == []


@pytest.mark.parametrize(
    ("label", "other_label", "is_noted"),
    [
        ("german_credit", "Statlog (German Credit)", True),
        ("uci-adult", "Adult", True),
        ("wine quality", "wine-quality (original data)", True),
        ("UMCU", "UMC Utrecht", True),
        ("New York City", "NYC", True),
        ("NOAA", "North Atlantic", False),
        ("breast-cancer", "breast-tissue", False),
        ("monks-1", "monks-2", False),
        ("x1", "x1 b", False),
    ],
)
def test_data_sets_with_the_words_of_one_name(label, other_label, is_noted):
    # by their scores alone, the two may be equal by chance
    frame = pd.DataFrame(with_copy(correlated(3, 15, 3, spread=0.03)))
    labels = [f"set {word}" for word in "abcdefghijklmno"]
    labels[2], labels[7] = label, other_label
    for copied in (frame, pd.DataFrame(correlated(3, 15, 3, spread=0.03))):
        table = from_wide(copied.set_axis(labels), design="datasets", metric=ANY)
        assert len([*notes_about_repeats(table)]) == (is_noted and copied is frame)


def test_data_sets_that_all_models_solve_are_equal():
    models = correlated(5, 15, 3)
    solved = {
        name: np.where(np.arange(15) % 4 == 0, 1.0, x) for name, x in models.items()
    }
    assert notes(solved) == []
    assert notes(solved, metric="accuracy") == []


@pytest.mark.parametrize("design", ["datasets", "14 x 20%"])
@pytest.mark.parametrize(
    "copies", [[(0, 1)], [(0, 1), (0, 2)], [(0, 1), (2, 3), (4, 5)]]
)
def test_more_copies_hide_none(copies, design):
    rng = np.random.default_rng(12)
    scores = rng.normal(0.8, 0.03, 14) + rng.normal(0, 0.01, (3, 14))
    scores = scores.round(6)
    for first, second in copies:
        scores[:, second] = scores[:, first]
    models = dict(zip(["lr", "xgb", "lgbm"], scores))
    (note,) = notes_about_repeats(from_arrays(models, design=design, metric="roc_auc"))
    assert "have the same scores in every model" in note


@pytest.mark.parametrize("design", [Items(), Datasets()])
@pytest.mark.parametrize("order", ["one after the other", "each twice", "shuffled"])
def test_a_table_that_was_pasted_twice(design, order):
    rng = np.random.default_rng(1)
    half = (rng.random((2, 40)) < 0.7).astype(float)
    if isinstance(design, Datasets):
        half = rng.normal(0.8, 0.05, (2, 40)).round(2)
    scores = {
        "one after the other": np.tile(half, 2),
        "each twice": np.repeat(half, 2, axis=1),
        "shuffled": rng.permuted(np.tile(half, 2), axis=1),
    }[order]
    texts = notes(dict(zip("ab", scores)), design)
    assert bool(texts) == (order != "shuffled")
    assert all("80" in text and "are 40 given twice" in text for text in texts)


@pytest.mark.parametrize("n, is_noted", [(22, False), (28, True), (40, True)])
def test_how_many_items_are_no_accident(n, is_noted):
    """Half of the items are right: 14 pairs are equal with probability 0.0001."""
    half = np.arange(n // 2) % 2
    half = np.random.default_rng(3).permutation(half)
    models = {"a": np.tile(half, 2), "b": np.tile(half[::-1], 2)}
    assert bool(notes(models, "items")) == is_noted


MARKED = [
    *("{} (1)", "{}_copy", "copy of {}", "{} - Copie", "Kopie von {}", "{}.bak"),
    *("{}_dup2", "{} [copy]"),
]
UNSURE = ["{}_2", "{}-b", "{}_v2", "{}_new"]


def with_marked(mark, models, *, is_copied=True, n=1):
    """A table of items of which some have the label of another and a mark."""
    frame = pd.DataFrame(models)
    labels = [f"tree-{number:03}" for number in range(len(frame))]
    frame.insert(0, "item", labels)
    again = frame[5 : 5 + n].assign(item=[mark.format(x) for x in labels[5 : 5 + n]])
    if not is_copied:
        again[[*models]] = frame.loc[10 : 9 + n, [*models]].to_numpy()
    return pd.concat([frame, again])


@pytest.mark.parametrize("mark", [*MARKED, *UNSURE])
def test_an_item_that_is_called_like_a_copy_and_has_its_scores(mark):
    models = correlated(2, 40, 4)
    for is_copied in (True, False):
        frame = with_marked(mark, models, is_copied=is_copied)
        table = from_wide(frame, design="items", metric=ANY)
        texts = [*notes_about_marked_items(table)]
        assert len(texts) == is_copied
        assert all(mark.format("tree-005") in text for text in texts)


@pytest.mark.parametrize("mark", [MARKED[0], UNSURE[0]])
@pytest.mark.parametrize("n", [1, 2])
def test_right_answers_to_two_items_are_often_equal(mark, n):
    models = {
        name: np.random.default_rng(row).integers(0, 2, 40)
        for row, name in enumerate("ab")
    }
    frame = with_marked(mark, models, n=n)
    table = from_wide(frame, design="items", metric="accuracy")
    assert [*notes_about_marked_items(table)] == []


@pytest.mark.parametrize(("n_classes", "is_noted"), [(2, False), (30, True)])
def test_predictions_of_an_item_that_is_called_like_a_copy(n_classes, is_noted):
    rng = np.random.default_rng(31)
    models = {name: rng.integers(0, n_classes, 60) for name in ("y", "cnn", "vit")}
    frame = with_marked("{} (2)", models).set_index("item")
    predicted = {name: frame[name] for name in ("cnn", "vit")}
    table = from_predictions(frame["y"], predicted, metric="accuracy")
    texts = [*notes_about_marked_items(table)]
    assert len(texts) == is_noted
    assert all("have the same predictions in every model" in x for x in texts)


# ---------------------------------------------------------------- models


@pytest.mark.parametrize(
    "digits, n, is_noted", [(3, 6, True), (2, 15, True), (1, 6, False), (1, 60, True)]
)
def test_a_model_that_is_another_rounded(digits, n, is_noted):
    models = correlated(2, n, 12)
    assert notes(models) == []
    texts = notes(models | {"c": models["a"].round(digits)})
    assert bool(texts) == is_noted
    assert all(
        text == "c has the scores of a, rounded: is it a copy?" for text in texts
    )


def test_whole_numbers_are_no_rounded_copy():
    probabilities = np.random.default_rng(2).random(200)
    models = {"soft": probabilities, "hard": probabilities.round()}
    assert notes(models, "items") == []


def test_a_model_that_differs_once_is_no_copy():
    models = correlated(2, 300, 12)
    models["c"] = models["a"].round(2)
    models["c"][250] += 0.01
    assert notes(models, "items") == []


@pytest.mark.parametrize("n_seeds, is_noted", [(5, True), (6, False), (14, False)])
def test_seeds_are_equal_with_a_fiftieth_at_least(n_seeds, is_noted):
    """Three models have an equal pair of five seeds with 10 / 50³, of six with 15 / 50³.
    Twice LEAST_CHANCE, or half of RARE_AMONG_UNITS, would let the first pass, and half of
    LEAST_CHANCE, or twice RARE_AMONG_UNITS, note the second."""
    models = with_copy(correlated(3, n_seeds, 12, seed=2), 0, n_seeds - 1)
    assert bool(notes(models, "seeds")) == is_noted


@pytest.mark.parametrize("n_sets, is_noted", [(26, True), (30, False)])
def test_data_sets_are_equal_with_a_twothousandth_at_least(n_sets, is_noted):
    """Two models have an equal pair of 26 data sets with 325 / 2000², of 30 with 435."""
    models = with_copy(correlated(2, n_sets, 12, seed=2), 3, 20)
    assert bool(notes(models, metric="rmse")) == is_noted
    shares = {name: x / 2 for name, x in models.items()}
    assert notes(shares, metric="f1") == []  # has few values on a hundred items


@pytest.mark.parametrize(
    ("pair", "is_noted"),
    [
        ([99.9, 99.9, 99.9], False),
        ([99.9, 99.9, 97.31], False),
        ([71.13, 74.52, 69.87], True),
    ],
)
def test_a_ceiling_of_all_models_is_no_copy(pair, is_noted):
    rng = np.random.default_rng(23)
    rows = np.round(rng.normal(80, 8, (12, 1)) + rng.normal(0, 1.5, (12, 3)), 2)
    rows[3] = rows[9] = pair
    rows[5, 0] = 99.9
    frame = pd.DataFrame(rows, [f"uci-{i}" for i in range(12)], columns=[*"abc"])
    table = from_wide(frame, design="datasets", metric=ANY)
    assert bool([*notes_about_repeats(table)]) == is_noted


def suite(tasks, items, scores):
    frames = [
        pd.DataFrame({"model": model, "task": tasks, "item": items, "score": of_model})
        for model, of_model in zip("ab", scores)
    ]
    return Scores(pd.concat(frames), metric="accuracy", design="suite")


@pytest.mark.parametrize("places", [slice(0, 90), slice(0, 60)])
def test_a_task_that_has_the_items_of_other_tasks(places):
    rng = np.random.default_rng(3)
    right = rng.integers(0, 2, (2, 90))
    order = rng.permutation(90)[places]
    tasks = [*np.repeat(["nli", "qa", "wsd"], 30), *["all"] * order.size]
    items = [f"q{number}" for number in [*range(90), *order]]
    again = np.concatenate([right, right[:, order]], axis=1)
    (note,) = notes_about_repeats(suite(tasks, items, again))
    assert note.startswith("Task all has the items of other tasks again")
    # the same texts with other questions, or items that are only numbered alike
    others = np.concatenate([right, rng.integers(0, 2, (2, order.size))], axis=1)
    assert list(notes_about_repeats(suite(tasks, items, others))) == []
    numbers = [*range(30)] * 3 + [*range(order.size)]
    assert list(notes_about_repeats(suite(tasks, numbers, others))) == []
    assert list(notes_about_repeats(suite(tasks, items, np.ones_like(again)))) == []
