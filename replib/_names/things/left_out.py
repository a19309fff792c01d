"""Groups that each fold left out, by the name of a column or by labels: "wo_site_A"."""

import re
from collections.abc import Iterable, Sequence

from replib._names.things.kinds import (
    LEFT_OUT,
    QUALIFIERS,
    REPEATED,
    REPETITIONS,
    kind_in_role,
    only_count,
)
from replib._names.words import matches_of_all, words_of_column

#: Labels of folds such as "wo_press01", "w/o site A", "loso_3" and "leave_A_out".
_LABEL_LEFT_OUT = re.compile(
    r"(?:w/?o|without|excl|excluding|except|all[ _-]but|lo[a-z]?o"
    r"|(?:held|hold|leave|left)[ _-]?(?:one[ _-]?)?out)[ _.:=-]+(?P<thing>[^\W\d_].*)"
    r"|leave[ _-](?:one[ _-])?(?P<between>.+)[ _-]out(?:[ _.:=-]+\d+)?"
    r"|lo(?P<letter>[cmpstu])o[ _.:=-]*\d+",
    re.IGNORECASE,
)
#: Words for what is left out of the data in any cross-validation, which no kind has.
_PARTS_LEFT_OUT = {"chunk", "group", "one", "part", "portion", "row", "set"}
#: Kinds of what is left out in any cross-validation.
_ALWAYS_LEFT_OUT = {
    *REPEATED,
    *REPETITIONS,
    "block",
    "item",
    "part of the data",
    "split",
}


def has_groups_left_out(name: object, labels: Sequence[str]) -> bool:
    """Return whether a column of folds has, by its name, the group that each left out.

    >>> has_groups_left_out("held_out_donor", ["1", "2"]), has_groups_left_out("donor", ["1"])
    (True, False)
    >>> names = ("held_out_fold", "held_out_chunk", "left_out")
    >>> [has_groups_left_out(name, ["1", "2"]) for name in names]
    [False, False, False]
    """
    words = " ".join(words_of_column(name))
    thing = LEFT_OUT.sub("", words)
    if thing == words or QUALIFIERS.issuperset(thing.split()):
        return False
    kind = kind_in_role(thing)
    if kind is None:  # "held_out_chunk" may number the folds
        return not only_count(labels)
    return kind not in _ALWAYS_LEFT_OUT


def are_left_out(labels: Iterable[str]) -> bool:
    """Return whether each label of a fold says which group was left out.

    >>> are_left_out(["wo_press01", "wo_press02"]), are_left_out(["w/o site A", "w/o site B"])
    (True, True)
    >>> are_left_out(["loo_1", "loo_2"]), are_left_out(["without_fold1", "without_fold2"])
    (False, False)
    """
    matches = matches_of_all(_LABEL_LEFT_OUT, labels)
    things = [thing for match in matches for thing in match.groups() if thing]
    return bool(things) and all(map(_is_a_group, things))


def _is_a_group(thing: str) -> bool:
    """Return whether a thing that was left out is no row or fold, whatever else it is."""
    words = " ".join(words_of_column(thing))
    is_part = words in _PARTS_LEFT_OUT or kind_in_role(words) in _ALWAYS_LEFT_OUT
    return bool(words) and not is_part
