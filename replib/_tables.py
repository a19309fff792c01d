"""Tables of rows: columns by their roles, labels, and the values of each model.

Shared by the tables of scores and the readers.  What does not fit is refused in one
sentence that names rows or columns.
"""

import re
import shlex
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replib._names.columns import is_size_of_model
from replib._names.labels import TRAINED
from replib._names.roles import (
    PARTS,
    REPETITIONS,
    REPETITIONS_OF_MODEL,
    STATES,
    TASKS,
    WORDS,
    label_names,
)
from replib._names.scores import is_called_after, may_have_scores_of
from replib._rows import Coded, Rows, combinations_of_codes
from replib._validation import (
    check_instance,
    joined,
    listed,
    one_line,
    rectangular_array,
    refusal,
    shown,
)
from replib.designs import CV, Datasets, Design, Items, RandomSplits, Seeds

#: Codes are sparse if the largest exceeds their count by this factor.
_SPARSE = 10
#: Rows that a refusal names.
_MOST_ROWS_NAMED = 3
#: Columns that a refusal names as ignored.
_MOST_COLUMNS_NAMED = 20
#: Different fractions in a column of settings, such as learning rates.  A column with
#: more of them is another measurement.
_MOST_SETTINGS = 5


#: Columns of numbers without a role that are the scores of a row each.
_FEWEST_SCORES = 2
#: Roles of which each says something else about a score.
_DIFFERENT = ("model", "dataset", "item")
#: Roles whose labels are names, which must not look the same.
_NAMES = ["model", "dataset", "cluster", "task", "stratum"]


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
    found: list[str | None] = []
    for name in names:
        word = label_word(name, design)
        fitting = [key for key in keys if key == word and key not in found]
        if fitting:
            found.append(fitting[0])
        elif name is None or (word is None and len(names) == 1):
            found.append(None)
        else:
            raise ValueError(advice_on_index(argument, names, keys, design))
    without_name = iter([key for key in keys if key not in found])
    return [next(without_name) if key is None else key for key in found]


def label_word(name: Any, design: Design) -> str | None:
    """Return what labels with this name are, or None for a name that is not known."""
    plain = str(name).strip().casefold()
    repeated = design.within if isinstance(design, Datasets) else design
    if plain == "split" and isinstance(repeated, CV | RandomSplits):
        return None  # it counts all folds of all runs, or the runs
    for word, names in WORDS.items():
        if plain in names:
            return word
    return None


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


