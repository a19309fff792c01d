"""Labels of copies: "LUNG1-017 (1)" and "scan07 - Kopie" beside "LUNG1-017" and "scan07"."""

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from replib._names.tables import any_of, table_of_words

#: Words for a copy, in the languages of file managers.
_COPY = (
    r"(?:copy|kopie|kopia|kopi|copie|copia|cópia|dup|dupe|duplicate|duplicated|duplikat"
    r"|dublette|doublon|duplicado|duplicato|bis|backup|bak)"
)
#: What was changed, before the number by how much: "sp0.9", "snr10", "pitch+2".
_CHANGED = (
    *("brightness", "contrast", "gain", "gamma", "noise", "pitch", "rir", "scale"),
    *("shift", "snr", "sp", "speed", "stretch", "tempo", "zoom"),
)
#: Words for what was made of an image, or of a recording.
_MADE = (
    r"(?:[hvlrud]{0,2}flip(?:ped)?|mirror(?:ed)?|rot(?:ated?)?[-_ ]?\d*"
    r"|aug(?:mented)?[-_ ]?\d*|noisy|blur(?:red)?|crop(?:ped)?|resized?|jpeg"
    rf"|reverb(?:erated)?\d*|{any_of(_CHANGED)}[-_=+]?\d+(?:[.,]\d+)?(?:db|x|%)?)"
)
_EXTENSION = r"(?P<extension>(?:\.[a-z][a-z\d]{1,4})?)"
_BEHIND = (
    rf"(?P<label>.*?[^\W_])[-_ ]*"
    rf"(?:\(\d{{1,2}}\)|[-_. ]+[(\[]?{_COPY}[)\]]?[-_ ]?\(?\d*\)?){_EXTENSION}"
)
_BEFORE = (
    rf"{_COPY}[-_ ]?\(?\d*\)?[-_ ]+(?:(?:of|von|de|di|van|av|af)[-_ ]+)?"
    r"(?P<label>[^\W_].*?)(?P<extension>)"
)
_PART = r"(?:v?\d{1,2}|[a-z]|new|old|final|orig)"
#: What marks say: of a copy, as in "(1)", " - Kopie (2)" and "copy of"; of what was made of an
#: image or a recording; and of what may be a part of one thing, as in "_2", "-b", "_v2" and "_new".
_MARKS = [
    ("copy", re.compile(_BEHIND, re.IGNORECASE)),
    ("copy", re.compile(_BEFORE, re.IGNORECASE)),
    (
        "made",
        re.compile(rf"(?P<label>.*?[^\W_])[-_ ]{_MADE}{_EXTENSION}", re.IGNORECASE),
    ),
    (
        "made",
        re.compile(rf"{_MADE}[-_ ](?P<label>[^\W_].*?)(?P<extension>)", re.IGNORECASE),
    ),
    (
        "part",
        re.compile(rf"(?P<label>.*[^\W_])[-_. ~]+{_PART}{_EXTENSION}", re.IGNORECASE),
    ),
]


class Marked(NamedTuple):
    """A label that is another one with a mark.

    Attributes
    ----------
    copy, original : str
    mark : {"copy", "made", "part"}
        What the mark says: that it is a copy, that it was made of the other, or perhaps
        that both are parts of one thing.
    """

    copy: str
    original: str
    mark: str

    @property
    def is_sure(self) -> bool:
        """Whether the mark is no name of a part."""
        return self.mark != "part"


def marked_as_copies(labels: Iterable[str]) -> list[Marked]:
    """Return the labels that are others with a mark, as copies are.

    >>> marked_as_copies(["scan07", "scan07 - Copy", "scan08_2"])
    [Marked(copy='scan07 - Copy', original='scan07', mark='copy')]
    >>> marked_as_copies(["a7.jpg", "a7_2.jpg", "copy of a7.jpg"])[0]
    Marked(copy='a7_2.jpg', original='a7.jpg', mark='part')
    """
    known = dict.fromkeys(labels)
    marked = []
    for label in known:
        for mark, pattern in _MARKS:
            match = pattern.fullmatch(label.strip())
            original = match and f"{match['label']}{match['extension']}"
            if original in known and original != label:
                marked.append(Marked(label, str(original), mark))
                break
    return marked


class Revised(NamedTuple):
    """A data set that is another one after a revision, by its label.

    Attributes
    ----------
    revision, original : str
    is_sure : bool
        Whether the word is one of a revision, and of no subset that has a name.
    """

    revision: str
    original: str
    is_sure: bool


@cache
def _revision() -> re.Pattern[str]:
    """Return the pattern of the label of a data set that was revised."""
    words = table_of_words("classes")["revisions"]
    sure, unsure = any_of(words["sure"] + words["asked"]), any_of(words["unsure"])
    return re.compile(
        rf"(?P<original>.*[^\W_][)\]]?)"
        rf"(?:[\W_]+(?:(?P<sure>{sure})|{unsure})[)\]]?|(?P<more>\+))"
    )


def revised_labels(labels: Iterable[str]) -> list[Revised]:
    """Return the labels that are others with a word for a revision.

    >>> revised_labels(["Adult", "Adult (cleaned)", "IMDB_cleaned"])
    [Revised(revision='Adult (cleaned)', original='Adult', is_sure=True)]
    >>> revised_labels(["ImageNet", "ImageNet-v2"])[0].is_sure
    False

    With more tests, or another prompt, the questions are the same:

    >>> labels = ["MBPP", "MBPP+", "gsm8k", "gsm8k_cot"]
    >>> [pair.revision for pair in revised_labels(labels)]
    ['MBPP+', 'gsm8k_cot']
    """
    known = {label.strip().casefold(): label for label in labels}
    matches = {label: _revision().fullmatch(plain) for plain, label in known.items()}
    return [
        Revised(label, known[match["original"]], bool(match["sure"] or match["more"]))
        for label, match in matches.items()
        if match is not None and match["original"] in known
    ]
