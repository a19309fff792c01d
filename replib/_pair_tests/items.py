"""Tests of one run on items: right or wrong, and predicted by the model of its fold."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy import special

from replib._pair_tests.base import Limits, MeanTests, PairTests, Question
from replib._squares import squares_of_pairs
from replib._validation import Array
from replib.designs import Items
from replib.intervals import Prediction
from replib.replication_probability import binomial
from replib.scores import Metric
from replib.significance.counts import exact_mcnemar
from replib.significance.equivalence import tango_tails
from replib.significance.means import clt_z

#: What may be asked of items in several runs, and the question of :mod:`replib.variance`.
ABOUT = {"models": "items", "training": "seeds", "both": "both"}
#: What may be asked of a suite besides.
TASKS = "tasks"

#: Of what a test speaks, by the question of :mod:`replib.variance`.
SPEAKS_OF = {
    "both": "The test is about training with a new seed, and about new items.",
    "items": "The test is about these trained models on new items, "
    "not about training them again.",
    "seeds": "The test is about training with a new seed on these very items, "
    "not about new items.",
}


#: What new items are called, if there are no tasks.
_NEW_ITEMS = "new items"


def speaks_of(question: Question, generalize: str) -> str:
    """Say of what a test of items speaks: new items are of the same tasks."""
    strata = question.table.strata
    if strata is None:
        return SPEAKS_OF[generalize]
    n = len(strata.tasks)
    tasks = f"these {n} tasks" if n > 1 else "this task"
    each = "each" if n > 1 else "each part of it"
    models = {"items": "these trained models", "both": "training with a new seed"}
    if generalize == "seeds":
        return SPEAKS_OF["seeds"].replace(_NEW_ITEMS, "new items or other tasks")
    return (
        f"The test is about {models[generalize]} on {tasks}, with new items of {each}, "
        "not about other tasks."
    )


def described_items(question: Question, blocks: dict[str, Array]) -> str:
    """Say how many items there are, of how many tasks, in how many clusters and runs."""
    design = question.table.design
    clusters = question.table.clusters
    assert isinstance(design, Items)  # for mypy: only items are described so
    n_items = next(iter(blocks.values())).shape[-1]
    items = f"{n_items} items"
    strata = question.table.strata
    if strata is not None and len(strata.tasks) > 1:
        items += f" of {len(strata.tasks)} tasks"
    text = f"{items}, taken to be independent"
    if clusters is not None:
        text = f"{items}, in {clusters.max() + 1} clusters"
    if max(map(len, blocks.values())) == 1:
        return text
    return f"{text}, in {number_of_runs(blocks)} {design.runs} of each model"


def number_of_runs(blocks: dict[str, Array]) -> str:
    """Write how many runs models have, such as "5", or "3 to 5"."""
    numbers = sorted({len(block) for block in blocks.values()})
    if len(numbers) == 1:
        return f"{numbers[0]}"
    return f"{numbers[0]} to {numbers[-1]}"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class McNemarTests(PairTests):
    """McNemar's exact tests: one run of independent items, each right or wrong.

    Attributes
    ----------
    wins, losses : ndarray of int, shape (pairs,)
        Items that only the first, and only the second, has right.
    n_items : int
    unit : float
        Score of an item that is right less that of one that is wrong: 1, or 100 for
        percent.
    """

    wins: NDArray[np.int64]
    losses: NDArray[np.int64]
    n_items: int
    unit: float
    on: str
    name = "McNemar's exact test"
    about = SPEAKS_OF["items"]
    cites = ("mcnemar1947", "agresti_min2005", "tango1998")

    @classmethod
    def suits(cls, question: Question) -> bool:
        return question.table.strata is None and _has_single_answers(question)

    @classmethod
    def from_question(cls, question: Question) -> Self:
        return cls(**cls._counted(question))

    @classmethod
    def _counted(cls, question: Question) -> dict[str, Any]:
        """Return the counts of each pair, and what they are of."""
        answers = right_or_wrong(question)
        assert answers is not None  # for mypy: see suits
        models = list(question.blocks)
        is_right = np.array([question.blocks[m][0] == answers.right for m in models])
        right = is_right.astype(float)
        both = right @ right.T
        # how often the model of the row is right and that of the column is wrong
        only_row = both.diagonal()[:, np.newaxis] - both
        a, b = np.array([[models.index(m) for m in pair] for pair in question.pairs]).T
        return dict(
            wins=only_row[a, b].astype(int),
            losses=only_row[b, a].astype(int),
            n_items=is_right.shape[1],
            unit=answers.right - answers.wrong,
            on=described_items(question, question.blocks),
        )

    @property
    def estimate(self) -> Array:
        return self.unit * (self.wins - self.losses) / self.n_items

    @property
    def statistic(self) -> Array:
        return np.asarray(exact_mcnemar(self.wins, self.losses).statistic, float)

    @property
    def df(self) -> Array:
        return np.full(self.wins.shape, np.nan)

    @property
    def pvalue(self) -> Array:
        return np.asarray(exact_mcnemar(self.wins, self.losses).pvalue)

    @property
    def counts(self) -> dict[str, NDArray[np.int64]]:
        return {"wins": self.wins, "losses": self.losses}

    @property
    def n_differing(self) -> NDArray[np.int64]:
        return self.wins + self.losses

    def limits(self, level: float) -> Limits:
        """Agresti and Min (2005): Wald's interval with half an item added to each count."""
        n = self.n_items + 2
        middle = (self.wins - self.losses) / n
        error = np.sqrt((self.wins + self.losses + 1) / n - middle**2) / np.sqrt(n)
        reach = special.ndtri((1 + level) / 2) * error
        low = np.maximum(middle - reach, -1)
        high = np.minimum(middle + reach, 1)
        return Limits(self.unit * low, self.unit * high)

    def tails(self, shift: float) -> tuple[Array, Array]:
        share = float(np.clip(shift / self.unit, -1, 1))
        above, below = tango_tails(self.wins, self.losses, self.n_items, shift=share)
        return above, below

    def replication(self, alpha: float) -> Prediction | None:
        n_differing = self.wins + self.losses
        if not n_differing.all():
            return None
        return binomial(np.maximum(self.wins, self.losses), n_differing, alpha=alpha)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PooledMcNemarTests(McNemarTests):
    """McNemar's exact tests of all items of several tasks: of their mean over items.

    A test that is exact if the models do not differ on any task, and rejects less often
    if they differ on tasks whose differences cancel.  Its interval is stratified.

    Attributes
    ----------
    within : ndarray, shape (pairs,)
        Sum over strata of the number of items times the variance of an item's
        difference, in squared shares.
    about : str
    """

    within: Array
    about: str

    @classmethod
    def suits(cls, question: Question) -> bool:
        design = question.table.design
        if not isinstance(design, Items) or question.table.strata is None:
            return False
        return design.mean == "items" and _has_single_answers(question)

    @classmethod
    def from_question(cls, question: Question) -> Self:
        counted = cls._counted(question)
        strata = question.table.strata
        assert strata is not None  # for mypy: see suits
        squares = squares_of_pairs(question.blocks, question.pairs, strata=strata)
        variance = np.concatenate([part.item for part in squares])
        within = variance * (counted["n_items"] / counted["unit"]) ** 2
        about = f"{speaks_of(question, 'items')} It tests the mean over all items only."
        return cls(**counted, within=within, about=about)

    def limits(self, level: float) -> Limits:
        """The interval of Agresti and Min with the variance within strata.

        With a single stratum the two differ by a factor of (items - 1) / items in the
        variance.
        """
        n = self.n_items + 2
        middle = (self.wins - self.losses) / n
        reach = special.ndtri((1 + level) / 2) * np.sqrt(self.within + 1) / n
        low = np.maximum(middle - reach, -1)
        high = np.minimum(middle + reach, 1)
        return Limits(self.unit * low, self.unit * high)


