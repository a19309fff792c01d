"""Notes about models that are called like metrics, or have scores of different ones."""

import re
from collections.abc import Iterable, Iterator, Sequence
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
    metrics = [model for model in table.models if is_name_of_metric(model)]
    if metrics and len(metrics) < len(table.models):
        yield f"{metrics[0]} is called like a metric: is it a model?"
    note = _note_on_all_models(table)
    if note is not None:
        yield note


def _note_on_all_models(table: Scores) -> str | None:
    """Ask about models if all of them have a metric in their names."""
    models, metric = table.models, table.metric
    if quantity_of_metric(metric.name) in QUANTITIES_OF_AGREEMENT:
        return None
    errors_of_one = kinds_of_errors(models, metric.name)
    if errors_of_one:
        return (
            f"{listed(errors_of_one)} are called like kinds of errors: are they models?"
        )
    called = f"The models are called {listed(models)}"
    note_on_another = f"{called}: are they scored by {shown(metric.name)}?"
    criteria = _words_for_criteria(models)
    if criteria <= _LOSS and _have_another_metric_beside(models, metric):
        return note_on_another
    if criteria:
        return None
    if _are_metrics_of_one(models):
        return f"{called}: are they metrics?"
    if _end_in_declared_metric_and_others(models, metric):
        return f"{called}: are they metrics of models?"
    errors = _errors_of_learners(models, metric)
    if len(errors) == 1 or _have_undeclared_metrics(table):
        return note_on_another
    are_different = (
        len(errors) > 1
        or _have_metrics_of_their_own(models)
        or _are_defined_differently(models, metric)
        or _are_first_and_fifth(models, metric)
    )
    return f"{called}: are they scored by different metrics?" if are_different else None


def _words_for_criteria(models: Iterable[str]) -> set[str]:
    """Return the words of names that say what models were chosen by, or trained for."""
    words = " ".join(word for model in models for word in words_of_label(model))
    return _CHOSEN_BY.intersection(re.findall(r"[^\W_]+", words))


def _outer_words_and_stems(
    models: Sequence[str], *, at_end: bool
) -> tuple[list[str], list[str]]:
    """Return the last word of each name, or the first, and its other words.

    There are none if one of the names is a single word.

    >>> _outer_words_and_stems(["rf_rmse", "deep forest mae"], at_end=True)
    (['rmse', 'mae'], ['rf', 'deep forest'])
    """
    names = [re.findall(r"[^\W_]+", plain_text(model)) for model in models]
    if any(len(words) < 2 for words in names):
        return [], []
    if at_end:
        return [words[-1] for words in names], [" ".join(words[:-1]) for words in names]
    return [words[0] for words in names], [" ".join(words[1:]) for words in names]


def _end_in_declared_metric_and_others(models: Sequence[str], metric: Metric) -> bool:
    """Return whether names end in metrics, of which the declared one is one of several.

    Models are also called after what they were trained with.
    """
    last_words, _ = _outer_words_and_stems(models, at_end=True)
    metrics = {*last_words}
    if len(metrics) < 2 or metrics <= _TRAINED_WITH:
        return False
    quantities = {name: quantity_of_metric(name) for name in metrics}
    are_metrics = all(
        quantities[name] is not None or direction_of_metric(name) is not None
        for name in metrics
    )
    if not are_metrics:
        return False
    if plain_name(metric.name) in metrics:
        return True
    quantity = quantity_of_metric(metric.name)
    distinct = {*quantities.values()}
    return quantity is not None and quantity in distinct and len(distinct) > 1


def _have_undeclared_metrics(table: Scores) -> bool:
    """Return whether all names end, or begin, with metrics, and none with the declared one.

    What was trained or chosen for several metrics has one name beside them.  Models are
    trained with losses, too, unless they then score less than guessing.
    """
    declared = definition_of_metric(table.metric.name).quantity
    if declared is None:
        return False
    for at_end in (True, False):
        metrics, stems = _outer_words_and_stems(table.models, at_end=at_end)
        if len({*stems}) < 2 or _have_declared_metric_beside(table, at_end=at_end):
            continue
        quantities = {_quantity_beside_name(word) for word in metrics}
        if None in quantities or declared in quantities:
            continue
        may_be_losses = _TRAINED_WITH | _WORDS_OF_MODELS
        if not may_be_losses.issuperset(metrics) or has_model_below_guessing(table):
            return True
    return False


def _have_declared_metric_beside(table: Scores, *, at_end: bool) -> bool:
    """Return whether the declared metric, perhaps of several words, is beside a name."""
    declared = _quantities_of(table.metric)
    all_beside = [metric_beside(model, at_end=at_end) for model in table.models]
    return any(beside and beside.metric.quantity in declared for beside in all_beside)


def _have_another_metric_beside(models: Sequence[str], metric: Metric) -> bool:
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


def _is_another_metric(beside: MetricBeside, declared: Metric) -> bool:
    """Return whether a metric beside a name, which no model has in its name, is not this one."""
    quantity = beside.metric.quantity
    declared_quantities = _quantities_of(declared)
    if quantity is None or not declared_quantities:
        # what is measured is not known: the directions may differ
        return beside.has_part and beside.metric.better not in (None, declared.better)
    if quantity in declared_quantities:
        return False
    return beside.has_part or _is_of_field(beside, declared)


