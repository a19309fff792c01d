"""Precision of an estimate of replicability: exact variances, and a confidence interval."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from replib.intervals import ConfidenceInterval, clopper_pearson
from replib.replicability.estimators import MANY, accepted_and_repetitions
from replib.significance import Floats
from replib.validation import array_within, as_number, broadcast, finite_array, whole_numbers


def r1_variance(r: ArrayLike, n: ArrayLike) -> Floats:
    r"""Compute the exact variance of R1 (Bouckaert 2004, Lemma 3.1): :math:`2r(1-r)/n`.

    Parameters
    ----------
    r : array_like
        Replicability, 1/2 to 1.
    n : array_like of int
        Number of repetitions, at least 2 and even.

    Returns
    -------
    float or ndarray

    Raises
    ------
    ValueError
        If `r` lies outside 1/2 to 1, or `n` is odd or less than 2.

    Examples
    --------
    >>> r1_variance(0.5, 10)
    0.05
    """
    r, n = _replicability_and_repetitions(r, n)
    if np.any(n % 2):
        raise ValueError("n must be even: R1 pairs the outcomes up")
    return as_number(2 * r * (1 - r) / n)


def r2_variance(r: ArrayLike, n: ArrayLike) -> Floats:
    r"""Compute the exact variance of R2 for two outcomes.

    .. math:: \operatorname{Var}\hat R_2 = \frac{2(1-r)\,[(2n-3)\,r-(n-2)]}{n(n-1)}

    This is Theorem 3.1 of Bouckaert (2004) with a misplaced bracket corrected and the powers of p
    eliminated.  It equals :func:`r1_variance` at n = 2 and at r = 1; otherwise it is smaller, by
    :math:`2(n-2)(1-r)^2/(n(n-1))`.

    Parameters
    ----------
    r : array_like
        Replicability, 1/2 to 1.
    n : array_like of int
        Number of repetitions, at least 2.

    Returns
    -------
    float or ndarray

    Raises
    ------
    ValueError
        If `r` lies outside 1/2 to 1, or `n` is less than 2.

    Examples
    --------
    >>> round(r2_variance(0.5, 10), 6)
    0.005556
    """
    r, n = _replicability_and_repetitions(r, n)
    return as_number(2 * (1 - r) * ((2 * n - 3) * r - (n - 2)) / (n * (n - 1)))


def rk_variance(r: ArrayLike, weights: ArrayLike) -> Floats:
    r"""Compute the exact variance of any member of the class R_k, for two outcomes.

    Write :math:`I_{ij} = I(e_i = e_j)` and :math:`s = p(1-p) = (1-r)/2`.  Two indicators that share
    no repetition are independent; two that share one have the covariance
    :math:`\zeta_1 = s(1-4s)`; each has the variance :math:`\zeta_2 = r - r^2`.  Hence

    .. math:: \operatorname{Var}\hat R_k = \zeta_2 \sum_{i<j} k_{ij}^2
              + \zeta_1 \Bigl( \sum_i K_i^2 - 2\sum_{i<j} k_{ij}^2 \Bigr),
              \qquad K_i = \sum_{j\ne i} k_{ij}.

    Parameters
    ----------
    r : array_like
        Replicability, 1/2 to 1.
    weights : array_like, shape (n (n-1) / 2,)
        As in :func:`replib.replicability.rk`; they need not sum to one.

    Returns
    -------
    float or ndarray
        One variance per value of `r`.

    Raises
    ------
    ValueError
        If `r` lies outside 1/2 to 1, or the number of weights is not n (n-1) / 2 for any n.

    Examples
    --------
    >>> bool(np.isclose(rk_variance(0.7, [1 / 45] * 45), r2_variance(0.7, 10)))
    True
    """
    r, k = array_within("r", r, 0.5, 1), finite_array("weights", weights)
    n = (1 + int(np.sqrt(1 + 8 * k.size))) // 2
    if n * (n - 1) // 2 != k.size or k.ndim != 1 or n < 2:
        raise ValueError(f"weights must be n (n-1) / 2 in a row, for some n, not {k.shape}")
    s = (1 - r) / 2
    first, second = np.triu_indices(n, 1)
    share_of_repetition = np.bincount(first, k, n) + np.bincount(second, k, n)
    squares = k @ k
    sharing_one = share_of_repetition @ share_of_repetition - 2 * squares
    return as_number((r - r**2) * squares + s * (1 - 4 * s) * sharing_one)


def replicability_interval(
    accepted: ArrayLike, n: ArrayLike, *, confidence_level: float = 0.95
) -> ConfidenceInterval:
    r"""Compute a confidence interval for the replicability of an experiment on one data set.

    The Clopper-Pearson interval of the acceptance probability p is mapped by
    :math:`r = p^2 + (1-p)^2`.  Its coverage is at least `confidence_level` for every p and n; that
    of estimate ± normal quantile × standard error can be far lower (see the chapter *Estimators*).

    Parameters
    ----------
    accepted, n : array_like of int
        As in :func:`replib.replicability.r2_from_counts`.
    confidence_level : float, default 0.95
        Between 0 and 1, both excluded.

    Returns
    -------
    ConfidenceInterval
        `low` and `high`, each between 1/2 and 1.

    Raises
    ------
    ValueError
        If a count or the level lies outside its range.

    Examples
    --------
    >>> low, high = replicability_interval(9, 10)
    >>> round(low, 3), round(high, 3)
    (0.506, 0.995)
    """
    i, n = accepted_and_repetitions(accepted, n)
    p_low, p_high = clopper_pearson(i, n, confidence_level=confidence_level)
    nearest_half = np.clip(0.5, p_low, p_high)
    farthest_half = np.where(p_high - 0.5 > 0.5 - p_low, p_high, p_low)
    low, high = (as_number(p**2 + (1 - p) ** 2) for p in (nearest_half, farthest_half))
    return ConfidenceInterval(low, high)


def _replicability_and_repetitions(
    r: ArrayLike, n: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    of_r, of_n = broadcast(
        ("r", "n"), array_within("r", r, 0.5, 1), whole_numbers("n", n, at_least=2, at_most=MANY)
    )
    return of_r, of_n
