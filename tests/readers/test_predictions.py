"""Predictions of trained models, with and without labels."""

from contextlib import nullcontext

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from replib.comparison import compare
from replib.designs import Items
from replib.readers import from_predictions
from replib.scores import Metric

RNG = np.random.default_rng(7)


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


def test_scores_of_classes_follow_the_names_of_their_columns():
    """An unsorted table of probabilities gave another area, without a word."""
    rng = np.random.default_rng(1)
    truth = rng.choice(["a", "b", "c"], 60)
    tables = {
        name: pd.DataFrame(rng.dirichlet([1, 1, 1], 60), columns=list("abc"))
        for name in ("tree", "bayes")
    }
    turned = {name: table[list("cab")] for name, table in tables.items()}
    sorted_one, other = (
        from_predictions(truth, x, metric="roc_auc_ovr").predicted["tree"].tolist()
        for x in (tables, turned)
    )
    assert sorted_one == other
    for wrong in (None, 3.5):
        mixed = np.array([*truth[:-1], wrong], object)
        with pytest.raises(ValueError):
            compare(from_predictions(mixed, turned, metric="roc_auc_ovr"))


@pytest.mark.parametrize(
    "function, metric, is_refused",
    [
        ("tpr", "tpr at 1% fpr", False),
        ("mean_absolute_error", "median absolute error", False),
        ("quality", "utility", False),
        ("mean_absolute_error", "utility", True),  # a loss
        ("recall_score", "precision", True),
    ],
)
def test_a_function_is_called_after_its_metric(function, metric, is_refused):
    def measure(truth, predicted):
        return float(np.mean(truth == predicted))

    measure.__name__ = function
    better = "lower" if metric.endswith("error") else "higher"
    refused = pytest.raises(ValueError, match=f"function is {function} by its name")
    with refused if is_refused else nullcontext():
        from_predictions(
            np.arange(8) % 2,
            {"a": np.arange(8) % 3 % 2, "b": np.ones(8, int)},
            metric=Metric(metric, better=better),
            function=measure,
        )
