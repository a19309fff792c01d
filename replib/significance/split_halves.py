"""SHARP: a test of repeated split halves, which show how strongly repetitions depend on each other.

Each repetition divides the data at random into two halves, and cross-validates inside
each.  The halves of one repetition share no instance, so their differences are
independent; those of two repetitions share instances, and have one unknown correlation.
"""

from dataclasses import dataclass, field
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from replib import _validation as validation
from replib._validation import Array, check_level, without_rounding_noise
from replib.intervals import ConfidenceInterval
from replib.significance.results import (
    ALTERNATIVES,
    Floats,
    TestResult,
    interval_about,
    pvalue_of_tails,
)
from replib.significance.samples import finite_scores, standardized

#: The largest correlation that is considered.  At one half the repetitions would have
#: no spread of their own, and the likelihood no maximum.  The paper does not bound it;
#: this value is that of the package sharp-cv 0.1.0.
LARGEST_CORRELATION = 0.499

# The search for the end of an interval doubles a step this many times, and then halves
# the bracket as often: floating-point numbers have no more digits.
_STEPS = 60


@dataclass(frozen=True)
class _Spread:
    """Sums of squares of differences (..., repetitions, 2), which do not depend on the mean.

    Attributes
    ----------
    repetitions : int
    of_repetitions : ndarray
        Squares of the sums of the two halves about their mean, divided by 2.
    of_halves : ndarray
        Squares of the differences between the two halves, divided by 2.
    """

    repetitions: int
    of_repetitions: Array
    of_halves: Array

    @classmethod
    def from_differences(cls, x: Array) -> Self:
        """Return the sums of squares of checked differences."""
        sums = x.sum(axis=-1)
        about_mean = sums - sums.mean(axis=-1, keepdims=True)
        between = x[..., 0] - x[..., 1]
        return cls(
            repetitions=x.shape[-2],
            of_repetitions=np.vecdot(about_mean, about_mean) / 2,
            of_halves=np.vecdot(between, between) / 2,
        )

    def fitted(self, distance: Array) -> tuple[Array, Array]:
        """Return the maximum likelihood estimates of variance and correlation.

        `distance` is that of the mean from the hypothesis.  The correlation matrix has
        three eigenvalues: that of the mean, that of the sums of the halves about their
        mean, and 1 for the differences between halves.  So the likelihood needs three
        sums of squares, and for a given correlation the best variance is known.
        """
        of_mean = 2 * self.repetitions * distance**2
        candidates = self._candidates(of_mean)
        deviance = self._deviance(candidates, of_mean[..., np.newaxis])
        best = np.argmin(deviance, axis=-1)[..., np.newaxis]
        correlation = np.take_along_axis(candidates, best, axis=-1)
        total = self._weighted_squares(correlation, of_mean[..., np.newaxis])
        variance = total / (2 * self.repetitions)
        return variance[..., 0], correlation[..., 0]

    def _eigenvalues(self, correlation: Array) -> tuple[Array, Array]:
        """Return those of the mean and of the sums; that of the differences is 1."""
        return 1 + 2 * (self.repetitions - 1) * correlation, 1 - 2 * correlation

    def _weighted_squares(self, correlation: Array, of_mean: Array) -> Array:
        """Return the sum of squares, each divided by its eigenvalue."""
        eigenvalue_of_mean, eigenvalue_of_sums = self._eigenvalues(correlation)
        return (
            of_mean / eigenvalue_of_mean
            + self.of_repetitions[..., np.newaxis] / eigenvalue_of_sums
            + self.of_halves[..., np.newaxis]
        )

    def _deviance(self, correlation: Array, of_mean: Array) -> Array:
        """Return minus twice the log likelihood at the best variance, up to a constant."""
        eigenvalue_of_mean, eigenvalue_of_sums = self._eigenvalues(correlation)
        squares = self._weighted_squares(correlation, of_mean)
        # without any spread the fit is not used
        positive = np.maximum(squares, np.finfo(float).tiny)
        return (
            2 * self.repetitions * np.log(positive)
            + np.log(eigenvalue_of_mean)
            + (self.repetitions - 1) * np.log(eigenvalue_of_sums)
        )

    def _candidates(self, of_mean: Array) -> Array:
        """Return the correlations at which the deviance can be least, shape (..., 5).

        Its derivative has the sign of a cubic, so these are the roots of the cubic and
        both ends.
        """
        r = self.repetitions - 1
        sums = self.of_repetitions
        halves = self.of_halves
        coefficients = [  # from the constant to the square
            sums - r * of_mean,
            r * (3 * of_mean + 3 * sums - halves),
            2 * r * (r * sums - of_mean - (r - 1) * halves),
        ]
        leading = 4 * r**2 * halves
        leading = np.where(leading > 0, leading, 1.0)  # else the fit is not used
        # the roots are the eigenvalues of the companion matrix
        companion = np.zeros((*of_mean.shape, 3, 3))
        companion[..., 1, 0] = 1
        companion[..., 2, 1] = 1
        for power, coefficient in enumerate(coefficients):
            companion[..., power, 2] = -coefficient / leading
        roots = np.linalg.eigvals(companion).real
        ends = np.broadcast_to([0.0, LARGEST_CORRELATION], (*of_mean.shape, 2))
        return np.concatenate([ends, roots.clip(0, LARGEST_CORRELATION)], axis=-1)

    def standard_error(self, distance: Array) -> Array:
        """Return the standard error of the mean if it is this far from the true one."""
        variance, correlation = self.fitted(distance)
        eigenvalue_of_mean, _ = self._eigenvalues(correlation)
        return np.sqrt(variance * eigenvalue_of_mean / (2 * self.repetitions))


