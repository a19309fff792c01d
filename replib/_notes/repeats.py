"""Notes about units that occur twice, and about a model that is a rounded copy of another.

Right data may have equal scores, too: only those that are rare by chance are asked about.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replib._labels import UNITS
from replib._labels.stems import FEWEST_COPIES
from replib._labels.texts import labels_of_folds, labels_of_runs, texts_of_key
from replib._names.labels.copies import marked_as_copies
from replib._names.words import plain_words
from replib._notes.coincidences import (
    chance_of_equal_scores,
    chance_of_pair,
    equal_rows,
    step_of,
)
from replib._numbers import decimals
from replib._strata import Strata
from replib._validation import Array, joined, shown
from replib.designs import CV, Datasets, Items
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
#: Two letters are short for anything.
_SHORTEST_ABBREVIATION = 3
#: Equal pairs that are looked at: if many are equal, none is rare.
_MOST_PAIRS = 10
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
    if len({block.shape for block in table.blocks.values()}) > 1:
        return
    if table.strata is not None:
        yield from _tasks_twice(table, table.strata)
        yield from _tasks_of_others(table, table.strata)
    yield from _rounded_copies(table)
    if table.clusters is None and table.strata is None:
        yield from _notes_on_units(table)


def _notes_on_units(table: Scores) -> Iterator[str]:
    """Note units that are given twice, or two that have the same scores."""
    if isinstance(table.design, Items) and not _may_be_twice(table):
        return
    rows = np.stack([*table.blocks.values()]).reshape(len(table.models), -1).T
    if isinstance(table.design, Items):
        yield from _units_twice(rows, "item")
        return
    given_twice = []
    if isinstance(table.design, Datasets):
        given_twice = [*_units_twice(rows, "data set")]
    yield from given_twice or _rows_twice(rows, table)


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
    if _chance_of_equal_units(rows.T, half) < RARE_AMONG_UNITS:
        yield f"The {n} {unit}s are {half} given twice: are they meant to count twice?"


def _chance_of_equal_units(scores: Array, n: int) -> float:
    """Return the probability that n units have the scores of n others, from above.

    Parameters
    ----------
    scores : ndarray, shape (models or runs, units)
        That one counts in which equal scores are rarest.
    n : int
    """
    step = step_of(scores)
    return min(chance_of_equal_scores(row, step) for row in scores) ** n


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
    if not marked or sum(pair.is_sure for pair in marked) >= FEWEST_COPIES:
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
            chance *= chance_of_pair(rows, both, table)
        else:
            chance *= _share_of_equal_pairs(rows)
    n_choices = comb(len(marked), len(copies))
    are_sure = all(pair.is_sure for pair in copies)
    rare = RARE_AMONG_MARKED if are_sure else RARE_AMONG_UNITS
    if n_choices * chance >= rare:
        return
    copy, original, _ = copies[0]
    more = f" ({len(copies)} such pairs)" if len(copies) > 1 else ""
    values = "scores" if isinstance(table, Scores) else "predictions"
    yield (
        f"Items {shown(original)} and {shown(copy)} have the same {values} in every "
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


def _tasks_twice(table: Scores, strata: Strata) -> Iterator[str]:
    """Note two tasks whose items have the same scores, one by one, in every model."""
    runs = np.concatenate([*table.blocks.values()])
    earlier: dict[bytes, str] = {}
    for index, task in enumerate(strata.tasks):
        scores = runs[:, strata.task == index] + 0.0  # -0 becomes 0
        original = earlier.setdefault(scores.tobytes(), task)
        if original == task:
            continue
        if _chance_of_equal_units(scores, scores.shape[1]) < RARE_AMONG_UNITS:
            yield f"Tasks {original} and {task} have the same scores: is one a copy?"


def _tasks_of_others(table: Scores, strata: Strata) -> Iterator[str]:
    """Note a task that has the items of several others again, such as "all"."""
    if len(strata.tasks) <= 2:
        return
    runs = np.concatenate([*table.blocks.values()])
    names = _names_in_tasks(table, strata)
    for index, task in enumerate(strata.tasks):
        is_own = strata.task == index
        own_scores = runs[:, is_own]
        other_scores = runs[:, ~is_own]
        if names is not None:
            other_names = names[~is_own]
            if not other_names.is_unique:
                continue
            places = other_names.get_indexer(names[is_own])
            if places.min() < 0:
                continue
            other_scores = other_scores[:, places]
        if not np.array_equal(own_scores, other_scores):
            continue
        if _chance_of_equal_units(own_scores, own_scores.shape[1]) < RARE_AMONG_UNITS:
            yield (
                f"Task {task} has the items of other tasks again, with their scores: is it a "
                "task of its own?"
            )


def _names_in_tasks(table: Scores, strata: Strata) -> "pd.Index[Any] | None":
    """Return what items are called in their tasks, if a name occurs in several."""
    labels = table.unit_labels
    if not len(labels):
        return None
    starts = [f"{task}/" for task in strata.tasks]
    if not str(labels[0]).startswith(starts[strata.task[0]]):
        return None
    names = [
        str(label).removeprefix(starts[task])
        for label, task in zip(labels, strata.task)
    ]
    return pd.Index(names)


def _rows_twice(rows: Array, table: Scores) -> Iterator[str]:
    """Note two units with the same scores in every model, shape (units, models)."""
    # where all models have the same score, as at a ceiling, no copy can be told
    pairs = [pair for pair in equal_rows(rows) if np.ptp(rows[pair[0]]) > 0]
    if not pairs or len(rows) == 2:
        return
    for pair in pairs[:_MOST_PAIRS]:
        if isinstance(table.design, CV):  # My data asks about no folds, either
            chance = chance_of_pair(rows, pair, table)
        else:
            chance = _chance_of_copy(rows, pair, pairs, table)
        is_alone = _have_one_name(pair, table) and chance < RARE_IN_A_PAIR
        if is_alone or comb(len(rows), 2) * chance < RARE_AMONG_UNITS:
            yield _note_on_rows(pair, table, n_pairs=len(pairs))
            return


def _chance_of_copy(
    rows: Array, pair: tuple[int, int], pairs: Sequence[tuple[int, int]], table: Scores
) -> float:
    """Return the probability that two units are equal, without the copies of any others.

    These would make equal scores look frequent.
    """
    copies = [second for _, second in pairs]
    other_rows = np.delete(rows, [pair[0], *copies], axis=0)
    distinct = np.concatenate([rows[[*pair]], other_rows])
    return chance_of_pair(distinct, (0, 1), table)


def _have_one_name(pair: tuple[int, int], table: Scores) -> bool:
    """Return whether the labels of two data sets may be those of one.

    One has all words of the other, or is short for it.
    """
    if not isinstance(table.design, Datasets):
        return False
    first, second = (plain_words(str(table.units[index])).split() for index in pair)
    if _is_short_for(first, second) or _is_short_for(second, first):
        return True
    words = {*first} - _WORDS_OF_SOURCES
    other_words = {*second} - _WORDS_OF_SOURCES
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


def _note_on_rows(pair: tuple[int, int], table: Scores, n_pairs: int) -> str:
    """Ask whether two units with the same scores are copies."""
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
    folds = labels_of_folds(table)
    names = [folds[row % design.folds] for row in pair]
    if design.runs > 1:
        runs = labels_of_runs(table)
        names = [
            f"{name} of run {runs[row // design.folds]}"
            for name, row in zip(names, pair)
        ]
    return f"Folds {joined(names)}"


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
        half_unit = 0.5 * 10.0 ** -places[coarse] * (1 + 1e-6)  # of the last decimal
        if not _are_within(blocks, coarse, fine, half_unit):
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
