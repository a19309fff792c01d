"""Metrics before or behind the names of models, as in "val_loss_adamw" and "xgb_pr_auc"."""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from replib._names.metrics.named import PARTS_OF_DATA, WHICH_SCORES
from replib._names.metrics.vocabulary import NAMED, NamedMetric, named_at_end
from replib._names.words import MOST_NAMES, plain_text, split_at_capitals

#: Words around a metric, which say of which scores it is, or how they were summarised.
_AROUND = PARTS_OF_DATA | WHICH_SCORES
_SUMMARISED = {"score", "macro", "micro", "weighted", "mean", "avg", "average"}
#: Words of the longest name of a metric that stands before that of a model.
_MOST_WORDS = max(len(name.split()) for name in NAMED)


class MetricBeside(NamedTuple):
    """What stands beside the name of a model.

    Attributes
    ----------
    name : str
        That of the metric.
    model : str
    metric : NamedMetric
    has_part : bool
        Whether a part of the data is beside the metric, as in "val loss".
    """

    name: str
    model: str
    metric: NamedMetric
    has_part: bool


@lru_cache(MOST_NAMES)
def metric_beside(name: str, *, at_end: bool) -> MetricBeside | None:
    """Return the metric at the end or at the start of a name that has other words, or None.

    >>> beside = metric_beside("adamw - val/loss", at_end=True)
    >>> beside.name, beside.model, beside.has_part
    ('loss', 'adamw', True)
    >>> beside = metric_beside("pr_auc_xgb", at_end=False)
    >>> beside.name, beside.model, beside.has_part
    ('pr auc', 'xgb', False)
    """
    spellings = (name, split_at_capitals(name))  # "valLoss_adamw"
    all_beside = (_metric_beside(plain_text(x), at_end=at_end) for x in spellings)
    return next((beside for beside in all_beside if beside is not None), None)


def _metric_beside(plain: str, *, at_end: bool) -> MetricBeside | None:
    """Return the metric at an end of a name in lower case, or None."""
    words = re.findall(r"[^\W_]+", plain)
    if not at_end:
        outer, words = _cut(words, _AROUND)
        metric, n_words = _metric_before(words, is_behind_part=_has_part(outer))
        measured, words = words[:n_words], words[n_words:]
        inner, model = _cut(words, _AROUND | _SUMMARISED)
    else:
        outer, words = _cut(words[::-1], _AROUND)
        if named_at_end(words[::-1])[0] is None:
            # "f1_score" is the name of a metric, "roc_auc_score" is none
            more, words = _cut(words, _AROUND | _SUMMARISED)
            outer += more
        metric, n_words = named_at_end(words[::-1])
        measured, words = words[:n_words][::-1], words[n_words:]
        inner, model = _cut(words, _AROUND)
        model = model[::-1]
    if metric is None or not model:
        return None
    has_part = _has_part([*outer, *inner])
    return MetricBeside(" ".join(measured), " ".join(model), metric, has_part)


def _cut(words: list[str], known: Collection[str]) -> tuple[list[str], list[str]]:
    """Return the first words as long as they are known, and the others."""
    n_known = len([*takewhile(lambda word: word in known, words)])
    return words[:n_known], words[n_known:]


def _has_part(words: Iterable[str]) -> bool:
    return not PARTS_OF_DATA.isdisjoint(words)


def _metric_before(
    words: Sequence[str], *, is_behind_part: bool
) -> tuple[NamedMetric | None, int]:
    """Return the metric that the first words are, and how many they are.

    Behind the name of a part of the data, or before it, a loss is no other thing.
    """
    for n_words in range(min(_MOST_WORDS, len(words)), 0, -1):
        metric = NAMED.get(" ".join(words[:n_words]))
        is_before_part = _has_part(words[n_words : n_words + 1])
        if metric is None or metric.certain == "whole":
            continue
        if is_behind_part or is_before_part or metric.certain == "label":
            return metric, n_words
    return None, 0
