"""Results of scikit-learn: of cross-validation, and of searches."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from replib._labels.columns import notes_about_name
from replib._names.scores import refuse_column
from replib._tables.arguments import models_by_name
from replib._validation import (
    Array,
    check_instance,
    listed,
    one_line,
    set_fields,
    shown,
)
from replib.designs import CV, Design, design_of_splits, find_design
from replib.readers.arrays import from_arrays
from replib.scores import Metric, Scores, find_metric

#: Candidates of a search that a note names.
_MOST_FAILED_NAMED = 5


def from_cross_validate(
    results: Mapping[str, Any],
    *,
    metric: str | Metric,
    design: Any = None,
    score: str | None = None,
) -> Scores:
    """Read the results of scikit-learn's `cross_validate` for several models.

    Parameters
    ----------
    results : dict of dict
        By the names of the models, what `cross_validate` returned.
    metric : str or Metric
        If there are several, the name of one of them.
    score : str, optional
        The entry with the scores, such as "test_acc", if it is not called after the
        metric.
    design : design, text or splitter, optional
        May be left out if the results have indices (``return_indices=True``).

    Returns
    -------
    Scores

    Raises
    ------
    ValueError
        If an entry is missing, or the indices show different splits or another design.

    Examples
    --------
    >>> from_cross_validate({"a": {"test_score": [.8, .9]}, "b": {"test_score": [.7, .6]}},
    ...                     metric="accuracy", design="1x2").blocks["b"].tolist()
    [[0.7, 0.6]]
    """
    metric = find_metric(metric)
    check_instance("score", score, str, type(None))
    arrays: dict[str, Any] = {}
    splits: list[Any] = []
    for name, result in models_by_name("results", results).items():
        arrays[name] = _test_scores(name, result, metric, score)
        if "indices" not in result:
            continue
        own_splits = [
            [rows.tolist() for rows in result["indices"][part]]
            for part in ("train", "test")
        ]
        if splits not in ([], own_splits):
            raise ValueError(
                f"{name} was scored on other splits than the models before it: "
                "give all models the same splitter, with random_state="
            )
        splits = own_splits
    if splits:
        design = design_of_indices(list(zip(*splits)), design)
    scores = from_arrays(arrays, design=design, metric=metric)
    if score is not None:
        refuse_column(score, metric.name, metric.better)
        set_fields(scores, notes=(*scores.notes, *notes_about_name(score, metric)))
    return scores


def _test_scores(name: str, result: Any, metric: Metric, score: str | None) -> Any:
    """Return the scores of a model in what `cross_validate` returned."""
    check_instance(name, result, Mapping, pd.DataFrame)
    entries = [key for key in result if str(key).startswith("test_")]
    # a single scorer has no name
    usual = "test_score" if "test_score" in entries else f"test_{metric.name}"
    entry = usual if score is None else score
    if entry not in entries:
        raise ValueError(
            f"{name} has no test score {shown(entry)}: it has {listed(entries)}"
        )
    return result[entry]


def design_of_indices(splits: Sequence[Any], design: Any) -> Any:
    """Return the design of pairs of rows, which must be that declared."""
    from_indices = design_of_splits(splits)
    if design is None:
        return from_indices
    design = find_design(design)
    is_same_kind = isinstance(design, type(from_indices))
    if not is_same_kind or design.shape != from_indices.shape:
        raise ValueError(
            f"design is {design}, and the indices are those of {from_indices}"
        )
    # the shares of the rows themselves, which are rounded in the declared ones
    return replace(from_indices, groups=design.groups)


def from_search(
    search: Any, *, metric: str | Metric | None = None, design: Any = None
) -> Scores:
    """Read the candidates of a grid or random search as models.

    Parameters
    ----------
    search : fitted GridSearchCV or RandomizedSearchCV, or its `cv_results_`
    metric : str or Metric, optional
        What was scored; by default that with which the search chose.  If it scored
        several, the name of one of them.
    design : design, text or splitter, optional
        Needed with `cv_results_`, and with splits that the search no longer has.

    Returns
    -------
    Scores
        The models are called such as "C=1, kernel='rbf'".  Candidates that failed are
        left out, with a note.

    Raises
    ------
    ValueError
        If the search is not fitted, halves its candidates, or did not score by
        `metric`.

    Examples
    --------
    >>> results = {"params": [{"C": 1}, {"C": 9}], "mean_test_score": [.75, .85],
    ...            "split0_test_score": [.7, .8], "split1_test_score": [.8, .9]}
    >>> from_search(results, metric="accuracy", design="1x2").models
    ('C=1', 'C=9')
    """
    results = getattr(search, "cv_results_", search)
    if not isinstance(results, Mapping | pd.DataFrame) or "params" not in results:
        raise ValueError(
            "search must be a fitted GridSearchCV or RandomizedSearchCV or its "
            f"cv_results_, not {shown(search)}"
        )
    if "iter" in results:
        raise ValueError(
            "a halving search does not score all candidates on the same data, so its "
            "scores cannot be compared"
        )
    scoring = None
    if search is not results:
        scoring = _scoring(search)
        if metric is None:
            metric = search.refit if isinstance(search.refit, str) else scoring
        if design is None:
            design = _design_of_search(search)
    metric = find_metric(metric)
    design = find_design(design)

    names = [_candidate_name(parameters) for parameters in results["params"]]
    table = _candidate_scores(results, _scorer_name(results, metric, scoring))
    is_scored: list[bool] = np.isfinite(table).all(axis=1).tolist()  # type: ignore[assignment]
    arrays = {name: row for name, row, scored in zip(names, table, is_scored) if scored}
    if len(arrays) < 2:
        raise ValueError(
            f"search must have at least two candidates with scores, not {len(arrays)}"
        )
    candidates = from_arrays(arrays, design=design, metric=metric)
    scores = replace(candidates, of_search=True)
    failed = [name for name, scored in zip(names, is_scored) if not scored]
    if not failed:
        return scores
    note = (
        f"{len(failed)} of {len(names)} candidates failed and are left out: "
        f"{listed(failed[:_MOST_FAILED_NAMED])}"
    )
    return replace(scores, notes=(note,))


def _scoring(search: Any) -> Any:
    """Return what a search scored by; without a scorer, that of its estimator."""
    if search.scoring is not None:
        return search.scoring
    kind = search.__sklearn_tags__().estimator_type
    return {"classifier": "accuracy", "regressor": "r2"}.get(kind)


def _design_of_search(search: Any) -> Design:
    """Return the design of the splits, which were drawn once for all candidates."""
    cv = 5 if search.cv is None else search.cv
    return CV(1, cv) if isinstance(cv, int) else find_design(cv, seeded=False)


def _scorer_name(results: Any, metric: Metric, scoring: Any) -> str:
    """Return the name that a metric has among the columns of a search's results."""
    prefix = "mean_test_"
    names = [
        key.removeprefix(prefix) for key in map(str, results) if key.startswith(prefix)
    ]
    if names != ["score"]:
        if metric.name not in names:
            raise ValueError(
                f"metric is {metric.name}, and the search scored {listed(names)}"
            )
        return metric.name
    # a single scorer is called "score"; a function may be called anything
    if scoring is not None and not callable(scoring) and metric.name != scoring:
        raise ValueError(
            f"metric is {metric.name}, and the search scored {listed([scoring])}"
        )
    return "score"


def _candidate_scores(results: Any, scorer: str) -> Array:
    """Return the scores of each candidate (row) on each split (column)."""
    columns: list[Array] = []
    while (key := f"split{len(columns)}_test_{scorer}") in results:
        columns.append(np.asarray(results[key], float))
    return np.column_stack(columns)


def _candidate_name(parameters: Mapping[str, Any]) -> str:
    """Return a candidate's parameters as the name of a model.

    >>> _candidate_name({"C": 1, "kernel": "rbf"})
    "C=1, kernel='rbf'"
    >>> _candidate_name({"C": np.float64(0.5)})
    'C=0.5'
    """
    settings = [
        f"{key}={one_line(repr(_plain_number(value)))}"
        for key, value in parameters.items()
    ]
    return ", ".join(settings) or "no parameters"


def _plain_number(value: Any) -> Any:
    """Return a number of NumPy as one of Python, whose repr is its digits."""
    return value.item() if isinstance(value, np.generic) else value
