"""Computed numbers as a sentence has them."""

import re
from decimal import Decimal

from replib._numbers import with_minus

#: A number as Python writes one that is very large or very small.
_WITH_EXPONENT = re.compile(r"(?<![\w.])\d(?:\.\d+)?e[+-]\d+(?!\w)")
#: The smallest power of ten whose zeros can still be counted: a millionth.
_LEAST_POWER = -6
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def in_prose(text: str) -> str:
    """Return a text whose numbers have minus signs, and digits in the place of exponents.

    Numbers below a millionth are multiples of a power of ten.

    >>> in_prose("2e-05 to -1.2e+02"), in_prose("3e-12").replace("\\N{NO-BREAK SPACE}", " ")
    ('0.00002 to −120', '3 × 10⁻¹²')
    """
    return with_minus(without_exponents(text))


def without_exponents(text: str) -> str:
    """Return a text whose numbers have digits in the place of exponents."""
    return _WITH_EXPONENT.sub(_with_digits, text)


def _with_digits(number: re.Match) -> str:
    value = Decimal(number[0])
    if not value or value.adjusted() >= _LEAST_POWER:
        return f"{value:f}"
    factor, _, power = number[0].partition("e")
    raised = str(int(power)).translate(_RAISED)
    return f"{factor}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10{raised}"
