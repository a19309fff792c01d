"""Notes about a turned table: rows are called like models, or models like data sets."""

from collections.abc import Iterator, Sequence

from replib._labels.texts import texts_like_names
from replib._names.models.families import (
    are_benchmarks,
    are_networks,
    is_benchmark,
    is_network,
)
from replib._names.models.learners import are_learners
from replib._names.things.codes import are_languages
from replib._validation import listed
from replib.scores import Scores

#: What to do about a table that was turned.
_ADVICE = "A table has a column for each model."
#: So many rows that are learners, and most of all, are no data sets; nor are so many
#: columns that are called like data sets models.
_FEWEST_LEARNERS = 3
_SHARE_OF_LEARNERS = 0.7
_FEWEST_DATA_SETS = 2
#: Keys of rows with names.
_KEYS = ("dataset", "run", "fold")


def notes_about_turned_tables(table: Scores) -> Iterator[str]:
    """Note models that are called like data sets, above all if rows are called like networks.

    Languages may be models, too, such as what one was trained on.

    Networks alone may be rows: methods are compared on several networks, too.
    """
    rows = [texts_like_names(table, key) for key in _KEYS]
    for labels in rows:
        if are_learners(labels):
            return  # is noted where rows are
        if _are_turned(labels, table.models):
            yield f"The rows are called {listed(labels[:2])} and so on: are they models? {_ADVICE}"
            return
        are_columns = are_languages(table.models) or _are_mostly_benchmarks(
            table.models
        )
        if are_columns and are_networks(labels):
            yield f"The rows are called {listed(labels[:2])} and so on: are they models? {_ADVICE}"
            return
    # a model may be called after the data that it was trained on, and tested on others
    if are_benchmarks(table.models) and not any(map(_are_mostly_benchmarks, rows)):
        called = f"The models are called {listed(table.models[:2])} and so on"
        yield f"{called}: are they data sets? {_ADVICE}"


def _are_turned(labels: Sequence[str], models: Sequence[str]) -> bool:
    """Return whether most rows, and no columns, are learners, and half of these data sets.

    Methods are compared for several learners, too, but are not called like data sets.
    """
    n_learners = sum(map(is_network, labels))
    n_known = sum(map(is_benchmark, models))
    are_rows = n_learners >= max(_FEWEST_LEARNERS, _SHARE_OF_LEARNERS * len(labels))
    are_columns = n_known >= max(_FEWEST_DATA_SETS, len(models) / 2)
    return are_rows and are_columns and not any(map(is_network, models))


def _are_mostly_benchmarks(labels: Sequence[str]) -> bool:
    return sum(map(is_benchmark, labels)) > len(labels) / 2
