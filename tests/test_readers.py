"""Whatever form scores come in, the same table comes out, or a sentence says why not."""

import json
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sklearn import model_selection as ms
from sklearn.datasets import load_diabetes, make_moons
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier as Near

from replib import readers
from replib.comparison import compare
from replib.designs import CV, Datasets, Items, RandomSplits, Seeds
from replib.readers import (
    as_data,
    from_arrays,
    from_predictions,
    from_search,
    from_wide,
    read,
)
from replib.scores import Metric, Predictions, Scores

DATA = Path(__file__).parent / "data"
RNG = np.random.default_rng(7)
X, Y = make_moons(90, noise=0.3, random_state=0)
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


def same(one: Scores, two: Scores) -> bool:
    assert one.models == two.models and one.units == two.units
    assert (one.metric, one.design) == (two.metric, two.design)
    assert str(one.clusters) == str(two.clusters)
    return all(
        np.allclose(one.blocks[x], two.blocks[x], rtol=1e-15) for x in one.models
    )


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


WIDE = pd.DataFrame({"a": RNG.random(12), "b": RNG.random(12)})


@pytest.mark.parametrize("design", ["3x4", "12 x 10%", "seeds", "items", "datasets"])
def test_a_wide_table_is_its_columns(design):
    data = from_wide(WIDE, design=design, metric="accuracy")
    assert same(
        data, from_arrays(WIDE.to_dict("list"), design=design, metric="accuracy")
    )


def test_columns_of_a_wide_table_are_labels_in_any_order():
    table = WIDE.assign(
        rep=np.repeat([1, 2, 3], 4), fold=[1, 2, 3, 4] * 3, note=range(12)
    )
    how = dict(
        design="3x4", metric="accuracy", columns={"run": "rep", "ignored": "note"}
    )
    assert same(
        from_wide(table, **how), from_wide(table.sample(frac=1, random_state=0), **how)
    )
    many = WIDE.assign(dataset=np.repeat(list("pqr"), 4))
    data = from_wide(many, design=Datasets(CV(2, 2)), metric="accuracy")
    assert data.units == list("pqr")
    assert data.blocks["a"].tolist() == pytest.approx(
        WIDE["a"].to_numpy().reshape(3, 4).mean(1)
    )
    data = from_wide(many, design=Items(cluster="dataset"), metric="accuracy")
    assert data.clusters.tolist() == [0] * 4 + [1] * 4 + [2] * 4
    for wrong, message in (
        (dict(design="3x5"), "3 runs of 4 folds"),
        (dict(columns={"run": "x"}), "no column 'x'"),
        (dict(where={"rep": 9}), "no row has 'rep' = 9"),
        (dict(design="12 x 10%"), "column 'fold' is no model"),
    ):
        with pytest.raises(ValueError, match=message):
            from_wide(table, **(how | wrong))


@pytest.mark.parametrize(
    "name, values, says",
    [
        ("fold", [7, 3, 5, 1, 9], "'fold' is no model, .*columns={'ignored': "),
        ("Epoch", [7, 3, 5, 1, 9], "'Epoch' is no model, .*columns={'ignored': "),
        ("Unnamed: 0", [0, 1, 2, 3, 4], "'Unnamed: 0' counts the rows, and is no"),
        ("number", [1.0, 2.0, 3.0, 4.0, 5.0], "'number' counts the rows, and is no"),
        ("a_std", [0.1, 0.2, 0.1, 0.3, 0.1], "'a_std' is by its name the error of a"),
        ("b sd", [0.1, 0.2, 0.1, 0.3, 0.1], "'b sd' is by its name the error of b"),
    ],
)
def test_columns_that_are_no_models_are_refused(name, values, says):
    losses = {"a": [0.2, 0.3, 0.2, 0.4, 0.1], "b": [0.1, 0.2, 0.4, 0.4, 0.2]}
    wide = pd.DataFrame({name: values} | losses)
    with pytest.raises(ValueError, match=says):
        from_wide(wide, design="seeds", metric="log_loss")


