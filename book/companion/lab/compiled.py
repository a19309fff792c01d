"""Compiled functions that are cached on disk; no two processes compile the same one at once.

A cached function is used as long as nothing that it uses has changed.  Numba itself checks only the
file that contains the function, not the files from which it imports.
"""

import contextlib
import hashlib
import pickle
import time
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import IO, Any

import numba
import numpy as np
from numba.core.caching import FunctionCache, IndexDataCacheFile

try:
    import fcntl
except ImportError:  # no locks on Windows, where each process compiles for itself
    fcntl = None  # type: ignore[assignment]

#: Seconds after which a waiting process compiles for itself.
PATIENCE = 300.0


def njit(function: Callable | None = None, **options: Any) -> Callable:
    """Apply `numba.njit`, cache the result on disk, and let other processes wait for it.

    Numba takes long to compile operations on whole arrays: compiled functions work number by
    number, or leave such operations to NumPy outside them.
    """
    if function is None:
        return lambda function: njit(function, **options)
    try:
        compiled = numba.njit(cache=True, no_cfunc_wrapper=True, **options)(function)
    except RuntimeError:  # no folder for the cache: each process compiles for itself
        return numba.njit(no_cfunc_wrapper=True, **options)(function)
    if hasattr(compiled, "_cache"):  # a plain function where NUMBA_DISABLE_JIT is set
        compiled._cache = _SharedCache(compiled.py_func)
    return compiled


def meaning(function: FunctionType) -> str:
    """Hash what a function computes: its code, and all that it uses from modules.

    These are constants and other compiled functions, with what they use in turn.

    Parameters
    ----------
    function : function
        The Python function that is compiled.

    Returns
    -------
    str
        64 hexadecimal digits.

    Examples
    --------
    >>> len(meaning(njit(lambda x: x + 1).py_func))
    64
    """
    digest = hashlib.sha256()
    waiting, seen = [function], {function}
    while waiting:
        one = waiting.pop()
        codes = list(_with_inner(one.__code__))
        digest.update(_text((one.__defaults__, one.__kwdefaults__)).encode())
        for code in codes:
            plain = [x for x in code.co_consts if not isinstance(x, CodeType) and x != one.__doc__]
            # the code refers to names by their position in these lists
            names = code.co_names, code.co_varnames, code.co_freevars
            digest.update(code.co_code + _text((plain, *names)).encode())
        for name, value in _used(one, {name for code in codes for name in code.co_names}):
            inner = getattr(value, "py_func", getattr(value, "_defn", None))  # _defn: intrinsics
            if not isinstance(inner, FunctionType):
                digest.update(f"{name} {_text(value)}\n".encode())
            elif inner not in seen:
                options = getattr(value, "targetoptions", {})
                digest.update(f"{name} {_text(options)}\n".encode())
                seen.add(inner)
                waiting.append(inner)
    return digest.hexdigest()


def _with_inner(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _with_inner(constant)


def _used(function: FunctionType, names: set[str]) -> Iterator[tuple[str, object]]:
    """Yield what a function finds under some names in its module, and in those of its package."""
    package = function.__module__.split(".")[0]
    for cell, name in zip(function.__closure__ or (), function.__code__.co_freevars):
        yield name, cell.cell_contents
    for name in sorted(names & function.__globals__.keys()):
        value = function.__globals__[name]
        if not isinstance(value, ModuleType):
            yield name, value
        elif value.__name__.split(".")[0] == package:
            yield from ((n, getattr(value, n)) for n in sorted(names) if hasattr(value, n))


def _text(value: object) -> str:
    """Write constants, the same in every process; for anything else give at most its name."""
    if isinstance(value, (tuple, list)):
        return f"({', '.join(map(_text, value))})"
    if isinstance(value, (frozenset, set, dict)):
        elements = value.items() if isinstance(value, dict) else value
        return f"{{{', '.join(sorted(map(_text, elements)))}}}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {value.tobytes().hex()}"
    if isinstance(value, (bool, int, float, complex, str, bytes, np.generic, type(None))):
        return repr(value)
    return f"{getattr(value, '__qualname__', type(value).__name__)} {getattr(value, '_fields', '')}"


class _SealedFiles(IndexDataCacheFile):
    """Files that end with a SHA-256 of their content: machine code with a flipped bit would crash.

    Unpickling ignores any bytes after the pickle.
    """

    def _dump(self, obj):
        data = super()._dump(obj)
        return data + hashlib.sha256(data).digest()

    def _load_index(self):
        path = Path(self._index_path)
        if path.exists():
            _check_seal(path, pickle.dumps(self._version, protocol=-1))
        return super()._load_index()

    def _load_data(self, name):
        _check_seal(Path(self._data_path(name)))
        return super()._load_data(name)


def _check_seal(path: Path, head: bytes = b"") -> None:
    content = path.read_bytes()
    data, seal = content[len(head) : -32], content[-32:]
    if not content.startswith(head) or hashlib.sha256(data).digest() != seal:
        raise ValueError(f"{path} is damaged")


class _SharedCache(FunctionCache):
    """A cache that locks out other processes from a miss until the missing code is saved.

    The system releases the lock when its process ends, in whatever way.
    """

    def __init__(self, function: Callable):
        super().__init__(function)
        self._cache_file = _SealedFiles(
            self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp()
        )
        self._locks: dict[Any, IO] = {}

    @cached_property
    def _meaning(self) -> str:
        """Meaning of the function; read only once its module is complete."""
        return meaning(self._py_func)

    def _index_key(self, signature, target):
        # numba identifies the class of a named tuple only by its name
        fields = [getattr(kind, "fields", ()) for kind in signature]
        return *super()._index_key(signature, target), self._meaning, tuple(fields)

    def load_overload(self, signature, target):
        found = self._load(signature, target)
        if found is None and fcntl is not None and not self._locks:
            self._lock(signature)
            found = self._load(signature, target)  # another process may have saved it
            if found is not None:
                self._unlock(signature)
        return found

    def _load(self, signature, target):
        try:
            return super().load_overload(signature, target)
        except Exception:  # a damaged file, or one that names a module that has moved
            self.flush()
            return None

    def save_overload(self, signature, data):
        try:
            super().save_overload(signature, data)
        finally:
            self._unlock(signature)

    def _lock(self, signature) -> None:
        with contextlib.suppress(OSError):  # no place to write, so nothing to share
            folder = Path(self.cache_path)
            folder.mkdir(parents=True, exist_ok=True)
            lock = (folder / f"{self._impl.filename_base}.lock").open("w")
            self._locks[signature] = lock
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    return
                except BlockingIOError:
                    time.sleep(0.05)

    def _unlock(self, signature) -> None:
        lock = self._locks.pop(signature, None)
        if lock is not None:
            lock.close()
