r"""Replicability estimated from the outcomes of repeated experiments on one data set.

An experiment is repeated :math:`n` times on the same data with fresh randomisations.  If its
outcome is *accept* with probability :math:`p`, two repetitions agree with probability

.. math:: r = p^2 + (1-p)^2,

the *replicability* (Bouckaert 2004, Section 3).  This module holds its estimators
(:func:`r1`, :func:`r2`, :func:`rk`), their exact variances, an interval, and the counts of
consistent data sets of Bouckaert and Frank (2004).

Everything here is on the raw scale, between 1/2 and 1 for two outcomes; :func:`normalized`
converts to the papers' "normalised" scale between 0 and 1.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from replib.checks import as_number
from replib.intervals import ConfidenceInterval, clopper_pearson


def normalized(r: ArrayLike) -> np.ndarray | float:
    """Normalised replicability 2r - 1 (Bouckaert 2004, Section 3).

    Parameters
    ----------
    r : array_like
        Replicability on the raw scale, a fraction.

    Returns
    -------
    float or ndarray
        0 where two repetitions agree no more often than two tosses of a fair coin, 1 where they
        always agree.  An *estimate* of r below 1/2 gives a negative value.

    Examples
    --------
    >>> normalized(0.905)
    0.81
    """
    return as_number(2 * np.asarray(r, dtype=float) - 1)


def r1(outcomes: ArrayLike, *, axis: int = -1) -> np.ndarray | float:
    r"""Replicability from disjoint pairs: estimator R1 of Bouckaert (2004, Section 3.1).

    .. math:: \hat R_1(e) = \frac{2}{n}\sum_{i=1}^{n/2} I(e_{2i-1} = e_{2i})

    Parameters
    ----------
    outcomes : array_like
        Outcomes of repeated experiments along `axis`: booleans, integers or labels; any number of
        distinct outcomes.
    axis : int, default -1
        The axis of the repetitions.

    Returns
    -------
    float or ndarray
        The estimate, between 0 and 1, without the axis `axis`.

    Raises
    ------
    ValueError
        If the number of repetitions is odd or less than two.

    Examples
    --------
    >>> r1(["accept", "accept", "accept", "reject"])
    0.5
    """
    e = np.moveaxis(np.asarray(outcomes), axis, -1)
    n = e.shape[-1]
    if n < 2 or n % 2:
        raise ValueError(f"R1 pairs the outcomes up: it needs an even number of them, not {n}")
    return as_number((e[..., 0::2] == e[..., 1::2]).mean(axis=-1))


def r2(outcomes: ArrayLike, *, axis: int = -1) -> np.ndarray | float:
    r"""Replicability from all pairs: estimator R2 of Bouckaert (2004, Equation 1).

    .. math:: \hat R_2(e) = \binom n2^{-1} \sum_{1\le i<j\le n} I(e_i = e_j)

    Parameters
    ----------
    outcomes : array_like
        Outcomes of repeated experiments along `axis`: booleans, integers or labels.  With three
        distinct outcomes (A better, B better, no difference) this is the three-outcome
        replicability, which the papers collapse to two by calling both A and B "reject".
    axis : int, default -1
        The axis of the repetitions.

    Returns
    -------
    float or ndarray
        The estimate, between 0 and 1, without the axis `axis`.

    Raises
    ------
    ValueError
        If there are fewer than two repetitions.

    See Also
    --------
    r2_from_counts : the same from the number of accepted tests.
    three_outcome_r2 : the same from the three counts.

    Examples
    --------
    >>> r2(["accept", "accept", "accept", "reject"])
    0.5
    >>> round(r2([1, 1, 1, 1, -1, -1, -1, 0, 0, 0]), 4)     # A better 4, B better 3, neither 3
    0.2667
    """
    e = np.moveaxis(np.asarray(outcomes), axis, -1)
    n = e.shape[-1]
    _require_repetitions(n)
    counts = np.stack([(e == label).sum(axis=-1) for label in np.unique(e)])
    return as_number((counts * (counts - 1)).sum(axis=0) / (n * (n - 1)))


def r2_from_counts(accepted: ArrayLike, n: ArrayLike) -> np.ndarray | float:
    r"""R2 from the number of accepted tests (Bouckaert 2004, Lemma 3.2).

    .. math:: \hat R_2(i, n) = \frac{i(i-1) + (n-i)(n-i-1)}{n(n-1)}

    Bouckaert and Frank (2004, Section 2) use the same expression for one data set.

    Parameters
    ----------
    accepted : array_like of int
        How many of the `n` repetitions accepted the null hypothesis, 0 to `n`.
    n : array_like of int
        Number of repetitions, at least 2; broadcast against `accepted`.

    Returns
    -------
    float or ndarray
        The estimate.  Although :math:`r \ge 1/2`, the estimate can be smaller:
        its least value is :math:`(n/2-1)/(n-1)`, at `accepted` = n/2.

    Raises
    ------
    ValueError
        If a count is not a whole number, or lies outside 0 to `n`, or `n` is less than 2.

    Examples
    --------
    >>> r2_from_counts(10, 10)
    1.0
    >>> r2_from_counts([1, 5], 10).round(4).tolist()
    [0.8, 0.4444]
    """
    i, n = _counts(accepted, n)
    return as_number((i * (i - 1) + (n - i) * (n - i - 1)) / (n * (n - 1)))


def three_outcome_r2(
    a_better: ArrayLike, b_better: ArrayLike, no_difference: ArrayLike
) -> np.ndarray | float:
    r"""R2 over the three outcomes that an experiment really has.

    .. math:: \hat R = \binom n2^{-1} \sum_{j} \binom{n_j}{2}

    The papers decide between three outcomes but count "A better" and "B better" as the same
    outcome, *reject*; two repetitions that contradict each other then count as agreeing.

    Parameters
    ----------
    a_better, b_better, no_difference : array_like of int
        How many repetitions found A better, B better, and no significant difference.

    Returns
    -------
    float or ndarray
        The estimate; never above :func:`r2_from_counts` of the same counts.

    Raises
    ------
    ValueError
        If a count is negative or not whole, or the three sum to less than 2.

    Examples
    --------
    >>> round(three_outcome_r2(4, 3, 3), 4), round(r2_from_counts(3, 10), 4)
    (0.2667, 0.5333)
    """
    counts = np.broadcast_arrays(*(np.asarray(c) for c in (a_better, b_better, no_difference)))
    n = sum(counts)
    _require_repetitions(int(np.min(n)))
    pairs = 0.0
    for count in counts:
        count, _ = _counts(count, n)
        pairs = pairs + count * (count - 1)
    return as_number(pairs / (n * (n - 1)))


def rk(outcomes: ArrayLike, weights: ArrayLike, *, axis: int = -1) -> np.ndarray | float:
    r"""The linear class of estimators R_k of Bouckaert (2004, Equation 2).

    .. math:: \hat R_k(e) = \sum_{1\le i<j\le n} k_{ij} I(e_i = e_j)

    It is unbiased for every p if and only if the weights sum to one (Lemma 3.3).

    Parameters
    ----------
    outcomes : array_like
        Outcomes of n repeated experiments along `axis`.
    weights : array_like, shape (n (n-1) / 2,)
        :math:`k_{12}, k_{13}, \dots, k_{1n}, k_{23}, \dots`: one weight a pair, rows first.
    axis : int, default -1
        The axis of the repetitions.

    Returns
    -------
    float or ndarray
        The estimate, without the axis `axis`.

    Raises
    ------
    ValueError
        If the number of weights is not n (n-1) / 2, or n is less than 2.

    See Also
    --------
    rk_variance : its exact variance.

    Examples
    --------
    R2 is the member with equal weights:

    >>> outcomes = [True, True, False, True]
    >>> rk(outcomes, [1 / 6] * 6) == r2(outcomes)
    True
    """
    e = np.moveaxis(np.asarray(outcomes), axis, -1)
    n = e.shape[-1]
    _require_repetitions(n)
    k = np.asarray(weights, dtype=float)
    first, second = np.triu_indices(n, 1)
    if k.shape != first.shape:
        raise ValueError(
            f"{n} outcomes form {first.size} pairs: give that many weights, not {k.size}"
        )
    return as_number((e[..., first] == e[..., second]) @ k)


def r1_variance(r: ArrayLike, n: ArrayLike) -> np.ndarray | float:
    r"""Exact variance of R1 (Bouckaert 2004, Lemma 3.1): :math:`2r(1-r)/n`.

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
    r, n = _replicability(r), np.asarray(n)
    _require_repetitions(int(np.min(n)))
    if np.any(n % 2):
        raise ValueError("R1 pairs the outcomes up: n must be even")
    return as_number(2 * r * (1 - r) / n)


