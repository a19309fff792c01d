"""The form of a chapter: a field for each parameter, made from its declaration."""

import re
from dataclasses import dataclass

from companion.engine.build.parameters import Parameter
from companion.lab import datasets

#: What a range says of the lowest and of the highest number; a bound may be a name.
_LIMITS = {
    r"(\S+) to (\S+)": ("low", "high"),
    r"(?:above|at least) (\S+)": ("low",),
    r"(?:below|at most) (\S+)": ("high",),
}


@dataclass(frozen=True)
class Field:
    """How a form asks for a parameter; what the value must be is checked when it is used.

    Attributes
    ----------
    parameter : Parameter
    low, high : str
        Limits of a number, as declared; empty if there is none.
    choices : tuple of str
        The allowed values, if there are only a few; otherwise empty.
    """

    parameter: Parameter
    low: str = ""
    high: str = ""
    choices: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """``"select"``, ``"number"`` or ``"text"``."""
        is_number = self.parameter.type in ("int", "float")
        if self.choices:
            return "select"
        return "number" if is_number else "text"

    @property
    def step(self) -> str:
        """Step of a number; any for one that need not be whole."""
        if self.parameter.type == "float":
            return "any"
        return "2" if "even" in self._conditions else "1"

    @property
    def value(self) -> str:
        """The default as a reader would type it."""
        return typed(self.parameter.default)

    @property
    def _conditions(self) -> list[str]:
        return [part.strip() for part in self.parameter.range.split(",")]


def field(parameter: Parameter) -> Field:
    """Return the field of a parameter.

    >>> n = Parameter("n", "int", "runs", "even, 2 to 200", "how many", 10)
    >>> made = field(n)
    >>> made.kind, made.low, made.high, made.step, made.value
    ('number', '2', '200', '2', '10')
    """
    if parameter.is_list:
        return Field(parameter)
    if parameter.type == "bool":
        return Field(parameter, choices=("true", "false"))
    limits: dict[str, str] = {}
    for condition in parameter.range.split(","):
        if choice := re.fullmatch("one of (.+)", condition.strip()):
            return Field(parameter, choices=_choices(choice[1]))
        for pattern, names in _LIMITS.items():
            if match := re.fullmatch(pattern, condition.strip()):
                numbers = filter(_is_number, match.groups())
                limits |= dict(zip(names, numbers))
    return Field(parameter, **limits)


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


def _is_number(bound: str) -> bool:
    return re.fullmatch(r"-?[\d.]+", bound) is not None
