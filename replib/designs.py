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

import copy
import difflib
import math
import re
import warnings
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from replib import _validation as validation
from replib._validation import listed, refusal, set_fields, shown


class _Columns:
    """The columns that a table of scores needs for its design."""

    #: Columns that together identify a score of a model.
    keys: Any
    #: What the last axis of a block of scores has labels of: items, data sets, or
    #: nothing, because runs and folds are only counted.
    unit: ClassVar[str | None] = None
    #: Role of the column that says which items depend on each other.
    clustering: Any = None

    @property
    def needed(self) -> list[str]:
        """Keys that a table must have: a single run need not be numbered."""
        repeated = self.within if isinstance(self, Datasets) else self
        is_single = isinstance(repeated, CV) and repeated.runs == 1
        if is_single or isinstance(repeated, Items):
            return [key for key in self.keys if key != "run"]
        return list(self.keys)

    @property
    def roles(self) -> dict[str, str]:
        """Usual names of columns by their roles."""
        names = {key: key for key in self.keys}
        if self.clustering is not None:
            names[self.clustering] = getattr(self, "cluster", None) or self.clustering
        return names


@dataclass(frozen=True)
class CV(_Columns):
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
        runs = validation.whole_number("runs", self.runs, at_least=1)
        folds = validation.whole_number("folds", self.folds, at_least=2)
        validation.check_flag("groups", self.groups)
        ratio = 1 / (folds - 1) if self.ratio is None else self.ratio
        ratio = validation.positive_number("ratio", ratio)
        set_fields(self, runs=runs, folds=folds, ratio=ratio)

    @property
    def shape(self) -> tuple[int, int]:
        """Runs, and test sets in each."""
        return self.runs, self.folds

    def __str__(self) -> str:
        runs = "1 run" if self.runs == 1 else f"{self.runs} runs"
        grouped = " by groups" if self.groups else ""
        return f"{runs} of {self.folds}-fold cross-validation{grouped}"


@dataclass(frozen=True)
class RandomSplits(_Columns):
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
        splits = validation.whole_number("splits", self.splits, at_least=2)
        validation.check_flag("groups", self.groups)
        test = validation.positive_number("test", self.test)
        train = 1 - test
        if self.train is not None:
            train = validation.positive_number("train", self.train)
        # a thousandth of an instance in a million: 0.7 + 0.3 may be above 1 by rounding
        are_shares = test < 1 and 0 < train < 1 and test + train <= 1 + 1e-9
        are_counts = test >= 1 and train >= 1 and test % 1 == train % 1 == 0
        if not are_shares and not are_counts:
            sizes = [self.test] if self.train is None else [self.test, self.train]
            raise ValueError(
                "test and train must be shares of the data set that sum to at most 1, "
                f"or two numbers of instances, not {listed(sizes)}"
            )
        size = int if are_counts else float
        set_fields(self, splits=splits, test=size(test))
        if self.train is not None:
            set_fields(self, train=size(train))

    @property
    def ratio(self) -> float:
        """Test instances per training instance."""
        train = 1 - self.test if self.train is None else self.train
        return self.test / train

    @property
    def shape(self) -> tuple[int, int]:
        """Random splits are runs of a single test set."""
        return self.splits, 1

    def __str__(self) -> str:
        tested = f"{self.test:g} test instances"
        if self.test < 1:
            tested = f"{100 * self.test:.3g}% test data"
        grouped = " by groups" if self.groups else ""
        return f"{self.splits} random splits with {tested}{grouped}"


