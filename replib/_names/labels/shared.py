"""What labels say without what all of them share: "1%" and "5%" of "IDS 1%" and "IDS 5%".

A stem that all labels have hides what they are.  A number that is left over says nothing:
"monks-1" is a data set beside "monks-2".
"""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

#: Two labels may share a word by chance.
_FEWEST = 3
#: More labels have no stem that somebody wrote.
_MOST = 100
#: Behind these, a label may be cut: not behind "=", which stands between a name and its
#: value, nor behind a point between two digits, which is that of a fraction.
_CUT_BEHIND = re.compile(r"[\s_\-–—:/|,;@#(\[]|(?<!\d)\.|\.(?!\d)")
#: Before these, a label may be cut.
_CUT_BEFORE = re.compile(r"[\s_\-–—/|,;)\]]")
_NUMBER = re.compile(r"[-+#(.\s_]*\d+[).\s_]*")
_YEAR = re.compile(r"(?:19|20)\d\d")


def readings_of_labels(labels: Sequence[str]) -> Iterator[list[str]]:
    """Yield labels as they are, and without the words that all of them share.

    >>> [*readings_of_labels(["IDS 1%", "IDS 5%", "IDS 10%"])][1:]
    [['1%', '5%', '10%']]
    >>> [*readings_of_labels(["monks-1", "monks-2", "monks-3"])][1:]
    []
    """
    yield [*labels]
    yield from rests_of_labels(labels)


def rests_of_labels(labels: Sequence[str]) -> Iterator[list[str]]:
    """Yield what is left of labels without the words that all share, before and behind.

    >>> [*rests_of_labels(["test_2015", "test_2016", "test_2017"])]
    [['2015', '2016', '2017']]
    >>> [*rests_of_labels(["cifar10", "cifar100", "cifar20"])]
    []
    """
    if not _FEWEST <= len(labels) <= _MOST:
        return
    plain = [label.strip() for label in labels]
    ends = _lengths_of_shared_ends(plain)
    seen = [plain]
    for start in _starts_of_rests(plain):
        for length in ends:
            rests = [label[start : len(label) - length].strip() for label in plain]
            if rests not in seen and _say_something(rests):
                yield rests
            seen.append(rests)


def _starts_of_rests(labels: Sequence[str]) -> list[int]:
    """Return where labels may be cut behind words that all share, and before the first one."""
    shared = _shared_start(labels)
    # the sign after the shared part shows whether its last point is that of a fraction
    text = labels[0][: len(shared) + 1]
    cuts = [match.end() for match in _CUT_BEHIND.finditer(text)]
    return [*(cut for cut in reversed(cuts) if cut <= len(shared)), 0]


def _lengths_of_shared_ends(labels: Sequence[str]) -> list[int]:
    """Return the lengths of what may be cut: nothing, a bracket, the last words of all."""
    shared = _shared_start([label[::-1] for label in labels])[::-1]
    cut = _CUT_BEFORE.search(shared)
    longest = 0 if cut is None else len(shared) - cut.start()
    bracket = int(shared.endswith((")", "]")))
    return sorted({0, bracket, longest})


def _shared_start(texts: Sequence[str]) -> str:
    """Return the letters and signs that all texts begin with."""
    shared = takewhile(lambda signs: len({*signs}) == 1, zip(*texts))
    return "".join(sign for sign, *_ in shared)


def _say_something(rests: Sequence[str]) -> bool:
    """Return whether all rests have something that is no bare number, or are all years."""
    if not all(rests):
        return False
    are_years = all(map(_YEAR.fullmatch, rests))
    return are_years or not any(map(_NUMBER.fullmatch, rests))
