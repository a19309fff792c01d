"""Writing results: whole files or none, on any terminal."""

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from replib._validation import file_path

#: How the name of a file begins that is not yet put in its place.
UNFINISHED = ".replib-"
#: Replacements for a terminal without Unicode.
_PLAIN = str.maketrans({"−": "-", "–": "-", "×": "x", "±": "+-", "…": "...", "²": "2"})


def write(path: str | os.PathLike[str], text: str) -> Path:
    """Write a text file; it replaces the old one only when it is complete.

    Parameters
    ----------
    path : str or Path
        A file, which is replaced, or a device.
    text : str

    Returns
    -------
    Path

    Raises
    ------
    ValueError
        If it cannot be written; an existing file is then unchanged.
    """
    path = file_path("path", path)
    try:
        target = path.resolve()
        if target.is_symlink():  # it leads to itself; before Python 3.13 resolve raised
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if target.exists() and not target.is_file() and not target.is_dir():
            with target.open("w", encoding="utf-8") as device:
                device.write(text)
            return path
        with replacing(target) as (part,):
            part.write_text(text, encoding="utf-8")
    except (OSError, UnicodeError, RuntimeError) as problem:
        why = getattr(problem, "strerror", None) or problem
        raise ValueError(f"cannot write {str(path)!r}: {why}") from None
    return path


@contextmanager
def replacing(*targets: Path) -> Iterator[list[Path]]:
    """Yield new files, which replace the old ones when all are complete; else none stays."""
    # Nobody can guess the name, and so put a link there first.
    parts = [path.with_name(f"{UNFINISHED}{secrets.token_hex(8)}") for path in targets]
    try:
        yield parts
        for part, path in zip(parts, targets):
            os.replace(part, path)
    finally:
        for part in parts:
            part.unlink(missing_ok=True)


def say(text: str, stream: TextIO | None) -> None:
    """Write a line, replacing characters that the stream cannot encode, and flush it.

    Examples
    --------
    >>> import sys
    >>> say("p = 0.03", sys.stdout)
    p = 0.03
    """
    if stream is None:
        raise OSError(errno.EBADF, "it is closed")
    encoding = getattr(stream, "encoding", None) or "utf-8"
    if text.encode(encoding, "ignore").decode(encoding) != text:
        text = (
            text.translate(_PLAIN).encode(encoding, "backslashreplace").decode(encoding)
        )
    stream.write(text + "\n")
    stream.flush()
