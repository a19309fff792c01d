r"""Significance tests for the differences between two classifiers A and B.

A *difference* is always A minus B, so a positive estimate speaks for A.  Every test is vectorised:
one axis (or several) holds a sample, the others hold independent repetitions.  A block of runs x
folds becomes one sample with ``axis=(-2, -1)``.

Conventions for inputs that leave a textbook formula undefined:

* all differences zero, or no discordant pair: statistic 0 and p = 1 (nothing speaks against H0);
* a t test of constant nonzero differences: statistic ±inf, p = 0 (or 1 against the direction of a
  one-sided alternative), with a RuntimeWarning;
* NaN or infinite differences: ValueError.

Differences of accuracies carry rounding noise (``0.76 - 0.74`` and ``0.70 - 0.68`` are different
floating-point numbers).  What is smaller than `ROUNDING_NOISE` times the scale of the sample counts
as noise wherever a test asks "equal?" or "zero?".
"""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from replib.checks import as_number, check_choice, real_array
from replib.intervals import ConfidenceInterval

Axis = int | tuple[int, ...]

# Rounding leaves about 1e-16 of the scores, that is 1e-12 of a difference of one instance in ten
# thousand; distinct differences of accuracies are further apart than 1e-10 of the largest one.
ROUNDING_NOISE = 1e-10

EXACT_UP_TO = 50  # nonzero differences: `signed_rank(method="auto")` is exact up to here

_ALTERNATIVES = ("two-sided", "less", "greater")


