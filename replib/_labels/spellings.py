"""Notes about models whose names differ in case only."""

from collections.abc import Iterator

from replib._validation import listed
from replib.scores import Predictions, Scores


def notes_about_spellings(table: Scores | Predictions) -> Iterator[str]:
    """Note models that stand side by side, and whose names differ in case only.

    Parameters
    ----------
    table : Scores or Predictions

    Yields
    ------
    str
    """
    by_spelling: dict[str, list[str]] = {}
    for model in table.models:
        by_spelling.setdefault(model.casefold(), []).append(model)
    for models in by_spelling.values():
        if len(models) > 1:
            yield f"Models {listed(models)} differ only in case: are they one model?"
