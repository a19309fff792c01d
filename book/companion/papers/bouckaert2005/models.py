r"""Models of five designs: what they decide in the limit of large data sets, without learning.

Let two classifiers ignore their training data, and let their differences on the N
instances of a data set D (1, 0 or -1) have standard deviation sigma.  Measure the
difference of the classifiers on D in units of its standard error,
:math:`M = \sqrt N\,\bar d_D / \sigma`.  For large data sets

.. math:: M = d + U, \qquad U \sim N(0, 1), \qquad d = \sqrt N\,\Delta / \sigma,

and a model is determined by one function, the probability :math:`\pi(M)` that it
rejects on a data set with that M.  Power and replicability are

.. math:: \pi = \operatorname{E} \pi(d + U), \qquad
          r = \operatorname{E} [\pi(d + U)^2 + (1 - \pi(d + U))^2] .

N has disappeared: it acts only through d.  Given D, the mean over a random test set of
tau N instances is :math:`M + \sqrt{(1-\tau)/\tau}\,E` in the same units, with E
standard normal.  Test sets drawn independently have independent E; the E of the K folds
of a run sum to zero.  This gives the functions :math:`\pi(M)` below.

Functions raise `ValueError` if an argument lies outside its range.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from companion.papers.bouckaert2005.order_statistics import sorted_squares
from replib._validation import (
    array_within,
    as_number,
    check_instance,
    check_level,
    whole_number,
)
from replib.replicability import agreement
from replib.significance import Floats

# Nodes of the trapezoidal rule for the mean over U.  It converges faster than any power
# of the step, and the functions pi(M) are smooth on the scale of this step for up to
# about 1000 samples.  Beyond the reach U has a probability of 2e-19.
_STEP = 1 / 32
_REACH = 9.0

# Probabilities that are held in memory at once, 32 MB.
_BLOCK = 2**22

# Largest shift.
_FARTHEST = 1e4

# The search for the worst case begins on 0 to 60, where it lies unless there are few
# degrees of freedom and a small alpha; looks at as many shifts at once, and stops where
# they are as close together.
_FIRST_RANGE = 60.0
_SHIFTS = 41
_CLOSE = 1e-4


class Model(ABC):
    """Any of the five models."""

    @property
    @abstractmethod
    def trainings(self) -> int:
        """Number of times that each learner is trained."""

    def rejection(self, mean: ArrayLike, *, alpha: float = 0.05) -> Floats:
        """Compute the probability of rejecting on data sets with given differences.

        Parameters
        ----------
        mean : array_like
            Standardised differences M on data sets.
        alpha : float, default 0.05
            Significance level.

        Returns
        -------
        float or ndarray

        Examples
        --------
        >>> round(McNemar(0.1).rejection(5.0), 4), round(Resampling().rejection(2.0), 4)
        (0.3449, 0.1941)
        >>> round(CrossValidation().rejection(2.0), 4)
        0.0503
        """
        check_level("alpha", alpha)
        mean = array_within("mean", mean, -2 * _FARTHEST, 2 * _FARTHEST)
        return as_number(self._rejection(mean, alpha))

    @abstractmethod
    def _rejection(self, mean: np.ndarray, alpha: float) -> np.ndarray:
        """Compute :meth:`rejection` of checked arguments."""


@dataclass(frozen=True)
class McNemar(Model):
    r"""McNemar's test without correction, on one random test set.

    .. math:: \pi(M) = \Phi\left(\frac{M\sqrt\tau - z}{\sqrt{1-\tau}}\right)
              + \Phi\left(\frac{-M\sqrt\tau - z}{\sqrt{1-\tau}}\right)

    Attributes
    ----------
    test_fraction : float
        Share tau of the instances in the test set, above 0 and below 1.
    """

    test_fraction: float = 0.1

    def __post_init__(self) -> None:
        check_level("test_fraction", self.test_fraction)

    @property
    def trainings(self) -> int:
        """Number of times that each learner is trained."""
        return 1

    def _rejection(self, mean: np.ndarray, alpha: float) -> np.ndarray:
        shift = mean * np.sqrt(self.test_fraction)
        spread = np.sqrt(1 - self.test_fraction)
        z = _quantile(alpha, np.inf)
        return special.ndtr((shift - z) / spread) + special.ndtr((-shift - z) / spread)


@dataclass(frozen=True)
class Resampling(Model):
    r"""Corrected resampled t test on several random test sets.

    Given D, its statistic is :math:`1/\sqrt{1 + J \tau / (1 - \tau)}` times a noncentral t with
    J - 1 degrees of freedom and noncentrality
    :math:`M\sqrt{J \tau / (1 - \tau)}`.

    Attributes
    ----------
    samples : int
        Number J of random test sets, at least 2.
    test_fraction : float
        Share tau of the instances in each, above 0 and below 1.
    """

    samples: int = 10
    test_fraction: float = 0.1

    def __post_init__(self) -> None:
        check_level("test_fraction", self.test_fraction)
        whole_number("samples", self.samples, at_least=2)

    @property
    def trainings(self) -> int:
        """Number of times that each learner is trained."""
        return self.samples

    def _rejection(self, mean: np.ndarray, alpha: float) -> np.ndarray:
        df = self.samples - 1
        ratio = self.samples * self.test_fraction / (1 - self.test_fraction)
        critical = _quantile(alpha, df) * np.sqrt(1 + ratio)
        shift = mean * np.sqrt(ratio)
        # where the threshold is farther out nothing is rejected, so nothing varies
        reach = np.abs(shift).max(initial=0.0) + _REACH
        deviation, weight = _chi_nodes(df, min(critical, reach))
        threshold = critical * deviation
        n_blocks = 1 + shift.size * threshold.size // _BLOCK
        rejected = []
        for block in np.array_split(shift.reshape(-1, 1), n_blocks):
            tails = special.ndtr(block - threshold)
            tails += special.ndtr(-block - threshold)
            rejected.append(tails @ weight)
        return np.minimum(np.concatenate(rejected).reshape(shift.shape), 1.0)


def _quantile(alpha: float, df: float) -> float:
    """Return the value that the absolute Student's t exceeds with probability alpha."""
    return float(-special.stdtrit(df, alpha / 2))


