"""Files that others read while they are written."""

import os
from pathlib import Path


def write(file: Path, text: str) -> None:
    """Write a file unless that is what it says; who reads it finds the old text or the new."""
    if not file.exists() or file.read_text() != text:
        part = file.with_name(f"{file.name}.{os.getpid()}.part")
        part.write_text(text)
        os.replace(part, file)