def r2_variance(r: ArrayLike, n: ArrayLike) -> np.ndarray | float:
    r"""Exact variance of R2 for two outcomes.

    .. math:: \operatorname{Var}\hat R_2 = \frac{2(1-r)\,[(2n-3)\,r-(n-2)]}{n(n-1)}

    This is Theorem 3.1 of Bouckaert (2004) with its misplaced bracket put right and its powers of p
    eliminated.  It equals :func:`r1_variance` at n = 2 and at r = 1 and is smaller otherwise, by
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
    r, n = _replicability(r), np.asarray(n)
    _require_repetitions(int(np.min(n)))
    return as_number(2 * (1 - r) * ((2 * n - 3) * r - (n - 2)) / (n * (n - 1)))


def rk_variance(r: ArrayLike, weights: ArrayLike) -> np.ndarray | float:
    r"""Exact variance of any member of the class R_k, for two outcomes.

    Write :math:`I_{ij} = I(e_i = e_j)` and :math:`s = p(1-p) = (1-r)/2`.  Two indicators that share
    no repetition are independent; two that share one have covariance :math:`\zeta_1 = s(1-4s)`;
    the variance of one is :math:`\zeta_2 = r - r^2`.  Hence

    .. math:: \operatorname{Var}\hat R_k = \zeta_2 \sum_{i<j} k_{ij}^2
              + \zeta_1 \Bigl( \sum_i K_i^2 - 2\sum_{i<j} k_{ij}^2 \Bigr),
              \qquad K_i = \sum_{j\ne i} k_{ij}.

    Parameters
    ----------
    r : array_like
        Replicability, 1/2 to 1.
    weights : array_like, shape (n (n-1) / 2,)
        As in :func:`rk`; they need not sum to one.

    Returns
    -------
    float or ndarray
        One variance for each `r`.

    Raises
    ------
    ValueError
        If `r` lies outside 1/2 to 1, or the number of weights is not n (n-1) / 2 for any n.

    Examples
    --------
    >>> bool(np.isclose(rk_variance(0.7, [1 / 45] * 45), r2_variance(0.7, 10)))
    True
    """
    r, k = _replicability(r), np.asarray(weights, dtype=float)
    n = (1 + int(np.sqrt(1 + 8 * k.size))) // 2
    if n * (n - 1) // 2 != k.size or k.ndim != 1 or n < 2:
        raise ValueError(f"{k.size} weights fit no number of repetitions: give n (n-1) / 2 of them")
    s = (1 - r) / 2
    first, second = np.triu_indices(n, 1)
    share_of_repetition = np.bincount(first, k, n) + np.bincount(second, k, n)
    squares = k @ k
    sharing_one = share_of_repetition @ share_of_repetition - 2 * squares
    return as_number((r - r**2) * squares + s * (1 - 4 * s) * sharing_one)


def replicability_interval(
    accepted: ArrayLike, n: ArrayLike, *, confidence_level: float = 0.95
) -> ConfidenceInterval:
    r"""Confidence interval for the replicability of an experiment on one data set.

    The Clopper-Pearson interval of the acceptance probability p is mapped by
    :math:`r = p^2 + (1-p)^2`.  Its coverage is at least `confidence_level` for every p and n,
    which an interval of the form estimate +- 1.96 standard errors is far from
    (see the chapter *Estimators*).

    Parameters
    ----------
    accepted : array_like of int
        How many of the `n` repetitions accepted the null hypothesis, 0 to `n`.
    n : array_like of int
        Number of repetitions, at least 2.
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
    i, n = _counts(accepted, n)
    p_low, p_high = clopper_pearson(i, n, confidence_level=confidence_level)
    nearest_half = np.clip(0.5, p_low, p_high)
    farthest_half = np.where(p_high - 0.5 > 0.5 - p_low, p_high, p_low)
    agree = lambda p: as_number(p**2 + (1 - p) ** 2)
    return ConfidenceInterval(agree(nearest_half), agree(farthest_half))


