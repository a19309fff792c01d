"""What each model scores alone: its mean with an interval, by the design.

A model's mean is its advantage over a reference that scores 0 everywhere, so that most
intervals are those of the tests of pairs: see :class:`QuestionOfMeans`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from replib import _metrics
from replib._bars import with_bar
from replib._metrics import Bootstrapped
from replib._pair_tests.base import (
    REFERENCE,
    Limits,
    MeanTests,
    PairTests,
    Question,
    QuestionOfMeans,
    advantages,
)
from replib._pair_tests.items import (
    TASKS,
    CrossValidationZ,
    McNemarTests,
    described_items,
    right_or_wrong,
)
from replib._pair_tests.of_metrics import (
    AreaUnderCurveTests,
    ExchangeTests,
    PseudoValueTests,
    described_predictions,
)
from replib._pair_tests.splits import CorrectedResampledT
from replib._pair_tests.tasks import means_of_tasks
from replib._pair_tests.variance_tests import ItemTests, SeedTests, VarianceTests
from replib._validation import Array
from replib.designs import Datasets, Items
from replib.intervals import clopper_pearson
from replib.scores import Predictions, Scores
from replib.significance import MeanTestResult
from replib.significance.means import corrected_t

#: The log odds of an area of 0 are not finite; this one is as far from any that is seen.
_SMALLEST_AREA = 1e-12

_Tests = TypeVar("_Tests", bound=VarianceTests)


def _interval(name: str) -> str:
    """Name the interval that belongs to a test."""
    return (
        name.replace("Welch's t", "t")
        .replace("paired t", "t")
        .replace(" test", " interval")
    )


def _scope(about: str) -> str:
    """Say of intervals what is said of a test."""
    return about.replace("The test is", "The intervals are")


def _as_intervals(tests: _Tests) -> _Tests:
    """Return tests against the reference in the words of their intervals."""
    return replace(tests, name=_interval(tests.name), about=_scope(tests.about))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SplitMeans(CorrectedResampledT):
    """Intervals of the corrected resampled t test (Nadeau and Bengio 2003)."""

    name = "corrected resampled t interval"

    @classmethod
    def from_question(cls, question: Question) -> Self:
        tests = super().from_question(question)
        about = (
            "The intervals are about the mean score of models that are trained on new "
            "data of this size; how often they hold it has not been examined here."
        )
        return replace(tests, about=about)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SeedMeans(SeedTests):
    """Student's t intervals of one number for each seed."""

    @classmethod
    def from_question(cls, question: Question) -> Self:
        return _as_intervals(super().from_question(question))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class MeansOfUnits(MeanTests):
    """Student's t intervals of a number for each data set, or for each task."""

    name: str

    @classmethod
    def suits(cls, question: Question) -> bool:
        return isinstance(question.table.design, Datasets) or question.about == TASKS

    @classmethod
    def from_question(cls, question: Question) -> Self:
        blocks = question.blocks
        unit = "data set"
        if question.about == TASKS:
            blocks = means_of_tasks(question)
            unit = "task"
        values = np.array([blocks[model] for model, _ in question.pairs])
        n = values.shape[1]
        return cls(
            name=f"t interval over {unit}s",
            result=_t_of_units(values),
            on=f"{n} {unit}s" if n > 1 else f"one {unit}",
            about=f"The intervals are about the mean over other {unit}s of the same kind.",
        )


