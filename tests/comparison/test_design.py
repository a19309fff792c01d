"""How splits are said to be made, and scores that look as if they were made otherwise."""

import numpy as np
import pandas as pd
import pytest
from scores_of_two import A, B
from sklearn.model_selection import (
    KFold,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
)

from replib.comparison import compare_scores
from replib.comparison.design import read_design


def test_every_way_to_say_the_same():
    reference = compare_scores(A, B, cv="10x10").to_frame()
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10)
    blocks = A.reshape(10, 10), B.reshape(10, 10)
    for other in (
        compare_scores(A, B, cv=cv), compare_scores(A, B, runs=10, folds=10),
        compare_scores(*blocks, cv=cv), compare_scores(list(A), tuple(B), cv="10×10"),
        compare_scores(pd.Series(A), pd.Series(B), cv="10 x 10"),
        compare_scores({"test_score": A, "fit_time": B}, {"test_score": B, "fit_time": A}, cv=cv),
        compare_scores(-A, -B, cv=cv, greater_is_better=False),
    ):
        columns = ["statistic", "pvalue", "low", "high", "agreement", "runs_needed", "replication"]
        pd.testing.assert_frame_equal(other.to_frame()[columns], reference[columns])


@pytest.mark.parametrize("cv", [
    KFold(5), StratifiedKFold(10, shuffle=True), RepeatedKFold(n_splits=4, n_repeats=3),
    RepeatedStratifiedKFold(n_splits=2, n_repeats=5), ShuffleSplit(7),
    ShuffleSplit(7, test_size=0.25), ShuffleSplit(7, train_size=0.6),
    ShuffleSplit(7, test_size=0.2, train_size=0.5), ShuffleSplit(7, test_size=30, train_size=90),
    StratifiedShuffleSplit(12, test_size=0.1),
], ids=str)
def test_the_design_of_a_splitter_is_that_of_the_splits_that_it_makes(cv):
    y = np.arange(1000) % 2
    made = list(cv.split(y[:, None], y))
    design = read_design(cv)
    assert design.splits == len(made)
    for train, test in made:
        assert design.test_train_ratio == pytest.approx(len(test) / len(train), rel=1e-12)
    shares = [len(test) / (len(train) + len(test)) for train, test in made]
    assert design.test_fraction == pytest.approx(np.mean(shares), rel=1e-12)
    # so many splits in a row have every row in one test set: a run of cross-validation
    folds = design.folds
    for run in range(0, len(made), folds):
        tested = np.concatenate([test for _, test in made[run:run + folds]])
        assert (len(np.unique(tested)) == len(tested) == 1000) == (folds > 1)


@pytest.mark.parametrize("given, says", [
    ({"test_fraction": 0.1, "runs": 2.5}, "runs must be a whole number of at least 1, not 2.5"),
    ({"test_fraction": 0.1, "runs": 0}, "runs must be a whole number of at least 1, not 0"),
    ({"test_fraction": 0.1, "runs": True}, "runs must be a whole number of at least 1, not True"),
    ({"test_fraction": 0.1, "runs": 1}, "one split shows no spread"),
    ({"test_fraction": 0.1}, "runs= is missing: say how many random splits"),
    ({"runs": 0, "folds": 5}, "not 0"), ({"runs": 2, "folds": 1}, "at least 2 folds, not 1"),
    ({"runs": 2, "folds": 2.0}, "at least 2 folds, not 2.0"), ({"runs": 2}, "folds= is missing"),
    ({"folds": 2}, "runs= is missing: repeated"), ({"cv": True}, "no splitter"),
    ({"cv": 1}, "at least 2 folds, not 1"), ({"cv": "0x5"}, "not 0"),
])
def test_numbers_that_are_no_design_are_refused(given, says):
    with pytest.raises(ValueError, match=says):
        read_design(**given)


def test_the_smallest_designs_are_allowed():
    assert read_design("1x2").splits == read_design(2).splits == 2
    assert read_design(test_fraction=0.5, runs=2).test_train_ratio == 1
    assert read_design(test_fraction=0.2, splits=7).runs == 7
    assert read_design(test_fraction=0.2, runs=3, splits=7).runs == 3
