"""Results of the tests: one class per kind of test, with the attributes of that kind."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy import special

from replib._validation import Array, as_number, check_level, real_number
from replib.intervals import ConfidenceInterval, Numbers
from replib.significance.samples import standardized

ALTERNATIVES = ("two-sided", "less", "greater")

#: A number for one sample, an array of them for several.
Floats = Any


@dataclass(frozen=True, eq=False, kw_only=True)
class TestResult(Numbers):
    """Outcome of a significance test, or of many at once: the attributes that all tests have.

    Iteration yields only the statistic and the p-value:
    ``t, p = paired_t(differences)``.

    Attributes
    ----------
    statistic, pvalue : float or ndarray
        The test's statistic (each test says which) and p-value.
    alternative : {"two-sided", "less", "greater"}
        The tail, or tails, of the p-value.
    estimate : float or ndarray
        Advantage of A over B; each kind of test says on which scale.
    n : int or ndarray
        Number of differences (or discordant pairs) that entered the test.
    """

    # pytest must not collect it, although its name is Test...
    __test__: ClassVar[bool] = False

    statistic: Floats
    pvalue: Floats
    alternative: str
    estimate: Floats
    n: NDArray[np.int64] | int

    def __iter__(self) -> Iterator[Floats]:
        yield self.statistic
        yield self.pvalue

    @property
    def direction(self) -> NDArray[np.int8] | int:
        """Which model is ahead, significantly or not, as +1 for A, -1 for B, 0 for neither."""
        return as_number(np.sign(self.estimate).astype(np.int8))


class Tails(NamedTuple):
    """P-values of the two one-sided tests of a difference.

    Attributes
    ----------
    greater, less : float or ndarray
        Small if the difference is above the shift, and if it is below.
    """

    greater: Floats
    less: Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class MeanTestResult(TestResult):
    """Outcome of a test whose statistic is an estimate divided by its standard error.

    The statistic has Student's t distribution under H0; what is not listed is as in
    :class:`TestResult`.

    Attributes
    ----------
    estimate : float or ndarray
        Mean difference, in the unit of the differences; for the 5x2cv test the first
        difference.
    standard_error : float or ndarray
        Standard error of `estimate`, in its unit.
    df : int, float or ndarray
        Degrees of freedom; infinite where the statistic is standard normal.
    """

    standard_error: Floats
    df: Floats

    @classmethod
    def from_estimate(
        cls,
        *,
        estimate: Floats,
        standard_error: Floats,
        scale: Floats,
        n: int,
        alternative: str = "two-sided",
        df: Floats = np.inf,
    ) -> Self:
        """Return the test of an estimate with a standard error and degrees of freedom.

        A standard error within the rounding noise of `scale`, that of the differences,
        counts as 0.
        """
        statistic, standard_error = standardized(estimate, standard_error, scale)
        at_most = special.stdtr(df, statistic)
        at_least = special.stdtr(df, -statistic)
        pvalue = pvalue_of_tails(at_most, at_least, alternative)
        # by the t distribution p would be 1/2 in a one-sided test of differences that
        # are all zero
        is_zero = (statistic == 0) & (standard_error == 0)
        return cls(
            statistic=statistic,
            pvalue=np.where(is_zero, 1.0, pvalue),
            alternative=alternative,
            estimate=estimate,
            n=n,
            standard_error=standard_error,
            df=df,
        )

    @property
    def without_spread(self) -> NDArray[np.bool_] | bool:
        """Whether the differences are constant, but for rounding, and not zero.

        Then nothing shows how certain the difference is, and the infinite statistic is
        not evidence: two scores that were rounded to the same digits give one.
        """
        standard_error = np.asarray(self.standard_error)
        return as_number((standard_error == 0) & (np.asarray(self.estimate) != 0))

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute the interval of the differences that the test would not reject.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, in the unit of the differences; one side is infinite if
            `alternative` is one-sided.

        Raises
        ------
        ValueError
            If the level is not between 0 and 1.

        Examples
        --------
        >>> from replib.significance import cv_clt, paired_t
        >>> low, high = paired_t([0.02, 0.05, -0.01, 0.04]).confidence_interval()
        >>> round(low, 4), round(high, 4)
        (-0.0171, 0.0671)
        >>> low, high = cv_clt([1, 0, 0, 1, -1, 0, 1, 0]).confidence_interval()
        >>> round(low, 4), round(high, 4)
        (-0.2083, 0.7083)
        """
        check_level("confidence_level", confidence_level)
        sides = 2 if self.alternative == "two-sided" else 1
        tail = (1 - confidence_level) / sides
        reach = special.stdtrit(self.df, 1 - tail) * np.asarray(self.standard_error)
        return interval_about(self.estimate, reach, self.alternative)

    def tails(self, shift: float) -> Tails:
        """Test whether the difference is above, and whether it is below `shift`.

        Parameters
        ----------
        shift : float

        Returns
        -------
        Tails

        Raises
        ------
        ValueError
            If the shift is not a finite number.
        """
        shift = real_number("shift", shift, -np.inf, np.inf)
        distance = np.asarray(self.estimate) - shift
        # the standard error has been freed of rounding noise already: a scale of 0
        standard_error = np.asarray(self.standard_error)
        t, _ = standardized(distance, standard_error, np.zeros(()))
        greater = special.stdtr(self.df, -t)
        less = special.stdtr(self.df, t)
        return Tails(as_number(greater), as_number(less))


@dataclass(frozen=True, eq=False, kw_only=True)
class RankTestResult(TestResult):
    """Outcome of the signed-rank test.

    The statistic is the sum of the positive ranks, W+; what is not listed is as in
    :class:`TestResult`.

    Attributes
    ----------
    estimate : float or ndarray
        Share of the rank sum that is positive minus the share that is negative, from -1
        to 1: the rank-biserial correlation of matched pairs.
    n : int or ndarray
        Number of nonzero differences.
    zstatistic : float or ndarray
        Normal approximation of the statistic, standard normal under H0.
    """

    zstatistic: Floats


def interval_about(
    estimate: Floats, reach: Array, alternative: str
) -> ConfidenceInterval:
    """Return the interval that reaches so far from the estimate; on one side if the test does."""
    low = estimate - reach
    high = estimate + reach
    if alternative == "less":
        low = np.full_like(low, -np.inf)
    elif alternative == "greater":
        high = np.full_like(high, np.inf)
    return ConfidenceInterval(as_number(low), as_number(high))


def pvalue_of_tails(at_most: Array, at_least: Array, alternative: str) -> Array:
    """Return the p-value from the two tails, both of which include the observed statistic."""
    if alternative == "less":
        return at_most
    if alternative == "greater":
        return at_least
    return np.minimum(2 * np.minimum(at_most, at_least), 1.0)
