"""Tables: rows are matched by their labels, and what does not fit is named."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import KFold

from replib.designs import CV, Datasets, Items, RandomSplits, Seeds
from replib.scores import Predictions, Scores

X = np.random.default_rng(0).random((2, 3, 4))
DESIGNS = {  # the labels of the axes of X, and the shape of a model's scores
    CV(3, 4): (("run", "fold"), (3, 4)),
    RandomSplits(12, 0.1): (("run",), (12, 1)),
    Seeds(): (("run",), (12,)),
    Seeds(paired=True): (("run",), (12,)),
    Items(): (("run", "item"), (3, 4)),
    Items(cluster="text"): (("item",), (1, 12)),
    Items(predicted="by_fold"): (("item",), (1, 12)),
    Datasets(): (("dataset",), (12,)),
    Datasets(CV(1, 4)): (("dataset", "fold"), (3,)),
    Datasets(Seeds()): (("dataset", "run"), (3,)),
    Datasets(RandomSplits(4, 0.2)): (("dataset", "run"), (3,)),
}


def long(x, keys):
    """A row for each score of two models, with a text or a number as label."""
    x = x.reshape(2, -1) if len(keys) == 1 else x
    places = np.indices(x.shape)
    frame = pd.DataFrame({key: place.ravel() for key, place in zip(keys, places[1:])})
    cluster = frame[keys[-1]] // 2
    if "dataset" in keys:
        frame["dataset"] = "set " + (frame["dataset"] + 10).astype(str)
    return frame.assign(
        model=np.where(places[0].ravel(), "b", "a"),
        score=x.ravel(),
        text=cluster,
        fold=frame.get("fold", cluster),
    )


@pytest.mark.parametrize("design", DESIGNS, ids=repr)
@settings(max_examples=20, deadline=None)
@given(st.randoms(use_true_random=False))
def test_scores_are_matched_by_labels_in_any_order_of_rows(design, random):
    (keys, shape), own = DESIGNS[design], vars(design).values()
    more = ["text"] * ("text" in own) + ["fold"] * ("by_fold" in own)
    frame = long(X, keys)[["model", "score", *keys, *more]]
    order = random.sample(range(len(frame)), len(frame))
    frame = frame.iloc[order].astype({"score": random.choice([float, object, str])})
    scores = Scores(frame, metric="accuracy", design=design)
    x = X.mean(axis=2) if shape == (3,) else X
    for name, expected in zip("ab", x.reshape(2, *shape)):
        where = np.argsort(scores.units) if scores.units else slice(None)
        np.testing.assert_allclose(
            scores.blocks[name][..., where], expected, rtol=1e-15
        )
        with pytest.raises(ValueError):
            scores.blocks[name][0] = 0
    if scores.clusters is not None:
        assert all(
            len(set(scores.clusters[where][i : i + 2])) == 1 for i in range(0, 12, 2)
        )
        assert len(set(scores.clusters)) == 6


F = long(X, ("run", "fold")).drop(columns="text").rename(index=lambda i: f"r{i}")


def without(frame, *rows):
    return frame.drop([f"r{row}" for row in rows])


def cell(column, value, row=5, frame=F):
    frame = frame.astype({column: object})
    frame.loc[f"r{row}", column] = value
    return frame


SEEDS, ITEMS = (
    F.assign(run=F["run"] * 4 + F["fold"]).drop(columns="fold"),
    F.rename(columns={"fold": "item"}),
)
REFUSED = [
    (without(F, 5, 17), "3x4", {}, "the rows of each model are 3 runs of 3 to 4 folds"),
    (F, "4x3", {}, "the rows of each model are 3 runs of 4 folds"),
    (cell("score", None), "3x4", {}, "score of 'a' is missing in row 'r5'"),
    (
        F.assign(score=100 * F["score"]),
        "3x4",
        {},
        '0 to 1: for percent say Metric("accuracy", high=100)',
    ),
    (
        cell("score", 1.0000002),
        "3x4",
        {},
        "score 1.0000002 of 'a' in row 'r5' lies outside the range of accuracy, 0 to 1",
    ),
    (
        cell("score", "x", row=17),
        "3x4",
        {},
        "score of 'b' is not a number in row 'r17'",
    ),
    (
        F.assign(score=F["score"].where(F["model"] == "a", F["fold"] + 2)),
        "3x4",
        {},
        "not those of the others: is it no model, or in percent?",
    ),
    (cell("run", None), "3x4", {}, "run is missing in row 'r5'"),
    (cell("model", " "), "3x4", {}, "model ' ' has a name that cannot be printed"),
    (
        cell("fold", " ").rename(columns={"fold": "dataset"}),
        Datasets(Seeds()),
        {},
        "dataset ' '",
    ),
    (
        F.assign(score=np.nan),
        "3x4",
        {},
        "score of 'a' and 'b' is missing in row 'r0', 'r1' and 'r2' and 21 more",
    ),
    (
        F.drop(columns="run"),
        "3x4",
        {},
        "column 'run' is missing: the columns are 'fold', 'model'",
    ),
    (
        F.rename(columns={"score": "acc"}),
        "3x4",
        {},
        """say which it is, as in columns={"score": "acc"}""",
    ),
    (F, "3x4", {"columns": {"score": "acc"}}, "there is no column 'acc'"),
    (
        F,
        "3x4",
        {"columns": {"seed": "run"}},
        "each role in columns must be one of 'model'",
    ),
    (F, "3x4", {"columns": {"run": "fold"}}, "columns gives one column two roles"),
    (
        F,
        "3x4",
        {"where": {"model": "c"}},
        "no row has 'model' = 'c': there are 'a' and 'b'",
    ),
    (pd.concat([F, F["fold"]], axis=1), "3x4", {}, "column 'fold' occurs twice"),
    (without(SEEDS, 5), Seeds(paired=True), {}, "a has no score for run 5"),
    (
        ITEMS[ITEMS["item"] == 0],
        "items",
        {},
        "a has one item, and at least two are needed",
    ),
    (
        ITEMS.assign(text=range(24)),
        Items(cluster="text"),
        {},
        "cluster differs from another row",
    ),
    (
        ITEMS.assign(run=ITEMS["run"] + (ITEMS["model"] == "b")),
        Items(paired=True),
        {},
        "a has no score for run 3, item 0: it lacks 4 of 16 items",
    ),
]


@pytest.mark.parametrize("frame, design, more, says", REFUSED)
def test_what_does_not_fit_is_refused_by_the_name_of_its_row(frame, design, more, says):
    with pytest.raises(ValueError) as refusal:
        Scores(frame, metric="accuracy", design=design, **more)
    assert says in str(refusal.value) and "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    "twin, says",
    [
        ("mode\u0301le", "differ only in Unicode form"),  # a letter and its accent
        ("mod\u00e8le\u200b", "Unicode form"),  # an invisible letter
        (" mod\u00e8le\u00a0", "case or blanks"),
        (" Mod\u00c8le", "case or blanks"),
    ],
)
@pytest.mark.parametrize("key", ["model", "dataset"])
def test_names_that_look_the_same_are_refused(key, twin, says):
    first = "mod\u00e9le" if "\u0301" in twin else "mod\u00e8le"
    names = [first, twin, "other", "fourth"]
    frame = pd.DataFrame({"model": list("aabb"), "dataset": names, "score": 0.5})
    if key == "model":
        frame = pd.DataFrame({"model": names, "dataset": "x", "score": 0.5})
    with pytest.raises(ValueError, match=says):
        Scores(frame, metric="accuracy", design="datasets")


@pytest.mark.parametrize(
    "names", [["Adam", "adam"], ["ADAM", "Adam"], ["\u00c8", "\u00e8"]]
)
def test_two_models_may_differ_in_case_and_two_data_sets_may_not(names):
    how = {"metric": "accuracy", "design": "datasets"}
    beside = pd.DataFrame({"model": np.repeat(names, 2), "dataset": list("xyxy")})
    beside["score"] = [0.5, 0.6, 0.7, 0.8]
    assert Scores(beside, **how).models == tuple(names)
    # each data set has the one spelling or the other
    apart = beside.assign(dataset=list("xyzw"))
    with pytest.raises(
        ValueError, match="differ only in case, and no dataset has both"
    ):
        Scores(apart, **how)
    turned = beside.rename(columns={"model": "dataset", "dataset": "model"})
    with pytest.raises(ValueError, match="differ only in type, case or blanks"):
        Scores(turned, **how)


@pytest.mark.parametrize("names", [["Adam", "adam"], ["my-adam", "my_adam"]])
def test_a_second_run_is_no_second_model_that_is_spelled_otherwise(names):
    items = pd.DataFrame({"model": np.repeat(names, 3), "item": [1, 2, 3] * 2})
    items["score"] = [1, 0, 1, 1, 1, 0]
    how = {"metric": "accuracy", "design": "items"}
    assert Scores(items, **how).models == tuple(names)
    with pytest.raises(ValueError, match="and no run has both: use one"):
        Scores(items.assign(run=np.repeat([1, 2], 3)), **how)


P = pd.DataFrame(
    {
        "model": list("aabb"),
        "item": [1, 2, 2, 1],
        "truth": list("xyyx"),
        "prediction": list("xxyx"),
    },
    index=list("pqrs"),
)


@pytest.mark.parametrize(
    "frame, more, says",
    [
        (
            P.assign(truth=list("xyxx")),
            {},
            "truth differs from another row of the item in row 'r'",
        ),
        (
            P.assign(prediction=["x", None, "y", "x"]),
            {},
            "prediction of 'a' is missing in row 'q'",
        ),
        (
            P,
            {"design": "seeds"},
            "design of predictions must be an object of Items, not Seeds",
        ),
        (P, {"function": 3}, "function must be callable, not 3"),
        (P[:3], {}, "b has no prediction for item 1: it lacks 1 of 2 items"),
    ],
)
def test_predictions_that_do_not_fit_are_refused(frame, more, says):
    with pytest.raises(ValueError) as refusal:
        Predictions(frame, metric="accuracy", **more)
    assert says in str(refusal.value)


def test_rows_with_a_run_and_an_item_each_are_refused_before_a_grid_is_made():
    """All cells of 30,000 runs and items would take 7 GB."""
    n = 30_000
    labels = np.tile(np.arange(n), 2)
    frame = pd.DataFrame({"run": labels, "item": labels, "score": labels % 2})
    frame["model"] = np.repeat(["a", "b"], n)
    with pytest.raises(
        ValueError, match="a has no score for run 0, item 1: it lacks 89"
    ):
        Scores(frame, design="items", metric="accuracy")


RNG = np.random.default_rng(31)
SCAFFOLDS = ["c1ccccc1", "C1CCCCC1", "c1ccncc1", "C1CCNCC1", "c1ccsc1", "C1CCSC1"]
SHORT_IDS = ["aB3x9", "Ab3x9", "q7RtK", "Zz1pQ", "mN4vB", "xY0aB"]


@pytest.mark.parametrize(
    ("labels", "are_codes"),
    [
        (SCAFFOLDS, True),
        ([f"{scaffold}{'C' * n}" for scaffold in SCAFFOLDS for n in range(3)], True),
        (["CC(=O)O", "CC(=O)[O-]", "C[C@H](N)C", "c1ccccc1Cl", "C1CCCCC1Cl"], True),
        (SHORT_IDS, True),
        (["heart-c", "heart-C", "iris", "wine"], False),
        (["P01", "p01", "P02", "P03"], False),
        (["Patient A", "patient a", "Patient B", "Patient C"], False),
        (["siteA", "sitea", "siteB", "siteC"], False),
        (["BreastCancer", "breastcancer", "HeartDisease"], False),
        (["NO", "no", "CO", "ON"], False),
    ],
)
def test_case_counts_in_codes_and_not_in_names(labels, are_codes):
    rows = [
        (model, item, label, RNG.random())
        for model in "ab"
        for item, label in enumerate(2 * labels)
    ]
    frame = pd.DataFrame(rows, columns=["model", "item", "group", "score"])
    how = {"design": Items(cluster="group"), "metric": "accuracy"}
    if are_codes:
        assert Scores(frame, **how).clusters.max() + 1 == len(labels)
    else:
        with pytest.raises(ValueError, match="differ only in type, case or blanks"):
            Scores(frame, **how)


ONE_RUN = pd.DataFrame({"model": [*"aaabbb"], "item": [1, 2, 3] * 2, "score": 0.5})
PREDICTED = ONE_RUN.drop(columns="score").assign(truth=[1, 0, 1] * 2, prediction=1)


@pytest.mark.parametrize(
    ("frame", "more", "asks"),
    [
        (ONE_RUN, ONE_RUN[:1], "are they copies?"),
        (ONE_RUN, ONE_RUN[:3], "are they copies, or is a column missing"),
        (ONE_RUN, ONE_RUN[:1].assign(score=1), "is a column missing that tells"),
        (PREDICTED, PREDICTED[:1], "are they copies?"),
        (
            PREDICTED,
            PREDICTED[:1].assign(truth=0),
            "are they other items with one label",
        ),
        (PREDICTED, PREDICTED[:1].assign(prediction=0), "is a column missing"),
    ],
)
def test_what_is_asked_about_rows_that_occur_twice(frame, more, asks):
    table = Scores if "score" in frame else Predictions
    how = {"metric": "accuracy"} | ({"design": "items"} if table is Scores else {})
    with pytest.raises(ValueError, match=f"occur twice, .*: .*{re.escape(asks)}"):
        table(pd.concat([frame, more]), **how)


@pytest.mark.parametrize(
    ("frame", "is_noted"),
    [
        ({"run": [1, 2, 3] * 2, "seed": 42}, True),
        ({"run": [1, 2, 3] * 2, "random_state": 0}, True),
        ({"run": [1, 2, 3] * 2, "seed": [1, 2, 3] * 2}, False),
        ({"seed": [1, 2, 3] * 2}, False),
        ({"run": [1, 2, 3] * 2, "depth": 42}, False),
    ],
)
def test_a_seed_that_all_runs_have(frame, is_noted):
    table = pd.DataFrame({"model": [*"aaabbb"], **frame, "score": RNG.random(6)})
    how = {"design": "seeds", "metric": "accuracy"}
    notes = Scores(table, **how).notes
    assert len(notes) == is_noted
    assert not is_noted or "in all rows: was each run trained with a seed" in notes[0]
    if is_noted:
        (name,) = set(frame) - {"run"}
        assert not Scores(table, **how, columns={"ignored": [name]}).notes
        assert not Scores(table, **how, where={name: frame[name]}).notes
        splits = how | {"design": "3 x 10%", "columns": {"ignored": [name]}}
        assert not Scores(table, **splits).notes


def labelled(name: str, labels: list[object]) -> pd.DataFrame:
    """Return a table of two models with a score for each label."""
    rows = [(model, label) for model in ("elm", "oak") for label in labels]
    frame = pd.DataFrame(rows, columns=["model", name])
    return frame.assign(score=RNG.uniform(0.5, 0.9, len(rows)))


@pytest.mark.parametrize(
    ("frame", "design", "says"),
    [
        (
            labelled("cv_fold", [*range(7)]),
            "seeds",
            """if each is a row of the comparison, say design="1x7\"""",
        ),
        (labelled("random_state", [3, 14, 15, 92]), "datasets", 'design="seeds"'),
        (labelled("Dataset name", [*"abcdef"]), "seeds", 'design="datasets"'),
        (labelled("question_id", [*range(30)]), "datasets", 'design="items"'),
        (labelled("trial_no", [*range(5)]), "1x5", 'design="seeds"'),
    ],
)
def test_labels_of_another_design_name_it(frame, design, says):
    with pytest.raises(ValueError, match="is missing, and column") as refused:
        Scores(frame, design=design, metric="accuracy")
    assert says in str(refused.value)


