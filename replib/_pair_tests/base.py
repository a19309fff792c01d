"""What the tests of all designs have in common."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from replib import _metrics
from replib._attainable import smallest_pvalue
from replib._validation import Array, without_rounding_noise
from replib.intervals import Prediction
from replib.rerun import Rerun
from replib.scores import Metric, Predictions, Scores
from replib.significance import MeanTestResult

Pairs = Sequence[tuple[str, str]]


class Limits(NamedTuple):
    """Lower and upper limits of the estimates, one entry per pair."""

    low: Array
    high: Array

    def within(self, metric: Metric) -> Self:
        """Return the limits, of which none is wider than two scores of the metric can differ."""
        widest = metric.high - metric.low
        return type(self)(np.maximum(self.low, -widest), np.minimum(self.high, widest))


class Reruns(NamedTuple):
    """Predicted agreement of a rerun: on each pair, and on all pairs together."""

    each: Rerun
    together: Rerun


def advantages(table: Scores | Predictions) -> dict[str, Array]:
    """Return scores, or predictions as scores of items, with a sign such that more is better.

    Empty for predictions with a metric that is no mean over items.
    """
    blocks = table.blocks if isinstance(table, Scores) else _metrics.item_scores(table)
    if blocks is None:
        return {}
    if table.metric.sign > 0:
        return blocks
    return {model: -block for model, block in blocks.items()}


@dataclass(frozen=True, eq=False)
class Question:
    """Which pairs of models are compared, and what is asked about them.

    Attributes
    ----------
    table : Scores or Predictions
    pairs : sequence of (str, str)
    about : {"models", "training", "both"}, optional
        For items in several trainings: see :func:`replib.comparison.compare`.
    """

    table: Scores | Predictions
    pairs: Pairs
    about: str | None = None

    @cached_property
    def blocks(self) -> dict[str, Array]:
        """Advantages of each model, as :func:`advantages` returns them."""
        return advantages(self.table)

    def with_reference(self, values: dict[str, Array]) -> dict[str, Array]:
        """Return what models are compared by, such as scores of items, for all in `pairs`."""
        return values

    def differences(self) -> Array:
        """Return the advantage of the first of each pair, shape (pairs, ...).

        It is 0 where the scores are equal but for rounding, such as 0.1 + 0.2 and 0.3.
        """
        differences = np.array([self.blocks[a] - self.blocks[b] for a, b in self.pairs])
        scales = self.scales().reshape(-1, *[1] * (differences.ndim - 1))
        return without_rounding_noise(differences, scales)

    def pairings(self, a: str, b: str) -> Array:
        """Return the advantage of each run of one model over each of another, (runs, runs, ...).

        It is 0 where :meth:`differences` are.
        """
        of_a, of_b = self.blocks[a], self.blocks[b]
        scale = max(np.abs(of_a).max(), np.abs(of_b).max())
        return without_rounding_noise(of_a[:, None] - of_b, scale)

    def scales(self) -> Array:
        """Return the largest absolute score of each pair, to which rounding is proportional."""
        largest = {model: np.abs(block).max() for model, block in self.blocks.items()}
        return np.array([max(largest[a], largest[b]) for a, b in self.pairs])


#: Name of the reference that scores 0; no model has a blank name.
REFERENCE = ""


class QuestionOfMeans(Question):
    """What each model scores: its advantage over a reference that scores 0 everywhere."""

    @classmethod
    def of_table(cls, table: Scores | Predictions, about: str | None) -> Self:
        """Return the question about all models of a table."""
        return cls(table, [(model, REFERENCE) for model in table.models], about)

    @cached_property
    def blocks(self) -> dict[str, Array]:
        """Advantages of each model and of the reference; empty as for `Question`."""
        return self.with_reference(advantages(self.table))

    def with_reference(self, values: dict[str, Array]) -> dict[str, Array]:
        if not values:
            return values
        longest = max(values.values(), key=len)
        return {**values, REFERENCE: np.zeros_like(longest)}


class PairTests(ABC):
    """Tests of several pairs of models by one method.  Arrays have one entry per pair.

    A method is one subclass, listed in :data:`replib._pair_tests.METHODS`.

    Attributes
    ----------
    name : str
        The test, in words.
    estimand : str
        What the estimate is, in words.
    cites : tuple of str
        Keys of the literature on the test.
    on : str
        What it was done on, in words.
    about : str
        Of what it speaks, in a sentence.
    estimate : ndarray
        Advantage of the first of each pair, in the unit of the scores.
    statistic, df, pvalue : ndarray
        Degrees of freedom are NaN where the test has none.
    """

    name: str
    on: str
    about: str
    estimand: str = "difference"
    cites: tuple[str, ...] = ()

    @classmethod
    @abstractmethod
    def suits(cls, question: Question) -> bool:
        """Return whether the method answers the question."""

    @classmethod
    @abstractmethod
    def from_question(cls, question: Question) -> Self:
        """Return the tests of all pairs of the question."""

    @property
    @abstractmethod
    def estimate(self) -> Array:
        """Advantage of the first of each pair."""

    @property
    @abstractmethod
    def statistic(self) -> Array:
        """Statistic of the test."""

    @property
    @abstractmethod
    def df(self) -> Array:
        """Degrees of freedom."""

    @property
    @abstractmethod
    def pvalue(self) -> Array:
        """Two-sided p-value, without correction for the number of pairs."""

    @property
    def ahead(self) -> Array:
        """Positive where the first is better by the test, as the estimate nearly always is."""
        return self.estimate

    @property
    def counts(self) -> dict[str, NDArray[np.int64]]:
        """Units on which only the first ("wins") and only the second ("losses") is better."""
        return {}

    @property
    def overall(self) -> tuple[str, float] | None:
        """A test that all models are equal, in words, and its p-value."""
        return None

    @abstractmethod
    def limits(self, level: float) -> Limits:
        """Return the limits of each estimate at a confidence level."""

    @abstractmethod
    def tails(self, shift: float) -> tuple[Array, Array]:
        """Return one-sided p-values, small if the advantage is above, and if it is below."""

    @property
    def n_differing(self) -> NDArray[np.int64] | None:
        """Units on which the models of each pair differ, if the test is one of their signs.

        Then few of them bound the p-value from below: see :mod:`replib._attainable`.
        """
        return None

    @property
    def smallest_pvalue(self) -> Array:
        """The smallest p-values that units with these differences can give."""
        n_differing = 0 if self.n_differing is None else self.n_differing
        return smallest_pvalue(n_differing)

    @property
    def without_spread(self) -> NDArray[np.bool_]:
        """Whether a difference is constant but not zero, so that nothing shows its error.

        Such a pair has no p-value, no interval and no one-sided p-values: they are NaN.
        """
        return np.zeros(self.pvalue.shape, bool)

    def rerun(self, alpha: float, correction: str) -> Reruns | None:
        """Predict whether a rerun with another seed decides the same; None if nobody can."""
        return None

    def replication(self, alpha: float) -> Prediction | None:
        """Predict whether each pair is significant on new data; None if nobody can."""
        return None

    def __repr__(self) -> str:
        return f"<{self.name} of {self.pvalue.size} pairs of models on {self.on}>"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class MeanTests(PairTests):
    """Tests whose statistic is an estimate divided by its standard error.

    Attributes
    ----------
    result : MeanTestResult
        Of arrays, one entry per pair.
    """

    result: MeanTestResult
    on: str
    about: str

    @property
    def estimate(self) -> Array:
        return np.asarray(self.result.estimate)

    @property
    def statistic(self) -> Array:
        return self._where_spread(self.result.statistic)

    @property
    def df(self) -> Array:
        return np.broadcast_to(np.asarray(self.result.df, float), self.estimate.shape)

    @property
    def pvalue(self) -> Array:
        return self._where_spread(self.result.pvalue)

    @property
    def standard_error(self) -> Array:
        """Standard error of each estimate."""
        return np.asarray(self.result.standard_error)

    @property
    def without_spread(self) -> NDArray[np.bool_]:
        return (self.standard_error == 0) & (self.estimate != 0)

    def _where_spread(self, values: Array) -> Array:
        """Return values of pairs, NaN for a pair without spread."""
        return np.where(self.without_spread, np.nan, values)

    def limits(self, level: float) -> Limits:
        low, high = self.result.confidence_interval(level)
        return Limits(self._where_spread(low), self._where_spread(high))

    def tails(self, shift: float) -> tuple[Array, Array]:
        # of models that never differ nothing can be shown: 1, as for their difference
        no_difference = self.standard_error == 0
        above, below = (
            self._where_spread(np.where(no_difference, 1.0, tail))
            for tail in self.result.tails(shift)
        )
        return above, below
