"""Levels of an index: which labels of a design they have."""

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from replib._names.things.kinds import REPETITIONS, kind_in_role
from replib._names.things.roles import WORDS
from replib._names.words import plain_text
from replib._tables.kinds import problem_of_kind
from replib._validation import listed, shown
from replib.designs import CV, Datasets, Design, Items, RandomSplits


def index_keys(
    argument: str, names: Sequence[Any], keys: Sequence[str], design: Design
) -> list[str]:
    """Return the key of the design that each level of an index has labels of.

    A level is known by its name, and one without a name by its place.  An index of one
    level may have a name of its own; names of several say how they belong together, so
    they must be those of the keys.

    Parameters
    ----------
    argument : str
        For messages.
    names : sequence
        Of the levels; None for a level without a name.
    keys : sequence of str
        As many keys of the design.
    """
    level_keys: list[str | None] = []
    for name in names:
        word = label_word(name, design)
        fitting = [key for key in keys if key == word and key not in level_keys]
        if fitting:
            level_keys.append(fitting[0])
        elif name is None or (word is None and len(names) == 1):
            refuse_index_of_kind(argument, name, (), keys, design)
            level_keys.append(None)
        else:
            raise ValueError(advice_on_index(argument, names, keys, design))
    without_name = iter([key for key in keys if key not in level_keys])
    return [next(without_name) if key is None else key for key in level_keys]


def refuse_index_of_kind(
    argument: str,
    name: Any,
    labels: Iterable[Any],
    keys: Sequence[str],
    design: Design,
) -> None:
    """Refuse an index that by its name has none of the labels that a design needs."""
    if name is None:
        return
    problems = [problem_of_kind(key, name, labels, design) for key in keys]
    if problems and all(problems):
        raise ValueError(
            f"{argument} has an index called {shown(name)}, which has {problems[-1]}, or "
            "the index has another name"
        )


def label_word(name: Any, design: Design) -> str | None:
    """Return what labels with this name are, or None for a name that is not known."""
    plain = plain_text(name)
    repeated = design.within if isinstance(design, Datasets) else design
    if plain == "split" and isinstance(repeated, CV | RandomSplits):
        return None  # it counts all folds of all runs, or the runs
    for word, names in WORDS.items():
        if plain in names:
            return word
    kind = kind_in_role(name)
    if kind in REPETITIONS:
        return "run"
    return "fold" if kind == "fold" else None


def advice_on_index(
    argument: str, names: Sequence[Any], keys: Sequence[str], design: Design
) -> str:
    """Write what is wrong with the names of an index, and what to do."""
    labels = f"the labels of {design} are called {listed(keys)}"
    if len(names) == 1:
        return (
            f"{argument} has an index called {shown(names[0])}, and {labels}: rename it "
            "if it has these, or leave it out by .reset_index(drop=True)"
        )
    advice = "keep only these, so named"
    if len(names) == len(keys):
        advice = f"rename its levels by .rename_axis({list(keys)}) if they have these"
    if isinstance(design, Items):
        advice += (
            "; if a level groups items that depend on each other, give their clusters"
        )
    return f"{argument} has an index of {listed(names)}, and {labels}: {advice}"


def with_levels_as_columns(frame: pd.DataFrame, names: Iterable[Any]) -> pd.DataFrame:
    """Return a table in which levels of the index that somebody names are columns, too."""
    wanted = list(names)
    levels = [
        name
        for name in frame.index.names
        if name is not None and name in wanted and name not in frame.columns
    ]
    return frame.reset_index(level=levels) if levels else frame
