"""A table of scores, wide or long: which columns are classifiers, and how its rows are ordered.

*Wide*: one column per classifier and one row per split.  *Long*: columns `classifier` and `score`,
one row per classifier and split.  Columns (or levels of an index) such as `run` and `fold` give
the order of the rows and the design; columns with these names are never classifiers.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np

from replib.comparison import rules

#: Endings of names that say what was measured, in addition to the names of metrics.
_MEASURED = ("std", "sd", "mean", "avg", "train", "test", "val", "validation")
_NUMBER = re.compile(
    r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|nan|inf(?:inity)?)", re.IGNORECASE
)


@dataclass(frozen=True, eq=False)
class Table:
    """Scores by classifier in the order of the splits, and what the columns say about the splits.

    Attributes
    ----------
    scores : dict of ndarray
    design : tuple of int or None
        Runs and folds, if there are columns for both.
    metric : str or None
        The metric, if a column names one.
    seeds : str or None
        The column of seeds, if no other column distinguishes the splits.
    notes : tuple of str
    """

    scores: dict[str, np.ndarray]
    design: tuple[int, int] | None = None
    metric: str | None = None
    seeds: str | None = None
    notes: tuple[str, ...] = ()

    def of_pair(self, a: str, b: str) -> "Table":
        """Return the table of two classifiers."""
        if a == b:
            rules.apply("names", count="two", given=f"{a} and {b}")
        return replace(self, scores={name: self.scores[name] for name in (a, b)})


def read(
    columns: Mapping[str, Sequence[Any]], source: str, *, metric: str | None = None,
    places: Sequence[str] | None = None,
) -> Table:
    """Read a table given as columns by name.

    Parameters
    ----------
    columns : mapping of str to sequence
    source : str
        Name of the table in messages.
    metric : str, optional
        Which rows, if a column `metric` names several measures.
    places : sequence of str, optional
        Names of the rows in messages.

    Returns
    -------
    Table

    Raises
    ------
    ValueError
        If the input is refused.
    """
    check_names(list(columns), source)
    cells = {rules.simple(name): list(values) for name, values in columns.items()}
    head = {rules.simple(name): str(name).strip() for name in columns}
    size = len(next(iter(cells.values())))
    rows = list(range(size))
    for key in cells:
        if rules.role(key) in (other := {"truth": "predictions-table", "item": "item-table"}):
            rules.apply(other[str(rules.role(key))], name=head[key], source=source)
    for key in cells:
        if rules.role(key) == "metric":
            metric = one_metric(cells[key], metric, source)
            rows = [i for i in rows if str(cells[key][i]).strip() == metric]
    _one_dataset(cells, source)
    label = label_column(cells)
    order = [key for role in ("run", "fold") for key in cells if rules.role(key) == role
             and not (key in rules.table()["seeds"] and size > 1 and len(set(cells[key])) == 1)]
    if not order and label is None:
        order = [key for key in cells if rules.role(key) == "row" and _says_order(cells[key])][:1]
    no_summary({key: cells[key] for key in cells if rules.role(key)}, source)
    score = ""
    if label is not None:
        score = score_column(cells, metric)
        if not score:
            rules.apply("long-without", source=source, columns=rules.listed(head.values()),
                        label=label, missing="score")
        values = numbers(cells[score], score, source, places)
        scores = _long(cells, values, label, rows, order, source)
        metric = score if metric is None and rules.metric_range(score) else metric
    else:
        wanted = [key for key in cells if rules.role(key) is None]
        scores = {head[key]: numbers(cells[key], head[key], source, places)[rows] for key in wanted}
        check_classifiers(scores, head.values(), source)
        if order:
            at = _places([[cells[key][i] for i in rows] for key in order], order, source)
            scores = {name: x[at] for name, x in scores.items()}
    used = {label, score, *order}
    unused = [head[key] for key in cells if key not in used and not _needs_no_word(cells[key], key,
              label)]
    return Table(
        scores, _design(cells, rows, order, source), metric, _seeds(cells, order),
        tuple(notes_of_unused(unused)),
    )


def notes_of_unused(names: Sequence[Any]) -> list[str]:
    """Name the unused columns in a note."""
    word = "column" if len(names) == 1 else "columns"
    return [rules.apply("unused", columns_word=word, columns=rules.listed(names))] if names else []


def label_column(cells: Mapping[str, Sequence[Any]]) -> str | None:
    """Return the column that names classifiers; numbers count only if there is a score column."""
    words = rules.table()["columns"]
    scored = any(name in cells for name in words["score"])
    return next((name for name in words["classifier"] if name in cells and (
        scored or not all(map(is_number, cells[name])))), None)


def score_column(names: Iterable[str], metric: str | None = None) -> str:
    """Return the column of the scores of a long table, that of the metric if there is one."""
    there = [name for name in names if rules.role(name) != "other"]
    words, chosen = rules.table(), rules.simple(metric or "")
    known = (chosen, *words["columns"]["score"], *words["metrics"], *words["errors"])
    return next((name for name in known if name in there and name), "")


def columns_of(frame: Any) -> dict[str, Sequence[Any]]:
    """Return the columns of a DataFrame and the informative levels of its index.

    Parameters
    ----------
    frame : DataFrame
        A pandas DataFrame, or an object with `columns` whose columns are sequences.

    Returns
    -------
    dict
    """
    if getattr(frame.columns, "nlevels", 1) > 1:
        rules.apply("two-level-columns", label=frame.columns[0])
    names = list(frame.columns)
    check_names(names, "the frame")
    if names == list(range(len(names))):
        found = {chr(65 + i) if len(names) <= 26 else str(i): frame[i].tolist() for i in names}
    else:
        found = {str(name): as_list(frame[name]) for name in names}
    index = getattr(frame, "index", None)
    if index is None or callable(index):
        return found
    is_long = any(rules.simple(n) in rules.table()["columns"]["classifier"] for n in names)
    ordered = any(rules.role(name) in ("run", "fold") for name in names)
    return levels_of(index, "the frame", check=not (is_long or ordered)) | found


def levels_of(index: Any, whose: str, check: bool = True) -> dict[str, Sequence[Any]]:
    """Return the levels of an index that name runs, folds or other things, as columns."""
    if check and index.has_duplicates:
        rules.apply("label-twice", label=index[index.duplicated()][0], name=whose)
    if index.nlevels == 1:
        known = index.name is not None and rules.role(index.name) is not None
        if not known and (not check or is_default(index)):
            return {}
        return {str(index.name) if known else "level_0": index.tolist()}
    names = list(index.names)
    if names == [None, None]:
        names = ["run", "fold"]
    return {str(name): index.get_level_values(i).tolist() for i, name in enumerate(names)}


def is_default(index: Any) -> bool:
    """Return whether an index only counts the rows from 0, as pandas does by itself."""
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1


def check_names(names: Sequence[Any], source: str) -> None:
    """Refuse names that occur twice, or differ only in case or blanks."""
    seen: dict[str, Any] = {}
    for name in names:
        other = seen.setdefault(rules.simple(name), name)
        if other is not name and str(other).strip() == str(name).strip():
            rules.apply("column-twice", source=source, name=name)
        if other is not name:
            rules.apply("name-variants", a=other, b=name, source=source)
    if len(seen) < len(names):
        twice = next(name for name in names if list(names).count(name) > 1)
        rules.apply("column-twice", source=source, name=twice)


def check_classifiers(
    scores: Mapping[str, np.ndarray], columns: Iterable[Any], source: str
) -> None:
    """Refuse a table with fewer than two classifiers, with only measures, or a column of means."""
    if len(scores) < 2:
        rules.apply("one-classifier", source=source, count=len(scores) or "no",
                    columns=rules.listed(columns))
    no_measures(list(scores), source)
    for name in scores:
        others = [x for other, x in scores.items() if other != name]
        if rules.simple(name) in ("mean", "average", "avg") and len(others) > 1 and np.allclose(
            scores[name], np.mean(others, axis=0), rtol=1e-2, atol=0
        ):
            rules.apply("summary-column", label=name, source=source)
        base = re.sub(r"[_ ](std|sd|mean|avg)$", "", rules.simple(name))
        if base != rules.simple(name) and base in map(rules.simple, scores):
            rules.apply("summary-column", label=name, source=source)


def no_measures(names: Sequence[Any], source: str) -> None:
    """Refuse names of measures for those of classifiers."""
    if all(rules.simple(name).removeprefix("test_") == "score" or (
        rules.metric_range(name) and "(" not in str(name)) for name in names
    ):
        rules.apply("metrics-as-classifiers", columns=rules.listed(names), source=source)


def measures_in_names(names: Iterable[Any]) -> list[str]:
    """Note names such as tree_acc and tree_auc, or tree_train and tree_test.

    Examples
    --------
    >>> measures_in_names(["tree_acc", "tree_auc"])[0][:45]
    "'tree_acc' and 'tree_auc' sound like two meas"
    """
    plain = {re.sub("[ -]", "_", rules.simple(name)): str(name) for name in names}
    seen = {base: name for base, name in plain.items() if any(
        f"{base}_{end}" in plain for end in _MEASURED)}
    for key, name in plain.items():
        base, _, end = key.rpartition("_")
        if base and (end in _MEASURED or rules.metric_range(end)) and (
            other := seen.setdefault(base, name)
        ) != name:
            return [rules.apply("measures-in-names", a=other, b=name)]
    return []


def numbers(
    cells: Sequence[Any], name: str, source: str, places: Sequence[str] | None = None
) -> np.ndarray:
    """Return the cells of a column as numbers; a decimal comma or a percent sign is allowed."""
    found = [_number(cell) for cell in cells]
    commas = [place for place, cell in enumerate(cells) if "," in str(cell)]
    thousands = all(re.fullmatch(r"[1-9][0-9]{0,2},[0-9]{3}", str(cells[i])) for i in commas)
    if commas and thousands and any(x is not None and x >= 100 for x in found):
        found[commas[0]] = None
    if None in found:
        bad = found.index(None)
        text = str(cells[bad]).strip()
        rules.apply(
            "no-number", name=name, source=source, place=places[bad] if places else f"row {bad}",
            holds=f"holds '{rules.shown(text[:40])}'" if text else "is empty",
        )
    return np.array(found, dtype=float)


def _number(cell: Any) -> float | None:
    if isinstance(cell, (bool, np.bool_)):
        return None
    if isinstance(cell, (Real, np.number)) and not isinstance(cell, complex):
        return float(cell)
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return float("nan")
    plain = str(cell).removesuffix("%").strip()
    if plain.count(",") == 1 and "." not in plain:
        plain = plain.replace(",", ".")  # the decimal comma of a file with semicolons
    return float(plain) if _NUMBER.fullmatch(plain) else None


def is_number(cell: Any) -> bool:
    """Return whether a cell holds a number."""
    return _number(cell) is not None


def as_list(column: Any) -> list[Any]:
    return list(column.tolist() if hasattr(column, "tolist") else column)


def natural(label: Any) -> tuple[Any, ...]:
    """Return a key that sorts split_10 after split_9.

    Examples
    --------
    >>> sorted(["split_10", "split_9"], key=natural)
    ['split_9', 'split_10']
    """
    if isinstance(label, Real) or _NUMBER.fullmatch(str(label).strip()):
        return (0, float(label), "")
    parts = re.split(r"([0-9]+)", str(label).strip())
    return (1, 0.0, tuple(
        (0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts if part
    ))


def one_metric(cells: Sequence[Any], metric: str | None, source: str) -> str:
    """Return the only measure in a column, or the chosen one of several."""
    there = list(dict.fromkeys(str(cell).strip() for cell in cells))
    chosen = there[0] if metric is None and len(there) == 1 else metric
    if chosen not in there:
        rules.apply("several-metrics", source=source, n=len(there), named=rules.listed(there))
    return str(chosen)


def _one_dataset(cells: Mapping[str, list[Any]], source: str) -> None:
    for key, values in cells.items():
        if rules.role(key) == "dataset" and len(there := list(dict.fromkeys(values))) > 1:
            no_summary({key: values}, source)
            rules.apply("several-datasets", source=source, n=len(there), named=rules.listed(there))


def no_summary(cells: Mapping[str, Sequence[Any]], source: str) -> None:
    """Refuse rows of means, standard deviations or ranks among the splits or data sets."""
    for values in cells.values():
        for value in values:
            if isinstance(value, str) and rules.simple(value) in rules.table()["summaries"]:
                rules.apply("summary-row", label=value, source=source)


def _says_order(cells: list[Any]) -> bool:
    """Return whether labels with no meaning of their own number the rows."""
    keys = [natural(cell) for cell in cells]
    return len(set(keys)) == len(keys) and (
        counts_rows(cells) or all(key[0] == 1 and re.search("[0-9]", str(cell))
                              for key, cell in zip(keys, cells))
    )


def in_order(cells: list[Any]) -> bool:
    """Return whether labels that number the splits are in order; True for all other labels."""
    keys = [natural(cell) for cell in cells]
    return not _says_order(cells) or keys == sorted(keys)


def counts_rows(cells: list[Any]) -> bool:
    found = [x for cell in cells if (x := _number(cell)) is not None]
    if len(found) < len(cells):
        return False
    low = min(found)
    return low in (0, 1) and sorted(found) == [low + i for i in range(len(found))]


def _needs_no_word(cells: list[Any], key: str, label: str | None) -> bool:
    """Return whether an unused column needs no note: it is a classifier, or counts the rows."""
    role = rules.role(key)
    if role is None:
        return label is None
    return role not in ("row", "other") or key == "level_0" or (
        role == "row" and (label is not None or counts_rows(cells))
    )


def _seeds(cells: Mapping[str, list[Any]], order: list[str]) -> str | None:
    if len(order) != 1 or not len(set(cells[order[0]])) == len(cells[order[0]]) > 1:
        return None
    named = all(rules.simple(cell).startswith("seed") for cell in cells[order[0]])
    column = "index" if order[0] == "level_0" else order[0]
    return column if named or column in rules.table()["seeds"] else None


def _design(
    cells: Mapping[str, list[Any]], rows: list[int], order: list[str], source: str
) -> tuple[int, int] | None:
    """Return runs and folds if there are columns for both and each run has each fold."""
    def count(keys: list[str]) -> int:
        return len({tuple(natural(cells[key][i]) for key in keys) for i in rows})

    by = {role: [key for key in order if rules.role(key) == role] for role in ("run", "fold")}
    if not all(by.values()):
        return None
    runs, folds, splits = count(by["run"]), count(by["fold"]), count(order)
    if splits == runs and splits == folds:
        return None  # the splits are numbered twice
    if splits == folds and splits % runs == 0:
        folds = splits // runs  # the fold numbers continue from run to run
    if splits != runs * folds:
        rules.apply("split-missing", source=source, n=splits, columns=" and ".join(order),
                    expected=f"{runs} x {folds}")
    return (runs, folds) if folds > 1 else None


def _long(
    cells: Mapping[str, list[Any]], values: np.ndarray, label: str, rows: list[int],
    order: list[str], source: str,
) -> dict[str, np.ndarray]:
    of: dict[str, list[int]] = {}
    for i in rows:
        of.setdefault(str(cells[label][i]).strip(), []).append(i)
    check_names(list(of), source)
    found, splits = {}, []
    for name, mine in of.items():
        keys = [[cells[key][i] for i in mine] for key in order]
        places = _places(keys, order, source, f" for {name}") if order else np.arange(len(mine))
        splits.append(sorted(zip(*(map(natural, key) for key in keys))))
        found[name] = values[mine][places]
    if order and any(keys != splits[0] for keys in splits):
        rules.apply("splits-differ", source=source, columns=" and ".join(order))
    if len(found) < 2:
        rules.apply("one-classifier", source=source, count=len(found), columns=rules.listed(cells))
    return found


def _places(keys: list[list[Any]], order: list[str], source: str, whose: str = "") -> np.ndarray:
    """Return the order of the rows by run and fold; refuse a split that occurs twice."""
    splits = [tuple(map(natural, split)) for split in zip(*keys)]
    if len(set(splits)) < len(splits):
        at = next(i for i, split in enumerate(splits) if split in splits[:i])
        named = ", ".join(f"{name} {key[at]}" for name, key in zip(order, keys))
        rules.apply("split-twice", source=source, split=named, whose=whose)
    return np.array(sorted(range(len(splits)), key=splits.__getitem__))
