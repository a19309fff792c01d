"""Notes about rows and items that are called like metrics, quantiles or measures."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from replib._labels.texts import labels_of_key, texts_like_names
from replib._names.labels.quantiles import level_of_quantile
from replib._names.labels.summaries import is_summary
from replib._names.metrics.definitions import (
    Definition,
    definition_of_metric,
    is_metric_alone,
    metric_of_label,
)
from replib._names.metrics.named import is_name_of_loss
from replib._names.metrics.quantities import QUANTITIES_OF_AGREEMENT, quantity_of_metric
from replib._names.things.measures import is_cost, is_measure, is_of_measure
from replib._names.things.units import unit_of_name
from replib._names.words import text_in_bracket, without_bracket
from replib._validation import listed, shown
from replib.designs import Items
from replib.scores import Metric, Predictions, Scores

#: If none of so many first labels is a metric, few others are.
_FIRST_LABELS = 20
#: So many items are looked at one by one.
_MOST_ITEMS = 10_000
#: So many certain metrics show that other labels are metrics, too.
_FEWEST_CERTAIN = 2
#: So many labels, all of them metrics of one field, show it without a certain one.
_FEWEST_OF_A_FIELD = 3
#: Items such as "map:1" and "1/map".
_ITEM_OF_METRIC = (
    re.compile(r"(?P<metric>[^:/|]+)[:/|].+"),
    re.compile(r".+[:/|](?P<metric>[^:/|]+)"),
)
#: A quantile that is high shows that times, or losses, were sorted: participants are
#: called P1, P2 and so on.
_HIGH_QUANTILE = 75
#: Metrics of which a row with a unit is a target that was predicted.
_OF_TARGETS = {"correlation", "kendall", "pearson", "r2", "spearman"}
#: Losses of texts, in which no row with a unit is a target.
_LOSSES_OF_TEXTS = {"character errors", "perplexity", "word errors"}


def notes_about_rows_of_metrics(table: Scores | Predictions) -> Iterator[str]:
    """Note rows that are several metrics, or quantiles, of one thing, or a measure among scores."""
    data_sets = texts_like_names(table, "dataset")
    for labels in (data_sets, *_other_labels(table)):
        pair = _different_metrics(labels) or _items_of_metrics(labels)
        if pair and not _are_judged(pair, table.metric):
            yield f"The rows are called {listed(pair)} and so on: are they several metrics?"
            return
    tasks = [] if table.strata is None else table.strata.tasks
    for names in (data_sets, tasks):
        labels_of_others = _labels_with_other_metrics(names, table.metric)
        if labels_of_others:
            yield (
                f"By their labels, {listed(labels_of_others)} are scored by another metric than "
                f"{table.metric}: are they?"
            )
            return
    if _are_quantiles(data_sets):
        called = f"The rows are called {listed(data_sets[:2])} and so on"
        yield f"{called}: are they quantiles of one measurement?"
    else:
        yield from _measures_among_scores(data_sets, table.metric)


def _labels_with_other_metrics(labels: Iterable[str], metric: Metric) -> list[str]:
    """Return the labels with another metric than the declared one in a bracket behind them.

    A mean over tasks may have a name of its own, whatever the metrics of the tasks are.
    """
    quantity = definition_of_metric(metric.name).quantity
    if quantity is None:
        return []
    in_brackets = {label: text_in_bracket(label) or "" for label in labels}
    return [
        label
        for label, text in in_brackets.items()
        if is_metric_alone(text)
        and definition_of_metric(text).quantity not in (quantity, None)
    ]


def _are_judged(labels: Iterable[str], metric: Metric) -> bool:
    """Return whether rows are criteria of people, with whom the models are metrics that agree."""
    if quantity_of_metric(metric.name) not in QUANTITIES_OF_AGREEMENT:
        return False
    criteria = map(metric_of_label, labels)
    return all(label and label.field == "judging" for label in criteria)


def _other_labels(table: Scores | Predictions) -> Iterator[list[str]]:
    """Yield the labels of runs, folds, tasks and items that are texts."""
    for key in ("run", "fold"):
        yield texts_like_names(table, key)
    if table.strata is not None:
        yield [*table.strata.tasks]
    if isinstance(table.design, Items):
        yield _items(table)


def _items(table: Scores | Predictions) -> list[str]:
    """Return the items that are texts; few if the first ones are no metrics."""
    items = labels_of_key(table, "item")
    first = _texts(items[:_FIRST_LABELS])
    if _items_of_metrics(first, fewest=1) or any(map(is_metric_alone, first)):
        return _texts(items[:_MOST_ITEMS])
    return first


def _texts(labels: Iterable[Any]) -> list[str]:
    return [label for label in labels if isinstance(label, str)]


def _different_metrics(labels: Sequence[str]) -> tuple[str, ...]:
    """Return two labels that are different metrics, if most labels are metrics."""
    if not any(map(metric_of_label, labels[:_FIRST_LABELS])):
        return ()
    all_metrics = {label: metric_of_label(label) for label in labels}
    metrics = {label: x for label, x in all_metrics.items() if x is not None}
    label_of_definition: dict[Definition | str, str] = {}
    for label in metrics:
        definition = definition_of_metric(label)
        key = definition if definition.is_whole else label
        label_of_definition.setdefault(key, label)
    n_others = len(all_metrics) - len(metrics)
    if len(label_of_definition) < 2 or n_others >= len(metrics):
        return ()
    n_certain = sum(metric.is_certain for metric in metrics.values())
    fields = {metric.field for metric in metrics.values()}
    n_different = len(label_of_definition)
    # each of POD, FAR and CSI may be something else, but not all of them at once
    are_of_a_field = len(fields) == 1 and n_different >= _FEWEST_OF_A_FIELD
    are_certain = n_certain >= _FEWEST_CERTAIN
    if n_others == 0:  # single ones may be data: ACC is an accelerometer
        are_certain = n_certain > 0 or are_of_a_field
    return tuple(label_of_definition.values())[:2] if are_certain else ()


def _items_of_metrics(labels: Sequence[str], *, fewest: int = 2) -> tuple[str, ...]:
    """Return labels of different metrics, if all are a metric and an item, as in "map:1"."""
    for pattern in _ITEM_OF_METRIC:
        label_of_metric = _label_of_each_metric(labels, pattern)
        if len(label_of_metric) >= fewest:
            return tuple(label_of_metric.values())[:2]
    return ()


def _label_of_each_metric(
    labels: Iterable[str], pattern: re.Pattern[str]
) -> dict[str, str]:
    """Return the first label of each metric in a pattern; nothing if a label has none."""
    label_of_metric: dict[str, str] = {}
    for label in labels:
        match = pattern.fullmatch(label)
        if match is None or not is_metric_alone(match["metric"]):
            return {}
        label_of_metric.setdefault(match["metric"], label)
    return label_of_metric


def _are_quantiles(labels: Sequence[str]) -> bool:
    """Return whether all labels are quantiles of one thing, but for an extreme or a mean."""
    quantiles = [_thing_and_level(label) for label in labels]
    things = {thing for thing, level in quantiles if level is not None}
    levels = {level for _, level in quantiles if level is not None}
    if len(levels) < 2 or max(levels) < _HIGH_QUANTILE or len(things) > 1:
        return False
    other_labels = [
        without_bracket(label)
        for label, (_, level) in zip(labels, quantiles)
        if level is None
    ]
    return len(other_labels) < len(levels) and all(map(is_summary, other_labels))


def _thing_and_level(label: str) -> tuple[str, float | None]:
    """Return of what a label such as "latency p50 (ms)" is a quantile, and of which level."""
    plain = without_bracket(label)
    first, _, behind = plain.partition(" ")
    before, _, last = plain.rpartition(" ")
    for thing, quantile in (("", plain), (before, last), (behind, first)):
        level = level_of_quantile(quantile)
        if level is not None:
            return thing, level
    return label, None


def _measures_among_scores(labels: Sequence[str], metric: Metric) -> Iterator[str]:
    """Note the only row that is a loss, a time or a cost, among scores that are none.

    Where several rows have units, they are targets that were predicted.
    """
    quantity = quantity_of_metric(metric.name)
    is_loss_of_numbers = metric.better == "lower" and quantity not in _LOSSES_OF_TEXTS
    if is_loss_of_numbers or quantity in _OF_TARGETS or len(labels) < 2:
        return
    losses = [label for label in labels if is_name_of_loss(label)]
    if len(losses) == 1:
        yield f"{shown(losses[0])} is called like a metric: is it a data set?"
    measures = [label for label in labels if unit_of_name(label) or _is_measure(label)]
    if len(measures) != 1 or not _is_measure(measures[0]):
        return
    if not is_of_measure(metric.name, measures[0]):
        yield f"{shown(measures[0])} is called like a measure: is it a data set?"


def _is_measure(label: str) -> bool:
    return is_measure(label) or is_cost(label)
