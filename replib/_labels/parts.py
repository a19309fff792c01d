"""Notes about models and data sets that are called like parts of the data: train and test."""

import re
from collections.abc import Iterator, Mapping, Sequence

from replib._labels.texts import labels_of_key, texts_like_names, texts_of_key
from replib._names.labels.evaluations import are_evaluations
from replib._names.labels.parts import (
    TESTED,
    TRAINED,
    are_of_different_parts,
    are_parts,
    parts_and_rest,
    period_of_test,
)
from replib._names.labels.training_parts import (
    is_of_training,
    is_scored_on_training,
    is_training_part,
)
from replib._names.metrics.named import is_name_of_metric
from replib._names.words import plain_text, words_of_label
from replib._validation import listed, shown
from replib.designs import Items
from replib.scores import Predictions, Scores

#: More rows are no parts of the data.
_MOST_PARTS = 10
#: So many items are looked at.
_MOST_ITEMS = 10_000
#: Such as "train/601" and "mbpp-test-11".
_PART_OF_ITEM = re.compile(
    rf"(?:[^\W_]*[\W_])?({'|'.join([*sorted(TRAINED | TESTED)])})[\W_]+\d",
    re.IGNORECASE,
)


def notes_about_parts(table: Scores | Predictions) -> Iterator[str]:
    """Note models, or data sets, that are parts of the data."""
    yield from _data_sets(table)
    yield from _items(table)
    if isinstance(table, Scores):
        yield from _models(table)


def _models(table: Scores) -> Iterator[str]:
    """Note models that are called like parts of the data, or like ways of evaluation.

    Such are train and test, svm_val and svm_test, CV and public LB.
    """
    parts_of_stem = _parts_by_stem(table.models)
    if any(len(parts) > 1 for parts in parts_of_stem.values()):
        yield f"{_called(table)}: are they parts of the data?"
        return
    if are_evaluations(table.models):
        yield f"{_called(table)}: are they ways of evaluation?"
        return
    are_of_training = all(map(is_scored_on_training, table.models))
    if are_of_training and not is_of_training(table.metric.name):
        yield f"{_called(table)}: are they scored on training data?"
    periods = [period_of_test(model) for model in table.models]
    are_of_several = None not in periods and len({*periods}) > 1
    if are_of_different_parts(table.models) or are_of_several:
        yield f"{_called(table)}: are they scored on different parts of the data?"


def _called(table: Scores) -> str:
    return f"The models are called {listed(table.models)}"


def _parts_by_stem(models: Sequence[str]) -> dict[str, set[str]]:
    """Return the parts of the data that names have beside one stem."""
    stems: dict[str, set[str]] = {}
    for model in models:
        # "svm-test", but not "test-time training"
        words = words_of_label(re.sub(r"-(?=[a-z]+$)", " ", plain_text(model)))
        if words and words[-1] not in TRAINED | TESTED:
            words = words_of_label(model)
        parts = [word for word in words if word in TRAINED | TESTED]
        stem = " ".join(word for word in words if word not in parts)
        if not parts and is_name_of_metric(model):
            parts = ["train"]  # Keras writes "accuracy" and "val_accuracy"
        if len(parts) == 1:
            stems.setdefault(stem, set()).update(parts)
    return stems


def _data_sets(table: Scores | Predictions) -> Iterator[str]:
    """Note data sets of which there is a part for training, and rows that are parts."""
    labels = {plain_text(text): text for text in texts_like_names(table, "dataset")}
    tasks = [] if table.strata is None else table.strata.tasks
    note = (
        _note_on_pairs(labels)
        or _note_on_parts_of_one([*labels.values()])
        or _note_on_rows(table)
        or _note_on_training([*labels.values(), *tasks])
    )
    if note is not None:
        yield note


def _note_on_pairs(labels: Mapping[str, str]) -> str | None:
    """Ask about a data set for training and the same one for tests, by labels in lower case."""
    for plain, text in labels.items():
        test_set = re.sub(r"(?<![a-z])train(?:ing)?(?![a-z])", "test", plain)
        if test_set != plain and test_set in labels:
            return (
                f"{shown(text)} and {shown(labels[test_set])} are parts of one data "
                "set: choose the rows of test data."
            )
    return None


def _note_on_parts_of_one(labels: Sequence[str]) -> str | None:
    parts_of_one = _parts_of_one(labels)
    if parts_of_one is None:
        return None
    return (
        f"{listed(parts_of_one)} are parts of one data set by their labels: choose the "
        "rows of test data."
    )


def _note_on_rows(table: Scores | Predictions) -> str | None:
    """Ask about rows that are all parts of the data, or all ways of evaluation."""
    for key in ("dataset", "run", "fold"):
        texts = texts_of_key(table, key)
        if len(texts) > _MOST_PARTS:
            continue
        if are_parts(texts):
            return f"The rows are called {listed(texts)}: are they parts of the data?"
        if are_evaluations(texts) and not re.search(r"\d", "".join(texts)):
            return f"The rows are called {listed(texts)}: are they ways of evaluation?"
    return None


def _note_on_training(labels: Sequence[str]) -> str | None:
    """Ask about the first data set, or task, that is a part for training."""
    for text in labels:
        if is_training_part(text):
            return (
                f"{shown(text)} is a part for training by its label: is it tested on?"
            )
    return None


def _parts_of_one(labels: Sequence[str]) -> tuple[str, str] | None:
    """Return two labels that name two parts of the data beside the same words, or None."""
    first: dict[str, tuple[set[str], str]] = {}
    for label in labels:
        parts, rest = parts_and_rest(label)
        if len(parts) != 1 or not rest:
            continue
        parts_before, label_before = first.setdefault(rest, (parts, label))
        if parts_before != parts:
            return label_before, label
    return None


def _items(table: Scores | Predictions) -> Iterator[str]:
    """Note items of the training part among those of another, as "train/601" and "test/11"."""
    if not isinstance(table.design, Items):
        return
    labels = labels_of_key(table, "item")[:_MOST_ITEMS]
    texts = [label for label in labels if isinstance(label, str)]
    first: dict[str, str] = {}
    for text in texts:
        match = _PART_OF_ITEM.match(text)
        if match is not None:
            first.setdefault(match[1].casefold(), text)
    trained = first.keys() & TRAINED
    if trained and first.keys() - TRAINED:
        yield (
            f"Item {shown(first[min(trained)])} is of the training part by its label, and "
            f"{shown(first[min(first.keys() - TRAINED)])} is not: are both tested on?"
        )