@dataclass(frozen=True)
class Seeds(_Columns):
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
class Items(_Columns):
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
    suite : str, optional
        Column that names the task of an item, if there are several tasks.  New items
        are then new items of each of these tasks.  A label of an item counts within
        its task; one of a cluster must belong to one task.
    mean : {"tasks", "items"}
        What is compared in a suite: the mean over tasks of their means, or the mean
        over all items, in which a large task counts more.
    strata : str, optional
        Column that names the part of a task that an item belongs to, such as the
        subject of a group of tasks: the group is one task, not as many as it has
        subjects.  Strata count by their numbers of items.
    equal_strata : tuple of str
        Tasks whose strata count equally instead.
    """

    runs: str = "trainings"
    paired: bool = False
    cluster: str | None = None
    predicted: str = "once"
    suite: str | None = None
    mean: str = "tasks"
    strata: str | None = None
    equal_strata: tuple[str, ...] = ()
    unit: ClassVar = "item"

    def __post_init__(self) -> None:
        validation.check_choice("runs", self.runs, ("trainings", "samples"))
        validation.check_flag("paired", self.paired)
        validation.check_instance("cluster", self.cluster, str, type(None))
        validation.check_choice("predicted", self.predicted, ("once", "by_fold"))
        validation.check_instance("suite", self.suite, str, type(None))
        validation.check_choice("mean", self.mean, ("tasks", "items"))
        validation.check_instance("strata", self.strata, str, type(None))
        validation.check_instance("equal_strata", self.equal_strata, tuple, list)
        set_fields(self, equal_strata=tuple(map(str, self.equal_strata)))
        if self.strata and not self.suite:
            raise ValueError("strata are parts of tasks: say suite=, their column")
        if self.equal_strata and not self.strata:
            raise ValueError("equal_strata are tasks with strata: say strata=")
        if self.predicted == "by_fold" and (self.cluster or self.paired or self.suite):
            raise ValueError(
                "items that were predicted by fold have no clusters, tasks or paired runs"
            )

    @property
    def keys(self) -> tuple[str, ...]:
        """Columns that identify a score of a model."""
        return ("item",) if self.predicted == "by_fold" else ("run", "item")

    @property
    def clustering(self) -> str | None:
        """Role of the column that says which items depend on each other, if there is one."""
        if self.predicted == "by_fold":
            return "fold"
        return "cluster" if self.cluster else None

    @property
    def roles(self) -> dict[str, str]:
        """Usual names of columns by their roles."""
        own = {"task": self.suite, "stratum": self.strata}
        return super().roles | {role: name for role, name in own.items() if name}

    def __str__(self) -> str:
        if self.suite:
            return "items of several tasks"
        return "items predicted by fold" if self.predicted == "by_fold" else "items"


@dataclass(frozen=True)
class Datasets(_Columns):
    """A score for each of several data sets.

    Attributes
    ----------
    within : CV, RandomSplits or Seeds, optional
        How the scores on each data set were made, which are averaged; by default there
        is one.
    """

    within: CV | RandomSplits | Seeds | None = None
    unit: ClassVar = "dataset"

    def __post_init__(self) -> None:
        kinds = (CV, RandomSplits, Seeds, type(None))
        validation.check_instance("within", self.within, *kinds)

    @property
    def keys(self) -> tuple[str, ...]:
        """Columns that identify a score of a model."""
        return ("dataset", *self.within.keys) if self.within else ("dataset",)

    def __str__(self) -> str:
        return f"data sets, each by {self.within}" if self.within else "data sets"


Design = CV | RandomSplits | Seeds | Items | Datasets

_PLAIN_TEXTS: dict[str, Design] = {
    "items": Items(),
    "suite": Items(suite="task"),
    "seeds": Seeds(),
    "datasets": Datasets(),
}
_DESIGNS = (
    'a text such as "10x10" (runs x folds), "30 x 10%" (random splits with 10% test '
    'data), "items", "suite", "seeds" or "datasets"'
)
#: Similarity of a text to that of a design, of which we ask whether it was meant.
_SIMILAR = 0.7
#: Runs x folds, or random splits x share of test data; nine digits are enough.
_SPLITS_AS_TEXT = r"(\d{1,9})\s*[x×]\s*(\d{1,9}(?:\.\d{1,9})?)\s*(%?)"


def find_design(design: Any, *, seeded: bool = True) -> Design:
    """Return the design that an object, a text or a scikit-learn splitter describes.

    Parameters
    ----------
    design : design, str, splitter, or iterable of pairs of arrays
        A text is "10x10", runs times folds; "30 x 10%", random splits with that share
        of test data; or "items", "suite" (items of several tasks, which the column
        `task` names), "seeds" or "datasets".  Pairs hold the row numbers of
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
    if isinstance(design, Design):
        return design
    if design is None:
        raise refusal("design must be given", _DESIGNS, f"say --design, {_DESIGNS}")
    if isinstance(design, str):
        from_text = _design_of_text(design)
        if from_text is not None:
            return from_text
    elif hasattr(design, "split") and not isinstance(design, type):
        if seeded:
            _check_seed(design)
        return _design_of_splitter(design)
    elif isinstance(design, Iterable) and not isinstance(design, (bytes, dict, type)):
        return design_of_splits(design)
    raise ValueError(f"design must be {_DESIGNS}, not {shown(design)}{_hint(design)}")


