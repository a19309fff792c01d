"""Truth and predictions in the form that a metric takes: codes of classes, or numbers."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from replib._metrics import formulas
from replib._validation import listed, scores_array, shown
from replib.scores import Predictions

#: Metrics whose predictions are classes.
_OF_CLASSES = (*formulas.OF_CODES, *formulas.OF_COUNTS)


class Coded(NamedTuple):
    """What a metric is computed from.

    Attributes
    ----------
    truth : ndarray, shape (items,)
    predicted : dict of ndarray, shape (runs, items)
    """

    truth: NDArray[Any]
    predicted: dict[str, NDArray[Any]]


def metric_name(predictions: Predictions) -> str:
    """Return the name of a known metric; "" for a function that a person gave."""
    if predictions.function is not None:
        return ""
    name = formulas.SYNONYMS.get(predictions.metric.name, predictions.metric.name)
    if name not in formulas.KNOWN:
        raise ValueError(
            f"metric {shown(name)} of predictions needs function=, a function of the truth and the "
            f"predictions of all items: without it there are {', '.join(formulas.KNOWN)}"
        )
    return name


def coded(predictions: Predictions) -> Coded:
    """Return truth and predictions as codes of classes, as numbers, or for a function as given.

    Raises
    ------
    ValueError
        If the metric is not known and has no function, or the predictions do not fit it.
    """
    name = metric_name(predictions)
    truth = np.array(predictions.truth.tolist())
    predicted = {
        model: np.array(block.tolist())
        for model, block in predictions.predicted.items()
    }
    if name in _OF_CLASSES:
        return _as_codes(name, truth, predicted)
    if not name:
        return Coded(truth, predicted)
    numbers = {
        model: scores_array(f"{model}'s predictions", block)
        for model, block in predicted.items()
    }
    if name == formulas.AREA:
        return Coded(_is_positive(truth), numbers)
    return Coded(scores_array("truth", truth), numbers)


def _as_codes(
    name: str, truth: NDArray[Any], predicted: dict[str, NDArray[Any]]
) -> Coded:
    """Return classes as whole numbers from 0."""
    for model, block in predicted.items():
        _check_classes(model, block, truth)
    blocks = [block.ravel() for block in predicted.values()]
    classes = np.unique(np.concatenate([truth, *blocks]))
    if name == "f1" and len(classes) != 2:
        raise ValueError(f"f1 needs two classes, not {listed(classes)}: say f1_macro")
    codes = {
        model: np.searchsorted(classes, block) for model, block in predicted.items()
    }
    return Coded(np.searchsorted(classes, truth), codes)


def _check_classes(model: str, predicted: NDArray[Any], truth: NDArray[Any]) -> None:
    """Refuse a model that predicts none of the classes, each of which has several items."""
    of_model = np.unique(predicted)
    classes = np.unique(truth)
    in_common = set(of_model.tolist()) & set(classes.tolist())
    are_classes = 2 * len(classes) <= truth.size
    if are_classes and not in_common:
        raise ValueError(
            f"{model} predicts {listed(of_model)}, and the classes are "
            f"{listed(classes)}: code them alike"
        )


def _is_positive(truth: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which items are of the second of two classes."""
    classes, counts = np.unique(truth, return_counts=True)
    if len(classes) != 2 or counts.min() < 2:
        raise ValueError(
            f"roc_auc needs two classes of two items or more, not {listed(classes)}"
        )
    return np.asarray(truth == classes[1])
