"""The form of a chapter: a field for each parameter, made from its declaration."""

import re
from dataclasses import dataclass

from companion.engine.build.parameters import Parameter
from companion.lab import datasets

#: The keys that a phone offers for a number; a number field would hide what it cannot read.
_KEYBOARDS = {"int": "numeric", "float": "decimal"}
#: Words with which a description goes on after the unit: level of the test.
_GOES_ON = ("at", "before", "after", "for", "from", "in", "of", "on", "that")


@dataclass(frozen=True)
class Field:
    """How a form asks for a parameter; what the value must be is checked when it is used.

    Attributes
    ----------
    parameter : Parameter
    choices : tuple of str
        The allowed values, if there are only a few; otherwise empty.
    """

    parameter: Parameter
    choices: tuple[str, ...] = ()

    @property
    def keyboard(self) -> str:
        """``"numeric"``, ``"decimal"`` or ``"text"``."""
        return _KEYBOARDS.get(self.parameter.type, "text")

    @property
    def value(self) -> str:
        """The default as a reader would type it."""
        return typed(self.parameter.default)

    @property
    def description(self) -> str:
        """What the value is and does.

        >>> alpha = Parameter("alpha", "float", "level", "0 to 1", "of the test", 0.05)
        >>> field(alpha).description
        'level of the test'
        >>> wins = Parameter("wins", "int", "data sets", "any", "won by A", 29)
        >>> field(wins).description
        'data sets: won by A'
        """
        unit, what = self.parameter.unit, self.parameter.help
        if unit == "none":
            return what
        goes_on = what.split()[0] in _GOES_ON
        return f"{unit} {what}" if goes_on else f"{unit}: {what}"


def field(parameter: Parameter) -> Field:
    """Return the field of a parameter.

    >>> n = Parameter("n", "int", "runs", "even, 2 to 200", "how many", 10)
    >>> made = field(n)
    >>> made.keyboard, made.value, made.choices
    ('numeric', '10', ())
    """
    if parameter.is_list:
        return Field(parameter)
    if parameter.type == "bool":
        return Field(parameter, choices=("true", "false"))
    for condition in parameter.range.split(","):
        if choice := re.fullmatch("one of (.+)", condition.strip()):
            return Field(parameter, choices=_choices(choice[1]))
    return Field(parameter)


def typed(value: object) -> str:
    """Return a value as a reader would type it.

    >>> typed([1, 2]), typed(True), typed(0.5)
    ('1, 2', 'true', '0.5')
    """
    if isinstance(value, list):
        return ", ".join(map(typed, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _choices(named: str) -> tuple[str, ...]:
    if named == "the UCI data sets":
        return tuple(datasets.names())
    return tuple(re.split(r" *\| *", named))
