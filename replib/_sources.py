"""Files that somebody names: sources, their first bytes, and tables in CSV and Parquet."""

import hashlib
import os
import re
import stat
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replib._bars import with_bar
from replib._validation import file_path, in_shell, listed, one_line, refusal, shown

#: Larger files are refused before anything is read.
MOST_BYTES = 250_000_000
#: Bytes that tell what a file is: its first line, and whether it is text.
_FIRST_BYTES = 2**20
#: A wide table has a column for each model; a longer first line is no row of names.
_MOST_COLUMNS = 1_000
_LONGEST_LINE = 2**19
#: Rows that are read together.
_ROWS_OF_A_PART = 50_000
#: Whether pandas refuses a row with too many cells also where it begins a part; before
#: version 3.1 it drops what is too many.
_CHECKS_PARTS = tuple(map(int, pd.__version__.split(".")[:2])) >= (3, 1)
#: Rows of a column that show whether it has decimal commas.
_FEW_ROWS = 100
#: Numbers with a comma or a point, and those whose commas may be of thousands.
_WITH_COMMA = r"[-+]?\d*,\d+(?:[eE][-+]?\d+)?"
_WITH_POINT = r"[-+]?(?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?"
_NUMBER = rf"{_WITH_POINT}|[-+]?\d+(?:[eE][-+]?\d+)?"
_OF_THOUSANDS = r"[-+]?[1-9]\d{0,2},\d{3}"
_ENDINGS = (".csv", ".tsv", ".txt", ".parquet")
#: Texts that are no table, by how they begin.
_OTHER_KINDS = {"{": "JSON", "[": "JSON", "<": "HTML or XML"}

Source = tuple[str | None, Path]


def sources(paths: Sequence[Any]) -> list[Source]:
    """Return the name of the model, if one is said, and the path of each file.

    Examples
    --------
    >>> sources(["out/a.csv", "b=out/b.csv"])
    [(None, PosixPath('out/a.csv')), ('b', PosixPath('out/b.csv'))]
    >>> sources([{"a": "."}])
    [('a', PosixPath('.'))]
    """
    if len(paths) == 1 and isinstance(paths[0], Mapping):
        return [_source_of_model(str(model), path) for model, path in paths[0].items()]
    return [source(path) for path in paths]


def _source_of_model(model: str, path: Any) -> Source:
    """Return the name of a model and the path of its file, which must be there."""
    file = file_path(model, path)
    if not os.path.exists(file):
        raise ValueError(
            f"{model} must be the name of a file, and there is no file {shown(path)}"
        )
    return model, file


def source(path: Any) -> Source:
    """Return the name in "name=path", if there is one, and the path.

    Examples
    --------
    >>> source("a=out/a.csv")
    ('a', PosixPath('out/a.csv'))
    """
    whole = file_path("path", path)
    name, equals, rest = str(whole).partition("=")
    if not equals or os.path.exists(whole):
        return None, whole
    return name, file_path("path", rest)


def check_file(path: Path, *, most_bytes: int = MOST_BYTES) -> None:
    """Refuse what is not a file of a moderate size, before anything is read."""
    name = _quoted(path)
    try:
        state = path.stat()
    except (OSError, UnicodeError) as problem:
        raise _unreadable(path, problem) from None
    if not stat.S_ISREG(state.st_mode):
        raise ValueError(f"{name} is not a file")
    if state.st_size > most_bytes:
        raise refusal(
            f"{name} has {state.st_size / 1e6:.0f} MB, at most "
            f"{most_bytes / 1e6:.0f} are read",
            "give a DataFrame with what matters",
            "keep the rows and columns that matter",
        )


def digests(paths: Iterable[Path]) -> dict[str, str]:
    """Return the SHA-256 of files, by their paths."""
    by_path = {}
    for path in paths:
        with path.open("rb") as file:
            by_path[str(path)] = hashlib.file_digest(file, "sha256").hexdigest()
    return by_path


def first_bytes(path: Path) -> bytes:
    """Return the beginning of a file, or refuse what is not a file of a moderate size, or text."""
    check_file(path)
    try:
        with path.open("rb") as file:
            start = file.read(_FIRST_BYTES)
    except OSError as problem:
        raise _unreadable(path, problem) from None
    is_binary = b"\0" in start or start.startswith(b"PK")
    if is_binary and path.suffix != ".parquet":
        raise ValueError(f"{_quoted(path)} is not text: export it as CSV")
    return start


def _quoted(path: Path) -> str:
    return one_line(repr(str(path)))


def _unreadable(path: Path, problem: Exception) -> ValueError:
    """Return the refusal of a file that the system does not let us read."""
    reason = getattr(problem, "strerror", None) or problem
    return ValueError(f"{_quoted(path)} cannot be read: {reason}")


