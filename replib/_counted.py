"""What the single runs, seeds or data sets in an experiment would have said.

These counts are the papers' own estimator.  They speak of single runs, never of the
experiment that has several of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replib import significance
from replib._pair_tests import Question
from replib._squares import squares_of_pairs, stacked_tests
from replib._validation import Array
from replib.designs import CV, Datasets, Items, RandomSplits, Seeds
from replib.multiple_comparisons import adjusted_pvalues
from replib.replicability import replicability_interval
from replib.significance.means import corrected_t

Decisions = NDArray[np.int64]


class Rule(NamedTuple):
    """How p-values become decisions."""

    alpha: float
    correction: str


@dataclass(frozen=True, eq=False, kw_only=True)
class Counted:
    """Outcomes of the smaller experiments that an experiment contains.

    Attributes
    ----------
    single : str
        What one of them has: "run", "split", "seed", "training" or "data set".
    is_test : bool
        Whether an outcome is a test's decision, or only says who is ahead.
    outcomes : list of ndarray
        For each pair +1 where the first is better, -1 where the second is, else 0.  A row
        has the runs; with two axes they are pairings of runs of the first and the second.
    """

    single: str
    is_test: bool
    outcomes: list[Decisions]

    def agreement(self, pair: int) -> tuple[float, float, float]:
        """Return the estimated probability that two agree, and its limits; NaN if unknown."""
        outcomes = self.outcomes[pair]
        if not self.is_test or outcomes.size < 2:
            return np.nan, np.nan, np.nan
        if outcomes.ndim == 2:
            return share_of_disjoint_pairings(outcomes), np.nan, np.nan
        kinds, counts = np.unique(outcomes, return_counts=True)
        n = outcomes.size
        estimate = float((counts * (counts - 1)).sum() / (n * (n - 1)))
        if len(kinds) > 2:  # the interval is that of two outcomes
            return estimate, np.nan, np.nan
        low, high = replicability_interval(counts[0], n)
        return estimate, low, high


def share_of_disjoint_pairings(outcomes: Decisions) -> float:
    """Return the share of pairs of pairings that agree, of those that share no training.

    Parameters
    ----------
    outcomes : ndarray, shape (runs of the first, runs of the second)

    Examples
    --------
    Of two trainings each, a pairing shares no training with one other:

    >>> share_of_disjoint_pairings(np.array([[1, 0], [0, 1]]))
    1.0
    >>> share_of_disjoint_pairings(np.array([[1, 1], [0, 0]]))
    0.0
    """
    n_first, n_second = outcomes.shape
    n_pairs = outcomes.size * (n_first - 1) * (n_second - 1)
    if n_pairs == 0:
        return np.nan
    agreeing = 0
    for outcome in (-1, 0, 1):
        equal = outcomes == outcome
        n_equal = int(equal.sum())
        in_rows = int((equal.sum(axis=1) ** 2).sum())
        in_columns = int((equal.sum(axis=0) ** 2).sum())
        # all pairs of equal outcomes, without those in one row and those in one column
        agreeing += n_equal**2 + n_equal - in_rows - in_columns
    return agreeing / n_pairs


def counted(question: Question, rule: Rule) -> Counted | None:
    """Return what the smaller experiments would have said; None if there are none."""
    if not question.blocks:
        return None
    return _BY_DESIGN[type(question.table.design)](question, rule)


def as_frame(question: Question, counts: Counted | None) -> pd.DataFrame:
    """Return the counts as a table with a row per pair; empty if there is nothing to count."""
    columns = [
        "a",
        "b",
        "single",
        "n",
        "a_better",
        "b_better",
        "neither",
        "agreement",
        "agreement_low",
        "agreement_high",
    ]
    if counts is None:
        return pd.DataFrame(columns=columns)
    rows: list[tuple[Any, ...]] = []
    for pair, (a, b) in enumerate(question.pairs):
        outcomes = counts.outcomes[pair]
        a_better = np.count_nonzero(outcomes > 0)
        b_better = np.count_nonzero(outcomes < 0)
        neither = outcomes.size - a_better - b_better
        counts_of_pair = (outcomes.size, a_better, b_better, neither)
        agreement = counts.agreement(pair)
        rows.append((a, b, counts.single, *counts_of_pair, *agreement))
    return pd.DataFrame(rows, columns=columns)


# ---------------------------------------------------------------- by design


def _single_runs(question: Question, rule: Rule) -> Counted | None:
    """Return the decisions of each run of cross-validation alone, by its own test."""
    design = question.table.design
    assert isinstance(design, CV)  # for mypy: see _BY_DESIGN
    if design.runs == 1:
        return None
    tests = corrected_t(
        question.differences(),
        ratio=design.ratio,
        scale=question.scales()[:, np.newaxis],
    )
    # a run whose difference is constant has no p-value: see MeanTestResult.without_spread
    pvalue = np.where(tests.without_spread, 1.0, tests.pvalue)
    decisions = _decisions(pvalue, tests.estimate, rule)
    return Counted(single="run", is_test=True, outcomes=list(decisions))


def _single_splits(question: Question, rule: Rule) -> Counted:
    """Return who is ahead on each split."""
    ahead = np.sign(question.differences()).astype(int)[..., 0]
    return Counted(single="split", is_test=False, outcomes=list(ahead))


def _single_seeds(question: Question, rule: Rule) -> Counted:
    """Return who is ahead in each pairing of seeds, or in each pair of paired seeds."""
    design = question.table.design
    assert isinstance(design, Seeds)  # for mypy: see _BY_DESIGN
    if design.paired:
        differences = list(question.differences())
    else:
        differences = [question.pairings(a, b) for a, b in question.pairs]
    outcomes = [np.sign(of_pair).astype(int) for of_pair in differences]
    return Counted(single="seed", is_test=False, outcomes=outcomes)


def _single_trainings(question: Question, rule: Rule) -> Counted | None:
    """Return the decision of each pairing of a training of each model."""
    design = question.table.design
    assert isinstance(design, Items)  # for mypy: see _BY_DESIGN
    blocks = question.blocks
    n_runs = {model: len(block) for model, block in blocks.items()}
    if max(n_runs.values()) == 1 or design.runs == "samples":
        return None
    names = {m: [f"{m}, {run}" for run in range(n)] for m, n in n_runs.items()}
    single_runs = {
        name: block[None]
        for model, rows in names.items()
        for name, block in zip(rows, blocks[model], strict=True)
    }
    outcomes = []
    for a, b in question.pairs:
        if design.paired:
            shape: tuple[int, ...] = (n_runs[a],)
            pairings = list(zip(names[a], names[b], strict=True))
        else:
            shape = (n_runs[a], n_runs[b])
            pairings = [(x, y) for x in names[a] for y in names[b]]
        decisions = _decisions_of_pairings(question, rule, single_runs, pairings)
        outcomes.append(decisions.reshape(shape))
    return Counted(single="training", is_test=True, outcomes=outcomes)


def _decisions_of_pairings(
    question: Question,
    rule: Rule,
    single_runs: dict[str, Array],
    pairings: list[tuple[str, str]],
) -> Decisions:
    """Return the decision of each pairing: McNemar's for right and wrong, else that of t."""
    values = np.concatenate([block.ravel() for block in single_runs.values()])
    table = question.table
    design = table.design
    assert isinstance(design, Items)  # for mypy: see _BY_DESIGN
    are_answers = table.clusters is None and len(np.unique(values)) <= 2
    count_alike = table.strata is None or design.mean == "items"
    if are_answers and count_alike:
        differences = np.array(
            [single_runs[a][0] - single_runs[b][0] for a, b in pairings]
        )
        wins = (differences > 0).sum(axis=1)
        losses = (differences < 0).sum(axis=1)
        pvalue = np.asarray(significance.mcnemar(wins, losses).pvalue)
        estimate = differences.mean(axis=1)
    else:
        squares = squares_of_pairs(
            single_runs, pairings, groups=table.clusters, strata=table.strata
        )
        test = stacked_tests(squares, "items")
        pvalue = np.where(test.without_spread, 1.0, test.pvalue)
        estimate = np.asarray(test.estimate)
    # trainings of other pairs, which Holm's correction asks for, belong to no pairing
    n_pairs = 1 if rule.correction == "none" else len(question.pairs)
    is_significant = n_pairs * pvalue < rule.alpha
    return np.where(is_significant, np.sign(estimate), 0).astype(int)


def _single_datasets(question: Question, rule: Rule) -> Counted:
    """Return who is ahead on each data set."""
    ahead = np.sign(question.differences()).astype(int)
    return Counted(single="data set", is_test=False, outcomes=list(ahead))


def _decisions(pvalue: Array, estimate: Array, rule: Rule) -> Decisions:
    """Return the corrected decisions of each run about all pairs, shape (pairs, runs)."""
    adjusted = adjusted_pvalues(np.moveaxis(pvalue, 0, -1), method=rule.correction)
    significant = np.moveaxis(np.asarray(adjusted), -1, 0) < rule.alpha
    return np.where(significant, np.sign(estimate), 0).astype(int)


_BY_DESIGN: dict[type, Callable[[Question, Rule], Counted | None]] = {
    CV: _single_runs,
    RandomSplits: _single_splits,
    Seeds: _single_seeds,
    Items: _single_trainings,
    Datasets: _single_datasets,
}
