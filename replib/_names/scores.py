"""Which column has the scores of a metric, as far as names say."""

import re

from replib._names.labels.training_parts import is_of_training
from replib._names.languages import in_english
from replib._names.metrics.directions import direction_of_metric, is_turned
from replib._names.metrics.named import plain_name
from replib._names.metrics.quantities import quantity_by_words, quantity_of_metric
from replib._names.things.columns import (
    is_about_answers,
    measured_by_name,
    no_score_by_name,
)
from replib._names.things.measures import MEASURED, is_of_measure
from replib._names.words import plain_text, split_at_capitals, words_of_column
from replib._validation import refusal, shown

#: Words that say which scores of a metric a column has, such as those of the validation
#: data, and not of which metric.
_WHICH_SCORES = {
    *("cv", "dev", "eval", "heldout", "holdout", "oof", "test", "testing", "val"),
    *("valid", "validation", "average", "avg", "best", "final", "last", "mean"),
    *("median", "overall", "score", "scores"),
}
#: Last words of columns of lengths and of errors.
_NO_GAINS = {"err", "errs", "len", "length", "lengths"}


def is_called_after(column: object, metric: str) -> bool:
    """Return whether a column has the name of a metric, but for case and signs between words.

    >>> is_called_after("ROC AUC", "roc_auc"), is_called_after("acc", "accuracy")
    (True, False)
    """
    return isinstance(column, str) and _english_name(column) == _english_name(metric)


def _english_name(name: str) -> str:
    return plain_name(in_english(name))


def may_have_scores_of(column: object, metric: str) -> bool:
    """Return whether a column may have scores of a metric by its name: all, some or their mean.

    >>> names = ("score", "acc", "val_accuracy", "train_accuracy", "top5_accuracy", "accuracy_std")
    >>> [may_have_scores_of(name, "accuracy") for name in names]
    [True, True, True, False, False, False]
    """
    if not isinstance(column, str):
        return False
    if is_called_after(column, metric):
        return True
    if is_of_training(column) and not is_of_training(metric):
        return False
    # words of "valAccuracy"; "mIoU" is one word
    spellings = (column, split_at_capitals(column))
    measure = _measured(metric)
    return any(_measured(name) in ("", measure) for name in spellings)


def _measured(name: str) -> str:
    """Return what scores measure by a name; empty if it only says which scores they are."""
    plain = plain_text(name).removeprefix("metrics.")  # of MLflow
    words = re.findall(r"[a-z]+\d*|@\d+", plain)
    if not words:
        return name  # such as a number
    return quantity_by_words([word for word in words if word not in _WHICH_SCORES])


def refuse_column(column: object, metric: str, better: str | None) -> None:
    """Refuse a column that by its name has no scores of a metric, such as times or losses.

    Parameters
    ----------
    column : object
        Its name.
    metric : str
    better : {"higher", "lower"} or None

    Raises
    ------
    ValueError
        If it has times, sizes, ranks or standard deviations, or scores of which the
        other direction is better.
    """
    if not isinstance(column, str) or column.casefold() in metric.casefold():
        return  # the steps of "steps to the goal", for instance
    problem = _other_measure(column, metric) or _other_direction(column, metric, better)
    if problem:
        raise refusal(
            f"column {shown(column)} {problem}",
            "give the column of its scores, or call the metric after the column",
            "give the column of its scores, or call --metric after the column",
        )


def _other_measure(column: str, metric: str) -> str:
    """Say that a column has other numbers than scores; empty if it does not say so."""
    kind = no_score_by_name(column)
    if kind in ("confidences", "probabilities") and is_about_answers(metric):
        return ""
    if kind is not None and no_score_by_name(metric) != kind:
        return f"has {kind} by its name, and the metric is {_words(metric)}"
    measured = measured_by_name(column)
    if measured is None or measured_by_name(metric) is not None:
        return ""
    if direction_of_metric(metric) == "lower" or is_of_measure(metric, column):
        return ""  # a latency, for instance
    return f"has {measured} by its name, and the metric is {_words(metric)}"


def _other_direction(column: str, metric: str, better: str | None) -> str:
    """Say that the other direction of a column is better; empty if its name does not say so."""
    by_name = direction_of_metric(column)
    if by_name in (None, better) or is_turned(metric):
        return ""
    return f"is by its name better {by_name}, and {_words(metric)} better {better}"


def has_other_measure(column: str, metric: str, better: str | None) -> bool:
    """Return whether a column has times, costs or so by a word, and a metric is none of these.

    >>> has_other_measure("UserCPU_Time_training", "accuracy", "higher")
    True
    >>> has_other_measure("time_acc", "f1", "higher"), has_other_measure("cost", "cost", "lower")
    (False, False)
    """
    words_of_metric = words_of_column(metric)
    words = [word for word in words_of_column(column) if word not in _WHICH_SCORES]
    if "score" in words_of_column(column) or quantity_of_metric(column) is not None:
        return False
    is_gain = better == "higher" and _NO_GAINS.isdisjoint(words_of_metric)
    if is_gain and not _NO_GAINS.isdisjoint(words[-1:]):
        return True
    is_known = better == "higher" or quantity_of_metric(metric) is not None
    is_measure = not MEASURED.isdisjoint(words_of_metric)
    return is_known and not is_measure and not MEASURED.isdisjoint(words)


def _words(metric: str) -> str:
    return metric.replace("_", " ")
