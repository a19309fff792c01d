"""Names in other languages: their words in English, before anything is asked of them.

The lists of words in this package are English.  ``replib/data/names/words.toml`` says what words
of other languages mean, and here a name is rewritten: "Fehlerquote (Test)" is asked as
"error rate (test)" is.  Sentences name things as they are called, not as they were asked.
"""

import re
import unicodedata
from functools import cache, lru_cache
from typing import NamedTuple

from replib._names.tables import table_of_words

#: What is known of so many names, or words, is kept.
_MOST_NAMES = 30_000
#: Words, also those of "idMenage", and what no term has between its words.
_WORD = re.compile(r"[A-Z]?[a-zß-öø-ÿ]+|[^\W\d_]+|\d+|[^\w\s.'’-]")
#: Shorter words are no first parts of a compound, and have no plural.
_SHORTEST_PART = 4
#: Between the parts of a compound: "Trainingsfehler", "Klassenanzahl".
_LINKS = ("", "s", "es", "n", "en", "e", "er", "-")
#: Of which "s" makes a plural, or "es" behind these letters: "repeticiones", "unidades".
_PLURALS: dict[str, str | tuple[str, ...]] = {"s": "", "es": ("d", "l", "n", "r")}
#: These stand before the things that are counted, in any language.
_NUMBERS = {"num", "number"}


class _Vocabulary(NamedTuple):
    """Words of other languages.

    Attributes
    ----------
    english : dict
        By the words of a term, without those between them.
    longest : dict
        Most words of a term, with those between them, by its first word.
    of_compounds : set of str
        Words that may be parts of a compound.
    with_plural : set of str
        Words of languages in which "s" makes a plural.
    between : set of str
        Words between a thing and what it is of.
    ambiguous : dict
        Words that may be names of other things, too.
    english_words : set of str
        Words that are English.
    """

    english: dict[tuple[str, ...], str]
    longest: dict[str, int]
    of_compounds: set[str]
    with_plural: set[str]
    between: set[str]
    ambiguous: dict[str, str]
    english_words: set[str]


class _Piece(NamedTuple):
    """A part of a name: some of its words, and what they are in English, if this is known."""

    start: int
    end: int
    english: str | None


@cache
def words_in_order() -> dict[str, list[str]]:
    """Return what follows each other, such as the months, as a text for each language."""
    return {
        things: [
            spelling
            for text in texts.values()
            for spelling in (text, _without_accents(text))
        ]
        for things, texts in table_of_words("words")["in_order"].items()
    }


@cache
def _vocabulary() -> _Vocabulary:
    """Return the words of other languages; a program that asks no names does not read them."""
    tables = dict(table_of_words("words"))
    del tables["in_order"]
    compounds, accented, between = (
        tables.pop(key) for key in ("compounds", "accented", "between")
    )
    ambiguous = {
        term.casefold(): english
        for english, terms in tables.pop("ambiguous").items()
        for term in terms
    }
    vocabulary = _Vocabulary({}, {}, set(), set(), set(between), ambiguous, set())
    for language, table in tables.items():
        spellings = vocabulary.of_compounds
        if language not in compounds:
            spellings = vocabulary.with_plural
        for english, terms in table.items():
            vocabulary.english_words.update(english.split())
            for term in terms:
                for spelling in _spellings(term, has_accents=term in accented):
                    words = _WORD.findall(spelling)
                    before = vocabulary.longest.get(words[0], 1)
                    vocabulary.longest[words[0]] = max(before, len(words))
                    key = tuple(word for word in words if word not in between)
                    vocabulary.english[key] = english
                    spellings.add(spelling)
    return vocabulary


def _spellings(term: str, *, has_accents: bool) -> set[str]:
    """Return a term in lower case, also without its accents, unless it has to have them."""
    plain = term.casefold()
    if has_accents or plain.isascii():
        return {plain}
    umlauts = plain.translate({ord("ä"): "ae", ord("ö"): "oe", ord("ü"): "ue"})
    return {plain, _without_accents(plain), _without_accents(umlauts)}


def _without_accents(text: str) -> str:
    """Return a text without its accents.

    >>> _without_accents("itération")
    'iteration'
    """
    letters = unicodedata.normalize("NFD", text)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def in_english(name: object, *, ambiguous: bool = False) -> str:
    """Return a name with the words of other languages that are known in English.

    Words that may well be names of other things are left, unless values tell what is meant.

    >>> in_english("taux_d'erreur (test)"), in_english("Versuchspersonennummer"), in_english("svm")
    ('error rate (test)', 'participant number', 'svm')
    """
    text = str(name)
    if ambiguous:
        known = _vocabulary().ambiguous
        text = _WORD.sub(lambda word: known.get(word[0].casefold(), word[0]), text)
    return _in_english(text)


