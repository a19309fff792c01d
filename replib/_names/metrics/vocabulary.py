"""What is known of a metric by its name: direction, range, and what guessing scores.

``replib/data/names/named_metrics.csv`` has the names, of many fields.  A name of the column
`certain` means the metric wherever it stands ("label"), at the end of the name of a
metric ("end"), or only where it stands alone ("whole"): a data set may be called "far",
and "is" is a word.
"""

import csv
import re
from collections.abc import Sequence
from importlib import resources
from typing import NamedTuple


class NamedMetric(NamedTuple):
    """What is known of a metric by its name.

    Attributes
    ----------
    field : str
        In which it is used.
    quantity : str or None
        What it measures: metrics of two quantities differ.  None for a name that is
        used for several.
    better : {"higher", "lower"} or None
        None if usage differs.
    low, high : float
        Range, as fractions.
    chance : float, "data" or None
        What guessing scores: a number, or what the data say.
    certain : {"label", "end", "whole"}
        Where the name means the metric.
    """

    field: str
    quantity: str | None
    better: str | None
    low: float
    high: float
    chance: float | str | None
    certain: str


def _named_metrics() -> dict[str, NamedMetric]:
    """Return what is known by each name, in lower case with a blank between words."""
    file = resources.files("replib").joinpath("data", "names", "named_metrics.csv")
    rows = csv.DictReader(file.read_text("utf-8").splitlines())
    return {
        " ".join(words_of_name(name)): NamedMetric(
            row["field"],
            row["quantity"] or None,
            row["better"] or None,
            float(row["low"] or "-inf"),
            float(row["high"] or "inf"),
            _chance(row["chance"]),
            row["certain"],
        )
        for row in rows
        for name in row["names"].split("|")
    }


def _chance(text: str) -> float | str | None:
    """Return a level of chance, or that it depends on the data, or None."""
    return text if text == "data" else float(text) if text else None


def words_of_name(plain: str) -> list[str]:
    """Return the words of a name in lower case, each perhaps with a digit behind it.

    >>> words_of_name("d2_log_loss_score"), words_of_name("hd95")
    (['d2', 'log', 'loss', 'score'], ['hd9'])
    """
    return re.findall(r"[a-z]+\d?", plain)


NAMED = _named_metrics()
#: Words of the longest name.
_MOST_WORDS = max(len(name.split()) for name in NAMED)


def named_at_end(words: Sequence[str]) -> tuple[NamedMetric | None, int]:
    """Return what is known of the metric that the last words name, and how many they are.

    >>> metric, n_words = named_at_end(["val", "word", "error", "rate"])
    >>> metric.quantity, n_words
    ('word errors', 3)
    >>> named_at_end(["what", "it", "is"])
    (None, 0)
    """
    for n_words in range(min(_MOST_WORDS, len(words)), 0, -1):
        metric = NAMED.get(" ".join(words[-n_words:]))
        if metric is None:
            continue
        if metric.certain != "whole" or n_words == len(words):
            return metric, n_words
    return None, 0


def named_at_start(words: Sequence[str]) -> tuple[NamedMetric | None, int]:
    """Return what is known of the metric that the first words name, and how many they are.

    >>> metric, n_words = named_at_start(["rmse", "of", "rain"])
    >>> metric.better, n_words
    ('lower', 1)
    >>> named_at_start(["far", "field"])
    (None, 0)
    """
    for n_words in range(min(_MOST_WORDS, len(words)), 0, -1):
        metric = NAMED.get(" ".join(words[:n_words]))
        if metric is not None and metric.certain == "label":
            return metric, n_words
    return None, 0
