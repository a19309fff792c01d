"""Statistics of a model by their names: limits of an interval, spreads, quantiles, times.

A model that is called "rf_ci_low" is one alone; beside a model "rf" it is a limit of that
model's interval.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from replib._names.labels.ends import side_of_end
from replib._names.things.nouns import noun_of_name
from replib._names.words import MOST_NAMES, plain_words

#: Statistics that no model is called after, in lower case and with blanks between words.
_STATISTICS = re.compile(
    r"(?:\d+ )?(?:ci|conf|hdi|cri|confidence interval) ?(?:\d+)?"
    r"(?: (?:l|lo|low|lower|left|u|hi|high|upper|right|width|half width|bounds?|\d+))"
    r"|(?:\d+ ?ci|ci ?\d+|confidence interval)"
    r"|(?:low|lower|lo|hi|high|upper) (?:ci|bound|limit|conf|cl)|[lu]cl"
    r"|std(?:ev|err)|std (?:dev|err|error)|standard (?:deviation|error)|half ?width"
    r"|p ?val(?:ue)?|n ?obs"
)
#: Behind two dashes, as trackers write them, these are none, either.
_BEHIND_DASHES = {"max", "mean", "min", "std", "var"}
#: Of these, the same is true without a model beside them.
_LIMIT = re.compile(
    r".+ (?:ci|conf)(?:\d+)? (?:lo|low|lower|hi|high|upper)"
    r"|(?:ci|conf) (?:lo|low|lower|hi|high|upper)|(?:lower|upper) ci"
    # "AutoARIMA-lo-95" and "rf_95lo"
    r"|.+ (?:lo|hi|lower|upper|lwr|upr|[lu]cl) ?(?:80|90|95|99)"
    r"|.+ (?:80|90|95|99) ?(?:lo|hi|lower|upper|lwr|upr|[lu]cl)"
)
#: Quartiles are ends that are no quantiles by their numbers.
_QUARTILES = {"q1": -1, "q3": 1}
#: Such as that of "DenseNet121Lower".
_CAPITAL = re.compile(r"(?<=[a-z\d])(?=[A-Z])")
#: Models are called so, too: the scores tell, which are far from those of the others.
_OTHERS = {
    *("ci", "conf", "confidence", "count", "err", "error", "iqr", "mad", "n", "range"),
    *("sd", "se", "sem", "sigma", "spread", "std", "stdv", "var", "variance", "σ"),
    "time",
}
#: Over what a spread is one: "svm_boot_std", "svm_seed_sd".
_OVER = {
    *("boot", "bootstrap", "cv", "fold", "folds", "jackknife", "of", "over"),
    *("resampling", "run", "runs", "seed", "seeds"),
}
#: Errors may differ on both sides, or come from several sources.
_ERRORS = {"err", "error", "xerr", "yerr"}
_PARTS_OF_ERRORS = {
    *("hi", "high", "lo", "low", "lower", "minus", "plus", "upper", "up", "down"),
    *("stat", "statistical", "sys", "syst", "systematic", "tot", "total"),
}
#: Models are trained, or learn what to ask, by their uncertainty, too, which may improve
#: all of them.
_UNCERTAINTIES = {"unc", "uncert", "uncertainties", "uncertainty"}
#: Before the name of a model, and not behind it, a difference or an error of it.
_BEFORE_MODELS = {"d"}
#: Written without a blank before a name: "ΔPFN".
_DELTA = re.compile(r"^[ΔδΔ∆](?=[^\W\d_])")
#: A word behind a hyphen may be that of a data set: "BreakHis-SD".
_HYPHENED = re.compile(r"\w-[^\W_]+$")
#: Behind the label of another row, these are no other words.
_SPREADS_OF_ROWS = {
    *("ci", "iqr", "sd", "sem", "std", "stdv", "std dev", "stddev", "stdev", "std err"),
    *("stderr", "standard deviation", "standard error", "variance"),
    *("95% ci", "95 ci", "ci 95", "ci95", "confidence interval", "95ci"),
}
#: What stands before a row's own label as well as behind it: "SD of HIPE", "HIPE ± SD".
_OF = re.compile(r"^(?P<statistic>.+) of (?P<label>.+)$")
#: A model's own scores may be called so beside those.
_OWN = (
    *("", " acc", " auc", " score", " mean", " avg", " est", " estimate", " value"),
    *(" median", " point", " correct", " right", " is correct", " em", " hit", " pass"),
    *(" test score", " test accuracy", " test", " accuracy"),
)


class Statistic(NamedTuple):
    """What a name adds to that of a model.

    Attributes
    ----------
    name, model : str
    kind : {"statistic", "end", "paired end", "other", "uncertainty", "property"}
        Models may be called like the last five, too.
    side : int
        -1 for scores that must be below those of the model, 1 for above, else 0.
    word : str
        What is added.
    """

    name: str
    model: str
    kind: str
    side: int = 0
    word: str = ""


def statistics_by_name(names: Sequence[str]) -> Iterator[Statistic]:
    """Find the names that are those of statistics of another one.

    >>> names = ["rf_mean", "rf_ci_low", "rf_lower", "mini", "mini-high"]
    >>> for statistic in statistics_by_name(names):
    ...     print(statistic.name, statistic.model, statistic.kind, statistic.side)
    rf_ci_low rf_mean statistic 0
    rf_lower rf_mean end -1
    """
    models = _models_by_stem(names)
    splits = [(name, *split) for name in names for split in _stems_and_additions(name)]
    models_of_spreads = _models_of_spreads(splits)
    for name, stem, added in splits:
        model = models.get(stem) or models_of_spreads.get((stem, added), name)
        statistic = _statistic(name, model, added) if model != name else None
        if statistic is not None:
            yield statistic


def _models_by_stem(names: Sequence[str]) -> dict[str, str]:
    """Return the first name of each model, without what its own scores may be called."""
    models: dict[str, str] = {}
    for name in names:
        plain = plain_words(name)
        for ending in _OWN:
            if plain.endswith(ending):
                stem = plain.removesuffix(ending).replace(" ", "")
                models.setdefault(stem, name)
    return models


def _stems_and_additions(name: str) -> list[tuple[str, str]]:
    """Return each stem of a name, without blanks, with the words added behind or before it.

    >>> _stems_and_additions("rf_sd")
    [('rf', 'sd'), ('sd', 'rf')]
    """
    splits = []
    name = _DELTA.sub("d ", name)
    for spelling in (name, _CAPITAL.sub(" ", name)):
        words = plain_words(spelling).split()
        for cut in range(1, len(words)):
            before, behind = words[:cut], words[cut:]
            splits.append(("".join(before), " ".join(behind)))
            if spelling == name:  # "LowerBoundNet" is no bound of a net
                splits.append(("".join(behind), " ".join(before)))
    return [*dict.fromkeys(splits)]


def _models_of_spreads(
    splits: Iterable[tuple[str, str, str]],
) -> dict[tuple[str, str], str]:
    """Return by stem and spread the name that has another word for the scores themselves.

    All stems with the spread have this word, as in "rf_m, rf_sd, nb_m, nb_sd".

    Parameters
    ----------
    splits : iterable of tuple
        A name, its stem, and the words added to that.
    """
    names_by_addition: dict[str, dict[str, str]] = {}
    for name, stem, added in splits:
        names_by_addition.setdefault(added, {}).setdefault(stem, name)
    kinds = {added: _kind(added) for added in names_by_addition}
    spreads = [added for added in kinds if kinds[added] in ("statistic", "other")]
    words_for_scores = [added for added in kinds if kinds[added] is None]
    models: dict[tuple[str, str], str] = {}
    for spread in spreads:
        stems = names_by_addition[spread].keys()
        for word in words_for_scores:
            names_of_scores = names_by_addition[word]
            if names_of_scores.keys() >= stems:
                for stem in stems:
                    models.setdefault((stem, spread), names_of_scores[stem])
    return models


def _statistic(name: str, model: str, added: str) -> Statistic | None:
    """Return what words that a name adds to that of a model are, or None."""
    if added in _BEHIND_DASHES and name.casefold().endswith(f"__{added}"):
        return Statistic(name, model, "statistic", word=added)
    if added in _BEFORE_MODELS and _begins_with(name, added):
        return Statistic(name, model, "uncertainty", word=added)
    if _is_time(added) and plain_words(name).endswith(added):
        return Statistic(name, model, "statistic", word=added)
    kind = _kind(added)
    if kind is None or (kind == "paired end" and _is_effort(name, added)):
        return None
    side = _side(added) if kind in ("end", "paired end") else 0
    return Statistic(name, model, kind, side, added)


def _begins_with(name: str, words: str) -> bool:
    return plain_words(_DELTA.sub("d ", name)).startswith(f"{words} ")


def _is_effort(name: str, added: str) -> bool:
    """Return whether a word behind a hyphen is an effort, as in "mini-high"."""
    return added.isalpha() and f"-{added}" in name.casefold()


def _kind(added: str) -> str | None:
    """Return what kind of statistic words are that are added to a name, or None."""
    if _STATISTICS.fullmatch(added.replace("%", "")):
        return "statistic"
    words = {*added.split()}
    if words & _ERRORS and words <= _ERRORS | _PARTS_OF_ERRORS:
        return "other"
    if _are_uncertainty(words):
        return "uncertainty"
    if _side(added) != 0:
        _, is_clear = side_of_end(_without_metric(added))
        return "end" if is_clear or added in _QUARTILES else "paired end"
    if words & _OTHERS and words <= _OTHERS | _OVER:  # "± SD" has two words
        return "other"
    return "property" if noun_of_name(added, "of_model") else None


def _are_uncertainty(words: set[str]) -> bool:
    """Return whether words are an uncertainty, perhaps a part of it: "stat", "syst unc"."""
    if words <= {"stat", "syst"}:
        return True
    beside = _ERRORS | _PARTS_OF_ERRORS
    return bool(words & _UNCERTAINTIES) and words <= _UNCERTAINTIES | beside


def _is_time(added: str) -> bool:
    """Return whether words are those of a time that something takes, such as "fit time"."""
    return noun_of_name(added, "refused", "in_tables") == "times"


def _side(added: str) -> int:
    """Return on which side of a score words are that are added to a name, or 0."""
    side, _ = side_of_end(_without_metric(added))
    return side or _QUARTILES.get(added, 0)


def _without_metric(added: str) -> str:
    """Return words without those of the score itself: "lo" of "auc lo"."""
    metrics = (f"{ending.strip()} " for ending in _OWN if ending)
    metric = next((metric for metric in metrics if added.startswith(metric)), "")
    return added.removeprefix(metric)


@lru_cache(MOST_NAMES)
def is_limit(name: str) -> bool:
    """Return whether a name is that of a limit of an interval, whatever is beside it.

    >>> is_limit("svm_ci_low"), is_limit("upper bound")
    (True, False)
    """
    if name.endswith(("__MIN", "__MAX")):
        return True  # as trackers write them
    return _LIMIT.fullmatch(plain_words(name).replace("%", "")) is not None


def is_called_statistic(words: str) -> bool:
    """Return whether words are those of a statistic, in lower case and without "%".

    >>> is_called_statistic("ci low"), is_called_statistic("std"), is_called_statistic("svm")
    (True, True, False)
    """
    return _STATISTICS.fullmatch(words) is not None or words in _OTHERS


def statistics_of_others(labels: Sequence[str]) -> list[str]:
    """Return the labels that are others with the word of a statistic before or behind them.

    Where it may be another word, as "n", "range" and "count" are, several labels have it.

    >>> statistics_of_others(["iris", "iris (SD)", "wine", "SD of wine"])
    ['iris (SD)', 'SD of wine']
    >>> statistics_of_others(["yeast", "yeast n", "wine"]), statistics_of_others(["rf", "sd"])
    ([], [])
    """
    stems = {plain_words(label).replace(" ", "") for label in labels}
    added: dict[str, str] = {}
    for label in labels:
        for stem, statistic in _stems_and_statistics(label):
            if stem in stems:
                added.setdefault(label, statistic)
    counts = Counter(added.values())
    return [
        label
        for label, statistic in added.items()
        if counts[statistic] > 1 or _is_spread_of_row(statistic, label)
    ]


def _is_spread_of_row(statistic: str, label: str) -> bool:
    """Return whether a statistic in the label of a row is certainly none of its name."""
    return statistic in _SPREADS_OF_ROWS and _HYPHENED.search(label) is None


def _stems_and_statistics(label: str) -> Iterator[tuple[str, str]]:
    """Yield the stems that a label may have, without blanks, each with a statistic of it."""
    with_word = re.sub(
        r"(?:±|\+/-)(?: *(?:sd|std))?", " sd ", label, flags=re.IGNORECASE
    )
    words = plain_words(with_word)
    splits = _stems_and_additions(words)
    match = _OF.fullmatch(words)
    if match is not None:
        splits = [(match["label"].replace(" ", ""), match["statistic"])]
    for stem, statistic in splits:
        if _kind(statistic) in ("statistic", "other"):
            yield stem, statistic


def end_of_interval(name: str) -> int:
    """Return -1 for a name that is only that of a lower end, 1 for an upper end, and else 0.

    >>> end_of_interval("lower"), end_of_interval("97.5%"), end_of_interval("lower bound")
    (-1, 1, 0)
    """
    added = plain_words(name)
    return _side(added) if _kind(added) == "end" else 0
