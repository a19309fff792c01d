"""Notes about units that occur twice, and about a model that is a rounded copy of another.

Right data may have equal scores, too.  How probable that is, is estimated from above: by
how closely scores lie together, on the steps that they are written in.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replib._labels import UNITS
from replib._labels.stems import FEWEST_WITH_WORD
from replib._labels.texts import labels_of_folds, labels_of_runs, texts_of_key
from replib._names.labels.copies import marked_as_copies
from replib._names.metrics.quantities import quantity_of_metric
from replib._names.words import plain_words
from replib._numbers import decimals
from replib._validation import Array, joined, shown
from replib.designs import CV, Datasets, Items, Seeds
from replib.scores import Predictions, Scores

#: Equal rows, or rounded copies, with a smaller estimated probability are noted.  The
#: rarest equal rows of data sets that were found in 4,000 right tables, simulated ones of
#: eight data sets and two models, have 0.0002: tests/data/false_notes.csv counts them.
RARE_AMONG_UNITS = 0.0001
#: The same for two data sets of which one has all words of the other one's label: few
#: pairs are called so.
RARE_IN_A_PAIR = 0.001
#: The same for items that are called like copies of others, as few are by accident.
RARE_AMONG_MARKED = 0.05
#: Of more items nobody wrote the labels by hand.
_MOST_MARKED = 100_000
#: Where a data set is from, in its label: "Statlog (German Credit)", "uci_adult".
_WORDS_OF_SOURCES = {
    *("data", "dataset", "full", "kaggle", "keel", "libsvm", "new", "of", "old"),
    *("openml", "original", "pmlb", "set", "statlog", "the", "uci", "version"),
}
#: Two seeds have equal scores with at least this probability, whatever their digits: a
#: learner may reach few optima.
LEAST_CHANCE = 0.02
#: Two splits or data sets have equal scores with less, but not with metrics of counts.
LEAST_CHANCE_OF_DATA = 0.0005
#: First words of metrics that have few values on a hundred items.  The steps of accuracies
#: are found.
_METRICS_OF_COUNTS = (
    *("balanced", "cohen", "f1", "jaccard", "matthews", "precision", "recall"),
)
#: What has few values on the few items of a fold, and is no share of these.
_QUANTITIES_OF_COUNTS = {
    *("area under the ROC curve", "correlation", "f beta", "f1", "kappa", "npv"),
    *("intersection over union", "precision", "precision curve", "recall"),
    *("specificity", "youden index"),
}
#: Two folds have equal counts with at least this probability, if the digits do not show
#: how many items are counted.
_LEAST_CHANCE_OF_COUNTS = 0.05
#: Two letters are short for anything.
_SHORTEST_ABBREVIATION = 3
#: Equal pairs that are looked at: if many are equal, none is rare.
_MOST_PAIRS = 10
#: So many scores are at an end of the range: the two of a copied model are no such end.
_FEWEST_AT_END = 3
#: The share of the range of scores within which they are counted as close.
_CLOSE = 0.25
#: Steps of shares are sought up to so many items.
_MOST_ITEMS = 100_000
#: How far a share in full precision is from a fraction of two whole numbers.
_ROUNDING = 1e-12
#: Decimals of scores that were rounded, at most.
_MOST_DECIMALS = 8
#: Of more models, the others hardly change the estimate.
_MOST_MODELS = 10
#: Scores that tell how many decimals a model has.
_FIRST_SCORES = 100
#: Decimals of a model that is a copy: whole numbers may be classes.
_FEWEST_DECIMALS = 1


def notes_about_repeats(table: Scores) -> Iterator[str]:
    """Note units that are copies of each other in all models, and rounded copies of models.

    Parameters
    ----------
    table : Scores

    Yields
    ------
    str
    """
    shapes = {block.shape for block in table.blocks.values()}
    if len(shapes) == 1 and table.strata is not None:
        yield from _tasks_twice(table)
        yield from _tasks_of_others(table)
    if len(shapes) == 1:
        yield from _rounded_copies(table)
    if len(shapes) > 1 or table.clusters is not None or table.strata is not None:
        return
    if isinstance(table.design, Items) and not _may_be_twice(table):
        return
    rows = np.stack([*table.blocks.values()]).reshape(len(table.models), -1).T
    if isinstance(table.design, Items):
        yield from _units_twice(rows, "item")
    elif isinstance(table.design, Datasets) and any(_units_twice(rows, "data set")):
        yield from _units_twice(rows, "data set")
    else:
        yield from _rows_twice(rows, table)


def _may_be_twice(table: Scores) -> bool:
    """Return whether the first scores of a model are given twice; a million are not copied."""
    first = table.blocks[table.models[0]][0]
    half = first.size // 2
    n = min(half, _FIRST_SCORES)
    is_tiled = np.array_equal(first[:n], first[half : half + n])
    return is_tiled or np.array_equal(first[: 2 * n : 2], first[1 : 2 * n : 2])


# ---------------------------------------------------------------- units


def _units_twice(rows: Array, unit: str) -> Iterator[str]:
    """Note items or data sets, shape (units, models or runs), of which the half is given again."""
    n = len(rows)
    half = n // 2
    if n % 2:
        return
    is_tiled = np.array_equal(rows[:half], rows[half:])
    if not is_tiled and not np.array_equal(rows[::2], rows[1::2]):
        return
    # that a unit has the score of another, of the model in which this is rarest
    chance = min(chance_of_equal_scores(column, step_of(rows)) for column in rows.T)
    if chance**half < RARE_AMONG_UNITS:
        yield f"The {n} {unit}s are {half} given twice: are they meant to count twice?"


def notes_about_marked_items(table: Scores | Predictions) -> Iterator[str]:
    """Note items that are called like copies of others, and have their scores.

    Parameters
    ----------
    table : Scores or Predictions

    Yields
    ------
    str
    """
    if not isinstance(table.design, Items) or len(table.unit_labels) > _MOST_MARKED:
        return
    marked = marked_as_copies(texts_of_key(table, "item"))
    if not marked or sum(pair.is_sure for pair in marked) >= FEWEST_WITH_WORD:
        return  # where there are more, their labels alone are asked about
    rows = _rows_of_items(table)
    places = {label: place for place, label in enumerate(table.unit_labels)}
    copies = []
    chance = 1.0
    for pair in marked:
        both = (places[pair.original], places[pair.copy])
        if not np.array_equal(*rows[[*both]]):
            continue
        copies.append(pair)
        if isinstance(table, Scores):
            chance *= _chance_of_pair(rows, both, table)
        else:
            chance *= _share_of_equal_pairs(rows)
    n_choices = comb(len(marked), len(copies))
    are_sure = all(pair.is_sure for pair in copies)
    if n_choices * chance >= (RARE_AMONG_MARKED if are_sure else RARE_AMONG_UNITS):
        return
    copy, original, _ = copies[0]
    more = f" ({len(copies)} such pairs)" if len(copies) > 1 else ""
    had = "scores" if isinstance(table, Scores) else "predictions"
    yield (
        f"Items {shown(original)} and {shown(copy)} have the same {had} in every "
        f"model{more}: is one a copy?"
    )


def _rows_of_items(table: Scores | Predictions) -> Array:
    """Return the scores of each item in all runs, or codes of its truth and predictions."""
    if isinstance(table, Scores):
        return np.concatenate([*table.blocks.values()]).T
    columns = [table.truth, *(x for block in table.predicted.values() for x in block)]
    return np.stack([pd.factorize(column)[0] for column in columns], axis=1) * 1.0


def _share_of_equal_pairs(rows: Array) -> float:
    """Return the share of pairs of equal rows, from above: one is that which is looked at."""
    _, counts = np.unique(rows, axis=0, return_counts=True)
    return float((1 + (counts * (counts - 1) // 2).sum()) / (1 + comb(len(rows), 2)))


def _tasks_twice(table: Scores) -> Iterator[str]:
    """Note two tasks whose items have the same scores, one by one, in every model."""
    if table.strata is None:
        return
    rows = np.stack([*table.blocks.values()]).reshape(-1, len(table.units))
    earlier: dict[bytes, str] = {}
    for index, task in enumerate(table.strata.tasks):
        of_task = rows[:, table.strata.task == index] + 0.0  # -0 becomes 0
        original = earlier.setdefault(of_task.tobytes(), task)
        chance = min(chance_of_equal_scores(x, step_of(of_task)) for x in of_task)
        if original != task and chance ** of_task.shape[1] < RARE_AMONG_UNITS:
            yield f"Tasks {original} and {task} have the same scores: is one a copy?"


def _tasks_of_others(table: Scores) -> Iterator[str]:
    """Note a task that has the items of several others again, such as "all"."""
    strata = table.strata
    if strata is None or len(strata.tasks) <= 2:
        return
    rows = np.stack([*table.blocks.values()]).reshape(-1, strata.task.size)
    names = _names_in_tasks(table)
    for index, task in enumerate(strata.tasks):
        is_own = strata.task == index
        own_rows, other_rows = rows[:, is_own], rows[:, ~is_own]
        if names is not None:
            ids = names[~is_own]
            places = ids.get_indexer(names[is_own]) if ids.is_unique else np.array([-1])
            if places.min() < 0:
                continue
            other_rows = other_rows[:, places]
        if not np.array_equal(own_rows, other_rows):
            continue
        chance = min(chance_of_equal_scores(x, step_of(own_rows)) for x in own_rows)
        if chance ** own_rows.shape[1] < RARE_AMONG_UNITS:
            yield (
                f"Task {task} has the items of other tasks again, with their scores: is it a "
                "task of its own?"
            )


def _names_in_tasks(table: Scores) -> "pd.Index[Any] | None":
    """Return what items are called in their tasks, if a name occurs in several."""
    strata, labels = table.strata, table.unit_labels
    if strata is None or not len(labels):
        return None
    starts = [f"{task}/" for task in strata.tasks]
    if not str(labels[0]).startswith(starts[strata.task[0]]):
        return None
    return pd.Index(
        [
            str(label).removeprefix(starts[task])
            for label, task in zip(labels, strata.task)
        ]
    )


def _rows_twice(rows: Array, table: Scores) -> Iterator[str]:
    """Note two units with the same scores in every model, shape (units, models)."""
    # where all models have the same score, as at a ceiling, no copy can be told
    pairs = [pair for pair in _equal_rows(rows) if np.ptp(rows[pair[0]]) > 0]
    if not pairs or len(rows) == 2:
        return
    for pair in pairs[:_MOST_PAIRS]:
        chance = _chance_of_pair(rows, pair, table)
        is_alone = _have_one_name(pair, table) and chance < RARE_IN_A_PAIR
        if is_alone or comb(len(rows), 2) * chance < RARE_AMONG_UNITS:
            yield _note_on_rows(pair, table, n_pairs=len(pairs))
            return


def _have_one_name(pair: tuple[int, int], table: Scores) -> bool:
    """Return whether the labels of two data sets may be those of one.

    One has all words of the other, or is short for it.
    """
    if not isinstance(table.design, Datasets):
        return False
    first, second = (plain_words(str(table.units[index])).split() for index in pair)
    if _is_short_for(first, second) or _is_short_for(second, first):
        return True
    words, other_words = {*first} - _WORDS_OF_SOURCES, {*second} - _WORDS_OF_SOURCES
    shared = words & other_words
    has_all = shared in (words, other_words)
    return has_all and any(word.isalpha() and len(word) > 2 for word in shared)


def _is_short_for(label: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether a label of one word is made of the beginnings of several.

    >>> _is_short_for(["umcu"], ["umc", "utrecht"]), _is_short_for(["iris"], ["ionosphere"])
    (True, False)
    """
    if len(label) != 1 or len(words) < 2 or len(label[0]) < _SHORTEST_ABBREVIATION:
        return False
    return _is_of_beginnings(label[0], words)


