"""What a label is by its name: a summary, the truth, a part of the data, or a number of a unit."""

import re
from collections.abc import Iterable

#: A label of these words alone is that of a row that summarises the others.
_SUMMARY_WORDS = frozenset(
    ["average", "avg", "best", "max", "maximum", "mean", "median", "min", "minimum"]
    + [
        "overall",
        "rank",
        "ranks",
        "sd",
        "std",
        "stdev",
        "sum",
        "total",
        "wins",
        "worst",
    ]
)
#: Words that may stand beside these.
_QUALIFIERS = frozenset(
    ["acc", "accuracy", "arithmetic", "error", "f1", "geometric", "harmonic", "macro"]
    + ["micro", "score", "weighted"]
)
#: A model with such a name that is never wrong is the column of the truth.
_TRUTH_NAMES = frozenset(
    ["actual", "gold", "ground truth", "label", "labels", "target", "truth", "y"]
    + ["y true"]
)
#: Labels such as "fold 3" and "seed=42", and what they number.
_NUMBERED = re.compile(
    r"(?P<word>[a-z]+(?:[ _]?(?:set|seed|state))?)[ _.:=#-]*\d+", re.IGNORECASE
)
#: One word for each unit.
_WORDS = {
    **dict.fromkeys(["fold", "cvfold", "cv"], "fold"),
    **dict.fromkeys(["split"], "split"),
    **dict.fromkeys(["seed", "randomseed", "randomstate"], "seed"),
    **dict.fromkeys(["run", "rep", "repeat", "repetition", "trial"], "run"),
    **dict.fromkeys(["iter", "iteration"], "iteration"),
    **dict.fromkeys(["epoch"], "epoch"),
    **dict.fromkeys(["step", "globalstep", "checkpoint", "ckpt"], "checkpoint"),
    **dict.fromkeys(["dataset"], "data set"),
}
#: Names of the data that are trained on, and of those that are not.
TRAINED = {"train", "training"}
TESTED = {"test", "testing", "val", "valid", "validation", "dev"}


def words_of_label(label: object) -> list[str]:
    """Return the words of a label in lower case.

    Parameters
    ----------
    label : object

    Returns
    -------
    list of str
    """
    return str(label).casefold().replace("_", " ").replace(".", " ").split()


def is_summary(label: str) -> bool:
    """Return whether a label has no words but those of a summary.

    Parameters
    ----------
    label : str

    Returns
    -------
    bool

    Examples
    --------
    >>> is_summary("Avg. rank"), is_summary("mean shift")
    (True, False)
    """
    words = set(words_of_label(label))
    if words == {"samples", "avg"}:
        return True  # a row of scikit-learn's report
    return bool(words & _SUMMARY_WORDS) and words <= _SUMMARY_WORDS | _QUALIFIERS


def is_name_of_truth(model: str) -> bool:
    """Return whether a model is named as the column of the truth is.

    Parameters
    ----------
    model : str

    Returns
    -------
    bool

    Examples
    --------
    >>> is_name_of_truth("Y_true")
    True
    """
    return " ".join(words_of_label(model)) in _TRUTH_NAMES


def numbered_unit(labels: Iterable[str]) -> str | None:
    """Return what all labels number, such as "fold", or None.

    Parameters
    ----------
    labels : iterable of str

    Returns
    -------
    str or None

    Examples
    --------
    >>> numbered_unit(["fold 1", "Fold_2"]), numbered_unit(["iris", "fold 2"])
    ('fold', None)
    """
    numbered = None
    for label in labels:
        match = _NUMBERED.fullmatch(label.strip())
        word = re.sub("[ _]", "", match["word"]).casefold() if match else ""
        unit = _WORDS.get(word)
        if unit is None or numbered not in (None, unit):
            return None  # most labels number nothing: the first one tells
        numbered = unit
    return numbered
