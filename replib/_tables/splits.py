"""Columns that say the run and the fold of each row together, as that of caret does."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from replib._names.labels.crossed import RunsAndFolds, runs_and_folds
from replib.designs import CV, Datasets, Design


def with_runs_and_folds(
    frame: pd.DataFrame,
    usual: Mapping[str, str],
    declared: dict[str, Any],
    design: Design,
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return a table with columns of runs and of folds, if one column says both of them.

    Parameters
    ----------
    frame : DataFrame
    usual : mapping
        Name of the column of each role, unless it is declared.
    declared : dict
        The column of each role that was said to have it; that of runs, or of folds, may
        say both.
    design : Design

    Returns
    -------
    frame : DataFrame
    declared : dict
        Without the column that says both.
    """
    splits = design.within if isinstance(design, Datasets) else design
    keys = ("run", "fold")
    if not isinstance(splits, CV) or any(usual[key] in frame for key in keys):
        return frame, declared
    declared_keys = [key for key in keys if key in declared]
    if len(declared_keys) == len(keys):
        return frame, declared
    taken = [*usual.values(), *declared.values()]
    names = [declared[key] for key in declared_keys] or [
        name for name in frame if name not in taken
    ]
    for name in names:
        labels = _labels_of_splits(frame, name)
        if labels is not None:
            columns = {usual["run"]: labels.runs, usual["fold"]: labels.folds}
            rest = {
                role: column for role, column in declared.items() if role not in keys
            }
            return frame.drop(columns=name).assign(**columns), rest
    return frame, declared


def _labels_of_splits(frame: pd.DataFrame, name: Any) -> RunsAndFolds | None:
    """Return the runs and the folds that a column says, or None."""
    if name not in frame or pd.api.types.is_numeric_dtype(frame[name]):
        return None
    labels = [*map(str, frame[name])]
    if runs_and_folds(labels[:1]) is None:
        return None
    return runs_and_folds(labels)


__all__ = ["with_runs_and_folds"]
