r"""Replicability estimated from the outcomes of repeated experiments on one data set.

An experiment is repeated :math:`n` times on the same data with fresh randomisations.
If its outcome is *accept* with probability :math:`p`, two repetitions agree with
probability

.. math:: r = p^2 + (1-p)^2,

the *replicability* (Bouckaert 2004, Section 3).  This module holds that function
(:func:`agreement`), the estimators (:func:`r1`, :func:`r2`), the exact variance of R2
and an interval.

All values are on the raw scale, between 1/2 and 1 for two outcomes; :func:`normalized`
converts them to the papers' "normalised" scale between 0 and 1.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from replib import _validation as validation
from replib._validation import ROUNDING_NOISE, as_number, broadcast, shown
from replib.intervals import ConfidenceInterval, clopper_pearson
from replib.significance import Floats

# Distinct numbers with a fraction among outcomes: A better, B better and neither may be
# coded as any three, but more are not decisions.
_MOST_FRACTIONS = 3


def agreement(p: ArrayLike) -> Floats:
    r"""Compute the probability :math:`p^2 + (1-p)^2` that two independent outcomes agree.

    At the Type I error alpha it is the bound :math:`1 - 2\alpha + 2\alpha^2` of
    Bouckaert (2005, Section 3): the function is convex, so by Jensen's inequality no
    experiment with that error has a lower Type I replicability.

    Parameters
    ----------
    p : array_like
        Probability of one of the two outcomes, 0 to 1.

    Returns
    -------
    float or ndarray
        Raw scale, 1/2 to 1.

    Raises
    ------
    ValueError
        If a probability lies outside 0 to 1.

    Examples
    --------
    >>> agreement(0.25)
    0.625
    """
    p = validation.array_within("p", p, 0, 1)
    # the same as p^2 + (1-p)^2, but never below 1/2 by rounding
    return as_number(0.5 + 2 * (p - 0.5) ** 2)


def normalized(r: ArrayLike) -> Floats:
    """Compute the normalised replicability 2r - 1 (Bouckaert 2004, Section 3).

    Parameters
    ----------
    r : array_like
        Replicability on the raw scale, a fraction.

    Returns
    -------
    float or ndarray
        0 if two repetitions agree no more often than two tosses of a fair coin, 1 if
        they always agree.  An *estimate* of r below 1/2 gives a negative value; NaN
        stays NaN.

    Raises
    ------
    ValueError
        If `r` is not numeric, or lies outside 0 to 1.

    Examples
    --------
    >>> normalized(0.905)
    0.81
    """
    values = validation.real_array("r", r)
    validation.array_within("r", values[~np.isnan(values)], 0, 1 + ROUNDING_NOISE)
    return as_number(2 * values - 1)


def r1(outcomes: ArrayLike) -> Floats:
    r"""Estimate replicability from disjoint pairs: R1 of Bouckaert (2004, Section 3.1).

    .. math:: \hat R_1(e) = \frac{2}{n}\sum_{i=1}^{n/2} I(e_{2i-1} = e_{2i})

    Parameters
    ----------
    outcomes : array_like
        Outcomes of an even number of repeated experiments along the last axis:
        Booleans, numbers or labels.

    Returns
    -------
    float or ndarray
        The estimate, 0 to 1.

    Raises
    ------
    ValueError
        If the number of repetitions is odd or less than two.

    Examples
    --------
    >>> r1(["accept", "accept", "accept", "reject"])
    0.5
    """
    e = _outcomes(outcomes, -1)
    if e.shape[-1] % 2:
        raise ValueError(
            f"outcomes must be even in number for R1 to pair them, not {e.shape[-1]}"
        )
    return as_number((e[..., 0::2] == e[..., 1::2]).mean(axis=-1))


def r2(outcomes: ArrayLike, *, axis: int = -1) -> Floats:
    r"""Estimate replicability from all pairs: R2 of Bouckaert (2004, Equation 1).

    .. math:: \hat R_2(e) = \binom n2^{-1} \sum_{1\le i<j\le n} I(e_i = e_j)

    Parameters
    ----------
    outcomes : array_like
        Outcomes of repeated experiments: Booleans, numbers or labels.  With three
        distinct ones (A better, B better, no difference) this is the three-outcome
        replicability, which the papers reduce to two by calling both A and B "reject".
    axis : int, default -1
        The axis of the repetitions.

    Returns
    -------
    float or ndarray
        The estimate, 0 to 1, without the axis `axis`.

    Raises
    ------
    ValueError
        If there are fewer than two repetitions.

    Examples
    --------
    >>> r2(["accept", "accept", "accept", "reject"])
    0.5
    >>> round(r2([1, 1, 1, 1, -1, -1, -1, 0, 0, 0]), 4)     # A better 4, B better 3, neither 3
    0.2667
    """
    e = _outcomes(outcomes, axis)
    counts = [np.count_nonzero(e == label, axis=-1) for label in np.unique(e)]
    if not counts:  # no experiments at all, but a shape
        counts = [np.zeros(e.shape[:-1])]
    return _share_of_pairs(counts)


def r2_from_counts(accepted: ArrayLike, n: ArrayLike) -> Floats:
    r"""Compute R2 from the number of accepted tests (Bouckaert 2004, Lemma 3.2).

    .. math:: \hat R_2(i, n) = \frac{i(i-1) + (n-i)(n-i-1)}{n(n-1)}

    Bouckaert and Frank (2004, Section 2) use the same expression for one data set.

    Parameters
    ----------
    accepted : array_like of int
        Number of the `n` repetitions that accepted the null hypothesis, 0 to `n`.
    n : array_like of int
        Number of repetitions, at least 2; broadcast against `accepted`.

    Returns
    -------
    float or ndarray
        The estimate.  Although :math:`r \ge 1/2`, it can be as small as
        :math:`(n/2-1)/(n-1)`, which happens if half of the tests accept.

    Raises
    ------
    ValueError
        If a count is not a whole number, or lies outside 0 to `n`, or `n` is less than
        2.

    Examples
    --------
    >>> r2_from_counts([1, 5, 10], 10).round(4).tolist()
    [0.8, 0.4444, 1.0]
    """
    i, n = validation.successes_and_trials("accepted", accepted, n, at_least=2)
    return _share_of_pairs([i, n - i])


def r2_variance(r: ArrayLike, n: ArrayLike) -> Floats:
    r"""Compute the exact variance of R2 for two outcomes.

    .. math:: \operatorname{Var}\hat R_2 = \frac{2(1-r)\,[(2n-3)\,r-(n-2)]}{n(n-1)}

    This is Theorem 3.1 of Bouckaert (2004) with a misplaced bracket corrected and the powers of p
    eliminated.  It equals the variance of R1, :math:`2r(1-r)/n` (Lemma 3.1), at n = 2 and
    at r = 1; otherwise it is smaller, by
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
    r, n = broadcast(
        ("r", "n"),
        validation.array_within("r", r, 0.5, 1),
        validation.whole_numbers("n", n, at_least=2, at_most=validation.MOST_TRIALS),
    )
    return as_number(2 * (1 - r) * ((2 * n - 3) * r - (n - 2)) / (n * (n - 1)))


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
        As in :func:`r2_from_counts`.
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
    i, n = validation.successes_and_trials("accepted", accepted, n, at_least=2)
    p_low, p_high = clopper_pearson(i, n, confidence_level=confidence_level)
    nearest_half = np.clip(0.5, p_low, p_high)
    farthest_half = np.where(p_high - 0.5 > 0.5 - p_low, p_high, p_low)
    # agreement falls to 1/2 at p = 1/2, and rises on both sides of it
    return ConfidenceInterval(agreement(nearest_half), agreement(farthest_half))


