"""Names of classes, as the rows of a report on each class of one data set have them.

``replib/data/names/classes.toml`` has the names.  A word may be that of a data set, too, so that
all names of a table must be those of one list.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from replib._names.tables import pattern_of, table_of_words
from replib._names.words import plain_words, split_at_capitals, without_bracket

#: Fewer names of a list may be anything.
_FEWEST_CLASSES = 4
_FEWEST_OF_A_LIST = 3
#: Rows that a report adds to those of the classes.
_REPORTED = {
    *("accuracy", "macro avg", "weighted avg", "micro avg", "samples avg", "macro"),
    *("micro", "mean", "average", "avg", "overall", "macro average", "mean iou"),
    *("miou", "weighted average", "micro average", "all", "total"),
}
#: Before the tag of a word that begins, or goes on with, an entity: "B-PER", "I-LOC".
_TAG = re.compile(r"^[bies] (?P<class>.+)")
#: Marks with a sign, and chapters of the ICD: "B+", "C-", "A00-B99".
_MARK = re.compile(r"[A-F][+−–-]?")
_SIGNED_MARK = re.compile(r"[A-F][+−–-]")
_CHAPTER = re.compile(r"[A-Z]\d\d ?[-–] ?[A-Z]\d\d")
#: So many labels have a sign where marks are meant.
_FEWEST_SIGNED = 2
#: On which side a part of a body is: "left kidney", "lung_R".
_SIDE = re.compile(r"^(?:left|right|l|r|lt|rt) | (?:left|right|l|r|lt|rt)$")
_FEWEST_WITHOUT_DATA = 2
#: These two stand below the classes in a report, and nowhere else.
_BELOW_CLASSES = {"macro avg", "weighted avg"}


@cache
def _classes() -> tuple[list[set[str]], list[set[str]]]:
    """Return the sets of classes that occur whole, and the longer lists."""
    classes = table_of_words("classes")
    lists = [*classes["lists"].values()]
    return [{*names} for names in classes["whole"]], [{*names} for names in lists]


def are_classes(labels: Sequence[str]) -> bool:
    """Return whether labels are names of classes of one data set, beside their averages.

    >>> are_classes(["Forest", "Built-up", "Water", "Bare soil"]), are_classes(["car", "iris"])
    (True, False)
    >>> are_classes(["spam", "ham", "accuracy", "macro avg", "weighted avg"])
    True
    """
    names = {label: plain_words(label) for label in labels}
    if {*names.values()} >= _BELOW_CLASSES:
        return True
    names = {label: name for label, name in names.items() if name not in _REPORTED}
    whole, lists = _classes()
    for classes in ({*names.values()}, _without_tags(names.values())):
        if classes in whole:
            return True
        # "BB" and "BB+" are two classes; letters alone may stand for any rows
        have_words = any(len(name) > 1 for name in classes)
        are_several = len(names) >= _FEWEST_CLASSES and have_words
        if are_several and any(classes <= known for known in lists):
            return True
    return _are_parts_of_body(labels) or _are_marks_or_chapters(labels)


def are_of_one_list(labels: Sequence[str]) -> bool:
    """Return whether all labels, also those like averages, are classes of one list.

    >>> are_of_one_list(["company", "date", "total"]), are_of_one_list(["road", "sky", "total"])
    (True, False)
    """
    _, lists = _classes()
    if len(labels) > max(map(len, lists)):
        return False
    names = {*map(plain_words, labels)}
    return len(names) >= _FEWEST_OF_A_LIST and any(names <= known for known in lists)


def are_targets(labels: Sequence[str]) -> bool:
    """Return whether labels are what is predicted of each thing of one data set.

    >>> are_targets(["mu", "alpha", "homo (meV)", "lumo (meV)"]), are_targets(["mu", "iris"])
    (True, False)
    """
    names = {plain_words(without_bracket(label)) for label in labels} - _REPORTED
    targets = table_of_words("classes")["targets"].values()
    are_several = len(names) >= _FEWEST_CLASSES and any(len(name) > 1 for name in names)
    return are_several and any(names <= {*known} for known in targets)


@cache
def _parts_of_body() -> tuple[set[str], set[str]]:
    """Return the parts of a body that have data sets of their own, and the others."""
    body = table_of_words("classes")["body"]
    return {*body["data_sets"]}, {*body["parts"]}


def _are_parts_of_body(labels: Iterable[str]) -> bool:
    """Return whether labels are of parts of one body, some on two sides or without data sets.

    >>> _are_parts_of_body(["Left kidney", "kidney_R", "Spleen", "Liver"])
    True
    >>> _are_parts_of_body(["Brain", "Heart", "Spleen", "Liver"])
    False
    """
    names = {plain_words(split_at_capitals(label)) for label in labels} - _REPORTED
    stems = [_SIDE.sub("", name).strip() for name in names]
    known = [stem if stem in _all_parts() else stem.removesuffix("s") for stem in stems]
    if len(names) < _FEWEST_CLASSES or not _all_parts().issuperset(known):
        return False
    data_sets, _ = _parts_of_body()
    n_without = len({*known} - data_sets)
    return len({*known}) < len(names) or n_without >= _FEWEST_WITHOUT_DATA


def _all_parts() -> set[str]:
    data_sets, others = _parts_of_body()
    return data_sets | others


def _without_tags(names: Iterable[str]) -> set[str]:
    """Return names without the tags of words: "b per" and "i per" are both "per"."""
    return {_TAG.sub(r"\g<class>", name) for name in names}


def _are_marks_or_chapters(labels: Sequence[str]) -> bool:
    """Return whether labels are all marks, some with a sign, or all chapters of the ICD."""
    plain = [label.strip() for label in labels]
    n_signed = sum(_SIGNED_MARK.fullmatch(label) is not None for label in plain)
    are_marks = n_signed >= _FEWEST_SIGNED and all(map(_MARK.fullmatch, plain))
    return are_marks or (len(plain) > 1 and all(map(_CHAPTER.fullmatch, plain)))


@cache
def _no_class() -> re.Pattern[str]:
    """Return the pattern of what stands in place of a class."""
    return pattern_of(table_of_words("classes")["no_class"])


def is_no_class(label: str) -> bool:
    """Return whether a label says that there is no class.

    >>> [is_no_class(label) for label in ("not annotated", "N/A", "??", "unlabelled", "none")]
    [True, True, True, True, False]
    """
    is_question = {*label.strip()} == {"?"}
    return is_question or _no_class().fullmatch(plain_words(label)) is not None
