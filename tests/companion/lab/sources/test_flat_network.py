"""Samples of a network: row by row by hand, and no value that is impossible."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from some_networks import some_network

from companion.lab.sources import BayesianNetwork, sample_into


@given(some_network(), st.integers(0, 2**32), st.integers(1, 40))
def test_sample_is_ancestral_sampling_with_the_same_uniform_numbers(network, seed, n):
    labels, columns = network.sample(n, np.random.default_rng(seed))
    uniform = np.random.default_rng(seed).random((n, 1 + network.n_attributes))
    for row, u in enumerate(uniform):
        values = []
        for v, (above, table) in enumerate(zip(network.parents, network.tables)):
            limits = np.cumsum(table[tuple(values[parent] for parent in above)])
            values.append(
                int(np.searchsorted(limits[:-1] / limits[-1], u[v], side="right"))
            )
        assert [labels[row], *columns[:, row]] == values
    shorter, fewer = network.sample((n + 1) // 2, np.random.default_rng(seed))
    assert_array_equal(labels[: len(shorter)], shorter)
    assert_array_equal(columns[:, : len(shorter)], fewer)


def test_an_impossible_value_is_not_drawn_even_at_the_largest_number_below_one():
    row = [0.1] * 10 + [0.0]
    assert (
        np.cumsum(row)[-1] < 1
    )  # by rounding, which must not leave room for the last value
    network = BayesianNetwork([(), ()], [[0.5, 0.5], row])
    largest = type("Largest", (), {"random": lambda self: np.nextafter(1, 0)})()
    labels, columns = np.empty(1, dtype=int), np.empty((1, 1), dtype=int)
    sample_into.py_func(largest, network.flat, labels, columns)
    assert columns[0, 0] == 9
