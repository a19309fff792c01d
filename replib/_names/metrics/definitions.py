"""Which definition of a metric a name has: what is measured, how it is averaged, to which rank.

"ndcg@10" and "ndcg_cut_10" are one metric; "ndcg@100" is another, as "f1_macro" is
another than "f1_micro".
"""

import math
import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from replib._names.languages import in_english
from replib._names.metrics.bare import is_in_section, metric_within
from replib._names.metrics.directions import metric_of_error
from replib._names.metrics.goals import BEHIND_TURNED
from replib._names.metrics.ideals import is_best_between
from replib._names.metrics.named import (
    WHICH_SCORES,
    is_direction_known,
    named_metric,
    words_of_metric,
)
from replib._names.metrics.quantities import quantity_at_end
from replib._names.metrics.vocabulary import NAMED
from replib._names.words import MOST_NAMES, plain_text, split_at_capitals

#: Where a cutoff stands: "ndcg@10", "pass at 1", "top-5 accuracy".
_CUTOFF = re.compile(
    r" *@ *(?P<at>\d[\d.:]*[km]?)|[ _.-](?:at|cut)[ _.-](?P<behind>\d+)"
    r"|(?<![a-z])top[ _-]?(?P<top>\d+)(?=[ _-]?acc)"
    r"|(?:(?<=acc)|(?<=accuracy))[ _-]top[ _-]?(?P<last>\d+)"
)
#: Of which n-grams, or boxes, something is: "BLEU-4", "ROUGE-L", "mAP50-95".
_ORDER = re.compile(
    r"(?P<metric>(?<![a-z])(?:bleu|rouge)(?=[ _-]?(?:\d|l))|(?<![a-z])m?ap(?=[ _-]?\d\d))"
    r"[ _-]?(?P<order>\d{1,2}(?:[:-]\d\d)?|l(?:sum)?)(?![a-z\d])"
)
#: A cutoff before the name of a model: "recall@20 of the net".
_NAME_BEHIND = re.compile(r"(?P<metric>[a-z ]+@ *\d[\d.]*[km]?)[ _/-]+\(?[a-z]")
#: A last number is a cutoff of these only: "acc_1" may be of the first fold.
_LAST_NUMBER = re.compile(
    r"(?P<ranked>(?:.*[^a-z])?(?:hits?|map|ndcg|p|precision|r|recall|success))"
    r"[_.](?P<cutoff>[135]|10+|15|20+|30|50+)"
)
#: Words that are metrics with a cutoff: something is right among the first.
_WITH_CUTOFF = {
    **dict.fromkeys(["hit", "hits", "hit rate", "hit ratio", "hr"], "accuracy"),
    **dict.fromkeys(["pass", "success"], "accuracy"),
    "p": "precision",
    "r": "recall",
    "rr": "mrr",
}
#: "balanced forest f1" is no average.
_AVERAGE = re.compile(
    r"(?<![a-z])(?:macro|micro|weighted|bal(?:anced)?(?=[ _-]?acc))(?![a-z])"
)
#: Words before a metric, with which it is another one.
_BEFORE = {
    *WHICH_SCORES,
    "absolute",
    "class",
    "normalized",
    "per",
    "relative",
    "root",
    "word",
}
#: What programs write behind a metric.
_BEHIND = ("none", "ovo", "ovr", "statistic", "value")
#: Words of what is computed from an error, and may be below 0.
_SIGNED = BEHIND_TURNED | {
    *("adjusted", "advantage", "anomaly", "bias", "centered", "centred", "excess"),
    *("ln", "log", "log10", "logged", "logs", "minus", "negated", "negative"),
    *("relative", "residual", "scaled", "signed", "standardised", "standardized"),
    *("uplift", "vs", "z", "zscore", "lift", "margin", "over", "to", "versus"),
}
_TOP = re.compile(r"top[ _-]?\d+", re.IGNORECASE)


def _quantities_from_0(*, high: float) -> set[str]:
    """Return the quantities of which all names say that they are not below 0, and the upper end."""
    metrics = [metric for metric in NAMED.values() if metric.quantity is not None]
    others = [metric for metric in metrics if metric.low < 0 or metric.high != high]
    quantities = {str(metric.quantity) for metric in metrics}
    return quantities - {metric.quantity for metric in others}


#: What lies between 0 and 1, or 100.
_SHARES = _quantities_from_0(high=1)
#: What has no upper end, but is not below 0, either.
_SIZES = _quantities_from_0(high=math.inf)
#: What compares shares of classes, or all pairs of items.
_OF_SETS = {
    *("area under the ROC curve", "correlation", "f1", "geometric mean"),
    *("informedness", "kappa", "markedness"),
}


