"""The parameters of a chapter: declared in its `parameters` cell, checked before anything runs.

A chapter declares each parameter on one line of the cell with the tag `parameters`::

    n: int = 10            # repetitions; even, 2 to 200; experiments on one data set
    p: float = 0.7         # probability; above 0, below 1; chance of accepting
    schemes: list[str] = ["k_fold"]   # names; one of k_fold | resampling; what is compared

The comment has three fields, separated by semicolons: the unit, the range, and the
effect of the parameter.  A range is a list of conditions of `_CONDITIONS` that each
value (in a list, each element) must meet.  A bound after *above*, *below*, *at least*
or *at most* may also be the name of another number of the chapter, as in
``at most instances``.
"""

import ast
import difflib
import math
import re
import reprlib
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import nbformat
import yaml
from papermill.translators import PythonTranslator

from companion.lab import datasets

#: The range of a parameter whose value is code.
_CLASS = "a class as in module:Class"
#: What a range can say, and when a value meets it; the groups are bounds, or choices.
_CONDITIONS: dict[str, Callable[..., object]] = {
    "any": lambda x: True,
    "even": lambda x: x % 2 == 0,
    "a name": lambda x: x.isidentifier(),
    _CLASS: lambda x: re.fullmatch(r"\w+(\.\w+)*:\w+", x),
    "one of the UCI data sets": lambda x: x in datasets.names(),
    "one of (.+)": lambda x, choices: str(x) in re.split(r" *\| *", choices),
    r"(\S+) to (\S+)": lambda x, low, high: low <= x <= high,
    r"above (\S+)": lambda x, low: x > low,
    r"below (\S+)": lambda x, high: x < high,
    r"at least (\S+)": lambda x, low: x >= low,
    r"at most (\S+)": lambda x, high: x <= high,
}
_BOUNDED_BY = re.compile(r"\b(?:above|below|at least|at most) ([a-z]\w*)")
_TYPES = {
    "int": ("a whole number", int),
    "float": ("a number", float),
    "bool": ("true or false", bool),
    "str": ("a text", str),
}
_BOOLEANS = {"true": True, "yes": True, "false": False, "no": False}


class ParameterError(ValueError):
    """A parameter that a chapter does not have, or a value that it does not allow.

    Attributes
    ----------
    parameter : str
        The one whose value is wrong by itself; otherwise empty.
    """

    def __init__(self, sentence: str, parameter: str = ""):
        super().__init__(sentence)
        self.parameter = parameter


