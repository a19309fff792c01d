"""Estimators that are trained and scored on shared splits, of one data set or of many."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import sklearn
from joblib import Memory, Parallel, delayed
from sklearn import model_selection as ms
from sklearn.base import is_classifier
from sklearn.compose import ColumnTransformer
from sklearn.utils import indexable
from sklearn.utils.multiclass import type_of_target
from tqdm import tqdm

from replib._code import digest_of_code
from replib._notes.leaks import notes_about_leaks, refuse_truth
from replib._scorers import Scoring, find_scoring
from replib._tables.arguments import models_by_name, only_column
from replib._validation import file_path, joined, one_line, shown, whole_number
from replib.designs import (
    CV,
    Datasets,
    Design,
    RandomSplits,
    RowNumbers,
    design_of_splits,
    find_design,
)
from replib.scores import Scores

#: More processes than any machine has.
_MOST_JOBS = 1000


def train(
    estimators: Mapping[str, Any],
    X: Any,
    y: Any = None,
    *,
    design: Any,
    metric: Any = None,
    cache: str | os.PathLike[str] | None = None,
    n_jobs: int | None = None,
    random_state: int = 0,
) -> Scores:
    """Train and score estimators on the same splits.

    Parameters
    ----------
    estimators : dict of estimator
        scikit-learn estimators by their names; also pipelines, and searches, which are
        then nested in the splits.
    X, y : indexable
        As scikit-learn takes them.  For many data sets X is a dict of pairs (X, y) by
        the names of the data sets, and y is left out.
    design : design, text, splitter, or pairs of arrays of rows
        Splits of a text such as "10x10" or "30 x 10%" are stratified for classifiers.
        For groups give ``list(GroupKFold(5).split(X, y, groups))``.  The splits are
        drawn once.
    metric : str, Metric or scorer, optional
        Name of a scorer of scikit-learn, or of a loss whose negative it has, such as
        "rmse"; or a function of estimator, X and y for which higher is better.  By
        default accuracy of classifiers and R² of regressors.  F1 and others that are
        about one of two classes take the class that `Metric` declares.
    cache : path, optional
        Folder in which finished fits are kept by `joblib.Memory`: what was interrupted
        goes on from there.  Other data, splits, parameters and functions are noticed;
        what your functions call or read is not: empty the folder if that was changed.
        It holds pickles: use only your own.
    n_jobs : int, optional
        As in joblib, whose backend is used.
    random_state : int, default 0
        Seed of the splits of a text or a design.

    Returns
    -------
    Scores
        For many data sets with design :class:`~replib.designs.Datasets`.

    Raises
    ------
    ValueError
        If an argument is refused, or a fit fails; the message names model, data set and
        split.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    >>> train(models, *load_iris(return_X_y=True), design="2x5").blocks["bayes"].shape
    (2, 5)
    """
    estimators = models_by_name("estimators", estimators)
    for name, estimator in estimators.items():
        _check_estimator(name, estimator)
    _check_jobs(n_jobs)
    seed = whole_number("random_state", random_state, at_least=0, at_most=2**32 - 1)
    has_many_datasets = isinstance(X, Mapping)
    if has_many_datasets and (y is not None or not X):
        raise ValueError(
            "for many data sets X must be a dict of pairs (X, y), and y left out"
        )
    scoring = find_scoring(metric, list(estimators.values()))
    are_classifiers = all(map(is_classifier, estimators.values()))
    single = X if y is None else (X, y)
    pairs = X if has_many_datasets else {None: single}
    datasets = [
        _dataset(name, pair, design, scoring, seed, are_classifiers)
        for name, pair in pairs.items()
    ]
    within = _common_design(datasets)
    if not any(map(_chooses_columns, estimators.values())):
        for dataset in datasets:
            refuse_truth(dataset.X, dataset.y, dataset.prefix)
    notes = [*_notes_on_equal(estimators)]
    for dataset in datasets:
        notes += notes_about_leaks(dataset.X, dataset.y, dataset.splits, dataset.prefix)
    if are_classifiers:
        notes += [note for dataset in datasets for note in _class_notes(dataset)]

    score = _score_function(cache)
    fits = _fits(estimators, datasets, score, is_kept=cache is not None)
    finished = Parallel(n_jobs=n_jobs, return_as="generator")(fits)
    scores = np.array(list(tqdm(finished, total=len(fits), unit="fit", disable=None)))

    # the order of the fits: data set, then split (run, fold), then model
    sizes = within.shape[: len(within.keys)]
    labels = [list(pairs), *map(range, sizes), list(estimators)]
    names = ["dataset", *within.keys, "model"]
    index = pd.MultiIndex.from_product(labels, names=names)
    frame = pd.DataFrame({"score": scores}, index).reset_index()
    if not has_many_datasets:
        frame = frame.drop(columns="dataset")
    return Scores(
        frame,
        metric=scoring.metric,
        design=Datasets(within) if has_many_datasets else within,
        notes=tuple(notes),
    )


def _fits(
    estimators: Mapping[str, Any],
    datasets: Sequence["_Dataset"],
    score: Callable[..., float],
    *,
    is_kept: bool,
) -> list[Any]:
    """Return the fits to be done, by data set, then split, then model."""
    versions = {
        (model, dataset.name): _version(estimator, dataset.scorer, is_kept=is_kept)
        for dataset in datasets
        for model, estimator in estimators.items()
    }
    return [
        delayed(_named_score)(
            score,
            f"{model}{dataset.on}, split {number}",
            estimator,
            dataset.scorer,
            dataset.X,
            dataset.y,
            split,
            versions[model, dataset.name],
        )
        for dataset in datasets
        for number, split in enumerate(dataset.splits, start=1)
        for model, estimator in estimators.items()
    ]


def _version(estimator: Any, scorer: Any, *, is_kept: bool) -> str:
    """Return what a kept score depends on besides its arguments: the code behind them."""
    if not is_kept:
        return ""
    return f"{sklearn.__version__} {digest_of_code(estimator, scorer)}"


def _check_estimator(name: str, estimator: Any) -> None:
    has_methods = hasattr(estimator, "fit") and hasattr(estimator, "get_params")
    if isinstance(estimator, type) or not has_methods:
        raise ValueError(
            f"{name} must be a scikit-learn estimator, not {shown(estimator)}"
        )


def _chooses_columns(estimator: Any) -> bool:
    """Return whether an estimator may leave columns out of X."""
    settings = estimator.get_params().values()
    return any(isinstance(setting, ColumnTransformer) for setting in settings)


def _check_jobs(n_jobs: Any) -> None:
    if n_jobs is None:
        return
    if whole_number("n_jobs", n_jobs, at_least=-_MOST_JOBS, at_most=_MOST_JOBS) == 0:
        raise ValueError("n_jobs must be a whole number other than 0")


@dataclass(frozen=True)
class _Dataset:
    """The rows of a data set, and the splits of them that all estimators share.

    Attributes
    ----------
    name : object
        None if there is no other data set.
    """

    name: Any
    X: Any
    y: Any
    splits: list[RowNumbers]
    design: CV | RandomSplits
    scorer: Any

    @property
    def on(self) -> str:
        """Where a model failed, for a message."""
        return "" if self.name is None else f" on {shown(self.name)}"

    @property
    def prefix(self) -> str:
        """What a message about it begins with."""
        return _prefix(self.name)


def _prefix(name: Any) -> str:
    """Return what a message about a data set begins with."""
    return "" if name is None else f"data set {shown(name)}: "


def _dataset(
    name: Any, pair: Any, design: Any, scoring: Scoring, seed: int, stratify: bool
) -> _Dataset:
    """Return a data set with its splits, which are drawn once."""
    prefix = _prefix(name)
    X, y = _rows(pair, prefix)
    splits = _splits(design, X, y, seed, stratify, prefix)
    of_splits = design_of_splits(splits, name=f"{prefix}design")
    return _Dataset(name, X, y, splits, of_splits, scoring.scorer_of(y))


def _rows(pair: Any, prefix: str) -> tuple[Any, Any]:
    """Return X and y, whose rows must have the same labels."""
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise ValueError(f"{prefix}X and y must be a pair, not {shown(pair)}")
    try:
        X, y = indexable(*pair)
        n_rows = len(y)
    except (TypeError, ValueError) as problem:
        raise ValueError(
            f"{prefix}X and y must have a row per instance: {one_line(problem)}"
        ) from None
    y = only_column("y", y)
    _check_labels(y, prefix)
    tables = (pd.DataFrame, pd.Series)
    if isinstance(X, tables) and isinstance(y, tables):
        _check_row_labels(X.index, y.index, n_rows, prefix)
    return X, y


def _check_labels(y: Any, prefix: str) -> None:
    """Refuse texts beside numbers, and gaps: they have no order in which classes stand."""
    labels = np.asarray(y)
    if labels.dtype != object:
        return
    kinds = sorted({type(label).__name__ for label in labels.ravel().tolist()})
    try:
        np.unique(labels)
    except TypeError:
        raise ValueError(
            f"{prefix}y must have values of one kind, not {joined(kinds)}"
        ) from None


def _check_row_labels(X: pd.Index, y: pd.Index, n_rows: int, prefix: str) -> None:
    """Refuse rows of X and y with different labels, or with the same in another order."""
    if X.equals(y):
        return
    counts = pd.RangeIndex(n_rows)
    # labels that only count the rows say nothing, unless the others are the same numbers
    only_counts = X.equals(counts) or y.equals(counts)
    if only_counts and not X.isin(y).all():
        return
    raise ValueError(
        f"{prefix}the rows of X and y have different labels, or another order: "
        "give both in one order, or y.to_numpy()"
    )


def _splits(
    design: Any, X: Any, y: Any, seed: int, stratify: bool, prefix: str
) -> list[RowNumbers]:
    """Return the rows of the training and the test set of each split."""
    if isinstance(design, str | Design):
        # multilabel targets cannot be stratified
        stratify = stratify and type_of_target(y) in ("binary", "multiclass")
        design = _splitter(design, seed, stratify)
    elif hasattr(design, "split"):
        find_design(design, seeded=False)  # refuses splits that have no valid test
    try:
        pairs = design.split(X, y) if hasattr(design, "split") else design
        splits = [(np.asarray(train), np.asarray(test)) for train, test in pairs]
    except (TypeError, ValueError) as problem:
        raise ValueError(
            f"{prefix}design gives no splits: {one_line(problem)}"
        ) from None
    for rows in (array for pair in splits for array in pair):
        if rows.size and (rows.max() >= len(y) or rows.min() < 0):
            raise ValueError(f"{prefix}design has rows other than 0 to {len(y) - 1}")
    return splits


def _splitter(design: Any, seed: int, stratify: bool) -> Any:
    """Return the splitter of scikit-learn that makes the splits of a design."""
    within = find_design(design.within if isinstance(design, Datasets) else design)
    if not isinstance(within, CV | RandomSplits) or within.groups:
        raise ValueError(
            'design must be one by which data can be split, such as "10x10" or '
            f'"30 x 10%", not {shown(design)}; for groups give the splits'
        )
    if isinstance(within, CV):
        repeated = ms.RepeatedStratifiedKFold if stratify else ms.RepeatedKFold
        return repeated(n_splits=within.folds, n_repeats=within.runs, random_state=seed)
    shuffled = ms.StratifiedShuffleSplit if stratify else ms.ShuffleSplit
    return shuffled(
        within.splits,
        test_size=within.test,
        train_size=within.train,
        random_state=seed,
    )


def _common_design(datasets: Sequence[_Dataset]) -> CV | RandomSplits:
    """Return the design of all data sets, which must have as many splits."""
    first = datasets[0].design
    for dataset in datasets:
        if dataset.design.shape != first.shape:
            raise ValueError(
                f"data set {shown(dataset.name)} has {dataset.design}, and others "
                f"{first}"
            )
    return first


def _notes_on_equal(estimators: Mapping[str, Any]) -> Iterator[str]:
    """Note estimators with other names that are the same, as they are written."""
    names: dict[str, str] = {}
    for name, estimator in estimators.items():
        first = names.setdefault(_text_of_settings(estimator), name)
        if first != name:
            yield f"{first} and {name} are the same estimator with the same settings"


def _text_of_settings(estimator: Any) -> str:
    """Write the kind of an estimator and all its settings."""
    settings = str(sorted(estimator.get_params().items()))
    if "..." in settings:  # a large array is not written in full
        settings = f"{settings}{id(estimator)}"
    return f"{type(estimator)} {settings}"


def _class_notes(dataset: _Dataset) -> list[str]:
    """Note splits that test on classes they do not train on; refuse those that test on no other."""
    y = np.asarray(dataset.y)
    if y.ndim != 1:
        return []  # several labels per row
    n_lacking = 0
    for number, (train, test) in enumerate(dataset.splits, start=1):
        is_learnt = np.isin(y[test], y[train])
        if not is_learnt.any():
            raise ValueError(
                f"{dataset.prefix}split {number} tests only on class {shown(y[test][0])}, which "
                "its training set lacks: shuffle the rows, or stratify"
            )
        n_lacking += not is_learnt.all()
    if n_lacking == 0:
        return []
    n_splits = len(dataset.splits)
    note = (
        f"{n_lacking} of {n_splits} splits test on a class that they do not train on."
    )
    return [dataset.prefix + note]


def _score_function(cache: str | os.PathLike[str] | None) -> Callable[..., float]:
    """Return the function that scores a fit; with a folder, it keeps its results there."""
    if cache is None:
        return _score
    folder = file_path("cache", cache)
    try:
        function: Callable[..., float] = Memory(folder, verbose=0).cache(_score)
    except OSError as problem:
        raise ValueError(
            f"cache cannot be {str(cache)!r}: {problem.strerror}"
        ) from None
    return function


def _named_score(score: Callable[..., float], name: str, *fit: Any) -> float:
    """Return the score of a fit; refuse one that fails, by its name."""
    try:
        value = float(score(*fit))
    except Exception as problem:
        reason = f"{type(problem).__name__}: {one_line(problem)}"
        raise ValueError(f"{name} failed: {reason}") from problem
    if not np.isfinite(value):
        raise ValueError(
            f"{name} has the score {value}: every score must be a finite number"
        )
    return value


def _score(
    estimator: Any, scorer: Any, X: Any, y: Any, split: Any, version: str
) -> float:
    """Return the score of an estimator on one split; `version` is part of the cache's key."""
    result = ms.cross_validate(
        estimator, X, y, scoring=scorer, cv=[split], error_score="raise"
    )
    return float(result["test_score"][0])
