"""Notes about data sets, or tasks, that by their labels are made of each other.

They are versions or releases of one, single classes of one against the others, or series
of the same kinds, such as those of several cities in the same years.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from replib._labels.texts import labels_of_key
from replib._names.labels.copies import (
    Marked,
    Revised,
    marked_as_copies,
    revised_labels,
)
from replib._names.labels.domains import domains_of_one
from replib._names.labels.stems import (
    are_crossed,
    labels_by_stem,
    labels_of_one_stem,
    shared_affixes,
)
from replib._names.models.families import is_benchmark
from replib._validation import shown
from replib.designs import Datasets
from replib.scores import Predictions, Scores

#: More labels are not looked at, which takes a hundredth of a second.
_MOST_LABELS = 10_000
#: Labels of data sets such as "ETTh1_96", and "cards_2021-Q4".
_LAST_WORDS = (
    re.compile(r"(?P<stem>.*[^\W_])[\W_]+(?P<affix>[^\W_]+)\)?"),
    re.compile(r"(?P<stem>[^\W_]+)[\W_]+(?P<affix>.*[^\W_])\)?"),
)
#: Fewer data sets may have two names with the same two endings.
_FEWEST_CROSSED = 6
#: Such as "adult_v2", "adult (version 2)" and "adult.v1.1".
_VERSION = re.compile(
    r"(?P<stem>.*[^\W_])[\W_]+v(?:er(?:sion)?)?[ ._-]?\d+(?:[._]\d+)*\)?", re.IGNORECASE
)
#: Such as "ant-1.5" and "log4j 1.0": the number of a release has a point.
_RELEASE = re.compile(r"(?P<stem>.*[^\W_])[\W_]+[1-9]\d*(?:\.\d+)+(?:[ab]|rc\d*)?")
#: One data set may have two versions that are known by themselves, as SQuAD has.
_FEWEST_WITH_VERSIONS = 2
_FEWEST_VERSIONS_OF_ONE = 3
#: Such as "glass-0-1_vs_2", "digits 3 vs rest" and "cifar10_class0": some classes against others.
_AGAINST = re.compile(
    r"(?P<stem>.*?[^\W_])(?:[-_ ]?\d+(?:[-_]\d+)*)?"
    r"[-_ ](?:vs\.?|v|versus|against)[-_ ](?:all|others?|rest|\d+(?:[-_]\d+)*)"
    r"|(?P<named>.*[^\W_])[-_ ](?:class|cls|digit|label|ov[ar]|positive|target)[-_ ]?\d+",
    re.IGNORECASE,
)
#: Such as "glass0": one class, if "glass" is a data set.
_ONE_CLASS = re.compile(r"(?P<stem>.*[^\W\d_])[-_ ]?\d")
#: So many classes of a data set, and such a share of all labels, are more than chance.
_FEWEST_CLASSES = 3
_SHARE_OF_CLASSES = 0.8


def notes_about_versions(table: Scores | Predictions) -> Iterator[str]:
    """Note data sets, and tasks, that are made of each other."""
    if isinstance(table.design, Datasets):
        note = _note_on_data_sets([*map(str, labels_of_key(table, "dataset"))])
        if note is not None:
            yield note
    if table.strata is not None:
        note = _note_on_versions(table.strata.tasks, "task")
        if note is not None:
            yield note


def _note_on_data_sets(labels: Sequence[str]) -> str | None:
    if len(labels) > _MOST_LABELS:
        return None
    return (
        _note_on_versions(labels, "data set")
        or _note_on_classes(labels)
        or _note_on_kinds(labels)
        or _note_on_domains(labels)
    )


def _note_on_versions(labels: Sequence[str], unit: str) -> str | None:
    """Ask about data sets, or tasks, of which there are several versions, among others."""
    copies = [pair for pair in marked_as_copies(labels) if pair.mark == "copy"]
    pairs: list[Marked | Revised] = [*revised_labels(labels), *copies]
    groups = _groups_of_versions(labels, pairs)
    if not groups:
        return None
    is_one_certain = any(pair.is_sure for pair in pairs)
    are_many = len(groups) >= _FEWEST_WITH_VERSIONS
    has_one_many = max(map(len, groups)) >= _FEWEST_VERSIONS_OF_ONE
    if not (is_one_certain or are_many or has_one_many):
        return None
    first, second, *_ = groups[0]
    have = f"{unit}s have" if len(groups) > 1 else f"{unit} has"
    return (
        f"{len(groups)} {have} several versions by their labels, such as "
        f"{shown(first)} and {shown(second)}: do all count as {unit}s of their own?"
    )


def _groups_of_versions(
    labels: Iterable[str], pairs: Iterable[Marked | Revised]
) -> list[list[str]]:
    """Return the labels of each data set with several versions, by their numbers or pairs."""
    versions: dict[str, list[str]] = {}
    for label in labels:
        plain = label.strip()
        match = _VERSION.fullmatch(plain) or _RELEASE.fullmatch(plain)
        if match is not None:
            versions.setdefault(match["stem"].casefold(), []).append(label)
    for revision, original, _ in pairs:
        stem = original.strip().casefold()
        group = [original, *versions.get(stem, ()), revision]
        versions[stem] = [*dict.fromkeys(group)]
    return [group for group in versions.values() if len(group) > 1]


def _note_on_classes(labels: Sequence[str]) -> str | None:
    """Ask about a table that is nearly made up of single classes of few data sets."""
    classes: dict[str, list[str]] = {}
    for label in labels:
        data_set = _data_set_of_class(label.strip())
        if data_set is not None:
            classes.setdefault(data_set.casefold(), []).append(label)
    groups = [group for group in classes.values() if len(group) >= _FEWEST_CLASSES]
    n_labels = sum(map(len, groups))
    if not groups or n_labels < _SHARE_OF_CLASSES * len(labels):
        return None
    are_against = any(_AGAINST.fullmatch(label) for group in groups for label in group)
    if not are_against and len(groups) == 1:
        return None  # of "monks1" to "monks3", each is a data set
    first, second, *_ = groups[0]
    things = "data sets" if len(groups) > 1 else "data set"
    return (
        f"{n_labels} of {len(labels)} data sets are versions of {len(groups)} "
        f"{things} by their labels, such as {shown(first)} and {shown(second)}: do all "
        "count as data sets of their own?"
    )


def _data_set_of_class(label: str) -> str | None:
    """Return the data set of which a label names one class, or some against others, or None."""
    against = _AGAINST.fullmatch(label)
    if against is not None:
        return against["stem"] or against["named"]
    one_class = _ONE_CLASS.fullmatch(label)
    if one_class is None or not is_benchmark(one_class["stem"]):
        return None
    return one_class["stem"]


def _note_on_kinds(labels: Sequence[str]) -> str | None:
    """Ask about data sets of the same kinds, such as series at several horizons."""
    for pattern in _LAST_WORDS:
        stems = labels_by_stem(labels, pattern)
        is_grid = are_crossed(stems) and len(labels) >= _FEWEST_CROSSED
        if is_grid or shared_affixes(stems):
            first, second = labels_of_one_stem(stems)
            return (
                "By their labels, data sets come in groups of the same kinds, such as "
                f"{shown(first)} and {shown(second)}: are they data sets of their own?"
            )
    return None


def _note_on_domains(labels: Iterable[str]) -> str | None:
    """Ask about data from inside and outside the domain of one data set."""
    domains = domains_of_one(labels)
    if domains is None:
        return None
    inside, outside = map(shown, domains)
    return (
        f"{inside} and {outside} are parts of one data set by "
        "their labels: do both count as data sets of their own?"
    )


__all__ = ["notes_about_versions"]
