"""What the array functions share: checks of their input, and plain numbers for single values."""

import numpy as np
from numpy.typing import ArrayLike


def as_number(values: np.ndarray) -> np.ndarray | float | int:
    """A Python number for an array without dimensions, as SciPy returns it; else the array."""
    values = np.asarray(values)
    return values.item() if values.ndim == 0 else values


def real_array(differences: ArrayLike) -> np.ndarray:
    """The differences as an array of floats, or a ValueError that says what they must be."""
    try:
        return np.asarray(differences, dtype=float)
    except (TypeError, ValueError):
        raise ValueError("the differences must form a rectangular array of real numbers") from None


def whole_numbers(name: str, x: ArrayLike, least: int) -> np.ndarray:
    """Whole numbers of at least `least`, or a ValueError that says so."""
    x = np.asarray(x, dtype=float)
    if not np.all(np.isfinite(x) & (x == np.floor(x)) & (x >= least)):
        raise ValueError(f"{name} is a whole number of at least {least}")
    return x.astype(int)


def check_choice(name: str, value: str, allowed: tuple[str, ...]) -> None:
    """Refuse a value of the option `name` that is not allowed."""
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, not {value!r}")


def check_level(name: str, value: float) -> None:
    """Refuse a probability that is not between 0 and 1, both excluded."""
    if np.ndim(value) or not 0 < value < 1:
        raise ValueError(f"{name} lies between 0 and 1, not at {value}")
