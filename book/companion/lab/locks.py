"""One process at a time in a folder: the system releases the lock of a process that ends in any
way, and nothing is left behind."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Wait until no other process is in a `with` of this folder; make the folder if necessary."""
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def is_held(folder: Path) -> bool:
    """Return whether some process is in a `with` of this folder, which exists."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False
