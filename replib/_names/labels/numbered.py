"""What labels with numbers say that the rows are: "fold 3", "lr=0.01", "rep1_fold5"."""

import re
from collections.abc import Collection, Iterable, Sequence

from replib._names.labels.checkpoints import state_of_training
from replib._names.labels.settings import IDENTIFIERS
from replib._names.things.kinds import (
    ASKED,
    REPEATED,
    REPETITIONS,
    STATES,
    kind_beside_number,
    kind_in_role,
)
from replib._names.words import TERM, matches_of_all, words_of_column

#: Kinds of which labels with a number may be of another thing: a data set may be called
#: "set 1".
_NOT_NUMBERED = {
    *("metric", "model", "part of the data", "position", "rank", "sample", "series"),
    *("setting", "shot", "size", "task"),
}
#: Labels such as "fold 3", "seed=42" and "epoch=05-step=1955.ckpt".
_NUMBERED = re.compile(
    rf"(?P<words>{TERM})[ _.:=#-]*(?P<number>\d+)"
    r"(?:_(?:test|train|val)_\w+)?"  # "split0_test_score" of scikit-learn
    r"(?:[-,;_ ]+[a-z_]+=[\d.e+-]+)*(?:\.(?:bin|ckpt|csv|json|log|pth?|txt))?",
    re.IGNORECASE,
)
#: Labels such as "grade III", "4 stars" and "2nd grade".
_LEVELS = (
    re.compile(
        rf"(?P<words>{TERM}?)[ _.:=#-]*(?P<number>\d+|(?<=[ _.:=#-])(?:[a-g]|[ivx]+))",
        re.IGNORECASE,
    ),
    re.compile(rf"(?P<number>\d+)(?:st|nd|rd|th)?[ _-]*(?P<words>{TERM})"),
)
#: Labels such as "prompt_A": of what is asked, repeated or has people, few have letters.
_LETTERED = re.compile(rf"(?P<words>{TERM})[ _.:=#-]+(?P<letter>[A-Za-h])")
_LETTERED_KINDS = {*ASKED, "checkpoint", "fold", "person", "seed"}
_STARS = re.compile(r"(?P<words>[★⭐]+)️?[☆✩]*|(?P<number>\d) ?[★⭐]️?")
#: Labels such as "iris_fold3" and "mmlu 5-shot", of which each is a part of what stands
#: before.
_NUMBERED_PARTS = re.compile(
    r"(?P<thing>.*\w)[\W_]+"
    r"(?:(?P<word>[^\W\d_]+)[ _.:=#-]*\d+|\d+[ _-]?(?P<after>[^\W\d_]+))[)\]]?"
)
_KINDS_OF_PARTS = {*REPEATED, *STATES, "run", "shot", "threshold"}
#: A word and its number, and labels of several: "rep1_fold5", "Fold05.Rep1".
_WORD_AND_NUMBER = re.compile(r"([^\W\d_]+)[ _.:=#-]*(\d+)")
_SEVERAL_NUMBERED = re.compile(
    rf"{_WORD_AND_NUMBER.pattern}(?:[\W_]*{_WORD_AND_NUMBER.pattern})+"
)
_KINDS_OF_SEVERAL = {*REPEATED, *REPETITIONS, "split"}
#: Such as "T1024" and "PT-0031".
_IDENTIFIER = re.compile(r"(?P<stem>[^\W\d_]{1,5})[-_]?(?P<number>\d{3,})")
#: Two words, or one, before a number.
_NAMED_NUMBER = re.compile(r"([^\W\d_]+(?:[ _][^\W\d_]+)?)[ _.:=#-]*(\d+)")


def kind_of_numbered(labels: Iterable[str]) -> str | None:
    """Return what all labels number, such as "fold", or None.

    >>> kind_of_numbered(["fold 1", "Fold_2"]), kind_of_numbered(["iris", "fold 2"])
    ('fold', None)
    >>> kind_of_numbered(["rep1_fold1", "rep1_fold2"])
    'fold'
    """
    labels = [*labels]
    folder = _common_folder(labels)
    kinds, numbers = set(), set()
    for label in labels:
        kind, number = _kind_and_number(label.removeprefix(folder).strip())
        kinds.add(kind)
        numbers.add(number)
        if kind is None or len(kinds) > 1:
            return None  # most labels number nothing: the first one tells
    return kinds.pop() if len(numbers) > 1 else None


def are_samples(labels: Iterable[str], but_for: Collection[str] = ()) -> bool:
    """Return whether labels of runs number samples, by another word than some.

    Of other things than runs, a sample may be anything: a data set, or an item.

    >>> are_samples(["draw_0", "draw_1"]), are_samples(["seed 0", "seed 1"])
    (True, False)
    """
    matches = matches_of_all(_NUMBERED, labels)
    words = {" ".join(words_of_column(match["words"])) for match in matches}
    if not words or not words.isdisjoint(but_for):
        return False
    return all(kind_in_role(word) == "sample" for word in words)


