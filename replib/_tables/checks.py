"""What no table may lack, repeat or have besides."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replib._names.things.kinds import kind_of_name
from replib._rows import Coded, Rows, combinations_of_codes
from replib._tables.kinds import problem_of_kind
from replib._tables.labels import (
    check_labels,
    refuse_equal_numbers,
    refuse_two_spellings,
)
from replib._tables.others import check_others
from replib._tables.roles import needed_roles, role_columns
from replib._tables.rows import refuse_rows
from replib._tables.values import hole
from replib._validation import listed, refusal, shown
from replib.designs import Design

#: Columns of numbers without a role that are the scores of a row each.
_FEWEST_SCORES = 2
#: Roles whose labels are names, which must not look the same.
_NAMES = ["model", "dataset", "cluster", "task", "stratum"]
#: Designs of `n` labels of a kind.
_DESIGNS = {
    **dict.fromkeys(["seed", "run", "trial", "repetition"], "seeds"),
    "fold": "1x{n}",
    "data set": "datasets",
    **dict.fromkeys(["item", "query"], "items"),
}


def checked_rows(
    rows: Rows,
    columns: Mapping[str, Any],
    where: Mapping[str, Any] | None,
    design: Design,
    values: Sequence[str],
    *,
    gaps: bool = False,
) -> Rows:
    """Return the rows that `where` chooses, with columns named after their roles.

    Parameters
    ----------
    rows : Rows
        With codes of columns that are named after their roles, if the caller has them
        and `where` chooses none.
    values : sequence of str
        Columns that every table of this kind needs, such as "score".
    gaps : bool
        Whether cells of the last of them may be empty.
    """
    usual = {role: role for role in ("model", *values)} | design.roles
    table, rest = role_columns(rows.frame, usual, columns, where, design)
    _check_roles(table, rest, rows.frame, usual, design)
    check_others(rest, table, design)

    coded = {
        key: rows.coded[key] if key in rows.coded else Coded.from_column(table[key])
        for key in table.columns.intersection(["model", design.unit])
    }
    checked = Rows(table, coded)
    _refuse_gaps(checked, design, None if gaps else values[-1])
    names = {
        key: checked.column(key).labels for key in table.columns.intersection(_NAMES)
    }
    for key, labels in names.items():
        check_labels(key, labels)
    for key, labels in names.items():
        refuse_two_spellings(key, labels, table)
    for key in table.columns.intersection(["run", "fold"]):
        refuse_equal_numbers(key, table[key])
    if table.empty:
        raise ValueError("there must be at least one model, and there is none")
    table["model"] = table["model"].astype(str)
    names_of_models = table["model"].iloc[coded["model"].first_rows]
    coded["model"] = Coded(coded["model"].codes, pd.Index(names_of_models))
    if "task" in table:
        table["item"] = _items_of_tasks(table)
        coded["item"] = Coded.from_column(table["item"])
    _refuse_repeated_rows(checked, design)
    return checked


class RepeatedRowsError(ValueError):
    """Rows of a model that have the same labels.

    Attributes
    ----------
    model : str
        Of the first of them.
    """

    def __init__(self, problem: str, model: str) -> None:
        super().__init__(problem)
        self.model = model


def _refuse_repeated_rows(rows: Rows, design: Design) -> None:
    """Refuse two rows of a model with the same labels."""
    keys = ["model", *(key for key in design.keys if key in rows.frame)]
    numbers = combinations_of_codes([rows.column(key) for key in keys])
    if np.bincount(numbers).max() == 1:
        return
    is_repeated = pd.Series(numbers).duplicated().to_numpy()
    first = rows.frame.loc[is_repeated, keys].iloc[0]
    labels = ", ".join(f"{key} {shown(label)}" for key, label in first.items())
    n_repeated = is_repeated.sum()
    question = _question_on_repeated(rows.frame, numbers, is_repeated)
    raise RepeatedRowsError(
        f"{n_repeated} rows occur twice, the first for {labels}: {question}?",
        first["model"],
    )


def _question_on_repeated(
    frame: pd.DataFrame, numbers: NDArray[np.int64], is_repeated: NDArray[np.bool_]
) -> str:
    """Ask about rows with the same labels: copies, other items, or runs without a number.

    Runs would give each item of a model several times.
    """
    are_copies = frame.duplicated().sum() == is_repeated.sum()
    model = frame["model"].to_numpy()
    of_model = np.bincount(numbers[model == model[is_repeated.argmax()]])
    is_whole = (of_model[of_model > 0] > 1).all()
    missing = "is a column missing that tells them apart, such as a run"
    if are_copies:
        return f"are they copies, or {missing}" if is_whole else "are they copies"
    if "truth" in frame:
        n_truths = frame["truth"].groupby(numbers).nunique()
        if (n_truths > 1).any():
            return "their truth differs, so are they other items with one label"
    return missing


def _refuse_gaps(rows: Rows, design: Design, value: str | None) -> None:
    """Refuse empty cells of labels, and of a column of values; say what can be kept of these."""
    table = rows.frame
    for key in table:
        if key in ("score", "prediction") and key != value:
            continue
        is_gap = (
            table[key].isna() if key not in rows.coded else rows.coded[key].codes < 0
        )
        try:
            refuse_rows(is_gap, table, key, "is missing")
        except ValueError as problem:
            raise hole(str(problem), design) if key == value else problem from None


def _items_of_tasks(table: pd.DataFrame) -> pd.Series:
    """Return labels of items that differ between tasks, in each of which they may be counted."""
    items = table["item"]
    tasks_of_items = table[["task", "item"]].drop_duplicates()["item"]
    if not tasks_of_items.duplicated().any():
        return items
    return table["task"].astype(str) + "/" + items.astype(str)


def _check_roles(
    table: pd.DataFrame,
    rest: pd.DataFrame,
    frame: pd.DataFrame,
    usual: Mapping[str, str],
    design: Design,
) -> None:
    """Refuse a table without a column that the design needs."""
    missing = [role for role in needed_roles(usual, design) if role not in table]
    if not missing:
        return
    _refuse_row_per_model(table, frame)
    if len(missing) == 1:
        _refuse_other_design(missing[0], table, rest, design)
    names = listed([usual[role] for role in missing])
    if len(missing) == 1:
        problem, which = f"column {names} is missing", "it is"
    else:
        problem, which = f"columns {names} are missing", "they are"
    advice = f"the columns are {listed(frame.columns)}; say which {which}, as in"
    in_python = ", ".join(f'"{role}": ...' for role in missing)
    in_shell = " ".join(f"--column {role}=NAME" for role in missing)
    numbers = _only_numbers(frame, usual) if missing == ["score"] else None
    if numbers:
        in_python = f'"score": "{numbers}"'
        in_shell = f"--column score={numbers}"
    raise refusal(problem, f"{advice} columns={{{in_python}}}", f"{advice} {in_shell}")


def _refuse_other_design(
    role: str, table: pd.DataFrame, rest: pd.DataFrame, design: Design
) -> None:
    """Refuse a table without labels that has those of another design, one for each score."""
    if role not in design.roles or "model" not in table:
        return
    for name in rest:
        problem = problem_of_kind(role, name, rest[name], design, advice=False)
        other_design = _DESIGNS.get(kind_of_name(name) or "")
        rows = pd.DataFrame({"model": table["model"], "label": rest[name]})
        if problem is None or other_design is None or rows.duplicated().any():
            continue
        other_design = other_design.format(n=rest[name].nunique())
        raise refusal(
            f"column {design.roles[role]!r} is missing, and column {shown(name)} has "
            f"{problem}",
            f'if each is a row of the comparison, say design="{other_design}"',
            f"if each is a row of the comparison, say --design {other_design}",
        )


def _only_numbers(frame: pd.DataFrame, usual: Mapping[str, str]) -> str | None:
    """Return the name of the only column of numbers that has no role, if there is one."""
    names = frame.select_dtypes("number").columns.difference([*usual.values()])
    return str(names[0]) if len(names) == 1 else None


def _refuse_row_per_model(table: pd.DataFrame, frame: pd.DataFrame) -> None:
    """Refuse a table of scores that has a row, and no column, for each model."""
    if "model" not in table or "score" in table or table["model"].duplicated().any():
        return
    names = frame.select_dtypes("number").columns
    if len(names) >= _FEWEST_SCORES and len(names) >= frame.shape[1] - 1:
        raise refusal(
            f"the table has a row for each model, and columns {listed(names[:2])} and so on",
            "give its transpose, as in frame.set_index('model').T to from_wide",
            "give a column for each model, or the columns model and score",
        )
