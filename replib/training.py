"""Estimators that are trained and scored on shared splits, of one data set or of many."""

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import sklearn
from joblib import Memory, Parallel, delayed
from numpy.typing import NDArray
from sklearn import model_selection as ms
from sklearn.base import is_classifier, is_regressor
from sklearn.metrics import get_scorer, get_scorer_names
from sklearn.utils import indexable
from sklearn.utils.multiclass import type_of_target
from tqdm import tqdm

from replib._tables import models_by_name, only_column
from replib._validation import file_path, one_line, shown, whole_number
from replib.designs import (
    CV,
    Datasets,
    Design,
    RandomSplits,
    design_of_splits,
    find_design,
)
from replib.scores import KNOWN, Metric, Scores

Splits = list[tuple[NDArray[np.int64], NDArray[np.int64]]]


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
        Name of a scorer of scikit-learn, or a function of estimator, X and y for which
        higher is better; by default accuracy of classifiers and R² of regressors.
    cache : path, optional
        Folder in which finished fits are kept by `joblib.Memory`: what was interrupted
        goes on from there.  Other data, splits or parameters are noticed, a changed
        method of a class of your own is not: empty the folder then.  It holds pickles:
        use only your own.
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
        if isinstance(estimator, type) or not (
            hasattr(estimator, "fit") and hasattr(estimator, "get_params")
        ):
            raise ValueError(
                f"{name} must be a scikit-learn estimator, not {shown(estimator)}"
            )
    if (
        n_jobs is not None
        and whole_number("n_jobs", n_jobs, at_least=-1000, at_most=1000) == 0
    ):
        raise ValueError("n_jobs must be a whole number other than 0")
    seed = whole_number("random_state", random_state, at_least=0, at_most=2**32 - 1)
    many = isinstance(X, Mapping)
    if many and (y is not None or not X):
        raise ValueError(
            "for many data sets X must be a dict of pairs (X, y), and y left out"
        )
    scorer, of_scores = _scorer(metric, list(estimators.values()))
    stratify = all(map(is_classifier, estimators.values()))
    data, notes = {}, []
    for name, given in X.items() if many else [("", X if y is None else (X, y))]:
        where = f"data set {shown(name)}: " if many else ""
        rows, target = _data(given, where)
        splits = _splits(design, rows, target, seed, stratify, where)
        data[name] = (
            rows,
            target,
            splits,
            design_of_splits(splits, name=f"{where}design"),
        )
        if stratify and np.ndim(target) == 1:
            notes += _of_classes(np.asarray(target), splits, where)
    within = next(iter(data.values()))[3]
    if odd := [name for name, (*_, own) in data.items() if own.shape != within.shape]:
        raise ValueError(
            f"data set {shown(odd[0])} has {data[odd[0]][3]}, and others {within}"
        )
    try:
        score = (
            _score
            if cache is None
            else Memory(file_path("cache", cache), verbose=0).cache(_score)
        )
    except OSError as problem:
        raise ValueError(
            f"cache cannot be {str(cache)!r}: {problem.strerror}"
        ) from None
    tasks = [
        delayed(_named_score)(
            score,
            f"{model}{f' on {shown(name)}' * many}, split {place + 1}",
            estimator,
            scorer,
            rows,
            target,
            split,
        )
        for name, (rows, target, splits, _) in data.items()
        for place, split in enumerate(splits)
        for model, estimator in estimators.items()
    ]
    fits = Parallel(n_jobs=n_jobs, return_as="generator")(tasks)
    scores = np.array(list(tqdm(fits, total=len(tasks), unit="fit")))
    places = [data, *map(range, within.shape[: len(within.keys)]), estimators]
    index = pd.MultiIndex.from_product(places, names=["dataset", *within.keys, "model"])
    return Scores(
        pd.DataFrame({"score": scores}, index).reset_index(),
        metric=of_scores,
        design=Datasets(within) if many else within,
        notes=tuple(notes),
    )