@dataclass(frozen=True, eq=False)
class TestResult:
    """Outcome of a significance test, or of many at once.

    Iteration yields only the statistic and the p-value: ``t, p = paired_t(differences)``.

    Attributes
    ----------
    statistic, pvalue : float or ndarray
        The test's statistic (each test says which) and p-value.
    alternative : {"two-sided", "less", "greater"}
        What the p-value is a tail of.
    estimate : float or ndarray
        How far A is ahead of B; its sign is the direction of the effect.  Mean difference for the
        t tests; ``(wins - losses) / (wins + losses)``, between -1 and 1, for the tests that count
        or rank.
    n : int or ndarray
        Number of differences (or discordant pairs) that entered the test.
    standard_error : float, ndarray or None
        Standard error of `estimate`, in its unit; t tests only.
    df : int or None
        Degrees of freedom; t tests only.
    zstatistic : float, ndarray or None
        Normal approximation of the statistic; signed-rank test only.
    """

    __test__: ClassVar[bool] = False  # the name starts with "Test", yet it is nothing to collect

    statistic: np.ndarray | float
    pvalue: np.ndarray | float
    alternative: str
    estimate: np.ndarray | float
    n: np.ndarray | int
    standard_error: np.ndarray | float | None = None
    df: int | None = None
    zstatistic: np.ndarray | float | None = None

    def __iter__(self) -> Iterator[np.ndarray | float]:
        yield self.statistic
        yield self.pvalue

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Interval of the differences that the t test would not reject.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, in the unit of the differences; one side is infinite if `alternative`
            is one-sided.

        Raises
        ------
        ValueError
            If the test is not a t test, or the level is not between 0 and 1.

        Examples
        --------
        >>> low, high = paired_t([0.02, 0.05, -0.01, 0.04]).confidence_interval()
        >>> round(low, 4), round(high, 4)
        (-0.0171, 0.0671)
        """
        if self.standard_error is None:
            raise ValueError("a confidence interval is defined for the t tests only")
        if not 0 < confidence_level < 1:
            raise ValueError(f"confidence_level must lie between 0 and 1, not {confidence_level}")
        tail = (1 - confidence_level) / (2 if self.alternative == "two-sided" else 1)
        reach = special.stdtrit(self.df, 1 - tail) * np.asarray(self.standard_error)
        low, high = self.estimate - reach, self.estimate + reach
        if self.alternative == "less":
            low = np.full_like(low, -np.inf)
        elif self.alternative == "greater":
            high = np.full_like(high, np.inf)
        return ConfidenceInterval(as_number(low), as_number(high))


def paired_t(
    differences: ArrayLike, *, axis: Axis = -1, alternative: str = "two-sided"
) -> TestResult:
    r"""Paired t test.

    .. math:: t = \frac{\bar x}{\sqrt{s^2 / n}}, \qquad n - 1 \text{ degrees of freedom}

    The test of Bouckaert (2004, Section 2.2).  It takes the differences as independent, which
    those of overlapping training sets are not: see :func:`corrected_resampled_t`.

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
        `statistic` t, `estimate` the mean difference; without the axes `axis`.

    Raises
    ------
    ValueError
        If a sample has fewer than two differences or one that is not finite, or an option is
        unknown.

    Warns
    -----
    RuntimeWarning
        If a sample consists of one nonzero value only.

    Examples
    --------
    >>> result = paired_t([0.02, 0.05, -0.01, 0.04])
    >>> round(result.statistic, 3), round(result.pvalue, 3), result.df
    (1.89, 0.155, 3)
    """
    return _student(**_mean_and_error(differences, axis, ratio=0.0), alternative=alternative)


def corrected_resampled_t(
    differences: ArrayLike,
    *,
    test_train_ratio: float,
    axis: Axis = -1,
    alternative: str = "two-sided",
) -> TestResult:
    r"""Corrected resampled t test of Nadeau and Bengio.

    .. math:: t = \frac{\bar x}{\sqrt{\left(\frac1n + \frac{n_2}{n_1}\right) s^2}}, \qquad
              n - 1 \text{ degrees of freedom}

    with :math:`n_2` test and :math:`n_1` training instances per split.  The ratio makes up for the
    correlation between differences whose training sets overlap.  Two uses:

    * random splits (Bouckaert and Frank 2004, Section 3.2): one difference per split, and the
      ratio of the split, 1/9 for 10 % test data;
    * k-fold cross-validation, once (Berrar 2024, Eq. 15) or r times (Bouckaert and Frank 2004,
      Section 3.3): one difference per fold of each run, and the ratio 1/(k - 1).  Pass a block of
      runs x folds with ``axis=(-2, -1)``.

    Parameters
    ----------
    differences : array_like
        Scores of A minus scores of B, in any unit.
    test_train_ratio : float
        Test instances per training instance, greater than 0.  There is no default: it cannot be
        read off the differences.
    axis : int or tuple of ints, default -1
        The axis or axes that hold a sample, of at least two differences.
    alternative : {"two-sided", "less", "greater"}
        "greater": A is better.

    Returns
    -------
    TestResult
        `statistic` t, `estimate` the mean difference; without the axes `axis`.

    Raises
    ------
    ValueError
        If the ratio is not a positive finite number (0 would be :func:`paired_t`), a sample has
        fewer than two differences or one that is not finite, or an option is unknown.

    Warns
    -----
    RuntimeWarning
        If a sample consists of one nonzero value only.

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
    if np.ndim(test_train_ratio) or not 0 < test_train_ratio < np.inf:
        raise ValueError(
            "test_train_ratio must be one positive number (n_test / n_train; for the ratio 0 use "
            f"paired_t), not {test_train_ratio}"
        )
    mean_and_error = _mean_and_error(differences, axis, ratio=float(test_train_ratio))
    return _student(**mean_and_error, alternative=alternative)


