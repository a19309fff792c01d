"""A row at an end of a table that has the means of the others, whatever it is called.

Right data have such a row by chance, too.  How probable that is, is estimated from above:
by how far the scores of the other rows are spread, in units of the last digit.
"""

from typing import Any

import numpy as np

from replib._labels.texts import is_labelled
from replib._names.words import plain_text
from replib._numbers import decimals
from replib._validation import Array
from replib.scores import Scores

#: How far a mean that was rounded is from the mean of rounded scores, in units of the last
#: digit, and a little more.
_ROUNDING = 0.6
#: Part of the variance of its scores that a model has for itself, at least.
_OWN_VARIANCE = 0.05
#: One row at an end has the means of the others by chance in fewer right tables.
RARE = 0.0001
#: The same of one that is called like a total, or a data set such as that of the leukemia ALL.
_RARE_OF_TOTALS = 0.05
_TOTALS = {"all", "combined", "full", "global", "total", "world", "worldwide"}
#: Standard deviations in which a normal score would lie, if it had one density everywhere.
_NORMAL = float(np.sqrt(2 * np.pi))
#: Standard deviations beyond which a row has no mean, however it was rounded.
_NEAR = 0.2
#: Fewer rows have a mean that is one of them by chance; more were not written by hand.
_FEWEST_AVERAGED = 3
_MOST_AVERAGED = 10_000


def mean_at_an_end(table: Scores) -> Any:
    """Return the label of the first or last unit if it has the mean of the others, else None."""
    n_units = len(table.unit_labels) if is_labelled(table) else 0
    if not _FEWEST_AVERAGED < n_units <= _MOST_AVERAGED:
        return None
    scores = scores_of_units(table)
    for column in (0, -1):
        label = table.unit_labels[column]
        chance = chance_of_mean(scores[:, column], np.delete(scores, column, axis=1))
        is_called_total = plain_text(label) in _TOTALS
        if chance < (_RARE_OF_TOTALS if is_called_total else RARE):
            return label
    return None


def scores_of_units(table: Scores) -> Array:
    """Return the mean score of each model for each unit, over its runs.

    Returns
    -------
    ndarray, shape (models, units)
    """
    n_units = len(table.unit_labels)
    blocks = table.blocks.values()
    return np.stack([block.reshape(-1, n_units).mean(axis=0) for block in blocks])


def chance_of_mean(scores: Array, other_scores: Array) -> float:
    """Return the probability that all scores are means of others, from above; 1 if they are not.

    Parameters
    ----------
    scores : ndarray, shape (models,)
    other_scores : ndarray, shape (models, units)
    """
    deviation = other_scores.std(axis=1)
    from_mean = np.abs(other_scores.mean(axis=1) - scores)
    if (from_mean > _NEAR * deviation).any():
        return 1.0  # most rows are so far away, and need not be looked at
    distance = _ROUNDING * 10.0 ** -decimals(scores)
    if (from_mean > distance).any():
        return 1.0
    # a normal score is so near to the mean; those of other models nearly follow it
    spread = deviation * _NORMAL * np.sqrt(_OWN_VARIANCE)
    spread[0] = deviation[0] * _NORMAL
    is_varying = spread > 0
    chances = np.minimum(1.0, 2 * distance / spread[is_varying])
    return float(np.prod(chances))


__all__ = ["RARE", "chance_of_mean", "mean_at_an_end", "scores_of_units"]
