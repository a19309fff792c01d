"""Notes about models that are differences or ranks of others, and about ranks as scores."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations

import numpy as np

from replib._labels.beside import TWICE, is_apart
from replib._names.metrics.directions import direction_of_metric
from replib._names.models.differences import (
    is_difference,
    is_stated_difference,
    ranked_model,
)
from replib._names.things.nouns import has_arms, noun_of_name
from replib._names.words import words_of_column
from replib._numbers import decimals
from replib._validation import Array
from replib.scores import KNOWN, Metric, Scores

#: So few models, or rows, may have scores that look like ranks.
_FEWEST_RANKED = 3
_FEWEST_ROWS_OF_RANKS = 5
#: Fewer rows of ratings or counts may be ranks by chance.
_FEWEST_ROWS_OF_NUMBERS = 8
_SHARE_WITHOUT_TIES = 0.5
#: Means of ranks vary so many times more than their sum.
_CLEARLY = 5
#: Metrics with such a word are ranks themselves, and models with one have them.
_RANKS = {
    *("borda", "finish", "order", "place", "placement", "places", "points", "position"),
    *("preference", "preferences", "rank", "ranked", "ranking", "ranks", "standing"),
}
#: Most pairs of models have another difference in one of these rows.
_FIRST_ROWS = 5
#: Of more models, no change is looked for.
_MOST_MODELS = 100


def notes_about_differences(table: Scores) -> Iterator[str]:
    """Note models that are differences or ranks of others, and rows that have ranks."""
    yield from _differences(table)
    yield from _ranks(table)


def _differences(table: Scores) -> Iterator[str]:
    """Note models that by their names, and perhaps values, are differences or ranks of others."""
    have_one_shape = len({block.shape for block in table.blocks.values()}) == 1
    for model in table.models:
        note = _note_on_difference(model, table, have_one_shape=have_one_shape)
        if note is not None:
            yield note
        ranked = ranked_model(model, table.models)
        if ranked is not None:
            yield f"{model} is by its name the rank of {ranked}: is it a model?"


def _note_on_difference(
    model: str, table: Scores, *, have_one_shape: bool
) -> str | None:
    """Ask about a model that has the differences of two others, or is called after such."""
    other_models = [name for name in table.models if name != model]
    is_stated = is_stated_difference(model, other_models)
    is_called_so = is_stated or is_difference(model)
    if have_one_shape:
        fellows = other_models if is_called_so else _named_others(model, table.models)
        note = _note_on_scores(model, fellows, table, is_called_so=is_called_so)
        if note is not None:
            return note
    is_effect = noun_of_name(model, "arms") is not None and has_arms(table.models)
    is_small = is_called_so and is_apart(model, table, TWICE)
    if is_stated or is_effect or is_small:
        return f"{model} is called like a difference of two models: is it a model?"
    return None


def _note_on_scores(
    model: str, fellows: Sequence[str], table: Scores, *, is_called_so: bool
) -> str | None:
    """Say of which two others the scores of a model are the difference, or the change."""
    pair = None
    if len(fellows) > 1:
        pair = _minuend_and_subtrahend(model, fellows, table)
    if pair is not None:
        minuend, subtrahend = pair
        return (
            f"The scores of {model} are those of {minuend} minus those of {subtrahend}."
        )
    change = _change(model, fellows, table) if is_called_so else None
    if change is None:
        return None
    before, after = change
    return (
        f"The scores of {model} are the relative change from {before} to "
        f"{after}: is it a model?"
    )


def _named_others(model: str, models: Sequence[str]) -> list[str]:
    """Return the other models whose names are in that of a model, such as "svm-nb"."""
    return [name for name in models if name != model and name in model]


def _minuend_and_subtrahend(
    model: str, others: Sequence[str], table: Scores
) -> tuple[str, str] | None:
    """Return two other models of which a model is the difference."""
    difference = table.blocks[model].ravel()
    if np.ptp(difference) == 0:
        return None
    unit = 10.0 ** -decimals(difference)
    scores = {name: table.blocks[name].ravel() for name in others}
    for first, second in _pairs(scores, difference, unit):
        away = scores[first] - scores[second] - difference
        if (np.abs(away) <= unit).all():
            return first, second
    return None


def _pairs(
    scores: Mapping[str, Array], difference: Array, unit: float
) -> Iterator[tuple[str, str]]:
    """Yield the pairs of models that have a difference in their first rows."""
    names = [*scores]
    first_rows = np.stack([x[:_FIRST_ROWS] for x in scores.values()])
    for index, name in enumerate(names):
        away = first_rows[index] - first_rows - difference[:_FIRST_ROWS]
        is_pair = (np.abs(away) <= unit).all(axis=1)
        for fellow in np.flatnonzero(is_pair).tolist():
            if fellow != index:
                yield name, names[fellow]


def _change(model: str, others: Sequence[str], table: Scores) -> tuple[str, str] | None:
    """Return two other models between which a model is the change, as a share or in percent."""
    change = table.blocks[model].ravel()
    blocks = {name: table.blocks[name].ravel() for name in others}
    scores = {name: x for name, x in blocks.items() if x.min() > 0}
    if np.ptp(change) == 0 or not 2 <= len(scores) <= _MOST_MODELS:
        return None
    unit_of_change = 10.0 ** -decimals(change)
    units = {name: 10.0 ** -decimals(x) for name, x in scores.items()}
    for before, after in permutations(scores, 2):
        ratio = scores[after] / scores[before]
        of_rounding = (units[after] + ratio * units[before]) / scores[before]
        for whole in (1, 100):
            away = np.abs(whole * (ratio - 1) - change)
            if (away <= unit_of_change + whole * of_rounding / 2).all():
                return before, after
    return None


def _ranks(table: Scores) -> Iterator[str]:
    """Note that every row has the ranks of the models instead of scores."""
    metric = table.metric
    if _is_of_ranks(metric.name):
        return
    # a metric that is not known may be a rank that people gave
    is_measured = direction_of_metric(metric.name) is not None
    if not is_measured and not all(map(_is_of_ranks, table.models)):
        return
    blocks = [block.ravel() for block in table.blocks.values()]
    if len({block.size for block in blocks}) > 1 or len(blocks) < _FEWEST_RANKED:
        return
    if not _have_ranks(np.stack(blocks).T, metric):
        return
    yield f"All scores are ranks of the models, 1 to {len(blocks)}, not {metric}."


def _have_ranks(rows: Array, metric: Metric) -> bool:
    """Return whether each row has the ranks of the models, of which equal ones share a mean.

    So do the means of ranks: they add up to the same, and are between the first and last.
    """
    is_known_gain = metric.name in KNOWN and metric.better == "higher"
    if len(rows) < (
        _FEWEST_ROWS_OF_RANKS if is_known_gain else _FEWEST_ROWS_OF_NUMBERS
    ):
        return False
    n_models = rows.shape[1]
    away = n_models * 10.0 ** -decimals(rows) if (rows % 0.5).any() else 0.0
    if _CLEARLY * away > rows.std(axis=0).max():
        return False  # scores that hardly vary have one sum, too
    # most scores are no ranks in their first rows
    for some_rows in (rows[:_FEWEST_ROWS_OF_RANKS], rows):
        if some_rows.min() < 1 or some_rows.max() > n_models:
            return False
        from_sum = some_rows.sum(axis=1) - n_models * (n_models + 1) / 2
        if (np.abs(from_sum) > away).any():
            return False
    # three ratings of 2 are ranks of a tie, but no row of 1, 2 and 3
    is_without_ties = np.ptp(rows, axis=1) > 0
    return bool(is_without_ties.mean() >= _SHARE_WITHOUT_TIES)


def _is_of_ranks(name: str) -> bool:
    """Return whether a name has a word for ranks."""
    return not _RANKS.isdisjoint(words_of_column(name))
