"""Reader of Weka's ARFF files."""

import os
import re
from pathlib import Path

import numpy as np
import pandas as pd

from companion.lab.datasets.dataset import Dataset, is_nominal
from replib._validation import file_path

#: The largest file that is read, a hundred times as large as the largest of the 27 data
#: sets.
MOST_BYTES = 64 * 2**20

_QUOTED = r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\""""
#: A value and the comma after it; a bare value has neither quotes nor braces.
_CELL = re.compile(rf"""\s*(?:{_QUOTED}|([^,'"{{}}]*?))\s*(,|$)""")
_NUMBER = re.compile(
    r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?", re.IGNORECASE
)
_DECLARATION = re.compile(
    rf"""@attribute\s+(?:{_QUOTED}|([^\s'"{{}}]+))\s*(?:\{{(.*)\}}|(\w+)\s*(?:\[[^\]]*\])?)""",
    re.IGNORECASE,
)


def read_arff(path: str | os.PathLike) -> Dataset:
    """Read the data set of an ARFF file unchanged; its last attribute is the class.

    Parameters
    ----------
    path : path

    Returns
    -------
    Dataset
        Named after the file.

    Raises
    ------
    ValueError
        If the file is too large, or is not ARFF with nominal and numeric attributes and
        a nominal class.

    Examples
    --------
    A quoted question mark is a value, a bare one is a missing cell:

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "three.arff"
    >>> _ = file.write_text('''@relation three
    ... @attribute legs INTEGER [0,9]
    ... @attribute coat {'?', 'long hair', none}
    ... @attribute kind {cat, dog, newt}
    ... @data
    ... 4, 'long hair', cat
    ... ?, '?', cat
    ... 4, ?, newt
    ... ''')
    >>> three = read_arff(file)
    >>> three.X["coat"].tolist(), three.y.cat.categories.tolist()
    (['long hair', '?', nan], ['cat', 'dog', 'newt'])
    >>> three.facts.missing_cells, three.facts.classes_declared, three.facts.classes_present
    (2, 3, 2)
    """
    path = file_path("path", path)
    attributes, rows = _parsed(path.name, _text(path))
    columns = {}
    for position, (attribute, values) in enumerate(attributes.items()):
        cells = [row[position] for row in rows]
        if values is None:
            columns[attribute] = np.array(cells, dtype=np.float64)
        else:
            columns[attribute] = pd.Categorical(cells, categories=values)
    frame = pd.DataFrame(columns)
    if frame.shape[1] < 2 or not is_nominal(frame.iloc[:, -1]):
        raise ValueError(
            f"{path.name} must have a nominal class as its last attribute, after others"
        )
    return Dataset(path.stem, frame.iloc[:, :-1], frame.iloc[:, -1], path.name)


def _parsed(
    name: str, text: str
) -> tuple[dict[str, list[str] | None], list[list[str | None]]]:
    """Return the values of each attribute, None for a numeric one, and the cells of each row."""
    attributes: dict[str, list[str] | None] = {}
    rows: list[list[str | None]] = []
    in_data = False
    for number, line in enumerate(map(str.strip, text.split("\n")), start=1):
        try:
            if not line or line.startswith("%"):
                continue
            if in_data:
                rows.append(_row(line, attributes))
            elif found := _DECLARATION.fullmatch(line):
                attribute, values = _declared(found)
                if attribute in attributes:
                    raise ValueError(f"attribute {attribute!r} is declared twice")
                attributes[attribute] = values
            elif line.lower() == "@data":
                in_data = True
            elif not line.lower().startswith("@relation"):
                raise ValueError(
                    "must declare an attribute, or begin the data with @data"
                )
        except ValueError as problem:
            raise ValueError(
                f"{name} is not an ARFF file: line {number}, {problem}"
            ) from problem
    if not in_data:
        raise ValueError(f"{name} is not an ARFF file: it has no line @data")
    return attributes, rows


def _declared(found: re.Match) -> tuple[str, list[str] | None]:
    """Return the name of an attribute, and its values if it is nominal."""
    single, double, bare, values, kind = found.groups()
    attribute = _unescaped(single or double or bare or "")
    if values is not None:
        return attribute, [str(value) for value in _cells(values)]
    if kind.lower() not in ("numeric", "real", "integer"):
        raise ValueError(
            f"attribute {attribute!r} must be nominal or numeric, not {kind.lower()}"
        )
    return attribute, None


def _row(line: str, attributes: dict[str, list[str] | None]) -> list[str | None]:
    """Return the cells of a line; refuse values that their attributes cannot have."""
    cells = _cells(line)
    if len(cells) != len(attributes):
        raise ValueError(f"must have {len(attributes)} values, not {len(cells)}")
    for cell, (attribute, values) in zip(cells, attributes.items()):
        if cell is None:
            continue
        if values is None and not _NUMBER.fullmatch(cell):
            raise ValueError(
                f"attribute {attribute!r} must have a number, not {cell!r}"
            )
        if values is not None and cell not in values:
            raise ValueError(
                f"attribute {attribute!r} must have a declared value, not {cell!r}"
            )
    return cells


def _cells(line: str) -> list[str | None]:
    """Return the values of a line; a bare question mark is None."""
    cells, end = [], 0
    while found := _CELL.match(line, end):
        single, double, bare, comma = found.groups()
        if bare == "":
            break
        cells.append(
            None if bare == "?" else bare or _unescaped(single or double or "")
        )
        end = found.end()
        if not comma:
            return cells
    raise ValueError(f"must have values between commas, not {line[end : end + 20]!r}")


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def _text(path: Path) -> str:
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"{path.name} is larger than {MOST_BYTES // 2**20} megabytes")
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as problem:
        raise ValueError(
            f"{path.name} is not an ARFF file: it is no text in UTF-8"
        ) from problem
