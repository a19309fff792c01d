r"""The power of the test of each design, for any number of runs, seeds, items or data sets.

The power of a t test follows from the noncentral t distribution, that of McNemar's
exact test is summed, and the signed-rank test is simulated for few data sets, and taken
for a t test on :math:`3n/\pi` of more, which is its efficiency for normal differences.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import special

from replib import significance, variance
from replib._validation import Array

#: Most units of a plan.
MOST_UNITS = 10**7
#: Up to this number of data sets the signed-rank test is simulated.  With eleven, power
#: would be three points too high by the formula; above twenty it is right within 1.5
#: points (tests/test_planning.py), and to simulate more would only take time.
_MOST_SIMULATED = 20
#: Simulated experiments: the standard error of a power is at most half a point.
_EXPERIMENTS = 10_000
#: Draws of the mean squares of items in several runs, and quantiles of the share of
#: one of two variances: the critical values over which power is averaged.
_DRAWS = 4000
_QUANTILES = 64


class Margin(NamedTuple):
    """A margin that a difference must be shown not to exceed.

    Attributes
    ----------
    size : float
    both_sides : bool
        Whether the models must be equivalent; else the first must only be not worse.
    """

    size: float
    both_sides: bool = True


class DesignTest(Protocol):
    """The test of a design, for any number of units."""

    @property
    def units(self) -> str:
        """What is counted, such as "runs of 10-fold cross-validation"."""

    @property
    def has_floor(self) -> bool:
        """Whether some differences are not found by any number of units."""

    @property
    def largest_difference(self) -> float:
        """Largest possible difference of two models."""

    def standard_error(self, n: int) -> float:
        """Return the standard error of the mean difference."""

    def power(
        self, n: int, difference: float, alpha: float, margin: Margin | None
    ) -> float:
        """Return the probability that a difference is significant, or shown to be small."""

    def steps(self, n: int) -> tuple[float, int]:
        """Return a step of differences between which power hardly differs, and how many matter."""


class _TTest(ABC):
    """A t test, whose standard error and degrees of freedom depend on the number of units."""

    has_floor: ClassVar[bool] = False
    largest_difference: ClassVar[float] = math.inf

    @abstractmethod
    def standard_error(self, n: int) -> float:
        """Return the standard error of the mean difference."""

    @abstractmethod
    def df(self, n: int) -> float:
        """Return the degrees of freedom of its noncentral t distribution."""

    def critical_values(self, n: int, tail: float) -> Any:
        """Return a critical value of t in the lower tail, or several equally probable ones."""
        return special.stdtrit(self.df(n), tail)

    def power(
        self, n: int, difference: float, alpha: float, margin: Margin | None
    ) -> float:
        if margin is None:
            critical = self.critical_values(n, alpha / 2)
            below = self._probability_below(n, difference, critical)
            above = self._probability_below(n, -difference, critical)
            return below + above
        critical = self.critical_values(n, alpha)
        above = self._probability_below(n, -difference - margin.size, critical)
        if not margin.both_sides:
            return above
        # equivalence is shown if both one-sided tests reject
        below = self._probability_below(n, difference - margin.size, critical)
        return max(below + above - 1, 0.0)

    def _probability_below(self, n: int, difference: float, critical: Any) -> float:
        """Return the mean probability that t is below its critical values."""
        noncentrality = difference / self.standard_error(n)
        probability = special.nctdtr(self.df(n), noncentrality, critical)
        # the function has no value where it is below 1e-16
        return float(np.nan_to_num(probability).mean())

    def steps(self, n: int) -> tuple[float, int]:
        # up to a hundred standard errors, in hundred-thousandths of one
        return 1e-5 * self.standard_error(n), 10**7


@dataclass(frozen=True)
class SplitsTest(_TTest):
    """The corrected resampled t test (Nadeau and Bengio 2003)."""

    units: str
    sd: float
    folds: int
    ratio: float
    #: The variance between training sets stays, however many runs there are.
    has_floor: ClassVar[bool] = True

    def standard_error(self, n: int) -> float:
        return self.sd * math.sqrt(1 / (n * self.folds) + self.ratio)

    def df(self, n: int) -> float:
        return n * self.folds - 1.0


@dataclass(frozen=True)
class PairedSeedsTest(_TTest):
    """The paired t test."""

    variance: float
    units: ClassVar[str] = "paired seeds"

    def standard_error(self, n: int) -> float:
        return math.sqrt(self.variance / n)

    def df(self, n: int) -> float:
        return n - 1.0


@dataclass(frozen=True)
class WelchTest(_TTest):
    """Welch's t test of as many seeds of each model.

    Its degrees of freedom are estimated.  Given the share that the first model's sum of
    squares has in both, their sum has a chi-square distribution with 2(n - 1) degrees
    of freedom: power is averaged over quantiles of the share.
    """

    first_variance: float
    second_variance: float
    units: ClassVar[str] = "seeds of each model"

    def standard_error(self, n: int) -> float:
        return math.sqrt((self.first_variance + self.second_variance) / n)

    def df(self, n: int) -> float:
        return 2 * (n - 1.0)

    def critical_values(self, n: int, tail: float) -> Any:
        return _welch_critical_values(
            self.first_variance, self.second_variance, n, tail
        )


# a search asks again and again with the same number of units
@lru_cache(maxsize=4)
def _welch_critical_values(first: float, second: float, n: int, tail: float) -> Array:
    """Return critical values in true standard errors, for quantiles of the share."""
    quantiles = (np.arange(_QUANTILES) + 0.5) / _QUANTILES
    share = special.betaincinv((n - 1) / 2, (n - 1) / 2, quantiles)
    a = first * share
    b = second * (1 - share)
    estimated_df = (n - 1) * (a + b) ** 2 / (a**2 + b**2)
    scale = np.sqrt(2 * (a + b) / (first + second))
    return np.asarray(special.stdtrit(estimated_df, tail) * scale)


@dataclass(frozen=True)
class DatasetsTest(_TTest):
    """The signed-rank test of normal differences."""

    sd: float
    units: ClassVar[str] = "data sets"

    def standard_error(self, n: int) -> float:
        # the efficiency of the test, relative to t, is 3 / pi for normal differences
        return self.sd * math.sqrt(math.pi / 3 / n)

    def df(self, n: int) -> float:
        return n - 1.0

    def power(
        self, n: int, difference: float, alpha: float, margin: Margin | None
    ) -> float:
        if n > _MOST_SIMULATED:
            return super().power(n, difference, alpha, margin)
        rng = np.random.default_rng(0)
        x = rng.normal(difference, self.sd, size=(_EXPERIMENTS, n))
        if margin is None:
            return float(np.mean(significance.signed_rank(x).pvalue < alpha))
        size = margin.size
        above = significance.signed_rank(x + size, alternative="greater").pvalue
        below = significance.signed_rank(x - size, alternative="less").pvalue
        return _share_shown(above < alpha, below < alpha, margin)


@dataclass(frozen=True)
class McNemarTest:
    """McNemar's exact test; for equivalence Tango's two score tests.

    Attributes
    ----------
    discordant : float
        Share of the items that only one of two models has right.
    unit : float
        Score of an item that is right, such as 100 for percent.
    """

    discordant: float
    unit: float = 1.0
    units: ClassVar[str] = "items"
    has_floor: ClassVar[bool] = False

    @property
    def largest_difference(self) -> float:
        return self.unit * self.discordant

    def standard_error(self, n: int) -> float:
        return self.unit * math.sqrt(self.discordant / n)

    def power(
        self, n: int, difference: float, alpha: float, margin: Margin | None
    ) -> float:
        win = (self.discordant + difference / self.unit) / 2
        lose = max(self.discordant - win, 0.0)
        if margin is None:
            exact = significance.mcnemar_power(
                n, win, lose, alpha=alpha, method="exact"
            )
            return float(exact)
        rng = np.random.default_rng(0)
        shares = (win, lose, max(1 - win - lose, 0))
        wins, losses, _ = rng.multinomial(n, shares, size=_EXPERIMENTS).T
        shift = margin.size / self.unit
        above = significance.tango(wins, losses, n, shift=-shift).greater
        below = significance.tango(wins, losses, n, shift=shift).less
        return _share_shown(above < alpha, below < alpha, margin)

    def steps(self, n: int) -> tuple[float, int]:
        return 1e-5 * self.largest_difference, 10**5


def _share_shown(
    above: NDArray[np.bool_], below: NDArray[np.bool_], margin: Margin
) -> float:
    """Return the share of experiments that show what the margin asks for."""
    return float(np.mean(above & below if margin.both_sides else above))


@dataclass(frozen=True)
class SuiteTest(_TTest):
    """The stratified t test: more items of each task, in proportion to a pilot's.

    Attributes
    ----------
    variance, df_of_pilot : float
        Of the mean difference in the pilot.
    items, tasks : int
        In the pilot.
    """

    variance: float
    df_of_pilot: float
    items: int
    tasks: int

    @property
    def units(self) -> str:
        return f"items of {self.tasks} tasks, in the proportions of the pilot,"

    def standard_error(self, n: int) -> float:
        return math.sqrt(self.variance * self.items / n)

    def df(self, n: int) -> float:
        return max(self.df_of_pilot * n / self.items, 1.0)


@dataclass(frozen=True)
class ItemsTest(_TTest):
    """Student's t test over items, or over clusters of them, in a single run."""

    parts: variance.VarianceComponents

    @property
    def units(self) -> str:
        return f"items{_in_clusters(self.parts)}"

    def standard_error(self, n: int) -> float:
        return float(self.parts.standard_error(1, n))

    def df(self, n: int) -> float:
        return n * self.parts.units / self.parts.items - 1


