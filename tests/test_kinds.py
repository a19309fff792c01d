"""Columns and labels that by their names are of another kind than their role are found."""

import numpy as np
import pandas as pd
import pytest

from replib import CV, Datasets, Items, Metric, RandomSplits, Scores, Seeds
from replib._labels import notes_about_labels
from replib._names.kinds import kind_of_name
from replib.readers import from_wide

RNG = np.random.default_rng(3)
ANY = Metric("quality", better="higher")
SPLITS = RandomSplits(6, 0.2)
GROUPS = CV(1, 6, groups=True)
SAMPLES = Items(runs="samples")


def table(role, name, design, labels=range(6)):
    """Scores of two models in which the labels of a role stand in a column with a name."""
    rows = [(model, label, RNG.random()) for model in ("nb", "svm") for label in labels]
    frame = pd.DataFrame(rows, columns=["model", name, "score"])
    return Scores(frame, design=design, metric=ANY, columns={role: name})


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("train_seed", "seed"),
        ("config.random_state", "seed"),
        ("Patient ID", "person"),
        ("testYear", "date"),
        ("boosting_round", "iteration"),
        ("num_fewshot", "setting"),
        ("seeds", "seed"),
        ("test_set", "data set"),
        ("seedling", None),
        ("personality", None),
        ("test", None),
        ("arch", None),
        (3, None),
    ],
)
def test_what_a_name_says(name, kind):
    assert kind_of_name(name) == kind


@pytest.mark.parametrize(
    ("role", "name", "design", "things"),
    [
        ("run", "learning_rate", Seeds(), "settings"),
        ("run", "patient_id", Seeds(), "persons"),
        ("run", "judge", Seeds(), "judges"),
        ("run", "lang", Seeds(), "languages"),
        ("run", "boosting_round", Seeds(), "iterations"),
        ("run", "set", SPLITS, "parts of the data"),
        ("run", "bootstrap", SPLITS, "bootstrap samples"),
        ("run", "task", Seeds(), "tasks"),
        ("fold", "random_state", CV(1, 6), "seeds"),
        ("fold", "test_year", CV(1, 6), "dates"),
        ("fold", "rank", CV(1, 6), "ranks"),
        ("fold", "epoch", GROUPS, "epochs"),
        ("dataset", "subgroup", Datasets(), "subgroups"),
        ("dataset", "threshold", Datasets(), "thresholds"),
        ("dataset", "imputation", Datasets(), "imputations"),
        ("item", "fold_id", Items(), "folds"),
        ("item", "horizon", Items(), "horizons"),
        ("item", "rank", Items(), "ranks"),
        ("dataset", "metric", Datasets(), "metrics"),
        ("run", "unique_id", Seeds(), "series"),
        ("run", "reader", Items(), "judges"),
        ("fold", "origin", CV(1, 6), "origins"),
    ],
)
def test_a_column_of_another_kind_is_refused(role, name, design, things):
    with pytest.raises(ValueError, match=f"has ({things}) by its name, and no"):
        table(role, name, design)


@pytest.mark.parametrize(
    ("role", "name", "design"),
    [
        ("run", "trial", Seeds()),
        ("run", "rng_seed", Seeds()),
        ("run", "job_id", Seeds()),
        ("run", "repeat", SPLITS),
        ("run", "split", SPLITS),
        ("fold", "outer_fold", CV(1, 6)),
        ("fold", "iteration", CV(1, 6)),
        ("fold", "site", GROUPS),
        ("fold", "year", GROUPS),
        ("fold", "subject", CV(1, 6)),
        ("dataset", "language", Datasets()),
        ("dataset", "subject", Datasets()),
        ("dataset", "set", Datasets()),
        ("dataset", "test_set", Datasets()),
        ("dataset", "task", Datasets()),
        ("dataset", "corpus", Datasets()),
        ("item", "image_id", Items()),
        ("item", "patient_id", Items()),
        ("item", "trial", Items()),
        ("item", "position", Items()),
        ("fold", "partition", CV(1, 6)),
        ("dataset", "place", Datasets()),
        ("dataset", "series_id", Datasets()),
    ],
)
def test_a_column_of_a_kind_that_fits_is_read(role, name, design):
    assert not [*notes_about_labels(table(role, name, design))]


