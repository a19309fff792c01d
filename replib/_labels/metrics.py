"""Notes about rows, items and models that are called like metrics, quantiles or measures."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Any

from replib._chance import has_model_below_guessing
from replib._labels.texts import labels_of_key, texts_like_names
from replib._names.labels.statistics import level_of_quantile
from replib._names.labels.summaries import is_summary
from replib._names.metrics.bare import bare_names
from replib._names.metrics.beside import MetricBeside, metric_beside
from replib._names.metrics.definitions import (
    Definition,
    definition_of_metric,
    is_metric_alone,
    metric_of_label,
    states_cutoff,
)
from replib._names.metrics.directions import direction_of_metric, metric_of_error
from replib._names.metrics.named import (
    is_name_of_loss,
    is_name_of_metric,
    named_metric,
    plain_name,
    words_of_metric,
)
from replib._names.metrics.quantities import quantity_at_end, quantity_of_metric
from replib._names.metrics.vocabulary import named_at_end, words_of_name
from replib._names.models.learners import is_deterministic
from replib._names.things.measures import is_cost, is_measure, is_of_measure
from replib._names.things.units import unit_of_name, words_of_units
from replib._names.words import plain_text, text_in_bracket, words_of_label
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
#: Models are called after these losses that they were trained with.
_TRAINED_WITH = {
    *("aic", "aicc", "bic", "waic"),  # their variables were chosen by these
    *("bce", "ce", "chamfer", "crps", "dice", "focal", "gini", "hausdorff", "hinge"),
    *("huber", "iou", "kl", "logcosh", "nse", "pinball", "psnr", "sdr", "sisdr", "snr"),
    *("logloss", "loss", "lpips", "mae", "mmd", "mse", "nll", "perplexity", "rmse"),
    "ssim",
}
_LOSSES_TRAINED_WITH = _TRAINED_WITH - {"gini"}
#: These are words of models, too: a feature map, half precision, a second release.
_WORDS_OF_MODELS = {
    *("accuracy", "ap", "comet", "em", "map", "precision", "r2", "recall", "roc"),
    *("rouge", "sensitivity", "specificity"),
}
#: Metrics themselves are compared by these, with what people say.
_AGREEMENT = {"kendall", "pearson", "spearman"}
#: What learners report, and networks are not trained with.
_ROOT = "root of squared error"
#: "R-1" and "R-L" are short for these, beside that metric only.
_SHORT_ROUGE = re.compile(r"(?<![a-z])r[ _-]?(?=(?:[1-4]|l(?:sum)?)(?![a-z\d]))")
#: Models are called after metrics that they were chosen by, or trained for.
_CHOSEN_BY = {
    *("by", "early", "for", "loss", "loss:", "max", "maximise", "maximize", "mbr"),
    *("objective", "on", "optimised", "optimized", "rerank", "reranked", "reward"),
    *("scst", "select", "selected", "target", "tuned", "with"),
}
#: Also a metric, where "val" or "test" is beside it.
_LOSS = {"loss", "loss:"}
_TOP_1_OR_5 = re.compile(r"top[ _-]?(?P<k>[15])\W*$")


def notes_about_rows_of_metrics(table: Scores | Predictions) -> Iterator[str]:
    """Note rows that are several metrics, or quantiles, of one thing, or a measure among scores."""
    data_sets = texts_like_names(table, "dataset")
    for labels in (data_sets, *_other_labels(table)):
        pair = _different_metrics(labels) or _items_of_metrics(labels)
        if pair and not _are_compared_with_judges(pair, table.metric):
            yield f"The rows are called {listed(pair)} and so on: are they several metrics?"
            return
    if _are_quantiles(data_sets):
        called = f"The rows are called {listed(data_sets[:2])} and so on"
        yield f"{called}: are they quantiles of one measurement?"
    else:
        yield from _measures_among_scores(data_sets, table.metric)


def _are_compared_with_judges(pair: Iterable[str], metric: Metric) -> bool:
    """Return whether metrics are judged themselves, by each of some criteria of people."""
    labels = map(metric_of_label, pair)
    are_criteria = all(label and label.field == "judging" for label in labels)
    return are_criteria and quantity_of_metric(metric.name) in _AGREEMENT


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
        _without_bracket(label)
        for label, (_, level) in zip(labels, levels)
        if level is None
    ]
    return len(other_labels) < len(known) and all(map(is_summary, other_labels))


def _without_bracket(label: str) -> str:
    return re.sub(r" *[(\[][^()\[\]]*[)\]]$", "", label.strip())


def _level(label: str) -> tuple[str, float | None]:
    """Return of what a label such as "latency p50 (ms)" is a quantile, and of which level."""
    plain = _without_bracket(label)
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


def notes_about_models_of_metrics(table: Scores) -> Iterator[str]:
    """Note models that are called like metrics, or of which each has scores of another one."""
    models, metric = table.models, table.metric
    named = [model for model in models if is_name_of_metric(model)]
    if named and len(named) < len(models):
        yield f"{named[0]} is called like a metric: is it a model?"
    words = [word for model in models for word in words_of_label(model)]
    chosen_by = _CHOSEN_BY.intersection(re.findall(r"[^\W_]+", " ".join(words)))
    if quantity_of_metric(metric.name) in _AGREEMENT:
        return
    called = f"The models are called {listed(models)}"
    if chosen_by <= _LOSS and _have_scores_of_another(models, metric):
        yield f"{called}: are they scored by {shown(metric.name)}?"
        return
    if chosen_by:
        return
    errors = _errors_of_learners(models, metric)
    if _are_metrics_of_one(models):
        yield f"{called}: are they metrics?"
    elif _have_scores_of_several(models, metric):
        yield f"{called}: are they metrics of models?"
    elif _have_scores_of_others(table) or len(errors) == 1:
        yield f"{called}: are they scored by {shown(metric.name)}?"
    elif (
        _have_metrics_of_their_own(models)
        or len(errors) > 1
        or _are_defined_differently(models, metric)
        or _are_first_and_fifth(models, metric)
    ):
        yield f"{called}: are they scored by different metrics?"


def _have_scores_of_several(models: Sequence[str], metric: Metric) -> bool:
    """Return whether names end in metrics, of which the declared one is one of several.

    Models are also called after what they were trained with.
    """
    ends = [re.findall(r"[^\W_]+", plain_text(model)) for model in models]
    if any(len(words) < 2 for words in ends):
        return False
    metrics = {words[-1] for words in ends}
    if len(metrics) < 2 or metrics <= _TRAINED_WITH:
        return False
    quantities = {quantity_of_metric(name) for name in metrics}
    if any(
        direction_of_metric(name) is None and quantity_of_metric(name) is None
        for name in metrics
    ):
        return False
    quantity = quantity_of_metric(metric.name)
    is_one_of_them = quantity in quantities - {None} and len(quantities) > 1
    return is_one_of_them or plain_name(metric.name) in metrics


def _have_scores_of_others(table: Scores) -> bool:
    """Return whether all names end, or begin, with metrics, and none with the declared one.

    What was trained or chosen for several metrics has one name beside them.  Models are
    trained with losses, too, unless they then score less than guessing.
    """
    quantity = definition_of_metric(table.metric.name).quantity
    if quantity is None:
        return False
    names = [re.findall(r"[^\W_]+", plain_text(model)) for model in table.models]
    if any(len(words) < 2 for words in names):
        return False
    for end, rest in ((-1, slice(None, -1)), (0, slice(1, None))):
        metrics = {words[end] for words in names}
        stems = {" ".join(words[rest]) for words in names}
        beside = {metric_beside(model, at_end=end < 0) for model in table.models}
        if any(x and x.metric.quantity in _quantities_of(table.metric) for x in beside):
            continue
        quantities = {_quantity_beside_name(word) for word in metrics}
        if len(stems) < 2 or not quantities.isdisjoint({None, quantity}):
            continue
        are_losses = metrics <= _TRAINED_WITH | _WORDS_OF_MODELS
        if not are_losses or has_model_below_guessing(table):
            return True
    return False


def _have_scores_of_another(models: Sequence[str], metric: Metric) -> bool:
    """Return whether all names have another metric than the declared one beside them.

    They say of which part of the data it is, or it has a name of several words.
    """
    for at_end in (True, False):
        all_beside = [metric_beside(model, at_end=at_end) for model in models]
        known = [beside for beside in all_beside if beside is not None]
        stems = {beside.model for beside in known}
        if len(known) < len(models) or len(stems) < 2:
            continue
        if all(_is_another_metric(beside, metric) for beside in known):
            return True
    return False


def _is_another_metric(beside: MetricBeside, metric: Metric) -> bool:
    """Return whether a metric beside a name, which no model has in its name, is not this one."""
    declared = named_metric(metric.name)
    quantities = _quantities_of(metric)
    quantity, direction = beside.metric.quantity, beside.metric.better
    if beside.has_part and (quantity is None or not quantities):
        return direction not in (None, metric.better)
    if not beside.has_part:
        is_of_field = declared is not None and declared.field == beside.metric.field
        *words_before, last_word = beside.name.split()
        if not words_before or not is_of_field or last_word in _TRAINED_WITH:
            return False
    return quantity is not None and bool(quantities) and quantity not in quantities


def _quantities_of(metric: Metric) -> set[str]:
    """Return what a metric measures by its last words and by its name, if this is known.

    An "average precision" is the area under a curve, and no precision on average.
    """
    named = named_metric(metric.name)
    quantities = {definition_of_metric(metric.name).quantity, named and named.quantity}
    return {quantity for quantity in quantities if quantity is not None}


def _quantity_beside_name(word: str) -> str | None:
    """Return what a word beside the name of a model measures, if it is nothing else.

    "ami" may be a corpus, and "is" is a word.
    """
    metric = named_metric(word)
    is_certain = metric is not None and metric.certain == "label"
    return metric.quantity if metric and (is_certain or word == "acc") else None


def _have_metrics_of_their_own(models: Sequence[str]) -> bool:
    """Return whether names end in metrics, with one metric for each of several names.

    A model that was trained or tuned for two metrics has the same name before both.
    """
    in_brackets = [text_in_bracket(model) or "" for model in models]
    words = [re.findall(r"[^\W_]+", plain_text(model)) for model in models]
    if all(in_brackets):
        stems = [_without_bracket(model) for model in models]
        if all(map(_is_alone_only, in_brackets)):
            return False  # "PA" may be a state, and "IS" a language
        quantities = {x: _quantity_alone(x) for x in map(plain_text, in_brackets)}
        others = _LOSSES_TRAINED_WITH
    else:
        ends = [_metric_at_end(name) for name in words]
        stems = [
            " ".join(name[: len(name) - len(end.split())])
            for name, end in zip(words, ends)
        ]
        quantities = {
            end: _quantity_alone(end) if " " in end else _quantity_beside_name(end)
            for end in ends
        }
        others = _LOSSES_TRAINED_WITH | _WORDS_OF_MODELS
    if len(set(stems)) < len(models) or "" in stems:
        return False
    measured = {quantities[metric] for metric in quantities.keys() - others}
    return None not in measured and len(measured) > 1


def _metric_at_end(words: Sequence[str]) -> str:
    """Return the last words of a name that are a metric, or else the last one.

    >>> _metric_at_end(["vnet", "assd", "mm"]), _metric_at_end(["tree", "crown", "area"])
    ('assd mm', 'area')
    """
    behind = [*takewhile(_is_unit_or_number, reversed(words))][::-1]
    before = words[: len(words) - len(behind)]
    if behind and named_at_end(words_of_name(" ".join(before)))[0] is not None:
        return " ".join([_metric_at_end(before), *behind])
    metric, n_words = named_at_end(words)
    return " ".join(words[-n_words:] if metric else words[-1:])


def _is_unit_or_number(word: str) -> bool:
    return word.isdecimal() or (len(word) > 1 and word in words_of_units())


def _is_alone_only(text: str) -> bool:
    """Return whether a text is no metric, or one only where it stands alone."""
    metric = named_metric(text)
    return metric is None or metric.certain == "whole"


def _quantity_alone(text: str) -> str | None:
    """Return what a text measures that is a metric and nothing else, if it is one.

    >>> _quantity_alone("success %"), _quantity_alone("return"), _quantity_alone("ours")
    ('success', 'return', None)
    """
    metric = named_metric(text)
    if metric is None:
        return None
    bare, *_ = bare_names(text)
    return metric.quantity or re.sub("_(?:rate|ratio)$", "", bare)


def _errors_of_learners(models: Sequence[str], metric: Metric) -> set[str]:
    """Return the errors that different learners are called after, unless it is the declared one.

    Networks are trained with errors, too.  A forecast by ARIMA is not, and no network is
    trained with the root of an error.
    """
    declared = metric_of_error(metric.name)
    if declared is None or declared.field != "numbers":
        return set()
    names = [re.findall(r"[^\W_]+", plain_text(model)) for model in models]
    if any(len(words) < 2 for words in names):
        return set()
    for end, rest in ((-1, slice(None, -1)), (0, slice(1, None))):
        stems = [" ".join(words[rest]) for words in names]
        errors = {_error_beside_name(words[end]) for words in names}
        known = {error for error in errors if error is not None}
        if len(set(stems)) < len(models) or known < errors:
            continue
        is_root = _ROOT in known and len(known) > 1
        is_trained_otherwise = any(map(is_deterministic, stems))
        if known != {declared.quantity} and (is_root or is_trained_otherwise):
            return known
    return set()


def _error_beside_name(word: str) -> str | None:
    """Return what a word beside the name of a model measures, if it is an error of numbers."""
    metric = named_metric(word)
    is_error = metric is not None and metric.field == "numbers"
    return metric.quantity if metric and is_error and metric.better == "lower" else None


def _are_metrics_of_one(models: Sequence[str]) -> bool:
    """Return whether names are metrics, alone or of one model each.

    Losses alone are models that were trained with them.
    """
    quantities: dict[str, set[str]] = {}
    for model in models:
        words = words_of_metric(model)
        quantity, _ = quantity_at_end(["", *words])  # PQ and SQ are no metrics alone
        if quantity is None or direction_of_metric(model) != "higher":
            return False
        stem = " ".join(words_of_label(model.replace("-", " "))[:-1])
        quantities.setdefault(stem, set()).add(quantity)
    has_one_several = any(len(several) > 1 for several in quantities.values())
    have_no_stem = list(quantities) == [""]
    return has_one_several or (have_no_stem and len(models) > 1)


def _are_defined_differently(models: Sequence[str], metric: Metric) -> bool:
    """Return whether names say that one metric was averaged, or cut off, in several ways."""
    quantity = definition_of_metric(metric.name).quantity
    if quantity == "rouge":
        models = [_SHORT_ROUGE.sub("rouge-", plain_text(model)) for model in models]
    definitions = [definition_of_metric(model) for model in models]
    quantities = {definition.quantity for definition in definitions}
    if None in quantities or len(quantities | {quantity} - {None}) > 1:
        return False  # "map-10" may be a model where the metric is an accuracy
    averages = {definition.average for definition in definitions}
    if quantities == {"accuracy"} and "macro" in averages:
        averages = {average or "micro" for average in averages}
    cutoffs: set[str | None] = {None}
    if all(map(states_cutoff, models)):
        cutoffs = {definition.cutoff for definition in definitions}
    return any(None not in says and len(says) > 1 for says in (averages, cutoffs))


def _are_first_and_fifth(models: Sequence[str], metric: Metric) -> bool:
    """Return whether names end in "top-1" and "top-5", which are usual for accuracies only."""
    matches = [_TOP_1_OR_5.search(plain_text(model)) for model in models]
    is_accuracy = quantity_of_metric(metric.name) == "accuracy"
    return is_accuracy and all(matches) and len({x["k"] for x in matches if x}) > 1