def _is_of_beginnings(letters: str, words: Sequence[str]) -> bool:
    """Return whether letters are one or more of the first of each word, one after the other."""
    if not words:
        return not letters
    word, *other_words = words
    return any(
        word.startswith(letters[:n]) and _is_of_beginnings(letters[n:], other_words)
        for n in range(1, len(letters) + 1)
    )


def _least_chance(table: Scores, scores: Array) -> float:
    """Return the probability that two units have these scores, whatever their digits."""
    design, name = table.design, table.metric.name
    is_of_counts = name.startswith(_METRICS_OF_COUNTS)
    if isinstance(design, CV):
        quantity = quantity_of_metric(name)
        # folds of groups are of any size, so that shares of them have no common step
        if is_of_counts or design.groups or quantity in _QUANTITIES_OF_COUNTS:
            return _chance_of_counts(scores, is_fraction=quantity != "correlation")
        return LEAST_CHANCE_OF_DATA
    if isinstance(design, Seeds) or is_of_counts:
        return LEAST_CHANCE
    return LEAST_CHANCE_OF_DATA


def _chance_of_counts(scores: Array, *, is_fraction: bool) -> float:
    """Return the probability that two folds have these scores, which are made of counts.

    A fraction in full precision shows how many values it could have: of the pairs of a
    count of hits and one of misses, about as many are probable as the root of its
    denominator says.
    """
    is_rounded = not scores.size or decimals(scores) <= _MOST_DECIMALS
    if is_rounded or not is_fraction:
        return _LEAST_CHANCE_OF_COUNTS
    unit = 100.0 if np.abs(scores).max() > 1 else 1.0
    least = min(_denominator(float(score) / unit) for score in scores)
    return max(LEAST_CHANCE_OF_DATA, least**-0.5)


