"""Two classifiers on one data set: their scores on the same splits, compared."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from replib.checks import check_flag, check_level, whole_number
from replib.comparison.design import (
    Design,
    as_blocks,
    check_indices,
    read_design,
    read_scores,
    suspicions,
)
from replib.comparison.result import Comparison


def compare_scores(
    a: ArrayLike,
    b: ArrayLike,
    *,
    cv: Any = None,
    runs: int | None = None,
    folds: int | None = None,
    test_fraction: float | None = None,
    metric: str | None = None,
    names: Sequence[str] | None = None,
    greater_is_better: bool = True,
    alpha: float = 0.05,
) -> Comparison:
    """Compare two classifiers by their scores on the same splits.

    Parameters
    ----------
    a, b : array_like, Series, or dict of `sklearn.model_selection.cross_validate`
        Scores on the same splits: flat in scikit-learn's order, which is all folds of the first
        run, then all of the second; or blocks of runs x folds.
    cv : splitter, str or int, optional
        The scikit-learn splitter that was used, or "10x10" for ten runs of ten folds, or the
        number of folds of a single run.
    runs, folds : int, optional
        Instead of `cv`, for cross-validation.
    test_fraction : float, optional
        Instead of `cv`, for random splits: the share of test instances, between 0 and 1.
    metric : str, optional
        Which scores of a dict, "accuracy" for "test_accuracy"; without a dict, what they are
        called.
    names : sequence of two str, optional
        Of the classifiers; those of the Series, or A and B.
    greater_is_better : bool, default True
        False for errors and losses.
    alpha : float, default 0.05

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        If shape or ratio are not said or do not fit, or a score is missing.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> a, b = 0.9 + rng.normal(0.02, 0.03, 100), 0.9 + rng.normal(0, 0.03, 100)
    >>> result = compare_scores(a, b, cv="10x10")
    >>> result.decision, round(result.pvalue, 3), round(result.agreement.point, 2)
    (0, 0.153, 0.9)
    """
    check_level("alpha", alpha)
    check_flag("greater_is_better", greater_is_better)
    if metric is not None and not isinstance(metric, str):
        raise ValueError(f"metric must be the name of a score, not {metric!r}")
    check_indices(a, b)
    names = _names(names, a, b)
    is_dict = isinstance(a, dict) or isinstance(b, dict)
    read = [read_scores(x, name, metric if is_dict else None) for x, name in zip((a, b), names)]
    design = read_design(cv, runs=runs, folds=folds, test_fraction=test_fraction)
    design, blocks = as_blocks(read, names, design)
    return Comparison(
        names=names,
        scores=tuple(blocks),
        design=design,
        alpha=alpha,
        metric=metric or "score",
        greater_is_better=greater_is_better,
        notes=tuple(suspicions(blocks, names, greater_is_better)),
    )


def compare_classifiers(
    a: Any,
    b: Any,
    X: Any,
    y: Any,
    *,
    cv: Any,
    scoring: Any = None,
    n_jobs: int | None = None,
    names: Sequence[str] | None = None,
    groups: Any = None,
    random_state: int | None = None,
    alpha: float = 0.05,
    progress: bool = True,
) -> Comparison:
    """Compare two scikit-learn estimators on the same splits of a data set.

    Parameters
    ----------
    a, b : estimators
        Anything with `fit` that scikit-learn can clone; neither is changed.
    X, y : array_like, DataFrame, ...
        The data.
    cv : splitter, str or int
        A scikit-learn splitter, "10x10" for ten runs of ten stratified folds, or a number of
        stratified folds.
    scoring : str or callable, optional
        As in scikit-learn; the estimator's own score by default.
    n_jobs : int, optional
        Processes, as in joblib.
    names : sequence of two str, optional
        Those of the classes by default.
    groups : array_like, optional
        For splitters that keep groups together.
    random_state : int, optional
        Seed of the splits where `cv` is a text or a number; other splits each time by default.  A
        splitter has its own.
    alpha : float, default 0.05
    progress : bool, default True
        Show a bar.

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        If the splitter or the estimators cannot be used, or a fit gives no score.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> result = compare_classifiers(
    ...     GaussianNB(), DecisionTreeClassifier(random_state=0), X, y, cv="3x5", random_state=0,
    ...     progress=False)
    >>> result.names, result.scores[0].shape, round(result.estimate, 4)
    (('GaussianNB', 'DecisionTreeClassifier'), (3, 5), 0.0044)
    """
    from joblib import Parallel, delayed
    from sklearn.base import is_classifier
    from sklearn.metrics import check_scoring
    from sklearn.model_selection import RepeatedStratifiedKFold
    from sklearn.utils import indexable
    from tqdm import tqdm

    check_level("alpha", alpha)
    check_flag("progress", progress)
    if n_jobs is not None:
        whole_number("n_jobs", n_jobs, at_least=-1000, at_most=1000)
    for which, estimator in zip("ab", (a, b)):
        if isinstance(estimator, type) or not (
            hasattr(estimator, "fit") and hasattr(estimator, "get_params")
        ):
            raise ValueError(
                f"{which} must be a scikit-learn estimator, an object with fit and get_params, "
                f"not {estimator!r}"
            )
    if random_state is not None:
        random_state = whole_number("random_state", random_state, at_least=0, at_most=2**32 - 1)
    names = _names(names, a, b, of_class=True)
    X, y, groups = indexable(X, y, groups)
    design = read_design(cv)
    if isinstance(cv, (str, int, np.integer)):
        cv = RepeatedStratifiedKFold(
            n_splits=design.folds, n_repeats=design.runs, random_state=random_state
        )
    elif random_state is not None:
        raise ValueError(
            f"random_state= is for cv= as a text or a number; {type(cv).__name__} has its own"
        )
    splits = list(cv.split(X, y, groups))  # once: without a seed each call would give others
    if design.folds == 1:  # the sizes as they are, rounded to whole instances
        train, test = splits[0]
        design = Design(design.runs, 1, len(test) / len(train))
    scorers = [check_scoring(estimator, scoring=scoring) for estimator in (a, b)]
    tasks = Parallel(n_jobs=n_jobs, return_as="generator")(
        delayed(_scores_of_split)((a, b), scorers, X, y, train, test) for train, test in splits
    )
    found = list(
        tqdm(tasks, total=len(splits), desc=" and ".join(names), unit="split", disable=not progress)
    )
    one, other = np.array(found, dtype=float).T
    metric = scoring if isinstance(scoring, str) else "score"
    read = [read_scores(x, name) for x, name in zip((one, other), names)]
    design, blocks = as_blocks(read, names, design)
    notes = suspicions(blocks, names, True)
    return Comparison(
        names=names,
        scores=tuple(blocks),
        design=design,
        alpha=alpha,
        metric="accuracy" if scoring is None and is_classifier(a) else metric,
        notes=tuple(notes),
    )


def _scores_of_split(estimators, scorers, X, y, train, test) -> list[float]:
    from sklearn.base import clone
    from sklearn.utils import _safe_indexing

    part = lambda data, rows: _safe_indexing(data, rows)
    return [
        scorer(clone(estimator).fit(part(X, train), part(y, train)), part(X, test), part(y, test))
        for estimator, scorer in zip(estimators, scorers)
    ]


def _names(names: Sequence[str] | None, a: Any, b: Any, of_class: bool = False) -> tuple[str, str]:
    if names is None:
        own = [type(x).__name__ if of_class else getattr(x, "name", None) for x in (a, b)]
        if all(isinstance(name, str) for name in own) and own[0] != own[1]:
            return tuple(own)
        return ("A", "B") if not of_class else (f"{own[0]} A", f"{own[1]} B")
    if isinstance(names, str) or len(names) != 2 or names[0] == names[1]:
        raise ValueError(f"names are two different names, not {names!r}")
    return str(names[0]), str(names[1])
