"""Labels that say a run and a fold each: "Fold01.Rep02", "r1f1", "(1, 3)"."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from replib._names.things.kinds import REPETITIONS, kind_in_role

#: Two words with a number each: "Fold01.Rep02", "rep=1, fold=3".
_TWO_WORDS = re.compile(
    r"[\W_]*([^\W\d_]+)[ _.:=#-]*(\d+)[\W_]*([^\W\d_]+)[ _.:=#-]*(\d+)[\W_]*"
)
#: Two numbers: "(1, 3)", "1-3", "1_3".
_TWO_NUMBERS = re.compile(r"[(\[]?(\d+)\s*[,;:/._-]\s*(\d+)[)\]]?")
#: Letters for a run and for a fold, where one stands beside the other.
_LETTERS_OF_RUNS = {"r", "s", "i", "t"}
_LETTERS_OF_FOLDS = {"f", "k", "cv"}


class RunsAndFolds(NamedTuple):
    """The runs, and the folds, that labels say.

    Attributes
    ----------
    runs, folds : list of int
        One for each label.
    """

    runs: list[int]
    folds: list[int]


def runs_and_folds(labels: Sequence[str]) -> RunsAndFolds | None:
    """Return the run and the fold that each label names by words, or None.

    >>> runs_and_folds(["Fold01.Rep2", "Fold02.Rep2"])
    RunsAndFolds(runs=[2, 2], folds=[1, 2])
    >>> runs_and_folds(["r1f1", "r1f2"])
    RunsAndFolds(runs=[1, 1], folds=[1, 2])
    >>> runs_and_folds(["x1y1", "x1y2"])
    """
    matches = [_TWO_WORDS.fullmatch(label) for label in labels]
    words = {(match[1], match[3]) if match else None for match in matches}
    if len(words) != 1:
        return None
    (pair,) = words
    if pair is None:
        return None
    numbers = [(int(match[2]), int(match[4])) for match in matches if match]
    return _in_order(_roles(*pair), numbers)


def pairs_of_numbers(labels: Sequence[str]) -> list[tuple[int, int]] | None:
    """Return the two numbers of each label, such as "(1, 3)"; None if one has others.

    >>> pairs_of_numbers(["(1, 1)", "(1, 2)"]), pairs_of_numbers(["1-1", "x"])
    ([(1, 1), (1, 2)], None)
    """
    pairs = []
    for label in labels:
        match = _TWO_NUMBERS.fullmatch(label.strip())
        if match is None:
            return None
        pairs.append((int(match[1]), int(match[2])))
    return pairs


def _roles(first: str, second: str) -> tuple[str | None, str | None]:
    """Return what two words number: runs and folds, or something else."""
    words = (first.casefold(), second.casefold())
    roles = [_role(word) for word in words]
    has_role = any(roles)
    are_letters = all(len(word) == 1 for word in words)
    if has_role or are_letters:
        roles = [role or _role_of_letter(word) for role, word in zip(roles, words)]
    return roles[0], roles[1]


def _role(word: str) -> str | None:
    kind = kind_in_role(word)
    if kind in REPETITIONS:
        return "run"
    return "fold" if kind == "fold" else None


def _role_of_letter(word: str) -> str | None:
    if word in _LETTERS_OF_RUNS:
        return "run"
    return "fold" if word in _LETTERS_OF_FOLDS else None


def _in_order(
    roles: tuple[str | None, str | None], numbers: Sequence[tuple[int, int]]
) -> RunsAndFolds | None:
    """Return runs and folds of pairs of numbers with these roles."""
    if roles == ("run", "fold"):
        return RunsAndFolds([run for run, _ in numbers], [fold for _, fold in numbers])
    if roles == ("fold", "run"):
        return RunsAndFolds([run for _, run in numbers], [fold for fold, _ in numbers])
    return None
