"""Ways, and places, of evaluation by their names: cross-validation, leaderboards."""

import re
from collections.abc import Sequence

from replib._names.labels.parts import TESTED, TRAINED, words_with_parts
from replib._names.words import plain_text, plain_words, split_at_capitals

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
_WITHIN = re.compile(
    r"(?P<side>within|cross|intra|inter|across)[-_ ](?P<things>[a-z]+)"
)
_SAME_SIDE = {"intra": "within", "inter": "cross", "across": "cross"}
#: Words for leaderboards, and for what else is evaluated beside them.
_LEADERBOARDS = {"lb", "leaderboard"}
_BESIDE_LEADERBOARDS = {"local", "score", *TESTED, *TRAINED}


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
    return (
        all(map(is_evaluation, labels))
        or _are_within_and_across(labels)
        or _has_leaderboard(labels)
    )


def _are_within_and_across(labels: Sequence[str]) -> bool:
    """Return whether each label is "within" or "across" some things, the same in all."""
    matches = [_WITHIN.fullmatch(plain_text(label)) for label in labels]
    known = [match for match in matches if match is not None]
    things = {match["things"].removesuffix("s") for match in known}
    sides = {_SAME_SIDE.get(match["side"], match["side"]) for match in known}
    return len(known) == len(labels) and len(things) == 1 and len(sides) > 1


def is_evaluation(label: str) -> bool:
    """Return whether all words of a label say how, or where, something was evaluated.

    >>> is_evaluation("OOF"), is_evaluation("Private LB"), is_evaluation("fold_0")
    (True, True, True)
    """
    plain = plain_text(split_at_capitals(label))  # Kaggle writes "publicScore"
    text = re.sub(r"cross[-_ ]?valid(?:ation|ated)", "crossvalidation", plain)
    text = re.sub(r"leave[-_ ]one(?:[-_ ]\w+)?[-_ ]out", "loo", text)
    words = re.findall(r"[a-z]+", " ".join(words_with_parts(text)))
    if _EVALUATIONS.isdisjoint(words):
        return False
    return (_EVALUATIONS | _BESIDE_EVALUATIONS).issuperset(words)


def _has_leaderboard(labels: Sequence[str]) -> bool:
    """Return whether "local", or a part of the data, stands beside leaderboards."""
    words_of_labels = {label: {*plain_words(label).split()} for label in labels}
    if not any(words & _LEADERBOARDS for words in words_of_labels.values()):
        return False
    return all(
        words <= _BESIDE_LEADERBOARDS or is_evaluation(label)
        for label, words in words_of_labels.items()
    )
