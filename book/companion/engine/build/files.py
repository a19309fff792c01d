"""Files that others may read while they are written."""

import filecmp
import shutil
from pathlib import Path

from replib._files import replacing


def write(file: Path, content: str | bytes) -> None:
    """Write a file unless it has this content; a reader finds either the old or the new."""
    if isinstance(content, str):
        content = content.encode()
    if not file.exists() or file.read_bytes() != content:
        with replacing(file) as (part,):
            part.write_bytes(content)


def put_in_place(folder: Path, destination: Path) -> None:
    """Copy all files of a folder into another one; each is always either the old or the new."""
    for source in sorted(folder.rglob("*")):
        file = destination / source.relative_to(folder)
        if source.is_file() and not (file.exists() and filecmp.cmp(source, file)):
            file.parent.mkdir(parents=True, exist_ok=True)
            with replacing(file) as (part,):
                shutil.copy2(source, part)


def move(file: Path, destination: Path) -> None:
    """Put a complete file into its place, which may be on another file system.

    No file can be renamed into another file system, so a copy is made next to the place.
    """
    with replacing(destination) as (part,):
        shutil.copyfile(file, part)
    file.unlink()
