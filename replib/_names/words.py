"""How names are taken apart: into English words in lower case."""

import re
from collections.abc import Iterable
from functools import lru_cache

from replib._names.languages import in_english

#: What is known of so many names is kept: a simulation asks for the same ones again.
MOST_NAMES = 10_000
#: A few words, in any language.
TERM = r"[^\W\d_]+(?:[ _'’-][^\W\d_]+){0,3}"
#: Such as "10", "1,000", "0.5" and "1e-3".
NUMBER = r"\d+(?:[.,]\d+)*(?:e[-+]?\d+)?"
#: Such as the one of "Avg (UCI)".
_BRACKETS_BEHIND = re.compile(r"(?<=.)[(\[].*?[)\]]")


def plain_text(name: object) -> str:
    """Return a name in lower case, without the blanks around it.

    >>> plain_text(" Fold "), plain_text("Datensatz")
    ('fold', 'data set')
    """
    return _plain_text(str(name))


@lru_cache(MOST_NAMES)
def _plain_text(name: str) -> str:
    return in_english(name).strip().casefold()


@lru_cache(MOST_NAMES)
def plain_words(name: str) -> str:
    """Return a name in lower case, with one blank for the signs between its words.

    >>> plain_words("F1-score ± (%)")
    'f1 score std %'
    """
    name = re.sub(r"±|\+/-", " std ", in_english(name).casefold())
    return re.sub(r"[^\w%]+|_+", " ", name).strip()


def without_bracket(label: str) -> str:
    """Return a label without the bracket at its end.

    >>> without_bracket("onnx (ms)"), without_bracket("onnx (ms) v2")
    ('onnx', 'onnx (ms) v2')
    """
    return re.sub(r" *[(\[][^()\[\]]*[)\]]$", "", label.strip())


def text_in_bracket(name: str) -> str | None:
    """Return what stands in the bracket at the end of a name, or None.

    >>> text_in_bracket("onnx (ms) "), text_in_bracket("onnx (ms) v2")
    ('ms', None)
    """
    match = re.search(r"[(\[]([^)\]]+)[)\]]$", name.strip())
    return match[1] if match else None


def split_at_capitals(name: str) -> str:
    """Return a name with a blank before each capital that follows a small letter.

    >>> split_at_capitals("valLoss"), split_at_capitals("patientID")
    ('val Loss', 'patient ID')
    """
    return re.sub(r"([a-z])([A-Z])", r"\1 \2", name)


def words_of_label(label: object) -> list[str]:
    """Return the words of a label in lower case, but for those in a bracket behind it.

    >>> words_of_label("Avg. (UCI)"), words_of_label("t-test")
    (['avg'], ['t-test'])
    """
    plain = _BRACKETS_BEHIND.sub("", in_english(label).casefold())
    return re.sub(r"[_.↑↓*†‡]", " ", plain).split()


def words_of_column(name: object) -> list[str]:
    """Return the words of a column's name in lower case.

    >>> words_of_column("patientID"), words_of_column("y_true")
    (['patient', 'id'], ['y', 'true'])
    """
    return re.findall(r"[^\W\d_]+", split_at_capitals(in_english(name)).casefold())


def matches_of_all(
    pattern: re.Pattern[str], texts: Iterable[str]
) -> list[re.Match[str]]:
    """Return the match of each whole text with a pattern, or nothing if one has none.

    >>> fold = re.compile("fold ([0-9])")
    >>> [match[1] for match in matches_of_all(fold, ["fold 1", "fold 2"])]
    ['1', '2']
    >>> matches_of_all(fold, ["fold 1", "iris"])
    []
    """
    matches = []
    for text in texts:
        match = pattern.fullmatch(text)
        if match is None:
            return []
        matches.append(match)
    return matches
