"""The methods of the papers of 2004: those of the library, and the sign test as printed.

Bouckaert (2004, Sections 2.2 and 2.3) accepts if :math:`p(Z) = P(X \\le Z)` lies between
:math:`\\alpha/2` and :math:`1 - \\alpha/2`, with Z pluses among n signs and X
binomial(n, 1/2).  The rule is asymmetric: its upper tail :math:`P(X > Z)` leaves out the
observed value itself, so it rejects too readily when A is ahead (erratum e07).  At
n = 10 and 5% it rejects for Z <= 1 and for Z >= 8, in 6.5% of samples under H0.  The
exact test rejects for Z <= 1 and Z >= 9, in 2.1%.  With n pluses the printed p-value is
0.  The printed counts of that paper suggest the lenient side of the rule for both
learners: Z <= 2 and Z >= 8, in 10.9%.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from replib import methods, schemes
from replib._validation import without_rounding_noise
from replib.methods import Method
from replib.significance import TestResult


def sign_test_as_printed(differences: ArrayLike) -> TestResult:
    r"""Apply the sign test with the p-value :math:`2 \min\{P(X \le Z), P(X > Z)\}`.

    Parameters
    ----------
    differences : array_like, shape (..., n)
        Scores of A minus scores of B.  A difference of zero is half a plus and half a
        minus; the sums run to the integer part of Z.

    Returns
    -------
    TestResult
        As that of :func:`replib.significance.sign_test`.

    Examples
    --------
    Eight pluses and two minuses:

    >>> differences = [1, 1, 1, 1, -1, 1, 1, -1, 1, 1]
    >>> round(sign_test_as_printed(differences).pvalue, 4)
    0.0215
    """
    pluses, minuses, n = _counts_of_signs(differences)
    z = pluses + (n - pluses - minuses) / 2
    at_most = special.bdtr(np.floor(z), n, 0.5)
    above = special.bdtrc(np.floor(z), n, 0.5)
    return _two_sided(pluses, minuses, n, at_most, above)


def lenient_sign_test(differences: ArrayLike) -> TestResult:
    r"""Apply the sign test with the p-value :math:`2 \min\{P(X < Z), P(X > Z)\}`.

    Parameters and result are those of :func:`sign_test_as_printed`.

    >>> differences = [1, 1, 1, 1, -1, 1, 1, -1, 1, 1]
    >>> lenient_sign_test(differences).pvalue < 0.05
    True
    """
    pluses, minuses, n = _counts_of_signs(differences)
    z = pluses + (n - pluses - minuses) / 2
    # the distribution is symmetric, so P(X < z) = P(X > n - z)
    below = special.bdtrc(np.floor(n - z), n, 0.5)
    above = special.bdtrc(np.floor(z), n, 0.5)
    return _two_sided(pluses, minuses, n, below, above)


def _counts_of_signs(differences: ArrayLike) -> tuple[np.ndarray, np.ndarray, int]:
    """Count pluses, minuses, and all differences of a sample."""
    x = np.asarray(differences, dtype=float)
    x = without_rounding_noise(x, np.abs(x).max(axis=-1, keepdims=True))
    pluses = np.count_nonzero(x > 0, axis=-1)
    minuses = np.count_nonzero(x < 0, axis=-1)
    return pluses, minuses, x.shape[-1]


def _two_sided(
    pluses: np.ndarray,
    minuses: np.ndarray,
    n: int,
    below: np.ndarray,
    above: np.ndarray,
) -> TestResult:
    """Return the result of a test with these tails; p = 1 without any sign."""
    pvalue = np.minimum(2 * np.minimum(below, above), 1.0)
    return TestResult(
        statistic=pluses + (n - pluses - minuses) / 2,
        pvalue=np.where(pluses + minuses == 0, 1.0, pvalue),
        alternative="two-sided",
        estimate=(pluses - minuses) / n,
        n=n,
    )


def _methods() -> dict[str, Method]:
    """Return the methods in the order of the stored decisions."""
    ordered: list[Method] = []
    for scheme in schemes.SCHEMES:
        exact = methods.find(f"{scheme}.exact_sign_test")
        ordered += [
            methods.find(f"{scheme}.signed_rank"),
            replace(
                exact,
                name=f"{scheme}.sign_test",
                label=exact.label.replace("sign test", "sign test as printed"),
                test=sign_test_as_printed,
            ),
            methods.find(f"{scheme}.paired_t"),
            exact,
            replace(
                exact,
                name=f"{scheme}.lenient_sign_test",
                label=exact.label.replace("sign test", "lenient sign test"),
                test=lenient_sign_test,
            ),
        ]
    names = {method.name for method in ordered} | set(methods.LATER)
    ordered += [method for name, method in methods.METHODS.items() if name not in names]
    return {method.name: method for method in ordered}


#: By name, in the order of the stored decisions.  ``"<scheme>.<test>"`` is a scheme and
#: a test of Bouckaert (2004) on repeated cross-validation.
METHODS: dict[str, Method] = _methods()

#: Names of the methods with a slip, or with a reading of it; the library has no others.
PRINTED = [name for name in METHODS if name not in methods.METHODS]


def find(name: str) -> Method:
    """Return the method of the papers, or of the library, with this name.

    >>> find("use_all_data.lenient_sign_test").label
    'lenient sign test'
    """
    return METHODS.get(name) or methods.find(name)
