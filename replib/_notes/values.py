"""Notes about values that look wrong although each of them is allowed.

A note is spoken only if right data of its kind draw it in fewer than one table in a
thousand.  ``tests/data/false_notes.csv`` has the counts, and
``tests/benchmarks/false_notes.py`` makes them: grid searches, benchmarks, and simulated
tables of two to thirty models, correlated and rounded as real ones are.
"""

from collections.abc import Iterator

from replib._chance import notes_about_guessing
from replib._labels import notes_about_labels
from replib._notes.codes import notes_about_codes
from replib._notes.coding import notes_about_coding
from replib._notes.copies import notes_about_copies
from replib._notes.percent import notes_about_percent
from replib._notes.ranges import notes_about_ranges
from replib._notes.repeats import notes_about_marked_items, notes_about_repeats
from replib._notes.single_items import notes_about_single_items
from replib._notes.truth import notes_about_truth_among_models
from replib._notes.within import notes_about_runs_within
from replib.designs import Design, Items, RandomSplits
from replib.scores import Predictions, Scores

#: More trainings than this for each item are hardly paid for: test sets are larger.
_MOST_TRAININGS_PER_ITEM = 2


def notes_about_values(table: Scores | Predictions) -> list[str]:
    """Return what looks wrong in the values, each in a sentence.

    Parameters
    ----------
    table : Scores or Predictions

    Returns
    -------
    list of str

    Raises
    ------
    ValueError
        If the runs, splits or seeds of all models are copies of each other.

    Examples
    --------
    >>> from replib.readers import from_arrays
    >>> scores = {"net": [.91, .93, .90, .92, .89], "rf": [.88, .88, .88, .88, .88]}
    >>> notes_about_values(from_arrays(scores, design="seeds", metric="accuracy"))
    ['All seeds of rf have the same score: deterministic, copied, or rounded?']
    """
    return [
        *notes_about_copies(table),
        *(notes_about_repeats(table) if isinstance(table, Scores) else ()),
        *notes_about_marked_items(table),
        *(notes_about_runs_within(table) if isinstance(table, Scores) else ()),
        *notes_about_percent(table),
        *notes_about_truth_among_models(table),
        *notes_about_labels(table),
        *([*notes_about_codes(table)] or notes_about_ranges(table)),
        *notes_about_guessing(table),
        *notes_about_coding(table),
        *_large_test_sets(table.design),
        *_many_trainings(table),
        *notes_about_single_items(table),
    ]


def _large_test_sets(design: Design) -> Iterator[str]:
    """Note that most of the data are tested on, unless the training set was declared, too."""
    if isinstance(design, RandomSplits) and design.train is None and design.test > 0.5:
        yield f"{design}, more than training data: is that the share for training?"


def _many_trainings(table: Scores | Predictions) -> Iterator[str]:
    """Note many more trainings than items, as in arrays with a row per item.

    Samples of one model may well be many for each item.
    """
    design = table.design
    if not isinstance(design, Items) or design.runs != "trainings":
        return
    blocks = table.blocks if isinstance(table, Scores) else table.predicted
    n_trainings = max(len(block) for block in blocks.values())
    n_items = len(table.unit_labels)
    if n_trainings > _MOST_TRAININGS_PER_ITEM * n_items:
        yield f"{n_trainings} trainings on {n_items} items: are runs and items exchanged?"