@pytest.mark.parametrize(
    "name, design",
    [("Seed", "seeds"), ("trial", "seeds"), ("question_id", "items")],
)
def test_a_column_whose_name_says_what_it_is_has_the_labels(name, design):
    labels = [7, 3, 5, 1, 9]
    right = {"a": [1, 0, 1, 1, 0], "b": [1, 1, 0, 1, 0]}
    wide = pd.DataFrame({name: labels} | right)
    long = wide.melt(name, var_name="model", value_name="score")
    for scores in (
        from_wide(wide, design=design, metric="accuracy"),
        Scores(long, design=design, metric="accuracy"),
    ):
        assert scores.models == ("a", "b")
        order = np.argsort(scores.units if design == "items" else labels)
        block = scores.blocks["a"].ravel()
        assert sorted(block) == sorted(right["a"]) and len(order) == len(block)
    # a declared column wins, and of two that fit none is chosen
    other = long.assign(mine=long[name]).drop(columns=name)
    role = "item" if design == "items" else "run"
    declared = dict(design=design, metric="accuracy", columns={role: "mine"})
    assert Scores(other, **declared).models == ("a", "b")
    second = "question" if design == "items" else "repeat"
    twice = long.assign(**{second: long[name]})
    with pytest.raises(ValueError, match=f"column '{role}' is missing"):
        Scores(twice, design=design, metric="accuracy")
    # a label that the design does not need is no label of it
    with pytest.raises(ValueError, match="has no role in data sets"):
        Scores(long.assign(dataset=long[name]), design="datasets", metric="accuracy")


def test_all_columns_that_are_missing_are_named_at_once():
    frame = pd.DataFrame({"model": ["a", "b"], "x": [0.1, 0.2]})
    with pytest.raises(ValueError, match="columns 'score' and 'run' are missing"):
        Scores(frame, design="seeds", metric="accuracy")


def test_models_with_names_and_numbers_of_their_own_are_read():
    wide = pd.DataFrame({"x_std": [1, 2, 3, 4, 6], "seeded": [2, 1, 3, 4, 5]})
    assert from_wide(wide, design="seeds", metric="rmse").models == ("x_std", "seeded")
    few = pd.DataFrame({"a": [1, 2, 3, 4], "b": [2, 2, 3, 5]})
    assert from_wide(few, design="seeds", metric="rmse").models == ("a", "b")


@pytest.mark.parametrize("kind", [int, float, bool])
@pytest.mark.parametrize("runs", [(), (3,)])
@pytest.mark.parametrize("clusters", [None, RNG.integers(3, 8, 20).tolist()])
def test_numbers_without_labels_make_the_same_predictions_as_with_labels(
    kind, runs, clusters
):
    y = RNG.integers(0, 2, 20).astype(kind)
    arrays = {m: RNG.integers(0, 2, (*runs, 20)).astype(kind) for m in "ab"}
    labels = [f"q{i}" for i in range(20)]
    series = pd.DataFrame if runs else pd.Series
    own = {"columns": labels} if runs else {"index": labels}
    labelled = {m: series(x, **own) for m, x in arrays.items()}
    of_items = None if clusters is None else pd.Series(clusters, labels)
    quick = from_predictions(y, arrays, metric="accuracy", clusters=clusters)
    table = from_predictions(
        pd.Series(y, labels), labelled, metric="accuracy", clusters=of_items
    )
    assert not isinstance(quick.frame, pd.DataFrame)
    assert quick.models == table.models and len(quick.units) == len(table.units)
    assert_array_equal(quick.clusters, table.clusters)
    assert quick.truth.dtype == table.truth.dtype
    assert quick.truth.tolist() == table.truth.tolist()
    for model in arrays:
        before = quick.predicted[model].tolist()
        assert quick.predicted[model].dtype == table.predicted[model].dtype
        assert before == table.predicted[model].tolist()
        arrays[model][...] = 1  # the caller's own
        assert quick.predicted[model].tolist() == before


@pytest.mark.parametrize(
    "clusters", [[1, 1, 2, np.nan], [1, 1, 2], [1, 1, 2, None], [[1], [1], [2], [2]]]
)
def test_clusters_without_a_number_for_each_item_are_refused(clusters):
    y = [0, 1, 1, 0]
    with pytest.raises(ValueError, match="clusters must have a value for each of 4"):
        from_predictions(y, {"a": y}, metric="accuracy", clusters=clusters)


@pytest.mark.parametrize("gap", [np.nan, None, "?"])
def test_what_may_be_refused_goes_into_a_table(gap):
    y, other = [0, 1, 1, 0], [0, 1, gap, 0]
    data = {"a": y, "b": other}
    if gap == "?":
        table = from_predictions(y, data, metric="accuracy")
        assert table.predicted["b"].tolist() == [["0", "1", "?", "0"]]
    else:
        with pytest.raises(ValueError, match="prediction of 'b' is missing"):
            from_predictions(y, data, metric="accuracy")


