"""A suite of tasks, task by task: which of them differ, at one error rate for all."""

from typing import Any

import numpy as np
import pandas as pd

from replib._pair_tests import Question, pair_tests
from replib._strata import Strata
from replib.designs import Items
from replib.multiple_comparisons import adjusted_pvalues
from replib.scores import MatchedArrays, Scores

_COLUMNS = [
    "task",
    "a",
    "b",
    "items",
    "difference",
    "low",
    "high",
    "p",
    "adjusted_p",
    "decision",
]


def by_task(question: Question, *, alpha: float, correction: str) -> pd.DataFrame:
    """Test each pair on each task alone, corrected for all of these tests.

    Parameters
    ----------
    question : Question
    alpha, correction
        As for :func:`replib.comparison.compare`.

    Returns
    -------
    DataFrame
        Empty if the items are not those of several tasks.
    """
    strata = question.table.strata
    if strata is None or len(strata.tasks) < 2:
        return pd.DataFrame(columns=_COLUMNS)
    n_tests = 1
    if correction != "none":
        n_tests = len(strata.tasks) * len(question.pairs)
    parts = [
        _rows(question, strata, task, level=1 - alpha / n_tests)
        for task in range(len(strata.tasks))
    ]
    table = pd.concat(parts, ignore_index=True)
    pvalue = table["p"].fillna(1.0).to_numpy()
    adjusted = np.asarray(adjusted_pvalues(pvalue, method=correction))
    table["adjusted_p"] = np.where(table["p"].isna(), np.nan, adjusted)
    decision = np.where(adjusted < alpha, np.sign(table["ahead"]), 0)
    table["decision"] = decision.astype(int)
    return table[_COLUMNS]


def _rows(
    question: Question, strata: Strata, task: int, *, level: float
) -> pd.DataFrame:
    """Return the tests of all pairs on a task."""
    about = question.about if question.about in ("training", "both") else None
    tests = pair_tests(Question(_scores_of_task(question, task), question.pairs, about))
    low, high = tests.limits(level).within(question.table.metric)
    first, second = np.array(question.pairs).T
    columns: dict[str, Any] = {
        "task": strata.tasks[task],
        "a": first,
        "b": second,
        "items": np.count_nonzero(strata.task == task),
        "difference": tests.estimate,
        "low": low,
        "high": high,
        "p": tests.pvalue,
        "ahead": tests.ahead,
    }
    return pd.DataFrame(columns)


def _scores_of_task(question: Question, task: int) -> Scores:
    """Return the scores of the items of a task, as a table of its own."""
    table = question.table
    strata = table.strata
    design = table.design
    assert isinstance(design, Items) and strata is not None  # for mypy: see by_task
    items = strata.task == task
    clusters = None
    if table.clusters is not None:
        _, clusters = np.unique(table.clusters[items], return_inverse=True)
    within = strata.within(task)
    own_design = Items(
        runs=design.runs,
        paired=design.paired,
        cluster=design.cluster,
        suite=None if within is None else "stratum",
        mean="tasks" if strata.tasks[task] in design.equal_strata else "items",
    )
    sign = table.metric.sign
    blocks = {model: sign * block[:, items] for model, block in question.blocks.items()}
    return Scores(
        MatchedArrays(blocks, clusters, within), metric=table.metric, design=own_design
    )
