"""Refusals of columns without a role that may say what a row is."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Any

import pandas as pd

from replib._names.labels.parts import TRAINED, names_parts
from replib._names.things.columns import is_size_of_model, tells_of_training
from replib._names.things.items import names_a_group, says_what_was_asked
from replib._names.things.kinds import is_setting, kind_of_name, names_repetitions
from replib._names.things.roles import METRICS, PARTS, TASKS
from replib._names.words import plain_text
from replib._tables.arguments import quoted
from replib._tables.columns import column_without_role
from replib._tables.harmless import is_harmless, may_be_clusters
from replib._validation import listed, refusal, shown
from replib.designs import Design, Items, RandomSplits, Seeds

#: Labels of a column that are looked at for the name of a part of the data.
_MOST_PARTS = 1000
#: Signs of long texts that are shown before they differ.
_BEFORE_DIFFERENCE = 8
#: Fewer runs with settings of their own may be anything.
_FEWEST_TRIALS = 6
#: Share of the runs of a model that have settings of their own.
_SHARE_OF_TRIALS = 0.8
#: Columns that a refusal names as ignored.
_MOST_COLUMNS_NAMED = 20


def check_others(rest: pd.DataFrame, table: pd.DataFrame, design: Design) -> None:
    """Refuse columns without a role that may say what a row is.

    Parameters
    ----------
    rest : DataFrame
        The columns without a role.
    table : DataFrame
        The same rows, with columns named after their roles.
    design : Design

    Raises
    ------
    ValueError
    """
    for name in rest:
        _refuse_training_rows(name, rest[name])
    unknown = []
    for name in rest:
        if is_size_of_model(name) or tells_of_training(name):
            continue
        column = column_without_role(rest[name], table, design)
        if says_what_was_asked(name) and column.first_difference is not None:
            raise _refusal_of_items(name, rest[name], table, column.first_difference)
        if not column.groups_rows or is_harmless(name, column, design):
            continue
        if column.counts_items and isinstance(design, Items) and names_a_group(name):
            raise _refusal_of_numbers(name)
        if may_be_clusters(name, column, design):
            raise refusal_of_groups(name, rest[name], table["item"])
        unknown.append(name)
    if unknown:
        raise _refusal(unknown, rest, design)


def notes_on_constant_seeds(
    frame: pd.DataFrame, used: Iterable[Any], design: Design
) -> Iterator[str]:
    """Note that all runs have the same seed, of which there should be one each.

    Parameters
    ----------
    frame : DataFrame
    used : iterable
        Columns that were mentioned.
    design : Design
    """
    names = [*used]
    if not isinstance(design, Seeds) or len(frame) < 2:
        return
    for name in frame:
        if name in names or kind_of_name(name) != "seed":
            continue
        values = frame[name].map(str).unique()
        if len(values) == 1:
            yield (
                f"Column {shown(name)} is {values[0]} in all rows: was each run trained "
                "with a seed of its own?"
            )


def notes_on_searches(
    frame: pd.DataFrame,
    columns: Mapping[str, Any],
    used: Iterable[Any],
    design: Design,
) -> Iterator[str]:
    """Note that nearly each run of a model has settings of its own, as trials of a search have.

    Settings that were chosen anew for each seed are called so, or the runs are.

    Parameters
    ----------
    frame : DataFrame
    columns : mapping
        Names of columns by their role.
    used : iterable
        Columns that were mentioned and not ignored.
    design : Design
    """
    model, run = columns.get("model", "model"), columns.get("run", "run")
    names = [*used]
    settings = [name for name in frame if name not in names and is_setting(name)]
    is_repeated = kind_of_name(run) in ("seed", "repetition", "split")
    if not isinstance(design, Seeds) or is_repeated or not settings:
        return
    if model not in frame or len(frame) < _FEWEST_TRIALS:
        return
    combinations = frame[[model, *settings]].astype(str)
    n_runs = combinations[model].value_counts()
    n_distinct = combinations.drop_duplicates()[model].value_counts()
    if n_runs.min() > 1 and (n_distinct >= _SHARE_OF_TRIALS * n_runs).all():
        yield (
            f"The runs of each model differ in {listed(settings)}: are they trials of a "
            "search, of which a model has the best?"
        )


def _refuse_training_rows(name: Any, series: "pd.Series[Any]") -> None:
    if not names_parts(name):
        return
    labels = series.astype(str).unique()[:_MOST_PARTS]
    if not TRAINED.isdisjoint(map(plain_text, labels)):
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
    of_a, of_b = (shown(series.iloc[index]) for index in (first, row))
    a, b = (table["model"].iloc[index] for index in (first, row))
    problem = (
        f"{name} of {unit} {shown(label)} is {of_a} for {a} and {of_b} for {b}, so the "
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


def _refusal(unknown: list[Any], rest: pd.DataFrame, design: Design) -> ValueError:
    """Return the refusal of columns that may say what a row is, of which the first is named."""
    name = unknown[0]
    folds = advice_on_folds(name, design)
    problem = (
        f"column {shown(name)} has no role in {design}, and the values "
        f"{listed(_from_difference(_distinct_values(rest[name])))}"
    )
    if folds is not None:
        return refusal(problem, *folds)
    in_python = f"choose rows by where={{{shown(name)}: ...}}"
    in_shell = f"choose rows by --where {quoted(name)}=VALUE"
    plain = plain_text(name)
    if plain in TASKS and isinstance(design, Items):
        in_python = f"say design=Items(suite={shown(name)}), {in_python}"
        in_shell = f"say --suite {quoted(name)}, {in_shell}"
    if plain in (*PARTS, *METRICS):
        return refusal(problem, in_python, in_shell)
    if names_repetitions(name) and "run" in design.keys:
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


def _from_difference(values: list[Any]) -> list[Any]:
    """Return texts that look alike, because they are long, without how all of them begin.

    >>> _from_difference([f"a long text of {n} words, which is cut" for n in (10, 20)])
    ['...text of 10 words, which is cut', '...text of 20 words, which is cut']
    """
    differ = len({shown(value) for value in values}) == len(values)
    if differ or not all(isinstance(value, str) for value in values):
        return values
    alike = takewhile(lambda signs: len({*signs}) == 1, zip(*values))
    begin = len([*alike]) - _BEFORE_DIFFERENCE
    return [f"...{value[begin:]}" for value in values] if begin > 0 else values
