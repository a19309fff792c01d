r"""How the numbers of a source follow its level, and the level that printed numbers point to.

Each network of a source has a level x, the accuracy of naive Bayes, and a vector of numbers, one
for each cell of a table.  The vectors are modelled as quadratic in x with normal residuals, which
depend on one another: what two networks of one level do not share, and the data sets that all
designs decide on, move many cells together.

For printed numbers y of one more network, the level has the exact likelihood

.. math:: L(x) \propto (1 + h)^{-q/2}\, (1 + d^2(x) / ((n - p)(1 + h)))^{-(n - p + 1)/2},

with q cells, n networks, p = 3 coefficients, the leverage h(x), and the squared distance d² of y
from the curve by the residual covariance (Brown 1982, multivariate calibration).  Given a
likelihood, the law of any other number is a mixture of Student's t over levels.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import optimize, special, stats

#: Coefficients of a curve: a constant, a slope and a bend.
N_COEFFICIENTS = 3

#: Steps of the grid of levels.
N_LEVELS = 241


@dataclass(frozen=True)
class Curves:
    """Numbers of networks as curves of the level.

    Attributes
    ----------
    levels : ndarray, shape (networks,)
        Accuracy of naive Bayes, in percent.
    values : ndarray, shape (networks, cells)
        In percent.
    """

    levels: np.ndarray
    values: np.ndarray

    @property
    def df(self) -> int:
        """Degrees of freedom of the residuals."""
        return len(self.levels) - N_COEFFICIENTS

    def _design(self, levels: np.ndarray) -> np.ndarray:
        scaled = (np.asarray(levels) - self.levels.mean()) / np.ptp(self.levels)
        return np.vander(scaled, N_COEFFICIENTS)

    @property
    def _coefficients(self) -> np.ndarray:
        return np.linalg.lstsq(self._design(self.levels), self.values, rcond=None)[0]

    def at(self, levels: Sequence[float]) -> np.ndarray:
        """Return the curves at some levels, shape (levels, cells).

        >>> x = np.array([60.0, 70.0, 75.0, 80.0])
        >>> Curves(x, np.column_stack([x**2])).at([65.0]).round(6).tolist()
        [[4225.0]]
        """
        return self._design(levels) @ self._coefficients

    def leverage(self, levels: Sequence[float]) -> np.ndarray:
        """Return the variance of the curves at some levels, in units of the residual variance."""
        own = self._design(self.levels)
        asked = self._design(levels)
        return np.einsum("li,ij,lj->l", asked, np.linalg.inv(own.T @ own), asked)

    def residuals(self) -> np.ndarray:
        """Return the distances of the networks from the curves, shape (networks, cells)."""
        return self.values - self.at(self.levels)

    def covariance(self) -> np.ndarray:
        """Return the covariance of the residuals, shape (cells, cells)."""
        residuals = self.residuals()
        return residuals.T @ residuals / self.df


@dataclass(frozen=True)
class Estimate:
    """What printed numbers say about the level of a source.

    Attributes
    ----------
    levels : ndarray
        A grid, in percent.
    weights : ndarray
        The likelihood on the grid, which sums to 1.
    pvalue : float
        Of the distance of the printed numbers from the curves at the most likely level.
        It is too large, because the level was chosen to make that distance small.
    """

    levels: np.ndarray
    weights: np.ndarray
    pvalue: float

    @property
    def level(self) -> float:
        """The mean of the likelihood."""
        return float(self.weights @ self.levels)

    @property
    def deviation(self) -> float:
        """The standard deviation of the likelihood."""
        return float(np.sqrt(self.weights @ (self.levels - self.level) ** 2))

    def interval(self, confidence_level: float = 0.95) -> tuple[float, float]:
        """Return the central interval of the likelihood."""
        below = self.weights.cumsum() - self.weights / 2
        tail = (1 - confidence_level) / 2
        low, high = np.interp([tail, 1 - tail], below, self.levels)
        return float(low), float(high)


def estimate(
    curves: Curves,
    printed: Sequence[float],
    *,
    rounding: float = 0.05,
    reach: float = 0.0,
) -> Estimate:
    """Estimate the level of a source from printed numbers, by their likelihood.

    Parameters
    ----------
    curves : Curves
        Of the same cells.
    printed : sequence of float
        In percent.
    rounding : float
        Half a printed digit, whose variance is added to that of the residuals.
    reach : float
        How far beyond the levels of the networks, in percent, the level may lie.

    Returns
    -------
    Estimate

    Raises
    ------
    ValueError
        If there are too few networks for the covariance of so many cells.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> x = np.linspace(60, 80, 30)
    >>> curves = Curves(x, 2 * x[:, None] + rng.normal(size=(30, 2)))
    >>> 68 < estimate(curves, [140.0, 140.0]).level < 72
    True
    """
    n_cells = len(printed)
    if curves.df <= n_cells:
        raise ValueError(
            f"{n_cells} cells need more than {n_cells + N_COEFFICIENTS} networks, "
            f"not {len(curves.levels)}"
        )
    grid = np.linspace(
        curves.levels.min() - reach, curves.levels.max() + reach, N_LEVELS
    )
    # a uniform rounding error has a third of the square of its half-width as variance
    covariance = curves.covariance() + rounding**2 / 3 * np.eye(n_cells)
    apart = np.asarray(printed) - curves.at(grid)
    squared = np.einsum("li,ij,lj->l", apart, np.linalg.inv(covariance), apart)
    wider = 1 + curves.leverage(grid)
    log = -n_cells / 2 * np.log(wider) - (curves.df + 1) / 2 * np.log1p(
        squared / (curves.df * wider)
    )
    weights = np.exp(log - log.max())
    best = int(np.argmax(log))
    rest = curves.df - n_cells + 1
    ratio = squared[best] / wider[best] * rest / (n_cells * curves.df)
    pvalue = float(stats.f.sf(ratio, n_cells, rest))
    return Estimate(grid, weights / weights.sum(), pvalue)


#: The bounds of a law leave out less than this probability.
_BEYOND = 1e-6

#: Points at which a distribution function is summed.
_POINTS = 400


class Law(ABC):
    """The law of a number of one more network."""

    @property
    @abstractmethod
    def bounds(self) -> tuple[float, float]:
        """Values between which all of the law lies that matters."""

    @abstractmethod
    def cdf(self, values: np.ndarray) -> np.ndarray:
        """Return the probability of a number at most as large, for each of some values."""

    def quantile(self, probability: float) -> float:
        """Return the number below which the next one lies with a probability."""
        beyond = lambda x: float(self.cdf(np.array([x]))[0]) - probability
        return float(optimize.brentq(beyond, *self.bounds))

    @property
    def mean(self) -> float:
        """The mean: the upper bound less the integral of the distribution function."""
        low, high = self.bounds
        values = np.linspace(low, high, _POINTS)
        return float(high - np.trapezoid(self.cdf(values), values))


@dataclass(frozen=True)
class Prediction(Law):
    """The law of a number of one more network whose level is known from elsewhere.

    A mixture of Student's t distributions with `df` degrees of freedom: one for each
    level of an estimate.
    """

    weights: np.ndarray
    means: np.ndarray
    scales: np.ndarray
    df: int

    @property
    def bounds(self) -> tuple[float, float]:
        """Values between which all of the law lies that matters."""
        reach = stats.t.isf(_BEYOND, self.df) * self.scales
        return float((self.means - reach).min()), float((self.means + reach).max())

    def cdf(self, values: np.ndarray) -> np.ndarray:
        """Return the probability of a number at most as large, for each of some values."""
        away = (np.asarray(values)[:, None] - self.means) / self.scales
        return special.stdtr(self.df, away) @ self.weights

    @property
    def mean(self) -> float:
        """The mean of the mixture."""
        return float(self.weights @ self.means)


def predict(curves: Curves, cell: int, level: Estimate) -> Prediction:
    """Predict a cell of one more network at an estimated level."""
    deviation = np.sqrt(curves.covariance()[cell, cell])
    scales = deviation * np.sqrt(1 + curves.leverage(level.levels))
    # networks of which all give the same number still differ in print
    scales = np.maximum(scales, _LEAST_SCALE)
    return Prediction(
        level.weights, curves.at(level.levels)[:, cell], scales, curves.df
    )


#: In percent: a fifth of half a printed digit.
_LEAST_SCALE = 0.01


def of_replicas(values: Sequence[float]) -> Prediction:
    """Predict a number of one more network from those of some, whatever its level."""
    n = len(values)
    deviation = max(float(np.std(values, ddof=1)), _LEAST_SCALE)
    return Prediction(
        np.ones(1),
        np.array([np.mean(values)]),
        np.array([deviation * np.sqrt(1 + 1 / n)]),
        n - 1,
    )


@dataclass(frozen=True)
class Least(Law):
    """The law of the least of some independent numbers."""

    laws: Sequence[Law]

    @property
    def bounds(self) -> tuple[float, float]:
        """Values between which all of the law lies that matters."""
        lows, highs = zip(*(law.bounds for law in self.laws))
        return min(lows), min(highs)

    def cdf(self, values: np.ndarray) -> np.ndarray:
        """Return the probability that the least of the numbers is at most as large."""
        above = [1 - law.cdf(values) for law in self.laws]
        return 1 - np.prod(above, axis=0)