def table(path: Path) -> pd.DataFrame:
    """Return the table in a file of CSV, or of Parquet."""
    text = first_bytes(path).decode("utf-8-sig", "replace")
    try:
        if path.suffix == ".parquet":
            return pd.read_parquet(path)
        return _csv_table(path, text)
    except (ValueError, ImportError, pd.errors.ParserWarning) as problem:
        reason = _reason(problem).rstrip(".")
        raise refusal(
            f"{str(path)!r} cannot be read", reason, in_shell(problem, reason)
        ) from None


def _reason(problem: Exception) -> str:
    """Return what is wrong with a file, in words that do not speak of a parser."""
    if isinstance(problem, UnicodeError):
        return "it is not UTF-8"
    if isinstance(problem, ImportError):
        return "Parquet needs the package pyarrow, which is not installed"
    if isinstance(problem, pd.errors.EmptyDataError):
        return "it is empty"
    reason = one_line(problem)
    if isinstance(problem, pd.errors.ParserWarning) or "Expected" in reason:
        return "a row has more cells than the first line, which must have the names"
    return reason


def _markup_of_table(line: str) -> str | None:
    """Return the language of a table that was copied from a text, or None."""
    if line.startswith("|") and line.endswith("|"):
        return "Markdown"
    return "LaTeX" if "&" in line and line.endswith("\\\\") else None


def _csv_table(path: Path, start: str) -> pd.DataFrame:
    """Return a table in CSV, whose separator is the most frequent in the first line.

    Parameters
    ----------
    path : Path
    start : str
        The beginning of the file.
    """
    first_line, *_ = start.partition("\n")[0].splitlines() or [""]
    separator = max(",;\t|", key=first_line.count)
    _check_kind(path, first_line)
    _check_width(first_line, separator)
    options: dict[str, Any] = dict(
        sep=separator,
        encoding="utf-8-sig",
        # to look for blanks takes a fifth of the time, and few files have them
        skipinitialspace=f"{separator} " in start,
        keep_default_na=False,  # a text such as "NA" is a score that failed, not a gap
        na_values=[""],
        index_col=False,
    )
    # as texts: pandas would rename empty and repeated names
    names = pd.read_csv(path, header=None, nrows=1, dtype=str, **options).iloc[0]
    with warnings.catch_warnings():  # that a row is longer than the first
        warnings.simplefilter("error", pd.errors.ParserWarning)
        frame = _rows_of_csv(path, options)
    if frame.empty:
        raise ValueError("it has no row below its first line")
    if any(_has_commas(frame[name].head(_FEW_ROWS)) for name in _texts(frame)):
        cells = pd.read_csv(path, dtype=str, **options)
        frame = _with_decimal_commas(frame, cells)
    has_index = bool(names.isna()[0]) and _has_labels(frame.iloc[:, 0])
    _check_names(names.dropna(), may_be_numbers=has_index)
    _check_separator(frame)
    _check_numbers(frame)
    return _without_empty_columns(frame, names)


def _check_kind(path: Path, first_line: str) -> None:
    """Refuse a file that is no table, or none in CSV, by its ending or its first line."""
    if path.suffix and path.suffix.lower() not in _ENDINGS:
        raise ValueError(f"tables end with {listed(_ENDINGS)}, and logs with '.jsonl'")
    for start, kind in _OTHER_KINDS.items():
        if first_line.lstrip().startswith(start):
            raise ValueError(f"it is {kind}, not a table: write a row per score")
    markup = _markup_of_table(first_line.strip())
    if markup is not None:
        raise ValueError(f"it is a table in {markup}: write commas between the columns")


def _check_width(first_line: str, separator: str) -> None:
    """Refuse a table with more columns than there are models."""
    n_columns = first_line.count(separator) + 1
    if n_columns > _MOST_COLUMNS or len(first_line) > _LONGEST_LINE:
        raise ValueError(
            f"it has {n_columns} columns, and at most {_MOST_COLUMNS} are read: write a "
            "row per score"
        )


def _rows_of_csv(path: Path, options: dict[str, Any]) -> pd.DataFrame:
    """Return the rows of a file, with one type in each column.

    Of a million texts pandas reads parts in half of the time.  A column that has another
    type in another part, such as numbers above texts, is read as a whole.
    """
    whole = {"low_memory": False, **options}
    if not _CHECKS_PARTS:
        return pd.read_csv(path, **whole)
    parts = list(
        with_bar(pd.read_csv(path, chunksize=_ROWS_OF_A_PART, **whole), "part")
    )
    types = {tuple(part.dtypes) for part in parts}
    if len(types) > 1:
        return pd.read_csv(path, **whole)
    return pd.concat(parts, ignore_index=True)


def _has_labels(column: "pd.Series[Any]") -> bool:
    """Return whether a column has texts, each its own, or counts the rows from 0 or 1."""
    if pd.api.types.is_numeric_dtype(column):
        return any(counts_rows(pd.Index(column - first)) for first in (0, 1))
    return column.is_unique and bool(column.notna().all())


