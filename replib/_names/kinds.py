"""What a name says that something is: a seed, a fold, a patient, a threshold.

A column that is called "test_fold" and labels such as "fold 3" speak of the same kind of
thing.  A role in a design, such as that of a run, fits some kinds: `misfits` says which
ones it does not fit, for names of columns and for labels.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from replib._names.times import are_times
from replib._names.words import MOST_NAMES, words_of_column

#: Words for each kind, in lower case and with a blank between two words.
_WORDS_OF_KINDS = {
    "seed": ("seed", "random seed", "random state", "rng", "rng seed"),
    "run": ("run",),
    "trial": ("trial",),
    "repetition": ("rep", "repeat", "repetition", "replicate", "replication"),
    "fold": ("cv", "cvfold", "fold", "kfold"),
    "split": ("split", "resampling"),
    "bootstrap sample": ("boot", "bootstrap", "bootstrap sample", "resample"),
    "imputation": ("imp", "imputation", "imputed", "mi dataset"),
    "epoch": ("epoch",),
    "checkpoint": ("checkpoint", "ckpt", "step", "global step", "training step"),
    "iteration": ("iter", "iteration", "boosting round", "boosting iteration"),
    "model": ("model", "model version", "model release", "model revision"),
    "submission": ("submission", "submission number"),
    "data set": ("benchmark", "corpus", "data set", "dataset", "eval set", "test set"),
    "task": ("task", "subtask"),
    "item": (
        *("item", "doc", "example", "instance", "question", "sentence", "image"),
        *("qid", "seg", "sent", "triple", "tweet", "utt", "utterance"),
    ),
    "query": ("query", "search topic", "topic"),
    "sample": (
        *(
            "sample",
            "answer",
            "attempt",
            "completion",
            "decoding",
            "draw",
            "generation",
        ),
        *("response", "retry", "rollout", "sampling", "try"),
    ),
    "person": ("participant", "patient", "person", "speaker", "subject", "user"),
    "judge": (
        *("annotator", "assessor", "grader", "judge", "observer", "rater", "reader"),
        *("coder", "expert", "labeler", "labeller", "reviewer"),
    ),
    "prompt": ("prompt", "prompt template", "template"),
    "order": ("flipped", "order", "ordering", "permutation", "swap", "swapped"),
    "language": ("lang", "language", "locale"),
    "class": ("class",),
    "subgroup": ("age group", "ethnicity", "gender", "sex", "subgroup"),
    "slice": ("slice",),
    "bin": (
        *("decile", "ntile", "percentile", "quantile", "quartile", "quintile"),
        *("score band", "score bin", "vigintile"),  # a bin alone may be a genome
    ),
    "window": ("rolling window", "time slice", "time window", "timeslice", "window"),
    "visit": ("time point", "timepoint", "visit"),
    "date": (
        *("day", "hour", "month", "quarter", "season", "semester", "trimester", "wave"),
        *("week", "weekday", "year"),
    ),
    "threshold": ("cut off", "cutoff", "threshold"),
    "horizon": ("forecast horizon", "horizon", "lead time", "step ahead"),
    "origin": ("forecast origin", "forecast start", "origin"),
    "series": ("series", "time series", "ts", "unique id"),
    "shot": ("shot",),
    "setting": (
        *("alpha", "batch size", "dropout", "hidden dim", "hidden size", "lambda"),
        *("learning rate", "lr", "max depth", "momentum", "n estimators", "n layers"),
        *("n shots", "num fewshot", "temperature", "warmup", "weight decay"),
    ),
    "part of the data": ("part", "partition", "phase", "set", "stage"),
    "rank": ("rank",),
    "position": ("position",),
    "metric": ("measure", "metric", "score name", "scorer", "scoring"),
}
_KINDS = {word: kind for kind, words in _WORDS_OF_KINDS.items() for word in words}
#: Words of columns with names of metrics, and perhaps of other things.
_NAMES_OF_METRICS = {
    *("indicator", "key", "measure", "metric", "quantity", "stat", "statistic", "tag"),
    "variable",
}
_PLURALS = {
    "series": "series",
    "class": "classes",
    "person": "persons",
    "part of the data": "parts of the data",
    "query": "queries",
    "slice": "slices of time or data",
    "window": "windows of time",
}

#: States of one training.
STATES = {"epoch", "checkpoint", "iteration"}
#: What numbers the runs of a model.
REPETITIONS = {"seed", "run", "trial", "repetition"}
#: What is repeated, and neither a data set nor an item.
REPEATED = {"seed", "repetition", "fold", "bootstrap sample", "imputation"}
#: What somebody chose, or what a table was sorted by.
_CHOSEN = {"setting", "threshold", "shot", "rank", "position", "metric"}
#: What a thing that is measured may be.
_MEASURED = {
    *("item", "class", "subgroup", "visit", "judge", "prompt", "horizon", "origin"),
    *("bin", "order", "slice", "window"),
}

#: What a model may be asked under several times, as its samples are.
ASKED = {"judge", "order", "prompt"}
#: Kinds that the labels of a role are not.
_MISFITS = {
    "model": {"seed", "repetition", "fold", "data set", "item"},
    "dataset": {
        *REPEATED,
        *STATES,
        *_CHOSEN,
        *_MEASURED,
        *{"run", "trial", "split", "model"},
    },
    "task": {
        *REPEATED,
        *STATES,
        *_CHOSEN,
        *{"run", "trial", "split", "model", "item"},
    },
    "item": {
        *REPEATED,
        *{"run", "epoch", "iteration", "data set", "model"},
        *{"threshold", "setting", "part of the data", "horizon", "rank", "metric"},
        "bin",
    },
    "run": {
        *STATES,
        *_CHOSEN,
        *_MEASURED,
        *{"fold", "bootstrap sample", "imputation", "person", "language", "date"},
        *{"data set", "part of the data", "series", "task", "model", "query"},
        "submission",
    },
    "fold": {
        *(REPEATED - {"fold"}),
        *(STATES - {"iteration"}),  # mlr3 counts folds so
        *_CHOSEN,
        *{"run", "trial", "date", "data set", "item", "class", "judge", "prompt"},
        *{"horizon", "order", "origin", "series", "slice", "window", "model"},
        *{"bin", "submission"},
    },
    "cluster": {
        *(REPEATED - {"fold"}),
        *STATES,
        *_CHOSEN,
        *{"run", "trial", "split", "visit", "horizon", "model"},
    },
}
#: Kinds of which labels have a number, and say by it which of them they are.  A data set
#: may be called "set 1".
_NUMBERED_KINDS = {*_WORDS_OF_KINDS} - {
    *("metric", "model", "part of the data", "position", "rank", "sample", "series"),
    *("setting", "shot", "task"),
}
#: Words of a column that do not say of what kind its labels are.
_QUALIFIERS = {
    *("the", "cv", "outer", "test", "train", "training", "val", "valid", "validation"),
    *("id", "idx", "index", "key", "label", "name", "nr", "no", "num", "number"),
    *("config", "params", "value"),
}
#: Words behind a kind whose samples are counted so: "bootstrap_round".
_COUNTERS = {
    *("draw", "iter", "iteration", "rep", "replicate", "round", "run", "seed", "set"),
}
_COUNTED_KINDS = {"bootstrap sample", "imputation", "sample"}
#: Kinds that a last word names, whatever is before it: "presentation_order", "score_bin".
_KINDS_OF_LAST_WORDS = {"bin", "imputation", "order"}
_WORDS_BEFORE_NUMBER = re.compile(r"[^\W\d]*")
#: A few words, in any language.
_TERM = r"[^\W\d_]+(?:[ _'’-][^\W\d_]+){0,3}"
#: Labels such as "fold 3", "seed=42" and "epoch=05-step=1955.ckpt".
_NUMBERED = re.compile(
    rf"(?P<words>{_TERM})[ _.:=#-]*(?P<number>\d+)"
    r"(?:_(?:test|train|val)_\w+)?"  # "split0_test_score" of scikit-learn
    r"(?:[-,;_ ]+[a-z_]+=[\d.e+-]+)*(?:\.(?:bin|ckpt|csv|json|log|pth?|txt))?",
    re.IGNORECASE,
)
#: Labels such as "iris_fold3" and "mmlu 5-shot", of which each is a part of what stands
#: before.
_NUMBERED_PARTS = re.compile(
    r"(?P<thing>.*\w)[\W_]+"
    r"(?:(?P<word>[^\W\d_]+)[ _.:=#-]*\d+|\d+[ _-]?(?P<after>[^\W\d_]+))[)\]]?"
)
_KINDS_OF_PARTS = {*REPEATED, *STATES, "run", "shot", "threshold"}
#: Labels such as "lr=0.01".
_SETTING = re.compile(
    rf"(?P<words>{_TERM})[ _]*[=: ][ _]*-?[\d.]+(?:e-?\d+)?",
    re.IGNORECASE,
)


@lru_cache(MOST_NAMES)
def kind_of_name(name: object) -> str | None:
    """Return what the labels of a column are by its name, such as "seed", or None.

    >>> [kind_of_name(name) for name in ("random_state", "testFold", "patient ID", "arch")]
    ['seed', 'fold', 'person', None]
    """
    words = words_of_column(name)
    while words and words[0] in _QUALIFIERS and " ".join(words) not in _KINDS:
        words.pop(0)
    while words and words[-1] in _QUALIFIERS and " ".join(words) not in _KINDS:
        words.pop()
    if words[-1:] and words[-1].removesuffix("s") in _COUNTERS:
        counted = _kind_of_words(" ".join(words[:-1]))
        if counted in _COUNTED_KINDS:
            return counted
    kind = _kind_of_words(" ".join(words))
    of_last_word = _kind_of_words(words[-1]) if words else None
    if kind is None and of_last_word in _KINDS_OF_LAST_WORDS:
        return of_last_word
    return kind


def _kind_of_words(words: str) -> str | None:
    """Return the kind of one thing, or of several, or of what "segid" is of."""
    spellings = (words, words.removesuffix("s"), words.removesuffix("id"))
    return next((_KINDS[word] for word in spellings if word in _KINDS), None)


def kind_of_column(name: object, labels: Sequence[str]) -> str | None:
    """Return what a column has: by its labels if these say so, otherwise by its name.

    >>> kind_of_column("Resample", ["Fold1.Rep1", "Fold2.Rep1"])
    'fold'
    >>> kind_of_column("order", ["AB", "BA"]), kind_of_column("order", ["1", "2"])
    ('order', None)
    >>> kind_of_column("cutoff", ["0.3", "0.5"]), kind_of_column("cutoff", ["2022-03-31"])
    ('threshold', 'date')
    """
    kind = kind_of_name(name)
    if kind == "threshold" and are_times(labels):
        return "date"
    words = {_WORDS_BEFORE_NUMBER.match(label)[0] for label in labels}  # type: ignore[index]
    if len(words) == 1:
        (word,) = words
        return kind_of_name(word) or (kind if word or kind != "order" else None)
    return kind


def names_repetitions(name: object) -> bool:
    """Return whether a column has seeds or numbers of runs by its name.

    >>> names_repetitions("random_state"), names_repetitions("fold")
    (True, False)
    """
    return kind_of_name(name) in REPETITIONS


def says_which_metric(name: object) -> bool:
    """Return whether a column says by its name of which metric a score is.

    >>> says_which_metric(".metric"), says_which_metric("tag"), says_which_metric("loss")
    (True, True, False)
    """
    if kind_of_name(name) == "metric":
        return True
    return not _NAMES_OF_METRICS.isdisjoint(re.findall("[a-z]+", str(name).casefold()))


def misfits(kind: str | None, role: str) -> bool:
    """Return whether the labels of a role are of another kind than this one; an unknown one fits.

    >>> misfits("person", "run"), misfits("person", "item"), misfits(None, "run")
    (True, False, False)
    """
    return kind in _MISFITS.get(role, ())


def plural(kind: str) -> str:
    """Return the word for several things of a kind.

    >>> plural("class"), plural("seed")
    ('classes', 'seeds')
    """
    return _PLURALS.get(kind, f"{kind}s")


def kind_of_numbered(labels: Iterable[str]) -> str | None:
    """Return what all labels number, such as "fold", or None.

    >>> kind_of_numbered(["fold 1", "Fold_2"]), kind_of_numbered(["iris", "fold 2"])
    ('fold', None)
    """
    common = None
    numbers = set()
    for label in labels:
        match = _NUMBERED.fullmatch(label.strip())
        if match is None:
            return None  # most labels number nothing: the first one tells
        kind = kind_of_name(match["words"])
        if kind not in _NUMBERED_KINDS or common not in (None, kind):
            return None
        common = kind
        numbers.add(match["number"])
    return common if len(numbers) > 1 else None


def kind_of_parts(labels: Iterable[str], *, fewest_things: int = 1) -> str | None:
    """Return what numbers the parts of things that are labelled several times, or None.

    There must be `fewest_things` of them.

    >>> kind_of_parts(["iris_fold1", "iris_fold2"]), kind_of_parts(["monks-1", "monks-2"])
    ('fold', None)
    """
    kinds = set()
    things = []
    for label in labels:
        match = _NUMBERED_PARTS.fullmatch(label.strip())
        if match is None:
            return None
        kind = kind_of_name(match["word"] or match["after"])
        if kind not in _KINDS_OF_PARTS:
            return None
        kinds.add(kind)
        things.append(match["thing"].casefold())
    if len(kinds) > 1 or not fewest_things <= len(set(things)) < len(things):
        return None
    return kinds.pop()


def are_settings(labels: Iterable[str]) -> bool:
    """Return whether all labels are values of one setting of a learner.

    >>> are_settings(["lr=0.1", "lr=0.01"]), are_settings(["noise=0.1", "noise=0.2"])
    (True, False)
    """
    settings = set()
    for label in labels:
        match = _SETTING.fullmatch(label.strip())
        if match is None:
            return False
        words = " ".join(words_of_column(match["words"]))
        if _KINDS.get(words) != "setting":
            return False
        settings.add(words)
    return len(settings) == 1
