"""Names of the truth, which a column of a table may have beside its models."""

import re

from replib._names.things.nouns import noun_of_name
from replib._names.words import plain_words, split_at_capitals, words_of_label

#: A model with such a name that is never wrong is the column of the truth.
_TRUTH_NAMES = frozenset(
    ["actual", "expected", "gold", "gold label", "ground truth", "label", "labels"]
    + ["target", "truth", "y", "y true"]
)
#: These are names of the truth beside models that are right or wrong, too; "gold" and "y"
#: are models there.
_TRUTH_BESIDE_ANSWERS = _TRUTH_NAMES - {"gold", "y"}
#: "gold_answer", "true class" and "expected_output" are none of a model.
_TRUTH_OF_THINGS = re.compile(
    r"(?:the )?(?:actual|correct|expected|gold|gold standard|ground truth|gt|reference|true|y true)"
    r" (?:annotation|answer|category|class|code|decision|diagnosis|intent|label|outcome"
    r"|output|response|sentiment|tag|target|value|verdict)s?"
)
#: "refA", "reference 2", "gold standard", "human translation".
_REFERENCE = re.compile(
    r"(?:the )?(?:gold|human|ref|reference|truth)s?"
    r"(?: (?:[a-z]|answer|reference|standard|summary|text|transcript|translation))?(?: ?\d+)?"
)
#: Such as "is_fraud" and "has tumour".
_QUESTION = re.compile(r"(?:is|has|was|had|did|will) [^\W\d]+(?: [^\W\d]+)?")


def note_on_truth(model: str) -> str:
    """Say that a model is the column of the truth."""
    return f"The predictions of {model} are the truth itself."


def is_name_of_truth(model: str) -> bool:
    """Return whether a model is named as the column of the truth is.

    >>> is_name_of_truth("Y_true")
    True
    """
    return " ".join(words_of_label(model)) in _TRUTH_NAMES


def may_be_name_of_truth(model: str) -> bool:
    """Return whether a model that is right everywhere may be the truth by its name.

    >>> names = ("observed_wave2", "is_fraud", "expert_action", "TrueSkill", "svm")
    >>> [may_be_name_of_truth(name) for name in names]
    [True, True, True, False, False]
    """
    return is_name_of_truth(model) or noun_of_name(model, "equal", "alone") is not None


def is_name_of_reference(model: str) -> bool:
    """Return whether a model is named as a reference is, with which others are compared.

    >>> [is_name_of_reference(name) for name in ("refA", "Reference-1", "human", "refined")]
    [True, True, True, False]
    """
    return _REFERENCE.fullmatch(plain_words(split_at_capitals(model))) is not None


def asks_about_item(model: str) -> bool:
    """Return whether a model is called like a question with yes and no about an item.

    >>> [asks_about_item(name) for name in ("is_attack", "hasTumor", "ISLR", "willow")]
    [True, True, False, False]
    """
    plain = plain_words(split_at_capitals(model))
    return _QUESTION.fullmatch(plain) is not None


def is_truth_beside_answers(model: str) -> bool:
    """Return whether a model that is right or wrong is named as only the truth is.

    >>> names = ("label", "gold_answer", "label smoothing", "gold")
    >>> [is_truth_beside_answers(name) for name in names]
    [True, True, False, False]
    """
    if " ".join(words_of_label(model)) in _TRUTH_BESIDE_ANSWERS:
        return True
    return _TRUTH_OF_THINGS.fullmatch(plain_words(split_at_capitals(model))) is not None
