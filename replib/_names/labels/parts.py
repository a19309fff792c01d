"""Parts of the data by their names: training, validation, test."""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from replib._names.metrics.directions import direction_of_metric
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
#: Words of which one says how, or where, models were evaluated.
_EVALUATIONS = {
    *("cv", "kfold", "crossvalidation", "loo", "loocv", "lopo", "loso", "oof", "oob"),
    *("holdout", "resubstitution", "resub", "apparent", "bootstrap", "insample"),
    *("outsample", "oos", "oot", "lb", "leaderboard", "public", "private", "backtest"),
    *("fold", "folds"),
}
#: These may stand beside them.
_BESIDE_EVALUATIONS = {
    *("accuracy", "auc", "average", "avg", "bias", "board", "bolstered", "corrected"),
    *("estimate", "estimated", "estimation", "error", "evaluation", "final"),
    *("group", "grouped", "internal", "external", "kaggle", "local", "mean"),
    *("monte", "carlo", "nested", "optimism", "plus", "random", "repeated", "score"),
    *("set", "split", "stratified", "temporal", "test", "validation", "x", "k", "of"),
}
#: Where one is trained, and another one tested: within projects, and across them.
_WITHIN = re.compile(r"(?P<side>within|cross|intra|inter|across)[-_ ](?P<of>[a-z]+)")
_SAME_SIDE = {"intra": "within", "inter": "cross", "across": "cross"}
#: These alone are no parts.
_BESIDE_PARTS = {"of", "data", "score", "sample", "set", "split", "cross", "time"}
#: Words for scores on the data that were trained on.
_OF_TRAINING = {"apparent", "derivation", "insample", "resub", "resubstitution", "trn"}
#: These are so with a metric beside them: "fit_acc", but not "goodness of fit".
_BESIDE_METRIC = (
    r"(?:fit|fitted|learn)[-_ /](?P<behind>.+)"
    r"|(?P<before>.+?)[-_ /(]+(?:fit|fitted|learn|training)\)?"
)
#: Scores of these are not on the data that were trained on, whatever was.
_NOT_OF_TRAINING = {"corrected", "cv", "heldout", "holdout", "oob", "oof", "optimism"}
#: Words that make another word of training.
_BEFORE_TRAINING = {"adv", "co", "meta", "post", "pre", "re", "self"}
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
#: Parts of the data, one word each.
_PARTS = {
    **dict.fromkeys([*TRAINED, "trn", "insample", "resubstitution"], "training"),
    **dict.fromkeys(["val", "valid", "validation", "dev", "devel"], "validation"),
    **dict.fromkeys(["test", "testing", "tst", "outsample", "oos"], "test"),
    **dict.fromkeys(["oot", "outtime"], "out of time"),
    **dict.fromkeys(["itv", "intime"], "in time"),
    **{part: part for part in ("holdout", "oob", "oof", "internal", "external")},
}


def words_of_part(part: str) -> set[str]:
    """Return the words for a part of one set of data.

    >>> sorted(words_of_part("validation"))
    ['dev', 'devel', 'val', 'valid', 'validation']
    """
    return {word for word, named in _PARTS.items() if named == part}


_TRAINING = words_of_part("training")
#: Words of which a name has one, each with all that says the same: what some of them say is
#: about other data than what the others do.
SIDES = (
    (
        {*_TRAINING, "is", "fit", "fitted", "learn", "derivation", "development"},
        words_of_part("validation"),
        {*words_of_part("test"), "holdout", "heldout", "os", "blind", "hidden"},
        words_of_part("out of time"),
        words_of_part("in time"),
    ),
    # an evaluation is of validation or of test data, and a rollout of an agent that learns
    (
        {*_TRAINING, "fit", "fitted", "learn", "rollout", "rollouts"},
        {"eval", "evals", "evaluate", "evaluation", "evaluations"},
    ),
    ({"backtest", "backtested"}, {"live"}),
    ({"internal"}, {"external"}),
    ({"seen"}, {"unseen"}),
    ({"indomain", "id", "iid"}, {"outdomain", "ood"}),
)
#: Beside these, "is" is short for in-sample.
_OUT_OF_SAMPLE = {"holdout", "oos", "oot", "os", "out", "outsample", "test"}
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
#: Such as "in-domain" and "out of distribution".
_SEVERAL_DOMAINS = re.compile(
    r"(?<![a-z])(in|out)[-_ ](?:of[-_ ])?(?:domain|distribution)(?![a-z])"
)
#: Words for data from inside, and from outside, what was trained on.
_DOMAINS = {
    **dict.fromkeys(["id", "iid", "ind", "indomain"], "in"),
    **dict.fromkeys(["ood", "outdomain"], "out"),
}
#: Years and parts of them: "2022Q4", "2023", "h1_2023", "2023-05".
_PERIOD = re.compile(
    r"(?<!\d)(?:[qh][1-4][-_ ]?)?(?:19|20)\d\d(?:[-_ ]?(?:[qh][1-4]|m?[01]\d))?(?!\d)"
)
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
        return words[words.index("train", 1) - 1] not in _BEFORE_TRAINING
    if words[0] in TRAINED or not _OF_TRAINING.isdisjoint(words):
        return True
    beside = re.fullmatch(_BESIDE_METRIC, plain)
    if beside is None:
        return False
    return direction_of_metric(beside["behind"] or beside["before"]) is not None