def five_by_two_cv_t(
    differences: ArrayLike, *, axis: tuple[int, int] = (-2, -1), alternative: str = "two-sided"
) -> TestResult:
    r"""Dietterich's 5x2cv paired t test.

    .. math:: t = \frac{x_{11}}{\sqrt{\frac15 \sum_{j=1}^5 s_j^2}}, \qquad
              s_j^2 = (x_{1j} - \bar x_j)^2 + (x_{2j} - \bar x_j)^2

    with 5 degrees of freedom (Bouckaert and Frank 2004, Section 3.1).  Only the first fold of the
    first run enters the numerator, so the outcome depends on the order of the runs and folds.

    Parameters
    ----------
    differences : array_like, shape (..., 5, 2)
        Scores of A minus scores of B for 5 runs of 2 folds, in any unit.
    axis : tuple of two ints, default (-2, -1)
        The axis of the runs and the axis of the folds.
    alternative : {"two-sided", "less", "greater"}
        "greater": A is better.

    Returns
    -------
    TestResult
        `statistic` t, `estimate` the difference :math:`x_{11}`; without the axes `axis`.

    Raises
    ------
    ValueError
        If the axes do not hold 5 runs x 2 folds, a difference is not finite, or an option is
        unknown.

    Warns
    -----
    RuntimeWarning
        If the two folds of every run agree and the first difference is not zero.

    Examples
    --------
    >>> block = [[0.04, 0.02], [0.01, 0.05], [0.03, 0.00], [0.02, 0.02], [0.05, 0.01]]
    >>> t, p = five_by_two_cv_t(block)
    >>> round(t, 3), round(p, 3)
    (1.886, 0.118)
    """
    x = real_array(differences)
    runs_and_folds = _normalized_axes(axis, x.ndim)
    if len(runs_and_folds) != 2:
        raise ValueError(f"axis must name the axis of the runs and that of the folds, not {axis!r}")
    x = np.moveaxis(x, runs_and_folds, (-2, -1))
    if x.shape[-2:] != (5, 2):
        runs, folds = x.shape[-2:]
        raise ValueError(f"the 5x2cv test needs 5 runs x 2 folds, not {runs} x {folds}")
    _check_finite(x)
    variance = (x[..., 0] - x[..., 1]) ** 2 / 2
    return _student(
        estimate=x[..., 0, 0],
        standard_error=np.sqrt(variance.mean(axis=-1)),
        scale=np.abs(x).max(axis=(-2, -1)),
        n=10,
        df=5,
        alternative=alternative,
    )


