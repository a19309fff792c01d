"""A data set for classification, and its counts."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field

import pandas as pd


@dataclass(frozen=True)
class Facts:
    """Counts of a data set, and a hash of its cells.

    Attributes
    ----------
    instances : int
    numeric, nominal : int
        Attributes by type, without the class.
    classes_declared, classes_present : int
        Weka's learners count every declared class, even one that no instance has.
    missing_cells : int
    sha256 : str
        Hash of the cells in canonical form, column by column, the class last.
    """

    instances: int
    numeric: int
    nominal: int
    classes_declared: int
    classes_present: int
    missing_cells: int
    sha256: str

    @property
    def attributes(self) -> int:
        """Attributes of both types, without the class."""
        return self.numeric + self.nominal


@dataclass(frozen=True)
class Dataset:
    """A data set for classification.

    Attributes
    ----------
    name : str
    X : DataFrame, shape (instances, attributes)
        Nominal attributes are categorical with the declared values in their declared
        order, numeric ones float64; a missing cell is NaN.
    y : Series, shape (instances,)
        The class, categorical with the declared classes, absent ones included.
    source : str
        Its origin: a file, or a version at OpenML.

    Examples
    --------
    >>> weather = Dataset(
    ...     "weather",
    ...     pd.DataFrame({"wind": pd.Categorical(["calm", None, "gale"]), "degrees": [21.5, 9, 7]}),
    ...     pd.Series(pd.Categorical(["out", "in", "out"], categories=["in", "out", "both"])),
    ...     "an example",
    ... )
    >>> weather
    Dataset(name='weather', source='an example')
    >>> facts = weather.facts
    >>> facts.numeric, facts.nominal, facts.missing_cells, facts.classes_declared
    (1, 1, 1, 3)
    """

    name: str
    X: pd.DataFrame = field(repr=False)
    y: pd.Series = field(repr=False)
    source: str

    @property
    def facts(self) -> Facts:
        """Sizes, classes, missing cells, hash."""
        nominal = sum(map(is_nominal, self.columns())) - 1
        text = "\n".join(map(_canonical, self.columns()))
        return Facts(
            instances=len(self.X),
            numeric=self.X.shape[1] - nominal,
            nominal=nominal,
            classes_declared=len(self.y.cat.categories),
            classes_present=int(self.y.nunique()),
            missing_cells=int(sum(column.isna().sum() for column in self.columns())),
            sha256=hashlib.sha256(text.encode()).hexdigest(),
        )

    def columns(self) -> Iterator[pd.Series]:
        """Yield the attributes one by one, the class last."""
        for name in self.X:
            yield self.X[name]
        yield self.y


def is_nominal(column: pd.Series) -> bool:
    """Return whether a column is categorical.

    Examples
    --------
    >>> is_nominal(pd.Series([1.0, 2.0])), is_nominal(pd.Series(["a"], dtype="category"))
    (False, True)
    """
    return isinstance(column.dtype, pd.CategoricalDtype)


def _canonical(column: pd.Series) -> str:
    """Write a JSON list: numbers in shortest exact form, labels in quotes, missing cells as null.

    The quotes distinguish the value '?' from a missing cell.
    """
    cells = (
        column.astype(object) if is_nominal(column) else column + 0.0
    )  # no negative zero
    return json.dumps(
        [None if gone else x for x, gone in zip(cells.tolist(), column.isna())]
    )
