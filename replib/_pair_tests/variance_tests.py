"""Tests of seeds and of items in runs, with the variance of :mod:`replib.variance`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from replib import variance
from replib._pair_tests.base import MeanTests, Question, Reruns
from replib._pair_tests.items import (
    ABOUT,
    described_items,
    number_of_runs,
    speaks_of,
)
from replib._squares import single_pairs, squares_of_pairs, stacked_tests
from replib._validation import Array
from replib.designs import Items, Seeds
from replib.intervals import Prediction
from replib.rerun import Rerun
from replib.variance import MeanSquares

_PAIRED_T = "paired t test"
_WELCHS_T = "Welch's t test"
#: The row of the three decisions in :func:`replib.variance.recurrence`.
_ROW = {1: 0, -1: 1, 0: 2}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class VarianceTests(MeanTests):
    """Student's t with the variance that the question asks for.

    Attributes
    ----------
    squares : sequence of MeanSquares
        In parts of consecutive pairs: see :func:`replib._squares.squares_of_pairs`.
    generalize : {"both", "items", "seeds"}
        What is drawn again: see :mod:`replib.variance`.
    name : str
    """

    squares: Sequence[MeanSquares]
    generalize: str
    name: str
    has_items: ClassVar[bool]

    def rerun(self, alpha: float, correction: str) -> Reruns | None:
        squares = self.squares[0]
        single_pair = self.pvalue.size == 1
        if not single_pair or min(squares.runs) < 2 or not squares.seed.any():
            return None
        significant = self.pvalue[0] < alpha
        decision = int(np.sign(self.estimate[0])) if significant else 0
        recurrences = self._recurrences(alpha, new_items=False)
        point, low, high = recurrences[:, _ROW[decision]]
        shares = recurrences[0, [_ROW[1], _ROW[0], _ROW[-1]]]
        prediction = Rerun(point, low, high, np.array([decision]), shares)
        return Reruns(prediction, prediction)

    def replication(self, alpha: float) -> Prediction | None:
        if not self.has_items:
            return None
        same_sign = [_ROW[-1] if x < 0 else _ROW[1] for x in self.estimate]
        predictions = self._recurrences(alpha, new_items=True)
        return Prediction(*predictions[:, same_sign, np.arange(len(same_sign))])

    def _recurrences(self, alpha: float, *, new_items: bool) -> Array:
        """Return point, low and high of the three decisions, shape (3, 3, pairs)."""
        predictions = [
            variance.recurrence(
                pair, generalize=self.generalize, new_items=new_items, alpha=alpha
            )
            for pair in single_pairs(self.squares)
        ]
        return np.stack([[p.point, p.low, p.high] for p in predictions], axis=-1)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SeedTests(VarianceTests):
    """Welch's t tests, or paired t tests, of one number for each seed."""

    has_items = False

    @classmethod
    def suits(cls, question: Question) -> bool:
        return isinstance(question.table.design, Seeds)

    @classmethod
    def from_question(cls, question: Question) -> Self:
        design = question.table.design
        assert isinstance(design, Seeds)  # for mypy: see suits
        blocks = {model: block[:, None] for model, block in question.blocks.items()}
        squares = squares_of_pairs(blocks, question.pairs, paired_runs=design.paired)
        n_seeds = number_of_runs(question.blocks)
        kind = "paired seeds" if design.paired else "seeds"
        return cls(
            result=stacked_tests(squares, "seeds"),
            squares=squares,
            generalize="seeds",
            name=_PAIRED_T if design.paired else _WELCHS_T,
            on=f"{n_seeds} {kind} of each model on one test set",
            about="The test is about training with a new seed on this test set, "
            "not about new test items.",
        )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ItemTests(VarianceTests):
    """T tests of scores on items, in one run or several, alone or in clusters."""

    has_items = True

    @classmethod
    def suits(cls, question: Question) -> bool:
        return isinstance(question.table.design, Items) and bool(question.blocks)

    @classmethod
    def from_question(cls, question: Question) -> Self:
        return cls.from_blocks(question, question.blocks)

    @classmethod
    def from_blocks(cls, question: Question, blocks: dict[str, Array]) -> Self:
        """Return the tests for scores of items, or for pseudo-values of a metric."""
        design = question.table.design
        clusters = question.table.clusters
        assert isinstance(design, Items)  # for mypy: see suits
        squares = squares_of_pairs(
            blocks,
            question.pairs,
            groups=clusters,
            strata=question.table.strata,
            paired_runs=design.paired,
        )
        n_runs = min(len(block) for block in blocks.values())
        default = "both" if n_runs > 1 and design.runs == "trainings" else "models"
        generalize = ABOUT[question.about or default]
        test_of_runs = _PAIRED_T if design.paired else _WELCHS_T
        names = {
            "both": "t test over seeds and items",
            "items": _test_of_items(question),
            "seeds": f"{test_of_runs} of runs",
        }
        return cls(
            result=stacked_tests(squares, generalize),
            squares=squares,
            generalize=generalize,
            name=names[generalize],
            on=described_items(question, blocks),
            about=speaks_of(question, generalize),
        )

    @property
    def cites(self) -> tuple[str, ...]:  # type: ignore[override]
        if self.generalize == "both":
            return ("brennan2001", "miller2024")
        is_plain = self.name == _PAIRED_T
        return () if self.generalize == "seeds" or is_plain else ("miller2024",)


def _test_of_items(question: Question) -> str:
    """Name the test of trained models."""
    is_stratified = question.table.strata is not None
    if question.table.clusters is None:
        return "stratified t test" if is_stratified else _PAIRED_T
    kind = "stratified t test" if is_stratified else "t test"
    return f"{kind} over clusters"