#: A number of folds, at least two.
_FOLDS = r"[2-9]|[1-9]\d{1,8}"


def _hint(design: Any) -> str:
    """Ask whether a design was meant whose text is nearly the same; "" if there is none."""
    plain = str(design).strip().lower() if isinstance(design, str) else ""
    near = difflib.get_close_matches(plain, _PLAIN_TEXTS, n=1, cutoff=_SIMILAR)
    if near:
        return f": is it {near[0]}?"
    folds = re.fullmatch(rf"({_FOLDS})[ -]*fold(?:s|[ -]*cv)?|kfold|cv", plain)
    if folds:
        return f": one run of folds is 1x{folds[1] or 10}"
    splits = re.fullmatch(rf"([1-9]\d{{0,8}})\s*[*/,;]\s*({_FOLDS})", plain)
    return f": is it {splits[1]}x{splits[2]}?" if splits else ""


def _design_of_text(text: str) -> Design | None:
    """Return the design that a text describes, or None."""
    plain = text.strip().lower()
    if plain in _PLAIN_TEXTS:
        return _PLAIN_TEXTS[plain]
    match = re.fullmatch(_SPLITS_AS_TEXT, plain)
    if match is None:
        return None
    times, size, percent = match.groups()
    if percent:
        return RandomSplits(int(times), float(size) / 100)
    return None if "." in size else CV(int(times), int(size))


def _check_seed(splitter: Any) -> None:
    """Refuse a splitter that cannot have made the same splits for two models."""
    if not getattr(splitter, "shuffle", True):
        return
    name = type(splitter).__name__
    seed = getattr(splitter, "random_state", 0)
    if seed is None:
        raise ValueError(
            f"{name} shuffles without a seed, so its splits cannot have been the same "
            "for two models: give it random_state="
        )
    if not isinstance(seed, (int, np.integer)):
        raise ValueError(
            f"{name} shuffles by a generator, which moves on each time it splits, so its "
            "splits cannot have been the same for two models: give it a whole number as "
            "random_state="
        )


#: Rows that a splitter splits for us to see what it does: most numbers of folds divide
#: their number.  A splitter that needs more rows is given ten times as many.
_N_DUMMY_ROWS = 360
_MANY_DUMMY_ROWS = 3_600
_ROWS_PER_GROUP = 3
#: Rows of which a share is exact to five digits.
_ROWS_FOR_SHARES = 36_000

#: Row numbers of the training and of the test set.
RowNumbers = tuple[NDArray[np.int64], NDArray[np.int64]]


def _design_of_splitter(splitter: Any) -> CV | RandomSplits:
    """Return the design of a splitter, which is seen from how it splits dummy rows."""
    name = type(splitter).__name__
    sizes = [getattr(splitter, size, None) for size in ("test_size", "train_size")]
    counts = [int(size) for size in sizes if isinstance(size, (int, np.integer))]
    if len(counts) == 1:
        raise ValueError(
            f"{name} tests on a number of rows, which is a share only if train_size is "
            "a number, too: give RandomSplits(splits, test, train)"
        )
    n_rows = max(_N_DUMMY_ROWS, sum(counts))
    splits, groups = _dummy_splits_of_enough_rows(splitter, n_rows)
    design = _design_of_rows(splits, name, groups)
    if isinstance(design, CV):
        # folds of dummy rows are as even as their number permits
        return CV(design.runs, design.folds, design.groups)
    if counts:
        return design
    return _with_exact_shares(splitter, design)


