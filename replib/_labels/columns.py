"""Notes about the column of the scores, and about rows that were chosen: of training data?"""

from collections.abc import Iterator

from replib._names.parts import is_of_training, part_of_name
from replib._names.quantities import quantity_of_metric
from replib._names.roles import PARTS
from replib._names.words import plain_text
from replib._validation import listed, shown
from replib.scores import Metric, Predictions, Scores


def notes_about_columns(table: Scores | Predictions) -> Iterator[str]:
    """Note scores, or rows, that by the name of their column are others than was said."""
    yield from _rows_of_training(table)
    column = table.columns.get("score")
    if isinstance(column, str):
        yield from notes_about_name(column, table.metric)


def notes_about_name(column: str, metric: Metric) -> Iterator[str]:
    """Note a column of scores of the training data, or of another metric."""
    if is_of_training(column) and not is_of_training(metric.name):
        yield f"Column {shown(column)} has scores of the training data by its name."
    quantity = quantity_of_metric(column)
    own = quantity_of_metric(metric.name)
    if None not in (quantity, own) and quantity != own:
        yield (
            f"The scores are those of column {shown(column)}, and the metric is "
            f"{metric}: which is it?"
        )


def _rows_of_training(table: Scores | Predictions) -> Iterator[str]:
    """Note that rows of training data, or of several parts of the data, were chosen."""
    if is_of_training(table.metric.name):
        return
    for name, chosen in (table.where or {}).items():
        if plain_text(name) not in PARTS:
            continue
        values = chosen if isinstance(chosen, list) else [chosen]
        if any(is_of_training(value) for value in values):
            yield (
                f"The rows with {shown(name)} = {shown(values[0])} are those of the "
                "training data by their name."
            )
        elif len({part_of_name(str(value)) for value in values} - {None}) > 1:
            yield (
                f"The rows with {shown(name)} = {listed(values)} are of several parts of "
                "the data: is each model scored on the same ones?"
            )