@dataclass(frozen=True)
class Parameter:
    """One declared parameter.

    Attributes
    ----------
    name, type, unit, range, help : str
        As the chapter declares them; `type` is ``"int"``, ``"float"``, ``"bool"``,
        ``"str"`` or a list of one of these, such as ``"list[int]"``.
    default : object
        The paper's own value.
    """

    name: str
    type: str
    unit: str
    range: str
    help: str
    default: object

    @property
    def scalar(self) -> str:
        """The type of a value, or of each element of a list."""
        return self.type.removeprefix("list[").removesuffix("]")

    @property
    def is_list(self) -> bool:
        return self.scalar != self.type

    @property
    def names_code(self) -> bool:
        """Whether a value names a class, which is then imported."""
        return self.range == _CLASS

    @property
    def bounds(self) -> set[str]:
        """The other parameters that bound this one."""
        return set(_BOUNDED_BY.findall(self.range))

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        words = f"{'a list, each ' * self.is_list}{_TYPES[self.scalar][0]}"
        return words if self.range == "any" else f"{words}, {self.range}"

    def check(self, value: object, others: Mapping[str, Any] | None = None) -> object:
        """Return `value` as the declared type; refuse a value that is not allowed.

        Parameters
        ----------
        value : object
        others : mapping, optional
            Values of the parameters that bound this one, by name.

        Raises
        ------
        ParameterError
            If the value has another type or lies outside the range.
        """
        bounds = {name: (others or {})[name] for name in sorted(self.bounds)}
        elements = (
            value if self.is_list and isinstance(value, (list, tuple)) else [value]
        )
        typed = [self._typed(x) for x in elements]
        if (
            self.is_list != isinstance(value, (list, tuple))
            or not typed
            or None in typed
            or not all(
                _meets(x, part, bounds) for x in typed for part in self.range.split(",")
            )
        ):
            beside = "".join(
                f", with {name} = {shown(x)}" for name, x in bounds.items()
            )
            given = "empty" if value == "" else shown(value)
            raise ParameterError(
                f"{self.name} must be {self.allowed} ({self.unit}), not {given}{beside}",
                parameter=self.name,
            )
        return typed if self.is_list else typed[0]

    def _typed(self, value: object) -> Any:
        """Return a scalar in the declared type; None if it has another."""
        if self.scalar == "float" and type(value) is int:
            value = float(value)
        is_typed = isinstance(value, _TYPES[self.scalar][1]) and (
            isinstance(value, bool) == (self.scalar == "bool")
        )
        not_finite = isinstance(value, float) and not math.isfinite(value)
        not_text = isinstance(value, str) and re.search(r"[\ud800-\udfff]", value)
        return value if is_typed and not not_finite and not not_text else None

    def read(self, value: object) -> object:
        """Return the value of a text, or of each text in a list; `check` refuses what has none.

        A list is given as ``a, b, c`` or ``[a, b, c]``.
        """
        if self.is_list and isinstance(value, str):
            inside = re.fullmatch(r"\s*\[(.*)\]\s*", value, flags=re.DOTALL)
            value = [
                part.strip() for part in (inside[1] if inside else value).split(",")
            ]
        if isinstance(value, list):
            return [_scalar(x, self.scalar) for x in value]
        return _scalar(value, self.scalar)


def _scalar(text: object, scalar: str) -> object:
    """Return the value that a text represents, or what is given if it represents none."""
    if not isinstance(text, str):
        return text
    text = text if scalar == "str" else text.strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "'\"":
        text = text[1:-1]
    if scalar == "int":
        return int(text) if re.fullmatch("[+-]?[0-9]{1,18}", text) else text
    if scalar == "float":
        try:
            return float(text)
        except ValueError:
            return text
    return _BOOLEANS.get(text.lower(), text) if scalar == "bool" else text


def _meets(value: Any, condition: str, bounds: Mapping[str, float]) -> bool:
    for pattern, is_met in _CONDITIONS.items():
        if match := re.fullmatch(pattern, condition.strip()):
            is_choice = pattern.startswith("one of")
            groups = match.groups()
            return bool(
                is_met(
                    value,
                    *(
                        x if is_choice else bounds[x] if x in bounds else float(x)
                        for x in groups
                    ),
                )
            )
    raise ParameterError(f"a range cannot say {condition.strip()!r}")


def shown(value: object) -> str:
    """Return a value as a message quotes it: no longer than a line, for any length or depth."""
    short = reprlib.Repr()
    short.maxstring = short.maxother = 60
    return short.repr(value)


def declares(cell: nbformat.NotebookNode) -> bool:
    """Return whether a cell declares the parameters of its notebook."""
    return "parameters" in cell.metadata.get("tags", ())


def declared(notebook: nbformat.NotebookNode) -> dict[str, Parameter]:
    """Return the parameters that a notebook declares, by name, in their order.

    Raises
    ------
    ParameterError
        If a declaration is incomplete, a default lies outside its own range, or a bound
        is not the name of a number of the chapter.
    """
    cells = [cell for cell in notebook.cells if declares(cell)]
    found = {}
    for p in PythonTranslator.inspect(cells[0]) if cells else ():
        fields = [field.strip() for field in (p.help or "").split(";", 2)]
        if len(fields) == 3:
            default = ast.literal_eval(p.default)
            found[p.name] = Parameter(
                p.name, p.inferred_type_name, *fields, default=default
            )
        if len(fields) != 3 or found[p.name].scalar not in _TYPES:
            raise ParameterError(
                f"declare {p.name} as `{p.name}: type = value  # unit; range; what it does`"
            )
    numbers = {name for name, p in found.items() if p.type in ("int", "float")}
    for p in found.values():
        if p.bounds - numbers:
            raise ParameterError(f"{p.name} is bounded by what is no number: {p.range}")
    defaults = check(
        {name: p.default for name, p in found.items()}, found, "the notebook"
    )
    return {name: replace(p, default=defaults[name]) for name, p in found.items()}