def is_in_sample(column: str, columns: Iterable[object]) -> bool:
    """Return whether a column is short for in-sample, as another one for out-of-sample is.

    >>> is_in_sample("is_sharpe", ["oos_sharpe"]), is_in_sample("ic_IS", ["ic_OS"])
    (True, True)
    >>> is_in_sample("is_correct", ["oos_sharpe"]), is_in_sample("is_sharpe", [])
    (False, False)
    """
    words = _words(column)
    if len(words) < 2 or "is" not in (words[0], words[-1]):
        return False
    at_start = words[0] == "is"
    rest = words[1:] if at_start else words[:-1]
    twins = (_words(str(name)) for name in columns)
    return any(
        twin == ([word, *rest] if at_start else [*rest, word])
        for twin in twins
        for word in _OUT_OF_SAMPLE
    )


def _words(name: str) -> list[str]:
    """Return the words of a name, of which "in-sample" and "hold out" are one each."""
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
    words = {*_words(str(value))} - _BESIDE_PARTS
    return bool(words) and words <= _FITTED and _last_word(name) in _WORDS_OF_COLUMNS


@lru_cache(MOST_NAMES)
def part_of_name(name: str) -> str | None:
    """Return the one part of the data that a name speaks of, or None.

    >>> names = ("bert_dev_acc", "Test RoBERTa", "test-time training", "val-tuned", "svm")
    >>> [part_of_name(name) for name in names]
    ['validation', 'test', None, None, None]
    """
    word = _only_word(_words(name), _PARTS)
    return None if word is None else _PARTS[word]


def _only_word(words: Sequence[str], known: Collection[str]) -> str | None:
    """Return the only one of some words that is known, and no word of a compound."""
    indices = [index for index, word in enumerate(words) if word in known]
    if len(indices) != 1:
        return None
    (index,) = indices
    behind = words[index + 1 : index + 2]
    if behind and (words[index] in _LAST_PARTS or _COMPOUND.fullmatch(behind[0])):
        return None
    return words[index]


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
    word = _only_word(_words(name), {word for side in sides for word in side})
    indices = [index for index, side in enumerate(sides) if word in side]
    return indices[0] if indices else None


def parts_and_rest(label: str) -> tuple[set[str], str]:
    """Return the parts of one data set that the words of a label name, and its other words.

    >>> parts_and_rest("Cards_OOT"), parts_and_rest("snli (dev)"), parts_and_rest("iris")
    (({'out of time'}, 'cards'), ({'validation'}, 'snli'), (set(), 'iris'))
    """
    words = _words(label)
    parts = {word: "training" for word in words if word in _FITTED} | {
        word: _PARTS[word] for word in words if _PARTS.get(word) in _OF_ONE_SET
    }
    rest = " ".join(word for word in words if word not in parts)
    return {*parts.values()}, rest


def domains_of_one(labels: Iterable[str]) -> tuple[str, str] | None:
    """Return two labels of data from inside and outside the domain of one set, or None.

    >>> domains_of_one(["OC20 val_id", "OC20 val_ood_ads", "OC22 val_id"])
    ('OC20 val_id', 'OC20 val_ood_ads')
    >>> domains_of_one(["FMoW OOD", "Camelyon OOD", "XCOPA id"]) is None
    True
    """
    first: dict[str, tuple[str, str]] = {}
    for label in labels:
        words = _SEVERAL_DOMAINS.sub(r"\1domain", plain_text(label))
        name, domain = _name_and_domain(plain_words(words).split())
        if domain is None:
            continue
        domain_before, label_before = first.setdefault(name, (domain, label))
        if domain_before != domain:
            return label_before, label
    return None


