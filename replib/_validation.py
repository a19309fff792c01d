"""Shared by all rooms of the library: checks of arguments, and plain numbers.

A check returns its argument in the form that the caller needs, or raises a ValueError
whose single sentence names the argument and says what is allowed and what was given.
"""

import math
import os
import reprlib
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import takewhile
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

#: Above this, floats no longer represent every whole number.
LARGEST_WHOLE_NUMBER = 2**53
#: Most trials, repetitions or pairs: up to here n (n - 1) fits into 64 bits.
MOST_TRIALS = 10**9
#: Fraction of the largest difference below which a difference is zero.  Rounding leaves
#: about 1e-16 of the scores, that is, 1e-12 of a difference of one instance in ten
#: thousand; distinct differences of accuracies are further apart than 1e-10 of the
#: largest one.
ROUNDING_NOISE = 1e-10
#: One less a smaller level is nearly or exactly 1: confidence intervals without an end.
SMALLEST_LEVEL = 1e-15
#: Scores beyond these have fourth powers (the squares of variances) that a float does
#: not represent.
SMALLEST_SCORE = 1e-75
LARGEST_SCORE = 1e75
#: Digits of a number in a sentence: no score has more that matter.
_DIGITS = 10
#: Entries of a list in a sentence.
MOST_LISTED = 10


def refusal(problem: str, python: str, shell: str) -> ValueError:
    """Return an error that says what to do, in Python and, for the command, in the shell.

    >>> str(refusal("metric must be given", "say metric=", "say --metric"))
    'metric must be given: say metric='
    """
    error = ValueError(f"{problem}: {python}")
    error.__dict__["in_shell"] = f"{problem}: {shell}"
    return error


def in_shell(error: Exception, otherwise: str) -> str:
    """Return a refusal with the options of the command, or what to say of another error.

    >>> in_shell(refusal("metric must be given", "say metric=", "say --metric"), "")
    'metric must be given: say --metric'
    """
    return str(error.__dict__.get("in_shell", otherwise))


def as_number(values: ArrayLike) -> Any:
    """Return a Python number for an array without dimensions, as SciPy does; else the array."""
    values = np.asarray(values)
    return values.item() if values.ndim == 0 else values


def is_rounding_noise(values: Any, scale: Any) -> NDArray[np.bool_]:
    """Return where values are so small that rounding at the given scale explains them.

    This is the only place that decides it: whether a difference is zero, whether two
    are tied, and whether a sample has any spread.

    Parameters
    ----------
    values : float or ndarray
        Differences, means of differences, or a measure of their spread.
    scale : float or ndarray
        Largest absolute number that went into each value; broadcast against `values`.

    Returns
    -------
    ndarray of bool
        True where ``abs(values) <= ROUNDING_NOISE * scale``; False for NaN.

    Examples
    --------
    >>> bool(is_rounding_noise(0.3 - 0.2 - 0.1, 0.3))
    True
    """
    return np.abs(values) <= ROUNDING_NOISE * scale


def without_rounding_noise(values: Any, scale: Any) -> Array:
    """Return values with those set to 0 that are rounding noise at the given scale.

    Parameters
    ----------
    values, scale : float or ndarray
        As in :func:`is_rounding_noise`.

    Returns
    -------
    ndarray
        A copy; exactly 0 where they are noise; NaN stays NaN.

    Examples
    --------
    >>> block = np.array([0.3, -0.2, -0.1])
    >>> bool(block.sum() == 0)
    False
    >>> float(without_rounding_noise(block.sum(), 0.3))
    0.0
    """
    return np.where(is_rounding_noise(values, scale), 0.0, values)


def rectangular_array(name: str, values: ArrayLike) -> NDArray[Any]:
    """Return an array of the type that the values have."""
    try:
        return np.asarray(values)
    except ValueError:
        raise ValueError(
            f"{name} must form a rectangular array, not {shown(values)}"
        ) from None