def _has_single_answers(question: Question) -> bool:
    """Return whether there is one run of independent items, each right or wrong."""
    if not isinstance(question.table.design, Items) or not question.blocks:
        return False
    single_run = max(len(block) for block in question.blocks.values()) == 1
    independent = question.table.clusters is None
    return single_run and independent and right_or_wrong(question) is not None


class Answers(NamedTuple):
    """The advantages that mean a wrong and a right item."""

    wrong: float
    right: float


def right_or_wrong(question: Question) -> Answers | None:
    """Return what the scores of wrong and right items are; None if there are others."""
    return answers_among(list(question.blocks.values()), question.table.metric)


def answers_among(advantages: Sequence[Array], metric: Metric) -> Answers | None:
    """Return the two advantages that items have which are right or wrong; None if others.

    They are the ends of the metric's range, such as 0 and 100 for percent, or 0 and 1; for
    a metric without a range also 0 and any number of points, such as a third.
    """
    ends = [(metric.low, metric.high), (0.0, 1.0)]
    if not np.isfinite(metric.high - metric.low):
        points = max(float(np.abs(block).max()) for block in advantages)
        ends += [(0.0, points), (-points, 0.0)]
    for low, high in ends:
        wrong, right = sorted((metric.sign * low, metric.sign * high))
        if all(((block == wrong) | (block == right)).all() for block in advantages):
            return Answers(wrong, right)
    return None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CrossValidationZ(MeanTests):
    """Tests of one cross-validation by its central limit theorem (Bayle et al. 2020)."""

    name = "z test of one cross-validation"
    cites = ("bayle2020",)

    @classmethod
    def suits(cls, question: Question) -> bool:
        design = question.table.design
        by_fold = isinstance(design, Items) and design.predicted == "by_fold"
        return by_fold and bool(question.blocks)

    @classmethod
    def from_question(cls, question: Question) -> Self:
        differences = question.differences()[:, 0]
        n_items = differences.shape[-1]
        return cls(
            result=clt_z(differences, scale=question.scales()),
            on=f"{n_items} items, each predicted by its own fold",
            about="The test is about the models that were trained for the folds, not about "
            "training again; for learners that change much with their training data it is "
            "not examined.",
        )
