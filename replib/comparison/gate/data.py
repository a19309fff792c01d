"""Estimators and a data set, checked before anything is trained."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from replib.comparison import rules
from replib.comparison.design import Design, design_of_splits, read_design
from replib.comparison.gate import labels
from replib.comparison.gate.entrances import only_column
from replib.comparison.gate.items import clusters
from replib.comparison.gate.pairing import index_of
from replib.comparison.gate.tables import is_default
from replib.validation import whole_number

#: The scores that scikit-learn's estimators use by default.
_DEFAULTS = {"a classifier": "accuracy", "a regressor": "R²"}


@dataclass(frozen=True, eq=False)
class Plan:
    """What to train, and on which splits.

    Attributes
    ----------
    X, y : indexable
    splits : list of pairs of ndarray
        Row numbers of the training and the test set.
    design : Design
    scorers : list of callable
        One per estimator.
    metric : str
    notes : tuple of str
    """

    X: Any
    y: Any
    splits: list[tuple[np.ndarray, np.ndarray]]
    design: Design
    scorers: list[Any]
    metric: str
    notes: tuple[str, ...]


def estimators(
    given: Sequence[Any], names: Sequence[str], X: Any, y: Any, *, cv: Any, groups: Any = None,
    scoring: Any = None, random_state: int | None = None,
) -> Plan:
    """Check estimators and data, and make the splits.

    Parameters
    ----------
    given : sequence of estimators
    names : sequence of str
        For messages.
    X, y, cv, groups, scoring, random_state
        As in :func:`replib.comparison.compare_classifiers`.

    Returns
    -------
    Plan

    Raises
    ------
    ValueError
        If the input is refused; the message is one sentence.
    """
    from sklearn.utils import indexable

    for estimator, name in zip(given, names):
        if isinstance(estimator, type) or not (
            hasattr(estimator, "fit") and hasattr(estimator, "get_params")
        ):
            raise ValueError(
                f"{name} must be a scikit-learn estimator, an object with fit and get_params, "
                f"not {estimator!r}"
            )
        if type(estimator).__name__ == "FrozenEstimator":
            rules.apply("frozen", name=name)
    for other, name in ((y, "y"), (groups, "groups")):
        _check_rows(X, other, name)
    y = _row_of(y)
    if getattr(X, "ndim", 2) == 1 and X.dtype.kind in "biuf" and getattr(y, "ndim", 1) == 2:
        raise ValueError("X must have a row per instance and a column per feature, not one row of "
                         "numbers: are X and y exchanged?")
    notes = clusters(groups, len(y))[1] if hasattr(y, "__len__") else []
    X, y, groups = indexable(X, y, groups)
    kinds = _check_kinds(given, names, y, scoring)
    design, splits = _splits(cv, X, y, groups, random_state, continuous=kinds == {"a regressor"})
    scorers, metric = _scorers(given, kinds, scoring)
    notes += [*_doubts(given, names, X, y), *_of_sizes(splits, cv)]
    if kinds == {"a classifier"} and np.ndim(y) == 1:
        notes += _of_classes(np.asarray(y), splits, grouped=groups is not None)
    return Plan(X, y, splits, design, scorers, metric, tuple(notes))


def _row_of(y: Any) -> Any:
    """Return the only column of `y`, or `y` itself."""
    y = only_column(y)
    return y.ravel() if isinstance(y, np.ndarray) and y.ndim == 2 and y.shape[1] == 1 else y


def _check_rows(X: Any, y: Any, name: str) -> None:
    one, other = index_of(X), index_of(y)
    if one is None or other is None or one.equals(other) or len(one) != len(other):
        return
    if one.isin(other).all():
        rules.apply("x-and-y", name=name)
    if not (is_default(one) or is_default(other)):
        rules.apply("x-and-y-labels", name=name, label=one[~one.isin(other)][0])


def _check_kinds(given: Sequence[Any], names: Sequence[str], y: Any, scoring: Any) -> set[str]:
    """Return the kinds of estimators; an unknown kind is taken to be that of the others."""
    from sklearn.base import is_classifier, is_clusterer, is_regressor
    from sklearn.utils.multiclass import type_of_target

    tests = zip((*_DEFAULTS, "a clusterer"), (is_classifier, is_regressor, is_clusterer))
    kinds = {name: kind for kind, test in tests
             for name, estimator in zip(names, given) if test(estimator)}
    for (a, kind_a), (b, kind_b) in combinations(kinds.items(), 2):
        if scoring is None and kind_a != kind_b:
            rules.apply(
                "scorers-differ", a=a, b=b, kind_a=kind_a, kind_b=kind_b,
                metric_a=_DEFAULTS.get(kind_a, "its own score"),
                metric_b=_DEFAULTS.get(kind_b, "its own score"),
            )
    for name, kind in kinds.items():
        if kind == "a classifier":
            _check_classes(np.asarray(y), name, type_of_target)
    return set(kinds.values())


def _check_classes(y: np.ndarray, name: str, kind: Any) -> None:
    """Refuse classes that no classifier can learn."""
    if y.ndim == 2 and not (np.isin(y, (0, 1)).all() and (y.sum(axis=1) == 1).all()):
        return  # several labels per instance, which some estimators and splitters take
    classes = set(labels.classes(y, "y"))
    many = y.dtype.kind in "iuf" and len(classes) > max(20, len(y) / 3)
    if many or kind(y).startswith("continuous"):
        rules.apply("continuous-y", name=name)
    if len(classes) == 1:
        rules.apply("one-class", label=next(iter(classes)))
    labels.check_spelling(classes, "y")


def _of_classes(
    y: np.ndarray, splits: Sequence[tuple[np.ndarray, np.ndarray]], grouped: bool
) -> list[str]:
    """Refuse or note splits that follow the order of the classes."""
    codes = np.unique(y, return_inverse=True)[1]
    share, single = np.bincount(codes) / len(codes), 0
    for place, (train, test) in enumerate(splits, 1):
        if not np.isin(codes[test], codes[train]).any():
            rules.apply("class-untrained", place=place, label=y[test][0])
        single += len(np.unique(codes[test])) == 1 and (share ** len(test)).sum() < 1e-4
    if single and not grouped:
        return [rules.apply("sorted-classes", count=int(single), n=len(splits))]
    return []


def _splits(
    cv: Any, X: Any, y: Any, groups: Any, random_state: int | None, continuous: bool
) -> tuple[Design, list[tuple[np.ndarray, np.ndarray]]]:
    from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold

    if random_state is not None:
        random_state = whole_number("random_state", random_state, at_least=0, at_most=2**32 - 1)
    if isinstance(cv, (str, int, np.integer)):
        design = read_design(cv)
        if groups is not None:
            rules.apply("groups-ignored", cv=f"cv={cv!r}")
        kind = RepeatedKFold if continuous else RepeatedStratifiedKFold
        cv = kind(n_splits=design.folds, n_repeats=design.runs, random_state=random_state)
    elif random_state is not None:
        raise ValueError(
            f"random_state= is for cv= as a text or a number; {type(cv).__name__} has its own"
        )
    if not hasattr(cv, "split"):
        splits = design_of_splits(cv)[1]
        if (last := max(int(rows.max()) for split in splits for rows in split)) >= len(y):
            raise ValueError(f"cv has row {last}, and the rows of X are 0 to {len(y) - 1}")
        return design_of_splits(splits)[0], splits
    name = type(cv).__name__
    if groups is not None and "Group" not in name and name != "PredefinedSplit":
        rules.apply("groups-ignored", cv=name)
    if name not in ("LeaveOneGroupOut", "PredefinedSplit"):
        read_design(cv)  # refuses designs that no test can judge, before anything is split
    splits = list(cv.split(X, y, groups))  # once: without a seed each call gives different splits
    if name in ("LeaveOneGroupOut", "PredefinedSplit"):
        return design_of_splits(splits)
    design = read_design(cv)
    if design.folds == 1:  # the actual sizes, which are rounded to whole instances
        train, test = splits[0]
        design = Design(design.runs, 1, len(test) / len(train))
    return design, splits


def _scorers(given: Sequence[Any], kinds: set[str], scoring: Any) -> tuple[list[Any], str]:
    from sklearn.metrics import check_scoring

    if isinstance(scoring, (list, tuple, set, dict)):
        raise ValueError(f"scoring must be one score, not {len(scoring)}: compare one at a time")
    try:
        scorers = [check_scoring(estimator, scoring=scoring) for estimator in given]
    except (TypeError, ValueError) as problem:
        said = " ".join(str(problem).split())
        raise ValueError(said if len(said) < 200 else (
            f"scoring={scoring!r} is not known: give the name of a score of scikit-learn, or a "
            "scorer"
        )) from None
    measure = getattr(scorers[0], "_score_func", None)
    sign, measure = getattr(scorers[0], "_sign", 1), getattr(measure, "__name__", "")
    known = rules.metric_range(measure)
    if known is not None and known[0] == "error" and sign > 0:
        rules.apply("error-metric", metric=measure,
                    say="make_scorer(..., greater_is_better=False)")
    if scoring is None:
        return scorers, _DEFAULTS.get(next(iter(kinds), ""), "score")
    return scorers, scoring if isinstance(scoring, str) else measure or "score"


def _doubts(given: Sequence[Any], names: Sequence[str], X: Any, y: Any) -> list[str]:
    from sklearn.base import is_regressor

    notes = []
    for (a, one), (b, other) in combinations(zip(names, given), 2):
        if type(one) is type(other) and repr(one.get_params()) == repr(other.get_params()):
            notes.append(rules.apply("same-settings", a=a, b=b))
    answer = np.asarray(y)
    two = answer.ndim == 1 and len(set(answer.tolist())) == 2
    notes += [rules.apply("regressors-of-classes", name=name)
              for name, one in zip(names, given) if two and is_regressor(one)][:1]
    columns = getattr(X, "columns", range(np.shape(X)[1] if np.ndim(X) == 2 else 0))
    if answer.ndim == 1 and not hasattr(X, "tocsr"):
        for place, name in enumerate(columns):
            column = X.iloc[:, place] if hasattr(X, "iloc") else np.asarray(X)[:, place]
            if _is_code_of(np.asarray(column), answer):
                notes.append(rules.apply("leak", column=name))
        notes += _copied_rows(X)
    return notes


def _is_code_of(column: np.ndarray, y: np.ndarray) -> bool:
    """Return whether a column has the values of y, or another name for each of its classes."""
    column = column.astype(str) if column.dtype == object else column
    if column.shape != y.shape or len(set(column[:200].tolist())) != len(set(y[:200].tolist())):
        return False
    pairs = set(zip(column.tolist(), y.tolist()))
    return len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs}) and (
        len(pairs) < len(y) / 2 or np.array_equal(column, y)
    )


def _copied_rows(X: Any) -> list[str]:
    """Note repeated rows of continuous numbers, which oversampling produces."""
    import pandas as pd

    if np.ndim(X) != 2 or np.size(X) > 1e7:
        return []
    frame = X if isinstance(X, pd.DataFrame) else pd.DataFrame(np.asarray(X))
    if not all(kind.kind in "iuf" for kind in frame.dtypes if isinstance(kind, np.dtype)):
        return []
    copied = frame.duplicated()
    count, kept = int(copied.sum()), frame[~copied]
    continuous = kept.nunique() >= 0.5 * len(kept)
    if count <= 0.05 * len(frame) or np.count_nonzero(continuous) < 2:
        return []
    return [rules.apply("copied-rows", count=count, n=len(frame))]


def _of_sizes(splits: Sequence[tuple[np.ndarray, np.ndarray]], cv: Any) -> list[str]:
    sizes = [len(test) for _, test in splits]
    share = sum(sizes) / sum(len(train) + len(test) for train, test in splits)
    if share > 0.55 and getattr(cv, "train_size", None) is None:
        return [rules.apply("large-test-fraction", fraction=share, other=1 - share)]
    if max(sizes) > 2 * min(sizes):
        return [rules.apply("unequal-folds", least=min(sizes), most=max(sizes))]
    return []
