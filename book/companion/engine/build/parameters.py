"""The parameters of a chapter: declared in its `parameters` cell, checked before anything runs.

A chapter declares each parameter on one line of the cell with the tag `parameters`::

    n: int = 10            # repetitions; even, 2 to 200; experiments on one data set
    p: float = 0.7         # probability; above 0, below 1; chance of accepting
    schemes: list[str] = ["k_fold"]   # names; one of k_fold | resampling; what is compared

The comment has three fields, separated by semicolons: the unit, the range, and the effect of the
parameter.  A range is a list of conditions that each value (in a list, each element) must meet:
``A to B`` (both included), ``above A``, ``below B``, ``at least A``, ``at most B``, ``even``,
``one of x | y | z``, ``one of the UCI data sets``, ``a name``, ``a class as in module:Class``, or
``any``.  A bound after such words may also be the name of another number of the chapter, as in
``at most instances``.
"""

import ast
import math
import operator
import re
import reprlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import nbformat
import yaml
from papermill.translators import PythonTranslator

from companion.lab import datasets

_BOUNDED_BY = re.compile(r"\b(?:above|below|at least|at most) ([a-z]\w*)")
_SCALARS = {"int": "a whole number", "float": "a number", "bool": "true or false", "str": "a text"}


class ParameterError(ValueError):
    """A parameter that a chapter does not have, or a value that it does not allow."""


