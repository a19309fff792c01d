"""Notes about models that are called like runs, or folds, of one model."""

from collections.abc import Iterator

from replib._names.models.repetitions import repetitions_of_model
from replib._names.things.kinds import plural
from replib._validation import listed
from replib.scores import Predictions, Scores


def notes_about_repetitions(table: Scores | Predictions) -> Iterator[str]:
    """Note models that are one model several times by their names."""
    repetitions = repetitions_of_model(table.models)
    if repetitions is None:
        return
    model, kind, names = repetitions
    if model:
        yield (
            f"{listed(names)} are called like {plural(kind)} of {model}: are they one "
            "model?"
        )
    else:
        yield (
            f"The models are called {listed(names[:2])} and so on: are they "
            f"{plural(kind)}? A table has a column for each model."
        )
