"""Estimate what models score: means with intervals, and whether they are above chance.

:func:`estimate` takes one model or several, in all the forms that
:func:`replib.comparison.compare` takes.  The intervals are also those of
`Result.means`.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from replib._chance import notes_about_level
from replib._levels import check_alpha
from replib._notes.areas import notes_about_areas
from replib._notes.ranges import notes_about_chance
from replib._notes.values import notes_about_values
from replib._numbers import confidence, limit, number, p_value
from replib._pair_tests import check_question
from replib._pair_tests.base import PairTests, QuestionOfMeans
from replib._pair_tests.means import (
    mean_over_tasks,
    means_with_limits,
    model_means,
)
from replib._validation import Array, joined, real_number
from replib.multiple_comparisons import adjusted_pvalues
from replib.readers import as_data
from replib.scores import Predictions, Scores


def estimate(
    data: Any,
    *,
    design: Any = None,
    metric: Any = None,
    about: str | None = None,
    chance: float | None = None,
    alpha: float = 0.05,
) -> "Estimates":
    """Estimate the mean score of each model, with an interval that its design calls for.

    Parameters
    ----------
    data, design, metric, about
        As for :func:`replib.comparison.compare`; one model is enough.
    chance : float, optional
        Score that guessing has, with which each model is compared.
    alpha : float, default 0.05
        One minus the confidence level of each interval, and the error rate of all
        decisions about chance together.

    Returns
    -------
    Estimates

    Raises
    ------
    ValueError
        If the data do not fit the design, or an argument lies outside its range.

    Notes
    -----
    ==============================  ==================================================
    design                          interval
    ==============================  ==================================================
    CV, RandomSplits                corrected resampled t; not examined for means
    Seeds                           Student's t
    Items: right or wrong           Clopper and Pearson, for one run of independent items
    Items                           Student's t with the variance of the design: clusters,
                                    tasks, samples, trainings
    Items, predicted by fold        central limit theorem of cross-validation
    Datasets, and about="tasks"     Student's t
    Predictions, AUC                DeLong
    Predictions, other metrics      BCa bootstrap
    ==============================  ==================================================

    An interval is cut at the ends of the metric's range.

    Examples
    --------
    >>> right = [1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]
    >>> found = estimate({"tiny": right}, design="items", metric="accuracy", chance=0.5)
    >>> found.means.round(3).to_dict("records")
    [{'mean': 0.8, 'low': 0.563, 'high': 0.943, 'p': 0.012, 'adjusted_p': 0.012, 'decision': 1}]
    """
    table = as_data(data, design=design, metric=metric)
    check_alpha(alpha)
    question = QuestionOfMeans.of_table(table, about)
    check_question(question)
    if chance is not None:
        chance = real_number("chance", chance, table.metric.low, table.metric.high)
    tests = model_means(question)
    models = [model for model, _ in question.pairs]
    means = dict(zip(models, tests.estimate.tolist(), strict=True))
    notes = (
        *table.notes,
        *notes_about_values(table),
        *notes_about_areas(table, means),
        *(() if chance is None else _notes_about_chance(chance, means, table)),
    )
    return Estimates(
        data=table,
        tests=tests,
        alpha=alpha,
        chance=chance,
        notes=notes,
    )


def _notes_about_chance(
    chance: float, means: dict[str, float], table: Scores | Predictions
) -> list[str]:
    """Return what looks wrong in a chance: its unit, or else its level."""
    in_another_unit = [*notes_about_chance(chance, means, table.metric)]
    return in_another_unit or [*notes_about_level(chance, means, table)]


@dataclass(frozen=True, eq=False, kw_only=True)
class Estimates:
    """Mean scores of models with their intervals.

    Attributes
    ----------
    data : Scores or Predictions
    tests : PairTests
        Of each model against a reference that scores 0.
    alpha : float
        One minus the confidence level of each interval.
    chance : float or None
        Score that guessing has.
    notes : tuple of str
        What looks wrong in the data, and what was left out.
    """

    data: Scores | Predictions
    tests: PairTests
    alpha: float
    chance: float | None = None
    notes: tuple[str, ...] = ()

    @cached_property
    def means(self) -> pd.DataFrame:
        """Every model, the best first.

        Returns
        -------
        DataFrame
            Indexed by model: `mean`, `low`, `high`; with a chance level `p`,
            `adjusted_p` (Holm) and `decision`, +1 if the model is significantly better
            than chance, -1 if it is worse, 0 if neither.  Limits are NaN where nothing
            shows the spread.
        """
        table = means_with_limits(self.data, self.tests, self.alpha)
        if self.chance is not None:
            table = table.assign(**self._tests_of_chance(self.chance))
        less_is_better = self.data.metric.sign < 0
        order = table["mean"].sort_values(ascending=less_is_better, kind="stable")
        return table.loc[order.index]

    def _tests_of_chance(self, chance: float) -> dict[str, Array]:
        """Return p-values and decisions about each model and chance: columns of `means`."""
        above, below = self.tests.tails(self.data.metric.sign * chance)
        pvalue = np.minimum(1.0, 2 * np.minimum(above, below))
        is_unknown = np.isnan(pvalue)
        adjusted = adjusted_pvalues(np.where(is_unknown, 1.0, pvalue), method="holm")
        direction = np.where(above < below, 1, -1)
        return {
            "p": pvalue,
            "adjusted_p": np.where(is_unknown, np.nan, adjusted),
            "decision": np.where(adjusted < self.alpha, direction, 0),
        }

    def sentence(self) -> str:
        """Return the estimates in words that can go into a paper."""
        level = confidence(self.alpha)
        models = [f"{row.Index} {_with_limits(row)}" for row in self.means.itertuples()]
        mean = mean_over_tasks(self.data) or self.data.metric
        subject = f"{mean} with {level} intervals"
        summary = (
            f"{subject[:1].upper()}{subject[1:]}: {joined(models)} ({self.tests.name} "
            f"on {self.tests.on})."
        )
        sentences = [summary, self.tests.about]
        if self.chance is not None:
            sentences.append(self._beside_chance())
        return " ".join(sentences)

    def _beside_chance(self) -> str:
        """Say which models are better or worse than chance."""
        chance = f"chance, {number(self.chance or 0.0)}"
        significant = self.means[self.means["decision"] != 0]
        if significant.empty:
            return f"No model differs significantly from {chance}."
        parts = [
            f"{row.Index} ({'better' if row.decision > 0 else 'worse'}, "
            f"{p_value(row.adjusted_p)})"
            for row in significant.itertuples()
        ]
        return f"Significantly different from {chance}: {joined(parts)}."

    def to_frame(self) -> pd.DataFrame:
        """Return `means`."""
        return self.means

    def __str__(self) -> str:
        notes = [f"Note: {note}" for note in self.notes]
        return "\n".join([self.sentence(), *notes])

    __repr__ = __str__


def _with_limits(row: Any) -> str:
    """Write a mean with its limits."""
    if np.isnan(row.low):
        return f"{number(row.mean)} (no spread shows an interval)"
    width = row.high - row.low
    low, high = (limit(x, width) for x in (row.low, row.high))
    return f"{number(row.mean, width=width)} ({low} to {high})"
