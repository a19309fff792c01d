"""Notes about a model, or about clusters, that are the truth."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replib._names.things.nouns import noun_of_name
from replib._names.things.truth import (
    asks_about_item,
    is_name_of_reference,
    is_name_of_truth,
    is_truth_beside_answers,
    may_be_name_of_truth,
)
from replib._names.words import words_of_label
from replib.designs import Items
from replib.scores import Predictions, Scores

#: In fewer items, the answers of two models may have nothing in common.
_FEWEST_ITEMS = 50
#: Correlation, in standard errors of one that is zero, of answers to the same questions.
_RELATED = 2.6
#: Predictions have at least such a correlation with the truth.
_AGREED = 0.5
#: The same, and the share of a class, if the truth is called like something that may happen.
_AGREED_BY_NAME = 0.25
_RARE = 0.4


def notes_about_truth(table: Scores | Predictions) -> Iterator[str]:
    """Note a model that is named the truth, and clusters that are its classes."""
    if isinstance(table, Predictions):
        yield from _classes_as_clusters(table)
    elif isinstance(table.design, Items):
        yield from _truth_as_model(table)
        yield from _fact_as_model(table)


def _truth_as_model(table: Scores) -> Iterator[str]:
    """Note a model that is named the truth: right on every item, or among answers."""
    metric = table.metric
    # a person may be right on every item, and no text overlaps a reference like itself
    are_answers = any(
        _has_ends(x, metric.low, metric.high) and np.ptp(x) > 0
        for x in table.blocks.values()
    )
    for model, block in table.blocks.items():
        is_perfect = bool((block == metric.high).all())
        has_no_error = metric.better == "lower" and not block.any()
        if (is_perfect or has_no_error) and may_be_name_of_truth(model):
            yield f"{model} is right on every item and named like the truth: is it a model?"
        elif is_perfect and not are_answers and is_name_of_reference(model):
            yield (
                f"{model} has the highest score on every item, and is named like a "
                "reference: is it a model?"
            )
        elif _has_ends(block, metric.low, metric.high) and (
            is_truth_beside_answers(model)
            or (is_name_of_truth(model) and _is_predicted(model, table))
        ):
            yield (
                f"{model} is named like the truth: are the others its predictions? Give "
                "these to from_predictions."
            )


def _fact_as_model(table: Scores) -> Iterator[str]:
    """Note the only model that is called like a fact about an item: "churned", "is_fraud"."""
    facts = [model for model in table.models if noun_of_name(model, "truth")]
    # "is_right_a" and "is_right_b" are answers
    if len(facts) != 1:
        return
    (fact,) = facts
    if _is_no_answer(fact, table):
        yield f"{fact} is called like something about the rows: is it a model?"
    elif _is_rare_class(fact, table):
        yield (
            f"{fact} is named like the truth: are the others its predictions? Give these "
            "to from_predictions."
        )


def _is_rare_class(model: str, table: Scores) -> bool:
    """Return whether a model is called "is_fraud" or "attack", and the others predict it.

    All agree with it, and all are 1 on few items: right answers are seldom so few.
    """
    if not asks_about_item(model) and len(words_of_label(model)) > 1:
        return False
    correlations = _correlations(model, table)
    if correlations is None or correlations[0, 1:].min() < _AGREED_BY_NAME:
        return False
    return all(
        block.mean() < _RARE * table.metric.high for block in table.blocks.values()
    )


def _is_predicted(model: str, table: Scores) -> bool:
    """Return whether all others agree with a model, and less so with each other.

    Right and wrong answers of models have little in common, but for the hard questions.
    """
    correlations = _correlations(model, table)
    if correlations is None:
        return False
    with_model = correlations[0, 1:]
    n_others = len(with_model)
    with_others = correlations[1:, 1:][np.triu_indices(n_others, 1)]
    return bool(with_model.min() > max(_AGREED, with_others.max()))


def _correlations(model: str, table: Scores) -> NDArray[np.float64] | None:
    """Return how right and wrong answers of a model, the first, and the others correlate.

    It is None if they are few, are no answers, or are the same on all items.
    """
    blocks = {name: block.ravel() for name, block in table.blocks.items()}
    answers = blocks.pop(model)
    are_alike = all(block.shape == answers.shape for block in blocks.values())
    if len(blocks) < 2 or len(answers) < _FEWEST_ITEMS or not are_alike:
        return None
    if not _has_ends(answers, table.metric.low, table.metric.high):
        return None
    if any(np.ptp(block) == 0 for block in (answers, *blocks.values())):
        return None
    return np.corrcoef([answers, *blocks.values()])


def _is_no_answer(model: str, table: Scores) -> bool:
    """Return whether a model has right and wrong answers, but not where the others have."""
    n_units = len(table.units)
    means = {
        name: block.reshape(-1, n_units).mean(axis=0)
        for name, block in table.blocks.items()
    }
    answers = means.pop(model)
    if n_units < _FEWEST_ITEMS or np.ptp(answers) == 0:
        return False
    if not _has_ends(answers, table.metric.low, table.metric.high):
        return False
    rivals = [mean for mean in means.values() if np.ptp(mean) > 0]
    correlations = [np.corrcoef(answers, mean)[0, 1] for mean in rivals]
    return bool(rivals) and max(correlations) * np.sqrt(n_units) < _RELATED


def _has_ends(block: NDArray[np.float64], low: float, high: float) -> bool:
    """Return whether all scores are at an end of their range, as right and wrong are."""
    return bool(((block == low) | (block == high)).all())


def _classes_as_clusters(table: Predictions) -> Iterator[str]:
    """Note clusters that have the items of one class each."""
    clusters = table.clusters
    if clusters is None or table.design.predicted == "by_fold":
        return
    classes, names = pd.factorize(table.truth)
    if len(names) != clusters.max() + 1:
        return
    if len(set(zip(classes.tolist(), clusters.tolist()))) == len(names):
        yield "The clusters are the classes of the truth: do items of a class depend on each other?"
