"""Notes about predictions that by their names, or beside them, are none of the target."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from replib._labels.models import notes_about_names
from replib._labels.nouns import SURE
from replib._names.labels.classes import is_no_class
from replib._names.metrics.mixed_units import different_units
from replib._names.metrics.quantities import QUANTITIES_OF_NUMBERS, quantity_of_metric
from replib._names.things.nouns import are_coordinates, called_like, noun_of_name
from replib._names.words import plain_words, words_of_column
from replib._validation import listed, shown
from replib.scores import Predictions

#: So many whole numbers in their order only count.
_FEWEST_COUNTED = 5
#: How sure a noun may be that a name is that of identifiers.
_IDENTIFIERS = ("in_tables", "apart", "far", "whole")
#: Last words of names of what is one of several kinds.
_CLASSES = {
    *("class", "classes", "cls", "code", "codes", "categories", "category", "label"),
    *("labels", "species", "type", "types"),
}
#: Fewer, or more, different whole numbers may be numbers.
_FEWEST_CLASSES = 4
_MOST_CLASSES = 100


def notes_about_predictions(table: Predictions) -> Iterator[str]:
    """Note predictions that are none, in other units, or of classes that are no numbers."""
    yield from notes_about_names(table.models)
    yield from _items_without_class(table)
    for model in table.models:
        yield from _no_predictions(model, table)
    units = different_units(table.models)
    if units is not None:
        yield (
            f"{listed(units)} have different units by their names: are their "
            "predictions in one?"
        )
    about_codes = notes_about_codes_of_classes(
        table.columns.get("truth"), table.metric.name, table.truth, table.predicted
    )
    yield from (note for note in about_codes if note not in table.notes)


def _items_without_class(table: Predictions) -> Iterator[str]:
    """Note a class of the truth that no model predicts, and that says there is none."""
    if table.truth.dtype.kind not in "OUS":
        return
    classes = {str(label) for label in np.unique(table.truth.astype(str))}
    without = [label for label in sorted(classes) if is_no_class(label)]
    if not without:
        return
    predicted = {
        plain_words(label)
        for values in table.predicted.values()
        for label in np.unique(values.astype(str)).tolist()
    }
    for label in without:
        if plain_words(label) not in predicted:
            n_items = np.count_nonzero(table.truth.astype(str) == label)
            yield (
                f"No model predicts {shown(label)}, the truth of {n_items} items: leave "
                "these out if they have no class."
            )


def _no_predictions(model: str, table: Predictions) -> Iterator[str]:
    """Note what is known of the items by its name: a coordinate, a weight, an identifier."""
    noun = noun_of_name(model, *SURE)
    if are_coordinates(model, table.models):
        noun = "coordinates"
    values = table.predicted[model][0]
    if noun is None and _are_different(values) and not _are_different(table.truth):
        noun = noun_of_name(model, *_IDENTIFIERS)
        if noun != "identifiers" and not _are_in_order(values):
            return
        if noun != "identifiers":
            yield f"{model} counts the items: is it a model?"
            return
    if noun not in (None, "the truth"):
        yield f"{model} is called like {called_like(noun)}: is it a model?"


def notes_about_codes_of_classes(
    name: Any, metric: str, truth: NDArray[Any], predicted: dict[str, NDArray[Any]]
) -> Iterator[str]:
    """Note codes of classes, such as 11, 21 and 41, of which a metric of numbers is taken.

    Classes that are numbered evenly may be in an order, and be numbers.
    """
    if quantity_of_metric(metric) not in QUANTITIES_OF_NUMBERS:
        return
    if not _is_of_classes([name]) and not _is_of_classes(predicted):
        return
    if any(values.dtype.kind not in "iuf" for values in (truth, *predicted.values())):
        return
    codes = np.unique(truth)
    if not _FEWEST_CLASSES <= codes.size <= _MOST_CLASSES or (codes % 1 != 0).any():
        return
    are_even = np.ptp(np.diff(codes)) == 0
    if are_even or not all(np.isin(x, codes).all() for x in predicted.values()):
        return
    yield (
        f"The truth has the whole numbers {listed(codes[:3])} and so on, and all models "
        f"predict these: are they codes of classes? Then {metric} says nothing."
    )


def _is_of_classes(names: Iterable[Any]) -> bool:
    """Return whether all names are those of what is one of several kinds."""
    return all(not _CLASSES.isdisjoint(words_of_column(name)[-1:]) for name in names)


def _are_different(values: NDArray[Any]) -> bool:
    """Return whether values are whole numbers, of which there are several, and none twice."""
    if values.dtype.kind not in "iuf" or values.size < _FEWEST_COUNTED:
        return False
    return bool((values % 1 == 0).all()) and np.unique(values).size == values.size


def _are_in_order(values: NDArray[Any]) -> bool:
    """Return whether each number is by one larger than the one before."""
    return bool((np.diff(values) == 1).all())
