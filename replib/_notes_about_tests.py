"""Notes about pairs of models that no test can tell apart, whatever their scores."""

from collections.abc import Iterator

import numpy as np

from replib._attainable import note_on_too_few_units, smallest_adjusted_pvalue
from replib._labels import UNITS
from replib._pair_tests import TASKS, PairTests, Question
from replib._validation import joined

#: Most pairs that a note names.
_MOST_NAMED = 3


def notes_about_spread(tests: PairTests, question: Question) -> Iterator[str]:
    """Name the pairs whose difference is constant, so that they have no p-value.

    Raises
    ------
    ValueError
        If no pair has a p-value.
    """
    constant = np.flatnonzero(tests.without_spread).tolist()
    if not constant:
        return
    unit = UNITS[type(question.table.design)]
    names = [" and ".join(question.pairs[i]) for i in constant]
    if len(constant) == len(question.pairs):
        size = abs(tests.estimate[constant[0]])
        raise ValueError(
            f"{names[0]} differ by {size:.4g} without any spread from {unit} to {unit}, and so "
            "nothing shows how certain the difference is: are scores rounded, or one model's "
            "computed from another's?"
        )
    named = joined(names)
    if len(names) > _MOST_NAMED:
        named = f"{names[0]} ({len(names)} pairs in all)"
    yield (
        f"The difference of {named} is the same on every {unit}: without spread there is no "
        "p-value for it."
    )


def notes_about_few_units(
    tests: PairTests,
    question: Question,
    *,
    alpha: float,
    correction: str,
    n_choices: int | None,
) -> Iterator[str]:
    """Say that too few units differ for any decision after the correction."""
    if tests.n_differing is None or not tests.n_differing.any():
        return  # equal models have p = 1, which says it all
    smallest = smallest_adjusted_pvalue(
        tests.smallest_pvalue, correction=correction, n_choices=n_choices
    )
    note = note_on_too_few_units(smallest, alpha=alpha, on=_units(question))
    if note is not None:
        yield note


def _units(question: Question) -> str:
    """Say on how many units models are compared."""
    table = question.table
    if question.about == TASKS and table.strata is not None:
        return f"{len(table.strata.tasks)} tasks"
    return f"{len(table.unit_labels)} {UNITS[type(table.design)]}s"
