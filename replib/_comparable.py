"""Are scores of two models about the same questions, asked in the same way?

Files of evaluations say how the models were asked: by a prompt, with a number of
examples, by a version of a task, with a filter of the answers.  Where the models were
asked other things, a difference of their scores is not one of the models.
"""

from collections.abc import Collection
from typing import Any, NamedTuple

import pandas as pd

from replib._tables.arguments import quoted
from replib._validation import joined, listed, refusal, shown

#: Names that readers give to settings; a table may call them otherwise.
PROMPT = "prompt_hash"
SHOTS = "n_shot"
VERSION = "version"
FILTER = "filter"
PROMPT_VERSION = "prompt_version"
EVALUATION_MODE = "evaluation_mode"

#: Columns that say what a model was asked, item by item.
_PROMPTS = (PROMPT, "prompt", "full_prompt", "doc_hash", "target_hash")
#: Columns that say how, for a whole task.
_SETTINGS = (
    *(SHOTS, "num_fewshot", "shots", "n_shots", FILTER),
    *(PROMPT_VERSION, EVALUATION_MODE),
)
#: Columns that say which version of a task it was.
_VERSIONS = (VERSION, "task_version")
#: Models that a sentence names with their settings.
_MOST_MODELS = 4


class Compared(NamedTuple):
    """Rows without the settings that are alike, and notes on those that differ harmlessly."""

    frame: pd.DataFrame
    notes: tuple[str, ...]


def without_settings(
    frame: pd.DataFrame, *, ignored: Collection[Any] = (), chosen: Collection[Any] = ()
) -> Compared:
    """Return a table without columns of settings; refuse models that were asked other things.

    Parameters
    ----------
    frame : DataFrame
        Columns `model`, `item`, perhaps `task`, and perhaps settings.
    ignored : collection
        Settings that may differ.
    chosen : collection
        Columns by which rows were chosen, which are left as they are.

    Returns
    -------
    Compared

    Raises
    ------
    ValueError
        If the prompt of an item, or the number of examples or the filter of a task,
        differs between models.

    Examples
    --------
    >>> frame = pd.DataFrame({"model": list("aabb"), "item": [1, 2, 1, 2], "score": 1.0,
    ...                       "prompt_hash": ["x", "y", "x", "y"]})
    >>> list(without_settings(frame).frame)
    ['model', 'item', 'score']
    """
    notes: list[str] = []
    for name in (*_PROMPTS, *_SETTINGS, *_VERSIONS):
        if name not in frame or name in chosen:
            continue
        if name not in ignored:
            setting = _setting(frame, name)
            if setting.difference and name not in _VERSIONS:
                raise _refusal(setting.difference, name)
            if setting.difference:
                notes.append(f"{setting.difference}: are they the same items?")
            elif setting.has_several and name not in _PROMPTS:
                continue  # which rows are meant has to be said
        frame = frame.drop(columns=name)
    return Compared(frame, tuple(notes))


class _Setting(NamedTuple):
    """What a column of settings says about the models.

    Attributes
    ----------
    difference : str
        How models differ, in words; empty where they do not.
    has_several : bool
        Whether a model has several values for one unit.
    """

    difference: str
    has_several: bool


def _setting(frame: pd.DataFrame, name: str) -> _Setting:
    """Return what a column says of each item, if it is a prompt, or else of each task."""
    keys = [key for key in ("task",) if key in frame]
    if name in _PROMPTS:
        keys.append("item")
    units = pd.Series(0, frame.index)
    if keys:
        units = frame.groupby(keys, sort=False).ngroup()
    # lists and other values that cannot be hashed are settings, too
    values = frame[name].map(repr)
    table = pd.DataFrame({"unit": units, "model": frame["model"], "value": values})
    table = table.drop_duplicates()
    has_several = bool(table.duplicated(["unit", "model"]).any())
    differing = _units_that_differ(table)
    if not len(differing):
        return _Setting("", has_several)
    first = frame.loc[(units == differing[0]).to_numpy()]
    if name in _PROMPTS:
        words = (
            f"{name} differs between models for {len(differing)} of "
            f"{units.nunique()} items, the first {shown(first['item'].iloc[0])}"
        )
        return _Setting(words, has_several)
    return _Setting(_words_on_task(first, name), has_several)


def _units_that_differ(table: pd.DataFrame) -> "pd.Index[Any]":
    """Return the units that models have other values of, from distinct rows of all three."""
    # an item that a model has not got is a matter of missing scores
    n_models = table.drop_duplicates(["unit", "model"])["unit"].value_counts()
    n_with_value = table.groupby(["unit", "value"], sort=False)["model"].size()
    expected = n_models.loc[n_with_value.index.get_level_values("unit")].to_numpy()
    differing = n_with_value[n_with_value.to_numpy() < expected]
    return differing.index.get_level_values("unit").unique()


def _words_on_task(rows: pd.DataFrame, name: str) -> str:
    """Say which values of a setting models have, in the rows of a task."""
    task = f" of {rows['task'].iloc[0]}" if "task" in rows else ""
    by_model = [
        f"{listed(of_model[name].drop_duplicates())} for {model}"
        for model, of_model in rows.groupby("model", sort=False)
    ]
    return f"{name}{task} is {joined(by_model[:_MOST_MODELS])}"


def _refusal(difference: str, name: str) -> ValueError:
    """Return the refusal of models with different settings."""
    problem = f"{difference}, so the models were not asked the same"
    advice = "compare runs that were asked alike, or if this is meant, say"
    return refusal(
        problem,
        f"{advice} columns={{'ignored': [{name!r}]}}",
        f"{advice} --column ignored={quoted(name)}",
    )
