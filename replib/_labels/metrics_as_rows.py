"""Notes about rows and items that are called like metrics, quantiles or measures."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from replib._labels.texts import labels_of_key, texts_like_names
from replib._names.labels.statistics import level_of_quantile
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
#: Losses of which it is none.
_ERRORS = {"character errors", "perplexity", "word errors"}


def notes_about_rows_of_metrics(table: Scores | Predictions) -> Iterator[str]:
    """Note rows that are several metrics, or quantiles, of one thing, or a measure among scores."""
    data_sets = texts_like_names(table, "dataset")
    for labels in (data_sets, *_other_labels(table)):
        pair = _different_metrics(labels) or _items_of_metrics(labels)
        if pair and not _are_compared_with_judges(pair, table.metric):
            yield f"The rows are called {listed(pair)} and so on: are they several metrics?"
            return
    tasks = [] if table.strata is None else table.strata.tasks
    for names in (data_sets, tasks):
        others = _with_other_metrics(names, table.metric)
        if others:
            yield (
                f"By their labels, {listed(others)} are scored by another metric than "
                f"{table.metric}: are they?"
            )
            return
    if _are_quantiles(data_sets):
        called = f"The rows are called {listed(data_sets[:2])} and so on"
        yield f"{called}: are they quantiles of one measurement?"
    else:
        yield from _measures_among_scores(data_sets, table.metric)


def _with_other_metrics(labels: Iterable[str], metric: Metric) -> list[str]:
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


def _are_compared_with_judges(pair: Iterable[str], metric: Metric) -> bool:
    """Return whether metrics are judged themselves, by each of some criteria of people."""
    labels = map(metric_of_label, pair)
    are_criteria = all(label and label.field == "judging" for label in labels)
    return are_criteria and quantity_of_metric(metric.name) in QUANTITIES_OF_AGREEMENT


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
    if _items_of_metrics(first, least=1) or any(map(is_metric_alone, first)):
        return _texts(items[:_MOST_ITEMS])
    return first


def _texts(labels: Iterable[Any]) -> list[str]:
    return [label for label in labels if isinstance(label, str)]


def _different_metrics(labels: Sequence[str]) -> tuple[str, ...]:
    """Return two labels that are different metrics, if most labels are metrics.

    Single ones may be data: ACC is an accelerometer.
    """
    if not any(map(metric_of_label, labels[:_FIRST_LABELS])):
        return ()
    metrics = {label: metric_of_label(label) for label in labels}
    known = {label: metric for label, metric in metrics.items() if metric is not None}
    first: dict[Definition | str, str] = {}
    for label in known:
        definition = definition_of_metric(label)
        first.setdefault(definition if definition.is_whole else label, label)
    if len(first) < 2 or 2 * len(known) <= len(metrics):
        return ()
    pair = tuple(first.values())[:2]
    n_certain = sum(metric.is_certain for metric in known.values())
    if n_certain >= _FEWEST_CERTAIN or (n_certain and len(known) == len(metrics)):
        return pair
    # each of POD, FAR and CSI may be something else, but not all of them at once
    fields = {metric.field for metric in known.values()}
    are_of_a_field = len(fields) == 1 and len(first) >= _FEWEST_OF_A_FIELD
    return pair if are_of_a_field and len(known) == len(metrics) else ()


def _items_of_metrics(labels: Sequence[str], *, least: int = 2) -> tuple[str, ...]:
    """Return labels of different metrics, if all are a metric and an item, as in "map:1"."""
    for pattern in _ITEM_OF_METRIC:
        first: dict[str, str] = {}
        for label in labels:
            match = pattern.fullmatch(label)
            if match is None or not is_metric_alone(match["metric"]):
                break
            first.setdefault(match["metric"], label)
        else:
            if len(first) >= least:
                return tuple(first.values())[:2]
    return ()


def _are_quantiles(labels: Sequence[str]) -> bool:
    """Return whether all labels are quantiles of one thing, but for an extreme or a mean."""
    levels = [_level(label) for label in labels]
    things = {thing for thing, level in levels if level is not None}
    known = {level for _, level in levels if level is not None}
    if len(known) < 2 or max(known) < _HIGH_QUANTILE or len(things) > 1:
        return False
    other_labels = [
        without_bracket(label)
        for label, (_, level) in zip(labels, levels)
        if level is None
    ]
    return len(other_labels) < len(known) and all(map(is_summary, other_labels))


def _level(label: str) -> tuple[str, float | None]:
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
    """Note the only row that is a time or a cost, among scores that are none.

    Where several rows have units, they are targets that were predicted.
    """
    quantity = quantity_of_metric(metric.name)
    if quantity in _OF_TARGETS or (
        metric.better == "lower" and quantity not in _ERRORS
    ):
        return
    losses = [label for label in labels if is_name_of_loss(label)]
    if len(losses) == 1 < len(labels):
        yield f"{shown(losses[0])} is called like a metric: is it a data set?"
    measures = [
        label
        for label in labels
        if unit_of_name(label) or is_measure(label) or is_cost(label)
    ]
    for label in measures if len(measures) == 1 < len(labels) else ():
        is_named = is_measure(label) or is_cost(label)
        if is_named and not is_of_measure(metric.name, label):
            yield f"{shown(label)} is called like a measure: is it a data set?"