def real_array(name: str, values: ArrayLike, *, axes: Sequence[str] = ()) -> Array:
    """Return an array of floats with these last axes; NaN and infinities are not checked."""
    if np.ma.is_masked(values):
        raise ValueError(
            f"{name} must have no masked values: fill the gaps, or leave them out"
        )
    try:
        array = np.asarray(values)
        if not _holds_real_numbers(array):
            raise TypeError
        array = array.astype(float, copy=False)
    except (TypeError, ValueError, OverflowError, MemoryError):
        raise ValueError(
            f"{name} must form a rectangular array of real numbers, not {shown(values)}"
        ) from None
    if array.ndim < len(axes):
        wanted = ", ".join(["...", *axes])
        raise ValueError(f"{name} must have shape ({wanted}), not {array.shape}")
    return array


def _holds_real_numbers(array: NDArray[Any]) -> bool:
    """Return whether all elements are real; texts that look like numbers are not."""
    if array.dtype == object:  # whole numbers of any size, fractions, or anything else
        return all(isinstance(element, Real) for element in array.flat)
    return array.dtype.kind in "biuf"


def finite_array(name: str, values: ArrayLike) -> Array:
    """Return an array of floats; refuse NaN and infinities."""
    array = real_array(name, values)
    if not np.isfinite(largest(array)):
        first = array[~np.isfinite(array)].flat[0]
        raise ValueError(
            f"{name} must be finite, not {first:g}: drop or repair NaN and infinities"
        )
    return array


def scores_array(name: str, values: ArrayLike, *, axes: Sequence[str] = ()) -> Array:
    """Return an array of floats; refuse NaN, infinities, and sizes that have no squared square."""
    array = finite_array(name, real_array(name, values, axes=axes))
    check_size(name, array)
    return array


def check_size(name: str, array: Array) -> None:
    """Refuse finite numbers whose fourth power a float does not represent."""
    size = largest(array)
    if size != 0 and not SMALLEST_SCORE < size < LARGEST_SCORE:
        raise ValueError(
            f"{name} must be between 1e-75 and 1e75 in size, not {size:g}: give them "
            "in another unit"
        )


def largest(array: Array) -> float:
    """Return the largest size of a number in the array, 0 in an empty one; NaN where one is."""
    if array.size == 0:
        return 0.0
    # unlike np.abs(array).max(), this makes no copy of the array; unlike max(), it
    # passes NaN on
    return float(np.maximum(array.max(), -array.min()))


def array_within(name: str, values: ArrayLike, low: float, high: float) -> Array:
    """Return an array of floats from `low` to `high`, both included."""
    array = real_array(name, values)
    is_allowed = (array >= low) & (array <= high)
    _refuse_others(name, array, is_allowed, f"numbers{_range(low, high)}")
    return array


def whole_numbers(
    name: str,
    values: ArrayLike,
    *,
    at_least: int,
    at_most: float = LARGEST_WHOLE_NUMBER,
) -> NDArray[np.int64]:
    """Return an array of whole numbers within bounds, both included."""
    array = real_array(name, values)
    if np.asarray(values).dtype == bool:
        raise ValueError(f"{name} must be whole numbers, not True and False")
    is_allowed = (array == np.floor(array)) & (array >= at_least) & (array <= at_most)
    limits = _range(at_least, at_most)
    _refuse_others(name, array, is_allowed, f"whole numbers{limits}")
    return array.astype(np.int64)


