"""What a command leaves that was killed, and how the next one removes it.

A command that fails or is interrupted removes its own working files.  One that the system
kills cannot.
"""

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from companion.engine.build import chapters
from companion.lab.locks import is_held, one_at_a_time
from replib import _files

#: Seconds after which a file that was begun and not put in place is taken for abandoned.
#: Writing one takes less than a second; an hour also spares a machine that was asleep.
ABANDONED = 3600


@contextmanager
def working_folder(name: str) -> Iterator[Path]:
    """Make a folder for the time of a `with`; meanwhile :func:`remove` spares it.

    The process holds a lock of it, which the system releases if the process is killed.
    """
    with ExitStack() as stack:
        with one_at_a_time(_working_folders()):
            temporary = tempfile.TemporaryDirectory(
                prefix=f"{name}.", dir=_working_folders()
            )
            folder = Path(stack.enter_context(temporary))
            stack.enter_context(one_at_a_time(folder))
        yield folder


def remove() -> None:
    """Remove working folders that no process uses, and files that were not put in place."""
    with one_at_a_time(_working_folders()):
        for folder in _working_folders().iterdir():
            if not is_held(folder):
                shutil.rmtree(folder, ignore_errors=True)
    for folder in (chapters.CHAPTERS, chapters.RUNS, *_folders_of_build()):
        for part in folder.rglob(f"{_files.UNFINISHED}*"):
            if time.time() - part.stat().st_mtime > ABANDONED:
                part.unlink(missing_ok=True)


def _working_folders() -> Path:
    return chapters.BUILD / "chapters"


def _folders_of_build() -> list[Path]:
    names = ("html", "run", "copies", "defaults", "figures", "trained")
    return [chapters.BUILD / name for name in names]
