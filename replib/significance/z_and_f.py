"""Tests published after 1998: normal tests of cross-validation and random splits, the 5x2cv F."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from replib.significance.results import FTestResult, ZTestResult
from replib.significance.samples import five_by_two, standardized, without_rounding_noise
from replib.validation import (
    axis_index,
    broadcast,
    check_choice,
    real_array,
    scores_array,
    whole_numbers,
)

Array = NDArray[np.float64]


def cv_clt(
    differences: ArrayLike, *, folds: ArrayLike | None = None, variance: str = "all_pairs",
    axis: int = -1, alternative: str = "two-sided",
) -> ZTestResult:
    r"""Test one k-fold cross-validation by its central limit theorem (Bayle et al. 2020).

    .. math:: z = \frac{\bar x}{\sqrt{s^2 / n}}, \qquad \bar x = \frac1n \sum_{i=1}^n x_i

    where :math:`x_i` is the difference on instance :math:`i` when it was in the test fold.  With k
    folds :math:`F_j`, each of :math:`n_j` instances with the mean :math:`\bar x_j`, the two
    estimators of the variance are

    .. math:: s^2_\text{all pairs} = \frac1n \sum_{i=1}^n (x_i - \bar x)^2, \qquad
              s^2_\text{within fold} = \frac1k \sum_{j=1}^k \frac{1}{n_j - 1}
              \sum_{i \in F_j} (x_i - \bar x_j)^2 .

    The target is the mean over the folds of the true difference between the *k pairs of fitted
    models*, not between the two learners on new training data.  Where the learners are equal and
    unstable, the test rejects more often than its nominal level.

    Parameters
    ----------
    differences : array_like, shape (..., n)
        Scores of A minus scores of B, one number per instance: -1, 0 or 1 for accuracy.  For a
        confidence interval for one learner, its losses.
    folds : array_like of int, shape (n,) or that of `differences`, optional
        The test fold of each instance, as any whole numbers.  "within_fold" needs them,
        "all_pairs" ignores them.
    variance : {"all_pairs", "within_fold"}
        The estimator of the variance.
    axis : int, default -1
        The axis of the instances, at least two.
    alternative : {"two-sided", "less", "greater"}
        "greater": A is better.

    Returns
    -------
    ZTestResult
        `statistic` z, `estimate` the mean difference, `n` the number of instances; without the
        axis `axis`.

    Raises
    ------
    ValueError
        If a difference is not finite, there are fewer than two instances, "within_fold" has no
        folds or a fold of one instance, the shapes do not match, or an option is unknown.

    Warns
    -----
    RuntimeWarning
        If a sample has a nonzero mean but no variance.

    References
    ----------
    P. Bayle, A. Bayle, L. Janson, L. Mackey (2020). Cross-validation confidence intervals for test
    error. Advances in Neural Information Processing Systems 33.

    Examples
    --------
    >>> result = cv_clt([1, 0, 0, 1, -1, 0, 1, 0])
    >>> round(result.statistic, 3), round(result.pvalue, 3)
    (1.069, 0.285)
    >>> folds = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> round(cv_clt([1, 0, 0, 1, -1, 0, 1, 0], folds=folds, variance="within_fold").pvalue, 3)
    0.317
    """
    check_choice("variance", variance, ("all_pairs", "within_fold"))
    given = real_array("differences", differences, axes=("n",))
    axis = axis_index(axis, given.ndim)
    x = np.moveaxis(given, axis, -1)
    n = x.shape[-1]
    if n < 2:
        raise ValueError(f"differences must have at least two instances, not {n}")
    scores_array("differences", x)
    estimate = without_rounding_noise(x.mean(axis=-1), np.abs(x).max(axis=-1))
    if variance == "all_pairs":
        squared = x.var(axis=-1)
    elif folds is None:
        raise ValueError('folds must be given with variance="within_fold"')
    else:
        labels = whole_numbers("folds", folds, at_least=-(2**53))  # any
        if labels.shape not in ((n,), given.shape):
            raise ValueError(
                f"folds must have shape ({n},) or that of differences, {given.shape}, "
                f"not {labels.shape}"
            )
        if labels.ndim > 1:
            labels = np.moveaxis(labels, axis, -1)
        squared = _variance_within_folds(x, labels)
    return ZTestResult.of(
        estimate=estimate, standard_error=np.sqrt(squared / n), scale=np.abs(estimate), n=n,
        alternative=alternative,
    )


def conservative_z(
    differences: ArrayLike, *, halves: ArrayLike, alternative: str = "two-sided"
) -> ZTestResult:
    r"""Test random splits with the conservative variance of Nadeau and Bengio (2003).

    .. math:: z = \frac{\bar x}{\hat\sigma}, \qquad \hat\sigma^2 =
              \frac{1}{2M} \sum_{m=1}^M \left(\bar x_{m,1} - \bar x_{m,2}\right)^2

    The data are bisected at random M times; :math:`\bar x_{m,h}` is the mean difference of random
    splits *inside* half h, so the two means of a bisection are independent.  They vary more than
    means on all the data, so :math:`\hat\sigma^2` tends to be too large and the test conservative.
    Each mean should be over as many splits as `differences`, with as many test instances.

    Parameters
    ----------
    differences : array_like, shape (..., J)
        Scores of A minus scores of B, one per random split of all the data, in any unit.
    halves : array_like, shape (..., M, 2, J')
        The same for J' splits inside each half of M bisections.  Leading axes broadcast.
    alternative : {"two-sided", "less", "greater"}
        "greater": A is better.

    Returns
    -------
    ZTestResult
        `statistic` z, `estimate` the mean of `differences`, `n` = J.

    Raises
    ------
    ValueError
        If a difference is not finite, an axis is empty or missing, there are not two halves, the
        shapes do not broadcast, or an option is unknown.

    Warns
    -----
    RuntimeWarning
        If the two halves have equal means in all bisections and the estimate is not zero.

    References
    ----------
    C. Nadeau, Y. Bengio (2003). Inference for the generalization error. Machine Learning 52.

    Examples
    --------
    >>> halves = [[[0.02, 0.04], [0.00, 0.01]], [[0.03, 0.01], [0.04, 0.03]]]
    >>> result = conservative_z([0.02, 0.05, -0.01, 0.04], halves=halves)
    >>> round(result.statistic, 3), round(result.pvalue, 3)
    (1.715, 0.086)
    """
    x = real_array("differences", differences, axes=("splits",))
    inside = real_array("halves", halves, axes=("bisections", "2", "splits"))
    if not x.shape[-1]:
        raise ValueError("differences must have at least one split, not 0")
    if inside.shape[-2] != 2 or not inside.shape[-3] or not inside.shape[-1]:
        raise ValueError(
            "halves must have shape (..., bisections, 2, splits), with at least one bisection and "
            f"one split, not {inside.shape}"
        )
    scores_array("differences", x)
    scores_array("halves", inside)
    largest = np.abs(inside).max(axis=-1)
    means = without_rounding_noise(inside.mean(axis=-1), largest)
    squared = ((means[..., 0] - means[..., 1]) ** 2).mean(axis=-1) / 2
    estimate, error, of_halves = broadcast(
        ("differences", "halves", "halves"),
        without_rounding_noise(x.mean(axis=-1), np.abs(x).max(axis=-1)),
        np.sqrt(squared),
        np.abs(means).max(axis=(-2, -1)),
    )
    return ZTestResult.of(
        estimate=estimate.copy(), standard_error=error, n=x.shape[-1], alternative=alternative,
        scale=np.maximum(np.abs(estimate), of_halves),
    )


def five_by_two_cv_f(differences: ArrayLike, *, axis: tuple[int, int] = (-2, -1)) -> FTestResult:
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
    axis : tuple of two ints, default (-2, -1)
        The axis of the runs and the axis of the folds.

    Returns
    -------
    FTestResult
        `statistic` F, `pvalue` its upper tail, `estimate` the mean of the ten differences; without
        the axes `axis`.

    Raises
    ------
    ValueError
        If the axes do not hold 5 runs x 2 folds, or a difference is not finite.

    Warns
    -----
    RuntimeWarning
        If the two folds of every run have equal differences and not all of them are zero.

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
    x = five_by_two(differences, axis)
    # F is the square of a ratio: root mean square of the ten, divided by root of the mean of s_i^2
    root_mean_square = np.sqrt((x**2).mean(axis=(-2, -1)))
    spread = np.sqrt(((x[..., 0] - x[..., 1]) ** 2).mean(axis=-1) / 2)
    largest = np.abs(x).max(axis=(-2, -1))
    ratio, _ = standardized(root_mean_square, spread, largest, stacklevel=3)
    return FTestResult(
        statistic=ratio**2, pvalue=special.fdtrc(10, 5, ratio**2), alternative="two-sided",
        estimate=x.mean(axis=(-2, -1)), n=10, df=(10, 5),
    )


def _variance_within_folds(x: Array, labels: NDArray[np.int64]) -> Array:
    """Return the mean over folds of the variance inside a fold, for samples on the last axis."""
    rows = x.reshape(-1, x.shape[-1])
    names, fold = np.unique(labels, return_inverse=True)
    place = np.broadcast_to(fold.reshape(labels.shape), x.shape).reshape(rows.shape)
    shape = len(rows), len(names)  # samples may have different folds: some are empty
    place = place + len(names) * np.arange(len(rows))[:, np.newaxis]

    def sums(values: Array) -> Array:
        counted = np.bincount(place.ravel(), values.ravel(), minlength=shape[0] * shape[1])
        return counted.astype(float, copy=False)

    size = sums(np.ones(rows.shape))
    if np.any(size == 1):
        raise ValueError("folds must have at least two instances each, not one")
    mean = sums(rows) / np.maximum(size, 1)
    squared = sums((rows - mean[place]) ** 2) / np.maximum(size - 1, 1)
    squared = without_rounding_noise(np.sqrt(squared), np.abs(mean)) ** 2
    squared, size = squared.reshape(shape), size.reshape(shape)
    return (squared.sum(axis=1) / (size > 0).sum(axis=1)).reshape(x.shape[:-1])