@pytest.mark.parametrize("key", ["visit", "random_state", "epoch", "threshold"])
def test_clusters_group_items(key):
    frame = pd.DataFrame(
        {"model": "nb", "item": range(12), "score": 1.0, key: [*"abc"] * 4}
    )
    with pytest.raises(ValueError, match="say which column has the clusters"):
        Scores(frame, design=Items(cluster=key), metric=ANY)


def numbered(pattern, n=6):
    return [pattern.format(i + 1) for i in range(n)]


@pytest.mark.parametrize(
    ("role", "labels", "design", "things"),
    [
        ("dataset", numbered("imputation {}"), Datasets(), "imputations"),
        ("dataset", numbered("mmlu {}-shot"), Datasets(), "shots"),
        ("dataset", numbered("cutoff={}"), Datasets(), "thresholds"),
        ("run", numbered("prompt_{}"), Seeds(), "prompts"),
        ("run", numbered("bootstrap_{}"), Seeds(), "bootstrap samples"),
        ("run", numbered("epoch=0{}-step=1955.ckpt"), Seeds(), "epochs"),
        ("run", numbered("checkpoint-{}00"), Seeds(), "checkpoints"),
        (
            "run",
            [f"{name}/seed{i}" for name in ("cifar10", "svhn") for i in range(3)],
            Seeds(),
            "seeds of several things",
        ),
        ("fold", numbered("year {}"), CV(1, 6), "dates"),
    ],
)
def test_labels_of_another_kind_are_noted(role, labels, design, things):
    (note,) = notes_about_labels(table(role, role, design, labels))
    assert note.endswith(f"are they {things}?")


@pytest.mark.parametrize(
    ("role", "labels", "design"),
    [
        ("run", numbered("seed{}-epoch=100.ckpt"), Seeds()),
        ("run", numbered("resnet50/seed{}"), Seeds()),
        ("run", numbered("job_{}"), Seeds()),
        ("dataset", numbered("set {}"), Datasets()),
        ("dataset", numbered("monks-{}"), Datasets()),
        ("dataset", numbered("task {}"), Datasets()),
        ("dataset", numbered("subject {}"), Datasets()),
        ("dataset", ["arc 25-shot", "gsm8k 5-shot", "mmlu 5-shot"], Datasets()),
        ("item", numbered("image{}.png"), Items()),
    ],
)
def test_labels_of_a_kind_that_fits_are_not(role, labels, design):
    assert not [*notes_about_labels(table(role, role, design, labels))]


@pytest.mark.parametrize(
    ("name", "design", "is_noted"),
    [
        ("sample_idx", Items(), True),
        ("sample_idx", SAMPLES, False),
        ("train_seed", SAMPLES, True),
        ("train_seed", Items(), False),
        ("seed", SAMPLES, False),
        ("prompt", SAMPLES, False),
        ("cv_repeat", Seeds(), True),
        ("split", Seeds(), True),
        ("repeat", Seeds(), False),
    ],
)
def test_runs_are_made_as_the_design_says(name, design, is_noted):
    one = table("run", "run", Seeds()).frame.rename(columns={"run": name})
    frame = one.assign(item=0)
    if isinstance(design, Items):
        frame = pd.concat([frame, frame.assign(item=1)])
        found = Scores(frame, design=design, metric=ANY, columns={"run": name})
    else:
        found = Scores(one, design=design, metric=ANY, columns={"run": name})
    notes = [*notes_about_labels(found)]
    assert len(notes) == is_noted
    assert not is_noted or repr(name) in notes[0]


def test_an_index_is_of_a_kind_too():
    frame = pd.DataFrame(
        RNG.random((6, 2)), columns=["nb", "svm"], index=numbered("x{}")
    )
    for name in ("subgroup", "threshold", "random_state"):
        with pytest.raises(ValueError, match=f"has an index called '{name}'"):
            from_wide(frame.rename_axis(name), design="datasets", metric=ANY)
    assert from_wide(frame.rename_axis("language"), design="datasets", metric=ANY)
