"""A Bayesian network in flat arrays, and the compiled loop that samples from it."""

from typing import NamedTuple

import numpy as np

from companion.lab.compiled import njit


class FlatNetwork(NamedTuple):
    """A network in flat arrays, for compiled functions.

    Attributes
    ----------
    cardinality : ndarray of int, shape (n_variables,)
    parents : ndarray of int
        The parents of all variables, one variable after the other.
    strides : ndarray of int
        For each of `parents`, the number of table rows between two successive values of
        it.
    first_parent : ndarray of int, shape (n_variables + 1,)
        Variable v owns ``parents[first_parent[v]:first_parent[v + 1]]``.
    limits : ndarray of float
        The cumulative rows of all tables, without the last entry of a row, which is
        one.
    first_limit : ndarray of int, shape (n_variables,)
        Start of each variable's table in `limits`.
    """

    cardinality: np.ndarray
    parents: np.ndarray
    strides: np.ndarray
    first_parent: np.ndarray
    limits: np.ndarray
    first_limit: np.ndarray


@njit(nogil=True)
def sample_into(rng, network, labels, columns):
    """Fill `labels` (n,) and `columns` (n_attributes, n) with rows drawn from a network.

    Compiled, for compiled experiments; the arrays may have any integer type that holds
    the values.

    Parameters
    ----------
    rng : Generator
    network : FlatNetwork
    labels, columns : ndarray of int
    """
    # Reading a field of a tuple of arrays is slow inside a loop.
    cardinality, parents, strides = (
        network.cardinality,
        network.parents,
        network.strides,
    )
    first_parent, limits, first_limit = (
        network.first_parent,
        network.limits,
        network.first_limit,
    )
    n_variables = len(cardinality)
    values = np.empty(n_variables, dtype=np.int64)
    for row in range(len(labels)):
        for v in range(n_variables):
            entry = 0
            for p in range(first_parent[v], first_parent[v + 1]):
                entry += values[parents[p]] * strides[p]
            n_limits = cardinality[v] - 1
            first = first_limit[v] + entry * n_limits
            u = rng.random()
            # count the limits up to u without a branch, which a processor could not
            # predict
            value = 0
            for i in range(first, first + n_limits):
                value += u >= limits[i]
            values[v] = value
        labels[row] = values[0]
        for a in range(n_variables - 1):
            columns[a, row] = values[a + 1]
