"""Margins against the tests they belong to, and contributions against simulated data sets."""

import numpy as np
import pytest
from equal_learners import blocks_of_one_dataset
from numpy.testing import assert_allclose

from replib import schemes
from replib.rerun import TESTS, margins
from replib.rerun.distances import margins_with_runs
from replib.significance import corrected_resampled_t, paired_t


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_a_margin_is_positive_where_the_test_rejects(test, alpha):
    x = np.concatenate(
        [
            blocks_of_one_dataset(50, g, np.random.default_rng(0))
            for g in (-0.06, -0.03, 0, 0.03, 0.06)
        ]
    )
    result = {
        "sorted_runs": lambda: paired_t(
            schemes.sample(x, scheme="average_over_sorted_runs")
        ),
        "corrected": lambda: corrected_resampled_t(
            x, test_train_ratio=1 / 9, axis=(-2, -1)
        ),
        "plain": lambda: paired_t(x, axis=(-2, -1)),
    }[test]()
    seen = margins(x, test_train_ratio=1 / 9, test=test, alpha=alpha)
    rejects = result.pvalue < alpha
    assert 0 < rejects.mean() < 1
    assert np.array_equal(seen.margin[0] > 0, rejects & (result.estimate > 0))
    assert np.array_equal(seen.margin[1] > 0, rejects & (result.estimate < 0))


@pytest.mark.parametrize("test", TESTS)
def test_sides_are_mirrored_and_runs_that_are_alike_contribute_alike(test):
    x = blocks_of_one_dataset(5, 0.02, np.random.default_rng(2))
    one, other = (margins(s * x, test_train_ratio=1 / 9, test=test) for s in (1, -1))
    assert_allclose(one.margin, other.margin[::-1], rtol=1e-12)
    assert_allclose(one.deviation, other.deviation[::-1], rtol=1e-12)
    alike = margins(np.tile(x[:, :1], (1, 4, 1)), test_train_ratio=1 / 9, test=test)
    assert (alike.deviation == 0).all()
    single = margins(x[:, :1], test_train_ratio=1 / 9, test=test)
    assert np.isinf(single.deviation).all()


def test_random_splits_are_runs_of_one_fold():
    x = np.random.default_rng(3).normal(0.02, 0.05, (20, 1))
    result = corrected_resampled_t(x[:, 0], test_train_ratio=1 / 9)
    seen = margins(x, test_train_ratio=1 / 9)
    assert (seen.margin > 0).any() == (result.pvalue < 0.05)
    for few, test in ((x[:1], "corrected"), (x, "sorted_runs")):
        with pytest.raises(ValueError, match="at least two folds"):
            margins(few, test_train_ratio=1 / 9, test=test)
    with pytest.raises(
        ValueError, match=r"runs must be .* from 2 to 1e\+06, not 1000001"
    ):
        margins(x, test_train_ratio=1 / 9, runs=10**6 + 1)


@pytest.mark.parametrize("shape", [(10, 10), (5, 2), (10, 1), (2, 10)])
def test_several_numbers_of_runs_are_those_of_one_at_a_time(shape):
    """To the bit: the numbers of a page do not depend on how many are asked at once."""
    x = np.random.default_rng(4).normal(0.02, 0.04, shape)
    numbers = np.array([2, 3, 10, 57, 1000, 100_000])
    found = margins_with_runs(x, test_train_ratio=1 / 9, alpha=0.05, runs=numbers)
    for place, runs in enumerate(numbers):
        one = margins(x, test_train_ratio=1 / 9, runs=int(runs))
        np.testing.assert_array_equal(found.margin[:, place], one.margin)
        np.testing.assert_array_equal(found.deviation[:, place], one.deviation)
