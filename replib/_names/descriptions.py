"""Descriptions by their names: of data, and of what was spent on them.

A table of scores may have columns of these beside its models.
"""

import re
from functools import lru_cache

from replib._names.languages import in_english
from replib._names.statistics import is_called_statistic
from replib._names.words import MOST_NAMES, plain_text, plain_words, split_at_capitals

#: Names of columns that describe data, or what is spent on them.
_DESCRIPTION = re.compile(
    r"prevalence|(?:base|event|positive|missing) rate|(?:class )?imbalance(?: ratio)?|fps"
    r"|qps|vram|(?:pct|percent) (?:missing|positive)|(?:sample|class|test|train) size"
    r"|(?:pos|positive|minority|majority)(?: class)? (?:frac|fraction|share|ratio|percent)"
    r"|(?:n|num|nr|no|number of) (?:pos|positive|negative|neg|train|test|total|obs|\w+s)"
    r"|(?:survey|sampling|sample|design|case) weights?"
    r"|(?:num|nr|number of|count of|total) \w+(?: \w+)?"
    r"|timestamp|level \d+|row ?(?:names?|id|number)"
)
#: Whatever its numbers are, none of these is a model: a share of the majority class may
#: well be between accuracies.
_NO_MODEL = re.compile(
    r"(?:minority|majority|positive) class"
    r" (?:frac|fraction|percent|percentage|proportion|ratio|share|size)"
    r"|(?:number|proportion|percentage) of \w+(?: \w+)?(?: \w+)?"
    r"|class (?:entropy|imbalance)(?: ratio)?"
)
#: How an oracle chose the best answer by means of the truth.
_CHOICE = (
    r"(?:ext|extractive|abs|abstractive|greedy|sentences?|re ?rank(?:ing|er)?|n best"
    r"|\d+ best|upper bound|ub)"
)
_BOUND = re.compile(rf"{_CHOICE} oracle|oracle {_CHOICE}(?: {_CHOICE})?")
#: These may be models more often.
_PERHAPS_DESCRIPTION = re.compile(
    r"age|cases|controls|cost|day|dimensionality|energy|events|index|latency|length|memory"
    r"|month|noise(?: level)?|p|power|price|size|speed|throughput|weights?|year"
)
#: What is known of each item, beside right and wrong answers about it: the scores of a
#: model have more to do with those of another one.
_OF_ITEM = re.compile(
    r"(?:(?:sample|survey|case|design|inverse probability) )?weights?|w|iptw|arm|event"
    r"|(?:event |vital |censoring |survival )?status|is event|censor(?:ed|ing)?|cens|dead"
    r"|died|death|relapse|treat(?:ed|ment)|(?:event|follow ?up|os|pfs|survival) ?time"
    r"|time|follow ?up|duration|(?:in)?correct label|difficulty|group|batch|stratum"
)
#: These are models: N-BEATS, N-HiTS, and those of n-grams.
_NO_NUMBERS = {"beats", "hits", "grams"}
#: Columns of data sets, if their numbers are whole ones beside fractions.
_DESCRIPTIONS = {
    *("attributes", "best", "classes", "count", "d", "dim", "epochs", "features"),
    *("feat", "inst", "instances", "iterations", "layers", "leaves", "length", "n"),
    *("nodes", "p", "rows", "rules", "samples", "size", "steps", "timestamp", "trees"),
    *("best method", "best model", "winner"),
}
#: Names that a program gives to a column without a name.
_WITHOUT_NAME = re.compile(r"unnamed: \d+\w*(?:\.\d+)?|\.\.\.\d+")


@lru_cache(MOST_NAMES)
def is_description(name: str) -> bool:
    """Return whether a name is that of a column that describes data, such as a prevalence.

    >>> is_description("n_positive"), is_description("n_beats"), is_description("size")
    (True, False, False)
    """
    plain = _plain_column(name)
    is_so = _DESCRIPTION.fullmatch(plain) is not None
    return is_so and _NO_NUMBERS.isdisjoint(plain.split())


@lru_cache(MOST_NAMES)
def describes_classes(name: str) -> bool:
    """Return whether a name is that of a description which no model is called after.

    >>> names = ("MajorityClassShare", "NumberOfFeatures", "MajorityClass", "TotalSegmentator")
    >>> [describes_classes(name) for name in names]
    [True, True, False, False]
    """
    return _NO_MODEL.fullmatch(_plain_column(split_at_capitals(name))) is not None


@lru_cache(MOST_NAMES)
def is_upper_bound(name: str) -> bool:
    """Return whether a name is that of an oracle, and says how it chose by means of the truth.

    An oracle alone may be a model that was told something.

    >>> names = ("ORACLE (ext.)", "greedy oracle", "oracle", "Oracle-70B")
    >>> [is_upper_bound(name) for name in names]
    [True, True, False, False]
    """
    return _BOUND.fullmatch(plain_words(name)) is not None


@lru_cache(MOST_NAMES)
def may_be_description(name: str) -> bool:
    """Return whether a name may be that of a column of costs, or of a statistic.

    >>> may_be_description("size"), may_be_description("std"), may_be_description("svm")
    (True, True, False)
    """
    plain = _plain_column(name)
    return (
        is_called_statistic(plain) or _PERHAPS_DESCRIPTION.fullmatch(plain) is not None
    )


@lru_cache(MOST_NAMES)
def may_be_of_item(name: str) -> bool:
    """Return whether a name may be that of a column about the items, and not about a model.

    >>> may_be_of_item("event"), may_be_of_item("survey_weight"), may_be_of_item("event camera")
    (True, True, False)
    """
    return _OF_ITEM.fullmatch(_plain_column(name)) is not None


def _plain_column(name: str) -> str:
    """Return the name of a column without its bracket, in lower case, with "n" for "#"."""
    without_bracket = re.sub(r"(?<=.)[(\[].*?[)\]]$", "", in_english(name))
    return plain_words(without_bracket.replace("#", " n ")).replace("%", "").strip()


def may_describe_data(name: object) -> bool:
    """Return whether a column, if it has whole numbers, describes data sets, and is no model.

    >>> may_describe_data("size"), may_describe_data("Classes"), may_describe_data("svm")
    (True, True, False)
    """
    plain = plain_text(name)
    if plain.startswith(("#", "n ", "n_")) or plain.endswith((" id", "_id")):
        return True
    return plain in _DESCRIPTIONS


@lru_cache(MOST_NAMES)
def is_without_name(name: str) -> bool:
    """Return whether a name is the one that a column without a name gets.

    >>> is_without_name("Unnamed: 0"), is_without_name("unnamed baseline")
    (True, False)
    """
    return _WITHOUT_NAME.fullmatch(name.strip().casefold()) is not None
