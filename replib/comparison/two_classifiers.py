"""Two classifiers on one data set: their scores on the same splits, compared."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from replib.checks import check_flag, check_level, whole_number
from replib.comparison import gate
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
    given = gate.scores(
        [a, b], cv=cv, runs=runs, folds=folds, test_fraction=test_fraction, metric=metric,
        names=names, greater_is_better=greater_is_better,
    )
    return Comparison(
        names=given.names,
        scores=given.blocks,
        design=given.design,
        alpha=alpha,
        metric=given.metric,
        greater_is_better=greater_is_better,
        notes=given.notes,
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
    from tqdm import tqdm

    check_level("alpha", alpha)
    check_flag("progress", progress)
    if n_jobs is not None:
        whole_number("n_jobs", n_jobs, at_least=-1000, at_most=1000)
    names = _names(names, a, b)
    plan = gate.estimators(
        (a, b), names, X, y, cv=cv, groups=groups, scoring=scoring, random_state=random_state
    )
    tasks = Parallel(n_jobs=n_jobs, return_as="generator")(
        delayed(_scores_of_split)((a, b), plan.scorers, plan.X, plan.y, train, test)
        for train, test in plan.splits
    )
    found = list(
        tqdm(tasks, total=len(plan.splits), desc=" and ".join(names), unit="split",
             disable=not progress)
    )
    one, other = np.array(found, dtype=float).T
    return Comparison(
        names=names,
        scores=gate.finite_blocks({names[0]: one, names[1]: other}, plan.design),
        design=plan.design,
        alpha=alpha,
        metric=plan.metric,
        notes=plan.notes,
    )


def _scores_of_split(estimators, scorers, X, y, train, test) -> list[float]:
    from sklearn.base import clone
    from sklearn.utils import _safe_indexing

    part = lambda data, rows: _safe_indexing(data, rows)
    return [
        scorer(clone(estimator).fit(part(X, train), part(y, train)), part(X, test), part(y, test))
        for estimator, scorer in zip(estimators, scorers)
    ]


def _names(names: Sequence[str] | None, a: Any, b: Any) -> tuple[str, ...]:
    own = [x.__name__ if isinstance(x, type) else type(x).__name__ for x in (a, b)]
    own = own if own[0] != own[1] else [f"{own[0]} A", f"{own[1]} B"]
    return gate.classifier_names(names, own)
