r"""Power and replicability of McNemar's test, exact and in the limit of large data sets.

A data set D holds n independent instances.  On each, B wins ("+") with probability
:math:`p_+`, A wins ("-") with :math:`p_-`, else both are right or both are wrong: a draw.  The
classifiers do not depend on the training data.  An experiment draws m of the n instances without
replacement and applies McNemar's test to them; it rejects with probability p(D).  Over data sets,

.. math:: \text{power} = E_D\, p(D), \qquad r = E_D\left[p(D)^2 + (1-p(D))^2\right]

(Bouckaert 2005, Section 3).  Of D only the numbers of "+" and "-" matter, and of the test set too,
so that both expectations are finite sums of hypergeometric and binomial terms
(:func:`mcnemar_power`, :func:`mcnemar_replicability`).

**The limit.**  With t = m/n fixed and n large, the standardised differences
:math:`Z_i = (n_{01} - n_{10})/\sqrt{n_{01} + n_{10}}` of two experiments on the same D are

.. math:: Z_i = \delta + \sqrt t\, U + \sqrt{1-t}\, E_i

with independent standard normal U (the data set), :math:`E_1` and :math:`E_2` (the two test sets):
a bivariate normal pair with correlation t.  A two-sided test with threshold z then has

.. math:: r = 1 - 2\beta + 2\beta^2 + 2c, \qquad
          \beta = \Phi(-a) + \Phi(-b), \qquad a = z - \delta, \quad b = z + \delta,

where c is the covariance of the two rejections.  As a bivariate normal density is the derivative
of its distribution function by the correlation (Plackett's identity), with correlation sin(theta)

.. math:: c = \frac1{2\pi} \int_0^{\arcsin t} \left[ e^{-a^2/(1+\sin\theta)}
              + e^{-b^2/(1+\sin\theta)}
              - 2 e^{-(a^2+b^2+2ab\sin\theta)/(2\cos^2\theta)} \right] d\theta .

Two results are read off this integral.  Under H0 (a = b = z) the integrand is positive and does not
contain n: the excess over independent experiments depends on t and z alone.  Where the power is 1/2
(a = 0) the first term is 1 and the others are negligible, so that :math:`c = \arcsin(t)/2\pi` and
:math:`r = 1/2 + \arcsin(t)/\pi`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special, stats

from replib.checks import as_number
from replib.significance import mcnemar

# Probability left out at either end of a sum over data sets; a sum over test sets leaves out terms
# below `_NEGLIGIBLE_TERM`, fewer than a million of them.
_NEGLIGIBLE_TAIL = 1e-14
_NEGLIGIBLE_TERM = 1e-20

# A power this close to 0 or 1 fixes the replicability at 1 to twice as much.
_CERTAIN = 1e-12

# Up to here every variant of the test rejects lopsided counts only.  At 0.48 and above the printed
# statistic would, at n10 = n01 = 1, call a tie significant.
_MAX_ALPHA = 0.4

_THETA_NODES, _THETA_WEIGHTS = np.polynomial.legendre.leggauss(64)


# ------------------------------------------------------------------ exact, finite data sets


@dataclass(frozen=True, eq=False)
class RejectionDistribution:
    """How the probability of rejecting H0, p(D), is distributed over data sets D.

    Attributes
    ----------
    probability : ndarray, shape (nodes,)
        Values of p(D).
    weight : ndarray, shape (..., nodes)
        Their weights, which sum to one; one distribution for each setting of the win rates.
    """

    probability: np.ndarray
    weight: np.ndarray

    def expectation(self, values: np.ndarray) -> np.ndarray | float:
        """Mean over data sets of a function of p(D).

        Parameters
        ----------
        values : ndarray, shape (nodes,)
            The function at `probability`.

        Returns
        -------
        float or ndarray
            Without the axis of the nodes.
        """
        return as_number(self.weight @ values)

    @property
    def power(self) -> np.ndarray | float:
        """Probability that an experiment rejects: the mean of p(D)."""
        return self.expectation(self.probability)

    @property
    def replicability(self) -> np.ndarray | float:
        """Probability that two experiments on the same data set agree, raw scale."""
        return self.expectation(agreement(self.probability))


def agreement(p: ArrayLike) -> np.ndarray | float:
    r"""Probability :math:`p^2 + (1-p)^2` that two independent outcomes agree.

    At the Type I error alpha it is the bound :math:`1 - 2\alpha + 2\alpha^2` of Bouckaert (2005,
    Section 3): as the function is convex, by Jensen's inequality no experiment with that error has
    a lower Type I replicability.

    Parameters
    ----------
    p : array_like
        Probability of one of the two outcomes, 0 to 1.

    Returns
    -------
    float or ndarray

    Examples
    --------
    >>> agreement(0.25)
    0.625
    """
    p = np.asarray(p, dtype=float)
    return as_number(0.5 + 2 * (p - 0.5) ** 2)  # the same, but never below 1/2 by rounding


def critical_count(
    discordant: ArrayLike, *, alpha: float = 0.05, method: str = "corrected"
) -> np.ndarray | int:
    """Largest smaller count with which McNemar's test still rejects.

    Parameters
    ----------
    discordant : array_like of int
        Number of discordant instances n10 + n01 in the test set.
    alpha : float, default 0.05
        Significance level, above 0 and at most 0.4.
    method : {"corrected", "as_printed", "uncorrected", "exact"}
        As in :func:`replib.significance.mcnemar`.

    Returns
    -------
    int or ndarray of int
        The test rejects if and only if ``min(n10, n01)`` is at most this; -1 if it never does.

    Raises
    ------
    ValueError
        If a count is negative or not whole, `alpha` lies outside its range, or the method is
        unknown.

    Examples
    --------
    >>> critical_count([5, 6, 50]).tolist()
    [-1, 0, 17]
    """
    _check_alpha(alpha)
    n = np.asarray(discordant)
    if np.any(n != np.floor(n)) or np.any(n < 0):
        raise ValueError("discordant must hold whole numbers of test instances, at least 0")
    n = n.astype(np.int64)
    # the p-value grows with the smaller count, so bisect for the place where it passes alpha
    rejects, accepts = np.full_like(n, -1), n // 2 + 1
    while np.any(accepts - rejects > 1):
        middle = np.maximum((rejects + accepts) // 2, 0)
        significant = mcnemar(n - middle, middle, method=method).pvalue < alpha
        open_ = accepts - rejects > 1
        rejects = np.where(open_ & significant, middle, rejects)
        accepts = np.where(open_ & ~np.asarray(significant), middle, accepts)
    return as_number(rejects)


def mcnemar_power(
    test_size: int,
    p_plus: ArrayLike,
    p_minus: ArrayLike,
    *,
    alpha: float = 0.05,
    method: str = "corrected",
) -> np.ndarray | float:
    """Exact probability that McNemar's test rejects.

    It does not depend on the size of the data set: a random test set of independent instances
    consists of independent instances.

    Parameters
    ----------
    test_size : int
        Number m of test instances, at least 1.
    p_plus, p_minus : array_like
        Probability that an instance is won by B, and by A; their sum is at most 1.  Broadcast
        against each other.
    alpha, method
        As in :func:`critical_count`.

    Returns
    -------
    float or ndarray

    Raises
    ------
    ValueError
        If a parameter lies outside its range.

    Examples
    --------
    The corrected test is conservative:

    >>> round(mcnemar_power(100, 0.25, 0.25), 4)
    0.0357
    """
    test_size = _check_size("test_size", test_size)
    p_plus, p_minus, discordance, share = _check_rates(p_plus, p_minus)
    low, high = _binomial_window(test_size, discordance)
    j = np.arange(low, high + 1)
    critical = critical_count(j, alpha=alpha, method=method)
    share, discordance = share[..., np.newaxis], discordance[..., np.newaxis]
    few_minus = _binomial_cdf(critical, j, 1 - share)
    few_plus = _binomial_cdf(critical, j, share)
    weight = stats.binom.pmf(j, test_size, discordance)
    return as_number((weight * (few_minus + few_plus)).sum(axis=-1))


def rejection_probability(
    plus: ArrayLike,
    minus: ArrayLike,
    *,
    n: int,
    test_size: int,
    alpha: float = 0.05,
    method: str = "corrected",
) -> np.ndarray | float:
    """Exact p(D): probability that an experiment on a given data set rejects.

    Parameters
    ----------
    plus, minus : array_like of int
        Number of instances of D won by B, and by A; broadcast against each other.
    n : int
        Number of instances of D.
    test_size : int
        Number m of test instances, 1 to n, drawn without replacement.
    alpha, method
        As in :func:`critical_count`.

    Returns
    -------
    float or ndarray

    Raises
    ------
    ValueError
        If a parameter lies outside its range, or ``plus + minus`` exceeds n.

    Examples
    --------
    >>> round(rejection_probability(300, 250, n=1000, test_size=100), 4)
    0.0694
    """
    n = _check_size("n", n)
    test_size = _check_size("test_size", test_size, at_most=n)
    plus, minus = np.broadcast_arrays(np.asarray(plus), np.asarray(minus))
    total = plus + minus
    if np.any(plus < 0) or np.any(minus < 0) or np.any(total > n):
        raise ValueError(f"plus and minus must be at least 0 and sum to at most n = {n}")
    critical = critical_count(np.arange(test_size + 1), alpha=alpha, method=method)
    log_factorial = _log_factorials(n)
    result = np.empty(total.shape)
    for k in np.unique(total):
        here = total == k
        result[here] = _rejection_given_discordant(
            plus[here], int(k), n, test_size, critical, log_factorial
        )
    return as_number(result)


def rejection_distribution(
    n: int,
    test_size: int,
    p_plus: ArrayLike,
    p_minus: ArrayLike,
    *,
    alpha: float = 0.05,
    method: str = "corrected",
) -> RejectionDistribution:
    """Exact distribution of p(D) over data sets of n instances.

    Parameters
    ----------
    n : int
        Number of instances of a data set.
    test_size : int
        Number m of test instances, 1 to n, drawn without replacement.
    p_plus, p_minus : array_like
        Probability that an instance is won by B, and by A; their sum is at most 1.  Broadcast
        against each other.  All settings share their nodes, so that a hundred of them cost little
        more than two; settings far apart need more nodes.
    alpha, method
        As in :func:`critical_count`.

    Returns
    -------
    RejectionDistribution
        `weight` has the shape of the broadcast rates and a last axis of nodes.

    Raises
    ------
    ValueError
        If a parameter lies outside its range.

    Notes
    -----
    The sum runs over K, the number of discordant instances in D, and over how many of them are
    "+".  Data sets with a total probability below 1e-12 are left out.  Where the counts have a
    large standard deviation only every s-th count is visited and has s times its weight.  For a
    summand as smooth as this one the error of that rule falls as exp(-2 (pi sd/s)^2); s is at most
    half the standard deviation that the summand has at its narrowest, and the error of the
    expectations below 1e-10 (the tests compare with s = 1).

    The work grows with n and with 1/(1 - t).  For t up to 1/2 it takes a fraction of a second up to
    n = 10 000 and about a second at n = 200 000; there, at t = 0.99, most of a minute.

    Examples
    --------
    >>> distribution = rejection_distribution(1000, 100, 0.25, 0.25)
    >>> round(distribution.power, 4), round(distribution.replicability, 4)
    (0.0357, 0.9314)
    """
    n = _check_size("n", n)
    test_size = _check_size("test_size", test_size, at_most=n)
    p_plus, p_minus, discordance, share = _check_rates(p_plus, p_minus)
    narrowing = _narrowing(test_size / n)
    critical = critical_count(np.arange(test_size + 1), alpha=alpha, method=method)
    log_factorial = _log_factorials(n)

    low, high = _binomial_window(n, discordance)
    stride_k = _stride(n * (discordance * (1 - discordance)).min(), narrowing)
    probability, weight = [], []
    for k in range(low, high + 1, stride_k):
        low, high_plus = _binomial_window(k, share)
        stride = _stride(k * (share * (1 - share)).min(), narrowing)
        plus = np.arange(low, high_plus + 1, stride)
        probability.append(
            _rejection_given_discordant(plus, k, n, test_size, critical, log_factorial)
        )
        given_k = _binomial_pmf(plus, k, share[..., np.newaxis], log_factorial)
        of_k = _binomial_pmf(k, n, discordance[..., np.newaxis], log_factorial)
        weight.append(stride_k * stride * of_k * given_k)
    return RejectionDistribution(np.concatenate(probability), np.concatenate(weight, axis=-1))


def mcnemar_replicability(
    n: int,
    test_size: int,
    p_plus: ArrayLike,
    p_minus: ArrayLike,
    *,
    alpha: float = 0.05,
    method: str = "corrected",
) -> np.ndarray | float:
    """Exact replicability of McNemar's test: do two experiments on one data set agree?

    Parameters
    ----------
    n, test_size, p_plus, p_minus, alpha, method
        As in :func:`rejection_distribution`.

    Returns
    -------
    float or ndarray
        Raw scale, 1/2 to 1; absolute error below 1e-10.

    Raises
    ------
    ValueError
        If a parameter lies outside its range.

    See Also
    --------
    limit_replicability : its limit for large data sets.

    Examples
    --------
    A data set of 1000 instances, 10 % of them test data, without and with a difference between the
    classifiers:

    >>> mcnemar_replicability(1000, 100, [0.25, 0.31], [0.25, 0.19]).round(4).tolist()
    [0.9314, 0.5752]
    """
    power = np.asarray(mcnemar_power(test_size, p_plus, p_minus, alpha=alpha, method=method))
    p_plus, p_minus = np.broadcast_arrays(p_plus, p_minus)
    replicability = np.ones(power.shape)
    uncertain = (power > _CERTAIN) & (power < 1 - _CERTAIN)
    if uncertain.any():
        replicability[uncertain] = rejection_distribution(
            n, test_size, p_plus[uncertain], p_minus[uncertain], alpha=alpha, method=method
        ).replicability
    return as_number(replicability)


def _rejection_given_discordant(
    plus: np.ndarray,
    k: int,
    n: int,
    test_size: int,
    critical: np.ndarray,
    log_factorial: np.ndarray,
) -> np.ndarray:
    """p(D) for data sets with k discordant instances, `plus` of them "+"."""
    j = np.arange(max(0, test_size + k - n), min(test_size, k) + 1)
    weight = _hypergeometric_pmf(j, n, k, test_size, log_factorial)
    j, weight = j[weight > _NEGLIGIBLE_TERM], weight[weight > _NEGLIGIBLE_TERM]
    few_plus = _hypergeometric_cdf(critical[j], k, plus, j, log_factorial)
    few_minus = _hypergeometric_cdf(critical[j], k, k - plus, j, log_factorial)
    return np.clip((few_plus + few_minus) @ weight, 0.0, 1.0)  # rounding may overshoot


def _hypergeometric_cdf(
    x: np.ndarray, total: int, good: np.ndarray, draws: np.ndarray, log_factorial: np.ndarray
) -> np.ndarray:
    """P(X <= x_i) of hypergeometric(total, good, draws_i), for consecutive draws; shape (good, i).

    One more draw lowers P(X <= x) by the probability that it is the good one too many; where x
    rises by one, the probability of the new x is added.  So all tails follow from the first by two
    point probabilities each.
    """
    # Hoeffding: X is more than 5 sqrt(draws) below its mean with probability exp(-50) at most
    least = good.min() * draws[0] / max(total, 1) - 5 * np.sqrt(draws[0])
    values = np.arange(max(int(least), 0), x[0] + 1)
    good = good[:, np.newaxis]
    first = _hypergeometric_pmf(values, total, good, draws[0], log_factorial).sum(axis=1)
    crossing = _hypergeometric_pmf(x[:-1], total, good, draws[:-1], log_factorial) * (
        (good - x[:-1]) / (total - draws[:-1])
    )
    arriving = _hypergeometric_pmf(x[1:], total, good, draws[1:], log_factorial) * np.diff(x)
    steps = np.concatenate([first[:, np.newaxis], arriving - crossing], axis=1)
    return np.cumsum(steps, axis=1)


def _hypergeometric_pmf(x, total, good, draws, log_factorial: np.ndarray) -> np.ndarray:
    f = log_factorial
    bad = total - good
    return np.exp(
        f[good] - f[x] - f[good - x]
        + f[bad] - f[draws - x] - f[bad - draws + x]
        + f[draws] + f[total - draws] - f[total]
    )


def _binomial_pmf(x, n: int, p: np.ndarray, log_factorial: np.ndarray) -> np.ndarray:
    f = log_factorial
    return np.exp(f[n] - f[x] - f[n - x] + special.xlogy(x, p) + special.xlog1py(n - x, -p))


def _binomial_cdf(x: np.ndarray, n: np.ndarray, p: np.ndarray) -> np.ndarray:
    return np.where(x >= 0, special.bdtr(np.maximum(x, 0), n, p), 0.0)


def _log_factorials(n: int) -> np.ndarray:
    """log k! at index k, for k from -n to n.

    1/k! is 0 for negative k, so log k! is infinite there; NumPy counts negative indices from the
    end of the table.
    """
    return np.concatenate([special.gammaln(np.arange(n + 1) + 1.0), np.full(n, np.inf)])


def _binomial_window(n: int, p: np.ndarray) -> tuple[int, int]:
    """Range outside which no binomial(n, p) has more than a negligible probability."""
    low = stats.binom.ppf(_NEGLIGIBLE_TAIL, n, p.min())
    high = stats.binom.isf(_NEGLIGIBLE_TAIL, n, p.max())
    return max(int(low), 0), int(high)


def _narrowing(test_fraction: float) -> float:
    """How much narrower than the counts of D the summand p(D)^2 P(D) can be, as a factor.

    P(D) has variance t in units of the test statistic, and p(D)^2 rises like the square of a normal
    distribution function of variance 1 - t.  The Fourier transform of the product decays like that
    of a normal density with the variance 1/(1/t + 2/(1-t)).
    """
    return np.sqrt((1 - test_fraction) / (1 + test_fraction))


def _stride(variance: float, narrowing: float) -> int:
    return max(1, int(np.sqrt(variance) * narrowing / 2))


# ------------------------------------------------------------------ the limit of large data sets


def limit_shift(test_size: ArrayLike, p_plus: ArrayLike, p_minus: ArrayLike):
    r"""Mean :math:`\delta = \sqrt m\,(p_+ - p_-)/\sqrt{p_+ + p_-}` of the standardised difference.

    Parameters
    ----------
    test_size : array_like
        Number m of test instances.
    p_plus, p_minus : array_like
        Probability that an instance is won by B, and by A; not both 0.

    Returns
    -------
    float or ndarray

    Raises
    ------
    ValueError
        If a parameter lies outside its range.

    Examples
    --------
    >>> round(limit_shift(2000, 0.265, 0.235), 4)
    1.8974
    """
    p_plus, p_minus, discordance, _ = _check_rates(p_plus, p_minus)
    if np.any(discordance == 0):
        raise ValueError("without discordant instances the standardised difference is undefined")
    return as_number(np.sqrt(np.asarray(test_size)) * (p_plus - p_minus) / np.sqrt(discordance))


def limit_power(
    shift: ArrayLike, *, alpha: float = 0.05, discordant: ArrayLike = np.inf
) -> np.ndarray | float:
    r"""Power of McNemar's test in the limit of large data sets.

    Parameters
    ----------
    shift : array_like
        The mean :math:`\delta` of the standardised difference, see :func:`limit_shift`.
    alpha : float, default 0.05
        Significance level, above 0 and at most 0.4.
    discordant : array_like, default infinity
        Expected number of discordant test instances, above 0, where the test is continuity
        corrected: its threshold for Z is :math:`z + 1/\sqrt{n_{01}+n_{10}}`.  Infinity: no
        correction.

    Returns
    -------
    float or ndarray

    Raises
    ------
    ValueError
        If a parameter lies outside its range.

    Examples
    --------
    The Type I error of the corrected test, with 50 discordant instances:

    >>> round(limit_power(0, discordant=50), 4)
    0.0356
    """
    a, b = _distances(shift, alpha, discordant)
    return as_number(special.ndtr(-a) + special.ndtr(-b))


def limit_covariance(
    test_fraction: ArrayLike,
    shift: ArrayLike,
    *,
    alpha: float = 0.05,
    discordant: ArrayLike = np.inf,
) -> np.ndarray | float:
    """Covariance c of the rejections of two experiments on the same large data set.

    Parameters
    ----------
    test_fraction : array_like
        Share t = m/n of test instances, 0 to 1; broadcast against the others.
    shift, alpha, discordant
        As in :func:`limit_power`.

    Returns
    -------
    float or ndarray
        The integral that stands at the head of this module; 0 at t = 0.

    Raises
    ------
    ValueError
        If a parameter lies outside its range.

    Examples
    --------
    >>> round(limit_covariance(0.1, 0), 6)
    0.000263
    """
    t = _check_fraction(test_fraction)
    a, b = (x[..., np.newaxis] for x in _distances(shift, alpha, discordant))
    end = np.arcsin(t)[..., np.newaxis] / 2
    sine, cosine = np.sin(end * (1 + _THETA_NODES)), np.cos(end * (1 + _THETA_NODES))
    same_side = np.exp(-(a**2) / (1 + sine)) + np.exp(-(b**2) / (1 + sine))
    opposite_sides = np.exp(-(a**2 + b**2 + 2 * a * b * sine) / (2 * cosine**2))
    integral = (end * (same_side - 2 * opposite_sides)) @ _THETA_WEIGHTS
    return as_number(integral / (2 * np.pi))


def limit_replicability(
    test_fraction: ArrayLike,
    shift: ArrayLike,
    *,
    alpha: float = 0.05,
    discordant: ArrayLike = np.inf,
) -> np.ndarray | float:
    r"""Replicability of McNemar's test in the limit of large data sets.

    .. math:: r = 1 - 2\beta + 2\beta^2 + 2c

    Parameters
    ----------
    test_fraction, shift, alpha, discordant
        As in :func:`limit_covariance`.

    Returns
    -------
    float or ndarray
        Raw scale, 1/2 to 1.

    Raises
    ------
    ValueError
        If a parameter lies outside its range.

    See Also
    --------
    mcnemar_replicability : the exact value for a finite data set.

    Examples
    --------
    Under H0, for three test fractions:

    >>> limit_replicability([0.1, 1/3, 0.5], 0).round(4).tolist()
    [0.9055, 0.9109, 0.9185]
    """
    power = limit_power(shift, alpha=alpha, discordant=discordant)
    covariance = limit_covariance(test_fraction, shift, alpha=alpha, discordant=discordant)
    return as_number(np.asarray(agreement(power)) + 2 * np.asarray(covariance))


def type1_excess(test_fraction: ArrayLike, *, alpha: float = 0.05) -> np.ndarray | float:
    r"""The epsilon of Bouckaert (2005, Section 3.1): P(second rejects | first rejects) - alpha.

    Under H0, in the limit.  It grows with t and does not depend on the size of the data set, so
    that the Type I replicability :math:`1 - 2\alpha + 2\alpha^2 + 2\alpha\varepsilon` does not
    either.

    Parameters
    ----------
    test_fraction : array_like
        Share t of test instances, 0 to 1.
    alpha : float, default 0.05
        Significance level, above 0 and at most 0.4.

    Returns
    -------
    float or ndarray

    Raises
    ------
    ValueError
        If a parameter lies outside its range.

    Examples
    --------
    >>> type1_excess([0.1, 1/3, 0.5]).round(4).tolist()
    [0.0053, 0.0589, 0.1351]
    """
    return as_number(np.asarray(limit_covariance(test_fraction, 0.0, alpha=alpha)) / alpha)


def worst_case_replicability(test_fraction: ArrayLike) -> np.ndarray | float:
    r"""Worst-case replicability :math:`1/2 + \arcsin(t)/\pi`, for large data sets.

    It is taken where the power is 1/2.  The probability is exact for a one-sided test, and for the
    two-sided one up to a difference of 1e-4 at 5 %.

    Parameters
    ----------
    test_fraction : array_like
        Share t of test instances, 0 to 1.

    Returns
    -------
    float or ndarray
        Raw scale.

    Raises
    ------
    ValueError
        If a fraction lies outside 0 to 1.

    See Also
    --------
    worst_case_as_printed : the approximation of the paper's appendix.

    Examples
    --------
    >>> worst_case_replicability([0.1, 1/3, 0.5]).round(4).tolist()
    [0.5319, 0.6082, 0.6667]
    """
    return as_number(0.5 + np.arcsin(_check_fraction(test_fraction)) / np.pi)


def worst_case_as_printed(test_fraction: ArrayLike) -> np.ndarray | float:
    r"""Worst-case replicability :math:`\Phi(t\sqrt{2/\pi})` of Bouckaert (2005, Appendix).

    Parameters
    ----------
    test_fraction : array_like
        Share t of test instances, 0 to 1.

    Returns
    -------
    float or ndarray
        Raw scale.

    Raises
    ------
    ValueError
        If a fraction lies outside 0 to 1.

    Notes
    -----
    The paper asks for the probability that the second experiment rejects given that the first does,
    and gives all such first experiments their mean result: :math:`Z_1 - z` is half-normal, with
    mean :math:`\sqrt{2/\pi}`.  The variation about that mean and the smaller variance
    :math:`1 - t^2` of the second result are left out.  Both expressions start as
    :math:`1/2 + t/\pi`.

    Examples
    --------
    >>> worst_case_as_printed([0.1, 1/3, 0.5]).round(4).tolist()
    [0.5318, 0.6049, 0.655]
    """
    return as_number(special.ndtr(_check_fraction(test_fraction) * np.sqrt(2 / np.pi)))


def _distances(
    shift: ArrayLike, alpha: float, discordant: ArrayLike
) -> tuple[np.ndarray, np.ndarray]:
    """a and b: from the mean of Z to the upper and to the lower threshold."""
    _check_alpha(alpha)
    discordant = np.asarray(discordant, dtype=float)
    if not np.all(discordant > 0):
        raise ValueError("discordant, the expected number of discordant instances, must exceed 0")
    z = special.ndtri(1 - alpha / 2) + 1 / np.sqrt(discordant)
    shift = np.asarray(shift, dtype=float)
    return z - shift, z + shift


# ------------------------------------------------------------------ checks


def _check_alpha(alpha: float) -> None:
    if not 0 < alpha <= _MAX_ALPHA:
        raise ValueError(f"alpha must be above 0 and at most {_MAX_ALPHA}, not {alpha}")


def _check_fraction(test_fraction: ArrayLike) -> np.ndarray:
    t = np.asarray(test_fraction, dtype=float)
    if not np.all((t >= 0) & (t <= 1)):
        raise ValueError("test_fraction must lie between 0 and 1")
    return t


def _check_size(name: str, size: int, at_most: float = np.inf) -> int:
    if not (1 <= size <= at_most and size == int(size)):
        limit = "of at least 1" if at_most == np.inf else f"from 1 to n = {at_most}"
        raise ValueError(f"{name} must be a whole number {limit}, not {size}")
    return int(size)


def _check_rates(
    p_plus: ArrayLike, p_minus: ArrayLike
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The rates, the probability of a discordant instance, and the share of "+" among those."""
    p_plus, p_minus = np.broadcast_arrays(
        np.asarray(p_plus, dtype=float), np.asarray(p_minus, dtype=float)
    )
    discordance = p_plus + p_minus
    # three rates that sum to one on paper may exceed it by a rounding error
    if not np.all((p_plus >= 0) & (p_minus >= 0) & (discordance <= 1 + 1e-12)):
        raise ValueError("p_plus and p_minus must be at least 0 and sum to at most 1")
    discordance = np.minimum(discordance, 1.0)
    # without discordant instances the share does not matter
    share = np.where(discordance > 0, p_plus / np.where(discordance > 0, discordance, 1.0), 0.5)
    return p_plus, p_minus, discordance, np.minimum(share, 1.0)