def test_repetitions_are_no_data_sets_and_no_items():
    long = pd.DataFrame({"model": list("aabb"), "seed": [1, 2] * 2, "score": 0.5})
    for design in ("datasets", "items"):
        role = design.removesuffix("s")
        with pytest.raises(ValueError, match=f"'seed' has repetitions .* no {role}s"):
            Scores(long, design=design, metric="accuracy", columns={role: "seed"})


def test_predictions_follow_y():
    y = pd.Series([0, 1, 1, 0], list("abcd"))
    other = pd.Series([0, 1, 1, 1], list("dabc"))
    data = from_predictions(
        y.to_frame(),
        {"m": y, "n": other.to_frame()},
        metric="f1",
        clusters=pd.Series([1, 2, 2, 2], list("dcba")),
    )
    assert data.predicted["n"].tolist() == [
        [1, 1, 1, 0]
    ] and data.clusters.tolist() == [0, 0, 0, 1]
    data = from_predictions(
        y, {"m": [0, 1, 1, 1], "n": np.eye(4, dtype=int)[:2]}, metric="f1"
    )
    by_fold = from_predictions(
        [0, 1, 1],
        {"m": [0, 1, 1], "n": np.ones((3, 1))},
        metric="f1",
        design=Items(predicted="by_fold"),
        clusters=[1, 1, 2],
    )
    assert by_fold.clusters.tolist() == [0, 0, 1] and by_fold.predicted["n"].shape == (
        1,
        3,
    )
    assert data.predicted["n"].shape == (2, 4) and data.truth.tolist() == y.tolist()
    for wrong, message in (
        (other[:3], "shape"),
        (other.rename({"d": "e"}), "has no item 'd'"),
        (other.rename({"d": "a"}), "two predictions"),
        (np.zeros((4, 2)), "one column"),
        ([1, 2], "shape"),
        (other.reset_index(drop=True), "has none"),
    ):
        with pytest.raises(ValueError, match=message):
            from_predictions(y, {"m": wrong, "n": y}, metric="f1")


def test_cross_validation_is_read_with_its_splits():
    cv = ms.RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=1)
    models = {"nb": GaussianNB(), "near": Near()}
    done = {
        name: ms.cross_validate(model, X, Y, cv=cv, return_indices=True)
        for name, model in models.items()
    }
    data = readers.from_cross_validate(done, metric="accuracy")
    assert data.design == CV(3, 4)
    assert np.array_equal(data.blocks["nb"].ravel(), done["nb"]["test_score"])
    assert same(data, readers.from_cross_validate(done, metric="accuracy", design=cv))
    other = ms.cross_validate(
        GaussianNB(), X, Y, cv=ms.StratifiedKFold(12), return_indices=True
    )
    several = {
        name: ms.cross_validate(model, X, Y, cv=cv, scoring=["accuracy", "f1"])
        for name, model in models.items()
    }
    assert same(
        data, readers.from_cross_validate(several, metric="accuracy", design=cv)
    )
    for results, more, message in (
        (done | {"nb": other}, {}, "other splits"),
        (done, {"design": "4x3"}, "indices are"),
        (
            several,
            {"metric": "recall"},
            "no test score 'test_recall': it has 'test_accuracy'",
        ),
        ({"a": done["nb"]["test_score"], "b": 1}, {}, "a must be an object of Mapping"),
    ):
        with pytest.raises(ValueError, match=message):
            readers.from_cross_validate(results, **{"metric": "accuracy"} | more)


