"""Classifiers on one data set: their scores on the same splits, compared."""

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike

from replib.comparison import gate, report, running
from replib.comparison.agreement import CORRECTIONS
from replib.comparison.many_classifiers import MultipleComparison
from replib.comparison.result import Comparison
from replib.validation import check_choice, check_flag, check_instance


def compare_scores(
    a: Any,
    b: ArrayLike | None = None,
    *,
    cv: Any = None,
    runs: int | None = None,
    folds: int | None = None,
    test_fraction: float | None = None,
    metric: str | None = None,
    scoring: str | None = None,
    names: Sequence[str] | None = None,
    greater_is_better: bool = True,
    alpha: float = 0.05,
    correction: str = "holm",
    dataset: str | None = None,
) -> Comparison | MultipleComparison:
    """Compare two or more classifiers by their scores on the same splits.

    Parameters
    ----------
    a : DataFrame or mapping of scores; or array_like, Series, or dict
        Scores of all classifiers, one column or key each.  With `b`: the scores of the first
        classifier, or the dict that `sklearn.model_selection.cross_validate` returned for it.
        Scores are blocks of runs x folds, or flat in scikit-learn's order: all folds of the first
        run, then all of the second.
    b : array_like, Series, or dict, optional
        Scores of the second classifier on the same splits, if there are two.
    cv : splitter, str or int, optional
        The scikit-learn splitter that was used, "10x10" for ten runs of ten folds, or the number
        of folds of a single run.
    runs, folds : int, optional
        Instead of `cv`, for cross-validation.
    test_fraction : float, optional
        Instead of `cv`, for random splits: the share of test instances, between 0 and 1.
    metric : str, optional
        Which scores of a dict, such as "accuracy" for "test_accuracy"; without a dict, the name
        of the scores.
    scoring : str, optional
        Another name for `metric`.
    names : sequence of str, optional
        Names of the classifiers; by default those of the columns, keys or Series, or A and B.
    greater_is_better : bool, default True
        False for errors and losses.
    alpha : float, default 0.05
        Level of the test, or of all tests together.
    correction : str, default "holm"
        For three or more classifiers: "holm", "bonferroni" or "none".
    dataset : str, optional
        Name of the data set, for the report.

    Returns
    -------
    Comparison or MultipleComparison
        The second for three or more classifiers.

    Raises
    ------
    ValueError
        If the shape or ratio is not given or does not fit, or a score is missing.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> a, b = 0.9 + rng.normal(0.02, 0.03, 100), 0.9 + rng.normal(0, 0.03, 100)
    >>> result = compare_scores(a, b, cv="10x10")
    >>> result.decision, round(result.pvalue, 3), round(result.agreement.point, 2)
    (0, 0.153, 0.9)

    Three classifiers, each pair with Holm's correction:

    >>> c = 0.97 + rng.normal(0, 0.03, 100)
    >>> result = compare_scores({"svm": c, "tree": a, "bayes": b}, cv="10x10")
    >>> result.pairs[["a", "b", "decision"]].values.tolist()
    [['svm', 'tree', 1], ['svm', 'bayes', 1], ['tree', 'bayes', 0]]
    """
    given = dict(locals())
    gate.check_alpha(alpha)
    check_flag("greater_is_better", greater_is_better)
    check_instance("dataset", dataset, str, type(None))
    check_choice("correction", correction, CORRECTIONS)
    metric = gate.either(metric, scoring)
    read = gate.scores(
        a if b is None else (a, b), cv=cv, runs=runs, folds=folds, test_fraction=test_fraction,
        metric=metric, names=names, greater_is_better=greater_is_better,
    )
    record = {"call": report.call(compare_scores, given, data=("a", "b"))}
    return _result(read, greater_is_better, alpha, correction, dataset, record)


