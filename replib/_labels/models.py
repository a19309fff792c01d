"""Notes about models that are statistics of other models, or measures, or not comparable."""

from collections.abc import Collection, Iterable, Iterator, Sequence

import numpy as np

from replib._labels.beside import TWICE, is_apart, is_on_side
from replib._labels.nouns import is_certainty, notes_about_noun
from replib._labels.odd import notes_about_odd_model
from replib._names.labels.quantiles import different_quantiles
from replib._names.labels.statistics import (
    Statistic,
    end_of_interval,
    is_limit,
    statistics_by_name,
)
from replib._names.metrics.mixed_units import different_units
from replib._names.things.descriptions import (
    bounds_of_scale,
    is_upper_bound,
    is_without_name,
)
from replib._names.things.measures import (
    is_measure,
    is_of_measure,
    may_be_measure,
)
from replib._names.things.nouns import noun_of_name
from replib._names.things.runs import are_summarised_differently
from replib._names.words import plain_words
from replib._numbers import decimals
from replib._validation import Array, listed
from replib.scores import Scores

#: Kinds of statistics that are no scores, but of their unit.
_SPREADS = ("other", "uncertainty")
#: Short for a confidence, or for another word; other spreads are words of models, too.
_SHORT_CONFIDENCES = {"conf", "confs"}
_CONFIDENCES = _SHORT_CONFIDENCES | {"confidence", "confidences"}
#: In so many rows the last decimal of rounded scores is not always 0 by chance.
_FEWEST_ROUNDED = 10
#: So many rows are counted by a model only if it counts them.
_FEWEST_COUNTED = 5


def notes_about_names(models: Sequence[str]) -> Iterator[str]:
    """Note models that are none by their names, whatever their scores or predictions."""
    for name in models:
        if is_limit(name):
            yield f"{name} is called like a limit of an interval: is it a model?"
        elif is_without_name(name):
            yield f"{name} is called like a column without a name: is it a model?"
        elif is_upper_bound(name):
            yield f"{name} is called like an upper bound: is it a model?"


def notes_about_models(table: Scores) -> Iterator[str]:
    """Note models that by their names are something else, or differ in unit or summary."""
    statistics = _statistics(table)
    for model, names in statistics.items():
        if len(names) > 1:
            yield f"{listed(names)} are called like statistics of {model}: are they models?"
        else:
            yield f"{listed(names)} is called like a statistic of {model}: is it a model?"
    bounds = bounds_of_scale(table.models)
    if len(bounds) > 1:
        yield f"{listed(bounds)} are called like bounds of the scale: are they models?"
    elif bounds:
        yield f"{listed(bounds)} is called like a bound of the scale: is it a model?"
    known = {name for names in statistics.values() for name in names} | {*bounds}
    for name in table.models:
        if name not in known:
            yield from _notes_on_model(name, table)
    units = different_units(table.models)
    if units is not None:
        yield f"{listed(units)} have different units by their names: are their scores in one?"
    if different_quantiles(table.models):
        yield f"{listed(table.models)} are called like different quantiles: can they be compared?"
    summaries = are_summarised_differently(table.models)
    if summaries is not None:
        yield f"{listed(summaries)} summarise their runs differently: can they be compared?"


def _statistics(table: Scores) -> dict[str, list[str]]:
    """Return by model those that are called like statistics of it, and have their scores."""
    statistics = [*statistics_by_name(table.models)]
    names_of_model: dict[str, list[str]] = {}
    for statistic in statistics:
        if _has_scores_of(statistic, statistics, table):
            names_of_model.setdefault(statistic.model, []).append(statistic.name)
    for model, ends in _ends_by_model(statistics, table).items():
        if len(ends) > 1:
            names_of_model.setdefault(model, [ends[-1], ends[1]])
    return names_of_model


def _has_scores_of(
    statistic: Statistic, statistics: Sequence[Statistic], table: Scores
) -> bool:
    """Return whether a model that is called like a statistic may have its scores."""
    if statistic.kind == "statistic":
        return True
    if statistic.kind == "end":
        return is_on_side(statistic.name, statistic.model, statistic.side, table)
    if statistic.kind in ("other", "property") and (
        _is_beside_answers(statistic, statistics, table)
        or _is_confidence(statistic, table)
    ):
        return True
    if statistic.kind not in _SPREADS:
        return False
    spreads = {spread.name for spread in statistics if spread.kind in _SPREADS}
    if is_apart(statistic.name, table, TWICE, without=spreads):
        return True
    return statistic.kind == "other" and (
        _is_rounded_otherwise(statistic, spreads, table)
        or _are_spreads_of_several(statistic.word, statistics, table)
    )


