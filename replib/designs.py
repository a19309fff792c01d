"""Designs: how scores were made.  The design decides which test is valid.

======================  ==========================================================================
:class:`CV`             repeated cross-validation on one data set
:class:`RandomSplits`   random splits of one data set into training and test set
:class:`Seeds`          one number per training, all on the same test set
:class:`Items`          a score or prediction for each item of one test set
:class:`Datasets`       a score for each of several data sets
======================  ==========================================================================

A design is declared, because it cannot be seen in the scores, and a wrong one gives a
wrong answer in silence.  :func:`find_design` also reads a text or a scikit-learn
splitter.
"""

import re
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from replib import _validation as validation
from replib._validation import shown


class _Keyed:
    """The columns of a table, as its design needs them."""

    keys: Any
    by: Any = None

    @property
    def needed(self) -> list[str]:
        """Keys that a table must have: a single run needs none."""
        of = getattr(self, "within", self)
        one = isinstance(of, Items) or (isinstance(of, CV) and of.runs == 1)
        return [key for key in self.keys if not (one and key == "run")]

    @property
    def roles(self) -> dict[str, str]:
        """Usual names of columns by their roles."""
        by = {self.by: getattr(self, "cluster", None) or self.by} if self.by else {}
        return {key: key for key in self.keys} | by


@dataclass(frozen=True)
class CV(_Keyed):
    """Repeated k-fold cross-validation on one data set.

    Attributes
    ----------
    runs, folds : int
        Runs, each with folds of its own, and folds in each: at least 1, and at least 2.
    groups : bool
        Whether all rows of a group, such as a patient, are in one fold.
    ratio : float, optional
        Test instances per training instance, by default 1 / (folds - 1).
    """

    runs: int
    folds: int
    groups: bool = False
    ratio: float = None  # type: ignore[assignment]  # a float as soon as it is made
    keys = ("run", "fold")

    def __post_init__(self) -> None:
        validation.whole_number("runs", self.runs, at_least=1)
        validation.whole_number("folds", self.folds, at_least=2)
        validation.check_flag("groups", self.groups)
        ratio = 1 / (self.folds - 1) if self.ratio is None else self.ratio
        object.__setattr__(self, "ratio", validation.positive_number("ratio", ratio))

    @property
    def shape(self) -> tuple[int, int]:
        """Runs, and test sets in each."""
        return self.runs, self.folds

    def __str__(self) -> str:
        runs = "1 run" if self.runs == 1 else f"{self.runs} runs"
        return f"{runs} of {self.folds}-fold cross-validation{' by groups' if self.groups else ''}"


@dataclass(frozen=True)
class RandomSplits(_Keyed):
    """Independent random splits of one data set into a training and a test set.

    Attributes
    ----------
    splits : int
        At least 2.
    test, train : float or int
        Test and training set: shares of the data set, or both as numbers of instances.
        `train` is by default everything that is not tested on.
    groups : bool
        Whether all rows of a group are on the same side of each split.
    """

    splits: int
    test: float
    train: float | None = None
    groups: bool = False
    keys = ("run",)

    def __post_init__(self) -> None:
        validation.whole_number("splits", self.splits, at_least=2)
        validation.check_flag("groups", self.groups)
        validation.positive_number("test", self.test)
        train = (
            1 - self.test
            if self.train is None
            else validation.positive_number("train", self.train)
        )
        shares = (
            all(0 < x < 1 for x in (self.test, train)) and self.test + train <= 1 + 1e-9
        )
        counts = all(x >= 1 and x == int(x) for x in (self.test, train))
        if not shares and not counts:
            raise ValueError(
                "test and train must be shares of the data set that sum to at most 1, or two "
                f"numbers of instances, not {shown(self.test)} and {shown(self.train)}"
            )

    @property
    def ratio(self) -> float:
        """Test instances per training instance."""
        return self.test / (1 - self.test if self.train is None else self.train)

    @property
    def shape(self) -> tuple[int, int]:
        """Random splits are runs of a single test set."""
        return self.splits, 1

    def __str__(self) -> str:
        tested = (
            f"{100 * self.test:.3g}% test data"
            if self.test < 1
            else (f"{self.test:g} test instances")
        )
        return f"{self.splits} random splits with {tested}{' by groups' if self.groups else ''}"


@dataclass(frozen=True)
class Seeds(_Keyed):
    """One number for each training of a model, all on the same test set.

    Attributes
    ----------
    paired : bool
        Whether equal labels of runs mean equal seeds, or whatever the seed decides.
    """

    paired: bool = False
    keys = ("run",)

    def __post_init__(self) -> None:
        validation.check_flag("paired", self.paired)

    def __str__(self) -> str:
        return "paired seeds" if self.paired else "seeds"


