"""Names of columns that have no scores of a model: of bounds of a scale, or none at all."""

import re
from collections.abc import Sequence
from functools import lru_cache

from replib._names.words import MOST_NAMES, plain_words, words_of_column

#: How an oracle chose the best answer by means of the truth.
_CHOICE = (
    r"(?:ext|extractive|abs|abstractive|greedy|sentences?|re ?rank(?:ing|er)?|n best"
    r"|\d+ best|upper bound|ub)"
)
_BOUND = re.compile(rf"{_CHOICE} oracle|oracle {_CHOICE}(?: {_CHOICE})?")
#: Words of the constants by which scores are normalised: "ref_min_score", "reward_threshold".
_CONSTANTS = {
    *("ceiling", "chance", "floor", "goal", "highest", "lowest", "max", "maximum"),
    *("min", "minimum", "possible", "ref", "reference", "solved", "target"),
    *("theoretical", "threshold"),
}
#: These may play themselves, unless there are two of them.
_PLAYERS = {"expert", "human", "random"}
_SCALES = {
    *("level", "performance", "point", "points", "return", "returns", "reward"),
    *("rewards", "score", "scores", "value", "values"),
}
#: Names that a program gives to a column without a name.
_WITHOUT_NAME = re.compile(r"unnamed: \d+\w*(?:\.\d+)?|\.\.\.\d+")


@lru_cache(MOST_NAMES)
def is_upper_bound(name: str) -> bool:
    """Return whether a name is that of an oracle, and says how it chose by means of the truth.

    An oracle alone may be a model that was told something.

    >>> names = ("ORACLE (ext.)", "greedy oracle", "oracle", "Oracle-70B")
    >>> [is_upper_bound(name) for name in names]
    [True, True, False, False]
    """
    return _BOUND.fullmatch(plain_words(name)) is not None


@lru_cache(MOST_NAMES)
def is_without_name(name: str) -> bool:
    """Return whether a name is the one that a column without a name gets.

    >>> is_without_name("Unnamed: 0"), is_without_name("unnamed baseline")
    (True, False)
    """
    return _WITHOUT_NAME.fullmatch(name.strip().casefold()) is not None


def bounds_of_scale(names: Sequence[str]) -> list[str]:
    """Return the names that are of constants by which scores are normalised, and of no model.

    The models beside them have no word of a scale in their names.

    >>> bounds_of_scale(["CQL", "IQL", "ref_min_score", "ref_max_score"])
    ['ref_min_score', 'ref_max_score']
    >>> bounds_of_scale(["DQN", "random_score", "human_score"])
    ['random_score', 'human_score']
    >>> bounds_of_scale(["DQN", "human_score"]), bounds_of_scale(["max_score", "bert_score"])
    ([], [])
    """
    words = {name: {*words_of_column(name)} for name in names}
    with_scale = {name: x for name, x in words.items() if x & _SCALES}
    all_known = _CONSTANTS | _PLAYERS | _SCALES
    are_known = all(x <= all_known for x in with_scale.values())
    if len(with_scale) == len(words) or not are_known:
        return []
    constants = [name for name, x in with_scale.items() if x & _CONSTANTS]
    players = [name for name, x in with_scale.items() if x & _PLAYERS]
    if len({*constants, *players}) == 1:
        return constants
    return [name for name in with_scale if name in {*constants, *players}]
