"""Notes about rows that are called like other units: folds as data sets, data sets as seeds."""

import re
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from replib._labels.texts import labels_of_key, texts_of_key
from replib._names.labels.checkpoints import are_states
from replib._names.labels.classes import are_classes, are_targets
from replib._names.labels.cutoffs import are_cutoffs, kind_of_compared
from replib._names.labels.evaluations import is_evaluation
from replib._names.labels.levels import are_levels
from replib._names.labels.numbered import (
    are_identifiers,
    kind_of_numbered,
    kind_of_parts,
)
from replib._names.labels.portions import are_sizes, are_sizes_of_stem, counted_stem
from replib._names.labels.segments import are_segments
from replib._names.labels.settings import are_settings
from replib._names.labels.shared import readings_of_labels, rests_of_labels
from replib._names.models.families import is_benchmark
from replib._names.models.learners import are_learners
from replib._names.models.repetitions import repetitions_of_model
from replib._names.things.kinds import (
    ASKED,
    REPETITIONS,
    STATES,
    kind_of_name,
    misfits,
    plural,
)
from replib._names.things.left_out import are_left_out
from replib._names.things.times import parts_of_time
from replib._validation import listed, shown
from replib.designs import CV, Datasets, Design, Items, RandomSplits, Seeds
from replib.scores import Predictions, Scores

#: What a score belongs to, by design.
UNITS: dict[type, str] = {
    CV: "split",
    RandomSplits: "split",
    Seeds: "seed",
    Items: "item",
    Datasets: "data set",
}
#: What to do about a table that was turned.
_ADVICE = "A table has a column for each model."
#: What to do about folds that are groups.
_ADVICE_ON_GROUPS = {
    "run": "",
    "fold": " If each was left out as a whole, the design says groups=True.",
}
#: Names of trackers have words and numbers; folds have no tracker.
_MOST_NUMBERS = {"run": 0.0, "fold": 0.25}
#: Labels that are looked at for a number.
_MOST_NUMBERED = 100
#: Settings in which labels of runs may differ.
_MOST_SETTINGS = 10
#: Such as "0.25": behind a stem, "1.5" may be the number of a release.
_FRACTION = re.compile(r"0[.,]\d+|1[.,]0+")
_RESAMPLE = re.compile(r"resample[ _-]?\d+", re.IGNORECASE)
#: Fewer rows with names in words may be anything.
_FEWEST_NAMED = 3


def notes_about_units(table: Scores | Predictions) -> Iterator[str]:
    """Note rows that are numbered as other units are, or named as data sets are."""
    if table.strata is not None:
        yield from _tasks_of_other_units(table.strata.tasks)
    if isinstance(table, Scores):
        yield from _models_of_other_units(table)
    for key in ("dataset", "item", "run", "fold"):
        if key in table.design.roles:
            note = _note_on_rows(table, key)
            if note is not None:
                yield note
    if isinstance(table.design, Datasets):
        yield from _data_sets_of_numbers(table)
        yield from _queries_as_data_sets(table)
        yield from _classes_as_data_sets(table)
        yield from _portions_as_data_sets(table)


def _note_on_rows(table: Scores | Predictions, key: str) -> str | None:
    """Ask about labels of a key if all are texts, and those of another unit."""
    labels = texts_of_key(table, key)
    if not labels or len(labels) != len(labels_of_key(table, key)):
        return None
    if are_learners(labels):
        return f"{_called('The rows', labels)}: are they models? {_ADVICE}"
    if isinstance(table.design, RandomSplits) and all(map(_RESAMPLE.fullmatch, labels)):
        return None  # random splits are called so in R, as bootstrap samples are
    unit = _other_unit(labels, key) or _other_unit(_folds_among(labels), key)
    if key == "fold" and _leaves_out_groups(table.design) and unit not in STATES:
        return None  # groups are years, places or persons
    if key == "fold" and isinstance(table.design, CV) and are_left_out(labels):
        called = _called("The folds", labels)
        return f"{called}: did each leave out a group as a whole? Then the design says groups=True."
    if unit is not None:
        return _note_on_unit(unit, labels, table, key)
    return _note_on_names(labels, table, key) if key in ("run", "fold") else None


def _leaves_out_groups(design: Design) -> bool:
    """Return whether a design says that folds leave out groups as a whole."""
    return isinstance(design, CV | RandomSplits) and design.groups


def _note_on_unit(
    unit: str, labels: Sequence[str], table: Scores | Predictions, key: str
) -> str | None:
    """Ask about labels that are those of another unit, unless a key may have them."""
    word = _word_of_key(table, key)
    if unit == word:
        return None
    advice = ""
    if isinstance(table.design, Items) and key == "run" and unit in ASKED:
        if table.design.runs == "samples":
            return None  # each model was asked under all of them
        advice = ' Then say Items(runs="samples").'
    return f"{_called(f'The {word}s', labels)}: are they {plural(unit)}?{advice}"


