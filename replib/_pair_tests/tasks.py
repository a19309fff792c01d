"""The test of a suite that speaks of other tasks."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from replib._pair_tests.base import Question
from replib._pair_tests.datasets import SignedRankTests
from replib._pair_tests.items import TASKS
from replib._validation import Array


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class TaskRankTests(SignedRankTests):
    """Exact signed-rank tests of the means of tasks, which are taken for data sets."""

    about = "The test is about other tasks of the same kind."

    @classmethod
    def suits(cls, question: Question) -> bool:
        return question.about == TASKS

    @classmethod
    def from_question(cls, question: Question) -> Self:
        means = means_of_tasks(question)
        return cls(
            differences=np.array([means[a] - means[b] for a, b in question.pairs]),
            scores=np.array(list(means.values())),
        )

    @property
    def on(self) -> str:  # type: ignore[override]
        return f"the means of {self.differences.shape[1]} tasks"


def means_of_tasks(question: Question) -> dict[str, Array]:
    """Return the mean score of each model on each task, shape (tasks,)."""
    strata = question.table.strata
    assert strata is not None  # for mypy: there are tasks to ask about
    return {
        model: strata.task_means(block.mean(axis=0))
        for model, block in question.blocks.items()
    }
