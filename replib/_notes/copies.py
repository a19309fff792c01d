"""Copies of runs and of models: refused if all models have them, otherwise noted.

Equal scores are taken for copies if right data have them with a probability below
:data:`RARE`.  The probability is estimated from above: m equal pairs of n count as
(1 + m) / (1 + n), and other runs, or models, may be as similar as :data:`OWN_VARIANCE`
says.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from math import comb, lgamma, log
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replib._labels import UNITS
from replib._labels.texts import labels_of_runs
from replib._names.models.learners import is_constant, is_deterministic, may_be_settings
from replib._notes.coincidences import (
    LEAST_CHANCE,
    chance_of_equal_scores,
    equal_rows,
    step_of,
)
from replib._validation import Array, abridged, told_apart
from replib.designs import CV, Datasets, Design, Items, RandomSplits, Seeds
from replib.scores import Predictions, Scores

#: Equal scores with a smaller estimated probability are copies.  The estimate is so high
#: that five copies of a run of two folds have 0.0019, and right data draw a note in fewer
#: than one table in a thousand: tests/data/false_notes.csv counts them.
RARE = 0.002
#: The same for two runs of a single model, of which there are many.  The rarest that was
#: found in 8,000 right tables, two runs of 57 instances, has 0.000005.
RARE_IN_A_MODEL = 0.000001
#: Models, or runs of a model, that are no copies have at least this part of the variance
#: of their scores for themselves: the most similar ones in that simulation correlate by
#: 0.95.
OWN_VARIANCE = 0.05
#: Runs that are compared with each other, one by one.
_MOST_RUNS = 1000
#: Scores that tell most models apart.
_FIRST_SCORES = 1000


def notes_about_copies(table: Scores | Predictions) -> Iterator[str]:
    """Note models that are copies of each other, or whose runs are.

    Parameters
    ----------
    table : Scores or Predictions

    Yields
    ------
    str

    Raises
    ------
    ValueError
        If the runs, splits or seeds of all models are copies.
    """
    yield from _equal_files(table.origin)
    if isinstance(table, Predictions) and not _may_have_copies(table.predicted):
        return
    blocks = _runs_of_models(table)
    _refuse_copies(blocks, table)
    if isinstance(table.design, Seeds):
        yield from _equal_seeds(blocks)
    elif isinstance(table.design, CV | Items):
        yield from _repeated_runs(blocks, table.design)
    if isinstance(table.design, CV | Items):
        yield from _runs_twice(blocks, table)
    elif isinstance(table.design, RandomSplits | Seeds):
        yield from _series_twice(blocks, table)
    yield from _equal_models(blocks, table)
    if _has_unordered_seeds(table):
        yield from _seeds_in_another_order(blocks)


def _equal_files(digests: Mapping[str, str]) -> Iterator[str]:
    """Note two files that are equal, byte by byte."""
    first_path: dict[str, str] = {}
    for path, digest in digests.items():
        original = first_path.setdefault(digest, path)
        if original != path:
            first, second = told_apart(original, path)
            yield f"Files {first} and {second} are equal: is one a copy?"
            return


def _may_have_copies(predicted: dict[str, NDArray[Any]]) -> bool:
    """Return whether there are several runs, or two models with the same predictions.

    Otherwise there is nothing to note, and no need to code a million predictions.
    """
    blocks = predicted.values()
    if any(block.dtype.kind not in "biuf" or len(block) > 1 for block in blocks):
        return True
    distinct = {(block + 0).tobytes() for block in blocks}  # -0 becomes 0
    return len(distinct) < len(predicted)


def _runs_of_models(table: Scores | Predictions) -> dict[str, NDArray[Any]]:
    """Return scores, or codes of wrong predictions and 0 for right ones, shape (runs, units)."""
    if isinstance(table, Predictions):
        return _codes_of_wrong(table)
    shape = {Seeds: (-1, 1), Datasets: (1, -1)}.get(type(table.design))
    return {
        model: block.reshape(shape) if shape else block
        for model, block in table.blocks.items()
    }


def _codes_of_wrong(table: Predictions) -> dict[str, NDArray[np.int64]]:
    """Return a code for each wrong prediction.

    Models agree by being right, so all right predictions have the code 0.
    """
    blocks = table.predicted
    wrong = {model: block != table.truth for model, block in blocks.items()}
    answers = [block[wrong[model]] for model, block in blocks.items()]
    numbers = 1 + pd.factorize(np.concatenate(answers))[0]
    ends = np.cumsum([len(of_model) for of_model in answers])
    codes = {}
    for (model, is_wrong), of_model in zip(wrong.items(), np.split(numbers, ends[:-1])):
        codes[model] = np.zeros(is_wrong.shape, np.int64)
        codes[model][is_wrong] = of_model
    return codes


def chance_of_equality(*blocks: NDArray[Any]) -> float:
    """Return the probability that two runs have the same score on a unit, from above.

    Parameters
    ----------
    *blocks : ndarray, shape (runs, units)

    Returns
    -------
    float

    Examples
    --------
    One of six pairs of scores is equal:

    >>> chance_of_equality(np.array([[0.8], [0.9], [0.8], [0.7]])) == (1 + 1) / (1 + 6)
    True
    """
    n_equal = 0
    n_pairs = 0
    for block in blocks:
        in_order = np.sort(block, axis=0)
        rank = np.arange(len(block))[:, None]
        is_new = np.ones(block.shape, dtype=bool)
        is_new[1:] = in_order[1:] != in_order[:-1]
        # a score makes a pair with each equal one that is before it in order
        first_equal = np.maximum.accumulate(np.where(is_new, rank, 0), axis=0)
        n_equal += int((rank - first_equal).sum())
        n_pairs += comb(len(block), 2) * block.shape[1]
    return (1 + n_equal) / (1 + n_pairs)


def _chance_among_units(block: NDArray[Any]) -> float:
    """Return the probability that two units of a model have the same score, from above."""
    return chance_of_equality(block.reshape(-1, 1))


# ------------------------------------------------------------- copies in all models


def _refuse_copies(
    blocks: dict[str, NDArray[Any]], table: Scores | Predictions
) -> None:
    """Refuse runs, splits or seeds that are copies in every model."""
    design = table.design
    if isinstance(design, CV):
        _refuse_equal_runs(np.stack([*blocks.values()], axis=1), table)
    if isinstance(design, Seeds | Items):
        _refuse_repeated_runs(blocks, design)
    same_shape = len({block.shape for block in blocks.values()}) == 1
    if isinstance(design, CV | RandomSplits | Seeds) and same_shape:
        columns = np.stack([block.ravel() for block in blocks.values()])
        _refuse_repeated_columns(columns, UNITS[type(design)])


def _refuse_equal_runs(runs: Array, table: Scores | Predictions) -> None:
    """Refuse two equal runs of cross-validation, shape (runs, models, folds)."""
    n_runs, _, n_folds = runs.shape
    chance = min(_chance_among_units(model) for model in runs.swapaxes(0, 1))
    if comb(n_runs, 2) * chance**n_folds >= RARE:
        return
    pair = next(equal_rows(runs), None)
    if pair is not None:
        first, second = (labels_of_runs(table)[run] for run in pair)
        raise ValueError(
            f"runs {first} and {second} have the same scores in every model: "
            "shuffle the splits with another seed in each run"
        )


def _refuse_repeated_columns(columns: Array, unit: str) -> None:
    """Refuse splits or seeds, shape (models, n), that are several copies of fewer."""
    n_models, n = columns.shape
    chance = min(_chance_among_units(model) for model in columns)
    for n_copies in range(2, n // 2 + 1):
        n_distinct, rest = divmod(n, n_copies)
        if rest or chance ** (n - n_distinct) >= RARE:
            continue
        tiled = columns.reshape(n_models, n_copies, n_distinct)
        repeated = columns.reshape(n_models, n_distinct, n_copies)
        if (tiled == tiled[:, :1]).all() or (repeated == repeated[..., :1]).all():
            raise ValueError(
                f"the {n} {unit}s are {n_distinct} repeated: draw each anew"
            )


def _refuse_repeated_runs(
    blocks: dict[str, NDArray[Any]], design: Seeds | Items
) -> None:
    """Refuse seeds, or runs of items, that are equal in each model but not between models."""
    if not all(len(block) > 1 and _is_repeated(block) for block in blocks.values()):
        return
    first, *other_runs = (block[0] for block in blocks.values())
    if all(np.array_equal(first, run) for run in other_runs):
        return  # the models do not differ at all: p = 1
    if isinstance(design, Seeds):
        raise ValueError(
            "all seeds of each model have the same score, so they show no spread: was "
            "the seed changed, or are the scores rounded?"
        )
    if np.prod([_chance_of_repeats(block) for block in blocks.values()]) < RARE:
        raise ValueError(
            "the runs of each model are one run repeated: give one run, or others"
        )


def _is_repeated(block: NDArray[Any]) -> bool:
    """Return whether all runs are equal."""
    return bool((block == block[0]).all())


def _chance_of_repeats(block: NDArray[Any], between_runs: float = 0.0) -> float:
    """Return the probability that all runs of a model repeat the first, from above.

    Parameters
    ----------
    block : ndarray, shape (runs, units)
    between_runs : float
        Probability that two runs of another model have the same score on a unit.
    """
    # of a model that is nearly always right the runs are equal, too
    chance = max(between_runs, _chance_among_units(block[0]))
    # less spread by this factor makes fewer changes by at most this factor
    chance = 1 - np.sqrt(OWN_VARIANCE) * (1 - chance)
    return float(chance ** block[1:].size)


# ------------------------------------------------------------- copies in some models


class _Models(NamedTuple):
    """Models with several runs: those whose runs are all equal, and those whose runs differ."""

    repeated: dict[str, NDArray[Any]]
    varying: list[NDArray[Any]]


def _models_with_runs(
    blocks: dict[str, NDArray[Any]], is_exempt: Callable[[str], bool]
) -> _Models:
    """Return the models with several runs, without those whose runs must be equal."""
    several = {model: block for model, block in blocks.items() if len(block) > 1}
    repeated = {model: block for model, block in several.items() if _is_repeated(block)}
    varying = [block for model, block in several.items() if model not in repeated]
    asked = {model: block for model, block in repeated.items() if not is_exempt(model)}
    return _Models(asked, varying)


def _equal_seeds(blocks: dict[str, Array]) -> Iterator[str]:
    """Note models whose seeds all have the same score, while those of others differ."""
    repeated, varying = _models_with_runs(blocks, is_deterministic)
    if not varying:
        return
    rare = [
        model
        for model, block in repeated.items()
        if _chance_of_equal_seeds(block, varying) * len(blocks) < RARE
    ]
    if rare:
        yield (
            f"All seeds of {abridged(rare)} have the same score: deterministic, copied, "
            "or rounded?"
        )


def _repeated_runs(
    blocks: dict[str, NDArray[Any]], design: CV | Items
) -> Iterator[str]:
    """Note models whose runs are all equal, while those of others differ."""
    # new data change what a model learns from them, and a seed does not
    is_exempt = is_constant if isinstance(design, CV) else is_deterministic
    repeated, varying = _models_with_runs(blocks, is_exempt)
    if not varying:
        return
    between_runs = chance_of_equality(*varying)
    copied = [
        model
        for model, block in repeated.items()
        if _chance_of_repeats(block, between_runs) < RARE
    ]
    if copied:
        yield f"All runs of {abridged(copied)} have the same scores: deterministic, or copied?"


def _chance_of_equal_seeds(block: Array, varying: Sequence[Array]) -> float:
    """Return the probability that all seeds of a model are equal, from above.

    Scores of few digits are: of three in percent with one decimal, that differ by less
    than a point.

    Parameters
    ----------
    block : ndarray, shape (seeds, 1)
    varying : sequence of ndarray
        The seeds of the models that vary.
    """
    step = step_of(np.concatenate([block, *varying]))
    chances = [chance_of_equal_scores(seeds, step) for seeds in varying]
    return float(np.max(chances) ** (len(block) - 1))


def _runs_twice(
    blocks: dict[str, NDArray[Any]], table: Scores | Predictions
) -> Iterator[str]:
    """Note two equal runs of a model, whose runs are not all equal."""
    for model, block in blocks.items():
        n_runs, n_units = block.shape
        if n_runs == 1 or _is_repeated(block):
            continue
        if isinstance(table.design, Items):
            equality = chance_of_equality(block)  # an item is as hard in every run
        else:
            equality = _chance_among_units(block)
        chance = len(blocks) * comb(n_runs, 2) * equality**n_units
        if chance >= RARE_IN_A_MODEL:
            continue
        pair = next(equal_rows(block), None)
        if pair is not None:
            first, second = (labels_of_runs(table)[run] for run in pair)
            yield f"Runs {first} and {second} of {model} have the same scores: copied?"


def _series_twice(
    blocks: dict[str, Array], table: Scores | Predictions
) -> Iterator[str]:
    """Note a model in whose scores a series of seeds, or splits, occurs a second time."""
    design = table.design
    for model, block in blocks.items():
        scores = block.ravel()
        series = _longest_series_twice(scores)
        if series is None or _is_repeated(block):
            continue
        first, second, length = series
        rest = np.delete(scores, np.s_[second : second + length])
        if isinstance(design, Seeds):  # of which there are few
            equality = max(LEAST_CHANCE, chance_of_equal_scores(rest, step_of(rest)))
        else:
            equality = _chance_among_units(rest)
        n_chances = len(blocks) * comb(scores.size, 2)
        if n_chances * equality**length < RARE_IN_A_MODEL:
            labels = labels_of_runs(table)
            ends = (first, first + length - 1, second, second + length - 1)
            a, b, c, d = (labels[end] for end in ends)
            unit = UNITS[type(design)]
            yield f"{model} has the same scores in {unit}s {a} to {b} and {c} to {d}: copied?"


def _longest_series_twice(scores: Array) -> tuple[int, int, int] | None:
    """Return where the longest series begins that occurs twice, both times, and its length.

    Examples
    --------
    >>> _longest_series_twice(np.array([1, 2, 3, 4, 2, 3]))
    (1, 4, 2)
    """
    if np.unique(scores).size == scores.size:
        return None
    longest = (0, 0, 0)
    for distance in range(1, min(scores.size, _MOST_RUNS)):
        differs = scores[distance:] != scores[:-distance]
        ends = np.concatenate([[-1], np.flatnonzero(differs), [differs.size]])
        # the two do not overlap
        lengths = np.minimum(np.diff(ends) - 1, distance)
        index = int(lengths.argmax())
        length = int(lengths[index])
        if length > longest[2]:
            first = int(ends[index]) + 1
            longest = (first, first + distance, length)
    return longest if longest[2] > 1 else None


def _has_unordered_seeds(table: Scores | Predictions) -> bool:
    """Return whether the order of the seeds means nothing."""
    return isinstance(table.design, Seeds) and not table.design.paired


def _seeds_in_another_order(blocks: dict[str, Array]) -> Iterator[str]:
    """Note models with the same scores of seeds, in another order."""
    in_order = {model: np.sort(block[:, 0]) for model, block in blocks.items()}
    n_pairs = comb(len(blocks), 2)
    for (a, first), (b, second) in combinations(in_order.items(), 2):
        if not np.array_equal(first, second) or np.array_equal(blocks[a], blocks[b]):
            continue
        n = len(first)
        equality = max(LEAST_CHANCE, chance_of_equal_scores(first, step_of(first)))
        # any of the pairs, and any of the orders, would have been taken for a copy;
        # a float does not represent the number of orders of 171 seeds
        log_chance = log(n_pairs) + lgamma(n + 1) + n * log(equality)
        if log_chance < log(RARE):
            yield f"{a} and {b} have the same scores in another order: is one a copy?"


def _equal_models(
    blocks: dict[str, NDArray[Any]], table: Scores | Predictions
) -> Iterator[str]:
    """Note models that are equal everywhere although they were made apart."""
    design = table.design
    if isinstance(table, Scores) and table.of_search:
        return
    # of several settings of a learner on the same splits, some make no difference
    have_same_splits = len(blocks) > 2 and _have_same_splits(design)
    n_pairs = comb(len(blocks), 2)
    for names in _groups_of_equal(blocks):
        may_be_equal = may_be_settings(names) or any(map(is_constant, names))
        if have_same_splits and may_be_equal:
            continue
        # of many models, some two have the same few scores by chance
        if n_pairs * _chance_of_twins(blocks[names[0]], table) < RARE:
            unit = UNITS[type(design)]
            verb = "have the same score on"
            if isinstance(table, Predictions):
                verb = "predict the same for"
            yield f"{abridged(names)} {verb} every {unit}: is one a copy?"


def _groups_of_equal(blocks: dict[str, NDArray[Any]]) -> Iterator[list[str]]:
    """Yield the models, two or more, that are equal everywhere.

    Nearly all differ among their first scores, so that few are looked at as a whole.
    """
    for alike in _equal_among_first(blocks, _FIRST_SCORES):
        whole = {model: blocks[model] for model in alike}
        yield from _equal_among_first(whole, None)


def _equal_among_first(
    blocks: dict[str, NDArray[Any]], n: int | None
) -> list[list[str]]:
    """Return groups of models whose first n scores are equal, or all of them."""
    groups: dict[bytes, list[str]] = {}
    for model, block in blocks.items():
        first = block.flat[:n] + 0.0  # -0 becomes 0
        groups.setdefault(first.tobytes(), []).append(model)
    return [models for models in groups.values() if len(models) > 1]


def _have_same_splits(design: Design) -> bool:
    """Return whether all models were trained on the same splits, or with the same seeds."""
    if isinstance(design, Items):
        return design.paired or design.predicted == "by_fold"
    return not isinstance(design, Datasets) and getattr(design, "paired", True)


def _chance_of_twins(block: NDArray[Any], table: Scores | Predictions) -> float:
    """Return the probability that another model has the scores of this one, from above."""
    design = table.design
    units = block[0] if isinstance(design, Items) else block
    if isinstance(table, Predictions) and not units.all():
        units = units == 0  # wrong in the same places, models may give the same answers
    chance = _chance_among_units(units)
    if not _has_unordered_seeds(table):
        # normal scores on a fine grid, and scores of 0 and 1, that correlate
        on_grid = chance / np.sqrt(OWN_VARIANCE)
        right_or_wrong = 1 - OWN_VARIANCE * (1 - chance)
        chance = min(on_grid, right_or_wrong)
    return float(chance**units.size)
