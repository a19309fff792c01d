"""Copies of runs, splits or seeds inside each of several data sets."""

import numpy as np
import pandas as pd
import pytest

from replib import CV, Datasets, Metric, RandomSplits, Scores, Seeds
from replib._notes.values import notes_about_values
from replib._notes.within import notes_about_runs_within
from replib.readers import from_arrays

ANY = Metric("quality", better="higher")
SHAPES = [(Seeds(), (4,)), (RandomSplits(4, 0.2), (4,)), (CV(4, 3), (4, 3))]


def scores(shape, *, n_sets=10, names=("mlp", "resnet"), digits=4):
    """Scores by model, shape (data sets, runs) or (data sets, runs, folds)."""
    rng = np.random.default_rng(35)
    easy = rng.uniform(0.6, 0.9, n_sets).reshape(-1, *[1] * len(shape))
    noise = rng.normal(0, 0.01, (len(names), n_sets, *shape))
    return dict(zip(names, (easy + noise).round(digits)))


def notes(models, within, metric=ANY):
    return [
        *notes_about_runs_within(
            from_arrays(models, design=Datasets(within=within), metric=metric)
        )
    ]


def repeated(block):
    return np.repeat(block[:, :1], block.shape[1], axis=1)


def with_copied_run(block, first=1, second=3):
    copied = block.copy()
    copied[:, second] = block[:, first]
    return copied


@pytest.mark.parametrize(("within", "shape"), SHAPES)
def test_runs_that_are_all_equal_on_every_data_set(within, shape):
    models = scores(shape)
    assert notes(models, within) == []
    (note,) = notes({name: repeated(x) for name, x in models.items()}, within)
    assert "of each model have the same score on every data set" in note
    (note,) = notes({**models, "copied": repeated(models["mlp"])}, within)
    assert note.endswith(
        "s of 'copied' have the same score on every data set: deterministic, copied, or "
        "rounded?"
    )


@pytest.mark.parametrize(("within", "shape"), SHAPES)
@pytest.mark.parametrize("n_sets, digits, is_noted", [(10, 4, True), (2, 2, False)])
def test_two_runs_that_are_equal_on_every_data_set(
    within, shape, n_sets, digits, is_noted
):
    models = scores(shape, n_sets=n_sets, digits=digits)
    texts = notes({name: with_copied_run(x) for name, x in models.items()}, within)
    assert [text.split()[1:4] for text in texts] == [["2", "and", "4"]] * is_noted
    assert notes({**models, "mlp": with_copied_run(models["mlp"])}, within) == []


def test_equal_seeds_are_called_by_their_labels():
    rows = [
        {"model": model, "dataset": f"d{row}", "seed": f"s{seed}", "score": score}
        for model, block in scores((4,)).items()
        for (row, seed), score in np.ndenumerate(with_copied_run(block))
    ]
    frame = pd.DataFrame(rows).sample(frac=1, random_state=0)
    table = Scores(
        frame, design=Datasets(within=Seeds()), metric=ANY, columns={"run": "seed"}
    )
    assert [*notes_about_runs_within(table)] == notes_about_values(table)
    (note,) = notes_about_runs_within(table)
    assert note.startswith("Seeds 's1' and 's3' have the same scores in every model on")


def test_what_no_seed_changes_is_equal():
    models = scores((4,), names=("knn", "mlp"))
    models["knn"] = repeated(models["knn"])
    assert notes(models, Seeds()) == []
    assert len(notes(models, RandomSplits(4, 0.2))) == 1  # other data change it


def test_data_sets_that_are_solved_have_equal_seeds():
    solved = {name: np.ones((10, 4)) for name in ("mlp", "resnet")}
    assert notes(solved, Seeds(), metric="accuracy") == []
    few = {name: x[:3, :2] for name, x in scores((4,)).items()}
    few = {name: repeated(x)[:1].repeat(2, axis=0) for name, x in few.items()}
    assert notes(few, Seeds(), metric="accuracy") == []  # four pairs may be rounded
