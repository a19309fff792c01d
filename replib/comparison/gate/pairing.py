"""Series and DataFrames brought into one order by their labels, or refused."""

from collections.abc import Iterable, Sequence
from typing import Any

from replib.comparison import rules
from replib.comparison.gate.tables import is_default


def index_of(values: Any, axis: str = "index") -> Any:
    """Return the index of a Series or DataFrame, or None for values without labels."""
    index = getattr(values, axis, None)
    return index if hasattr(index, "equals") and hasattr(index, "has_duplicates") else None


def aligned(
    parts: Iterable[Any], names: Sequence[str], axes: Sequence[str] = ("index", "columns")
) -> list[Any]:
    """Bring labelled values into the order of the first that has labels.

    An index that only counts the rows is ignored if the others have different labels; if they have
    the same labels in another order, the intention is unclear, and both are refused.

    Parameters
    ----------
    parts : iterable
        Series, DataFrames, or values without labels, which stay as they are.
    names : sequence of str
        For messages.
    axes : sequence of str
        Which axes of a DataFrame are aligned.

    Returns
    -------
    list

    Raises
    ------
    ValueError
        If a label occurs twice, or two indices have different labels.

    Examples
    --------
    >>> import pandas as pd
    >>> a, b = pd.Series([1, 2], index=["x", "y"]), pd.Series([4, 3], index=["y", "x"])
    >>> [part.tolist() for part in aligned([a, b], ["a", "b"])]
    [[1, 2], [3, 4]]
    """
    parts = list(parts)
    for axis in axes:
        labelled = [i for i, part in enumerate(parts) if index_of(part, axis) is not None]
        for i in labelled:
            index = index_of(parts[i], axis)
            if index.has_duplicates:
                rules.apply("label-twice", label=index[index.duplicated()][0], name=names[i])
        for i in labelled[1:]:
            parts[i] = _like(parts[labelled[0]], parts[i], axis, (names[labelled[0]], names[i]))
    return parts


def _like(one: Any, other: Any, axis: str, names: tuple[str, str]) -> Any:
    index, its = index_of(one, axis), index_of(other, axis)
    if index.equals(its) or (axis == "columns" and len(index) == len(its) == 1):
        return other
    counted = is_default(index) or is_default(its)
    if len(index) != len(its) or not index.isin(its).all():
        if len(index) != len(its) or (counted and getattr(other, "ndim", 1) == 1):
            return other  # the error for unequal lengths is raised elsewhere
        label = index[~index.isin(its)][0]
        rules.apply("labels-differ", a=names[0], b=names[1], label=label)
    if counted:
        rules.apply("order-differs", a=names[0], b=names[1])
    return other.reindex(index) if axis == "index" else other.reindex(columns=index)
