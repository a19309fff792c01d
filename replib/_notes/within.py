"""Copies of runs, splits or seeds inside each of several data sets.

Their scores are averaged, so that copies make no difference look more certain than it
is.  But then they are not what they are called, and are noted.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import comb

import numpy as np
import pandas as pd

from replib._labels import UNITS
from replib._names.models.learners import is_constant, is_deterministic
from replib._notes.copies import OWN_VARIANCE, RARE, chance_of_equality
from replib._tables.values import sorted_codes
from replib._validation import Array, joined, listed, shown
from replib.designs import CV, Datasets, Seeds
from replib.scores import MatchedArrays, Metric, Scores

#: Two runs have equal rounded scores on a data set with hardly a larger probability.
_MOST_CHANCE = 0.3

#: The scores of a model on each data set, shape (runs, folds); other designs have one fold.
_Blocks = Sequence[Array]


def notes_about_runs_within(table: Scores) -> Iterator[str]:
    """Note runs, splits or seeds that are copies of each other on every data set.

    Parameters
    ----------
    table : Scores

    Yields
    ------
    str
    """
    design = table.design
    if not isinstance(design, Datasets) or design.within is None:
        return
    # new data change what a model learns from them, and a seed does not
    is_exempt = is_deterministic if isinstance(design.within, Seeds) else is_constant
    repeated: dict[str, _Blocks] = {}
    varying: dict[str, _Blocks] = {}
    for model, blocks in _blocks_of_models(table, design.within.keys).items():
        if any(len(block) < 2 for block in blocks):
            return
        if not _are_repeated(blocks):
            varying[model] = blocks
        elif not is_exempt(model):
            repeated[model] = blocks
    unit = "run" if isinstance(design.within, CV) else UNITS[type(design.within)]
    yield from _repeated_runs(repeated, varying, unit, table.metric)
    if varying and not repeated:
        yield from _equal_runs(varying, unit, table)


def _blocks_of_models(table: Scores, keys: Sequence[str]) -> dict[str, _Blocks]:
    """Return the scores of each model on the data sets, with the runs in their order."""
    within = getattr(table.design, "within", None)
    n_folds = within.folds if isinstance(within, CV) else 1
    if isinstance(table.frame, MatchedArrays):
        return {
            model: [part.reshape(-1, n_folds) for part in array]
            for model, array in table.frame.arrays.items()
        }
    keys = [key for key in keys if key in table.frame]
    rows = table.frame
    if keys:
        rows = rows.sort_values(keys, key=_codes, kind="stable")
    blocks: dict[str, list[Array]] = {}
    groups = rows.groupby(["model", "dataset"], sort=False)["score"]
    for (model, _), scores in groups:
        blocks.setdefault(model, []).append(scores.to_numpy().reshape(-1, n_folds))
    return {model: blocks[model] for model in table.models}


def _codes(column: "pd.Series[str]") -> "pd.Series[int]":
    """Return the places of labels in their order: labels of two kinds have none."""
    codes, _ = sorted_codes(column)
    return pd.Series(codes, column.index)


def _are_repeated(blocks: _Blocks) -> bool:
    """Return whether all runs are equal on every data set."""
    return all((block == block[0]).all() for block in blocks)


def _repeated_runs(
    repeated: Mapping[str, _Blocks],
    varying: Mapping[str, _Blocks],
    unit: str,
    metric: Metric,
) -> Iterator[str]:
    """Note models whose runs are all equal on every data set."""
    n_cells = {model: _n_repetitions(x, metric) for model, x in repeated.items()}
    if not varying:
        if repeated and _MOST_CHANCE ** sum(n_cells.values()) < RARE:
            yield (
                f"All {unit}s of each model have the same score on every data set: "
                f"{_question_about_all(unit)}, or are the scores rounded?"
            )
        return
    several = [block for blocks in varying.values() for block in blocks]
    equality = chance_of_equality(*several)
    # scores with less spread, or that are right or wrong, are equal more often
    chance = min(equality / np.sqrt(OWN_VARIANCE), 1 - OWN_VARIANCE * (1 - equality))
    models = [model for model, n in n_cells.items() if chance**n < RARE]
    if models:
        yield (
            f"All {unit}s of {listed(models)} have the same score on every data set: "
            "deterministic, copied, or rounded?"
        )


def _question_about_all(unit: str) -> str:
    return "was the seed changed" if unit == "seed" else f"was each {unit} drawn anew"


def _n_repetitions(blocks: _Blocks, metric: Metric) -> int:
    """Return how many scores repeat that of the first run, but for ends of the range."""
    inside = [(block > metric.low) & (block < metric.high) for block in blocks]
    return sum(int(is_inside[1:].sum()) for is_inside in inside)


def _equal_runs(
    by_model: Mapping[str, _Blocks], unit: str, table: Scores
) -> Iterator[str]:
    """Note two runs that are equal in every model, on every data set."""
    labels = _common_labels(table)
    blocks = [block for blocks in by_model.values() for block in blocks]
    if labels is None or len({len(block) for block in blocks}) > 1:
        return
    runs = np.concatenate(blocks, axis=1)
    is_inside = (runs > table.metric.low) & (runs < table.metric.high)
    # models may be equal on a data set together, so that one of them counts
    n_cells = int(is_inside.all(axis=0).sum()) // len(by_model)
    if comb(len(runs), 2) * chance_of_equality(runs) ** n_cells >= RARE:
        return
    distinct, first = np.unique(runs, axis=0, return_index=True)
    if len(distinct) == len(runs):
        return
    second = min({*range(len(runs))}.difference(first.tolist()))
    original = int((runs == runs[second]).all(axis=1).argmax())
    names = labels or [str(number) for number in range(1, len(runs) + 1)]
    yield (
        f"{unit.capitalize()}s {joined([names[original], names[second]])} have the same "
        "scores in every model on every data set: is one a copy?"
    )


def _common_labels(table: Scores) -> list[str] | None:
    """Return the labels of runs, none if they have none, or None if data sets have others."""
    if isinstance(table.frame, MatchedArrays) or "run" not in table.frame:
        return []
    codes, labels = sorted_codes(table.frame["run"])
    keys = [table.frame["model"], table.frame["dataset"]]
    n_runs = pd.Series(codes, table.frame.index).groupby(keys).nunique()
    return [*map(shown, labels)] if (n_runs == len(labels)).all() else None
