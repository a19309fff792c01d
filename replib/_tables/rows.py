"""Rows of a table that are chosen, or refused by their number."""

from typing import Any

import pandas as pd

from replib._rows import Coded, Rows
from replib._validation import listed, shown

#: Rows that a refusal names.
_MOST_ROWS_NAMED = 3


def chosen_rows(frame: pd.DataFrame, name: str, value: Any) -> pd.DataFrame:
    """Return the rows that have a value, or one of a list, in a column."""
    wanted = value if isinstance(value, list) else [value]
    # a command has texts only, also for a column of numbers
    texts = [label for label in wanted if isinstance(label, str)]
    is_chosen = frame[name].isin(wanted) | frame[name].astype(str).isin(texts)
    if not is_chosen.any():
        labels = listed(frame[name].drop_duplicates())
        raise ValueError(
            f"no row has {shown(name)} = {listed(wanted)}: there are {labels}"
        )
    return frame[is_chosen]


def refuse_rows(
    is_wrong: pd.Series, table: pd.DataFrame, column: str, problem: str
) -> None:
    """Refuse a table with wrong rows; name the first few, and whose values they have."""
    n_wrong = int(is_wrong.sum())
    if n_wrong == 0:
        return
    owners = ""
    if column in ("score", "prediction"):
        models = table.loc[is_wrong, "model"].dropna().unique()
        owners = f" of {listed(models)}"
    rows = listed(table.index[is_wrong][:_MOST_ROWS_NAMED])
    rest = n_wrong - _MOST_ROWS_NAMED
    more = f" and {rest} more" if rest > 0 else ""
    raise ValueError(f"{column}{owners} {problem} in row {rows}{more}")


def item_values(rows: Rows, *, column: str) -> pd.Series:
    """Return the value of each item in a column; refuse an item that has two."""
    table = rows.frame
    items = rows.column("item")
    values = Coded.from_column(table[column]).codes
    of_first_rows = values[items.first_rows]
    if (values != of_first_rows[items.codes]).any():
        distinct = table.drop_duplicates(["item", column])
        has_two = distinct["item"].duplicated()
        refuse_rows(has_two, distinct, column, "differs from another row of the item")
    return table[column].iloc[items.first_rows]
