"""Files of single models, whose names neither a column says nor the person."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from replib import _formats
from replib._names.things.roles import MODELS, is_word_of_labels
from replib._names.words import plain_text
from replib._sources import Source
from replib._tables.arguments import quoted
from replib._tables.roles import mentioned_columns
from replib._validation import joined, listed, refusal
from replib.readers._long import roles_in


def refuse_files_without_model(
    sources: Sequence[Source], tables: Sequence[pd.DataFrame], request: _formats.Request
) -> None:
    """Refuse files of single models of which nothing says the name.

    Taken for parts of a table with a column per model, they would be about one model that
    is called "val_loss".
    """
    nameless = [
        (path, table)
        for (name, path), table in zip(sources, tables)
        if name is None and _is_of_one_model(table, request)
    ]
    if not nameless:
        return
    paths = [path for path, _ in nameless]
    have = "have" if len(paths) > 1 else "has"
    problem = f"{listed(map(str, paths))} {have} no column of models"
    advice = "name the model of each file, as in"
    columns = [_names_of_numbers(table, request) for _, table in nameless]
    are_called_after_models = len({*map(tuple, columns)}) == len(columns) > 1
    if are_called_after_models:
        scores = joined([str(name) for of_file in columns for name in of_file])
        advice = f"call the columns {scores} alike, and {advice}"
    names = dict(zip(paths, proposed_names(paths)))
    raise named_files(
        problem, advice, [(name or names.get(path), path) for name, path in sources]
    )


def named_files(problem: str, advice: str, sources: Sequence[Source]) -> ValueError:
    """Return a refusal whose advice ends with files, before which are names of models."""
    named = [f"{name}={path}" if name else str(path) for name, path in sources]
    return refusal(
        problem,
        f"{advice} read({', '.join(map(repr, named))})",
        f"{advice} {' '.join(map(quoted, named))}",
    )


def proposed_names(paths: Sequence[Path]) -> list[str]:
    """Return names of the models in files: those of the files, or else of their folders.

    >>> proposed_names([Path("adam/seeds.csv"), Path("muon/seeds.csv")])
    ['adam', 'muon']
    """
    for names in ([x.stem for x in paths], [x.parent.name for x in paths]):
        if len({*names}) == len(names) and all(names):
            return names
    return [f"model{number}" for number in range(1, len(paths) + 1)]


def _is_of_one_model(table: pd.DataFrame, request: _formats.Request) -> bool:
    """Return whether a table has the scores or predictions of one model, and not its name."""
    has_models = any(plain_text(name) in MODELS for name in table)
    if has_models or "model" in request.columns:
        return False
    roles = roles_in(table, request)
    has_values = "score" in roles or {"truth", "prediction"} <= roles
    return has_values or len(_names_of_numbers(table, request)) == 1


def _names_of_numbers(table: pd.DataFrame, request: _formats.Request) -> list[str]:
    """Return the columns of numbers that may be scores: they have no labels by their names."""
    mentioned = mentioned_columns(request.columns, request.where)
    return [
        name
        for name in table.select_dtypes("number")
        if name not in mentioned and not is_word_of_labels(name)
    ]
