"""Names of metrics: what is known of the one that a name is, or ends with.

The last words of a name say what is measured, and those before them how or where.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from replib._names.languages import in_english
from replib._names.metrics.bare import metric_within
from replib._names.metrics.vocabulary import (
    NAMED,
    NamedMetric,
    named_at_end,
    words_of_name,
)
from replib._names.words import MOST_NAMES, plain_text, split_at_capitals

#: Last words that say how, where or in which unit a metric was measured, not what it is.
_QUALIFIERS = {
    *("average", "avg", "coef", "coeff", "coefficient", "macro", "mean", "median"),
    *("micro", "score", "weighted", "dev", "eval", "test", "train", "val", "valid"),
    *("validation", "eur", "gb", "kg", "kwh", "mb", "ms", "sec", "seconds", "usd"),
    *("p5", "p9"),  # percentiles
    *("log", *"abcdefghijklmnopqrstuvwxyz"),  # "RMSE log", "ROUGE-L", "pearson_r"
}
#: Metrics that no model, and no data set, is called after.  Models are called after the
#: losses that they are trained with.
_PLAIN = {"acc", "accuracy", "auc", "auroc", "f1", "loss", "precision", "recall"}
#: Parts of the data before the name of a metric.
PARTS_OF_DATA = {"dev", "eval", "test", "train", "val", "valid", "validation"}
#: Words that say which scores of a metric there are, and not of which metric.
WHICH_SCORES = {
    *("avg", "average", "best", "cv", "dev", "eval", "final", "holdout", "last"),
    *("mean", "median", "overall", "test", "val", "valid", "validation"),
}
#: "1 - roc_auc", "100 − accuracy", "one minus dice", "-rmse".
_COMPLEMENT = re.compile(
    r"(?:(?:1(?:\.0)?|100 ?%?|one|unity)[ _]*(?:[-−–]|minus)|[-−–]|minus )[ _]*(?P<of>[^\W\d].*)",
    re.IGNORECASE,
)
#: Fields whose losses no data set is called after: IBS is a disease, and FCD a company.
FIELDS_OF_LOSSES = {"generation", "language", "numbers", "probability", "speech"}


def complemented_metric(name: str) -> NamedMetric | None:
    """Return what is known of the metric that a name is one minus, or minus, or None."""
    complement = _COMPLEMENT.fullmatch(name.strip())
    return None if complement is None else named_metric(complement["of"])


def is_complement(name: str) -> bool:
    """Return whether a name is one minus a metric, or minus that.

    >>> is_complement("1 - WER"), is_complement("-rmse"), is_complement("1-shot accuracy")
    (True, True, False)
    """
    metric = complemented_metric(name)
    if metric is None:
        return False
    # the "1-Wasserstein" distance is no complement, but "1-AUC" and "1-WER" are
    return metric.field != "generation" or re.match(r"\d\S", name.strip()) is None


@lru_cache(MOST_NAMES)
def named_metric(name: str) -> NamedMetric | None:
    """Return what is known of a metric by its whole name, but for words such as "test".

    >>> metric = named_metric("test_roc_auc (macro)")
    >>> metric.better, metric.chance
    ('higher', 0.5)
    >>> named_metric("delta auc") is None
    True
    """
    without_bracket = re.sub(r"(?<=.)\(.*?\)", "", in_english(name)).strip()
    return None if is_complement(without_bracket) else metric_within(name)


def metric_at_end(plain: str) -> NamedMetric | None:
    """Return what is known of the metric that the last words of a name are.

    They may be followed by words that only qualify it, or by a number, as in "HD95".
    """
    split = split_at_capitals(plain)
    unsplit = words_of_metric(plain)
    without_number = [re.sub(r"\d+$", "", word) for word in unsplit]
    spellings = (
        words_of_name(plain_text(split)),
        words_of_metric(split),
        unsplit,
        without_number,
    )
    ends = [named_at_end(words) for words in spellings]
    metric, _ = max(ends, key=lambda end: end[1])
    return metric


def is_direction_known(words: str) -> bool:
    """Return whether words in lower case are those of a loss or a gain, and no others.

    >>> is_direction_known("error rate"), is_direction_known("error rate of b")
    (True, False)
    """
    named = NAMED.get(words)
    return named is not None and named.better is not None and named.certain != "whole"


def is_name_of_loss(label: str) -> bool:
    """Return whether a label is a loss that no data set is called after, and nothing else.

    >>> is_name_of_loss("ECE"), is_name_of_loss("KID")
    (True, False)
    """
    metric = NAMED.get(plain_text(label))
    if metric is None or metric.certain != "label" or metric.better != "lower":
        return False
    return metric.field in FIELDS_OF_LOSSES


def is_name_of_metric(label: str) -> bool:
    """Return whether a label is a common metric, and nothing else.

    >>> is_name_of_metric("val_loss"), is_name_of_metric("Accuracy"), is_name_of_metric("mse")
    (True, True, False)
    """
    plain = plain_text(label)
    words = re.findall(r"[a-z]+\d?", plain)
    if "".join(words) != re.sub(r"[\W_]", "", plain):
        return False  # with other letters or numbers
    is_of_part = bool(words) and words[0] in PARTS_OF_DATA
    if len(words) != 1 + is_of_part:
        return False
    if is_of_part and is_direction_known(words[-1]):
        return True
    return words[-1] in _PLAIN


def plain_name(name: str) -> str:
    """Return the name of a metric in lower case, with "_" between words.

    >>> plain_name("ROC AUC")
    'roc_auc'
    """
    return re.sub(r"[\s-]+", "_", name.strip()).casefold()


def words_of_metric(name: str) -> list[str]:
    """Return the words of a name in lower case, but for the last ones that only qualify it.

    >>> words_of_metric("F1-score (macro)")
    ['f1']
    """
    words = re.findall(r"[a-z]+\d?", plain_text(name))
    while words and words[-1] in _QUALIFIERS:
        words.pop()
    return words


def last_words(words: Sequence[str], most: int) -> list[str]:
    """Return the last words of a name, from the last few to the last one alone.

    >>> last_words(["word", "error", "rate"], 2)
    ['error rate', 'rate']
    """
    return [" ".join(words[-n_words:]) for n_words in range(most, 0, -1)]
