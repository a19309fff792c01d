"""Notes about scores that single items have, where a set of items is scored."""

from collections.abc import Iterator

import numpy as np

from replib._labels import UNITS
from replib._names.metrics.definitions import is_of_a_set
from replib.designs import Items
from replib.scores import Predictions, Scores

#: Means over items that are right or wrong: 0 or 1 for a single item only.  (A recall
#: also is, where a test set has a single item of the class.)
SHARES_OF_ITEMS = frozenset(
    ["acc", "accuracy", "em", "error", "error_rate", "exact_match", "zero_one_loss"]
)
#: In fewer items, all texts may be right or wrong as a whole.
_FEWEST_ITEMS = 20


def notes_about_single_items(table: Scores | Predictions) -> Iterator[str]:
    """Note sets of items that score as one item does, and items with a metric of sets."""
    if isinstance(table, Predictions):
        return
    if isinstance(table.design, Items):
        yield from _items_with_a_metric_of_sets(table)
    else:
        yield from _sets_that_score_as_items(table)


def _sets_that_score_as_items(table: Scores) -> Iterator[str]:
    """Note that shares of right items are all 0 or 1, as those of a single item are."""
    metric = table.metric
    if metric.name not in SHARES_OF_ITEMS:
        return
    blocks = table.blocks.values()
    if not all(((x == metric.low) | (x == metric.high)).all() for x in blocks):
        return
    # a perfect model, and one that is never right, may have any test sets
    if any(np.ptp(block) > 0 for block in blocks):
        unit = UNITS[type(table.design)]
        yield (
            f"Every {unit} has the score {metric.low:g} or {metric.high:g}, as a single "
            "item has: is the design items?"
        )


def _items_with_a_metric_of_sets(table: Scores) -> Iterator[str]:
    """Note right and wrong answers as values of a metric that only a whole set has.

    F1 of a text has fractions; the recall of items of one class is right or wrong.
    """
    metric = table.metric
    blocks = [*table.blocks.values()]
    if not is_of_a_set(metric.name) or len(table.units) < _FEWEST_ITEMS:
        return
    are_answers = all(((x == 0) | (x == metric.high)).all() for x in blocks)
    if are_answers and any(np.ptp(block) > 0 for block in blocks):
        yield (
            f"Every item has 0 or {metric.high:g}, as right and wrong answers have, and "
            f"{metric} is about all items together: their mean is the accuracy. Give the "
            "predictions to from_predictions."
        )
