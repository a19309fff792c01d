"""Notes about rows that are called like other units: folds as data sets, data sets as seeds."""

import re
from collections.abc import Iterator
from typing import Any

import pandas as pd

from replib._names.labels import numbered_unit
from replib._validation import listed
from replib.designs import CV, Datasets, Design, Items, RandomSplits, Seeds
from replib.scores import Predictions, Scores

#: What a score belongs to, by design.
UNITS: dict[type, str] = {
    CV: "split",
    RandomSplits: "split",
    Seeds: "seed",
    Items: "item",
    Datasets: "data set",
}
#: Labels of these units are no labels of a key.
_OTHER_UNITS = {
    "dataset": {"fold", "split", "seed", "run", "epoch", "checkpoint", "iteration"},
    "item": {"fold", "seed", "epoch", "iteration"},
    "run": {"fold", "epoch", "checkpoint", "data set"},
    "fold": {"seed", "run", "epoch", "checkpoint", "data set"},
}
#: Fewer rows with names in words may be anything.
_FEWEST_NAMED = 3


def texts_of_key(table: Scores | Predictions, key: str) -> list[str]:
    """Return the labels of a key that are texts; a million numbers need not be looked at.

    Parameters
    ----------
    table : Scores or Predictions
    key : str

    Returns
    -------
    list of str
    """
    if key not in table.frame or pd.api.types.is_numeric_dtype(table.frame[key]):
        return []
    labels = table.frame[key].unique()
    return [label for label in labels if isinstance(label, str)]


def notes_about_units(table: Scores | Predictions) -> Iterator[str]:
    """Note rows that are numbered as other units are, or named as data sets are.

    Parameters
    ----------
    table : Scores or Predictions

    Yields
    ------
    str
    """
    if not isinstance(table.frame, pd.DataFrame):
        return  # arrays have no labels
    for key in ("dataset", "item", "run", "fold"):
        if key not in table.design.roles or key not in table.frame:
            continue
        labels = texts_of_key(table, key)
        if len(labels) != table.frame[key].nunique():
            continue
        unit = {"dataset": "data set", "run": _word_of_run(table.design)}.get(key, key)
        numbered = numbered_unit(labels)
        if numbered in _OTHER_UNITS[key] or (key == "run" and numbered == "split"):
            if numbered != unit:
                yield _note_on_units(labels, unit, numbered)
        elif key in ("run", "fold") and _are_names(
            labels, table.frame[["model", key]], table.design
        ):
            yield _note_on_units(labels, unit, "data set")


def _note_on_units(labels: list[str], unit: str, other: str) -> str:
    return f"The {unit}s are called {listed(labels[:2])} and so on: are they {other}s?"


def _word_of_run(design: Design) -> str:
    """Return what a design calls a run."""
    repeated = design.within if isinstance(design, Datasets) else design
    words = {RandomSplits: "split", Seeds: "seed"}
    return words.get(type(repeated), "run")


def _are_names(labels: list[str], rows: pd.DataFrame, design: Any) -> bool:
    """Return whether labels that all models share are words without a number."""
    if len(labels) < _FEWEST_NAMED or getattr(design, "groups", False):
        return False
    if isinstance(design, Items | Datasets):
        return False
    if any(re.search(r"\d", label) or len(label) < 3 for label in labels):
        return False
    return len(rows.drop_duplicates()) == len(labels) * rows["model"].nunique()
