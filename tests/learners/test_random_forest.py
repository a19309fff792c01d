"""Random forests: agreement with R in distribution, and what must be the same bits."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from replib.learners import RandomForest


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(11)
    X, y = rng.normal(size=(120, 7)), np.arange(120) % 3
    X[:, 0] += y
    return X, y


def test_same_seed_same_forest(data):
    X, y = data
    forests = [RandomForest(5, random_state=4).fit(X, y) for _ in range(2)]
    for field in forests[0].trees_._fields:
        assert_array_equal(*(getattr(forest.trees_, field) for forest in forests))


def test_leaves_are_pure(data):
    """Where all rows differ, each tree knows the rows that it was grown on."""
    X, y = data
    share = RandomForest(200, random_state=0).fit(X, y).predict_proba(X)
    # a row is left out of a bootstrap sample with probability (1 - 1/n)^n, about 0.37
    assert (share[np.arange(len(y)), y] > 0.5).all()
