"""Data from inside, and from outside, what was trained on, by their labels: "id", "ood"."""

import re
from collections.abc import Iterable

from replib._names.labels.parts import PART_OF_WORD
from replib._names.words import plain_text, plain_words

#: Such as "in-domain" and "out of distribution".
_SEVERAL_DOMAINS = re.compile(
    r"(?<![a-z])(in|out)[-_ ](?:of[-_ ])?(?:domain|distribution)(?![a-z])"
)
#: Words for data from inside, and from outside, what was trained on.
_DOMAINS = {
    **dict.fromkeys(["id", "iid", "ind", "indomain"], "in"),
    **dict.fromkeys(["ood", "outdomain"], "out"),
}


def domains_of_one(labels: Iterable[str]) -> tuple[str, str] | None:
    """Return two labels of data from inside and outside the domain of one set, or None.

    >>> domains_of_one(["OC20 val_id", "OC20 val_ood_ads", "OC22 val_id"])
    ('OC20 val_id', 'OC20 val_ood_ads')
    >>> domains_of_one(["FMoW OOD", "Camelyon OOD", "XCOPA id"]) is None
    True
    """
    first: dict[str, tuple[str, str]] = {}
    for label in labels:
        name, domain = _name_and_domain(label)
        if domain is None:
            continue
        first_domain, first_label = first.setdefault(name, (domain, label))
        if first_domain != domain:
            return first_label, label
    return None


def _name_and_domain(label: str) -> tuple[str, str | None]:
    """Return the words before that of a domain, without those of parts, and the domain."""
    plain = _SEVERAL_DOMAINS.sub(r"\1domain", plain_text(label))
    words = plain_words(plain).split()
    indices = [index for index, word in enumerate(words) if word in _DOMAINS]
    if len(indices) != 1:
        return "", None
    (index,) = indices
    name = " ".join(word for word in words[:index] if word not in PART_OF_WORD)
    return name, _DOMAINS[words[index]]
