"""Names of models that are one model several times, such as "gru-seed0" and "gru-seed1"."""

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from replib._names.things.kinds import REPEATED, REPETITIONS, STATES, kind_of_name

#: What numbers runs of one model.  States of a training may be compared, unless several
#: models have the same ones.
_KINDS = {*REPEATED, *REPETITIONS, "split", "sample"}
#: A number alone, or with one of these letters, may be a version or a size: it counts runs
#: where several models have the same ones, and the first is 0.
_LETTERS = {"", "r", "s"}
#: Short for a random state, and words for a start of a training anew: where they count, they
#: number runs.  ResNet-RS has sizes behind them.
_STARTS = {"init", "restart", "rs"}
#: Short for a seed or a random state, where one of the numbers is one that people like for
#: these, and that is no size.
_SHORT_SEEDS = {"rs", "s"}
_USUAL_SEEDS = {42, 123, 1234, 12345, 1337, 3407}
#: So many runs show what their numbers are, if their word does not.
_FEWEST_RUNS = 3
_NUMBER = r"(?P<word>(?:random[ _-]?)?[^\W\d_]*)[ _.:=#-]*(?P<number>\d+)"
_BEHIND = re.compile(rf"(?P<model>.*?[^\W_])[\W_]+{_NUMBER}[)\]]?")
_BEFORE = re.compile(rf"{_NUMBER}[\W_]+(?:of )?(?P<model>[^\W_].*)")
_ALONE = re.compile(rf"{_NUMBER}(?:_(?:test|train|val)_\w+)?")  # of scikit-learn


class Repetitions(NamedTuple):
    """Names that number runs of one model.

    Attributes
    ----------
    model : str
        Empty if they do not name it.
    kind : str
        Such as "seed".
    names : list of str
    """

    model: str
    kind: str
    names: list[str]


def repetitions_of_model(names: Iterable[str]) -> Repetitions | None:
    """Return the first names that number the runs of one model, or None.

    >>> repetitions_of_model(["gru-seed0", "gru-seed7", "knn"])
    Repetitions(model='gru', kind='seed', names=['gru-seed0', 'gru-seed7'])
    >>> repetitions_of_model(["gru_rs42", "gru_rs7"])
    Repetitions(model='gru', kind='seed', names=['gru_rs42', 'gru_rs7'])
    >>> repetitions_of_model(["resnet-18", "resnet-50", "top-5", "top-10"]) is None
    True
    """
    of_models: dict[tuple[str, str], dict[int, str]] = {}
    for name in names:
        match = _match(name)
        if match is not None:
            model, word, number = match
            of_models.setdefault((model, word), {}).setdefault(number, name)
    for (model, word), runs in of_models.items():
        kind = _kind(word, [*runs])
        n_alike = sum(
            other_word == word and other_runs.keys() == runs.keys()
            for (_, other_word), other_runs in of_models.items()
        )
        if _are_runs(kind, word, [*runs], has_others=n_alike > 1, is_alone=not model):
            return Repetitions(model, kind or "run", [*runs.values()])
    return None


def _match(name: str) -> tuple[str, str, int] | None:
    """Return the model, the word and the number of a name, or None."""
    plain = name.strip().casefold()
    for pattern in (_ALONE, _BEHIND, _BEFORE):
        match = pattern.fullmatch(plain)
        if match is None or (pattern is _ALONE and _kind(match["word"], []) is None):
            continue
        model = match.groupdict().get("model", "")
        return model, match["word"], int(match["number"])
    return None


def _kind(word: str, numbers: Collection[int]) -> str | None:
    """Return what a word numbers."""
    if word in _SHORT_SEEDS and not _USUAL_SEEDS.isdisjoint(numbers):
        return "seed"
    return "run" if word in _STARTS else kind_of_name(word)


def _are_runs(
    kind: str | None,
    word: str,
    numbers: list[int],
    *,
    has_others: bool,
    is_alone: bool,
) -> bool:
    """Return whether numbers behind a word are those of runs."""
    first, n_runs = min(numbers), len(numbers)
    if kind in STATES or (word in _LETTERS and kind != "seed"):
        counts = kind in STATES or (first == 0 and max(numbers) == n_runs - 1)
        return counts and has_others and n_runs >= _FEWEST_RUNS
    if kind not in _KINDS or n_runs < (_FEWEST_RUNS if is_alone else 2):
        return False
    return kind == "seed" or sorted(numbers) in (
        [*range(n_runs)],
        [*range(1, n_runs + 1)],
    )
