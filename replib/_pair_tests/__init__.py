"""The test that a design calls for, of every pair of models at once.

=============================  ====================================================================
design                         test
=============================  ====================================================================
CV, RandomSplits               corrected resampled t test (Nadeau and Bengio 2003)
Seeds                          Welch's t test, or the paired t test
Items: right or wrong          McNemar's exact test, for one run of independent items
Items                          Student's t with the variance of :mod:`replib.variance`
Items of several tasks         the same by task, or McNemar's test of the mean over items
                               (with ``about="tasks"``, the signed-rank test of their means)
Items, predicted by fold       central limit theorem of cross-validation (Bayle et al. 2020)
Datasets                       exact signed-rank test
Predictions, other metrics     DeLong's test, exchanges of predictions, or pseudo-values
=============================  ====================================================================

A method is a subclass of :class:`PairTests` and a line in :data:`METHODS`.
"""

from replib._pair_tests.base import PairTests, Question, advantages
from replib._pair_tests.datasets import SignedRankTests
from replib._pair_tests.items import (
    ABOUT,
    TASKS,
    CrossValidationZ,
    McNemarTests,
    PooledMcNemarTests,
)
from replib._pair_tests.of_metrics import (
    AreaUnderCurveTests,
    ExchangeTests,
    PseudoValueTests,
)
from replib._pair_tests.splits import CorrectedResampledT
from replib._pair_tests.tasks import TaskRankTests
from replib._pair_tests.variance_tests import ItemTests, SeedTests
from replib._validation import check_choice, refusal
from replib.designs import Items
from replib.scores import Predictions, Scores

#: The first that suits a question answers it.
METHODS: tuple[type[PairTests], ...] = (
    CorrectedResampledT,
    SeedTests,
    SignedRankTests,
    TaskRankTests,
    CrossValidationZ,
    McNemarTests,
    PooledMcNemarTests,
    ItemTests,
    PseudoValueTests,
    AreaUnderCurveTests,
    ExchangeTests,
)


def pair_tests(question: Question) -> PairTests:
    """Test pairs of the models of a table by the test that its design calls for.

    Raises
    ------
    ValueError
        If the scores cannot answer what is asked about them.
    """
    check_question(question)
    method = next(method for method in METHODS if method.suits(question))
    return method.from_question(question)


def check_question(question: Question) -> None:
    """Refuse a question that the scores cannot answer."""
    table = question.table
    about = question.about
    design = table.design
    if not isinstance(design, Items):
        if about is not None:
            raise ValueError(
                f"about is a question for items in several runs, not for {design}"
            )
        return
    if about is not None:
        check_choice("about", about, (*ABOUT, TASKS))
    _check_tasks(question)
    blocks = table.blocks if isinstance(table, Scores) else table.predicted
    several_runs = min(len(block) for block in blocks.values()) > 1
    by_fold = design.predicted == "by_fold"
    shows_spread = several_runs and design.runs == "trainings" and not by_fold
    if about in ("training", "both") and not shows_spread:
        advice = "give two or more trainings of each model, or ask"
        raise refusal(
            f'about="{about}" asks about new trainings, of which these scores show no spread',
            f'{advice} about="models"',
            f"{advice} --about models",
        )
    if isinstance(table, Predictions) and by_fold and not question.blocks:
        raise ValueError(
            f"{table.metric} is no mean over items, and no test is known for it if each item was "
            "predicted by the model of its fold: give the score of each fold"
        )


def _check_tasks(question: Question) -> None:
    """Refuse a question about tasks where there are none, or no means of them."""
    table = question.table
    strata = table.strata
    if question.about == TASKS and (strata is None or len(strata.tasks) < 2):
        raise refusal(
            'about="tasks" asks about other tasks, and these are items of one',
            "say which column names the task, as in Items(suite=...)",
            "say which column names the task, by --suite",
        )
    if strata is not None and not question.blocks:
        raise refusal(
            f"{table.metric} is no mean over items, and so it is not averaged over tasks",
            "choose a task by where=",
            "choose one by --task",
        )


__all__ = [
    "METHODS",
    "TASKS",
    "PairTests",
    "Question",
    "advantages",
    "check_question",
    "pair_tests",
]
