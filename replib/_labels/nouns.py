"""Notes about models that by the noun of their name are something else: a time, a price.

Few nouns are sure.  With others the scores must show it, or the names of the other models.
"""

from collections.abc import Iterator

import numpy as np

from replib._labels.beside import TWICE, is_apart, is_aside
from replib._names.labels.statistics import is_called_statistic
from replib._names.things.measures import is_measure
from replib._names.things.nouns import (
    are_coordinates,
    called_like,
    is_odd_one_out,
    noun_of_name,
    words_of_class,
)
from replib._names.words import plain_words, split_at_capitals
from replib._numbers import decimals
from replib.designs import Datasets
from replib.scores import Scores

#: In so many rows the last decimal of rounded scores is not always 0 by chance.
_FEWEST_ROUNDED = 10
#: Scores differ so much if one of them is something that has a short name of capitals, as
#: models have, too: LAT, SPEED, TIME.
_FIVE_TIMES = 5
_LONGEST_SHORT = 6
#: In so many rows, scores have many values, and more than those of something else.
_FEWEST_WITH_VALUES = 20
_MORE_VALUES = 3
#: How sure a noun is that a name is that of no model: by itself, or with other signs.
SURE = ("refused", "noted")
_UNSURE = ("in_tables", "apart", "aside", "far")


def notes_about_noun(name: str, table: Scores) -> Iterator[str]:
    """Note a model that is called like something else, and may be that by its scores."""
    if are_coordinates(name, table.models):
        noun: str | None = "coordinates"
    else:
        noun = _noun_of_no_model(name, table)
    if noun is not None and not _is_chosen_so(noun, name, table):
        yield f"{name} is called like {called_like(noun)}: is it a model?"
    elif isinstance(table.design, Datasets) and noun_of_name(name, "of_each"):
        yield f"{name} is called like {called_like('bests')}: is it one model?"


def _noun_of_no_model(name: str, table: Scores) -> str | None:
    """Return what a model is of by its name, if that is sure or its scores show it."""
    sure = noun_of_name(name, *SURE)
    if sure is None and _is_lone_quantity(name, table):
        sure = noun_of_name(name, "with_unit")
    if sure is not None:
        return sure
    noun = noun_of_name(name, *_UNSURE)
    if noun is None and is_called_statistic(plain_words(name).replace("%", "").strip()):
        noun = "a statistic"
    if noun is not None and _has_other_numbers(name, table):
        return noun
    noun = noun_of_name(name, *_UNSURE, "unrelated")
    is_odd = noun is not None and is_odd_one_out(name, table.models)
    return noun if is_odd else None


def _is_lone_quantity(name: str, table: Scores) -> bool:
    """Return whether a name is a quantity with its unit, and no other has a word of it.

    Several sources of one quantity are compared: "era5_precip_mm" and "gauge_precip_mm".
    """
    if noun_of_name(name, "with_unit") is None:
        return False
    words = {*plain_words(split_at_capitals(name)).split()} - words_of_class(
        "long_unit"
    )
    others = " ".join([*table.models, table.metric.name]).replace(name, "")
    return words.isdisjoint(plain_words(split_at_capitals(others)).split())


def _has_other_numbers(name: str, table: Scores) -> bool:
    """Return whether the scores of a model are no such numbers as those of the others are.

    Those that may be no models by their names, either, are left aside.
    """
    if _has_few_values(name, table):
        return True
    called = [model for model in table.models if _may_be_no_model(model)]
    if noun_of_name(name, "apart") and is_apart(name, table, without=called):
        return True
    if noun_of_name(name, "aside") and is_aside(name, table, without=called):
        return True
    if name.isupper() and len(name) < _LONGEST_SHORT:
        return is_apart(name, table, _FIVE_TIMES, without=called)
    return is_apart(name, table, TWICE, without=called) or _has_other_decimals(
        name, table
    )


def _may_be_no_model(name: str) -> bool:
    """Return whether a name is of something else than a model, or perhaps so."""
    return is_measure(name) or noun_of_name(name, *SURE, *_UNSURE) is not None


def _is_chosen_so(noun: str, name: str, table: Scores) -> bool:
    """Return whether models differ in what the noun says: in a setting, or how sure they are.

    These are "threshold_f1" and others, and "confidence" beside "margin" or "entropy".
    """
    others = [model for model in table.models if model != name]
    if noun == "settings":
        return any(noun_of_name(other, *SURE, *_UNSURE) == noun for other in others)
    return noun == "confidences" and any(map(is_certainty, others))


def is_certainty(name: str) -> bool:
    """Return whether a word of a name is that of a way to say how sure a model is."""
    words = plain_words(split_at_capitals(name)).split()
    return not words_of_class("certainties").isdisjoint(words)


def _has_few_values(name: str, table: Scores) -> bool:
    """Return whether a model has few values, as settings of a device, and all others many."""
    blocks = {model: block.ravel() for model, block in table.blocks.items()}
    scores = blocks.pop(name)
    if scores.size < _FEWEST_WITH_VALUES:
        return False
    n_values = np.unique(scores).size
    return all(np.unique(x).size >= _MORE_VALUES * n_values for x in blocks.values())


def _has_other_decimals(name: str, table: Scores) -> bool:
    """Return whether a model's numbers are rounded otherwise than all others, which are alike."""
    if table.blocks[name].size < _FEWEST_ROUNDED:
        return False
    n_decimals = decimals(table.blocks[name])
    other_decimals = {decimals(x) for model, x in table.blocks.items() if model != name}
    return len(other_decimals) == 1 and other_decimals.isdisjoint({n_decimals})
