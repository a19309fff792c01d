"""Tests based on counts: the sign test of differences, McNemar's test of discordant pairs."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from replib._validation import (
    Array,
    broadcast,
    check_choice,
    whole_numbers,
    without_rounding_noise,
)
from replib.significance.results import ALTERNATIVES, TestResult, pvalue_of_tails
from replib.significance.samples import Axis, finite_samples


def sign_test(
    differences: ArrayLike,
    *,
    axis: Axis = -1,
    alternative: str = "two-sided",
) -> TestResult:
    r"""Test whether positive and negative differences are equally probable, by the sign test.

    With Z pluses among the n differences that are not zero and X binomial(n, 1/2), the
    two-sided p-value is :math:`2 \min\{P(X \le Z), P(X \ge Z)\}`, at most 1.

    Parameters
    ----------
    differences : array_like
        Scores of A minus scores of B, in any unit.
    axis : int or tuple of ints, default -1
        The axis or axes that hold a sample, of at least two differences.
    alternative : {"two-sided", "less", "greater"}
        "greater": A is better.

    Returns
    -------
    TestResult
        `statistic` the number of pluses Z, `n` the number of signs, `estimate` the
        share of pluses minus that of minuses; without the axes `axis`.

    Raises
    ------
    ValueError
        If a sample has fewer than two differences or one that is not finite, or an
        option is unknown.

    Examples
    --------
    Eight pluses and two minuses:

    >>> differences = [1, 1, 1, 1, -1, 1, 1, -1, 1, 1]
    >>> round(sign_test(differences).pvalue, 4)
    0.1094
    """
    check_choice("alternative", alternative, ALTERNATIVES)
    x = finite_samples(differences, axis)
    x = without_rounding_noise(x, np.abs(x).max(axis=-1, keepdims=True))
    pluses = np.count_nonzero(x > 0, axis=-1)
    minuses = np.count_nonzero(x < 0, axis=-1)
    n = pluses + minuses
    at_most = special.bdtr(pluses.astype(float), n, 0.5)
    # the distribution is symmetric, so P(X >= z) = P(X <= n - z)
    at_least = special.bdtr(minuses.astype(float), n, 0.5)
    pvalue = pvalue_of_tails(at_most, at_least, alternative)
    return TestResult(
        statistic=pluses.astype(float),
        pvalue=np.where(n == 0, 1.0, pvalue),
        alternative=alternative,
        estimate=(pluses - minuses) / np.maximum(n, 1),
        n=n,
    )


def mcnemar(n10: ArrayLike, n01: ArrayLike, *, method: str = "exact") -> TestResult:
    r"""Apply McNemar's test to the discordant pairs of one test set, two-sided.

    Parameters
    ----------
    n10, n01 : array_like of int
        Number of test instances that only A, and that only B, classifies correctly.
        The two are broadcast against each other.
    method : {"exact", "corrected", "uncorrected"}
        With d = n10 - n01 and n = n10 + n01:

        * "exact": the sign test, n10 against binomial(n, 1/2);
        * "corrected": :math:`\max(|d| - 1, 0)^2 / n` against chi-square with 1 degree of freedom;
        * "uncorrected": :math:`d^2 / n` (Bouckaert 2005, Section 3).

    Returns
    -------
    TestResult
        `statistic` n10 for the exact method, else the chi-square; `n` the number of
        discordant pairs; `estimate` d / n, 0 if there are none.  Without discordant
        pairs the statistic is 0 and p = 1 in every method.

    Raises
    ------
    ValueError
        If a count is negative or not a whole number, the shapes do not broadcast, or
        the method is unknown.

    Examples
    --------
    >>> round(mcnemar(25, 12).pvalue, 6)
    0.047031
    >>> statistic, p = mcnemar(25, 12, method="corrected")
    >>> round(statistic, 4), round(p, 6)
    (3.8919, 0.04852)
    """
    check_choice("method", method, ("exact", "corrected", "uncorrected"))
    n10, n01 = broadcast(
        ("n10", "n01"),
        whole_numbers("n10", n10, at_least=0),
        whole_numbers("n01", n01, at_least=0),
    )
    if method == "exact":
        return exact_mcnemar(n10, n01)
    n = n10 + n01
    distance = np.abs(n10 - n01).astype(float)
    if method == "corrected":
        distance = np.maximum(distance - 1.0, 0.0)
    statistic = np.where(n > 0, distance**2 / np.maximum(n, 1), 0.0)
    # chi-square with 1 degree of freedom is a squared normal variable
    pvalue = special.erfc(np.sqrt(statistic / 2))
    return _mcnemar_result(n10, n01, statistic=statistic, pvalue=pvalue)


def exact_mcnemar(n10: NDArray[np.int64], n01: NDArray[np.int64]) -> TestResult:
    """Apply McNemar's exact test to checked counts of one shape."""
    pvalue = _exact_pvalues(np.minimum(n10, n01), n10 + n01)
    return _mcnemar_result(n10, n01, statistic=n10.astype(float), pvalue=pvalue)


def _exact_pvalues(smaller: NDArray[np.int64], n: NDArray[np.int64]) -> Array:
    """Return twice P(X <= smaller) for X binomial(n, 1/2), at most 1."""
    if n.size == 0:
        return np.ones(n.shape)
    shape = int(smaller.max()) + 1, int(n.max()) + 1
    if n.size > shape[0] * shape[1]:
        # of many tests, most have the same counts as another
        table = _exact_pvalues(*np.indices(shape))
        return np.asarray(table[smaller, n])
    return np.minimum(2 * special.bdtr(smaller.astype(float), n, 0.5), 1.0)


def _mcnemar_result(
    n10: NDArray[np.int64], n01: NDArray[np.int64], *, statistic: Array, pvalue: Array
) -> TestResult:
    """Return the test of these counts, all of whose methods have the same estimate."""
    n = n10 + n01
    return TestResult(
        statistic=statistic,
        pvalue=pvalue,
        alternative="two-sided",
        estimate=(n10 - n01) / np.maximum(n, 1),
        n=n,
    )
