"""What can be counted in a data set, and when two data sets have the same hash."""

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st
from weka_and_openml import EVERY_NAME

from companion.lab import datasets
from companion.lab.datasets.dataset import Dataset

ROWS = st.lists(
    st.tuples(
        st.sampled_from([0.0, -0.0, 1.5, np.nan]),
        st.sampled_from(["?", "a", None]),
        st.sampled_from("uv"),
    ),
    min_size=1,
    max_size=5,
)


def dataset(rows, labels="uvw"):
    """A number, a nominal attribute, and a class of which a value never occurs."""
    numbers, values, classes = zip(*rows)
    X = pd.DataFrame(
        {"x": numbers, "k": pd.Categorical(values, categories=["a", "?", "b"])}
    )
    y = pd.Series(pd.Categorical(classes, categories=list(labels)))
    return Dataset("drawn", X, y, "here")


def test_counts_agree_with_an_independent_count(folder, weka):
    counted = pd.read_csv(folder / "SOURCES.csv")
    counted.index = counted["file"].str.removesuffix(".arff")
    for name in EVERY_NAME:
        facts = datasets.load(name).facts
        expected = counted.loc[name]
        assert (
            facts.instances,
            facts.attributes,
            facts.numeric,
            facts.nominal,
            facts.classes_declared,
            facts.classes_present,
            facts.missing_cells,
        ) == tuple(
            expected[
                [
                    "instances",
                    "attributes_excl_class",
                    "numeric_attrs",
                    "nominal_attrs",
                    "classes_declared",
                    "classes_present",
                    "missing_cells",
                ]
            ]
        ), name


def test_a_value_in_quotes_is_not_a_missing_cell(weka):
    anneal = datasets.load("anneal")
    assert anneal.facts.missing_cells == 0
    assert int((anneal.X == "?").to_numpy().sum()) == 22175


@given(ROWS)
def test_counts_are_those_of_the_rows(rows):
    facts = dataset(rows).facts
    assert (facts.instances, facts.numeric, facts.nominal, facts.attributes) == (
        len(rows),
        1,
        1,
        2,
    )
    assert (facts.classes_declared, facts.classes_present) == (
        3,
        len({c for *_, c in rows}),
    )
    assert facts.missing_cells == sum((x != x) + (k is None) for x, k, _ in rows)


@given(ROWS, ROWS, st.integers(0, 4))
def test_the_hash_is_the_same_exactly_for_the_same_cells(rows, others, same):
    """Zeros have no sign, "?" is not a missing cell, and declarations are not cells."""
    others = rows[:same] + others[same:] or rows
    one, other = dataset(rows).facts.sha256, dataset(others, labels="wvu").facts.sha256
    cells = [
        [(None if x != x else x + 0.0, k, c) for x, k, c in some]
        for some in (rows, others)
    ]
    assert (one == other) == (cells[0] == cells[1])
