"""Texts among the labels of a table; a million of them need not be taken apart."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replib._tables.values import sorted_codes
from replib._validation import shown
from replib.scores import Predictions, Scores

#: So many labels are looked at one by one in a fifth of a second.
_MOST_LABELS = 10_000
#: What may be a name where there are more.
_NAME = re.compile(r"\D{1,40}")


def is_labelled(table: Scores | Predictions) -> bool:
    """Return whether rows have labels: those of arrays have none."""
    return isinstance(table.frame, pd.DataFrame)


def has_labels(table: Scores | Predictions, key: str) -> bool:
    """Return whether rows have labels of a key."""
    return is_labelled(table) and key in table.frame


def texts_of_key(table: Scores | Predictions, key: str) -> list[str]:
    """Return the labels of a key that are texts; a million numbers need not be looked at."""
    if not has_labels(table, key) or pd.api.types.is_numeric_dtype(table.frame[key]):
        return []
    labels = np.asarray(labels_of_key(table, key), dtype=object).tolist()
    return [label for label in labels if isinstance(label, str)]


def texts_like_names(table: Scores | Predictions, key: str) -> list[str]:
    """Return the texts among the labels of a key that may be the name of something.

    Where there are many labels, a name is short and has no digit: "q17" and a question
    are none.
    """
    texts = texts_of_key(table, key)
    if len(texts) <= _MOST_LABELS:
        return texts
    return [text for text in texts if _NAME.fullmatch(text)]


def labels_of_key(
    table: Scores | Predictions, key: str
) -> "Sequence[Any] | pd.Index[Any]":
    """Return the different labels of a key; those of items or data sets are known."""
    if not is_labelled(table):
        return []
    if key == table.design.unit:
        return table.unit_labels
    return pd.Index(table.frame[key].unique())


def labels_of_runs(table: Scores | Predictions) -> list[str]:
    """Return the labels of runs, splits or seeds in their order, or else their numbers.

    They are numbered from 1 if they have none, or others in each model.
    """
    block, *_ = _blocks(table)
    return _labels_or_numbers(table, "run", len(block))


def labels_of_folds(table: Scores | Predictions) -> list[str]:
    """Return the labels of the folds of each run in their order, or else their numbers."""
    block, *_ = _blocks(table)
    return _labels_or_numbers(table, "fold", block.shape[-1])


def _labels_or_numbers(table: Scores | Predictions, key: str, n: int) -> list[str]:
    """Return the n labels of a key in their order, or numbers if it has none, or others."""
    numbers = [str(number) for number in range(1, n + 1)]
    if not has_labels(table, key):
        return numbers
    _, labels = sorted_codes(table.frame[key])
    return [shown(label) for label in labels] if len(labels) == n else numbers


def _blocks(table: Scores | Predictions) -> Iterable[NDArray[Any]]:
    by_model = table.blocks if isinstance(table, Scores) else table.predicted
    return by_model.values()


def with_article(noun: str) -> str:
    """Write a noun with "a" or "an" before it.

    >>> with_article("seed"), with_article("item")
    ('a seed', 'an item')
    """
    return f"an {noun}" if noun.startswith(("a", "e", "i", "o")) else f"a {noun}"
