"""Corrections of p-values for the number of tests made together."""

import numpy as np
from numpy.typing import ArrayLike

from replib._validation import Array, array_within, as_number, check_choice
from replib.significance import Floats

METHODS = ("none", "bonferroni", "holm", "benjamini_hochberg")


def adjusted_pvalues(pvalues: ArrayLike, *, method: str) -> Floats:
    r"""Adjust p-values: a test rejects if its adjusted p-value is below the level.

    With m tests and :math:`p_{(1)} \le \dots \le p_{(m)}` the i-th smallest adjusted
    p-value is

    ======================  ===================================  =================================
    method                  value                                keeps below the level
    ======================  ===================================  =================================
    "none"                  :math:`p_{(i)}`                      the error rate of each test
    "bonferroni"            :math:`m\,p_{(i)}`                   the chance of any false rejection
    "holm"                  :math:`\max_{j\le i}(m-j+1)p_{(j)}`  the same; rejects at least as often
    "benjamini_hochberg"    :math:`\min_{j\ge i} m\,p_{(j)}/j`   the expected share of false ones
                                                                 among the rejections
    ======================  ===================================  =================================

    and at most 1.

    Parameters
    ----------
    pvalues : array_like
        From 0 to 1, tests made together along the last axis; that of a single test is
        not changed.
    method : str
        One of `METHODS`.

    Returns
    -------
    float or ndarray
        With the shape of `pvalues`.

    Raises
    ------
    ValueError
        If a p-value lies outside its range, or the method is unknown.

    Notes
    -----
    Bonferroni's and Holm's corrections hold for any dependence between the tests; that of Benjamini
    and Hochberg (1995) holds for independent and for positively dependent tests.

    Examples
    --------
    >>> p = [0.01, 0.04, 0.03, 0.005]
    >>> adjusted_pvalues(p, method="bonferroni").round(3).tolist()
    [0.04, 0.16, 0.12, 0.02]
    >>> adjusted_pvalues(p, method="holm").round(3).tolist()
    [0.03, 0.06, 0.06, 0.02]
    >>> adjusted_pvalues(p, method="benjamini_hochberg").round(3).tolist()
    [0.02, 0.04, 0.04, 0.02]
    """
    check_choice("method", method, METHODS)
    p = array_within("pvalues", pvalues, 0, 1)
    if p.ndim == 0 or method == "none":
        return as_number(p.copy())
    if method == "bonferroni":
        adjusted = p.shape[-1] * p
    elif method == "holm":
        adjusted = _holm(p)
    else:
        from scipy import stats  # slow to load, and needed only here

        adjusted = stats.false_discovery_control(p, axis=-1)
    return np.minimum(adjusted, 1.0)


def _holm(p: Array) -> Array:
    """Return p-values adjusted by Holm's step-down procedure; they may exceed 1."""
    order = np.argsort(p, axis=-1, kind="stable")
    n_not_yet_rejected = np.arange(p.shape[-1], 0, -1)
    in_order = np.take_along_axis(p, order, axis=-1) * n_not_yet_rejected
    # a hypothesis is rejected only if those with smaller p-values are rejected as well
    in_order = np.maximum.accumulate(in_order, axis=-1)
    adjusted = np.empty_like(p)
    np.put_along_axis(adjusted, order, in_order, axis=-1)
    return adjusted
