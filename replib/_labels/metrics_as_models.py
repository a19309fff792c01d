"""Notes about models that are called like metrics, or have scores of different ones."""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from replib._chance import has_model_below_guessing
from replib._names.metrics.bare import bare_names
from replib._names.metrics.beside import MetricBeside, metric_beside
from replib._names.metrics.definitions import definition_of_metric, states_cutoff
from replib._names.metrics.directions import direction_of_metric, metric_of_error
from replib._names.metrics.kinds_of_errors import kinds_of_errors
from replib._names.metrics.named import (
    is_name_of_metric,
    named_metric,
    plain_name,
    words_of_metric,
)
from replib._names.metrics.quantities import (
    QUANTITIES_OF_AGREEMENT,
    quantity_at_end,
    quantity_of_metric,
)
from replib._names.metrics.vocabulary import named_at_end, words_of_name
from replib._names.models.learners import is_deterministic
from replib._names.things.units import words_of_units
from replib._names.words import (
    plain_text,
    text_in_bracket,
    without_bracket,
    words_of_label,
)
from replib._validation import listed, shown
from replib.scores import Metric, Scores

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


def notes_about_models_of_metrics(table: Scores) -> Iterator[str]:
    """Note models that are called like metrics, or of which each has scores of another one."""
    models, metric = table.models, table.metric
    named = [model for model in models if is_name_of_metric(model)]
    if named and len(named) < len(models):
        yield f"{named[0]} is called like a metric: is it a model?"
    words = [word for model in models for word in words_of_label(model)]
    chosen_by = _CHOSEN_BY.intersection(re.findall(r"[^\W_]+", " ".join(words)))
    if quantity_of_metric(metric.name) in QUANTITIES_OF_AGREEMENT:
        return
    errors_of_one = kinds_of_errors(models, metric.name)
    if errors_of_one:
        yield f"{listed(errors_of_one)} are called like kinds of errors: are they models?"
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
        stems = [without_bracket(model) for model in models]
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
        # caret writes "rf~Accuracy"
        stem = " ".join(words_of_label(re.sub("[-~]", " ", model))[:-1])
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