@lru_cache(_MOST_NAMES)
def _in_english(name: str) -> str:
    name_in_one_form = unicodedata.normalize("NFC", name)
    matches = [*_WORD.finditer(name_in_one_form)]
    words = [match[0].casefold() for match in matches]
    pieces = _pieces(words)
    if all(piece.english is None for piece in pieces):
        return name
    texts, end = [], 0
    for piece in pieces:
        if piece.english is None:
            continue
        start = matches[piece.start].start()
        texts.append(name_in_one_form[end:start])
        is_inside = start > 0 and name_in_one_form[start - 1].isalpha()
        texts.append(piece.english.capitalize() if is_inside else piece.english)
        end = matches[piece.end - 1].end()
    return "".join([*texts, name_in_one_form[end:]])


def _pieces(words: list[str]) -> list[_Piece]:
    """Return the terms of a name, of several words before those of one, and its other words."""
    vocabulary = _vocabulary()
    pieces: list[_Piece] = []
    start = 0
    while start < len(words):
        piece = _term(words, start)
        if _is_of_number(words, pieces, start):
            piece = piece._replace(english="of")
        is_of = start > 1 and words[start - 1] in vocabulary.between
        owner = piece.english or words[start]
        is_known = piece.english is not None or owner in vocabulary.english_words
        if is_of and is_known and pieces[-2].english:
            piece = _joined(pieces[-2], piece._replace(english=owner))
            del pieces[-2:]
        pieces.append(piece)
        start = piece.end
    return pieces


def _is_of_number(words: list[str], pieces: list[_Piece], start: int) -> bool:
    """Return whether a word stands between a known one and a number: "moyenne de 5"."""
    if not pieces or pieces[-1].english is None:
        return False
    is_between = words[start] in _vocabulary().between
    return is_between and any(word.isdecimal() for word in words[start + 1 : start + 2])


def _joined(thing: _Piece, owner: _Piece) -> _Piece:
    """Return "erreur" and "test" of "erreur de test" as a test error."""
    english = f"{owner.english} {thing.english}"
    if thing.english in _NUMBERS:
        english = f"num {owner.english}"
    return _Piece(thing.start, owner.end, english)


def _term(words: list[str], start: int) -> _Piece:
    """Return the longest term that begins at a word, or this word."""
    vocabulary = _vocabulary()
    longest = vocabulary.longest.get(words[start], 1)
    for end in range(min(len(words), start + longest), start + 1, -1):
        term = [word for word in words[start:end] if word not in vocabulary.between]
        if words[end - 1] in term and tuple(term) in vocabulary.english:
            return _Piece(start, end, vocabulary.english[tuple(term)])
    return _Piece(start, start + 1, _english_word(words[start]))


@lru_cache(_MOST_NAMES)
def _english_word(word: str) -> str | None:
    """Return a word, in lower case, in English, or None for one that is not known."""
    vocabulary = _vocabulary()
    if (word,) in vocabulary.english:
        return vocabulary.english[word,]
    if len(word) < _SHORTEST_PART:
        return None
    if word in vocabulary.english_words:
        return None  # "series" has no plural
    for ending, letters in _PLURALS.items():
        singular = word.removesuffix(ending)
        is_plural = _SHORTEST_PART <= len(singular) < len(word)
        if (
            is_plural
            and singular.endswith(letters)
            and singular in vocabulary.with_plural
        ):
            return _plural(vocabulary.english[singular,])
    return _genitive(word) or _compound(word)


def _genitive(word: str) -> str | None:
    """Return in English whose something is, as of a "Haushalts-Nr", or None."""
    owner = word.removesuffix("s")
    is_short = len(owner) < _SHORTEST_PART or owner.endswith("e")
    if is_short or owner not in _vocabulary().of_compounds:
        return None
    english = _vocabulary().english[owner,]
    return None if english == owner else english


def _plural(word: str) -> str:
    if re.search("[^aeou]y$", word):
        return f"{word[:-1]}ies"
    return word + ("es" if word.endswith("s") else "s")


def _compound(word: str) -> str | None:
    """Return in English what two words are that are written as one, or None."""
    vocabulary = _vocabulary()
    for cut in range(len(word) - 2, _SHORTEST_PART - 1, -1):
        last = word[cut:]
        if last not in vocabulary.of_compounds:
            continue
        for link in _LINKS:
            first = word[:cut].removesuffix(link)
            if first + link == word[:cut] and first in vocabulary.of_compounds:
                english = vocabulary.english[first,], vocabulary.english[last,]
                # "testposition" may be English
                return None if english == (first, last) else " ".join(english)
    return None


__all__ = ["in_english", "words_in_order"]
