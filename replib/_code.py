"""A digest of the code that estimators and scorers bring along, for what is kept in a cache.

A cache finds a function by its name, and so takes one that was changed for the same.
"""

import hashlib
import io
import pickle
from collections.abc import Iterator
from types import CodeType, FunctionType, NoneType
from typing import Any


def digest_of_code(*values: Any) -> str:
    """Return a digest of the functions, and the methods of classes, that are in values.

    Functions that these call, and variables that they read, are not followed.

    Parameters
    ----------
    *values : object
        Such as an estimator and a scorer.

    Raises
    ------
    ValueError
        If a function has no name by which another process could find it.

    Examples
    --------
    >>> def first(x): return x[0]
    >>> digest = digest_of_code([first])
    >>> def first(x): return x[1]
    >>> digest_of_code([first]) == digest
    False
    """
    finder = _CodeFinder()
    finder.dump(values)
    return hashlib.sha256(repr(finder.code).encode()).hexdigest()


#: What is written alike in every process.
_PLAIN = (bool, int, float, complex, str, bytes, NoneType)


class _CodeFinder(pickle.Pickler):
    """A pickler that keeps the code of what pickles hold by name only."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO())
        self.code: list[Any] = []

    def persistent_id(self, obj: Any) -> str | None:
        """Return the name of a function or class, which then is not pickled."""
        if not isinstance(obj, FunctionType | type):
            return None
        name = obj.__qualname__
        if "<" in name:
            raise ValueError(
                "cache needs functions and classes with a name of their own, and one is "
                f"{name}: write it in a module"
            )
        for function in _functions(obj):
            self.code += [_steps(function.__code__), _defaults(function)]
        return name


def _functions(value: FunctionType | type) -> Iterator[FunctionType]:
    """Yield a function, or the methods of a class and of those that it stands on."""
    if isinstance(value, FunctionType):
        yield value
        return
    for kind in value.__mro__:
        methods = vars(kind).values()
        yield from (method for method in methods if isinstance(method, FunctionType))


def _steps(code: CodeType) -> tuple[Any, ...]:
    """Return what code does, wherever it stands."""
    return (code.co_code, code.co_names, [_constant(x) for x in code.co_consts])


def _defaults(function: FunctionType) -> list[str]:
    """Return the defaults of arguments that are numbers, texts and the like."""
    keywords = function.__kwdefaults__ or {}
    values = [*(function.__defaults__ or ()), *keywords.values()]
    return [repr(value) for value in values if isinstance(value, _PLAIN)]


def _constant(value: Any) -> Any:
    """Return a constant of code as text that is the same in every process."""
    if isinstance(value, CodeType):
        return _steps(value)
    if isinstance(value, frozenset):
        return sorted(map(repr, value))
    return repr(value)
