"""Notes about areas under the ROC curve of classes instead of scores, or of the wrong class."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from replib._names.models.learners import only_decides
from replib._notes.coding import distinct_numbers
from replib._validation import shown
from replib.scores import PROBABILITY_METRICS, Predictions, Scores

#: Standard errors below the area of chance that right data have in one case of 30,000.
FARTHEST_BELOW_CHANCE = 4.0
#: Classes, and answers on a scale, are fewer.
_FEWEST_SCORES_OF_A_MODEL = 20


def notes_about_areas(
    table: Scores | Predictions, areas: Mapping[str, float]
) -> Iterator[str]:
    """Note areas under the ROC curve of classes instead of scores, or of the wrong class.

    Parameters
    ----------
    table : Scores or Predictions
    areas : mapping of float
        Value of the metric of each model.
    """
    if not isinstance(table, Predictions) or table.function is not None:
        return
    if table.metric.name not in PROBABILITY_METRICS:
        return
    if all(map(_has_two_values, table.predicted.values())):
        yield (
            f"All models predict two values only, as classes are: {table.metric.name} is "
            "about scores or probabilities of the positive class."
        )
    else:
        yield from _classes_beside_scores(table)
    if table.clusters is None:  # else items depend on each other, with another error
        yield from _areas_below_chance(table, areas)


def _areas_below_chance(
    table: Predictions, areas: Mapping[str, float]
) -> Iterator[str]:
    """Note models that may have scores of the other class."""
    classes, counts = np.unique(table.truth, return_counts=True)
    negative, positive = classes.tolist()
    if str(table.metric.positive) == str(negative):
        negative, positive = positive, negative
    if table.metric.name != "roc_auc":
        is_positive = table.truth == positive
        areas = {
            model: _area(predicted, is_positive)
            for model, predicted in table.predicted.items()
        }
    # of scores that have nothing to do with the classes, as in the test of ranks
    error = np.sqrt((counts.sum() + 1) / (12 * np.prod(counts, dtype=float)))
    for model, area in areas.items():
        if area < 0.5 - FARTHEST_BELOW_CHANCE * error:
            yield (
                f"The area of {model} is {area:.2f}, far below that of chance: does it "
                f"score {shown(negative)} instead of {shown(positive)}?"
            )


def _classes_beside_scores(table: Predictions) -> Iterator[str]:
    """Note models that predict two classes only, where others have many scores.

    A tree that is not pruned, one neighbour, a rule and a person have two values, too.
    """
    may_be_classes = {
        model: distinct_numbers(predicted)
        for model, predicted in table.predicted.items()
        if _has_two_values(predicted) and (predicted % 1 == 0).all()
    }
    if not may_be_classes:
        return
    most = max(
        len(distinct_numbers(predicted)) for predicted in table.predicted.values()
    )
    for model, values in may_be_classes.items():
        is_expected = len(values) < 2 or only_decides(model)
        if most >= _FEWEST_SCORES_OF_A_MODEL and not is_expected:
            yield (
                f"{model} has the values {values[0]:g} and {values[1]:g} only, and other "
                "models have many: are they classes instead of scores? A rule that only "
                "decides may be compared so."
            )


def _area(predicted: NDArray[Any], is_positive: NDArray[np.bool_]) -> float:
    """Return the area under the ROC curve of all runs together."""
    ranks = stats.rankdata(predicted, axis=1)[:, is_positive]
    n_positive = np.count_nonzero(is_positive)
    least = (n_positive + 1) / 2
    return float((ranks.mean() - least) / (is_positive.size - n_positive))


def _has_two_values(predicted: NDArray[Any]) -> bool:
    """Return whether there are at most two different predictions."""
    first = predicted.flat[0]
    rest = predicted[predicted != first]
    return bool((rest == rest[:1]).all())
