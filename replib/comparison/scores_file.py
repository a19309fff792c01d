"""Scores from a CSV file: of any separator, wide or long.

*Wide*: one column a classifier, one row a split in scikit-learn's order.  *Long*: columns
`classifier` and `score`, one row a classifier and split.  With columns `run` and `fold` (or
`split`) the rows may stand in any order, a split that is there twice or is missing is refused, and
the two say what the design was.
"""

import csv
import io
from pathlib import Path
from typing import NamedTuple

import numpy as np

from replib.checks import file_path

#: What columns may be called.
_CLASSIFIER = ("classifier", "model", "learner", "algorithm", "estimator", "method")
_SCORE = ("score", "accuracy", "value", "test_score", "metric_value")
_RUN = ("repeat", "repetition", "run", "seed")
_FOLD = ("fold", "split")
_ERRORS = ("error", "loss")
_IGNORED = ("", "index", "unnamed: 0", "dataset", "id")


class Scores(NamedTuple):
    """Scores by classifier in the order of the splits; "10x10", if columns say so; and notes."""

    of: dict[str, np.ndarray]
    cv: str | None
    notes: tuple[str, ...]


def read(path: str | Path) -> Scores:
    """Read a file.

    Raises
    ------
    ValueError
        If the file is no table of scores; the message names its columns.
    """
    rows = _rows(file_path("path", path))
    head = [name.strip() for name in rows[0]]
    names = [name.lower() for name in head]
    body = rows[1:]
    if not body:
        raise ValueError(f"{path} has only one line: a head and a line for each split are needed")
    for place, row in enumerate(body, start=2):
        if len(row) != len(head):
            raise ValueError(
                f"line {place} of {path} has {len(row)} fields and its head has {len(head)}"
            )
    if all(_is_number(cell) for cell in head if cell):
        raise ValueError(
            f"the first line of {path} holds numbers: the names of the classifiers must stand there"
        )
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"two columns of {path} are called {twice!r}")
    columns = {name: [row[place].strip() for row in body] for place, name in enumerate(names)}
    label = next((name for name in _CLASSIFIER if name in columns), None)
    order = [name for name in (*_RUN, *_FOLD) if name in columns]
    if label is not None:
        scores = _long(columns, head, label, order, path)
    else:
        scores = _wide(columns, dict(zip(names, head)), order, path)
    errors = [name for name in (*scores, *names) if any(word in name.lower() for word in _ERRORS)]
    notes = (
        (f"{errors[0]!r} sounds like an error, of which less is better: if so, say --errors.",)
        if errors
        else ()
    )
    return Scores(scores, _design(columns, order), notes)


def _design(columns: dict[str, list[str]], order: list[str]) -> str | None:
    if len(order) != 2 or order[0] not in _RUN or order[1] not in _FOLD:
        return None
    runs, folds = (len(set(columns[name])) for name in order)
    return f"{runs}x{folds}" if folds > 1 else None


def _rows(path: Path) -> list[list[str]]:
    try:
        raw = path.read_bytes()
    except OSError as problem:
        raise ValueError(f"cannot read {path}: {problem.strerror}") from None
    if raw[:4] == b"PK\x03\x04":
        raise ValueError(f"{path} is a spreadsheet or an archive: save it as CSV")
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        try:
            text = raw.decode("utf-16")
        except UnicodeDecodeError:
            raise ValueError(f"{path} begins as UTF-16 and breaks off: save it as UTF-8") from None
    else:
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = raw.decode("latin-1")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if not lines:
        raise ValueError(f"{path} is empty")
    separator = max(";\t|,", key=lines[0].count)
    if not lines[0].count(separator):
        raise ValueError(
            f"{path} has one column, {lines[0].strip()[:40]!r}: columns must be separated by a "
            "comma, a semicolon or a tabulator"
        )
    return list(
        csv.reader(io.StringIO("\n".join(lines)), delimiter=separator, skipinitialspace=True)
    )


def _wide(columns: dict, head: dict, order: list[str], path) -> dict[str, np.ndarray]:
    wanted = [name for name in columns if name not in (*order, *_IGNORED)]
    scores = {head[name]: _numbers(columns[name], head[name], path) for name in wanted}
    if len(scores) < 2:
        raise ValueError(
            f"{path} has the columns {', '.join(head.values())}: give two or more columns of "
            "scores, one a classifier, or the columns classifier and score"
        )
    if order:
        places = _places([columns[name] for name in order], order, path)
        scores = {name: values[places] for name, values in scores.items()}
    return scores


def _long(
    columns: dict, head: list[str], label: str, order: list[str], path
) -> dict[str, np.ndarray]:
    score = next((name for name in _SCORE if name in columns), None)
    if score is None:
        raise ValueError(
            f"{path} has the columns {', '.join(head)}: beside {label!r} a column 'score' is needed"
        )
    values = _numbers(columns[score], score, path)
    classifiers = np.array(columns[label])
    found = {}
    for name in dict.fromkeys(columns[label]):
        mine = np.flatnonzero(classifiers == name)
        keys = [[columns[key][i] for i in mine] for key in order]
        places = _places(keys, order, path, f" for {name}") if order else np.arange(len(mine))
        found[name] = (sorted(set(zip(*keys))), values[mine][places])
    splits = [keys for keys, _ in found.values()]
    if order and any(keys != splits[0] for keys in splits):
        raise ValueError(
            f"the classifiers in {path} were not scored on the same splits: their "
            f"{' and '.join(order)} differ"
        )
    if len(found) < 2:
        raise ValueError(f"{path} has scores of {next(iter(found))!r} only: two are compared")
    return {name: scores for name, (_, scores) in found.items()}


def _places(keys: list[list[str]], order: list[str], path, whose: str = "") -> np.ndarray:
    """Order of the rows by run and fold, or a ValueError if a split is there twice."""
    splits = [tuple(_sortable(part) for part in split) for split in zip(*keys)]
    if len(set(splits)) < len(splits):
        twice = next(split for split in splits if splits.count(split) > 1)
        named = ", ".join(
            f"{name} {part[1]:g}" if part[0] == 0 else f"{name} {part[2]}"
            for name, part in zip(order, twice)
        )
        raise ValueError(f"{path} has two rows of {named}{whose}: each split counts once")
    return np.array(sorted(range(len(splits)), key=splits.__getitem__))


def _sortable(text: str) -> tuple[int, float, str]:
    """Numbers by their value, and anything else after them by its letters."""
    return (0, float(text), "") if _is_number(text) else (1, 0.0, text)


def _numbers(texts: list[str], name: str, path) -> np.ndarray:
    numbers = []
    for place, text in enumerate(texts, start=2):
        plain = text.removesuffix("%").strip()
        if plain.count(",") == 1 and "." not in plain:
            plain = plain.replace(",", ".")  # the decimal comma of a file with semicolons
        if not _is_number(plain):
            what = "is empty" if not text else f"holds {text!r}, no number"
            raise ValueError(f"column {name!r} of {path} {what} in line {place}")
        numbers.append(float(plain))
    return np.array(numbers)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
