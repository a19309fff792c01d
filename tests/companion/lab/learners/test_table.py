"""Tables of coded rows: those of their data frames, and what is refused."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st
from nominal_data import drawn
from numpy.testing import assert_array_equal

from companion.lab.learners import LEARNERS, TAN, Table, correct_counts
from companion.lab.learners.table import Attributes


def test_a_table_of_codes_is_that_of_its_frame():
    labels, columns = drawn(3)
    X = pd.DataFrame(
        {
            f"x{a}": pd.Categorical(column, categories=range(3))
            for a, column in enumerate(columns)
        }
    )
    y = pd.Series(pd.Categorical(labels, categories=[0, 1]))
    by_frame, by_codes = (
        Table.from_frame(X, y),
        Table.from_codes(columns, labels, [3] * 5, 2),
    )
    assert by_codes.attributes.names == by_frame.attributes.names
    assert_array_equal(by_codes.columns, by_frame.columns)
    assert_array_equal(by_codes.labels, by_frame.labels)
    folds = np.arange(len(labels)) % 4
    assert_array_equal(
        correct_counts(by_codes, folds, learners=[*LEARNERS]),
        correct_counts(by_frame, folds, learners=[*LEARNERS]),
    )
    transposed = Table.from_codes(np.asfortranarray(columns), labels, [3] * 5, 2)
    assert by_codes.columns.flags.c_contiguous and transposed.columns.flags.c_contiguous
    learner = TAN().fit_table(by_codes, by_codes.all_rows)
    assert_array_equal(
        learner.predict(X), learner.predict_table(by_codes, by_codes.all_rows)
    )


def test_rows_in_another_order_lie_in_memory_as_before():
    """Otherwise kernels are compiled again for them, which takes longer than any experiment."""
    labels, columns = drawn(3)
    table = Table.from_codes(columns, labels, [3] * 5, 2)
    others = [
        pickle.loads(pickle.dumps(table)),
        replace(table, columns=table.columns[:, ::-1], labels=table.labels[::-1]),
        replace(table, columns=table.columns[:, np.argsort(labels)]),
    ]
    assert_array_equal(others[1].columns, columns[:, ::-1])
    for other in others:
        for array in (other.columns, other.labels, other.order):
            assert array.flags.c_contiguous and not array.flags.writeable


@given(
    st.permutations("uvwz"),
    st.lists(st.sampled_from(["u", "v", "w", None]), min_size=1),
)
def test_values_are_coded_as_declared_first_whatever_is_declared_later(later, values):
    declared = pd.DataFrame({"kind": pd.Categorical(["u"], categories=["w", "u", "v"])})
    new = pd.DataFrame({"kind": pd.Categorical(values, categories=later)})
    found = Attributes.of(declared).encode(new)
    expected = [{"w": 0, "u": 1, "v": 2}.get(value, np.nan) for value in values]
    assert_array_equal(found, [expected])


@given(st.lists(st.sampled_from([1.5, -0.5, 2.0, np.nan]), min_size=2, max_size=9))
def test_rows_in_order_are_sorted_with_ties_as_they_came_and_missing_ones_last(values):
    table = Table.from_frame(
        pd.DataFrame({"x": values, "y": 0.0}), np.arange(len(values)) % 2
    )
    place = {
        row: (np.isnan(x), 0 if np.isnan(x) else x, row) for row, x in enumerate(values)
    }
    assert table.order.tolist() == [sorted(place, key=place.get), list(place)]


def test_an_array_is_numeric_throughout_and_may_have_gaps():
    X = np.array([[1.5, np.nan], [2.0, 3.0], [np.nan, 4.0]])
    table = Table.from_frame(X, ["u", "v", "u"])
    assert_array_equal(table.columns, X.T)
    assert (
        table.attributes.names == ("x0", "x1")
        and not table.attributes.cardinality.any()
    )
