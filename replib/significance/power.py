"""Power of McNemar's test, exact for any number of test instances.

On each of m independent test instances, B wins ("+") with probability :math:`p_+`, A
wins ("-") with :math:`p_-`; otherwise both are right or both are wrong.  Only the
numbers of "+" and "-" matter, so power is a finite sum of binomial terms (Bouckaert
2005, Section 3).
"""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special, stats

from replib import _validation as validation
from replib._validation import Array, as_number, broadcast
from replib.significance.counts import mcnemar
from replib.significance.results import Floats

Ints = NDArray[np.int64]

#: Most instances; with more, the sums take hours.
LARGEST_SIZE = 10_000_000

# Critical counts are kept in blocks of this many: 8 megabytes in all.
_BLOCK = 4096
_BLOCKS = 256

# Probability that is omitted at either end of a sum.
_NEGLIGIBLE_TAIL = 1e-14

# Rates that sum to one on paper may exceed it by a rounding error.
_ROUNDING_OF_RATES = 1e-12


def mcnemar_critical_count(
    discordant: ArrayLike, *, alpha: float = 0.05, method: str = "corrected"
) -> Ints | int:
    """Return the largest value of the smaller count at which McNemar's test still rejects.

    Parameters
    ----------
    discordant : array_like of int
        Number of discordant instances n10 + n01 in the test set.
    alpha : float, default 0.05
        Significance level, between 0 and 1.
    method : {"corrected", "uncorrected", "exact"}
        As in :func:`replib.significance.mcnemar`.

    Returns
    -------
    int or ndarray of int
        The test rejects if and only if ``min(n10, n01)`` is at most this; -1 if it
        never does.

    Raises
    ------
    ValueError
        If a count is negative or not whole, `alpha` lies outside its range, or the
        method is unknown.

    Examples
    --------
    >>> mcnemar_critical_count([5, 6, 50]).tolist()
    [-1, 0, 17]
    """
    validation.check_level("alpha", alpha)
    n = validation.whole_numbers("discordant", discordant, at_least=0)
    # The p-value grows with the smaller count, so bisect for the count where it passes
    # alpha.  Two equal counts have p = 1 and are never significant.
    rejects = np.full_like(n, -1)
    accepts = n // 2 + 1

    def is_significant(smaller: Ints) -> NDArray[np.bool_]:
        return np.asarray(mcnemar(n - smaller, smaller, method=method).pvalue) < alpha

    # The normal approximation is nearly right, and saves most of the steps.
    normal = np.floor((n - special.ndtri(1 - alpha / 2) * np.sqrt(n)) / 2)
    for guess in (normal - 2, normal + 2):
        near = np.clip(guess, 0, n // 2).astype(np.int64)
        significant = is_significant(near)
        rejects = np.where(significant, np.maximum(rejects, near), rejects)
        accepts = np.where(significant, accepts, np.minimum(accepts, near))
    while np.any(accepts - rejects > 1):
        middle = np.maximum((rejects + accepts) // 2, 0)
        significant = is_significant(middle)
        rejects = np.where(significant, middle, rejects)
        accepts = np.where(significant, accepts, middle)
    return as_number(rejects)


def mcnemar_power(
    test_size: int,
    p_plus: ArrayLike,
    p_minus: ArrayLike,
    *,
    alpha: float = 0.05,
    method: str = "corrected",
) -> Floats:
    """Compute the exact probability that McNemar's test rejects.

    Parameters
    ----------
    test_size : int
        Number m of independent test instances, 1 to 10 million.
    p_plus, p_minus : array_like
        Probability that B wins an instance, and that A does; their sum is at most 1.
        Broadcast against each other.
    alpha, method
        As in :func:`mcnemar_critical_count`.

    Returns
    -------
    float or ndarray

    Raises
    ------
    ValueError
        If an argument lies outside its range.

    Examples
    --------
    The corrected test is conservative:

    >>> round(mcnemar_power(100, 0.25, 0.25), 4)
    0.0357
    """
    test_size = validation.whole_number(
        "test_size", test_size, at_least=1, at_most=LARGEST_SIZE
    )
    discordance, share = discordance_and_share(p_plus, p_minus)
    low, high = binomial_window(test_size, discordance)
    discordant = np.arange(low, high + 1)
    critical = _critical_counts(low, high, alpha=alpha, method=method)
    share = share[..., np.newaxis]
    few_minus = stats.binom.cdf(critical, discordant, 1 - share)
    few_plus = stats.binom.cdf(critical, discordant, share)
    weight = stats.binom.pmf(discordant, test_size, discordance[..., np.newaxis])
    power = (weight * (few_minus + few_plus)).sum(axis=-1)
    return as_number(np.minimum(power, 1.0))  # rounding may lead above one


def _critical_counts(low: int, high: int, *, alpha: float, method: str) -> Ints:
    """Return the critical counts for all numbers of discordant instances, both included.

    Many are kept in blocks: a search for a size asks for nearly the same numbers again
    and again, and two thirds of its time would go into them.
    """
    if high - low < _BLOCK:
        numbers = np.arange(low, high + 1)
        return np.asarray(mcnemar_critical_count(numbers, alpha=alpha, method=method))
    first = low // _BLOCK
    last = high // _BLOCK
    blocks = [_critical_block(i, alpha, method) for i in range(first, last + 1)]
    start = low - first * _BLOCK
    return np.concatenate(blocks)[start : start + high - low + 1]


@lru_cache(maxsize=_BLOCKS)
def _critical_block(number: int, alpha: float, method: str) -> Ints:
    """Return the critical counts of a block of numbers of discordant instances."""
    numbers = np.arange(number * _BLOCK, (number + 1) * _BLOCK)
    return np.asarray(mcnemar_critical_count(numbers, alpha=alpha, method=method))


def discordance_and_share(p_plus: ArrayLike, p_minus: ArrayLike) -> tuple[Array, Array]:
    """Return the probability that an instance is discordant, and that a discordant one is "+"."""
    plus, minus = broadcast(
        ("p_plus", "p_minus"),
        validation.array_within("p_plus", p_plus, 0, 1),
        validation.array_within("p_minus", p_minus, 0, 1),
    )
    if plus.size == 0:
        raise ValueError("p_plus and p_minus must hold one rate at least")
    discordance = plus + minus
    if np.any(discordance > 1 + _ROUNDING_OF_RATES):
        raise ValueError(
            f"p_plus and p_minus must sum to at most 1, not to {discordance.max():g}"
        )
    discordance = np.minimum(discordance, 1.0)
    # without discordant instances the share does not matter
    return discordance, plus / np.where(discordance > 0, discordance, 1.0)


def binomial_window(n: int, p: Array) -> tuple[int, int]:
    """Return the range outside which every binomial(n, p) has a negligible probability."""
    low = stats.binom.ppf(_NEGLIGIBLE_TAIL, n, p.min())
    high = stats.binom.isf(_NEGLIGIBLE_TAIL, n, p.max())
    return max(int(low), 0), int(high)
