"""Codes: languages such as "de", "pt-BR" and "en-de", and letters with numbers such as "D1"."""

import re
from collections.abc import Sequence

#: Two letters each (ISO 639-1), of those that language technology is tested on.
_CODES_IN_ORDER = (
    "af am ar as az be bg bn bo br bs ca cs cy da de el en eo es et eu fa fi fr ga gd gl"
    " gu ha he hi hr ht hu hy id ig is it ja jv ka kk km kn ko ky lb ln lo lt lv mg mi mk"
    " ml mn mr ms mt my nb ne nl nn no ny om or pa pl ps pt qu ro ru rw sd si sk sl sm sn"
    " so sq sr st su sv sw ta te tg th ti tk tl tr tt ug uk ur uz vi wo xh yi yo zh zu"
)
_CODES = {*_CODES_IN_ORDER.split()}
#: A language, perhaps with a country or a script.
_LANGUAGE = re.compile(
    r"(?P<code>[a-z]{2})(?:[-_](?:[a-z]{2}|hans|hant|latn|cyrl))?|[a-z]{3}_[a-z]{4}"
)
_ARROW = r" *(?:-|_|–|→|⇒|->|=>|2|/|\bto\b) *"
_PAIR = re.compile(rf"(?P<source>[a-z]{{2}}){_ARROW}(?P<target>[a-z]{{2}})")
#: All pairs with one language: "into English", "En→X", "xx-en".
_SIDE = re.compile(
    r"(?:(?:translations? )?(?:in ?to|out of|from|to)|(?:x|xx|any|all|many)(?: ?[-_–→>]+ ?))"
    r" *(?:en|eng|english)|(?:en|eng|english) ?[-_–→>]+ ?(?:x|xx|any|all|many)"
)
#: A letter and its number, as leagues, rooms and channels have them.
_LETTER_AND_NUMBER = re.compile(r"(?P<letters>[A-Z])\d{1,2}")
#: Beside each other, these are short for metrics: "P1", "R1" and "F1".
_LETTERS_OF_METRICS = {"F", "P", "R"}
_INITIALS = re.compile(r"[A-Z]{2}")
#: Fewer names of two letters may be anything.
_FEWEST = 3


def is_pair(label: str) -> bool:
    """Return whether a label is a pair of languages.

    >>> is_pair("en-de"), is_pair("cs → en"), is_pair("lr-gb")
    (True, True, False)
    """
    match = _PAIR.fullmatch(label.strip().casefold())
    if match is None or match["source"] == match["target"]:
        return False
    return {match["source"], match["target"]} <= _CODES


def are_languages(labels: Sequence[str]) -> bool:
    """Return whether labels are all codes of languages, or all pairs of them.

    >>> are_languages(["de", "zh-CN", "sw"]), are_languages(["en-de", "de-en", "en-fr"])
    (True, True)
    >>> are_languages(["nb", "lr", "rf"]), are_languages(["de", "nb"])
    (False, False)
    """
    if len(labels) < _FEWEST:
        return False
    matches = [_LANGUAGE.fullmatch(label.strip().casefold()) for label in labels]
    if all(match and match["code"] in {None, *_CODES} for match in matches):
        return True
    return all(map(is_pair, labels))


def codes(labels: Sequence[str]) -> set[str]:
    """Return the labels that are a letter and a number, if several are, with several letters.

    >>> sorted(codes(["D1", "E0", "F1", "iris"])), codes(["P1", "R1", "F1"])
    (['D1', 'E0', 'F1'], set())
    """
    matches = [_LETTER_AND_NUMBER.fullmatch(label.strip()) for label in labels]
    letters = {match["letters"] for match in matches if match is not None}
    if len(letters) < _FEWEST or letters <= _LETTERS_OF_METRICS:
        return set()
    return {label for label, match in zip(labels, matches) if match is not None}


def initials(labels: Sequence[str]) -> set[str]:
    """Return the labels of two capitals, if half of all are such: states, countries.

    >>> sorted(initials(["OH", "TX", "SD", "Guam"])), initials(["OH", "iris", "wine", "SD", "zoo"])
    (['OH', 'SD', 'TX'], set())
    """
    known = {label for label in labels if _INITIALS.fullmatch(label.strip())}
    are_many = len(known) >= _FEWEST and 2 * len(known) >= len(labels)
    return known if are_many else set()


def totals_of_pairs(labels: Sequence[str]) -> list[str]:
    """Return the labels that summarise the others, if these are pairs of languages.

    >>> totals_of_pairs(["en-de", "en-fr", "de-en", "into English"])
    ['into English']
    >>> totals_of_pairs(["into English", "out of English"])
    []
    """
    totals = [label for label in labels if _SIDE.fullmatch(label.strip().casefold())]
    n_pairs = sum(map(is_pair, labels))
    return totals if n_pairs >= max(_FEWEST, len(totals)) else []
