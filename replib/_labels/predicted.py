"""Notes about predictions that by their names, or beside them, are none of the target."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replib._labels.coded_classes import notes_about_coded_classes
from replib._labels.models import notes_about_names
from replib._labels.nouns import SURE
from replib._labels.predicted_statistics import notes_about_predicted_statistics
from replib._names.labels.classes import is_no_class
from replib._names.metrics.mixed_units import different_units, says_scale
from replib._names.metrics.quantities import QUANTITIES_OF_NUMBERS, quantity_of_metric
from replib._names.things.items import names_a_group
from replib._names.things.kinds import kind_of_name
from replib._names.things.nouns import are_coordinates, called_like, noun_of_name
from replib._names.words import plain_words, words_of_column
from replib._validation import listed, shown
from replib.scores import Predictions

#: So many whole numbers in their order only count.
_FEWEST_COUNTED = 5
#: Predictions of the truth in its unit are seldom so many times larger or smaller.
_TIMES = 5
#: Fewer whole numbers are decisions.  Groups of items are also these kinds.
_FEWEST_GROUPS = 3
_GROUPED = {"fold", "split", "part of the data"}
#: How sure a noun may be that a name is that of identifiers.
_IDENTIFIERS = ("in_tables", "apart", "far", "whole")
#: Numbers that stand for no class, and share of the items that show it: another class may
#: be too rare to be found.
_CODES_OF_NO_CLASS = {-1, -9, -99, -999, 9, 99, 255, 999}
_SHARE_WITHOUT = 0.05


def notes_about_predictions(table: Predictions) -> Iterator[str]:
    """Note predictions that are none, in other units, or of classes that are no numbers."""
    yield from notes_about_names(table.models)
    yield from notes_about_predicted_statistics(table)
    yield from _items_without_class(table)
    for model in table.models:
        yield from _notes_on_name(model, table)
    units = different_units(table.models)
    if units is not None:
        yield (
            f"{listed(units)} have different units by their names: are their "
            "predictions in one?"
        )
    else:
        yield from _other_scale(table)
    yield from notes_about_coded_classes(table)


def _other_scale(table: Predictions) -> Iterator[str]:
    """Note a model that is of another size than the truth, and says a unit or a scale."""
    if quantity_of_metric(table.metric.name) not in QUANTITIES_OF_NUMBERS:
        return
    if table.truth.dtype.kind not in "iuf":
        return
    sizes = {
        model: np.median(np.abs(values))
        for model, values in table.predicted.items()
        if values.dtype.kind in "iuf"
    }
    size = np.median(np.abs(table.truth))
    odd = [model for model in sizes if _are_apart(sizes[model], size)]
    if len(odd) == len(sizes):
        return
    for model in odd:
        if says_scale(model, table.models):
            yield (
                f"{model} says a unit or a scale, and its predictions are about "
                f"{sizes[model]:.3g}, those of the truth {size:.3g}: are they in one?"
            )


def _are_apart(first: float, second: float) -> bool:
    """Return whether of two sizes one is many times the other."""
    small, large = sorted([first, second])
    return bool(small > 0 and large > _TIMES * small)


def _items_without_class(table: Predictions) -> Iterator[str]:
    """Note a class of the truth that no model predicts, and that says there is none."""
    for label in chain(_classes_of_no_class(table), _codes_of_no_class(table)):
        n_items = np.count_nonzero(table.truth.astype(str) == str(label))
        yield (
            f"No model predicts {shown(label)}, the truth of {n_items} items: leave these "
            "out if they have no class."
        )


def _classes_of_no_class(table: Predictions) -> Iterator[str]:
    """Yield the classes in words that say there is none, and that no model predicts."""
    if table.truth.dtype.kind not in "OUS":
        return
    predicted = {
        plain_words(str(label))  # or the probabilities of all classes
        for values in table.predicted.values()
        for label in pd.unique(values.ravel()).tolist()
    }
    for label in np.unique(table.truth.astype(str)).tolist():
        if is_no_class(label) and plain_words(label) not in predicted:
            yield label


def _codes_of_no_class(table: Predictions) -> Iterator[int]:
    """Yield the code of many items without a class, beside classes that are counted from 0.

    Some model predicts each of the others, so that none is missed by all.
    """
    blocks = [*table.predicted.values()]
    if any(values.dtype.kind not in "iu" for values in (table.truth, *blocks)):
        return
    if quantity_of_metric(table.metric.name) in QUANTITIES_OF_NUMBERS:
        return
    numbers = {*pd.unique(table.truth).tolist()}
    codes = numbers & _CODES_OF_NO_CLASS
    classes = numbers - codes
    predicted = {*pd.unique(np.concatenate([x.ravel() for x in blocks])).tolist()}
    are_counted = classes == {*range(len(classes))} and len(classes) > 1
    if not are_counted or predicted != classes:
        return
    for code in sorted(codes - {len(classes)}):
        if np.count_nonzero(table.truth == code) >= _SHARE_WITHOUT * table.truth.size:
            yield code


def _notes_on_name(model: str, table: Predictions) -> Iterator[str]:
    """Note what is known of the items by its name: a coordinate, a weight, an identifier."""
    noun = noun_of_name(model, *SURE)
    if are_coordinates(model, table.models):
        noun = "coordinates"
    values = table.predicted[model][0]
    if noun is None and _are_different(values) and not _are_different(table.truth):
        if noun_of_name(model, *_IDENTIFIERS) == "identifiers":
            noun = "identifiers"
        elif _are_in_order(values):
            yield f"{model} counts the items: is it a model?"
            return
    if noun is None and _may_group(model) and _has_other_numbers(model, table):
        yield f"{model} is called like a group of the items: is it a model?"
    elif noun not in (None, "the truth"):
        yield f"{model} is called like {called_like(noun)}: is it a model?"


def _may_group(model: str) -> bool:
    """Return whether a model is called like what has several items: "mol_id", "fold".

    A patient may be asked, too, and "Cluster-GCN" is no column.
    """
    if noun_of_name(model, *_IDENTIFIERS) == "identifiers":
        return True
    words = words_of_column(model)
    has_form_of_column = len(words) == 1 or model == model.casefold()
    if not words or not has_form_of_column or kind_of_name(model) == "person":
        return False
    return kind_of_name(model) in _GROUPED or names_a_group(words[-1])


def _has_other_numbers(model: str, table: Predictions) -> bool:
    """Return whether a model has several whole numbers, and others have fractions or classes."""
    numbers = _whole_numbers(table.predicted[model])
    numbers_of_rivals = [
        _whole_numbers(values)
        for name, values in table.predicted.items()
        if not _may_group(name)
    ]
    if len(numbers) < _FEWEST_GROUPS or not numbers_of_rivals:
        return False
    if not any(numbers_of_rivals):
        return True  # all rivals have fractions
    classes = _whole_numbers(table.truth)
    have_classes = all(rival and rival <= classes for rival in numbers_of_rivals)
    return have_classes and not numbers <= classes


def _whole_numbers(values: NDArray[Any]) -> set[float]:
    """Return different numbers if all are whole; else nothing."""
    if values.dtype.kind not in "iuf" or (values % 1 != 0).any():
        return set()
    return {*pd.unique(values.ravel()).tolist()}


def _are_different(values: NDArray[Any]) -> bool:
    """Return whether values are whole numbers, of which there are several, and none twice."""
    if values.dtype.kind not in "iuf" or values.size < _FEWEST_COUNTED:
        return False
    return bool((values % 1 == 0).all()) and np.unique(values).size == values.size


def _are_in_order(values: NDArray[Any]) -> bool:
    """Return whether each number is by one larger than the one before."""
    return bool((np.diff(values) == 1).all())
