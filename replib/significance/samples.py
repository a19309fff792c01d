"""Samples of differences: their axes, and what in them is rounding noise."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from replib.checks import axis_index, broadcast, real_array

Axis = int | tuple[int, ...]

# Rounding leaves about 1e-16 of the scores, that is 1e-12 of a difference of one instance in ten
# thousand; distinct differences of accuracies are further apart than 1e-10 of the largest one.
ROUNDING_NOISE = 1e-10


def without_rounding_noise(values: ArrayLike, scale: ArrayLike) -> NDArray[np.float64]:
    """Values with those set to 0 that are rounding noise at the given scale.

    Parameters
    ----------
    values : array_like
        Differences, or means of differences.
    scale : array_like
        Largest absolute difference that went into each value; broadcast against `values`.

    Returns
    -------
    ndarray
        A copy; exactly 0 where ``abs(values) <= ROUNDING_NOISE * scale``; NaN stays NaN.

    Raises
    ------
    ValueError
        If these are no numbers, or do not broadcast.

    Examples
    --------
    >>> block = np.array([0.3, -0.2, -0.1])
    >>> bool(block.sum() == 0)
    False
    >>> float(without_rounding_noise(block.sum(), 0.3))
    0.0
    """
    x, unit = real_array("values", values), real_array("scale", scale)
    x, unit = broadcast(("values", "scale"), x, unit)
    return np.where(np.abs(x) <= ROUNDING_NOISE * unit, 0.0, x)


def merged_samples(differences: ArrayLike, axis: Axis) -> NDArray[np.float64]:
    """Differences with the axes of the sample merged into the last one."""
    x = real_array("differences", differences, axes=("n",))
    axes = normalized_axes(axis, x.ndim)
    x = np.moveaxis(x, axes, range(-len(axes), 0))
    n = int(np.prod(x.shape[x.ndim - len(axes) :]))
    if n < 2:
        raise ValueError(f"differences must hold at least two in each sample, not {n}")
    return x.reshape(*x.shape[: x.ndim - len(axes)], n)


def finite_samples(differences: ArrayLike, axis: Axis) -> NDArray[np.float64]:
    """The same, after a look at every difference."""
    x = merged_samples(differences, axis)
    check_finite(x)
    return x


def check_finite(values: NDArray[np.float64]) -> None:
    """Refuse NaN and infinities, in the differences or in what they sum to."""
    if not np.isfinite(values).all():
        raise ValueError("differences must be finite: drop or repair NaN and infinities first")


def normalized_axes(axis: Axis, ndim: int) -> tuple[int, ...]:
    """Axes counted from the first one, each named once."""
    axes = tuple(axis_index(one, ndim) for one in (axis if isinstance(axis, tuple) else (axis,)))
    if len(set(axes)) < len(axes):
        raise ValueError(f"axis must name each axis once, not {axis}")
    return axes
