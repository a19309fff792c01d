"""The area under the ROC curve as a mean over items (DeLong et al. 1988)."""

import numpy as np
import pandas as pd
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
    values = np.empty(scores.shape)
    overall = _ranks(scores)
    for of_class in (positive, ~positive):
        n_class = int(np.count_nonzero(of_class))
        n_rest = positive.size - n_class
        below = (overall[:, of_class] - _ranks(scores[:, of_class])) / n_rest
        share = below if of_class is positive else 1 - below
        area = share.mean(axis=1, keepdims=True)
        values[:, of_class] = area + _stretch(n_class, positive.size) * (share - area)
    return values


def _ranks(scores: Array) -> Array:
    """Return the rank of each item in its run, the mean of ties."""
    return pd.DataFrame(scores).rank(axis=1).to_numpy()


def _stretch(n_class: int, n: int) -> float:
    """Return the factor that gives the placements of a class DeLong's weight among all items.

    DeLong's variance of a class is its sample variance over `n_class`; that of a mean
    over all items is theirs over n, of which the class has only a part.
    """
    of_class = n_class / (n_class - 1)
    of_all = (n - 1) / n
    return float(n / n_class * np.sqrt(of_class * of_all))
