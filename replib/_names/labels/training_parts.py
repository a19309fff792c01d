"""The part of the data that was trained on, by names of columns, models and data sets."""

import re
from collections.abc import Iterable

from replib._names.labels.parts import (
    PART_OF_WORD,
    TESTED,
    TRAINED,
    part_of_name,
    words_with_parts,
)
from replib._names.metrics.directions import direction_of_metric
from replib._names.words import plain_text

#: Words for scores on the data that were trained on.
_OF_TRAINING = {"apparent", "derivation", "insample", "resub", "resubstitution", "trn"}
#: These are so with a metric beside them: "fit_acc", but not "goodness of fit".
_BESIDE_METRIC = re.compile(
    r"(?:fit|fitted|learn)[-_ /](?P<behind>.+)"
    r"|(?P<before>.+?)[-_ /(]+(?:fit|fitted|learn|training)\)?"
)
#: Scores of these are not on the data that were trained on, whatever was.
_NOT_OF_TRAINING = {"corrected", "cv", "heldout", "holdout", "oob", "oof", "optimism"}
#: Words that make another word of training.
_BEFORE_TRAINING = {"adv", "co", "meta", "post", "pre", "re", "self"}
#: Such as "gsm8k_train" and "SQuAD (training set)".
_TRAINING_PART = re.compile(
    r"(?P<before>.*\w)(?:[-_/:. ]train|\W+train(?:ing)?[-_ ](?:set|split|part)"
    r"|[-_/: ]*[(\[]train(?:ing)?(?:[-_ ](?:set|split|part))?[)\]]|[/:]training)"
)
#: All words of a label that has no other name than that of the training part.
_WORDS_OF_TRAINING_PART = {
    *("cohort", "cohorts", "data", "dataset", "development", "part", "patients"),
    *("population", "sample", "set", "split", "subset"),
}
#: The development set of a challenge is held out, and the cohort of a clinical score is not.
_DEVELOPED_ON = {"cohort", "cohorts", "patients", "population", "sample"}
#: These trains are vehicles, or no training of a model.
_BEFORE_TRAIN = {
    *("bullet", "co", "express", "freight", "high", "metro", "no", "passenger", "post"),
    *("pre", "re", "self", "speed", "steam", "subway", "toy"),
}
#: Beside these, "is" is short for in-sample.
_OUT_OF_SAMPLE = {"holdout", "oos", "oot", "os", "out", "outsample", "test"}


def is_of_training(name: object) -> bool:
    """Return whether a name says that something is of the training data, and of no other.

    >>> [is_of_training(name) for name in ("train_acc", "acc_train", "train_test", "trains")]
    [True, True, False, False]
    >>> [is_of_training(name) for name in ("auc_apparent", "fit_r2", "best_fit", "auc_cv")]
    [True, True, False, False]
    """
    plain = plain_text(name).removeprefix("metrics.")
    plain = re.sub(r"index[._ ]orig", "apparent", plain)  # of a validation in R
    words = re.findall(r"[a-z]+", re.sub(r"in[-_ .]sample", "insample", plain))
    if not words or not (TESTED | _NOT_OF_TRAINING).isdisjoint(words):
        return False
    if "train" in words[1:]:
        word_before = words[words.index("train", 1) - 1]
        return word_before not in _BEFORE_TRAINING
    if words[0] in TRAINED or not _OF_TRAINING.isdisjoint(words):
        return True
    match = _BESIDE_METRIC.fullmatch(plain)
    if match is None:
        return False
    return direction_of_metric(match["behind"] or match["before"]) is not None


def is_in_sample(column: str, columns: Iterable[object]) -> bool:
    """Return whether a column is short for in-sample, as another one for out-of-sample is.

    >>> is_in_sample("is_sharpe", ["oos_sharpe"]), is_in_sample("ic_IS", ["ic_OS"])
    (True, True)
    >>> is_in_sample("is_correct", ["oos_sharpe"]), is_in_sample("is_sharpe", [])
    (False, False)
    """
    words = words_with_parts(column)
    if len(words) < 2 or "is" not in (words[0], words[-1]):
        return False
    end, rest = (0, slice(1, None)) if words[0] == "is" else (-1, slice(None, -1))
    words_of_others = (words_with_parts(str(name)) for name in columns)
    twins = (others for others in words_of_others if others[rest] == words[rest])
    return any(twin[end] in _OUT_OF_SAMPLE for twin in twins)


def is_scored_on_training(name: str) -> bool:
    """Return whether a name ends with the training part, perhaps with a metric behind it.

    >>> [is_scored_on_training(name) for name in ("svm_train_acc", "svm train", "train 1e-3")]
    [True, True, False]
    >>> [is_scored_on_training(name) for name in ("rf in-sample", "out-of-sample rf")]
    [True, False]
    """
    words = words_with_parts(name)
    if part_of_name(name) != "training" or len(words) < 2:
        return False
    index = [PART_OF_WORD.get(word) for word in words].index("training")
    behind = " ".join(words[index + 1 :])
    return not behind or direction_of_metric(behind) is not None


def _is_only_training_part(words: set[str]) -> bool:
    """Return whether the words of a label say that it is the training part, and nothing else."""
    if words in ({"train"}, {"training"}):
        return False  # there are data sets of trains
    of_training = words & (TRAINED | _OF_TRAINING)
    if of_training:
        return words - of_training <= _WORDS_OF_TRAINING_PART
    return (
        "development" in words
        and len(words) == 2
        and not words.isdisjoint(_DEVELOPED_ON)
    )


def is_training_part(label: str) -> bool:
    """Return whether the label of a data set says that it is a part for training.

    >>> labels = ("gsm8k_train", "SQuAD (training)", "trains", "bullet train", "post-train")
    >>> [is_training_part(label) for label in labels]
    [True, True, False, False, False]
    >>> labels = ("Development cohort (apparent)", "Training data", "Development set")
    >>> [is_training_part(label) for label in labels]
    [True, True, False]
    """
    match = _TRAINING_PART.fullmatch(plain_text(label))
    if match is None:
        return _is_only_training_part({*words_with_parts(label)})
    before = re.findall(r"[a-z]+", match["before"])
    return not before or before[-1] not in _BEFORE_TRAIN
