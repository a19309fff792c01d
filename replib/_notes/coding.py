"""Classes that a model codes otherwise than the truth does: 1 and 2, or -1 and 1, for 0 and 1."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replib._names.labels.classes import is_no_class
from replib._validation import joined
from replib.scores import Predictions, Scores

#: Correlation, in standard errors of one that is zero, of classes that are the same two.
_RELATED = 3.0
#: So many items show quickly that there are numbers, or more than two classes.
_FIRST_ITEMS = 100


def are_coded_otherwise(predicted: NDArray[Any], truth: NDArray[Any]) -> bool:
    """Return whether a model has one of two classes, and another code for the second.

    One that never says a class, but a third one instead, may have been trained on more.
    What it says has less to do with the truth.

    >>> truth = np.arange(20) % 2
    >>> are_coded_otherwise(2 * truth - 1, truth), are_coded_otherwise(truth, truth)
    (True, False)
    >>> are_coded_otherwise(np.where(np.arange(20) < 10, 1, 9), truth)
    False
    """
    if predicted.ndim > 2:
        return False
    few = (truth[:_FIRST_ITEMS], predicted[..., :_FIRST_ITEMS].ravel())
    if any(len(pd.unique(values)) > 2 for values in few):
        return False
    classes = {*pd.unique(truth).tolist()}
    if len(classes) != 2:
        return False
    codes = {*pd.unique(predicted.ravel()).tolist()}
    if len(codes) != 2 or len(codes & classes) != 1:
        return False
    (code,) = codes - classes
    if is_no_class(str(code)):
        return False
    is_coded = (predicted == code).reshape(-1, truth.size).mean(axis=0)
    is_first = truth == truth[0]
    if np.ptp(is_coded) == 0:
        return False
    correlation = np.corrcoef(is_coded, is_first)[0, 1]
    return bool(abs(correlation) * np.sqrt(truth.size) > _RELATED)


def notes_about_coding(table: Scores | Predictions) -> Iterator[str]:
    """Note models whose classes are all by one smaller or larger than those of the truth.

    Of two classes, a model may have one of the truth and another code for the other.
    """
    if isinstance(table, Scores):
        return
    for model, predicted in table.predicted.items():
        shift = _shift_of_classes(predicted, table.truth)
        if shift:
            yield (
                f"The classes of {model} are by one "
                f"{'larger' if shift > 0 else 'smaller'} than those of the truth: "
                "code them alike."
            )
        elif are_coded_otherwise(predicted, table.truth):
            codes, classes = (
                joined([*map(str, np.unique(x))]) for x in (predicted, table.truth)
            )
            yield (
                f"The classes of {model} are {codes}, and those of the truth {classes}: "
                "code them alike."
            )


def _shift_of_classes(predicted: NDArray[Any], truth: NDArray[Any]) -> int:
    """Return by how much all classes of a model are larger than those of the truth, or 0."""
    if truth.dtype.kind not in "iu" or predicted.dtype.kind not in "iu":
        return 0
    classes = distinct_numbers(truth)
    if predicted.min() == classes[0]:
        return 0
    for shift in (-1, 1):
        if classes != [value - shift for value in distinct_numbers(predicted)]:
            continue
        n_right = np.count_nonzero(predicted == truth)
        if np.count_nonzero(predicted - shift == truth) > n_right:
            return shift
    return 0


def distinct_numbers(values: NDArray[Any]) -> list[int]:
    """Return different whole numbers in their order, without sorting all."""
    return sorted(pd.unique(values.ravel()).tolist())
