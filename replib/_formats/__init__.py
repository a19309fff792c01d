"""Files that other people's tools write, each recognised by its structure.

A format is a module here, or a few related ones are: what its files look like, with the
place in the tool's own source that says so, and how they are read.  It is registered by its
place in `FORMATS`.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from replib._formats import (
    curves,
    harness,
    helm,
    inspect,
    lighteval,
    opencompass,
    runs,
    swebench,
)
from replib._formats.base import Content, Format, Request, folder_name
from replib._formats.documents import Peek, quoted_path
from replib._sources import Source
from replib._validation import joined, one_line

#: In the order in which files are compared with them: a summary after the whole file.
FORMATS: tuple[Format, ...] = (
    harness.FORMAT,
    inspect.FORMAT,
    lighteval.FORMAT,
    helm.FORMAT,
    swebench.FORMAT,
    opencompass.FORMAT,
    runs.WANDB,
    runs.MLFLOW,
    curves.CHART,
    curves.LIGHTNING,
    curves.KERAS,
    inspect.SUMMARY,
    harness.SUMMARY,
    lighteval.SUMMARY,
    helm.SUMMARY,
    swebench.SUMMARY,
)


def read(sources: Sequence[Source], request: Request) -> Content | None:
    """Return what files of one format hold; None if they are tables of no tool.

    Parameters
    ----------
    sources : sequence of (name or None, path)
        Files, and folders of files.
    request : Request

    Returns
    -------
    Content or None

    Raises
    ------
    ValueError
        If a file is neither, files are of several formats, or one does not hold what its
        format promises.
    """
    matches = [_recognised(source) for source in sources]
    kind = matches[0].format
    for (_, path), (other_kind, _) in zip(sources, matches):
        if other_kind is not kind:
            raise ValueError(
                f"{quoted_path(sources[0][1])} is {_name(kind)}, and "
                f"{quoted_path(path)} is {_name(other_kind)}: give files of one kind, "
                "not both"
            )
    if kind is None:
        return None
    files = [file for match in matches for file in match.files]
    named = tuple(source for source in sources if source[0] and source[1].is_dir())
    request = replace(request, named_folders=named)
    try:
        content = kind.read(files, request)
    except (AttributeError, IndexError, KeyError, TypeError, ZeroDivisionError) as no:
        raise ValueError(
            f"{quoted_path(files[0][1])} looks like {kind.name}, and is not as the "
            f"tool writes it: {one_line(repr(no))}"
        ) from None
    return replace(content, files=tuple(path for _, path in files))


class _Recognised(NamedTuple):
    """The format of a file, or of the files in a folder; None for a table of no tool."""

    format: Format | None
    files: list[Source]


def _name(kind: Format | None) -> str:
    return "a table" if kind is None else kind.name


def _recognised(source: Source) -> _Recognised:
    name, path = source
    if path.is_dir():
        return _recognised_in_folder(name, path)
    peek = Peek(path)
    for kind in FORMATS:
        if kind.recognises(peek):
            return _Recognised(kind, [source])
    if peek.record or peek.document is not None:
        raise ValueError(
            f"{quoted_path(path)} cannot be read: it is JSON, not a table, and of no tool "
            f"that is known; looked for {_signs()}, and tables end with '.csv' or "
            "'.parquet'"
        )
    return _Recognised(None, [source])


def _recognised_in_folder(name: str | None, folder: Path) -> _Recognised:
    peek = cache(Peek)
    for kind in FORMATS:
        files = kind.files(folder, peek)
        if files and name is None and kind.named_by_folder:
            return _Recognised(kind, [(folder_name(file), file) for file in files])
        if files:
            return _Recognised(kind, [(name, file) for file in files])
    raise ValueError(f"{quoted_path(folder)} has no files {_signs()}")


def _signs() -> str:
    """Return by what the formats are recognised whose files may be in a folder."""
    return joined([kind.sign for kind in FORMATS if kind.sign])


__all__ = ["FORMATS", "Content", "Format", "Request", "read"]
