"""What the names of models say beside each other: statistics, units, parts of the data.

A model that is called "rf_ci_low" is one alone; beside a model "rf" it is a limit of that
model's interval.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from replib._names.labels import TRAINED
from replib._names.metrics import direction_of_metric

#: What is known of so many names is kept: a simulation asks for the same ones again.
_MOST_NAMES = 10_000
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
    r"|.+ (?:lo|hi) \d\d"  # "AutoARIMA-lo-95"
)
#: Ends of an interval, if the scores are on that side: -1 is below those of the model.
_ENDS = {
    **dict.fromkeys(["lower", "lwr", "lb", "lci", "ll", "l95"], -1),
    **dict.fromkeys(["upper", "upr", "ub", "uci", "ul", "u95"], 1),
    **dict.fromkeys(["q025", "q05", "q10", "p5", "p10", "2 5%", "5%", "q1"], -1),
    **dict.fromkeys(["q975", "q95", "q90", "p95", "p90", "97 5%", "95%", "q3"], 1),
}
#: Models are called so, too, such as "mini-high": both ends tell.
_PAIRED_ENDS = {"min": -1, "max": 1, "low": -1, "high": 1, "lo": -1, "hi": 1}
#: Models are called so, too: the scores tell, which are far from those of the others.
_OTHERS = {
    *("ci", "conf", "confidence", "count", "err", "error", "iqr", "n", "range", "sd"),
    *("se", "sem", "std", "var", "variance"),
}
#: A model's own scores may be called so beside those.
_OWN = (
    "",
    " acc",
    " auc",
    " score",
    " mean",
    " avg",
    " est",
    " estimate",
    " value",
    " median",
    " point",
)

#: What is measured in a unit, and no score.
_MEASURED = {
    *("carbon", "co2", "cost", "delay", "disk", "duration", "emissions", "energy"),
    *("flops", "footprint", "latency", "macs", "mem", "memory", "params", "power"),
    *("price", "ram", "runtime", "size", "speed", "storage", "throughput", "time"),
    *("tokens", "traffic", "vram"),
}
_RATE = re.compile(
    r"[\w$]+/(?:s|sec|second|min|h|hour|day|token|query|image|img|sample)\b"
)
_TIMES = {"days", "hours", "minutes", "seconds"}
#: Words that may stand beside these.
_BESIDE_MEASURED = {
    *("avg", "average", "cpu", "fit", "gpu", "inference", "infer", "mean", "median"),
    *("model", "peak", "per", "query", "request", "sample", "test", "total", "train"),
    *("training", "usage", "use", "used", "item", "image", "img", "images", "samples"),
}
#: Units, one spelling each.
_UNITS = {
    **{unit: unit for unit in ("ns", "ms", "min", "h", "J", "kJ", "Wh", "kWh", "W")},
    **{
        unit: unit
        for unit in ("kPa", "B", "kg", "g", "mm", "cm", "km", "%", "fps", "qps")
    },
    **dict.fromkeys(["us", "µs", "μs"], "us"),
    **dict.fromkeys(["s", "sec", "secs", "second", "seconds"], "s"),
    **dict.fromkeys(["mins", "minutes"], "min"),
    **dict.fromkeys(["hr", "hrs", "hour", "hours"], "h"),
    **dict.fromkeys(["millisecond", "milliseconds", "msec"], "ms"),
    **dict.fromkeys(["KB", "kB", "kb", "KiB"], "KB"),
    **dict.fromkeys(["MB", "mb", "MiB"], "MB"),
    **dict.fromkeys(["GB", "gb", "GiB"], "GB"),
    **dict.fromkeys(["TB", "tb", "TiB"], "TB"),
    **dict.fromkeys(["kwh", "KWh", "KWH"], "kWh"),
    **dict.fromkeys(["$", "usd", "USD", "dollars"], "$"),
    **dict.fromkeys(["€", "eur", "EUR", "euros"], "€"),
    **{
        unit: unit for unit in ("mg/dL", "mmol/L", "mmHg", "tokens/s", "tok/s", "img/s")
    },
}
#: Behind a name, these may be anything: "mm" is also multimodal.
_ONLY_IN_BRACKETS = {"%", "B", "J", "W", "cm", "g", "h", "kg", "km", "min", "mm"}
#: Where a name has its unit.
_IN_BRACKET = re.compile(r"[(\[](?P<last>[^)\]]+)[)\]]$")
_LAST_WORD = re.compile(r"[ _](?P<last>[^\s_]+)$")
#: Quantiles behind a name.  "q4" and "q8" are numbers of bits.
_QUANTILE = re.compile(
    r"(?:^|[ _(-])(?:q|p|quantile[ _=-]?|tau[ _=-]?)"
    r"(?P<level>0?\.\d+|0[15]|10|25|50|75|90|95|99)\)?$"
)
#: Names of columns that describe data, or what is spent on them.
_DESCRIPTION = re.compile(
    r"prevalence|(?:base|event|positive|missing) rate|(?:class )?imbalance(?: ratio)?|fps"
    r"|qps|vram|(?:pct|percent) (?:missing|positive)|(?:sample|class|test|train) size"
    r"|(?:pos|positive|minority|majority)(?: class)? (?:frac|fraction|share|ratio|percent)"
    r"|(?:n|num|nr|no|number of) (?:pos|positive|negative|neg|train|test|total|obs|\w+s)"
    r"|timestamp|level \d+|row ?(?:names?|id|number)"
)
#: These may be models more often.
_PERHAPS_DESCRIPTION = re.compile(
    r"age|cases|controls|cost|day|dimensionality|energy|events|index|latency|length|memory"
    r"|month|noise(?: level)?|p|power|price|size|speed|throughput|year"
)
#: These are models: N-BEATS, N-HiTS, and those of n-grams.
_NO_NUMBERS = {"beats", "hits", "grams"}
#: Names that a program gives to a column without a name.
_WITHOUT_NAME = re.compile(r"unnamed: \d+\w*(?:\.\d+)?|\.\.\.\d+")

#: Parts of the data, one word each.
_PARTS = {
    **dict.fromkeys([*TRAINED, "trn", "insample", "resubstitution"], "training"),
    **dict.fromkeys(["val", "valid", "validation", "dev", "devel"], "validation"),
    **dict.fromkeys(["test", "testing", "tst", "outsample"], "test"),
    **{part: part for part in ("holdout", "oob", "oof", "internal", "external")},
}
#: These are parts only behind a name: external memory is none.
_LAST_PARTS = {"external", "internal"}
#: Behind one of these words, such as in "test-time", there is no part.
_COMPOUND = re.compile(
    r".*ed|.+ing|memory|time|free|based|aware|driven|driver|station|net|ready"
)

#: Such as "gsm8k_train" and "SQuAD (training set)".
_TRAINING_PART = re.compile(
    r"(?P<before>.*\w)(?:[-_/:. ]train|\W+train(?:ing)?[-_ ](?:set|split|part)"
    r"|[-_/: ]*[(\[]train(?:ing)?(?:[-_ ](?:set|split|part))?[)\]]|[/:]training)"
)
#: These trains are vehicles, or no training of a model.
_BEFORE_TRAIN = {
    *("bullet", "co", "express", "freight", "high", "metro", "no", "passenger", "post"),
    *("pre", "re", "self", "speed", "steam", "subway", "toy"),
}

#: Words for a summary of runs.
_SUMMARIES = {
    **dict.fromkeys(["mean", "avg", "average"], "mean"),
    "median": "median",
    **dict.fromkeys(["best", "max", "maximum"], "best"),
    **dict.fromkeys(["worst", "min", "minimum"], "worst"),
    **dict.fromkeys(["last", "final", "single"], "last"),
}
_OF_RUNS = re.compile(
    rf"(?P<word>{'|'.join(_SUMMARIES)})\.? (?:(?:out )?of|over|across|from|in)"
    r"(?: the| all)?(?: \d+| n| k)?(?: \w+)?"
    r"|(?P<alone>best|mean|avg|average|median|last)\.?(?: runs?| seeds?| n| \d+)*"
)
#: Models that choose or average others are called so.
_ENSEMBLES = {"ensemble", "pooling", "single", "soup", "teacher", "vote", "voting"}


class Statistic(NamedTuple):
    """What a name adds to that of a model.

    Attributes
    ----------
    name, model : str
    kind : {"statistic", "end", "paired end", "other"}
        Models may be called like the last three, too.
    side : int
        -1 for scores that must be below those of the model, 1 for above, else 0.
    """

    name: str
    model: str
    kind: str
    side: int = 0


def statistics_by_name(names: Sequence[str]) -> Iterator[Statistic]:
    """Find the names that are those of statistics of another one.

    Parameters
    ----------
    names : sequence of str

    Yields
    ------
    Statistic

    Examples
    --------
    >>> for found in statistics_by_name(["rf_mean", "rf_ci_low", "rf_lower", "mini", "mini-high"]):
    ...     print(found.name, found.model, found.kind, found.side)
    rf_ci_low rf_mean statistic 0
    rf_lower rf_mean end -1
    """
    models: dict[str, str] = {}
    for name in names:
        plain = _plain(name)
        for stem in (plain.removesuffix(own) for own in _OWN if plain.endswith(own)):
            models.setdefault(stem, name)
    for name in names:
        words = _plain(name).split()
        for cut in range(1, len(words)):
            before, behind = " ".join(words[:cut]), " ".join(words[cut:])
            for stem, added in ((before, behind), (behind, before)):
                model = models.get(stem, name)
                statistic = _statistic(name, model, added) if model != name else None
                if statistic is not None:
                    yield statistic


def _statistic(name: str, model: str, added: str) -> Statistic | None:
    """Return what words that a name adds to that of a model are, or None."""
    is_bound = added in _BEHIND_DASHES and name.casefold().endswith(f"__{added}")
    if is_bound or _STATISTICS.fullmatch(added.replace("%", "")):
        return Statistic(name, model, "statistic")
    if added in _ENDS:
        return Statistic(name, model, "end", _ENDS[added])
    if added in _PAIRED_ENDS and f"-{added}" not in name.casefold():
        return Statistic(name, model, "paired end", _PAIRED_ENDS[added])
    if added in _OTHERS:
        return Statistic(name, model, "other")
    return None


@lru_cache(_MOST_NAMES)
def _plain(name: str) -> str:
    """Return a name in lower case, with one blank for the signs between its words."""
    name = re.sub(r"±|\+/-", " std ", name.casefold())
    return re.sub(r"[^\w%]+|_+", " ", name).strip()


@lru_cache(_MOST_NAMES)
def is_limit(name: str) -> bool:
    """Return whether a name is that of a limit of an interval, whatever is beside it.

    Parameters
    ----------
    name : str

    Returns
    -------
    bool

    Examples
    --------
    >>> is_limit("svm_ci_low"), is_limit("upper bound")
    (True, False)
    """
    if name.endswith(("__MIN", "__MAX")):
        return True  # as trackers write them
    return _LIMIT.fullmatch(_plain(name).replace("%", "")) is not None


@lru_cache(_MOST_NAMES)
def is_measure(name: str) -> bool:
    """Return whether a name is that of a measure with its unit, such as "latency_ms".

    Parameters
    ----------
    name : str

    Returns
    -------
    bool

    Examples
    --------
    >>> [is_measure(name) for name in ("latency_ms", "memory (GB)", "memory net", "size M")]
    [True, True, False, False]
    """
    nouns, units, rest = _parts_of_measure(name)
    if not rest <= _BESIDE_MEASURED | {"p"}:
        return False
    if nouns and units:
        return True
    rates = _RATE.findall(name)
    return (bool(rates) and not re.search(r"\d", name)) or (
        bool(rest) and not _TIMES.isdisjoint(units)
    )


def may_be_measure(name: str) -> bool:
    """Return whether a name has only a unit and words that are used with measures: "infer_ms".

    Parameters
    ----------
    name : str

    Returns
    -------
    bool

    Examples
    --------
    >>> may_be_measure("infer_ms"), may_be_measure("onnx_ms")
    (True, False)
    """
    _, units, rest = _parts_of_measure(name)
    return bool(units) and bool(rest) and rest <= _BESIDE_MEASURED


@lru_cache(_MOST_NAMES)
def _parts_of_measure(name: str) -> tuple[set[str], set[str], set[str]]:
    """Return what is measured by a name, the units, and its other words, in lower case."""
    tokens = re.findall(r"[^\W\d_]+\d?", _RATE.sub("", name))
    units = {token for token in tokens if token in _UNITS and len(token) > 1}
    units -= {"min"}  # of costs, the smallest
    signs = re.findall(r"(?<=[(\[])[sh](?=[)\]])|[$€£]", name)
    of_units = {unit.casefold() for unit in [*units, *signs]}
    words = {token.casefold() for token in tokens}
    nouns = words & _MEASURED
    return nouns, of_units, words - nouns - of_units


def end_of_interval(name: str) -> int:
    """Return -1 for a name that is only that of a lower end, 1 for an upper end, and else 0.

    Parameters
    ----------
    name : str

    Returns
    -------
    int

    Examples
    --------
    >>> end_of_interval("lower"), end_of_interval("97.5%"), end_of_interval("lower bound")
    (-1, 1, 0)
    """
    return _ENDS.get(_plain(name), 0)


def is_of_measure(metric: str, name: str) -> bool:
    """Return whether a metric measures what a name says, such as a latency.

    Parameters
    ----------
    metric : str
    name : str

    Returns
    -------
    bool

    Examples
    --------
    >>> is_of_measure("peak memory", "memory (GB)"), is_of_measure("accuracy", "latency_ms")
    (True, False)
    """
    return not set(_plain(metric).split()).isdisjoint(
        _MEASURED.intersection(_plain(name).split())
    )


@lru_cache(_MOST_NAMES)
def is_description(name: str) -> bool:
    """Return whether a name is that of a column that describes data, such as a prevalence.

    Parameters
    ----------
    name : str

    Returns
    -------
    bool

    Examples
    --------
    >>> is_description("n_positive"), is_description("n_beats"), is_description("size")
    (True, False, False)
    """
    plain = _plain_column(name)
    is_so = _DESCRIPTION.fullmatch(plain) is not None
    return is_so and _NO_NUMBERS.isdisjoint(plain.split())


@lru_cache(_MOST_NAMES)
def may_be_description(name: str) -> bool:
    """Return whether a name may be that of a column of costs, or of a statistic.

    Parameters
    ----------
    name : str

    Returns
    -------
    bool

    Examples
    --------
    >>> may_be_description("size"), may_be_description("std"), may_be_description("svm")
    (True, True, False)
    """
    plain = _plain_column(name)
    is_statistic = _STATISTICS.fullmatch(plain) is not None or plain in _OTHERS
    return is_statistic or _PERHAPS_DESCRIPTION.fullmatch(plain) is not None


def _plain_column(name: str) -> str:
    """Return the name of a column without its bracket, in lower case, with "n" for "#"."""
    without_bracket = re.sub(r"(?<=.)[(\[].*?[)\]]$", "", name)
    return _plain(without_bracket.replace("#", " n ")).replace("%", "").strip()


@lru_cache(_MOST_NAMES)
def is_without_name(name: str) -> bool:
    """Return whether a name is the one that a column without a name gets.

    Parameters
    ----------
    name : str

    Returns
    -------
    bool

    Examples
    --------
    >>> is_without_name("Unnamed: 0"), is_without_name("unnamed baseline")
    (True, False)
    """
    return _WITHOUT_NAME.fullmatch(name.strip().casefold()) is not None


def different_units(names: Iterable[str]) -> tuple[str, str] | None:
    """Return two names that end in different units, such as "onnx (ms)" and "torch (s)".

    A letter alone may also be a size, as of "yolo (s)" and "yolo (m)".

    Parameters
    ----------
    names : iterable of str

    Returns
    -------
    tuple of str, or None

    Examples
    --------
    >>> different_units(["onnx (ms)", "torch (s)"]), different_units(["vit (s)", "vit (h)"])
    (('onnx (ms)', 'torch (s)'), None)
    """
    first: dict[str, str] = {}
    names = list(names)
    for name in names:
        match = _IN_BRACKET.search(name.strip()) or _LAST_WORD.search(name.strip())
        unit = _UNITS.get(match["last"]) if match else None
        if unit in _ONLY_IN_BRACKETS and not _IN_BRACKET.search(name.strip()):
            continue
        if unit is not None and not _is_size(name, names):
            first.setdefault(unit, name)
    if len(first) < 2 or all(len(unit) == 1 for unit in first):
        return None
    one, two, *_ = first.values()
    return one, two


def different_quantiles(names: Sequence[str]) -> bool:
    """Return whether all names end in a quantile, and in different ones.

    Parameters
    ----------
    names : sequence of str

    Returns
    -------
    bool

    Examples
    --------
    >>> different_quantiles(["qr_q50", "gbm_q90"]), different_quantiles(["llama-q4", "llama-q8"])
    (True, False)
    """
    matches = [_QUANTILE.search(name.strip().casefold()) for name in names]
    return len({match["level"] for match in matches if match}) > 1 and all(matches)


def _is_size(name: str, names: Iterable[str]) -> bool:
    """Return whether a letter behind a name is a size, as those of "vit_s" and "vit_ms"."""
    stem = re.fullmatch(r"(.*[ _])[a-z]", name)
    return stem is not None and any(
        other != name and other.startswith(stem[1]) for other in names
    )


@lru_cache(_MOST_NAMES)
def part_of_name(name: str) -> str | None:
    """Return the one part of the data that a name speaks of, or None.

    Parameters
    ----------
    name : str

    Returns
    -------
    str or None

    Examples
    --------
    >>> names = ("bert_dev_acc", "Test RoBERTa", "test-time training", "val-tuned", "svm")
    >>> [part_of_name(name) for name in names]
    ['validation', 'test', None, None, None]
    """
    joined = re.sub(r"(in|out)[-_ ](?:of[-_ ])?sample", r"\1sample", name.casefold())
    words = _plain(joined).split()
    places = [place for place, word in enumerate(words) if word in _PARTS]
    if len(places) != 1:
        return None
    (place,) = places
    behind = words[place + 1 : place + 2]
    if behind and words[place] in _LAST_PARTS:
        return None
    if behind and _COMPOUND.fullmatch(behind[0]):
        return None
    return _PARTS[words[place]]


def is_scored_on_training(name: str) -> bool:
    """Return whether a name ends with the training part, perhaps with a metric behind it.

    Parameters
    ----------
    name : str

    Returns
    -------
    bool

    Examples
    --------
    >>> [is_scored_on_training(name) for name in ("svm_train_acc", "svm train", "train 1e-3")]
    [True, True, False]
    """
    words = _plain(name).split()
    if part_of_name(name) != "training" or len(words) < 2:
        return False
    place = [_PARTS.get(word) for word in words].index("training")
    behind = " ".join(words[place + 1 :])
    return not behind or direction_of_metric(behind) is not None


def is_training_part(label: str) -> bool:
    """Return whether the label of a data set says that it is a part for training.

    Parameters
    ----------
    label : str

    Returns
    -------
    bool

    Examples
    --------
    >>> labels = ("gsm8k_train", "SQuAD (training)", "trains", "bullet train", "post-train")
    >>> [is_training_part(label) for label in labels]
    [True, True, False, False, False]
    """
    match = _TRAINING_PART.fullmatch(label.strip().casefold())
    if match is None:
        return False
    before = re.findall(r"[a-z]+", match["before"])
    return not before or before[-1] not in _BEFORE_TRAIN


@lru_cache(_MOST_NAMES)
def summary_of_runs(name: str) -> tuple[str, bool] | None:
    """Return how the runs of a model are summarised by its name, and whether it says of what.

    Parameters
    ----------
    name : str

    Returns
    -------
    tuple of str and bool, or None

    Examples
    --------
    >>> summary_of_runs("BERT (mean of 5 runs)"), summary_of_runs("ours_best")
    (('mean', True), ('best', False))
    >>> summary_of_runs("mean teacher") is summary_of_runs("best ensemble") is None
    True
    """
    in_bracket = _IN_BRACKET.search(name.strip())
    plain = _plain(in_bracket["last"] if in_bracket else name)
    if not _ENSEMBLES.isdisjoint(_plain(name).split()):
        return None
    words = plain.split()
    for start in range(len(words)):
        match = _OF_RUNS.fullmatch(" ".join(words[start:]))
        if match is None:
            continue
        if match["word"] is not None:
            return _SUMMARIES[match["word"]], True
        # a model that is called "mean" predicts the mean
        return (_SUMMARIES[match["alone"]], False) if start or in_bracket else None
    return None


def are_summarised_differently(names: Sequence[str]) -> tuple[str, str] | None:
    """Return two names that say that the runs of one model were summarised otherwise.

    Parameters
    ----------
    names : sequence of str

    Returns
    -------
    tuple of str, or None

    Examples
    --------
    >>> are_summarised_differently(["BERT (mean of 5 runs)", "ours (best of 5 runs)"])
    ('BERT (mean of 5 runs)', 'ours (best of 5 runs)')
    >>> are_summarised_differently(["bert (mean)", "bert (max)"])
    """
    first: dict[str, str] = {}
    alone: dict[str, str] = {}
    for name in names:
        summary = summary_of_runs(name)
        if summary is None:
            continue
        kind, says_of_what = summary
        alone.setdefault(kind, name)
        if says_of_what:
            first.setdefault(kind, name)
    if len(first) > 1:
        one, two, *_ = first.values()
        return one, two
    if "best" in alone and "mean" in alone:
        return alone["mean"], alone["best"]
    return None
