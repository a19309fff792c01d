"""Notes about codes for what is missing, such as -1 and 999, among numbers.

A code is a whole number of a short list, and lies outside of all that the other scores
are: farther from the nearest than they are from each other.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replib._validation import Array
from replib.designs import Datasets, Items
from replib.scores import PROBABILITY_METRICS, Predictions, Scores

#: Numbers that stand for no number, in files and tables.
_CODES = (-1, -99, -999, -9999, -99999, 99, 999, 9999, 99999)
#: More of them stand in surveys, where answers are few whole numbers.
_CODES_OF_SURVEYS = (-7, -8, -9, -66, -77, -88, -97, -98, -777, -888, -998, -8888) + (
    *(66, 77, 88, 97, 98, 777, 888, 998, 8888),
)
#: Answers of a scale are at most this large.
_LARGEST_ANSWER = 10
#: A true number that is a code stands there for several items.
_FEWEST_MISSING = 2
#: From here on powers of ten are, too.
_SMALLEST_POWER = 6
#: 99 is a score, too, unless all others are far smaller.
_LARGEST_BESIDE_99 = 10.0
#: At most this share of the scores are codes; where more are equal, they are scores.
LARGEST_SHARE_OF_CODES = 0.25
#: Of whole numbers, such as ratings, fewer are codes: a rating may be -1 itself.
LARGEST_SHARE_AMONG_RATINGS = 0.1
#: Different scores that show what scores are.
_FEWEST_DISTINCT = 4
#: Metrics of which a trained model never has the score 0, unless it is a code.  A success
#: rate or an exact match may be 0.
_NEVER_ZERO = ("acc", "accuracy", "balanced_accuracy", "roc_auc")
#: Others of the same model or data set that show that 0 is far away.
_FEWEST_BESIDE_ZERO = 2


def notes_about_codes(table: Scores | Predictions) -> Iterator[str]:
    """Note scores, or predicted numbers, that are codes for a missing one.

    Parameters
    ----------
    table : Scores or Predictions

    Yields
    ------
    str

    Examples
    --------
    >>> from replib.readers import from_arrays
    >>> scores = {"net": [0.4, 0.5, -1, 0.45], "knn": [0.3, 0.31, 0.35, 0.32]}
    >>> list(notes_about_codes(from_arrays(scores, design="seeds", metric="r2")))
    ['Score -1 of net is far from all others: is it a code for a missing one?']
    """
    if isinstance(table, Predictions):
        yield from _codes_among_predictions(table)
        return
    blocks = {model: block.ravel() for model, block in table.blocks.items()}
    values = np.concatenate([*blocks.values()])
    is_by_item = isinstance(
        table.design, Items
    )  # of few pairs, -1 may be a correlation
    code = _code(values, lowest=table.metric.low if is_by_item else -np.inf)
    if code is None and _has_zero_as_code(table):
        code = 0.0
    if code is not None:
        model = next(name for name, block in blocks.items() if code in block)
        yield _note("Score", code, model)


def _note(noun: str, code: float, model: str) -> str:
    return (
        f"{noun} {code:g} of {model} is far from all others: is it a code for a "
        "missing one?"
    )


def _codes_among_predictions(table: Predictions) -> Iterator[str]:
    """Note a number of a model that neither the truth nor other predictions come near."""
    blocks = table.predicted
    if any(block.dtype.kind not in "iuf" for block in blocks.values()):
        return
    numbers = pd.to_numeric(pd.Series(table.truth), errors="coerce").to_numpy(float)
    numbers = numbers[np.isfinite(numbers)]  # none, if the truth is text
    predicted = np.concatenate([block.ravel() for block in blocks.values()])
    if table.metric.name in PROBABILITY_METRICS:
        code = _code(predicted.astype(float), lowest=-np.inf)
    elif (numbers % 1 > 0).any() or (predicted % 1 > 0).any():
        missing = _code_of_truth(numbers)
        if missing is not None:
            yield missing
        code = _code_of_prediction(predicted.astype(float), numbers)
    else:
        return  # of classes, -1 may be an answer that could not be read
    if code is not None and code not in numbers:
        model = next(name for name, block in blocks.items() if code in block)
        yield _note("Prediction", code, model)


def _code_of_truth(numbers: Array) -> str | None:
    """Return a note on a code that is the true number of several items, or None."""
    code = _code(numbers, lowest=-np.inf, more_codes=_codes_of_scale(numbers))
    n_missing = 0 if code is None else np.count_nonzero(numbers == code)
    if n_missing < _FEWEST_MISSING:
        return None
    return (
        f"The truth of {n_missing} items is {code:g}, far from all others: is it a code "
        "for a missing one?"
    )


def _code_of_prediction(predicted: Array, numbers: Array) -> float | None:
    """Return the code among predictions of numbers, or None.

    The true numbers, where no code is among them, say how large a prediction may be.
    """
    of_truth = _code(numbers, lowest=-np.inf, more_codes=_codes_of_scale(numbers))
    if of_truth is not None:
        numbers = numbers[numbers != of_truth]
    values = np.concatenate([predicted, numbers])
    return _code(values, lowest=-np.inf, more_codes=_codes_of_scale(numbers))


def _codes_of_scale(numbers: Array) -> tuple[int, ...]:
    """Return the codes that are usual beside answers on a scale, if most numbers are such."""
    if not numbers.size:
        return ()
    is_answer = (numbers % 1 == 0) & (numbers >= 0) & (numbers <= _LARGEST_ANSWER)
    is_scale = is_answer.mean() >= 1 - LARGEST_SHARE_OF_CODES
    are_whole = not (numbers % 1 > 0).any()
    return _CODES_OF_SURVEYS if is_scale and are_whole else ()


def _code(
    values: Array, *, lowest: float, more_codes: tuple[int, ...] = ()
) -> float | None:
    """Return the code among values, or None."""
    if not values.size:
        return None
    for code in (float(values.min()), float(values.max())):
        if code == lowest or not (_is_code(code) or code in more_codes):
            continue
        is_code = values == code
        if _is_apart(code, is_code.mean(), values[~is_code]):
            return code
    return None


def _is_code(value: float) -> bool:
    """Return whether a number stands for no number.

    >>> [_is_code(value) for value in (-1, 1000, 1e10, 2e10)]
    [True, False, True, False]
    """
    if value in _CODES:
        return True
    power = float(np.log10(value)) if value > 0 else 0.0
    return power >= _SMALLEST_POWER and value == 10.0 ** round(power)


def _is_apart(code: float, share: float, scores: Array) -> bool:
    """Return whether a code is no score like the others."""
    if share > LARGEST_SHARE_OF_CODES or not _has_distinct(scores, _FEWEST_DISTINCT):
        return False
    low = scores.min()
    high = scores.max()
    if code == 99 and high > _LARGEST_BESIDE_99:
        return False
    if code == -1 and not (scores % 1 > 0).any():
        # ratings from 1 on; 0 and -1 may be marks
        return bool(low >= 1 and share <= LARGEST_SHARE_AMONG_RATINGS)
    return bool(max(low - code, code - high) > high - low)


def _has_distinct(values: NDArray[Any], least: int) -> bool:
    """Return whether there are so many different values; a million are not sorted for it."""
    for _ in range(least):
        if not values.size:
            return False
        values = values[values != values[0]]
    return True


def _has_zero_as_code(table: Scores) -> bool:
    """Return whether a share of right answers is 0 where all others are far from it."""
    if table.metric.name not in _NEVER_ZERO or isinstance(table.design, Items):
        return False
    if isinstance(table.design, Datasets):
        scores = np.stack([*table.blocks.values()])
        return _has_zero_among_data_sets(scores)
    return any(_is_zero_apart(block.ravel()) for block in table.blocks.values())


def _is_zero_apart(scores: Array) -> bool:
    """Return whether the only 0 of some scores is farther from the others than they are apart."""
    rest = scores[scores != 0]
    if rest.size != scores.size - 1 or rest.size < _FEWEST_BESIDE_ZERO:
        return False
    return bool(rest.min() > np.ptp(rest))


def _has_zero_among_data_sets(scores: Array) -> bool:
    """Return whether the only 0 of a model and a data set is far from what both else have."""
    if np.count_nonzero(scores == 0) != 1:
        return False
    model, data_set = np.argwhere(scores == 0)[0]
    of_model = np.delete(scores[model], data_set)
    of_data_set = np.delete(scores[:, data_set], model)
    if min(of_model.size, scores.size - 1) < _FEWEST_BESIDE_ZERO:
        return False
    rest = scores[scores != 0]
    is_apart = of_data_set.min() > np.ptp(of_data_set)
    return bool(is_apart and rest.min() > np.ptp(rest) / 2)
