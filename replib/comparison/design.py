"""How scores came about, and what must be true of them before they are compared.

The shape of a block and the test/train ratio are read from the splitter or must be said.  Neither
can be read off the scores, and a wrong one gives a wrong answer without a sign of it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

_HOW = (
    'give the splitter (cv=RepeatedStratifiedKFold(...)), cv="10x10", runs= and folds=, or '
    "test_fraction="
)

#: What scikit-learn's splitters are, by the names of the classes that they descend from.
_CROSS_VALIDATION = {"_RepeatedSplits", "_BaseKFold"}
_RANDOM_SPLITS = {"ShuffleSplit", "BaseShuffleSplit"}


@dataclass(frozen=True)
class Design:
    """How the splits of an experiment were made.

    Attributes
    ----------
    runs, folds : int
        Independent runs, and test sets in each: those of r times k-fold cross-validation; n random
        splits are n runs of one test set.
    test_train_ratio : float
        Test instances for each training instance.
    """

    runs: int
    folds: int
    test_train_ratio: float

    @property
    def test_fraction(self) -> float:
        return self.test_train_ratio / (1 + self.test_train_ratio)

    @property
    def splits(self) -> int:
        return self.runs * self.folds

    def __str__(self) -> str:
        if self.folds == 1:
            return f"{self.runs} random splits with {100 * self.test_fraction:.3g} % test data"
        runs = "1 run" if self.runs == 1 else f"{self.runs} runs"
        return f"{runs} of {self.folds}-fold cross-validation"


def read_design(
    cv: Any = None,
    *,
    runs: int | None = None,
    folds: int | None = None,
    test_fraction: float | None = None,
    splits: int | None = None,
) -> Design:
    """The design that a splitter, a text such as "10x10", or numbers describe.

    Parameters
    ----------
    cv : splitter, str or int, optional
        Of scikit-learn; or "10x10", runs times folds; or the number of folds of a single run.
    runs, folds : int, optional
        Of repeated cross-validation, both.
    test_fraction : float, optional
        Share of test instances in random splits.
    splits : int, optional
        How many random splits there are, where nothing else says it.

    Returns
    -------
    Design

    Raises
    ------
    ValueError
        If none or several of these are given, or they are no design that can be judged.

    Examples
    --------
    >>> read_design("10x10")
    Design(runs=10, folds=10, test_train_ratio=0.1111111111111111)
    >>> str(read_design(test_fraction=0.1, splits=30))
    '30 random splits with 10 % test data'
    """
    if cv is not None:
        if not (runs is folds is test_fraction is None):
            raise ValueError(
                "cv= says how the splits were made: leave runs, folds and test_fraction out"
            )
        return _design_of_cv(cv)
    if test_fraction is not None:
        if folds is not None:
            raise ValueError(
                "test_fraction= is for random splits and folds= for cross-validation: give one of "
                "them"
            )
        if np.ndim(test_fraction) or not 0 < test_fraction < 1:
            raise ValueError(
                "test_fraction is the share of test instances, between 0 and 1, not "
                f"{test_fraction!r}"
            )
        return _checked(
            runs if runs is not None else splits, 1, test_fraction / (1 - test_fraction)
        )
    if runs is None and folds is None:
        raise ValueError(f"the scores do not say how they were made: {_HOW}")
    if runs is None or folds is None:
        missing = "runs" if runs is None else "folds"
        raise ValueError(
            f"{missing}= is missing: repeated cross-validation has both runs and folds"
        )
    return _cross_validation(runs, folds)


def _design_of_cv(cv: Any) -> Design:
    if isinstance(cv, str):
        match = re.fullmatch(r"\s*(\d+)\s*[x×]\s*(\d+)\s*", cv)
        if match is None:
            raise ValueError(f'cv={cv!r} is not runs times folds, as in "10x10"')
        return _cross_validation(*map(int, match.groups()))
    if isinstance(cv, (int, np.integer)) and not isinstance(cv, bool):
        return _cross_validation(1, cv)
    family = {c.__name__ for c in type(cv).__mro__}
    name = type(cv).__name__
    if name == "TimeSeriesSplit":
        raise ValueError(
            "TimeSeriesSplit trains on growing parts of the data, for which no corrected test is "
            "known"
        )
    if "_RepeatedSplits" in family and "n_splits" in getattr(cv, "cvargs", {}):
        return _cross_validation(cv.n_repeats, cv.cvargs["n_splits"])
    if family & _CROSS_VALIDATION:
        return _cross_validation(1, cv.n_splits)
    if family & _RANDOM_SPLITS:
        return _checked(cv.n_splits, 1, _ratio_of_shuffle_split(cv))
    if isinstance(cv, type):
        raise ValueError(
            f"cv={name if name != 'type' else cv.__name__} is a class: make a splitter of it, "
            "with (...)"
        )
    raise ValueError(
        f"cv={name} is no splitter with a known test/train ratio; use RepeatedStratifiedKFold, "
        'KFold, ShuffleSplit or a relative of theirs, or a text such as "10x10"'
    )


def _ratio_of_shuffle_split(cv: Any) -> float:
    test, train = cv.test_size, cv.train_size
    if test is None and train is None:
        test = cv._default_test_size
    whole = [isinstance(size, (int, np.integer)) for size in (test, train) if size is not None]
    if any(whole) and (len(whole) == 1 or not all(whole)):
        raise ValueError(
            f"the {type(cv).__name__} has a number of instances for a size and does not know the "
            "other one: give test_fraction= instead of cv="
        )
    if train is None:
        train = 1 - test
    elif test is None:
        test = 1 - train
    return test / train


def _cross_validation(runs: int, folds: int) -> Design:
    if not _is_whole(folds) or folds < 2:
        raise ValueError(
            f"cross-validation needs a whole number of at least 2 folds, not {folds!r}"
        )
    return _checked(runs, folds, 1 / (folds - 1))


def _checked(runs: int | None, folds: int, ratio: float) -> Design:
    if runs is not None and (not _is_whole(runs) or runs < 1):
        raise ValueError(f"runs is a whole number from 1, not {runs!r}")
    if runs is not None and runs * folds < 2:
        raise ValueError(
            "one split shows no spread: a comparison needs at least two scores of each classifier"
        )
    return Design(None if runs is None else int(runs), int(folds), float(ratio))


def _is_whole(number: Any) -> bool:
    return isinstance(number, (int, np.integer)) and not isinstance(number, bool)


# ------------------------------------------------------------------ scores


def read_scores(scores: Any, name: str, metric: str | None = None) -> np.ndarray:
    """Scores of one classifier as an array of floats with one or two dimensions.

    Parameters
    ----------
    scores : array_like, Series, or dict of `sklearn.model_selection.cross_validate`
    name : str
        For messages.
    metric : str, optional
        Which of the scores of a dict: ``"accuracy"`` for its key ``"test_accuracy"``.

    Returns
    -------
    ndarray

    Raises
    ------
    ValueError
        If these are no scores; the message says what they are instead.
    """
    if isinstance(scores, Mapping):
        scores = scores[_key(scores, name, metric)]
    elif metric is not None:
        raise ValueError(
            f"metric= chooses among the scores of a dict, and those of {name} are none"
        )
    if isinstance(scores, (str, bytes)):
        raise ValueError(f"the scores of {name} are a text, {scores[:30]!r}; read the file first")
    try:
        values = np.asarray(scores)
        if values.dtype.kind == "c":
            raise TypeError
        values = values.astype(float)
    except (TypeError, ValueError):
        raise ValueError(
            f"the scores of {name} must be numbers in one row or in a block of equally long runs"
        ) from None
    if values.ndim not in (1, 2) or not values.size:
        raise ValueError(
            f"the scores of {name} have shape {values.shape}: give a flat list, or a block of "
            "runs x folds"
        )
    bad = np.flatnonzero(~np.isfinite(values))
    if bad.size:
        raise ValueError(
            f"{bad.size} of the {values.size} scores of {name} are missing or infinite, the first "
            f"at place {bad[0] + 1}: a fit that failed must be repaired, for leaving its split out "
            "would favour one of the two"
        )
    return values


def _key(scores: Mapping, name: str, metric: str | None) -> str:
    tests = [key for key in scores if str(key).startswith("test_")]
    if metric is not None:
        key = metric if metric in tests else f"test_{metric}"
    else:
        key = tests[0] if len(tests) == 1 else "test_score"
    if key not in scores:
        there = ", ".join(map(str, tests)) or "none (it has " + ", ".join(map(str, scores)) + ")"
        raise ValueError(
            f"which scores of {name}? Give metric=, one of those that its dict has: {there}"
        )
    return key


def check_indices(a: Any, b: Any) -> None:
    """Refuse two Series whose indices say that their scores are of different splits."""
    indices = [getattr(x, "index", None) for x in (a, b)]
    if all(hasattr(index, "equals") for index in indices) and not indices[0].equals(indices[1]):
        raise ValueError(
            "the two Series have different indices: bring both into the order of the splits"
        )


def as_blocks(
    scores: Sequence[np.ndarray], names: Sequence[str], design: Design
) -> tuple[Design, list[np.ndarray]]:
    """Both scores as blocks of runs x folds, or a ValueError that names the order.

    The flat order is scikit-learn's: all folds of the first run, then those of the second.
    """
    if scores[0].shape != scores[1].shape:
        raise ValueError(
            f"{names[0]} has scores of shape {scores[0].shape} and {names[1]} of "
            f"{scores[1].shape}: both must be scored on the same splits"
        )
    shape = scores[0].shape
    if design.runs is None:
        if len(shape) != 1:
            raise ValueError(
                f"scores of random splits are a flat list, not a block of shape {shape}"
            )
        design = _checked(shape[0], 1, design.test_train_ratio)
    expected = (design.runs, design.folds)
    if len(shape) == 2 and shape != expected:
        if shape == expected[::-1]:
            raise ValueError(
                f"the block has shape {shape}, and {design} give runs x folds, {expected}: "
                "transpose it"
            )
        raise ValueError(f"the block has shape {shape}, and {design} give runs x folds, {expected}")
    if len(shape) == 1 and shape[0] != design.splits:
        raise ValueError(
            f"{shape[0]} scores are not those of {design}, which are {design.splits}: expected "
            "are all folds of the first run, then all folds of the second, and so on"
        )
    top = [np.abs(x).max() for x in scores]
    if max(top) > 1.5 and min(top) <= 1 and max(top) > 20 * min(top) > 0:
        larger = names[int(np.argmax(top))]
        raise ValueError(
            f"the scores of {larger} look like percent (up to {max(top):.4g}) and the others like "
            f"fractions (up to {min(top):.4g}): bring both to one scale"
        )
    return design, [x.reshape(expected) for x in scores]


def suspicions(
    blocks: Sequence[np.ndarray], names: Sequence[str], greater_is_better: bool
) -> list[str]:
    """What looks wrong about scores that can be compared: sentences for the reader to judge."""
    notes = []
    a, b = blocks
    if np.array_equal(a, b):
        notes.append(f"{names[0]} and {names[1]} have the same score on every split.")
    for name, x in zip(names, blocks):
        if np.ptp(x) == 0:
            notes.append(f"{name} has the same score, {x.flat[0]:.4g}, on every split.")
    if (
        greater_is_better
        and all(x.min() >= 0 and x.max() <= 0.5 for x in blocks)
        and max(a.max(), b.max()) > 0
    ):
        notes.append(
            "No score is above 0.5: if these are errors, say so (greater_is_better=False), or the "
            "better one is called the worse."
        )
    if any(_runs_look_like_columns(x) for x in blocks):
        notes.append(
            "Scores of a run differ less than scores of a fold number: are the runs in the "
            "columns? Expected are all folds of the first run, then all folds of the second, and "
            "so on."
        )
    return notes


def _runs_look_like_columns(block: np.ndarray) -> bool:
    """Whether run means vary far more than the means by fold number.

    Each run tests every instance once, so that run means vary *less* than means over as many
    unrelated splits; a block whose axes are swapped shows the opposite.
    """
    runs, folds = block.shape
    if min(runs, folds) < 3:
        return False
    over_runs = block.mean(axis=1).var(ddof=1) * folds
    over_places = block.mean(axis=0).var(ddof=1) * runs
    return bool(over_runs > special.fdtri(runs - 1, folds - 1, 0.99) * over_places)
