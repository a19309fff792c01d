"""Whether a metric is a loss or a gain by its name, or by what its name states."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import dropwhile, takewhile

from replib._names.languages import in_english
from replib._names.metrics.bare import bare_names, is_loss_of_part
from replib._names.metrics.behind import are_of_quantity
from replib._names.metrics.goals import (
    BEHIND_TURNED,
    UNCERTAIN,
    direction_until_goal,
    has_goal,
    is_spent,
)
from replib._names.metrics.named import (
    FIELDS_OF_LOSSES,
    PARTS_OF_DATA,
    WHICH_SCORES,
    complemented_metric,
    is_complement,
    is_name_of_loss,
    last_words,
    metric_at_end,
    named_metric,
    words_of_metric,
)
from replib._names.metrics.vocabulary import (
    NAMED,
    NamedMetric,
    named_at_end,
    named_at_start,
    words_of_name,
)
from replib._names.things.units import unit_of_text
from replib._names.words import (
    MOST_NAMES,
    plain_text,
    split_at_capitals,
    text_in_bracket,
)

#: What is saved of a loss, such as a share of the error of a forecast of means.
_GAINS_OF_LOSSES = {
    *("decrease", "improvement", "reduction", "saved", "saving", "savings", "skill"),
}
#: Beside words for the contrary, a score may be either: "right or wrong".
_RIGHT = {"correct", "right", "solved", "passed"}
#: Words that turn the sign of a metric.
_TURNING = {"minus", "neg", "negated", "negative", "inverse", "inverted"}
_NEGATED = re.compile(r"neg(?:ative|ated)?[ _-]+(?P<of>.+)", re.IGNORECASE)
#: Words before a metric that say of which scores it is.
_BEFORE_METRIC = WHICH_SCORES | PARTS_OF_DATA
#: Other metrics behind one are not what it is about.
_OTHER_METRICS = BEHIND_TURNED | {"acc", "auc", "f1", "loss", "r2"}
_BEFORE_PREPOSITION = re.compile(
    r"(?P<metric>.*?\w)(?:[ _-]*@|[ _-](?:at|for|in|of|on|over)[ _-])"
)
#: A word behind an error that is so short is what was predicted, such as "t2m".
_MOST_LETTERS = 4
#: Units without their signs, as they are written in names.
_UNITS = {
    *("c", "celsius", "day", "deg", "degc", "degf", "degrees", "degree", "f", "k"),
    *("kelvin", "percent", "perc", "pct", "px", "pixel", "pixels", "pts", "points"),
    *("m3s", "m3", "s", "ugm3", "mmday", "mm", "cm", "m", "km", "yr", "month", "week"),
}
#: Where a rate is that of cases which a model was to find, it is wanted to be high; and
#: of pests a death is wanted, too.
_FOUND = {
    *("actual", "base", "captured", "caught", "decile", "detected", "expected"),
    *("flagged", "found", "identified", "observed", "predicted", "prevented"),
    *("quintile", "saved", "selected", "targeted", "top", "true", "bacterial"),
    *("fungal", "insect", "larval", "mosquito", "parasite", "pest", "target"),
    *("vector", "weed"),
}
#: The field of rates of what users, patients or products do.
_FIELD_OF_RATES = "users"
#: What names and labels say themselves about the direction.
_LOWER = re.compile(
    r"[↓⬇▼]|\\downarrow|(?<![a-z])(?:lower|less|smaller)"
    r"(?:[ _-]+is|[ _]*=|[ _-]+the)?[ _-]*better(?![a-z])"
)
_HIGHER = re.compile(
    r"[↑⬆▲]|\\uparrow|(?<![a-z])(?:higher|more|larger|bigger|greater)"
    r"(?:[ _-]+is|[ _]*=|[ _-]+the)?[ _-]*better(?![a-z])"
)
#: Losses that rows of tables are labelled with, and gains that are no certain metrics.
_ERRORS_OF_ROWS = {"err", "error", "error rate", "errors", "loss"}
_GAINS_OF_ROWS = {"acc", "ap", "em", "exact match", "map"}


@lru_cache(MOST_NAMES)
def direction_of_metric(name: str) -> str | None:
    """Return the direction that a metric has by its name, or None.

    >>> [direction_of_metric(name) for name in ("val/word_error_rate", "FID", "neg_loss", "skill")]
    ['lower', 'lower', 'higher', None]
    >>> [direction_of_metric(name) for name in ("1 - roc_auc", "rmse_degC", "rounds to 80 % acc")]
    ['lower', 'lower', 'lower']
    """
    name = in_english(name)
    stated = stated_direction(name)
    if stated is not None and not _is_negated(name):
        return stated
    plain = _without_brackets(name)
    if is_complement(plain):
        return _direction_of_complement(plain)
    if is_loss_of_part(plain):
        return "lower"
    better = _direction_by_name(plain)
    if better is not None or has_goal(plain) or named_metric(plain) is not None:
        return better  # of a Gini coefficient usage differs, whatever is around it
    directions = map(_direction_by_name, bare_names(plain))
    return next((better for better in directions if better is not None), None)


def _without_brackets(name: str) -> str:
    """Return a name in its plain signs, without what stands in brackets."""
    return re.sub(r"\(.*?\)", "", unicodedata.normalize("NFKC", name)).strip()


def _direction_by_name(plain: str) -> str | None:
    """Return the direction of a metric by a name without brackets."""
    named = named_metric(plain)
    if named is not None and named.better is not None:
        return None if _is_rate_of_found(named, plain) else named.better
    if is_spent(plain):
        return "lower"
    if is_turned(plain):
        return "higher" if _is_negated_loss(plain) else None
    return _direction_by_words(plain)


def _is_negated_loss(plain: str) -> bool:
    """Return whether a name is a loss with the sign that scikit-learn gives it.

    Of an error rate, a negative one may be that of the negative class.
    """
    negated = _NEGATED.fullmatch(plain)
    if negated is None:
        return False
    metric = metric_at_end(negated["of"]) or _metric_at_start(negated["of"])
    if metric is None or metric.better != "lower":
        return False
    return plain.startswith("neg_") or metric.field == "numbers"


def negated_loss(name: str) -> str | None:
    """Return the loss of which a name says that its sign was turned, or None.

    >>> negated_loss("neg_mae_yield"), negated_loss("negative error rate"), negated_loss("mae")
    ('mae_yield', None, None)
    """
    plain = in_english(name).strip()
    negated = _NEGATED.fullmatch(plain)
    return negated["of"] if negated is not None and _is_negated_loss(plain) else None


def _direction_by_words(plain: str) -> str | None:
    """Return the direction that the last words of a name have, or else its first ones."""
    # words of "eval/wer", "valLoss" and "F1-score (macro)"; "mIoU" is one word
    words = words_of_metric(split_at_capitals(plain))
    if "to" in words[1:-1] or has_goal(plain):
        return direction_until_goal(plain)
    if not (UNCERTAIN | _RIGHT).isdisjoint(words):
        return None
    if _is_gain_of_loss(plain):
        return "higher"
    metric = metric_at_end(plain)
    match = _BEFORE_PREPOSITION.match(plain_text(plain))
    if match is not None:
        metric_before = metric_at_end(match["metric"])
        if metric_before is None and _is_change(match["metric"]):
            return None  # a drop in accuracy
        metric = metric_before or metric
    if metric is None:
        return _direction_at_start(plain)
    if _is_rate_of_found(metric, plain) or _is_predicted(metric, words):
        return None
    return metric.better


def _is_change(name: str) -> bool:
    """Return whether the last word of a name is that of a change, whose sign says nothing."""
    return not BEHIND_TURNED.isdisjoint(words_of_name(name)[-1:])


def _is_predicted(metric: NamedMetric, words: Sequence[str]) -> bool:
    """Return whether a gain such as a return is what an error before it may be about.

    >>> names = ("mape_revenue", "revenue", "mae_recall")
    >>> [direction_of_metric(name) for name in names]
    [None, 'higher', 'higher']
    """
    first, _ = named_at_start(words)
    if first is None or not _is_error(first):
        return False
    return metric.better == "higher" and metric.certain == "end"


def _is_rate_of_found(metric: NamedMetric, plain: str) -> bool:
    """Return whether a rate is that of cases that were to be found, or has another metric.

    >>> names = ("churn rate", "churn rate in top decile", "churn_rate@10", "auc bounce rate")
    >>> [direction_of_metric(name) for name in names]
    ['lower', None, None, None]
    """
    if metric.field != _FIELD_OF_RATES:
        return False
    words = words_of_name(plain_text(split_at_capitals(plain)))
    return "@" in plain or not _FOUND.isdisjoint(words) or named_at_start(words)[1] > 0


def _direction_of_complement(name: str) -> str | None:
    """Return the direction that the complement of a metric does not have."""
    metric = complemented_metric(name)
    if metric is None or metric.better is None:
        return None
    return "lower" if metric.better == "higher" else "higher"


def _is_gain_of_loss(plain: str) -> bool:
    """Return whether a name is the share of a loss that was saved, such as a skill score."""
    words = words_of_metric(split_at_capitals(plain))
    before_gain = [*takewhile(lambda word: word not in _GAINS_OF_LOSSES, words)]
    if len(before_gain) < len(words):
        metric, _ = named_at_end(before_gain)
        return metric is not None and metric.better == "lower"
    return words[:1] == ["d2"] and named_at_end(words)[0] is not None


def _direction_at_start(plain: str) -> str | None:
    """Return the direction of a metric that its unit, or what it is about, follows.

    >>> names = ("MAE_K", "rmse_t2m", "mae_formation_energy", "mae_probe")
    >>> [_direction_at_start(name) for name in names]
    ['lower', 'lower', 'lower', None]
    """
    metric = _metric_at_start(plain)
    return None if metric is None else metric.better


def metric_of_error(name: str) -> NamedMetric | None:
    """Return what is known of a loss by the last words of its name, or by those before its unit.

    >>> metrics = [metric_of_error(name) for name in ("MAE_K", "load forecast rmse", "mae_probe")]
    >>> [metric and metric.quantity for metric in metrics]
    ['absolute error', 'root of squared error', None]
    """
    plain = _without_brackets(in_english(name))
    metric = metric_at_end(plain) or _metric_at_start(plain)
    return metric if metric is not None and metric.better == "lower" else None


def _metric_at_start(plain: str) -> NamedMetric | None:
    """Return what is known of a metric that its unit, or what it is about, follows."""
    tokens = re.findall(r"[^\W_]+", plain)
    # the signs of a unit may be capitals
    tokens = [*dropwhile(lambda token: token.casefold() in _BEFORE_METRIC, tokens)]
    words = [token.casefold() for token in tokens]
    metric, n_words = named_at_start(words)
    behind = words[n_words:]
    if metric is None or not behind:
        return None
    if not _is_error(metric) and not _OTHER_METRICS.isdisjoint(behind):
        return None
    if all(map(_is_unit, tokens[n_words:])) or _say_of_what(metric, behind):
        return metric
    return None


def _say_of_what(metric: NamedMetric, behind: Sequence[str]) -> bool:
    """Return whether words behind a metric say what it is about."""
    if _is_error(metric):
        return are_of_quantity(behind)
    is_short = len(behind) == 1 and len(behind[0]) <= _MOST_LETTERS
    return is_short and metric.better == "lower"


def _is_error(metric: NamedMetric) -> bool:
    """Return whether a metric is a loss beyond doubt, so that words behind it say of what."""
    return metric.better == "lower" and metric.field in FIELDS_OF_LOSSES


def _is_unit(token: str) -> bool:
    """Return whether a word behind an error is a unit, or a number."""
    plain = token.casefold()
    return plain in _UNITS or token[:1].isdecimal() or unit_of_text(token) is not None


def is_turned(name: str) -> bool:
    """Return whether a name says that the sign of a metric, or its direction, was turned.

    >>> is_turned("neg_log_loss"), is_turned("1 - WER"), is_turned("log_loss")
    (True, True, False)
    """
    return _is_negated(name) or name.startswith(("-", "1"))


def _is_negated(name: str) -> bool:
    """Return whether a word of a name says that its sign was turned."""
    return not _TURNING.isdisjoint(re.findall(r"[a-z]+", name.casefold()))


def stated_direction(name: str) -> str | None:
    """Return the direction that an arrow in a name, or "lower is better", states, or None.

    >>> [stated_direction(name) for name in ("COMET-err ↓", "skill (higher is better)", "FID")]
    ['lower', 'higher', None]
    """
    plain = plain_text(name)
    says_lower = _LOWER.search(plain) is not None
    says_higher = _HIGHER.search(plain) is not None
    if says_lower == says_higher:
        return None
    return "lower" if says_lower else "higher"


def direction_of_row(label: str) -> str | None:
    """Return the direction of the metric that the label of a row names, or states, or None.

    >>> labels = ("WikiText (ppl)", "SST-2 (Acc)", "skill ↓", "librispeech_wer", "WER: AMI")
    >>> [direction_of_row(label) for label in labels]
    ['lower', 'higher', 'lower', 'lower', 'lower']
    >>> direction_of_row("AMI (far)") is None
    True
    """
    stated = stated_direction(label)
    if stated is not None:
        return stated
    before = re.match(r"(?P<metric>[a-z ]+?)(?: - |[:/_]) *\w", plain_text(label))
    if before is not None and is_name_of_loss(before["metric"]):
        return "lower"
    in_bracket = text_in_bracket(label)
    if in_bracket is None:
        words = words_of_metric(label)
        is_loss = any(map(is_name_of_loss, last_words(words, 2)))
        return "lower" if is_loss and len(words) > 1 else None
    ends = last_words(words_of_metric(in_bracket), 2)
    if any(map(is_name_of_loss, ends)) or not _ERRORS_OF_ROWS.isdisjoint(ends):
        return "lower"
    is_gain = any(map(_is_name_of_gain, ends))
    return "higher" if is_gain or not _GAINS_OF_ROWS.isdisjoint(ends) else None


def _is_name_of_gain(label: str) -> bool:
    """Return whether a label in lower case is a gain, and nothing else."""
    metric = NAMED.get(label)
    if metric is None:
        return False
    return metric.certain == "label" and metric.better == "higher"