class Definition(NamedTuple):
    """What a name says of a metric.

    Attributes
    ----------
    quantity, average, cutoff : str or None
        None for what it does not say.
    is_whole : bool
        Whether the name has no words besides these.
    """

    quantity: str | None
    average: str | None
    cutoff: str | None
    is_whole: bool


@lru_cache(MOST_NAMES)
def definition_of_metric(name: str) -> Definition:
    """Return what a name says of a metric.

    >>> definition_of_metric("ndcg_cut_10")
    Definition(quantity='ndcg', average=None, cutoff='10', is_whole=True)
    >>> definition_of_metric("SVM F1-macro")
    Definition(quantity='f1', average='macro', cutoff=None, is_whole=False)
    """
    definition = _definition(plain_text(name).removeprefix("metrics."))  # of MLflow
    if definition.quantity is None:  # "valAcc", but not "mIoU"
        definition = _definition(split_at_capitals(in_english(name)).casefold())
    if definition.quantity is None:  # "HD95_mm", "ROCAUCMetric"
        return _definition_of_bare_name(name, definition)
    return definition


def _definition_of_bare_name(name: str, definition: Definition) -> Definition:
    """Return a definition with the quantity of the metric that has other words around it."""
    metric = metric_within(name)
    if metric is None or metric.quantity is None:
        return definition
    return definition._replace(quantity=metric.quantity, is_whole=True)


def _definition(plain: str) -> Definition:
    """Return what a name in lower case says of a metric."""
    before = _NAME_BEHIND.match(plain)
    if before is not None:
        return _definition(before["metric"])._replace(is_whole=False)
    rest, cutoff = _without_cutoff(plain)
    rest, average = _without_average(rest)
    words = [word for word in re.findall(r"[a-z]+\d?", rest) if word not in _BEHIND]
    quantity, n_words = None, 0
    if cutoff is not None:
        quantity, n_words = _quantity_with_cutoff(words)
    if quantity is None:
        words = words_of_metric(" ".join(words))
        quantity, n_words = quantity_at_end(words)
    other_words = words[: len(words) - n_words]
    has_number = re.search(r"(?<![a-z])\d", rest) is not None
    has_others = has_number or not WHICH_SCORES.issuperset(other_words)
    is_whole = quantity is not None and not has_others
    return Definition(quantity, average, cutoff, is_whole)


def _without_average(plain: str) -> tuple[str, str | None]:
    """Return a name in lower case without the word for its average, and that."""
    match = _AVERAGE.search(plain)
    if match is None:
        return plain, None
    average = "macro" if match[0].startswith("bal") else match[0]
    return _AVERAGE.sub(" ", plain), average


def _quantity_with_cutoff(words: Sequence[str]) -> tuple[str | None, int]:
    """Return what the last words measure with a cutoff behind them, and how many they are."""
    for n_words in (2, 1):
        end = " ".join(words[-n_words:])
        if end in _WITH_CUTOFF:
            return _WITH_CUTOFF[end], min(n_words, len(words))
    return None, 0


def _without_cutoff(plain: str) -> tuple[str, str | None]:
    """Return a name in lower case without its cutoff, and that."""
    match = _LAST_NUMBER.fullmatch(plain)
    if match is not None:
        return match["ranked"], match["cutoff"]
    match = _ORDER.search(plain)
    if match is not None:
        rest = plain[: match.end("metric")] + plain[match.end() :]
        return rest, match["order"].removesuffix("sum")
    match = _CUTOFF.search(plain)
    if match is None:
        return plain, None
    cutoff = match["at"] or match["behind"] or match["top"] or match["last"]
    return plain[: match.start()] + " " + plain[match.end() :], cutoff


def states_cutoff(name: str) -> bool:
    """Return whether a name says that its number is a cutoff: "p_1" may be the first prompt.

    >>> [states_cutoff(name) for name in ("svm P@1", "svm BLEU-4", "svm top-5 acc", "p_1")]
    [True, True, True, False]
    """
    plain = plain_text(name)
    return any(pattern.search(plain) for pattern in (_CUTOFF, _ORDER))


def differ(name: str, other_name: str) -> bool:
    """Return whether two names are those of different metrics, as far as they say.

    An accuracy is that of the first answer, and the mean over items, unless it says
    otherwise.

    >>> differ("ndcg@10", "NDCG_cut_10"), differ("ndcg@10", "ndcg@100"), differ("f1", "auc")
    (False, True, True)
    >>> differ("f1_macro", "f1"), differ("top5_acc", "accuracy"), differ("val_acc", "pass@1")
    (False, True, False)
    >>> differ("accuracy_top5", "accuracy")
    True
    """
    first, second = definition_of_metric(name), definition_of_metric(other_name)
    if first.quantity is None or second.quantity is None:
        return False
    if first.quantity != second.quantity:
        return True
    averages = {first.average, second.average}
    cutoffs = {first.cutoff, second.cutoff}
    if first.quantity == "accuracy":
        averages = {average or "micro" for average in averages}
        if len(cutoffs) > 1:
            ranks = _rank_of_answers(name, first), _rank_of_answers(other_name, second)
            cutoffs = {*ranks}
    return any(None not in x and len(x) > 1 for x in (averages, cutoffs))