def role_columns(
    frame: pd.DataFrame,
    usual: Mapping[str, str],
    columns: Mapping[str, Any] | None,
    where: Mapping[str, Any] | None,
    needed: Iterable[str],
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return two tables of the chosen rows: columns named after their roles, and the others.

    Parameters
    ----------
    frame : DataFrame
    usual : mapping
        Name of the column of each role, unless `columns` names another.
    columns, where : mapping or None
        As for :class:`replib.scores.Scores`.
    needed : iterable of str
        Roles of labels, which other names may have that say the same, such as "seed".
    """
    _check_frame(frame)
    check_instance("columns", columns, Mapping, type(None))
    check_instance("where", where, Mapping, type(None))
    conditions = dict(where or {})

    declared = dict(columns or {})
    ignored = _names_of_columns(declared.pop("ignored", []))
    _check_declared_roles(declared, [*usual, "ignored"])
    _check_units(declared)
    _check_repetitions(declared, usual)
    mentioned = [*ignored, *declared.values(), *conditions]
    # what is no label is refused below; an array cannot be compared with a name
    named = [*filter(_is_label, mentioned)]
    others = [name for name in frame.columns if name not in named]
    names = {**usual, **_names_of_labels(others, needed), **declared}
    frame = with_levels_as_columns(frame, [*mentioned, *names.values()])
    for name in mentioned:
        if not _is_label(name) or name not in frame.columns:
            raise ValueError(
                f"there is no column {shown(name)}: the columns are "
                f"{listed(frame.columns)}"
            )
    if len(set(names.values())) < len(names):
        raise ValueError("columns gives one column two roles")

    for name, value in conditions.items():
        frame = chosen_rows(frame, name, value)
    roles = {name: role for role, name in names.items() if name in frame}
    others = frame.drop(columns=[*roles, *ignored, *conditions])
    table = frame[list(roles)].rename(columns=roles)
    for role in table:
        if role != "score":
            table[role] = _labels(table[role], table)
    return table, others


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


def _names_of_labels(columns: Sequence[Any], needed: Iterable[str]) -> dict[str, Any]:
    """Return the columns with labels by their role, where a name says so and only one does."""
    found = {}
    for role in needed:
        fitting = [
            name
            for name in columns
            if isinstance(name, str) and name.strip().casefold() in label_names(role)
        ]
        if role not in columns and len(fitting) == 1:
            found[role] = fitting[0]
    return found


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


def _check_units(declared: Mapping[str, Any]) -> None:
    """Refuse a column of seeds or folds, by its name, as one of data sets, items or models."""
    for role in _DIFFERENT:
        name = declared.get(role)
        for other in _DIFFERENT:
            if other != role and str(name).strip().casefold() in label_names(other):
                raise ValueError(
                    f"column {shown(name)} has {other}s by its name, and no {role}s: say "
                    "which column has these, or the column has another name"
                )
    others = {
        "dataset": REPETITIONS,
        "item": REPETITIONS,
        "model": REPETITIONS_OF_MODEL,
    }
    for role, names in others.items():
        name = declared.get(role)
        if str(name).strip().casefold() in names:
            raise ValueError(
                f"column {shown(name)} has repetitions by its name, and no {role}s: the "
                "design is that of seeds or of splits, or the column has another name"
            )


def _check_repetitions(declared: Mapping[str, Any], usual: Mapping[str, str]) -> None:
    """Refuse a column of epochs, or of other units by its name, as one of runs or folds."""
    for role in ("run", "fold"):
        name = declared.get(role)
        plain = str(name).strip().casefold().replace("_", " ")
        if plain in STATES:
            raise ValueError(
                f"column {shown(name)} has states of one training by its name, and no "
                f"{role}s: choose one of them by where=, or the column has another name"
            )
        if plain.startswith("inner "):
            raise ValueError(
                f"column {shown(name)} has splits by its name that choose settings: give "
                "the scores on the outer splits, one for each"
            )
        # a design of runs of folds has a column for each
        others = {"run": "fold", "fold": "seed"}
        if plain == others[role] and others[role] not in usual:
            raise ValueError(
                f"column {shown(name)} has {plain}s by its name, and no {role}s: say "
                "with design how the scores were made, or the column has another name"
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
    if column.dtype.kind == "c" or (
        column.dtype.kind in "mM" and is_label is not _is_label
    ):
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
    table, others = role_columns(rows.frame, usual, columns, where, design.needed)
    _check_roles(table, rows.frame, usual, design)
    _check_others(others, design)

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
        _refuse_two_spellings(key, labels, table)
    for key in table.columns.intersection(["run", "fold"]):
        _refuse_equal_numbers(key, table[key])
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


def _refuse_repeated_rows(rows: Rows, design: Design) -> None:
    """Refuse two rows of a model with the same labels."""
    keys = ["model", *(key for key in design.keys if key in rows.frame)]
    numbers = combinations_of_codes([rows.column(key) for key in keys])
    if np.bincount(numbers).max() == 1:
        return
    is_repeated = pd.Series(numbers, rows.frame.index).duplicated()
    first = rows.frame.loc[is_repeated.to_numpy(), keys].iloc[0]
    labels = ", ".join(f"{key} {shown(label)}" for key, label in first.items())
    raise ValueError(
        f"{is_repeated.sum()} rows occur twice, the first for {labels}: is a column "
        "missing that tells them apart, such as a run?"
    )


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
    table: pd.DataFrame, frame: pd.DataFrame, usual: Mapping[str, str], design: Design
) -> None:
    """Refuse a table without a column that the design needs."""
    optional = set(design.keys).difference(design.needed)
    missing = [role for role in usual if role not in table and role not in optional]
    if missing:
        _refuse_row_per_model(table, frame)
        one = len(missing) == 1
        problem = "column {} is missing" if one else "columns {} are missing"
        which = "it is" if one else "they are"
        columns = f"the columns are {listed(frame.columns)}; say which {which}, as in"
        name = _only_numbers(frame, usual) if missing == ["score"] else None
        in_python = (
            f'"score": "{name}"'
            if name
            else ", ".join(f'"{role}": ...' for role in missing)
        )
        in_shell = " ".join(f"--column {role}={name or 'NAME'}" for role in missing)
        raise refusal(
            problem.format(listed([usual[role] for role in missing])),
            f"{columns} columns={{{in_python}}}",
            f"{columns} {in_shell}",
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


def _check_others(others: pd.DataFrame, design: Design) -> None:
    """Refuse columns without a role that may say what a row is."""
    for name in others:
        if str(name).strip().casefold() not in PARTS:
            continue
        parts = others[name].astype(str).str.casefold()
        if parts.isin(TRAINED).any():
            raise refusal(
                f"column {shown(name)} has training rows",
                "choose rows of test data by where=",
                f"choose rows of test data by --where {quoted(name)}=test",
            )
    unknown = [
        name
        for name in others
        if not is_size_of_model(name) and _groups_rows(others[name])
    ]
    if unknown:
        name = unknown[0]
        in_python = ""
        in_shell = ""
        if str(name).casefold() in TASKS and isinstance(design, Items):
            in_python = f"say design=Items(suite={shown(name)}), "
            in_shell = f"say --design suite --column task={quoted(name)}, "
        raise refusal(
            f"column {shown(name)} has no role in {design}, and the values "
            f"{listed(_distinct_values(others[name]))}",
            f"{in_python}choose rows by where={{{shown(name)}: ...}}, or say "
            f"columns={{'ignored': {unknown[:_MOST_COLUMNS_NAMED]}}}",
            f"{in_shell}choose rows by --where {quoted(name)}=VALUE, or say "
            f"--column ignored={quoted(name)}",
        )


def _groups_rows(column: pd.Series) -> bool:
    """Return whether a column may say what a row is.

    A column that is the same everywhere or different everywhere, such as an identifier,
    or that holds many fractions, such as another measurement, does not group rows; a
    setting such as a learning rate has few.
    """
    try:
        n_values = column.nunique(dropna=False)
    except TypeError:  # lists or dicts, such as the settings of a run
        n_values = column.map(repr).nunique()
    if n_values == 1 or n_values == len(column):
        return False
    has_fractions = column.dtype.kind == "f" and (column.dropna() % 1 != 0).any()
    return not has_fractions or n_values <= _MOST_SETTINGS


def refuse_measured_clusters(values: Any) -> None:
    """Refuse fractions as clusters: they are a measurement of each item.

    Parameters
    ----------
    values : array_like
        A label for each item.

    Raises
    ------
    ValueError
        If they are numbers, and not whole ones.
    """
    array = rectangular_array("clusters", values)
    if array.dtype.kind != "f":
        return
    finite = array[np.isfinite(array)]
    fractions = finite[finite % 1 != 0]
    if fractions.size:
        raise ValueError(
            "clusters must be labels, such as the number of a patient, not "
            f"{fractions[0]:g}: items with the same label depend on each other"
        )


def _distinct_values(column: pd.Series) -> list[Any]:
    """Return the different values of a column, also of lists and dicts."""
    texts = column.map(repr)
    return column[~texts.duplicated()].tolist()


def check_labels(key: str, labels: Iterable[Any]) -> None:
    """Refuse labels that look the same, and names that cannot be printed.

    Two models may differ in case, as Adam and an Adam of one's own do.  A data set or a
    cluster that counts twice would make a difference look more certain than it is.
    """
    first_spelling: dict[str, Any] = {}
    for label in labels:
        text = str(label)
        before = first_spelling.setdefault(_composed(text), label)
        may_differ = key == "model" and _differ_in_case(before, label)
        if before is not label and not may_differ:
            alike = _plain(text) == _plain(str(before))
            difference = "type, case or blanks" if alike else "Unicode form"
            raise ValueError(
                f"{key} {listed([before, label])} differ only in {difference}: use one"
            )
        # names of models are written in sentences and pages, other labels seldom
        must_print = key == "model"
        if not text.strip() or (must_print and not text.isprintable()):
            raise ValueError(f"{key} {shown(label)} has a name that cannot be printed")


def _differ_in_case(one: Any, other: Any) -> bool:
    """Return whether two labels are texts that differ only in case."""
    are_texts = isinstance(one, str) and isinstance(other, str)
    return are_texts and one != other and one.casefold() == other.casefold()


def _refuse_two_spellings(key: str, labels: Iterable[Any], table: pd.DataFrame) -> None:
    """Refuse labels that look the same, such as "heart-c" and "heart_c", if each is used apart.

    Two data sets that are called so occur together, for each model; of two spellings,
    a model has the one or the other.  Of two spellings of a model, the one has some runs,
    items or data sets, and the other has others.
    """
    others = ["model"]
    if key == "model":
        others = [unit for unit in ("item", "dataset", "run", "fold") if unit in table]
    first_spelling: dict[str, Any] = {}
    for label in labels:
        before = first_spelling.setdefault(_look(str(label)), label)
        if before is label:
            continue
        for other in others:
            one, two = (
                set(table.loc[table[key] == name, other]) for name in (before, label)
            )
            if one.isdisjoint(two):
                in_case = _differ_in_case(before, label)
                difference = "case" if in_case else "the signs between words"
                raise ValueError(
                    f"{key} {listed([before, label])} differ only in {difference}, and "
                    f"no {other} has both: use one"
                )


def _refuse_equal_numbers(key: str, column: "pd.Series[Any]") -> None:
    """Refuse labels in texts that are the same whole number, such as 3 and 03."""
    if pd.api.types.is_numeric_dtype(column):
        return
    first_spelling: dict[str, Any] = {}
    for label in column.unique():
        if not str(label).isdecimal():
            continue
        before = first_spelling.setdefault(str(label).lstrip("0"), label)
        if before is not label:
            raise ValueError(
                f"{key} {listed([before, label])} are the same number: use one spelling"
            )


def _plain(text: str) -> str:
    """Return a text without differences of case and blanks."""
    return " ".join(text.split()).casefold()


def _composed(text: str) -> str:
    """Return a plain text with composed letters, and without invisible ones."""
    composed = unicodedata.normalize("NFKC", _plain(text))
    return "".join(c for c in composed if unicodedata.category(c) != "Cf")


def _look(text: str) -> str:
    """Return what a text looks like: "breast-cancer" is "breast_cancer"."""
    return re.sub(r"(?<=\w)[-_ ](?=\w)", " ", _composed(text))


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


@dataclass(frozen=True)
class _Cells:
    """Where rows of a table belong: cells of a grid of runs by folds, items or data sets.

    Attributes
    ----------
    numbers : ndarray of int, shape (rows,)
        Run times `width`, plus fold, item or data set.
    runs : ndarray of int, shape (rows,)
    labels : dict of Index
        Labels of the runs, and of what they have.
    """

    numbers: NDArray[np.int64]
    runs: NDArray[np.int64]
    labels: dict[str, pd.Index]

    @property
    def last_key(self) -> str:
        """What the last axis of a block counts."""
        return list(self.labels)[-1]

    @property
    def width(self) -> int:
        """Folds, items or data sets of each run; random splits and seeds have none."""
        return 1 if self.last_key == "run" else len(self.labels[self.last_key])

    def label(self, number: int) -> str:
        """Write the labels of a cell, but for those that are the same everywhere."""
        position = dict(zip(self.labels, divmod(number, self.width)))
        return ", ".join(
            f"{key} {shown(labels[position[key]])}"
            for key, labels in self.labels.items()
            if len(labels) > 1
        )


def _cells(rows: Rows, design: Design) -> _Cells:
    """Return the cells of the rows: runs and folds follow their labels, units their first rows."""
    table = rows.frame
    runs = np.zeros(len(table), np.int64)
    labels = {"run": pd.Index([0])}
    if "run" in table:
        runs, labels["run"] = _sorted_codes(table["run"])
    last = design.unit or design.keys[-1]
    if last == "run":
        return _Cells(runs, runs, labels)
    if design.unit:
        positions, labels[last] = rows.column(last)
    else:
        positions, labels[last] = _sorted_codes(table[last])
    return _Cells(runs * len(labels[last]) + positions, runs, labels)


def _sorted_codes(column: pd.Series) -> tuple[NDArray[np.int64], pd.Index]:
    """Return a code for each label, and the labels, sorted if they can be."""
    try:
        codes, labels = pd.factorize(column, sort=True)
    except TypeError:  # dates and numbers, for instance, have no common order
        codes, labels = pd.factorize(column)
    return codes, labels


def _distinct(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the codes that occur, sorted; `np.unique` takes far longer to find dense ones."""
    if codes.max(initial=0) > _SPARSE * codes.size:
        return np.unique(codes)
    return np.flatnonzero(np.bincount(codes))


class _Holes(NamedTuple):
    """The cells that a model lacks.

    Attributes
    ----------
    first : int
        The number of the first one.
    n_missing, n_expected : int
    """

    first: int
    n_missing: int
    n_expected: int


def _holes_of_runs(
    own_cells: NDArray[np.int64], runs: NDArray[np.int64], width: int
) -> _Holes | None:
    """Return what a model lacks of whole runs, if anything; none of its cells is there twice.

    The cells of all runs are not listed: a table in which each row has a run and an
    item of its own would have the square of its rows.
    """
    n_expected = runs.size * width
    n_missing = n_expected - own_cells.size
    if not n_missing:
        return None
    run_of_cells = own_cells // width
    n_of_runs = np.bincount(np.searchsorted(runs, run_of_cells), minlength=runs.size)
    run = runs[np.argmax(n_of_runs < width)]
    whole = run * width + np.arange(width)
    missing = np.setdiff1d(whole, own_cells[run_of_cells == run], assume_unique=True)
    return _Holes(int(missing[0]), n_missing, n_expected)


def _holes_of_splits(
    own_cells: NDArray[np.int64], every_split: NDArray[np.int64]
) -> _Holes | None:
    """Return which splits a model lacks, if any; none of its cells is there twice."""
    missing = np.setdiff1d(every_split, own_cells, assume_unique=True)
    if not missing.size:
        return None
    return _Holes(int(missing[0]), missing.size, every_split.size)


def model_values(
    rows: Rows, column: str, design: Design, place: str = ""
) -> dict[str, NDArray[Any]]:
    """Return the values of each model in the shape of the design, matched by their labels.

    Refuse a model that lacks a value, and rows that do not fit the design.

    Parameters
    ----------
    rows : Rows
        What :func:`checked_rows` returned.
    place : str
        What a refusal begins with.
    """
    if isinstance(design, Datasets) and design.within is not None:
        rows = _dataset_means(rows, column, design.within)
    cells = _cells(rows, design)
    every_run = _distinct(cells.runs)
    # folds may have other labels in each run: any model may tell which there are
    every_split = _distinct(cells.numbers) if design.unit is None else None
    # unpaired runs of a model are its own: it need not have those of others
    has_own_runs = isinstance(design, Seeds | Items) and not design.paired

    values = rows.frame[column].to_numpy()
    codes, models = rows.column("model")
    blocks = {}
    for code, model in enumerate(models):
        own_rows = np.flatnonzero(codes == code)
        own_cells = cells.numbers[own_rows]
        if has_own_runs:
            own_runs = _distinct(cells.runs[own_rows])
            holes = _holes_of_runs(own_cells, own_runs, cells.width)
        elif every_split is None:
            holes = _holes_of_runs(own_cells, every_run, cells.width)
        else:
            holes = _holes_of_splits(own_cells, every_split)
        if holes is not None:
            problem = (
                f"{place}{model} has no {column} for {cells.label(holes.first)}: it "
                f"lacks {holes.n_missing} of {holes.n_expected} {cells.last_key}s"
            )
            raise hole(problem, design)
        order = np.argsort(own_cells, kind="stable")
        blocks[model] = values[own_rows[order]]

    if isinstance(design, CV | RandomSplits):
        _check_runs(_distinct(cells.numbers) // cells.width, design, place)
    return {
        model: in_shape(f"{place}{model}", block, design, cells.width)
        for model, block in blocks.items()
    }


def hole(problem: str, design: Design) -> ValueError:
    """Return the refusal of a table that lacks values, with what can be kept of it."""
    is_whole = isinstance(design, CV) and design.runs == 1
    if is_whole or (isinstance(design, Seeds) and not design.paired):
        return ValueError(problem)
    kept = {"item": "items", "dataset": "data sets"}.get(
        design.unit or "", "whole runs"
    )
    if isinstance(design, RandomSplits):
        kept = "splits"
    common = f"keep the {kept} that all models have"
    return refusal(
        problem, f'missing="common" can {common}', f"--missing common can {common}"
    )


def _dataset_means(rows: Rows, column: str, within: CV | RandomSplits | Seeds) -> Rows:
    """Return the mean of each model on each data set, whose rows must fit the design within."""
    codes, datasets = rows.column("dataset")
    places = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes))
    means = []
    for dataset, own_places in zip(datasets, np.split(places, ends[:-1])):
        place = f"data set {shown(dataset)}: "
        own_rows = rows.chosen(own_places)
        for model, block in model_values(own_rows, column, within, place).items():
            means.append({"model": model, "dataset": dataset, column: block.mean()})
    return Rows(pd.DataFrame(means), {})