@dataclass(frozen=True)
class Parameter:
    """One declared parameter.

    Attributes
    ----------
    name, type, unit, range, help : str
        As the chapter declares them; `type` is ``"int"``, ``"float"``, ``"bool"``, ``"str"`` or a
        list of one of these, such as ``"list[int]"``.
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
    def bounds(self) -> set[str]:
        """The other parameters that bound this one."""
        return set(_BOUNDED_BY.findall(self.range))

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        words = _SCALARS[self.scalar]
        words = f"a list, each {words}" if self.is_list else words
        return words if self.range == "any" else f"{words}, {self.range}"

    def check(self, value: object, others: Mapping[str, object] | None = None) -> object:
        """Return `value` as the declared type; refuse a value that is not allowed.

        Parameters
        ----------
        value : object
        others : mapping, optional
            Values of all parameters by name; without them, bounds that are names are ignored.

        Raises
        ------
        ParameterError
            If the value has another type or lies outside the range.
        """
        others = others or {}
        beside = "".join(
            f", with {name} = {shown(others[name])}" for name in sorted(self.bounds & others.keys())
        )
        refusal = ParameterError(
            f"{self.name} is {self.allowed} ({self.unit}), not {shown(value)}{beside}"
        )
        if self.is_list and (not isinstance(value, (list, tuple)) or not value):
            raise refusal
        elements = [
            _as_type(x, self.scalar, refusal) for x in (value if self.is_list else [value])
        ]
        conditions = [_condition(part.strip(), others) for part in self.range.split(",")]
        if not all(condition(x) for x in elements for condition in conditions):
            raise refusal
        return elements if self.is_list else elements[0]

    def read(self, text: str) -> object:
        """Read a value typed on a command line; a list is given as ``a, b, c`` or ``[a, b, c]``."""
        if not self.is_list:
            return self.check(_read_scalar(text, self.scalar))
        inside = re.fullmatch(r"\s*\[(.*)\]\s*|(.*)", text, flags=re.DOTALL)
        elements = (inside[1] if inside[1] is not None else inside[2]).split(",")
        return self.check([_read_scalar(element.strip(), self.scalar) for element in elements])

    def take(self, value: object) -> object:
        """Check a value from a file, where 1e-3 and values in quotes are texts."""
        if isinstance(value, str):
            return self.read(value)
        if isinstance(value, list):
            value = [_read_scalar(x, self.scalar) if isinstance(x, str) else x for x in value]
        return self.check(value)


def shown(value: object) -> str:
    """Return a value as a message quotes it: no longer than a line, for any length or depth."""
    short = reprlib.Repr()
    short.maxstring = short.maxother = 60
    return short.repr(value)


def declared(notebook: nbformat.NotebookNode) -> dict[str, Parameter]:
    """Return the parameters that a notebook declares, by name, in their order.

    Raises
    ------
    ParameterError
        If a declaration is incomplete, a default lies outside its own range, or a bound is not the
        name of a number of the chapter.
    """
    cells = [c for c in notebook.cells if "parameters" in c.metadata.get("tags", ())]
    found = {}
    for p in PythonTranslator.inspect(cells[0]) if cells else ():
        fields = [field.strip() for field in (p.help or "").split(";", 2)]
        if len(fields) == 3:
            parameter = Parameter(p.name, p.inferred_type_name, *fields, default=None)
        if len(fields) != 3 or parameter.scalar not in _SCALARS:
            raise ParameterError(
                f"declare {p.name} as `{p.name}: type = value  # unit; range; what it does`"
            )
        default = parameter.check(ast.literal_eval(p.default))
        found[p.name] = replace(parameter, default=default)
    numbers = {name for name, p in found.items() if p.type in ("int", "float")}
    for p in found.values():
        if p.bounds - numbers:
            raise ParameterError(f"{p.name} is bounded by what is no number: {p.range}")
    check({}, found, "the notebook")
    return found


def read_mapping(file: Path, owner: str) -> dict:
    """Read a YAML file that maps names to values; `owner` names it in messages.

    Raises
    ------
    ParameterError
        If the file is not such a mapping.
    """
    values = read_yaml(file, owner)
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise ParameterError(f"{owner} maps names to values, not {shown(values)}")
    return values


class _OnlyOnce(yaml.SafeLoader):
    """The safe loader of YAML, but it refuses two values of one name instead of using the last."""

    def construct_mapping(self, node, deep=False):
        names = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        for place, name in enumerate(names):
            if name in names[:place]:
                mark = node.value[place][0].start_mark
                raise yaml.constructor.ConstructorError(
                    None, None, f"{shown(name)} is given twice", mark
                )
        return super().construct_mapping(node, deep)


def read_yaml(file: Path, owner: str) -> object:
    """Read a YAML file; `owner` names it in messages.

    Raises
    ------
    ParameterError
        If the file cannot be read.
    """
    try:
        return _OnlyOnce(file.read_text(encoding="utf-8")).get_single_data()
    except OSError as problem:
        raise ParameterError(f"{owner} cannot be read: {problem.strerror}") from None
    except yaml.MarkedYAMLError as problem:
        place = f" in line {problem.problem_mark.line + 1}" if problem.problem_mark else ""
        raise ParameterError(f"{owner} is not plain YAML: {problem.problem}{place}") from None
    except (yaml.YAMLError, ValueError, RecursionError):
        raise ParameterError(f"{owner} is not plain YAML in UTF-8") from None


def choose(what: str, name: str, known: Mapping[str, Any]) -> Any:
    """Return the value for a known name.

    Raises
    ------
    ParameterError
        If the name is not known; `what` says what it should name.
    """
    if name not in known:
        raise ParameterError(f"there is no {what} {shown(name)}; there are {', '.join(known)}")
    return known[name]


def check(given: Mapping[str, object], parameters: Mapping[str, Parameter], owner: str) -> dict:
    """Check values against the declarations and each other; return them in their declared types.

    Missing values have their defaults.

    Raises
    ------
    ParameterError
        For the first name that is not declared, or the first value that is not allowed.
    """
    checked = {
        name: find(name, parameters, owner).check(value) for name, value in given.items()
    }
    values = {name: p.default for name, p in parameters.items()} | checked
    for name, parameter in parameters.items():
        parameter.check(values[name], values)
    return checked


def find(name: str, parameters: Mapping[str, Parameter], owner: str) -> Parameter:
    """Return the declaration of one parameter.

    Raises
    ------
    ParameterError
        If `owner` does not declare a parameter of that name.
    """
    if name not in parameters:
        known = ", ".join(parameters) or "none at all"
        raise ParameterError(f"{owner} has no parameter {shown(name)}; it has {known}")
    return parameters[name]


def _as_type(value: object, scalar: str, refusal: ParameterError) -> object:
    if scalar == "float" and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    kind = {"int": int, "float": float, "bool": bool, "str": str}[scalar]
    if not isinstance(value, kind) or (isinstance(value, bool) and scalar != "bool"):
        raise refusal
    if scalar == "float" and not math.isfinite(value):
        raise refusal
    if scalar == "str" and re.search(r"[\ud800-\udfff]", value):  # bytes that are not text
        raise refusal
    return value


def _read_scalar(text: str, scalar: str) -> object:
    """Return the value that a text represents, or the text itself if it represents none."""
    text = text if scalar == "str" else text.strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "'\"":
        text = text[1:-1]
    if scalar == "int" and re.fullmatch(r"[+-]?[0-9]{1,18}", text):
        return int(text)
    if scalar == "float":
        try:
            return float(text)
        except ValueError:
            return text
    if scalar == "bool":
        return {"true": True, "yes": True, "false": False, "no": False}.get(text.lower(), text)
    return text


def _condition(text: str, others: Mapping[str, object]) -> Callable[[object], object]:
    if text == "any":
        return lambda x: True
    if text == "even":
        return lambda x: x % 2 == 0
    if text == "a name":
        return str.isidentifier
    if text == "a class as in module:Class":
        return re.compile(r"\w+(\.\w+)*:\w+").fullmatch
    if text.startswith("one of "):
        listed = text.removeprefix("one of ")
        if listed == "the UCI data sets":
            return lambda x: x in datasets.names()
        choices = {choice.strip() for choice in listed.split("|")}
        return lambda x: str(x) in choices
    if match := re.fullmatch(r"(\S+) to (\S+)", text):
        low, high = map(float, match.groups())
        return lambda x: low <= x <= high
    for words, compare in (
        ("above", operator.gt), ("below", operator.lt),
        ("at least", operator.ge), ("at most", operator.le),
    ):
        if text.startswith(words + " "):
            bound = text.removeprefix(words).strip()
            if not _BOUNDED_BY.fullmatch(text):
                return lambda x: compare(x, float(bound))
            return lambda x: bound not in others or compare(x, others[bound])
    raise ParameterError(f"a range cannot say {text!r}")