def _t_of_units(values: Array) -> MeanTestResult:
    """Return Student's t of values (..., units); of a single one nothing shows the spread."""
    if values.shape[-1] > 1:
        return corrected_t(values)
    unknown = np.full(len(values), np.nan)
    return MeanTestResult(
        statistic=unknown,
        pvalue=unknown,
        alternative="two-sided",
        estimate=values[:, 0],
        n=1,
        standard_error=unknown,
        df=0,
    )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class FoldMeans(CrossValidationZ):
    """Intervals of one cross-validation by its central limit theorem."""

    name = "z interval of one cross-validation"

    @classmethod
    def from_question(cls, question: Question) -> Self:
        tests = super().from_question(question)
        return replace(tests, about=_scope(tests.about))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Proportions(PairTests):
    """Exact intervals of one run of independent items, each right or wrong.

    Attributes
    ----------
    right : ndarray of int, shape (models,)
    n_items : int
    wrong_score, unit : float
        Advantage of a wrong item, and that of a right one less it.
    """

    right: NDArray[np.int64]
    n_items: int
    wrong_score: float
    unit: float
    on: str
    about: str
    name = "exact interval of Clopper and Pearson"

    @classmethod
    def suits(cls, question: Question) -> bool:
        return McNemarTests.suits(question)

    @classmethod
    def from_question(cls, question: Question) -> Self:
        answers = right_or_wrong(question)
        assert answers is not None  # for mypy: see suits
        n_right = [
            np.count_nonzero(question.blocks[model] == answers.right)
            for model, _ in question.pairs
        ]
        return cls(
            right=np.array(n_right),
            n_items=question.blocks[REFERENCE].shape[-1],
            wrong_score=answers.wrong,
            unit=answers.right - answers.wrong,
            on=described_items(question, question.blocks),
            about=_scope(McNemarTests.about),
        )

    @property
    def estimate(self) -> Array:
        return self._score(self.right / self.n_items)

    def _score(self, share: Array) -> Array:
        """Return the mean score of a share of right items."""
        return np.asarray(self.wrong_score + self.unit * share)

    @property
    def statistic(self) -> Array:
        return self.right.astype(float)

    @property
    def df(self) -> Array:
        return np.full(self.right.shape, np.nan)

    @property
    def pvalue(self) -> Array:
        above, below = self.tails(0.0)
        return np.minimum(1.0, 2 * np.minimum(above, below))

    def limits(self, level: float) -> Limits:
        low, high = clopper_pearson(self.right, self.n_items, confidence_level=level)
        return Limits(self._score(np.asarray(low)), self._score(np.asarray(high)))

    def tails(self, shift: float) -> tuple[Array, Array]:
        share = float(np.clip((shift - self.wrong_score) / self.unit, 0, 1))
        at_least = special.bdtrc(self.right - 1.0, self.n_items, share)
        # none right or more is certain
        above = np.where(self.right == 0, 1.0, at_least)
        below = special.bdtr(self.right.astype(float), self.n_items, share)
        return above, below


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ItemMeans(ItemTests):
    """Student's t intervals of items, in one run or several, in clusters or tasks."""

    @classmethod
    def from_question(cls, question: Question) -> Self:
        return _as_intervals(super().from_question(question))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PseudoValueMeans(PseudoValueTests):
    """Student's t intervals of the pseudo-values of a metric, over seeds and items."""

    @classmethod
    def from_question(cls, question: Question) -> Self:
        return _as_intervals(super().from_question(question))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AreaMeans(AreaUnderCurveTests):
    """Intervals of areas under ROC curves by DeLong's variance, on the scale of log odds.

    On the scale of the area they are too short near 1: with 60 items and a true area of
    0.95, 95% intervals cover in 88%.
    """

    @classmethod
    def from_question(cls, question: Question) -> Self:
        tests = super().from_question(question)
        name = f"{_interval(tests.name)} by log odds"
        return replace(tests, name=name, about=_scope(tests.about))

    @property
    def _log_odds(self) -> MeanTestResult:
        """The areas as log odds, with the standard error of the delta method."""
        area = self.estimate
        width = area * (1 - area)
        has_spread = width > 0
        error = self.standard_error / np.where(has_spread, width, 1.0)
        return replace(
            self.result,
            estimate=special.logit(area),
            standard_error=np.where(has_spread, error, np.nan),
        )

    def limits(self, level: float) -> Limits:
        low, high = self._log_odds.confidence_interval(level)
        return Limits(special.expit(low), special.expit(high))

    def tails(self, shift: float) -> tuple[Array, Array]:
        inside = float(np.clip(shift, _SMALLEST_AREA, 1 - _SMALLEST_AREA))
        above, below = self._log_odds.tails(float(special.logit(inside)))
        return above, below


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class BootstrapMeans(PairTests):
    """BCa bootstrap intervals of a metric that is no mean over items.

    Attributes
    ----------
    metrics : sequence of Bootstrapped
        One per model.
    sign : int
        1 if more of the metric is better, else -1.
    """

    metrics: Sequence[Bootstrapped]
    sign: int
    on: str
    about: str

    @classmethod
    def suits(cls, question: Question) -> bool:
        return ExchangeTests.suits(question)

    @classmethod
    def from_question(cls, question: Question) -> Self:
        table = question.table
        assert isinstance(table, Predictions)  # for mypy: see suits
        return cls(
            metrics=[
                _metrics.bootstrapped(table, model) for model, _ in question.pairs
            ],
            sign=table.metric.sign,
            on=described_predictions(table),
            about=_scope(ExchangeTests.about),
        )

    @property
    def name(self) -> str:  # type: ignore[override]
        return f"BCa interval of {self.metrics[0].n_exchanges} bootstrap samples"

    @cached_property
    def estimate(self) -> Array:
        return self.sign * np.array([metric.estimate for metric in self.metrics])

    @property
    def statistic(self) -> Array:
        return self.estimate

    @property
    def df(self) -> Array:
        return np.full(len(self.metrics), np.nan)

    @property
    def pvalue(self) -> Array:
        above, below = self.tails(0.0)
        return np.minimum(1.0, 2 * np.minimum(above, below))

    def limits(self, level: float) -> Limits:
        metrics = with_bar(self.metrics, "model")
        intervals = [metric.confidence_interval(level) for metric in metrics]
        ends = np.sort(self.sign * np.array(intervals), axis=1)
        return Limits(*ends.T)

    def tails(self, shift: float) -> tuple[Array, Array]:
        tails = [metric.tails(self.sign * shift) for metric in self.metrics]
        above, below = np.array(tails)[:, :: self.sign].T
        return above, below


