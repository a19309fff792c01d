"""What the formats have in common: how each is recognised, and what a reader returns."""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from replib._formats.documents import Peek, quoted_path
from replib._sources import Source
from replib._tables.arguments import quoted
from replib._validation import listed, refusal


@dataclass(frozen=True, kw_only=True)
class Request:
    """What a person says about the files.

    Attributes
    ----------
    metric : str, Metric, mapping or None
        Of logs it may be a mapping from tasks to names.
    design : Design or None
    columns, where : mapping
        As for :class:`replib.scores.Scores`.
    missing : {"refuse", "common"}
    named_folders : tuple of (name, path)
        Folders whose logs are those of one model.
    """

    metric: Any = None
    design: Any = None
    columns: Mapping[str, Any] = field(default_factory=dict)
    where: Mapping[str, Any] = field(default_factory=dict)
    missing: str = "refuse"
    named_folders: tuple[Source, ...] = ()

    @property
    def metric_name(self) -> Any:
        """Name of the metric, or names by task, if any was said."""
        return getattr(self.metric, "name", self.metric)

    @property
    def ignored(self) -> list[Any]:
        """Columns that were said to have no role."""
        ignored = self.columns.get("ignored", [])
        return [ignored] if isinstance(ignored, str) else list(ignored)


@dataclass(frozen=True, kw_only=True)
class Content:
    """What files hold: a row per score, and what the reader knows about it.

    Attributes
    ----------
    frame : DataFrame
        Columns `model` and `score`, and those that the design needs, unless `columns`
        gives them other names.
    metric, design : object
        As the person said, or as the files say.
    columns, where : mapping
        As for :class:`replib.scores.Scores`.
    notes : tuple of str
        What has to be said about the scores, in sentences.
    files : tuple of Path
        The files that were read.
    """

    frame: pd.DataFrame
    metric: Any
    design: Any
    columns: Mapping[str, Any] = field(default_factory=dict)
    where: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Format:
    """A kind of files that one tool writes.

    Attributes
    ----------
    name : str
        What a file of it is, as in "a log of Inspect".
    recognises : callable
        Whether a file is one, by its structure.
    read : callable
        Of the sources, all of which are such files, and the request.
    patterns : tuple of str
        Where such files are below a folder that is given in their place.
    sign : str
        What such files are called, for the sentence about a folder that has none.
    named_by_folder : bool
        Whether the model of a file that is found in a folder is called as its folder.
    """

    name: str
    recognises: Callable[[Peek], bool]
    read: Callable[[Sequence[Source], Request], Content]
    patterns: tuple[str, ...] = ()
    sign: str = ""
    named_by_folder: bool = False

    def files(self, folder: Path, peek: Callable[[Path], Peek]) -> list[Path]:
        """Return the files of this format that a folder has, from the first place with any.

        Parameters
        ----------
        folder : Path
        peek : callable
            What a file shows, so that no file is looked at twice.
        """
        for pattern in self.patterns:
            files = _found(folder, pattern)
            files = [file for file in files if self.recognises(peek(file))]
            if files:
                return files
        return []


def _found(folder: Path, pattern: str) -> list[Path]:
    """Return the files below a folder whose names fit a pattern, in their order."""
    try:
        return sorted(folder.glob(pattern))
    except OSError as problem:
        raise ValueError(
            f"{quoted_path(folder)} cannot be read: {problem.strerror}"
        ) from None


def summary_only(name: str, recognises: Callable[[Peek], bool], advice: str) -> Format:
    """Return a format whose files are recognised and hold nothing to compare.

    Parameters
    ----------
    advice : str
        What is missing in them, and which file has it.
    """

    def refuse(sources: Sequence[Source], request: Request) -> Content:
        _, path = sources[0]
        raise ValueError(f"{quoted_path(path)} is {name}, {advice}")

    return Format(
        name=name,
        recognises=recognises,
        read=refuse,
        patterns=("*.json", "*/*.json"),
    )


def which_column(role: str, noun: str, candidates: Sequence[Any]) -> ValueError:
    """Return the question which column has a role.

    >>> print(which_column("score", "a table of runs", ["val_acc", "val_loss"]))
    a table of runs has several columns that may be the score, 'val_acc' and 'val_loss': \
say which, as in columns={'score': 'val_acc'}
    """
    problem = f"{noun} has no column that must be the {role}"
    if candidates:
        problem = (
            f"{noun} has several columns that may be the {role}, {listed(candidates)}"
        )
    example = candidates[0] if candidates else "..."
    shell = quoted(example) if candidates else "NAME"
    return refusal(
        problem,
        f"say which, as in columns={{'{role}': {example!r}}}",
        f"say which, as in --column {role}={shell}",
    )


def folder_name(path: Path) -> str:
    """Return the name of the folder of a file, or of the one above a numbered version.

    >>> folder_name(Path("logs/wide/version_3/metrics.csv"))
    'wide'
    """
    folders = path.absolute().parents
    is_version = re.fullmatch(r"version_\d+", folders[0].name) and len(folders) > 1
    return folders[1 if is_version else 0].name


def own_name(path: Path) -> str:
    """Return the name of a file without its ending.

    >>> own_name(Path("runs/mlp.csv"))
    'mlp'
    """
    return os.path.splitext(path.name)[0]
