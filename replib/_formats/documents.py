"""JSON in files, in lines and in archives; whatever is read has a bounded size.

Nothing of an archive is written to a disk, so the names in it lead nowhere.
"""

import json
import struct
import zipfile
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from replib._sources import MOST_BYTES, check_file, first_bytes
from replib._validation import listed, one_line

#: Zstandard in a zip file (APPNOTE 4.4.5); Python's zipfile has it from 3.14 on.
_ZSTANDARD = 93
#: Fixed part of the header before a member's data (APPNOTE 4.3.7), with the lengths of
#: its name and of its extra field.
_LOCAL_HEADER = struct.Struct("<26xHH")


def quoted_path(path: Path) -> str:
    """Return a path as it is written in a sentence."""
    return one_line(repr(str(path)))


def parsed(text: bytes, location: str) -> Any:
    """Return what a text in JSON says, or refuse it, naming its location."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(f"{location} is not JSON, or too deep") from None


def document(path: Path) -> Any:
    """Return what a file in JSON says."""
    first_bytes(path)  # refuses what is not a file, too large, or not text
    return parsed(path.read_bytes(), quoted_path(path))


def records(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield what each line of a file says in JSON, with its number; none of empty lines."""
    first_bytes(path)
    for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
        if line.strip():
            yield number, parsed(line, f"line {number} of {quoted_path(path)}")


class Archive:
    """Documents in a zip file, read by their names and never unpacked.

    All that is read of an archive, unpacked, has at most as many bytes as a file may
    have.

    Attributes
    ----------
    names : set of str
    """

    def __init__(self, path: Path) -> None:
        check_file(path)
        self._path = path
        self._n_left = MOST_BYTES
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, ValueError, OSError) as problem:
            raise self._damaged(problem) from None
        self.names = set(self._zip.namelist())

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *error: object) -> None:
        self._zip.close()

    def document(self, name: str) -> Any:
        """Return what a member says in JSON."""
        info = self._zip.getinfo(name)
        try:
            with self._stream(info) as stream:
                # the size that the archive states may be wrong
                content = stream.read(self._n_left + 1)
        except ValueError:
            raise
        except Exception as problem:  # damaged data can raise anything
            raise self._damaged(problem) from None
        self._n_left -= len(content)
        if self._n_left < 0:
            raise ValueError(
                f"{quoted_path(self._path)} has more than {MOST_BYTES / 1e6:.0f} MB "
                "when it is unpacked, and no more is read"
            )
        return parsed(content, f"{one_line(name)!r} in {quoted_path(self._path)}")

    def _stream(self, info: zipfile.ZipInfo) -> IO[bytes]:
        has_zstandard = hasattr(zipfile, "ZIP_ZSTANDARD")
        if info.compress_type == _ZSTANDARD and not has_zstandard:
            return self._zstandard_stream(info)
        return self._zip.open(info)

    def _zstandard_stream(self, info: zipfile.ZipInfo) -> IO[bytes]:
        """Return a stream that unpacks a member by the package zstandard."""
        try:
            zstandard = import_module("zstandard")
        except ModuleNotFoundError:
            raise ValueError(
                f"{quoted_path(self._path)} is packed by Zstandard, which needs Python "
                "3.14 or the package zstandard: install it, or write the log as JSON, by "
                "inspect log convert --to json"
            ) from None
        with self._path.open("rb") as file:
            file.seek(info.header_offset)
            header = file.read(_LOCAL_HEADER.size)
            file.seek(sum(_LOCAL_HEADER.unpack(header)), 1)
            packed = file.read(info.compress_size)
        stream: IO[bytes] = zstandard.ZstdDecompressor().stream_reader(BytesIO(packed))
        return stream

    def _damaged(self, problem: Exception) -> ValueError:
        reason = one_line(problem).rstrip(".")
        return ValueError(
            f"{quoted_path(self._path)} is not a complete zip file: {reason}"
        )


class Peek:
    """What a file shows of its structure, from which its format is recognised.

    Attributes
    ----------
    path : Path
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def start(self) -> bytes:
        """The first bytes of a text; empty for anything else."""
        try:
            return first_bytes(self.path)
        except ValueError:
            return b""

    @cached_property
    def members(self) -> set[str]:
        """Names in a zip file."""
        try:
            check_file(self.path)  # a pipe would have to be waited for
        except ValueError:
            return set()
        if not zipfile.is_zipfile(self.path):
            return set()
        with Archive(self.path) as archive:
            return archive.names

    @cached_property
    def record(self) -> dict[Any, Any]:
        """What the first line says in JSON, if that is an object; else empty."""
        line = self.start.lstrip().split(b"\n", 1)[0]
        return _object(line)

    @cached_property
    def document(self) -> Any:
        """What the whole file says in JSON; None if it is anything else."""
        if self.start.lstrip()[:1] not in (b"{", b"["):
            return None
        try:
            return document(self.path)
        except ValueError:
            return None

    @property
    def fields(self) -> dict[Any, Any]:
        """The document, if that is an object; else empty."""
        return self.document if isinstance(self.document, dict) else {}

    @cached_property
    def names(self) -> list[str]:
        """Names in the first line of a table in CSV."""
        line = self.start.decode("utf-8-sig", "replace").split("\n", 1)[0].strip()
        separator = max(",;\t|", key=line.count)
        return [name.strip().strip('"') for name in line.split(separator)]

    def __repr__(self) -> str:
        return f"<{quoted_path(self.path)} with {listed(self.names)}>"


def _object(text: bytes) -> dict[Any, Any]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}
