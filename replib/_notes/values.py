"""Notes about values that look wrong although each of them is allowed.

A note is spoken only if right data of its kind draw it in fewer than one table in a
thousand.  ``tests/data/false_notes.csv`` has the counts, and
``tests/benchmarks/false_notes.py`` makes them: grid searches, benchmarks, and simulated
tables of two to thirty models, correlated and rounded as real ones are.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from replib._chance import notes_about_guessing
from replib._labels import UNITS, notes_about_labels
from replib._labels.nouns import SURE
from replib._labels.summaries import rows_of_statistics
from replib._names.metrics.definitions import is_of_a_set, is_share
from replib._names.metrics.quantities import QUANTITIES_OF_NUMBERS, quantity_of_metric
from replib._names.models.learners import only_decides
from replib._names.things.measures import is_measure
from replib._names.things.nouns import noun_of_name
from replib._names.things.truth import may_be_name_of_truth, note_on_truth
from replib._notes.codes import notes_about_codes
from replib._notes.coding import are_coded_otherwise
from replib._notes.copies import notes_about_copies
from replib._notes.ranges import notes_about_ranges
from replib._notes.repeats import notes_about_marked_items, notes_about_repeats
from replib._notes.within import notes_about_runs_within
from replib._validation import Array, joined, shown
from replib.designs import Design, Items, RandomSplits
from replib.scores import PROBABILITY_METRICS, Metric, Predictions, Scores

#: Scores of two models, or of two data sets, rarely differ by more than this factor, so
#: if one is 50 to 200 times the other, it is in percent.
MOST_DIFFERENT = 2.0
#: Nothing in percent is below this, so that fractions and percent lie far apart.
LEAST_PERCENT = 10.0
#: Means over items that are right or wrong: 0 or 1 for a single item only.  (A recall
#: also is, where a test set has a single item of the class.)
SHARES_OF_ITEMS = frozenset(
    ["acc", "accuracy", "em", "error", "error_rate", "exact_match", "zero_one_loss"]
)
#: Losses that are shares, and so may be in percent, too.
SHARES_OF_ERRORS = frozenset(
    ["cer", "mape", "mean_absolute_percentage_error", "smape", "wape", "wer"]
)
#: Scores of a model that show the range in which all lie.
FEWEST_FRACTIONS = 20
#: Standard errors below the area of chance that right data have in one case of 30,000.
FARTHEST_BELOW_CHANCE = 4.0
#: So many items with so many different whole numbers are predicted without an error by
#: the truth alone.
_FEWEST_PREDICTED = 50
_FEWEST_NUMBERS = 20
#: In fewer items, all texts may be right or wrong as a whole.
_FEWEST_ITEMS = 20
#: Classes, and answers on a scale, are fewer.
_FEWEST_SCORES_OF_A_MODEL = 20


def notes_about_values(table: Scores | Predictions) -> list[str]:
    """Return what looks wrong in the values, each in a sentence.

    Parameters
    ----------
    table : Scores or Predictions

    Returns
    -------
    list of str

    Raises
    ------
    ValueError
        If the runs, splits or seeds of all models are copies of each other.

    Examples
    --------
    >>> from replib.readers import from_arrays
    >>> scores = {"net": [.91, .93, .90, .92, .89], "rf": [.88, .88, .88, .88, .88]}
    >>> notes_about_values(from_arrays(scores, design="seeds", metric="accuracy"))
    ['All seeds of rf have the same score: deterministic, copied, or rounded?']
    """
    return [
        *notes_about_copies(table),
        *(notes_about_repeats(table) if isinstance(table, Scores) else ()),
        *notes_about_marked_items(table),
        *(notes_about_runs_within(table) if isinstance(table, Scores) else ()),
        *_mixed_units(table),
        *_truth_among_models(table),
        *notes_about_labels(table),
        *([*notes_about_codes(table)] or notes_about_ranges(table)),
        *notes_about_guessing(table),
        *_shifted_classes(table),
        *_large_test_sets(table.design),
        *_scores_of_single_items(table),
        *_wholes_of_single_items(table),
    ]


def _mixed_units(table: Scores | Predictions) -> Iterator[str]:
    """Note fractions beside percent, or instead of the percent that were declared."""
    metric = table.metric
    if isinstance(table, Predictions):
        return
    if metric.sign < 0 and metric.name not in SHARES_OF_ERRORS:
        return  # a loss has any size
    blocks = _blocks_of_models(table)
    if not blocks or rows_of_statistics(table):
        return  # what is no score has a note of its own
    values = np.concatenate([block.ravel() for block in blocks.values()])
    largest = values.max()
    fractions_in = _model_of_fractions(blocks, metric)
    if fractions_in is not None:
        yield (
            f"No score of {fractions_in} is above 1, and others are up to {largest:g}: "
            "are fractions and percent mixed?"
        )
        return
    if metric.high == 100 and 0 < largest <= 1:
        yield f"No score is above {largest:g}, and {metric} goes up to 100: are they fractions?"
    if values.min() < 0 or not 1 < largest <= 100:
        return
    fractions = values[(values > 0) & (values <= 1)]
    percent = values[values > 1]
    if not fractions.size:
        return
    if percent.min() <= LEAST_PERCENT and not _are_apart(blocks, metric):
        return
    ratio = np.median(percent) / np.median(fractions)
    if 100 / MOST_DIFFERENT <= ratio <= 100 * MOST_DIFFERENT:
        both = " and ".join(_score_of(x, blocks) for x in (fractions[0], percent[0]))
        yield f"Scores are {both}: are fractions and percent mixed?"


def _score_of(score: float, blocks: Mapping[str, Array]) -> str:
    """Return a score with the first model that has it, such as "0.91 of tree"."""
    model = next(name for name, block in blocks.items() if score in block)
    return f"{score:g} of {model}"


def _blocks_of_models(table: Scores) -> dict[str, Array]:
    """Return the scores of what may be a model by its name: no time, price or confidence."""
    return {
        name: block
        for name, block in table.blocks.items()
        if not is_measure(name) and noun_of_name(name, *SURE) is None
    }


def _model_of_fractions(blocks: Mapping[str, Array], metric: Metric) -> str | None:
    """Return a model whose scores are fractions by their whole range, and the others' percent."""
    may_be_percent = metric.name in SHARES_OF_ERRORS or is_share(metric.name)
    if metric.high != 100 and not (metric.high == np.inf and may_be_percent):
        return None
    fractions = [name for name, x in blocks.items() if _is_below_one(x)]
    percent = [x.ravel() for name, x in blocks.items() if name not in fractions]
    if not fractions or not percent:
        return None
    shares = np.concatenate([blocks[name].ravel() for name in fractions])
    of_others = np.concatenate(percent)
    if of_others.min() < 0 or of_others.max() > 100:
        return None
    # a poor model is hardly 100 times worse than others both on average and at its best
    ratios = (of_others.mean() / shares.mean(), of_others.max() / shares.max())
    are_fractions = all(
        100 / MOST_DIFFERENT <= ratio <= 100 * MOST_DIFFERENT for ratio in ratios
    )
    return fractions[0] if are_fractions else None


