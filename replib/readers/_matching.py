"""Values matched by labels or by position, and what items are grouped by."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from replib._sources import counts_rows
from replib._tables.index import index_keys
from replib._tables.labels import refuse_measured_clusters
from replib._validation import listed, shown
from replib.designs import Design, Items


def have_labels(named: Sequence[tuple[str, Any]]) -> bool:
    """Return whether values have labels; refuse a mixture."""
    labelled: list[str] = []
    without: list[str] = []
    for name, values in named:
        is_labelled = isinstance(values, pd.Series | pd.DataFrame) and not all(
            counts_rows(axis) for axis in values.axes
        )
        (labelled if is_labelled else without).append(name)
    if labelled and without:
        raise ValueError(
            f"{labelled[0]} has labels and {without[0]} has none: give labels to both, "
            "or arrays without labels in the same order"
        )
    return bool(labelled)


def in_order_of_keys(name: str, values: Any, design: Design) -> Any:
    """Return values with a row per run, as the names of their axes say, if they have any.

    Also of labels that only count: these are read by their place.
    """
    if isinstance(values, pd.DataFrame) and len(design.keys) == 2:
        names = [values.index.name, values.columns.name]
        keys = index_keys(name, names, design.keys, design)
        return values if keys == list(design.keys) else values.T
    if isinstance(values, pd.Series) and values.index.nlevels == 1:
        index_keys(name, values.index.names, design.keys[-1:], design)
    return values


def item_series(name: str, values: Any, items: pd.Index) -> "pd.Series[Any]":
    """Return a value for each item, by its label."""
    if not isinstance(values, pd.Series):
        array = np.asarray(values)
        has_gap = name in ("clusters", "tasks") and pd.isna(array).any()
        if array.shape != items.shape or has_gap:
            raise ValueError(
                f"{name} must have a value for each of {len(items)} items, not shape "
                f"{array.shape}"
            )
        values = pd.Series(array, items)
    if not values.index.is_unique:
        raise ValueError(f"{name} must have a value for each item, and not two")
    check_items(name, values.index, items)
    return values


def check_items(name: str, labels: pd.Index, items: pd.Index) -> None:
    """Refuse values that have not the labels of the items."""
    missing = items.difference(labels, sort=False)
    if len(missing):
        raise ValueError(
            f"{name} has no item {shown(missing[0])}: it has {listed(labels)}"
        )


class Named(NamedTuple):
    """Values of the items, and the argument that has them."""

    name: str
    values: Any


def groups_of_items(design: Design, clusters: Any, tasks: Any) -> dict[str, Named]:
    """Return by their roles what the items are grouped by."""
    groups = {}
    if design.clustering is not None:
        refuse_measured_clusters(clusters)
        groups[design.clustering] = Named("clusters", clusters)
    if tasks is not None:
        groups["task"] = Named("tasks", tasks)
    return groups


def with_groups(design: Design, clusters: Any, tasks: Any) -> Design:
    """Return the design with names of clusters and of tasks, if there are any."""
    if design.clustering is not None and clusters is None:
        raise ValueError(
            f"clusters must give the {design.clustering} of each item (of "
            "leave-one-out, range(n))"
        )
    if getattr(design, "suite", None) is not None and tasks is None:
        raise ValueError("tasks must give the task of each item")
    for name, values in (("clusters", clusters), ("tasks", tasks)):
        if values is not None and not isinstance(design, Items):
            raise ValueError(f"{name} are of items, and the design is {design}")
    if not isinstance(design, Items):
        return design
    if design.strata:
        raise ValueError("strata are read from a column: give Scores a DataFrame")
    if clusters is not None and design.clustering is None:
        design = replace(design, cluster="cluster")
    if tasks is not None and design.suite is None:
        design = replace(design, suite="task")
    return design
