"""What names of models say about how, or on which data, they were scored.

The end of a name, or a bracket behind it, is taken for such a word only beside a model
with another answer to the same question: ``replib/data/names/protocols.toml`` has them.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
from typing import NamedTuple

from replib._names.metrics.quantities import quantity_of_metric
from replib._names.models.families import is_short_for_test_set, is_test_set
from replib._names.tables import pattern_of, table_of_words
from replib._names.words import MOST_NAMES, plain_text, plain_words

_BRACKET = re.compile(r"(?P<stem>.*\S)\s*[(\[](?P<end>[^()\[\]]+)[)\]]")
_SEPARATOR = re.compile(r"[-_@:=/., ]+")
#: Ends of names of files of weights.
_WEIGHTS = {"bin", "ckpt", "h5", "onnx", "pt", "pth", "safetensors"}
#: Ends of names have so many words.
_MOST_WORDS = 4
#: Ends such as "data-1m" and "data-20m".
_SIZED = re.compile(r"(?P<letters>[a-z]+) ?(?P<number>\d+ ?[km])")
#: Of these, models have the size, or were trained on them.
_NO_TEST_SETS = {"context", "ctx", "in", "imagenet", "laion", "params", "size", "vocab"}


@cache
def _questions() -> dict[str, dict[str, re.Pattern[str]]]:
    """Return the patterns of the answers to each question about a model."""
    questions, _ = _all_questions()
    return questions


@cache
def _questions_about_files() -> dict[str, list[tuple[str, re.Pattern[str]]]]:
    """Return the answers to each question about a file, with those about a model."""
    about_files: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
    limited = {
        x
        for of_some in table_of_words("protocols")["asked_of"].values()
        for x in of_some
    }
    for questions in _all_questions():
        for question, answers in questions.items():
            if question in limited:
                continue  # of a file, no metric is known
            about_files.setdefault(question, []).extend(answers.items())
    return about_files


@cache
def _all_questions() -> tuple[
    dict[str, dict[str, re.Pattern[str]]], dict[str, dict[str, re.Pattern[str]]]
]:
    """Return the questions about models, and those about files only."""
    tables = dict(table_of_words("protocols"))
    of_files = tables.pop("of_files")
    del tables["asked_of"], tables["metrics"]
    of_models, of_files = (
        {
            question: {answer: pattern_of(x) for answer, x in answers.items()}
            for question, answers in questions.items()
        }
        for questions in (tables, of_files)
    )
    return of_models, of_files


def different_protocols(
    names: Sequence[str], metric: str = ""
) -> tuple[str, str] | None:
    """Return two names that give different answers to how a model was scored, or None.

    Some questions are asked beside some metrics only.

    >>> different_protocols(["NeuMF (100 negatives)", "EASE (full ranking)"])
    ('NeuMF (100 negatives)', 'EASE (full ranking)')
    >>> different_protocols(["lasso (alpha=0.1)", "lasso (alpha=1)"]) is None
    True
    >>> different_protocols(["yolo (T4)", "detr (A100)"], metric="latency_ms")
    ('yolo (T4)', 'detr (A100)')

    Models that have both answers are what is compared:

    >>> different_protocols([f"{x} ({n}-shot)" for x in ("a", "b") for n in (0, 5)]) is None
    True
    """
    ends = [end.words for name in names for end in _ends(name)]
    for question in dict.fromkeys(
        question for end in ends for question in _answers(end)
    ):
        if not _fits_metric(question, metric):
            continue
        pair = _different(names, partial(_answer, question=question))
        if pair is not None:
            return pair
    return None


def different_test_sets(names: Sequence[str]) -> tuple[str, str] | None:
    """Return two names that end in different data sets, as all names do, or None.

    >>> different_test_sets(["sasrec_ml-1m", "bert4rec_ml-20m"])
    ('sasrec_ml-1m', 'bert4rec_ml-20m')
    >>> different_test_sets(["vit_in-1k", "swin_in-22k"]) is None
    True
    """
    if not all(map(_ends, names)):
        return None
    sized = [{_size(end.words) for end in _ends(name)} - {None} for name in names]
    shared = set.intersection(*sized) if sized else set()
    if len(shared) == 1:
        (letters,) = shared
        return _different(names, partial(_sized_set, letters=letters))
    are_known = any(is_test_set(end.words) for name in names for end in _ends(name))
    return _different(names, _test_set, of_all=True) if are_known else None


def _sized_set(end: "_End", letters: str | None) -> str | None:
    """Return the end of a name if it is that of a data set with these letters and a size."""
    return end.words if _size(end.words) == letters else None


def _test_set(end: "_End") -> str | None:
    """Return the end of a name if it is that of data that models are tested on, beside such."""
    is_known = is_test_set(end.words) or is_short_for_test_set(end.words)
    return end.words if is_known else None


def _size(end: str) -> str | None:
    """Return the letters of an end such as "data-1m", if it is that of a data set."""
    match = _SIZED.fullmatch(end)
    if match is None or match["letters"] in _NO_TEST_SETS:
        return None
    return match["letters"]


@lru_cache(MOST_NAMES)
def _answers(end: str) -> dict[str, str]:
    """Return the answers that the end of a name gives, with its number, by question."""
    number = "".join(re.findall(r"\d+", end))
    by_question = {}
    for question, answers in _questions().items():
        for answer, pattern in answers.items():
            if pattern.fullmatch(end):
                by_question[question] = f"{answer} {number}"
    return by_question


class FileAnswer(NamedTuple):
    """What the name of a file says about how a model was scored, and its other words."""

    answer: str
    rest: str


def answers_of_file(stem: str) -> dict[str, FileAnswer]:
    """Return by question what the name of a file says about how a model was scored.

    >>> answers_of_file("sasrec_top10")["cutoff"]
    FileAnswer(answer='number 10', rest='sasrec')
    >>> answers_of_file("resnet50")
    {}
    """
    words = plain_words(plain_text(stem).replace("@", " at ")).split()
    answers: dict[str, FileAnswer] = {}
    for size in range(_MOST_WORDS, 0, -1):
        for start in range(len(words) - size + 1):
            piece = " ".join(words[start : start + size])
            rest = " ".join([*words[:start], *words[start + size :]])
            for question, patterns in _questions_about_files().items():
                for answer, pattern in patterns:
                    if question not in answers and pattern.fullmatch(piece):
                        number = " ".join(re.findall(r"\d+", piece))
                        says = f"{answer} {number}".strip()
                        answers[question] = FileAnswer(says, rest)
    return answers


def _answer(end: "_End", question: str) -> str | None:
    """Return the answer that the end of a name gives to a question, or None."""
    of_brackets = table_of_words("protocols")["asked_of"]["brackets"]
    if question in of_brackets and not end.in_bracket:
        return None
    return _answers(end.words).get(question)


@lru_cache(MOST_NAMES)
def _fits_metric(question: str, metric: str) -> bool:
    """Return whether a question is asked beside a metric: of any, if it is asked of no kind."""
    tables = table_of_words("protocols")
    kinds = [kind for kind in tables["metrics"] if question in tables["asked_of"][kind]]
    words = f" {plain_words(metric)} "
    return not kinds or any(
        quantity_of_metric(metric) == phrase or f" {phrase} " in words
        for kind in kinds
        for phrase in tables["metrics"][kind]
    )


def _different(
    names: Sequence[str],
    answer: "Callable[[_End], str | None]",
    *,
    of_all: bool = False,
) -> tuple[str, str] | None:
    """Return two names with different answers, if no model has several of them.

    Without brackets, all models must have an answer.
    """
    first: dict[str, str] = {}
    stems = set()
    n_answers = 0
    for name in names:
        ends = [end for end in _ends(name) if answer(end) is not None]
        if not ends:
            continue
        end = ends[0]
        if end.stem in stems:
            return None
        of_all = of_all or not end.in_bracket
        stems.add(end.stem)
        n_answers += 1
        first.setdefault(str(answer(end)), name)
    if len(first) < 2 or (of_all and n_answers < len(names)):
        return None
    a, b, *_ = first.values()
    return a, b


class _End(NamedTuple):
    """The end of a name, or the bracket behind it."""

    stem: str
    words: str
    in_bracket: bool


@lru_cache(MOST_NAMES)
def _ends(name: str) -> tuple[_End, ...]:
    """Return the bracket behind a name, or its last words, one to several."""
    plain = plain_text(name)
    match = _BRACKET.fullmatch(plain)
    if match is not None:
        stem = plain_words(match["stem"])
        pieces = re.split("[,;]", match["end"])
        return tuple(_End(stem, plain_words(piece), True) for piece in pieces)
    words = [word for word in _SEPARATOR.split(plain) if word]
    if words[1:] and words[-1] in _WEIGHTS:
        words.pop()
    cuts = range(max(1, len(words) - _MOST_WORDS), len(words))
    return tuple(
        _End(" ".join(words[:cut]), " ".join(words[cut:]), False) for cut in cuts
    )
