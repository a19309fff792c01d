"""What a name says that something is: a seed, a fold, a patient, a threshold.

A column that is called "test_fold" and labels such as "fold 3" speak of the same kind of
thing.  A role in a design, such as that of a run, fits some kinds: `misfits` says which
ones it does not fit, for names of columns and for labels.  ``replib/data/names/kinds.toml`` has
the words.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from replib._names.tables import table_of_words
from replib._names.things.times import are_times
from replib._names.words import MOST_NAMES, words_of_column

#: Words of columns with names of metrics, and perhaps of other things.
_NAMES_OF_METRICS = {
    *("indicator", "key", "measure", "metric", "quantity", "stat", "statistic", "tag"),
    "variable",
}
#: States of one training.
STATES = {"epoch", "checkpoint", "iteration", "round"}
#: What numbers the runs of a model.
REPETITIONS = {"seed", "run", "trial", "repetition"}
#: What is repeated, and neither a data set nor an item.
REPEATED = {"seed", "repetition", "fold", "bootstrap sample", "imputation"}
#: What somebody chose.
CHOSEN = {"setting", "size", "threshold", "shot", "metric"}
#: What a table was sorted by, or cut off at.
_SORTED = {"rank", "position", "cutoff"}
#: Where something was measured, or on whom, which several runs have in common.
APART = {"case", "client", "place"}
#: What a thing that is measured may be.
_MEASURED = {
    *("item", "class", "subgroup", "visit", "judge", "prompt", "horizon", "origin"),
    *("bin", "order", "slice", "window"),
}

#: What a model may be asked under several times, as its samples are.
ASKED = {"judge", "order", "pass", "prompt"}
#: Kinds that the labels of a role are not.
_MISFITS = {
    "model": {"seed", "repetition", "fold", "data set", "item"},
    "dataset": {
        *REPEATED,
        *STATES,
        *CHOSEN,
        *_SORTED,
        *_MEASURED,
        *{"run", "trial", "split", "model", "level"},
    },
    "task": {
        *REPEATED,
        *STATES,
        *CHOSEN,
        *_SORTED,
        *{"run", "trial", "split", "model", "item"},
    },
    "item": {
        *REPEATED,
        *{"run", "epoch", "iteration", "round", "data set", "model"},
        *{"threshold", "setting", "part of the data", "horizon", "rank", "metric"},
        "bin",
    },
    "run": {
        *STATES,
        *CHOSEN,
        *_SORTED,
        *_MEASURED,
        *{"fold", "bootstrap sample", "imputation", "person", "language", "date"},
        *{"data set", "part of the data", "series", "task", "model", "query"},
        *{"batch", "pass"},
        *APART,
        *{"submission", "level", "block"},
    },
    "fold": {
        *(REPEATED - {"fold"}),
        *(STATES - {"iteration"}),  # mlr3 counts folds so
        *CHOSEN,
        *_SORTED,
        *{"run", "trial", "date", "data set", "item", "class", "judge", "prompt"},
        *{"horizon", "order", "origin", "series", "slice", "window", "model"},
        *{"bin", "submission", "level", "language", "task", *APART},
    },
    "cluster": {
        *(REPEATED - {"fold"}),
        *STATES,
        *CHOSEN,
        *_SORTED,
        *{"run", "trial", "split", "visit", "horizon", "model"},
    },
}
#: First words of a column of settings.
_PARAMETERS = {"param", "params", "hparam", "hparams", "hyperparameter"}
#: Words of a column that do not say of what kind its labels are.
QUALIFIERS = {
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
_KINDS_OF_LAST_WORDS = {"bin", "fold", "imputation", "order"}
#: What stands before the word for what was left out: "held_out_donor".
LEFT_OUT = re.compile(
    r"^(?:(?:held|hold|left|leave|leaving) ?out|excluded|omitted|withheld)(?: |$)"
)
#: What follows the word before a number.
_END_OF_WORD = re.compile(r"[\W\d]")
#: First words of a column of numbers of something: "n_train", but not "n_fold".
_NUMBERS_OF = {"n", "nb", "num", "number"}
#: First words of columns of settings, in the exports of searches.
_BEFORE_SETTINGS = {
    *("args", "cfg", "config", "hp", "hparam", "hparams", "hyperparameter"),
    *("hyperparameters", "hyperparams", "param", "params"),
}
#: Words for settings that were chosen for each run by itself, and for names of settings.
_NO_SETTINGS = {
    *("best", "chosen", "final", "optimal", "selected", "tuned"),
    *("dir", "file", "hash", "id", "index", "name", "path", "version"),
}
#: Numbers, shares and quantities: "1000", "10%", "1/8", "5 dB", "100k", "1e-3".
AMOUNT = re.compile(
    r"[-+<>~≤≥]?\d[\d.,]*(?:e[-+]?\d+)?(?:/\d+)?[ ]?(?:%|[a-zµμ°]{1,3})?", re.IGNORECASE
)


class _Vocabulary(NamedTuple):
    """Kinds by the words that name them.

    Attributes
    ----------
    words, in_role, amounts, behind, numbered, uncounted : dict
        Of which columns, or labels, these are asked, the file says.
    plurals : dict
        Words for several things, by their kind.
    not_behind : set of str
        Words behind which a class is none of those that are predicted.
    """

    words: dict[str, str]
    in_role: dict[str, str]
    amounts: dict[str, str]
    behind: dict[str, str]
    numbered: dict[str, str]
    uncounted: dict[str, str]
    plurals: dict[str, str]
    not_behind: set[str]


@cache
def _vocabulary() -> _Vocabulary:
    kinds = table_of_words("kinds")
    by_list = {
        name: {
            word: kind for kind, table in kinds.items() for word in table.get(name, ())
        }
        for name in ("words", "in_role", "amounts", "behind", "numbered", "uncounted")
    }
    return _Vocabulary(
        words=by_list["words"],
        in_role=by_list["words"] | by_list["in_role"],
        amounts=by_list["amounts"],
        behind=by_list["behind"],
        numbered=by_list["numbered"],
        uncounted=by_list["uncounted"],
        plurals={kind: x["plural"] for kind, x in kinds.items() if "plural" in x},
        not_behind={word for x in kinds.values() for word in x.get("not_behind", ())},
    )


@lru_cache(MOST_NAMES)
def kind_of_name(name: object) -> str | None:
    """Return what the labels of a column are by its name, such as "seed", or None.

    >>> [kind_of_name(name) for name in ("random_state", "testFold", "patient ID", "arch")]
    ['seed', 'fold', 'person', None]
    """
    return _kind_of(name, _vocabulary().words)


@lru_cache(MOST_NAMES)
def kind_in_role(name: object) -> str | None:
    """Return what a column has that was said to have labels of a design, or None.

    It is not a description of the rows, which it may be without a role.

    >>> [kind_in_role(name) for name in ("comm_round", "client_id", "lc_class", "asset_class")]
    ['round', 'client', 'class', None]
    """
    vocabulary = _vocabulary()
    kind = _kind_of(name, vocabulary.in_role)
    words = words_of_column(name)
    if kind is not None or not words:
        return kind
    if words[0] in _PARAMETERS:  # of a search
        return kind_in_role(" ".join(words[1:])) or "setting"
    if words[-1] not in ("class", "classes") or words[0] in _NUMBERS_OF:
        return None
    return "class" if vocabulary.not_behind.isdisjoint(words) else None


def _kind_of(name: object, kinds: Mapping[str, str]) -> str | None:
    """Return the kind that the words of a name say, without those around them."""
    words = _without_qualifiers(words_of_column(name), kinds)
    if not words:
        return None
    if words[-1].removesuffix("s") in _COUNTERS:
        counted = _kind_of_words(" ".join(words[:-1]), kinds)
        if counted in _COUNTED_KINDS:
            return counted
    kind = _kind_of_words(LEFT_OUT.sub("", " ".join(words)), kinds)
    if kind is not None or words[0] in _NUMBERS_OF:
        return kind
    kind_of_last_word = _kind_of_words(words[-1], kinds)
    return kind_of_last_word if kind_of_last_word in _KINDS_OF_LAST_WORDS else None


def _without_qualifiers(words: Sequence[str], kinds: Mapping[str, str]) -> list[str]:
    """Return words without those at both ends that qualify them, unless all name a kind."""
    rest = [*words]
    while rest and rest[0] in QUALIFIERS and " ".join(rest) not in kinds:
        rest.pop(0)
    while rest and rest[-1] in QUALIFIERS and " ".join(rest) not in kinds:
        rest.pop()
    return rest


def _kind_of_words(words: str, kinds: Mapping[str, str]) -> str | None:
    """Return the kind of one thing, or of several, or of what "segid" is of."""
    spellings = (words, words.removesuffix("s"), words.removesuffix("id"))
    return next((kinds[word] for word in spellings if word in kinds), None)


@lru_cache(MOST_NAMES)
def kind_beside_number(name: str) -> str | None:
    """Return what labels are of which the words stand beside a number, or None.

    >>> [kind_beside_number(name) for name in ("Stars", "BI-RADS", "digit", "monks")]
    ['level', 'level', 'class', None]
    """
    words = " ".join(words_of_column(name))
    return _kind_of_words(words, _vocabulary().numbered)


@lru_cache(MOST_NAMES)
def kind_of_amounts(name: object) -> str | None:
    """Return what numbers in a column are that has a role: sizes or settings, or None.

    >>> names = ("n_train", "train_size", "noise level", "n_fold", "number", "level")
    >>> [kind_of_amounts(name) for name in names]
    ['size', 'size', 'setting', None, None, None]
    """
    vocabulary = _vocabulary()
    words = words_of_column(name)
    kind = vocabulary.amounts.get(" ".join(words))
    if kind is not None or len(words) < 2:
        return kind
    first_word, last_word = words[0], words[-1]
    if kind_in_role(" ".join(words[:-1])) in {*REPEATED, *REPETITIONS, "split"}:
        return None  # "run_count" numbers runs
    if last_word in vocabulary.behind:
        return vocabulary.behind[last_word]
    if first_word not in _NUMBERS_OF:
        return None
    is_number_of_one = kind_in_role(last_word) is not None and last_word[-1] != "s"
    return None if is_number_of_one else "size"


def kind_of_column(name: object, labels: Sequence[str]) -> str | None:
    """Return what a column has: by its labels if these say so, otherwise by its name.

    >>> kind_of_column("Resample", ["Fold1.Rep1", "Fold2.Rep1"])
    'fold'
    >>> kind_of_column("order", ["AB", "BA"]), kind_of_column("order", ["1", "2"])
    ('order', None)
    >>> kind_of_column("cutoff", ["0.3", "0.5"]), kind_of_column("cutoff", ["2022-03-31"])
    ('threshold', 'date')
    >>> kind_of_column("n_train", ["100", "1000"]), kind_of_column("n_train", ["iris"])
    ('size', None)
    >>> kind_of_column("k", ["1", "5", "10"]), kind_of_column("k", ["1", "2", "3"])
    ('setting', None)
    """
    kind = kind_in_role(name)
    if kind is None and labels and all(map(AMOUNT.fullmatch, labels)):
        return kind_of_amounts(name) or _kind_of_uncounted(name, labels)
    if kind == "threshold" and are_times(labels):
        return "date"
    words = {_END_OF_WORD.split(label, maxsplit=1)[0] for label in labels}
    if len(words) != 1:
        return kind
    (word,) = words
    if not word and kind == "order":
        return None  # numbers may be those of rows
    return kind_in_role(word) or kind


def _kind_of_uncounted(name: object, labels: Sequence[str]) -> str | None:
    """Return the kind of numbers that do more than count, in a column such as "round"."""
    if only_count(labels):
        return None
    return _vocabulary().uncounted.get(" ".join(words_of_column(name)))


def only_count(labels: Iterable[str]) -> bool:
    """Return whether labels are 1, 2, 3 and so on, or 0, 1, 2, in any order.

    >>> only_count(["2", "1", "3"]), only_count(["50", "100"])
    (True, False)
    """
    distinct = {*labels}
    return any(
        distinct == {str(first + index) for index in range(len(distinct))}
        for first in (0, 1)
    )


@lru_cache(MOST_NAMES)
def is_setting(name: object) -> bool:
    """Return whether a column has by its name what a learner was told, and not what was chosen.

    >>> names = ("params_eta", "config.lr", "dropout", "best_lr", "params", "error_rate")
    >>> [is_setting(name) for name in names]
    [True, True, True, False, False, False]
    """
    words = words_of_column(name)
    if not _NO_SETTINGS.isdisjoint(words):
        return False
    if len(words) > 1 and words[0] in _BEFORE_SETTINGS:
        return kind_of_name(name) in (None, "setting")
    return kind_of_name(name) == "setting"


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
    return _vocabulary().plurals.get(kind, f"{kind}s")
