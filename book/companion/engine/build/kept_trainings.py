"""What chapters train, kept from one execution to the next.

Training takes most of the seconds of a chapter that trains, and few of its parameters
change what is trained: a rerun with another level finds its models trained.  What is kept
lies in the folder of the build, which is trusted like the code.
"""

import functools
import hashlib
import pickle
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import replib
from companion.engine.build import chapters, files, staleness
from companion.engine.build.chapters import Chapter

if TYPE_CHECKING:
    from replib import Scores


def folder(chapter: Chapter, parts: dict[str, str]) -> Path:
    """Return where executions of a chapter keep what they train, while no code changes.

    Parameters
    ----------
    chapter : Chapter
    parts : dict of str
        From `companion.engine.build.staleness.parts`.
    """
    code = {name: part for name, part in parts.items() if name != staleness.VALUES}
    return chapters.BUILD / "trained" / chapter.name / staleness.key_of(code)


def keep(place: Path) -> None:
    """Let `replib.train` in this process keep its results in a folder, and find them there."""
    train = replib.train

    @functools.wraps(train)
    def kept(*arguments: Any, **settings: Any) -> "Scores":
        asked = _pickled((arguments, settings))
        if asked is None:
            return train(*arguments, **settings)
        file = place / hashlib.sha256(asked).hexdigest()[:16]
        scores = _found(file)
        if scores is None:
            scores = train(*arguments, **settings)
            _remove_others(place)
            files.write(file, pickle.dumps(scores))
        return scores

    replib.train = kept


def _pickled(arguments: object) -> bytes | None:
    """Return what is to be trained as bytes; None if part of it is defined in the chapter.

    Such a part is pickled by its name, and what it does may depend on parameters.
    """
    try:
        content = pickle.dumps(arguments)
    except (pickle.PicklingError, AttributeError, TypeError):
        return None
    return None if b"__main__" in content else content


def _found(file: Path) -> "Scores | None":
    try:
        return pickle.loads(file.read_bytes())  # nosec B301
    except Exception:  # missing, or damaged
        return None


def _remove_others(place: Path) -> None:
    """Remove what earlier code has trained."""
    place.mkdir(parents=True, exist_ok=True)
    for other in place.parent.iterdir():
        if other != place:
            shutil.rmtree(other, ignore_errors=True)
