"""Families of names: networks and other algorithms with their sizes, data sets, benchmarks.

In a table that was turned, the rows are called like models, and the models like data
sets.  ``replib/data/names/families.toml`` has the names.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from replib._names.models.learners import are_learners
from replib._names.tables import table_of_words
from replib._names.words import MOST_NAMES

#: Sizes and versions behind a family of networks: "50", "v0", "7b", "B", "large", "instruct".
_SIZE = (
    r"v?\d+[a-z]{0,2}|\d+x\d+[a-z]?|x\d+|[a-z]\d{0,2}|[a-z]{2}"
    r"|tiny|mini|small|base|medium|large|huge|giant|nano|pro|plus|ultra|flash|turbo"
    r"|instruct|chat|preview|coder|math|distill|cased|uncased|hf|sft|dpo"
    r"|opus|sonnet|haiku|patch\d+|in\d+k|fpn|net|alpha|beta"
)
#: Variants behind a benchmark: "10", "easy", "test".
_VARIANT = (
    r"v?\d+[a-z]{0,2}|[a-z]{1,3}|easy|hard|challenge|pro|plus|lite|redux|diamond"
    r"|extended|full|verified|val|dev|test|mc\d|shot|few|zero|clean|other|large|small"
    r"|macro|micro|matched|mismatched|binary|moral|generation|rounded|norm"
)
_NUMBER = r"(?: ?v?\d+[a-z]{0,2})?"
#: Parameters of a language model, as of "Llama-2-7b", but not the size of a corpus.
_PARAMETERS = re.compile(r"(?:.* )?\d+(?: \d+)?b(?: .*)?")
_CORPORA = re.compile(r"laion|jft|oscar|pile|word")
#: Rows among these may have one of these names.
_ANY_MODEL = {"baseline", "ensemble", "human", "majority", "our", "ours", "proposed"}
#: Fewer rows with such names may be anything.
_FEWEST_NAMED = 3
#: Among them may be a new one, or "CV mean".
_MOST_UNKNOWN = 1
#: Of so few models that are called like data sets, none may be a word of another meaning.
_FEWEST_BENCHMARKS = 2


@cache
def _families(*kinds: str, behind: str) -> re.Pattern[str]:
    """Return a pattern of the families of some kinds, and of what may stand behind them."""
    names = table_of_words("families")
    fields = [field for kind in kinds for field in names[kind].values()]
    families = [family.replace(" ", " ?") for field in fields for family in field]
    alternatives = "|".join(families)
    return re.compile(rf"(?:{alternatives}){_NUMBER}(?: (?:{behind}))*")


@lru_cache(MOST_NAMES)
def _plain(name: str) -> str:
    """Return a name in lower case, without its owner, with a blank between words."""
    owner, sign, model = name.strip().partition("/")
    # "meta-llama/Llama-2-7b" of a hub, but not "ViT-B/16"
    has_owner = sign and owner[:1].isalpha() and model[:1].isalpha()
    plain = name.rpartition("/")[2] if has_owner else name
    return re.sub(r"[\W_]+", " ", plain.casefold()).strip()


@lru_cache(MOST_NAMES)
def without_owner(name: str) -> str | None:
    """Return the name of a model without who published it, or None if it does not say so.

    >>> [without_owner(name) for name in ("openai/whisper-large-v3", "rag/gpt-4", "ViT-B/16")]
    ['whisper-large-v3', None, None]
    """
    owner, _, model = name.strip().partition("/")
    owners = table_of_words("families")["owners"]["of_models"]
    is_owner = owner.strip().casefold() in owners
    return model.strip() if is_owner and model.strip() else None


@lru_cache(MOST_NAMES)
def is_network(name: str) -> bool:
    """Return whether a name is that of a network, a language model or another algorithm.

    >>> names = ("ResNet-50", "ViT-B/16", "acme/Model-7B-v0.1", "XGBoost", "CIFAR-10", "LAION-5B")
    >>> [is_network(name) for name in names]
    [True, True, True, True, False, False]
    """
    plain = _plain(name)
    if _families("networks", behind=_SIZE).fullmatch(plain):
        return True
    if _PARAMETERS.fullmatch(plain) and not _CORPORA.search(plain):
        return True
    return are_learners([plain, plain])


def are_networks(labels: Sequence[str]) -> bool:
    """Return whether labels are names of networks or other algorithms, but for one of several.

    >>> are_networks(["ResNet-18", "ResNet-50", "Ours"]), are_networks(["iris", "gin", "vit"])
    (True, False)
    """
    if len(labels) < _FEWEST_NAMED:
        return False
    n_networks, n_unknown = 0, 0
    for label in labels:
        if is_network(label):
            n_networks += 1
        elif _plain(label) not in _ANY_MODEL:
            n_unknown += 1
        if n_unknown > _MOST_UNKNOWN:
            return False
    return n_networks > len(labels) / 2 and _shows(n_networks, n_unknown)


@lru_cache(MOST_NAMES)
def is_benchmark(name: str) -> bool:
    """Return whether a name is that of a data set or benchmark.

    >>> [is_benchmark(name) for name in ("CIFAR-10", "arc_challenge", "iris", "svm")]
    [True, True, True, False]
    """
    families = _families("benchmarks", "other_benchmarks", behind=_VARIANT)
    return families.fullmatch(_plain(name)) is not None


def is_test_set(name: str) -> bool:
    """Return whether a name is that of data that models are tested on, and seldom trained.

    >>> is_test_set("ml-1m"), is_test_set("imagenet"), is_test_set("coco")
    (True, False, False)
    """
    plain = _plain(name)
    if _families("trained_on", behind=_VARIANT).fullmatch(plain):
        return False
    return _families("benchmarks", behind=_VARIANT).fullmatch(plain) is not None


def is_short_for_test_set(name: str) -> bool:
    """Return whether a name may be that of data, beside others that surely are.

    >>> is_short_for_test_set("MP"), is_short_for_test_set("JARVIS")
    (True, False)
    """
    families = _families("beside_benchmarks", behind=_VARIANT)
    return families.fullmatch(_plain(name)) is not None


def is_folder_of_data(name: str) -> bool:
    """Return whether a folder is called after data, whether models are trained on it or not.

    >>> is_folder_of_data("librispeech"), is_folder_of_data("iris")
    (True, False)
    """
    families = _families("benchmarks", behind=_VARIANT)
    return families.fullmatch(_plain(name)) is not None


def is_place(name: str) -> bool:
    """Return whether a name is that of a country, a town or another place, perhaps with a year.

    >>> [is_place(name) for name in ("Alps_2020", "new-york", "Georgia", "baltic model")]
    [True, True, False, False]
    """
    return _families("places", behind=r"\d+").fullmatch(_plain(name)) is not None


def are_benchmarks(names: Sequence[str]) -> bool:
    """Return whether names are those of data sets or benchmarks, and most of no other thing.

    One of several may be unknown.

    >>> are_benchmarks(["mmlu", "hellaswag", "drop"]), are_benchmarks(["drop", "vote", "record"])
    (True, False)
    """
    benchmarks = [name for name in names if is_benchmark(name)]
    n_unknown = len(names) - len(benchmarks)
    if n_unknown > _MOST_UNKNOWN or not _shows(len(benchmarks), n_unknown):
        return False
    families = _families("benchmarks", behind=_VARIANT)
    n_clear = sum(families.fullmatch(_plain(name)) is not None for name in benchmarks)
    return n_clear >= max(_FEWEST_BENCHMARKS, len(names) / 2)


def _shows(n_known: int, n_unknown: int) -> bool:
    """Return whether so many names that are known show what the others are."""
    return n_known >= _FEWEST_NAMED or n_unknown == 0
