"""Notes about models that are differences or ranks of others, and about ranks as scores."""

from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np
from scipy import stats

from replib._labels.beside import TWICE, is_apart
from replib._names.differences import is_difference, is_stated_difference, ranked_model
from replib._numbers import decimals
from replib.scores import KNOWN, Scores

#: So few models, or rows, may have scores that look like ranks.
_FEWEST_RANKED = 3
_FEWEST_ROWS_OF_RANKS = 5


def notes_about_differences(table: Scores) -> Iterator[str]:
    """Note models that are differences or ranks of others, and rows that have ranks."""
    yield from _differences(table)
    yield from _ranks(table)


def _differences(table: Scores) -> Iterator[str]:
    """Note models that by their names, and perhaps values, are differences or ranks of others."""
    have_one_shape = len({block.shape for block in table.blocks.values()}) == 1
    for model in table.models:
        other_models = [name for name in table.models if name != model]
        is_stated = is_stated_difference(model, other_models)
        is_called_so = is_stated or is_difference(model)
        pair = None
        if have_one_shape and (is_called_so or _names_two_others(model, table.models)):
            pair = _minuend_and_subtrahend(model, table)
        if pair is not None:
            yield f"The scores of {model} are those of {pair[0]} minus those of {pair[1]}."
        elif is_stated or (is_called_so and is_apart(model, table, TWICE)):
            yield f"{model} is called like a difference of two models: is it a model?"
        ranked = ranked_model(model, table.models)
        if ranked is not None:
            yield f"{model} is by its name the rank of {ranked}: is it a model?"


def _names_two_others(model: str, models: Sequence[str]) -> bool:
    """Return whether a name has those of two other models in it, such as "svm-nb"."""
    return sum(name in model for name in models if name != model) > 1


def _minuend_and_subtrahend(model: str, table: Scores) -> tuple[str, str] | None:
    """Return two other models of which a model is the difference."""
    difference = table.blocks[model]
    unit = 10.0 ** -decimals(difference)
    blocks = {name: x for name, x in table.blocks.items() if name != model}
    for first, second in permutations(blocks, 2):
        away = blocks[first] - blocks[second] - difference
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
    # most scores are no ranks in their first rows
    for some_rows in (rows[:_FEWEST_ROWS_OF_RANKS], rows):
        if not np.array_equal(stats.rankdata(some_rows, axis=1), some_rows):
            return
    yield f"All scores are ranks of the models, 1 to {len(blocks)}, not {metric}."
