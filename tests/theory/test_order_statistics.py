"""Moments of sorted normal samples, against printed tables and simulation."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from replib.theory import order_statistics


def test_order_statistics_by_the_tables_of_teichroew():
    mean, covariance = order_statistics.normal_order_statistics(10)
    assert_allclose(mean[5:], [0.1226678, 0.3757647, 0.6560591, 1.0013570, 1.5387527], atol=1e-7)
    assert covariance[9, 9] == pytest.approx(0.3443438, abs=1e-7)
    assert covariance[8, 9] == pytest.approx(0.1712629, abs=1e-7)
    assert_allclose(covariance.sum(axis=1), 1, atol=1e-12)  # the sum of all is the sum of a sample


@pytest.mark.parametrize("runs", [2, 10])
def test_sorted_squares_by_simulation(runs):
    g = np.random.default_rng(4).standard_normal((40_000, runs, 6))
    g = np.sort(g - g.mean(axis=-1, keepdims=True), axis=-1)
    squares = (g.mean(axis=1) ** 2).sum(axis=-1)
    mean, variance = order_statistics.sorted_squares(runs, 6)
    assert squares.mean() == pytest.approx(mean, abs=4 * np.sqrt(variance / 40_000))
    assert squares.var() == pytest.approx(variance, rel=0.05)


@pytest.mark.parametrize("call, name", [
    (lambda: order_statistics.normal_order_statistics(0), "size"),
    (lambda: order_statistics.normal_order_statistics(101), "size"),
    (lambda: order_statistics.sorted_squares(0, 5), "runs"),
    (lambda: order_statistics.sorted_squares(10**6 + 1, 5), "runs"),
    (lambda: order_statistics.sorted_squares(2, 1), "folds"),
    (lambda: order_statistics.sorted_squares(2, 101), "folds"),
])
def test_bad_input_is_refused(call, name):
    with pytest.raises(ValueError, match=name):
        call()