@dataclass(frozen=True)
class Items(_Keyed):
    """A score for each item of one test set.

    Attributes
    ----------
    runs : {"trainings", "samples"}
        What several runs of a model are: trainings with different seeds, or several
        answers of the same trained model to each item.
    paired : bool
        Whether equal labels of runs mean equal seeds.
    cluster : str, optional
        Column that names the cluster of an item, such as its text or patient, if items
        of a cluster depend on each other.
    predicted : {"once", "by_fold"}
        Whether all items were predicted by the same model, or each by the model of its
        own fold, as `cross_val_predict` and leave-one-out do.  Then the column `fold`
        names the fold.
    """

    runs: str = "trainings"
    paired: bool = False
    cluster: str | None = None
    predicted: str = "once"

    def __post_init__(self) -> None:
        validation.check_choice("runs", self.runs, ("trainings", "samples"))
        validation.check_flag("paired", self.paired)
        validation.check_instance("cluster", self.cluster, str, type(None))
        validation.check_choice("predicted", self.predicted, ("once", "by_fold"))
        if self.predicted == "by_fold" and (self.cluster or self.paired):
            raise ValueError(
                "items that were predicted by fold have no clusters or paired runs"
            )

    @property
    def keys(self) -> tuple[str, ...]:
        """Columns that identify a score of a model."""
        return ("item",) if self.predicted == "by_fold" else ("run", "item")

    @property
    def by(self) -> str | None:
        """Role of the column that says which items depend on each other, if there is one."""
        return (
            "fold"
            if self.predicted == "by_fold"
            else "cluster"
            if self.cluster
            else None
        )

    def __str__(self) -> str:
        return "items predicted by fold" if self.predicted == "by_fold" else "items"


@dataclass(frozen=True)
class Datasets(_Keyed):
    """A score for each of several data sets.

    Attributes
    ----------
    within : CV, RandomSplits or Seeds, optional
        How the scores on each data set were made, which are averaged; by default there
        is one.
    """

    within: CV | RandomSplits | Seeds | None = None

    def __post_init__(self) -> None:
        validation.check_instance(
            "within", self.within, CV, RandomSplits, Seeds, type(None)
        )

    @property
    def keys(self) -> tuple[str, ...]:
        """Columns that identify a score of a model."""
        return ("dataset", *(self.within.keys if self.within else ()))

    def __str__(self) -> str:
        return f"data sets, each by {self.within}" if self.within else "data sets"


Design = CV | RandomSplits | Seeds | Items | Datasets

_TEXTS: dict[str, type] = {"items": Items, "seeds": Seeds, "datasets": Datasets}


def find_design(given: Any, *, seeded: bool = True) -> Design:
    """Return the design that an object, a text or a scikit-learn splitter describes.

    Parameters
    ----------
    given : design, str, splitter, or iterable of pairs of arrays
        A text is "10x10", runs times folds; "30 x 10%", random splits with that share
        of test data; or "items", "seeds" or "datasets".  Pairs hold the row numbers of
        the training and the test set of each split.
    seeded : bool, default True
        Whether to refuse a splitter that makes other splits each time.

    Returns
    -------
    CV, RandomSplits, Seeds, Items or Datasets

    Raises
    ------
    ValueError
        If it is none of these, or its splits cannot be compared by a valid test.

    Examples
    --------
    >>> find_design("10x10")
    CV(runs=10, folds=10, groups=False, ratio=0.1111111111111111)
    >>> str(find_design("30 x 10%"))
    '30 random splits with 10% test data'
    """
    if isinstance(given, Design):
        return given
    if isinstance(given, str):
        if (plain := given.strip().lower()) in _TEXTS:
            return _TEXTS[plain]()
        match = re.fullmatch(
            r"(\d{1,9})\s*[x×]\s*(\d{1,9}(?:\.\d{1,9})?)\s*(%?)", plain
        )
        if match and (match[3] or "." not in match[2]):
            times, number = int(match[1]), float(match[2])
            return (
                RandomSplits(times, number / 100)
                if match[3]
                else CV(times, int(number))
            )
    elif hasattr(given, "split") and not isinstance(given, type):
        if (
            seeded
            and getattr(given, "random_state", 0) is None
            and getattr(given, "shuffle", True)
        ):
            raise ValueError(
                f"{type(given).__name__} shuffles without a seed, so its splits cannot have been "
                "the same for two models: give it random_state="
            )
        return design_of_splits(_on_dummy_rows(given), name=type(given).__name__)
    elif isinstance(given, Iterable) and not isinstance(given, (bytes, dict, type)):
        return design_of_splits(given)
    raise ValueError(
        'design must be a text such as "10x10" (runs x folds), "30 x 10%" (random splits with 10% '
        f'test data), "items", "seeds" or "datasets", not {shown(given)}'
    )


