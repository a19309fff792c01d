"""Notes about models and data sets that are called like parts of the data: train and test."""

import re
from collections.abc import Iterator

import pandas as pd

from replib._labels.units import texts_of_key
from replib._names.labels import TESTED, TRAINED, words_of_label
from replib._names.metrics import (
    direction_of_metric,
    is_name_of_metric,
    quantity_of_metric,
)
from replib._validation import listed, shown
from replib.scores import Predictions, Scores


def notes_about_parts(table: Scores | Predictions) -> Iterator[str]:
    """Note models, or data sets, that are parts of the data.

    Parameters
    ----------
    table : Scores or Predictions

    Yields
    ------
    str
    """
    if isinstance(table.frame, pd.DataFrame):  # arrays have no labels
        yield from _data_sets(table)
    if isinstance(table, Scores):
        yield from _models(table)
        yield from _metrics(table)


def _models(table: Scores) -> Iterator[str]:
    """Note models that are called like parts of the data: train and test, svm_val and svm_test."""
    stems: dict[str, set[str]] = {}
    last: list[str] = []
    for model in table.models:
        # "svm-test", but not "test-time training"
        words = words_of_label(re.sub(r"-(?=[a-z]+$)", " ", model.casefold()))
        if words and words[-1] not in TRAINED | TESTED:
            words = words_of_label(model)
        parts = [word for word in words if word in TRAINED | TESTED]
        stem = " ".join(word for word in words if word not in parts)
        if len(parts) == 1:
            stems.setdefault(stem, set()).update(parts)
        if parts and words[-1] == parts[-1]:
            last.append(words[-1])
    if len(last) == len(table.models) and len(set(last)) > 1:
        stems[""] = {*last}
    if any(len(parts) > 1 for parts in stems.values()):
        yield f"The models are called {listed(table.models)}: are they parts of the data?"


def _metrics(table: Scores) -> Iterator[str]:
    """Note models that are called like several metrics, alone or of one model each.

    Losses alone are models that were trained with them.
    """
    named = [model for model in table.models if is_name_of_metric(model)]
    if named and len(named) < len(table.models):
        yield f"{named[0]} is called like a metric: is it a model?"
    quantities: dict[str, set[str]] = {}
    for model in table.models:
        quantity = quantity_of_metric(model)
        if quantity is None or direction_of_metric(model) != "higher":
            return
        stem = " ".join(words_of_label(model.replace("-", " "))[:-1])
        quantities.setdefault(stem, set()).add(quantity)
    of_one_model = [len(several) > 1 for several in quantities.values()]
    if any(of_one_model) or (list(quantities) == [""] and len(table.models) > 1):
        yield f"The models are called {listed(table.models)}: are they metrics?"


def _data_sets(table: Scores | Predictions) -> Iterator[str]:
    """Note data sets of which there is a part for training and one for testing."""
    labels = {text.casefold(): text for text in texts_of_key(table, "dataset")}
    for plain, text in labels.items():
        other = re.sub(r"(?<![a-z])train(?:ing)?(?![a-z])", "test", plain)
        if other != plain and other in labels:
            yield (
                f"{shown(text)} and {shown(labels[other])} are parts of one data set: "
                "choose the rows of test data."
            )
            return
