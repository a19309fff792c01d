"""Notes about rows that summarise the others: means, sums, ranks, the most points."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

import numpy as np
import pandas as pd

from replib._labels.functions import (
    ROUNDING,
    WORDS,
    are_summary,
    functions_of_name,
    words_of_summary,
)
from replib._labels.means import mean_at_an_end, scores_of_units
from replib._labels.summarising_models import notes_about_summarising_models
from replib._labels.texts import (
    has_labels,
    is_labelled,
    texts_like_names,
    with_article,
)
from replib._labels.units import UNITS
from replib._names.labels.classes import are_of_one_list
from replib._names.labels.statistics import statistics_of_others
from replib._names.labels.summaries import (
    groups_of_averages,
    is_label_of_statistic,
    is_summary,
    may_be_highest_possible,
    summaries_of_numbered,
    summaries_of_stem,
    summarised_group,
    wholes_of_times,
)
from replib._names.labels.wholes import whole_and_parts
from replib._names.metrics.named import is_name_of_metric
from replib._names.models.differences import is_difference, is_stated_difference
from replib._names.things.codes import codes, initials, totals_of_pairs
from replib._names.things.columns import is_no_row
from replib._names.things.runs import is_no_run
from replib._names.things.units import unit_of_name
from replib._names.words import plain_text
from replib._numbers import decimals
from replib._validation import listed, shown
from replib.designs import Datasets
from replib.scores import Predictions, Scores

#: Summaries of a part of the rows: an extreme of few of them may be one by chance.
_SUMMARIES_OF_PARTS = (np.mean, np.sum)
#: What a label is asked, to tell a unit from what is computed from units.
_NO_UNITS: tuple[Callable[[str], bool], ...] = (
    *(is_summary, is_no_row, is_name_of_metric, is_difference, is_stated_difference),
)
_NUMBER_AT_END = re.compile(r"\d+(?:\.\d+)?$")
#: So many runs must be numbered that one without a number is no run like the others.
_FEWEST_NUMBERED = 3
#: Runs that may have such a name among numbered ones.
_NAMES_OF_RUNS = {
    *("base", "baseline", "default", "extra", "final", "first", "initial", "last"),
    *("main", "nan", "none", "null", "original", "random", "ref", "reference"),
}
#: More runs have no names.
_MOST_RUNS = 1000
#: A name is longer: the chromosomes are 1 to 22, X and Y.
_SHORTEST_NAME = 3
#: So many items at an end may be summaries.
_MOST_AT_END = 10
#: Tasks may have these names, too: the total on a receipt, the sum of a list.
_NAMES_OF_TASKS = {
    *("best", "count", "grand", "max", "maximum", "mean", "median", "min", "minimum"),
    *("rank", "sub", "subtotal", "sum", "total", "worst"),
}
#: How far a mean of scores in full precision is from itself.
_ALMOST = 1e-9


def notes_about_summaries(table: Scores | Predictions) -> Iterator[str]:
    """Note rows, and models, that are computed from the others."""
    yield from _notes_on_rows(table)
    if table.strata is not None:
        yield from _notes_on_tasks(table, table.strata.tasks)
    if isinstance(table, Scores):
        yield from notes_about_summarising_models(table)


def rows_of_statistics(table: Scores | Predictions) -> list[str]:
    """Return the rows that are called like another one with the word of a statistic."""
    return [
        label
        for key in ("dataset", "run", "fold")
        for label in statistics_of_others(texts_like_names(table, key))
    ]


def _notes_on_rows(table: Scores | Predictions) -> Iterator[str]:
    """Note a row that is labelled as a mean, rank or sum of the others, or as no row at all."""
    unit = UNITS[type(table.design)]
    statistics = rows_of_statistics(table)
    if statistics:
        yield (
            f"{shown(statistics[0])} is labelled like a statistic of another row: is it "
            f"{with_article(unit)}?"
        )
        return
    for key in ("dataset", "item", "run", "fold"):
        summaries = _summaries(table, key)
        if summaries:
            yield _note_on_summaries(summaries, unit)
            return
        if key in ("run", "fold"):
            yield from _run_without_number(table, key)
    if isinstance(table, Scores):
        yield from _highest_possible(table)
        yield from _mean_without_a_word(table)


def _note_on_summaries(labels: Sequence[str], unit: str) -> str:
    """Ask about labels of summaries; about a metric, if there is no summary beside it."""
    if all(map(is_name_of_metric, labels)):
        return (
            f"{shown(labels[0])} is called like a metric: is it {with_article(unit)}, or "
            "are the rows several metrics?"
        )
    if len(labels) == 1:
        return (
            f"{shown(labels[0])} is labelled like a summary of the rows: is it "
            f"{with_article(unit)}?"
        )
    return (
        f"{listed(labels)} are labelled like summaries of the rows: are they {unit}s?"
    )


def _summaries(table: Scores | Predictions, key: str) -> list[str]:
    """Return the labels of a key that say by their words that they summarise others.

    The scores are asked, too, where the words may say something else.
    """
    labels = _possible_summaries(table, key)
    beside_others = {
        *totals_of_pairs(labels),
        *summaries_of_numbered(texts_like_names(table, key)),
    }
    if key != "item":
        beside_others.update(summaries_of_stem(labels), wholes_of_times(labels))
    if key == "dataset":
        beside_others |= _averages_by_last_word(labels)
        beside_others.update(_averages_by_first_word(labels, table))
    return [
        label
        for label in labels
        if label in beside_others
        or _is_no_unit(label, key)
        or _summarises_data_sets(label, table)
    ]


def _possible_summaries(table: Scores | Predictions, key: str) -> list[str]:
    """Return the labels of a key that may be those of summaries."""
    texts = texts_like_names(table, key)
    if are_of_one_list(texts):
        return []  # such as the total on a receipt, beside its date
    # F1 is a league beside D1 and E0, and SD a state beside OH and TX
    names_by_codes = codes(texts) | initials(texts)
    labels = [text for text in texts if text not in names_by_codes]
    if key != "item" or not labels:
        return labels
    if table.strata is not None:
        return []  # an item is called after its task, which is asked about
    # items may be words: summaries are the first or last ones
    first_labels = [str(label) for label in table.unit_labels[:_MOST_AT_END]]
    last_labels = [str(label) for label in table.unit_labels[-_MOST_AT_END:]]
    ends = {
        *_statistics_at_start(first_labels),
        *_statistics_at_start(last_labels[::-1]),
    }
    return [label for label in labels if label in ends]


def _statistics_at_start(labels: Sequence[str]) -> Sequence[str]:
    """Return the first label, and those after it if all up to them are called like statistics."""
    statistics = [*takewhile(is_label_of_statistic, labels)]
    return statistics or labels[:1]


def _is_no_unit(label: str, key: str) -> bool:
    """Return whether a label is, by its words, that of a summary, or of a vote over runs."""
    if any(is_no_unit(label) for is_no_unit in _NO_UNITS):
        return True
    return key != "item" and is_no_run(label)


def _averages_by_last_word(labels: Sequence[str]) -> set[str]:
    """Return the labels that are, by their last words, averages of a group of the others.

    Labels of which most, or of which others of the same group, end in a statistic are data
    of their own: "temp_avg" beside "temp_max".
    """
    ends = {label: summarised_group(label) for label in labels}
    groups = {label: group for label, group in ends.items() if group is not None}
    if not groups:
        return set()
    with_unit = {label for label in labels if unit_of_name(label)}
    if len(with_unit) > 1:  # beside "price (€)", "load (MW)" is no Mittelwert
        groups = {label: groups[label] for label in groups.keys() - with_unit}
    if 2 * len(groups) >= len(labels):
        return set()
    plain = [plain_text(label) for label in labels]
    return {
        label
        for label, group in groups.items()
        if not any(_is_other_statistic(text, group, label) for text in plain)
    }


def _is_other_statistic(text: str, group: str, label: str) -> bool:
    """Return whether a text is that of a group with another statistic behind it."""
    if text == plain_text(label) or not text.startswith(group):
        return False
    words = WORDS.findall(text[len(group) :])
    return bool(words) and is_summary(words[-1])


def _averages_by_first_word(
    labels: Sequence[str], table: Scores | Predictions
) -> Iterator[str]:
    """Yield labels of averages of groups, such as "Avg. textures", that lie between others."""
    groups = groups_of_averages(labels)
    if not isinstance(table, Scores) or not groups or 2 * len(groups) >= len(labels):
        return
    scores = scores_of_units(table)
    is_other = np.array([str(unit) not in groups for unit in table.units])
    low, high = scores[:, is_other].min(axis=-1), scores[:, is_other].max(axis=-1)
    for label, group in groups.items():
        of_label = scores[:, table.units.index(label)]
        lies_between = ((low < of_label) & (of_label < high)).all()
        # "Max. textures" is another statistic of the group
        has_statistics = any(
            plain_text(text).endswith(group) and text not in groups for text in labels
        )
        if lies_between and not has_statistics:
            yield label


def _summarises_data_sets(label: str, table: Scores | Predictions) -> bool:
    """Return whether a data set has a word for a summary in its name, and its values.

    It may summarise all other data sets, or those next to it.
    """
    if not isinstance(table, Scores) or not isinstance(table.design, Datasets):
        return False
    functions = functions_of_name(label)
    if not functions or label not in table.units:
        return False
    column = table.units.index(label)
    all_scores = scores_of_units(table)
    scores, other_scores = all_scores[:, column], np.delete(all_scores, column, axis=1)
    digit = 10.0 ** -decimals(scores)
    if are_summary(scores, other_scores.T, functions=functions, distance=digit):
        return True
    functions_of_parts = [x for x in functions if x in _SUMMARIES_OF_PARTS]
    return any(
        are_summary(
            scores,
            all_scores[:, part].T,
            functions=functions_of_parts,
            distance=ROUNDING * digit,
        )
        for part in _parts_beside(column, table)
    )


def _parts_beside(column: int, table: Scores) -> tuple[slice, slice]:
    """Return the data sets before and behind one, up to the next that is called a summary."""
    borders = [unit for unit, name in enumerate(table.units) if functions_of_name(name)]
    start = max((unit + 1 for unit in borders if unit < column), default=0)
    stop = min((unit for unit in borders if unit > column), default=len(table.units))
    return slice(start, column), slice(column + 1, stop)


def _run_without_number(table: Scores | Predictions, key: str) -> Iterator[str]:
    """Note the only run whose label is not that of the others with another number."""
    if not has_labels(table, key) or pd.api.types.is_numeric_dtype(table.frame[key]):
        return
    labels = [str(label) for label in table.frame[key].unique()[: _MOST_RUNS + 1]]
    if not _FEWEST_NUMBERED < len(labels) <= _MOST_RUNS:
        return
    stems = [_NUMBER_AT_END.sub("", label).casefold() for label in labels]
    (stem, n_alike), *other_stems = Counter(stems).most_common()
    if n_alike != len(labels) - 1 or len(other_stems) != 1:
        return
    name = labels[stems.index(other_stems[0][0])]
    if not _may_be_run(name, stem):
        unit = with_article(UNITS[type(table.design)])
        yield f"{shown(name)} is the only {key} that is not numbered: is it {unit}?"


def _may_be_run(name: str, stem: str) -> bool:
    """Return whether a run may have a name beside those with a stem and a number."""
    # "chr1" and "chrX", and "3" and "3b", are alike
    is_alike = name.casefold().startswith(stem) if stem else name[0].isdecimal()
    if is_alike or len(name) < _SHORTEST_NAME:
        return True
    words = {word.casefold() for word in WORDS.findall(name)}
    return not words or not _NAMES_OF_RUNS.isdisjoint(words)


def _highest_possible(table: Scores) -> Iterator[str]:
    """Note a row with the most points that can be had, by its label and in all models."""
    if not is_labelled(table):
        return
    labels = [str(label) for label in table.unit_labels]
    rows = [row for row, label in enumerate(labels) if may_be_highest_possible(label)]
    if len(rows) != 1:
        return
    (row,) = rows
    highest = max(float(block.max()) for block in table.blocks.values())
    scores = [block.reshape(-1, len(labels)) for block in table.blocks.values()]
    if all((block[:, row] == highest).all() for block in scores):
        unit = with_article(UNITS[type(table.design)])
        yield (
            f"{shown(labels[row].strip())} has {highest:g} in all models, and is labelled "
            f"like the most that can be reached: is it {unit}?"
        )


def _mean_without_a_word(table: Scores) -> Iterator[str]:
    """Note the first or last row if it has the means of the others, whatever it is called."""
    label = mean_at_an_end(table)
    if label is None:
        return
    if isinstance(table.design, Datasets):
        whole = whole_and_parts([*map(str, table.units)])
        if whole is not None and whole[0] == label:
            return  # is noted where groups are
    unit = with_article(UNITS[type(table.design)])
    yield f"{shown(label)} has the means of the other rows: is it {unit}?"


def _notes_on_tasks(table: Scores | Predictions, tasks: Sequence[str]) -> Iterator[str]:
    """Note a task that summarises all others, or a group of them, or that is a vote."""
    averages = _averages_by_last_word(tasks).union(totals_of_pairs(tasks))
    for task in tasks:
        if task in averages or is_no_run(task) or _is_summary_of_tasks(task, table):
            yield f"{shown(task)} is labelled like a summary of the rows: is it a task?"
            return


def _is_summary_of_tasks(task: str, table: Scores | Predictions) -> bool:
    """Return whether a task is called like a summary; "total" must also have such scores."""
    if not is_summary(task):
        return False
    if not _NAMES_OF_TASKS.issuperset(words_of_summary(task)):
        return True
    if not isinstance(table, Scores) or table.strata is None:
        return False
    blocks = [*table.blocks.values()]
    index = table.strata.tasks.index(task)
    is_of_task = table.strata.task == index
    n_decimals = max(decimals(block[:, is_of_task]) for block in blocks)
    means = np.stack([table.strata.task_means(block.mean(axis=0)) for block in blocks])
    other_means = np.delete(means, index, axis=1)
    if not np.ptp(other_means, axis=1).all():
        return False  # the mean of equal scores is each of them
    return are_summary(
        means[:, index],
        other_means.T,
        functions=functions_of_name(task),
        distance=ROUNDING * 10.0**-n_decimals if n_decimals else _ALMOST,
    )


__all__ = ["notes_about_summaries", "rows_of_statistics"]
