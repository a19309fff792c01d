"""Models that are computed from others by their names: differences and ranks."""

import re
from collections.abc import Iterable
from functools import lru_cache

from replib._names.languages import in_english
from replib._names.metrics.directions import direction_of_metric
from replib._names.words import MOST_NAMES, words_of_label

#: A model with such a name is the difference of two others, if it has its values.
_DIFFERENCES = {
    *("change", "delta", "diff", "difference", "gain", "improvement", "Δ".casefold()),
    *("impr", "improv", "lift", "uplift"),
}
#: Such as "Improvement over the baseline".
_OF_ANOTHER = re.compile(
    r"(?:vs\.? |(?:\w+\.? )?(?:improvements?|gains?|diff(?:erence)?|delta|[δΔ]) "
    r"(?:over|vs\.?|from|wrt|relative to) )\w",
    re.IGNORECASE,
)
_SOME_DIFFERENCE = re.compile(
    rf"(?<![^\W\d_])(?:{'|'.join(_DIFFERENCES)}|vs)(?![^\W\d_])|δ", re.IGNORECASE
)
#: No model is called so: it is one, whatever its values are.
_PLAIN_DIFFERENCES = {"impr", "improv", "improvement", "uplift"}
#: Words that say how a difference was taken.
_OF_DIFFERENCES = {
    *("%", "abs", "absolute", "over", "pct", "percent", "percentage", "points", "pp"),
    *("rel", "relative", "vs"),
}
#: Words that may stand beside these.
_BESIDE_DIFFERENCES = {"average", "avg", "in", "max", "mean", "of", "our", "ours"}


@lru_cache(MOST_NAMES)
def is_difference(model: str) -> bool:
    """Return whether a model is named as a difference of two others is.

    >>> is_difference("Δ"), is_difference("difference target propagation")
    (True, False)
    """
    words = words_of_label(model)
    return (len(words) == 1 and words[0] in _DIFFERENCES) or " vs " in f" {model} "


def is_stated_difference(name: str, models: Iterable[str] = ()) -> bool:
    """Return whether a name says that something is a difference, in so many words.

    It may name two of the other models.

    >>> names = ("Rel. impr. (%)", "Δ over svm", "gain ratio", "delta", "raw diff")
    >>> [is_stated_difference(name, ["svm", "raw"]) for name in names]
    [True, True, False, False, False]
    """
    name = in_english(name)
    if _OF_ANOTHER.match(name):
        return True
    if _SOME_DIFFERENCE.search(name) is None:
        return False  # most names need not be compared with the others
    tokens = _tokens(name)
    named_models = [model for model in models if _tokens(model) <= tokens]
    names_two = len(named_models) > 1
    words = _words_without_models(name, named_models)
    if names_two and "vs" in words:
        return True
    if _DIFFERENCES.isdisjoint(words):
        return False
    known = _DIFFERENCES | _OF_DIFFERENCES | _BESIDE_DIFFERENCES
    other_words = [word for word in words if word not in known]
    if other_words:  # "gain ratio" is none, and "accuracy gain" is one
        return direction_of_metric(" ".join(other_words)) is not None
    return names_two or not (_PLAIN_DIFFERENCES | _OF_DIFFERENCES).isdisjoint(words)


def _words_without_models(name: str, models: Iterable[str]) -> list[str]:
    """Return the words of a name in English, and "%", without those of models."""
    of_models = in_english(" ".join(models)).casefold()
    words_of_models = re.findall(r"[^\W\d_]+", of_models)
    words = re.findall(r"[^\W\d_]+|%", name.casefold().replace("δ", "δ "))
    return [word for word in words if word not in words_of_models]


def _tokens(name: str) -> set[str]:
    """Return the words and numbers of a name in lower case."""
    return set(re.findall(r"[^\W_]+", in_english(name).casefold()))


def ranked_model(name: str, models: Iterable[str]) -> str | None:
    """Return the model whose ranks a column has by its name, such as "rank_svm", or None.

    >>> ranked_model("rank_svm", ["svm", "nb"]), ranked_model("ranknet", ["net"])
    ('svm', None)
    """
    match = re.fullmatch(
        r"ranks?[ _.(-]+(?P<before>[^)]+)\)?|(?P<after>[^(]+?)[ _.(-]+ranks?\)?",
        in_english(name),
        re.IGNORECASE,
    )
    if match is None:
        return None
    ranked = match["before"] or match["after"]
    return next((model for model in models if in_english(model) == ranked), None)
