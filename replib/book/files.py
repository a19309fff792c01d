"""Files that others read while they are written."""

import os
from pathlib import Path


def write(file: Path, text: str) -> None:
    """Write a file unless that is what it says; who reads it finds the old text or the new."""
    content = text.encode()
    if not file.exists() or file.read_bytes() != content:
        part = file.with_name(f"{file.name}.{os.getpid()}.part")
        try:
            part.write_bytes(content)
            os.replace(part, file)
        finally:
            part.unlink(missing_ok=True)  # of a full disk
