"""Tests published after 1998: the normal test of a cross-validation, the combined 5x2cv F."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from replib.significance.results import MeanTestResult, TestResult
from replib.significance.samples import Axis, finite_samples, five_by_two, standardized
from replib.validation import without_rounding_noise


def cv_clt(
    differences: ArrayLike, *, axis: Axis = -1, alternative: str = "two-sided"
) -> MeanTestResult:
    r"""Test one k-fold cross-validation by its central limit theorem (Bayle et al. 2020).

    .. math:: z = \frac{\bar x}{\sqrt{s^2 / n}}, \qquad s^2 = \frac1n \sum_{i=1}^n (x_i - \bar x)^2

    where :math:`x_i` is the difference on instance :math:`i` when it was in the test fold.  The
    variance is the "all pairs" estimator of the paper, which does not need the folds.

    The target is the mean over the folds of the true difference between the *k pairs of fitted
    models*, not between the two learners on new training data.  Where the learners are equal and
    unstable, the test rejects more often than its nominal level.

    Parameters
    ----------
    differences : array_like, shape (..., n)
        Scores of A minus scores of B, one number per instance: -1, 0 or 1 for accuracy.  For a
        confidence interval for one learner, its losses.
    axis : int or tuple of ints, default -1
        The axis or axes of the instances, at least two.
    alternative : {"two-sided", "less", "greater"}
        "greater": A is better.

    Returns
    -------
    MeanTestResult
        `statistic` z, `estimate` the mean difference, `n` the number of instances; without the
        axis `axis`.

    Raises
    ------
    ValueError
        If a difference is not finite, there are fewer than two instances, or an option is unknown.

    References
    ----------
    P. Bayle, A. Bayle, L. Janson, L. Mackey (2020). Cross-validation confidence intervals for test
    error. Advances in Neural Information Processing Systems 33.

    Examples
    --------
    >>> result = cv_clt([1, 0, 0, 1, -1, 0, 1, 0])
    >>> round(result.statistic, 3), round(result.pvalue, 3)
    (1.069, 0.285)
    """
    x = finite_samples(differences, axis)
    estimate = without_rounding_noise(x.mean(axis=-1), np.abs(x).max(axis=-1))
    return MeanTestResult.of(
        estimate=estimate, standard_error=np.sqrt(x.var(axis=-1) / x.shape[-1]),
        scale=np.abs(estimate), n=x.shape[-1], alternative=alternative,
    )


def five_by_two_cv_f(differences: ArrayLike) -> TestResult:
    r"""Test five runs of 2-fold cross-validation by the combined F of Alpaydin (1999).

    .. math:: F = \frac{\sum_{i=1}^5 \sum_{j=1}^2 x_{ij}^2}{2 \sum_{i=1}^5 s_i^2}, \qquad
              s_i^2 = (x_{i1} - \bar x_i)^2 + (x_{i2} - \bar x_i)^2

    with 10 and 5 degrees of freedom.  All ten differences enter the numerator, so unlike
    :func:`five_by_two_cv_t` this test does not depend on the order of runs and folds.  The
    distribution is approximate: the ten squares are not independent, neither of each other nor of
    the denominator.

    Parameters
    ----------
    differences : array_like, shape (..., 5, 2)
        Scores of A minus scores of B for 5 runs of 2 folds, in any unit.

    Returns
    -------
    TestResult
        `statistic` F, `pvalue` its upper tail, `estimate` the mean of the ten differences.

    Raises
    ------
    ValueError
        If the last axes do not hold 5 runs x 2 folds, or a difference is not finite.

    References
    ----------
    E. Alpaydin (1999). Combined 5x2 cv F test for comparing supervised classification learning
    algorithms. Neural Computation 11.

    Examples
    --------
    >>> block = [[0.04, 0.02], [0.01, 0.05], [0.03, 0.00], [0.02, 0.02], [0.05, 0.01]]
    >>> F, p = five_by_two_cv_f(block)
    >>> round(F, 3), round(p, 3)
    (1.978, 0.234)
    """
    x = five_by_two(differences)
    # F is the square of a ratio: root mean square of the ten, divided by root of the mean of s_i^2
    root_mean_square = np.sqrt((x**2).mean(axis=(-2, -1)))
    spread = np.sqrt(((x[..., 0] - x[..., 1]) ** 2).mean(axis=-1) / 2)
    largest = np.abs(x).max(axis=(-2, -1))
    ratio, _ = standardized(root_mean_square, spread, largest)
    return TestResult(
        statistic=ratio**2, pvalue=special.fdtrc(10, 5, ratio**2), alternative="two-sided",
        estimate=x.mean(axis=(-2, -1)), n=10,
    )
