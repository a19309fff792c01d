"""Compiled functions that are cached on disk, as long as nothing that they use has changed.

Numba itself checks only the file that contains a function, not the files from which it imports:
its cache here has a folder for each state of all files with compiled functions.
"""

import hashlib
from functools import partial
from pathlib import Path

import numba


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

#: `numba.njit`, cached.  Numba takes long to compile operations on whole arrays: compiled functions
#: work number by number, or leave such operations to NumPy outside them.
njit = partial(numba.njit, cache=True, no_cfunc_wrapper=True)