def _chi_nodes(df: int, sharpness: float) -> tuple[np.ndarray, np.ndarray]:
    """Return values and weights of s/sigma for means of functions that vary on 1/`sharpness`.

    The rule is trapezoidal in log s, whose density decays exponentially: errors are
    about 1e-12.
    """
    spread = 1 / np.sqrt(2 * df)
    step = min(spread, 1 / sharpness) / 3
    # the lower tail is as exp(df x), and e^-28 is 1e-12
    x = np.arange(-(28 / df + 8 * spread), 8 * spread, step)
    log_density = df * x - df * np.exp(2 * x) / 2
    log_norm = (df / 2 - 1) * np.log(2) + special.gammaln(df / 2) - df / 2 * np.log(df)
    return np.exp(x), step * np.exp(log_density - log_norm)


@dataclass(frozen=True)
class _OnFolds(Model):
    r"""T test whose mean is M on every D, and whose variance is approximately chi square.

    The folds of a run partition D, so the mean of their differences is that of D for
    every partition: experiments on a data set differ only in their variance,
    approximately a multiple of chi square.  The test rejects if a sum of squares S is
    below a multiple of :math:`M^2`.

    Attributes
    ----------
    runs, folds : int
        Runs of cross-validation, at least 1, and folds of each, at least 2.
    """

    runs: int = 1
    folds: int = 10

    def __post_init__(self) -> None:
        whole_number("runs", self.runs, at_least=1)
        whole_number("folds", self.folds, at_least=2)

    @property
    def trainings(self) -> int:
        """Number of times that each learner is trained."""
        return self.runs * self.folds

    @abstractmethod
    def _squares(self) -> tuple[float, float, int]:
        """Return degrees of freedom nu and scale a, and those of c.

        S is a times chi square, and the test rejects if S is below M^2 / c^2, where c
        is the quantile of Student's t.
        """

    def _rejection(self, mean: np.ndarray, alpha: float) -> np.ndarray:
        df, scale, df_of_critical = self._squares()
        critical = _quantile(alpha, df_of_critical)
        return special.chdtr(df, mean**2 / (scale * critical**2))


@dataclass(frozen=True)
class CrossValidation(_OnFolds):
    r"""Corrected t test on all differences of repeated cross-validation.

    Given D, the squares about M sum to K times chi square with J(K-1) degrees of
    freedom, exactly.
    """

    def _squares(self) -> tuple[float, float, int]:
        df = self.runs * self.folds - 1
        scale = (1 / self.runs + self.folds / (self.folds - 1)) / df
        return self.runs * (self.folds - 1), scale, df


