"""Columns without a role: harmless ones, and those that may say what a row is."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from replib._names.columns import is_size_of_model
from replib._names.items import (
    asks,
    describes_items,
    has_answers,
    names_a_group,
    says_what_was_asked,
)
from replib._names.kinds import REPEATED, STATES, kind_of_name, misfits
from replib._names.parts import TESTED, TRAINED
from replib._names.roles import PARTS, TASKS, label_names
from replib._names.words import words_of_column
from replib._rows import Coded, combinations_of_codes
from replib._tables.arguments import quoted
from replib._validation import listed, refusal, shown
from replib.designs import Datasets, Design, Items, RandomSplits, Seeds

#: Columns that a refusal names as ignored.
_MOST_COLUMNS_NAMED = 20
#: Different fractions in a column of settings, such as learning rates.  A column with
#: more of them is another measurement.
_MOST_SETTINGS = 5
#: Levels of a scale, such as grades 1 to 5.  More numbers that only count name groups.
_MOST_LEVELS = 5
#: From here on whole numbers that do not only count are measurements, such as tokens.
_FEWEST_MEASURED = 20
#: Values of a column that are looked at for the name of a part of the data.
_MOST_PARTS = 100
#: Scores of right and wrong items, which a model has whatever it is called.
_MOST_ANSWERS = 2
#: A longer text is no label.
_LONGEST_LABEL = 50
#: Kinds of labels that number the runs of a model.
_REPETITIONS = {"seed", "run", "trial", "repetition"}
#: Kinds of labels that tell rows of a unit apart.
_OTHER_LABELS = {*_REPETITIONS, *REPEATED, *STATES, "split", "data set", "task"}
_PART = "part of the data"
#: Columns of machines, and first words of columns of the epochs that were chosen.
_MACHINES = {"gpu", "host", "hostname", "machine", "node"}
_CHOSEN = {"best", "early", "final", "last", "stopped"}
#: Columns that say of which metric a score is.
_METRICS = ("metric", "metric_name", "measure", "scorer", "scoring")


def check_others(others: pd.DataFrame, table: pd.DataFrame, design: Design) -> None:
    """Refuse columns without a role that may say what a row is.

    Parameters
    ----------
    others : DataFrame
        The columns without a role.
    table : DataFrame
        The same rows, with columns named after their roles.
    design : Design

    Raises
    ------
    ValueError
    """
    for name in others:
        _refuse_training_rows(name, others[name])
    unknown = []
    for name in others:
        if is_size_of_model(name) or _tells_of_training(name):
            continue
        column = _column(others[name], table, design)
        if says_what_was_asked(name) and column.first_difference is not None:
            raise _refusal_of_items(name, others[name], table, column.first_difference)
        if not column.groups_rows or _is_harmless(name, column, design):
            continue
        if column.counts_items and isinstance(design, Items) and names_a_group(name):
            raise _refusal_of_numbers(name)
        if _may_be_clusters(name, column, design):
            raise refusal_of_groups(name, others[name], table["item"])
        unknown.append(name)
    if unknown:
        raise _refusal(unknown, others, design)


class _Column(NamedTuple):
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
    counts_items: bool
    is_label_of_run: bool
    is_in_clusters: bool
    is_measurement: bool
    has_several_each: bool
    has_labels_of_groups: bool
    first_difference: int | None


def _column(series: "pd.Series[Any]", table: pd.DataFrame, design: Design) -> _Column:
    """Return what a column without a role says about the rows."""
    values = _values(series)
    groups_rows = _groups_rows(series, len(values.labels))
    models = _values(table["model"])
    units = _units(table, design)
    is_of_unit = units is not None and _has_one_value(units, values)
    first_difference = None
    if units is not None and not is_of_unit:
        first_difference = _first_difference(series, units, models, values)
    is_label_of_run = False
    if "run" in table:
        own_runs = _both(models, _values(table["run"]))
        is_label_of_run = _is_alias(own_runs, _both(models, values))
    has_several_each = (
        is_of_unit and units is not None and _have_several_each(values, units)
    )
    clustering = design.clustering
    return _Column(
        values=values,
        groups_rows=groups_rows,
        is_of_unit=is_of_unit,
        is_label_of_unit=_is_alias(units, values),
        is_label_of_model=_is_alias(models, values),
        counts_items=units is not None and _counts(units, values, models, table),
        is_label_of_run=is_label_of_run,
        is_in_clusters=(
            clustering in table and _has_one_value(values, _values(table[clustering]))
        ),
        is_measurement=_is_measurement(series, values),
        has_several_each=has_several_each,
        has_labels_of_groups=has_several_each and _look_like_labels(series, values),
        first_difference=first_difference,
    )


def _both(first: Coded, second: Coded) -> Coded:
    """Return the combinations of two columns as labels."""
    return Coded(*pd.factorize(combinations_of_codes([first, second])))


def _values(series: "pd.Series[Any]") -> Coded:
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
    units = _values(table[design.unit])
    return _both(_values(table["task"]), units) if "task" in table else units


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


def _have_several_each(values: Coded, units: Coded) -> bool:
    """Return whether there are more than a few values, each of several items."""
    return _MOST_LEVELS < len(values.labels) <= len(units.labels) / 2


def _look_like_labels(series: "pd.Series[Any]", values: Coded) -> bool:
    """Return whether values look like labels of groups.

    These are texts with numbers, such as "P017", or numbers that only count.  Words,
    measurements and the levels of a scale describe items.
    """
    if pd.api.types.is_numeric_dtype(series):
        return _only_count(values)
    texts = values.labels.astype(str)
    are_short = texts.str.len() <= _LONGEST_LABEL
    have_numbers = texts.str.contains(r"\d", regex=True)
    return bool(np.mean(np.asarray(are_short & have_numbers)) > 0.5)


def _counts(units: Coded, values: Coded, models: Coded, table: pd.DataFrame) -> bool:
    """Return whether the labels of items repeat in a model, but for each value."""
    cells = _both(models, units)
    if "run" in table:
        cells = _both(cells, _values(table["run"]))
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


def _is_known(name: Any, column: _Column, design: Design) -> bool:
    """Return whether a column has other labels, parts of the data or metrics by its name."""
    plain = str(name).strip().casefold()
    if plain in (*label_names("model"), *TASKS, *_METRICS):
        return True
    kind = kind_of_name(name)
    is_other = kind in _OTHER_LABELS or misfits(kind, design.unit or "run")
    if is_other and kind != _PART and plain not in label_names(design.unit or ""):
        return True
    # the "stage" of a disease, for instance, is no part of the data
    parts = {str(label).casefold() for label in column.values.labels[:_MOST_PARTS]}
    return plain in PARTS and not (column.is_of_unit and parts.isdisjoint(TESTED))


def _is_harmless(name: Any, column: _Column, design: Design) -> bool:
    """Return whether a column says nothing about a row that the other labels do not say."""
    names_runs = column.is_label_of_run or column.is_label_of_model
    if names_runs and _names_repetitions(name):
        return True
    if column.is_label_of_model and _names_models(name):
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


def _may_be_clusters(name: Any, column: _Column, design: Design) -> bool:
    """Return whether items with the same value may depend on each other."""
    if not isinstance(design, Items) or design.predicted == "by_fold":
        return False
    if not column.is_of_unit:
        return False
    if _is_known(name, column, design):  # "subject" is a person, or a school subject
        return names_a_group(name) and column.has_labels_of_groups
    return True


def _names_models(name: Any) -> bool:
    return any(word in label_names("model") for word in words_of_column(name))


def _tells_of_training(name: Any) -> bool:
    """Return whether a column says by its name where, or how long, a model was trained."""
    words = words_of_column(name)
    if " ".join(words) in _MACHINES:
        return True
    return words[:1] != words[-1:] and words[0] in _CHOSEN and words[-1] in STATES


def _names_repetitions(name: Any) -> bool:
    """Return whether a column has seeds or numbers of runs by its name."""
    return kind_of_name(name) in _REPETITIONS


def _refuse_training_rows(name: Any, series: "pd.Series[Any]") -> None:
    if str(name).strip().casefold() not in PARTS:
        return
    if series.astype(str).str.casefold().isin(TRAINED).any():
        raise refusal(
            f"column {shown(name)} has training rows",
            "choose rows of test data by where=",
            f"choose rows of test data by --where {quoted(name)}=test",
        )


def _refusal_of_items(
    name: Any, series: "pd.Series[Any]", table: pd.DataFrame, row: int
) -> ValueError:
    """Return the refusal of models that have other items under one label."""
    unit = "item" if "item" in table else "dataset"
    label = table[unit].iloc[row]
    first = int((table[unit] == label).to_numpy().argmax())
    one, two = (shown(series.iloc[place]) for place in (first, row))
    a, b = (table["model"].iloc[place] for place in (first, row))
    problem = (
        f"{name} of {unit} {shown(label)} is {one} for {a} and {two} for {b}, so the "
        f"{unit}s are not the same"
    )
    advice = f"give each {unit} one label in all models, or if {name} may differ, say"
    return refusal(
        problem,
        f"{advice} columns={{'ignored': [{shown(name)}]}}",
        f"{advice} --column ignored={quoted(name)}",
    )


def _refusal_of_numbers(name: Any) -> ValueError:
    """Return the refusal of items that are numbered anew in each group."""
    problem = f"items are numbered anew in each {shown(name)}"
    advice = "join both to one label, and if items of one depend on each other, say"
    return refusal(
        problem,
        f"{advice} Items(cluster={shown(name)})",
        f"{advice} --cluster {quoted(name)}",
    )


def may_group_items(name: Any, series: "pd.Series[Any]") -> bool:
    """Return whether a column of a table with a row per item may group the items.

    Parameters
    ----------
    name : object
    series : Series

    Returns
    -------
    bool
    """
    values = _values(series)
    rows = np.arange(len(series))
    if not _MOST_ANSWERS < len(values.labels) < len(rows):
        return False
    if names_a_group(name):
        return True
    if pd.api.types.is_numeric_dtype(series) or describes_items(name):
        return False
    units = Coded(rows, pd.Index(rows))
    return _have_several_each(values, units) and _look_like_labels(series, values)


def refusal_of_groups(
    name: Any, series: "pd.Series[Any]", items: "pd.Series[Any]"
) -> ValueError:
    """Return the refusal of a column that may say which items depend on each other.

    Parameters
    ----------
    name : object
    series, items : Series
        The column, and the item of each row.

    Returns
    -------
    ValueError
    """
    label = series.iloc[0]
    n_items = items[(series == label).to_numpy()].nunique()
    otherwise = "or if they do not,"
    return refusal(
        f"items with the same {shown(name)}, such as the {n_items} with {shown(label)}, "
        "may depend on each other",
        f"say Items(cluster={shown(name)}), {otherwise} columns={{'ignored': "
        f"[{shown(name)}]}}",
        f"say --cluster {quoted(name)}, {otherwise} --column ignored={quoted(name)}",
    )


def advice_on_folds(name: Any, design: Design) -> tuple[str, str] | None:
    """Return what to do, in Python and in the shell, about folds that a design has not."""
    if kind_of_name(name) != "fold":
        return None
    if isinstance(design, Items):
        by_fold = 'Items(predicted="by_fold")'
        if name != "fold":
            by_fold += f" and columns={{'fold': {shown(name)}}}"
        advice = f"if the model of its fold predicted each item, say {by_fold}"
        return advice, f"{advice} in Python"
    if isinstance(design, Seeds | RandomSplits):
        advice = "say how many runs of how many folds there are, as in"
        return f'{advice} design="1x10"', f"{advice} --design 1x10"
    return None


def _refusal(unknown: list[Any], others: pd.DataFrame, design: Design) -> ValueError:
    """Return the refusal of columns that may say what a row is, of which the first is named."""
    name = unknown[0]
    folds = advice_on_folds(name, design)
    problem = (
        f"column {shown(name)} has no role in {design}, and the values "
        f"{listed(_distinct_values(others[name]))}"
    )
    if folds is not None:
        return refusal(problem, *folds)
    in_python = f"choose rows by where={{{shown(name)}: ...}}"
    in_shell = f"choose rows by --where {quoted(name)}=VALUE"
    plain = str(name).strip().casefold()
    if plain in TASKS and isinstance(design, Items):
        in_python = f"say design=Items(suite={shown(name)}), {in_python}"
        in_shell = f"say --suite {quoted(name)}, {in_shell}"
    if plain in (*PARTS, *_METRICS):
        return refusal(problem, in_python, in_shell)
    if _names_repetitions(name) and "run" in design.keys:
        advice = "if it numbers the runs, say"
        return refusal(
            problem,
            f"{advice} columns={{'run': {shown(name)}}}",
            f"{advice} --column run={quoted(name)}",
        )
    alike = "or if all of them count alike, say"
    return refusal(
        problem,
        f"{in_python}, {alike} columns={{'ignored': {unknown[:_MOST_COLUMNS_NAMED]}}}",
        f"{in_shell}, {alike} --column ignored={quoted(name)}",
    )


def _distinct_values(column: pd.Series) -> list[Any]:
    """Return the different values of a column, also of lists and dicts."""
    texts = column.map(repr)
    return column[~texts.duplicated()].tolist()