@dataclass(frozen=True)
class ItemsInRunsTest(_TTest):
    """The test of the variance model; its critical values are drawn.

    Attributes
    ----------
    models : int
        2, or 1 if the runs are paired: then only their differences have a variance.
    """

    parts: variance.VarianceComponents
    runs: int
    models: int
    #: More items do not replace more runs.
    has_floor: ClassVar[bool] = True

    @property
    def units(self) -> str:
        return f"items{_in_clusters(self.parts)} in {self.runs} runs of each model"

    def standard_error(self, n: int) -> float:
        return float(self.parts.standard_error(self.runs, n))

    def df(self, n: int) -> float:
        return 1e9  # normal, given the variance that was drawn

    def critical_values(self, n: int, tail: float) -> Any:
        return _drawn_critical_values(self, n, tail)


# a search asks again and again with the same number of units
@lru_cache(maxsize=4)
def _drawn_critical_values(test: ItemsInRunsTest, n: int, tail: float) -> Any:
    """Return critical values in true standard errors, for drawn mean squares."""
    parts = test.parts
    runs = test.runs
    models = test.models
    units = n * parts.units / parts.items
    if units < 2:
        return -math.inf
    rng = np.random.default_rng(0)

    def mean_squares(mean: float, df: float, *shape: int) -> Array:
        """Draw mean squares with this expectation, shape (*shape, draws)."""
        chi_square = rng.chisquare(df, size=(*shape, _DRAWS))
        return np.asarray(mean / df * chi_square)

    # contributions of the pilot, with these numbers of runs and items
    fewer_runs = parts.runs / runs
    fewer_items = parts.items / n
    seed = max(parts.seed, 0) * fewer_runs
    interaction = max(parts.interaction, 0) * fewer_runs * fewer_items
    item = (max(parts.item, 0) + max(parts.cluster, 0)) * fewer_items
    squares = variance.MeanSquares(
        estimate=np.zeros(_DRAWS),
        item=mean_squares(item + interaction, units - 1),
        seed=mean_squares((seed + interaction) / models, runs - 1, models),
        interaction=mean_squares(
            interaction / models, (runs - 1) * (units - 1), models
        ),
        runs=(runs,) * models,
        items=n,
        units=int(units),
        effective=units,
        scale=np.ones(_DRAWS),
    )
    drawn_variance, df = variance.variance_of_difference(squares)
    error = np.sqrt(drawn_variance) / test.standard_error(n)
    return special.stdtrit(df, tail) * error


def _in_clusters(parts: variance.VarianceComponents) -> str:
    """Say that the items of a plan are in clusters, if they are."""
    return ", in clusters as in the pilot," if parts.units < parts.items else ""
