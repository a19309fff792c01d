"""Conversion of DataFrames to the packed arrays with which the learners compute.

All input is checked here and nowhere else; the learners rely
on it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.utils import check_array, column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from companion.lab.learners.kernels.bits import PackedTable, pack_rows


@dataclass(frozen=True, eq=False)
class Attributes:
    """Columns of a data set: their names and, if nominal, their declared values.

    Attributes
    ----------
    names : tuple
        One per column.
    categories : tuple of (pandas.Index or None)
        The declared values of a nominal attribute, including those that never occur;
        None for a numeric one.
    """

    names: tuple
    categories: tuple[pd.Index | None, ...]

    @classmethod
    def of(cls, X: pd.DataFrame) -> "Attributes":
        """Read names and kinds from a DataFrame, without its values."""
        if not X.columns.is_unique:
            repeated = X.columns[X.columns.duplicated()][0]
            raise ValueError(
                f"column names must differ, but {repeated!r} occurs more than once"
            )
        return cls(
            tuple(X.columns), tuple(_categories(X[name], name) for name in X.columns)
        )

    @cached_property
    def cardinality(self) -> np.ndarray:
        """Number of declared values of each attribute; 0 for a numeric one."""
        return np.array(
            [0 if c is None else len(c) for c in self.categories], dtype=np.int64
        )

    def encode(self, X: pd.DataFrame | ArrayLike) -> np.ndarray:
        """Convert rows with these attributes to numbers.

        Parameters
        ----------
        X : DataFrame or array_like of shape (n_rows, n_attributes)
            Columns in the order of `names`.

        Returns
        -------
        ndarray of float, read-only, shape (n_attributes, n_rows)
            Column by column: numbers of numeric attributes, positions in `categories`
            for nominal ones, NaN where missing.

        Raises
        ------
        ValueError
            If there are no rows, columns differ in name, order or kind from the
            declared ones, a nominal column holds an undeclared value, or a number is
            infinite.

        Examples
        --------
        >>> X = pd.DataFrame({"size": [1.5, None], "colour": pd.Categorical(["red", "blue"])})
        >>> attributes = Attributes.of(X)
        >>> attributes.encode(X).tolist()
        [[1.5, nan], [1.0, 0.0]]
        """
        X = as_frame(X)
        if tuple(X.columns) != self.names:
            raise ValueError(
                f"the columns of X must be those of the training data, {_listing(self.names)}, "
                f"not {_listing(X.columns)}"
            )
        if len(X) == 0:
            raise ValueError("X has no rows; at least one is needed")
        columns = np.empty(X.shape[::-1])
        for j, (name, declared) in enumerate(zip(self.names, self.categories)):
            columns[j] = (
                _numbers(X[name]) if declared is None else _codes(X[name], declared)
            )
        columns.flags.writeable = False
        return columns


@dataclass(frozen=True, eq=False)
class Table:
    """A data set in packed arrays: made once, learnt from as often as needed.

    Make it with :meth:`from_frame`.  Anything that depends only on the data set (such
    as the sorted order of each attribute) is computed once for all subsets of the rows.
    The arrays are read-only.

    Attributes
    ----------
    attributes : Attributes
    classes : ndarray
        Declared classes, in their declared order.
    columns : ndarray of float, shape (n_attributes, n_rows)
        From :meth:`Attributes.encode`.
    labels : ndarray of int, shape (n_rows,)
        Positions in `classes`.
    """

    attributes: Attributes
    classes: np.ndarray
    columns: np.ndarray
    labels: np.ndarray

    def __post_init__(self) -> None:
        # Always contiguous by row and read-only, even after taking rows in another
        # order, or pickling: a worker process may get arrays in shared, read-only
        # memory.  Otherwise the kernels would be compiled, for many seconds, for each
        # kind of array.
        for name in ("columns", "labels", "order"):
            array = self.__dict__.get(name)
            if array is not None:
                array = self.__dict__[name] = np.ascontiguousarray(array)
                array.flags.writeable = False

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)
        self.__dict__.pop("bits", None)
        self.__post_init__()

    @classmethod
    def from_frame(cls, X: pd.DataFrame | ArrayLike, y: ArrayLike) -> "Table":
        """Check and pack a data set.

        Parameters
        ----------
        X : DataFrame or array_like of shape (n_rows, n_attributes)
            Columns of dtype `category` are nominal, with their declared categories;
            numeric columns are numeric; missing values are NaN (or pandas' NA).  All
            columns of an array are numeric and are called x0, x1, ...
        y : array_like of shape (n_rows,)
            Classes.  For a categorical Series they are its declared categories,
            including absent ones; otherwise they are the sorted distinct values.

        Raises
        ------
        ValueError
            If there are no rows or columns, lengths differ, a class is missing, only
            one class occurs, a column is neither nominal nor numeric, a number is
            infinite, or all values are missing.

        Examples
        --------
        >>> X = pd.DataFrame({"size": [1.5, 3.0, 2.0]})
        >>> table = Table.from_frame(X, ["small", "large", "small"])
        >>> table.classes.tolist(), table.labels.tolist()
        (['large', 'small'], [1, 0, 1])
        """
        X = as_frame(X)
        if X.shape[1] == 0:
            raise ValueError("X has no columns; at least one attribute is needed")
        attributes = Attributes.of(X)
        columns = attributes.encode(X)
        if np.isnan(columns).all():
            raise ValueError(
                "all values of X are missing; there is nothing to learn from"
            )
        classes, labels = _classes(y)
        if len(labels) != len(X):
            raise ValueError(f"X has {len(X)} rows but y has {len(labels)}")
        if np.all(labels == labels[0]):
            raise ValueError(
                f"y holds one class only, {_plain(classes[labels[0]])!r}; at least two are needed"
            )
        return cls(attributes, classes, columns, labels)

    @classmethod
    def from_codes(
        cls,
        columns: ArrayLike,
        labels: ArrayLike,
        cardinality: ArrayLike,
        n_classes: int,
    ) -> "Table":
        """Pack nominal data that are already whole numbers, such as a sample of a source.

        Attributes are called x0, x1, ... and their values and the classes are numbered
        from 0.

        Parameters
        ----------
        columns : array_like of int, shape (n_attributes, n_rows)
            Values, from 0; none is missing.
        labels : array_like of int, shape (n_rows,)
            Classes, from 0.  A single class is allowed.
        cardinality : array_like of int, shape (n_attributes,)
            Number of values of each attribute, including those that never occur.
        n_classes : int
            Number of classes, likewise.
        Examples
        --------
        >>> table = Table.from_codes([[0, 1, 1], [2, 0, 1]], [1, 0, 1], [2, 3], 2)
        >>> table.attributes.names, table.attributes.cardinality.tolist(), table.classes.tolist()
        (('x0', 'x1'), [2, 3], [0, 1])
        """
        columns, labels, cardinality = (
            np.ascontiguousarray(x, dtype=np.int64)
            for x in (columns, labels, cardinality)
        )
        attributes = _numbered(tuple(cardinality.tolist()))
        return cls(attributes, np.arange(n_classes), columns.astype(float), labels)

    @property
    def n_rows(self) -> int:
        return len(self.labels)

    @property
    def all_rows(self) -> np.ndarray:
        """Positions of all rows."""
        return np.arange(self.n_rows)

    @cached_property
    def order(self) -> np.ndarray:
        """Rows sorted by each attribute, missing values last; shape (n_attributes, n_rows)."""
        order = np.argsort(self.columns, axis=1, kind="stable")
        order.flags.writeable = False
        return order

    @cached_property
    def bits(self) -> PackedTable | None:
        """The data set as bit sets; None if an attribute is numeric or a value missing."""
        cardinality = self.attributes.cardinality
        if not cardinality.all() or np.isnan(self.columns).any():
            return None
        return pack_rows(
            self.columns.astype(np.int64), self.labels, cardinality, len(self.classes)
        )


def check_nominal(learner: str, table: Table) -> None:
    """Refuse a data set with a numeric attribute."""
    if not table.attributes.cardinality.all():
        name = table.attributes.names[int(np.argmin(table.attributes.cardinality))]
        raise ValueError(
            f"{learner} takes nominal attributes only, and {name!r} is none"
        )


def one_hot(columns: np.ndarray, cardinality: np.ndarray) -> np.ndarray:
    """Return 1 for the value of each row, shape (values of all attributes, n_rows), otherwise 0."""
    values = np.concatenate([np.arange(n) for n in cardinality])
    return (np.repeat(columns, cardinality, axis=0) == values[:, None]).astype(float)


@lru_cache
def _numbered(cardinality: tuple[int, ...]) -> Attributes:
    """Return nominal attributes x0, x1, ... with values 0, 1, ..."""
    names = tuple(f"x{a}" for a in range(len(cardinality)))
    return Attributes(names, tuple(pd.RangeIndex(n) for n in cardinality))


def as_frame(X: pd.DataFrame | ArrayLike) -> pd.DataFrame:
    """Return the rows as a DataFrame; the columns of an array are called x0, x1, ..."""
    if isinstance(X, pd.DataFrame):
        return X
    X = check_array(X, ensure_all_finite=False)
    return pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])


def _categories(column: pd.Series, name: object) -> pd.Index | None:
    """Return the declared values of a nominal column, None for a numeric one."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.cat.categories
    if _is_numeric(column):
        return None
    held = (
        "strings"
        if pd.api.types.infer_dtype(column, skipna=True) == "string"
        else column.dtype
    )
    raise ValueError(
        f"column {name!r} holds {held}; nominal columns need dtype category, numeric ones numbers"
    )


def _is_numeric(column: pd.Series) -> bool:
    kind = column.dtype
    return (
        pd.api.types.is_numeric_dtype(kind)
        and not pd.api.types.is_bool_dtype(kind)
        and not pd.api.types.is_complex_dtype(kind)
    )


def _codes(column: pd.Series, declared: pd.Index) -> np.ndarray:
    if not isinstance(column.dtype, pd.CategoricalDtype):
        raise ValueError(
            f"column {column.name!r} was nominal in training but has dtype {column.dtype} now; "
            "convert it to category"
        )
    own = column.cat.categories
    codes = column.cat.codes.to_numpy()
    if own is not declared and not own.equals(declared):
        position = declared.get_indexer(own)
        strange = own[(position < 0) & np.isin(np.arange(len(own)), codes)]
        if len(strange):
            raise ValueError(
                f"column {column.name!r} holds {_plain(strange[0])!r}, "
                f"which is not among its declared values {_listing(declared)}"
            )
        # one more entry at the end, for code -1 (missing)
        codes = np.append(position, -1)[codes]
    return np.where(codes < 0, np.nan, codes)


def _numbers(column: pd.Series) -> np.ndarray:
    if not _is_numeric(column):
        holds = (
            "nominal" if isinstance(column.dtype, pd.CategoricalDtype) else column.dtype
        )
        raise ValueError(
            f"column {column.name!r} was numeric in training but is {holds} now; numbers are needed"
        )
    numbers = column.to_numpy(dtype=float, na_value=np.nan)
    if np.isinf(numbers).any():
        row = int(np.argmax(np.isinf(numbers)))
        raise ValueError(
            f"column {column.name!r} holds {numbers[row]} in row {row}; numbers must be finite"
        )
    return numbers


def _classes(y: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the declared classes and the position of each row's class among them."""
    if not isinstance(y, (pd.Series, pd.Categorical, pd.CategoricalIndex)):
        y = column_or_1d(y, warn=True)
    column = pd.Series(y).reset_index(drop=True)
    if column.isna().any():
        raise ValueError(
            f"the class in row {int(column.isna().argmax())} of y is missing"
        )
    if not isinstance(column.dtype, pd.CategoricalDtype):
        check_classification_targets(column)
        column = column.astype("category")
    return column.cat.categories.to_numpy(), column.cat.codes.to_numpy(dtype=np.int64)


def _listing(names: Iterable, at_most: int = 6) -> str:
    """List the first few of some names, for a message."""
    names = [repr(_plain(name)) for name in names]
    return ", ".join(names[:at_most] + ["..."] * (len(names) > at_most))


def _plain(value: object) -> object:
    """Return the Python value of a NumPy scalar, which prints without its type."""
    return value.item() if isinstance(value, np.generic) else value
