"""Tests based on counts: the sign test of differences, McNemar's test of discordant pairs."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from replib._validation import (
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
    method: str = "exact",
) -> TestResult:
    r"""Test whether positive and negative differences are equally probable, by the sign test.

    Parameters
    ----------
    differences : array_like
        Scores of A minus scores of B, in any unit.
    axis : int or tuple of ints, default -1
        The axis or axes that hold a sample, of at least two differences.
    alternative : {"two-sided", "less", "greater"}
        "greater": A is better.
    method : {"exact", "as_printed", "lenient"}
        With Z pluses among n signs and X binomial(n, 1/2), the two-sided p-value is

        * "exact": :math:`2 \min\{P(X \le Z), P(X \ge Z)\}`, at most 1; zero differences are
          ignored, while in the other two each is half a plus and half a minus;
        * "as_printed": :math:`2 \min\{P(X \le Z), P(X > Z)\}`, the rule of Bouckaert (2004,
          Sections 2.2 and 2.3): accept when :math:`p(Z) = P(X \le Z)` lies between
          :math:`\alpha/2` and :math:`1 - \alpha/2`, the sum running to the integer part of Z;
        * "lenient": :math:`2 \min\{P(X < Z), P(X > Z)\}`, the lenient side of the printed rule for
          both learners.  The printed counts of that paper suggest this rule.

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

    Notes
    -----
    The printed rule is asymmetric: :math:`P(X > Z)` leaves out the observed value itself, so the
    rule rejects too readily when A is ahead.  At n = 10 and 5% it rejects for Z <= 1 and for
    Z >= 8, in 6.5% of samples under H0.  The exact test rejects for Z <= 1 and Z >= 9, in 2.1%, and
    the lenient one for Z <= 2 and Z >= 8, in 10.9%.  With n pluses the printed p-value is 0.

    Examples
    --------
    Eight pluses and two minuses:

    >>> differences = [1, 1, 1, 1, -1, 1, 1, -1, 1, 1]
    >>> round(sign_test(differences).pvalue, 4)
    0.1094
    >>> round(sign_test(differences, method="as_printed").pvalue, 4)
    0.0215
    """
    check_choice("alternative", alternative, ALTERNATIVES)
    check_choice("method", method, ("exact", "as_printed", "lenient"))
    x = finite_samples(differences, axis)
    x = without_rounding_noise(x, np.abs(x).max(axis=-1, keepdims=True))
    pluses = np.count_nonzero(x > 0, axis=-1)
    minuses = np.count_nonzero(x < 0, axis=-1)
    nonzero = pluses + minuses
    n = nonzero if method == "exact" else np.full_like(nonzero, x.shape[-1])
    z = pluses + (n - nonzero) / 2
    # the distribution is symmetric, so P(X >= z) = P(X <= n - z)
    above = (
        special.bdtr(n - z, n, 0.5)
        if method == "exact"
        else special.bdtrc(np.floor(z), n, 0.5)
    )
    below = (
        special.bdtrc(np.floor(n - z), n, 0.5)
        if method == "lenient"
        else (special.bdtr(np.floor(z), n, 0.5))
    )
    pvalue = np.where(nonzero == 0, 1.0, pvalue_of_tails(below, above, alternative))
    return TestResult(
        statistic=z,
        pvalue=pvalue,
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
    method : {"exact", "corrected", "as_printed", "uncorrected"}
        With d = n10 - n01 and n = n10 + n01:

        * "exact": the sign test, n10 against binomial(n, 1/2);
        * "corrected": :math:`\max(|d| - 1, 0)^2 / n` against chi-square with 1 degree of freedom;
        * "as_printed": :math:`(|d| - 1)^2 / n` (Bouckaert 2005, Eq. 1), which is 1/n instead of 0
          when n10 = n01;
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
    check_choice("method", method, ("exact", "corrected", "as_printed", "uncorrected"))
    n10, n01 = broadcast(
        ("n10", "n01"),
        whole_numbers("n10", n10, at_least=0),
        whole_numbers("n01", n01, at_least=0),
    )
    d, n = n10 - n01, n10 + n01
    if method == "exact":
        statistic = n10.astype(float)
        pvalue = np.minimum(
            2 * special.bdtr(np.minimum(n10, n01).astype(float), n, 0.5), 1.0
        )
    else:
        distance = np.abs(d) - float(method != "uncorrected")
        if method == "corrected":
            distance = np.maximum(distance, 0.0)
        statistic = np.where(n > 0, distance**2 / np.maximum(n, 1), 0.0)
        pvalue = special.erfc(
            np.sqrt(statistic / 2)
        )  # chi-square with 1 df is a squared normal
    return TestResult(
        statistic=statistic,
        pvalue=pvalue,
        alternative="two-sided",
        estimate=d / np.maximum(n, 1),
        n=n,
    )
