"""What each kind of comparison is handed, aligned and checked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from replib.comparison.design import Design, as_blocks, read_design, read_scores, suspicions


@dataclass(frozen=True, eq=False)
class Gated:
    """Scores of k classifiers on the same splits, in the order of the splits.

    Attributes
    ----------
    names : tuple of str
    blocks : tuple of ndarray, shape (runs, folds)
        The scores of each classifier.
    design : Design
    metric : str
    notes : tuple of str
        What may be wrong, in sentences.
    """

    names: tuple[str, ...]
    blocks: tuple[np.ndarray, ...]
    design: Design
    metric: str
    notes: tuple[str, ...]


def scores(
    given: Any,
    *,
    cv: Any = None,
    runs: int | None = None,
    folds: int | None = None,
    test_fraction: float | None = None,
    metric: str | None = None,
    names: Sequence[str] | None = None,
    greater_is_better: bool = True,
) -> Gated:
    """Read scores of two or more classifiers.

    Parameters
    ----------
    given : DataFrame, mapping or sequence
        Columns (or keys) are classifiers; or a sequence of array_like, Series or dicts of
        `sklearn.model_selection.cross_validate`.
    cv, runs, folds, test_fraction
        As in :func:`replib.comparison.compare_scores`.
    metric : str, optional
        Which scores of a dict, or what they are called.
    names : sequence of str, optional
    greater_is_better : bool, default True

    Returns
    -------
    Gated

    Raises
    ------
    ValueError
        If anything is refused; the message is one sentence.
    """
    if hasattr(given, "columns") or isinstance(given, Mapping):
        own, parts = [str(name) for name in given], [given[name] for name in given]
    else:
        parts = list(given)
        own = [x if isinstance(x := getattr(p, "name", None), str) else "" for p in parts]
        if len(set(own)) < len(own) or not all(own):
            own = [chr(65 + place) for place in range(len(parts))]
    names = tuple(map(str, names if names is not None else own))
    is_dict = any(isinstance(part, Mapping) for part in parts)
    read = [read_scores(x, n, metric if is_dict else None) for x, n in zip(parts, names)]
    design = read_design(cv, runs=runs, folds=folds, test_fraction=test_fraction)
    design, blocks = as_blocks(read, names, design)
    notes = suspicions(blocks, names, greater_is_better)
    return Gated(names, tuple(blocks), design, metric or "score", tuple(notes))


def estimators(
    given: Sequence[Any], X: Any, y: Any, *, cv: Any, groups: Any = None, scoring: Any = None,
    random_state: int | None = None,
) -> tuple[list[tuple[np.ndarray, np.ndarray]], Design, list[Any], str, tuple[str, ...]]:
    """Check estimators and data before anything is trained.

    Returns
    -------
    splits, design, scorers, metric, notes
        The splits as pairs of row numbers (train, test); their design; a scorer for each estimator;
        what the scores are called; what may be wrong.
    """
    raise NotImplementedError


def predictions(
    y_true: Any, *given: Any, names: Sequence[str] | None = None, labels: Any = None
) -> tuple[tuple[str, ...], np.ndarray, list[np.ndarray], tuple[str, ...]]:
    """Read the classes of a test set and the predictions of k classifiers for it.

    Returns
    -------
    names, right, notes
        `right` has shape (k, instances): whether each classifier was right.
    """
    raise NotImplementedError


def benchmark(frame: Any, *, greater_is_better: bool = True) -> tuple[Any, tuple[str, ...]]:
    """Read scores over data sets.

    Returns
    -------
    wide, notes
        A DataFrame with a row per data set and a column per classifier; what may be wrong.
    """
    raise NotImplementedError