def _folds_among(labels: Sequence[str]) -> list[str]:
    """Return the numbered labels among evaluations: the folds beside "OOF" and "Public LB"."""
    if not all(map(is_evaluation, labels)):
        return []
    numbered = [label for label in labels if re.search(r"\d", label)]
    return numbered if len(numbered) >= _FEWEST_NAMED else []


def _note_on_names(
    labels: Sequence[str], table: Scores | Predictions, key: str
) -> str | None:
    """Ask about labels of runs, or folds, that are names, or parts of several things."""
    if parts_of_time(labels) is not None:
        return None  # is noted where times are
    called = _called(f"The {_word_of_key(table, key)}s", labels)
    if _are_orders(labels):
        return f"{called}: are they orders in which something was shown?"
    if _have_all_models_all(labels, table, key):
        things = _named_things(labels, key)
        if things is not None:
            return f"{called}: are they {things}"
    part = _part_of_several(table.frame, key)
    return (
        None
        if part is None
        else f"{called}: are they {plural(part)} of several things?"
    )


def _named_things(labels: Sequence[str], key: str) -> str | None:
    """Return what the names of several runs, or folds, may be instead, with advice, or None."""
    if _are_initials(labels):
        return "persons, places or languages?"
    if _are_benchmarks(labels) or _are_names(labels, _MOST_NUMBERS[key]):
        return f"data sets?{_ADVICE_ON_GROUPS[key]}"
    if key == "fold" and are_identifiers(labels):
        return f"items, or groups?{_ADVICE_ON_GROUPS[key]}"
    return None


def _are_benchmarks(labels: Sequence[str]) -> bool:
    """Return whether several labels, and most of them, are names of known data sets."""
    n_known = sum(map(is_benchmark, labels))
    return n_known >= _FEWEST_NAMED and 2 * n_known > len(labels)


def _are_orders(labels: Sequence[str]) -> bool:
    """Return whether labels are the same letters, or words, in several orders: AB and BA."""
    if len(labels) < 2 or any(re.search(r"\d", label) for label in labels):
        return False
    letters = re.findall(r"[^\W\d_]", labels[0].casefold())
    is_of_several = len({*letters}) > 1
    return is_of_several and all(
        sorted(re.findall(r"[^\W\d_]", label.casefold())) == sorted(letters)
        for label in labels
    )


def _are_initials(labels: Sequence[str]) -> bool:
    """Return whether labels are two or three letters each, as of raters and of countries."""
    are_short = all(re.fullmatch(r"[^\W\d_]{2,3}", label) for label in labels)
    # "aa", "ab" and "ac" only count
    return are_short and len({label[0] for label in labels}) > 1


def _part_of_several(rows: pd.DataFrame, key: str) -> str | None:
    """Return what the labels of a model number, if they do so within several things."""
    is_of_first = rows["model"] == rows["model"].iloc[0]
    return kind_of_parts(rows.loc[is_of_first, key].unique(), fewest_things=2)


def _other_unit(labels: Sequence[str], key: str) -> str | None:
    """Return what labels are by their words, or without the shared ones, if no unit of a key."""
    readings = [labels] if key == "item" else readings_of_labels(labels)
    units = (_unit_of_reading(reading, key) for reading in readings)
    return next((unit for unit in units if unit is not None), None)


def _unit_of_reading(labels: Sequence[str], key: str) -> str | None:
    """Return what labels are by their words, if it is no unit of their key."""
    # a simulation may have a data set for each combination of several settings
    most_settings = _MOST_SETTINGS if key in ("run", "fold") else 1
    if key != "item" and are_settings(labels, most_names=most_settings):
        return "setting"
    if key != "item" and are_cutoffs(labels):
        return "cutoff"
    if key in ("run", "fold") and are_states(labels):
        return "checkpoint"
    kind = kind_of_numbered(labels)
    if kind is None and key in ("dataset", "task"):
        kind = kind_of_parts(labels) or kind_of_compared(labels)
    is_other = misfits(kind, key) or (key == "run" and kind == "split")
    return kind if is_other else None


def _data_sets_of_numbers(table: Scores | Predictions) -> Iterator[str]:
    """Note data sets that are called by fractions, as thresholds and settings are."""
    question = "are they thresholds, or settings, of one data set?"
    values = np.asarray(labels_of_key(table, "dataset"))
    if values.size > 1 and values.dtype.kind == "f" and (values % 1 != 0).any():
        called = f"The data sets are called {values[0]:g}, {values[1]:g} and so on"
        yield f"{called}: {question}"
    labels = texts_of_key(table, "dataset")
    if len(labels) != values.size or _other_unit(labels, "dataset") is not None:
        return
    if any(map(_are_fractions, rests_of_labels(labels))):
        yield f"{_called('The data sets', labels)}: {question}"


def _are_fractions(rests: Sequence[str]) -> bool:
    """Return whether rests of labels are fractions below 1; releases go on from there."""
    return len({*rests}) == len(rests) and all(map(_FRACTION.fullmatch, rests))


