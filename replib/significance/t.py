"""The t tests: paired, corrected resampled (Nadeau and Bengio), 5x2cv (Dietterich)."""

import numpy as np
from numpy.typing import ArrayLike

from replib.significance.results import MeanTestResult
from replib.significance.samples import Axis, finite_samples, five_by_two
from replib.validation import positive_number


def paired_t(
    differences: ArrayLike, *, axis: Axis = -1, alternative: str = "two-sided"
) -> MeanTestResult:
    r"""Test whether the mean difference is zero, by the paired t test.

    .. math:: t = \frac{\bar x}{\sqrt{s^2 / n}}, \qquad n - 1 \text{ degrees of freedom}

    The test of Bouckaert (2004, Section 2.2).  It takes the differences to be independent; those
    from overlapping training sets are not: see :func:`corrected_resampled_t`.

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
        If a sample has fewer than two differences or one that is not finite, or an option is
        unknown.

    Examples
    --------
    >>> result = paired_t([0.02, 0.05, -0.01, 0.04])
    >>> round(result.statistic, 3), round(result.pvalue, 3), result.df
    (1.89, 0.155, 3)
    """
    return _of_mean(differences, axis, 0.0, alternative)


def corrected_resampled_t(
    differences: ArrayLike, *, test_train_ratio: float, axis: Axis = -1,
    alternative: str = "two-sided",
) -> MeanTestResult:
    r"""Test a mean difference by the corrected resampled t test of Nadeau and Bengio.

    .. math:: t = \frac{\bar x}{\sqrt{\left(\frac1n + \frac{n_2}{n_1}\right) s^2}}, \qquad
              n - 1 \text{ degrees of freedom}

    with :math:`n_2` test and :math:`n_1` training instances per split.  The ratio compensates for
    the correlation between differences whose training sets overlap.  Two uses:

    * random splits (Bouckaert and Frank 2004, Section 3.2): one difference per split, and the
      ratio of the split, 1/9 for 10% test data;
    * k-fold cross-validation, once (Berrar 2024, Eq. 15) or r times (Bouckaert and Frank 2004,
      Section 3.3): one difference per fold of each run, and the ratio 1/(k - 1).  Pass a block of
      runs x folds with ``axis=(-2, -1)``.

    The ratio stands for the odds :math:`\bar\rho/(1 - \bar\rho)`, with :math:`\bar\rho` the mean
    correlation of all pairs of differences in the block, which nobody knows for a new pair of
    learners.  Where it is known, as from a map of such correlations, give these odds.

    Parameters
    ----------
    differences : array_like
        Scores of A minus scores of B, in any unit.
    test_train_ratio : float
        Test instances per training instance, greater than 0.  There is no default, because the
        differences do not show it.
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
        If the ratio is not a positive finite number (0 would be :func:`paired_t`), a sample has
        fewer than two differences or one that is not finite, or an option is unknown.

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
    """
    ratio = positive_number("test_train_ratio", test_train_ratio)
    return _of_mean(differences, axis, ratio, alternative)


def five_by_two_cv_t(differences: ArrayLike, *, alternative: str = "two-sided") -> MeanTestResult:
    r"""Test a difference by Dietterich's 5x2cv paired t test.

    .. math:: t = \frac{x_{11}}{\sqrt{\frac15 \sum_{j=1}^5 s_j^2}}, \qquad
              s_j^2 = (x_{1j} - \bar x_j)^2 + (x_{2j} - \bar x_j)^2

    with 5 degrees of freedom (Bouckaert and Frank 2004, Section 3.1).  Only the first fold of the
    first run enters the numerator, so the outcome depends on the order of the runs and folds.

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
        If the last axes do not hold 5 runs x 2 folds, a difference is not finite, or an option is
        unknown.

    Examples
    --------
    >>> block = [[0.04, 0.02], [0.01, 0.05], [0.03, 0.00], [0.02, 0.02], [0.05, 0.01]]
    >>> t, p = five_by_two_cv_t(block)
    >>> round(t, 3), round(p, 3)
    (1.886, 0.118)
    """
    x = five_by_two(differences)
    variance = (x[..., 0] - x[..., 1]) ** 2 / 2
    return MeanTestResult.of(
        estimate=x[..., 0, 0], standard_error=np.sqrt(variance.mean(axis=-1)),
        scale=np.abs(x).max(axis=(-2, -1)), n=10, df=5, alternative=alternative,
    )


def _of_mean(
    differences: ArrayLike, axis: Axis, ratio: float, alternative: str
) -> MeanTestResult:
    """Test the mean with the standard error sqrt((1/n + ratio) s^2)."""
    x = finite_samples(differences, axis)
    n = x.shape[-1]
    mean = x.mean(axis=-1)
    centred = x - mean[..., np.newaxis]
    variance = np.vecdot(centred, centred) / (n - 1)
    return MeanTestResult.of(
        estimate=mean, standard_error=np.sqrt((1 / n + ratio) * variance), scale=np.abs(mean),
        n=n, df=n - 1, alternative=alternative,
    )
