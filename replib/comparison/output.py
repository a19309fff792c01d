"""Writing results: whole files or none, on any terminal, for any spreadsheet."""

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from replib.comparison import rules
from replib.validation import file_path

if TYPE_CHECKING:
    import pandas as pd

#: Replacements for a terminal without Unicode.
_PLAIN = str.maketrans({"−": "-", "–": "-", "×": "x", "±": "+-", "…": "...", "²": "2"})
#: First characters that make a spreadsheet treat a text as a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write(path: str | Path, text: str) -> Path:
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
        if target.is_dir():
            rules.apply("unwritable", path=path, why="it is a folder")
        if not target.parent.is_dir():
            rules.apply("unwritable", path=path, why=f"there is no folder {target.parent.name}")
        if target.exists() and not target.is_file():
            with target.open("w", encoding="utf-8") as device:
                device.write(text)
            return path
        aside = target.with_name(f".replib-{os.getpid()}")
        try:
            aside.write_text(text, encoding="utf-8")
            aside.replace(target)
        finally:
            aside.unlink(missing_ok=True)
    except (OSError, RuntimeError) as problem:
        rules.apply("unwritable", path=path, why=getattr(problem, "strerror", None) or problem)
    return path


def say(text: str, stream: TextIO | None) -> None:
    """Write a line, replacing characters that the stream cannot encode, and flush it."""
    if stream is None:
        raise OSError(errno.EBADF, "it is closed")
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.translate(_PLAIN).encode(encoding, "backslashreplace").decode(encoding)
    stream.write(text + "\n")
    stream.flush()


def safe_csv(frame: "pd.DataFrame") -> str:
    """Return a table as CSV in which no text looks like a formula to a spreadsheet.

    Examples
    --------
    >>> import pandas as pd
    >>> safe_csv(pd.DataFrame({"a": ["=1+1"], "p": [-0.5]}))
    "a,p\\n'=1+1,-0.5\\n"
    """
    def safe(x: Any) -> Any:
        return f"'{x}" if isinstance(x, str) and x.startswith(_FORMULA) else x

    return frame.map(safe).rename(columns=safe).to_csv(index=False, lineterminator="\n")


def check_targets(source: str | Path, targets: dict[str, str | None]) -> None:
    """Refuse to overwrite the input file, or to write twice to the same file.

    Parameters
    ----------
    source : str or Path
    targets : dict
        Files by the options that name them; None if an option was not given.
    """
    taken = {_identity(source): ""}
    for option, target in targets.items():
        if target is None or target == "-":
            continue
        other = taken.setdefault(_identity(target), option)
        if not other:
            rules.apply("overwrites-input", option=option, path=target)
        if other != option:
            rules.apply("same-output", option=other, other=option, path=target)


def _identity(path: str | Path) -> str:
    """Return an identity that all names of a file share, links of all kinds included."""
    path = file_path("path", path)
    try:
        found = path.stat()
        return f"{found.st_dev} {found.st_ino}"
    except OSError:
        return os.path.abspath(path)
