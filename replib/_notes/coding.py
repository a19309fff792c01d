"""Two classes that a model codes otherwise than the truth does: -1 and 1 for 0 and 1."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replib._names.labels.classes import is_no_class

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


__all__ = ["are_coded_otherwise"]
