"""Labels that are of another kind than their role, by the name of their column or index."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from replib._names.things.kinds import (
    AMOUNT,
    APART,
    ASKED,
    CHOSEN,
    REPEATED,
    STATES,
    kind_in_role,
    kind_of_amounts,
    kind_of_column,
    misfits,
    only_count,
    plural,
)
from replib.designs import Design, Items, RandomSplits, Seeds

#: So many rows of a column are looked at for what its labels say.
_MOST_LABELS = 10_000
#: Roles of what a model was trained on, or how often.
_REPEATED = ("run", "fold", "dataset")
#: What may be held out as a whole in each fold.
_HELD_OUT = {*APART, "language", "task", "data set"}
#: What to do about a kind in a role, or in any.
_ADVICE: dict[tuple[str, str | None], str] = {
    ("bootstrap sample", None): (
        "they overlap, so no test here is valid: give scores on splits"
    ),
    ("date", "fold"): "name the splitter that made them",
    ("pass", "run"): "give the mean over them for each training",
    ("class", "dataset"): "give the mean over them for each data set",
}


def problem_of_kind(
    role: str, name: Any, labels: Iterable[Any], design: Design, *, advice: bool = True
) -> str | None:
    """Write what labels are instead of their role, and what to do; None if they may fit.

    Parameters
    ----------
    role : str
        Such as "run".
    name : object
        Of the column or index.
    labels : iterable
        In the rows.
    design : Design
    advice : bool
        Whether to write what to do.
    """
    distinct = [*dict.fromkeys(map(str, islice(labels, _MOST_LABELS)))]
    kind = kind_of_column(name, distinct)
    of_amounts = kind_of_amounts(name)
    if kind is None or not misfits(kind, role):
        return None
    is_by_numbers = kind_in_role(name) is None and all(map(AMOUNT.fullmatch, distinct))
    if is_by_numbers and role not in _REPEATED:
        return None  # items and tasks may have levels
    if _fits_design(kind, role, design, name, distinct):
        return None
    thing = "data set" if role == "dataset" else role
    is_by_name = is_by_numbers or kind in (kind_in_role(name), of_amounts)
    evidence = "name" if is_by_name else "labels"
    problem = f"{plural(kind)} by its {evidence}, and no {plural(thing)}"
    return f"{problem}: {_advice_on_kind(kind, role, design)}" if advice else problem


def _fits_design(
    kind: str | None, role: str, design: Design, name: Any, labels: Sequence[str]
) -> bool:
    """Return whether labels fit this design that fit their role in no other one."""
    if role == "fold" and getattr(design, "groups", False):
        return kind not in STATES  # groups are years, data sets or persons
    if role == "run" and isinstance(design, Items) and design.runs == "samples":
        return kind in ASKED
    if role == "run" and isinstance(design, RandomSplits):
        if kind == "iteration":  # of a resampling, which mlr3 counts so
            return only_count(labels)
        return kind == "bootstrap sample" and "boot" not in str(name).casefold()
    return False


def _advice_on_kind(kind: str, role: str, design: Design) -> str:
    """Return what to do about a column whose labels are of a kind that its role does not fit."""
    if role == "cluster":
        return "say which column has the clusters"
    if role == "fold" and kind in _HELD_OUT:
        return "if each was held out as a whole, the design says groups=True"
    if kind in APART:
        return "give the mean over them for each training"
    if kind in STATES or (role in _REPEATED and kind in (*CHOSEN, "horizon")):
        return "choose one of them by where="
    if kind in ASKED and role == "run" and isinstance(design, Items):
        return 'say Items(runs="samples") if each model was asked under all of them'
    if kind == "fold" and isinstance(design, Seeds | RandomSplits):
        return 'say how many runs of how many folds there are, as in design="1x10"'
    advice = _ADVICE.get((kind, role)) or _ADVICE.get((kind, None))
    if advice is not None:
        return advice
    if role in ("run", "fold"):
        return "say with design how the scores were made"
    if kind in REPEATED:
        return "the design is that of seeds or of splits"
    return "say which column has these"
