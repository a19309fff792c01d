"""What a column without a role says about the rows."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from replib._names.things.items import has_identifiers
from replib._rows import Coded, combinations_of_codes
from replib.designs import Design

#: Different fractions in a column of settings, such as learning rates.  A column with
#: more of them is another measurement.
_MOST_SETTINGS = 5
#: Levels of a scale, such as grades 1 to 5.  More numbers that only count name groups.
_MOST_LEVELS = 5
#: From here on whole numbers that do not only count are measurements, such as tokens.
_FEWEST_MEASURED = 20
#: A longer text is no label.
_LONGEST_LABEL = 50


class Column(NamedTuple):
    """What a column without a role says about the rows.

    Attributes
    ----------
    values : Coded
    groups_rows : bool
        Whether it may say what a row is.
    is_of_unit : bool
        Whether each item or data set has one value, whatever the model.
    is_label_of_unit, is_label_of_model : bool
        Whether each item or data set, or each model, has a value of its own.
    is_of_model : bool
        Whether each model has one value in all its rows.
    counts_items : bool
        Whether items are numbered anew for each value.
    is_label_of_run : bool
        Whether each run of a model has a value of its own.
    is_in_clusters : bool
        Whether all rows with a value are of one declared cluster.
    is_measurement : bool
        Whether it has many numbers that do not only count.
    has_several_each : bool
        Whether it has more than a few values, each of which several items have.
    has_labels_of_groups : bool
        Whether, moreover, these look like labels of groups.
    first_difference : int or None
        A row of an item that has another value in another model.
    """

    values: Coded
    groups_rows: bool
    is_of_unit: bool
    is_label_of_unit: bool
    is_label_of_model: bool
    is_of_model: bool
    counts_items: bool
    is_label_of_run: bool
    is_in_clusters: bool
    is_measurement: bool
    has_several_each: bool
    has_labels_of_groups: bool
    first_difference: int | None


def column_without_role(
    series: "pd.Series[Any]", table: pd.DataFrame, design: Design
) -> Column:
    """Return what a column without a role says about the rows."""
    values = coded_values(series)
    groups_rows = _groups_rows(series, len(values.labels))
    models = coded_values(table["model"])
    units = _units(table, design)
    is_of_unit = units is not None and _has_one_value(units, values)
    first_difference = None
    if units is not None and not is_of_unit:
        first_difference = _first_difference(series, units, models, values)
    is_label_of_run = False
    if "run" in table:
        own_runs = _both(models, coded_values(table["run"]))
        is_label_of_run = _is_alias(own_runs, _both(models, values))
    has_several_each = (
        is_of_unit and units is not None and have_several_each(values, units)
    )
    clustering = design.clustering
    return Column(
        values=values,
        groups_rows=groups_rows,
        is_of_unit=is_of_unit,
        is_label_of_unit=_is_alias(units, values),
        is_label_of_model=_is_alias(models, values),
        is_of_model=_has_one_value(models, values),
        counts_items=units is not None and _counts(units, values, models, table),
        is_label_of_run=is_label_of_run,
        is_in_clusters=(
            clustering in table
            and _has_one_value(values, coded_values(table[clustering]))
        ),
        is_measurement=_is_measurement(series, values),
        has_several_each=has_several_each,
        has_labels_of_groups=has_several_each and look_like_labels(series, values),
        first_difference=first_difference,
    )


def _both(first: Coded, second: Coded) -> Coded:
    """Return the combinations of two columns as labels."""
    return Coded(*pd.factorize(combinations_of_codes([first, second])))


def coded_values(series: "pd.Series[Any]") -> Coded:
    """Return the codes of a column, also of lists and dicts."""
    try:
        codes, labels = pd.factorize(series, use_na_sentinel=False)
    except TypeError:  # the settings of a run, for instance
        codes, labels = pd.factorize(series.map(repr))
    return Coded(codes, pd.Index(labels))


def _units(table: pd.DataFrame, design: Design) -> Coded | None:
    """Return the items, within their tasks, or the data sets of the rows."""
    if design.unit is None:
        return None
    units = coded_values(table[design.unit])
    return _both(coded_values(table["task"]), units) if "task" in table else units


def _has_one_value(units: Coded, values: Coded) -> bool:
    """Return whether each unit has one value in all its rows."""
    of_first_rows = values.codes[units.first_rows]
    return bool((values.codes == of_first_rows[units.codes]).all())


def _is_alias(keys: Coded | None, values: Coded) -> bool:
    """Return whether each label has one value, and each value one label."""
    if keys is None or len(keys.labels) != len(values.labels):
        return False
    return _has_one_value(keys, values)


def _first_difference(
    series: "pd.Series[Any]", units: Coded, models: Coded, values: Coded
) -> int | None:
    """Return a row whose item has another value in another model, and one in each of them."""
    if not _has_one_value(_both(units, models), values):
        return None  # several rows of a model
    first_rows = units.first_rows[units.codes]
    differs = values.codes != values.codes[first_rows]
    if series.dtype.kind == "f":
        numbers = series.to_numpy()
        differs &= ~np.isclose(numbers, numbers[first_rows], rtol=1e-4, equal_nan=True)
    return int(differs.argmax()) if differs.any() else None


def have_several_each(values: Coded, units: Coded) -> bool:
    """Return whether there are more than a few values, each of several items."""
    return _MOST_LEVELS < len(values.labels) <= len(units.labels) / 2


def look_like_labels(series: "pd.Series[Any]", values: Coded) -> bool:
    """Return whether values look like labels of groups.

    These are texts with numbers, such as "P017", numbers that only count, and whole ones
    in a column of identifiers.  Words, measurements and the levels of a scale describe
    items.
    """
    if pd.api.types.is_numeric_dtype(series):
        return _only_count(values) or (
            has_identifiers(series.name) and are_whole(series)
        )
    texts = values.labels.astype(str)
    are_short = texts.str.len() <= _LONGEST_LABEL
    have_numbers = texts.str.contains(r"\d", regex=True)
    return bool(np.mean(np.asarray(are_short & have_numbers)) > 0.5)


def are_whole(series: "pd.Series[Any]") -> bool:
    """Return whether numbers have no fractions."""
    return bool((series.dropna() % 1 == 0).all())


def _counts(units: Coded, values: Coded, models: Coded, table: pd.DataFrame) -> bool:
    """Return whether the labels of items repeat in a model, but for each value."""
    cells = _both(models, units)
    if "run" in table:
        cells = _both(cells, coded_values(table["run"]))
    n_rows = len(table)
    return len(cells.labels) < n_rows == len(_both(cells, values).labels)


def _only_count(values: Coded) -> bool:
    """Return whether numbers are 0, 1, 2 and so on, or 1, 2, 3."""
    numbers = np.sort(values.labels.to_numpy())
    counted = np.arange(numbers.size)
    return any(np.array_equal(numbers, counted + first) for first in (0, 1))


def _is_measurement(series: "pd.Series[Any]", values: Coded) -> bool:
    """Return whether a column has many numbers that do not only count."""
    if not pd.api.types.is_numeric_dtype(series):
        return False
    return len(values.labels) >= _FEWEST_MEASURED and not _only_count(values)


def _groups_rows(series: "pd.Series[Any]", n_values: int) -> bool:
    """Return whether a column may say what a row is.

    A column that is the same everywhere or different everywhere, such as an identifier,
    or that holds many fractions, such as another measurement, does not group rows; a
    setting such as a learning rate has few.
    """
    if n_values in (1, len(series)):
        return False
    has_fractions = series.dtype.kind == "f" and (series.dropna() % 1 != 0).any()
    return not has_fractions or n_values <= _MOST_SETTINGS
