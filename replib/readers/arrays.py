"""Arrays of scores by model, with or without labels."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replib._missing import check_policy
from replib._strata import strata_of_labels
from replib._tables.arguments import models_by_name
from replib._tables.index import index_keys
from replib._tables.labels import check_labels
from replib._validation import Array, listed, real_array
from replib.designs import CV, Datasets, Design, Items, RandomSplits, Seeds, find_design
from replib.readers._matching import (
    Named,
    groups_of_items,
    have_labels,
    in_order_of_keys,
    item_series,
    with_groups,
)
from replib.scores import MatchedArrays, Metric, Scores, find_metric


def from_arrays(
    arrays: Mapping[str, Any],
    *,
    design: Any,
    metric: str | Metric,
    clusters: Any = None,
    tasks: Any = None,
    missing: str = "refuse",
) -> Scores:
    """Read an array of scores per model.

    Parameters
    ----------
    arrays : dict of array_like, Series or DataFrame
        By the names of the models.  Shapes: (runs, folds) or (runs * folds,), all folds
        of the first run first; (splits,); (seeds,); (items,) or (runs, items);
        (datasets,), and if the design says what was done on each data set, (datasets,
        runs, folds), (datasets, runs * folds), (datasets, splits) or (datasets, seeds).
        Arrays without labels have the same order; Series and DataFrames are matched by
        their labels, unless these only count the rows.
    design : design, text or splitter
        As for :func:`replib.designs.find_design`.
    metric : str or Metric
    clusters : array_like, shape (items,), optional
        Cluster of each item, or its fold if the items were predicted by fold.
    tasks : array_like, shape (items,), optional
        Task of each item of a suite.
    missing : {"refuse", "common"}
        As for :class:`replib.scores.Scores`; NaN is a score that is missing.

    Returns
    -------
    Scores

    Raises
    ------
    ValueError
        If shapes do not fit the design or each other, or only some arrays have labels.

    Examples
    --------
    >>> scores = from_arrays({"a": [.8, .9, .7, .8], "b": [.7, .9, .6, .8]}, design="2x2",
    ...                      metric="accuracy")
    >>> scores.blocks["a"].tolist()
    [[0.8, 0.9], [0.7, 0.8]]
    """
    check_policy(missing)
    arrays = models_by_name("arrays", arrays)
    metric = find_metric(metric)
    design = with_groups(find_design(design), clusters, tasks)
    groups = groups_of_items(design, clusters, tasks)
    arrays = {
        name: in_order_of_keys(name, values, design) for name, values in arrays.items()
    }
    if not have_labels([*arrays.items(), *groups.values()]):
        matched = _matched_by_position(arrays, design, groups)
        if missing == "refuse":
            return Scores(matched, metric=metric, design=design, missing=missing)
        arrays = {
            model: _as_series(array, design) for model, array in matched.arrays.items()
        }

    series = _labelled_scores(arrays, design)
    frame = series.reset_index()
    # a refusal then names rows by all their labels
    frame = frame.set_axis(series.index.rename([None] * series.index.nlevels))
    for role, (name, values) in groups.items():
        items = pd.Index(frame["item"].unique())
        labels = item_series(name, values, items)
        frame[design.roles[role]] = frame["item"].map(labels)
    return Scores(frame, metric=metric, design=design, missing=missing)


def _as_series(array: Array, design: Design) -> "pd.Series[Any]":
    """Return an array with its places as labels of the keys of the design."""
    places = pd.MultiIndex.from_product(
        [range(size) for size in array.shape], names=design.keys
    )
    index = places if len(design.keys) > 1 else places.get_level_values(0)
    return pd.Series(array.ravel(), index)


def _matched_by_position(
    arrays: Mapping[str, Any], design: Design, groups: Mapping[str, Named]
) -> MatchedArrays:
    """Return arrays without labels, which must have the same shapes."""
    shaped = {name: _shaped(name, values, design) for name, values in arrays.items()}
    first, *_ = shaped
    # the runs of a model are its own, unless they are paired
    has_runs = isinstance(design, Seeds | Items) and design.keys[0] == "run"
    has_own_runs = has_runs and not getattr(design, "paired", True)
    common = slice(1, None) if has_own_runs else slice(None)
    for name, array in shaped.items():
        if array.shape[common] != shaped[first].shape[common]:
            raise ValueError(
                f"{first} and {name} must have equal shapes, not "
                f"{np.shape(arrays[first])} and {np.shape(arrays[name])}"
            )
    items = pd.RangeIndex(shaped[first].shape[-1])
    labels = {
        role: item_series(name, np.asarray(values), items)
        for role, (name, values) in groups.items()
    }
    clusters = None
    if design.clustering is not None:
        clusters, _ = pd.factorize(labels[design.clustering])
    strata = None
    if isinstance(design, Items) and "task" in labels:
        check_labels("task", labels["task"].unique())
        strata = strata_of_labels(labels["task"], None, design)
    return MatchedArrays(shaped, clusters, strata)


def _shaped(name: str, values: Any, design: Design) -> NDArray[np.float64]:
    """Return an array with an axis for each key of the design."""
    array = real_array(name, values)
    if isinstance(design, Datasets):
        outer = array.shape[:1] if design.within else ()
        repeated: Any = design.within or design
    else:
        outer = ()
        repeated = design
    inner = array.shape[len(outer) :]
    if isinstance(repeated, CV | RandomSplits):
        runs, folds = repeated.shape
        if inner in ((runs, folds), (runs * folds,)):
            # random splits are runs of a single test set, which has no key
            shape = (runs, folds)[: len(repeated.keys)]
            return array.reshape(*outer, *shape)
        wanted = ["datasets"] * len(outer) + [str(size) for size in (runs, folds)][
            : len(repeated.keys)
        ]
    else:
        if array.ndim == len(design.keys):
            return array
        if array.ndim == 1 and design.keys == ("run", "item"):
            return array[None]  # a single run
        wanted = [f"{key}s" for key in design.keys]
    raise ValueError(
        f"{name} must have shape ({', '.join(wanted)}) for {design}, not {array.shape}"
    )


def _labelled_scores(arrays: Mapping[str, Any], design: Design) -> "pd.Series[Any]":
    """Return the scores of all models with the labels of model and keys of the design."""
    possible = (len(design.needed), len(design.keys))
    labelled: dict[str, Any] = {}
    n_levels = None
    for name, values in arrays.items():
        # rows first: the first key of a table is that of its index
        series = values.T.unstack() if isinstance(values, pd.DataFrame) else values
        n_levels = n_levels or series.index.nlevels
        if series.index.nlevels != n_levels or n_levels not in possible:
            raise ValueError(
                f"{name} must have labels of {listed(design.needed)}, or be an array "
                "without labels"
            )
        labelled[name] = _with_keys(name, series, design.keys[-n_levels:], design)
    return pd.concat(labelled, names=["model"]).rename("score")


def _with_keys(
    name: str, series: "pd.Series[Any]", keys: Sequence[str], design: Design
) -> "pd.Series[Any]":
    """Return a series whose levels are keys of the design, in the design's order."""
    levels = index_keys(name, series.index.names, keys, design)
    series = series.rename_axis(levels)
    return series if len(keys) == 1 else series.reorder_levels(list(keys))
