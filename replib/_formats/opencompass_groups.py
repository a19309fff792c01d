"""Groups of data sets in summaries of OpenCompass, such as MMLU beside its subjects.

Only labels say what a group is made of: its words are in those of its parts, as in mmlu and
lukaemon_mmlu_anatomy.  Another benchmark may begin with the same word, as mmlu_pro does.
"""

import re
from collections.abc import Collection, Iterator, Sequence

#: Fewer rows that are called after a group may be others.
_FEWEST_PARTS = 2
#: Words behind the name of a benchmark that make it another one.
_OTHER_BENCHMARKS = {
    *("extended", "lite", "mini", "multilingual", "plus", "pro", "redux", "verified"),
}
_NUMBER = re.compile(r"v?\d+")

_Words = tuple[str, ...]


def groups_beside_parts(groups: Sequence[str], data_sets: Sequence[str]) -> list[str]:
    """Return the groups of which parts are rows, too.

    A group in a group is one of these if the data sets of the whole are rows.

    Parameters
    ----------
    groups, data_sets : sequence of str
        Labels of rows.

    Examples
    --------
    >>> groups_beside_parts(["mmlu", "mmlu-stem"], ["mmlu_anatomy", "mmlu_physics", "nq"])
    ['mmlu', 'mmlu-stem']
    >>> groups_beside_parts(["mmlu", "mmlu-stem", "mmlu-other"], ["nq"])
    ['mmlu']
    >>> groups_beside_parts(["mmlu", "mmlu_pro"], ["mmlu_pro_law", "mmlu_pro_math"])
    ['mmlu_pro']
    """
    wholes = {_words(group): group for group in groups}
    subgroups = _parts(groups, wholes)
    members = _parts(data_sets, wholes)
    found = set()
    for group in groups:
        if len(members[group]) >= _FEWEST_PARTS:
            found.update([group, *subgroups[group]])
        elif len(members[group] + subgroups[group]) >= _FEWEST_PARTS:
            found.add(group)
    return [group for group in groups if group in found]


def _parts(labels: Collection[str], wholes: dict[_Words, str]) -> dict[str, list[str]]:
    """Return the labels that are parts of each group, by their words."""
    parts: dict[str, list[str]] = {group: [] for group in wholes.values()}
    for label in labels:
        whole = next(_possible_wholes(_words(label), wholes), None)
        if whole is not None:
            parts[wholes[whole]].append(label)
    return parts


def _possible_wholes(words: _Words, wholes: Collection[_Words]) -> Iterator[_Words]:
    """Yield the words of groups that are in those of a label, the longest first."""
    for start in (0, 1):  # the first word may be the author of the data
        for end in range(len(words) - 1, start, -1):
            is_other = words[end] in _OTHER_BENCHMARKS or _NUMBER.fullmatch(words[end])
            if words[start:end] in wholes and not is_other:
                yield words[start:end]


def _words(label: str) -> _Words:
    """Return the words of a label in lower case.

    >>> _words("ARC-c"), _words("lukaemon_mmlu_anatomy")
    (('arc', 'c'), ('lukaemon', 'mmlu', 'anatomy'))
    """
    return tuple(re.findall(r"[^\W_]+", label.casefold()))
