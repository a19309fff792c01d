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
from replib._names.labels.copies import (
    Marked,
    Revised,
    marked_as_copies,
    revised_labels,
)
from replib._names.labels.numbered import kind_of_numbered
from replib._names.labels.parts import domains_of_one
from replib._names.models.families import is_benchmark
from replib._names.things.kinds import kind_of_name
from replib._names.things.times import follow_in_time
from replib._validation import shown
from replib.designs import Datasets, Items
from replib.scores import Predictions, Scores

#: So many labels are looked at, which takes a hundredth of a second.
_MOST_LABELS = 10_000
#: Items that one thing may have.
_MOST_SUFFIXES = 20
#: Share of the things that have all suffixes: of some, an item was lost.
_SHARE_OF_WHOLE = 0.9
#: Labels such as "P001 visit 2", "scene 12 (night)", "P001_2" and "12a".
_ENDS = (
    re.compile(r"(?P<stem>.*[^\W_])[\W_]+(?P<suffix>[^\W\d_]+[\W_]?\d+)\)?"),
    re.compile(r"(?P<stem>.*[^\W_])[\W_]+(?P<suffix>[^\W_]*[^\W\d_][^\W_]*)\)?"),
    # "law_1" and "task3/1" are items of a task
    re.compile(r"(?P<stem>(?=.*\d.*[\W_]).*[^\W_])(?:_|[^\w/])+(?P<suffix>\d+)"),
    re.compile(r"(?P<stem>.*\d)(?P<suffix>[^\W\d_]{1,2})"),
)
#: Labels such as "rep0_row12", "seed3/q17" and "t2.q17".
_START = re.compile(r"(?P<suffix>[^\W\d_]+[-_. =]?\d+)[\W_]+(?P<stem>[^\W_].*)")
_DECIMAL = re.compile(r"\d+[.,]\d+")
#: Labels of data sets such as "ETTh1_96", and "cards_2021-Q4".
_LAST_WORDS = (
    re.compile(r"(?P<stem>.*[^\W_])[\W_]+(?P<suffix>[^\W_]+)\)?"),
    re.compile(r"(?P<stem>[^\W_]+)[\W_]+(?P<suffix>.*[^\W_])\)?"),
)
#: Fewer data sets may have two names with the same two endings.
_FEWEST_CROSSED = 6
#: Such as "adult_v2", "adult (version 2)" and "adult.v1.1".
_VERSION = re.compile(
    r"(?P<stem>.*[^\W_])[\W_]+v(?:er(?:sion)?)?[ ._-]?\d+(?:[._]\d+)*\)?", re.IGNORECASE
)
#: Such as "ant-1.5" and "log4j 1.0": the number of a release has a point.
_RELEASE = re.compile(r"(?P<stem>.*[^\W_])[\W_]+[1-9]\d*(?:\.\d+)+(?:[ab]|rc\d*)?")
#: Such as "glass-0-1_vs_2", "digits 3 vs rest" and "cifar10_class0": some classes against others.
_AGAINST = re.compile(
    r"(?P<stem>.*?[^\W_])(?:[-_ ]?\d+(?:[-_]\d+)*)?"
    r"[-_ ](?:vs\.?|v|versus|against)[-_ ](?:all|others?|rest|\d+(?:[-_]\d+)*)"
    r"|(?P<named>.*[^\W_])[-_ ](?:class|cls|digit|label|ov[ar]|positive|target)[-_ ]?\d+",
    re.IGNORECASE,
)
#: Such as "glass0": one class, if "glass" is a data set.
_ONE_CLASS = re.compile(r"(?P<stem>.*[^\W\d_])[-_ ]?\d")
_FEWEST_TARGETS = 3
_SHARE_OF_TARGETS = 0.8
#: One data set may have two versions that are known by themselves, as SQuAD has.
_FEWEST_WITH_VERSIONS = 2
_FEWEST_VERSIONS_OF_ONE = 3
#: The label of another item, with a number, beside a word: "BAD_en-ru_0017", "q17 (copy)".
_WITH_WORD = (
    re.compile(r"(?P<word>[^\W\d_]+)[\W_]+(?P<label>.*)"),
    re.compile(r"(?P<label>.*[^\W_])[\W_]+(?P<word>[^\W\d_]+)[)\]]?"),
)
#: Fewer items with such a word may have their names by chance.
FEWEST_WITH_WORD = 3
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
    design = table.design
    if isinstance(design, Datasets):
        yield from _data_sets_of_stems([*map(str, labels_of_key(table, "dataset"))])
    if table.strata is not None:
        yield from _versions(table.strata.tasks, "task")
    if not isinstance(design, Items) or design.clustering is not None:
        return
    all_labels = labels_of_key(table, "item")
    labels = [*islice(all_labels, _MOST_LABELS)]
    if follow_in_time(labels):
        yield (
            f"Items {shown(str(labels[0]))}, {shown(str(labels[1]))} and so on follow each "
            "other in time: do neighbours depend on each other? Then give blocks of time "
            "as clusters."
        )
    elif all(isinstance(label, str) for label in labels):
        if kind_of_numbered(labels) == "fold":
            return  # is noted where units are
        is_cut = len(labels) < len(all_labels)
        yield from _items_of_stems(labels, is_cut=is_cut)