def sign_test(
    differences: ArrayLike,
    *,
    axis: Axis = -1,
    alternative: str = "two-sided",
    zeros: str | None = None,
    method: str = "exact",
) -> TestResult:
    r"""Sign test: is the number of positive differences that of tosses of a fair coin?

    Parameters
    ----------
    differences : array_like
        Scores of A minus scores of B, in any unit.
    axis : int or tuple of ints, default -1
        The axis or axes that hold a sample, of at least two differences.
    alternative : {"two-sided", "less", "greater"}
        "greater": A is better.
    zeros : {"discard", "half"}, optional
        What a zero difference is: nothing, or half a plus and half a minus.  Default: "discard"
        for the exact test, "half" for the other two.  Half pluses vary less than the binomial
        they are compared with, so with "half" the exact test is conservative (at levels up to 1/2).
    method : {"exact", "as_printed", "lenient"}
        With Z pluses among n signs and X binomial(n, 1/2), the two-sided p-value is

        * "exact": :math:`2 \min\{P(X \le Z), P(X \ge Z)\}`, at most 1, either tail widened to a
          whole number where Z is not one;
        * "as_printed": :math:`2 \min\{P(X \le Z), P(X > Z)\}`, the rule of Bouckaert (2004,
          Sections 2.2 and 2.3): accept when :math:`p(Z) = P(X \le Z)` lies between
          :math:`\alpha/2` and :math:`1 - \alpha/2`, the sum running to the integer part of Z;
        * "lenient": :math:`2 \min\{P(X < Z), P(X > Z)\}`, the printed rule with its lenient side
          for either learner.  The printed counts of that paper speak for it.

    Returns
    -------
    TestResult
        `statistic` the number of pluses Z, `n` the number of signs, `estimate` the share of pluses
        minus that of minuses; without the axes `axis`.

    Raises
    ------
    ValueError
        If a sample has fewer than two differences or one that is not finite, or an option is
        unknown.

    Notes
    -----
    The printed rule is asymmetric: :math:`P(X > Z)` leaves out the observed value itself, so it
    rejects too readily when A is ahead.  At n = 10 and 5 % it rejects for Z <= 1 and for Z >= 8, in
    6.5 % of samples under H0, where the exact test rejects for Z <= 1 and Z >= 9, in 2.1 %, and the
    lenient one for Z <= 2 and Z >= 8, in 10.9 %.  A sample of n pluses has the printed p-value 0.

    Examples
    --------
    Eight pluses and two minuses:

    >>> differences = [1, 1, 1, 1, -1, 1, 1, -1, 1, 1]
    >>> round(sign_test(differences).pvalue, 4)
    0.1094
    >>> round(sign_test(differences, method="as_printed").pvalue, 4)
    0.0215
    """
    check_choice("alternative", alternative, _ALTERNATIVES)
    check_choice("method", method, ("exact", "as_printed", "lenient"))
    if zeros is None:
        zeros = "discard" if method == "exact" else "half"
    check_choice("zeros", zeros, ("discard", "half"))

    x = _finite_samples(differences, axis)
    x = without_rounding_noise(x, np.abs(x).max(axis=-1, keepdims=True))
    pluses = np.count_nonzero(x > 0, axis=-1)
    minuses = np.count_nonzero(x < 0, axis=-1)
    nonzero = pluses + minuses
    if zeros == "discard":
        n, z = nonzero, pluses.astype(float)
    else:
        n = np.full_like(nonzero, x.shape[-1])
        z = pluses + (n - nonzero) / 2

    if method == "exact":
        # Narrowed instead of widened, the tails of 9.5 pluses out of 10 would be too light: one
        # zero and nine signs alike have probability 2/512, twice P(X <= 0) + P(X >= 10).
        at_most = special.bdtr(np.ceil(z), n, 0.5)
        at_least = special.bdtr(np.ceil(n - z), n, 0.5)  # the binomial(n, 1/2) is symmetric
    else:
        at_least = special.bdtrc(np.floor(z), n, 0.5)
        if method == "as_printed":
            at_most = special.bdtr(np.floor(z), n, 0.5)
        else:
            at_most = special.bdtrc(np.floor(n - z), n, 0.5)
    pvalue = np.where(nonzero == 0, 1.0, _pvalue(at_most, at_least, alternative))
    return TestResult(
        statistic=as_number(z),
        pvalue=as_number(pvalue),
        alternative=alternative,
        estimate=as_number((pluses - minuses) / np.maximum(n, 1)),
        n=as_number(n),
    )


