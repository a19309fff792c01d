"""The test of scores on several data sets."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy import special

from replib import significance
from replib._pair_tests.base import Limits, PairTests, Question
from replib._validation import Array, is_rounding_noise
from replib.designs import Datasets
from replib.intervals import Prediction
from replib.replication_probability import signed_rank
from replib.significance.equivalence import HodgesLehmannResult
from replib.significance.ranks import rank_test
from replib.significance.results import RankTestResult


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SignedRankTests(PairTests):
    """Exact signed-rank tests, with the estimate of Hodges and Lehmann.

    Attributes
    ----------
    differences : ndarray, shape (pairs, data sets)
    scores : ndarray, shape (models, data sets)
        Of all models, for the test that they are all equal.
    """

    differences: Array
    scores: Array
    name = "signed-rank test"
    estimand = "Hodges-Lehmann estimate of the difference"
    about = "The test is about other data sets of the same kind."
    cites = ("wilcoxon1945", "hodges_lehmann1963", "demsar2006", "berrar2024")

    @classmethod
    def suits(cls, question: Question) -> bool:
        return isinstance(question.table.design, Datasets)

    @classmethod
    def from_question(cls, question: Question) -> Self:
        scores = np.array(list(question.blocks.values()))
        if scores.shape[1] == 1:
            raise ValueError(
                "models have one data set, and at least two are needed to compare them"
            )
        return cls(differences=question.differences(), scores=scores)

    @property
    def on(self) -> str:  # type: ignore[override]
        return f"{self.differences.shape[1]} data sets"

    @cached_property
    def _ranks(self) -> RankTestResult:
        return rank_test(self.differences)

    @cached_property
    def _centres(self) -> HodgesLehmannResult:
        return significance.hodges_lehmann(self.differences)

    @property
    def estimate(self) -> Array:
        return np.asarray(self._centres.estimate)

    @property
    def statistic(self) -> Array:
        return np.asarray(self._ranks.statistic)

    @property
    def df(self) -> Array:
        return np.full(len(self.differences), np.nan)

    @property
    def pvalue(self) -> Array:
        return np.asarray(self._ranks.pvalue)

    @property
    def ahead(self) -> Array:
        """The sign of the rank sum: the estimate is 0 if most differences are."""
        return np.asarray(self._ranks.estimate)

    @property
    def n_differing(self) -> NDArray[np.int64]:
        return np.count_nonzero(self.differences, axis=1)

    @property
    def counts(self) -> dict[str, NDArray[np.int64]]:
        return {
            "wins": (self.differences > 0).sum(axis=1),
            "losses": (self.differences < 0).sum(axis=1),
        }

    @cached_property
    def overall(self) -> tuple[str, float] | None:
        if len(self.scores) < 3:
            return None
        return "Friedman's test (F form)", friedman(self.scores)

    def limits(self, level: float) -> Limits:
        return Limits(*self._centres.confidence_interval(level))

    def tails(self, shift: float) -> tuple[Array, Array]:
        above, below = self._centres.tails(shift)
        return above, below

    def replication(self, alpha: float) -> Prediction | None:
        sign = np.where(self.ahead < 0, -1, 1)[:, None]
        return signed_rank(sign * self.differences, alpha=alpha, selected=True)


def friedman(scores: Array) -> float:
    r"""Return the p-value of Friedman's test in the F form of Iman and Davenport (1980).

    Where all data sets have the same order, F is infinite: then the probability that they
    agree by chance, :math:`k!^{1-n}` of k models on n data sets.

    Parameters
    ----------
    scores : ndarray, shape (models, data sets)
        Three or more models.

    Returns
    -------
    float

    Examples
    --------
    >>> round(friedman(np.array([[.9, .8, .7, .9], [.8, .7, .6, .7], [.7, .75, .5, .6]])), 4)
    0.0066
    """
    from scipy import stats  # slow to load, and needed only here

    n_models, n_datasets = scores.shape
    with np.errstate(invalid="ignore"):
        chi2 = stats.friedmanchisquare(*ranks_of_models(scores)).statistic
    if np.isnan(chi2):
        return 1.0  # all models tie on every data set
    largest = n_datasets * (n_models - 1)
    if np.isclose(chi2, largest):
        return math.factorial(n_models) ** (1.0 - n_datasets)
    f = (n_datasets - 1) * chi2 / (largest - chi2)
    return float(special.fdtrc(n_models - 1, (n_models - 1) * (n_datasets - 1), f))


def ranks_of_models(scores: Array) -> Array:
    """Return the ranks of models (rows) on each data set, means of ties; the largest score has 1.

    Scores are ties if they are equal but for rounding.

    >>> ranks_of_models(np.array([[0.1 + 0.2, 0.8], [0.3, 0.9], [0.2, 0.7]])).tolist()
    [[1.5, 2.0], [1.5, 1.0], [3.0, 3.0]]
    """
    from scipy import stats  # slow to load, and needed only here

    order = np.argsort(scores, axis=0)
    in_order = np.take_along_axis(scores, order, axis=0)
    scale = np.abs(scores).max(axis=0)
    is_larger = ~is_rounding_noise(np.diff(in_order, axis=0), scale)
    distinct = np.zeros(scores.shape, dtype=np.int64)
    np.cumsum(is_larger, axis=0, out=distinct[1:])
    of_models = np.take_along_axis(distinct, np.argsort(order, axis=0), axis=0)
    return np.asarray(stats.rankdata(-of_models, axis=0))
