"""Whether a chapter must be executed again: what it depends on, and whether that has changed.

The key of an execution is the hash of the chapter's code cells and parameter values, of
the code that it imports (`companion.lab.experiments.provenance`: comments and docstrings
do not count), and of all pinned versions.  The data that an execution reads are known
only while it runs: the kernel records every file of this checkout that it opens, and the
executed notebook carries their hashes.

The prose is not in the key: `companion.engine.build.execution.renew_text` puts it into a
notebook whose cells need not run again.
"""

import hashlib
import json
import os
import re
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from companion.engine.build import chapters
from companion.engine.build.chapters import Chapter
from companion.lab.experiments import provenance

#: Suffixes of code, and of files that do not affect the numbers of a page.
_NO_DATA = {".py", ".pyc", ".pyi", ".nbi", ".nbc", ".md", ".lock", ".__path_hook__"}
_NO_DATA_FOLDERS = {"_build", "runs", "notebooks", "__pycache__", "venv"}

#: What :func:`parts` calls the values of parameters.
VALUES = "the values of parameters"

#: Files that this process has opened since :func:`record_reads`.
READS: set[str] = set()


def parts(chapter: Chapter, values: Mapping[str, object]) -> dict[str, str]:
    """Hash each thing that determines what an execution with these values shows, but its data.

    Returns
    -------
    dict of str
        By what it is, in words; a module by its dotted name.
    """
    modules = provenance.closure(_imports("\n".join(map(_python, chapter.code))))
    pins = (chapters.ROOT / "requirements.txt").read_text(encoding="utf-8")
    versions = "\n".join(re.findall(r"(?m)^[\w.-]+==\S+", pins))
    return {
        VALUES: _short(json.dumps(values, sort_keys=True)),
        "the code cells": _short(chapter.what_runs),
        "the versions of packages": _short(versions),
        **{
            name: _short(provenance.digest_of({name: modules[name]}))
            for name in modules
        },
    }


@cache
def _imports(code: str) -> set[str]:
    return provenance.Code(code).imports()


def key_of(hashes_of_parts: Mapping[str, str]) -> str:
    """Hash the parts of an execution together."""
    return _short(json.dumps(hashes_of_parts, sort_keys=True))


def key(chapter: Chapter, values: Mapping[str, object]) -> str:
    """Hash all that determines what an execution with these values shows, except its data."""
    return key_of(parts(chapter, values))


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def changes(chapter: Chapter, values: Mapping[str, object]) -> list[str]:
    """List what has changed since a chapter was executed; empty if it never was."""
    before = chapters.executed_metadata(chapter.executed)
    if "parts" not in before:
        return []
    now = parts(chapter, values)
    names = sorted({**before["parts"], **now})
    changed = [name for name in names if before["parts"].get(name) != now.get(name)]
    data = hashes(before["data"])
    return changed + [name for name in data if data[name] != before["data"][name]]


def of_source(chapter: Chapter) -> str:
    """Return a hash of the source of a chapter, with its prose."""
    return _hash(chapter.source)


def is_stale(chapter: Chapter, values: Mapping[str, object]) -> bool:
    """Return whether there is no executed notebook, or one with other values, code or data."""
    return not is_fresh(chapter.executed, chapter, values)


def is_fresh(executed: Path, chapter: Chapter, values: Mapping[str, object]) -> bool:
    """Return whether a notebook is what executing the chapter with these values would give."""
    found = chapters.executed_metadata(executed)
    return (
        "key" in found
        and found["key"] == key(chapter, values)
        and hashes(found["data"]) == found["data"]
    )


def record_reads() -> None:
    """From now on add the name of each file that this process opens to `READS`."""

    def note(event: str, arguments: tuple) -> None:
        if event == "open" and isinstance(arguments[0], (str, bytes)):
            READS.add(os.path.abspath(os.fsdecode(arguments[0])))

    sys.addaudithook(note)


def data_among(names: Iterable[str]) -> list[str]:
    """Return the data files of this checkout among some files, relative to the checkout."""
    inside = {
        file.relative_to(chapters.ROOT)
        for file in map(Path, names)
        if file.is_relative_to(chapters.ROOT)
        and file.suffix not in _NO_DATA
        and not file.is_dir()
    }
    return sorted(
        file.as_posix()
        for file in inside
        if not (
            _NO_DATA_FOLDERS & {*file.parts}
            or any(part[0] == "." for part in file.parts)
        )
    )


def hashes(data: Iterable[str]) -> dict[str, str]:
    """Return a hash of each data file, by its name relative to the checkout."""
    return {name: _hash(chapters.ROOT / name) for name in data}


def _hash(file: Path) -> str:
    if not file.is_file():
        return "absent"
    return _hash_of_version(file, file.stat().st_mtime_ns, file.stat().st_size)


@cache
def _hash_of_version(file: Path, modified: int, size: int) -> str:
    content = file.read_bytes()
    if file.suffix == ".ipynb":
        content = _shown_elsewhere(content)
    return hashlib.sha256(content).hexdigest()[:16]


def _shown_elsewhere(notebook: bytes) -> bytes:
    """Return what other chapters show of an executed one, its outputs and title, not its prose."""
    try:
        cells = json.loads(notebook)["cells"]
        outputs = [cell["outputs"] for cell in cells if cell["cell_type"] == "code"]
        sources = ("".join(cell["source"]) for cell in cells)
        title = [re.search(r"(?m)^# .*", source) for source in sources]
    except (ValueError, KeyError, TypeError):
        return notebook  # it is damaged, and nothing is known about its parts
    return json.dumps([outputs, [match[0] for match in title if match][:1]]).encode()


def _python(cell: str) -> str:
    """Return a cell without the lines that only IPython understands."""
    return "\n".join(
        "" if line.lstrip()[:1] in ("%", "!") else line for line in cell.splitlines()
    )
