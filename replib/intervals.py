"""Intervals for a proportion and of a beta distribution.

Tests of differences have their own intervals: see `confidence_interval` of their results in
:mod:`replib.significance`.

Functions raise `ValueError` if an argument lies outside its range.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from replib import _validation as validation
from replib._validation import Array, as_number, broadcast

# Parameter of a beta distribution; above it SciPy does not find the quantiles.
_LARGEST_PARAMETER = 1e12


class Numbers:
    """A result that holds numbers about one sample, or arrays about several."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray | np.generic):
                object.__setattr__(self, name, as_number(value))


class ConfidenceInterval(NamedTuple):
    """Limits of a confidence interval.

    Attributes
    ----------
    low, high : float or ndarray
    """

    low: Any
    high: Any


@dataclass(frozen=True)
class Prediction(Numbers):
    """Estimated probability of what a repetition of an experiment finds, with its interval.

    Attributes
    ----------
    point : float or ndarray
        The estimate, 0 to 1.
    low, high : float or ndarray
        Limits of the prediction interval, 0 to 1.
    """

    point: Any
    low: Any
    high: Any


def clopper_pearson(
    successes: ArrayLike, n: ArrayLike, *, confidence_level: float = 0.95
) -> ConfidenceInterval:
    """Compute the exact confidence interval of a proportion (Berrar 2024, Equation 7).

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
        `low` and `high`, as quantiles of beta distributions; the paper gives the same
        limits as quantiles of F distributions.

    Examples
    --------
    >>> low, high = clopper_pearson(29, 44)
    >>> round(low, 3), round(high, 3)
    (0.501, 0.795)
    """
    x, n = validation.successes_and_trials("successes", successes, n)
    validation.check_level("confidence_level", confidence_level)
    failures = n - x
    tail = (1 - confidence_level) / 2
    # betaincinv is not defined where a parameter is 0; there the limit is the end of
    # the range
    low = special.betaincinv(np.maximum(x, 1), failures + 1, tail)
    low = np.where(x == 0, 0.0, low)
    high = special.betaincinv(x + 1, np.maximum(failures, 1), 1 - tail)
    high = np.where(failures == 0, 1.0, high)
    return ConfidenceInterval(as_number(low), as_number(high))


def highest_density_interval(
    a: ArrayLike, b: ArrayLike, *, confidence_level: float = 0.95
) -> ConfidenceInterval:
    """Compute the shortest interval with a given probability under a beta distribution.

    Parameters
    ----------
    a, b : array_like
        Parameters of the beta distribution, at least 1 and not both 1, so that its
        density has one peak, or rises or falls throughout.
    confidence_level : float, default 0.95

    Returns
    -------
    ConfidenceInterval
        The density is higher everywhere inside it than outside.

    Examples
    --------
    >>> low, high = highest_density_interval(30, 16)
    >>> round(low, 3), round(high, 3)
    (0.515, 0.785)
    """
    validation.check_level("confidence_level", confidence_level)
    a, b = broadcast(
        ("a", "b"),
        validation.array_within("a", a, 1, _LARGEST_PARAMETER),
        validation.array_within("b", b, 1, _LARGEST_PARAMETER),
    )
    if np.any((a == 1) & (b == 1)):
        raise ValueError(
            "a and b of the beta distribution must not both be 1: it has no peak"
        )

    from scipy.optimize import elementwise  # slow to load, and needed only here

    def ends(below: Array, a: Array, b: Array) -> tuple[Array, Array]:
        """Return the interval with the probability `below` to its left."""
        above = np.minimum(below + confidence_level, 1)
        return special.betaincinv(a, b, below), special.betaincinv(a, b, above)

    def difference_of_densities(below: Array, a: Array, b: Array) -> Array:
        """Return the density at the lower end less that at the upper, relative to the peak.

        The shortest interval with this probability has equal densities at its ends.
        """
        # not a + b - 2, which can be 0 though one of them is a little above 1
        mode = (a - 1) / ((a - 1) + (b - 1))
        at_mode = _log_density(mode, a, b)
        low, high = ends(below, a, b)
        at_low = np.exp(_log_density(low, a, b) - at_mode)
        at_high = np.exp(_log_density(high, a, b) - at_mode)
        return at_low - at_high

    outside = 1 - confidence_level
    root = elementwise.find_root(difference_of_densities, (0.0, outside), args=(a, b))
    # a density that rises or falls throughout gives no root: the interval ends, or
    # starts, at the boundary
    has_inner_peak = (a > 1) & (b > 1)
    at_boundary = np.where(a > 1, outside, 0.0)
    low, high = ends(np.where(has_inner_peak, root.x, at_boundary), a, b)
    return ConfidenceInterval(as_number(low), as_number(high))


def _log_density(x: Array, a: Array, b: Array) -> Array:
    """Return the logarithm of the beta density at x, up to a constant."""
    return special.xlogy(a - 1, x) + special.xlog1py(b - 1, -x)
