"""Which columns without a role are harmless, and which may group the items."""

from typing import Any

import numpy as np
import pandas as pd

from replib._names.labels.parts import TESTED
from replib._names.things.items import (
    asks,
    describes_items,
    has_answers,
    has_identifiers,
    names_a_group,
)
from replib._names.things.kinds import (
    REPEATED,
    REPETITIONS,
    STATES,
    kind_of_name,
    misfits,
    names_repetitions,
)
from replib._names.things.roles import METRICS, PARTS, TASKS, label_names
from replib._names.words import plain_text, words_of_column
from replib._rows import Coded
from replib._tables.columns import (
    Column,
    are_whole,
    coded_values,
    have_several_each,
    look_like_labels,
)
from replib.designs import Datasets, Design, Items

#: Values of a column that are looked at for the name of a part of the data.
_MOST_PARTS = 100
#: Scores of right and wrong items, which a model has whatever it is called.
_MOST_ANSWERS = 2
#: Kinds of labels that tell rows of a unit apart.
_OTHER_LABELS = {*REPETITIONS, *REPEATED, *STATES, "split", "data set", "task"}
_PART = "part of the data"


def is_harmless(name: Any, column: Column, design: Design) -> bool:
    """Return whether a column says nothing about a row that the other labels do not say."""
    names_runs = column.is_label_of_run or column.is_label_of_model
    if names_runs and names_repetitions(name):
        return True
    if column.is_label_of_model and _names_models(name):
        return True
    if column.is_of_model and kind_of_name(name) == "setting":
        return True
    if _is_known(name, column, design):
        return False
    if column.is_label_of_unit:
        return True
    if not isinstance(design, Items | Datasets):
        return False
    if not column.is_of_unit:
        is_of_model = has_answers(name) or column.is_measurement
        return is_of_model and not names_a_group(name)
    if column.is_in_clusters:
        return True
    if describes_items(name):
        return not (asks(name) and column.has_several_each)
    return not column.has_labels_of_groups and not names_a_group(name)


def may_be_clusters(name: Any, column: Column, design: Design) -> bool:
    """Return whether items with the same value may depend on each other."""
    if not isinstance(design, Items) or design.predicted == "by_fold":
        return False
    if not column.is_of_unit:
        return False
    if _is_known(name, column, design):  # "subject" is a person, or a school subject
        return names_a_group(name) and column.has_labels_of_groups
    return True


def may_group_items(name: Any, series: "pd.Series[Any]") -> bool:
    """Return whether a column of a table with a row per item may group the items."""
    is_number = pd.api.types.is_numeric_dtype(series)
    is_group_by_name = names_a_group(name)
    is_no_group = is_number and not has_identifiers(name)
    if not is_group_by_name and (is_no_group or describes_items(name)):
        return False
    values = coded_values(series)
    rows = np.arange(len(series))
    if not _MOST_ANSWERS < len(values.labels) < len(rows):
        return False
    if is_group_by_name:
        # "group_lasso" has errors
        return not is_number or are_whole(series)
    units = Coded(rows, pd.Index(rows))
    return have_several_each(values, units) and look_like_labels(series, values)


def _names_models(name: Any) -> bool:
    return any(word in label_names("model") for word in words_of_column(name))


def _is_known(name: Any, column: Column, design: Design) -> bool:
    """Return whether a column has other labels, parts of the data or metrics by its name."""
    plain = plain_text(name)
    if plain in (*label_names("model"), *TASKS, *METRICS):
        return True
    kind = kind_of_name(name)
    is_other = kind in _OTHER_LABELS or misfits(kind, design.unit or "run")
    is_of_own_unit = plain in label_names(design.unit or "")
    if is_other and kind != _PART and not is_of_own_unit:
        return True
    if plain not in PARTS:
        return False
    # the "stage" of a disease, for instance, is no part of the data
    parts = {plain_text(label) for label in column.values.labels[:_MOST_PARTS]}
    return not column.is_of_unit or not parts.isdisjoint(TESTED)
