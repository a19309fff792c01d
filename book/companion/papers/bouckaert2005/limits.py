r"""Limits of McNemar's test for large data sets.

With t = m/n fixed and n large, the standardised differences
:math:`Z_i = (n_{01} - n_{10})/\sqrt{n_{01} + n_{10}}` of two experiments on the same D are

.. math:: Z_i = \delta + \sqrt t\, U + \sqrt{1-t}\, E_i

with independent standard normal U (for the data set), :math:`E_1` and :math:`E_2` (for
the two test sets): a bivariate normal pair with correlation t.  A two-sided test with
threshold z then has

.. math:: r = 1 - 2\beta + 2\beta^2 + 2c, \qquad
          \beta = \Phi(-a) + \Phi(-b), \qquad a = z - \delta, \quad b = z + \delta,

where c is the covariance of the two rejections.  A bivariate normal density is the
derivative of its distribution function by the correlation (Plackett's identity); with
correlation sin(theta)

.. math:: c = \frac1{2\pi} \int_0^{\arcsin t} \left[ e^{-a^2/(1+\sin\theta)}
              + e^{-b^2/(1+\sin\theta)}
              - 2 e^{-(a^2+b^2+2ab\sin\theta)/(2\cos^2\theta)} \right] d\theta .

Two results follow from this integral.  Under H0 (a = b = z) the integrand is positive and does not
contain n: the excess over independent experiments, c divided by alpha (epsilon of Bouckaert 2005,
Section 3.1), depends only on t and z.  Where the power is 1/2
(a = 0), the first term is 1 and the others are negligible, so :math:`c = \arcsin(t)/2\pi` and
:math:`r = 1/2 + \arcsin(t)/\pi`.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from replib._validation import Array, as_number
from replib.replicability import agreement


def power(
    shift: ArrayLike, *, alpha: float = 0.05, discordant: ArrayLike = np.inf
) -> ArrayLike:
    r"""Compute the power of McNemar's test in the limit of large data sets.

    Parameters
    ----------
    shift : array_like
        Mean of the standardised difference,
        :math:`\delta = \sqrt m\,(p_+ - p_-)/\sqrt{p_+ + p_-}` with m test instances.
    alpha : float, default 0.05
        Significance level, above 0 and at most 0.4.
    discordant : array_like, default infinity
        Expected number of discordant test instances, above 0, for the test with
        continuity correction: its threshold for Z is
        :math:`z + 1/\sqrt{n_{01}+n_{10}}`.  Infinity means no correction.

    Returns
    -------
    float or ndarray

    Examples
    --------
    The Type I error of the corrected test with 50 discordant instances:

    >>> round(power(0, discordant=50), 4)
    0.0356
    """
    a, b = _distances(shift, alpha, discordant)
    return as_number(special.ndtr(-a) + special.ndtr(-b))


def covariance(
    fraction: ArrayLike,
    shift: ArrayLike,
    *,
    alpha: float = 0.05,
    discordant: ArrayLike = np.inf,
) -> ArrayLike:
    """Compute the covariance c of the rejections of two experiments on the same large data set.

    Parameters
    ----------
    fraction : array_like
        Share t = m/n of test instances, 0 to 1; broadcast against the others.  At 1
        both experiments have the same test set, and always agree.
    shift, alpha, discordant
        As in :func:`power`.

    Returns
    -------
    float or ndarray
        The integral at the head of this module; 0 at t = 0.

    Examples
    --------
    >>> round(covariance(0.1, 0), 6)
    0.000263
    """
    t = np.asarray(fraction, float)
    a, b = _distances(shift, alpha, discordant)
    same_side = _both_below(-a, -a, t) + _both_below(-b, -b, t)
    opposite_sides = 2 * _both_below(-a, -b, -t)
    power = special.ndtr(-a) + special.ndtr(-b)
    return as_number(same_side + opposite_sides - power**2)


def replicability(
    fraction: ArrayLike,
    shift: ArrayLike,
    *,
    alpha: float = 0.05,
    discordant: ArrayLike = np.inf,
) -> ArrayLike:
    r"""Compute the replicability of McNemar's test in the limit of large data sets.

    .. math:: r = 1 - 2\beta + 2\beta^2 + 2c

    Parameters
    ----------
    fraction, shift, alpha, discordant
        As in :func:`covariance`.

    Returns
    -------
    float or ndarray
        Raw scale, 1/2 to 1.

    See Also
    --------
    companion.papers.bouckaert2005.mcnemar.replicability : the exact value for a finite data set.

    Examples
    --------
    Under H0, for three test fractions:

    >>> replicability([0.1, 1/3, 0.5], 0).round(4).tolist()
    [0.9055, 0.9109, 0.9185]
    """
    independent = agreement(power(shift, alpha=alpha, discordant=discordant))
    return independent + 2 * covariance(
        fraction, shift, alpha=alpha, discordant=discordant
    )


def worst_case_replicability(fraction: ArrayLike) -> ArrayLike:
    r"""Compute the worst-case replicability :math:`1/2 + \arcsin(t)/\pi`, for large data sets.

    It occurs where the power is 1/2.  The value is exact for a one-sided test; for the
    two-sided one it is off by at most 1e-4 at 5%.

    Parameters
    ----------
    fraction : array_like
        Share t of test instances, 0 to 1.

    Returns
    -------
    float or ndarray
        Raw scale.

    Examples
    --------
    >>> worst_case_replicability([0.1, 1/3, 0.5]).round(4).tolist()
    [0.5319, 0.6082, 0.6667]
    """
    return as_number(0.5 + np.arcsin(fraction) / np.pi)


def _both_below(h: Array, k: Array, rho: Array) -> Array:
    """Return P(X <= h, Y <= k) of standard normal X and Y with correlation rho, by Owen (1956)."""
    # the sign of a zero would become that of an infinite slope
    h = h + 0.0
    k = k + 0.0
    # a slope may be infinite, which is the right limit; 0/0 is 0 here
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.sqrt((1 - rho) * (1 + rho))
        h_slope = (np.where(h == k, 1.0, k / h) - rho) / spread
        k_slope = (np.where(h == k, 1.0, h / k) - rho) / spread
    h_slope = np.where(np.isnan(h_slope), 0.0, h_slope)
    k_slope = np.where(np.isnan(k_slope), 0.0, k_slope)
    signs = np.sign(h) * np.sign(k)
    has_opposite_signs = (signs < 0) | (signs == 0) & (h + k < 0)
    mean = (special.ndtr(h) + special.ndtr(k) - has_opposite_signs) / 2
    return mean - special.owens_t(h, h_slope) - special.owens_t(k, k_slope)


def _distances(
    shift: ArrayLike, alpha: float, discordant: ArrayLike
) -> tuple[Array, Array]:
    """Return a and b, the distances from the mean of Z to the upper and to the lower threshold."""
    z = special.ndtri(1 - alpha / 2) + 1 / np.sqrt(discordant)
    return z - np.asarray(shift), z + np.asarray(shift)