def successes_and_trials(
    name: str, successes: ArrayLike, n: ArrayLike, *, at_least: int = 1
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return whole numbers x, called `name`, and n, 0 <= x <= n, in a common shape."""
    x, trials = broadcast(
        (name, "n"),
        whole_numbers(name, successes, at_least=0),
        whole_numbers("n", n, at_least=at_least, at_most=MOST_TRIALS),
    )
    if np.any(x > trials):
        raise ValueError(f"{name} must be whole numbers between 0 and n")
    return x, trials


def whole_number(
    name: str, value: Any, *, at_least: int, at_most: float = LARGEST_WHOLE_NUMBER
) -> int:
    """Return one whole number within bounds, both included."""
    is_whole = _is_number(value) and value == math.floor(value)
    if not is_whole or not at_least <= value <= at_most:
        limits = _range(at_least, at_most)
        raise ValueError(f"{name} must be a whole number{limits}, not {shown(value)}")
    return int(value)


def positive_number(name: str, value: Any) -> float:
    """Return one finite number above 0."""
    if not _is_number(value) or not value > 0:
        raise ValueError(f"{name} must be one positive number, not {shown(value)}")
    return float(value)


def real_number(name: str, value: Any, low: float, high: float) -> float:
    """Return one finite number from `low` to `high`, both included."""
    if not _is_number(value) or not low <= value <= high:
        raise ValueError(
            f"{name} must be one number{_range(low, high)}, not {shown(value)}"
        )
    return float(value)


def check_level(name: str, value: Any, *, at_most: float = 1.0) -> None:
    """Refuse a value that is not a probability of at least 1e-15, up to a limit, and below 1."""
    if isinstance(value, (Decimal, Fraction)):
        raise ValueError(
            f"{name} must be a float such as {float(value):g}, not {shown(value)}"
        )
    if _is_number(value) and SMALLEST_LEVEL <= value < 1 and value <= at_most:
        return
    limits = (
        f"above 0 and at most {at_most:g}" if at_most < 1 else "between 1e-15 and 1"
    )
    raise ValueError(f"{name} must lie {limits}, not at {shown(value)}")


def set_fields(record: Any, **values: Any) -> None:
    """Set fields of a frozen dataclass while it is made."""
    for name, value in values.items():
        object.__setattr__(record, name, value)


def check_flag(name: str, value: Any) -> None:
    """Refuse a value other than True and False."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} must be True or False, not {shown(value)}")


def check_instance(name: str, value: Any, *kinds: type) -> None:
    """Refuse an object of another class."""
    if not isinstance(value, kinds):
        wanted = " or ".join(kind.__name__ for kind in kinds)
        raise ValueError(f"{name} must be an object of {wanted}, not {shown(value)}")


def file_path(name: str, value: Any) -> Path:
    """Return a path that can be the name of a file."""
    try:
        encoded = os.fsencode(value) if isinstance(value, (str, os.PathLike)) else b""
    except (TypeError, UnicodeError):
        encoded = b""
    # no system has a file without a name, or with a zero byte in it
    if not encoded or b"\0" in encoded:
        raise ValueError(f"{name} must be the name of a file, not {shown(value)}")
    return Path(value)


def check_choice(name: str, value: Any, allowed: Iterable[str]) -> None:
    """Refuse a value of the option `name` that is not allowed."""
    choices = tuple(allowed)
    if not isinstance(value, str) or value not in choices:
        listing = ", ".join(map(repr, choices))
        raise ValueError(f"{name} must be one of {listing}, not {shown(value)}")


def axis_index(axis: Any, ndim: int) -> int:
    """Return one axis, counted from the first."""
    if isinstance(axis, bool) or not isinstance(axis, (int, np.integer)):
        raise ValueError(f"axis must be a whole number, not {shown(axis)}")
    if not -ndim <= axis < ndim:
        raise ValueError(f"axis must be from {-ndim} to {ndim - 1}, not {axis}")
    return int(axis) % ndim


