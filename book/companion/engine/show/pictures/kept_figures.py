"""Figures of executed chapters, kept as Matplotlib objects beside the pictures on the page.

The page of a rerun draws them again, on axes that suit both runs.  They lie in the
folder of the build, which is trusted like the code, and are looked up by their picture.
"""

import hashlib
import os
import pickle
import zlib
from contextlib import suppress
from pathlib import Path

from matplotlib.figure import Figure

from companion.engine.build import chapters, files


def keep(fig: Figure, alt: str, picture: str) -> None:
    """Keep a figure where the book executes a chapter; one that cannot be pickled is not kept.

    Parameters
    ----------
    fig : Figure
    alt : str
        Its alternative text.
    picture : str
        What the page shows of it.
    """
    if chapters.VARIABLE not in os.environ:
        return
    with suppress(pickle.PicklingError, AttributeError, TypeError):
        content = zlib.compress(pickle.dumps((fig, alt)), level=1)
        file = _file(picture)
        file.parent.mkdir(parents=True, exist_ok=True)
        files.write(file, content)


def find(picture: str) -> tuple[Figure, str] | None:
    """Return the figure of a picture and its alternative text; None if it was not kept."""
    try:
        content = zlib.decompress(_file(picture).read_bytes())
        return pickle.loads(content)  # nosec B301
    except Exception:  # missing, damaged, or of another version of Matplotlib
        return None


def _file(picture: str) -> Path:
    digest = hashlib.sha256(picture.encode()).hexdigest()
    return chapters.BUILD / "figures" / digest[:16]
