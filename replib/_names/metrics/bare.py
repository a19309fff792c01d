"""The name of a metric without what programs and people write around it.

"rollout/ep_rew_mean", "valid_0's binary_logloss" and "HD95_mm" are a place in a log, a
metric, and how it was summarised or in which unit.  ``replib/data/names/around_metrics.toml``
has the words that may stand around a metric.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import takewhile
from typing import Any

from replib._names.languages import in_english
from replib._names.metrics.vocabulary import NAMED, NamedMetric, words_of_name
from replib._names.tables import table_of_words
from replib._names.things.kinds import kind_in_role
from replib._names.things.units import words_of_units
from replib._names.words import MOST_NAMES

_BRACKETS = re.compile(r"(?<=.)(?:\(.*?\)|\[.*?\])")
#: Of a metric in gradient boosting, and of a filter: "Quantile:alpha=0.1", "acc,none".
_OPTIONS = re.compile(r"(?:[:;]\w+=[^:;]*|,[\w-]+)+$")
#: Such as "10", "95" and the factor of "×1e3" or "x100".
_NUMBER = re.compile(r"x?\d+(?:e\d+)?")
#: A word with a cutoff behind it.  A number behind "_" may be that of a fold.
_CUTOFF = re.compile(
    r"(?<![a-z])(?P<word>[a-z]+)"
    r"(?:(?: *@ *|[ _]at[ _])(?:\d+|k)|[_.](?:[135]|10+|15|20+|30|50+))$"
)
#: Over what a mean goes: "rmse_per_catchment".
_PER = re.compile(r"[\W_]+per[\W_]+(?P<thing>[a-z]+)(?![a-z])")
#: Where a word begins with a capital: "DiceCELoss" has three words.
_CAPITAL = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@cache
def _around() -> dict[str, Any]:
    return table_of_words("around_metrics")


@cache
def _words(*kinds: str) -> frozenset[str]:
    return frozenset(word for kind in kinds for word in _around()[kind])


@cache
def _words_before() -> frozenset[str]:
    return _words("parts", "summaries", "things", "before")


@cache
def _words_behind() -> frozenset[str]:
    # single letters are averages and units: "ROUGE-L", "pearson_r"
    letters = "abcdefghijklmnopqrstuvwxyz"
    known = _words("parts", "summaries", "things", "behind")
    return known.union(letters, words_of_units())


@cache
def _words_with_cutoff() -> dict[str, str]:
    """Return the words that short ones before a cutoff stand for."""
    table = _around()["with_cutoff"]
    return {short: word for word, short_words in table.items() for short in short_words}


@lru_cache(MOST_NAMES)
def metric_within(name: str) -> NamedMetric | None:
    """Return what is known of a metric with other words around it that do not change it.

    >>> names = ("HD95_mm", "rollout/ep_rew_mean", "MulticlassF1Score", "HD95 ratio")
    >>> [metric and metric.quantity for metric in map(metric_within, names)]
    ['hausdorff', 'return', 'f1', None]
    """
    metrics = map(_longest_metric, _spellings(name))
    return next((metric for _, metric in metrics if metric is not None), None)


@lru_cache(MOST_NAMES)
def bare_names(name: str) -> tuple[str, ...]:
    """Return a name in lower case without the words around it, in several spellings.

    >>> bare_names("test_neg_mean_squared_error"), bare_names("val/DiceCELoss (mean)")
    (('neg_mean_squared_error',), ('diceceloss', 'dice_ce_loss'))
    """
    spellings = _spellings(name)
    bare = ("_".join(_longest_metric(words)[0] or _core(words)) for words in spellings)
    return tuple(dict.fromkeys(filter(None, bare)))


def is_in_section(name: str) -> bool:
    """Return whether a name is in a section of a log, as "train/loss", and no other thing.

    >>> [is_in_section(name) for name in ("val/dice", "metrics/mAP50(B)", "ADE20K/val", "loss")]
    [True, True, False, False]
    """
    section, slash, _ = name.casefold().rpartition("/")
    return bool(slash) and all(map(_is_before, re.findall(r"[^\W_]+", section)))


def is_loss_of_part(name: str) -> bool:
    """Return whether a name is a part of the data and a loss of boosting, or a part of a loss.

    >>> names = ("valid_0's l1", "l1", "losses/loss_bbox", "loss_ratio")
    >>> [is_loss_of_part(name) for name in names]
    [True, False, True, False]
    """
    return any(map(_are_of_loss, _spellings(name)))


def _are_of_loss(words: Sequence[str]) -> bool:
    """Return whether words are "valid_0 l1", or "loss" and the part of a network."""
    before = [*takewhile(_is_before, words)]
    rest = words[len(before) :]
    is_of_part = not _words("parts").isdisjoint(map(_letters, before))
    if is_of_part and " ".join(rest) in _words("objectives"):
        return True
    first, *behind = rest or [""]
    are_heads = bool(behind) and _words("heads").issuperset(behind)
    return first == "loss" and (are_heads or _metric_of(behind) is not None)


def _spellings(name: str) -> Iterator[list[str]]:
    """Yield the words of a name and of its last section, also those that begin at capitals."""
    text = unicodedata.normalize("NFKC", in_english(name)).strip()
    text = _OPTIONS.sub("", _BRACKETS.sub("", text)).replace("IoU", "Iou")
    for section in dict.fromkeys([text, text.rpartition("/")[2]]):
        for spelling in dict.fromkeys([section, _CAPITAL.sub(" ", section)]):
            plain = _PER.sub(_without_kind, spelling.casefold())
            plain = _CUTOFF.sub(_spelled_out, plain)
            yield re.findall(r"[^\W_]+", plain)


def _without_kind(per: re.Match[str]) -> str:
    """Return "per" and what follows it, or nothing if this is a kind of unit, such as a place."""
    return per[0] if kind_in_role(per["thing"]) is None else ""


def _spelled_out(cutoff: re.Match[str]) -> str:
    """Return what a short name with a cutoff stands for: "precision" for "p@5"."""
    return _words_with_cutoff().get(cutoff["word"], cutoff[0])


def _longest_metric(words: Sequence[str]) -> tuple[Sequence[str], NamedMetric | None]:
    """Return the most words that are a metric's name, if all others may stand around it."""
    first, last = _ends(words)
    for n_words in range(len(words), 0, -1):
        for start in range(first + 1):
            end = start + n_words
            if not last <= end <= len(words):
                continue
            metric = _metric_of(words[start:end])
            if metric is not None:
                return words[start:end], metric
    return [], None


