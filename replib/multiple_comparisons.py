"""Corrections of p-values for the number of tests made together."""

import numpy as np
from numpy.typing import ArrayLike

from replib.significance import Floats
from replib.validation import array_within, as_number, axis_index, check_choice

METHODS = ("none", "bonferroni", "holm", "benjamini_hochberg")


def adjusted_pvalues(pvalues: ArrayLike, *, method: str, axis: int = -1) -> Floats:
    r"""Adjust p-values: a test rejects if its adjusted p-value is below the level.

    With m tests and :math:`p_{(1)} \le \dots \le p_{(m)}` the i-th smallest adjusted p-value is

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
        From 0 to 1; the p-value of a single test is not changed.
    method : str
        One of `METHODS`.
    axis : int, default -1
        The axis of the tests made together.

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
    axis = axis_index(axis, max(p.ndim, 1))
    if p.ndim == 0 or method == "none":
        return as_number(p.copy())
    m = p.shape[axis]
    if method == "bonferroni":
        adjusted = m * p
    elif method == "benjamini_hochberg":
        from scipy import stats  # slow to load, and needed only here

        adjusted = stats.false_discovery_control(p, axis=axis)
    else:
        order = np.argsort(p, axis=axis, kind="stable")
        falling = np.arange(m, 0, -1).reshape(-1, *[1] * (p.ndim - 1 - axis))
        in_order = np.maximum.accumulate(np.take_along_axis(p, order, axis) * falling, axis=axis)
        adjusted = np.empty_like(p)
        np.put_along_axis(adjusted, order, in_order, axis)
    return np.minimum(adjusted, 1.0)
