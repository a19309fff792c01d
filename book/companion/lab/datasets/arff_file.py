"""Reader of Weka's ARFF files."""

import os
import re
from pathlib import Path

import arff
import numpy as np
import pandas as pd

from companion.lab.datasets.dataset import Dataset, is_nominal
from replib.checks import file_path

#: The largest file that is read, a hundred times as large as the largest of the 27 data sets.
MOST_BYTES = 64 * 2**20

# Three things that Weka accepts and the ARFF library does not: a tab after the keyword, a range
# after a numeric type (which Weka ignores), and decimals of an "integer" (which the library cuts).
_DECLARATION = re.compile(r"^[ \t]*@attribute[ \t]+(.+?)[ \t]*$", re.IGNORECASE | re.MULTILINE)
_NUMERIC_TYPE = re.compile(
    r"(?<=[ \t])(?:numeric|real|integer)[ \t]*(?:\[[^\]]*\])?$", re.IGNORECASE
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
        If the file is too large, or is not ARFF with nominal and numeric attributes and a nominal
        class.

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
    text = _DECLARATION.sub(
        lambda found: f"@attribute {_NUMERIC_TYPE.sub('real', found[1])}", _text(path)
    )
    try:
        content = arff.loads(text)
    except arff.ArffException as problem:
        raise ValueError(f"{path.name} is not an ARFF file: {problem}") from problem
    columns = {}
    for position, (attribute, kind) in enumerate(content["attributes"]):
        cells = [row[position] for row in content["data"]]
        if isinstance(kind, list):
            columns[attribute] = pd.Categorical(cells, categories=kind)
        elif kind == "REAL":
            columns[attribute] = np.array(cells, dtype=np.float64)
        else:
            raise ValueError(
                f"attribute {attribute!r} of {path.name} must be nominal or numeric, "
                f"not {kind.lower()}"
            )
    frame = pd.DataFrame(columns)
    if frame.shape[1] < 2 or not is_nominal(frame.iloc[:, -1]):
        raise ValueError(
            f"{path.name} must have a nominal class as its last attribute, after others"
        )
    return Dataset(path.stem, frame.iloc[:, :-1], frame.iloc[:, -1], path.name)


def _text(path: Path) -> str:
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"{path.name} is larger than {MOST_BYTES // 2**20} megabytes")
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as problem:
        raise ValueError(f"{path.name} is not an ARFF file: it is no text in UTF-8") from problem