def _share_of_pairs(counts: Sequence[Any]) -> Floats:
    """Return the share of pairs of repetitions that agree, from the numbers of each outcome."""
    n = sum(counts)
    agreeing = sum(count * (count - 1) for count in counts)
    return as_number(agreeing / (n * (n - 1)))


def _outcomes(outcomes: ArrayLike, axis: int) -> NDArray[Any]:
    """Return outcomes with the repetitions along the last axis, at least two."""
    e = validation.rectangular_array("outcomes", outcomes)
    if e.ndim and e.dtype == object and all(isinstance(label, str) for label in e.flat):
        e = e.astype(str)  # a column of a DataFrame
    has_nan = e.dtype.kind == "f" and np.isnan(e).any()
    if e.dtype.kind not in "biufUS" or has_nan:
        raise ValueError(
            "outcomes must be labels of one type: Booleans, numbers or strings"
        )
    if e.ndim == 0:
        raise ValueError(
            f"outcomes must be an array of repetitions, not {shown(outcomes)}"
        )
    e = np.moveaxis(e, validation.axis_index(axis, e.ndim), -1)
    if e.shape[-1] < 2:
        raise ValueError(
            f"outcomes must have at least 2 repetitions, not {e.shape[-1]}"
        )
    if np.ma.is_masked(outcomes):
        raise ValueError("outcomes must have no masked values: leave them out")
    _refuse_measurements(e)
    _refuse_spellings(e)
    return e


def _refuse_measurements(e: NDArray[Any]) -> None:
    """Refuse numbers with too many fractions for outcomes, such as p-values."""
    if e.dtype.kind != "f":
        return
    fractions = np.unique(e[e != np.floor(e)])
    if len(fractions) > _MOST_FRACTIONS:
        raise ValueError(
            f"outcomes must be decisions, such as p < 0.05, not such as {e.flat[0]:g}"
        )


def _refuse_spellings(e: NDArray[Any]) -> None:
    """Refuse texts of which two would be one outcome but for case or blanks."""
    if e.dtype.kind != "U":
        return
    texts = set(e.flat)
    if len({text.strip().lower() for text in texts}) < len(texts):
        raise ValueError("outcomes must not differ only in case or blanks")
