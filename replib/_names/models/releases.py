"""Names of models in a release: the one that is in use, and the one under test."""

import re

from replib._names.words import plain_words, split_at_capitals

#: Words of a model that another one is tested against.
_REFERENCES = {
    *("base", "baseline", "before", "champion", "control", "current", "deployed"),
    *("existing", "former", "incumbent", "legacy", "live", "main", "master", "old"),
    *("original", "prev", "previous", "prod", "production", "ref", "reference"),
    *("released", "stable", "trunk", "upstream"),
}
#: Words of the one under test.
_CANDIDATES = {
    *("after", "candidate", "canary", "challenger", "changed", "contender", "current"),
    *("dev", "develop", "experiment", "experimental", "feature", "head", "modified"),
    *("mr", "new", "nightly", "patch", "patched", "pr", "proposal", "proposed", "pull"),
    *("rc", "refactor", "refactored", "shadow", "staging", "treatment", "updated"),
    *("variant",),
}
#: "v2", "v1.10", and months or days.
_VERSION = re.compile(r"(?<![^\W_])(?:v|20(?=\d\d[-_]?\d\d))\d+(?:[._-]\d+)*(?![^\W_])")


def is_tested_against(model: str, reference: str) -> bool:
    """Return whether by their names one model is a candidate for the place of another.

    >>> is_tested_against("candidate", "production"), is_tested_against("pr-1432", "main")
    (True, True)
    >>> is_tested_against("ranker_v2", "ranker_v1"), is_tested_against("svm", "baseline")
    (True, False)
    """
    if _is_later_version(model, reference):
        return True
    words, words_of_reference = _words(model), _words(reference)
    only_reference = words_of_reference - words
    return (
        bool(only_reference)
        and only_reference <= _REFERENCES
        and not _CANDIDATES.isdisjoint(words - words_of_reference)
    )


def _words(name: str) -> set[str]:
    """Return the words of a name that are no numbers."""
    words = plain_words(split_at_capitals(name)).split()
    return {word for word in words if word.isalpha()}


def _is_later_version(model: str, reference: str) -> bool:
    """Return whether two names differ in a version only, and the first has the later one."""
    if _VERSION.sub("", model) != _VERSION.sub("", reference):
        return False
    versions, earlier = (_versions(name) for name in (model, reference))
    return len(versions) == len(earlier) and versions > earlier


def _versions(name: str) -> list[list[int]]:
    """Return the numbers of each version in a name."""
    return [
        [int(number) for number in re.findall(r"\d+", version)]
        for version in _VERSION.findall(name)
    ]