def _common_folder(labels: list[str]) -> str:
    """Return the folder that all labels are in, as "eval/fold1" and "eval/fold2" are."""
    folders = {label.rpartition("/")[0] for label in labels[:1] + labels[-1:]}
    folder = f"{folders.pop()}/" if len(folders) == 1 else "/"
    return folder if all(label.startswith(folder) for label in labels) else ""


def _kind_and_number(label: str) -> tuple[str | None, str]:
    """Return what a label numbers, or of what it is a state, and which of them it is."""
    kind, number = _numbered_kind(label)
    return (kind, number) if kind is not None else state_of_training(label)


def _numbered_kind(label: str) -> tuple[str | None, str]:
    """Return what a label numbers, and the number."""
    match = _NUMBERED.fullmatch(label)
    if match is None and _SEVERAL_NUMBERED.fullmatch(label) is not None:
        return _kind_of_several(label), label
    kind = None if match is None else kind_in_role(match["words"])
    if kind in _NOT_NUMBERED:
        return None, ""
    if match is None or kind is None:
        return _level_and_number(label)
    return kind, match["number"]


def _kind_of_several(label: str) -> str | None:
    """Return what a label with several words and numbers is: a fold, or what its last word says."""
    kinds = [kind_in_role(word) for word, _ in _WORD_AND_NUMBER.findall(label)]
    if not _KINDS_OF_SEVERAL.issuperset(kinds):
        return None
    return "fold" if "fold" in kinds else kinds[-1]


def _level_and_number(label: str) -> tuple[str | None, str]:
    """Return of what a label is a level, or a class, and the number that it has there."""
    stars = _STARS.fullmatch(label)
    if stars is not None:
        return "level", stars["number"] or str(len(stars["words"]))
    for pattern in _LEVELS:
        match = pattern.fullmatch(label)
        kind = None if match is None else kind_beside_number(match["words"])
        if match is not None and kind is not None:
            return kind, match["number"].casefold()
    lettered = _LETTERED.fullmatch(label)
    kind = None if lettered is None else kind_in_role(lettered["words"])
    if lettered is None or kind not in _LETTERED_KINDS:
        return None, ""
    return kind, lettered["letter"].casefold()


def kind_of_parts(labels: Iterable[str], *, fewest_things: int = 1) -> str | None:
    """Return what numbers the parts of things that are labelled several times, or None.

    There must be `fewest_things` of them.

    >>> kind_of_parts(["iris_fold1", "iris_fold2"]), kind_of_parts(["monks-1", "monks-2"])
    ('fold', None)
    """
    matches = matches_of_all(_NUMBERED_PARTS, (label.strip() for label in labels))
    kinds = {kind_in_role(match["word"] or match["after"]) for match in matches}
    if len(kinds) != 1 or not _KINDS_OF_PARTS.issuperset(kinds):
        return None
    things = {match["thing"].casefold() for match in matches}
    return kinds.pop() if fewest_things <= len(things) < len(matches) else None


def are_identifiers(labels: Sequence[str]) -> bool:
    """Return whether labels are some letters and a high number each, which do not count.

    >>> are_identifiers(["T1024", "T1030", "T1037"]), are_identifiers(["T101", "T102", "T103"])
    (True, False)
    >>> are_identifiers(["job4711", "job4713", "job4720"]), are_identifiers(["f1", "f3", "f9"])
    (False, False)
    """
    matches = matches_of_all(_IDENTIFIER, map(str.strip, labels))
    stems = {match["stem"].casefold() for match in matches}
    if len(stems) != 1:
        return False
    (stem,) = stems
    if stem in IDENTIFIERS or kind_in_role(stem) is not None:
        return False
    numbers = {int(match["number"]) for match in matches}
    return len(numbers) == len(labels) and max(numbers) - min(numbers) >= len(labels)


def common_seed(labels: Iterable[str]) -> str | None:
    """Return the one seed that all labels have, among other numbers, or None.

    >>> common_seed(["0_seed=42", "1_seed=42"]), common_seed(["seed=1", "seed=2"])
    ('42', None)
    """
    seeds_of_labels = [_seeds(label) for label in labels]
    if any(len(seeds) != 1 for seeds in seeds_of_labels):
        return None
    distinct = {seed for seeds in seeds_of_labels for seed in seeds}
    return distinct.pop() if len(distinct) == 1 else None


def _seeds(label: str) -> set[str]:
    """Return the numbers behind words for a seed."""
    return {
        number for words, number in _NAMED_NUMBER.findall(label) if _name_a_seed(words)
    }


def _name_a_seed(words: str) -> bool:
    *_, last_word = re.split("[ _]", words)
    return "seed" in (kind_in_role(words), kind_in_role(last_word))