def _rank_of_answers(name: str, definition: Definition) -> str | None:
    """Return to which rank an accuracy looks for the right answer, if this is known."""
    if definition.cutoff is not None:
        return definition.cutoff
    is_of_first = re.search(r"acc|exact|em", name.casefold()) and "top" not in name
    return "1" if is_of_first else None


class Label(NamedTuple):
    """A label that is a metric, and has no words besides.

    Attributes
    ----------
    field : str
        In which the metric is used; empty for one that is known by its form.
    is_certain : bool
        Whether the label is nothing else.
    """

    field: str
    is_certain: bool


@lru_cache(MOST_NAMES)
def metric_of_label(label: str) -> Label | None:
    """Return what metric a label is, if it may be one.

    >>> [metric_of_label(label) for label in ("H-measure", "IV", "iris")]
    [Label(field='credit', is_certain=True), Label(field='credit', is_certain=False), None]
    """
    metric = named_metric(label)
    # a number of its own, or a quantile, but not that of "HD95"
    has_number = re.search(r"(?<![a-z\d])p?\d", plain_text(label)) is not None
    is_logged = is_in_section(label)
    if metric is not None and (is_logged or not has_number):
        return Label(metric.field, is_logged or metric.certain == "label")
    if is_best_between(label):  # a data set may be called "bias"
        return Label("", is_certain=False)
    return Label("", is_certain=True) if is_metric_alone(label) else None


@lru_cache(MOST_NAMES)
def is_metric_alone(label: str) -> bool:
    """Return whether a label is a metric, and has no words besides.

    >>> [is_metric_alone(label) for label in ("ndcg@5", "FID", "mean_per_class_error", "Iris")]
    [True, True, True, False]
    >>> [is_metric_alone(label) for label in ("fashion mnist acc", "map 3", "Lost in loss")]
    [False, False, False]
    """
    if definition_of_metric(label).is_whole or _TOP.fullmatch(label.strip()):
        return True
    plain = unicodedata.normalize("NFKC", plain_text(label))
    if re.search(r"\d", re.sub(r"(?<=[a-z])\d", "", plain)):
        return False
    words = [word for word in words_of_metric(plain) if word not in _BEFORE]
    return is_direction_known(" ".join(words))


def is_never_negative(name: str) -> bool:
    """Return whether a metric has no scores below 0.

    It is one and nothing else, or an error whose name says of what, or in which unit.

    >>> [is_never_negative(name) for name in ("recall@100", "mean_ndcg", "recall gain", "r2")]
    [True, True, False, False]
    >>> [is_never_negative(name) for name in ("mae_mw", "wind rmse", "log rmse", "rmse change")]
    [True, True, False, False]
    """
    definition = definition_of_metric(name)
    if definition.is_whole:
        named = named_metric(name)
        if named is not None:
            return named.low >= 0
        return definition.quantity in _SHARES | _SIZES
    if not _SIGNED.isdisjoint(re.findall(r"[a-z]+", plain_text(name))):
        return False
    error = metric_of_error(name)
    return error is not None and error.low == 0


def is_share(name: str) -> bool:
    """Return whether a metric is one, and nothing else, that is a fraction or in percent.

    >>> is_share("P_10"), is_share("rmse")
    (True, False)
    """
    definition = definition_of_metric(name)
    return definition.is_whole and definition.quantity in _SHARES


def is_of_a_set(name: str) -> bool:
    """Return whether a metric is one that a set of items has, and none of them alone.

    F1 may be that of the words of a text, and recall at a rank that of a query.

    >>> [is_of_a_set(name) for name in ("MCC", "balanced_accuracy", "roc_auc", "f1_macro")]
    [True, True, True, True]
    >>> [is_of_a_set(name) for name in ("accuracy", "recall", "f1_micro", "f1_samples")]
    [False, False, False, False]
    """
    definition = definition_of_metric(name)
    if not definition.is_whole or definition.cutoff is not None:
        return False
    if definition.quantity == "accuracy":
        return definition.average == "macro"
    is_of_items = definition.average == "micro" or "sample" in plain_text(name)
    return definition.quantity in _OF_SETS and not is_of_items


def has_classes(name: str) -> bool:
    """Return whether a metric is an accuracy, of which the chance is one of so many classes.

    >>> has_classes("top-1 accuracy"), has_classes("win rate")
    (True, False)
    """
    return definition_of_metric(name).quantity == "accuracy"
