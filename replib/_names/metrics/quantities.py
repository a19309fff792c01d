"""What a metric measures by its name: two names of one quantity are one metric."""

from collections.abc import Sequence
from functools import lru_cache

from replib._names.metrics.named import words_of_metric
from replib._names.metrics.vocabulary import NAMED, named_at_end
from replib._names.words import MOST_NAMES

#: Of numbers: a difference of two classes is none.
QUANTITIES_OF_NUMBERS = {
    *("absolute error", "squared error", "root of squared error", "r2", "mape"),
    *("smape", "rmsle", "pearson"),
}
#: Metrics themselves are compared by these, with what people say.
QUANTITIES_OF_AGREEMENT = {"kendall", "pearson", "spearman"}


@lru_cache(MOST_NAMES)
def quantity_of_metric(name: str) -> str | None:
    """Return what a metric measures by the last words of its name, if this is well known.

    >>> [quantity_of_metric(name) for name in ("val_acc", "balanced_accuracy", "F1", "skill")]
    ['accuracy', 'accuracy', 'f1', None]
    """
    quantity, _ = quantity_at_end(words_of_metric(name))
    return quantity


def quantity_at_end(words: Sequence[str]) -> tuple[str | None, int]:
    """Return what the last of some words measure, or None, and how many words say so.

    >>> quantity_at_end(["word", "error", "rate"]), quantity_at_end(["skill"])
    (('word errors', 3), (None, 0))
    """
    metric, n_words = named_at_end(words)
    if metric is None or metric.quantity is None:
        return None, 0
    return metric.quantity, n_words


def quantity_by_words(words: Sequence[str]) -> str:
    """Return what exactly these words in lower case measure, or the words.

    >>> quantity_by_words(["acc"]), quantity_by_words(["balanced", "accuracy"])
    ('accuracy', 'balanced accuracy')
    """
    name = " ".join(words)
    metric = NAMED.get(name)
    return name if metric is None else metric.quantity or name
