"""Notes about the column of the scores, and about rows that were chosen: of training data?"""

from collections.abc import Iterator

from replib._names.labels.parts import TESTED, is_fitted_part, names_parts, part_of_name
from replib._names.labels.training_parts import is_in_sample, is_of_training
from replib._names.metrics.definitions import differ
from replib._names.scores import has_other_measure
from replib._names.things.kinds import says_which_metric
from replib._names.words import words_of_column
from replib._validation import listed, shown
from replib.scores import Metric, Predictions, Scores


def notes_about_columns(table: Scores | Predictions) -> Iterator[str]:
    """Note scores, or rows, that by the name of their column are others than was said."""
    yield from _rows_of_training(table)
    yield from _rows_of_another_metric(table)
    column = table.columns.get("score")
    if isinstance(column, str):
        columns = table.columns.get("ignored", ())
        if isinstance(columns, list | tuple) and is_in_sample(column, columns):
            yield f"Column {shown(column)} has scores of the training data by its name."
        yield from notes_about_name(column, table.metric)


def notes_about_name(column: str, metric: Metric) -> Iterator[str]:
    """Note a column of scores of the training data, or of another metric."""
    is_measure = has_other_measure(column, metric.name, metric.better)
    if is_of_training(column) and not (is_measure or is_of_training(metric.name)):
        yield f"Column {shown(column)} has scores of the training data by its name."
    elif _is_trained_and_tested(column, metric.name):
        yield f"Column {shown(column)} has scores from training by its name, and no {metric}."
    if is_measure or differ(column, metric.name):
        yield (
            f"The scores are those of column {shown(column)}, and the metric is "
            f"{metric}: which is it?"
        )


def _is_trained_and_tested(column: str, metric: str) -> bool:
    """Return whether a column is of rollouts, as an agent trains, and the metric is not.

    Rollouts are also all that some people have, and then their return is the metric.
    """
    is_rolled_out = "rollout" in words_of_column(column)
    return is_rolled_out and not {"eval", *TESTED}.isdisjoint(words_of_column(metric))


def _rows_of_another_metric(table: Scores | Predictions) -> Iterator[str]:
    """Note that rows were chosen that are of another metric than the declared one."""
    for name, value in (table.where or {}).items():
        if not isinstance(value, str) or not says_which_metric(name):
            continue
        if differ(value, table.metric.name):
            yield (
                f"The rows with {shown(name)} = {shown(value)} are chosen, and the metric "
                f"is {table.metric}: which is it?"
            )


def _rows_of_training(table: Scores | Predictions) -> Iterator[str]:
    """Note that rows of training data, or of several parts of the data, were chosen."""
    if is_of_training(table.metric.name):
        return
    for name, chosen in (table.where or {}).items():
        if not names_parts(name):
            continue
        values = chosen if isinstance(chosen, list) else [chosen]
        if any(is_of_training(x) or is_fitted_part(name, x) for x in values):
            yield (
                f"The rows with {shown(name)} = {shown(values[0])} are those of the "
                "training data by their name."
            )
        elif len({part_of_name(str(value)) for value in values} - {None}) > 1:
            yield (
                f"The rows with {shown(name)} = {listed(values)} are of several parts of "
                "the data: is each model scored on the same ones?"
            )
