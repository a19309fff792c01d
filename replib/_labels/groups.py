"""Notes about a group of data sets beside its parts: cqadupstack and cqadupstack/android.

The label of a part has the words of the group, and others behind or between them.  Of
"imagenet" and "imagenet-sketch" neither is a part of the other, so that what has no
sign of a part, such as a slash, must have values between those of its parts.  What is
known to be a whole needs no such label: the United States beside Ohio.
"""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from replib._labels.texts import texts_like_names
from replib._names.labels.wholes import whole_and_parts
from replib._validation import listed, shown
from replib.designs import Datasets
from replib.scores import Predictions, Scores

#: More data sets are seldom named by hand.
_MOST_LABELS = 1000
#: Parts that show a group: with a slash, and without.
_FEWEST_IN_FOLDER = 2
_FEWEST_PARTS = 3
#: A folder and what is in it.
_IN_FOLDER = re.compile(r"(?P<folder>.*[^\W_])(?:/|::?|\|| > )(?P<part>[^/:|>]+)")
#: Words that are no name of a part: "v2", "2013", "C", "DE".
_NO_PART = re.compile(r"v?[\d.]+|[a-z]{1,2}")


def notes_about_groups(table: Scores | Predictions) -> Iterator[str]:
    """Note a data set, or a task, that is a group of which there are parts, too."""
    if table.strata is not None:
        tasks = table.strata.tasks
        yield from [*_folders(tasks, "task")] or _known_wholes(tasks, "task")
    if not isinstance(table.design, Datasets) or not isinstance(table, Scores):
        return
    labels = texts_like_names(table, "dataset")
    notes = [*_folders(labels, "data set")] or [*_known_wholes(labels, "data set")]
    yield from notes or _between_parts(labels, table)


def _folders(labels: Sequence[str], unit: str) -> Iterator[str]:
    """Note a label that is the folder of others."""
    parts: dict[str, list[str]] = {}
    for label in labels[:_MOST_LABELS]:
        match = _IN_FOLDER.fullmatch(label.strip())
        if match is not None:
            parts.setdefault(match["folder"].casefold().strip(), []).append(label)
    for label in labels[:_MOST_LABELS]:
        members = parts.get(label.casefold().strip(), [])
        if len(members) >= _FEWEST_IN_FOLDER:
            yield _note(label, members, unit)
            return


def _known_wholes(labels: Sequence[str], unit: str) -> Iterator[str]:
    """Note a whole beside its parts, such as a country beside its states."""
    if len(labels) > _MOST_LABELS:
        return
    known = whole_and_parts(labels)
    if known is not None:
        yield _note(*known, unit)


def _between_parts(labels: Sequence[str], table: Scores) -> Iterator[str]:
    """Note a data set whose words others have, and whose scores are between theirs."""
    if len(labels) > _MOST_LABELS:
        return
    parts: dict[tuple[str, ...], list[str]] = {}
    for label in labels:
        for group in _possible_groups(_words(label)):
            parts.setdefault(group, []).append(label)
    for label in labels:
        members = parts.get(_words(label), [])
        if len(members) >= _FEWEST_PARTS and _is_between(label, members, table):
            yield _note(label, members, "data set")
            return


def _note(label: str, parts: Sequence[str], unit: str) -> str:
    return (
        f"{shown(label)} is there beside {listed(parts[:2])}, which are its parts by their "
        f"labels: is it a {unit} of its own?"
    )


def _words(label: str) -> tuple[str, ...]:
    """Return the words of a label: "CQADupstackAndroid" has two.

    >>> _words("CQADupstackAndroid"), _words("heart-c")
    (('cqadupstack', 'android'), ('heart', 'c'))
    """
    split = re.sub(r"([a-z])([A-Z])", r"\1 \2", label)
    return tuple(re.findall(r"[^\W_]+", split.casefold()))


def _possible_groups(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield words without some of them, which follow each other and name a part."""
    for start in range(1, len(words)):
        for end in range(start + 1, len(words) + 1):
            if not all(map(_NO_PART.fullmatch, words[start:end])):
                yield words[:start] + words[end:]


def _is_between(label: str, parts: Sequence[str], table: Scores) -> bool:
    """Return whether the scores of a data set are between those of others, in all models."""
    columns = {unit: column for column, unit in enumerate(table.units)}
    part_columns = [columns[part] for part in parts]
    scores = np.stack([*table.blocks.values()])
    low = scores[:, part_columns].min(axis=1)
    high = scores[:, part_columns].max(axis=1)
    of_label = scores[:, columns[label]]
    return bool(((low < of_label) & (of_label < high)).all())


__all__ = ["notes_about_groups"]
