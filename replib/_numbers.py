"""Numbers as text: as many digits as they have something to say."""

import math
import re

import numpy as np

from replib._validation import Array

#: A hyphen that stands for the sign of a number, not between two numbers or letters.
_SIGN = re.compile(r"(?<![\w.)])-(?=\.?\d)")
#: The same before a number that was rounded to zero.
_SIGN_OF_ZERO = re.compile(rf"{_SIGN.pattern}(?=0*\.?0*(?!\.?\d))")
#: Smaller p-values are only said to be below it.
_SMALLEST_PVALUE = 0.001
#: A limit that is a smaller part of its interval is 0 but for rounding.
_NOISE_OF_WIDTH = 1e-6
#: A p-value is not written as one of these, unless it is one.
_USUAL_LEVELS = (0.1, 0.05, 0.01)
_MOST_DIGITS_OF_P = 8
#: Numbers of this size or more are written with digits, smaller ones with decimals.
_LARGE = 10
#: So many decimals are no longer read: a number with digits and an exponent is.
_MOST_DECIMALS = 7


def number(x: float, decimals: int = 3, *, width: float = math.inf) -> str:
    """Write three decimals, or four digits of a larger number; minus sign, no negative zero.

    There are more if they are needed to show two digits of the width of an interval.
    NaN is a dash.

    >>> number(0.12345), number(-0.0061), number(-0.0001), number(-12.345), number(-1e6)
    ('0.123', '−0.006', '0.000', '−12.35', '−1e+06')
    >>> number(0.12345, width=4e-3), number(12.345678, width=4e-3), number(3e-9, width=2e-9)
    ('0.1235', '12.3457', '3e-09')
    """
    if math.isnan(x):
        return "–"
    if math.isinf(x):
        return "∞" if x > 0 else "\N{MINUS SIGN}∞"
    needed = _decimals_of_width(width)
    if abs(x) < _LARGE and needed <= _MOST_DECIMALS:
        text = f"{x:.{int(max(decimals, needed))}f}"
    else:
        digits_before_point = math.floor(math.log10(abs(x) or 1)) + 1
        least = 4 if abs(x) >= _LARGE else 1
        text = f"{x:.{int(max(least, digits_before_point + needed))}g}"
    return with_minus(text)


def limit(x: float, width: float) -> str:
    """Write a limit of an interval of this width: as a number, but on its side of zero.

    >>> limit(-0.000188, 0.03), limit(0.0, 0.03), limit(1e-18, 0.03)
    ('−0.0002', '0.000', '0.000')
    """
    text = number(x, width=width)
    seems_zero = re.search("[1-9]", text) is None
    if seems_zero and abs(x) > _NOISE_OF_WIDTH * width:
        return number(x, width=10 * abs(x))
    return text


def _decimals_of_width(width: float) -> float:
    """Return the decimals that show two digits of a width; minus infinity if it shows nothing."""
    if not 0 < width < math.inf:
        return -math.inf
    return 1 - math.floor(math.log10(width))


def with_minus(text: str) -> str:
    """Return a text whose negative numbers have a minus sign for a hyphen, and zeros no sign.

    >>> with_minus("-0.5 to -0.0, 10-fold")
    '−0.5 to 0.0, 10-fold'
    """
    return _SIGN.sub("\N{MINUS SIGN}", _SIGN_OF_ZERO.sub("", text))


def p_value(p: float) -> str:
    """Write p < 0.001 for smaller values, otherwise two significant digits; none for NaN.

    >>> p_value(0.0004), p_value(0.0567), p_value(math.nan)
    ('p < 0.001', 'p = 0.057', 'no p-value')
    """
    if math.isnan(p):
        return "no p-value"
    if p < _SMALLEST_PVALUE:
        return f"p < {_SMALLEST_PVALUE}"
    return f"p = {digits_of_p(p)}"


def digits_of_p(p: float) -> str:
    """Write two significant digits, or as many as show on which side of a usual level p is.

    >>> digits_of_p(0.0567), digits_of_p(0.0496), digits_of_p(0.05004), digits_of_p(0.05)
    ('0.057', '0.0496', '0.05004', '0.05')
    """
    for n_digits in range(2, _MOST_DIGITS_OF_P):
        text = f"{p:.{n_digits}g}"
        if float(text) not in _USUAL_LEVELS:
            return text
    return f"{p:.2g}"


def confidence(alpha: float) -> str:
    """Return the confidence level that belongs to a significance level.

    >>> confidence(0.05), confidence(1e-6)
    ('95%', '99.9999%')
    """
    digits = max(4, 1 - math.floor(math.log10(alpha)))
    return f"{100 * (1 - alpha):.{digits}g}%"


def decimals(scores: Array) -> int:
    """Return how many decimals scores are written with, at most twelve.

    Parameters
    ----------
    scores : ndarray

    Returns
    -------
    int

    Examples
    --------
    >>> decimals(np.array([0.5, 0.125]))
    3
    """
    size = max(1.0, float(np.abs(scores).max()))
    for n_decimals in range(12):
        if (np.abs(scores - scores.round(n_decimals)) <= 1e-12 * size).all():
            return n_decimals
    return 12
