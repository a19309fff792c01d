"""Files that others may read while they are written."""

import filecmp
import os
import shutil
from pathlib import Path


def write(file: Path, text: str) -> None:
    """Write a file unless it has this text; a reader finds either the old text or the new."""
    content = text.encode()
    if not file.exists() or file.read_bytes() != content:
        part = file.with_name(f"{file.name}.{os.getpid()}.part")
        try:
            part.write_bytes(content)
            os.replace(part, file)
        finally:
            part.unlink(missing_ok=True)  # still there if the disk is full


def put_in_place(folder: Path, destination: Path) -> None:
    """Copy all files of a folder into another one; each is always either the old or the new."""
    for source in sorted(folder.rglob("*")):
        file = destination / source.relative_to(folder)
        if source.is_file() and not (file.exists() and filecmp.cmp(source, file)):
            file.parent.mkdir(parents=True, exist_ok=True)
            part = file.with_name(f"{file.name}.part")
            shutil.copy2(source, part)
            os.replace(part, file)
