"""Tests of predictions by a metric that is no mean over items, such as AUC or F1."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from replib import _metrics
from replib._bars import with_bar
from replib._metrics import ExchangeTest
from replib._pair_tests.base import Limits, MeanTests, PairTests, Question
from replib._pair_tests.items import SPEAKS_OF
from replib._pair_tests.variance_tests import ItemTests
from replib._validation import Array
from replib.designs import Items
from replib.scores import Predictions

#: So that one pair of many can still reach 0.05 after Bonferroni's correction with a p-value
#: of which half is the estimate itself: 2 / 0.05.
_EXCHANGES_PER_PAIR = 40


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
        return cls.from_blocks(question, question.with_reference(blocks))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AreaUnderCurveTests(MeanTests):
    """DeLong's tests of areas under ROC curves, or t tests of the placements."""

    name: str

    @classmethod
    def suits(cls, question: Question) -> bool:
        table = question.table
        if not _no_mean_over_items(question):
            return False
        assert isinstance(table, Predictions)  # for mypy
        return _metrics.metric_name(table) == _metrics.AREA

    @classmethod
    def from_question(cls, question: Question) -> Self:
        table = question.table
        assert isinstance(table, Predictions)  # for mypy: see suits
        values = question.with_reference(_metrics.pseudo_values(table))
        name, result = _metrics.placement_tests(
            values, question.pairs, clusters=table.clusters
        )
        return cls(
            name=name,
            result=result,
            on=described_predictions(table),
            about=SPEAKS_OF["items"],
        )

    @property
    def cites(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("delong1988",)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ExchangeTests(PairTests):
    """Tests by exchanging the predictions of two models.

    Attributes
    ----------
    exchanges : sequence of ExchangeTest
        One per pair.
    """

    exchanges: Sequence[ExchangeTest]
    on: str
    about = SPEAKS_OF["items"]

    @classmethod
    def suits(cls, question: Question) -> bool:
        return _no_mean_over_items(question)

    @classmethod
    def from_question(cls, question: Question) -> Self:
        table = question.table
        assert isinstance(table, Predictions)  # for mypy: see suits
        usual = _metrics.usual_exchanges(table)
        # the smallest p-value, 1 / (exchanges + 1), must be small after the correction
        n_exchanges = max(usual, _EXCHANGES_PER_PAIR * len(question.pairs))
        # where less is better, the advantage of the first is the second's metric less its own
        order = slice(None, None, table.metric.sign)
        exchanges = [
            _metrics.exchange_test(table, *pair[order], resamples=n_exchanges)
            for pair in question.pairs
        ]
        return cls(exchanges=exchanges, on=described_predictions(table))

    @cached_property
    def n_differing(self) -> NDArray[np.int64]:
        return np.array([test.n_differing for test in self.exchanges])

    @cached_property
    def smallest_pvalue(self) -> Array:
        return np.array([test.smallest_pvalue for test in self.exchanges])

    @cached_property
    def name(self) -> str:  # type: ignore[override]
        return _metrics.name_of_exchanges(self.exchanges)

    @cached_property
    def estimate(self) -> Array:
        return np.array([test.estimate for test in with_bar(self.exchanges, "pair")])

    @property
    def statistic(self) -> Array:
        return self.estimate

    @property
    def df(self) -> Array:
        return np.full(len(self.exchanges), np.nan)

    @cached_property
    def pvalue(self) -> Array:
        return np.array([test.pvalue for test in with_bar(self.exchanges, "pair")])

    def limits(self, level: float) -> Limits:
        tests = with_bar(self.exchanges, "pair")
        intervals = [test.confidence_interval(level) for test in tests]
        return Limits(*np.array(intervals).T)

    def tails(self, shift: float) -> tuple[Array, Array]:
        above, below = np.array([test.tails(shift) for test in self.exchanges]).T
        return above, below


def described_predictions(table: Predictions) -> str:
    """Say how many items there are, and in how many clusters."""
    if table.clusters is None:
        return f"{len(table.truth)} items, taken to be independent"
    return f"{len(table.truth)} items, in {table.clusters.max() + 1} clusters"