def _dummy_splits_of_enough_rows(
    splitter: Any, n_rows: int
) -> tuple[list[Any], NDArray[np.int64]]:
    """Return splits of so many dummy rows, or of more for a splitter that refuses these."""
    with suppress(ValueError, TypeError):
        return _dummy_splits(splitter, n_rows)
    try:
        return _dummy_splits(splitter, _MANY_DUMMY_ROWS)
    except (ValueError, TypeError) as problem:
        name = type(splitter).__name__
        raise ValueError(
            f"design cannot be read from {name}: {shown(str(problem))}"
        ) from None


def _dummy_splits(splitter: Any, n_rows: int) -> tuple[list[Any], NDArray[np.int64]]:
    """Return the splits of dummy rows, and the groups of the rows.

    The groups are in random order, lest consecutive folds keep them together.
    """
    groups = np.random.default_rng(0).permutation(n_rows) // _ROWS_PER_GROUP
    X = np.zeros((n_rows, 1))
    y = np.zeros(n_rows)
    # a generator of the splitter must not move on because we had a look
    splitter = copy.deepcopy(splitter)
    with warnings.catch_warnings():  # that it ignores groups
        warnings.simplefilter("ignore", UserWarning)
        return list(splitter.split(X, y, groups)), groups


def _with_exact_shares(splitter: Any, design: RandomSplits) -> RandomSplits:
    """Return random splits with the shares that the splitter declares, or those of many rows.

    Of the few dummy rows, shares are rounded to whole rows, or to whole groups.
    """
    rounding = 1.5 * (_ROWS_PER_GROUP if design.groups else 1) / _N_DUMMY_ROWS
    declared = _declared_shares(splitter)
    if declared is not None:
        test, train = declared
        if abs(test / (test + train) - _tested_share(design)) < rounding:
            return _random_splits(design.splits, test, train, design.groups)
    splits, _ = _dummy_splits(splitter, _ROWS_FOR_SHARES)
    ratio = _mean_ratio(splits)
    exact = _random_splits(
        design.splits, ratio / (1 + ratio), 1 / (1 + ratio), design.groups
    )
    if abs(_tested_share(exact) - _tested_share(design)) > rounding:
        raise ValueError(
            f"{type(splitter).__name__} tests on a share of the rows that depends on "
            "their number: give RandomSplits(splits, test, train), or the splits"
        )
    return exact


def _declared_shares(splitter: Any) -> tuple[float, float] | None:
    """Return the shares of test and training data that a splitter declares as scikit-learn does."""
    test: Any = getattr(splitter, "test_size", None)
    train: Any = getattr(splitter, "train_size", None)
    if test is None and train is None:
        return None
    if test is None:
        return 1 - float(train), float(train)
    if train is None:
        return float(test), 1 - float(test)
    return float(test), float(train)


def _tested_share(design: RandomSplits) -> float:
    """Return the share of the test set in the rows of a split."""
    return design.ratio / (1 + design.ratio)


def _mean_ratio(splits: Iterable[Any]) -> float:
    """Return the mean number of test rows per training row."""
    return float(np.mean([len(test) / len(train) for train, test in splits]))


def _random_splits(
    splits: int, test: float, train: float, groups: bool
) -> RandomSplits:
    """Return random splits, whose training share is written only if it tells something."""
    is_rest = math.isclose(test + train, 1)
    # more test than training data is meant then, and no slip
    if is_rest and test <= 0.5:
        return RandomSplits(splits, test, groups=groups)
    return RandomSplits(splits, test, train, groups)


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
    return _design_of_rows(splits, name, groups=None)


