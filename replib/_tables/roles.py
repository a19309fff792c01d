"""Which column has which role: models, scores, or labels."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from replib._names.scores import is_called_after, may_have_scores_of
from replib._names.things.roles import SPLITS, label_names
from replib._names.words import plain_text
from replib._tables.index import with_levels_as_columns
from replib._tables.kinds import problem_of_kind
from replib._tables.labels import refuse_measured_clusters
from replib._tables.rows import chosen_rows, refuse_rows
from replib._tables.splits import with_runs_and_folds
from replib._validation import check_instance, joined, listed, refusal, shown
from replib.designs import Design, RandomSplits


def role_columns(
    frame: pd.DataFrame,
    usual: Mapping[str, str],
    columns: Mapping[str, Any] | None,
    where: Mapping[str, Any] | None,
    design: Design,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return two tables of the chosen rows: columns named after their roles, and the others.

    Parameters
    ----------
    frame : DataFrame
    usual : mapping
        Name of the column of each role, unless `columns` names another.
    columns, where : mapping or None
        As for :class:`replib.scores.Scores`.
    design : Design
        The labels that it needs may have other names that say the same, such as "seed".
    """
    _check_frame(frame)
    check_instance("columns", columns, Mapping, type(None))
    check_instance("where", where, Mapping, type(None))
    conditions = dict(where or {})

    declared = dict(columns or {})
    ignored = _names_of_columns(declared.pop("ignored", []))
    _check_declared_roles(declared, [*usual, "ignored"])
    frame, declared = with_runs_and_folds(frame, usual, declared, design)
    mentioned = [*ignored, *declared.values(), *conditions]
    # what is no label is refused below; an array cannot be compared with a name
    labels_mentioned = [*filter(_is_label, mentioned)]
    others = [name for name in frame.columns if name not in labels_mentioned]
    names = _names_of_roles(usual, declared, others, design)
    frame = with_levels_as_columns(frame, [*mentioned, *names.values()])
    _check_mentioned(mentioned, frame)
    if len(set(names.values())) < len(names):
        raise ValueError("columns gives one column two roles")
    _check_kinds(names, frame, design)

    for name, value in conditions.items():
        frame = chosen_rows(frame, name, value)
    roles = {name: role for role, name in names.items() if name in frame}
    rest = frame.drop(columns=[*roles, *ignored, *conditions])
    table = frame[list(roles)].rename(columns=roles)
    for role in table:
        if role != "score":
            table[role] = _labels(table[role], table)
    return table, rest


def score_column(
    frame: pd.DataFrame,
    metric: str,
    columns: Mapping[str, Any] | None,
    where: Mapping[str, Any] | None,
) -> str | None:
    """Return the column of numbers that is called after the metric, if it has the scores.

    It has them if no column is said to have them, or may have them by its name: of
    `accuracy` beside `val_accuracy`, the first may be about the training data.

    Parameters
    ----------
    frame : DataFrame
        A row per score.
    metric : str
    columns, where : mapping or None
        As for :class:`replib.scores.Scores`.

    Returns
    -------
    str or None
    """
    check_instance("columns", columns, Mapping, type(None))
    check_instance("where", where, Mapping, type(None))
    declared = dict(columns or {})
    ignored = declared.pop("ignored", [])
    if "score" in declared or "score" in frame.index.names:
        return None
    mentioned = [*_names_of_columns(ignored), *declared.values(), *(where or {})]
    used = [*filter(_is_label, mentioned)]
    possible = [
        name for name in frame if name not in used and may_have_scores_of(name, metric)
    ]
    if len(possible) != 1 or not is_called_after(possible[0], metric):
        return None
    (name,) = possible
    return name if name in frame.select_dtypes(["number", "bool"]) else None


def mentioned_columns(
    columns: Mapping[str, Any] | None, where: Mapping[str, Any] | None
) -> list[Any]:
    """Return the columns that were said to have a role, to choose rows or to be ignored."""
    declared = dict(columns or {})
    ignored = _names_of_columns(declared.pop("ignored", []))
    return [*ignored, *declared.values(), *(where or {})]


def needed_roles(usual: Iterable[str], design: Design) -> list[str]:
    """Return the roles without which there is no table."""
    optional = set(design.keys).difference(design.needed)
    return [role for role in usual if role not in optional]


