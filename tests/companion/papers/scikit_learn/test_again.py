"""Repetitions: the same seed gives the same numbers, other splits keep the data."""

import pandas as pd

from companion.papers.scikit_learn import again


def test_the_same_seed_gives_the_same_numbers_and_longer_series_begin_alike():
    short, long = (again.repeat(n, new_data=False, seed=3) for n in (1, 2))
    pd.testing.assert_frame_equal(short, long.iloc[:1])
    assert (long[["corrected", "uncorrected"]] <= 1).all(axis=None)
    assert (long["uncorrected"] <= long["corrected"]).all()


def test_other_data_are_other_data():
    same, other = (again.repeat(1, new_data=new, seed=3) for new in (False, True))
    assert same["difference"].item() != other["difference"].item()
