"""Truth and predictions in the form that a metric takes: codes of classes, or numbers."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from replib._metrics import formulas
from replib._notes.coding import are_coded_otherwise
from replib._positive import positive_class
from replib._validation import listed, refusal, scores_array, shown
from replib.scores import Metric, Predictions

#: Metrics whose predictions are classes.
_OF_CLASSES = (*formulas.OF_CODES, *formulas.OF_COUNTS)
#: Metrics whose predictions are scores or probabilities of the positive of two classes.
_OF_POSITIVE_SCORES = (formulas.AREA, *formulas.OF_ORDER, *formulas.OF_PROBABILITIES)


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
        known = ", ".join(formulas.KNOWN)
        raise refusal(
            f"metric {shown(name)} is not one of those of predictions, {known}",
            "for another one give function=, of the truth and the predictions of all items",
            "for another one give the score of each item, fold or seed",
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
    truth = _plain(predictions.truth)
    predicted = {model: _plain(block) for model, block in predictions.predicted.items()}
    if not name:
        return Coded(truth, predicted)
    if name in _OF_CLASSES:
        _refuse_several(predictions.metric, predicted)
    if name in (*formulas.OF_COUNTS, *formulas.OF_ORDERS, *_OF_POSITIVE_SCORES):
        _check_two_classes(predictions.metric, truth)
    if name in _OF_CLASSES:
        return _of_classes(predictions.metric, name, truth, predicted)
    numbers = {
        model: scores_array(f"{model}'s predictions", block)
        for model, block in predicted.items()
    }
    if name in formulas.OF_ORDERS:
        return _scores_of_classes(predictions.metric, truth, numbers)
    _refuse_several(predictions.metric, numbers)
    if name in _OF_POSITIVE_SCORES:
        return _scores_of_positive(predictions.metric, name, truth, numbers)
    values = scores_array("truth", truth)
    if name == "r2" and np.ptp(values) == 0:
        raise ValueError(
            f"r2 compares errors with the spread of the truth, and all items are {values[0]:g}"
        )
    return Coded(values, numbers)


def _plain(values: NDArray[Any]) -> NDArray[Any]:
    """Return an array of objects as one of text or numbers."""
    return np.array(values.tolist()) if values.dtype == object else values


def _of_classes(
    metric: Metric, name: str, truth: NDArray[Any], predicted: dict[str, NDArray[Any]]
) -> Coded:
    """Return checked classes as codes, or as they are if only their equality matters."""
    true_classes = np.unique(truth)
    of_models = {model: np.unique(block) for model, block in predicted.items()}
    are_classes = 2 * len(true_classes) <= truth.size
    _refuse_real_numbers(metric, predicted, true_classes, are_classes=are_classes)
    if are_classes:
        _check_coding(of_models, true_classes)
    are_alike = len({truth.dtype, *(x.dtype for x in predicted.values())}) == 1
    if name in formulas.OF_CODES and are_alike:
        return Coded(truth, predicted)
    classes = np.unique(np.concatenate([true_classes, *of_models.values()]))
    return _as_codes(metric, name, truth, predicted, classes)


def _as_codes(
    metric: Metric,
    name: str,
    truth: NDArray[Any],
    predicted: dict[str, NDArray[Any]],
    classes: NDArray[Any],
) -> Coded:
    """Return classes as whole numbers from 0; the positive one, if there is one, as 1."""
    code = np.arange(len(classes))
    if name in formulas.OF_POSITIVE:
        if len(classes) != 2:
            _refuse_other_code(truth, predicted)
            raise ValueError(
                f"{name} needs two classes, not {listed(classes)}: say {name}_macro"
            )
        code = (classes == positive_class(metric, classes)).astype(int)
    codes = {
        model: code[np.searchsorted(classes, block)]
        for model, block in predicted.items()
    }
    return Coded(code[np.searchsorted(classes, truth)], codes)


#: Digits after the point of a number that may be a class or an answer, such as 3.25.
_DIGITS_OF_ANSWERS = 6


def _refuse_real_numbers(
    metric: Metric,
    predicted: dict[str, NDArray[Any]],
    classes: NDArray[Any],
    *,
    are_classes: bool,
) -> None:
    """Refuse probabilities, and other real numbers, as predictions of classes."""
    for model, block in predicted.items():
        if block.dtype.kind != "f":
            continue
        is_real = ~np.isin(block, classes) & (block % 1 != 0)
        if not are_classes:
            # numbers as answers have few digits; those of a regression have all
            is_real &= block.round(_DIGITS_OF_ANSWERS) != block
        if is_real.mean() > 0.5:
            raise ValueError(
                f"{metric} is about classes, and {model} predicts numbers such as "
                f"{block[is_real][0]:.4g}: give the classes, or a metric of numbers such "
                "as roc_auc (probabilities) or rmse"
            )


def _check_coding(of_models: dict[str, NDArray[Any]], classes: NDArray[Any]) -> None:
    """Refuse a model that predicts none of the classes, each of which has several items."""
    for model, of_model in of_models.items():
        if not set(of_model.tolist()) & set(classes.tolist()):
            raise _other_coding(model, of_model, classes)


def _refuse_other_code(truth: NDArray[Any], predicted: dict[str, NDArray[Any]]) -> None:
    """Refuse a model that has another code than the truth for one of two classes."""
    for model, block in predicted.items():
        if are_coded_otherwise(block, truth):
            raise _other_coding(model, np.unique(block), np.unique(truth))


def _other_coding(
    model: str, of_model: NDArray[Any], classes: NDArray[Any]
) -> ValueError:
    """Return the error that says which codes a model has, and which the truth."""
    return ValueError(
        f"{model} predicts {listed(of_model)}, and the classes are {listed(classes)}: "
        "code them alike"
    )


def _check_two_classes(metric: Metric, truth: NDArray[Any]) -> None:
    """Refuse a truth with a single class, for which metrics of classes are undefined."""
    classes = np.unique(truth)
    if len(classes) < 2:
        raise ValueError(
            f"{metric} needs items of two classes or more, and all are {shown(classes[0])}"
        )


def _scores_of_positive(
    metric: Metric, name: str, truth: NDArray[Any], numbers: dict[str, NDArray[Any]]
) -> Coded:
    """Return which items are of the positive of two classes, and its scores."""
    classes, counts = np.unique(truth, return_counts=True)
    # DeLong's variance is one of each class
    least = 2 if name == formulas.AREA else 1
    if len(classes) != 2 or counts.min() < least:
        of_two = " of two items or more" if least == 2 else ""
        raise ValueError(f"{name} needs two classes{of_two}, not {listed(classes)}")
    positive = np.asarray(truth == positive_class(metric, classes))
    if name in formulas.OF_PROBABILITIES:
        _check_probabilities(metric, numbers)
        return Coded(positive.astype(float), numbers)
    if name in formulas.OF_ORDER:
        # two models whose scores have other scales are exchanged by their ranks
        numbers = {
            model: stats.rankdata(block, axis=-1) for model, block in numbers.items()
        }
    return Coded(positive, numbers)


def _scores_of_classes(
    metric: Metric, truth: NDArray[Any], numbers: dict[str, NDArray[Any]]
) -> Coded:
    """Return the codes of the classes, and the ranks of the items by the scores of each."""
    classes = np.unique(truth)
    for model, block in numbers.items():
        n_scores = block.shape[2] if block.ndim == 3 else 1
        if n_scores != len(classes):
            raise ValueError(
                f"{metric} needs a probability of each class, {listed(classes)}, and "
                f"{model} has {n_scores} for an item"
            )
    # two models whose scores have other scales are exchanged by their ranks
    ranks = {model: stats.rankdata(block, axis=1) for model, block in numbers.items()}
    return Coded(np.searchsorted(classes, truth), ranks)


def _refuse_several(metric: Metric, predicted: dict[str, NDArray[Any]]) -> None:
    """Refuse probabilities of all classes where a metric takes one answer for an item."""
    for model, block in predicted.items():
        if block.ndim > 2:
            raise ValueError(
                f"{metric} takes one prediction for an item, and {model} has "
                f"{block.shape[2]}: probabilities of each class are for roc_auc_ovr"
            )


def _check_probabilities(metric: Metric, numbers: dict[str, NDArray[Any]]) -> None:
    """Refuse predictions that are no probabilities."""
    for model, block in numbers.items():
        is_wrong = (block < 0) | (block > 1)
        if is_wrong.any():
            raise ValueError(
                f"{metric} is about probabilities of the positive class, and {model} "
                f"predicts {block[is_wrong][0]:.4g}"
            )
