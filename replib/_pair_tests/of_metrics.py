"""Tests of predictions by a metric that is no mean over items, such as AUC or F1."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from replib import _metrics
from replib._metrics import MetricTest
from replib._pair_tests.base import Limits, PairTests, Question
from replib._pair_tests.items import SPEAKS_OF
from replib._pair_tests.variance_tests import ItemTests
from replib._validation import Array
from replib.designs import Items
from replib.scores import Predictions


def _no_mean_over_items(question: Question) -> bool:
    return isinstance(question.table, Predictions) and not question.blocks


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PseudoValueTests(ItemTests):
    """T tests of the pseudo-values of a metric, for questions about new trainings."""

    @classmethod
    def suits(cls, question: Question) -> bool:
        if not _no_mean_over_items(question) or question.about == "models":
            return False
        design = question.table.design
        assert isinstance(question.table, Predictions)  # for mypy
        assert isinstance(design, Items)
        n_runs = max(len(block) for block in question.table.predicted.values())
        return n_runs > 1 and design.runs == "trainings"

    @classmethod
    def from_question(cls, question: Question) -> Self:
        assert isinstance(question.table, Predictions)  # for mypy: see suits
        sign = question.table.metric.sign
        values = _metrics.pseudo_values(question.table)
        blocks = {model: sign * block for model, block in values.items()}
        return cls.from_blocks(question, blocks)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class MetricTests(PairTests):
    """DeLong's tests of areas under ROC curves, or tests by exchanging predictions.

    Attributes
    ----------
    results : sequence of MetricTest
        One per pair.
    """

    results: Sequence[MetricTest]
    on: str
    about = SPEAKS_OF["items"]

    @classmethod
    def suits(cls, question: Question) -> bool:
        return _no_mean_over_items(question)

    @classmethod
    def from_question(cls, question: Question) -> Self:
        table = question.table
        assert isinstance(table, Predictions)  # for mypy: see suits
        # where less is better, the advantage of the first is the second's metric less its own
        order = slice(None, None, table.metric.sign)
        tests = [_metrics.metric_test(table, *pair[order]) for pair in question.pairs]
        text = f"{len(table.truth)} items, taken to be independent"
        if table.clusters is not None:
            text = f"{len(table.truth)} items, in {table.clusters.max() + 1} clusters"
        return cls(results=tests, on=text)

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.results[0].name

    @property
    def cites(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("delong1988",) if self.name == "DeLong's test" else ()

    @property
    def estimate(self) -> Array:
        return np.array([test.estimate for test in self.results])

    @property
    def without_spread(self) -> NDArray[np.bool_]:
        return np.array([np.isinf(test.statistic) for test in self.results])

    def _where_spread(self, values: Array) -> Array:
        """Return values of pairs, NaN for a pair without spread."""
        return np.where(self.without_spread, np.nan, values)

    @property
    def statistic(self) -> Array:
        return self._where_spread(np.array([test.statistic for test in self.results]))

    @property
    def df(self) -> Array:
        return np.array([test.df for test in self.results], float)

    @property
    def pvalue(self) -> Array:
        return self._where_spread(np.array([test.pvalue for test in self.results]))

    def limits(self, level: float) -> Limits:
        intervals = [test.confidence_interval(level) for test in self.results]
        low, high = np.array(intervals).T
        return Limits(self._where_spread(low), self._where_spread(high))

    def tails(self, shift: float) -> tuple[Array, Array]:
        above, below = np.array([test.tails(shift) for test in self.results]).T
        return self._where_spread(above), self._where_spread(below)
