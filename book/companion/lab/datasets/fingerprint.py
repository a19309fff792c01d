"""Check that a data set is Weka's.

Harmless differences are corrected: the order of attributes and of declared values,
quotes around values, case and punctuation of attribute names.  The result must have the
fingerprint of Weka's file, which is in two tables next to this module:

* ``fingerprints.csv``: the `Facts` of each data set;
* ``attributes.csv``: the declared values of each attribute.
"""

import re
from collections.abc import Iterable
from dataclasses import asdict, fields
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from companion.lab.datasets.dataset import Dataset, Facts

_FOLDER = Path(__file__).parent
_SEPARATOR = "|"  # of declared values; no value contains it
_MOST_NAMED = 5


class DataMismatch(ValueError):
    """The data found under the name of a data set are not Weka's; the message says why."""


def table() -> pd.DataFrame:
    """Return what is known about the data sets without reading them.

    Returns
    -------
    DataFrame
        Indexed by name; columns `paper_name` (in Table 1 of `bouckaert_frank2004`;
        empty for Weka's ``zoo`` with its 17th attribute), `file`, `left_out` (an
        attribute of the file that the data set does not have), `openml_name`,
        `openml_versions` (in the order in which they are tried), and the fields of
        `Facts`.

    Examples
    --------
    >>> table().loc["credit-g", ["paper_name", "file", "openml_name"]].tolist()
    ['German credit', 'credit-g.arff', 'credit-g']
    """
    counts = [field.name for field in fields(Facts) if field.type is int]
    return pd.read_csv(
        _FOLDER / "fingerprints.csv",
        index_col="name",
        keep_default_na=False,
        dtype=str,
    ).astype(dict.fromkeys(counts, int))


def verified(name: str, found: Dataset) -> Dataset:
    """Return the data set in Weka's form, if it is Weka's.

    Parameters
    ----------
    name : str
        Index of `table`.
    found : Dataset
        As read from its source.

    Returns
    -------
    Dataset
        With Weka's order of attributes and of declared values.

    Raises
    ------
    DataMismatch
        If the data set is not Weka's; one sentence names the differences.

    Examples
    --------
    >>> other = Dataset("iris", pd.DataFrame({"sepallength": [1.0]}),
    ...                 pd.Series(["setosa"], dtype="category", name="class"), "iris.csv")
    >>> try:
    ...     verified("iris", other)
    ... except DataMismatch as mismatch:
    ...     print(mismatch)
    iris.csv is not Weka's iris: no attribute 'sepalwidth', 'petallength', 'petalwidth'
    """
    try:
        canonical = _in_form_of_weka(name, found)
        if differences := _other_facts(name, canonical):
            raise DataMismatch("; ".join(differences))
    except DataMismatch as mismatch:
        raise DataMismatch(f"{found.source} is not Weka's {name}: {mismatch}") from None
    return canonical


def _in_form_of_weka(name: str, found: Dataset) -> Dataset:
    """Put attributes in Weka's order under Weka's names, values in declared order, unquoted."""
    declared = _declared(name)
    columns = {_key(column.name): column for column in found.columns()}
    columns.pop(_key(table().at[name, "left_out"]), None)
    names = {_key(attribute): attribute for attribute in declared}
    if missing := [attribute for key, attribute in names.items() if key not in columns]:
        raise DataMismatch(f"no attribute {_some(missing)}")
    if surplus := [column.name for key, column in columns.items() if key not in names]:
        raise DataMismatch(f"a surplus attribute {_some(surplus)}")
    frame = pd.DataFrame(
        {
            attribute: _column(columns[_key(attribute)], labels)
            for attribute, labels in declared.items()
        }
    )
    return Dataset(name, frame.iloc[:, :-1], frame.iloc[:, -1], found.source)


def _column(column: pd.Series, labels: tuple[str, ...]) -> np.ndarray | pd.Categorical:
    """Return the cells as float64 if there are no `labels`, else as categorical in their order."""
    if pd.api.types.is_numeric_dtype(column) == bool(labels):
        kind = "nominal" if labels else "numeric"
        raise DataMismatch(f"attribute {column.name!r} should be {kind}")
    if not labels:
        return column.to_numpy(dtype=np.float64, na_value=np.nan)
    cells = column.astype(object).map(_unquoted, na_action="ignore").astype(object)
    if "?" in labels:  # without its quotes, this value was read as a missing cell
        cells = cells.where(cells.notna(), "?")
    if unknown := sorted(set(cells.dropna()) - set(labels)):
        raise DataMismatch(
            f"attribute {column.name!r} has the undeclared {_some(unknown)}"
        )
    return pd.Categorical(cells, categories=labels)


def _other_facts(name: str, canonical: Dataset) -> list[str]:
    expected = table().loc[name]
    return [
        "other cells"
        if fact == "sha256"
        else f"{fact.replace('_', ' ')} {value} instead of {expected[fact]}"
        for fact, value in asdict(canonical.facts).items()
        if value != expected[fact]
    ]


@cache
def _declarations() -> dict[str, dict[str, tuple[str, ...]]]:
    rows = pd.read_csv(_FOLDER / "attributes.csv", dtype=str, keep_default_na=False)
    rows["labels"] = [
        tuple(text.split(_SEPARATOR)) if text else () for text in rows["labels"]
    ]
    return {
        name: dict(zip(part["attribute"], part["labels"]))
        for name, part in rows.groupby("name")
    }


def _declared(name: str) -> dict[str, tuple[str, ...]]:
    """Return the declared values of each attribute of Weka's file, none of a numeric one."""
    return _declarations()[name]


def _key(attribute: str) -> str:
    """Return a key that is the same for all spellings of an attribute's name."""
    return re.sub(r"\W+", "_", _unquoted(attribute).casefold())


def _unquoted(label: object) -> str:
    text = str(label).strip()
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return text[1:-1] if quoted else text


def _some(words: Iterable[str]) -> str:
    words = list(words)
    named = ", ".join(map(repr, words[:_MOST_NAMED]))
    return (
        named
        if len(words) <= _MOST_NAMED
        else f"{named} and {len(words) - _MOST_NAMED} more"
    )
