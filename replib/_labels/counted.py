"""Items that are counted anew in each of several things: "VP01-Durchgang30", "seed0_ep19".

The things are numbered, as persons are, or have identifiers.  Names in words, such as
"law_1", are those of tasks, unless what is counted is a piece of something by its word, as
in "door-open_ep03".  What has a number of its own in the whole table, such as
"chr1:12345", is not counted anew.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby

from replib._names.things.items import describes_items
from replib._names.things.kinds import kind_of_name

#: A thing, and the number of an item of it: with a word, without one, and without a sign.
_NUMBERED = (
    re.compile(r"(?P<thing>.*[^\W_])[\W_]+(?P<word>[^\W\d_]+)[\W_]?(?P<number>\d+)\)?"),
    re.compile(r"(?P<thing>.*[^\W_])[\W_]+(?P<word>)(?P<number>\d+)\)?"),
    re.compile(r"(?P<thing>.*\d)(?P<word>[^\W\d_]+)(?P<number>\d+)"),
)
#: The number of an item before the thing.
_NUMBERED_BEFORE = re.compile(
    r"(?P<word>[^\W\d_]+)[\W_]?(?P<number>\d+)[\W_]+(?P<thing>.*[^\W_])"
)
#: That of a file.
_ENDING = re.compile(r"\.[a-z][a-z\d]{0,4}$", re.IGNORECASE)
#: Words for pieces of one thing, whatever this is called.
_PIECES = {
    # of a simulation, a robot or a game
    *("demo", "demonstration", "ep", "episode", "epi", "eps", "game", "match"),
    *("rollout", "t", "timestep", "traj", "trajectory", "transition", "trial"),
    *("try", "attempt"),
    # of a recording, a text or a conversation
    *("clip", "epoch", "frame", "frm", "keyframe", "message", "msg", "paragraph"),
    *("para", "sent", "sentence", "turn", "utt", "utterance", "verse", "window", "win"),
    # of a picture, a scan or a sample
    *("aliquot", "cell", "crop", "fov", "lesion", "nodule", "patch", "replicate"),
    *("roi", "scan", "slice", "tile", "voxel", "well"),
    # of a customer, a patient or a place
    *("invoice", "order", "plot", "purchase", "session", "transaction", "txn", "visit"),
}
#: Fewer things may be anything.
_FEWEST_THINGS = 5
#: Share of the numbers up to the last one of each thing that occur.
_SHARE_OF_NUMBERS = 0.5
#: Mean number of items of a thing.
_FEWEST_EACH = 2
#: Share of the things that have several.
_SHARE_WITH_SEVERAL = 0.5
#: Share of the things that look alike.
_SHARE_OF_ALIKE = 0.9
#: Years are no things, nor are numbers of one or two digits: "3.12" is a section.
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_SHORTEST_NUMBER = 3
_IDENTIFIER = re.compile(r"[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-z]{8,}")
#: Kinds of which the items are no more alike than others.
_KINDS_OF_TASKS = {
    *("task", "data set", "model", "part of the data", "split", "language", "class"),
    *("setting", "shot", "threshold", "metric", "rank", "position"),
}
#: Words for parts of a file, of an exam and of a grid.
_NO_THINGS = {
    *("col", "column", "n", "r", "row", "v", "x", "y", "aime", "amc", "batch", "bin"),
    *("bucket", "chunk", "contest", "exam", "exercise", "abc", "agc", "arc"),
    *("biweekly", "layer", "lesson", "weekly", "job", "paper", "part", "quiz", "round"),
    *("section", "shard", "test", "train", "unit", "val", "version", "worker"),
}


def items_counted_anew(labels: Sequence[str]) -> tuple[str, str] | None:
    """Return two items of one thing, if items are counted anew in each thing; else None.

    >>> trials = [f"VP{i:02}-Durchgang{j:02}" for i in range(12) for j in range(30)]
    >>> items_counted_anew(trials)
    ('VP00-Durchgang00', 'VP00-Durchgang01')
    >>> tasks = ("lift", "peg", "pull", "push", "turn")
    >>> items_counted_anew([f"{task}_ep{i}" for task in tasks for i in (0, 1)])
    ('lift_ep0', 'lift_ep1')
    >>> items_counted_anew([f"chr{1 + i % 22}:{1000 * i}" for i in range(99)])

    The ending of all files is left out:

    >>> mails = [f"emotet-{i}/msg_{j}.eml" for i in range(6) for j in range(9)]
    >>> items_counted_anew(mails)
    ('emotet-0/msg_0.eml', 'emotet-0/msg_1.eml')
    """
    for pattern in (*_NUMBERED, _NUMBERED_BEFORE):
        word, items = _items_of_things(labels, pattern)
        are_pieces = is_piece(word)
        if pattern is _NUMBERED_BEFORE and not are_pieces:
            continue
        if _are_counted_anew(items, are_pieces=are_pieces):
            several = next(group for group in items.values() if len(group) > 1)
            first, second, *_ = several.values()
            return first, second
    return None


def is_piece(label: str) -> bool:
    """Return whether a label is a word for a piece of something, perhaps with a number.

    >>> is_piece("ep03"), is_piece("Frames"), is_piece("q17")
    (True, True, False)
    """
    word = re.sub(r"[\W\d_]+", "", label).casefold()
    return word in _PIECES or word.removesuffix("s") in _PIECES


def _items_of_things(
    labels: Sequence[str], pattern: re.Pattern[str]
) -> tuple[str, dict[str, dict[int, str]]]:
    """Return the word for the items, and those of each thing by their numbers.

    There are none if a label has no number, or another word.
    """
    items: dict[str, dict[int, str]] = {}
    words: set[str] = set()
    ending = _common_ending(labels)
    for label in labels:
        match = pattern.fullmatch(label.strip().removesuffix(ending))
        if match is None:
            return "", {}
        words.add(match["word"].casefold())
        if len(words) > 1:
            return "", {}
        items.setdefault(match["thing"], {})[int(match["number"])] = label
    return "".join(words), items


def _common_ending(labels: Sequence[str]) -> str:
    """Return the ending that all files have, such as ".eml"; nothing if these are none."""
    match = _ENDING.search(labels[0].strip()) if labels else None
    if match is None or not all(label.strip().endswith(match[0]) for label in labels):
        return ""
    return match[0]


def _are_counted_anew(
    items: Mapping[str, Mapping[int, str]], *, are_pieces: bool
) -> bool:
    n_items = sum(map(len, items.values()))
    n_with_several = sum(len(numbers) > 1 for numbers in items.values())
    if len(items) < _FEWEST_THINGS or n_items < _FEWEST_EACH * len(items):
        return False
    if n_with_several < _SHARE_WITH_SEVERAL * len(items) or not _begin_anew(items):
        return False
    if are_pieces:
        return not all(map(_YEAR.search, items))
    return are_things([*items])


def _begin_anew(items: Mapping[str, Mapping[int, str]]) -> bool:
    """Return whether each thing has most of the numbers up to its last one."""
    distinct = sorted({number for numbers in items.values() for number in numbers})
    ranks = {number: rank for rank, number in enumerate(distinct, start=1)}
    n_items = sum(map(len, items.values()))
    n_possible = sum(ranks[max(numbers)] for numbers in items.values())
    return n_items >= _SHARE_OF_NUMBERS * n_possible


def are_things(things: Sequence[str]) -> bool:
    """Return whether names of things are a word with a number each, or identifiers."""
    if all(map(_YEAR.search, things)):
        return False
    shapes = sorted(map(_shape, things))
    n_alike = {shape: len([*alike]) for shape, alike in groupby(shapes)}
    shape = max(n_alike, key=n_alike.__getitem__)
    if n_alike[shape] < _SHARE_OF_ALIKE * len(things) or "0" not in shape:
        return False
    return not any(map(_is_of_task, re.findall(r"[^\W\d_]+", shape)))


def _shape(thing: str) -> str:
    """Return a name with 0 for each number and identifier.

    >>> _shape("VP01"), _shape("1089-135089"), _shape("5f3a9c01_b"), _shape("3.1")
    ('vp0', '0-0', '0_b', '3.1')
    """
    plain = thing.casefold()
    if (
        re.fullmatch(r"[\W\d_]+", plain)
        and len(_first_number(plain)) < _SHORTEST_NUMBER
    ):
        return plain
    with_identifiers = _IDENTIFIER.sub(_without_number, plain)
    return re.sub(r"\d+", "0", with_identifiers)


def _first_number(text: str) -> str:
    return next(iter(re.findall(r"\d+", text)), "")


def _without_number(match: re.Match[str]) -> str:
    """Return 0 for an identifier: letters and digits that are not a word with a number."""
    is_word = re.fullmatch(r"[a-z]+\d*", match[0]) is not None
    return match[0] if is_word else "0"


def _is_of_task(word: str) -> bool:
    kind = kind_of_name(word)
    return kind in _KINDS_OF_TASKS or word in _NO_THINGS or describes_items(word)


__all__ = ["are_things", "is_piece", "items_counted_anew"]