def signed_rank(
    differences: ArrayLike,
    *,
    axis: Axis = -1,
    alternative: str = "two-sided",
    method: str = "auto",
    correction: str = "none",
) -> TestResult:
    r"""Wilcoxon's signed-rank test.

    Zero differences are discarded, which leaves n'; tied absolute differences share the mean of
    their ranks.  Under H0 each rank counts towards the sum of positive ranks W+ with probability
    1/2, so W+ has mean :math:`n'(n'+1)/4` and variance :math:`\frac14\sum_i \text{rank}_i^2`, which
    equals :math:`\frac{n'(n'+1)(2n'+1)}{24} - \frac{\sum (t^3 - t)}{48}` over groups of t ties
    (Berrar 2024, Eq. 10).

    Parameters
    ----------
    differences : array_like
        Scores of A minus scores of B, in any unit.
    axis : int or tuple of ints, default -1
        The axis or axes that hold a sample, of at least two differences.
    alternative : {"two-sided", "less", "greater"}
        "greater": A is better.
    method : {"auto", "exact", "normal"}
        "exact" uses the null distribution of W+ given the ranks, ties included; "normal" its
        normal approximation; "auto" is exact for each sample of at most 50 nonzero differences.
        The cost of "exact" grows with the cube of n'.
    correction : {"none", "towards_zero", "as_printed"}
        Continuity correction of the normal approximation: none (Bouckaert 2004, Section 2.2);
        1/2 from W+ towards its mean, or against a one-sided alternative, as in R; or always -1/2
        (Berrar 2024, Eq. 10 as printed), which moves W+ *away* from the mean when B is ahead.

    Returns
    -------
    TestResult
        `statistic` W+, `zstatistic` its normal approximation with the `correction` (whatever the
        method), `n` the number n' of nonzero differences, `estimate` the share of the rank sum
        that is positive minus the share that is negative; without the axes `axis`.

    Raises
    ------
    ValueError
        If a sample has fewer than two differences or one that is not finite, or an option is
        unknown.

    Notes
    -----
    Bouckaert (2004) calls it the rank sum test and prints the variance without the 2 in
    :math:`2n'+1`; that variance is not used here.

    Examples
    --------
    >>> result = signed_rank([17, 3, 1, 9, -4, -2, -3, 3])
    >>> result.statistic, result.pvalue, round(result.zstatistic, 4)
    (24.0, 0.4609375, 0.8443)
    >>> round(signed_rank([17, 3, 1, 9, -4, -2, -3, 3], method="normal").pvalue, 4)
    0.3985
    """
    check_choice("alternative", alternative, _ALTERNATIVES)
    check_choice("method", method, ("auto", "exact", "normal"))
    check_choice("correction", correction, ("none", "towards_zero", "as_printed"))

    x = _finite_samples(differences, axis)
    size, positive = _doubled_midranks(x)
    # Doubled mid-ranks are integers: the sums below are exact, and so are their comparisons.
    n = np.count_nonzero(size, axis=-1)
    total = size.sum(axis=-1)
    doubled_sum = np.where(positive, size, 0).sum(axis=-1)

    deviation = (doubled_sum - total / 2) / 2
    if correction == "as_printed":
        deviation = deviation - 0.5
    elif correction == "towards_zero":
        half = {"two-sided": np.sign(deviation), "greater": 1.0, "less": -1.0}[alternative]
        deviation = deviation - half / 2
    sd = np.sqrt((size.astype(float) ** 2).sum(axis=-1)) / 4
    zstatistic = np.where(n > 0, deviation / np.where(n > 0, sd, 1.0), 0.0)

    at_most = np.asarray(special.ndtr(zstatistic))
    at_least = np.asarray(special.ndtr(-zstatistic))
    exact = {"auto": n <= EXACT_UP_TO, "exact": n >= 0, "normal": n < 0}[method]
    if exact.any():
        at_most[exact], at_least[exact] = _signed_rank_tails(size[exact], doubled_sum[exact])
    pvalue = np.where(n == 0, 1.0, _pvalue(at_most, at_least, alternative))
    return TestResult(
        statistic=as_number(doubled_sum / 2),
        pvalue=as_number(pvalue),
        alternative=alternative,
        estimate=as_number((2 * doubled_sum - total) / np.maximum(total, 1)),
        n=as_number(n),
        zstatistic=as_number(zstatistic),
    )


def mcnemar(n10: ArrayLike, n01: ArrayLike, *, method: str = "exact") -> TestResult:
    r"""McNemar's test on the discordant pairs of one test set, two-sided.

    Parameters
    ----------
    n10, n01 : array_like of int
        Number of test instances that only A, and that only B, classifies correctly.  The two are
        broadcast against each other.
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
        `statistic` n10 for the exact method, else the chi-square; `n` the number of discordant
        pairs; `estimate` d / n, 0 if there are none.  Without discordant pairs the statistic is 0
        and p = 1 in every method.

    Raises
    ------
    ValueError
        If a count is negative or not a whole number, the shapes do not broadcast, or the method is
        unknown.

    Examples
    --------
    >>> round(mcnemar(25, 12).pvalue, 6)
    0.047031
    >>> statistic, p = mcnemar(25, 12, method="corrected")
    >>> round(statistic, 4), round(p, 6)
    (3.8919, 0.04852)
    """
    check_choice("method", method, ("exact", "corrected", "as_printed", "uncorrected"))
    n10, n01 = _counts("n10", n10), _counts("n01", n01)
    d, n = n10 - n01, n10 + n01  # raises ValueError where the shapes do not broadcast
    if method == "exact":
        statistic = np.broadcast_to(n10, n.shape).astype(float)
        pvalue = np.minimum(2 * special.bdtr(np.minimum(n10, n01).astype(float), n, 0.5), 1.0)
    else:
        distance = np.abs(d).astype(float)
        if method != "uncorrected":
            distance -= 1
        if method == "corrected":
            distance = np.maximum(distance, 0.0)
        statistic = np.where(n > 0, distance**2 / np.maximum(n, 1), 0.0)
        pvalue = special.erfc(np.sqrt(statistic / 2))  # chi-square with 1 df is a squared normal
    return TestResult(
        statistic=as_number(statistic),
        pvalue=as_number(pvalue),
        alternative="two-sided",
        estimate=as_number(d / np.maximum(n, 1)),
        n=as_number(n),
    )


