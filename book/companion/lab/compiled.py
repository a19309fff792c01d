"""Compiled functions that are cached on disk, as long as nothing that they use has changed.

Numba itself checks only the file that contains a function, not the files from which it
imports: its cache here has a folder for each state of all files with compiled
functions.

Nor is its cache made for several processes: two that add signatures of one function at
the same time can give one of them the code of the other, whose numbers are then wrong
in silence.  So a process waits until no other one compiles, or reads or writes what was
compiled.
"""

import hashlib
import threading
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import numba
from numba.core import event

from companion.lab.locks import one_at_a_time


def _folder() -> str:
    """Return a folder named after the content of all files of this package that use `njit`."""
    sources = sorted(Path(__file__).parents[1].rglob("*.py"))
    digest = hashlib.sha256()
    for content in map(Path.read_bytes, sources):
        if b"njit" in content:
            digest.update(content)
    parent = numba.config.CACHE_DIR or Path(__file__).parent / "__pycache__"
    return str(Path(parent, digest.hexdigest()[:16]))


numba.config.CACHE_DIR = _folder()


class _OneProcess(event.Listener):
    """Locks the folder from the first acquisition of numba's own lock, of threads, to the last."""

    inside, threads, lock = 0, threading.Lock(), ExitStack()

    def on_start(self, _: event.Event) -> None:
        with self.threads:
            if not self.inside:
                self.lock.enter_context(one_at_a_time(Path(numba.config.CACHE_DIR)))
            self.inside += 1

    def on_end(self, _: event.Event) -> None:
        with self.threads:
            self.inside -= 1
            if not self.inside:
                self.lock.close()


event.register("numba:compiler_lock", _OneProcess())

#: `numba.njit`, cached.  Numba takes long to compile operations on whole arrays:
#: compiled functions work number by number, or leave such operations to NumPy outside
#: them.
njit = partial(numba.njit, cache=True, no_cfunc_wrapper=True)