@dataclass(frozen=True, eq=False, kw_only=True)
class SharpResult(TestResult):
    """Outcome of :func:`sharp`.

    The statistic is standard normal under H0; what is not listed is as in
    :class:`TestResult`.

    Attributes
    ----------
    estimate : float or ndarray
        Mean difference, of learners that are trained inside one half.
    n : int
        Number of repetitions.
    standard_error : float or ndarray
        Standard error of `estimate` under the null hypothesis.
    correlation : float or ndarray
        Estimated correlation of two repetitions, under the null hypothesis.
    """

    standard_error: Floats
    correlation: Floats
    spread: _Spread = field(repr=False)

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute the interval of the differences that the test would not reject.

        Variance and correlation are estimated again under each difference, so an end is
        infinite where few repetitions can reject nothing at this level.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Between 0 and 1.

        Returns
        -------
        ConfidenceInterval

        Raises
        ------
        ValueError
            If the level is not between 0 and 1.

        Examples
        --------
        >>> x = [[0.03, 0.01], [0.02, 0.04], [0.00, 0.03], [0.04, 0.02], [0.01, 0.02]]
        >>> low, high = sharp(x).confidence_interval(0.9)
        >>> round(low, 3), round(high, 3)
        (0.002, 0.042)
        """
        check_level("confidence_level", confidence_level)
        sides = 2 if self.alternative == "two-sided" else 1
        critical = special.ndtri(1 - (1 - confidence_level) / sides)
        reach = self._reach(float(critical))
        return interval_about(np.asarray(self.estimate), reach, self.alternative)

    def _reach(self, critical: float) -> Array:
        """Return the least distance from the estimate that is rejected; the two are equal."""

        def is_rejected(distance: Array) -> NDArray[np.bool_]:
            return distance > critical * self.spread.standard_error(distance)

        outside = np.sqrt(self.spread.of_halves) / self.spread.repetitions
        for _ in range(_STEPS):
            outside = np.where(is_rejected(outside), outside, 2 * outside)
        inside = np.zeros_like(outside)
        is_finite = is_rejected(outside)
        for _ in range(_STEPS):
            middle = (inside + outside) / 2
            rejected = is_rejected(middle)
            outside = np.where(rejected, middle, outside)
            inside = np.where(rejected, inside, middle)
        has_spread = self.spread.of_halves > 0
        return np.where(is_finite | ~has_spread, outside, np.inf)


def sharp(differences: ArrayLike, *, alternative: str = "two-sided") -> SharpResult:
    r"""Test the mean of repeated split halves by the SHARP test (Zeng et al. 2026).

    Divide the data at random into two halves, cross-validate A and B inside each, and
    average each half's differences; repeat J times, with new halves.  Let
    :math:`x_{jh}` be the difference in half h of repetition j.  All have the variance
    :math:`\sigma^2`; the two of a repetition share no instance and are independent; any
    two of different repetitions have the correlation :math:`\rho`.  Then

    .. math:: z = \frac{\bar x}{\sqrt{\hat\sigma^2 \frac{1 + 2(J-1)\hat\rho}{2J}}}

    with the maximum likelihood estimates of :math:`\sigma^2` and :math:`\rho \ge 0`
    under a mean of zero: a score test.  What the corrected t test assumes about the
    correlation is estimated here.  The price is the size of the training sets: with
    five folds inside a half, a learner sees two fifths of the data, so the test is
    about learners with so few instances.

    The model, the score test and the recommendation of some 30 repetitions of five
    folds are those of the paper, as its package documents them; `LARGEST_CORRELATION`
    is a choice of the package.  A mean far from zero counts as evidence of correlation
    under the null hypothesis, so the test is conservative where the correlation is
    small: with J = 30 and :math:`\rho` = 0.1 it rejects a true null hypothesis of this
    model in 0.7% of experiments at the level 5%.

    Parameters
    ----------
    differences : array_like, shape (..., J, 2)
        Scores of A minus scores of B: the mean inside each half of each repetition, of
        which there are at least two.
    alternative : {"two-sided", "less", "greater"}
        "greater": A is better.

    Returns
    -------
    SharpResult
        `statistic` z, `estimate` the mean difference, `correlation` that of two
        repetitions.

    Raises
    ------
    ValueError
        If there are fewer than two repetitions, not two halves, a difference that is
        not finite, or an option is unknown.

    References
    ----------
    T. Zeng et al. (2026). Spurious model comparisons are widespread in biomedical artificial
    intelligence. bioRxiv, doi 10.64898/2026.05.17.724301.

    Examples
    --------
    >>> x = [[0.03, 0.01], [0.02, 0.04], [0.00, 0.03], [0.04, 0.02], [0.01, 0.02]]
    >>> result = sharp(x)
    >>> round(result.statistic, 3), round(result.pvalue, 3), round(result.correlation, 3)
    (1.701, 0.089, 0.376)
    """
    validation.check_choice("alternative", alternative, ALTERNATIVES)
    x = finite_scores("differences", differences, repetitions=2, halves=2)
    if x.shape[-1] != 2:
        raise ValueError(
            "differences must have two halves on the last axis, not "
            f"{x.shape[-1]}: one column per half, one row per repetition"
        )
    scale = np.abs(x).max(axis=(-2, -1))
    estimate = without_rounding_noise(x.mean(axis=(-2, -1)), scale)
    spread = _Spread.from_differences(x)
    _, correlation = spread.fitted(estimate)
    # halves that never differ show no spread, as in a t test of equal differences
    has_spread = ~validation.is_rounding_noise(np.sqrt(spread.of_halves), scale)
    error = np.where(has_spread, spread.standard_error(estimate), 0.0)
    statistic, error = standardized(estimate, error, scale)
    at_most = special.ndtr(statistic)
    at_least = special.ndtr(-np.asarray(statistic))
    pvalue = pvalue_of_tails(at_most, at_least, alternative)
    is_zero = (statistic == 0) & (error == 0)
    return SharpResult(
        statistic=statistic,
        pvalue=np.where(is_zero, 1.0, pvalue),
        alternative=alternative,
        estimate=estimate,
        n=x.shape[-2],
        standard_error=error,
        correlation=correlation,
        spread=spread,
    )
