"""Notes about rows and models that summarise the others: means, sums, the best of all."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, takewhile
from typing import Any

import numpy as np
import pandas as pd

from replib._labels.means import mean_at_an_end
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
from replib._names.languages import in_english
from replib._names.metrics.named import is_name_of_metric
from replib._names.models.differences import is_difference, is_stated_difference
from replib._names.things.codes import codes, initials, totals_of_pairs
from replib._names.things.columns import is_no_row
from replib._names.things.runs import is_no_run
from replib._names.things.units import unit_of_name
from replib._names.words import plain_text, split_at_capitals
from replib._numbers import decimals
from replib._validation import Array, listed, shown
from replib.designs import Datasets
from replib.scores import Predictions, Scores

#: What a summary of other scores may be.  A name alone is none: a model that always
#: predicts the mean is called so, too.  The best score may be the largest or the smallest.
_SUMMARIES: dict[str, Sequence[Callable[..., Any]]] = {
    **dict.fromkeys(["mean", "average", "avg", "overall"], (np.mean,)),
    "median": (np.median,),
    **dict.fromkeys(["best", "worst"], (np.max, np.min)),
    **dict.fromkeys(["max", "maximum"], (np.max,)),
    **dict.fromkeys(["min", "minimum"], (np.min,)),
    "sum": (np.sum,),
    "total": (np.sum, np.mean),
}
#: Those of a part of the rows: an extreme of few of them may be one by chance.
_SUMMARIES_OF_PARTS = (np.mean, np.sum)
#: The mean of scores that were rounded is so far from the mean that was rounded, in units
#: of the last digit, and a little more.
_ROUNDING = 0.6
#: What a label is asked, to tell a unit from what is computed from units.
_NO_UNITS: tuple[Callable[[str], bool], ...] = (
    *(is_summary, is_no_row, is_name_of_metric, is_difference, is_stated_difference),
)
#: Words of labels, also those in a bracket.
_WORDS = re.compile(r"[^\W\d_]+")
#: Words of a choice of the best model for each row, and rows that it is found in: a model
#: with "best" in its name may be the best one, and tie with the second in few rows.
_BEST_OF_ALL = {
    *("any", "best", "bound", "ceiling", "ideal", "oracle", "pass", "sota"),
    *("strongest", "union", "vbs", "virtual", "winner"),
}
_FEWEST_BEST = 5
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
#: Of so many others, any may have been averaged.
_MOST_COMBINED = 8
#: Scores are means of others by chance in fewer tables.
_RARE = 0.000001
#: Tasks may have these names, too: the total on a receipt, the sum of a list.
_NAMES_OF_TASKS = {
    *("best", "count", "grand", "max", "maximum", "mean", "median", "min", "minimum"),
    *("rank", "sub", "subtotal", "sum", "total", "worst"),
}
#: How far a mean of scores in full precision is from itself.
_ALMOST = 1e-9
#: Others that a summary must have been computed from.
_FEWEST_SUMMARISED = 2


def notes_about_summaries(table: Scores | Predictions) -> Iterator[str]:
    """Note rows, and models, that are computed from the others."""
    yield from _rows(table)
    if table.strata is not None:
        yield from _tasks(table, table.strata.tasks)
    if isinstance(table, Scores):
        yield from _models(table)


def rows_of_statistics(table: Scores | Predictions) -> list[str]:
    """Return the rows that are called like another one with the word of a statistic."""
    return [
        label
        for key in ("dataset", "run", "fold")
        for label in statistics_of_others(texts_like_names(table, key))
    ]


def _rows(table: Scores | Predictions) -> Iterator[str]:
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
        texts = _possible_summaries(table, key)
        groups = _summarised_groups(texts) if key == "dataset" else set()
        if key == "dataset":
            groups.update(_averages_of_groups(texts, table))
        groups.update(totals_of_pairs(texts))
        groups.update(summaries_of_numbered(texts_like_names(table, key)))
        if key != "item":
            groups.update(summaries_of_stem(texts), wholes_of_times(texts))
        summaries = [
            text
            for text in texts
            if text in groups or _is_other(text, key) or _is_mean_of_others(text, table)
        ]
        if summaries:
            yield _note_on_summaries(summaries, unit)
            return
        if key in ("run", "fold"):
            yield from _run_without_number(table, key)
    if isinstance(table, Scores):
        yield from _highest_possible(table)
    label = mean_at_an_end(table) if isinstance(table, Scores) else None
    if label is not None and not _is_known_whole(label, table):
        yield f"{shown(label)} has the means of the other rows: is it {with_article(unit)}?"


def _is_known_whole(label: Any, table: Scores | Predictions) -> bool:
    """Return whether a data set is that of the whole of which others are parts.

    It is asked about where groups are.
    """
    if not isinstance(table.design, Datasets):
        return False
    known = whole_and_parts([*map(str, table.units)])
    return known is not None and known[0] == label


def _highest_possible(table: Scores) -> Iterator[str]:
    """Note a row with the most points that can be had, by its label and in all models."""
    if not is_labelled(table):
        return
    named = [
        index
        for index in range(len(table.unit_labels))
        if may_be_highest_possible(str(table.unit_labels[index]))
    ]
    if len(named) != 1:
        return
    n_units = len(table.unit_labels)
    scores = [block.reshape(-1, n_units) for block in table.blocks.values()]
    highest = max(float(rows.max()) for rows in scores)
    if all((rows[:, named[0]] == highest).all() for rows in scores):
        label = str(table.unit_labels[named[0]]).strip()
        unit = with_article(UNITS[type(table.design)])
        yield (
            f"{shown(label)} has {highest:g} in all models, and is labelled like the most "
            f"that can be reached: is it {unit}?"
        )


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


def _possible_summaries(table: Scores | Predictions, key: str) -> list[str]:
    """Return the labels of a key that may be those of summaries."""
    texts = texts_like_names(table, key)
    # F1 is a league beside D1 and E0, and SD a state beside OH and TX
    named_by_codes = codes(texts) | initials(texts)
    if are_of_one_list(texts):
        return []  # such as the total on a receipt, beside its date
    texts = [text for text in texts if text not in named_by_codes]
    if key != "item" or not texts:
        return texts
    if table.strata is not None:
        return []  # an item is called after its task, which is asked about
    # items may be words: summaries are the first or last ones
    labels = [str(label) for label in table.unit_labels[:_MOST_AT_END]]
    last_labels = [str(label) for label in table.unit_labels[-_MOST_AT_END:]]
    ends = {*_at_start(labels), *_at_start(last_labels[::-1])}
    return [text for text in texts if text in ends]


def _at_start(labels: Sequence[str]) -> Sequence[str]:
    """Return the first label, and those after it if all up to them are called like statistics."""
    statistics = [*takewhile(is_label_of_statistic, labels)]
    return statistics or labels[:1]


def _tasks(table: Scores | Predictions, tasks: Sequence[str]) -> Iterator[str]:
    """Note a task that summarises all others, or a group of them, or that is a vote."""
    groups = _summarised_groups(tasks).union(totals_of_pairs(tasks))
    for task in tasks:
        if task in groups or is_no_run(task) or _is_summary_of_tasks(task, table):
            yield f"{shown(task)} is labelled like a summary of the rows: is it a task?"
            return


def _is_summary_of_tasks(task: str, table: Scores | Predictions) -> bool:
    """Return whether a task is called like a summary; "total" must also have such scores."""
    if not is_summary(task):
        return False
    if not _NAMES_OF_TASKS.issuperset(_words_of_summary(task)):
        return True
    if not isinstance(table, Scores) or table.strata is None:
        return False
    index = table.strata.tasks.index(task)
    is_own = table.strata.task == index
    own = [block[:, is_own].ravel() for block in table.blocks.values()]
    digits = max(map(decimals, own))
    distance = _ROUNDING * 10.0**-digits if digits else _ALMOST
    means = np.stack(
        [table.strata.task_means(x.mean(axis=0)) for x in table.blocks.values()]
    )
    others = np.delete(means, index, axis=1)
    if not np.ptp(others, axis=1).all():
        return False  # the mean of equal scores is each of them
    return any(
        bool((np.abs(function(others, axis=1) - means[:, index]) <= distance).all())
        for function in _functions_of(_words_of_summary(task))
    )


def _is_other(text: str, key: str) -> bool:
    """Return whether a label is, by its words, that of a summary, or of a vote over runs."""
    if any(is_other(text) for is_other in _NO_UNITS):
        return True
    return key != "item" and is_no_run(text)


def _summarised_groups(labels: Sequence[str]) -> set[str]:
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


def _averages_of_groups(
    labels: Sequence[str], table: Scores | Predictions
) -> Iterator[str]:
    """Yield labels of averages of groups, such as "Avg. textures", that lie between others."""
    groups = groups_of_averages(labels)
    if not isinstance(table, Scores) or 2 * len(groups) >= len(labels):
        return
    n_units = len(table.units)
    scores = np.stack([x.reshape(-1, n_units) for x in table.blocks.values()])
    is_other = np.array([str(unit) not in groups for unit in table.units])
    low, high = scores[..., is_other].min(axis=-1), scores[..., is_other].max(axis=-1)
    for label, group in groups.items():
        of_label = scores[..., table.units.index(label)]
        has_statistics = any(
            plain_text(text).endswith(group) and text not in groups for text in labels
        )
        if ((low < of_label) & (of_label < high)).all() and not has_statistics:
            yield label


def _is_other_statistic(text: str, group: str, label: str) -> bool:
    """Return whether a label is that of a group with another statistic behind it."""
    if text == plain_text(label) or not text.startswith(group):
        return False
    words = _WORDS.findall(text[len(group) :])
    return bool(words) and is_summary(words[-1])


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
    # "chr1" and "chrX", and "3" and "3b", are alike
    is_alike = name.casefold().startswith(stem) if stem else name[0].isdecimal()
    words = {word.casefold() for word in _WORDS.findall(name)}
    may_be_run = not words or not _NAMES_OF_RUNS.isdisjoint(words)
    if is_alike or may_be_run or len(name) < _SHORTEST_NAME:
        return
    unit = UNITS[type(table.design)]
    yield f"{shown(name)} is the only {key} that is not numbered: is it {with_article(unit)}?"


def _is_mean_of_others(label: str, table: Scores | Predictions) -> bool:
    """Return whether a data set has a word for a summary in its name, and its values.

    It may summarise all other data sets, or those next to it.
    """
    if not isinstance(table, Scores) or not isinstance(table.design, Datasets):
        return False
    functions = _functions_of(_words_of_summary(label))
    if not functions or label not in table.units:
        return False
    column = table.units.index(label)
    scores = np.stack(
        [block.reshape(-1, len(table.units)) for block in table.blocks.values()]
    )
    scores = scores.mean(axis=1)
    other_scores = np.delete(scores, column, axis=1)
    if _summarises(functions, scores[:, column], other_scores.T):
        return True
    of_parts = [function for function in functions if function in _SUMMARIES_OF_PARTS]
    borders = [
        unit
        for unit, name in enumerate(table.units)
        if _functions_of(_words_of_summary(name))
    ]
    first = max((unit + 1 for unit in borders if unit < column), default=0)
    end = min((unit for unit in borders if unit > column), default=len(table.units))
    parts = (scores[:, first:column], scores[:, column + 1 : end])
    return any(
        _summarises(of_parts, scores[:, column], part.T, slack=_ROUNDING)
        for part in parts
    )


def _models(table: Scores) -> Iterator[str]:
    """Note models that by name and values are the mean, the best or so of the others."""
    shapes = {block.shape for block in table.blocks.values()}
    if len(shapes) > 1 or len(table.blocks) <= _FEWEST_SUMMARISED:
        return
    for model, block in table.blocks.items():
        if np.ptp(block) == 0:
            continue
        is_called_so = is_summary(_in_english(model)) or _is_called_best(model)
        others = [name for name in table.models if name != model]
        rivals = np.stack([table.blocks[name] for name in others])
        if is_called_so and _is_computed(model, block, rivals):
            yield f"The scores of {model} are computed from those of the others."
        elif np.mean in _functions_of(_words_of_summary(split_at_capitals(model))):
            averaged = _averaged(block.ravel(), rivals.reshape(len(others), -1))
            if averaged:
                names = listed([others[index] for index in averaged])
                yield f"The scores of {model} are the means of those of {names}."


def _averaged(scores: Array, rivals: Array) -> tuple[int, ...]:
    """Return which of the others, but not all, scores are the means of; none if of none.

    Of many others, only those next to each other may be averaged.
    """
    if scores.size < _FEWEST_BEST:
        return ()
    away = _ROUNDING * 10.0 ** -decimals(scores)
    spread = min(map(np.ptp, rivals - scores))
    n_ways = 2 ** min(len(rivals), _MOST_COMBINED)
    if n_ways * min(1.0, 2 * away / max(spread, away)) ** scores.size > _RARE:
        return ()  # scores of few digits are near many means
    for numbers in _parts(len(rivals)):
        from_mean = rivals[list(numbers)].mean(axis=0) - scores
        is_one = (rivals[list(numbers)] == scores).all(axis=1).any()
        if (np.abs(from_mean) <= away).all() and not is_one:
            return numbers
    return ()


def _parts(n_others: int) -> Iterator[tuple[int, ...]]:
    """Yield two or more of some others, but not all: any of few, neighbours of many."""
    for size in range(_FEWEST_SUMMARISED, n_others):
        if n_others <= _MOST_COMBINED:
            yield from combinations(range(n_others), size)
        else:
            for first in range(n_others - size + 1):
                yield tuple(range(first, first + size))


def _is_computed(model: str, block: Array, rivals: Array) -> bool:
    """Return whether scores are that summary of the others which a model is called after."""
    if is_summary(_in_english(model)):
        functions = _functions_of(_words_of_summary(model))
        if _summarises(functions, block, rivals):
            return True
    return _is_called_best(model) and _is_best(block, rivals)


def _is_called_best(model: str) -> bool:
    """Return whether a word of a model is that of a choice of the best one for each row."""
    words = _words_of_summary(model)
    return not _BEST_OF_ALL.isdisjoint(words) and "=" not in model


def _is_best(block: Array, rivals: Array) -> bool:
    """Return whether scores are the largest, or the smallest, of those of several others.

    These are all others, or all but those that are better somewhere: "best baseline" is
    a baseline of its own.
    """
    if block.size < _FEWEST_BEST:
        return False
    rows = rivals.reshape(len(rivals), -1)
    scores = block.ravel()
    for extreme, is_beyond in ((np.max, np.greater), (np.min, np.less)):
        never_better = rows[~is_beyond(rows, scores).any(axis=1)]
        if len(never_better) < _FEWEST_SUMMARISED:
            continue
        is_one = (never_better == scores).all(axis=1).any()
        if is_one and len(never_better) < len(rows):
            continue
        if np.array_equal(extreme(never_better, axis=0), scores):
            return True
    return False


def _in_english(name: object) -> str:
    """Return a name in English, where the scores say, too, whether it is a summary."""
    return in_english(name, ambiguous=True)


def _words_of_summary(name: object) -> list[str]:
    """Return the words of a name that may be that of a summary, in lower case."""
    return _WORDS.findall(_in_english(name).casefold())


def _functions_of(words: Sequence[str]) -> list[Callable[..., Any]]:
    """Return the functions that words are names of."""
    return [function for word in words for function in _SUMMARIES.get(word, [])]


def _summarises(
    functions: Sequence[Callable[..., Any]],
    scores: Array,
    other_scores: Array,
    *,
    slack: float = 1.0,
) -> bool:
    """Return whether scores are a summary of others by one of some functions.

    Parameters
    ----------
    functions : sequence of callable
    scores : ndarray, shape (...)
    other_scores : ndarray, shape (n, ...)
    slack : float
        How far from the summary they may be, in units of their last digit.
    """
    if not functions or len(other_scores) < _FEWEST_SUMMARISED:
        return False
    distance = slack * 10.0 ** -decimals(scores)
    return any(
        bool((np.abs(function(other_scores, axis=0) - scores) <= distance).all())
        for function in functions
    )
