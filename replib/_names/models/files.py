"""What the names of files say about the data in them: which part, and which fold."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

from replib._names.labels.parts import SIDES, period_of_test
from replib._names.languages import in_english
from replib._names.models.families import (
    is_folder_of_data,
    is_network,
    is_place,
    is_test_set,
)
from replib._names.models.protocols import FileAnswer, answers_of_file
from replib._names.words import plain_text, plain_words, split_at_capitals
from replib._validation import joined

#: Such as "held-out", "out_of_domain" and "in time".
_SEVERAL_WORDS = re.compile(
    r"(held|hold|in|out)[ _-](?:of[ _-])?(out|domain|sample|time)(?![a-z])"
)
#: What says of which part of the data a file is: sides, a number, years, a name.
_N_KINDS_OF_PARTS = len(SIDES) + 3
#: Numbers of a part of the data.
_NUMBERED = re.compile(r"(?<![a-z])(?:fold|split|cv)[ _.-]?0*(\d{1,4})(?!\d)")


def notes_about_file_names(files: Mapping[str, Sequence[Path]]) -> Iterator[str]:
    """Note files, or folders, of models whose names say that they are about other data.

    >>> files = {"net": [Path("net_val.csv")], "tree": [Path("tree_test.csv")]}
    >>> list(notes_about_file_names(files))
    ['Files are called net_val.csv and tree_test.csv: are they about the same data?']
    >>> list(notes_about_file_names({**files, "tree": [Path("dev/tree.csv")]}))
    []
    >>> list(notes_about_file_names({"net": [Path("tree.csv")], "tree": [Path("net.csv")]}))
    ['net has the file tree.csv, and tree net.csv: are they exchanged?']
    """
    swapped = _swapped(files)
    if swapped is not None:
        a, b = swapped
        yield (
            f"{a} has the file {_name(files[a])}, and {b} {_name(files[b])}: "
            "are they exchanged?"
        )
    settings = _different_settings(files)
    if settings is not None:
        names = [str(_with_folder_of_setting(files[name][0])) for name in settings]
        yield f"Files are called {joined(names)}: are they scored in the same way?"
    models_of_parts = _models_of_different_parts(files)
    if models_of_parts is not None:
        names = [str(_shown(files[name][0])) for name in models_of_parts]
        yield f"Files are called {joined(names)}: are they about the same data?"


def _models_of_different_parts(
    files: Mapping[str, Sequence[Path]],
) -> tuple[str, str] | None:
    """Return two models whose files are all of some part of the data, and not of the same."""
    parts_of_files = {
        model: [_parts(path, model) for path in paths] for model, paths in files.items()
    }
    for kind in range(_N_KINDS_OF_PARTS):
        parts = {
            model: {parts_of_file[kind] for parts_of_file in of_model}
            for model, of_model in parts_of_files.items()
        }
        models = [model for model in parts if None not in parts[model]]
        for model in models[1:]:
            if parts[model] != parts[models[0]]:
                return models[0], model
    return None


def _different_settings(
    files: Mapping[str, Sequence[Path]],
) -> tuple[str, str] | None:
    """Return two models whose files name different settings of one kind, or None.

    If both files have the same other words, or a model is called after its setting, this
    is what is compared.
    """
    by_model = {model: _answers(paths[0]) for model, paths in files.items()}
    for a, b in combinations(files, 2):
        for question in by_model[a].keys() & by_model[b].keys():
            first, second = by_model[a][question], by_model[b][question]
            is_compared = _has_number(a, first) or _has_number(b, second)
            if first.answer == second.answer or first.rest == second.rest:
                continue
            if not is_compared and not _are_crossed(question, by_model):
                return a, b
    return None


def _answers(path: Path) -> dict[str, FileAnswer]:
    """Return what the name of a file, or else of its folder, says about how it was scored."""
    of_folder = {
        question: FileAnswer(answer.answer, f"{answer.rest}/{path.stem}")
        for question, answer in answers_of_file(path.parent.name).items()
    }
    return of_folder | answers_of_file(path.stem)


def _has_number(model: str, answer: FileAnswer) -> bool:
    """Return whether the name of a model has the numbers of a setting, or its word."""
    words = re.findall(r"[a-z]+|\d+", answer.answer.removeprefix("number"))
    return set(words) <= set(re.findall(r"[a-z]+|\d+", model.casefold()))


def _are_crossed(
    question: str, by_model: Mapping[str, Mapping[str, FileAnswer]]
) -> bool:
    """Return whether something else is there with several settings, or one has none."""
    answers = [of_model.get(question) for of_model in by_model.values()]
    rests = [answer.rest for answer in answers if answer is not None]
    return None in answers or len({*rests}) < len(rests)


def _swapped(files: Mapping[str, Sequence[Path]]) -> tuple[str, str] | None:
    """Return two models of which each has a file that is called after the other one."""
    names = {model: " ".join(path.stem for path in files[model]) for model in files}
    for a, b in combinations(files, 2):
        is_own = _says(names[a], a) or _says(names[b], b)
        if not is_own and _says(names[a], b) and _says(names[b], a):
            return a, b
    return None


def _says(text: str, model: str) -> bool:
    """Return whether a text has the name of a model in it, as words of its own."""
    words, name = (
        " ".join(re.findall(r"[a-z\d]+", x.casefold())) for x in (text, model)
    )
    return f" {name} " in f" {words} "


def _with_folder_of_setting(path: Path) -> Path:
    """Return the name of a file, with its folder if only this says how it was scored."""
    if answers_of_file(path.stem):
        return Path(path.name)
    return Path(path.parent.name, path.name)


def _name(paths: Sequence[Path]) -> str:
    return paths[0].name


def _parts(path: Path, model: str) -> list[object]:
    """Return the part of the data of each kind that a path speaks of, or None."""
    words = _words(path.stem, model)
    folder = _words(path.parent.name, model)
    text = plain_text(path.stem)
    numbers = _NUMBERED.findall(text)
    number = numbers[0] if len(numbers) == 1 else None
    sides = [_side(words, side) or _side(folder, side) for side in SIDES]
    return [*sides, number, period_of_test(path.stem), _data_set(path, model)]


def _data_set(path: Path, model: str) -> str | None:
    """Return the data set, or place, that the name of a file, or of its folder, speaks of.

    A folder may be called after what models were trained on, unless it has files that are
    called after the models.
    """
    for text in (path.stem, path.parent.name):
        rest = _without_words_of(text, model)
        if is_test_set(rest) or is_place(rest):
            return rest.replace(" ", "")
    is_of_model = not _without_words_of(path.stem, model) or is_network(path.stem)
    folder = path.parent.name
    return plain_words(folder) if is_of_model and is_folder_of_data(folder) else None


def _without_words_of(text: str, model: str) -> str:
    """Return the words of a text in lower case, but for those of a model."""
    of_model = set(re.findall(r"[^\W_]+", model.casefold()))
    words = re.findall(r"[^\W_]+", text.casefold())
    return " ".join(word for word in words if word not in of_model)


def _words(text: str, model: str) -> set[str]:
    """Return the words of a name, but for those of the model."""
    plain = split_at_capitals(in_english(text)).casefold()
    plain = _SEVERAL_WORDS.sub(r"\1\2", plain)
    words_of_model = re.findall(r"[a-z]+", model.casefold())
    words = set(re.findall(r"[a-z]+", plain)).difference(words_of_model)
    return {re.sub(r"(?<=.)(?:set|data|split)$", "", word) for word in words}


def _side(words: set[str], sides: tuple[set[str], ...]) -> str | None:
    """Return the first word of the only side that words speak of."""
    fitting = [side for side in sides if not side.isdisjoint(words)]
    return min(fitting[0]) if len(fitting) == 1 else None


def _shown(path: Path) -> Path:
    """Return the name of a file, with its folder if only this may speak of the data."""
    words = _words(path.stem, "")
    speaks = any(_side(words, side) for side in SIDES) or _NUMBERED.search(
        plain_text(path.stem)
    )
    return Path(path.name) if speaks else Path(path.parent.name, path.name)