def _design_of_rows(
    splits: Iterable[Any], name: str, groups: NDArray[np.int64] | None
) -> CV | RandomSplits:
    """Return the design of splits; of dummy rows the groups are known."""
    pairs = _row_numbers(splits, name)
    group_counts = _group_counts(pairs, groups)
    if max(group_counts) == 1:
        raise ValueError(
            f"{name} leaves out one row or group at a time: for single rows give "
            'predictions with Items(predicted="by_fold"), for groups say '
            "CV(1, n, groups=True) with their number"
        )
    tests = [frozenset(test.tolist()) for _, test in pairs]
    _check_test_sets(pairs, tests, name)

    sizes = [len(test) for test in tests]
    # groups of dummy rows stay together
    is_grouped = groups is not None and sizes == [
        _ROWS_PER_GROUP * count for count in group_counts
    ]
    ratio = _mean_ratio(pairs)
    folds = _folds(pairs, tests)
    if folds is None:
        share = ratio / (1 + ratio)
        return _random_splits(len(pairs), share, 1 - share, is_grouped)
    runs = len(pairs) // folds
    # folds that differ by a row have different sizes only because the rows cannot be divided
    if max(sizes) - min(sizes) < 2:
        return CV(runs, folds, is_grouped)
    return CV(runs, folds, is_grouped, ratio)


def _group_counts(
    pairs: list[RowNumbers], groups: NDArray[np.int64] | None
) -> list[int]:
    """Return the number of groups in each test set; of unknown groups, each row is one."""
    if groups is None:
        return [test.size for _, test in pairs]
    # a predefined split has other rows than the dummy ones, and perhaps more
    tested_groups = [np.take(groups, test, mode="wrap") for _, test in pairs]
    return [np.unique(tested).size for tested in tested_groups]


def _row_numbers(splits: Iterable[Any], name: str) -> list[RowNumbers]:
    """Return two or more pairs of arrays of row numbers that are not empty."""
    try:
        pairs = [(np.asarray(train), np.asarray(test)) for train, test in splits]
        rows = [array for pair in pairs for array in pair]
        are_row_numbers = all(len(x) and x.dtype.kind in "iu" for x in rows)
    except (TypeError, ValueError):
        are_row_numbers = False
    if not are_row_numbers or len(pairs) < 2:
        raise ValueError(
            f"{name} must give two or more pairs of row numbers, (training, test)"
        )
    return pairs


def _check_test_sets(
    pairs: list[RowNumbers], tests: list[frozenset[int]], name: str
) -> None:
    """Refuse test sets that are trained on, that follow time, or that are equal."""
    for number, ((train, _), test) in enumerate(zip(pairs, tests), start=1):
        if not test.isdisjoint(train.tolist()):
            raise ValueError(
                f"{name} tests on rows of its training set in split {number}"
            )
    if all(train.max() < test.min() for train, test in pairs):
        raise ValueError(
            f"{name} follows time, and no test for such splits is known: give "
            "predictions for items, with blocks of time as clusters"
        )
    n_copies = len(tests) - len(set(tests))
    if n_copies:
        raise ValueError(f"{name} has {n_copies} copies among its test sets")


def _folds(pairs: list[RowNumbers], tests: list[frozenset[int]]) -> int | None:
    """Return the folds of each run of cross-validation; None if the splits are no such runs."""
    rows: frozenset[int] = frozenset().union(*tests)
    # a few small test sets may have no row in common; then most rows are never tested
    if not all(rows.issuperset(train.tolist()) for train, _ in pairs):
        return None
    n_tested = np.cumsum([len(test) for test in tests])
    # with these folds the first run has tested as many rows as there are
    folds = int(np.searchsorted(n_tested, len(rows))) + 1
    for first in range(0, len(tests), folds):
        run = tests[first : first + folds]
        tests_each_row = frozenset().union(*run) == rows
        if not tests_each_row or sum(map(len, run)) != len(rows):
            return None
    return folds
