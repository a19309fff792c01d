"""Sorted normal samples: their moments, and those of the mean of several such samples.

Functions raise `ValueError` if an argument lies outside its range.
"""

from functools import cache
from math import comb

import numpy as np
from scipy import special

from replib._validation import whole_number

_LARGEST_SAMPLE = 100

# Quadrature of Gauss and Legendre; a normal variable is beyond the reach with a
# probability of 2e-19.
_NODES = 200
_REACH = 9.0


def normal_order_statistics(size: int) -> tuple[np.ndarray, np.ndarray]:
    """Compute the means and the covariance matrix of a sorted standard normal sample.

    Parameters
    ----------
    size : int

    Returns
    -------
    mean : ndarray, shape (size,)
    covariance : ndarray, shape (size, size)

    Examples
    --------
    >>> mean, covariance = normal_order_statistics(2)
    >>> bool(np.isclose(mean[1], 1 / np.sqrt(np.pi)))
    True
    """
    return _order_statistics(
        whole_number("size", size, at_least=1, at_most=_LARGEST_SAMPLE)
    )


@cache
def _order_statistics(size: int) -> tuple[np.ndarray, np.ndarray]:
    """Compute :func:`normal_order_statistics`, once for each size."""
    node, weight = np.polynomial.legendre.leggauss(_NODES)
    width = _REACH * weight
    point = _REACH * node
    point_mass = _normal_mass(point, width)
    cdf = special.ndtr(point)
    density = np.array([_density(i, size, cdf) for i in range(size)])
    mean = density @ (point_mass * point)
    product = np.diag(density @ (point_mass * point**2))

    # pairs x < y: y = x + s with s > 0, so the square of the quadrature covers the half
    # plane
    x = point[:, np.newaxis]
    y = x + _REACH * (1 + node)
    pair_mass = _normal_mass(y, point_mass[:, np.newaxis] * width)
    integrand = pair_mass * x * y
    below = cdf[:, np.newaxis]
    upper = special.ndtr(y)
    between = np.maximum(upper - below, 0.0)
    for i in range(size):
        for j in range(i + 1, size):
            # i of the sample are below x, n_between between x and y, n_above above y
            n_between = j - i - 1
            n_above = size - 1 - j
            ways = size * (size - 1) * comb(size - 2, i) * comb(size - 2 - i, n_between)
            above = (1 - upper) ** n_above
            terms = integrand * below**i * between**n_between * above
            product[i, j] = product[j, i] = ways * terms.sum()
    return mean, product - np.outer(mean, mean)


def _normal_mass(x: np.ndarray, width: np.ndarray) -> np.ndarray:
    """Return the probability of a standard normal variable in intervals about x."""
    return width * np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)


def _density(i: int, size: int, cdf: np.ndarray) -> np.ndarray:
    """Return the density of the value that has i smaller ones, over that of a single value."""
    ways = size * comb(size - 1, i)
    return ways * cdf**i * (1 - cdf) ** (size - 1 - i)


def sorted_squares(runs: int, folds: int) -> tuple[float, float]:
    r"""Compute mean and variance of :math:`S = \sum_j (\frac1J \sum_i g_{i(j)})^2`.

    The g are K standard normal variables minus their mean, sorted in each of J runs.

    Parameters
    ----------
    runs : int
        J.
    folds : int
        K.

    Returns
    -------
    mean, variance : float

    Notes
    -----
    Expand S in products of pairs of runs.  Let m and V be the mean and the covariance matrix of one
    sorted vector v.  Then :math:`|v|^2` is chi square with K-1 degrees of freedom, and two vectors
    have :math:`\operatorname{E} v \cdot v' = |m|^2`, :math:`\operatorname{Var} v \cdot v' =
    \operatorname{tr} V^2 + 2 m'Vm` and :math:`\operatorname{Cov}(v \cdot v', v \cdot v'') = m'Vm`.
    As the length of v is independent of its direction,
    :math:`\operatorname{Cov}(|v|^2, v \cdot v') = |m|^2`.

    Examples
    --------
    For one run the sum is chi square, whatever its order:

    >>> sorted_squares(1, 10)
    (9.0, 18.0)
    """
    runs = whole_number("runs", runs, at_least=1, at_most=10**6)
    folds = whole_number("folds", folds, at_least=2, at_most=_LARGEST_SAMPLE)
    mean, covariance = _order_statistics(folds)
    covariance = covariance - 1 / folds  # centred
    length = mean @ mean
    along = mean @ covariance @ mean
    product_variance = (covariance**2).sum() + 2 * along
    # all covariances of products that share a run, or both runs
    shared = 2 * product_variance + 4 * (runs - 2) * along + 4 * length
    expectation = (folds - 1) / runs + (1 - 1 / runs) * length
    variance = 2 * (folds - 1) / runs**3 + (runs - 1) / runs**3 * shared
    return float(expectation), float(variance)
