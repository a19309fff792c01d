"""Notes about scores that a metric of their name cannot have, though no range was declared.

"recall@100" is a recall, so it is not below 0, and lies between 0 and 1 or in percent.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from replib._names.metrics.definitions import (
    definition_of_metric,
    has_classes,
    is_never_negative,
    is_share,
)
from replib._names.metrics.directions import is_turned, negated_loss
from replib._names.metrics.named import metric_at_end, named_metric
from replib._names.metrics.quantities import quantity_of_metric
from replib._validation import Array
from replib.scores import Metric, Predictions, Scores

#: What is lost, with either sign.
_LOST = {"amount lost", "drawdown"}
_OPPOSITE = {"above": "below", "below": "above"}
#: Different fractions that show that the scores of a model are fractions.
_FEWEST_FRACTIONS = 4
#: More than this share of the scores are fractions if the scores are none of percent.
_SHARE_OF_FRACTIONS = 0.6
#: A score that is 1 may be larger by rounding.
_ROUNDED = 1.001
#: A chance that is written as a fraction is not farther above the scores, in percent.
_MOST_BELOW_CHANCE = 1.1
#: An accuracy in percent has a chance of 0.1 with a thousand classes; as a fraction, 0.25
#: and more is that of so few.
_FEW_CLASSES = 4


def notes_about_ranges(table: Scores | Predictions) -> Iterator[str]:
    """Note a score below 0, above 100 percent, or counts among fractions.

    >>> from replib.readers import from_arrays
    >>> scores = {"net": [0.4, 0.5, -1, 0.45], "knn": [0.3, 0.31, 0.35, 0.32]}
    >>> metric = Metric("recall@100", better="higher")
    >>> list(notes_about_ranges(from_arrays(scores, design="seeds", metric=metric)))
    ['Score -1 of net is below 0, which recall@100 never is: is it a code, or another metric?']
    """
    if isinstance(table, Predictions):
        return
    metric = table.metric
    if is_turned(metric.name):
        yield from _negated_above_zero(table)
        return
    yield from _losses_with_another_sign(table)
    if metric.low == -np.inf and is_never_negative(metric.name):
        yield from _below_zero(table)
    if metric.low <= 0:
        yield from _below_lowest(table)
    if metric.high == np.inf and is_share(metric.name):
        yield from _beyond_percent(table)
    elif metric.high == np.inf:
        yield from _above_highest(table)


def _below_zero(table: Scores) -> Iterator[str]:
    """Note the first model that has a score below 0, or that all are."""
    if all(block.max() < 0 for block in table.blocks.values()):
        yield (
            f"All scores are below 0, which {table.metric} never is: was the sign "
            "turned, so that higher is better?"
        )
        return
    for model, block in table.blocks.items():
        lowest = block.min()
        if lowest < 0:
            yield _note_on_score(lowest, model, "below 0", table.metric)
            return


def _negated_above_zero(table: Scores) -> Iterator[str]:
    """Note the first model that has a score above 0 of an error with its sign turned."""
    metric = table.metric
    error = negated_loss(metric.name)
    if error is None or metric.high < np.inf or not is_never_negative(error):
        return
    if all(block.min() > 0 for block in table.blocks.values()):
        yield (
            f"All scores are above 0, which {metric} never is: is the sign as it was, so "
            "that lower is better?"
        )
        return
    for model, block in table.blocks.items():
        highest = block.max()
        if highest > 0:
            yield (
                f"Score {highest:g} of {model} is above 0, which {metric} never is: was "
                "its sign not turned?"
            )
            return


def _below_lowest(table: Scores) -> Iterator[str]:
    """Note the first model below the lowest score of its metric, if this is above 0.

    A perplexity of 0.7 may be its logarithm.
    """
    name = table.metric.name
    named = metric_at_end(name)
    if named is None or named.low <= 0 or not definition_of_metric(name).is_whole:
        return
    for model, block in table.blocks.items():
        lowest = block.min()
        if 0 <= lowest * _ROUNDED < named.low:
            yield _note_on_score(lowest, model, f"below {named.low:g}", table.metric)
            return


def _losses_with_another_sign(table: Scores) -> Iterator[str]:
    """Note drawdowns, or other amounts that are lost, of which the largest would be best.

    They are written with a minus in some tables, and without in others.
    """
    metric = table.metric
    if quantity_of_metric(metric.name) not in _LOST:
        return
    scores = np.concatenate([block.ravel() for block in table.blocks.values()])
    if not scores.any() or (metric.sign * scores < 0).any():
        return
    side = "above" if metric.better == "higher" else "below"
    right = "lower" if metric.better == "higher" else "higher"
    yield (
        f"No {metric} is {_OPPOSITE[side]} 0, and better={metric.better!r} prefers those "
        f"that are farthest {side} it: is it better {right}?"
    )


def _beyond_percent(table: Scores) -> Iterator[str]:
    """Note the first model whose scores are above 100, or counts beside fractions."""
    blocks = table.blocks
    highest = {model: float(block.max()) for model, block in blocks.items()}
    if max(highest.values()) <= 1:
        return
    have_fractions = any(map(_are_fractions, blocks.values()))
    for model, block in blocks.items():
        if highest[model] > 100 or (have_fractions and _are_counts(block)):
            yield (
                f"Score {highest[model]:g} of {model} is no {table.metric}, which is a "
                "fraction or in percent: is it a model?"
            )
            return


def _above_highest(table: Scores) -> Iterator[str]:
    """Note the first model with a score above the highest of its metric, such as an NSE of 1.4.

    If most scores are no fractions, they may be in percent.
    """
    named = named_metric(table.metric.name)
    if named is None or not 0 < named.high < np.inf:
        return
    scores = np.concatenate([block.ravel() for block in table.blocks.values()])
    if named.high == 1 and np.mean(np.abs(scores) <= 1) <= _SHARE_OF_FRACTIONS:
        return
    for model, block in table.blocks.items():
        highest = block.max()
        if highest > named.high * _ROUNDED:
            yield _note_on_score(highest, model, f"above {named.high:g}", table.metric)
            return


def _note_on_score(score: float, model: str, where: str, metric: Metric) -> str:
    return (
        f"Score {score:g} of {model} is {where}, which {metric} never is: is it a code, "
        "or another metric?"
    )


def _are_fractions(block: Array) -> bool:
    """Return whether all scores lie between 0 and 1, and some are neither."""
    if block.min() < 0 or block.max() > 1:
        return False
    between = block[(block > 0) & (block < 1)]
    return np.unique(between).size >= _FEWEST_FRACTIONS


def _are_counts(block: Array) -> bool:
    """Return whether all scores are whole numbers, and most are above 1."""
    return bool((block % 1 == 0).all() and np.median(block) > 1)


def notes_about_chance(
    chance: float, means: Mapping[str, float], metric: Metric
) -> Iterator[str]:
    """Note a chance that is a fraction where scores are in percent, or the reverse.

    >>> metric = Metric("accuracy", high=100)
    >>> list(notes_about_chance(0.5, {"net": 81.2}, metric))
    ['chance is 0.5, and accuracy goes up to 100: is it the fraction 0.5, that is 50?']
    >>> list(notes_about_chance(0.5, {"net": 7.3}, metric))  # of 200 classes
    []
    """
    is_open_share = metric.high == np.inf and is_share(metric.name)
    lowest, highest = min(means.values()), max(means.values())
    is_declared = (metric.low, metric.high) == (0, 100)
    is_percent = is_declared or (is_open_share and highest > 1)
    least = 1 / _FEW_CLASSES if has_classes(metric.name) else 0
    may_be_fraction = least <= chance < 1 and chance > 0
    if is_percent and may_be_fraction and 100 * chance <= _MOST_BELOW_CHANCE * lowest:
        yield (
            f"chance is {chance:g}, and {metric} goes up to 100: is it the fraction "
            f"{chance:g}, that is {100 * chance:g}?"
        )
    if is_open_share and 1 < chance <= 100 and highest <= 1 and lowest >= 0:
        yield (
            f"chance is {chance:g}, and {metric} is a fraction in all models: is it in "
            f"percent, that is {chance / 100:g}?"
        )
