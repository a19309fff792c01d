"""Notes about rows and models that summarise the others: means, ranks, the best of all."""

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from replib._labels.units import UNITS, texts_like_names
from replib._names.columns import is_no_row
from replib._names.labels import (
    is_difference,
    is_summary,
    ranked_model,
    words_of_label,
)
from replib._names.metrics import is_name_of_metric
from replib._numbers import decimals
from replib._validation import Array, shown
from replib.designs import Datasets
from replib.scores import KNOWN, Predictions, Scores

#: What a summary of other scores may be.  A name alone is none: a model that always
#: predicts the mean is called so, too.
_SUMMARIES: dict[str, Callable[..., Any]] = {
    "mean": np.mean,
    "average": np.mean,
    "avg": np.mean,
    "overall": np.mean,
    "median": np.median,
    "best": np.max,
    "oracle": np.max,
    "vbs": np.max,
    "max": np.max,
    "maximum": np.max,
    "min": np.min,
    "minimum": np.min,
    "worst": np.min,
    "sum": np.sum,
    "total": np.sum,
}
#: Names of a choice of the best model for each row.
_BEST_OF_ALL = ("oracle", "vbs")
#: Others that a summary must have been computed from.
_FEWEST_SUMMARISED = 2
#: So few models, or rows, may have scores that look like ranks.
_FEWEST_RANKED = 3
_FEWEST_ROWS_OF_RANKS = 5


def notes_about_summaries(table: Scores | Predictions) -> Iterator[str]:
    """Note rows, and models, that are computed from the others.

    Parameters
    ----------
    table : Scores or Predictions

    Yields
    ------
    str
    """
    if isinstance(table.frame, pd.DataFrame):  # arrays have no labels
        yield from _rows(table)
    if isinstance(table, Scores):
        yield from _models(table)
        yield from _ranks(table)


def _rows(table: Scores | Predictions) -> Iterator[str]:
    """Note rows that are labelled as means, ranks or sums of the others."""
    for key in ("dataset", "item", "run", "fold"):
        for text in texts_like_names(table, key):
            is_other = is_summary(text) or is_no_row(text) or is_difference(text)
            is_other = is_other or is_name_of_metric(text)
            if is_other or _is_mean_of_others(text, table):
                unit = UNITS[type(table.design)]
                yield (
                    f"{shown(text)} is labelled like a summary of the rows: is it a "
                    f"{unit}?"
                )
                return


def _is_mean_of_others(label: str, table: Scores | Predictions) -> bool:
    """Return whether a data set has a word for a summary in its name, and its values."""
    if not isinstance(table, Scores) or not isinstance(table.design, Datasets):
        return False
    place = table.units.index(label) if label in table.units else -1
    if place < 0:
        return False
    scores = np.stack([*table.blocks.values()])
    others = np.delete(scores, place, axis=1)
    return _summarises(label, scores[:, place], others.T)


def _models(table: Scores) -> Iterator[str]:
    """Note models that by name and values are the mean, the best or so of the others."""
    shapes = {block.shape for block in table.blocks.values()}
    if len(shapes) > 1 or len(table.blocks) <= _FEWEST_SUMMARISED:
        return
    for model, block in table.blocks.items():
        others = [other for name, other in table.blocks.items() if name != model]
        # "min" and "max" are words of settings, too
        is_computed = (
            is_summary(model) or model.casefold() in _BEST_OF_ALL
        ) and np.ptp(block) > 0
        if is_computed and _summarises(model, block, np.stack(others)):
            yield f"The scores of {model} are computed from those of the others."
        pair = None
        if is_difference(model) or _names_two_others(model, table.models):
            pair = _minuend_and_subtrahend(model, table)
        if pair is not None:
            yield f"The scores of {model} are those of {pair[0]} minus those of {pair[1]}."
        ranked = ranked_model(model, table.models)
        if ranked is not None:
            yield f"{model} is by its name the rank of {ranked}: is it a model?"


def _names_two_others(model: str, models: Sequence[str]) -> bool:
    """Return whether a name has those of two other models in it, such as "svm-nb"."""
    return sum(other in model for other in models if other != model) > 1


def _minuend_and_subtrahend(model: str, table: Scores) -> tuple[str, str] | None:
    """Return two other models of which a model is the difference."""
    difference = table.blocks[model]
    unit = 10.0 ** -decimals(difference)
    others = {name: x for name, x in table.blocks.items() if name != model}
    for first, second in permutations(others, 2):
        away = others[first] - others[second] - difference
        if (np.abs(away) <= unit).all() and np.ptp(difference) > 0:
            return first, second
    return None


def _ranks(table: Scores) -> Iterator[str]:
    """Note that every row has the ranks of the models, of which 1 is best, instead of scores."""
    metric = table.metric
    if metric.better == "lower" or metric.name not in KNOWN:
        return
    blocks = [block.ravel() for block in table.blocks.values()]
    if len({block.size for block in blocks}) > 1 or len(blocks) < _FEWEST_RANKED:
        return
    rows = np.stack(blocks).T
    if len(rows) < _FEWEST_ROWS_OF_RANKS:
        return
    first = rows[:_FEWEST_ROWS_OF_RANKS]
    if all(np.array_equal(stats.rankdata(row), row) for row in first) and (
        np.array_equal(stats.rankdata(rows, axis=1), rows)
    ):
        yield f"All scores are ranks of the models, 1 to {len(blocks)}, not {metric}."


def _summarises(label: str, scores: Array, others: Array) -> bool:
    """Return whether scores are the summary of others of which a label speaks.

    Parameters
    ----------
    label : str
    scores : ndarray, shape (...)
    others : ndarray, shape (n, ...)
    """
    functions = {
        _SUMMARIES[word] for word in words_of_label(label) if word in _SUMMARIES
    }
    if not functions or len(others) < _FEWEST_SUMMARISED:
        return False
    unit = 10.0 ** -decimals(scores)
    return any(
        bool((np.abs(function(others, axis=0) - scores) <= unit).all())
        for function in functions
    )
