"""Notes about a model that is the truth itself."""

from collections.abc import Iterator
from typing import Any

import pandas as pd
from numpy.typing import NDArray

from replib._names.metrics.quantities import QUANTITIES_OF_NUMBERS, quantity_of_metric
from replib._names.things.truth import may_be_name_of_truth, note_on_truth
from replib._notes.coding import distinct_numbers
from replib.scores import Predictions, Scores

#: So many items with so many different whole numbers are predicted without an error by
#: the truth alone.
_FEWEST_PREDICTED = 50
_FEWEST_NUMBERS = 20


def notes_about_truth_among_models(table: Scores | Predictions) -> Iterator[str]:
    """Note a model that predicts real numbers without any error, or that is named the truth."""
    if isinstance(table, Scores):
        return
    are_numbers = _has_real_numbers(table.truth) or _has_many_numbers(table)
    for model, predicted in table.predicted.items():
        if note_on_truth(model) in table.notes:
            continue  # which has its name, too
        may_be_truth = are_numbers or may_be_name_of_truth(model)
        if may_be_truth and (predicted == table.truth).all():
            yield note_on_truth(model)


def _has_real_numbers(truth: NDArray[Any]) -> bool:
    """Return whether some values are no whole numbers."""
    numbers = pd.to_numeric(pd.Series(truth), errors="coerce").astype(float)
    return bool((numbers % 1 > 0).any())


def _has_many_numbers(table: Predictions) -> bool:
    """Return whether the truth has so many whole numbers that no model predicts all of them."""
    if table.truth.dtype.kind not in "iuf" or table.truth.size < _FEWEST_PREDICTED:
        return False
    is_of_numbers = quantity_of_metric(table.metric.name) in QUANTITIES_OF_NUMBERS
    return is_of_numbers and len(distinct_numbers(table.truth)) >= _FEWEST_NUMBERS