def without_rounding_noise(values: np.ndarray, scale: ArrayLike) -> np.ndarray:
    """Values with those set to 0 that are rounding noise at the given scale.

    Parameters
    ----------
    values : ndarray
        Differences, or means of differences.
    scale : array_like
        Largest absolute difference that went into each value; broadcast against `values`.

    Returns
    -------
    ndarray
        A copy; exactly 0 where ``abs(values) <= ROUNDING_NOISE * scale``.

    Examples
    --------
    >>> block = np.array([0.3, -0.2, -0.1])
    >>> bool(block.sum() == 0)
    False
    >>> float(without_rounding_noise(block.sum(), 0.3))
    0.0
    """
    return np.where(np.abs(values) <= ROUNDING_NOISE * np.asarray(scale), 0.0, values)


def _mean_and_error(differences: ArrayLike, axis: Axis, ratio: float) -> dict:
    """Mean and standard error sqrt((1/n + ratio) s^2), as arguments for `_student`."""
    x = _samples(differences, axis)
    n = x.shape[-1]
    mean = x.mean(axis=-1)
    _check_finite(mean)  # as telling as a look at every difference, and n times cheaper
    centred = x - mean[..., np.newaxis]
    variance = np.vecdot(centred, centred) / (n - 1)
    return {
        "estimate": mean,
        "standard_error": np.sqrt((1 / n + ratio) * variance),
        "scale": np.abs(mean),
        "n": n,
        "df": n - 1,
    }


def _student(
    *,
    estimate: np.ndarray,
    standard_error: np.ndarray,
    scale: np.ndarray,
    n: int,
    df: int,
    alternative: str,
) -> TestResult:
    """A t test from its estimate and standard error; `scale` is that of the differences.

    Equal floating-point differences may have a mean that is off by a rounding error, hence a
    variance of 1e-36 and a t of 1e14 instead of none.  So a sample is constant not when its
    variance is 0, but when its standard error is nothing but noise beside the differences.
    """
    check_choice("alternative", alternative, _ALTERNATIVES)
    constant = standard_error <= ROUNDING_NOISE * scale
    standard_error = np.where(constant, 0.0, standard_error)
    statistic = estimate / np.where(constant, 1.0, standard_error)
    if constant.any():
        statistic = np.where(constant & (estimate != 0), np.copysign(np.inf, estimate), statistic)
        infinite = np.count_nonzero(np.isinf(statistic))
        if infinite:
            warnings.warn(
                f"{infinite} of {statistic.size} samples have a nonzero mean difference but no "
                "variance; their t statistic is infinite",
                RuntimeWarning,
                stacklevel=3,
            )
    at_most, at_least = special.stdtr(df, statistic), special.stdtr(df, -statistic)
    pvalue = np.where(constant & (estimate == 0), 1.0, _pvalue(at_most, at_least, alternative))
    return TestResult(
        statistic=as_number(statistic),
        pvalue=as_number(pvalue),
        alternative=alternative,
        estimate=as_number(estimate),
        n=n,
        standard_error=as_number(standard_error),
        df=df,
    )


def _pvalue(at_most: np.ndarray, at_least: np.ndarray, alternative: str) -> np.ndarray:
    """The p-value from the two tails, both of which include the observed statistic."""
    if alternative == "less":
        return at_most
    if alternative == "greater":
        return at_least
    return np.minimum(2 * np.minimum(at_most, at_least), 1.0)


