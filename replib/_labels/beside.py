"""Scores of a model beside those of the others: apart from them, or on one side of them."""

from collections.abc import Collection

import numpy as np

from replib.scores import Scores

#: Scores that differ by such a factor are hardly of one kind.
TWICE = 2
#: In fewer rows a model is often the best of all, or the last.
_FEWEST_ROWS = 5


def is_apart(
    model: str, table: Scores, factor: float = 1, *, without: Collection[str] = ()
) -> bool:
    """Return whether all scores of a model are outside the range of those of the others.

    They must be outside by a factor: of two models one is often better everywhere, and
    hardly twice as good.  Some others may be no models by their names.
    """
    scores = table.blocks[model]
    not_others = {model, *without}
    blocks = [block for name, block in table.blocks.items() if name not in not_others]
    if not blocks:
        return False
    low = min(block.min() for block in blocks)
    high = max(block.max() for block in blocks)
    if factor > 1 and low < 0:
        return False
    return bool(((factor * scores < low) | (scores > factor * high)).all())


def is_aside(model: str, table: Scores, *, without: Collection[str] = ()) -> bool:
    """Return whether a model has the lowest scores of all in each row, or the highest.

    Some others may be no models by their names.
    """
    not_others = {model, *without}
    blocks = [block for name, block in table.blocks.items() if name not in not_others]
    scores = table.blocks[model]
    if not blocks or scores.size < _FEWEST_ROWS:
        return False
    if any(block.shape != scores.shape for block in blocks):
        return False
    is_lowest = all((scores < block).all() for block in blocks)
    return is_lowest or all((scores > block).all() for block in blocks)


def is_on_side(name: str, model: str, side: int, table: Scores) -> bool:
    """Return whether no score of a model is on the other side of those of another model."""
    scores, rival = table.blocks[name], table.blocks[model]
    if scores.shape != rival.shape:
        return False
    return bool((side * (scores - rival) >= 0).all() and np.any(scores != rival))