def _core(words: Sequence[str]) -> Sequence[str]:
    """Return the words between those that may stand around a metric."""
    first, last = _ends(words)
    return words[first:last]


def _ends(words: Sequence[str]) -> tuple[int, int]:
    """Return before which index, and from which one on, all words may be around a metric."""
    n_before = len([*takewhile(_is_before, words)])
    n_behind = len([*takewhile(_is_behind, reversed(words))])
    return n_before, len(words) - n_behind


def _is_before(word: str) -> bool:
    return _letters(word) in _words_before() or _NUMBER.fullmatch(word) is not None


def _is_behind(word: str) -> bool:
    return _letters(word) in _words_behind() or _NUMBER.fullmatch(word) is not None


def _letters(word: str) -> str:
    """Return a word without the numbers at its ends: "fold" of "5fold"."""
    return word if word in _words_behind() else word.strip("0123456789")


def _metric_of(words: Sequence[str]) -> NamedMetric | None:
    """Return what is known of exactly these words, perhaps in the plural.

    >>> [bool(_metric_of(words)) for words in (["accuracies"], ["hd95"], ["mars"])]
    [True, True, False]
    """
    text = " ".join(words)
    joined = " ".join(words_of_name(re.sub(r" (?=\d+$)", "", text)))  # "rank 1"
    name = " ".join(words_of_name(text))
    for spelling in (joined, name, re.sub(r"\d", "", name)):
        if spelling in NAMED:
            return NAMED[spelling]
    # "class" is no plural of CLAS
    singular = NAMED.get(re.sub("ie$", "y", re.sub("(?<!s)s$", "", name)))
    # a short name that stands alone is no other one's plural: MARS is a learner
    return None if singular is None or singular.certain == "whole" else singular
