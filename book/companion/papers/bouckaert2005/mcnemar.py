r"""Power and replicability of McNemar's test, exact for finite data sets.

A data set D holds n independent instances.  On each, B wins ("+") with probability
:math:`p_+`, A wins ("-") with :math:`p_-`; otherwise both are right or both are wrong:
a draw.  The classifiers do not depend on the training data.  An experiment draws m of
the n instances without replacement and applies McNemar's test to them; it rejects with
probability p(D).  Over data sets,

.. math:: \text{power} = E_D\, p(D), \qquad r = E_D\left[p(D)^2 + (1-p(D))^2\right]

(Bouckaert 2005, Section 3).  Only the numbers of "+" and "-" in D and in the test set
matter, so both expectations are finite sums of hypergeometric and binomial terms
(:func:`replib.significance.mcnemar_power`, :func:`replicability`).

Functions raise `ValueError` if an argument lies outside its range.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special, stats

from replib import _validation as validation
from replib._validation import Array, as_number
from replib.replicability import agreement
from replib.significance import Floats, mcnemar_critical_count, mcnemar_power
from replib.significance.power import (
    LARGEST_SIZE,
    binomial_window,
    discordance_and_share,
)

Ints = NDArray[np.int64]

# Terms below this are omitted from a sum over test sets; there are fewer than a million
# of them.
_NEGLIGIBLE_TERM = 1e-20

# If the power is this close to 0 or 1, the replicability is 1 up to twice this
# distance.
_CERTAIN = 1e-12


@dataclass(frozen=True, eq=False)
class RejectionDistribution:
    """Distribution over data sets D of p(D), the probability of rejecting H0.

    Attributes
    ----------
    probability : ndarray, shape (nodes,)
        Values of p(D).
    weight : ndarray, shape (..., nodes)
        Their weights, which sum to one; one distribution per setting of the win rates.
    """

    probability: Array
    weight: Array

    @property
    def power(self) -> Floats:
        """Probability that an experiment rejects: the mean of p(D)."""
        return as_number(self.weight @ self.probability)

    @property
    def replicability(self) -> Floats:
        """Probability that two experiments on the same data set agree, raw scale."""
        return as_number(self.weight @ agreement(self.probability))


def rejection_probability(
    plus: int,
    minus: int,
    *,
    n: int,
    test_size: int,
    alpha: float = 0.05,
    method: str = "corrected",
) -> float:
    """Compute p(D), the exact probability that an experiment on a given data set rejects.

    Parameters
    ----------
    plus, minus : int
        Numbers of instances of D that B wins, and that A wins.
    n : int
        Number of instances of D.
    test_size : int
        Number m of test instances, 1 to n, drawn without replacement.
    alpha, method
        As in :func:`replib.significance.mcnemar_power`.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If a parameter lies outside its range, or ``plus + minus`` exceeds n.

    Examples
    --------
    >>> round(rejection_probability(300, 250, n=1000, test_size=100), 4)
    0.0694
    """
    experiment = _experiment(n, test_size, alpha, method)
    plus = validation.whole_number("plus", plus, at_least=0, at_most=n)
    minus = validation.whole_number("minus", minus, at_least=0, at_most=n - plus)
    (probability,) = experiment.rejection(np.array([plus]), plus + minus)
    return float(probability)


def rejection_distribution(
    n: int,
    test_size: int,
    p_plus: ArrayLike,
    p_minus: ArrayLike,
    *,
    alpha: float = 0.05,
    method: str = "corrected",
) -> RejectionDistribution:
    """Compute the exact distribution of p(D) over data sets of n instances.

    Parameters
    ----------
    n : int
        Number of instances of a data set.
    test_size : int
        Number m of test instances, 1 to n, drawn without replacement.
    p_plus, p_minus : array_like
        Probability that B wins an instance, and that A does; their sum is at most 1.
        Broadcast against each other.  All settings share their nodes, so a hundred
        settings cost little more than two; settings far apart need more nodes.
    alpha, method
        As in :func:`replib.significance.mcnemar_power`.

    Returns
    -------
    RejectionDistribution
        `weight` has the shape of the broadcast rates and a last axis of nodes.

    Notes
    -----
    The sum runs over K, the number of discordant instances in D, and over the number of "+" among
    them.  Data sets with a total probability below 1e-12 are omitted.  Where the counts have a
    large standard deviation, only every s-th count is visited, with s times its weight.  For a
    summand as smooth as this one, the error of that rule falls as exp(-2 (pi sd/s)^2).  As s is at
    most half the smallest standard deviation of the summand, the error of the expectations is below
    1e-10 (the tests compare with s = 1).

    The work grows with n and with 1/(1 - t).  For t up to 1/2 it takes a fraction of a
    second up to n = 10 000 and about a second at n = 200 000; at that n and t = 0.99,
    most of a minute.

    Examples
    --------
    >>> distribution = rejection_distribution(1000, 100, 0.25, 0.25)
    >>> round(distribution.power, 4), round(distribution.replicability, 4)
    (0.0357, 0.9314)
    """
    experiment = _experiment(n, test_size, alpha, method)
    discordance, share = discordance_and_share(p_plus, p_minus)
    # how narrow the summand p(D)^2 P(D) can be, relative to the counts of D: P(D) has
    # variance t in units of the test statistic, and p(D)^2 rises like the square of a
    # normal distribution function with variance 1 - t; the Fourier transform of the
    # product decays like that of a normal density with the variance 1/(1/t + 2/(1-t))
    narrowing = np.sqrt((n - test_size) / (n + test_size))
    least, most = binomial_window(n, discordance)
    stride = _stride(n * (discordance * (1 - discordance)).min(), narrowing)
    probabilities = []
    weights = []
    for discordant in range(least, most + 1, stride):
        least_plus, most_plus = binomial_window(discordant, share)
        stride_of_plus = _stride(discordant * (share * (1 - share)).min(), narrowing)
        plus = np.arange(least_plus, most_plus + 1, stride_of_plus)
        probabilities.append(experiment.rejection(plus, discordant))
        of_plus = stats.binom.pmf(plus, discordant, share[..., np.newaxis])
        of_discordant = stats.binom.pmf(discordant, n, discordance[..., np.newaxis])
        weights.append(stride * stride_of_plus * of_discordant * of_plus)
    return RejectionDistribution(
        np.concatenate(probabilities), np.concatenate(weights, axis=-1)
    )


def replicability(
    n: int,
    test_size: int,
    p_plus: ArrayLike,
    p_minus: ArrayLike,
    *,
    alpha: float = 0.05,
    method: str = "corrected",
) -> Floats:
    """Compute the exact replicability of McNemar's test: do two experiments on a data set agree?

    Parameters
    ----------
    n, test_size, p_plus, p_minus, alpha, method
        As in :func:`rejection_distribution`.

    Returns
    -------
    float or ndarray
        Raw scale, 1/2 to 1; absolute error below 1e-10.

    Examples
    --------
    A data set of 1000 instances with 10% test data, without and with a difference between the
    classifiers:

    >>> replicability(1000, 100, [0.25, 0.31], [0.25, 0.19]).round(4).tolist()
    [0.9314, 0.5752]
    """
    power = np.asarray(
        mcnemar_power(test_size, p_plus, p_minus, alpha=alpha, method=method)
    )
    p_plus, p_minus = np.broadcast_arrays(p_plus, p_minus)
    raw = np.ones(power.shape)
    is_open = (power > _CERTAIN) & (power < 1 - _CERTAIN)
    if is_open.any():
        rates = p_plus[is_open], p_minus[is_open]
        distribution = rejection_distribution(
            n, test_size, *rates, alpha=alpha, method=method
        )
        raw[is_open] = distribution.replicability
    return as_number(raw)


@dataclass(frozen=True, eq=False)
class _Experiment:
    """McNemar's test on a random test set of a data set of n instances.

    Attributes
    ----------
    n, test_size : int
    critical : ndarray, shape (test_size + 1,)
        By the number of discordant instances in the test set, the largest of the
        smaller count that rejects.
    log_factorial : ndarray
        From :func:`_log_factorials`.
    """

    n: int
    test_size: int
    critical: Ints
    log_factorial: Array

    def rejection(self, plus: Ints, discordant: int) -> Array:
        """Return p(D) for data sets with these numbers of "+" among their discordant instances."""
        # drawn: the number of discordant instances in the test set
        drawn = np.arange(min(self.test_size, discordant) + 1)
        weight = _hypergeometric_pmf(
            drawn, self.n, discordant, self.test_size, self.log_factorial
        )
        matters = weight > _NEGLIGIBLE_TERM
        drawn = drawn[matters]
        few_plus, few_minus = (
            _hypergeometric_cdf(
                self.critical[drawn], discordant, good, drawn, self.log_factorial
            )
            for good in (plus, discordant - plus)
        )
        probability = (few_plus + few_minus) @ weight[matters]
        return np.clip(probability, 0.0, 1.0)  # rounding may overshoot


def _experiment(n: int, test_size: int, alpha: float, method: str) -> _Experiment:
    """Return a checked experiment."""
    n = validation.whole_number("n", n, at_least=1, at_most=LARGEST_SIZE)
    test_size = validation.whole_number("test_size", test_size, at_least=1, at_most=n)
    critical = mcnemar_critical_count(
        np.arange(test_size + 1), alpha=alpha, method=method
    )
    return _Experiment(n, test_size, np.asarray(critical), _log_factorials(n))


def _stride(variance: float, narrowing: float) -> int:
    """Return half the smallest standard deviation of the summand, in counts."""
    return max(1, int(np.sqrt(variance) * narrowing / 2))


def _hypergeometric_cdf(
    x: Ints, total: int, good: Ints, draws: Ints, log_factorial: Array
) -> Array:
    """Return P(X <= x_i) of hypergeometric(total, good, draws_i), consecutive draws; (good, i).

    One more draw lowers P(X <= x) by the probability that it is one good item too many;
    where x rises by one, the probability of the new x is added.  Each tail therefore
    follows from the one before by two point probabilities.
    """
    # Hoeffding: X is more than 5 sqrt(draws) below its mean with probability at most
    # exp(-50)
    least = good.min() * draws[0] / max(total, 1) - 5 * np.sqrt(draws[0])
    values = np.arange(max(int(least), 0), x[0] + 1)
    good = good[:, np.newaxis]
    first = _hypergeometric_pmf(values, total, good, draws[0], log_factorial)
    at_limit = _hypergeometric_pmf(x[:-1], total, good, draws[:-1], log_factorial)
    one_good_more = (good - x[:-1]) / (total - draws[:-1])
    at_new_limit = _hypergeometric_pmf(x[1:], total, good, draws[1:], log_factorial)
    changes = at_new_limit * np.diff(x) - at_limit * one_good_more
    steps = np.concatenate([first.sum(axis=1)[:, np.newaxis], changes], axis=1)
    return np.cumsum(steps, axis=1)


def _hypergeometric_pmf(
    x: Ints, total: int, good: Ints | int, draws: Ints | int, log_factorial: Array
) -> Array:
    """Return P(X = x) of hypergeometric(total, good, draws); the arguments broadcast."""
    f = log_factorial
    bad = total - good
    return np.exp(
        f[good]
        - f[x]
        - f[good - x]
        + f[bad]
        - f[draws - x]
        - f[bad - draws + x]
        + f[draws]
        + f[total - draws]
        - f[total]
    )


def _log_factorials(n: int) -> Array:
    """Return log k! at index k, for k from -n to n.

    1/k! is 0 for negative k, so log k! is infinite there; NumPy counts negative indices
    from the end of the table.
    """
    return np.concatenate([special.gammaln(np.arange(n + 1) + 1.0), np.full(n, np.inf)])
