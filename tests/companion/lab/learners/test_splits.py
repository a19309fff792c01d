"""Folds and masks of rows: what they must be, and what is refused."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.model_selection import PredefinedSplit

from companion.lab.learners import Table, correct_counts_of_splits
from companion.lab.learners.splits import checked_folds, checked_splits, masks_of_folds

GOOD = pd.DataFrame({"kind": pd.Categorical(["u", "v", "u", "v"]), "x": [1.0, 2.0, 3.0, 4.0]})
Y = ["a", "a", "b", "b"]

RUNS_AND_ROWS = st.tuples(st.integers(1, 3), st.integers(1, 6))


@given(arrays(np.int8, RUNS_AND_ROWS, elements=st.integers(-1, 3)))
def test_folds_are_accepted_exactly_where_each_run_has_them_all(folds):
    n_folds = folds.max() + 1
    if n_folds >= 2 and all(set(run.tolist()) == set(range(n_folds)) for run in folds):
        np.testing.assert_array_equal(checked_folds(folds, folds.shape[1]), folds)
    else:
        with pytest.raises(ValueError, match="test_folds"):
            checked_folds(folds, folds.shape[1])


@given(st.integers(2, 5).flatmap(
    lambda k: st.lists(st.permutations([*range(k), 0, 1, 1]), min_size=1, max_size=3)
))
def test_masks_are_the_test_rows_of_scikit_learns_predefined_splits(runs):
    folds = checked_folds(runs, len(runs[0]))
    masks = masks_of_folds(folds)
    assert masks.shape == (len(runs), folds.max() + 1, len(runs[0]))
    for run, of_run in zip(folds, masks):
        expected = [test.tolist() for _, test in PredefinedSplit(run).split()]
        assert [np.flatnonzero(mask).tolist() for mask in of_run] == expected


@given(arrays(bool, RUNS_AND_ROWS), st.booleans())
def test_masks_are_accepted_exactly_where_each_has_test_rows_and_others(test, flat):
    test = test[0] if flat else test
    n = test.shape[-1]
    if test.any(axis=-1).all() and not test.all(axis=-1).any():
        np.testing.assert_array_equal(checked_splits(test, n), test)
    else:
        with pytest.raises(ValueError, match="a split has no"):
            checked_splits(test, n)


def test_refuses_splits_and_learners():
    table = Table.from_frame(GOOD, Y)
    test = np.array([True, False, True, False])
    refused = [
        ({"test": [0, 1, 0, 1]}, "test must be boolean"),
        ({"test": test[:3]}, "with 4 entries"),
        ({"test": test, "learners": ["nonsense"]}, "each of learners must be one of 'naive_bayes'"),
    ]
    for arguments, sentence in refused:
        with pytest.raises(ValueError, match=sentence):
            correct_counts_of_splits(table, **arguments)