def compare_classifiers(
    a: Any,
    b: Any = None,
    X: Any = None,
    y: Any = None,
    *,
    cv: Any,
    scoring: Any = None,
    metric: Any = None,
    n_jobs: int | None = None,
    names: Sequence[str] | None = None,
    groups: Any = None,
    random_state: int | None = None,
    alpha: float = 0.05,
    correction: str = "holm",
    dataset: str | None = None,
    progress: bool = True,
) -> Comparison | MultipleComparison:
    """Compare scikit-learn estimators on the same splits of a data set.

    Call it with two estimators, ``compare_classifiers(a, b, X, y, cv=...)``, or with a mapping of
    two or more, ``compare_classifiers({"bayes": ..., "tree": ...}, X, y, cv=...)``.

    Parameters
    ----------
    a, b : estimators; or a mapping of estimators, without `b`
        Anything with `fit` that scikit-learn can clone; the estimators are not changed.
    X, y : array_like, DataFrame, ...
        The data.
    cv : splitter, str or int
        A scikit-learn splitter, "10x10" for ten runs of ten stratified folds, or a number of
        stratified folds.
    scoring : str or callable, optional
        As in scikit-learn; by default the estimator's own score.  A score such as
        "neg_mean_squared_error" is reported as an error.
    metric : str or callable, optional
        Another name for `scoring`.
    n_jobs : int, optional
        Number of processes, as in joblib; if a joblib backend is set, it is used.
    names : sequence of str, optional
        By default the keys of the mapping, or the names of the classes.
    groups : array_like, optional
        For splitters that keep groups together.
    random_state : int, optional
        Seed of the splits if `cv` is a text or a number; by default they differ from call to
        call.  A splitter has its own seed.
    alpha, correction, dataset
        As for :func:`compare_scores`.
    progress : bool, default True
        Show a progress bar.

    Returns
    -------
    Comparison or MultipleComparison
        The second for three or more classifiers.

    Raises
    ------
    ValueError
        If the splitter or the estimators cannot be used, or a fit fails.

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
    given = dict(locals())
    if isinstance(a, Mapping):
        if names is not None:
            raise ValueError("names must be None with a mapping: its keys are the names")
        if b is not None and y is not None:
            raise ValueError("b must be left out with a mapping of estimators, as in "
                             "compare_classifiers({...}, X, y, cv=...)")
        X, y = (X, y) if b is None else (b, X)
        given |= {"b": None, "X": X, "y": y}
        chosen, estimators = running.named("a", a), list(a.values())
    if y is None:
        raise ValueError(
            "y must be given: call compare_classifiers(a, b, X, y, cv=...), or with a dict of "
            "estimators compare_classifiers({...}, X, y, cv=...)"
        )
    if not isinstance(a, Mapping):
        own = [x.__name__ if isinstance(x, type) else type(x).__name__ for x in (a, b)]
        own = own if own[0] != own[1] else [f"{own[0]} A", f"{own[1]} B"]
        chosen, estimators = tuple(gate.classifier_names(names, own)), [a, b]
    gate.check_alpha(alpha)
    check_flag("progress", progress)
    check_instance("dataset", dataset, str, type(None))
    check_choice("correction", correction, CORRECTIONS)
    scoring = gate.either(metric, scoring)
    plan = gate.estimators(
        estimators, chosen, X, y, cv=cv, groups=groups, scoring=scoring, random_state=random_state
    )
    tasks = running.tasks(dataset or "the data", chosen, estimators, plan)
    found = running.run(tasks, n_jobs=n_jobs, progress=progress).reshape(len(chosen), -1)
    metric, is_error = running.metric(plan)
    blocks = gate.finite_blocks(dict(zip(chosen, -found if is_error else found)), plan.design)
    record = {
        "call": report.call(compare_classifiers, given, data=("a", "b", "X", "y", "groups")),
        "size": running.size(plan),
        **{name: running.settings(one) for name, one in zip(chosen, estimators)},
    }
    read = gate.Gated(chosen, blocks, plan.design, metric, plan.notes)
    return _result(read, not is_error, alpha, correction, dataset, record)


def _result(
    read: gate.Gated, greater_is_better: bool, alpha: float, correction: str,
    dataset: str | None, record: Mapping[str, str],
) -> Comparison | MultipleComparison:
    fields: dict[str, Any] = {
        "names": read.names, "scores": read.blocks, "design": read.design, "alpha": alpha,
        "metric": read.metric, "greater_is_better": greater_is_better, "notes": read.notes,
        "record": {"data set": dataset, **record} if dataset else record,
    }
    if len(read.names) == 2:
        return Comparison(**fields)
    return MultipleComparison(**fields, correction=correction)
