"""Samples of differences: their axes and their rounding noise."""

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from replib import _validation as validation
from replib._validation import Array, without_rounding_noise

Axis = int | tuple[int, ...]


def finite_scores(
    name: str, values: ArrayLike, *, exactly: bool = False, **least_lengths: int
) -> Array:
    """Return finite scores with certain last axes.

    `least_lengths` has the names of these axes, in order, and the least length of each.
    If `exactly`, the scores have no other axes.
    """
    array = validation.scores_array(name, values)
    n_leading = array.ndim - len(least_lengths)
    has_axes = n_leading == 0 if exactly else n_leading >= 0
    if not has_axes or _any_shorter(array.shape[n_leading:], least_lengths.values()):
        axes = [f"{axis} >= {length}" for axis, length in least_lengths.items()]
        wanted = ", ".join(axes if exactly else ["...", *axes])
        raise ValueError(f"{name} must have shape ({wanted}), not {array.shape}")
    return array


def _any_shorter(lengths: Iterable[int], least_lengths: Iterable[int]) -> bool:
    """Return whether an axis is shorter than it must be."""
    return any(length < least for length, least in zip(lengths, least_lengths))


def finite_samples(differences: ArrayLike, axis: Axis) -> Array:
    """Return finite differences with the axes of the sample merged into the last one."""
    x = validation.scores_array("differences", differences, axes=("n",))
    if np.asarray(differences).dtype == bool:
        # False would be a difference of zero, not a loss
        raise ValueError(
            "differences must be scores of A minus scores of B, not True and False"
        )
    axes = _axes_of_sample(axis, x.ndim)
    x = np.moveaxis(x, axes, range(-len(axes), 0))
    n_leading = x.ndim - len(axes)
    n = math.prod(x.shape[n_leading:])
    if n < 2:
        raise ValueError(f"differences must hold at least two in each sample, not {n}")
    return x.reshape(*x.shape[:n_leading], n)


def _axes_of_sample(axis: Axis, ndim: int) -> list[int]:
    """Return the axes, each counted from the first; refuse one that is named twice."""
    named = axis if isinstance(axis, tuple) else (axis,)
    axes = [validation.axis_index(index, ndim) for index in named]
    if len(set(axes)) < len(axes):
        raise ValueError(f"axis must name each axis once, not {axis}")
    return axes


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
    is_constant = standard_error == 0
    ratio = estimate / np.where(is_constant, 1.0, standard_error)
    is_infinite = is_constant & (estimate != 0)
    ratio = np.where(is_infinite, np.copysign(np.inf, estimate), ratio)
    return ratio, standard_error
