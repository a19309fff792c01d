"""Sorted normal samples: their moments, and those of the mean of several such samples.

Functions raise `ValueError` if an argument lies outside its range.
"""

from functools import cache
from math import comb

import numpy as np
from scipy import special

from replib._validation import whole_number

_LARGEST_SAMPLE = 100


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
    node, weight = np.polynomial.legendre.leggauss(200)
    reach = 9.0
    x, w = (
        reach * node,
        reach * weight * np.exp(-((reach * node) ** 2) / 2) / np.sqrt(2 * np.pi),
    )
    cdf = special.ndtr(x)
    density = np.array(
        [
            size * comb(size - 1, i) * cdf**i * (1 - cdf) ** (size - 1 - i)
            for i in range(size)
        ]
    )
    mean, second = density @ (w * x), density @ (w * x**2)
    product = np.diag(second)
    # y = x + s with s > 0, so the square of the quadrature covers the half plane x < y
    s, ws = reach * (1 + node), reach * weight
    y = x[:, np.newaxis] + s
    upper = special.ndtr(y)
    between = np.maximum(upper - cdf[:, np.newaxis], 0.0)
    mass = (
        w[:, np.newaxis]
        * ws
        * np.exp(-(y**2) / 2)
        / np.sqrt(2 * np.pi)
        * x[:, np.newaxis]
        * y
    )
    for i in range(size):
        for j in range(i + 1, size):
            ways = size * (size - 1) * comb(size - 2, i) * comb(size - 2 - i, j - i - 1)
            below, above = cdf[:, np.newaxis] ** i, (1 - upper) ** (size - 1 - j)
            of_pair = mass * below * between ** (j - i - 1) * above
            product[i, j] = product[j, i] = ways * of_pair.sum()
    return mean, product - np.outer(mean, mean)


def sorted_squares(runs: int, folds: int) -> tuple[float, float]:
    r"""Compute mean and variance of :math:`S = \sum_j (\frac1J \sum_i g_{i(j)})^2`.

    The g are K standard normal variables minus their mean, sorted in each of J runs.

    Parameters
    ----------
    runs, folds : int
        J and K.

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
    length, along = mean @ mean, mean @ covariance @ mean
    of_pair = (covariance**2).sum() + 2 * along
    expectation = (folds - 1) / runs + (1 - 1 / runs) * length
    variance = 2 * (folds - 1) / runs**3 + (runs - 1) / runs**3 * (
        2 * of_pair + 4 * (runs - 2) * along + 4 * length
    )
    return float(expectation), float(variance)
