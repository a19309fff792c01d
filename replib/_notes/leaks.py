"""What a table of features may tell of a test set: the truth itself, or rows of its groups."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from replib._names.things.items import has_identifiers, names_a_group
from replib._names.things.times import follow_in_time
from replib._names.words import words_of_column
from replib._tables.columns import coded_values, look_like_labels
from replib._validation import refusal, shown
from replib.designs import RowNumbers

#: Rows from which a column has the values, or the order, of the truth by no chance.
_FEWEST_ROWS = 20
#: Rows in which nearly all columns differ from the truth.
_FIRST_ROWS = 100
#: Values of a column of groups: fewer may be a feature, such as a school of two.
_FEWEST_GROUPS = 6
#: Rows that show whether they follow each other in time.
_MOST_TIMES = 10_000
#: Words for the number of a thing.
_NUMBERS = {"id", "ids", "idx", "key", "nr", "no", "num", "number", "uid", "uuid"}


def refuse_truth(X: Any, y: Any, prefix: str) -> None:
    """Refuse features of which a column is the truth.

    Parameters
    ----------
    X : object
        Only a DataFrame is looked at.
    y : array_like
    prefix : str
        What a refusal begins with.

    Raises
    ------
    ValueError
        If a column has the values of y, or its name and its classes or order.
    """
    truth = _truth(X, y)
    if truth is None:
        return
    for name, column in X.items():
        is_equal = len(X) >= _FEWEST_ROWS and _has_values(column, truth)
        has_name = isinstance(name, str) and name == getattr(y, "name", None)
        if is_equal or (has_name and _tells(column, truth)):
            trait = "the values" if is_equal else "the name"
            advice = f"leave it out, as in X.drop(columns=[{shown(name)}])"
            raise refusal(
                f"{prefix}column {shown(name)} of X has {trait} of y, "
                "which no model may see",
                advice,
                advice,
            )


def notes_about_leaks(
    X: Any, y: Any, splits: Sequence[RowNumbers], prefix: str
) -> Iterator[str]:
    """Note a column that tells the truth, and groups with rows in training and test sets.

    Parameters
    ----------
    X, y
        As for :func:`refuse_truth`.
    splits : sequence of pairs of arrays
        Row numbers of the training and the test set of each split.
    prefix : str
        What a note begins with.

    Yields
    ------
    str
    """
    if not isinstance(X, pd.DataFrame):
        return
    truth = _truth(X, y)
    if truth is not None and len(X) >= _FEWEST_ROWS:
        yield from _column_that_tells(X, truth, prefix)
    if any(map(follow_in_time, _times_of_rows(X))):
        yield (
            f"{prefix}The rows of X follow each other in time, and models are trained "
            "on later rows than those that they are tested on: is that your question? "
            "Otherwise compare predictions of later rows, with blocks of time as clusters."
        )
    yield from _divided_groups(X, splits, prefix)


def _column_that_tells(
    X: pd.DataFrame, truth: "pd.Series[Any]", prefix: str
) -> Iterator[str]:
    """Note the first column from which the truth follows."""
    for name, column in X.items():
        if _tells(column, truth):
            yield f"{prefix}Column {shown(name)} of X tells y exactly: is it the truth?"
            return


def _divided_groups(
    X: pd.DataFrame, splits: Sequence[RowNumbers], prefix: str
) -> Iterator[str]:
    """Note the first labels of groups that have rows in training and test sets."""
    for name, values in _labels_of_rows(X):
        if _are_groups(name, values) and _is_divided(values, splits):
            yield (
                f"{prefix}Rows with the same {shown(name)} are trained and tested on: do "
                "they depend on each other? "
                "Then give design=list(GroupKFold(5).split(X, y, groups))."
            )
            return


def _truth(X: Any, y: Any) -> "pd.Series[Any] | None":
    """Return y as one column with several values, beside a table of features."""
    values = np.asarray(y)
    if not isinstance(X, pd.DataFrame) or values.ndim != 1:
        return None
    truth = pd.Series(values)
    return truth if truth.nunique() > 1 else None


def _has_values(column: "pd.Series[Any]", truth: "pd.Series[Any]") -> bool:
    """Return whether a column has the values of the truth; most differ in the first rows."""
    for n_rows in (_FIRST_ROWS, len(truth)):
        values = column.iloc[:n_rows].reset_index(drop=True)
        targets = truth.iloc[:n_rows]
        if all(pd.api.types.is_numeric_dtype(x) for x in (values, targets)):
            numbers = values.astype(float).to_numpy(), targets.astype(float).to_numpy()
            is_equal = np.allclose(*numbers, atol=0)
        else:
            is_equal = bool((values.astype(str) == targets.astype(str)).all())
        if not is_equal:
            return False
    return True


def _tells(column: "pd.Series[Any]", truth: "pd.Series[Any]") -> bool:
    """Return whether a column has other names of the classes, or the order of the numbers."""
    are_classes = truth.nunique() <= len(truth) / 2
    tell_the_same = _name_the_same if are_classes else _are_in_same_order
    # most columns differ in the first rows
    return all(
        tell_the_same(column.iloc[:n], truth.iloc[:n]) for n in (_FIRST_ROWS, None)
    )


def _name_the_same(column: "pd.Series[Any]", truth: "pd.Series[Any]") -> bool:
    """Return whether each class has one value, and each value one class."""
    try:
        codes, labels = pd.factorize(column)
    except TypeError:
        return False  # lists, for instance
    classes, names = pd.factorize(truth)
    if len(labels) != len(names):
        return False
    return len(set(zip(codes.tolist(), classes.tolist()))) == len(names)


def _are_in_same_order(column: "pd.Series[Any]", truth: "pd.Series[Any]") -> bool:
    """Return whether numbers increase, or decrease, together."""
    if not all(pd.api.types.is_numeric_dtype(x) for x in (column, truth)):
        return False
    ranks, true_ranks = (stats.rankdata(x.to_numpy(float)) for x in (column, truth))
    opposite = len(ranks) + 1 - true_ranks
    return np.array_equal(ranks, true_ranks) or np.array_equal(ranks, opposite)


def _times_of_rows(X: pd.DataFrame) -> Iterator[Sequence[Any]]:
    """Yield the index and the columns of X that are times, as far as they are looked at."""
    for values in (X.index, *(X[name] for name in X.select_dtypes("datetime"))):
        if pd.api.types.is_datetime64_any_dtype(values):
            yield list(values[:_MOST_TIMES])


def _labels_of_rows(X: pd.DataFrame) -> Iterator[tuple[Any, "pd.Series[Any]"]]:
    """Yield the columns of X and the levels of its index, by their names."""
    yield from X.items()
    for level in X.index.names:
        if level is not None:
            yield level, pd.Series(X.index.get_level_values(level))


def _are_groups(name: Any, values: "pd.Series[Any]") -> bool:
    """Return whether labels of rows are numbers or names of groups, each of several rows."""
    if has_identifiers(name) and not names_a_group(name):
        return _are_identifiers(values)
    if not names_a_group(name):
        return False
    if values.dtype.kind == "f" and (values.dropna() % 1 != 0).any():
        return False
    try:
        n_groups = values.nunique()
    except TypeError:
        return False
    if not 1 < n_groups < len(values):
        return False
    has_numbers = not _NUMBERS.isdisjoint(words_of_column(name))
    return has_numbers or n_groups >= _FEWEST_GROUPS


def _are_identifiers(values: "pd.Series[Any]") -> bool:
    """Return whether values in a column of identifiers are of things with several rows each."""
    if values.dtype == bool:
        return False
    try:
        n_things = values.nunique()
    except TypeError:
        return False
    coded = coded_values(values)
    are_many = _FEWEST_GROUPS <= n_things <= len(values) / 2
    return are_many and look_like_labels(values, coded)


def _is_divided(values: "pd.Series[Any]", splits: Sequence[RowNumbers]) -> bool:
    """Return whether rows of one group are in the training and the test set of a split."""
    codes: NDArray[Any]
    codes, labels = pd.factorize(values)
    for train, test in splits:
        is_trained = np.zeros(len(labels) + 1, dtype=bool)
        is_trained[codes[train]] = True
        is_trained[-1] = False  # of gaps nothing is known
        if is_trained[codes[test]].any():
            return True
    return False
