"""Names of classes, as the rows of a report on each class of one data set have them.

``replib/data/classes.toml`` has the names.  A word may be that of a data set, too, so that
all names of a table must be those of one list.
"""

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources

from replib._names.words import plain_words

#: Fewer names of a list may be anything.
_FEWEST_CLASSES = 4
#: Rows that a report adds to those of the classes.
_REPORTED = {
    *("accuracy", "macro avg", "weighted avg", "micro avg", "samples avg", "macro"),
    *("micro", "mean", "average", "avg", "overall", "macro average"),
    *("mean iou", "miou"),
    *("weighted average", "micro average", "all", "total"),
}
#: These two stand below the classes in a report, and nowhere else.
_BELOW_CLASSES = {"macro avg", "weighted avg"}


@cache
def _classes() -> tuple[list[set[str]], list[set[str]]]:
    """Return the pairs of classes, and the longer lists."""
    file = resources.files("replib").joinpath("data", "classes.toml")
    classes = tomllib.loads(file.read_text("utf-8"))
    lists = [*classes["lists"].values()]
    return [{*pair} for pair in classes["pairs"]], [{*names} for names in lists]


def are_classes(labels: Sequence[str]) -> bool:
    """Return whether labels are names of classes of one data set, beside their averages.

    >>> are_classes(["Forest", "Built-up", "Water", "Bare soil"]), are_classes(["car", "iris"])
    (True, False)
    >>> are_classes(["spam", "ham", "accuracy", "macro avg", "weighted avg"])
    True
    """
    names = {plain_words(label) for label in labels}
    if names >= _BELOW_CLASSES:
        return True
    names -= _REPORTED
    pairs, lists = _classes()
    if names in pairs:
        return True
    return len(names) >= _FEWEST_CLASSES and any(names <= known for known in lists)