def test_a_search_is_its_candidates():
    cv = ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    grid = {"n_neighbors": [1, 5, -1], "weights": ["uniform"]}
    search = ms.GridSearchCV(Near(), grid, cv=cv)
    with pytest.warns(match="fits failed"), pytest.warns(match="non-finite"):
        search.fit(X, Y)
    data = from_search(search)
    assert data.models == (
        "n_neighbors=1, weights='uniform'",
        "n_neighbors=5, weights='uniform'",
    )
    assert (data.design, data.metric.name) == (CV(2, 5), "accuracy")
    assert data.blocks[data.models[1]].mean() == pytest.approx(search.best_score_)
    assert "1 of 3 candidates failed" in data.notes[0] in compare(data).notes
    assert same(data, from_search(search.cv_results_, metric="accuracy", design=cv))
    assert same(
        data,
        from_search(pd.DataFrame(search.cv_results_), metric="accuracy", design=cv),
    )
    ridge = ms.GridSearchCV(
        Ridge(),
        {"alpha": [1, 9]},
        scoring="neg_mean_squared_error",
        cv=ms.KFold(3, shuffle=True),
    ).fit(*load_diabetes(return_X_y=True))
    data = from_search(
        ridge
    )  # all candidates have the same splits, also without a seed
    assert (
        data.metric.name == "neg_mean_squared_error"
        and (data.blocks["alpha=1"] < 0).all()
    )
    several = ms.RandomizedSearchCV(
        Near(),
        {"n_neighbors": [1, 5]},
        n_iter=2,
        cv=3,
        scoring=["f1", "accuracy"],
        refit="f1",
    ).fit(X, Y)
    assert from_search(several).metric.name == "f1"
    assert from_search(several, metric="accuracy").design == CV(1, 3)
    groups = ms.GridSearchCV(Near(), {"n_neighbors": [1, 5]}, cv=ms.GroupKFold(3))
    assert from_search(groups.fit(X, Y, groups=np.arange(90) // 3)).design.groups
    halving = ms.HalvingGridSearchCV(Near(), {"n_neighbors": [1, 5]}).fit(X, Y)
    for wrong, how, message in (
        (halving, {}, "halving"),
        (ms.GridSearchCV(Ridge(), {}), {}, "fitted"),
        (ridge, {"metric": "r2"}, "scored 'neg_mean_squared_error'"),
        (several, {"metric": "recall"}, "scored 'f1' and 'accuracy'"),
        (
            search.cv_results_,
            {"design": "2x5"},
            "metric must be given",
        ),
        (
            search.cv_results_,
            {"design": "5x5", "metric": "accuracy"},
            "must have shape",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            from_search(wrong, **how)


RUNS = {"run": "seed", "ignored": ["Name", "Created", "Runtime", "val_loss"]}
PARAMS = {
    "model": "params.model",
    "score": "metrics.roc_auc",
    "run": "params.repeat",
    "fold": "params.fold",
    "ignored": ["run_id", "start_time", "end_time"],
}
KERAS = {
    "score": "val_accuracy",
    "run": "seed",
    "ignored": ["accuracy", "loss", "val_loss"],
}


@pytest.mark.parametrize(
    ("name", "how", "models", "shape", "mean"),
    [
        (
            "wandb.csv",
            dict(
                design="seeds", metric="accuracy", columns=RUNS | {"score": "val_acc"}
            ),
            ("resnet18", "vit_tiny"),
            (5,),
            0.9111,
        ),
        (
            "mlflow.csv",
            dict(design="2x5", metric="roc_auc", columns=PARAMS),
            ("forest", "logistic"),
            (2, 5),
            0.8232,
        ),
        (
            "keras_history.csv",
            dict(
                design=Seeds(paired=True),
                metric="accuracy",
                columns=KERAS,
                where={"epoch": 2},
            ),
            ("adam", "sgd"),
            (5,),
            0.8339,
        ),
        (
            "paper_table.csv",
            dict(
                design="datasets",
                metric=Metric("accuracy", high=100),
                columns={"dataset": "Data set"},
            ),
            ("NB", "C4.5", "k-NN", "SVM"),
            (20,),
            80.7890,
        ),
        (
            "harness",
            dict(metric="acc", where={"task": "arc_easy"}),
            ("meta__small-3b", "meta__tiny-1b"),
            (1, 24),
            0.8333,
        ),
        (
            "harness",
            dict(
                metric="exact_match", where={"task": "gsm8k", "filter": "strict-match"}
            ),
            ("meta__small-3b", "meta__tiny-1b"),
            (1, 10),
            0.5000,
        ),
    ],
)
def test_exports_of_peoples_tools(name, how, models, shape, mean):
    data = read(DATA / name, **how)
    assert data.models == models and {x.shape for x in data.blocks.values()} == {shape}
    assert data.blocks[models[0]].mean() == pytest.approx(mean, abs=5e-5)
    assert same(data, as_data(data)) and as_data(data, metric=data.metric) is data


def test_logs_are_files_folders_and_names(tmp_path):
    small, tiny = (
        DATA / "harness" / name for name in ("meta__small-3b", "meta__tiny-1b")
    )
    how = dict(metric="acc", where={"task": "arc_easy"})
    whole = read(DATA / "harness", **how)
    assert same(whole, read(small, tiny, **how))
    named = read(f"a={small}", next(iter(tiny.glob("samples_arc*"))), **how)
    assert named.models == ("a", "meta__tiny-1b")
    without_task = read(DATA / "harness", metric="acc")
    assert np.array_equal(without_task.blocks["meta__tiny-1b"], whole.blocks[tiny.name])
    assert without_task.notes == ("task gsm8k is left out, which has no acc",)
    by_text = read(small, tiny, design=Items(cluster="passage"), **how)
    assert len(set(by_text.clusters)) == 8
    for paths, more, message in (
        (
            [DATA / "harness"],
            {},
            r"acc and acc_norm \(arc_easy\); exact_match \(gsm8k\): say metric=",
        ),
        (
            [DATA / "harness"],
            {"metric": "exact_match", "where": {"task": "gsm8k"}},
            "'strict-match' and 'flexible-extract': choose",
        ),
        ([small, small], how, "different"),
        ([f"a={DATA / 'harness'}"], how, "logs of several models"),
        ([tmp_path], {}, "no files samples_"),
        ([small, DATA / "wandb.csv"], how, "not both"),
        (
            [small, tiny],
            how | {"design": Items(cluster="author")},
            "column 'author' is missing",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            read(*paths, **more)


GOOD = {"doc_id": 1, "filter": "none", "target": "x", "metrics": ["acc"], "acc": 1.0}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "not JSON"),
        ('{"a":' * 100_000, "not JSON"),
        ("[3]", "no doc_id"),
        (
            json.dumps(GOOD)[:-4] + "1" + "0" * 400 + "}",
            "score of 'a' and 'b' is not a number in row .a/samples.*:1",
        ),
        (json.dumps(GOOD | {"metrics": [["acc"]]}), "list of names"),
        (json.dumps(GOOD | {"acc": "x"}), "score of 'a' and 'b' is not a number"),
        (json.dumps(GOOD | {"acc": [1, 2]}), "acc is a metric of a whole corpus"),
        ("", "no samples"),
        (
            f"{json.dumps(GOOD)}\n{json.dumps(GOOD | {'target': 'y'})}",
            "document differs from .*:2",
        ),
        ("\0", "not text"),
    ],
)
def test_hostile_logs_are_refused_in_a_sentence(tmp_path, text, message):
    paths = [tmp_path / f"samples_t_2026-01-0{day}.jsonl" for day in (1, 2)]
    for path in paths:
        path.write_text(text)
    with pytest.raises(ValueError, match=message) as refused:
        read(*(f"{name}={path}" for name, path in zip("ab", paths)))
    assert str(refused.value).isprintable() and len(str(refused.value)) < 400


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a;b\n0,81;0,7\n0,9;0,8\n", "decimal commas"),
        ("a,b\n81.5%,70%\n90%,80%\n", "percent signs"),
        ("a b\n.81 .7\n.9  .8\n", "separated by blanks"),
        ("a,,b\n.8,.7,.6\n.9,.8,.7\n", "column 2 has no name"),
        ("0.81,0.7\n0.9,0.8\n0.7,0.6\n", "not numbers"),
        (",0.81,0.7\n0.9,0.8,0.7\n0.7,0.6,0.8\n", "not numbers"),
        (",1,0\n1,1,0\n0,1,1\n1,0,0\n", "not numbers"),
        ("10,50,100\n0.9,0.8,0.7\n0.7,0.6,0.8\n", "not numbers"),
        ("a,a\n0.8,0.7\n0.9,0.8\n", "two columns"),
        ("a,b\n0.8,0.7,3\n0.9,0.8,4\n", "more cells"),
        ("a,b\n0.8,0.7\n0.9,0.8,4\n", "more cells"),
        ("a,b\n0.8\n0.9,0.8\n", "missing"),
        ("", "cannot be read"),
        ("PK\3\4", "not text"),
        ("a,b\n0.8,nan\n0.9,0.8\n", "'nan' in row 1 of 'b' is no number"),
        ("model,fold,score\na,0,.5\na,1,x\nb,0,.5\nb,1,.6\n", "in row 3$"),
        ("a\x1b[2J,b\n0.8,x\n0.9,y\n", r"\\x1b|'b'"),
        (",".join(map(str, range(3000))) + "\n", "3000 columns"),
        ("a,b\n", "no row below"),
        (json.dumps([{"acc": i} for i in range(1511)]), "it is JSON, not a table"),
        (" <!doctype html><p>1,2,3", "it is HTML or XML"),
    ],
)
def test_tables_that_are_none_are_refused_in_a_sentence(tmp_path, text, message):
    path = tmp_path / "a.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=message) as refused:
        read(path, design="1x2", metric="accuracy")
    assert str(refused.value).isprintable()


def test_a_column_of_numbers_of_patients_is_not_taken_for_percent():
    table = WIDE.assign(patient=[*range(2, 13), 1])
    with pytest.raises(
        ValueError, match=r"score 2 of 'patient' .* is it no model"
    ) as no:
        from_wide(table, design="seeds", metric="accuracy")
    assert "percent say" not in str(no.value)


def test_files_of_another_kind_are_refused(tmp_path):
    (tmp_path / "results.json").write_text('{"acc": 0.8}')
    (tmp_path / "line.json").write_text(json.dumps({f"m{i}": i for i in range(1511)}))
    for name in ("results.json", "line.json"):
        with pytest.raises(ValueError, match="tables end with '.csv'"):
            read(tmp_path / name, design="1x2", metric="accuracy")


@pytest.mark.parametrize(
    "key, labels, design",
    [
        ("item", [0, 1, 2, 3], "items"),
        ("item", ["q1", "q2", "q3", "q4"], "items"),
        ("seed", [42, 7, 13, 5], "seeds"),
        ("dataset", ["iris", "wine", "zoo", "car"], "datasets"),
        ("fold", [1, 2, 3, 4], "1x4"),
        # as a DataFrame with an index writes it
        ("", [0, 1, 2, 3], "1x4"),
        ("", [1, 2, 3, 4], "seeds"),
        ("", ["q1", "q2", "q3", "q4"], "items"),
        ("", ["iris", "wine", "zoo", "car"], "datasets"),
    ],
)
@pytest.mark.parametrize("models", [(10, 50, 100), (1, 2, 3), (0.1, 0.5, 1.0)])
def test_models_may_be_called_by_numbers(tmp_path, key, labels, design, models):
    scores = [[0.8, 0.7, 0.9, 0.6], [0.9, 0.6, 0.7, 0.8], [0.7, 0.8, 0.6, 0.9]]
    frame = pd.DataFrame(dict(zip(models, scores)), index=pd.Index(labels, name=key))
    frame.to_csv(tmp_path / "a.csv")
    table = read(tmp_path / "a.csv", design=design, metric="accuracy")
    assert table.models == tuple(map(str, models))
    in_order = np.sort(labels) if key == "seed" else labels
    expected = frame.loc[in_order].to_numpy().T
    assert_array_equal([block.ravel() for block in table.blocks.values()], expected)


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n.8,.7\n.9,.8\n",
        "\ufeffa;b\n.8;.7\n.9;.8\n",
        "a\tb\r\n.8\t.7\r\n.9\t.8\r\n",
        "a|b\n.8|.7\n.9|.8",
        ",a,b\n0,.8,.7\n1,.9,.8\n",
        "a,b,,\n.8,.7,,\n.9,.8,,\n,,,\n",
        "model;fold;score\na;1;.8\na;2;.9\nb;2;.8\nb;1;.7\n",
    ],
)
def test_tables_in_many_spellings_are_the_same(tmp_path, text):
    path = tmp_path / ("a.CSV" if ";" in text else "a.csv")
    path.write_text(text, encoding="utf-8")
    data = read(path, design="1x2", metric="accuracy")
    assert data.blocks["a"].tolist() == [[0.8, 0.9]] and data.blocks["b"].tolist() == [
        [0.7, 0.8]
    ]


