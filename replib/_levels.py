"""The level of a test, and what else may have been given in its place."""

from typing import Any

from replib._validation import check_level

#: A level is never higher: that of a coin.
_HIGHEST = 0.5


def check_alpha(alpha: Any) -> None:
    """Refuse what is no level of a test, such as a confidence level.

    >>> check_alpha(0.95)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: alpha must lie ..., not at 0.95: is it the confidence level, of which alpha is 0.05?
    """
    try:
        check_level("alpha", alpha, at_most=_HIGHEST)
    except ValueError as error:
        raise ValueError(f"{error}{_question_about_alpha(alpha)}") from None


def check_alpha_and_power(alpha: Any, power: Any) -> None:
    """Refuse a level and a power out of their ranges, or in each other's place.

    >>> check_alpha_and_power(0.8, 0.05)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: alpha must lie ..., not at 0.8, and power is 0.05: are they exchanged?
    """
    if _is_number(alpha) and _is_number(power) and 0 < power < _HIGHEST < alpha < 1:
        raise ValueError(
            f"alpha must lie above 0 and at most {_HIGHEST:g}, not at {alpha:g}, and "
            f"power is {power:g}: are they exchanged?"
        )
    try:
        check_level("power", power, at_most=0.9999)
    except ValueError as error:
        raise ValueError(f"{error}{_question_about_percent(power)}") from None
    check_alpha(alpha)
    if power < alpha:
        raise ValueError(
            f"power must be at least alpha, and is {power:g} where alpha is {alpha:g}: "
            "are they exchanged?"
        )


def _question_about_alpha(alpha: Any) -> str:
    """Return what a number that is no level of a test may be, as the end of a sentence."""
    if not _is_number(alpha) or not _HIGHEST < alpha < 100:
        return ""
    confidence = alpha / 100 if alpha >= 1 else alpha
    if confidence <= _HIGHEST:
        return _question_about_percent(alpha)
    level = f"{1 - confidence:.6g}"
    return f": is it the confidence level, of which alpha is {level}?"


def _question_about_percent(value: Any) -> str:
    """Return what a number above 1 may be, as the end of a sentence."""
    if not _is_number(value) or not 1 < value < 100:
        return ""
    return f": is it in percent, that is {value / 100:g}?"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
