"""Notes about a model that is named like the truth."""

from collections.abc import Iterator

from replib._names.labels import is_name_of_truth
from replib.designs import Items
from replib.scores import Scores


def notes_about_truth(table: Scores) -> Iterator[str]:
    """Note a model that is named the truth and is right on every item.

    Parameters
    ----------
    table : Scores

    Yields
    ------
    str
    """
    if not isinstance(table.design, Items):
        return
    for model, block in table.blocks.items():
        if is_name_of_truth(model) and (block == table.metric.high).all():
            yield f"{model} is right on every item and named like the truth: is it a model?"