def _scorer(given: Any, estimators: list[Any]) -> tuple[Any, Metric]:
    """Return a scorer of scikit-learn, and the metric that it is."""
    if given is None:
        given = (
            "accuracy"
            if all(map(is_classifier, estimators))
            else ("r2" if all(map(is_regressor, estimators)) else None)
        )
    if callable(given):
        return given, Metric(getattr(given, "__name__", "score"), better="higher")
    name = given.name if isinstance(given, Metric) else given
    if not isinstance(name, str) or name not in get_scorer_names():
        raise ValueError(
            "metric must be a scorer, or its name in sklearn.metrics."
            f"get_scorer_names(), not {shown(name)}"
        )
    known = (
        given
        if isinstance(given, Metric)
        else Metric(name, KNOWN.get(name, ["higher"])[0])
    )
    return get_scorer(name), known


def _data(given: Any, where: str) -> tuple[Any, Any]:
    """Return X and y, whose rows must have the same labels."""
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise ValueError(f"{where}X and y must be a pair, not {shown(given)}")
    try:
        X, y = indexable(*given)
        n = len(y)
    except (TypeError, ValueError) as problem:
        raise ValueError(
            f"{where}X and y must have a row per instance: " + one_line(problem)
        ) from None
    y = only_column("y", y)
    labels = [of.index for of in (X, y) if isinstance(of, pd.DataFrame | pd.Series)]
    counted = [index.equals(pd.RangeIndex(n)) for index in labels]
    if (
        len(labels) == 2
        and not labels[0].equals(labels[1])
        and (not any(counted) or labels[0].isin(labels[1]).all())
    ):
        raise ValueError(
            f"{where}the rows of X and y have different labels, or another order: "
            "give both in one order, or y.to_numpy()"
        )
    return X, y


def _splits(
    design: Any, X: Any, y: Any, seed: int, stratify: bool, where: str
) -> Splits:
    """Return the rows of the training and the test set of each split."""
    if hasattr(design, "split") and not isinstance(design, str):
        find_design(design, seeded=False)
    elif isinstance(design, str | Design):
        of = find_design(design.within if isinstance(design, Datasets) else design)
        if not isinstance(of, CV | RandomSplits) or of.groups:
            raise ValueError(
                'design must be one by which data can be split, such as "10x10" or '
                f'"30 x 10%", not {shown(design)}; for groups give the splits'
            )
        kind = "Stratified" * (
            stratify and type_of_target(y) in ("binary", "multiclass")
        )
        design = (
            getattr(ms, f"Repeated{kind}KFold")(
                n_splits=of.folds, n_repeats=of.runs, random_state=seed
            )
            if isinstance(of, CV)
            else (
                getattr(ms, f"{kind}ShuffleSplit")(
                    of.splits, test_size=of.test, train_size=of.train, random_state=seed
                )
            )
        )
    try:
        pairs = design.split(X, y) if hasattr(design, "split") else design
        splits = [(np.asarray(train), np.asarray(test)) for train, test in pairs]
    except (TypeError, ValueError) as problem:
        raise ValueError(
            f"{where}design gives no splits: {one_line(problem)}"
        ) from None
    if any(
        rows.size and (rows.max() >= len(y) or rows.min() < 0)
        for pair in splits
        for rows in pair
    ):
        raise ValueError(f"{where}design has rows other than 0 to {len(y) - 1}")
    return splits


def _of_classes(y: NDArray[Any], splits: Splits, where: str) -> list[str]:
    """Note splits that test on classes they do not train on; refuse those that test on no other."""
    missing = 0
    for place, (train, test) in enumerate(splits, start=1):
        learnt = np.isin(y[test], y[train])
        if not learnt.any():
            raise ValueError(
                f"{where}split {place} tests only on class {shown(y[test][0])}, which "
                "its training set lacks: shuffle the rows, or stratify"
            )
        missing += not learnt.all()
    text = f"{where}{missing} of {len(splits)} splits test on a class that they do not train on."
    return [text] if missing else []


def _named_score(score: Any, name: str, *args: Any) -> float:
    try:
        value = float(score(*args, sklearn.__version__))
    except Exception as problem:
        why = f"{type(problem).__name__}: {one_line(problem)}"
        raise ValueError(f"{name} failed: {why}") from problem
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
