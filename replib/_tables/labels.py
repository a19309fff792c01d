"""Labels that look the same, cannot be printed, or are measurements."""

import re
import unicodedata
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
import pandas as pd

from replib._tables.cases import case_counts
from replib._validation import (
    listed,
    rectangular_array,
    shown,
)


def check_labels(key: str, labels: Collection[Any]) -> None:
    """Refuse labels that look the same, and names that cannot be printed.

    Two models may differ in case, as Adam and an Adam of one's own do.  A data set or a
    cluster that counts twice would make a difference look more certain than it is, but
    may be a code in which case counts.
    """
    first_spelling: dict[str, Any] = {}
    for label in labels:
        text = str(label)
        before = first_spelling.setdefault(_composed(text), label)
        is_alike = before is not label
        if is_alike and _differ_in_case(before, label):
            is_alike = key != "model" and not case_counts(map(str, labels))
        if is_alike:
            alike = _plain(text) == _plain(str(before))
            difference = "type, case or blanks" if alike else "Unicode form"
            raise ValueError(
                f"{key} {listed([before, label])} differ only in {difference}: use one"
            )
        # names of models are written in sentences and pages, other labels seldom
        is_printable = text.isprintable() or key != "model"
        if not text.strip() or not is_printable:
            raise ValueError(f"{key} {shown(label)} has a name that cannot be printed")


def _differ_in_case(first: Any, second: Any) -> bool:
    """Return whether two labels are texts that differ only in case."""
    are_texts = isinstance(first, str) and isinstance(second, str)
    return are_texts and first != second and first.casefold() == second.casefold()


def refuse_two_spellings(key: str, labels: Iterable[Any], table: pd.DataFrame) -> None:
    """Refuse labels that look the same, such as "heart-c" and "heart_c", if each is used apart.

    Two data sets that are called so occur together, for each model; of two spellings,
    a model has the one or the other.  Of two spellings of a model, the one has some runs,
    items or data sets, and the other has others.
    """
    columns = ["model"]
    if key == "model":
        columns = [unit for unit in ("item", "dataset", "run", "fold") if unit in table]
    first_spelling: dict[str, Any] = {}
    for label in labels:
        before = first_spelling.setdefault(_look(str(label)), label)
        if before is label:
            continue
        for column in columns:
            first, second = (
                set(table.loc[table[key] == name, column]) for name in (before, label)
            )
            if first.isdisjoint(second):
                in_case = _differ_in_case(before, label)
                difference = "case" if in_case else "the signs between words"
                raise ValueError(
                    f"{key} {listed([before, label])} differ only in {difference}, and "
                    f"no {column} has both: use one"
                )


def refuse_equal_numbers(key: str, column: "pd.Series[Any]") -> None:
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