@pytest.mark.parametrize(
    "frame",
    [
        labelled("restart", [*range(5)]).assign(fold=1),  # the same in all rows
        labelled("arm", [*range(5)]),
        labelled("checkpoint", [*range(5)]),
    ],
)
def test_other_columns_do_not_name_a_design(frame):
    with pytest.raises(ValueError, match="column 'run' is missing: the columns are"):
        Scores(frame, design="seeds", metric="accuracy")


# ---------------------------------------------------------------- what columns say of the design


def noted_on_splits(design, shape, column):
    """Notes on two models in a table with a run and a fold, and with one more column."""
    n_runs, n_folds = shape
    labels = pd.MultiIndex.from_product(
        [["tree", "bayes"], range(n_runs), range(n_folds)],
        names=["model", "run", "fold"],
    )
    scores = np.random.default_rng(5).normal(0.8, 0.02, len(labels)).round(4)
    frame = pd.DataFrame({"score": scores}, labels).reset_index().assign(**column)
    if n_folds == 1:
        frame = frame.drop(columns="fold")
    return Scores(frame, metric="accuracy", design=design).notes


@pytest.mark.parametrize(
    ("design", "shape", "column"),
    [
        ("1x10", (1, 10), {"n_splits": 5}),
        ("1x10", (1, 10), {"n_folds": 5}),
        ("1x10", (1, 10), {"cv": "StratifiedKFold(n_splits=5)"}),
        ("1x10", (1, 10), {"cv": 5}),
        ("1x5", (1, 5), {"cv": "TimeSeriesSplit"}),
        ("1x5", (1, 5), {"splitter": "10-fold"}),
        ("1x5", (1, 5), {"test_size": 0.1}),
        ("10x10", (10, 10), {"n_repeats": 3}),
        ("10x10", (10, 10), {"n_repeats": 1}),
        ("10x10", (10, 10), {"cv": "RepeatedKFold(n_splits=10, n_repeats=5)"}),
        ("30 x 10%", (30, 1), {"test_size": 0.2}),
        ("30 x 10%", (30, 1), {"test_size": 0.11}),
        ("30 x 10%", (30, 1), {"train_size": 0.5}),
        ("30 x 10%", (30, 1), {"n_splits": 50}),
        ("30 x 10%", (30, 1), {"cv": "ShuffleSplit(n_splits=30, test_size=0.2)"}),
    ],
)
def test_a_column_that_says_other_splits_is_noted(design, shape, column):
    (note,) = noted_on_splits(design, shape, column)
    ((name, value),) = column.items()
    assert note.startswith(f"Column '{name}' says {value}, and the design ")


