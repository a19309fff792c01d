"""What guessing scores, by the name of a metric and by the truth of the test data."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from replib._names.metrics.definitions import definition_of_metric
from replib._names.metrics.named import named_metric
from replib._names.metrics.quantities import quantity_of_metric
from replib._validation import Array
from replib.scores import Metric, Predictions, Scores

#: So far from the level of guessing, as a share of what is above it, is another level:
#: shuffled classes score a little more or less.
_NEAR = 0.1
#: So many scores of a model are below chance by no accident.
_FEWEST_SCORES = 5
#: Fields in which guessing is the least that a model does.  Forecasts and regressions
#: may well be worse than the mean.
_FIELDS = {"classes", "credit", "survival"}
#: Of two equal classes, this is the probability of each, and rarely a loss.
_HALF = 0.5
#: A loss of guessing that was rounded.
_ROUNDED = 0.01
#: Metrics of which the share of positives is what guessing scores.
_OF_POSITIVES = {
    "precision curve": "an average precision",
    "precision": "a precision",
}


class Guessing(NamedTuple):
    """What guessing scores by a metric, in the unit of the scores.

    Attributes
    ----------
    level : float
    near : float
        Shuffled classes may score so much more or less.
    is_bounded : bool
        Whether the metric has a lower end.
    is_least : bool
        Whether models are hardly ever worse.
    """

    level: float
    near: float
    is_bounded: bool
    is_least: bool


def guessing_by(metric: Metric, *, largest: float) -> Guessing | None:
    """Return what guessing scores by a metric, in percent if scores are so; None if unknown.

    >>> guessing_by(Metric("roc_auc"), largest=0.8).level
    0.5
    >>> guessing_by(Metric("AUC", better="higher"), largest=81).level
    50.0
    >>> guessing_by(Metric("accuracy"), largest=0.8) is None
    True
    """
    named = named_metric(metric.name)
    if named is None or not isinstance(named.chance, float):
        return None
    has_percent = metric.high == 100 or (metric.high == np.inf and largest > 1)
    is_percent = named.high == 1 and has_percent
    above = named.high - named.chance if np.isfinite(named.high) else 1.0
    scale = 100 if is_percent else 1
    return Guessing(
        scale * named.chance,
        scale * _NEAR * above,
        bool(np.isfinite(named.low)),
        named.field in _FIELDS,
    )


def _guessing_of(table: Scores) -> Guessing | None:
    """Return what guessing scores in a table."""
    largest = max(float(block.max()) for block in table.blocks.values())
    return guessing_by(table.metric, largest=largest)


def has_model_below_guessing(table: Scores) -> bool:
    """Return whether a model scores less than guessing, where this is the least."""
    guessing = _guessing_of(table)
    if guessing is None or not guessing.is_least:
        return False
    sign = table.metric.sign
    return any(
        sign * (block.mean() - guessing.level) < 0 for block in table.blocks.values()
    )


def notes_about_guessing(table: Scores | Predictions) -> Iterator[str]:
    """Note that all models score far less than guessing does.

    >>> from replib.readers import from_arrays
    >>> scores = {"net": [0.41, 0.4, 0.43, 0.39, 0.4], "knn": [0.3, 0.31, 0.33, 0.3, 0.32]}
    >>> list(notes_about_guessing(from_arrays(scores, design="seeds", metric="roc_auc")))
    ['All models score less than guessing, of which the roc auc is 0.5: is it another metric?']
    """
    if isinstance(table, Predictions):
        return
    guessing = _guessing_of(table)
    if guessing is None or not guessing.is_least:
        return
    sign = table.metric.sign
    blocks = table.blocks.values()
    are_below = all(
        sign * (block.mean() - guessing.level) < -guessing.near for block in blocks
    )
    if are_below and min(block.size for block in blocks) >= _FEWEST_SCORES:
        yield (
            f"All models score less than guessing, of which the {table.metric} is "
            f"{guessing.level:g}: is it another metric?"
        )


def notes_about_level(
    chance: float, means: Mapping[str, float], table: Scores | Predictions
) -> Iterator[str]:
    """Note a chance that is not what guessing scores by the metric.

    Parameters
    ----------
    chance : float
    means : mapping of float
        Scores of the models.
    table : Scores or Predictions

    Yields
    ------
    str

    Examples
    --------
    >>> from replib.readers import from_arrays
    >>> table = from_arrays({"net": [0.4, 0.5, 0.4]}, design="seeds", metric="cohen_kappa")
    >>> list(notes_about_level(0.5, {"net": 0.43}, table))
    ['chance is 0.5, and the cohen kappa of guessing is 0.']
    """
    metric = table.metric
    guessing = guessing_by(metric, largest=max(means.values()))
    if guessing is not None:
        if _is_another_level(chance, guessing):
            yield (
                f"chance is {chance:g}, and the {metric} of guessing is "
                f"{guessing.level:g}."
            )
    elif isinstance(table, Predictions) and table.function is None:
        yield from _chance_beside_truth(chance, table)
    elif chance == _HALF:
        yield from _chance_of_one_half(means, metric)


def _chance_of_one_half(means: Mapping[str, float], metric: Metric) -> Iterator[str]:
    """Note a chance of 0.5 that is the probability of a class, and not a score."""
    of_positives = _score_of_positives(metric)
    if quantity_of_metric(metric.name) == "log loss":
        yield f"chance is 0.5, and the {metric} of guessing one half is {np.log(2):.3f}."
    elif of_positives and max(means.values()) < _HALF:
        yield (
            f"All models are below a chance of 0.5: guessing has {of_positives} of the "
            "share of positives."
        )


def _score_of_positives(metric: Metric) -> str | None:
    """Name the score of guessing that is the share of positives; None for other metrics."""
    definition = definition_of_metric(metric.name)
    if definition.average is not None:  # over the classes
        return None
    return _OF_POSITIVES.get(definition.quantity or "")


def _is_another_level(chance: float, guessing: Guessing) -> bool:
    """Return whether shuffled classes hardly score a chance.

    Without a lower end, they may score far less than a guess of the mean.
    """
    if guessing.is_bounded:
        return abs(chance - guessing.level) > guessing.near
    return chance > guessing.level + guessing.near


def _chance_beside_truth(chance: float, table: Predictions) -> Iterator[str]:
    """Note a chance that the classes of the truth contradict."""
    metric = table.metric
    if quantity_of_metric(metric.name) in _OF_PROBABILITIES:
        shares = _shares_of_classes(table)
        yield from _loss_of_guessing(chance, np.array([*shares.values()]), metric)
        return
    is_accuracy = metric.name in ("accuracy", "acc")
    of_positives = _score_of_positives(metric)
    if metric.high > 1 or not (is_accuracy or of_positives):
        return
    shares = _shares_of_classes(table)
    if is_accuracy:
        yield from _accuracy_of_guessing(chance, shares)
    if of_positives is None or len(shares) > 2:
        return
    positive = [*shares][-1] if metric.positive is None else str(metric.positive)
    share = shares[positive]
    if abs(chance - share) > _NEAR:
        yield (
            f"chance is {chance:g}, and guessing has {of_positives} of {share:.2g}, the "
            "share of positives."
        )


def _shares_of_classes(table: Predictions) -> dict[str, float]:
    """Return the share of items of each class, in the order of their names."""
    classes, counts = np.unique(table.truth.astype(str), return_counts=True)
    return dict(zip(classes.tolist(), (counts / counts.sum()).tolist()))


def _accuracy_of_guessing(chance: float, shares: Mapping[str, float]) -> Iterator[str]:
    """Note a chance below that of equal guesses, or above that of always the largest class."""
    lowest = 1 / len(shares)
    highest = max(shares.values())
    if not lowest - _NEAR <= chance <= highest + _NEAR:
        yield (
            f"chance is {chance:g}, and guessing is right in {lowest:.2g} of the items, "
            f"or in {highest:.2g} if it always names the largest class."
        )


def _loss_of_guessing(chance: float, shares: Array, metric: Metric) -> Iterator[str]:
    """Note a chance that is the loss of no guess between equal shares and those of the truth."""
    if len(shares) != 2:
        return
    loss_of = _OF_PROBABILITIES[str(quantity_of_metric(metric.name))]
    least = loss_of(shares)
    most = loss_of(np.array([_HALF, _HALF]))
    is_a_guess = (1 - _NEAR) * least <= chance <= (1 + _NEAR) * most
    is_probability = chance == _HALF and abs(chance - least) > _ROUNDED
    if not is_a_guess or is_probability:
        yield (
            f"chance is {chance:g}, and the {metric} of guessing is {least:.3f} with "
            f"the shares of the classes, or {most:.3f} with one half."
        )


def _entropy(shares: Array) -> float:
    """Return the log loss of guessing the shares of the classes."""
    return float(-(shares * np.log(shares)).sum())


def _brier_score(shares: Array) -> float:
    """Return the Brier score, of the second of two classes, of guessing their shares."""
    return float(shares[0] * (1 - shares[0]))


#: Loss of guessing the shares of the classes that the truth has.
_OF_PROBABILITIES = {"log loss": _entropy, "brier": _brier_score}
