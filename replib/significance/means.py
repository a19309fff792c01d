"""Tests of a mean difference: paired and corrected t, z of one cross-validation, 5x2cv t and F."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from replib import _validation as validation
from replib._validation import Array, shown, without_rounding_noise
from replib.significance.results import (
    ALTERNATIVES,
    Floats,
    MeanTestResult,
    TestResult,
)
from replib.significance.samples import Axis, finite_samples, five_by_two, standardized


def paired_t(
    differences: ArrayLike, *, axis: Axis = -1, alternative: str = "two-sided"
) -> MeanTestResult:
    r"""Test whether the mean difference is zero, by the paired t test.

    .. math:: t = \frac{\bar x}{\sqrt{s^2 / n}}, \qquad n - 1 \text{ degrees of freedom}

    The test of Bouckaert (2004, Section 2.2).  It takes the differences to be
    independent; those from overlapping training sets are not: see
    :func:`corrected_resampled_t`.

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
    MeanTestResult
        `statistic` t, `estimate` the mean difference; without the axes `axis`.

    Raises
    ------
    ValueError
        If a sample has fewer than two differences or one that is not finite, or an
        option is unknown.

    Examples
    --------
    >>> result = paired_t([0.02, 0.05, -0.01, 0.04])
    >>> round(result.statistic, 3), round(result.pvalue, 3), result.df
    (1.89, 0.155, 3)
    """
    validation.check_choice("alternative", alternative, ALTERNATIVES)
    return corrected_t(finite_samples(differences, axis), alternative=alternative)


def corrected_resampled_t(
    differences: ArrayLike,
    *,
    test_train_ratio: float | None = None,
    odds: tuple[float, float] | None = None,
    axis: Axis = -1,
    alternative: str = "two-sided",
) -> MeanTestResult:
    r"""Test a mean difference by the corrected resampled t test of Nadeau and Bengio.

    .. math:: t = \frac{\bar x}{\sqrt{\left(\frac1n + \frac{n_2}{n_1}\right) s^2}}, \qquad
              n - 1 \text{ degrees of freedom}

    with :math:`n_2` test and :math:`n_1` training instances per split.  The ratio
    compensates for the correlation between differences whose training sets overlap.
    Two uses:

    * random splits (Bouckaert and Frank 2004, Section 3.2): one difference per split, and the
      ratio of the split, 1/9 for 10% test data;
    * k-fold cross-validation, once (Berrar 2024, Eq. 15) or r times (Bouckaert and Frank 2004,
      Section 3.3): one difference per fold of each run, and the ratio 1/(k - 1).  Pass
      a block of runs x folds with ``axis=(-2, -1)``.

    The ratio stands for the odds :math:`\rho/(1 - \rho)` of the correlation of two differences,
    which nobody knows for a new pair of learners.  If `odds` are given for two folds of one run and
    for two of different runs, as a map of such correlations has them, the ratio is
    :math:`\bar\rho/(1 - \bar\rho)`, with :math:`\bar\rho` the mean correlation of all pairs of
    differences in the block.  It grows with the number of runs, from one of the odds to the other.

    Parameters
    ----------
    differences : array_like
        Scores of A minus scores of B, in any unit.
    test_train_ratio : float
        Test instances per training instance, greater than 0.  There is no default,
        because the differences do not show it.
    odds : (within, between), instead of the ratio
        For two folds of one run, and for two folds of different runs: at least 0.
    axis : int or tuple of ints, default -1
        The axis or axes that hold a sample, of at least two differences; with `odds`,
        the axis of the runs and the axis of the folds.
    alternative : {"two-sided", "less", "greater"}
        "greater": A is better.

    Returns
    -------
    MeanTestResult
        `statistic` t, `estimate` the mean difference; without the axes `axis`.

    Raises
    ------
    ValueError
        If both or neither of the ratio and the odds are given, or `odds` without two
        axes; the ratio is not a positive finite number (0 would be :func:`paired_t`), a
        sample has fewer than two differences or one that is not finite, or an option is
        unknown.

    Examples
    --------
    Five-fold cross-validation, then the same folds as two runs:

    >>> folds = [0.02, 0.05, -0.01, 0.04, 0.03]
    >>> result = corrected_resampled_t(folds, test_train_ratio=1 / 4)
    >>> round(result.statistic, 3), round(result.pvalue, 3)
    (1.684, 0.168)
    >>> block = [folds, [0.01, 0.04, 0.00, 0.05, 0.03]]
    >>> corrected_resampled_t(block, test_train_ratio=1 / 4, axis=(-2, -1)).df
    9
    >>> round(corrected_resampled_t(block, odds=(0.1, 0.3), axis=(-2, -1)).pvalue, 3)
    0.048
    """
    if (test_train_ratio is None) == (odds is None):
        raise ValueError("test_train_ratio or odds must be given, and not both")
    validation.check_choice("alternative", alternative, ALTERNATIVES)
    if odds is None:
        ratio = validation.positive_number("test_train_ratio", test_train_ratio)
    else:
        ratio = _ratio_from_odds(odds, axis, np.shape(differences))
    samples = finite_samples(differences, axis)
    return corrected_t(samples, ratio=ratio, alternative=alternative)


def corrected_t(
    samples: Array,
    *,
    ratio: float = 0.0,
    alternative: str = "two-sided",
    scale: Array | None = None,
) -> MeanTestResult:
    """Test the mean of checked samples (..., n) with the standard error sqrt((1/n + ratio) s^2).

    `scale` is the largest absolute score (not difference) that went into each sample,
    if it is known: see :func:`_mean_and_scale`.
    """
    n = samples.shape[-1]
    mean = samples.mean(axis=-1)
    deviations = samples - mean[..., np.newaxis]
    variance = np.vecdot(deviations, deviations) / (n - 1)
    estimate, scale = _mean_and_scale(mean, scale)
    return MeanTestResult.from_estimate(
        estimate=estimate,
        standard_error=np.sqrt((1 / n + ratio) * variance),
        scale=scale,
        n=n,
        df=n - 1,
        alternative=alternative,
    )


def _mean_and_scale(mean: Array, scale: Array | None) -> tuple[Array, Array]:
    """Return means without rounding noise, and the scale of the noise in their samples.

    Differences do not show the size of the scores, to which rounding is proportional:
    among scores of 91.23456 percent, a constant difference of 0.00001 seems to have
    some spread.  Where the scores are not known, the noise is that of the mean.
    """
    if scale is None:
        return mean, np.abs(mean)
    return without_rounding_noise(mean, scale), scale


def _ratio_from_odds(
    odds: tuple[float, float], axis: Axis, shape: tuple[int, ...]
) -> float:
    """Return the odds of the mean correlation in a block whose axes are those of runs and folds."""
    pair = validation.array_within("odds", odds, 0, np.inf)
    if pair.shape != (2,) or not isinstance(axis, tuple) or len(axis) != 2:
        raise ValueError(
            "odds must be two numbers, within and between, and axis must be those of "
            f"the runs and of the folds, not {shown(odds)} and {shown(axis)}"
        )
    runs, folds = (shape[validation.axis_index(index, len(shape))] for index in axis)
    return float(mean_odds(*pair, runs=runs, folds=folds))


def mean_odds(within: Floats, between: Floats, *, runs: int, folds: int) -> Floats:
    """Return the odds of the mean correlation of all pairs of differences, from those of two kinds.

    `within` are the odds for two folds of one run, `between` those for folds of
    different runs.
    """
    # a correlation is odds / (1 + odds); each difference has folds - 1 others in its
    # run, and folds in each other run
    sum_within = (folds - 1) * within / (1 + within)
    sum_between = folds * (runs - 1) * between / (1 + between)
    mean_correlation = (sum_within + sum_between) / (runs * folds - 1)
    return mean_correlation / (1 - mean_correlation)


def cv_clt(
    differences: ArrayLike, *, axis: Axis = -1, alternative: str = "two-sided"
) -> MeanTestResult:
    r"""Test one k-fold cross-validation by its central limit theorem (Bayle et al. 2020).

    .. math:: z = \frac{\bar x}{\sqrt{s^2 / n}}, \qquad s^2 = \frac1n \sum_{i=1}^n (x_i - \bar x)^2

    where :math:`x_i` is the difference on instance :math:`i` when it was in the test
    fold.  The variance is the "all pairs" estimator of the paper, which does not need
    the folds.

    The target is the mean over the folds of the true difference between the *k pairs of
    fitted models*, not between the two learners on new training data: about these, the
    test rejects more often than its nominal level.

    Even about the fitted models, the theorem holds only if the *difference* is stable:
    one training instance more or less must change it by much less than it varies from
    instance to instance.  That each learner is stable does not suffice.  Two stable
    learners can be so similar that their difference is unstable at any n (Bayle, Janson
    and Mackey 2025), and no score shows it.  The standard deviation of a difference is
    at most the sum of those of the two learners; an interval with this sum is
    conservative if each learner is stable.

    Parameters
    ----------
    differences : array_like, shape (..., n)
        Scores of A minus scores of B, one number per instance: -1, 0 or 1 for accuracy.
        For a confidence interval for one learner, its losses.
    axis : int or tuple of ints, default -1
        The axis or axes of the instances, at least two.
    alternative : {"two-sided", "less", "greater"}
        "greater": A is better.

    Returns
    -------
    MeanTestResult
        `statistic` z, `estimate` the mean difference, `n` the number of instances;
        without the axis `axis`.

    Raises
    ------
    ValueError
        If a difference is not finite, there are fewer than two instances, or an option
        is unknown.

    References
    ----------
    P. Bayle, A. Bayle, L. Janson, L. Mackey (2020). Cross-validation confidence intervals for test
    error. Advances in Neural Information Processing Systems 33.

    A. Bayle, L. Janson, L. Mackey (2025). The relative instability of model comparison with
    cross-validation. arXiv:2508.04409.

    Examples
    --------
    >>> result = cv_clt([1, 0, 0, 1, -1, 0, 1, 0])
    >>> round(result.statistic, 3), round(result.pvalue, 3)
    (1.069, 0.285)
    """
    validation.check_choice("alternative", alternative, ALTERNATIVES)
    return clt_z(finite_samples(differences, axis), alternative=alternative)


def clt_z(
    samples: Array, *, alternative: str = "two-sided", scale: Array | None = None
) -> MeanTestResult:
    """Test the mean of checked samples (..., n) with the variance of all pairs, divisor n.

    `scale` is as in :func:`corrected_t`.
    """
    n = samples.shape[-1]
    largest = np.abs(samples).max(axis=-1)
    mean = without_rounding_noise(samples.mean(axis=-1), largest)
    estimate, scale = _mean_and_scale(mean, scale)
    return MeanTestResult.from_estimate(
        estimate=estimate,
        standard_error=np.sqrt(samples.var(axis=-1) / n),
        scale=scale,
        n=n,
        alternative=alternative,
    )


def five_by_two_cv_t(
    differences: ArrayLike, *, alternative: str = "two-sided"
) -> MeanTestResult:
    r"""Test a difference by Dietterich's 5x2cv paired t test.

    .. math:: t = \frac{x_{11}}{\sqrt{\frac15 \sum_{j=1}^5 s_j^2}}, \qquad
              s_j^2 = (x_{1j} - \bar x_j)^2 + (x_{2j} - \bar x_j)^2

    with 5 degrees of freedom (Bouckaert and Frank 2004, Section 3.1).  Only the first
    fold of the first run enters the numerator, so the outcome depends on the order of
    the runs and folds.

    Parameters
    ----------
    differences : array_like, shape (..., 5, 2)
        Scores of A minus scores of B for 5 runs of 2 folds, in any unit.
    alternative : {"two-sided", "less", "greater"}
        "greater": A is better.

    Returns
    -------
    MeanTestResult
        `statistic` t, `estimate` the difference :math:`x_{11}`.

    Raises
    ------
    ValueError
        If the last axes do not hold 5 runs x 2 folds, a difference is not finite, or an
        option is unknown.

    Examples
    --------
    >>> block = [[0.04, 0.02], [0.01, 0.05], [0.03, 0.00], [0.02, 0.02], [0.05, 0.01]]
    >>> t, p = five_by_two_cv_t(block)
    >>> round(t, 3), round(p, 3)
    (1.886, 0.118)
    """
    validation.check_choice("alternative", alternative, ALTERNATIVES)
    x = five_by_two(differences)
    # of two numbers, the squared deviations from their mean sum to this
    variance = (x[..., 0] - x[..., 1]) ** 2 / 2
    return MeanTestResult.from_estimate(
        estimate=x[..., 0, 0],
        standard_error=np.sqrt(variance.mean(axis=-1)),
        scale=np.abs(x).max(axis=(-2, -1)),
        n=10,
        df=5,
        alternative=alternative,
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
        `statistic` F, `pvalue` its upper tail, `estimate` the mean of the ten
        differences.

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
    # F is the square of a ratio: root mean square of the ten, divided by root of the
    # mean of s_i^2.  So the rule for samples without spread is that of the t tests.
    root_mean_square = np.sqrt((x**2).mean(axis=(-2, -1)))
    spread = np.sqrt(((x[..., 0] - x[..., 1]) ** 2).mean(axis=-1) / 2)
    largest = np.abs(x).max(axis=(-2, -1))
    ratio, _ = standardized(root_mean_square, spread, largest)
    F = ratio**2
    return TestResult(
        statistic=F,
        pvalue=special.fdtrc(10, 5, F),
        alternative="two-sided",
        estimate=x.mean(axis=(-2, -1)),
        n=10,
    )