@pytest.mark.parametrize(
    ("design", "shape", "column"),
    [
        ("1x10", (1, 10), {"n_splits": 10}),
        ("1x10", (1, 10), {"cv": "StratifiedKFold(n_splits=10, shuffle=True)"}),
        ("1x10", (1, 10), {"cv": 0.12}),  # a coefficient of variation
        ("1x10", (1, 10), {"test_size": 57}),
        ("1x3", (1, 3), {"test_size": 0.33}),
        ("10x10", (10, 10), {"n_splits": 100}),
        ("10x10", (10, 10), {"n_repeats": 10}),
        ("10x10", (10, 10), {"cv": "RepeatedKFold"}),
        ("30 x 10%", (30, 1), {"test_size": 0.1}),
        ("30 x 10%", (30, 1), {"train_size": 0.9}),
        ("30 x 10%", (30, 1), {"n_splits": 30}),
        ("30 x 10%", (30, 1), {"resampling": "smote"}),
        (RandomSplits(30, 0.2, 0.5), (30, 1), {"train_size": 0.5}),
        (RandomSplits(30, 57, 100), (30, 1), {"test_size": 57}),
    ],
)
def test_a_column_that_says_the_same_splits_is_not_noted(design, shape, column):
    assert noted_on_splits(design, shape, column) == ()


def test_splitters_themselves_are_read_as_they_are_written():
    (note,) = noted_on_splits("1x10", (1, 10), {"cv": [KFold(5)] * 20})
    assert note.startswith("Column 'cv' says KFold(n_splits=5, ")


@pytest.mark.parametrize("value", [[1, 2], (1, 2), None, True, np.inf, "v1.2.3", "loo"])
def test_what_says_nothing_of_splits_is_not_noted(value):
    assert noted_on_splits("1x2", (1, 2), {"cv": [value] * 4}) == ()
