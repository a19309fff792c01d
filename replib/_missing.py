"""Holes in a table: what all models have is kept, and what each lacks is counted."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

import pandas as pd

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
    table : DataFrame
    design : design
        With as many runs or splits as are left.
    notes : tuple of str
        What each model lacks.
    """

    table: pd.DataFrame
    design: Design
    notes: tuple[str, ...] = ()


def common_rows(table: pd.DataFrame, column: str, design: Design) -> Common:
    """Return the rows of the items, data sets, paired seeds or runs that all models have.

    Folds are never left out alone, since those of a run belong together.

    Parameters
    ----------
    table : DataFrame
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
        return Common(table, design)
    models = table["model"].unique()
    present = table[table[column].notna()]
    notes: tuple[str, ...] = ()
    if isinstance(design, Items) and design.paired and "run" in table:
        has_some = _counts(present, models, table["run"].unique(), "run") > 0
        present, notes = _shared(present, has_some, "run", "run")
    unit = design.unit or "run"
    if unit not in table:  # a single run need not be numbered
        present = present.assign(**{unit: 0})
    labels = table[unit].unique() if unit in table else [0]
    counts = _counts(present, models, labels, unit)
    is_whole = counts.ge(_needed(counts, present, design), axis=0)
    if isinstance(design, Datasets):
        is_whole = counts.eq(counts.max())
    word = "split" if isinstance(design, RandomSplits) else _WORDS[unit]
    kept, more_notes = _shared(present, is_whole & (counts > 0), unit, word)
    n_kept = kept[unit].nunique()
    return Common(kept, _shortened(design, n_kept), (*notes, *more_notes))


def _counts(
    present: pd.DataFrame, models: Iterable[str], labels: Iterable[Any], unit: str
) -> pd.DataFrame:
    """Return how many values each model has of each unit."""
    groups = present.groupby(["model", unit], sort=False, observed=True)
    counts = groups.size().unstack(fill_value=0)
    return counts.reindex(index=models, columns=labels, fill_value=0)


def _needed(
    counts: pd.DataFrame, present: pd.DataFrame, design: Design
) -> "pd.Series[int]":
    """Return how many values of a unit each model must have."""
    needed = pd.Series(1, counts.index)
    if isinstance(design, CV):
        return needed * design.folds
    if isinstance(design, Items) and "run" in present:
        runs = present.groupby("model", observed=True)["run"].nunique()
        return runs.reindex(counts.index, fill_value=1)
    return needed


def _shared(
    present: pd.DataFrame, is_whole: pd.DataFrame, unit: str, word: str
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return the rows of the units that are whole in all models, and what models lack."""
    shared = is_whole.columns[is_whole.all()]
    if shared.empty:
        raise ValueError(f"no {word} is whole in all models, so none can be kept")
    lacking = (~is_whole).sum(axis=1)
    notes = _notes(lacking, is_whole.shape[1], word, len(shared))
    return present[present[unit].isin(shared)], notes


def _shortened(design: Design, n: int) -> Design:
    """Return the design with as many runs or splits as are left."""
    if isinstance(design, CV):
        return replace(design, runs=n)
    return replace(design, splits=n) if isinstance(design, RandomSplits) else design


def _notes(
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


def check_policy(missing: str) -> None:
    """Refuse an unknown way to treat holes."""
    check_choice("missing", missing, POLICIES)
