"""Binomial and hypergeometric probabilities of many counts, from a table of log factorials."""

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# Probability that is omitted at either end of a sum.
_NEGLIGIBLE_TAIL = 1e-14


def hypergeometric_cdf(
    x: Ints, total: int, good: Ints, draws: Ints, log_factorial: Floats
) -> Floats:
    """Return P(X <= x_i) of hypergeometric(total, good, draws_i), consecutive draws; (good, i).

    One more draw lowers P(X <= x) by the probability that it is one good item too many; where x
    rises by one, the probability of the new x is added.  Each tail therefore follows from the one
    before by two point probabilities.
    """
    # Hoeffding: X is more than 5 sqrt(draws) below its mean with probability at most exp(-50)
    least = good.min() * draws[0] / max(total, 1) - 5 * np.sqrt(draws[0])
    values = np.arange(max(int(least), 0), x[0] + 1)
    good = good[:, np.newaxis]
    first = hypergeometric_pmf(values, total, good, draws[0], log_factorial).sum(axis=1)
    crossing = hypergeometric_pmf(x[:-1], total, good, draws[:-1], log_factorial) * (
        (good - x[:-1]) / (total - draws[:-1])
    )
    arriving = hypergeometric_pmf(x[1:], total, good, draws[1:], log_factorial) * np.diff(x)
    steps = np.concatenate([first[:, np.newaxis], arriving - crossing], axis=1)
    return np.cumsum(steps, axis=1)


def hypergeometric_pmf(
    x: Ints, total: int, good: Ints | int, draws: Ints | int, log_factorial: Floats
) -> Floats:
    """Return P(X = x) of hypergeometric(total, good, draws); the arguments broadcast."""
    f = log_factorial
    bad = total - good
    return np.exp(
        f[good] - f[x] - f[good - x]
        + f[bad] - f[draws - x] - f[bad - draws + x]
        + f[draws] + f[total - draws] - f[total]
    )


def binomial_pmf(x: Ints | int, n: int, p: Floats, log_factorial: Floats) -> Floats:
    """Return P(X = x) of binomial(n, p); x and p broadcast."""
    f = log_factorial
    return np.exp(f[n] - f[x] - f[n - x] + special.xlogy(x, p) + special.xlog1py(n - x, -p))


def binomial_cdf(x: Ints, n: Ints, p: Floats) -> Floats:
    """Return P(X <= x) of binomial(n, p), 0 for negative x."""
    return np.where(x >= 0, special.bdtr(np.maximum(x, 0), n, p), 0.0)


def log_factorials(n: int) -> Floats:
    """Return log k! at index k, for k from -n to n.

    1/k! is 0 for negative k, so log k! is infinite there; NumPy counts negative indices from the
    end of the table.
    """
    return np.concatenate([special.gammaln(np.arange(n + 1) + 1.0), np.full(n, np.inf)])


def binomial_window(n: int, p: Floats) -> tuple[int, int]:
    """Return the range outside which every binomial(n, p) has a negligible probability."""
    low = stats.binom.ppf(_NEGLIGIBLE_TAIL, n, p.min())
    high = stats.binom.isf(_NEGLIGIBLE_TAIL, n, p.max())
    return max(int(low), 0), int(high)
