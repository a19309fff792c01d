"""Notes about models that were scored in different ways, or on different data, by their names."""

from collections.abc import Iterator

from replib._names.models.protocols import different_protocols, different_test_sets
from replib._validation import listed
from replib.designs import Datasets, Items
from replib.scores import Predictions, Scores


def notes_about_protocols(table: Scores | Predictions) -> Iterator[str]:
    """Note models whose names differ in how, or on which data, they were scored.

    Beside items or data sets, a model may be called after the data that it was trained
    on, and tested on others.

    """
    pair = different_protocols(table.models, table.metric.name)
    if pair is not None:
        yield f"{listed(pair)} were scored in different ways by their names: can they be compared?"
    if isinstance(table.design, Items | Datasets):
        return
    pair = different_test_sets(table.models)
    if pair is not None:
        yield f"{listed(pair)} have different data by their names: can they be compared?"