def read(given: Mapping[str, object], parameters: Mapping[str, Parameter]) -> dict:
    """Return the values of texts from a command line or a file; those without one stay texts."""
    return {
        name: parameters[name].read(value) if name in parameters else value
        for name, value in given.items()
    }


def check(
    given: Mapping[str, object], parameters: Mapping[str, Parameter], owner: str
) -> dict:
    """Check values against the declarations and each other; return them in their declared types.

    Missing values have their defaults.

    Raises
    ------
    ParameterError
        For the first name that `owner` does not declare, or the first value that is not
        allowed.
    """
    for name in given:
        if name not in parameters:
            known = ", ".join(parameters) or "none at all"
            raise ParameterError(
                f"{owner} has no parameter {shown(name)}; it has {known}"
            )
    values: dict[str, object] = {}
    for p in sorted(
        parameters.values(), key=lambda p: len(p.bounds)
    ):  # what bounds others first
        values[p.name] = p.check(given.get(p.name, p.default), values)
    return {name: values[name] for name in given}


#: A file of parameters has a few lines; a larger file is not read.
MOST_BYTES = 1_000_000


def check_file(file: Path, owner: str, most_bytes: int = MOST_BYTES) -> None:
    """Refuse a device, a pipe or a file that is too large, of which reading might never end.

    `owner` names the file in messages.
    """
    try:
        state = file.stat()
    except OSError as problem:
        raise ParameterError(f"{owner} cannot be read: {problem.strerror}") from None
    if not stat.S_ISREG(state.st_mode):
        raise ParameterError(f"{owner} is not a file")
    if state.st_size > most_bytes:
        raise ParameterError(
            f"{owner} has {state.st_size / 1e6:.0f} MB, and at most "
            f"{most_bytes / 1e6:.0f} are read"
        )


def read_yaml(file: Path, owner: str, loader: type = yaml.SafeLoader) -> object:
    """Read a YAML file; `owner` names it in messages.

    Raises
    ------
    ParameterError
        If the file cannot be read.
    """
    check_file(file, owner)
    try:
        return yaml.load(file.read_text(encoding="utf-8"), loader)  # nosec B506
    except OSError as problem:
        raise ParameterError(f"{owner} cannot be read: {problem.strerror}") from None
    except yaml.MarkedYAMLError as problem:
        place = (
            f" in line {problem.problem_mark.line + 1}" if problem.problem_mark else ""
        )
        raise ParameterError(
            f"{owner} is not plain YAML: {problem.problem}{place}"
        ) from None
    except (yaml.YAMLError, ValueError, RecursionError):
        raise ParameterError(f"{owner} is not plain YAML in UTF-8") from None


class _Texts(yaml.BaseLoader):
    """Takes each value for a text, and no name twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        values = super().construct_mapping(node, deep)
        if len(values) < len(node.value):
            raise yaml.MarkedYAMLError(
                problem="a name is given twice in the block that starts",
                problem_mark=node.start_mark,
            )
        return values


def read_mapping(file: Path, owner: str) -> dict:
    """Read a YAML file that maps names to values; all stay texts: YAML would take 010 for 8."""
    values = read_yaml(file, owner, _Texts)
    if not isinstance(values, dict | None):
        raise ParameterError(f"{owner} maps names to values, not {shown(values)}")
    return values or {}


def choose(what: str, name: str, known: Mapping[str, Any]) -> Any:
    """Return the value for a known name; `what` says in the refusal what it should name."""
    if name not in known:
        near = difflib.get_close_matches(name[:60], known, n=1)
        hint = (
            f": did you mean {near[0]}?" if near else f"; there are {', '.join(known)}"
        )
        raise ParameterError(f"there is no {what} {shown(name)}{hint}")
    return known[name]
