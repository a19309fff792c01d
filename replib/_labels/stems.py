"""Notes about items whose labels belong together: eyes, visits and repetitions of one, days.

What labels have in common is structure: each patient has the same eyes.  Identifiers
have other endings each.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from replib._labels.counted import is_piece, items_counted_anew
from replib._labels.first_parts import items_of_first_parts
from replib._labels.texts import labels_of_key
from replib._names.labels.containers import items_of_containers
from replib._names.labels.copies import marked_as_copies
from replib._names.labels.numbered import kind_of_numbered
from replib._names.labels.stems import (
    labels_by_stem,
    labels_of_one_stem,
    shared_affixes,
)
from replib._names.things.kinds import kind_of_name
from replib._names.things.times import follow_in_time
from replib._validation import shown
from replib.designs import Items
from replib.scores import Predictions, Scores

#: So many labels are looked at, which takes a hundredth of a second.
_MOST_LABELS = 10_000
#: Labels such as "P001 visit 2", "scene 12 (night)", "P001_2" and "12a".
_ENDS = (
    re.compile(r"(?P<stem>.*[^\W_])[\W_]+(?P<affix>[^\W\d_]+[\W_]?\d+)\)?"),
    re.compile(r"(?P<stem>.*[^\W_])[\W_]+(?P<affix>[^\W_]*[^\W\d_][^\W_]*)\)?"),
    # "law_1" and "task3/1" are items of a task
    re.compile(r"(?P<stem>(?=.*\d.*[\W_]).*[^\W_])(?:_|[^\w/])+(?P<affix>\d+)"),
    re.compile(r"(?P<stem>.*\d)(?P<affix>[^\W\d_]{1,2})"),
)
#: Labels such as "rep0_row12", "seed3/q17" and "t2.q17".
_START = re.compile(r"(?P<affix>[^\W\d_]+[-_. =]?\d+)[\W_]+(?P<stem>[^\W_].*)")
_DECIMAL = re.compile(r"\d+[.,]\d+")
#: The label of another item, with a number, beside a word: "BAD_en-ru_0017", "q17 (copy)".
_WITH_WORD = (
    re.compile(r"(?P<word>[^\W\d_]+)[\W_]+(?P<label>.*)"),
    re.compile(r"(?P<label>.*[^\W_])[\W_]+(?P<word>[^\W\d_]+)[)\]]?"),
)
#: Fewer items may be called like copies of others by chance.
FEWEST_COPIES = 3
#: Years, and days of them, are no things that have several items.
_YEAR = re.compile(r"(?:19|20)\d\d(?!\d)")
#: What is repeated for one item.
_REPETITIONS = {
    *("seed", "run", "trial", "repetition", "epoch", "checkpoint", "iteration"),
    *("sample", "bootstrap sample", "prompt"),
}
#: Letters that are short for a run, a trial or an iteration before what is repeated.
_LETTERS = {"i", "k", "r", "t"}


def notes_about_stems(table: Scores | Predictions) -> Iterator[str]:
    """Note items that are parts or repetitions of one thing by their labels, or days in a row."""
    if not isinstance(table.design, Items) or table.design.clustering is not None:
        return
    all_labels = labels_of_key(table, "item")
    labels = [*islice(all_labels, _MOST_LABELS)]
    if follow_in_time(labels):
        yield (
            f"Items {shown(str(labels[0]))}, {shown(str(labels[1]))} and so on follow each "
            "other in time: do neighbours depend on each other? Then give blocks of time "
            "as clusters."
        )
        return
    if not all(isinstance(label, str) for label in labels):
        return
    if kind_of_numbered(labels) == "fold":
        return  # is noted where units are
    note = _note_on_items(labels, is_cut=len(labels) < len(all_labels))
    if note is not None:
        yield note


def _note_on_items(labels: Sequence[str], *, is_cut: bool) -> str | None:
    """Return what is first asked about items; the rest of them may have been cut off."""
    if all(map(_DECIMAL.fullmatch, labels)):
        return None
    return (
        _note_on_marked_copies(labels)
        or _note_on_ends(labels, is_cut=is_cut)
        or _note_on_starts(labels)
        or _note_on_counts(labels)
        or _note_on_containers(labels)
        or _note_on_first_parts(labels)
        or _note_on_labels_with_a_word(labels)
    )


def _note_on_marked_copies(labels: Sequence[str]) -> str | None:
    """Ask about items that are called like copies of others: "a.jpg" and "a (1).jpg"."""
    copies = [pair for pair in marked_as_copies(labels) if pair.is_sure]
    if len(copies) < FEWEST_COPIES:
        return None
    copy, original, _ = copies[0]
    return _note_on_copies(len(copies), "a sign of a copy", copy, original)


def _note_on_ends(labels: Sequence[str], *, is_cut: bool) -> str | None:
    """Ask about items of one stem that have the same endings as those of all others."""
    for pattern in _ENDS:
        stems = labels_by_stem(labels, pattern)
        if is_cut and stems:
            stems.popitem()  # others of this one may follow
        endings = shared_affixes(stems)
        if not endings or any(map(_YEAR.match, stems)):
            continue
        pair = labels_of_one_stem(stems)
        if {_kind(ending) for ending in endings} <= _REPETITIONS:
            return _note_on_repetitions(*pair)
        return _note_on_groups("items come in groups", *pair)
    return None


def _note_on_starts(labels: Sequence[str]) -> str | None:
    """Ask about repetitions of items that have their number before them: "rep0_row12"."""
    stems = labels_by_stem(labels, _START)
    kinds = {_kind_before_item(start) for start in shared_affixes(stems)}
    if not kinds or not kinds <= _REPETITIONS:
        return None
    if kinds != {"repetition"} and all(map(is_piece, stems)):
        return None  # the third episodes of two seeds are not one
    return _note_on_repetitions(*labels_of_one_stem(stems))


def _kind(affix: str) -> str | None:
    """Return what an affix numbers."""
    return kind_of_name(re.sub(r"[\W\d_]+", " ", affix))


def _kind_before_item(affix: str) -> str | None:
    """Return what is numbered before an item, where one letter may be short for it."""
    letters = re.sub(r"[\W\d_]+", "", affix).casefold()
    return "trial" if letters in _LETTERS else _kind(affix)


def _note_on_counts(labels: Sequence[str]) -> str | None:
    """Ask about items that are counted anew in each of few things, such as persons."""
    pair = items_counted_anew(labels)
    if pair is None:
        return None
    return _note_on_groups("items are counted anew in each group", *pair)


def _note_on_containers(labels: Sequence[str]) -> str | None:
    """Ask about items in files, modules or classes."""
    contained = items_of_containers(labels)
    if contained is None:
        return None
    return (
        f"By their labels, items are of {contained.n_containers} "
        f"{contained.things}, such as {shown(contained.first)} and "
        f"{shown(contained.second)}: do items of one depend on each other? Then say "
        "cluster=, a column of these."
    )


def _note_on_first_parts(labels: Sequence[str]) -> str | None:
    """Ask about items of few things that have other endings each."""
    pair = items_of_first_parts(labels)
    return None if pair is None else _note_on_groups("items come in groups", *pair)


def _note_on_labels_with_a_word(labels: Sequence[str]) -> str | None:
    """Ask about items that have the labels of others, with one word before or behind them."""
    originals = {label for label in labels if re.search(r"\d", label)}
    copies_by_word: dict[str, list[tuple[str, str]]] = {}
    for label in labels:
        for pattern in _WITH_WORD:
            match = pattern.fullmatch(label)
            if match is not None and match["label"] in originals:
                copies = copies_by_word.setdefault(match["word"], [])
                copies.append((label, match["label"]))
    for word, copies in copies_by_word.items():
        if len(copies) >= FEWEST_COPIES:
            return _note_on_copies(len(copies), shown(word), *copies[0])
    return None


def _note_on_copies(n_items: int, addition: str, copy: str, original: str) -> str:
    """Ask about items that have the labels of others, and an addition to them."""
    return (
        f"{n_items} items have the label of another and {addition}, such as "
        f"{shown(copy)} and {shown(original)}: do they count as items of their own?"
    )


def _note_on_repetitions(first: str, second: str) -> str:
    """Ask about two items that are repetitions of one."""
    return (
        f"By their labels, some items are repetitions of one, such as {shown(first)} and "
        f"{shown(second)}: is each an item of its own? Otherwise the repetition is the "
        "run."
    )


def _note_on_groups(groups: str, first: str, second: str) -> str:
    """Ask what two items of one of some groups have in common."""
    problem = f"By their labels, {groups}, such as {shown(first)} and {shown(second)}"
    if "fold" in first.casefold():
        return (
            f"{problem}: did the model of its fold predict each? Then say "
            'Items(predicted="by_fold").'
        )
    return (
        f"{problem}: do items of a group depend on each other? Then say cluster=, a "
        "column of the groups."
    )


__all__ = ["FEWEST_COPIES", "notes_about_stems"]