@dataclass(frozen=True)
class SortedCrossValidation(_OnFolds):
    r"""T test on the means over sorted runs.

    The squares are those of the mean of J sorted vectors of K centred normal variables.
    For one run their sum is chi square; for more runs it has no closed form and is
    replaced by a chi square with the same mean and variance (Satterthwaite).
    """

    def _squares(self) -> tuple[float, float, int]:
        mean, variance = sorted_squares(self.runs, self.folds)
        df = 2 * mean**2 / variance
        return df, mean / df / (self.folds - 1), self.folds - 1


@dataclass(frozen=True)
class MeanOverRuns(_OnFolds):
    """T test on K means over runs, one per fold; if J is large they hardly vary."""

    def _squares(self) -> tuple[float, float, int]:
        return self.folds - 1, 1 / (self.runs * (self.folds - 1)), self.folds - 1


def power(model: Model, shift: ArrayLike, *, alpha: float = 0.05) -> Floats:
    """Compute the probability that an experiment rejects.

    Parameters
    ----------
    model : a model of this module
    shift : array_like
        The true difference d in units of its standard error on the whole data set.
    alpha : float, default 0.05
        Significance level, above 0 and below 1.

    Returns
    -------
    float or ndarray

    Examples
    --------
    Cross-validation without repetition is corrected too strongly:

    >>> round(power(CrossValidation(), 0), 3), round(power(SortedCrossValidation(), 0), 3)
    (0.009, 0.05)
    """
    nodes, weights = _data_sets(model, shift)
    return as_number(weights @ model.rejection(nodes, alpha=alpha))


def replicability(model: Model, shift: ArrayLike, *, alpha: float = 0.05) -> Floats:
    """Compute the probability that two experiments on the same data set agree.

    Parameters
    ----------
    model, shift, alpha
        As in :func:`power`.

    Returns
    -------
    float or ndarray
        Raw scale, 1/2 to 1.

    Examples
    --------
    >>> round(replicability(McNemar(0.1), 0), 4)
    0.9055
    """
    nodes, weights = _data_sets(model, shift)
    return as_number(weights @ agreement(model.rejection(nodes, alpha=alpha)))


def worst_case(model: Model, *, alpha: float = 0.05) -> tuple[float, float]:
    """Find the shift at which replicability is lowest.

    Parameters
    ----------
    model, alpha
        As in :func:`power`.

    Returns
    -------
    shift, replicability : float
        The difference in units of its standard error, to 1e-4, and the raw
        replicability there.

    Raises
    ------
    ValueError
        If an argument lies outside its range, or the shift would exceed 10 000.

    Examples
    --------
    >>> [round(x, 3) for x in worst_case(Resampling(100))]
    [2.065, 0.856]
    """
    check_instance("model", model, Model)
    check_level("alpha", alpha)
    return _worst_case(model, float(alpha))


@cache
def _worst_case(model: Model, alpha: float) -> tuple[float, float]:
    low, high = 0.0, _FIRST_RANGE
    while high - low > _CLOSE:
        shifts = np.linspace(low, high, _SHIFTS)
        lowest = int(np.argmin(replicability(model, shifts, alpha=alpha)))
        if lowest < _SHIFTS - 1:
            low, high = shifts[max(lowest - 1, 0)], shifts[lowest + 1]
        elif high < _FARTHEST:
            high = min(2 * high, _FARTHEST)
        else:
            raise ValueError(
                f"alpha = {alpha:g} is too small for {model}: its worst case lies "
                f"beyond a shift of {_FARTHEST:g}"
            )
    shift = float(low + high) / 2
    return shift, float(replicability(model, shift, alpha=alpha))


def _data_sets(model: Model, shift: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return values of M, and their weights at each shift: (nodes,) and (..., nodes)."""
    check_instance("model", model, Model)
    shift = array_within("shift", shift, -_FARTHEST, _FARTHEST)
    least = np.min(shift, initial=_FARTHEST) - _REACH
    most = np.max(shift, initial=least) + _REACH
    nodes = np.arange(np.floor(least / _STEP), np.ceil(most / _STEP) + 1) * _STEP
    u = nodes - shift[..., np.newaxis]
    return nodes, np.exp(-(u**2) / 2) * (_STEP / np.sqrt(2 * np.pi))
