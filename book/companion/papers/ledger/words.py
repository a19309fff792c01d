"""The words of ledger rows: those of ``judgements.csv``, with the numbers that a row brings.

A text of the file has a placeholder for each number, ``{gain:.1f}``; the row's `numbers` is a
mapping with `gain`.  So code computes, and a sentence can be changed where all sentences are.
"""

from collections.abc import Iterable, Mapping

import pandas as pd

from companion.papers import published


class Span:
    """The least and the greatest of some numbers, for a text.

    Examples
    --------
    >>> f"{Span([2.04, 3.5]):.1f}", f"{Span([2.04, 2.01]):.1f}"
    ('2.0 to 3.5', '2.0')
    """

    def __init__(self, numbers: Iterable[float]):
        self.numbers = list(numbers)

    def __format__(self, form: str) -> str:
        low = format(min(self.numbers), form)
        high = format(max(self.numbers), form)
        return low if low == high else f"{low} to {high}"


class Listed:
    """Some numbers in their order, for a text.

    Examples
    --------
    >>> f"{Listed([2.04, 3.5]):.1f}", f"{Listed([2, -3], '/'):+d}"
    ('2.0, 3.5', '+2/-3')
    """

    def __init__(self, numbers: Iterable[float], separator: str = ", "):
        self.numbers = list(numbers)
        self.separator = separator

    def __format__(self, form: str) -> str:
        return self.separator.join(format(number, form) for number in self.numbers)


def words(frame: pd.DataFrame, column: str) -> pd.Series:
    """Return the words of each ledger row in a column: its own, else those of the file, else None.

    Parameters
    ----------
    frame : DataFrame
        Ledger rows, with `id` and, for texts with placeholders, `numbers`.
    column : str
        A column of ``judgements.csv``.

    Raises
    ------
    ValueError
        If a row lacks a number that its text has a placeholder for.
    """
    of_file = published.judgements().get(column, {})
    nothing = pd.Series(None, frame.index, dtype=object)
    own = frame.get(column, nothing).astype(object)
    found = []
    for fact, text, numbers in zip(frame["id"], own, frame.get("numbers", nothing)):
        if pd.isna(text):
            text = _filled(fact, of_file[fact], numbers) if fact in of_file else None
        found.append(text)
    return pd.Series(found, frame.index, dtype=object)


def _filled(fact: str, text: str, numbers: Mapping[str, object] | None) -> str:
    try:
        return text.format_map(numbers if isinstance(numbers, Mapping) else {})
    except KeyError as missing:
        raise ValueError(
            f"the words of {fact} need the number {missing.args[0]!r}: {text}"
        ) from None