def _check_runs(runs: NDArray[np.int64], design: CV | RandomSplits, place: str) -> None:
    """Refuse splits that are not as many runs, each of as many folds, as the design has."""
    _, n_folds = np.unique(runs, return_counts=True)
    n_runs, wanted = design.shape
    if len(n_folds) == n_runs and (n_folds == wanted).all():
        return
    raise ValueError(
        f"{place}the design is {design}, and the rows of each model are "
        f"{_runs_of_folds(n_folds, 'fold' in design.keys)}"
    )


def _runs_of_folds(n_folds: NDArray[np.int64], has_folds: bool) -> str:
    """Write how many runs of how many folds there are, or how many splits."""
    unit = "run" if has_folds else "split"
    runs = f"{len(n_folds)} {unit}{'' if len(n_folds) == 1 else 's'}"
    if not has_folds:
        return runs
    least, most = n_folds.min(), n_folds.max()
    if least < most:
        return f"{runs} of {least} to {most} folds"
    return f"{runs} of {most} fold{'' if most == 1 else 's'}"


def in_shape(
    model: str, values: NDArray[Any], design: Design, n_items: int
) -> NDArray[Any]:
    """Return the values of a model in the shape of the design; refuse a single seed or item."""
    if isinstance(design, CV | RandomSplits):
        return values.reshape(design.shape)
    if isinstance(design, Datasets):
        _refuse_few(model, values.size, "data set", least=1)
        return values.reshape(-1)
    if isinstance(design, Seeds):
        _refuse_few(model, values.size, "seed")
        return values.reshape(-1)
    _refuse_few(model, n_items, "item")
    _refuse_few(model, values.size, "run", least=1)
    return values.reshape(-1, n_items)


def _refuse_few(model: str, n: int, unit: str, *, least: int = 2) -> None:
    """Refuse a model with no unit, or with a single one if two are needed."""
    if n < least:
        number = "one" if n == 1 else "no"
        needed = "two are" if least == 2 else "one is"
        raise ValueError(f"{model} has {number} {unit}, and at least {needed} needed")
