"""Notes about labels of rows and of models.

A label is structure where a value is a coincidence: rows that are all called "fold 1",
"fold 2" and so on are no data sets, whatever their scores.  Each module has one question
that is asked of the labels, and what a note says if the answer is yes.
"""

from collections.abc import Iterator

from replib._labels.columns import notes_about_columns
from replib._labels.computed import notes_about_computed_models
from replib._labels.differences import notes_about_differences
from replib._labels.directions import notes_about_directions
from replib._labels.groups import notes_about_groups
from replib._labels.metrics_as_models import notes_about_models_of_metrics
from replib._labels.metrics_as_rows import notes_about_rows_of_metrics
from replib._labels.models import notes_about_models
from replib._labels.parts import notes_about_parts
from replib._labels.predicted import notes_about_predictions
from replib._labels.protocols import notes_about_protocols
from replib._labels.repetitions import notes_about_repetitions
from replib._labels.runs import notes_about_runs
from replib._labels.spellings import notes_about_spellings
from replib._labels.stems import notes_about_stems
from replib._labels.summaries import notes_about_summaries
from replib._labels.times import notes_about_times
from replib._labels.truth import notes_about_truth
from replib._labels.turned import notes_about_turned_tables
from replib._labels.units import UNITS, notes_about_units
from replib._labels.versions import notes_about_versions
from replib.scores import Predictions, Scores


def _notes_about_rows(table: Scores | Predictions) -> Iterator[str]:
    """Note rows that are several metrics, or else what else they may be."""
    about_metrics = [*notes_about_rows_of_metrics(table)]
    yield from about_metrics
    if about_metrics:
        return
    yield from notes_about_summaries(table)
    yield from notes_about_units(table)
    yield from notes_about_versions(table)
    yield from notes_about_stems(table)


#: Asked of every table: about its columns, its rows, and the names of its models.
_QUESTIONS = (
    notes_about_columns,
    notes_about_directions,
    _notes_about_rows,
    notes_about_runs,
    notes_about_times,
    notes_about_groups,
    notes_about_parts,
    notes_about_repetitions,
    notes_about_protocols,
    notes_about_truth,
    notes_about_spellings,
)
#: Asked where models have scores, which a name alone may not settle.
_QUESTIONS_ABOUT_SCORES = (
    notes_about_differences,
    notes_about_computed_models,
    notes_about_models,
    notes_about_models_of_metrics,
    notes_about_turned_tables,
)


def notes_about_labels(table: Scores | Predictions) -> Iterator[str]:
    """Note labels of rows or models that are no units or models, but others or summaries."""
    yield from dict.fromkeys(_notes(table))  # names and scores may say the same


def _notes(table: Scores | Predictions) -> Iterator[str]:
    for question in _QUESTIONS:
        yield from question(table)
    if isinstance(table, Scores):
        for question_about_scores in _QUESTIONS_ABOUT_SCORES:
            yield from question_about_scores(table)
    else:
        yield from notes_about_predictions(table)


__all__ = ["UNITS", "notes_about_labels"]
