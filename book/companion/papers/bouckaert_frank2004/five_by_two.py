"""The law of the 5x2cv statistic for independent normal differences, which is not Student's t.

The numerator, x_11, is independent of four of the five variances, but not of that of
its own run: both are made of the same two numbers.
"""

import numpy as np
from scipy import integrate, optimize, stats

#: Runs, each with one variance of one degree of freedom.
RUNS = 5


def type1_error(critical: float) -> float:
    r"""Return the probability that :math:`|t|` of 5x2cv exceeds a value without any difference.

    The ten differences are independent and normal.  With
    :math:`u, v = (x_{11} \pm x_{12})/\sqrt2` of variance 1 and the four other variances
    adding up to :math:`w \sim \chi^2_4`, the test rejects if

    .. math:: (u+v)^2 > a\,(v^2 + w), \qquad a = \tfrac25 c^2.

    The quadratic form :math:`(u+v)^2 - a v^2` has one eigenvalue :math:`\lambda_+` above
    and one, :math:`\lambda_-`, below zero.  So the probability is that of a standard
    normal number whose square exceeds :math:`A z^2 + B w` with
    :math:`A = -\lambda_-/\lambda_+`, :math:`B = a/\lambda_+`, and by Craig's formula for
    the normal tail

    .. math:: \frac2\pi \int_0^{\pi/2} \Bigl(1 + \frac{A}{\sin^2\theta}\Bigr)^{-1/2}
              \Bigl(1 + \frac{B}{\sin^2\theta}\Bigr)^{-2} d\theta.

    Examples
    --------
    >>> round(100 * type1_error(critical_value(0.05)), 2)  # the level is 5%
    2.81
    """
    a = 2 * critical**2 / RUNS
    lower, upper = np.linalg.eigvalsh([[1.0, 1.0], [1.0, 1.0 - a]])
    return _tail(-lower / upper, a / upper, others=RUNS - 1)


def type1_error_if_independent(critical: float) -> float:
    """Return the same probability if the numerator came from a run of its own: Student's.

    Examples
    --------
    >>> round(100 * type1_error_if_independent(critical_value(0.05)), 6)
    5.0
    """
    ratio = critical**2 / RUNS
    return _tail(ratio, ratio, others=RUNS - 1)


def _tail(one: float, other: float, *, others: int) -> float:
    """Return P(y² > one z² + other w), w chi-square with `others` degrees of freedom."""

    def integrand(angle: float) -> float:
        sine = np.sin(angle) ** 2
        return (1 + one / sine) ** -0.5 * (1 + other / sine) ** (-others / 2)

    area, _ = integrate.quad(integrand, 0, np.pi / 2)
    return float(2 / np.pi * area)


def critical_value(alpha: float) -> float:
    """Return the two-sided critical value of Student's t with five degrees of freedom."""
    return float(stats.t.isf(alpha / 2, RUNS))


def exact_critical_value(alpha: float) -> float:
    """Return the critical value with which the test would have the level as its Type I error.

    Examples
    --------
    >>> round(100 * type1_error(exact_critical_value(0.05)), 6)
    5.0
    """
    return float(
        optimize.brentq(lambda c: type1_error(c) - alpha, 0.1, critical_value(alpha))
    )
