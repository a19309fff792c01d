"""Moments of sorted normal samples, against printed tables and simulation."""

from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_allclose

from companion.papers.bouckaert2005 import order_statistics


def test_order_statistics_by_the_tables_of_teichroew():
    mean, covariance = order_statistics.normal_order_statistics(10)
    assert_allclose(
        mean[5:], [0.1226678, 0.3757647, 0.6560591, 1.0013570, 1.5387527], atol=1e-7
    )
    assert covariance[9, 9] == pytest.approx(0.3443438, abs=1e-7)
    assert covariance[8, 9] == pytest.approx(0.1712629, abs=1e-7)
    # the sum of all is the sum of a sample
    assert_allclose(covariance.sum(axis=1), 1, atol=1e-12)


def test_order_statistics_of_up_to_three_numbers_have_closed_forms():
    """Jones (1948)."""
    mean, covariance = order_statistics.normal_order_statistics(1)
    assert (mean[0], covariance[0, 0]) == pytest.approx((0, 1), abs=1e-12)
    mean, covariance = order_statistics.normal_order_statistics(2)
    assert_allclose(mean, [-1 / np.sqrt(np.pi), 1 / np.sqrt(np.pi)], atol=1e-12)
    shared = 1 / np.pi
    assert_allclose(
        covariance, [[1 - shared, shared], [shared, 1 - shared]], atol=1e-12
    )
    mean, covariance = order_statistics.normal_order_statistics(3)
    root = np.sqrt(3)
    assert_allclose(mean, np.array([-3, 0, 3]) / (2 * np.sqrt(np.pi)), atol=1e-12)
    end = (4 * np.pi - 9 + 2 * root) / (4 * np.pi)
    middle = 1 - root / np.pi
    neighbours = root / (2 * np.pi)
    both_ends = (9 - 4 * root) / (4 * np.pi)
    expected = [
        [end, neighbours, both_ends],
        [neighbours, middle, neighbours],
        [both_ends, neighbours, end],
    ]
    assert_allclose(covariance, expected, atol=1e-12)


@pytest.mark.parametrize("runs", [1, 2, 3, 4, 17, 10**6])
def test_sorted_squares_of_two_folds_are_a_squared_mean_of_half_normals(runs):
    """Two numbers less their mean are -h and h with h = |Z| / sqrt 2: S is (mean of |Z|)^2."""
    J = Fraction(runs)
    # moments of |Z|: the second is 1, the fourth 3
    first = np.sqrt(2 / np.pi)
    third = 2 * np.sqrt(2 / np.pi)
    square = float(1 / J + (1 - 1 / J) * first**2)
    # products of four runs: how many there are of each kind, and their expectation
    products = [
        (J, 3),
        (4 * J * (J - 1), third * first),
        (3 * J * (J - 1), 1),
        (6 * J * (J - 1) * (J - 2), first**2),
        (J * (J - 1) * (J - 2) * (J - 3), first**4),
    ]
    fourth = sum(float(ways / J**4) * value for ways, value in products)
    mean, variance = order_statistics.sorted_squares(runs, 2)
    assert mean == pytest.approx(square, rel=1e-12)
    assert variance == pytest.approx(fourth - square**2, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("runs", [2, 10])
def test_sorted_squares_by_simulation(runs):
    """Four standard errors of the mean and five of the variance: one other seed in 10^4 fails. A
    mean off by 1.2% or a variance off by 6.2% is found with probability 0.9.
    """
    g = np.random.default_rng(4).standard_normal((40_000, runs, 6))
    g = np.sort(g - g.mean(axis=-1, keepdims=True), axis=-1)
    squares = (g.mean(axis=1) ** 2).sum(axis=-1)
    mean, variance = order_statistics.sorted_squares(runs, 6)
    assert squares.mean() == pytest.approx(mean, abs=4 * np.sqrt(variance / 40_000))
    assert squares.var() == pytest.approx(variance, rel=0.05)


def test_sizes_outside_the_range_are_refused():
    with pytest.raises(ValueError, match="size"):
        order_statistics.normal_order_statistics(101)
    with pytest.raises(ValueError, match="folds"):
        order_statistics.sorted_squares(2, 101)
