"""Repetitions: the same seed gives the same numbers, other splits keep the data."""

import pandas as pd
import pytest

from companion.papers.scikit_learn import again, fold_scores


def test_the_same_seed_gives_the_same_numbers_and_longer_series_begin_alike():
    short, long = (again.repeat(n, new_data=False, seed=3) for n in (1, 2))
    pd.testing.assert_frame_equal(short, long.iloc[:1])
    assert (long[["corrected", "uncorrected"]] <= 1).all(axis=None)
    assert (long["uncorrected"] <= long["corrected"]).all()


def test_other_data_are_other_data():
    noise = {"noise": 0.01}
    clean = again.repeat(1, new_data=True, **noise)
    assert clean["difference"].item() > 0  # without noise the curved boundary is always right
    kernels = ("rbf", "linear")
    assert fold_scores.scores(kernels, **noise)["rbf"].mean() == pytest.approx(1)
