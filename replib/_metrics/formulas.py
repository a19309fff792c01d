"""Metrics of predictions as formulas: of single items, of counts of classes, of sums."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from replib._validation import Array

# ---------------------------------------------------------------- means over items


def right(truth: NDArray[np.int64], predicted: NDArray[np.int64]) -> Array:
    """Return 1 for each item whose class is predicted, else 0."""
    return (truth == predicted).astype(float)


def wrong(truth: NDArray[np.int64], predicted: NDArray[np.int64]) -> Array:
    """Return 1 for each item whose class is not predicted, else 0."""
    return (truth != predicted).astype(float)


def absolute_error(truth: Array, predicted: Array) -> Array:
    """Return the distance of each prediction from the truth."""
    return np.abs(predicted - truth)


def squared_error(truth: Array, predicted: Array) -> Array:
    """Return the squared distance of each prediction from the truth."""
    return (predicted - truth) ** 2


def brier(positive: Array, probability: Array) -> Array:
    """Return the squared distance of each probability from 1 or 0."""
    return squared_error(positive, probability)


def log_loss(positive: Array, probability: Array) -> Array:
    """Return minus the logarithm of the probability that each item's class was given.

    As in scikit-learn, probabilities are at least the precision of a float from 0 and 1.
    """
    of_class = np.where(positive == 1, probability, 1 - probability)
    smallest = np.finfo(float).eps
    return -np.log(np.clip(of_class, smallest, 1 - smallest))


#: Of truth and prediction, which are codes of classes.
OF_CODES: dict[str, Callable[..., Array]] = {"accuracy": right, "error_rate": wrong}
#: Of truth and prediction, which are numbers.
OF_NUMBERS: dict[str, Callable[..., Array]] = {
    "mean_absolute_error": absolute_error,
    "mean_squared_error": squared_error,
}
#: Of the truth, 1 for the positive of two classes and 0 for the other, and of the
#: probability of the positive one.
OF_PROBABILITIES: dict[str, Callable[..., Array]] = {
    "brier_score": brier,
    "log_loss": log_loss,
}
#: Means over items.
OF_ITEMS = OF_CODES | OF_NUMBERS | OF_PROBABILITIES

# ---------------------------------------------------------------- of counts of classes

# Each takes how often each class is true, is predicted, and is both at once (a hit), or
# what it needs of these: arrays of shape (classes, ...).


def recalls(true: Array, hits: Array) -> Array:
    """Return the share of each class that is found; 0 for a class without items."""
    return hits / np.maximum(true, 1)


def f1_scores(true: Array, predicted: Array, hits: Array) -> Array:
    """Return F1 of each class; 0 for a class that is neither true nor predicted."""
    return 2 * hits / np.maximum(true + predicted, 1)


def balanced_accuracy(true: Array, hits: Array) -> Array:
    """Return the mean recall of the classes that have items."""
    n_classes = np.maximum((true > 0).sum(axis=0), 1)
    return recalls(true, hits).sum(axis=0) / n_classes


def f1_of_positive(true: Array, predicted: Array, hits: Array) -> Array:
    """Return F1 of the second of two classes."""
    return f1_scores(true, predicted, hits)[1]


def precision_of_positive(true: Array, predicted: Array, hits: Array) -> Array:
    """Return the share of predictions of the second of two classes that are right."""
    return hits[1] / np.maximum(predicted[1], 1)


def recall_of_positive(true: Array, hits: Array) -> Array:
    """Return the share of a class that is found."""
    return recalls(true, hits)[0]


def f1_weighted(true: Array, predicted: Array, hits: Array) -> Array:
    """Return the mean F1 of the classes, weighted by how often each is true."""
    n = np.maximum(true.sum(axis=0), 1)
    return (true * f1_scores(true, predicted, hits)).sum(axis=0) / n


def f1_macro(true: Array, predicted: Array, hits: Array) -> Array:
    """Return the mean F1 of the classes that are true or predicted."""
    n_classes = np.maximum((true + predicted > 0).sum(axis=0), 1)
    return f1_scores(true, predicted, hits).sum(axis=0) / n_classes


def matthews_corrcoef(true: Array, predicted: Array, hits: Array) -> Array:
    """Return the correlation of truth and prediction; 0 where one of them is constant."""
    n = true.sum(axis=0)
    covariance = hits.sum(axis=0) * n - (true * predicted).sum(axis=0)
    spread_of_truth = n**2 - (true**2).sum(axis=0)
    spread_of_prediction = n**2 - (predicted**2).sum(axis=0)
    spread = np.sqrt(spread_of_truth * spread_of_prediction)
    return covariance / np.where(spread > 0, spread, np.inf)


OF_COUNTS: dict[str, Callable[..., Array]] = {
    "balanced_accuracy": balanced_accuracy,
    "f1": f1_of_positive,
    "f1_macro": f1_macro,
    "f1_weighted": f1_weighted,
    "precision": precision_of_positive,
    "recall": recall_of_positive,
    "matthews_corrcoef": matthews_corrcoef,
}

# ---------------------------------------------------------------- of sums over items

# Each takes the number of items and the sum of squared errors, and may take those of the
# truth and of its square: arrays of shape (1, ...).


def root_mean_squared_error(n: Array, errors: Array) -> Array:
    """Return the root of the mean squared error."""
    return np.sqrt(errors / n)[0]


def r2(n: Array, errors: Array, truth: Array, square: Array) -> Array:
    """Return the coefficient of determination; 0 where the truth is constant."""
    spread = square - truth**2 / n
    varies = spread > 0
    return np.where(varies, 1 - errors / np.where(varies, spread, 1), 0.0)[0]


OF_SUMS: dict[str, Callable[..., Array]] = {
    "root_mean_squared_error": root_mean_squared_error,
    "r2": r2,
}

# ---------------------------------------------------------------- of the order of items


def average_precision(
    positive: NDArray[np.bool_], scores: Array, weights: Array
) -> Array:
    """Return the mean precision at the recalls that the scores reach, for each sample.

    Parameters
    ----------
    positive : ndarray of bool, shape (items,)
    scores : ndarray, shape (items,)
    weights : ndarray, shape (samples, items)
        How often each item is in a sample.
    """
    order = np.argsort(-scores, kind="stable")
    in_order = scores[order]
    # items with equal scores are predicted together
    is_last = np.append(in_order[1:] != in_order[:-1], True)
    in_sample = weights[:, order]
    predicted = np.cumsum(in_sample, axis=1)[:, is_last]
    hits = np.cumsum(in_sample * positive[order], axis=1)[:, is_last]
    precision = hits / np.maximum(predicted, 1)
    new_hits = np.diff(hits, prepend=0, axis=1)
    return (new_hits * precision).sum(axis=1) / np.maximum(hits[:, -1], 1)


#: Of which items are positive, their scores, and how often each item is in a sample.
OF_ORDER: dict[str, Callable[..., Array]] = {"average_precision": average_precision}


def area(positive: NDArray[np.bool_], scores: Array, weights: Array) -> Array:
    """Return the area under the ROC curve of each sample; ½ for one without both classes.

    Parameters are those of :func:`average_precision`.
    """
    order = np.argsort(scores, kind="stable")
    in_order = scores[order]
    is_last = np.append(in_order[1:] != in_order[:-1], True)
    in_sample = weights[:, order]
    hits = np.cumsum(in_sample * positive[order], axis=1)[:, is_last]
    negatives = np.cumsum(in_sample * ~positive[order], axis=1)[:, is_last]
    # a tie counts half
    passed = negatives - np.diff(negatives, prepend=0, axis=1) / 2
    n_pairs = hits[:, -1] * negatives[:, -1]
    areas = (np.diff(hits, prepend=0, axis=1) * passed).sum(axis=1)
    return np.where(n_pairs > 0, areas / np.maximum(n_pairs, 1), 0.5)


def roc_auc_ovr(truth: NDArray[np.int64], scores: Array, weights: Array) -> Array:
    """Return the mean area of each class against all others (Provost and Domingos 2000).

    Parameters
    ----------
    truth : ndarray of int, shape (items,)
        Codes of classes.
    scores : ndarray, shape (items, classes)
    weights : ndarray, shape (samples, items)
    """
    areas = [
        area(truth == code, of_class, weights) for code, of_class in enumerate(scores.T)
    ]
    return np.mean(areas, axis=0)


#: Of the class of each item, the scores of all classes, and how often each item is there.
OF_ORDERS: dict[str, Callable[..., Array]] = {"roc_auc_ovr": roc_auc_ovr}

#: The area under the ROC curve is of its own kind: see :mod:`replib._metrics.placements`.
AREA = "roc_auc"
#: Metrics of one of two classes, the positive one, which is coded as 1.
OF_POSITIVE = (AREA, *OF_ORDER, *OF_PROBABILITIES, "f1", "precision", "recall")
KNOWN = (AREA, *OF_ORDER, *OF_ORDERS, *OF_COUNTS, *OF_SUMS, *OF_ITEMS)
#: Other names of these metrics.
SYNONYMS = {
    "acc": "accuracy",
    "brier": "brier_score",
    "brier_score_loss": "brier_score",
    "em": "accuracy",
    "exact_match": "accuracy",
    "error": "error_rate",
    "mae": "mean_absolute_error",
    "mse": "mean_squared_error",
    "rmse": "root_mean_squared_error",
}
