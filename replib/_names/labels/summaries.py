"""Labels of rows that summarise the others: averages, totals, wins and losses."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from replib._names.labels.shared import rests_of_labels
from replib._names.labels.statistics import is_called_statistic
from replib._names.languages import in_english
from replib._names.things.times import parts_of_time
from replib._names.words import (
    MOST_NAMES,
    plain_text,
    plain_words,
    words_of_column,
    words_of_label,
)

#: A label of these words alone is that of a row that summarises the others.
_SUMMARY_WORDS = {
    *("aggregate", "aggregated", "average", "avg", "best", "combined", "count"),
    *("deviation", "geomean", "gmean", "hmean", "iqm", "iqr", "max", "maximum", "mean"),
    *("median", "min", "minimum", "overall", "pooled", "rank", "ranks", "sd", "sig"),
    *("significance", "stderr", "std", "stdev", "subtotal", "sum", "summary", "t-test"),
    *("total", "variance", "wilcoxon", "wins", "worst", "ø", "⌀", "Σ".casefold()),
}
#: With a bracket behind them, or a stem before, these may be names: Best (NL) is a town.
_NAMES_OF_PLACES = {"best", "max", "min", "rank", "sum", "total", "wins", "worst"}
#: What stands behind a name is a summary of its parts, if these are its last word.
_LAST_WORDS = {"aggregate", "average", "avg", "iqm", "overall", "subtotal"}
#: What is averaged may also stand behind: "Average of 7", "Mean w/o GSM8K".
_GROUP_BEHIND = re.compile(
    r"(?:avg\.?|average) (?:(?:of|over|across) |(?=\d))(?P<group>.+)"
    r"|(?:avg\.?|average|mean) (?:w/o|without|excl\w*\.?|except|incl\w*\.?) (?P<others>.+)"
)
#: The last word of a name, in a bracket or behind a sign: "GLUE (mean)", "Natural avg".
_WORD_IN_BRACKET = re.compile(r"(?P<group>.*\w)\W*[(\[](?P<word>[^\W\d_]+)\.?[)\]]")
_WORD_BEHIND = re.compile(r"(?P<group>.*\w)[-–—_:/, ]+(?P<word>[^\W\d_]+)")
#: Before the name of a group: "Avg. textures", "Average objects".
_BEFORE_GROUP = re.compile(
    r"(?P<word>avg|average|mean|ø|⌀)\.?:? +(?P<group>[^\W\d_].+)"
)
#: Letters with points; "SE" and "SEM" without these may be names.
_INITIALS = re.compile(
    r"(?<![^\W_.])s\. ?(?:d|e(?:\. ?m)?)(?:\.|(?![^\W_]))", re.IGNORECASE
)
#: A bracket behind a name may have these, too: nothing else has a mean in a bracket.
_LAST_IN_BRACKET = _LAST_WORDS | {"mean", "median", "pooled", "total"}
#: What all rows together are: "total cholesterol" is a measurement of its own.
_OF_ALL = (
    r"(?:bank|book|business|cohort|company|corpus|country|customer base|data ?base"
    r"|data ?set|fleet|group|market|network|population|portfolio|sample|study|test set)"
)
#: Things that a row has all of.
_ALL = re.compile(
    rf"(?:entire|full|overall|total|whole)[-_ ]{_OF_ALL}"
    rf"|{_OF_ALL}(?:[-_ ]|[,:] )(?:\(?total\)?|overall)"
    r"|(?:random|fixed)[- ]effects?(?: model)?|meta[- ]analysis"
    r"|all[-_ ](?:the[-_ ])?[a-z]+[-_ ]?[a-z]*s"
)
#: Words that may stand beside these.
_QUALIFIERS = {
    *("acc", "accuracy", "arithmetic", "dev", "error", "f1", "geometric", "harmonic"),
    *("final", "macro", "micro", "p", "score", "standard", "test", "weighted"),
    *("unweighted", "across", "all", "data", "datasets", "estimate", "folds", "no"),
    *("number", "of", "over", "algorithm", "classifier", "games", "general", "geo"),
    *("geom", "global", "grand", "group", "method", "model", "interquartile"),
    *("normalized", "normalised", "row", "runs", "seeds", "sets", "simple", "sites"),
    *("tasks", "the", "trimmed", "friedman"),
}
#: Two of these, one of each kind, are a summary, too.
_KINDS_OF_SUMMARY = {"final", "macro", "micro", "unweighted", "weighted"}
_SCORES = {"acc", "accuracy", "error", "f1", "score"}
#: In place of a number, these are all that are numbered, or what is made of them.
_WHOLE = {
    *("all", "cv", "ens", "ensemble", "ensembled", "entire", "everything", "full"),
    *("merged", "micro", "macro", "together", "vote", "voted", "voting", "whole"),
}
_FEWEST_NUMBERED = 3
#: So many labels must share a stem that one of them summarises the others.
_FEWEST_OF_STEM = 4
#: What is made of all parts of a year.
_OF_YEAR = re.compile(
    r"(?:(?P<stem>.*?[^\W_])[\W_]+)?(?:annual(?:ly)?|yearly|(?:all|full|whole)[-_ ]?year"
    r"|year|all[-_ ](?:seasons|months|quarters))[)\]]?",
    re.IGNORECASE,
)
_QUARTER = re.compile(r"[qh][1-4]", re.IGNORECASE)
#: What says how many points can be had, and what may stand beside it.
_REACHABLE = {
    *("achievable", "attainable", "available", "full", "highest", "max", "maximal"),
    *("maximum", "most", "out", "perfect", "possible", "reachable", "top", "total"),
    *("worth",),
}
_POINTS = {
    *("credit", "credits", "grade", "grades", "mark", "marks", "of", "point", "points"),
    *("pts", "score", "scores", "value", "weight"),
}
#: Wins, ties and losses.
_WINS = re.compile(
    r"w(?:in)?s?[ /-]*[td](?:ie|raw)?s?[ /-]*l(?:oss|ose)?(?:es)?", re.IGNORECASE
)
#: Of how many rows a model is the first, or another one.
_FIRSTS = re.compile(
    r"(?P<before>(?:n|no|nr|num|number|count)(?: of)? )?"
    r"(?:1st|first|2nd|second|top 1|best|wins?|winners?|won)"
    r"(?: (?:places?|ranks?|results?|scores?))?(?P<behind> (?:counts?|n|number|total))?"
    r"|(?:1st|first|2nd|second) places"
)
#: Rows of a table of descriptive statistics; some of these words have other meanings, too.
_STATISTIC = re.compile(
    r"(?:(?:valid|missing|total|unweighted|weighted|sum of) )?(?:n|n ?obs|obs|cases|count)"
    r"|(?:number|no) of (?:obs|observations|cases|values)|valid|missing|n ?miss(?:ing)?"
    r"|(?:std|standard|st|s) (?:dev|deviations?|err|errors?|e|d)(?: (?:of )?(?:the )?mean)?"
    r"|(?:(?:std|standard) error (?:of )?)?(?:skew|skewness|kurtosis|kurt)"
    r"|sd|se|sem|std|stdev|stddev|var|variance|cv|iqr|mad|range|unique|freq|first|last|mode"
    r"|(?:coefficient of|coeff?) variation|interquartile range|quantiles?|percentiles?"
    r"|(?:1st|3rd|first|third|lower|upper) (?:qu|quartile)|[qp]\d+"
    r"|\d+(?: \d+)?(?:th)? ?(?:%|percentile)|(?:geometric|(?:5% )?trimmed) mean"
)


@lru_cache(MOST_NAMES)
def is_summary(label: str) -> bool:
    """Return whether a label has no words but those of a summary.

    >>> is_summary("Avg. rank"), is_summary("S.D."), is_summary("Sum/Avg")
    (True, True, True)
    >>> is_summary("mean shift"), is_summary("U.S.")
    (False, False)
    """
    label = in_english(label)
    plain = label.strip().casefold()
    if _WINS.fullmatch(plain) or _ALL.fullmatch(plain) or _counts_firsts(label):
        return True
    if _is_place(plain):
        return False
    without_signs = re.sub(r"±|\+/-|/", " ", label.lstrip("# "))
    spelling = _INITIALS.sub("std", without_signs)
    return _are_of_summary(words_of_label(spelling)) or _are_of_summary(
        words_of_label(spelling.replace("-", " "))
    )


def _counts_firsts(label: str) -> bool:
    """Return whether a label is that of a count of rows in which a model is the first.

    >>> [_counts_firsts(label) for label in ("1st Count", "#1st", "# of wins", "first", "Best")]
    [True, True, True, False, False]
    """
    match = _FIRSTS.fullmatch(plain_words(label.replace("#", " n ")))
    if match is None:
        return False
    return bool(match["before"] or match["behind"]) or match[0].endswith("places")


def is_label_of_statistic(label: str) -> bool:
    """Return whether a label of a row is that of a statistic, beside others of statistics.

    >>> labels = ("N", "Std. Deviation", "25%", "Skewness", "iris")
    >>> [is_label_of_statistic(label) for label in labels]
    [True, True, True, True, False]
    """
    plain = plain_words(label)
    return (
        _STATISTIC.fullmatch(plain) is not None
        or is_called_statistic(plain)
        or is_summary(label)
    )


def _is_place(plain: str) -> bool:
    """Return whether a bracket behind a word says where it is, as in "Best (NL)"."""
    match = re.fullmatch(r"(?P<name>[a-z]+) *[(\[](?P<where>[^()]+)[)\]]", plain)
    if match is None or match["name"] not in _NAMES_OF_PLACES:
        return False
    words = {*re.findall(r"[^\W\d_]+", match["where"])}
    return not words <= _SUMMARY_WORDS | _QUALIFIERS | {"n"}


def _are_of_summary(words_in_order: Iterable[str]) -> bool:
    """Return whether words say that the others are summarised, and nothing else."""
    words = {*words_in_order}
    if words == {"samples", "avg"}:
        return True  # a row of scikit-learn's report
    if words & _KINDS_OF_SUMMARY and words & _SCORES and words <= _QUALIFIERS:
        return True  # "Micro F1"
    return bool(words & _SUMMARY_WORDS) and words <= _SUMMARY_WORDS | _QUALIFIERS


def summarised_group(label: str) -> str | None:
    """Return what a label summarises by its last word, such as a group of data sets, or None.

    >>> [summarised_group(label) for label in ("Natural avg.", "GLUE (mean)", "Totalcare")]
    ['natural', 'glue', None]
    """
    plain = plain_text(label).strip(" .:")
    match = _GROUP_BEHIND.fullmatch(plain)
    if match is not None:
        return match["group"] or match["others"]
    for pattern, words in (
        (_WORD_IN_BRACKET, _LAST_IN_BRACKET),
        (_WORD_BEHIND, _LAST_WORDS),
    ):
        match = pattern.fullmatch(plain)
        if match is not None:
            return match["group"] if match["word"] in words else None
    return None


def groups_of_averages(labels: Iterable[str]) -> dict[str, str]:
    """Return the group of each label that is by its first word the average of one.

    A single "Mean Street" or "Average Joe" is none.

    >>> groups_of_averages(["wood", "Avg. textures", "Avg. objects"])
    {'Avg. textures': 'textures', 'Avg. objects': 'objects'}
    >>> groups_of_averages(["wood", "Average Joe"])
    {}
    """
    groups = {}
    words = set()
    for label in labels:
        match = _BEFORE_GROUP.fullmatch(plain_text(label))
        if match is not None:
            groups[label] = match["group"]
            words.add(match["word"])
    are_names = len(groups) == 1 and words <= {"average", "mean"}
    return {} if are_names else groups


def summaries_of_numbered(labels: Sequence[str]) -> list[str]:
    """Return the labels that have the word of the numbered ones, and no number but a summary.

    >>> summaries_of_numbered(["fold_0", "fold_1", "fold_2", "fold_all", "fold_last"])
    ['fold_all']
    >>> summaries_of_numbered(["s1", "s2", "s3", "sum"])
    []
    """
    shapes = [re.sub(r"\d+", "0", label.casefold()) for label in labels]
    if not shapes:
        return []
    ((shape, n_alike),) = Counter(shapes).most_common(1)
    words = words_of_column(shape)
    if "0" not in shape or not words or n_alike < _FEWEST_NUMBERED:
        return []
    word = re.compile(rf"(?<![^\W\d_])(?:{'|'.join(map(re.escape, words))})s?")
    return [
        label
        for label, other_shape in zip(labels, shapes)
        if other_shape != shape and _is_summary_beside(word, label)
    ]


def _is_summary_beside(word: re.Pattern[str], label: str) -> bool:
    """Return whether a label says a summary beside the word of what is numbered."""
    text = " ".join(words_of_column(label))
    if word.search(text) is None:
        return False
    rest = {*word.sub(" ", text).split()}
    summaries = _SUMMARY_WORDS | _WHOLE
    return bool(rest & summaries) and rest <= summaries | _QUALIFIERS


def summaries_of_stem(labels: Sequence[str]) -> list[str]:
    """Return the only label that is a summary without the words that all labels share.

    >>> summaries_of_stem(["GLUE CoLA", "GLUE QQP", "GLUE RTE", "GLUE mean"])
    ['GLUE mean']
    >>> summaries_of_stem(["t-min", "t-max", "t-mean", "t-sd"])
    []
    """
    if len(labels) < _FEWEST_OF_STEM:
        return []
    for rests in rests_of_labels(labels):
        summaries = [
            label
            for label, rest in zip(labels, rests)
            if is_summary(rest) and plain_words(rest) not in _NAMES_OF_PLACES
        ]
        if len(summaries) == 1:
            return summaries
    return []


def wholes_of_times(labels: Sequence[str]) -> list[str]:
    """Return labels of whole years that stand beside all others of their stem, parts of years.

    >>> wholes_of_times(["Alps_DJF", "Alps_MAM", "Alps_JJA", "Alps_annual", "Rhine"])
    ['Alps_annual']
    >>> wholes_of_times(["Alps_annual", "Alps_glaciers", "Alps_rivers"])
    []
    """
    texts = [label.strip() for label in labels]
    matches = [_OF_YEAR.fullmatch(text) for text in texts]
    others = [text for text, match in zip(texts, matches) if match is None]
    return [
        label
        for label, match in zip(labels, matches)
        if match is not None and _has_parts_of_year(match["stem"] or "", others)
    ]


def _has_parts_of_year(stem: str, labels: Iterable[str]) -> bool:
    """Return whether all labels of a stem are parts of a year, of which none is the whole."""
    texts = (label.removeprefix(stem) for label in labels if label.startswith(stem))
    parts = [text.strip(" _-–:/.()[]") for text in texts]
    if len(parts) > 1 and all(map(_QUARTER.fullmatch, parts)):
        return True
    return parts_of_time(parts) is not None


@lru_cache(MOST_NAMES)
def may_be_highest_possible(label: str) -> bool:
    """Return whether a label may be that of the row with the most points that can be had.

    >>> labels = ("    Points Possible", "Full marks", "out of 40", "Max", "Max Planck")
    >>> [may_be_highest_possible(label) for label in labels]
    [True, True, True, True, False]
    """
    words = {*words_of_column(label)}
    return bool(words & _REACHABLE) and words <= _REACHABLE | _POINTS
