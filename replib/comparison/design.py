"""How scores were obtained, and the conditions for comparing them.

The shape of a block and the test/train ratio are read from the splitter or must be given.  Neither
can be recognised from the scores, and a wrong one silently gives a wrong answer.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from replib.comparison import rules

#: Kinds of scikit-learn's splitters, by the names of their base classes.
_CROSS_VALIDATION = {"_RepeatedSplits", "_BaseKFold"}
_RANDOM_SPLITS = {"ShuffleSplit", "BaseShuffleSplit"}


@dataclass(frozen=True)
class Design:
    """How the splits of an experiment were made.

    Attributes
    ----------
    runs, folds : int
        Independent runs, and test sets in each: r and k for r times k-fold cross-validation; n
        random splits are n runs of one test set.
    test_train_ratio : float
        Test instances per training instance.
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
            return f"{self.runs} random splits with {100 * self.test_fraction:.3g}% test data"
        runs = "1 run" if self.runs == 1 else f"{self.runs} runs"
        return f"{runs} of {self.folds}-fold cross-validation"


def read_design(
    cv: Any = None, *, runs: int | None = None, folds: int | None = None,
    test_fraction: float | None = None, splits: int | None = None,
) -> Design:
    """Return the design that a splitter, a text such as "10x10", or numbers describe.

    Parameters
    ----------
    cv : splitter, str or int, optional
        A scikit-learn splitter; "10x10", runs times folds; or the number of folds of one run.
    runs, folds : int, optional
        For repeated cross-validation, both.
    test_fraction : float, optional
        Share of test instances in random splits.
    splits : int, optional
        Number of random splits, if nothing else gives it.

    Returns
    -------
    Design

    Raises
    ------
    ValueError
        If none or several of these are given, or they do not describe a design that can be judged.

    Examples
    --------
    >>> read_design("10x10")
    Design(runs=10, folds=10, test_train_ratio=0.1111111111111111)
    >>> str(read_design(test_fraction=0.1, splits=30))
    '30 random splits with 10% test data'
    """
    if cv is not None:
        if not (runs is folds is test_fraction is None):
            rules.apply("cv-and-numbers")
        return _design_of_cv(cv, splits)
    if test_fraction is not None:
        if folds is not None:
            rules.apply("fraction-and-folds")
        if not isinstance(test_fraction, Real) or not 0 < test_fraction < 1:
            rules.apply("fraction-range", given=repr(test_fraction))
        return _checked(
            runs if runs is not None else splits, 1, test_fraction / (1 - test_fraction)
        )
    if runs is None and folds is None:
        rules.apply("no-design")
    if runs is None or folds is None:
        missing = "runs" if runs is None else "folds"
        raise ValueError(
            f"{missing}= is missing: repeated cross-validation has both runs and folds"
        )
    return _cross_validation(runs, folds)


def _design_of_cv(cv: Any, splits: int | None) -> Design:
    if isinstance(cv, str):
        match = re.fullmatch(r"\s*(\d+)\s*[xX×]\s*(\d+)\s*", cv)
        if match is None:
            raise ValueError(f'cv={cv!r} is not runs times folds, as in "10x10"')
        return _cross_validation(*map(int, match.groups()))
    if isinstance(cv, (int, np.integer)) and not isinstance(cv, bool):
        return _cross_validation(1, int(cv))
    family = {c.__name__ for c in type(cv).__mro__}
    name = type(cv).__name__
    if name == "TimeSeriesSplit":
        rules.apply("time-series")
    if name in ("LeaveOneOut", "LeavePOut", "LeavePGroupsOut"):
        rules.apply("leave-one-out-splitter", splitter=name)
    if name == "PredefinedSplit":
        return design_of_splits(cv.split())[0]
    if name == "LeaveOneGroupOut" and splits is not None:
        return _cross_validation(1, splits)
    if "_RepeatedSplits" in family and "n_splits" in getattr(cv, "cvargs", {}):
        return _cross_validation(cv.n_repeats, cv.cvargs["n_splits"])
    if family & _CROSS_VALIDATION:
        return _cross_validation(1, cv.n_splits)
    if family & _RANDOM_SPLITS:
        return _checked(cv.n_splits, 1, _ratio_of_shuffle_split(cv))
    if isinstance(cv, Iterable) and not isinstance(cv, (bytes, dict)):
        return design_of_splits(cv)[0]
    if isinstance(cv, type):
        rules.apply("splitter-class", name=cv.__name__)
    raise ValueError(
        f"cv={name} is no splitter with a known test/train ratio; use RepeatedStratifiedKFold, "
        'KFold, ShuffleSplit or a relative of theirs, or a text such as "10x10"'
    )


