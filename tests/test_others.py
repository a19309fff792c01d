"""Columns without a role: groups of items, other items, and descriptions that say nothing."""

import numpy as np
import pandas as pd
import pytest

from replib import Items, Metric, Scores, compare
from replib._names.things.items import (
    describes_items,
    names_a_group,
    says_what_was_asked,
)
from replib.readers import from_wide

N = 60
ITEMS = np.arange(N)
RNG = np.random.default_rng(5)
RIGHT = {name: (RNG.random(N) < 0.7).astype(int) for name in ("llama", "qwen", "phi")}
ANY = Metric("quality", better="higher")


def per_model(frames):
    return pd.concat([f.assign(model=name) for name, f in frames], ignore_index=True)


def items(**columns):
    """Items with other columns, of which a function gives those of each model."""
    frames = []
    for place, (name, right) in enumerate(RIGHT.items()):
        own = {key: x(place) if callable(x) else x for key, x in columns.items()}
        frames.append(
            (
                name,
                pd.DataFrame({"item": [f"q{i}" for i in ITEMS], "score": right, **own}),
            )
        )
    return per_model(frames)


def said(frame, design="items", **options):
    """The refusal of a table, and that of the command; empty if there is none."""
    try:
        compare(Scores(frame, design=design, metric="accuracy", **options))
    except ValueError as problem:
        return str(problem), problem.__dict__.get("in_shell", "")
    return "", ""


def shuffled(*words):
    return np.array(words)[ITEMS % len(words)]


# ---------------------------------------------------------------- groups of items