def _is_below_one(scores: Array) -> bool:
    """Return whether scores of many units lie between 0 and 1, and most are no end."""
    if scores.min() < 0 or scores.max() > 1:
        return False
    is_between = (scores > 0) & (scores < 1)
    return scores.size >= FEWEST_FRACTIONS and bool(is_between.mean() > 0.5)


def _are_apart(blocks: Mapping[str, Array], metric: Metric) -> bool:
    """Return whether each model has shares of errors up to 1, or else only above 1."""
    return metric.name in SHARES_OF_ERRORS and all(
        block.max() <= 1 or block.min() > 1 for block in blocks.values()
    )


def _truth_among_models(table: Scores | Predictions) -> Iterator[str]:
    """Note a model that predicts real numbers without any error, or that is named the truth."""
    if isinstance(table, Scores):
        return
    are_numbers = _has_real_numbers(table.truth) or _has_many_numbers(table)
    for model, predicted in table.predicted.items():
        if note_on_truth(model) in table.notes:
            continue  # which has its name, too
        may_be_truth = are_numbers or may_be_name_of_truth(model)
        if may_be_truth and (predicted == table.truth).all():
            yield note_on_truth(model)


def _has_real_numbers(truth: NDArray[Any]) -> bool:
    """Return whether some values are no whole numbers."""
    numbers = pd.to_numeric(pd.Series(truth), errors="coerce").astype(float)
    return bool((numbers % 1 > 0).any())