@dataclass(frozen=True)
class Consistency:
    """How consistent an experiment is over a collection of data sets.

    Attributes
    ----------
    consistent : int
        Data sets on which all repetitions had the same outcome.
    almost_consistent : int
        Data sets on which at most one repetition differed (the consistent ones included).
    replicability : float
        Mean of R2 over the data sets, raw scale: the R of Bouckaert and Frank (2004, Section 2).
    datasets : int
        Number of data sets.
    """

    consistent: int
    almost_consistent: int
    replicability: float
    datasets: int


def consistency(accepted: ArrayLike, n: int) -> Consistency:
    """Consistency and replicability over data sets (Bouckaert and Frank 2004, Section 2).

    Parameters
    ----------
    accepted : array_like of int, shape (datasets,)
        For each data set, how many of its `n` repetitions accepted the null hypothesis.
    n : int
        Number of repetitions on each data set, at least 2.

    Returns
    -------
    Consistency

    Raises
    ------
    ValueError
        If there is no data set, or a count lies outside 0 to `n`.

    Examples
    --------
    >>> consistency([0, 1, 5, 10], 10)
    Consistency(consistent=2, almost_consistent=3, replicability=0.8111111111111111, datasets=4)
    """
    i, _ = _counts(accepted, n)
    i = np.atleast_1d(i)
    if i.ndim != 1 or i.size == 0:
        raise ValueError(f"give one count a data set in one dimension, not shape {i.shape}")
    differing = np.minimum(i, n - i)
    return Consistency(
        consistent=int((differing == 0).sum()),
        almost_consistent=int((differing <= 1).sum()),
        replicability=float(np.mean(r2_from_counts(i, n))),
        datasets=i.size,
    )


def _require_repetitions(n: int) -> None:
    if n < 2:
        raise ValueError(f"replicability compares repetitions: it needs at least 2, not {n}")


def _counts(accepted: ArrayLike, n: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    i, n = np.asarray(accepted), np.asarray(n)
    _require_repetitions(int(np.min(n)) if n.size else 0)
    if np.any(i != np.floor(i)) or np.any(i < 0) or np.any(i > n):
        raise ValueError("each count is a whole number between 0 and n")
    return i, n


def _replicability(r: ArrayLike) -> np.ndarray:
    r = np.asarray(r, dtype=float)
    if not np.all((r >= 0.5) & (r <= 1)):
        raise ValueError("replicability r = p^2 + (1-p)^2 lies between 1/2 and 1")
    return r