def _is_of_field(beside: MetricBeside, declared: Metric) -> bool:
    """Return whether a metric of several words, and no loss, is of the declared one's field."""
    metric = named_metric(declared.name)
    *words_before, last_word = beside.name.split()
    if metric is None or not words_before or last_word in _TRAINED_WITH:
        return False
    return metric.field == beside.metric.field


def _quantities_of(metric: Metric) -> set[str]:
    """Return what a metric measures by its last words and by its name, if this is known.

    An "average precision" is the area under a curve, and no precision on average.
    """
    by_last_words = definition_of_metric(metric.name).quantity
    named = named_metric(metric.name)
    by_name = None if named is None else named.quantity
    return {x for x in (by_last_words, by_name) if x is not None}


def _quantity_beside_name(word: str) -> str | None:
    """Return what a word beside the name of a model measures, if it is nothing else.

    "ami" may be a corpus, and "is" is a word.
    """
    metric = named_metric(word)
    if metric is None or (metric.certain != "label" and word != "acc"):
        return None
    return metric.quantity


def _have_metrics_of_their_own(models: Sequence[str]) -> bool:
    """Return whether names end in metrics, with one metric for each of several names.

    A model that was trained or tuned for two metrics has the same name before both.
    """
    in_brackets = [text_in_bracket(model) or "" for model in models]
    if all(in_brackets):
        stems = [without_bracket(model) for model in models]
        quantities = _quantities_in_brackets(in_brackets)
    else:
        names = [re.findall(r"[^\W_]+", plain_text(model)) for model in models]
        ends = [_metric_at_end(words) for words in names]
        stems = [
            " ".join(words[: len(words) - len(end.split())])
            for words, end in zip(names, ends)
        ]
        quantities = _quantities_at_ends(ends)
    if len({*stems}) < len(models) or "" in stems:
        return False
    return None not in quantities and len(quantities) > 1


def _quantities_in_brackets(texts: Sequence[str]) -> set[str | None]:
    """Return what texts in brackets measure that are no losses; None for what is no metric."""
    if not any(map(_is_metric_beside_words, texts)):
        return set()  # "PA" may be a state, and "IS" a language
    metrics = {plain_text(text) for text in texts} - _LOSSES_TRAINED_WITH
    return {*map(_quantity_alone, metrics)}


def _quantities_at_ends(ends: Iterable[str]) -> set[str | None]:
    """Return what last words measure that are no losses; None for what is no metric."""
    metrics = {*ends} - _LOSSES_TRAINED_WITH - _WORDS_OF_MODELS
    return {
        _quantity_alone(end) if " " in end else _quantity_beside_name(end)
        for end in metrics
    }


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


def _is_metric_beside_words(text: str) -> bool:
    """Return whether a text is a metric, and not only where it stands alone."""
    metric = named_metric(text)
    return metric is not None and metric.certain != "whole"


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
    for at_end in (True, False):
        words, stems = _outer_words_and_stems(models, at_end=at_end)
        if len({*stems}) < len(models):
            continue
        errors = {_error_beside_name(word) for word in words}
        known = {error for error in errors if error is not None}
        if known < errors or known == {declared.quantity}:
            continue
        is_root = _ROOT in known and len(known) > 1
        if is_root or any(map(is_deterministic, stems)):
            return known
    return set()


def _error_beside_name(word: str) -> str | None:
    """Return what a word beside the name of a model measures, if it is an error of numbers."""
    metric = named_metric(word)
    if metric is None or metric.field != "numbers" or metric.better != "lower":
        return None
    return metric.quantity


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
    has_one_several = any(len(measured) > 1 for measured in quantities.values())
    are_metrics_alone = quantities.keys() == {""}
    return has_one_several or (are_metrics_alone and len(models) > 1)


def _are_defined_differently(models: Sequence[str], metric: Metric) -> bool:
    """Return whether names say that one metric was averaged, or cut off, in several ways."""
    declared = definition_of_metric(metric.name).quantity
    if declared == "rouge":
        models = [_SHORT_ROUGE.sub("rouge-", plain_text(model)) for model in models]
    definitions = [definition_of_metric(model) for model in models]
    quantities = {definition.quantity for definition in definitions}
    if None in quantities or len(quantities) > 1:
        return False
    if declared is not None and declared not in quantities:
        return False  # "map-10" may be a model where the metric is an accuracy
    averages = {definition.average for definition in definitions}
    if quantities == {"accuracy"} and "macro" in averages:
        averages = {average or "micro" for average in averages}
    if None not in averages and len(averages) > 1:
        return True
    cutoffs = {definition.cutoff for definition in definitions}
    return all(map(states_cutoff, models)) and None not in cutoffs and len(cutoffs) > 1


def _are_first_and_fifth(models: Sequence[str], metric: Metric) -> bool:
    """Return whether names end in "top-1" and "top-5", which are usual for accuracies only."""
    if quantity_of_metric(metric.name) != "accuracy":
        return False
    matches = [_TOP_1_OR_5.search(plain_text(model)) for model in models]
    ranks = {match["k"] for match in matches if match is not None}
    return all(matches) and len(ranks) > 1