def design_of_splits(
    cv: Iterable[tuple[Any, Any]],
) -> tuple[Design, list[tuple[np.ndarray, np.ndarray]]]:
    """Return the design of splits that are given as pairs of arrays of row numbers, and the splits.

    Consecutive splits that together test every row once are a run of cross-validation; all other
    splits are random splits.

    Raises
    ------
    ValueError
        If these are not such pairs, a split tests on its training rows, or runs are copies.

    Examples
    --------
    >>> str(design_of_splits([([2, 3], [0, 1]), ([0, 1], [2, 3])])[0])
    '1 run of 2-fold cross-validation'
    """
    try:
        splits = [(np.asarray(train), np.asarray(test)) for train, test in cv]
        whole = all(len(x) and x.dtype.kind in "iu" for split in splits for x in split)
    except (TypeError, ValueError):
        whole = False
    if not whole:
        rules.apply("splitter-pairs")
    for place, (train, test) in enumerate(splits, start=1):
        if shared := len(np.intersect1d(train, test)):
            rules.apply("overlap", count=shared, place=place)
    tests = [frozenset(test.tolist()) for _, test in splits]
    if copies := len(tests) - len(set(tests)):
        rules.apply("same-splits", copies=copies, n=len(tests))
    rows, folds, seen = set().union(*tests), 0, 0
    while seen < len(rows):
        seen, folds = seen + len(tests[folds]), folds + 1
    runs = [tests[at:at + folds] for at in range(0, len(tests), folds)]
    if folds > 1 and all(
        sum(map(len, run)) == len(rows) == len(set().union(*run)) for run in runs
    ):
        return _cross_validation(len(runs), folds), splits
    sizes = [(len(train), len(test)) for train, test in splits]
    ratio = float(np.mean([test / train for train, test in sizes]))
    return _checked(len(splits), 1, ratio), splits


def _ratio_of_shuffle_split(cv: Any) -> float:
    test, train = cv.test_size, cv.train_size
    if test is None and train is None:
        test = cv._default_test_size
    whole = [isinstance(size, (int, np.integer)) for size in (test, train) if size is not None]
    if any(whole) and (len(whole) == 1 or not all(whole)):
        rules.apply("splitter-sizes", name=type(cv).__name__)
    if train is None:
        train = 1 - test
    elif test is None:
        test = 1 - train
    return float(test / train)


def _cross_validation(runs: int, folds: int) -> Design:
    if not _is_whole(folds) or folds < 2:
        rules.apply("few-folds", given=repr(folds))
    return _checked(runs, folds, 1 / (folds - 1))


def _checked(runs: int | None, folds: int, ratio: float) -> Design:
    if runs is None:
        raise ValueError("runs= is missing: say how many random splits there are")
    if not _is_whole(runs) or runs < 1:
        rules.apply("few-runs", given=repr(runs))
    if runs * folds < 2:
        rules.apply("one-split")
    return Design(int(runs), int(folds), float(ratio))


def _is_whole(number: Any) -> bool:
    return isinstance(number, (int, np.integer)) and not isinstance(number, bool)