def _denominator(share: float) -> int:
    """Return the least denominator of a fraction, or the largest that is tried.

    >>> _denominator(14 / 21)
    3
    """
    n_items = np.arange(1, _MOST_ITEMS)
    away = np.abs(share - np.rint(share * n_items) / n_items)
    fitting = n_items[away <= _ROUNDING]
    return int(fitting[0]) if fitting.size else _MOST_ITEMS


def _chance_of_pair(rows: Array, pair: tuple[int, int], table: Scores) -> float:
    """Return the probability that these two units are equal, from above.

    Scores at an end of the range do not count: many a data set is solved by all models.
    """
    other_rows = np.delete(rows, pair, axis=0)
    ends = {table.metric.low, table.metric.high, other_rows.min(), other_rows.max()}
    ends |= {x for x in (rows.min(), rows.max()) if (rows == x).sum() >= _FEWEST_AT_END}
    is_inside = ~np.isin(rows[pair[0]], [*ends])
    rows = rows[:, is_inside]
    if not rows.size:
        return 1.0
    return _chance_of_equal_rows(
        rows, _step(rows, table), _least_chance(table, rows[pair[0]])
    )


def _step(rows: Array, table: Scores) -> float:
    """Return the step of scores, of which folds have as many items as others, or one more."""
    return step_of(rows, n_sizes=2 if isinstance(table.design, CV) else 1)


