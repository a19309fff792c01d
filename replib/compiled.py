"""Compiled functions, kept on disk, of which two processes never compile the same one at once."""

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import numba
from numba.core.caching import FunctionCache

try:
    import fcntl
except ImportError:  # no locks on Windows: there each process compiles for itself
    fcntl = None  # type: ignore[assignment]

#: Seconds after which a process that waits compiles for itself.
PATIENCE = 300.0


def njit(function: Callable | None = None, **options: Any) -> Callable:
    """`numba.njit` whose results are kept on disk, compiled by one process while others wait."""
    if function is None:
        return lambda function: njit(function, **options)
    try:
        compiled = numba.njit(cache=True, no_cfunc_wrapper=True, **options)(function)
    except RuntimeError:  # no folder to keep it in: each process compiles for itself
        return numba.njit(no_cfunc_wrapper=True, **options)(function)
    if hasattr(compiled, "_cache"):  # a plain function where NUMBA_DISABLE_JIT is set
        compiled._cache = _SharedCache(compiled.py_func)
    return compiled


class _SharedCache(FunctionCache):
    """A cache whose miss locks out other processes until what was missed is saved.

    The system takes the lock from a process that ends, however it ends.
    """

    def __init__(self, function: Callable):
        super().__init__(function)
        self._locks: dict[Any, IO] = {}

    def load_overload(self, signature, target):
        found = self._load(signature, target)
        if found is None and fcntl is not None and not self._locks:
            self._lock(signature)
            found = self._load(signature, target)  # another one may have saved it
            if found is not None:
                self._unlock(signature)
        return found

    def _load(self, signature, target):
        try:
            return super().load_overload(signature, target)
        except Exception:  # a damaged file, or one that names a module which has moved since
            self.flush()
            return None

    def save_overload(self, signature, data):
        try:
            super().save_overload(signature, data)
        finally:
            self._unlock(signature)

    def _lock(self, signature) -> None:
        with contextlib.suppress(OSError):  # nowhere to write: nothing to share
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