def test_what_is_no_file_is_refused_before_reading(tmp_path):
    os.mkfifo(tmp_path / "fifo.csv")
    (tmp_path / "zero.jsonl").symlink_to("/dev/zero")
    with open(tmp_path / "sparse.csv", "wb") as file:
        file.truncate(2**30)
    for name, message in (
        ("fifo.csv", "not a file"),
        ("zero.jsonl", "not a file"),
        ("sparse.csv", "1074 MB"),
        ("nowhere.csv", "No such file"),
        ("a\0b", "name of a file"),
        ("\ud800", "name of a file"),
    ):
        with pytest.raises(ValueError, match=message):
            read(tmp_path / name, design="1x2", metric="accuracy")


def test_data_is_one_of_few_things(tmp_path):
    seeds = dict(design="seeds", metric="accuracy")
    (tmp_path / "a.csv").write_text("run,score\n1,.5\n2,.6\n")
    (tmp_path / "b.csv").write_text("run,score\n1,.5\n2,.7\n")
    paths = [f"{name}={tmp_path / name}.csv" for name in "ab"]
    data = as_data({"a": [0.5, 0.6], "b": [0.5, 0.7]}, **seeds)
    frame = pd.DataFrame(
        {"model": list("aabb"), "run": [1, 2] * 2, "score": [0.5, 0.6, 0.5, 0.7]}
    )
    assert same(data, as_data(paths, **seeds)) and same(data, as_data(frame, **seeds))
    frame = pd.DataFrame(
        {
            "model": list("aabb"),
            "item": [1, 2] * 2,
            "truth": [0, 1] * 2,
            "prediction": [1, 1, 0, 0],
        }
    )
    assert isinstance(as_data(frame, metric="f1"), Predictions)
    for wrong, how, message in (
        (data, {"design": "3x3"}, "leave design= out"),
        (data, {"metric": "f1"}, "leave metric="),
        (WIDE, seeds, "call from_wide"),
        ([[1, 2], [3, 4]], seeds, "data must be"),
        (3, {}, "data"),
    ):
        with pytest.raises(ValueError, match=message):
            as_data(wrong, **how)