def _queries_as_data_sets(table: Scores | Predictions) -> Iterator[str]:
    """Note data sets that are numbered in a column of queries, or of topics."""
    name = table.columns.get("dataset")
    labels = labels_of_key(table, "dataset")
    are_numbered = all(
        re.search(r"\d", str(label)) for label in labels[:_MOST_NUMBERED]
    )
    if kind_of_name(name) == "query" and are_numbered:
        yield (
            f"Column {shown(name)} has queries by its name: are they items of one data "
            "set? Then the design is items."
        )


def _classes_as_data_sets(table: Scores | Predictions) -> Iterator[str]:
    """Note data sets that are called like the classes of one."""
    labels = [*map(str, labels_of_key(table, "dataset")[:_MOST_NUMBERED])]
    readings = [*readings_of_labels(labels)]
    if any(map(are_classes, readings)):
        yield f"{_called('The data sets', labels)}: are they classes of one data set?"
    elif any(map(are_targets, readings)):
        yield f"{_called('The data sets', labels)}: are they targets of one data set?"


def _portions_as_data_sets(table: Scores | Predictions) -> Iterator[str]:
    """Note data sets that are sizes, groups or counted parts of one by their labels."""
    labels = [*map(str, labels_of_key(table, "dataset")[:_MOST_NUMBERED])]
    readings = [*readings_of_labels(labels)]
    is_noted = _other_unit(labels, "dataset") is not None or any(
        are_classes(reading) or parts_of_time(reading) is not None
        for reading in readings
    )
    if is_noted:
        return
    called = _called("The data sets", labels)
    are_amounts = are_sizes(labels) or any(map(are_sizes_of_stem, readings[1:]))
    if are_amounts or any(map(are_levels, readings)):
        yield f"{called}: are they sizes, shares or levels of one data set?"
    elif any(map(are_segments, readings)):
        yield f"{called}: are they groups of the rows of one data set?"
    elif counted_stem(labels) is not None:
        yield f"{called}: are they parts of one data set, such as its folds?"


def _tasks_of_other_units(tasks: Sequence[str]) -> Iterator[str]:
    """Note tasks that are numbered as folds or seeds are."""
    unit = _other_unit(tasks, "task")
    if unit is not None:
        yield f"{_called('The tasks', tasks)}: are they {plural(unit)}?"


def _models_of_other_units(table: Scores) -> Iterator[str]:
    """Note that columns are numbered and rows called in words, as if a table had been turned."""
    models = list(table.models)
    if len(models) < _FEWEST_NAMED or isinstance(table.design, Items):
        return
    if repetitions_of_model(models) is None and _are_counted(models):
        for key in ("run", "fold"):
            labels = texts_of_key(table, key)
            if labels and not any(re.search(r"\d", label) for label in labels):
                called = _called("The rows", labels)
                yield f"{called}, and the models are numbered: are the rows models? {_ADVICE}"


def _are_counted(models: Sequence[str]) -> bool:
    """Return whether models are called 0, 1, 2, or s1, s2, s3."""
    numbers = [re.sub(r"^[a-z]{0,2}[ _-]?", "", model.casefold()) for model in models]
    return any(
        numbers == [str(first + index) for index in range(len(models))]
        for first in (0, 1)
    )


def _called(things: str, labels: Sequence[str]) -> str:
    return f"{things} are called {listed(labels[:2])} and so on"


def _word_of_key(table: Scores | Predictions, key: str) -> str:
    """Return what a table calls the thing that a key has labels of."""
    return {"dataset": "data set", "run": _word_of_run(table.design)}.get(key, key)


def _word_of_run(design: Design) -> str:
    """Return what a design calls a run."""
    repeated = design.within if isinstance(design, Datasets) else design
    words = {RandomSplits: "split", Seeds: "seed"}
    return words.get(type(repeated), "run")


def _have_all_models_all(
    labels: Sequence[str], table: Scores | Predictions, key: str
) -> bool:
    """Return whether all models have the labels of several runs, or splits, of their own."""
    if len(labels) < _FEWEST_NAMED or isinstance(table.design, Items | Datasets):
        return False
    if _leaves_out_groups(table.design):
        return False
    rows = table.frame[["model", key]]
    return len(rows.drop_duplicates()) == len(labels) * rows["model"].nunique()


def _are_names(labels: Sequence[str], most_numbers: float) -> bool:
    """Return whether labels are words, and no lettered runs such as "run_a".

    A share of them, at most `most_numbers`, may also have a number.
    """
    if not all(re.search(r"[^\W\d_]{3}", label) for label in labels):
        return False
    first_words = [re.split(r"[\W_]", label)[0] for label in labels]
    are_lettered = all(kind_of_name(word) in REPETITIONS for word in first_words)
    n_numbers = sum(re.search(r"\d", label) is not None for label in labels)
    return not are_lettered and n_numbers <= most_numbers * len(labels)