def _note_on_rows(pair: tuple[int, int], table: Scores, n_pairs: int) -> str:
    more = f" ({n_pairs} such pairs)" if n_pairs > 1 else ""
    return (
        f"{_names_of_rows(pair, table)} have the same scores in every model{more}: is one "
        "a copy?"
    )


def _names_of_rows(pair: tuple[int, int], table: Scores) -> str:
    """Name two units: "Folds 2 and 3", "Folds 2 of run 1 and 4 of run 3"."""
    design = table.design
    if not isinstance(design, CV):
        unit = UNITS[type(design)].capitalize()
        labels = [*map(shown, table.units)] or labels_of_runs(table)
        return f"{unit}s {joined([labels[row] for row in pair])}"
    runs, folds = labels_of_runs(table), labels_of_folds(table)
    names = [folds[row % design.folds] for row in pair]
    if design.runs > 1:
        names = [
            f"{name} of run {runs[row // design.folds]}"
            for name, row in zip(names, pair)
        ]
    return f"Folds {joined(names)}"


def _equal_rows(rows: Array) -> list[tuple[int, int]]:
    """Return the indices of each row that has occurred, and of its first occurrence."""
    earlier: dict[bytes, int] = {}
    pairs = []
    for index, row in enumerate(rows + 0.0):  # -0 becomes 0
        same = earlier.setdefault(row.tobytes(), index)
        if same != index:
            pairs.append((same, index))
    return pairs


def _chance_of_equal_rows(rows: Array, step: float, floor: float) -> float:
    """Return the probability that two units are equal in all models, from above.

    Where one model has equal scores, another has if the difference of the two models is
    the same; of the earlier models, that one counts which makes it most probable.
    """
    chance = _chance_in_steps(rows, step, floor)
    if rows.min() > 0:
        # errors in the units of many data sets have as many digits each, in their order
        # of magnitude; scores of one order have the same chance again
        logarithms = _chance_in_steps(np.log(rows), _relative_step(rows), floor)
        chance = max(chance, logarithms)
    return chance


def _chance_in_steps(rows: Array, step: float, floor: float) -> float:
    """Return the probability that two rows of multiples of a step are equal, from above."""
    chance = 1.0
    columns = rows.T[:_MOST_MODELS]
    for number, column in enumerate(columns):
        earlier = [column - other_column for other_column in columns[:number]]
        chance *= max(
            floor, *(chance_of_equal_scores(x, step) for x in earlier or [column])
        )
    return chance


def _relative_step(scores: Array) -> float:
    """Return the mean size of a unit of the last significant digit, of positive scores.

    >>> round(_relative_step(np.array([0.0125, 125])), 3)
    0.008
    """
    magnitudes = 10.0 ** np.floor(np.log10(scores) + _ROUNDING)
    unit = 10.0 ** -decimals(scores / magnitudes)
    return float(np.mean(unit * magnitudes / scores))