@pytest.mark.parametrize("n_rows, is_refused", [(4, False), (5, True), (9, True)])
def test_five_rows_are_counted_by_a_column_that_counts_them(n_rows, is_refused):
    """Of four, a model may have the scores 1, 2, 3 and 4."""
    frame = pd.DataFrame({"a": [0.5, 2.5, 1.5] * 3, "b": range(1, 10)})[:n_rows]
    metric = Metric("points", better="higher")
    if is_refused:
        with pytest.raises(ValueError, match="column 'b' counts the rows"):
            from_wide(frame, design="seeds", metric=metric)
    else:
        table = from_wide(frame, design="seeds", metric=metric)
        assert table.models == ("a", "b")


ROWS = [f"q{i},{i % 2}" for i in range(9)]


@pytest.mark.parametrize("place", range(10))
@pytest.mark.parametrize(
    "row", ["x,1,2", "x", "", ",,", '"x', '"x\ny",1', "7,1", "x,nan", "x,0.5", "8,true"]
)
def test_the_parts_in_which_a_file_is_read_do_not_show(
    monkeypatch, tmp_path, row, place
):
    file = tmp_path / "file.csv"
    for rows in (ROWS, [row.removeprefix("q") for row in ROWS]):
        file.write_text("\n".join(["item,a", *rows[:place], row, *rows[place:]]))
        answers = []
        for n_rows in (100, 3):
            monkeypatch.setattr(readers._sources, "_ROWS_OF_A_PART", n_rows)
            try:
                answers.append(readers._sources.table(file))
            except ValueError as refusal:
                answers.append(str(refusal))
        if isinstance(answers[0], str):
            assert answers[1] == answers[0]
        else:
            pd.testing.assert_frame_equal(answers[1], answers[0])


