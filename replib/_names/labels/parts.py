"""Parts of the data by their names: training, validation, test."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from replib._names.things.roles import PARTS
from replib._names.words import (
    MOST_NAMES,
    plain_text,
    plain_words,
    split_at_capitals,
    words_of_column,
)

#: Names of the data that are trained on, and of those that are not.
TRAINED = {"train", "training"}
TESTED = {"test", "testing", "val", "valid", "validation", "dev"}
#: All words of a label that is that of a part of the data, beside others of its kind.
_WORDS_OF_PARTS = {
    *(*TRAINED, *TESTED, "trn", "tst", "xval", "oob", "oof", "cv", "holdout", "public"),
    *("private", "leaderboard", "lb", "in", "out", "of", "sample", "insample", "oos"),
    *("cross", "crossvalidation", "calibration", "set", "split", "data", "score"),
    *("oot", "itv", "time"),
}
#: These alone are no parts.
_BESIDE_PARTS = {"of", "data", "score", "sample", "set", "split", "cross", "time"}
#: Words for the data that a model was fitted to, where another part is held out.  In machine
#: learning, calibration data may be held out, and "dev" is no training part.
_FITTED = {
    *("calib", "calibration", "build", "derivation", "development", "estimation"),
    *("fit", "fitting", "insample", "learn", "learning", "training", "train", "trn"),
}
#: Last words of columns that say which part of the data was used.  The development of a
#: challenge is a phase, too.
_WORDS_OF_COLUMNS = {"part", "partition", "portion", "sample", "set", "split", "subset"}
#: Behind these.
_FORMS = {"id", "label", "name", "type"}
#: Parts of one set of data.
_OF_ONE_SET = {"training", "validation", "test", "in time", "out of time"}
#: Words for each part of the data.
_WORDS_OF_PART = {
    "training": {*TRAINED, "trn", "insample", "resubstitution"},
    "validation": {"val", "valid", "validation", "dev", "devel"},
    "test": {"test", "testing", "tst", "outsample", "oos"},
    "out of time": {"oot", "outtime"},
    "in time": {"itv", "intime"},
    **{part: {part} for part in ("holdout", "oob", "oof", "internal", "external")},
}
#: Parts of the data, one word each.
PART_OF_WORD = {word: part for part, words in _WORDS_OF_PART.items() for word in words}
#: Words of which a name has one, each with all that says the same: what some of them say is
#: about other data than what the others do.
SIDES = (
    (
        {
            *_WORDS_OF_PART["training"],
            "is",
            "fit",
            "fitted",
            "learn",
            "derivation",
            "development",
        },
        _WORDS_OF_PART["validation"],
        {*_WORDS_OF_PART["test"], "holdout", "heldout", "os", "blind", "hidden"},
        _WORDS_OF_PART["out of time"],
        _WORDS_OF_PART["in time"],
    ),
    # an evaluation is of validation or of test data, and a rollout of an agent that learns
    (
        {*_WORDS_OF_PART["training"], "fit", "fitted", "learn", "rollout", "rollouts"},
        {"eval", "evals", "evaluate", "evaluation", "evaluations"},
    ),
    ({"backtest", "backtested"}, {"live"}),
    ({"internal"}, {"external"}),
    ({"seen"}, {"unseen"}),
    ({"indomain", "id", "iid"}, {"outdomain", "ood"}),
)
#: These are parts only behind a name: external memory is none.
_LAST_PARTS = {"external", "internal"}
#: Behind the word for a part: "trainset", "test2".
_NUMBER_OR_SET = re.compile(
    r"(?<=train|valid)(?:set|data|split|\d+)|(?<=test|eval)(?:set|data|split|\d+)"
    r"|(?<=val|dev)(?:set|data|split|\d+)",
    re.IGNORECASE,
)
#: Behind one of these words, such as in "test-time", there is no part.
_COMPOUND = re.compile(
    r".*ed|.+ing|memory|time|free|based|aware|driven|driver|station|net|ready"
)
#: Such as "in_sample", "out-of-time" and "hold-out".
_SEVERAL_WORDS = re.compile(r"(in|out|hold)[-_ ](?:of[-_ ])?(sample|time|out)(?![a-z])")
#: Years and parts of them: "2022Q4", "2023", "h1_2023", "2023-05".
_PERIOD = re.compile(
    r"(?<!\d)(?:[qh][1-4][-_ ]?)?(?:19|20)\d\d(?:[-_ ]?(?:[qh][1-4]|m?[01]\d))?(?!\d)"
)


def words_with_parts(name: str) -> list[str]:
    """Return the words of a name, of which "in-sample" and "hold out" are one each.

    >>> words_with_parts("auc (out of sample)"), words_with_parts("hold-out set")
    (['auc', 'outsample'], ['holdout', 'set'])
    """
    return plain_words(_SEVERAL_WORDS.sub(r"\1\2", plain_text(name))).split()


def names_parts(name: object) -> bool:
    """Return whether a column says by its name which part of the data was used.

    >>> [names_parts(name) for name in ("split", "dataset_part", "eval_set", "class")]
    [True, True, True, False]
    """
    return plain_text(name) in PARTS or _last_word(name) in _WORDS_OF_COLUMNS


def _last_word(name: object) -> str | None:
    """Return the last word of a column's name that says what it has."""
    words = [word for word in words_of_column(name) if word not in _FORMS]
    return words[-1] if words else None


