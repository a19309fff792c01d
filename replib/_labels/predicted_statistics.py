"""Notes about predictions that are a statistic of those of another model: errors and limits."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from replib._names.labels.statistics import Statistic, is_limit, statistics_by_name
from replib._names.metrics.quantities import QUANTITIES_OF_NUMBERS, quantity_of_metric
from replib._validation import listed
from replib.scores import Predictions

#: Kinds of statistics of which models are called, too: their numbers must tell.
_SPREADS = ("other", "uncertainty")
_ENDS = ("end", "paired end")
#: Of probabilities.
_LARGEST_SPREAD = 0.5
#: In fewer items, the predictions of a model may be on one side of those of another by chance.
_FEWEST_ON_A_SIDE = 20


def notes_about_predicted_statistics(table: Predictions) -> Iterator[str]:
    """Note predictions that by their name, and their numbers, are a statistic of a model's."""
    names_of_model: dict[str, list[str]] = {}
    for statistic in statistics_by_name(table.models):
        if is_limit(statistic.name):
            continue  # is noted whatever is beside it
        if _is_statistic(statistic, table):
            names = names_of_model.setdefault(statistic.model, [])
            if statistic.name not in names:
                names.append(statistic.name)
    for model, names in names_of_model.items():
        if len(names) > 1:
            yield f"{listed(names)} are called like statistics of {model}: are they models?"
        else:
            yield f"{listed(names)} is called like a statistic of {model}: is it a model?"


def _is_statistic(statistic: Statistic, table: Predictions) -> bool:
    """Return whether what is called like a statistic of a model may have its numbers.

    Nothing but a statistic is called after a standard error.  Other spreads predict the
    truth worse than its mean does, as the model itself does not.
    """
    if statistic.kind == "statistic":
        return True
    numbers, of_model = (
        table.predicted[name] for name in (statistic.name, statistic.model)
    )
    if any(
        values.dtype.kind not in "iuf" for values in (table.truth, numbers, of_model)
    ):
        return False
    of_numbers = quantity_of_metric(table.metric.name) in QUANTITIES_OF_NUMBERS
    if statistic.kind in _ENDS:
        may_be_end = of_numbers or _are_fractions(of_model)
        return may_be_end and _are_on_side(numbers, of_model, statistic.side)
    if statistic.kind not in _SPREADS:
        return False
    if not of_numbers and not (_are_fractions(of_model) and _may_be_spread(numbers)):
        return False
    is_predicted = not _is_worse_than_mean(of_model, table.truth)
    return is_predicted and _is_worse_than_mean(numbers, table.truth)


def _are_fractions(numbers: NDArray[Any]) -> bool:
    """Return whether numbers may be probabilities, and are no classes.

    Of classes, one threshold gives larger ones than another one.
    """
    return bool(numbers.min() >= 0 and numbers.max() <= 1 and (numbers % 1 > 0).any())


def _may_be_spread(numbers: NDArray[Any]) -> bool:
    """Return whether numbers may be standard deviations of probabilities."""
    return bool(numbers.min() >= 0 and numbers.max() <= _LARGEST_SPREAD)


def _are_on_side(numbers: NDArray[Any], of_model: NDArray[Any], side: int) -> bool:
    """Return whether no prediction is on the other side of that of a model, and some on this."""
    if numbers.shape != of_model.shape or numbers.size < _FEWEST_ON_A_SIDE:
        return False
    away = side * (numbers - of_model)
    return bool((away >= 0).all() and (away > 0).any())


def _is_worse_than_mean(numbers: NDArray[Any], truth: NDArray[Any]) -> bool:
    """Return whether the squared error of predictions is larger than that of the truth's mean."""
    return bool(np.mean((numbers - truth) ** 2) > np.var(truth))