def _names_of_roles(
    usual: Mapping[str, str],
    declared: Mapping[str, Any],
    others: Sequence[Any],
    design: Design,
) -> dict[str, Any]:
    """Return the column of each role: the declared one, one that says so, or the usual one."""
    names = {**usual, **_names_of_labels(others, design), **declared}
    needed = {*declared, *needed_roles(usual, design)}
    declared_names = [*declared.values()]
    # a column `run` that has the models has no runs
    return {
        role: name
        for role, name in names.items()
        if role in needed or name not in declared_names
    }


def _check_mentioned(names: Iterable[Any], frame: pd.DataFrame) -> None:
    """Refuse a name of a column that is not there."""
    for name in names:
        if not _is_label(name) or name not in frame.columns:
            raise ValueError(
                f"there is no column {shown(name)}: the columns are "
                f"{listed(frame.columns)}"
            )


def _names_of_labels(columns: Sequence[Any], design: Design) -> dict[str, Any]:
    """Return the columns with labels by their role, where a name says so and only one does."""
    by_role = {}
    for role in design.needed:
        usual = label_names(role)
        if role == "run" and isinstance(design, RandomSplits):
            usual += SPLITS
        fitting = [
            name
            for name in columns
            if isinstance(name, str) and plain_text(name) in usual
        ]
        if role not in columns and len(fitting) == 1:
            by_role[role] = fitting[0]
    return by_role


def _check_frame(frame: Any) -> None:
    """Refuse what is not a DataFrame, or has no unique names of columns."""
    if not isinstance(frame, pd.DataFrame) or frame.columns.nlevels > 1:
        raise ValueError(
            "frame must be a DataFrame with one row of names (arrays go to "
            f"from_arrays), not {shown(frame)}"
        )
    repeated = frame.columns[frame.columns.duplicated()]
    if len(repeated):
        raise ValueError(f"column {shown(repeated[0])} occurs twice")


def _check_declared_roles(declared: Iterable[Any], known: Sequence[str]) -> None:
    """Refuse a role that no column can have."""
    for role in declared:
        if role not in known:
            raise refusal(
                f"there is no role {shown(role)}",
                f"each role in columns must be one of {joined([*map(repr, known)])}",
                f"ROLE in --column ROLE=NAME is one of {joined(known)}",
            )


def _check_kinds(names: Mapping[str, Any], frame: pd.DataFrame, design: Design) -> None:
    """Refuse a column that by its name has other things than its role, such as epochs as runs."""
    for role, name in names.items():
        if name == role or name not in frame:
            continue
        problem = problem_of_kind(role, name, frame[name], design)
        if problem is not None:
            raise ValueError(
                f"column {shown(name)} has {problem}, or the column has another name"
            )
        if plain_text(name).startswith("inner"):
            raise ValueError(
                f"column {shown(name)} has splits by its name that choose settings: give "
                "the scores on the outer splits, one for each"
            )


def _names_of_columns(ignored: Any) -> list[Any]:
    """Return the names of columns in a list, or the only one."""
    if isinstance(ignored, str):
        return [ignored]
    if not isinstance(ignored, list | tuple | set):
        raise ValueError(
            f"columns must have a list of names as 'ignored', not {shown(ignored)}"
        )
    return list(ignored)


def _is_label(value: Any) -> bool:
    """Return whether a value may be a label: a text, number or date, or a tuple of these."""
    if isinstance(value, tuple):
        return all(map(_is_label, value))
    return isinstance(value, str | Real | Decimal | date | np.generic)


def _is_class(value: Any) -> bool:
    """Return whether a value may be a truth or prediction: a text or number."""
    return isinstance(value, str | Real | Decimal | np.bool_)


def _is_prediction(value: Any) -> bool:
    """Return whether a value may be a prediction: a class, or a tuple of scores of classes."""
    if isinstance(value, tuple):
        return all(isinstance(score, Real) for score in value)
    return _is_class(value)


def _labels(column: pd.Series, table: pd.DataFrame) -> pd.Series:
    """Return a column of labels, of truths or predictions; refuse those that are none."""
    is_label = {"truth": _is_class, "prediction": _is_prediction}.get(
        str(column.name), _is_label
    )
    if column.dtype == np.float16:
        return column.astype(float)  # pandas has no index of these
    are_times = column.dtype.kind in "mM" and is_label is not _is_label
    if column.dtype.kind == "c" or are_times:
        raise ValueError(
            f"{column.name} must be texts or numbers, not {shown(column.iloc[0])}"
        )
    if column.name == "cluster":
        refuse_measured_clusters(column)
    if column.dtype == object:
        is_right = column.isna() | column.map(is_label)
        is_wrong = ~is_right.astype(bool)
        refuse_rows(is_wrong, table, str(column.name), "is neither text nor number")
    return column