def broadcast(names: Sequence[str], *arrays: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """Return the arrays in a common shape."""
    try:
        return tuple(np.broadcast_arrays(*arrays))
    except ValueError:
        shapes = ", ".join(
            f"{name} {array.shape}" for name, array in zip(names, arrays)
        )
        raise ValueError(f"these shapes do not broadcast: {shapes}") from None


def _refuse_others(
    name: str, array: Array, is_allowed: NDArray[np.bool_], allowed: str
) -> None:
    """Refuse an array with a value that is not allowed, and name the first one."""
    if not np.all(is_allowed):
        first = array[~is_allowed].flat[0]
        raise ValueError(f"{name} must be {allowed}, not {first:g}")


def _is_number(value: Any) -> bool:
    """Return whether the value is a single finite real number; a Boolean is not."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if not isinstance(value, Real) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number that is too large for a float
        return False


def _range(low: float, high: float) -> str:
    """Say between which limits a number lies; what no float exceeds is no limit."""
    has_low = low > -math.inf
    has_high = high < LARGEST_WHOLE_NUMBER
    if has_low and has_high:
        return f" from {low:g} to {high:g}"
    if has_high:
        return f" of at most {high:g}"
    if low > -LARGEST_WHOLE_NUMBER:
        return f" of at least {low:g}"
    return ""


def shown(value: Any) -> str:
    """Write a value that somebody gave: in one line, short, and without control characters.

    >>> shown("a\\n\\x1b[2Jb"), shown(list(range(100)))
    ("'a\\\\n\\\\x1b[2Jb'", '[0, 1, 2, 3, 4, 5, ...]')
    >>> shown([0.1 + 0.2, np.float64(1 / 3)]), shown(1 + 1e-15)
    ('[0.3, 0.3333333333]', '1.000000000000001')
    """
    return one_line(_SHORT.repr(value), 80)


class _Short(reprlib.Repr):
    """Short texts of values; of numbers, also inside lists, those digits that tell something."""

    def repr1(self, x: Any, level: int) -> str:
        if isinstance(x, np.generic):
            x = x.item()  # 0.5, not np.float64(0.5)
        return super().repr1(x, level)

    def repr_float(self, x: float, level: int) -> str:
        rounded = float(f"{x:.{_DIGITS}g}")
        # of a probability of 1.0000000000000002, the last digit is the point
        is_lost = rounded.is_integer() and not x.is_integer()
        return repr(x if is_lost else rounded)


_SHORT = _Short()


#: Between the folders of a path, also of other systems.
_BETWEEN_FOLDERS = "/\\"
#: Names of files that are written whole, and what is written before the first letter in
#: which longer ones differ.
_LONGEST_NAME = 70
_BEFORE_DIFFERENCE = 20


def one_line(text: object, most: int = 300) -> str:
    """Write a text, such as a message of another library, in one short line that can be printed.

    >>> one_line("No such\\n  thing\x1b[2J")
    'No such thing\\\\x1b[2J'
    """
    line = " ".join(str(text).split())
    if not line.isprintable():  # such as the sequences that colour a terminal
        line = "".join(map(_printable, line))
    return line if len(line) <= most else f"{line[: most - 3]}..."


def told_apart(first: str, second: str) -> tuple[str, str]:
    """Write two paths, which differ, in short, so that they differ still.

    If they are long, the folders that both are in are left out.

    >>> told_apart("a.csv", "b.csv")
    ("'a.csv'", "'b.csv'")
    >>> told_apart("results/model/s_2026-01-01.json", "results/model/s_2026-01-02.json")
    ("'s_2026-01-01.json'", "'s_2026-01-02.json'")
    """
    paths = [first, second]
    if any(len(path) > _SHORT.maxstring for path in paths):
        end = _n_alike(*paths)
        start = max(first.rfind(sign, 0, end) for sign in _BETWEEN_FOLDERS) + 1
        paths = [path[start:] for path in paths]
    if any(len(path) > _LONGEST_NAME for path in paths):
        start = max(0, _n_alike(*paths) - _BEFORE_DIFFERENCE)
        paths = ["..." * (start > 0) + path[start:] for path in paths]
    short_first, short_second = (one_line(repr(path), 80) for path in paths)
    return short_first, short_second


def _n_alike(first: str, second: str) -> int:
    """Return how many letters two texts have in common at their starts."""
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(first, second))
    return sum(1 for _ in pairs)


def _printable(character: str) -> str:
    """Return a character as it is, or as Python escapes it."""
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode()


def listed(values: Iterable[Any]) -> str:
    """Write values with commas and an "and", at most ten entries.

    >>> listed(["a", "b", "c"]), listed([1])
    ("'a', 'b' and 'c'", '1')
    >>> listed([0.3, 0.1 + 0.2])
    '0.3 and 0.30000000000000004'
    """
    values = list(values)
    texts = [shown(value) for value in values]
    if len(set(texts)) < len(texts):  # numbers that differ in their last digits only
        texts = [str(x) if isinstance(x, float) else shown(x) for x in values]
    return abridged(texts)


def abridged(texts: Sequence[str]) -> str:
    """Write texts with commas and an "and", at most ten entries.

    >>> abridged(["a"] * 12)
    'a, a, a, a, a, a, a, a, a and 3 more'
    """
    if len(texts) > MOST_LISTED:
        first = texts[: MOST_LISTED - 1]
        texts = [*first, f"{len(texts) - len(first)} more"]
    return joined(texts)


def joined(texts: Sequence[str]) -> str:
    """Write texts with commas and an "and".

    >>> joined(["a", "b", "c"])
    'a, b and c'
    """
    if len(texts) <= 1:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} and {texts[-1]}"
