"""Notes about models that are computed from others, as their scores alone show.

A model is seldom as good as the best of two others in every row, or the mean of all.
Those that are called like learners or networks may be so.  Scores of right and wrong show
nothing: one of two tests may be positive.
"""

import math
from collections.abc import Iterator

import numpy as np

from replib._names.models.differences import is_difference, is_stated_difference
from replib._names.models.families import is_network
from replib._names.models.rests import is_rest
from replib._numbers import decimals
from replib._validation import Array
from replib.scores import Scores

#: Chance that scores of models which were made apart look computed: the best of two others
#: is found among nine rows, if no two scores are equal.
RARE_IN_VALUES = 0.000001
#: Fewer rows may add up to anything.  Most models differ from a summary in the first ones.
_FEWEST_ROWS = 5
_FEWEST_MODELS = 3
#: Models of a search, of which there are more, are not computed from each other.
_MOST_MODELS = 100
#: A number that was rounded, or two, differ from their sum by so many units.
_ROUNDING = 1 + 1e-9
#: Parts of names of models whose scores may be the mean of others.
_MIXTURES = ("bagg", "blend", "combin", "ensemble", "mix", "soup", "stack", "vot")


def notes_about_computed_models(table: Scores) -> Iterator[str]:
    """Note models with the best of some others in each row, their mean, sum or difference."""
    blocks = [*table.blocks.values()]
    if not _FEWEST_MODELS <= len(blocks) <= _MOST_MODELS or table.of_search:
        return
    if len({block.shape for block in blocks}) > 1 or blocks[0].size < _FEWEST_ROWS:
        return
    yield from _rests(table)
    scores = [block.ravel() for block in blocks]
    first = np.stack([block[:_FEWEST_ROWS] for block in scores])
    for index, model in enumerate(table.models):
        head, rivals = first[index], np.delete(first, index, axis=0)
        if not (_are_of_others(head, rivals) or _is_total(head, rivals)):
            continue
        rivals = np.stack(scores[:index] + scores[index + 1 :])
        if _is_computed(model, scores[index], rivals):
            yield f"The scores of {model} are computed from those of the others."
    if not any(map(_is_called_difference, table.models)):
        yield from _differences(table, first)


def _rests(table: Scores) -> Iterator[str]:
    """Note a model called "tie", or so, that adds up to a constant with the others."""
    rests = [model for model in table.models if is_rest(model)]
    if len(rests) != 1:
        return
    blocks = [*table.blocks.values()]
    sums = np.sum(blocks, axis=0)
    n_decimals = max(map(decimals, blocks))
    # shares are rounded, and wins of an item are not
    away = len(blocks) * 10.0**-n_decimals * _ROUNDING if n_decimals else 0.0
    if np.ptp(sums) <= away and np.ptp(blocks[0]) > away:
        yield (
            f"{rests[0]} and the others add up to {np.median(sums):g} in every row: is "
            "it a model?"
        )


def _is_computed(model: str, scores: Array, rivals: Array) -> bool:
    """Return whether scores are computed from others, and the model is called like none."""
    if is_network(model):
        return False
    if _is_best_of_some(scores, rivals):
        return True
    is_mixture = any(part in model.casefold() for part in _MIXTURES)
    return not is_mixture and _is_rare_total(scores, rivals)


def _are_of_others(scores: Array, rivals: Array) -> bool:
    """Return whether each score is that of another model in its row."""
    return bool((rivals == scores).any(axis=0).all())


def _is_best_of_some(scores: Array, rivals: Array) -> bool:
    """Return whether scores are the best of those that reach them, and of no single one.

    >>> a, b = np.random.default_rng(0).random((2, 12)).round(3)
    >>> _is_best_of_some(np.maximum(a, b), np.stack([a, b]))
    True
    >>> _is_best_of_some((a > 0.5) | (b > 0.5), np.stack([a > 0.5, b > 0.5]))
    False
    """
    is_equal = rivals == scores
    if not _are_of_others(scores, rivals) or is_equal.all(axis=1).any():
        return False
    reaching = rivals[is_equal.any(axis=1)]
    if not any(
        np.array_equal(best(reaching, axis=0), scores) for best in (np.max, np.min)
    ):
        return False
    n_reaching, n_rows = reaching.shape
    n_equal = sum(
        np.count_nonzero(reaching[index] == reaching[index + 1 :])
        for index in range(n_reaching - 1)
    )
    chance = (1 + n_equal) / (1 + math.comb(n_reaching, 2) * n_rows)
    return _is_rare(n_reaching * chance, n_rows)


def _is_total(scores: Array, rivals: Array) -> bool:
    """Return whether scores are the mean of all others, or their sum.

    A sum of two is found as a difference.
    """
    away = _ROUNDING * 10.0 ** -decimals(scores)
    sums = rivals.sum(axis=0)
    totals = [sums / len(rivals), sums][: len(rivals) - 1]
    return any(bool((np.abs(total - scores) <= away).all()) for total in totals)


def _is_rare_total(scores: Array, rivals: Array) -> bool:
    """Return whether scores are a mean or sum that is no coincidence of few digits."""
    if _are_coarse(scores) or not _is_total(scores, rivals):
        return False
    spread = min(
        np.ptp(rivals[index] - rival)
        for index in range(len(rivals) - 1)
        for rival in rivals[index + 1 :]
    )
    return bool(spread > 0) and _is_rare(_units_away(scores) / spread, scores.size)


def _units_away(scores: Array) -> float:
    """Return how far from a score its sum with others may be by rounding, on both sides."""
    return 3 * 10.0 ** -decimals(scores)


def _are_coarse(scores: Array) -> bool:
    """Return whether any sum is as near as rounding, as where scores are right or wrong.

    >>> _are_coarse(np.array([0.0, 1.0, 1.0])), _are_coarse(np.array([0.71, 0.83, 0.8]))
    (True, False)
    """
    return bool(_units_away(scores) >= np.ptp(scores))


def _is_rare(chance: float, n_rows: int, n_ways: int = 1) -> bool:
    """Return whether it is rare that all rows have what one of them has by chance."""
    return bool(n_ways * min(1.0, chance) ** n_rows < RARE_IN_VALUES)


def _is_called_difference(model: str) -> bool:
    return is_difference(model) or is_stated_difference(model)


def _differences(table: Scores, first: Array) -> Iterator[str]:
    """Note models that have the difference of two others in each row, whatever their names."""
    models = [*table.models]
    blocks = [*table.blocks.values()]
    between = first[:, None] - first
    for index, model in enumerate(models):
        if _are_coarse(blocks[index]):
            continue
        away = np.abs(between - first[index])
        unit = _ROUNDING * 10.0 ** -decimals(first[index])
        for whole, part in np.argwhere((away <= unit).all(axis=2)).tolist():
            if len({index, whole, part}) < _FEWEST_MODELS or is_network(model):
                continue
            if _is_difference(blocks[index], blocks[whole], blocks[part], len(models)):
                yield (
                    f"The scores of {model} are those of {models[whole]} minus those "
                    f"of {models[part]}."
                )
                return


def _is_difference(scores: Array, whole: Array, part: Array, n_models: int) -> bool:
    """Return whether scores are those of one model minus those of another.

    Of two parts of a sum, the smaller one is the difference.
    """
    spread = np.ptp(scores)
    if spread == 0 or np.abs(scores).mean() > np.abs(part).mean():
        return False
    unit = _ROUNDING * 10.0 ** -decimals(scores)
    return bool((np.abs(whole - part - scores) <= unit).all()) and _is_rare(
        _units_away(scores) / spread, scores.size, n_models**3
    )
