"""Notes about models that are called like the mean, the best or so of others, and are it."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from replib._labels.functions import (
    FEWEST_SUMMARISED,
    ROUNDING,
    are_summary,
    functions_of_name,
    words_of_summary,
)
from replib._names.labels.summaries import is_summary
from replib._names.languages import in_english
from replib._names.words import split_at_capitals
from replib._numbers import decimals
from replib._validation import Array, listed
from replib.scores import Scores

#: Words of a choice of the best model for each row, and rows that it is found in: a model
#: with "best" in its name may be the best one, and tie with the second in few rows.
_BEST_OF_ALL = {
    *("any", "best", "bound", "ceiling", "ideal", "oracle", "pass", "sota"),
    *("strongest", "union", "vbs", "virtual", "winner"),
}
_FEWEST_ROWS = 5
#: Of so many others, any may have been averaged.
_MOST_COMBINED = 8
#: Scores are means of others by chance in fewer tables.
_RARE = 0.000001


def notes_about_summarising_models(table: Scores) -> Iterator[str]:
    """Note models that by name and values are the mean, the best or so of the others."""
    shapes = {block.shape for block in table.blocks.values()}
    if len(shapes) > 1 or len(table.blocks) <= FEWEST_SUMMARISED:
        return
    for model, block in table.blocks.items():
        if np.ptp(block) == 0:
            continue
        others = [name for name in table.models if name != model]
        rivals = np.stack([table.blocks[name].ravel() for name in others])
        scores = block.ravel()
        if _are_called_summary(model, scores, rivals) or (
            _is_called_best(model) and _are_best(scores, rivals)
        ):
            yield f"The scores of {model} are computed from those of the others."
        elif np.mean in functions_of_name(split_at_capitals(model)):
            averaged = [others[index] for index in _averaged_models(scores, rivals)]
            if averaged:
                yield f"The scores of {model} are the means of those of {listed(averaged)}."


def _are_called_summary(model: str, scores: Array, rivals: Array) -> bool:
    """Return whether scores are that summary of the others which a model is called after."""
    return is_summary(in_english(model, ambiguous=True)) and are_summary(
        scores,
        rivals,
        functions=functions_of_name(model),
        distance=10.0 ** -decimals(scores),
    )


def _is_called_best(model: str) -> bool:
    """Return whether a word of a model is that of a choice of the best one for each row."""
    return not _BEST_OF_ALL.isdisjoint(words_of_summary(model)) and "=" not in model


def _are_best(scores: Array, rivals: Array) -> bool:
    """Return whether scores are the largest, or the smallest, of those of several others.

    These are all others, or all but those that are better somewhere: "best baseline" is
    a baseline of its own.
    """
    if scores.size < _FEWEST_ROWS:
        return False
    for extreme, is_beyond in ((np.max, np.greater), (np.min, np.less)):
        never_better = rivals[~is_beyond(rivals, scores).any(axis=1)]
        if len(never_better) < FEWEST_SUMMARISED:
            continue
        is_copy = (never_better == scores).all(axis=1).any()
        if is_copy and len(never_better) < len(rivals):
            continue
        if np.array_equal(extreme(never_better, axis=0), scores):
            return True
    return False


def _averaged_models(scores: Array, rivals: Array) -> tuple[int, ...]:
    """Return the indices of the others, but not all, of which scores are means; else none.

    Of many others, only those next to each other may be averaged.
    """
    if scores.size < _FEWEST_ROWS:
        return ()
    distance = ROUNDING * 10.0 ** -decimals(scores)
    spread = min(map(np.ptp, rivals - scores))
    chance_in_row = min(1.0, 2 * distance / max(spread, distance))
    n_groups = 2 ** min(len(rivals), _MOST_COMBINED)
    if n_groups * chance_in_row**scores.size > _RARE:
        return ()  # scores of few digits are near many means
    for indices in _possible_groups(len(rivals)):
        group = rivals[[*indices]]
        are_means = (np.abs(group.mean(axis=0) - scores) <= distance).all()
        has_copy = (group == scores).all(axis=1).any()
        if are_means and not has_copy:
            return indices
    return ()


def _possible_groups(n_models: int) -> Iterator[tuple[int, ...]]:
    """Yield two or more of some models, but not all: any of few, neighbours of many."""
    for size in range(FEWEST_SUMMARISED, n_models):
        if n_models <= _MOST_COMBINED:
            yield from combinations(range(n_models), size)
        else:
            for first in range(n_models - size + 1):
                yield tuple(range(first, first + size))


__all__ = ["notes_about_summarising_models"]
