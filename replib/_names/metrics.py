"""What a metric is by its name: a loss, or a gain.

The last words of a name say what is measured, and those before them how or where.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from replib._names.columns import measured_by_name
from replib._names.languages import in_english
from replib._names.units import unit_of_text
from replib._names.vocabulary import (
    NAMED,
    NamedMetric,
    named_at_end,
    named_at_start,
    words_of_name,
)
from replib._names.words import (
    MOST_NAMES,
    plain_text,
    plain_words,
    split_at_capitals,
    text_in_bracket,
)

#: Last words that say how, where or in which unit a metric was measured, not what it is.
_QUALIFIERS = {
    *("average", "avg", "coef", "coeff", "coefficient", "macro", "mean", "median"),
    *("micro", "score", "weighted", "dev", "eval", "test", "train", "val", "valid"),
    *("validation", "eur", "gb", "kg", "kwh", "mb", "ms", "sec", "seconds", "usd"),
    *("p5", "p9"),  # percentiles
    *("log", *"abcdefghijklmnopqrstuvwxyz"),  # "RMSE log", "ROUGE-L", "pearson_r"
}
#: What is spent, as in "time per step".
_COSTS = {"cost", "energy", "ms", "price", "seconds", "time"}
#: Who succeeds, if it is not the model: the direction depends on whose side one is on.  A
#: share of a loss that is explained, or saved, is a gain.
_UNCERTAIN = {
    *("adversarial", "attack", "attacker", "backdoor", "evasion", "jailbreak"),
    *("insertion", "weight"),  # the loss of a filter, or of a patient
}
#: What is saved of a loss, such as a share of the error of a forecast of means.
_GAINS_OF_LOSSES = {
    *("decrease", "improvement", "reduction", "saved", "saving", "savings", "skill"),
}
#: Beside words for the contrary, a score may be either: "right or wrong".
_RIGHT = {"correct", "right", "solved", "passed"}
#: Words that turn the sign of a metric.
_TURNING = {"minus", "neg", "negated", "negative", "inverse", "inverted"}
#: Metrics that no model, and no data set, is called after.  Models are called after the
#: losses that they are trained with.
_PLAIN = {"acc", "accuracy", "auc", "auroc", "f1", "loss", "precision", "recall"}
#: Parts of the data before the name of a metric.
_PARTS = {"dev", "eval", "test", "train", "val", "valid", "validation"}
#: Words that say which scores of a metric there are, and not of which metric.
WHICH_SCORES = {
    *(
        "avg",
        "average",
        "best",
        "cv",
        "dev",
        "eval",
        "final",
        "holdout",
        "last",
        "mean",
    ),
    *("median", "overall", "test", "val", "valid", "validation"),
}
#: "1 - roc_auc", "100 − accuracy", "one minus dice", "-rmse".
_COMPLEMENT = re.compile(
    r"(?:(?:1(?:\.0)?|100 ?%?|one|unity)[ _]*(?:[-−–]|minus)|[-−–]|minus )[ _]*(?P<of>[^\W\d].*)",
    re.IGNORECASE,
)
#: What is spent until a goal is reached.
_SPENT = re.compile(
    r"(?:.* )?(?:time|hours|days|minutes|seconds|epochs|steps|rounds|episodes|iterations"
    r"|iters|generations|updates|batches|evaluations|evals|queries|calls|samples|labels"
    r"|annotations|tokens|trials|attempts|demos|demonstrations|interactions|turns|clicks"
    r"|moves|experiments|flops|cost|energy)"
    r" (?:(?:needed|required|used|taken|spent) )?"
    r"(?:to|until|till|before|for reaching) (?P<goal>.+)"
)
#: What one wants to reach, and what one does not.
_GOALS = {
    *("answer", "completion", "converge", "converged", "convergence", "criterion"),
    *("finish", "first", "goal", "hit", "optimal", "optimum", "quality", "reach"),
    *("resolution", "solution", "solve", "solved", "success", "target", "threshold"),
}
_UNWANTED = {
    *(
        "break",
        "churn",
        "collapse",
        "collision",
        "crash",
        "death",
        "default",
        "depletion",
    ),
    *("disengagement", "divergence", "dropout", "error", "event", "exhaustion"),
    *("fail", "failure", "fall", "forget", "forgetting", "intervention", "loss"),
    *("progression", "readmission", "recurrence", "relapse", "takeover", "violation"),
}
#: Behind a metric, these make another one, which may have the other direction.
_BEHIND_TURNED = {
    *("change", "decrease", "delta", "diff", "difference", "drop", "gain", "gap"),
    *("improvement", "increase", "inv", "inverse", "neg", "norm", "penalty", "rank"),
    *("ratio", "rel", "reduction", "saved", "savings", "skill", "ss"),
    *("ci", "iqr", "range", "sd", "se", "sem", "std", "var", "variance"),
    *("based", "net", "nn", "opt"),
}
#: Other metrics behind one are not what it is about.
_METRICS_BEHIND = {"acc", "auc", "f1", "loss", "r2"}
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
    *(
        "actual",
        "base",
        "captured",
        "caught",
        "decile",
        "detected",
        "expected",
        "flagged",
    ),
    *("found", "identified", "observed", "predicted", "prevented", "quintile", "saved"),
    *("selected", "targeted", "top", "true"),
    *(
        "bacterial",
        "fungal",
        "insect",
        "larval",
        "mosquito",
        "parasite",
        "pest",
        "target",
    ),
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
#: Fields whose losses no data set is called after: IBS is a disease, and FCD a company.
_FIELDS_OF_LOSSES = {"generation", "language", "numbers", "probability", "speech"}


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
    plain = re.sub(r"\(.*?\)", "", unicodedata.normalize("NFKC", name)).strip()
    if is_complement(plain):
        return _direction_of_complement(plain)
    named = named_metric(plain)
    if named is not None and named.better is not None:
        return None if _is_rate_of_found(named, plain) else named.better
    if _is_spent(plain):
        return "lower"
    if is_turned(plain):
        return "higher" if _is_negated_loss(plain) else None
    return _direction_by_words(plain)


def _is_spent(plain: str) -> bool:
    """Return whether a name is a rank, a time, or what is spent per step."""
    measured = measured_by_name(plain)
    if measured == "ranks" or (measured == "times" and "time" in plain.casefold()):
        return True  # a rank correlation or a reciprocal rank has another name
    words = words_of_metric(split_at_capitals(plain))
    return "per" in words[1:] and words[words.index("per") - 1] in _COSTS


def _is_negated_loss(plain: str) -> bool:
    """Return whether a name is a loss with the sign that scikit-learn gives it.

    Of an error rate, a negative one may be that of the negative class.
    """
    metric = _named_at_end(plain)
    if metric is None or metric.better != "lower":
        return False
    is_negative = re.match("neg(?:ative|ated)?[ _-]", plain.casefold()) is not None
    return plain.startswith("neg_") or (is_negative and metric.field == "numbers")


def _direction_by_words(plain: str) -> str | None:
    """Return the direction that the last words of a name have, or else its first ones."""
    # words of "eval/wer", "valLoss" and "F1-score (macro)"; "mIoU" is one word
    words = words_of_metric(split_at_capitals(plain))
    if "to" in words[1:-1] or _SPENT.match(plain_words(plain)):
        return _direction_until_goal(plain)
    if not (_UNCERTAIN | _RIGHT).isdisjoint(words):
        return None
    if _is_gain_of_loss(plain):
        return "higher"
    metric = _named_at_end(plain)
    before = _BEFORE_PREPOSITION.match(plain_text(plain))
    if before is not None:
        metric_before = _named_at_end(before["metric"])
        nouns = words_of_name(before["metric"])[-1:]
        if metric_before is None and not _BEHIND_TURNED.isdisjoint(nouns):
            return None  # a drop in accuracy
        metric = metric_before or metric
    if metric is None:
        return _direction_at_start(plain)
    return None if _is_rate_of_found(metric, plain) else metric.better


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


def is_complement(name: str) -> bool:
    """Return whether a name is one minus a metric, or minus that.

    >>> is_complement("1 - WER"), is_complement("-rmse"), is_complement("1-shot accuracy")
    (True, True, False)
    """
    complement = _COMPLEMENT.fullmatch(name.strip())
    metric = None if complement is None else named_metric(complement["of"])
    if metric is None:
        return False
    # the "1-Wasserstein" distance is no complement, but "1-AUC" and "1 - WER" are
    return metric.high == 1 or re.match(r"\d\S", name.strip()) is None


def _direction_of_complement(name: str) -> str | None:
    """Return the direction that the complement of a metric does not have."""
    complement = _COMPLEMENT.fullmatch(name.strip())
    metric = None if complement is None else named_metric(complement["of"])
    if metric is None or metric.better is None:
        return None
    return "lower" if metric.better == "higher" else "higher"


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
    if is_complement(without_bracket):
        return None
    for spelling in (without_bracket, split_at_capitals(without_bracket)):
        words = words_of_name(spelling.casefold())
        while words and (words[0] in WHICH_SCORES or words[0] in _PARTS):
            if " ".join(words) in NAMED:
                break
            words = words[1:]
        for end in range(len(words), 0, -1):
            named = NAMED.get(" ".join(words[:end]))
            if named is not None:
                return named
            if words[end - 1] not in _QUALIFIERS | WHICH_SCORES:
                break
    return None


def _named_at_end(plain: str) -> NamedMetric | None:
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


def _direction_until_goal(plain: str) -> str | None:
    """Return "lower" for what is spent until a goal is reached, such as "steps to solution".

    The time to a failure may be wanted to be long, and a goal may be that of an attacker.
    """
    match = _SPENT.match(plain_words(plain))
    if match is None:
        return None
    goal = set(words_of_name(match["goal"]))
    # "time to solution speedup"
    is_ratio = match["goal"].split()[-1] in {"rate", "speedup", *_BEHIND_TURNED}
    if is_ratio or not goal.isdisjoint(_UNWANTED | _UNCERTAIN):
        return None
    is_known = _named_at_end(match["goal"]) is not None
    has_number = re.search(r"\d", match["goal"]) is not None
    return "lower" if is_known or has_number or not goal.isdisjoint(_GOALS) else None


def _is_gain_of_loss(plain: str) -> bool:
    """Return whether a name is the share of a loss that was saved, such as a skill score."""
    words = words_of_name(plain_text(split_at_capitals(plain)))
    while words and words[-1] in _QUALIFIERS:
        words.pop()
    for behind in range(len(words)):
        if words[behind] in _GAINS_OF_LOSSES:
            metric, _ = named_at_end(words[:behind])
            return metric is not None and metric.better == "lower"
    return words[:1] == ["d2"] and named_at_end(words)[0] is not None


def _direction_at_start(plain: str) -> str | None:
    """Return the direction of a metric that its unit, or what it is about, follows.

    >>> [_direction_at_start(name) for name in ("MAE_K", "rmse_t2m", "mae_probe")]
    ['lower', 'lower', None]
    """
    tokens = re.findall(r"[^\W_]+", plain)
    words = [token.casefold() for token in tokens]
    while words and (words[0] in WHICH_SCORES or words[0] in _PARTS):
        words, tokens = words[1:], tokens[1:]
    metric, n_words = named_at_start(words)
    behind = tokens[n_words:]
    other_metrics = _BEHIND_TURNED | _METRICS_BEHIND
    if metric is None or not behind or not other_metrics.isdisjoint(words[n_words:]):
        return None
    if all(map(_is_unit, behind)):
        return metric.better
    is_short = len(behind) == 1 and len(behind[0]) <= _MOST_LETTERS
    return "lower" if is_short and metric.better == "lower" else None


def _is_unit(token: str) -> bool:
    """Return whether a word behind an error is a unit, or a number."""
    plain = token.casefold()
    return plain in _UNITS or token[:1].isdecimal() or unit_of_text(token) is not None


def is_direction_known(words: str) -> bool:
    """Return whether words in lower case are those of a loss or a gain, and no others.

    >>> is_direction_known("error rate"), is_direction_known("error rate of b")
    (True, False)
    """
    named = NAMED.get(words)
    return named is not None and named.better is not None and named.certain != "whole"


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
    is_lower = _LOWER.search(plain) is not None
    if is_lower == (_HIGHER.search(plain) is not None):
        return None
    return "lower" if is_lower else "higher"


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


def is_name_of_loss(label: str) -> bool:
    """Return whether a label is a loss that no data set is called after, and nothing else.

    >>> is_name_of_loss("ECE"), is_name_of_loss("KID")
    (True, False)
    """
    metric = NAMED.get(plain_text(label))
    if metric is None or metric.certain != "label" or metric.better != "lower":
        return False
    return metric.field in _FIELDS_OF_LOSSES


def _is_name_of_gain(label: str) -> bool:
    """Return whether a label in lower case is a gain, and nothing else."""
    metric = NAMED.get(label)
    if metric is None:
        return False
    return metric.certain == "label" and metric.better == "higher"


def is_name_of_metric(label: str) -> bool:
    """Return whether a label is a common metric, and nothing else.

    >>> is_name_of_metric("val_loss"), is_name_of_metric("Accuracy"), is_name_of_metric("mse")
    (True, True, False)
    """
    plain = plain_text(label)
    words = re.findall(r"[a-z]+\d?", plain)
    if "".join(words) != re.sub(r"[\W_]", "", plain):
        return False  # with other letters or numbers
    is_of_part = bool(words) and words[0] in _PARTS
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
