"""Arrays of scores: positions, labels, and what does not fit."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from same_scores import same

from replib.designs import CV, Datasets, Items, RandomSplits, Seeds
from replib.readers import from_arrays, from_predictions, from_wide
from replib.scores import Scores

RNG = np.random.default_rng(7)


SHAPES = [
    ("3x4", (3, 4)),
    ("3x4", (12,)),
    ("5 x 10%", (5,)),
    ("5 x 10%", (5, 1)),
    ("seeds", (4,)),
    (Seeds(paired=True), (4,)),
    ("items", (7,)),
    ("items", (2, 7)),
    ("datasets", (6,)),
    (Datasets(CV(2, 3)), (5, 2, 3)),
    (Datasets(CV(2, 3)), (5, 6)),
    (Datasets(RandomSplits(4, 0.1)), (5, 4)),
    (Datasets(Seeds()), (5, 4)),
]


@pytest.mark.parametrize(("design", "shape"), SHAPES)
def test_arrays_have_all_folds_of_the_first_run_first(design, shape):
    x = RNG.random(shape)
    found = from_arrays({"b": 1 - x, "a": x}, design=design, metric="accuracy").blocks[
        "a"
    ]
    of_sets = isinstance(design, Datasets)
    expected = x.reshape(len(x), -1).mean(axis=1) if of_sets else x.reshape(found.shape)
    np.testing.assert_allclose(found, expected, rtol=1e-15)


def test_arrays_may_change_afterwards():
    for design in ("items", "seeds", "4 x 10%", "2x2"):
        a, b = RNG.random((2, 4))
        data = from_arrays({"a": a, "b": b}, design=design, metric="accuracy")
        a[:] = 0
        assert (data.blocks["a"] > 0).all()


@given(
    st.permutations(range(6)),
    st.sampled_from(["items", "datasets", Seeds(paired=True)]),
)
def test_labels_decide_and_positions_do_not(order, design):
    a, b = (pd.Series(RNG.random(6), list("uvwxyz")) for _ in "ab")
    data = from_arrays(
        {"a": a, "b": b.iloc[list(order)]}, design=design, metric="accuracy"
    )
    assert np.ravel(data.blocks["b"]).tolist() == b.tolist()
    frames = {
        name: pd.DataFrame(RNG.random((3, 2)), list("pqr"), list("st")) for name in "ab"
    }
    data = from_arrays(
        frames | {"b": frames["b"].iloc[::-1, ::-1]}, design="3x2", metric="accuracy"
    )
    assert np.array_equal(data.blocks["b"], frames["b"])


def test_clusters_and_folds_of_items_are_matched_too():
    a, b = (pd.Series([0, 1, 1], list(labels)) for labels in ("xyz", "zxy"))
    data = from_arrays(
        {"a": a, "b": b},
        design="items",
        metric="accuracy",
        clusters=pd.Series([5, 5, 9], list("zyx")),
    )
    assert data.clusters.tolist() == [0, 1, 1] and data.frame["cluster"].tolist()[
        :3
    ] == [9, 5, 5]
    data = from_arrays(
        {"a": [0, 1, 1], "b": [1, 1, 0]},
        design=Items(predicted="by_fold"),
        metric="accuracy",
        clusters=[1, 1, 2],
    )
    frame = pd.DataFrame(
        {
            "model": list("aaabbb"),
            "item": [0, 1, 2] * 2,
            "fold": [1, 1, 2] * 2,
            "score": [0, 1, 1, 1, 1, 0],
        }
    )
    assert same(data, Scores(frame, metric="accuracy", design=data.design))
    runs = from_arrays(
        {"a": RNG.random((2, 5)), "b": RNG.random((3, 5))},
        design="items",
        metric="accuracy",
    )
    assert [runs.blocks[x].shape for x in "ab"] == [(2, 5), (3, 5)]


@pytest.mark.parametrize(
    ("arrays", "more", "message"),
    [
        ({}, {}, "must be a dict of models"),
        ({1: [0.1, 0.2], "1": [0.1, 0.2]}, {}, "differ only in type"),
        ({"a": [0.1, 0.2, 0.3], "b": [0.1, 0.2]}, {}, r"a must have shape \(2, 2\)"),
        ({"a": [0.1, 0.2], "b": [0.1, 0.2, 0.3]}, {"design": "items"}, "equal shapes"),
        ({"a": [0.1], "b": [0.1]}, {"design": "seeds"}, "a has one seed"),
        (
            {"a": [0.1] * 4, "b": [0.1, np.nan, 0.3, 0.4]},
            {},
            "score of 'b' is missing for run 0, fold 1",
        ),
        ({"a": [10, 1] * 2, "b": [0, 0, 30, 0.4]}, {}, r"high=100"),
        ({"a": [0.1] * 4, "b": [0.1, 0.2, 30, 0.4]}, {}, r"fold 0 lies .* 0 to 1$"),
        ({"a": [0.1] * 4, "b": list("wxyz")}, {}, "real numbers"),
        (
            {"a": pd.Series([0.1, 0.2], list("xy")), "b": [0.1, 0.2]},
            {"design": "items"},
            "b has none",
        ),
        (
            {"a": pd.Series([0, 1], list("xy")), "b": pd.Series([0, 1], list("xz"))},
            {"design": "items"},
            "a has no score for item 'z': it lacks 1 of 3 items",
        ),
        (
            {"a": pd.Series([0, 1], list("xx")), "b": pd.Series([0, 1], list("xx"))},
            {"design": "items"},
            "occur twice",
        ),
        (
            {"a": pd.Series([0, 1], list("xy")), "b": pd.Series([0, 1], list("xy"))},
            {},
            "labels of",
        ),
        (
            {"a": [0, 1], "b": [1, 1]},
            {"design": Items(cluster="text")},
            "clusters must give",
        ),
        (
            {"a": [0, 1], "b": [1, 1]},
            {"design": "items", "clusters": [1, 2, 3]},
            "a value for each",
        ),
        (
            {"a": [0, 1], "b": [1, 1]},
            {"design": "seeds", "clusters": [1, 2]},
            "clusters are of items",
        ),
    ],
)
def test_arrays_that_do_not_fit_are_refused(arrays, more, message):
    how = {"design": "2x2", "metric": "accuracy"} | more
    with pytest.raises(ValueError, match=message) as refused:
        from_arrays(arrays, **how)
    assert "\n" not in str(refused.value)


TOKENS = pd.MultiIndex.from_product([range(4), range(5)], names=["doc", "token"])


def models(index):
    """Series of two models with an index."""
    return {name: pd.Series(RNG.random(len(index)), index) for name in "ab"}


def frames(rows, columns):
    """Frames of two models, with names for the axes of rows and of columns."""
    axes = dict(
        index=pd.RangeIndex(rows[0], name=rows[1]),
        columns=pd.RangeIndex(columns[0], name=columns[1]),
    )
    return {
        name: pd.DataFrame(RNG.random((rows[0], columns[0])), **axes) for name in "ab"
    }


@pytest.mark.parametrize(
    ("read", "design", "says"),
    [
        (
            lambda **how: from_arrays(models(TOKENS), **how),
            "items",
            "'doc' and 'token'",
        ),
        (
            lambda **how: from_wide(pd.DataFrame(models(TOKENS)), **how),
            "items",
            "give their clusters",
        ),
        (
            lambda **how: from_wide(pd.DataFrame(models(TOKENS)), **how),
            "datasets",
            "keep only these",
        ),
        (
            lambda **how: from_arrays(models(pd.RangeIndex(9, name="fold")), **how),
            "datasets",
            "an index called 'fold', and the labels of data sets are called 'dataset'",
        ),
        (
            lambda **how: from_wide(
                pd.DataFrame(models(pd.RangeIndex(9, name="Seed"))), **how
            ),
            "datasets",
            "an index called 'Seed'",
        ),
        (
            lambda **how: from_wide(
                pd.DataFrame(models(pd.Index(list("xyz"), name="model"))), **how
            ),
            "seeds",
            "the index 'model' has models",
        ),
        (
            lambda **how: from_arrays(frames((3, "doc"), (4, "token")), **how),
            "items",
            r"by .rename_axis\(\['run', 'item'\]\)",
        ),
        (
            lambda design, **how: from_predictions(
                pd.Series(1, TOKENS), models(TOKENS), **how
            ),
            "items",
            "y has an index of 'doc' and 'token'",
        ),
        (
            lambda design, **how: from_predictions(
                pd.Series(1, pd.RangeIndex(9, name="fold")),
                {"a": [1] * 9, "b": [0] * 9},
                **how,
            ),
            "items",
            "y has an index called 'fold'",
        ),
    ],
)
def test_names_of_an_index_that_are_not_the_design_s_are_refused(read, design, says):
    with pytest.raises(ValueError, match=says) as refused:
        read(design=design, metric="accuracy")
    assert "\n" not in str(refused.value)


def test_names_of_an_index_say_what_its_labels_are():
    how = dict(design="items", metric="accuracy")
    scores = from_arrays(models(TOKENS.set_names(["item", "run"])), **how)
    assert scores.blocks["a"].shape == (5, 4)
    scores = from_arrays(frames((7, "item"), (3, "seed")), **how)
    assert scores.blocks["a"].shape == (3, 7)
    table = pd.DataFrame(models(TOKENS))
    tokens = table.assign(token=range(20)).droplevel("token")
    scores = from_wide(
        tokens,
        design=Items(cluster="doc"),
        metric="accuracy",
        columns={"item": "token"},
    )
    assert scores.clusters.tolist() == np.repeat(range(4), 5).tolist()
    by_task = pd.DataFrame(models(pd.Index(list("pqrstu"), name="task")))
    assert from_wide(by_task, design="datasets", metric="accuracy").units == list(
        "pqrstu"
    )
    splits = pd.DataFrame(models(pd.RangeIndex(6, name="split")))
    assert from_wide(splits, design="2x3", metric="accuracy").design == CV(2, 3)
    epochs = pd.DataFrame(models(pd.Index([1, 2] * 3, name="epoch")))
    last = from_wide(epochs, design="seeds", metric="accuracy", where={"epoch": 2})
    assert last.blocks["a"].tolist() == epochs["a"].tolist()[1::2]
    long = pd.DataFrame(
        {"model": list("aabb"), "score": [0.1, 0.2, 0.3, 0.4]},
        index=pd.Index([0, 1, 1, 0], name="run"),
    )
    scores = Scores(long, design=Seeds(paired=True), metric="accuracy")
    assert scores.blocks["b"].tolist() == [0.4, 0.3]