IDENTIFIERS = ["parcel_id", "ID_PARCEL", "objectId", "galaxyID", "unit_nr", "healpix"]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("patient_id", ITEMS // 3),
        ("SubjectID", 1000 + 7 * (ITEMS // 2)),
        ("subject", [f"S{i // 5}" for i in ITEMS]),
        ("passage", [f"p{i // 6}" for i in ITEMS]),
        ("doc id", [f"{i // 4:08x}" for i in ITEMS]),
        ("conversation", ITEMS // 10),
        ("hospital", shuffled("Bern", "Rome", "Oslo")),
        ("speaker", shuffled("Anna", "Ben", "Cleo", "Dan")),
        ("repo", [f"org/tool-{i // 8}" for i in ITEMS]),
        ("stay", ITEMS // 5),  # an unknown word, whose numbers only count
        ("pid", [f"P{i // 3:03}" for i in ITEMS]),
        ("cluster", ITEMS // 4),
        ("image_id", 139 + 23 * (ITEMS // 3)),
        ("question_id", ITEMS // 2),
        *((name, 5500 + 3 * (ITEMS // 4)) for name in IDENTIFIERS),
        ("question", [f"Who was {i // 4}?" for i in ITEMS]),
    ],
)
def test_a_column_that_groups_items_is_offered_as_their_cluster(name, values):
    in_python, in_shell = said(items(**{name: values}))
    assert f"items with the same '{name}'" in in_python
    assert f"say Items(cluster='{name}')" in in_python
    assert "say --cluster " in in_shell
    grouped = items(**{name: values})
    assert said(grouped, Items(cluster=name)) == ("", "")
    if name in ("stay", "question"):
        return  # in a wide table, an unknown word is a model, and texts are descriptions
    wide = pd.DataFrame({"item": ITEMS, name: values} | RIGHT)
    with pytest.raises(ValueError, match=f"same '{name}', such as the"):
        from_wide(wide, design="items", metric="accuracy")


def test_items_that_are_numbered_anew_in_each_group_are_to_be_joined():
    frame = items(document=ITEMS // 6).assign(item=[*ITEMS % 6] * len(RIGHT))
    text, in_shell = said(frame)
    assert text.startswith("items are numbered anew in each 'document': join both")
    assert in_shell.endswith("say --cluster document")
    # samples of an item are no groups
    assert "anew" not in said(frame.rename(columns={"document": "sample"}))[0]


def test_parts_of_clusters_are_no_other_clusters():
    frame = items(patient=ITEMS // 6, session=ITEMS // 3, site=ITEMS // 20)
    text, _ = said(frame, Items(cluster="patient"))
    assert "same 'site'" in text
    assert said(frame.drop(columns="site"), Items(cluster="patient")) == ("", "")


@pytest.mark.parametrize("name", ["cv_fold", "fold_id", "test fold"])
def test_folds_may_have_other_names(name):
    text, _ = said(items(**{name: ITEMS % 5}))
    assert f"Items(predicted=\"by_fold\") and columns={{'fold': '{name}'}}" in text
    design = Items(predicted="by_fold")
    assert said(items(**{name: ITEMS % 5}), design, columns={"fold": name})[0] == ""
    wide = pd.DataFrame({"item": ITEMS, name: ITEMS % 5} | RIGHT)
    with pytest.raises(ValueError, match="by_fold"):
        from_wide(wide, design="items", metric="accuracy")
    named = pd.DataFrame({"item": ITEMS, "cv": ITEMS % 2} | RIGHT)
    assert from_wide(named, design="items", metric="accuracy").models[0] == "cv"


def test_folds_of_items_have_a_design():
    text, in_shell = said(items(fold=ITEMS % 5))
    assert 'say Items(predicted="by_fold")' in text and "in Python" in in_shell
    assert "ignored" not in text
    assert said(items(fold=ITEMS % 5), Items(predicted="by_fold")) == ("", "")
    wide = pd.DataFrame({"item": ITEMS, "fold": ITEMS % 5} | RIGHT)
    with pytest.raises(ValueError, match="by_fold"):
        from_wide(wide, design="items", metric="accuracy")


@pytest.mark.parametrize(
    ("column", "is_asked"),
    [
        ({"split": shuffled("val", "test")}, True),
        ({"split": lambda place: "val" if place else "test"}, True),
        ({"metric": lambda place: "f1" if place else "acc"}, True),
        ({"stage": shuffled("I", "II", "III")}, False),
        ({"set": shuffled("easy", "hard")}, False),
    ],
)
def test_parts_and_metrics_are_chosen_and_not_ignored(column, is_asked):
    text, _ = said(items(**column))
    assert ("choose rows by where=" in text) == is_asked
    assert "ignored" not in text


# ---------------------------------------------------------------- other items


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("target", lambda place: RNG.permutation(ITEMS % 10)),
        ("gold_label", lambda place: RNG.permutation(shuffled(*"ABCD"))),
        ("Question", lambda place: [f"What is {i + place}?" for i in ITEMS]),
        ("question_text", lambda place: [f"What is {i + place}?" for i in ITEMS]),
        ("y_true", lambda place: RNG.normal(size=N)),
    ],
)
def test_items_with_another_truth_are_not_the_same(name, value):
    text, _ = said(items(**{name: value}))
    assert f"{name} of item 'q" in text and "are not the same" in text
    assert said(items(**{name: value(0)})) == ("", "")


def test_a_truth_that_is_rounded_in_one_file_is_the_same():
    truth = RNG.normal(size=N) + 3
    frame = items(target=lambda place: truth.round(6) if place else truth)
    assert said(frame) == ("", "")


# ---------------------------------------------------------------- harmless columns


@pytest.mark.parametrize(
    "column",
    [
        {"patient_id": [f"P{i}" for i in ITEMS]},
        {"target": ITEMS % 10},
        {"label_id": ITEMS % 10},
        {"question": [f"Who was {i}?" for i in ITEMS]},
        {"difficulty": ITEMS % 5 + 1},
        {"visit": ITEMS % 12 + 1},
        {"category": [f"type {i % 8}" for i in ITEMS]},
        {"language": shuffled("de", "en", "fr")},
        {"is_hard": ITEMS % 2 == 0},
        {"age": 20 + RNG.integers(0, 30, N)},
        {"n_words": RNG.integers(5, 60, N)},
        {"eye": shuffled("OD", "OS")},
        {"color": shuffled("red", "blue")},
        {"answer": lambda place: RNG.choice([*"ABCD"], N)},
        {"output_tokens": lambda place: RNG.integers(10, 400, N)},
        {"model_name": lambda place: f"org/model-{place}"},
        {"run_id": lambda place: f"k3x{place}"},
        {"label": lambda place: RNG.choice(["yes", "no"], N)},
        {"correct": lambda place: RNG.integers(0, 2, N) == 1},
        {"image_id": 139 + 23 * ITEMS},
        {"parcel_id": 5500 + 7 * ITEMS},  # each item its own
        {"parcel_id": 70 + 10 * (ITEMS % 3)},  # few
        {"store_id": 5500 + 3 * (ITEMS // 4)},
        {"productId": 5500 + 3 * (ITEMS // 4)},
        {"line_no": 5500 + 3 * (ITEMS // 4)},
        {"target_id": 5500 + 3 * (ITEMS // 4)},
        {"grid": 5500 + 3 * (ITEMS // 4)},
        {"unit": shuffled("kg", "g", "mg", "l", "ml", "mmol")},
        {"prompt": shuffled("Answer A or B.", "Think first.")},
    ],
    ids=lambda column: next(iter(column)),
)
def test_a_description_of_items_or_answers_needs_no_role(column):
    assert said(items(**column)) == ("", "")


def test_texts_that_describe_items_may_stand_in_a_wide_table():
    texts = {"question": [f"Who was {i}?" for i in ITEMS], "gold": shuffled(*"ABCD")}
    texts["patient"] = [f"P{i}" for i in ITEMS]
    wide = pd.DataFrame({"item": ITEMS} | texts | RIGHT)
    assert from_wide(wide, design="items", metric="accuracy").models == tuple(RIGHT)
    one = pd.DataFrame({"item": ITEMS, "gold": ITEMS % 2} | RIGHT)
    assert "gold" in from_wide(one, design="items", metric="accuracy").models


RUNS = per_model(
    [
        (name, pd.DataFrame({"seed": range(5), "acc": RNG.normal(0.9, 0.01, 5)}))
        for name in ("cnn", "vit")
    ]
).assign(Name=[f"sweep-{i}" for i in range(10)])


def test_seeds_may_stand_beside_names_of_runs():
    options = {"columns": {"run": "Name", "score": "acc"}}
    assert said(RUNS, "seeds", **options) == ("", "")
    assert (
        said(RUNS.rename(columns={"seed": "config.seed"}), "seeds", **options)[0] == ""
    )
    resumed = pd.concat([RUNS, RUNS[3:4].assign(Name="resumed")])
    assert "say columns={'run': 'seed'}" in said(resumed, "seeds", **options)[0]
    epochs = RUNS.rename(columns={"seed": "epoch"})
    assert "'epoch' has no role" in said(epochs, "seeds", **options)[0]
    folds = RUNS.rename(columns={"seed": "fold"})
    assert 'design="1x10"' in said(folds, "seeds", **options)[0]


def test_machines_and_chosen_epochs_need_no_role():
    told = RUNS.drop(columns="Name").assign(
        best_epoch=[3, 4] * 5, host=["g1", "g2"] * 5
    )
    assert said(told, "seeds", columns={"score": "acc"}) == ("", "")
    states = told.rename(columns={"best_epoch": "epoch"})
    assert "'epoch' has no role" in said(states, "seeds", columns={"score": "acc"})[0]


TRIALS = RUNS.drop(columns=["seed", "Name"]).assign(
    number=[*range(5)] * 2,
    params_depth=[3, 9, 5, 4, 7] * 2,
    lr=[0.1, 0.02, 0.3, 0.07, 0.5] * 2,
    best_lr=[0.1, 0.02, 0.3, 0.07, 0.5] * 2,
    reward_rate=[0.1, 0.02, 0.3, 0.07, 0.5] * 2,
)


@pytest.mark.parametrize(
    ("run", "ignored", "is_noted"),
    [
        ("number", ["params_depth", "lr"], True),
        ("number", ["lr"], True),
        ("trial", ["params_depth"], True),
        ("seed", ["params_depth", "lr"], False),  # tuned anew for each
        ("number", ["best_lr"], False),
        ("number", ["reward_rate"], False),
    ],
)
def test_trials_of_a_search_are_no_runs(run, ignored, is_noted):
    frame = TRIALS.rename(columns={"number": run})[["model", run, "acc", *ignored]]
    table = Scores(
        frame,
        design="seeds",
        metric="accuracy",
        columns={"run": run, "score": "acc", "ignored": ignored},
    )
    assert len(table.notes) == is_noted
    assert all("are they trials of a search" in note for note in table.notes)


def test_runs_that_share_their_settings_are_no_trials():
    frame = TRIALS.assign(lr=0.1)[["model", "number", "acc", "lr"]]
    columns = {"run": "number", "score": "acc"}
    table = Scores(frame, design="seeds", metric="accuracy", columns=columns)
    assert table.notes == ()


def test_data_sets_may_be_described():
    names = [f"uci{i}" for i in range(12)]
    scores = [(name, RNG.normal(0.8, 0.05, 12)) for name in ("c45", "nb")]
    frame = per_model(
        [(name, pd.DataFrame({"dataset": names, "score": x})) for name, x in scores]
    )
    described = frame.assign(
        n_classes=[*range(2, 8), *range(2, 8)] * 2, openml_id=[*range(40, 52)] * 2
    )
    assert said(described, "datasets") == ("", "")
    assert "has no role" in said(frame.assign(metric=["acc", "f1"] * 12), "datasets")[0]


# ---------------------------------------------------------------- wide tables of runs


@pytest.mark.parametrize(
    ("name", "design", "says"),
    [
        ("judge", "seeds", "has judges by its name, and no runs, so say with design"),
        ("lang", "seeds", "has languages by its name, and no runs"),
        ("threshold", "datasets", "has thresholds by its name, and no data sets"),
        ("note", "seeds", "columns={'run': 'note'}, and if the rows are anything else"),
        ("lang", "datasets", "columns={'dataset': 'lang'}"),
        ("problem_set", "datasets", "columns={'dataset': 'problem_set'}"),
    ],
)
def test_texts_beside_models_are_not_proposed_as_what_they_are_not(name, design, says):
    wide = pd.DataFrame({name: ["one", "two", "three"], "a": [1, 2, 4], "b": [2, 2, 3]})
    with pytest.raises(ValueError, match=says):
        from_wide(wide, design=design, metric=ANY)


# ---------------------------------------------------------------- names


@pytest.mark.parametrize("design", ["seeds", "5 x 10%"])
def test_a_model_may_have_settings_of_its_own(design):
    frame = pd.DataFrame(
        {
            "model": ["gin"] * 5 + ["gcn"] * 5,
            "run": [*range(5)] * 2,
            "lr": [0.001] * 5 + [0.0005] * 5,
            "optimizer": ["adam"] * 5 + ["sgd"] * 5,
            "score": RNG.random(10),
        }
    )
    assert said(frame, design) == ("", "")
    assert "column 'lr' has no role" in said(frame.assign(lr=[0.1, 0.2] * 5), design)[0]
    fewshot = frame.assign(num_fewshot=[0] * 5 + [5] * 5)
    assert "column 'num_fewshot' has no role" in said(fewshot, design)[0]


@pytest.mark.parametrize(
    ("name", "is_group", "is_description", "is_asked"),
    [
        ("patientID", True, False, False),
        ("user_name", True, False, False),
        ("target_id", False, True, False),
        ("text_id", True, False, False),
        ("text", False, True, False),
        ("choice_id", False, True, False),
        ("tissue", False, True, False),
        ("answer key", False, True, True),
        ("prompt", False, True, True),
        ("group_size", False, True, False),
        ("id", False, False, False),
        ("llama-3", False, False, False),
    ],
)
def test_what_a_column_of_items_has_by_its_name(
    name, is_group, is_description, is_asked
):
    assert names_a_group(name) == is_group
    assert describes_items(name) == is_description
    assert says_what_was_asked(name) == is_asked
