"""Functions that names speak of, such as the mean in "avg", and scores that they give."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from replib._names.languages import in_english
from replib._validation import Array

Function = Callable[..., Any]
#: What a summary of other scores may be.  A name alone is none: a model that always
#: predicts the mean is called so, too.  The best score may be the largest or the smallest.
_FUNCTIONS: dict[str, Sequence[Function]] = {
    **dict.fromkeys(["mean", "average", "avg", "overall"], (np.mean,)),
    "median": (np.median,),
    **dict.fromkeys(["best", "worst"], (np.max, np.min)),
    **dict.fromkeys(["max", "maximum"], (np.max,)),
    **dict.fromkeys(["min", "minimum"], (np.min,)),
    "sum": (np.sum,),
    "total": (np.sum, np.mean),
}
#: Words of labels, also those in a bracket.
WORDS = re.compile(r"[^\W\d_]+")
#: The mean of scores that were rounded is so far from the mean that was rounded, in units
#: of the last digit, and a little more.
ROUNDING = 0.6
#: Others that a summary must have been computed from.
FEWEST_SUMMARISED = 2


def words_of_summary(name: object) -> list[str]:
    """Return the words of a name that may be that of a summary, in lower case.

    Words that are English, and others in another language, are taken for the latter: the
    scores say, too, whether it is a summary.
    """
    return WORDS.findall(in_english(name, ambiguous=True).casefold())


def functions_of_name(name: object) -> list[Function]:
    """Return the functions that the words of a name speak of.

    >>> [function.__name__ for function in functions_of_name("Grand total")]
    ['sum', 'mean']
    """
    words = words_of_summary(name)
    return [function for word in words for function in _FUNCTIONS.get(word, ())]


def are_summary(
    scores: Array,
    other_scores: Array,
    *,
    functions: Sequence[Function],
    distance: float,
) -> bool:
    """Return whether scores are a summary of others by one of some functions.

    Parameters
    ----------
    scores : ndarray, shape (...)
    other_scores : ndarray, shape (n, ...)
    functions : sequence of callable
    distance : float
        How far from the summary they may be.

    Examples
    --------
    >>> scores = np.array([0.8, 0.7])
    >>> other_scores = np.array([[0.9, 0.7], [0.7, 0.7]])
    >>> are_summary(scores, other_scores, functions=[np.mean], distance=0.01)
    True
    >>> are_summary(scores, other_scores, functions=[np.max], distance=0.01)
    False
    """
    if len(other_scores) < FEWEST_SUMMARISED:
        return False
    return any(
        bool((np.abs(function(other_scores, axis=0) - scores) <= distance).all())
        for function in functions
    )