def chance_of_equal_scores(scores: Array, step: float) -> float:
    """Return the probability that two scores are equal, from above.

    Pairs of scores that lie close together are counted, and of these, as many are equal as
    there are equal steps within that distance.  One equal pair is that which is looked at.

    Parameters
    ----------
    scores : ndarray
    step : float
        Of which all differences are multiples, as :func:`step_of` finds it.

    Returns
    -------
    float

    Examples
    --------
    >>> scores = np.array([0.81, 0.84, 0.84, 0.79, 0.87])
    >>> round(chance_of_equal_scores(scores, step_of(scores)), 3)
    0.078
    """
    in_order = np.sort(scores.ravel())
    n_pairs = comb(in_order.size, 2)
    distance = _CLOSE * (in_order[-1] - in_order[0])
    share_of_equal = step / (2 * distance + step) if distance else 1.0
    if distance < step:
        # too few steps for an estimate: the equal ones are counted
        distance = step / 2
        share_of_equal = 1.0
    n_close = _pairs_within(in_order, distance)
    by_closeness = (1 + n_close) / (1 + n_pairs) * share_of_equal
    n_others = _pairs_within(in_order, step / 2) - 1
    return float(min(1.0, max(by_closeness, n_others / max(1, n_pairs))))


def _pairs_within(in_order: Array, distance: float) -> int:
    """Return how many pairs of sorted numbers differ by at most this."""
    ends = np.searchsorted(in_order, in_order + distance, side="right")
    return int((ends - np.arange(in_order.size) - 1).sum())


def step_of(scores: Array, *, n_sizes: int = 1) -> float:
    """Return the largest step of which scores can be multiples, 0 if there is none.

    Parameters
    ----------
    scores : ndarray
        Of all models.
    n_sizes : int
        Shares may be those of so many sizes of a test set that follow each other: of
        103 items, five folds have 20 or 21.

    Returns
    -------
    float

    Examples
    --------
    Three digits of shares of 57 items are multiples of 1/57:

    >>> round(1 / step_of(np.array([40, 43, 44, 45, 47, 51]) / 57))
    57
    >>> round(1 / step_of((np.array([40, 43, 44, 45, 47, 51]) / 57).round(3)))
    57
    >>> round(1 / step_of(np.array([16 / 20, 18 / 20, 17 / 21, 19 / 21]), n_sizes=2))
    20
    """
    distinct = np.unique(scores)
    places = decimals(distinct)
    is_rounded = places <= _MOST_DECIMALS
    rounding = 0.5 * 10.0**-places if is_rounded else _ROUNDING
    step = 0.0
    if is_rounded:
        whole = np.rint(distinct * 10.0**places).astype(np.int64)
        step = float(np.gcd.reduce(whole - whole[0])) / 10.0**places
    unit = 100.0 if distinct[-1] > 1 else 1.0
    if distinct[0] < 0 or distinct[-1] > unit:
        return step  # no shares
    n_items = np.arange(1, min(_MOST_ITEMS, unit / step if step else np.inf))
    for share in distinct / unit:
        is_share = np.zeros(n_items.shape, dtype=bool)
        for size in (n_items + more for more in range(n_sizes)):
            away = np.abs(share - np.rint(share * size) / size)
            is_share |= away <= 1.001 * rounding / unit
        n_items = n_items[is_share]
    return unit / n_items[0] if n_items.size else step


# ---------------------------------------------------------------- models


def _rounded_copies(table: Scores) -> Iterator[str]:
    """Note a model that has the scores of another with fewer digits."""
    blocks = {model: block.ravel() for model, block in table.blocks.items()}
    places = {model: decimals(x[:_FIRST_SCORES]) for model, x in blocks.items()}
    if len({n for n in places.values() if n >= _FEWEST_DECIMALS}) < 2:
        return  # as in most tables, in which all scores are rounded alike
    n_pairs = comb(len(blocks), 2)
    for pair in combinations(blocks, 2):
        coarse, fine = sorted(pair, key=lambda model: places[model])
        if not _FEWEST_DECIMALS <= places[coarse] < places[fine]:
            continue
        half = 0.5 * 10.0 ** -places[coarse] * (1 + 1e-6)
        if not _are_within(blocks, coarse, fine, half):
            continue
        chance = chance_of_equal_scores(blocks[coarse], step_of(blocks[coarse]))
        if n_pairs * chance ** blocks[coarse].size < RARE_AMONG_UNITS:
            yield f"{coarse} has the scores of {fine}, rounded: is it a copy?"


def _are_within(
    blocks: Mapping[str, NDArray[Any]], first: str, second: str, distance: float
) -> bool:
    """Return whether all scores of two models differ by at most this; few are tried before."""
    for part in (slice(_FIRST_SCORES), slice(None)):
        difference = blocks[first][part] - blocks[second][part]
        if not (np.abs(difference) <= distance).all():
            return False
    return True
