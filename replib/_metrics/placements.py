"""The area under the ROC curve as a mean over items (DeLong et al. 1988)."""

import numpy as np
from numpy.typing import NDArray

from replib._validation import Array


def placements(positive: NDArray[np.bool_], scores: Array) -> Array:
    """Return pseudo-values of the area under the ROC curve.

    The placement of an item is the share of the other class that it is on the right
    side of.  Placements are spread about their mean such that the mean square of all
    items is the sum of DeLong's two mean squares.

    Parameters
    ----------
    positive : ndarray of bool, shape (items,)
    scores : ndarray, shape (runs, items)

    Returns
    -------
    ndarray, shape (runs, items)
        The mean over the items is the area.
    """
    values = np.array([_placements_of_run(positive, run) for run in scores])
    for of_class in (positive, ~positive):
        share = values[:, of_class]
        area = share.mean(axis=1, keepdims=True)
        stretch = _stretch(int(np.count_nonzero(of_class)), positive.size)
        values[:, of_class] = area + stretch * (share - area)
    values.flags.writeable = False  # they are kept, and used again
    return values


def _placements_of_run(positive: NDArray[np.bool_], scores: Array) -> Array:
    """Return the share of the other class on whose right side each item is, ties half."""
    order = np.argsort(scores)
    in_order = scores[order]
    is_positive = positive[order]
    # items with equal scores stand between `start` and `end`
    is_first = np.append(True, in_order[1:] != in_order[:-1])
    starts = np.flatnonzero(is_first)
    ends = np.append(starts[1:], scores.size)
    tie = np.cumsum(is_first) - 1
    n_positive_before = np.append(0, np.cumsum(is_positive))
    positive_below = (n_positive_before[starts] + n_positive_before[ends])[tie] / 2
    below = (starts + ends)[tie] / 2
    n_positive = n_positive_before[-1]
    n_negative = scores.size - n_positive
    share = np.where(
        is_positive,
        (below - positive_below) / n_negative,
        1 - positive_below / n_positive,
    )
    values = np.empty(scores.size)
    values[order] = share
    return values


def _stretch(n_class: int, n: int) -> float:
    """Return the factor that gives the placements of a class DeLong's weight among all items.

    DeLong's variance of a class is its sample variance over `n_class`; that of a mean
    over all items is theirs over n, of which the class has only a part.
    """
    of_class = n_class / (n_class - 1)
    of_all = (n - 1) / n
    return float(n / n_class * np.sqrt(of_class * of_all))
