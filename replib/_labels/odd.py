"""Notes about the odd one out among models: whole numbers beside shares, labels, times."""

from collections.abc import Iterator

import numpy as np

from replib._names.things.nouns import noun_of_name
from replib._validation import Array
from replib.designs import Datasets, Items
from replib.scores import Scores

#: Rows, and different numbers, that show that numbers are labels.
_FEWEST_ROWS = 20
_FEWEST_LABELS = 3
#: Of two others it can be said whether they correlate.
_FEWEST_MODELS = 3
#: Most scores are no whole numbers in the first rows.
_FIRST_ROWS = 5
#: Whole numbers of which half are from here on, up to 100, may be percent: see
#: ``replib._notes.values``.
_LEAST_PERCENT = 10
_MOST_PERCENT = 100
#: Seconds since 1970 from 2000 to 2060; programs count them in thousandths and finer, too.
_UNIX_TIMES = (946_684_800, 2_840_140_800)
_CLOCKS = (1, 10**3, 10**6, 10**9)
#: Scores on the way to such numbers are those of a model that diverged.
_THOUSAND = 1000
#: Correlations in standard errors of one that is zero: those of models on the same items
#: are above the one, and those of something else below the other.
_RELATED = 3.3
_UNRELATED = 2.6


def notes_about_odd_model(model: str, table: Scores) -> Iterator[str]:
    """Note a model whose scores are numbers of another kind than those of all others."""
    scores = table.blocks[model].ravel()
    if _are_whole(scores):
        blocks = [x.ravel() for name, x in table.blocks.items() if name != model]
        if blocks and not any(map(_are_whole, blocks)):
            yield from _odd_whole_numbers(model, scores, blocks)
            return
    if noun_of_name(model, "unrelated") and _is_unrelated(model, table):
        yield f"{model} is called like something about the rows: is it a model?"


def _are_whole(scores: Array) -> bool:
    """Return whether scores are whole numbers that are not only right and wrong."""
    parts = (scores[:_FIRST_ROWS], scores)  # most scores are none in the first rows
    return scores.max() > 1 and not any(np.fmod(x, 1).any() for x in parts)


def _odd_whole_numbers(name: str, scores: Array, blocks: list[Array]) -> Iterator[str]:
    """Note whole numbers that are labels, times, or counts beside shares."""
    low, high = scores.min(), scores.max()
    if _are_unix_times(scores, max(block.max() for block in blocks)):
        yield f"{name} has numbers such as {low:.0f}, as times of machines are: is it a model?"
        return
    if _are_labels(scores):
        yield f"{name} has the whole numbers {low:g} to {high:g}, as labels are: is it a model?"
        return
    are_shares = all(block.min() >= 0 and block.max() <= 1 for block in blocks)
    may_be_percent = high <= _MOST_PERCENT and np.median(scores) >= _LEAST_PERCENT
    if are_shares and low >= 0 and high > 1 and not may_be_percent:
        yield f"{name} has whole numbers beside shares from 0 to 1: is it a model?"


def _are_labels(scores: Array) -> bool:
    """Return whether whole numbers count from 0 or 1, and all occur equally often, or in order.

    >>> _are_labels(np.tile([1, 2, 3, 4], 6)), _are_labels(np.arange(24) // 5)
    (True, True)
    """
    distinct, counts = np.unique(scores, return_counts=True)
    if scores.size < _FEWEST_ROWS or distinct.size < _FEWEST_LABELS:
        return False
    if distinct[0] not in (0, 1) or np.ptp(distinct) != distinct.size - 1:
        return False
    return bool(np.ptp(counts) == 0 or (np.diff(scores) >= 0).all())


def _are_unix_times(scores: Array, highest: float) -> bool:
    """Return whether numbers are times since 1970, and far above the highest of the others.

    >>> _are_unix_times(np.array([1709251200, 1709254800]), 31.5)
    True
    >>> _are_unix_times(np.array([1709251200, 41]), 31.5)
    False
    """
    low, high = scores.min(), scores.max()
    first, last = _UNIX_TIMES
    are_times = any(first * unit <= low and high <= last * unit for unit in _CLOCKS)
    return bool(are_times and low > _THOUSAND * highest)


def _is_unrelated(model: str, table: Scores) -> bool:
    """Return whether a model has nothing to do with the others, which correlate.

    Those that may be no models by their names, either, are not asked.
    """
    if not isinstance(table.design, Items | Datasets):
        return False
    rivals = [
        name
        for name in table.models
        if name == model or not noun_of_name(name, "unrelated")
    ]
    n_units = len(table.units)
    if len(rivals) < _FEWEST_MODELS or n_units < _FEWEST_ROWS:
        return False
    scores = [table.blocks[name].reshape(-1, n_units).mean(axis=0) for name in rivals]
    if min(map(np.ptp, scores)) == 0:
        return False
    index = rivals.index(model)
    correlations = np.sqrt(n_units) * np.corrcoef(scores)
    of_model = np.delete(correlations[index], index)
    of_others = np.delete(np.delete(correlations, index, axis=0), index, axis=1)
    return bool(np.abs(of_model).max() < _UNRELATED and of_others.min() > _RELATED)