def _are_spreads_of_several(
    word: str, statistics: Iterable[Statistic], table: Scores
) -> bool:
    """Return whether several models have a spread of this name, by their scores."""
    spreads = [statistic for statistic in statistics if statistic.word == word]
    return len(spreads) > 1 and all(_is_spread(spread, table) for spread in spreads)


def _is_confidence(statistic: Statistic, table: Scores) -> bool:
    """Return whether a name adds a confidence to that of a model, of which there is no variant.

    Among variants, one may be trained or chosen by its confidence, or by an entropy; "conf"
    may be short for another word.
    """
    if statistic.word in _SHORT_CONFIDENCES:
        return False
    if noun_of_name(statistic.word, "noted", "score") != "confidences":
        return False
    pair = (statistic.name, statistic.model)
    others = [name for name in table.models if name not in pair]
    stem = plain_words(statistic.model)
    are_variants = any(plain_words(name).startswith(stem) for name in others)
    if not others or are_variants or any(map(is_certainty, others)):
        return False
    ends = (table.metric.low, table.metric.high)
    return not np.isin(table.blocks[statistic.name], ends).all()


def _is_rounded_otherwise(
    statistic: Statistic, spreads: Collection[str], table: Scores
) -> bool:
    """Return whether a confidence is rounded otherwise than the scores of all models.

    So is that of an engine, in whole percent.
    """
    if statistic.word not in _CONFIDENCES or statistic.model in spreads:
        return False
    blocks = table.blocks
    if blocks[statistic.name].size < _FEWEST_ROUNDED:
        return False
    models = [name for name in blocks if name not in spreads]
    n_decimals = {decimals(blocks[name]) for name in models}
    return len(n_decimals) == 1 and decimals(blocks[statistic.name]) not in n_decimals


def _is_beside_answers(
    statistic: Statistic, statistics: Iterable[Statistic], table: Scores
) -> bool:
    """Return whether scores are other numbers than right and wrong, which all models have."""
    not_models = {candidate.name for candidate in statistics}
    if statistic.model in not_models:
        return False
    ends = (table.metric.low, table.metric.high)
    if np.isin(table.blocks[statistic.name], ends).all():
        return False
    models = table.blocks.keys() - not_models
    return all(np.isin(table.blocks[model], ends).all() for model in models)


def _is_spread(statistic: Statistic, table: Scores) -> bool:
    """Return whether scores may be spreads of those of a model: positive, and smaller."""
    block = table.blocks[statistic.name]
    if block.size < _FEWEST_COUNTED or block.min() < 0:
        return False
    return is_on_side(statistic.name, statistic.model, -1, table)


def _ends_by_model(
    statistics: Iterable[Statistic], table: Scores
) -> dict[str, dict[int, str]]:
    """Return those that are called like ends of a model's interval, and have scores on its sides.

    Their scores are below those of the model on side -1, and above on side 1.
    """
    ends_by_model: dict[str, dict[int, str]] = {}
    pairs = [statistic for statistic in statistics if statistic.kind == "paired end"]
    for name, model, _, side, _ in pairs:
        if is_on_side(name, model, side, table):
            ends_by_model.setdefault(model, {})[side] = name
    for name in table.models:
        side = end_of_interval(name)
        if side == 0:
            continue
        for model in table.models:
            if is_on_side(name, model, side, table):
                ends_by_model.setdefault(model, {}).setdefault(side, name)
    return ends_by_model


def _notes_on_model(name: str, table: Scores) -> Iterator[str]:
    """Note a model that is a limit, a measure, a description of data, or without a name."""
    if is_limit(name) or is_without_name(name) or is_upper_bound(name):
        yield from notes_about_names([name])
    elif _counts_rows(table.blocks[name]):
        yield f"{name} counts the rows: is it a model?"
    elif is_of_measure(table.metric.name, name):
        return
    elif is_measure(name) or _is_lone_measure(name, table):
        yield f"{name} is called like a measure with a unit: is it a model?"
    else:
        about_noun = [*notes_about_noun(name, table)]
        yield from about_noun or notes_about_odd_model(name, table)


def _counts_rows(block: Array) -> bool:
    """Return whether scores are the numbers of their rows, of which there are several."""
    if block.size < _FEWEST_COUNTED:
        return False
    # most scores do not count in their first rows
    for scores in (block.ravel()[:_FEWEST_COUNTED], block.ravel()):
        row_numbers = np.arange(scores.size)
        if not any(np.array_equal(scores, row_numbers + first) for first in (0, 1)):
            return False
    return True


def _is_lone_measure(name: str, table: Scores) -> bool:
    """Return whether a model is called by a unit alone, and no other one: they may be devices."""
    if table.metric.sign < 0 or not may_be_measure(name):
        return False
    other_models = [model for model in table.models if model != name]
    has_other_unit = different_units(table.models) is not None
    return not has_other_unit and not any(map(may_be_measure, other_models))
