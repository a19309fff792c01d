"""Notes about models that are called like runs, or folds, of one model."""

from collections.abc import Iterator, Sequence

from replib._names.kinds import plural
from replib._names.repetitions import repetitions_of_model
from replib._validation import listed


def notes_about_repetitions(models: Sequence[str]) -> Iterator[str]:
    """Note models that are one model several times by their names."""
    repetitions = repetitions_of_model(models)
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
