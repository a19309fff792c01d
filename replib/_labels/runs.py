"""Notes about runs, and clusters, that by their column are made otherwise than the design says."""

import re
from collections.abc import Iterator
from typing import Any

from replib._labels.texts import is_labelled, texts_of_key
from replib._names.kinds import kind_of_name, kind_of_numbered, plural
from replib._names.parts import is_of_training
from replib._validation import shown
from replib.designs import Items, RandomSplits, Seeds
from replib.scores import Predictions, Scores

#: So many rows are looked at for the labels of their clusters.
_MOST_ROWS = 10_000


def notes_about_runs(table: Scores | Predictions) -> Iterator[str]:
    """Note runs that are made otherwise than the design says, and folds as clusters."""
    name, design = table.columns.get("run"), table.design
    kind = kind_of_name(name)
    if isinstance(design, Items):
        yield from _runs_of_items(name, kind, design)
        yield from _folds_as_clusters(table, design)
    elif isinstance(design, Seeds) and (kind == "split" or _is_of_cv(name, kind)):
        yield (
            f"Column {shown(name)} has {plural(str(kind))} of a cross-validation by its "
            "name, and no seeds: say with design how the scores were made."
        )
    elif isinstance(design, RandomSplits) and kind == "bootstrap sample":
        if kind_of_numbered(texts_of_key(table, "run")) == kind:
            return  # is noted where rows are
        yield (
            f"Column {shown(name)} may have bootstrap samples by its name: were the rows "
            "of each drawn without replacement?"
        )


def _runs_of_items(name: Any, kind: str | None, design: Items) -> Iterator[str]:
    """Note trainings that are samples by the name of their column, or the reverse."""
    is_trained = kind == "seed" and is_of_training(name)
    if design.runs == "trainings" and kind == "sample":
        yield (
            f"Column {shown(name)} has samples by its name, and the runs are taken to "
            'be trainings: say Items(runs="samples") if they are none.'
        )
    elif design.runs == "samples" and is_trained:
        yield (
            f"Column {shown(name)} has trainings by its name, and the runs are taken "
            'to be samples: say Items(runs="trainings") if they are none.'
        )


def _is_of_cv(name: Any, kind: str | None) -> bool:
    """Return whether a column numbers repetitions of a cross-validation by its name."""
    return kind == "repetition" and "cv" in re.findall("[a-z]+", str(name).casefold())


def _folds_as_clusters(table: Scores | Predictions, design: Items) -> Iterator[str]:
    """Note clusters that are folds by their column or their labels."""
    if design.cluster is None or not is_labelled(table):
        return
    name = table.columns.get("cluster", design.cluster)
    labels = table.frame["cluster"].iloc[:_MOST_ROWS].astype(str).unique()
    if "fold" in (kind_of_name(name), kind_of_numbered(labels)):
        yield (
            "The clusters are folds by their name: did the model of its fold predict each "
            'item? Then say Items(predicted="by_fold") instead.'
        )


__all__ = ["notes_about_runs"]