def is_fitted_part(name: object, value: object) -> bool:
    """Return whether the value of a column of parts is a word for what a model was fitted to.

    >>> [is_fitted_part("part", value) for value in ("Calibration", "in-sample", "dev")]
    [True, True, False]
    >>> is_fitted_part("phase", "development"), is_fitted_part("sample", "development")
    (False, True)
    """
    words = {*words_with_parts(str(value))} - _BESIDE_PARTS
    return bool(words) and words <= _FITTED and _last_word(name) in _WORDS_OF_COLUMNS


@lru_cache(MOST_NAMES)
def part_of_name(name: str) -> str | None:
    """Return the one part of the data that a name speaks of, or None.

    >>> names = ("bert_dev_acc", "Test RoBERTa", "test-time training", "val-tuned", "svm")
    >>> [part_of_name(name) for name in names]
    ['validation', 'test', None, None, None]
    """
    word = _only_word_for_part(words_with_parts(name), PART_OF_WORD)
    return None if word is None else PART_OF_WORD[word]


def _only_word_for_part(words: Sequence[str], parts: Collection[str]) -> str | None:
    """Return the only word of a name that is one of some for parts, and of no compound."""
    indices = [index for index, word in enumerate(words) if word in parts]
    if len(indices) != 1:
        return None
    word, *behind = words[indices[0] :]
    if behind and (word in _LAST_PARTS or _COMPOUND.fullmatch(behind[0])):
        return None
    return word


def are_of_different_parts(names: Sequence[str]) -> bool:
    """Return whether each name says of which part of the data it is, and not all the same.

    >>> are_of_different_parts(["ppo_train", "sac_eval"])
    True
    >>> are_of_different_parts(["bert_test", "t5_eval"]), are_of_different_parts(["lm_fit", "svm"])
    (False, False)
    """
    names = [_NUMBER_OR_SET.sub("", split_at_capitals(name)) for name in names]
    parts = [part_of_name(name) for name in names]
    if None not in parts and len({*parts}) > 1:
        return True
    sides_of_names = [[_side(name, sides) for name in names] for sides in SIDES]
    return any(None not in sides and len({*sides}) > 1 for sides in sides_of_names)


def _side(name: str, sides: Sequence[set[str]]) -> int | None:
    """Return the index of the only side that a name speaks of, or None."""
    word = _only_word_for_part(words_with_parts(name), set().union(*sides))
    return next((index for index, side in enumerate(sides) if word in side), None)


def parts_and_rest(label: str) -> tuple[set[str], str]:
    """Return the parts of one data set that the words of a label name, and its other words.

    >>> parts_and_rest("Cards_OOT"), parts_and_rest("snli (dev)"), parts_and_rest("iris")
    (({'out of time'}, 'cards'), ({'validation'}, 'snli'), (set(), 'iris'))
    """
    words = words_with_parts(label)
    parts = {word: "training" for word in words if word in _FITTED}
    for word in words:
        part = PART_OF_WORD.get(word)
        if part in _OF_ONE_SET:
            parts[word] = part
    rest = " ".join(word for word in words if word not in parts)
    return {*parts.values()}, rest


@lru_cache(MOST_NAMES)
def period_of_test(name: str) -> str | None:
    """Return the year, or the part of it, of which the test data are by a name, or None.

    What a model was trained on, or when, says nothing about the data that it is tested on.

    >>> names = ("champion_OOT_2022Q4", "xgb_2023", "train_2021", "lgbm test Q1 2023")
    >>> [period_of_test(name) for name in names]
    ['2022q4', None, None, 'q12023']
    """
    if part_of_name(name) in (None, "training"):
        return None
    periods = _PERIOD.findall(plain_text(name))
    return re.sub("[-_ ]", "", periods[0]) if len(periods) == 1 else None


def are_parts(labels: Sequence[str]) -> bool:
    """Return whether labels are all parts of the data, and nothing else.

    >>> are_parts(["train", "valid", "xval"]), are_parts(["public LB", "private LB"])
    (True, True)
    >>> are_parts(["train", "bus"]), are_parts(["test"])
    (False, False)
    """
    words_of_labels = [set(plain_words(label).split()) for label in labels]
    return len(labels) > 1 and all(
        words <= _WORDS_OF_PARTS and not words <= _BESIDE_PARTS
        for words in words_of_labels
    )