def _check_names(names: "pd.Series[str]", *, may_be_numbers: bool) -> None:
    """Refuse a first line that repeats a name, or that has scores instead of names.

    Above an index, as pandas writes it, numbers are names of models.
    """
    is_repeated = names.duplicated()
    if is_repeated.any():
        raise ValueError(f"two columns are called {shown(names[is_repeated].iloc[0])}")
    numbers = pd.Index(pd.to_numeric(names, errors="coerce"))
    if may_be_numbers or counts_rows(numbers):
        return
    if numbers.notna().all():
        raise ValueError("its first line must have names, not numbers")


def _check_separator(frame: pd.DataFrame) -> None:
    """Refuse numbers that are separated by blanks."""
    if len(frame.columns) > 1:
        return
    cells = frame.iloc[:, 0].head(_FEW_ROWS).astype(str)
    if cells.str.fullmatch(r"[-+.\de]+([ ]+[-+.\de]+)+ *", flags=re.IGNORECASE).all():
        raise ValueError("its columns are separated by blanks: separate them by commas")


def _texts(frame: pd.DataFrame) -> "pd.Index[Any]":
    """Return the columns that have texts."""
    return frame.select_dtypes(exclude="number").columns


def _has_commas(cells: "pd.Series[Any]") -> bool:
    """Return whether some cells are numbers with commas."""
    return bool(cells.astype(str).str.fullmatch(_WITH_COMMA).any())


def _with_decimal_commas(frame: pd.DataFrame, cells: pd.DataFrame) -> pd.DataFrame:
    """Return a table with numbers in place of those that have decimal commas, if all have.

    A comma is a decimal one if no number has a point, and if some number could not have
    commas of thousands, such as 0,812 or 3,5.

    Parameters
    ----------
    frame : DataFrame
        As pandas reads it.
    cells : DataFrame
        The same as texts.
    """
    texts = {name: cells[name].str.strip() for name in cells}
    if any(text.str.fullmatch(_WITH_POINT).any() for text in texts.values()):
        return frame
    has_comma = {
        name: text.str.fullmatch(_WITH_COMMA).eq(True)  # and no gap
        for name, text in texts.items()
    }
    with_commas = pd.concat([texts[name][has_comma[name]] for name in texts])
    if with_commas.str.fullmatch(_OF_THOUSANDS).all():
        return frame
    with_points = {}
    for name in _texts(frame):
        text = texts[name].mask(has_comma[name], texts[name].str.replace(",", "."))
        are_numbers = text.dropna().str.fullmatch(_NUMBER).all()
        with_points[name] = text.astype(float) if are_numbers else text
    return frame.assign(**with_points)


def _check_numbers(frame: pd.DataFrame) -> None:
    """Refuse a column in which all numbers have decimal commas or percent signs."""
    for name in _texts(frame):
        cells = frame[name].head(_FEW_ROWS).astype(str)
        if cells.str.fullmatch(rf"\s*{_WITH_COMMA}\s*").all():
            raise refusal(
                f"column {shown(name)} has numbers with commas, which may be decimal "
                "ones or of thousands",
                'give the DataFrame that pandas.read_csv makes with decimal="," or '
                'thousands=","',
                "write decimal points, and no commas",
            )
        if cells.str.fullmatch(r"\s*-?\d+([.,]\d+)?\s*%\s*").all():
            raise refusal(
                f"column {shown(name)} has percent signs",
                "leave them out, and give a Metric with high=100",
                "leave them out, and say --high 100",
            )


def _without_empty_columns(
    frame: pd.DataFrame, names: "pd.Series[str]"
) -> pd.DataFrame:
    """Return a table without empty rows and columns, and with the index that a DataFrame had."""
    has_no_name = names.isna().tolist()
    empty = [
        column
        for column, nameless in zip(frame, has_no_name)
        if nameless and frame[column].isna().all()
    ]
    for number, column in enumerate(frame.columns[1:], start=2):
        if has_no_name[number - 1] and column not in empty:
            raise ValueError(f"column {number} has no name")
    first = frame.columns[0]
    is_empty = _empty_rows(frame)
    if empty or is_empty.any():
        frame = frame.drop(columns=empty)[~is_empty]
    # to_csv writes the index first, without a name
    if has_no_name[0] and first not in empty:
        frame = frame.set_index(first).rename_axis(index=None)
    return frame


def _empty_rows(frame: pd.DataFrame) -> NDArray[np.bool_]:
    """Return which rows are empty; most tables have a column without gaps, often the first."""
    is_empty = np.ones(len(frame), dtype=bool)
    for column in frame:
        is_empty &= frame[column].isna().to_numpy()
        if not is_empty.any():
            break
    return is_empty


def counts_rows(index: pd.Index) -> bool:
    """Return whether labels only count the rows."""
    return bool(index.nlevels == 1 and index.equals(pd.RangeIndex(len(index))))
