"""Notes about predictions of a metric of numbers that are codes of classes, such as 11 and 41."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from replib._names.metrics.quantities import QUANTITIES_OF_NUMBERS, quantity_of_metric
from replib._names.words import words_of_column
from replib._validation import listed
from replib.scores import Predictions

#: Last words of names of what is one of several kinds.
_CLASSES = {
    *("class", "classes", "cls", "code", "codes", "categories", "category", "label"),
    *("labels", "species", "type", "types"),
}
#: Fewer, or more, different whole numbers may be numbers.
_FEWEST_CLASSES = 4
_MOST_CLASSES = 100
#: So many items show that numbers have fractions.
_FIRST_ITEMS = 100
#: Of few numbers, wrong ones are never far away.
_FEWEST_UNORDERED = 6
#: Counts begin with as many numbers that follow each other.
_FEWEST_IN_A_ROW = 3
#: Classes show by what is predicted: this share of each, on average, is right, and of so many
#: wrong ones, none are more than by this share nearer to the truth than others of them are.
_SHARE_RIGHT = 0.5
_FEWEST_WRONG = 50
_NEARER = 0.1


def notes_about_coded_classes(table: Predictions) -> Iterator[str]:
    """Note codes of classes by names, or else by what is predicted, if nothing noted them."""
    note = note_on_codes_of_classes(
        table.columns.get("truth"), table.metric.name, table.truth, table.predicted
    ) or _note_on_codes_without_names(table)
    if note is not None and note not in table.notes:
        yield note


def note_on_codes_of_classes(
    name: Any, metric: str, truth: NDArray[Any], predicted: Mapping[str, NDArray[Any]]
) -> str | None:
    """Ask about codes of classes, such as 11, 21 and 41, of which a metric of numbers is taken.

    The truth or all models are called so; items need not be in the same order in all.
    """
    if not _are_called_classes([name]) and not _are_called_classes(predicted):
        return None
    codes = _possible_codes(metric, truth, predicted)
    return None if codes is None else _note_on_codes(codes, metric)


def _note_on_codes_without_names(table: Predictions) -> str | None:
    """Ask about codes that no name says: what is predicted is right, or else anything."""
    metric = table.metric.name
    codes = _possible_codes(metric, table.truth, table.predicted)
    if codes is None or not _are_unordered(codes, table.truth, table.predicted):
        return None
    return _note_on_codes(codes, metric)


def _possible_codes(
    metric: str, truth: NDArray[Any], predicted: Mapping[str, NDArray[Any]]
) -> NDArray[Any] | None:
    """Return the whole numbers of the truth if all models predict these; else None.

    Classes that are numbered evenly may be in an order, and be numbers.
    """
    if quantity_of_metric(metric) not in QUANTITIES_OF_NUMBERS:
        return None
    if any(values.dtype.kind not in "iuf" for values in (truth, *predicted.values())):
        return None
    if (truth[:_FIRST_ITEMS] % 1 != 0).any():
        return None  # as in most tables
    codes = np.unique(truth)
    if not _FEWEST_CLASSES <= codes.size <= _MOST_CLASSES or (codes % 1 != 0).any():
        return None
    are_even = np.ptp(np.diff(codes)) == 0
    if are_even or not all(np.isin(x, codes).all() for x in predicted.values()):
        return None
    return codes


def _note_on_codes(codes: NDArray[Any], metric: str) -> str:
    return (
        f"The truth has the whole numbers {listed(codes[:3])} and so on, and all models "
        f"predict these: are they codes of classes? Then {metric} says nothing."
    )


def _are_unordered(
    codes: NDArray[Any], truth: NDArray[Any], predicted: Mapping[str, NDArray[Any]]
) -> bool:
    """Return whether predictions are mostly right, and wrong ones as often far as near.

    Those of numbers, such as of marks, are near to the truth where they are wrong.
    """
    if codes.size < _FEWEST_UNORDERED or _may_be_numbers(codes):
        return False
    true = np.searchsorted(codes, truth)
    answers = [np.searchsorted(codes, values) for values in predicted.values()]
    if any(_share_right(of_model, true) < _SHARE_RIGHT for of_model in answers):
        return False
    runs = np.concatenate(answers)
    is_wrong = runs != true
    if np.count_nonzero(is_wrong) < _FEWEST_WRONG:
        return False
    distances = np.abs(runs - true)[is_wrong]
    usual_distances = [
        _usual_distances(run[wrong], codes.size)[true[wrong]]
        for run, wrong in zip(runs, is_wrong)
    ]
    nearest = (1 - _NEARER) * np.concatenate(usual_distances).mean()
    return bool(distances.mean() >= nearest)


def _may_be_numbers(codes: NDArray[Any]) -> bool:
    """Return whether codes have growing steps, as 16, 32 and 64, or are counts from 0 or 1."""
    first = codes[:_FEWEST_IN_A_ROW]
    are_counts = first[0] in (0, 1) and (np.diff(first) == 1).all()
    return bool(are_counts or (np.diff(codes, 2) >= 0).all())


def _share_right(answers: NDArray[np.intp], true: NDArray[np.intp]) -> float:
    """Return which share of each class is right, on average over classes."""
    is_right = (answers == true).mean(axis=0)
    return float((np.bincount(true, weights=is_right) / np.bincount(true)).mean())


def _usual_distances(answers: NDArray[np.intp], n_codes: int) -> NDArray[np.float64]:
    """Return how far from each code are, on average, all answers that are another one."""
    counts = np.bincount(answers, minlength=n_codes)
    places = np.arange(n_codes)
    distances = np.abs(places[:, None] - places)
    weights = np.where(distances > 0, counts, 0)
    return (weights * distances).sum(axis=1) / np.maximum(weights.sum(axis=1), 1)


def _are_called_classes(names: Iterable[Any]) -> bool:
    """Return whether all names are those of what is one of several kinds."""
    return all(not _CLASSES.isdisjoint(words_of_column(name)[-1:]) for name in names)


__all__ = ["note_on_codes_of_classes", "notes_about_coded_classes"]
