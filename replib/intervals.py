"""Intervals for a proportion: a confidence interval, and the shortest one of a beta distribution."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from replib.checks import as_number, check_level, whole_numbers


class ConfidenceInterval(NamedTuple):
    """Limits of a confidence interval."""

    low: np.ndarray | float
    high: np.ndarray | float


def clopper_pearson(
    successes: ArrayLike, n: ArrayLike, *, confidence_level: float = 0.95
) -> ConfidenceInterval:
    """Exact confidence interval of a proportion (Berrar 2024, Equation 7).

    Parameters
    ----------
    successes : array_like of int
        0 to `n`.
    n : array_like of int
        Number of trials, at least 1.
    confidence_level : float, default 0.95

    Returns
    -------
    ConfidenceInterval
        `low` and `high`, as quantiles of beta distributions; the paper writes the same limits with
        quantiles of F distributions.

    Raises
    ------
    ValueError
        If an argument lies outside its range.

    Examples
    --------
    >>> low, high = clopper_pearson(29, 44)
    >>> round(low, 3), round(high, 3)
    (0.501, 0.795)
    """
    x, n = np.broadcast_arrays(whole_numbers("successes", successes, at_least=0), whole_numbers("n", n, at_least=1))
    if np.any(x > n):
        raise ValueError("successes is a whole number between 0 and n")
    check_level("confidence_level", confidence_level)
    tail = (1 - confidence_level) / 2
    # betaincinv is not defined where a parameter is 0; there the limit is the end of the range
    low = np.where(x > 0, special.betaincinv(np.maximum(x, 1), n - x + 1, tail), 0.0)
    high = np.where(x < n, special.betaincinv(x + 1, np.maximum(n - x, 1), 1 - tail), 1.0)
    return ConfidenceInterval(as_number(low), as_number(high))


def highest_density_interval(
    a: ArrayLike, b: ArrayLike, *, confidence_level: float = 0.95
) -> ConfidenceInterval:
    """Shortest interval that holds a given share of a beta distribution.

    Parameters
    ----------
    a, b : array_like
        Parameters of the beta distribution, at least 1 and not both 1: then its density has one
        peak, or rises or falls throughout.
    confidence_level : float, default 0.95

    Returns
    -------
    ConfidenceInterval
        Inside, the density is everywhere higher than outside.

    Raises
    ------
    ValueError
        If an argument lies outside its range.

    Examples
    --------
    >>> low, high = highest_density_interval(30, 16)
    >>> round(low, 3), round(high, 3)
    (0.515, 0.785)
    """
    a, b = np.broadcast_arrays(np.asarray(a, dtype=float), np.asarray(b, dtype=float))
    check_level("confidence_level", confidence_level)
    if not np.all((a >= 1) & (b >= 1) & (a + b > 2) & np.isfinite(a + b)):
        raise ValueError("the beta distribution needs finite a and b of at least 1, not both 1")

    from scipy.optimize import elementwise  # slow to load, and nothing else here needs it

    outside = 1 - confidence_level

    def ends(below, a, b):
        """The interval with the probability `below` to its left."""
        above = np.minimum(below + confidence_level, 1)
        return special.betaincinv(a, b, below), special.betaincinv(a, b, above)

    def slope(below, a, b):
        """Difference of the densities at the ends, in units of the density at the peak."""
        log_density = lambda x: special.xlogy(a - 1, x) + special.xlog1py(b - 1, -x)
        at_peak = log_density((a - 1) / (a + b - 2))
        low, high = (np.exp(log_density(x) - at_peak) for x in ends(below, a, b))
        return low - high

    inner = (a > 1) & (b > 1)
    # where the density is monotone the interval starts or ends at the boundary; any peaked shape
    # stands in for it during the search
    peaked = np.where(inner, a, 2.0), np.where(inner, b, 2.0)
    below = elementwise.find_root(slope, (0.0, outside), args=peaked).x
    low, high = ends(np.where(inner, below, np.where(a > 1, outside, 0.0)), a, b)
    return ConfidenceInterval(as_number(low), as_number(high))