#: Scores of six seeds of two models, one row each.
OF_SEEDS = pd.DataFrame(
    {
        "model": list("aaabbb"),
        "seed": [1, 2, 3] * 2,
        "score": [0.81, 0.84, 0.8, 0.76, 0.79, 0.74],
    }
)


def of_seeds(name, **more):
    """The scores in a column with another name, and other columns."""
    return OF_SEEDS.rename(columns={"score": name}).assign(**more)


@pytest.mark.parametrize(
    "name, metric, more",
    [
        ("accuracy", "accuracy", {}),
        ("Accuracy", "accuracy", {}),
        ("ROC AUC", "roc_auc", {}),
        ("skill", Metric("skill", better="higher"), {}),
        # of the training data, another metric, the spread, or a time
        ("accuracy", "accuracy", {"train_accuracy": OF_SEEDS["score"] + 0.1}),
        ("accuracy", "accuracy", {"f1": [0.51, 0.62, 0.53, 0.44, 0.55, 0.66]}),
        ("accuracy", "accuracy", {"accuracy_std": 0.01, "fit_time": 3.5}),
        ("balanced_accuracy", "balanced_accuracy", {"accuracy": OF_SEEDS["score"]}),
        ("f1_macro", "f1_macro", {"f1": 0.5}),
        ("ndcg@10", Metric("ndcg@10", better="higher"), {"ndcg@5": 0.5}),
    ],
)
def test_a_column_that_is_called_after_the_metric_has_the_scores(
    tmp_path, name, metric, more
):
    how = {"design": "seeds", "metric": metric}
    expected = Scores(OF_SEEDS, **how)
    frame = of_seeds(name, **more)
    assert same(Scores(frame, **how), expected)
    assert same(as_data(frame, **how), expected)
    files = {model: tmp_path / f"{model}.csv" for model in "ab"}
    for model, file in files.items():
        own = frame[frame["model"] == model].drop(columns="model")
        own.to_csv(file, index=False)
    frame.to_csv(tmp_path / "all.csv", index=False)
    assert same(read(tmp_path / "all.csv", **how), expected)
    named = [f"{model}={file}" for model, file in files.items()]
    assert same(read(*named, **how), expected)