def _has_many_numbers(table: Predictions) -> bool:
    """Return whether the truth has so many whole numbers that no model predicts all of them."""
    if table.truth.dtype.kind not in "iuf" or table.truth.size < _FEWEST_PREDICTED:
        return False
    is_of_numbers = quantity_of_metric(table.metric.name) in QUANTITIES_OF_NUMBERS
    return is_of_numbers and len(_distinct(table.truth)) >= _FEWEST_NUMBERS


def _shifted_classes(table: Scores | Predictions) -> Iterator[str]:
    """Note models whose classes are all by one smaller or larger than those of the truth.

    Of two classes, a model may have one of the truth and another code for the other.
    """
    if isinstance(table, Scores):
        return
    for model, predicted in table.predicted.items():
        shift = _shift_of_classes(predicted, table.truth)
        if shift:
            yield (
                f"The classes of {model} are by one "
                f"{'larger' if shift > 0 else 'smaller'} than those of the truth: "
                "code them alike."
            )
        elif are_coded_otherwise(predicted, table.truth):
            codes, classes = (
                joined([*map(str, np.unique(x))]) for x in (predicted, table.truth)
            )
            yield (
                f"The classes of {model} are {codes}, and those of the truth {classes}: "
                "code them alike."
            )


def _shift_of_classes(predicted: NDArray[Any], truth: NDArray[Any]) -> int:
    """Return by how much all classes of a model are larger than those of the truth, or 0."""
    if truth.dtype.kind not in "iu" or predicted.dtype.kind not in "iu":
        return 0
    classes = _distinct(truth)
    if predicted.min() == classes[0]:
        return 0
    for shift in (-1, 1):
        if classes != [value - shift for value in _distinct(predicted)]:
            continue
        n_right = np.count_nonzero(predicted == truth)
        if np.count_nonzero(predicted - shift == truth) > n_right:
            return shift
    return 0


def _distinct(values: NDArray[Any]) -> list[int]:
    """Return different whole numbers in their order, without sorting all."""
    return sorted(pd.unique(values.ravel()).tolist())


def _large_test_sets(design: Design) -> Iterator[str]:
    """Note that most of the data are tested on, unless the training set was declared, too."""
    if isinstance(design, RandomSplits) and design.train is None and design.test > 0.5:
        yield f"{design}, more than training data: is that the share for training?"


def _scores_of_single_items(table: Scores | Predictions) -> Iterator[str]:
    """Note that shares of right items are all 0 or 1, as those of a single item are."""
    if isinstance(table, Predictions) or isinstance(table.design, Items):
        return
    metric = table.metric
    if metric.name not in SHARES_OF_ITEMS:
        return
    blocks = table.blocks.values()
    if not all(((x == metric.low) | (x == metric.high)).all() for x in blocks):
        return
    # a perfect model, and one that is never right, may have any test sets
    if any(np.ptp(block) > 0 for block in blocks):
        unit = UNITS[type(table.design)]
        yield (
            f"Every {unit} has the score {metric.low:g} or {metric.high:g}, as a single "
            "item has: is the design items?"
        )


def _wholes_of_single_items(table: Scores | Predictions) -> Iterator[str]:
    """Note right and wrong answers as values of a metric that only a whole set has.

    F1 of a text has fractions; the recall of items of one class is right or wrong.
    """
    if isinstance(table, Predictions) or not isinstance(table.design, Items):
        return
    metric = table.metric
    blocks = [*table.blocks.values()]
    if not is_of_a_set(metric.name) or len(table.units) < _FEWEST_ITEMS:
        return
    are_answers = all(((x == 0) | (x == metric.high)).all() for x in blocks)
    if are_answers and any(np.ptp(block) > 0 for block in blocks):
        yield (
            f"Every item has 0 or {metric.high:g}, as right and wrong answers have, and "
            f"{metric} is about all items together: their mean is the accuracy. Give the "
            "predictions to from_predictions."
        )


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
    if table.clusters is not None:
        return  # their items are not independent, so the error is not known here
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
    n, n_first = counts.sum(), counts[0]
    # of scores that have nothing to do with the classes, as in the test of ranks
    error = np.sqrt((n + 1) / (12 * n_first * (n - n_first)))
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
        model: _distinct(predicted)
        for model, predicted in table.predicted.items()
        if _has_two_values(predicted) and (predicted % 1 == 0).all()
    }
    if not may_be_classes:
        return
    most = max(len(_distinct(predicted)) for predicted in table.predicted.values())
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
