"""Arguments that name models or have one column."""

import shlex
from collections.abc import Mapping
from typing import Any

import pandas as pd

from replib._tables.labels import check_labels
from replib._validation import (
    one_line,
    rectangular_array,
    shown,
)


def quoted(name: Any) -> str:
    """Return the name of a column as it is written in a shell."""
    return shlex.quote(one_line(name))


def models_by_name(argument: str, models: Any) -> dict[str, Any]:
    """Return a dict of one or more things by the names of models, as text."""
    if not isinstance(models, Mapping) or not models:
        raise ValueError(
            f'{argument} must be a dict of models, such as {{"a": ..., "b": ...}}, not '
            f"{shown(models)}"
        )
    check_labels("model", models)
    return {str(name): model for name, model in models.items()}


def only_column(argument: str, values: Any) -> Any:
    """Return the only column of a table, or the values themselves."""
    array = rectangular_array(argument, values)
    if array.ndim != 2 or array.shape[1] != 1:
        return values
    return values.iloc[:, 0] if isinstance(values, pd.DataFrame) else array[:, 0]