_ROWS = 360  # divisible by most numbers of folds
_GROUPS = np.random.default_rng(0).permutation(_ROWS) // 3


def _on_dummy_rows(splitter: Any) -> list[Any]:
    """Split dummy rows, whose groups are three rows each, to see what kind of splits these are."""
    sizes = [getattr(splitter, name, None) for name in ("test_size", "train_size")]
    counts = [isinstance(size, (int, np.integer)) for size in sizes]
    name = type(splitter).__name__
    if any(counts) and not all(counts):
        raise ValueError(
            f"{name} tests on a number of rows, which is a share only if train_size is a number, "
            "too: give RandomSplits(splits, test, train)"
        )
    rows = np.zeros((max(_ROWS, sum(x or 0 for x in sizes) if all(counts) else 0), 1))
    try:
        with warnings.catch_warnings():  # that it ignores groups
            warnings.simplefilter("ignore", UserWarning)
            return list(splitter.split(rows, rows[:, 0], np.resize(_GROUPS, len(rows))))
    except (ValueError, TypeError) as problem:
        raise ValueError(
            f"design cannot be read from {name}: {shown(str(problem))}"
        ) from None


def design_of_splits(
    splits: Iterable[Any], *, name: str = "design"
) -> CV | RandomSplits:
    """Return the design of splits that are given as pairs of arrays of row numbers.

    Consecutive splits that together test every row once are a run of cross-validation;
    all other splits are random splits.

    Parameters
    ----------
    splits : iterable of pairs of array_like of int
    name : str
        For messages.

    Returns
    -------
    CV or RandomSplits

    Raises
    ------
    ValueError
        If these are not such pairs, a split tests on its training rows, splits are
        equal, or they follow time.

    Examples
    --------
    >>> str(design_of_splits([([2, 3], [0, 1]), ([0, 1], [2, 3])]))
    '1 run of 2-fold cross-validation'
    """
    try:
        pairs = [(np.asarray(train), np.asarray(test)) for train, test in splits]
        whole = all(len(x) and x.dtype.kind in "iu" for pair in pairs for x in pair)
    except (TypeError, ValueError):
        whole = False
    if not whole or len(pairs) < 2:
        raise ValueError(
            f"{name} must give two or more pairs of row numbers, (training, test)"
        )
    groups = [len(set(_GROUPS[test % _ROWS])) for _, test in pairs]
    if max(groups) == 1:
        raise ValueError(
            f"{name} leaves out one row or group at a time: for single rows give predictions with "
            'Items(predicted="by_fold"), for groups say CV(1, n, groups=True) with their number'
        )
    tests = [frozenset(test.tolist()) for _, test in pairs]
    for place, (train, _) in enumerate(pairs):
        if tests[place].intersection(train.tolist()):
            raise ValueError(
                f"{name} tests on rows of its training set in split {place + 1}"
            )
    if all(train.max() < test.min() for train, test in pairs):
        raise ValueError(
            f"{name} follows time, and no test for such splits is known: give predictions for "
            "items, with blocks of time as clusters"
        )
    if len(set(tests)) < len(tests):
        raise ValueError(
            f"{name} has {len(tests) - len(set(tests))} copies among its test sets"
        )
    rows, sizes = frozenset().union(*tests), list(map(len, tests))
    folds = int(np.searchsorted(np.cumsum(sizes), len(rows))) + 1
    runs = [tests[at : at + folds] for at in range(0, len(tests), folds)]
    ratio = float(np.mean([len(test) / len(train) for train, test in pairs]))
    grouped = sizes == [3 * n for n in groups]  # dummy rows whose groups stay together
    if all(
        sum(map(len, run)) == len(rows) == len(frozenset().union(*run)) for run in runs
    ):
        even = max(sizes) - min(sizes) < 2
        return CV(len(runs), folds, grouped, None if even else ratio)  # type: ignore[arg-type]
    share = ratio / (1 + ratio)
    return RandomSplits(
        len(pairs), share, 1 - share if share > 0.5 else None, groups=grouped
    )
