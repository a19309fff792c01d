"""The 27 UCI data sets of `bouckaert_frank2004`, exactly as in Weka's files.

No data set is committed.  `load` takes one from Weka's ARFF files in the folder that
the environment variable ``REPLIB_DATA`` names, or else from OpenML, whose files
scikit-learn caches on disk.  Either way it has Weka's fingerprint, or `load` raises an
error that names the difference (`companion.lab.datasets.fingerprint`).

The papers and Weka's files have different names for some sets; `table` has both.
Weka's ``zoo`` has a 17th attribute, the name of the animal.  The papers count 16, and
an attribute that identifies every instance teaches nothing; so the 27 `names` have
``zoo-noname``, without it.
"""

import os
from http.client import HTTPException
from pathlib import Path

from companion.lab.datasets import openml
from companion.lab.datasets.arff_file import read_arff
from companion.lab.datasets.dataset import Dataset, Facts
from companion.lab.datasets.fingerprint import DataMismatch, table, verified
from replib._validation import check_choice

__all__ = [
    "FOLDER_VARIABLE",
    "DataMismatch",
    "DataUnavailable",
    "Dataset",
    "Facts",
    "load",
    "names",
    "read_arff",
    "table",
]

#: Environment variable that names a folder of ARFF files.
FOLDER_VARIABLE = "REPLIB_DATA"


class DataUnavailable(RuntimeError):
    """A data set is not in the folder and cannot be fetched from OpenML."""


def names() -> tuple[str, ...]:
    """Return the names of the 27 data sets, in the order of Table 1 of `bouckaert_frank2004`.

    Examples
    --------
    >>> len(names()), names()[0], names()[-1]
    (27, 'anneal', 'zoo-noname')
    """
    known = table()
    return tuple(known.index[known["paper_name"] != ""])


def load(name: str) -> Dataset:
    """Load a data set as Weka has it, from the folder ``REPLIB_DATA`` or else from OpenML.

    Parameters
    ----------
    name : str
        One of `names`, or ``"zoo"`` for Weka's zoo with the name of the animal.

    Returns
    -------
    Dataset
        With Weka's fingerprint.

    Raises
    ------
    ValueError
        If there is no data set with that name, or ``REPLIB_DATA`` is not a folder.
    DataUnavailable
        If the data set is not in the folder and cannot be fetched.
    DataMismatch
        If what was found is not Weka's data set; the message names the differences.

    Examples
    --------
    >>> load("titanic")
    Traceback (most recent call last):
        ...
    ValueError: name must be one of 'anneal', ..., 'zoo-noname', 'zoo', not 'titanic'
    """
    known = table()
    check_choice("name", name, known.index)
    folder = os.environ.get(FOLDER_VARIABLE)
    if folder and not Path(folder).is_dir():
        raise ValueError(
            f"{FOLDER_VARIABLE} must name a folder of ARFF files, not {folder!r}"
        )
    if folder and (file := Path(folder) / known.at[name, "file"]).exists():
        return verified(name, read_arff(file))
    return _from_openml(name)


def _from_openml(name: str) -> Dataset:
    """Return the first version at OpenML that has the fingerprint."""
    openml_name, versions = table().loc[name, ["openml_name", "openml_versions"]]
    problems = []
    for version in versions.split():
        try:
            return verified(name, openml.fetch(openml_name, int(version)))
        except ValueError as problem:  # another data set, or no such version
            problems.append(problem)
        except (OSError, HTTPException) as failure:
            raise _unavailable(name, failure) from failure
    if any(isinstance(problem, DataMismatch) for problem in problems):
        raise DataMismatch("; ".join(str(problem).rstrip(".") for problem in problems))
    raise _unavailable(name, problems[0])


def _unavailable(name: str, reason: Exception) -> DataUnavailable:
    return DataUnavailable(
        f"data set {name!r} is not here: set {FOLDER_VARIABLE} to a folder with Weka's "
        f"{table().at[name, 'file']}, or connect to the network so that it can be fetched from "
        f"OpenML ({str(reason).rstrip('.')})"
    )
