"""Labels that are a stem with something before or behind it: "P001_OD", "rep0_row12"."""

import re
from collections.abc import Mapping, Sequence

#: Affixes that the labels of a table may have.
_MOST_AFFIXES = 20
#: Share of the stems that have all affixes: of some, an item was lost.
_SHARE_OF_COMPLETE = 0.9

#: Labels by their stem and their affix, which is what stands before or behind it.
Stems = dict[str, dict[str, str]]


def labels_by_stem(labels: Sequence[str], pattern: re.Pattern[str]) -> Stems:
    """Return labels by stem and affix; nothing if one has none, or affixes are many.

    Parameters
    ----------
    labels : sequence of str
    pattern : re.Pattern
        That of a label, with the groups `stem` and `affix`.

    Returns
    -------
    dict of dict

    Examples
    --------
    >>> eyes = re.compile("(?P<stem>.+)_(?P<affix>.+)")
    >>> labels_by_stem(["P1_OD", "P1_OS", "P2_OD"], eyes)
    {'P1': {'OD': 'P1_OD', 'OS': 'P1_OS'}, 'P2': {'OD': 'P2_OD'}}
    >>> labels_by_stem(["P1_OD", "P2"], eyes)
    {}
    """
    stems: Stems = {}
    affixes = set()
    for label in labels:
        match = pattern.fullmatch(label.strip())
        if match is None:
            return {}
        stems.setdefault(match["stem"], {}).setdefault(match["affix"], label)
        affixes.add(match["affix"])
        if len(affixes) > _MOST_AFFIXES:
            return {}
    return stems


def shared_affixes(stems: Mapping[str, Mapping[str, str]]) -> set[str]:
    """Return the affixes that nearly all stems have; none if stems are few.

    >>> stems = {"P1": {"OD": "", "OS": ""}, "P2": {"OD": "", "OS": ""}}
    >>> shared_affixes(stems)  # they may be two of many things
    set()
    >>> sorted(shared_affixes({**stems, "P3": {"OD": "", "OS": ""}}))
    ['OD', 'OS']
    """
    affixes = {affix for labels in stems.values() for affix in labels}
    if len(affixes) < 2 or len(stems) <= len(affixes):
        return set()
    n_complete = sum(labels.keys() == affixes for labels in stems.values())
    return affixes if n_complete >= _SHARE_OF_COMPLETE * len(stems) else set()


def are_crossed(stems: Mapping[str, Mapping[str, str]]) -> bool:
    """Return whether there is each of several stems with each of several affixes.

    >>> are_crossed({"Oslo": {"2020": "", "2021": ""}, "Lund": {"2020": "", "2021": ""}})
    True
    >>> are_crossed({"Oslo": {"2020": "", "2021": ""}, "Lund": {"2020": ""}})
    False
    """
    if len(stems) < 2:
        return False
    affixes, *others = (labels.keys() for labels in stems.values())
    return len(affixes) > 1 and all(other == affixes for other in others)


def labels_of_one_stem(stems: Mapping[str, Mapping[str, str]]) -> tuple[str, str]:
    """Return the first two labels of the first stem with several, of which there must be one.

    >>> labels_of_one_stem({"P1": {"OD": "P1_OD"}, "P2": {"OD": "P2_OD", "OS": "P2_OS"}})
    ('P2_OD', 'P2_OS')
    """
    several = next(labels for labels in stems.values() if len(labels) > 1)
    first, second, *_ = several.values()
    return first, second