def _doubled_midranks(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Twice the mid-ranks of |x| along the last axis, ascending, 0 for zeros; and where x > 0."""
    order = np.argsort(np.abs(x), axis=-1)
    x = np.take_along_axis(x, order, axis=-1)
    size = np.abs(x)
    noise = ROUNDING_NOISE * size[..., -1:]
    zeros = np.count_nonzero(size <= noise, axis=-1)[..., np.newaxis]
    size[size <= noise] = 0.0  # else noise and the smallest difference might look like a tie

    n = x.shape[-1]
    place = np.broadcast_to(np.arange(n), x.shape)
    rises = np.diff(size, axis=-1) > noise
    opens = np.concatenate([np.ones_like(zeros, dtype=bool), rises], axis=-1)
    closes = np.concatenate([rises, np.ones_like(zeros, dtype=bool)], axis=-1)
    first = np.maximum.accumulate(np.where(opens, place, 0), axis=-1)
    last = np.minimum.accumulate(np.where(closes, place, n)[..., ::-1], axis=-1)[..., ::-1]
    doubled = first + last + 2 - 2 * zeros
    return np.where(place < zeros, 0, doubled), x > 0


def _signed_rank_tails(
    doubled_ranks: np.ndarray, doubled_sum: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """P(W+ <= w) and P(W+ >= w) given the ranks, for ranks (m, n) and sums (m,), all doubled."""
    patterns, pattern = np.unique(doubled_ranks, axis=0, return_inverse=True)
    pattern = pattern.reshape(-1)  # its shape has changed between versions of NumPy
    tables = [_signed_rank_cdf(ranks[ranks > 0]) for ranks in patterns]
    start = np.array([0, *accumulate(len(table) for table in tables)])
    cdf = np.concatenate(tables)
    # W+ is symmetric about half the sum of all ranks, so P(W+ >= w) = P(W+ <= total - w).
    total = doubled_ranks.sum(axis=-1)
    return cdf[start[pattern] + doubled_sum], cdf[start[pattern] + total - doubled_sum]


def _signed_rank_cdf(doubled_ranks: np.ndarray) -> np.ndarray:
    """P(2 W+ <= s) for s = 0, 1, ..., by convolution: each rank counts with probability 1/2."""
    probability = np.ones(1)
    for rank in doubled_ranks:
        left_out = np.pad(probability, (0, rank))
        counted = np.pad(probability, (rank, 0))
        probability = (left_out + counted) / 2
    return np.cumsum(probability)


def _check_finite(values: np.ndarray) -> None:
    if not np.isfinite(values).all():
        raise ValueError("the differences must be finite: drop or repair NaN and infinities first")


def _normalized_axes(axis: Axis, ndim: int) -> tuple[int, ...]:
    try:
        return np.lib.array_utils.normalize_axis_tuple(axis, ndim, "axis")
    except TypeError:
        raise ValueError(f"axis must be an int or a tuple of ints, not {axis!r}") from None


def _samples(differences: ArrayLike, axis: Axis) -> np.ndarray:
    """Differences with the axes of the sample merged into the last one."""
    x = real_array(differences)
    axes = _normalized_axes(axis, x.ndim)
    x = np.moveaxis(x, axes, range(-len(axes), 0))
    n = int(np.prod(x.shape[x.ndim - len(axes) :]))
    if n < 2:
        raise ValueError(f"a sample needs at least two differences, not {n}")
    return x.reshape(*x.shape[: x.ndim - len(axes)], n)


def _finite_samples(differences: ArrayLike, axis: Axis) -> np.ndarray:
    x = _samples(differences, axis)
    _check_finite(x)
    return x


def _counts(name: str, counts: ArrayLike) -> np.ndarray:
    values = np.asarray(counts)
    if values.dtype.kind not in "iub":
        values = real_array(counts)
        if not (np.isfinite(values) & (values == np.floor(values))).all():
            raise ValueError(f"{name} must hold whole numbers of test instances")
    if (values < 0).any():
        raise ValueError(f"{name} must not be negative")
    return values.astype(np.int64)
