"""Samples of differences: their axes and their rounding noise."""

from operator import lt

import numpy as np
from numpy.typing import ArrayLike

from replib import _validation as validation
from replib._validation import Array, without_rounding_noise

Axis = int | tuple[int, ...]


def finite_scores(
    name: str, values: ArrayLike, *, exactly: bool = False, **least: int
) -> Array:
    """Return finite scores.

    `least` has the names and the least lengths of their last axes, or `exactly` of all
    of them.
    """
    array = validation.scores_array(name, values)
    more = array.ndim - len(least)
    if (
        more < 0
        or (exactly and more)
        or any(map(lt, array.shape[more:], least.values()))
    ):
        wanted = [
            *["..."] * (not exactly),
            *(f"{axis} >= {n}" for axis, n in least.items()),
        ]
        raise ValueError(
            f"{name} must have shape ({', '.join(wanted)}), not {array.shape}"
        )
    return array


def finite_samples(differences: ArrayLike, axis: Axis) -> Array:
    """Return finite differences with the axes of the sample merged into the last one."""
    x = validation.scores_array("differences", differences, axes=("n",))
    if (
        np.asarray(differences).dtype == bool
    ):  # False would be a difference of zero, not a loss
        raise ValueError(
            "differences must be scores of A minus scores of B, not True and False"
        )
    given = axis if isinstance(axis, tuple) else (axis,)
    axes = [
        validation.axis_index(one, x.ndim) for one in given
    ]  # counted from the first
    if len(set(axes)) < len(axes):
        raise ValueError(f"axis must name each axis once, not {axis}")
    x = np.moveaxis(x, axes, range(-len(axes), 0))
    n = int(np.prod(x.shape[x.ndim - len(axes) :]))
    if n < 2:
        raise ValueError(f"differences must hold at least two in each sample, not {n}")
    return x.reshape(*x.shape[: x.ndim - len(axes)], n)


def five_by_two(differences: ArrayLike) -> Array:
    """Return finite differences of 5 runs of 2 folds."""
    x = validation.scores_array("differences", differences, axes=("runs", "folds"))
    runs, folds = x.shape[-2:]
    if (runs, folds) != (5, 2):
        raise ValueError(
            f"differences must have 5 runs x 2 folds, not {runs} x {folds}"
        )
    return x


def standardized(
    estimate: Array, standard_error: Array, scale: Array
) -> tuple[Array, Array]:
    """Divide estimates by their standard errors; return the ratios and the errors without noise.

    The mean of equal floating-point differences may be off by a rounding error, which
    gives a variance of 1e-36 and a t of 1e14 instead of an infinite one.  A sample
    therefore counts as constant if its standard error is within the rounding noise of
    `scale`, the scale of the differences.  Its ratio is then 0 if the estimate is 0,
    otherwise infinite.
    """
    standard_error = without_rounding_noise(standard_error, scale)
    constant = standard_error == 0
    ratio = estimate / np.where(constant, 1.0, standard_error)
    infinite = constant & (estimate != 0)
    return np.where(infinite, np.copysign(np.inf, estimate), ratio), standard_error