def _name_and_domain(words: Sequence[str]) -> tuple[str, str | None]:
    """Return the words before that of a domain, without those of parts, and the domain."""
    indices = [index for index, word in enumerate(words) if word in _DOMAINS]
    if len(indices) != 1:
        return "", None
    (index,) = indices
    name = " ".join(word for word in words[:index] if word not in _PARTS)
    return name, _DOMAINS[words[index]]


@lru_cache(MOST_NAMES)
def period_of_test(name: str) -> str | None:
    """Return the year, or the part of it, of which the test data are by a name, or None.

    What a model was trained on, or when, says nothing about the data that it is tested on.

    >>> names = ("champion_OOT_2022Q4", "xgb_2023", "train_2021", "lgbm test Q1 2023")
    >>> [period_of_test(name) for name in names]
    ['2022q4', None, None, 'q12023']
    """
    plain = plain_text(name)
    if part_of_name(name) in (None, "training"):
        return None
    periods = _PERIOD.findall(plain)
    return re.sub("[-_ ]", "", periods[0]) if len(periods) == 1 else None


def are_parts(labels: Sequence[str]) -> bool:
    """Return whether labels are all parts of the data, and nothing else.

    >>> are_parts(["train", "valid", "xval"]), are_parts(["public LB", "private LB"])
    (True, True)
    >>> are_parts(["train", "bus"]), are_parts(["test"])
    (False, False)
    """
    words = [set(plain_words(label).split()) for label in labels]
    return len(labels) > 1 and all(
        terms <= _WORDS_OF_PARTS and not terms <= _BESIDE_PARTS for terms in words
    )


def are_evaluations(labels: Sequence[str]) -> bool:
    """Return whether labels are all ways, or places, of evaluation, and nothing else.

    >>> are_evaluations(["CV", "Public LB"]), are_evaluations(["resubstitution", "10-fold CV"])
    (True, True)
    >>> are_evaluations(["Within-project", "Cross-project"])
    True
    >>> are_evaluations(["publicScore", "privateScore"])
    True
    >>> are_evaluations(["LassoCV", "Lasso LOO"]), are_evaluations(["local", "global"])
    (False, False)
    """
    if len({plain_words(label) for label in labels}) < 2:
        return False
    matches = [_WITHIN.fullmatch(plain_text(label)) for label in labels]
    things = {match["of"].removesuffix("s") for match in matches if match is not None}
    sides = {
        _SAME_SIDE.get(match["side"], match["side"])
        for match in matches
        if match is not None
    }
    if all(matches) and len(things) == 1 and len(sides) > 1:
        return True
    return sum(map(is_evaluation, labels)) == len(labels) or _has_leaderboard(labels)


def is_evaluation(label: str) -> bool:
    """Return whether all words of a label say how, or where, something was evaluated.

    >>> is_evaluation("OOF"), is_evaluation("Private LB"), is_evaluation("fold_0")
    (True, True, True)
    """
    plain = plain_text(split_at_capitals(label))  # Kaggle writes "publicScore"
    text = re.sub(r"cross[-_ ]?valid(?:ation|ated)", "crossvalidation", plain)
    text = re.sub(r"leave[-_ ]one(?:[-_ ]\w+)?[-_ ]out", "loo", text)
    words = re.findall(r"[a-z]+", " ".join(_words(text)))
    is_one = not _EVALUATIONS.isdisjoint(words)
    return is_one and set(words) <= _EVALUATIONS | _BESIDE_EVALUATIONS


def _has_leaderboard(labels: Sequence[str]) -> bool:
    """Return whether "local", or a part of the data, stands beside leaderboards."""
    others = [label for label in labels if not is_evaluation(label)]
    words = {word for label in others for word in plain_words(label).split()}
    boards = {word for label in labels for word in plain_words(label).split()}
    are_parts_too = words <= {"local", "score", *TESTED, *TRAINED}
    return are_parts_too and not boards.isdisjoint({"lb", "leaderboard"})


def is_scored_on_training(name: str) -> bool:
    """Return whether a name ends with the training part, perhaps with a metric behind it.

    >>> [is_scored_on_training(name) for name in ("svm_train_acc", "svm train", "train 1e-3")]
    [True, True, False]
    >>> [is_scored_on_training(name) for name in ("rf in-sample", "out-of-sample rf")]
    [True, False]
    """
    words = _words(name)
    if part_of_name(name) != "training" or len(words) < 2:
        return False
    index = [_PARTS.get(word) for word in words].index("training")
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
        return _is_only_training_part({*_words(label)})
    before = re.findall(r"[a-z]+", match["before"])
    return not before or before[-1] not in _BEFORE_TRAIN
