"""The smallest p-value that data could have given, whatever the models' scores on them.

McNemar's test, the signed-rank test and a test by exchanges ask how often random signs
of the k units on which two models differ would make as large a difference.  If one
model is better on all of them, only that pattern of signs and its opposite do: p is
:math:`2^{1-k}`, whatever the sizes of the differences, tied or not.  Where a test goes
through all outcomes of the exchanges, it knows the probability of the largest of them.
Many pairs, and few units that differ, can leave a correction without any decision.
"""

import numpy as np
from numpy.typing import ArrayLike

from replib._validation import Array, whole_numbers
from replib.multiple_comparisons import adjusted_pvalues


def smallest_pvalue(n_differing: ArrayLike, *, n_exchanges: int | None = None) -> Array:
    """Return the smallest two-sided p-value that units with these differences can give.

    Parameters
    ----------
    n_differing : array_like of int, shape (pairs,)
        Items, clusters or data sets on which the two models of a pair differ.
    n_exchanges : int, optional
        Number of random exchanges, if they are not enumerated: p is at least
        1 / (1 + exchanges).

    Returns
    -------
    ndarray, shape (pairs,)

    Examples
    --------
    >>> smallest_pvalue([0, 1, 5, 6]).tolist()
    [1.0, 1.0, 0.0625, 0.03125]
    """
    n = whole_numbers("n_differing", n_differing, at_least=0)
    smallest = np.minimum(1.0, 2.0 ** (1.0 - n))
    if n_exchanges is not None:
        smallest = np.maximum(smallest, 1 / (1 + n_exchanges))
    return smallest


def smallest_adjusted_pvalue(
    smallest: ArrayLike, *, correction: str, n_choices: int | None = None
) -> float:
    """Return the smallest adjusted p-value that a comparison of these pairs can give.

    Parameters
    ----------
    smallest : array_like, shape (pairs,)
        The smallest p-value of each pair, such as from :func:`smallest_pvalue`.
    correction : {"holm", "bonferroni", "none"}
    n_choices : int, optional
        From how many models the first of the only pair was chosen as the best, if its
        p-value is multiplied by that number instead.

    Returns
    -------
    float

    Examples
    --------
    Five models on eight data sets make ten pairs; each is ahead on all data sets:

    >>> smallest_adjusted_pvalue(smallest_pvalue([8] * 10), correction="holm")
    0.078125
    """
    if n_choices is not None:
        return float(np.minimum(1.0, n_choices * np.asarray(smallest)).min())
    return float(np.min(adjusted_pvalues(smallest, method=correction)))


def note_on_too_few_units(smallest: float, *, alpha: float, on: str) -> str | None:
    """Return a sentence if nothing could have been significant.

    Parameters
    ----------
    smallest : float
        The smallest adjusted p-value, from :func:`smallest_adjusted_pvalue`.
    alpha : float
    on : str
        What was compared, in words, such as "8 data sets".

    Returns
    -------
    str or None

    Examples
    --------
    >>> note_on_too_few_units(0.078125, alpha=0.05, on="8 data sets")[-45:]
    'sets could give is 0.078: too large for 0.05.'
    >>> note_on_too_few_units(0.03125, alpha=0.05, on="6 data sets")
    """
    if smallest < alpha:
        return None
    return (
        f"For a difference, the smallest adjusted p-value that these {on} could give is "
        f"{smallest:.2g}: too large for {alpha:g}."
    )
