"""Notes about models, and data sets, whose names differ in case, in signs or in an owner only."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from replib._labels.texts import texts_like_names
from replib._names.models.families import without_owner
from replib._validation import listed
from replib.scores import Predictions, Scores

#: Shorter names may differ in a sign that matters: "A-B" is a difference.
_SHORTEST = 3


def notes_about_spellings(table: Scores | Predictions) -> Iterator[str]:
    """Note models, or data sets, of one table whose names differ in case or signs only.

    Of models, one may have its owner before its name, and the other one not.
    """
    yield from _alike("model", table.models)
    yield from _with_and_without_owner(table.models)
    yield from _alike("data set", texts_like_names(table, "dataset"))
    if table.strata is not None:
        yield from _alike("task", table.strata.tasks)


def _alike(thing: str, names: Sequence[str]) -> Iterator[str]:
    """Note names that differ in case, or in the signs between words."""
    by_look: dict[str, list[str]] = {}
    for name in names:
        by_look.setdefault(_look(name), []).append(name)
    for alike in by_look.values():
        if len(alike) == 1:
            continue
        in_case = len({name.casefold() for name in alike}) == 1
        difference = "case" if in_case else "case or in signs"
        yield (
            f"{thing.capitalize()}s {listed(alike)} differ only in {difference}: are they "
            f"one {thing}?"
        )


def _with_and_without_owner(models: Sequence[str]) -> Iterator[str]:
    """Note a model with its owner before its name, and one without; two owners have two."""
    owned: dict[str, list[str]] = {}
    for model in models:
        bare = without_owner(model)
        if bare is not None:
            owned.setdefault(_look(bare), []).append(model)
    for model in models:
        with_owner = owned.get(_look(model), [])
        if len(with_owner) == 1:
            yield (
                f"Models {listed([*with_owner, model])} differ only in an owner: are they "
                "one model?"
            )


def _look(name: str) -> str:
    """Return a name without case, and without the signs between its words.

    Between two digits, and in "1e-3", a sign matters.

    >>> _look("CIFAR-10"), _look("llama-1-3b"), _look("lr 1e-3")
    ('cifar10', 'llama1 3b', 'lr1e-3')
    """
    plain = unicodedata.normalize("NFKC", name).casefold()
    plain = re.sub(r"(?<=\d)[-_ ](?=\d)", "\0", plain)
    words = re.sub(r"(?<=[^\W_])(?<!\de)[-_ ](?=[^\W_])", " ", plain)
    short = words.replace(" ", "")
    return (short if len(short) >= _SHORTEST else words).replace("\0", " ")
