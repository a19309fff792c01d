"""Rows of a table with the numbers of their labels, which are found once.

To find a million texts takes a fifth of a second, each time that they are looked up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Codes = NDArray[np.int64]

#: Combinations of labels per row, of which so many are numbered without a look at which
#: of them occur.
_MOST_PER_ROW = 4


class Coded(NamedTuple):
    """A column of labels as numbers.

    Attributes
    ----------
    codes : ndarray of int, shape (rows,)
        The place of each row's label; -1 for a gap.
    labels : Index
        The different labels, in the order of their first rows.
    """

    codes: Codes
    labels: "pd.Index[str]"

    @classmethod
    def from_column(cls, column: "pd.Series[str]") -> Self:
        """Return the labels of a column.

        >>> Coded.from_column(pd.Series(["b", "a", "b"])).codes.tolist()
        [0, 1, 0]
        """
        if getattr(column.dtype, "storage", None) != "python":
            return cls(*pd.factorize(column))
        # texts that are Python's: pandas numbers them in half of the time as objects
        codes, labels = pd.factorize(column.to_numpy(object))
        return cls(codes, pd.Index(labels, dtype=column.dtype))

    @property
    def first_rows(self) -> Codes:
        """The place of the first row of each label."""
        first = np.empty(len(self.labels), dtype=np.int64)
        backwards = np.arange(len(self.codes))[::-1]
        first[self.codes[backwards]] = backwards  # of a label's rows, the last is kept
        return first

    def chosen(self, places: Codes) -> Self:
        """Return the labels of some rows."""
        codes, old_codes = pd.factorize(self.codes[places])
        return type(self)(codes, self.labels[old_codes])


@dataclass(frozen=True, eq=False)
class Rows:
    """A table, and the codes of columns that are looked up often.

    Attributes
    ----------
    frame : DataFrame
        Columns named after their roles.
    coded : mapping of Coded
        Of models, and of items or data sets.
    """

    frame: pd.DataFrame
    coded: Mapping[str, Coded]

    def column(self, key: str) -> Coded:
        """Return the codes of a column."""
        if key in self.coded:
            return self.coded[key]
        return Coded.from_column(self.frame[key])

    def chosen(self, places: Codes) -> Self:
        """Return some of the rows."""
        coded = {key: column.chosen(places) for key, column in self.coded.items()}
        return type(self)(self.frame.iloc[places], coded)


def combinations_of_codes(columns: Sequence[Coded]) -> Codes:
    """Return a number for each combination of labels: equal for rows with equal labels.

    The numbers are less than a few times the number of rows.

    >>> letters = Coded.from_column(pd.Series(["a", "b", "a"]))
    >>> numbers = Coded.from_column(pd.Series([1, 2, 1]))
    >>> combinations_of_codes([letters, numbers]).tolist()
    [0, 3, 0]
    """
    n_rows = len(columns[0].codes)
    numbers = np.zeros(n_rows, dtype=np.int64)
    n_numbers = 1
    for codes, labels in columns:
        numbers = numbers * len(labels) + codes
        n_numbers *= len(labels)
        if n_numbers > _MOST_PER_ROW * n_rows:
            numbers, distinct = pd.factorize(numbers)
            n_numbers = len(distinct)
    return numbers
