r"""Type I errors of t tests whose differences are correlated.

Let the true variance of the mean be `ratio` times the variance that the test assumes.
For normal differences with equal correlation, the statistic is then
:math:`\sqrt{\text{ratio}}` times a Student t, from which its Type I error follows
(:func:`type1_error_of_scaled_t`).  The ratio is known for equal correlation
(:func:`equicorrelated_type1_error`).  For the corrected statistic of one
cross-validation it is the square of :func:`scale_of_t`, for any true difference.

Functions raise `ValueError` if an argument lies outside its range.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from replib._validation import (
    Array,
    array_within,
    as_number,
    check_level,
    real_array,
    real_number,
    whole_number,
)
from replib.significance import Floats


def type1_error_of_scaled_t(ratio: ArrayLike, n: int, *, alpha: float = 0.05) -> Floats:
    r"""Compute the Type I error of a two-sided test whose statistic is a Student t times a factor.

    Parameters
    ----------
    ratio : array_like
        Square of the factor, at least 0: true over claimed variance of the mean.
    n : int
        Number of differences, at least 2; the Student t has n - 1 degrees of freedom.
    alpha : float, default 0.05
        Nominal level.

    Returns
    -------
    float or ndarray
        A probability.

    Examples
    --------
    >>> round(type1_error_of_scaled_t(1.0, 10), 9)
    0.05
    >>> round(type1_error_of_scaled_t(11.0, 100), 4)
    0.551
    """
    factor = np.sqrt(array_within("ratio", ratio, 0, np.inf))
    n = whole_number("n", n, at_least=2)
    check_level("alpha", alpha)
    critical = -special.stdtrit(n - 1, alpha / 2)
    with np.errstate(divide="ignore"):  # a statistic that is always 0 never rejects
        return as_number(2 * special.stdtr(n - 1, -critical / factor))


def equicorrelated_type1_error(
    rho: ArrayLike, n: int, *, test_train_ratio: float = 0.0, alpha: float = 0.05
) -> Floats:
    r"""Compute the exact Type I error of the t tests on equicorrelated normal differences.

    With correlation :math:`\rho` between any two of n differences, t is
    :math:`\sqrt{(\frac1n + \frac{\rho}{1-\rho}) / (\frac1n + \frac{n_2}{n_1})}` times a
    Student t with n - 1 degrees of freedom.

    Parameters
    ----------
    rho : array_like
        Correlation, above -1/(n - 1) and below 1.
    n : int
        Number of differences, at least 2.
    test_train_ratio : float, default 0
        Ratio of the corrected resampled t test; 0 for the paired t test.
    alpha : float, default 0.05
        Nominal level.

    Returns
    -------
    float or ndarray
        A probability.

    Examples
    --------
    >>> round(equicorrelated_type1_error(0.1, 10), 3)
    0.154
    >>> round(equicorrelated_type1_error(0.1, 10, test_train_ratio=1 / 9), 9)
    0.05
    """
    n = whole_number("n", n, at_least=2)
    rho = _correlation("rho", rho, n)
    ratio = real_number("test_train_ratio", test_train_ratio, 0, np.inf)
    true_variance = 1 / n + rho / (1 - rho)  # over the expectation of s^2
    claimed_variance = 1 / n + ratio
    return type1_error_of_scaled_t(true_variance / claimed_variance, n, alpha=alpha)


def scale_of_t(correlation: ArrayLike, folds: int) -> Floats:
    r"""Compute the factor by which T of one cross-validation is a multiple of a noncentral t.

    .. math:: \lambda^2 = \frac{1 + (k-1)\rho}{k\,(1-\rho)} \Big/
              \left(\frac1k + \frac1{k-1}\right)

    Parameters
    ----------
    correlation : array_like
        :math:`\rho`, between the differences of any two folds, above -1/(k - 1) and below 1.
    folds : int
        k, at least 2.

    Returns
    -------
    float or ndarray
        1 if :math:`\rho = 1/k`.

    Notes
    -----
    The mean of normal and equally correlated differences has the variance
    :math:`(1+(k-1)\rho)\,\sigma^2/k`; independently of it, their sample variance is
    :math:`(1-\rho)\,\sigma^2` times a chi-square divided by its degrees of freedom.

    Examples
    --------
    >>> round(scale_of_t(0.0, 10), 3), round(scale_of_t(0.1, 10), 3)
    (0.688, 1.0)
    """
    k = whole_number("folds", folds, at_least=2)
    rho = _correlation("correlation", correlation, k)
    ratio = (1 + (k - 1) * rho) / (k * (1 - rho))
    return as_number(np.sqrt(ratio / (1 / k + 1 / (k - 1))))


def _correlation(name: str, values: ArrayLike, n: int) -> Array:
    """Return correlations that any two of n variables can have."""
    rho = real_array(name, values)
    least = -1 / (n - 1)
    outside = rho[~((rho > least) & (rho < 1))]
    if outside.size:
        raise ValueError(
            f"{name} must be above -1 / {n - 1} = {least:.4g} and below 1, "
            f"not {outside[0]:.4g}"
        )
    return rho
