"""Labels that only count, from 0 for one model and from 1 for another."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd


class NumberedApart(NamedTuple):
    """Two models whose labels count the same things, but from 0 and from 1.

    Attributes
    ----------
    from_zero, from_one : str
        Names of models.
    last : int
        The last number of the second.
    """

    from_zero: str
    from_one: str
    last: int


def numbered_apart(
    lacking: Mapping[str, Any], labels: pd.Index
) -> NumberedApart | None:
    """Return two models that lack each other's end of labels that only count, if all do.

    Parameters
    ----------
    lacking : mapping
        The only label that each model lacks.
    labels : Index
        The labels of all models.

    Returns
    -------
    NumberedApart or None

    Examples
    --------
    >>> numbered_apart({"new": "q3", "old": "q0"}, pd.Index(["q0", "q1", "q2", "q3"]))
    NumberedApart(from_zero='new', from_one='old', last=3)
    """
    last = len(labels) - 1
    ends = {model: _number(label) for model, label in lacking.items()}
    if set(ends.values()) != {0, last}:
        return None
    numbers = {_number(label) for label in labels}
    stems = {re.sub(r"\d+$", "", str(label)) for label in labels}
    if numbers != {*range(last + 1)} or len(stems) > 1:
        return None
    from_zero = next(model for model, end in ends.items() if end == last)
    from_one = next(model for model, end in ends.items() if end == 0)
    return NumberedApart(from_zero, from_one, last)


def _number(label: Any) -> int | None:
    """Return the number at the end of a label."""
    match = re.search(r"\d{1,9}$", str(label))
    return int(match[0]) if match else None