def _items_of_stems(labels: Sequence[str], *, is_cut: bool) -> Iterator[str]:
    """Note items of which several have one stem."""
    if all(map(_DECIMAL.fullmatch, labels)):
        return
    copies = [*_copied_files(labels)]
    if copies:
        yield from copies
        return
    for pattern in _ENDS:
        stems = _suffixes_of_stems(labels, pattern)
        if is_cut and stems:
            stems.popitem()  # others of this one may follow
        suffixes = _shared_suffixes(stems)
        if not suffixes or any(map(_YEAR.match, stems)):
            continue
        stem = next(stem for stem, endings in stems.items() if len(endings) > 1)
        names = [label for label in labels if label.startswith(stem)]
        if {_kind(suffix) for suffix in suffixes} <= _REPETITIONS:
            yield _note_on_repeated(*names[:2])
        else:
            yield _note_on_groups("items come in groups", *names[:2])
        return
    repeated = _repeated_items(labels)
    if repeated is not None:
        yield _note_on_repeated(*repeated)
    else:
        yield from _items_of_things(labels)


def _items_of_things(labels: Sequence[str]) -> Iterator[str]:
    """Note items of few things, such as persons or files, which have other endings each."""
    counted = items_counted_anew(labels)
    if counted is not None:
        yield _note_on_groups("items are counted anew in each group", *counted)
        return
    contained = items_of_containers(labels)
    if contained is not None:
        yield (
            f"By their labels, items are of {contained.n_containers} "
            f"{contained.things}, such as {shown(contained.first)} and "
            f"{shown(contained.second)}: do items of one depend on each other? Then say "
            "cluster=, a column of these."
        )
        return
    of_thing = items_of_first_parts(labels)
    if of_thing is not None:
        yield _note_on_groups("items come in groups", *of_thing)
    else:
        yield from _items_with_a_word(labels)


def _repeated_items(labels: Sequence[str]) -> tuple[str, str] | None:
    """Return two repetitions of an item, if their number stands before each; else None."""
    stems = _suffixes_of_stems(labels, _START)
    kinds = {_kind_before(suffix) for suffix in _shared_suffixes(stems)}
    if not kinds or not kinds <= _REPETITIONS:
        return None
    if kinds != {"repetition"} and all(map(is_piece, stems)):
        return None  # the third episodes of two seeds are not one
    first, second, *_ = _of_one_stem(labels, _START)
    return first, second


def _kind_before(prefix: str) -> str | None:
    """Return what is numbered before an item."""
    letters = re.sub(r"[\W\d_]+", "", prefix).casefold()
    return "trial" if letters in _LETTERS else _kind(prefix)


def _note_on_repeated(first: str, second: str) -> str:
    return (
        f"By their labels, some items are repetitions of one, such as {shown(first)} and "
        f"{shown(second)}: is each an item of its own? Otherwise the repetition is the "
        "run."
    )


def _items_with_a_word(labels: Sequence[str]) -> Iterator[str]:
    """Note items that have the labels of others, with one word before or behind them."""
    known = {label for label in labels if re.search(r"\d", label)}
    pairs: dict[str, list[tuple[str, str]]] = {}
    for label in labels:
        for pattern in _WITH_WORD:
            match = pattern.fullmatch(label)
            if match is not None and match["label"] in known:
                pairs.setdefault(match["word"], []).append((label, match["label"]))
    for word, same in pairs.items():
        if len(same) >= FEWEST_WITH_WORD:
            first, second = map(shown, same[0])
            yield (
                f"{len(same)} items have the label of another and {shown(word)}, such as "
                f"{first} and {second}: do they count as items of their own?"
            )
            return


