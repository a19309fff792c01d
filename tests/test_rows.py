"""Codes of labels against pandas, and columns that a person gets back as she gave them."""

import numpy as np
import pandas as pd
import pytest

from replib import Items, Predictions, Scores, compare, read
from replib._rows import Coded, Rows, combinations_of_codes

LABELS = {
    "texts": ["b", "a", "c", "b", "a", "b"],
    "numbers": [3, 1, 2, 3, 1, 3],
    "dates": pd.to_datetime(["2020-02-01", "2020-01-01", "2020-03-01"]).repeat(2),
    "mixed": ["b", 1, (1, 2), "b", 1, "b"],
}


@pytest.mark.parametrize("kind", LABELS)
def test_codes_are_those_of_the_order_of_first_rows(kind):
    column = pd.Series(LABELS[kind])
    codes, labels = coded = Coded.from_column(column)
    assert [labels[code] for code in codes] == column.tolist()
    assert labels.tolist() == column.unique().tolist()
    is_first = ~column.duplicated().to_numpy()
    assert coded.first_rows.tolist() == np.flatnonzero(is_first).tolist()


@pytest.mark.parametrize("dtype", ["str", "string", object, "category"])
def test_codes_of_texts_keep_their_type_and_their_gaps(dtype):
    column = pd.Series(["b", None, "a", "b"], dtype=dtype)
    codes, labels = Coded.from_column(column)
    assert codes.tolist() == [0, -1, 1, 0]
    assert labels.tolist() == ["b", "a"]
    assert labels.dtype == pd.factorize(column)[1].dtype


def test_some_rows_have_codes_of_their_own():
    frame = pd.DataFrame({"item": LABELS["texts"], "run": range(6)})
    rows = Rows(frame, {"item": Coded.from_column(frame["item"])})
    some = rows.chosen(np.array([2, 4, 5]))
    assert some.column("item").labels.tolist() == ["c", "a", "b"]
    assert some.column("item").codes.tolist() == [0, 1, 2]
    assert some.column("run").labels.tolist() == [2, 4, 5]


@pytest.mark.parametrize("n_labels", [2, 50, 1000])
def test_combinations_of_labels_are_equal_where_all_labels_are(n_labels):
    """With a thousand labels in each of seven columns, no integer counts all combinations."""
    rng = np.random.default_rng(n_labels)
    frame = pd.DataFrame(rng.integers(n_labels, size=(1000, 7)))
    frame = pd.concat([frame, frame.head(5)])
    numbers = combinations_of_codes(
        [Coded.from_column(column) for _, column in frame.items()]
    )
    assert numbers.min() >= 0 and numbers.max() < 5 * len(frame)
    is_repeated = pd.Series(numbers).duplicated().to_numpy()
    assert is_repeated.tolist() == frame.duplicated().tolist()
    assert is_repeated.sum() >= 5


def scores_of_texts():
    items = [f"item {i}" for i in range(8)]
    right = np.random.default_rng(1).integers(2, size=24)
    return pd.DataFrame(
        {"model": np.repeat(["a", "b", "c"], 8), "item": items * 3, "score": right}
    )


@pytest.mark.parametrize("missing", ["refuse", "common"])
def test_columns_of_texts_stay_columns_of_texts(missing):
    """As categories, a groupby of pandas 2 lists models of which it has no row."""
    table = Scores(
        scores_of_texts(), design="items", metric="accuracy", missing=missing
    ).frame
    for key in ("model", "item"):
        assert not isinstance(table[key].dtype, pd.CategoricalDtype)
        assert table[key].tolist() == scores_of_texts()[key].tolist()
    of_two = table[table["model"] != "b"]
    assert list(of_two.groupby("model").groups) == ["a", "c"]


def test_columns_of_a_wide_file_are_texts(tmp_path):
    wide = scores_of_texts().pivot(index="item", columns="model", values="score")
    wide.to_csv(tmp_path / "wide.csv")
    table = read(tmp_path / "wide.csv", design="items", metric="accuracy").frame
    assert table["model"].tolist() == list("aaaaaaaabbbbbbbbcccccccc")
    assert list(table[table["model"] == "b"].groupby("model").groups) == ["b"]


def test_values_of_items_follow_their_labels_in_any_order():
    frame = scores_of_texts().rename(columns={"score": "prediction"})
    number = frame["item"].str.removeprefix("item ").astype(int)
    frame = frame.assign(truth=number % 2, part="part " + (number // 2).astype(str))
    shuffled = frame.sample(frac=1, random_state=3)
    design = Items(cluster="part")
    table = Predictions(shuffled, metric="accuracy", design=design)
    numbers = [int(label.removeprefix("item ")) for label in table.units]
    assert table.truth.tolist() == [n % 2 for n in numbers]
    parts = [n // 2 for n in numbers]
    assert len(set(zip(parts, table.clusters.tolist()))) == 4
    in_order = Predictions(frame, metric="accuracy", design=design)
    pvalues = [sorted(compare(t).pairs["p"]) for t in (table, in_order)]
    np.testing.assert_allclose(pvalues[0], pvalues[1])


def test_rows_that_occur_twice_are_counted_and_named():
    frame = scores_of_texts()
    twice = pd.concat([frame, frame.iloc[[9, 9, 3]]])
    with pytest.raises(ValueError, match="3 rows occur twice, the first for model 'b'"):
        Scores(twice, design="items", metric="accuracy")
