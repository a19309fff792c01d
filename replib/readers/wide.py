"""Tables with a column per model."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replib._names.labels.crossed import pairs_of_numbers, runs_and_folds
from replib._names.labels.numbered import kind_of_numbered
from replib._names.things.columns import measured_by_name
from replib._names.things.items import describes_items, names_a_group
from replib._names.things.kinds import REPETITIONS, kind_of_name, misfits, plural
from replib._names.things.nouns import noun_of_name
from replib._names.things.roles import MODELS, is_word_of_labels, label_names
from replib._names.words import plain_text
from replib._rows import Coded, Rows
from replib._sources import counts_rows
from replib._tables.arguments import quoted
from replib._tables.harmless import may_group_items
from replib._tables.index import (
    advice_on_index,
    index_keys,
    label_word,
    refuse_index_of_kind,
    with_levels_as_columns,
)
from replib._tables.others import advice_on_folds, refusal_of_groups
from replib._tables.roles import role_columns
from replib._tables.splits import with_runs_and_folds
from replib._validation import check_instance, listed, refusal, shown
from replib.designs import CV, Datasets, Design, Items, RandomSplits, find_design
from replib.scores import Metric, Scores, find_metric

#: So many rows are counted by a column only if it counts them.
_FEWEST_COUNTED = 5
#: Whole numbers that a score of a model, which is right or wrong, has not.
_FEWEST_FOLDS = 3
#: Columns that a refusal names as ignored.
_MOST_COLUMNS_NAMED = 20
#: Such as "resnet_std", beside a column "resnet" or "resnet_mean".
_NAME_OF_ERROR = (
    r"(?P<model>.+?)(?:[ _.-](?P<word>std|sd|stdev|se|sem|stderr|err|ci|ci ?95)\.?"
    r"|[ _]?(?:±|\+/-))|(?:std|sd|stdev|se|sem|stderr)[ _.-](?P<behind>.+)"
)
#: Short for a part of networks, too: squeeze and excitation.
_ALSO_MODELS = {"se"}


def from_wide(
    frame: pd.DataFrame,
    *,
    design: Any,
    metric: str | Metric,
    columns: Mapping[str, Any] | None = None,
    where: Mapping[str, Any] | None = None,
    missing: str = "refuse",
) -> Scores:
    """Read a table with a column per model; of one with a row per model give the transpose.

    Parameters
    ----------
    frame : DataFrame
        A row per split, seed, item or data set.  Columns `run`, `fold`, `item`,
        `dataset` and the cluster are labels, also under names such as `seed` and
        `question_id`, as is an index of items or data sets.  A column may say run and
        fold together ("Fold01.Rep02").  All other columns are models.
        Without such columns the rows are all folds of the
        first run first, then those of the next.
    design : design, text or splitter
    metric : str or Metric
    columns : mapping, optional
        Names of columns with other names, as for :class:`replib.scores.Scores`, such as
        ``{"dataset": "task", "ignored": ["date"]}``.
    where : mapping, optional
        Values of columns that choose the rows.
    missing : {"refuse", "common"}
        As for :class:`replib.scores.Scores`; an empty cell is a score that is missing.

    Returns
    -------
    Scores

    Raises
    ------
    ValueError
        If a column is not numeric or the rows do not fit the design.

    Examples
    --------
    >>> table = pd.DataFrame({"dataset": ["iris", "wine"], "a": [.9, .8], "b": [.7, .9]})
    >>> scores = from_wide(table, design="datasets", metric="accuracy")
    >>> scores.units, scores.blocks["b"].tolist()
    (['iris', 'wine'], [0.7, 0.9])
    """
    check_instance("frame", frame, pd.DataFrame)
    design = find_design(design)
    metric = find_metric(metric)
    check_instance("columns", columns, Mapping, type(None))
    check_instance("where", where, Mapping, type(None))
    frame = _with_index_as_columns(frame, design, columns or {}, where or {})
    frame, columns = with_runs_and_folds(
        frame, design.roles, dict(columns or {}), design
    )
    columns = _with_identifiers(frame, design, columns)
    labels, scores = role_columns(frame, design.roles, columns, where, design)
    scores = _without_descriptions(scores, labels, design)
    absent = _missing_keys(labels, design)
    labels = _with_counted_keys(labels, absent, design)
    _check_models(scores, absent, design, metric)
    _refuse_transposed(scores, design)
    long = _row_per_score(labels, scores, design)
    # columns of clusters and tasks are called after their roles, not as the design says
    roles = {role: role for role in design.roles if role not in design.keys}
    names = _names_of_keys(columns or {}, design)
    long = Rows(long.frame.rename(columns=names), long.coded)
    return Scores(
        long, metric=metric, design=design, columns=roles | names, missing=missing
    )


def _names_of_keys(columns: Mapping[str, Any], design: Design) -> dict[str, Any]:
    """Return the columns that were said to have labels: their names say what these are."""
    return {
        key: name
        for key, name in columns.items()
        if key in design.keys and name not in (*design.roles, "model", "score")
    }


def _without_descriptions(
    scores: pd.DataFrame, labels: pd.DataFrame, design: Design
) -> pd.DataFrame:
    """Return columns without texts that describe the items or data sets, which have labels."""
    if design.unit not in labels:
        return scores
    descriptions = []
    for name in scores.select_dtypes(exclude="number"):
        texts = scores[name]
        if pd.to_numeric(texts, errors="coerce").notna().any():
            continue
        if describes_items(name) or (names_a_group(name) and texts.is_unique):
            descriptions.append(name)
    return scores.drop(columns=descriptions)


def _with_identifiers(
    frame: pd.DataFrame, design: Design, columns: Mapping[str, Any] | None
) -> Mapping[str, Any] | None:
    """Return the columns, with that of the items or data sets if it is called "id"."""
    unit = design.unit
    declared = columns or {}
    if unit is None or unit in declared or design.roles[unit] in frame:
        return columns
    names = label_names(unit)
    if any(plain_text(name) in names for name in frame):
        return columns
    identifiers = [
        name
        for name in frame
        if _identifies(name, unit)
        and name not in declared.values()
        and frame[name].is_unique
        and frame[name].dtype.kind != "f"
    ]
    return {**declared, unit: identifiers[0]} if len(identifiers) == 1 else columns


def _identifies(name: Any, unit: str) -> bool:
    """Return whether a column has identifiers by its name, such as "case_id"."""
    is_identifier = measured_by_name(name) == "identifiers"
    ends_so = plain_text(name).endswith(("_id", " id", "-id"))
    return (is_identifier or ends_so) and not misfits(kind_of_name(name), unit)


def _row_per_score(labels: pd.DataFrame, scores: pd.DataFrame, design: Design) -> Rows:
    """Return the labels once for each model, with the columns `model` and `score`.

    `DataFrame.melt` would compare all texts of the labels between models.
    """
    n_rows, n_models = scores.shape
    rows = np.tile(np.arange(n_rows), n_models)
    columns = [column for _, column in scores.items()]
    values = pd.concat(columns or [pd.Series(dtype=float)])
    frame = labels.iloc[rows].assign(
        model=scores.columns.repeat(n_rows), score=values.array
    )
    coded = {"model": Coded(np.repeat(np.arange(n_models), n_rows), scores.columns)}
    unit = design.unit
    if unit is not None and unit in labels:
        codes, distinct = Coded.from_column(labels[unit])
        coded[unit] = Coded(codes[rows], distinct)
    return Rows(frame, coded)


def _with_index_as_columns(
    frame: pd.DataFrame,
    design: Design,
    declared: Mapping[str, Any],
    where: Mapping[str, Any],
) -> pd.DataFrame:
    """Return a wide table whose index, if it has labels of the design, is among the columns."""
    own_names = [*design.roles.values(), *declared.values(), *where]
    frame = with_levels_as_columns(frame, own_names)
    missing = [
        key
        for key in design.keys
        if key not in declared and design.roles[key] not in frame
    ]
    if not missing:
        return frame
    frame = _with_splits_by_labels(frame, missing, design)
    missing = [key for key in missing if design.roles[key] not in frame]
    if not missing:
        return frame
    if frame.index.nlevels > 1:
        keys = _keys_of_levels(frame.index, missing, design)
        return frame.rename_axis(index=keys).reset_index()
    key = _key_of_index(frame.index, missing, design)
    if key is None:
        return frame  # its rows are counted
    return frame.rename_axis(index=key).reset_index()


def _keys_of_levels(
    index: pd.Index, missing: Sequence[str], design: Design
) -> list[str]:
    """Return the keys whose labels the levels of an index have, or refuse them."""
    names = list(index.names)
    if len(names) != len(missing):
        raise ValueError(advice_on_index("frame", names, missing, design))
    return index_keys("frame", names, missing, design)


def _key_of_index(
    index: pd.Index, missing: Sequence[str], design: Design
) -> str | None:
    """Return the key whose labels an index has, or None; refuse what it has instead."""
    (name,) = index.names
    key = label_word(name, design)
    if plain_text(name) in MODELS:
        raise refusal(
            f"the index {shown(name)} has models by its name",
            "give the transpose, frame.T: a table has a column for each model",
            "a table has a column for each model",
        )
    if key == "run" and isinstance(design, Items) and index.is_unique:
        key = "item"  # a row each, as the trials of a person have
        refuse_index_of_kind("frame", name, index, ["item"], design)
    if key is not None and key not in design.roles:
        raise ValueError(advice_on_index("frame", [name], missing, design))
    if key in missing:
        return key
    refuse_index_of_kind("frame", name, index, missing, design)
    return _key_of_labels(index, missing, design)


def _with_splits_by_labels(
    frame: pd.DataFrame, missing: Sequence[str], design: Design
) -> pd.DataFrame:
    """Return a table with columns of runs and folds if its index says these of each row.

    The rows may be in any order then, such as that of caret: all runs of the first fold
    first.
    """
    index = frame.index
    if not isinstance(design, CV) or list(missing) != ["run", "fold"]:
        return frame
    if index.nlevels == 2 and index.names == [None, None]:
        named = _named_levels(index)
        return frame if named is None else frame.rename_axis(index=named)
    if index.nlevels > 1 or index.empty:
        return frame
    if not all(isinstance(label, str) for label in index):
        return frame
    splits = runs_and_folds(list(index))
    if splits is not None:
        frame = frame.assign(run=splits.runs, fold=splits.folds)
        return frame.reset_index(drop=True)
    pairs = pairs_of_numbers(list(index))
    if pairs is not None:
        _refuse_other_order(pairs, index, design)
    kind = kind_of_numbered([*map(str, index.unique())])
    is_named = kind == "fold" or kind in REPETITIONS
    if is_named and design.runs > 1 and not index.is_unique:
        return frame.rename_axis(index="fold" if kind == "fold" else "run")
    return frame


def _named_levels(index: pd.MultiIndex) -> list[str] | None:
    """Return "run" and "fold" in the order in which two levels have such labels, or None."""
    kinds = [
        kind_of_numbered([*map(str, index.get_level_values(level).unique())])
        for level in range(2)
    ]
    keys = ["fold" if kind == "fold" else "run" for kind in kinds if kind is not None]
    if sorted(keys) != ["fold", "run"]:
        return None
    return keys


def _refuse_other_order(
    pairs: Sequence[tuple[int, int]], index: pd.Index, design: CV
) -> None:
    """Refuse labels of two numbers whose order is not that of the runs and their folds."""
    firsts, seconds = ([*dict.fromkeys(numbers)] for numbers in zip(*pairs))
    shape = (len(firsts), len(seconds))
    is_crossed = len({*pairs}) == len(pairs) == shape[0] * shape[1]
    if not is_crossed or sorted(shape) != sorted(design.shape):
        return
    runs_first = [(first, second) for first in firsts for second in seconds]
    if list(pairs) != runs_first or shape != design.shape:
        raise ValueError(
            f"frame has an index of {listed(index[:2])} and so on, which is not the order "
            f"of {design}, all folds of the first run first: give columns 'run' and 'fold'"
        )


def _key_of_labels(
    index: pd.Index, missing: Sequence[str], design: Design
) -> str | None:
    """Return the key whose labels an index has that is not called after one, or None."""
    if design.unit in missing and not counts_rows(index):
        return design.unit
    unlabelled = [key for key in missing if key != "run" or key in design.needed]
    possible = unlabelled or missing
    return possible[0] if len(possible) == 1 and _has_texts(index) else None


def _has_texts(index: "pd.Index[Any]") -> bool:
    """Return whether rows have names, each its own."""
    return index.is_unique and all(isinstance(label, str) for label in index)


def _missing_keys(labels: pd.DataFrame, design: Design) -> list[str]:
    """Return the keys of the design of which a wide table has no labels."""
    missing = [key for key in design.keys if key not in labels]
    if isinstance(design, Items) and "run" in missing:
        missing.remove("run")  # items of a single run
    return missing


def _with_counted_keys(
    labels: pd.DataFrame, missing: Sequence[str], design: Design
) -> pd.DataFrame:
    """Return labels with those keys that the order of the rows tells.

    Items and data sets are called as pandas numbers rows, runs and folds as people do.
    """
    if not missing:
        return labels
    keys = [key for key in design.keys if key in labels]
    numbers = np.arange(len(labels))
    if keys:
        numbers = labels.groupby(keys, sort=False).cumcount().to_numpy()
    splits = design.within if isinstance(design, Datasets) else design
    if missing == ["run", "fold"] and isinstance(splits, CV):
        # all folds of the first run first
        return labels.assign(
            run=numbers // splits.folds + 1, fold=numbers % splits.folds + 1
        )
    counts_data_sets = missing == ["dataset"] and splits is not None
    if len(missing) == 1 and not counts_data_sets:
        first = 0 if missing[0] == design.unit else 1
        return labels.assign(**{missing[0]: numbers + first})
    return labels


def _refuse_transposed(scores: pd.DataFrame, design: Design) -> None:
    """Refuse a table that has a column for each split, and a row for each model."""
    if not isinstance(design, CV | RandomSplits):
        return
    n_rows, n_columns = scores.shape
    n_runs, n_folds = design.shape
    n_splits = n_runs * n_folds
    if n_columns == n_splits != n_rows:
        raise refusal(
            f"the table has {n_rows} rows, and a column for each of the {n_splits} splits",
            "give its transpose, frame.T: a table has a column for each model",
            "a table has a column for each model, and a row for each split",
        )


def _refuse_names_of_models(scores: pd.DataFrame) -> None:
    """Refuse a table with a row per model, and a column of their names."""
    for name in scores:
        if plain_text(name) in MODELS and _has_texts(pd.Index(scores[name])):
            raise refusal(
                f"column {shown(name)} has models by its name",
                f"give the transpose, frame.set_index({shown(name)}).T: a table has a "
                "column for each model",
                "a table has a column for each model",
            )


def _check_models(
    scores: pd.DataFrame, missing: Sequence[str], design: Design, metric: Metric
) -> None:
    """Refuse columns that are no models: with labels, with errors of a model, or with texts."""
    _refuse_names_of_models(scores)
    for name in scores:
        if isinstance(design, Items) and may_group_items(name, scores[name]):
            items = pd.Series(scores.index, scores.index)
            raise refusal_of_groups(name, scores[name], items)
        if is_word_of_labels(name) or _numbers_folds(name, scores[name]):
            problem = f"is no model, and {design} has no such label"
            folds = advice_on_folds(name, design)
            if folds is not None:
                raise refusal(f"column {shown(name)} {problem}", *folds)
            role = label_word(name, design)
            raise _refusal_of_column(name, problem, role if role in missing else None)
        problem = _no_model(name, scores, metric)
        if problem:
            others = [other for other in scores if _no_model(other, scores, metric)]
            raise _refusal_of_no_models(name, problem, others)
    for name in scores:
        _refuse_texts(name, scores[name], missing)


def _refuse_texts(name: Any, column: "pd.Series[Any]", missing: Sequence[str]) -> None:
    """Refuse a column that has anything but numbers and gaps."""
    if pd.api.types.is_numeric_dtype(column):
        return
    is_number = pd.to_numeric(column, errors="coerce").notna()
    is_text = (~is_number & column.notna()).to_numpy()
    if not is_text.any():
        return
    row = int(is_text.argmax())
    cell = f"{shown(column.iloc[row])} in row {row + 1} of {shown(name)}"
    if _has_error(column.iloc[row]):
        raise ValueError(f"{cell} is a number with its error: give the number alone")
    raise refusal(f"{cell} is no number", *_advice_on_texts(name, missing))


def _numbers_folds(name: Any, column: "pd.Series[Any]") -> bool:
    """Return whether a column has numbers of folds: "cv" may be the name of a model."""
    if kind_of_name(name) != "fold" or column.dtype.kind not in "iu":
        return False
    return column.nunique() >= _FEWEST_FOLDS


def _advice_on_texts(name: Any, missing: Sequence[str]) -> tuple[str, str]:
    """Say what a column of texts may be, in Python and in the shell.

    Texts are names of items or data sets where these lack; runs and folds are seldom
    called anything.
    """
    role = missing[0] if missing else "ignored"
    kind = kind_of_name(name)
    if kind is not None and misfits(kind, role):
        things = "data sets" if role == "dataset" else f"{role}s"
        advice = (
            f"the column has {plural(kind)} by its name, and no {things}, so say with "
            "design how the scores were made"
        )
        return advice, advice
    in_python = f"columns={{{shown(role)}: {shown(name)}}}"
    in_shell = f"--column {role}={quoted(name)}"
    if role in ("run", "fold"):
        advice = f"if the column numbers the {role}s, say"
        otherwise = "and if the rows are anything else, another design"
        return (
            f"{advice} {in_python}, {otherwise}",
            f"{advice} {in_shell}, {otherwise}",
        )
    advice = "if the column is no model, say what it is, as in"
    return f"{advice} {in_python}", f"{advice} {in_shell}"


def _no_model(name: Any, scores: pd.DataFrame, metric: Metric) -> str:
    """Say why a column has no scores of a model; empty if it may have."""
    measured = measured_by_name(name)
    if measured is not None and not _may_be_scores(name, scores, measured, metric):
        return f"has {measured} by its name, and no scores"
    if noun_of_name(str(name), "whole") and _is_whole_beside_fractions(name, scores):
        return "has whole numbers, and no scores"
    if _counts_from_one_or_zero(scores[name]):
        return "counts the rows, and is no model"
    model = _model_with_error(name, scores)
    return "" if model is None else f"is by its name the error of {model}"


def _is_whole_beside_fractions(name: Any, scores: pd.DataFrame) -> bool:
    """Return whether a column has whole numbers, and each of the others has fractions."""
    if not pd.api.types.is_numeric_dtype(scores[name]):
        return False
    numbers = scores.apply(pd.to_numeric, errors="coerce")
    has_fractions = (numbers.fillna(0) % 1 != 0).any()
    rest = has_fractions.drop(name)
    return bool(not has_fractions[name] and len(rest) and rest.all())


def _may_be_scores(
    name: Any, scores: pd.DataFrame, measured: str, metric: Metric
) -> bool:
    """Return whether a column that is called "memory" or "id" has numbers as scores are.

    Sizes and identifiers are whole numbers or texts; times are fractions, too.
    """
    column = scores[name]
    if measured not in ("sizes", "identifiers") or column.dtype.kind not in "iuf":
        return False
    values = column.dropna().to_numpy()
    others = scores.drop(columns=name).select_dtypes("number").to_numpy()
    may_be_model = noun_of_name(str(name), "far") is not None
    if may_be_model and np.isin(values, (0, 1)).all():
        return bool(np.isin(others, (0, 1)).all())  # right and wrong answers
    if not (values % 1 != 0).any():
        return False
    if np.isfinite(metric.high - metric.low):
        return bool(metric.allows(values).all())
    # scores without a range may be anything
    return may_be_model and not _are_apart(values, others)


def _are_apart(values: NDArray[Any], others: NDArray[Any]) -> bool:
    """Return whether some values are out of the range of others by a factor of two."""
    if others.size == 0 or np.nanmin(others) < 0:
        return True
    low, high = np.nanmin(others) / 2, 2 * np.nanmax(others)
    return bool((values < low).any() or (values > high).any())


def _has_error(text: Any) -> bool:
    """Return whether a text is a number with a standard error or deviation.

    >>> [_has_error(text) for text in ("0.91 ± 0.02", "91.2 (0.4)", "tree (small)")]
    [True, True, False]
    """
    number = r"-?\d*[.,]?\d+%?"
    error = rf"\s*(?:±|\+/?-|\\pm)\s*{number}|\s*\({number}\)"
    return re.fullmatch(rf"\s*{number}(?:{error})\s*", str(text)) is not None


def _refusal_of_column(name: Any, problem: str, role: str | None = None) -> ValueError:
    """Return the refusal of a column that is no model but, perhaps, labels of a role."""
    if role is None:
        python, shell = f"say columns={{'ignored': [{shown(name)}]}}", "ignored"
    else:
        python, shell = f"say columns={{{shown(role)}: {shown(name)}}}", role
    return refusal(
        f"column {shown(name)} {problem}",
        python,
        f"say --column {shell}={quoted(name)}",
    )


def _refusal_of_no_models(name: Any, problem: str, names: list[Any]) -> ValueError:
    """Return the refusal of a column that is no model, which names all of these at once."""
    in_shell = " ".join(f"--column ignored={quoted(other)}" for other in names)
    return refusal(
        f"column {shown(name)} {problem}",
        f"say columns={{'ignored': {names[:_MOST_COLUMNS_NAMED]}}}",
        f"say {in_shell}",
    )


def _counts_from_one_or_zero(column: "pd.Series[Any]") -> bool:
    """Return whether a column has the numbers of its rows, of which there are several."""
    if len(column) < _FEWEST_COUNTED or column.dtype.kind not in "iuf":
        return False
    row_numbers = np.arange(len(column))
    return any(np.array_equal(column, row_numbers + first) for first in (0, 1))


def _model_with_error(name: Any, scores: pd.DataFrame) -> Any:
    """Return the column whose standard deviations or errors a column has, by its name.

    A short word may be that of a model, whose scores then are near those of the other.
    """
    match = re.fullmatch(_NAME_OF_ERROR, str(name))
    if match is None:
        return None
    stem = match["model"] or match["behind"]
    model = next(
        (column for column in (stem, f"{stem}_mean") if column in scores), None
    )
    if model is None or match["word"] not in _ALSO_MODELS:
        return model
    numbers = scores[[name, model]].apply(pd.to_numeric, errors="coerce")
    is_near = not _are_apart(numbers[name].to_numpy(), numbers[[model]].to_numpy())
    return None if is_near else model