def _copied_files(labels: Sequence[str]) -> Iterator[str]:
    """Note items that are called like copies of others: "a.jpg" and "a (1).jpg"."""
    marked = [pair for pair in marked_as_copies(labels) if pair.is_sure]
    if len(marked) >= FEWEST_WITH_WORD:
        copy, original, _ = marked[0]
        yield (
            f"{len(marked)} items have the label of another and a sign of a copy, such as "
            f"{shown(copy)} and {shown(original)}: do they count as items of their own?"
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


def _data_sets_of_stems(labels: Sequence[str]) -> Iterator[str]:
    """Note data sets that are made of each other, such as series at several horizons."""
    if len(labels) > _MOST_LABELS:
        return
    versions = [*_versions(labels)]
    yield from versions
    if versions:
        return
    targets = [*_other_targets(labels)]
    yield from targets
    if targets:
        return
    for pattern in _LAST_WORDS:
        stems = _suffixes_of_stems(labels, pattern)
        if _shared_suffixes(stems) or _are_crossed(stems):
            first, second = _of_one_stem(labels, pattern)
            yield (
                "By their labels, data sets come in groups of the same kinds, such as "
                f"{shown(first)} and {shown(second)}: are they data sets of their own?"
            )
            return
    domains = domains_of_one(labels)
    if domains is not None:
        yield (
            f"{shown(domains[0])} and {shown(domains[1])} are parts of one data set by "
            "their labels: do both count as data sets of their own?"
        )


def _of_one_stem(labels: Sequence[str], pattern: re.Pattern[str]) -> tuple[str, str]:
    """Return the first two labels that have the stem of the first one."""
    stems = [match and match["stem"] for match in map(pattern.fullmatch, labels)]
    first, second, *_ = (x for x, stem in zip(labels, stems) if stem == stems[0])
    return first, second


def _are_crossed(stems: dict[str, set[str]]) -> bool:
    """Return whether there is each of several stems with each of several suffixes."""
    if len(stems) < 2:
        return False
    suffixes, *others = stems.values()
    is_complete = all(endings == suffixes for endings in others)
    n_labels = len(stems) * len(suffixes)
    return is_complete and len(suffixes) > 1 and n_labels >= _FEWEST_CROSSED


def _versions(labels: Sequence[str], unit: str = "data set") -> Iterator[str]:
    """Note several data sets, or tasks, of which there are several versions, among others."""
    versions: dict[str, list[str]] = {}
    for label in labels:
        plain = label.strip()
        match = _VERSION.fullmatch(plain) or _RELEASE.fullmatch(plain)
        if match is not None:
            versions.setdefault(match["stem"].casefold(), []).append(label)
    copied = [pair for pair in marked_as_copies(labels) if pair.mark == "copy"]
    revised: list[Marked | Revised] = [*revised_labels(labels), *copied]
    for revision, original, _ in revised:
        of_one = versions.setdefault(original.strip().casefold(), [])
        of_one[:] = dict.fromkeys([original, *of_one, revision])
    several = [same for same in versions.values() if len(same) > 1]
    if not several:
        return
    most = max(map(len, several))
    are_sure = any(pair.is_sure for pair in revised)
    are_many = len(several) >= _FEWEST_WITH_VERSIONS or most >= _FEWEST_VERSIONS_OF_ONE
    if are_sure or are_many:
        first, second, *_ = several[0]
        have = f"{unit}s have" if len(several) > 1 else f"{unit} has"
        yield (
            f"{len(several)} {have} several versions by their labels, such as "
            f"{shown(first)} and {shown(second)}: do all count as {unit}s of their own?"
        )


def _other_targets(labels: Sequence[str]) -> Iterator[str]:
    """Note a table that is nearly made up of few data sets, each with several of its classes."""
    targets: dict[str, list[str]] = {}
    for label in labels:
        data_set = _data_set_of_class(label.strip())
        if data_set is not None:
            targets.setdefault(data_set.casefold(), []).append(label)
    several = [same for same in targets.values() if len(same) >= _FEWEST_TARGETS]
    n_of_several = sum(map(len, several))
    if not several or n_of_several < _SHARE_OF_TARGETS * len(labels):
        return
    are_against = any(_AGAINST.fullmatch(label) for same in several for label in same)
    if are_against or len(several) > 1:  # of "monks1" to "monks3", each is a data set
        first, second, *_ = several[0]
        things = "data sets" if len(several) > 1 else "data set"
        yield (
            f"{n_of_several} of {len(labels)} data sets are versions of {len(several)} "
            f"{things} by their labels, such as {shown(first)} and {shown(second)}: do all "
            "count as data sets of their own?"
        )


def _data_set_of_class(label: str) -> str | None:
    """Return the data set of which a label names one class, or some against others, or None."""
    against = _AGAINST.fullmatch(label)
    if against is not None:
        return against["stem"] or against["named"]
    one_class = _ONE_CLASS.fullmatch(label)
    is_known = one_class is not None and is_benchmark(one_class["stem"])
    return one_class["stem"] if one_class is not None and is_known else None


def _kind(suffix: str) -> str | None:
    """Return what a suffix numbers."""
    return kind_of_name(re.sub(r"[\W\d_]+", " ", suffix))


def _suffixes_of_stems(
    labels: Sequence[str], pattern: re.Pattern[str]
) -> dict[str, set[str]]:
    """Return the suffixes of each stem; nothing if a label has none, or they are many."""
    stems: dict[str, set[str]] = {}
    suffixes = set()
    for label in labels:
        match = pattern.fullmatch(label.strip())
        if match is None:
            return {}
        stems.setdefault(match["stem"], set()).add(match["suffix"])
        suffixes.add(match["suffix"])
        if len(suffixes) > _MOST_SUFFIXES:
            return {}
    return stems


def _shared_suffixes(stems: dict[str, set[str]]) -> frozenset[str]:
    """Return the suffixes that nearly all stems have; none if stems are few."""
    if not stems:
        return frozenset()
    suffixes = frozenset.union(*map(frozenset, stems.values()))
    n_whole = sum(endings == suffixes for endings in stems.values())
    if len(suffixes) < 2 or len(stems) <= len(suffixes):
        return frozenset()
    return suffixes if n_whole >= _SHARE_OF_WHOLE * len(stems) else frozenset()


__all__ = ["notes_about_stems"]
