"""Holes in a table: what all models have is kept, and what each lacks is counted."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from replib._rows import Rows
from replib._tables.numbering import numbered_apart
from replib._validation import check_choice, joined
from replib.designs import CV, Datasets, Design, Items, RandomSplits, Seeds

#: What is done about a hole.
POLICIES = ("refuse", "common")
#: What is kept or left out as a whole, by the key that has its labels.
_WORDS = {"item": "item", "dataset": "data set", "run": "run"}
#: Models whose numbers of holes are named.
_MOST_NAMED = 5


class Common(NamedTuple):
    """What all models have.

    Attributes
    ----------
    rows : Rows
    design : design
        With as many runs or splits as are left.
    notes : tuple of str
        What each model lacks.
    """

    rows: Rows
    design: Design
    notes: tuple[str, ...] = ()


def common_rows(rows: Rows, column: str, design: Design) -> Common:
    """Return the rows of the items, data sets, paired seeds or runs that all models have.

    Folds are never left out alone, since those of a run belong together.

    Parameters
    ----------
    rows : Rows
        Checked rows, some of which may have no value.
    column : str
        Of the values.
    design : design

    Raises
    ------
    ValueError
        If nothing is common to all models.
    """
    if isinstance(design, Seeds) and not design.paired:
        return Common(rows, design)
    models = rows.column("model").labels
    unit = design.unit or "run"
    if unit not in rows.frame:  # a single run need not be numbered
        rows = Rows(rows.frame.assign(**{unit: 0}), rows.coded)
    is_present = rows.frame[column].notna().to_numpy()
    present = rows.chosen(np.flatnonzero(is_present))
    notes: tuple[str, ...] = ()
    if isinstance(design, Items) and design.paired and "run" in rows.frame:
        runs = rows.column("run").labels
        has_some = _counts(present, models, runs, "run") > 0
        present, notes = _rows_of_whole_units(present, has_some, "run", "run")
    labels = rows.column(unit).labels
    counts = _counts(present, models, labels, unit)
    is_whole = counts.ge(_needed_counts(counts, present.frame, design), axis=0)
    if isinstance(design, Datasets):
        is_whole = counts.eq(counts.max())
    word = "split" if isinstance(design, RandomSplits) else _WORDS[unit]
    is_shared = is_whole & (counts > 0)
    rows_in_common, more_notes = _rows_of_whole_units(present, is_shared, unit, word)
    if design.unit:
        notes = (*notes, *_note_on_numbering(is_shared, word))
    n_common = len(rows_in_common.column(unit).labels)
    return Common(rows_in_common, _with_length(design, n_common), (*notes, *more_notes))


def _counts(
    present: Rows, models: "pd.Index[str]", labels: "pd.Index[Any]", unit: str
) -> pd.DataFrame:
    """Return how many values each model has of each unit."""
    own_models = present.column("model")
    own_units = present.column(unit)
    shape = len(own_models.labels), len(own_units.labels)
    places = np.ravel_multi_index((own_models.codes, own_units.codes), shape)
    counts = np.bincount(places, minlength=math.prod(shape)).reshape(shape)
    table = pd.DataFrame(counts, own_models.labels, own_units.labels)
    return table.reindex(index=models, columns=labels, fill_value=0)


def _needed_counts(
    counts: pd.DataFrame, present: pd.DataFrame, design: Design
) -> "pd.Series[int]":
    """Return how many values of a unit each model must have."""
    needed = pd.Series(1, counts.index)
    if isinstance(design, CV):
        return needed * design.folds
    if isinstance(design, Items) and "run" in present:
        runs = present.groupby("model")["run"].nunique()
        return runs.reindex(counts.index, fill_value=1)
    return needed


def _rows_of_whole_units(
    present: Rows, is_whole: pd.DataFrame, unit: str, word: str
) -> tuple[Rows, tuple[str, ...]]:
    """Return the rows of the units that are whole in all models, and what models lack."""
    shared = is_whole.columns[is_whole.all()]
    if shared.empty:
        raise ValueError(f"no {word} is whole in all models, so none can be kept")
    lacking = (~is_whole).sum(axis=1)
    notes = _notes_on_holes(lacking, is_whole.shape[1], word, len(shared))
    codes, labels = present.column(unit)
    is_kept = labels.isin(shared)[codes]
    return present.chosen(np.flatnonzero(is_kept)), notes


def _with_length(design: Design, n: int) -> Design:
    """Return the design with as many runs or splits as are left."""
    if isinstance(design, CV):
        return replace(design, runs=n)
    return replace(design, splits=n) if isinstance(design, RandomSplits) else design


def _notes_on_holes(
    lacking: "pd.Series[int]", n_units: int, word: str, n_shared: int
) -> tuple[str, ...]:
    """Say what each model lacks, and how much is left."""
    missing = lacking[lacking > 0]
    if missing.empty:
        return ()
    named = [f"{model} lacks {n}" for model, n in missing.items()]
    if len(named) > _MOST_NAMED:
        rest = len(named) - _MOST_NAMED
        named = [*named[:_MOST_NAMED], f"{rest} more models lack up to {missing.max()}"]
    note = (
        f"Of {n_units} {word}s, {joined(named)}: the {n_shared} that all models have "
        "are kept."
    )
    return (note,)


def _note_on_numbering(is_whole: pd.DataFrame, word: str) -> Iterator[str]:
    """Note that units only count, from 0 for one model and from 1 for another."""
    has_hole = ~is_whole
    if not (has_hole.sum(axis=1) == 1).all():
        return
    lacking = {str(model): label for model, label in has_hole.idxmax(axis=1).items()}
    apart = numbered_apart(lacking, is_whole.columns)
    if apart is not None:
        yield (
            f"The {word}s of {apart.from_zero} are numbered from 0, and those of "
            f"{apart.from_one} from 1: is each matched to its neighbour?"
        )


def check_policy(missing: str) -> None:
    """Refuse an unknown way to treat holes."""
    check_choice("missing", missing, POLICIES)
