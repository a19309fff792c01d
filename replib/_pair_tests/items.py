"""Tests of one run on items: right or wrong, and predicted by the model of its fold."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy import special

from replib import significance
from replib._pair_tests.base import Limits, MeanTests, PairTests, Question
from replib._validation import Array
from replib.designs import Items
from replib.intervals import Prediction
from replib.replication_probability import binomial

#: What may be asked of items in several runs, and the question of :mod:`replib.variance`.
ABOUT = {"models": "items", "training": "seeds", "both": "both"}

#: Of what a test speaks, by the question of :mod:`replib.variance`.
SPEAKS_OF = {
    "both": "The test is about training with a new seed, and about new items.",
    "items": "The test is about these trained models on new items, "
    "not about training them again.",
    "seeds": "The test is about training with a new seed on these very items, "
    "not about new items.",
}


def described_items(question: Question, blocks: dict[str, Array]) -> str:
    """Say how many items there are, in how many clusters and runs."""
    design, clusters = question.table.design, question.table.clusters
    assert isinstance(design, Items)  # for mypy: only items are described so
    n_items = next(iter(blocks.values())).shape[-1]
    n_runs = sorted({len(block) for block in blocks.values()})
    text = f"{n_items} items, taken to be independent"
    if clusters is not None:
        text = f"{n_items} items, in {clusters.max() + 1} clusters"
    if n_runs[-1] == 1:
        return text
    number = f"{n_runs[0]}" if len(n_runs) == 1 else f"{n_runs[0]} to {n_runs[-1]}"
    return f"{text}, in {number} {design.runs} of each model"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class McNemarTests(PairTests):
    """McNemar's exact tests: one run of independent items, each right or wrong.

    Attributes
    ----------
    wins, losses : ndarray of int, shape (pairs,)
        Items that only the first, and only the second, has right.
    n_items : int
    """

    wins: NDArray[np.int64]
    losses: NDArray[np.int64]
    n_items: int
    on: str
    name = "McNemar's exact test"
    about = SPEAKS_OF["items"]
    cites = ("mcnemar1947", "agresti_min2005", "tango1998")

    @classmethod
    def suits(cls, question: Question) -> bool:
        if not isinstance(question.table.design, Items) or not question.blocks:
            return False
        blocks = question.blocks.values()
        single_run = max(len(block) for block in blocks) == 1
        independent = question.table.clusters is None
        return single_run and independent and _right_or_wrong(question.blocks)

    @classmethod
    def from_question(cls, question: Question) -> Self:
        blocks = question.blocks
        wins = [int((blocks[a] > blocks[b]).sum()) for a, b in question.pairs]
        losses = [int((blocks[a] < blocks[b]).sum()) for a, b in question.pairs]
        return cls(
            wins=np.array(wins),
            losses=np.array(losses),
            n_items=next(iter(blocks.values())).size,
            on=described_items(question, blocks),
        )

    @property
    def estimate(self) -> Array:
        return (self.wins - self.losses) / self.n_items

    @property
    def statistic(self) -> Array:
        return np.asarray(significance.mcnemar(self.wins, self.losses).statistic, float)

    @property
    def df(self) -> Array:
        return np.full(self.wins.shape, np.nan)

    @property
    def pvalue(self) -> Array:
        return np.asarray(significance.mcnemar(self.wins, self.losses).pvalue)

    @property
    def counts(self) -> dict[str, NDArray[np.int64]]:
        return {"wins": self.wins, "losses": self.losses}

    def limits(self, level: float) -> Limits:
        """Agresti and Min (2005): Wald's interval with half an item added to each count."""
        n = self.n_items + 2
        middle = (self.wins - self.losses) / n
        error = np.sqrt((self.wins + self.losses + 1) / n - middle**2) / np.sqrt(n)
        reach = special.ndtri((1 + level) / 2) * error
        return Limits(np.maximum(middle - reach, -1), np.minimum(middle + reach, 1))

    def tails(self, shift: float) -> tuple[Array, Array]:
        above, below = significance.tango(
            self.wins, self.losses, self.n_items, shift=shift
        )
        return above, below

    def replication(self, alpha: float) -> Prediction | None:
        n_differing = self.wins + self.losses
        if not n_differing.all():
            return None
        return binomial(np.maximum(self.wins, self.losses), n_differing, alpha=alpha)


def _right_or_wrong(blocks: dict[str, Array]) -> bool:
    """Return whether all scores are 0 or 1, or all 0 or -1, where less is better."""
    return any(
        all(np.isin(block, (0, right)).all() for block in blocks.values())
        for right in (1, -1)
    )


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
            result=significance.cv_clt(differences),
            on=f"{n_items} items, each predicted by its own fold",
            about="The test is about the models that were trained for the folds, not about "
            "training again; for learners that change much with their training data it is "
            "not examined.",
        )