#: The first that suits a question answers it.
METHODS_OF_MEANS: tuple[type[PairTests], ...] = (
    SplitMeans,
    SeedMeans,
    MeansOfUnits,
    FoldMeans,
    Proportions,
    ItemMeans,
    PseudoValueMeans,
    AreaMeans,
    BootstrapMeans,
)


def model_means(question: QuestionOfMeans) -> PairTests:
    """Return what each model scores, as an advantage over a reference that scores 0."""
    method = next(method for method in METHODS_OF_MEANS if method.suits(question))
    return method.from_question(question)


def mean_scores(table: Scores | Predictions) -> dict[str, float]:
    """Return the mean score, or value of the metric, of each model of a table."""
    if table.strata is not None:
        return {
            model: table.metric.sign * float(table.strata.mean(block.mean(axis=0)))
            for model, block in advantages(table).items()
        }
    if isinstance(table, Predictions):
        return _metrics.values(table)
    return {model: float(table.blocks[model].mean()) for model in table.models}


def mean_over_tasks(table: Scores | Predictions) -> str:
    """Name the mean of a suite; nothing for other scores."""
    design = table.design
    strata = table.strata
    if strata is None or len(strata.tasks) < 2 or not isinstance(design, Items):
        return ""
    tasks = f"{len(strata.tasks)} tasks"
    over = tasks if design.mean == "tasks" else f"all items of {tasks}"
    return f"mean {str(table.metric).removeprefix('mean ')} over {over}"


def means_with_limits(
    table: Scores | Predictions, tests: PairTests, alpha: float
) -> pd.DataFrame:
    """Return mean and limits of each model, in the order of the table.

    Parameters
    ----------
    table : Scores or Predictions
    tests : PairTests
        What :func:`model_means` returned.
    alpha : float
        One minus the confidence level of each interval.
    """
    metric = table.metric
    limits = metric.sign * np.array(tests.limits(1 - alpha))
    low, high = np.clip(np.sort(limits, axis=0), metric.low, metric.high)
    means = pd.Series(mean_scores(table))
    table_of_means = pd.DataFrame({"mean": means, "low": low, "high": high})
    return table_of_means.rename_axis("model")
