"""Scores from a CSV file, wide or long, with any separator."""

import csv
import io
import os
import re
import select
import stat
from pathlib import Path

from replib.comparison import rules
from replib.comparison.gate import tables
from replib.validation import check_instance, file_path

#: Most bytes that are read; a million scores need fewer.
_LARGEST = 10_000_000
#: Lines before the head: comments, and the separator that a spreadsheet writes.
PREAMBLE = re.compile(r"#|sep=.\s*$")
_PATIENCE = 5  # seconds to wait for a pipe to which no program writes


def read(path: str | Path, *, metric: str | None = None) -> tables.Table:
    """Read a file.

    Parameters
    ----------
    path : str or Path
    metric : str, optional
        Which rows, if a column `metric` names several measures.

    Returns
    -------
    Table

    Raises
    ------
    ValueError
        If the file is not a table of scores; the message is one sentence.
    """
    path = file_path("path", path)
    if metric is not None:
        check_instance("metric", metric, str)
    rows = lines_of(path)
    (_, head), body = rows[0], rows[1:]
    if not body:
        rules.apply("only-head", path=path)
    for line, row in body:
        if len(row) != len(head):
            rules.apply("line-length", line=line, path=path, n=len(row), m=len(head))
    if all(tables.is_number(cell) for cell in head if cell.strip()):
        rules.apply("no-head", path=path)
    tables.check_names(head, str(path))
    columns = {name: [row[place].strip() for _, row in body] for place, name in enumerate(head)}
    return tables.read(
        columns, str(path), metric=metric, places=[f"line {line}" for line, _ in body]
    )


def lines_of(path: str | Path) -> list[tuple[int, list[str]]]:
    """Return the line numbers and fields of a file, its header first."""
    path = file_path("path", path)
    return _rows(_text(path), path)


def _text(path: Path) -> str:
    raw = _bytes(path)
    if raw[:4] == b"PK\x03\x04":
        rules.apply("spreadsheet", path=path)
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        try:
            return raw.decode("utf-16")
        except UnicodeDecodeError:
            rules.apply("bad-utf16", path=path)
    if b"\0" in raw:
        rules.apply("not-text", path=path)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _bytes(path: Path) -> bytes:
    """Return the contents of a file or pipe, within limits of size and time."""
    try:
        kind = path.stat().st_mode
        if not (stat.S_ISREG(kind) or stat.S_ISFIFO(kind)):
            rules.apply("not-a-file", path=path,
                        kind="a folder" if stat.S_ISDIR(kind) else "a device")
        if stat.S_ISFIFO(kind):
            return _from_pipe(path)
        with path.open("rb") as file:
            raw = file.read(_LARGEST + 1)
    except OSError as problem:
        rules.apply("unreadable", path=path, why=problem.strerror)
    if len(raw) > _LARGEST:
        rules.apply("too-large", path=path, limit=_LARGEST // 10**6)
    return raw


def _from_pipe(path: Path) -> bytes:
    raw = b""
    pipe = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        while len(raw) <= _LARGEST:
            ready = select.select([pipe], [], [], _PATIENCE)[0]
            try:
                part = os.read(pipe, 1 << 16)
            except BlockingIOError:  # a program is writing, but slowly
                continue
            if not part and not ready:
                rules.apply("silent-pipe", path=path, seconds=_PATIENCE)
            if not part:
                return raw
            raw += part
    finally:
        os.close(pipe)
    rules.apply("too-large", path=path, limit=_LARGEST // 10**6)
    return raw


def _rows(text: str, path: Path) -> list[tuple[int, list[str]]]:
    """Return numbers and fields of the lines that are neither empty nor comments.

    A line with "#" and as many fields as the head is a row, such as that of a spreadsheet's #N/A.
    Empty columns and rows at the ends are those of a spreadsheet, too.
    """
    lines = [(place, line) for place, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1)
             if line.strip()]
    while lines and PREAMBLE.match(lines[0][1]):
        lines.pop(0)
    if not lines:
        rules.apply("empty-file", path=path)
    first, second = (line for _, line in (lines * 2)[:2])
    separator = max(
        ";\t|,", key=lambda s: (0 < first.count(s) == second.count(s), first.count(s))
    )
    if not first.count(separator):
        rules.apply("one-column", path=path, head=repr(first.strip()[:40]))
    marks = first.count(separator)
    lines = [(place, line) for place, line in lines
             if not line.startswith("#") or line.count(separator) == marks]
    fields = csv.reader(
        io.StringIO("\n".join(line for _, line in lines)), delimiter=separator,
        skipinitialspace=True,
    )
    try:
        rows = [(place, row) for (place, _), row in zip(lines, fields) if any(map(str.strip, row))]
    except csv.Error as problem:
        raise ValueError(f"cannot read {path} as CSV: {problem}") from None
    if not rows:
        rules.apply("empty-file", path=path)
    width = max(place for _, row in rows for place, cell in enumerate(row, start=1) if cell.strip())
    return [(place, row[:width]) for place, row in rows]