@pytest.mark.parametrize(
    "name, more",
    [
        ("acc", {}),
        ("val_accuracy", {}),
        ("accuracy", {"acc": 0.5}),
        ("accuracy", {"val_accuracy": OF_SEEDS["score"] - 0.05}),  # of Keras
        ("accuracy", {"valAccuracy": "78%"}),
        ("accuracy", {"test/acc": 0.5}),
        ("accuracy", {"mean accuracy": 0.5}),
        ("accuracy", {"test_score": 0.5}),
        ("accuracy", {"Score": 0.5}),
        ("accuracy", {"Accuracy": 0.5}),
        ("accuracy", {"accuracy.1": 0.5}),
        ("f1", {}),
    ],
)
def test_where_others_could_be_meant_the_column_must_be_said(tmp_path, name, more):
    how = {"design": "seeds", "metric": "accuracy"}
    frame = of_seeds(name, **more)
    with pytest.raises(ValueError, match="column 'score' is missing"):
        Scores(frame, **how)
    with pytest.raises(ValueError, match="must have columns model and score"):
        as_data(frame, **how)
    said = Scores(frame, columns={"score": name, "ignored": [*more]}, **how)
    assert same(said, Scores(OF_SEEDS, **how))
    alone = Scores(
        of_seeds("accuracy", **more), columns={"ignored": [*more]}, **how
    )  # the others are ruled out
    assert same(alone, said)


def test_a_column_of_scores_goes_before_one_that_is_called_after_the_metric():
    how = {"design": "seeds", "metric": "accuracy"}
    table = OF_SEEDS.assign(accuracy=0.5)
    assert same(Scores(table, **how), Scores(OF_SEEDS, **how))
    table = of_seeds("accuracy").assign(other=OF_SEEDS["score"] / 2)
    said = Scores(table, columns={"score": "other"}, **how)
    assert said.blocks["a"][0] == 0.405
    indexed = of_seeds("accuracy").assign(score=OF_SEEDS["score"]).set_index("score")
    assert same(Scores(indexed, **how), Scores(OF_SEEDS, **how))


def test_a_column_that_is_called_after_the_metric_is_checked_as_scores_are():
    how = {"design": "seeds", "metric": "accuracy"}
    percent = of_seeds("accuracy", accuracy=100 * OF_SEEDS["score"])
    with pytest.raises(ValueError, match="for percent say Metric"):
        Scores(percent, **how)
    with pytest.raises(ValueError, match="score of 'a' is missing in row 1"):
        Scores(of_seeds("accuracy").mask(lambda x: x == 0.84), **how)
    texts = of_seeds("accuracy", accuracy=["0.8", "crashed", *"012", "0.7"])
    with pytest.raises(ValueError, match="column 'score' is missing"):
        Scores(texts, **how)
    with pytest.raises(
        ValueError, match="the columns are 'model', 'seed' and 'accuracy'"
    ):
        Scores(of_seeds("accuracy"), metric="accuracy", design="2x3")
    others = of_seeds("accuracy", metric="f1")
    with pytest.raises(ValueError, match="column 'metric' says 'f1'"):
        Scores(others, **how)
    chosen = of_seeds("accuracy", other=OF_SEEDS["score"])
    with pytest.raises(ValueError, match="column 'score' is missing"):
        Scores(chosen, where={"accuracy": [0.81, 0.84, 0.76]}, **how)


def test_answers_that_are_right_or_wrong_may_be_called_after_the_metric():
    answers = pd.DataFrame({"model": list("aabb"), "item": [1, 2] * 2})
    answers["accuracy"] = [True, False, True, True]
    table = as_data(answers, design="items", metric="accuracy")
    assert table.blocks["a"].tolist() == [[1, 0]]
    assert table.columns == {}


@pytest.mark.parametrize("columns", [None, ["score"], "accuracy"])
def test_columns_are_a_mapping_or_none(columns):
    how = {"design": "seeds", "metric": "accuracy", "columns": columns}
    if columns is None:
        assert same(Scores(of_seeds("accuracy"), **how), Scores(OF_SEEDS, **how))
    else:
        with pytest.raises(ValueError, match="columns must be"):
            Scores(of_seeds("accuracy"), **how)


def test_a_model_may_be_called_after_the_metric(tmp_path):
    wide = pd.DataFrame({"seed": [1, 2, 3], "accuracy": [0.7, 0.8, 0.9], "svm": 0.5})
    wide.to_csv(tmp_path / "wide.csv", index=False)
    table = read(tmp_path / "wide.csv", design="seeds", metric="accuracy")
    assert table.models == ("accuracy", "svm")
    with pytest.raises(ValueError, match="must have columns model and score"):
        as_data(wide, design="seeds", metric="accuracy")
