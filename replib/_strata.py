"""Tasks of a suite, and the strata in them: how their items are weighted in a mean."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from replib._validation import Array, refusal, shown
from replib.designs import Items

Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Strata:
    """Where the items of a suite come from.

    A task is one stratum, or has several, such as the subjects of a group of tasks.  New
    items are drawn from each stratum, never from other strata.

    Attributes
    ----------
    tasks : tuple of str
        Names of the tasks.
    strata : tuple of str
        Names of the strata; those of the tasks, unless a task has several.
    task, stratum : ndarray of int, shape (items,)
        Places of their names.
    weights : ndarray, shape (strata,)
        Of the mean of each stratum in the mean of all; they sum to 1.
    """

    tasks: tuple[str, ...]
    strata: tuple[str, ...]
    task: Codes
    stratum: Codes
    weights: Array

    @classmethod
    def from_labels(
        cls,
        tasks: ArrayLike,
        strata: ArrayLike | None = None,
        *,
        mean: str = "tasks",
        equal_strata: Sequence[str] = (),
    ) -> Self:
        """Return the strata that labels of the items name.

        Parameters
        ----------
        tasks : array_like, shape (items,)
        strata : array_like, shape (items,), optional
            Labels that may occur in several tasks.
        mean, equal_strata
            As for :class:`replib.designs.Items`.

        Raises
        ------
        ValueError
            If a stratum has a single item, or there is no task with strata to be equal.

        Examples
        --------
        >>> suite = Strata.from_labels(["qa", "qa", "qa", "code", "code"])
        >>> suite.tasks, suite.weights.tolist()
        (('qa', 'code'), [0.5, 0.5])
        >>> suite.mean(np.array([1, 1, 0, 0, 0])).round(3)
        np.float64(0.333)
        """
        task, task_names = pd.factorize(np.asarray(tasks))
        names = tuple(map(str, task_names))
        unknown = set(equal_strata).difference(names)
        if unknown:
            raise ValueError(
                f"there is no task {shown(min(unknown))} whose strata could count equally"
            )
        stratum = task
        stratum_names = names
        if strata is not None:
            labels = pd.MultiIndex.from_arrays([task, np.asarray(strata)])
            stratum, pairs = pd.factorize(labels)
            stratum_names = tuple(str(name) for _, name in pairs)
        sizes = np.bincount(stratum)
        if sizes.min() < 2:
            alone = stratum_names[int(sizes.argmin())]
            kind = "task" if strata is None else "stratum"
            raise refusal(
                f"{kind} {shown(alone)} has one item, and at least two are needed to "
                "show how items vary",
                "leave it out by where=",
                "choose the others by --task",
            )
        task_of_stratum = np.zeros(len(sizes), np.int64)
        task_of_stratum[stratum] = task
        weights = _weights(sizes, task_of_stratum, names, mean, equal_strata)
        return cls(names, stratum_names, task, stratum, weights)

    @property
    def item_weights(self) -> Array:
        """Weight of each item in the mean of all."""
        sizes = np.bincount(self.stratum)
        return np.asarray((self.weights / sizes)[self.stratum])

    def mean(self, scores: Array) -> Any:
        """Return the mean of scores whose last axis is that of the items."""
        return (scores * self.item_weights).sum(axis=-1)

    def task_means(self, scores: Array) -> Array:
        """Return the mean of each task, on the last axis."""
        weights = self.item_weights
        totals = np.bincount(self.task, weights)
        shares = weights / totals[self.task]
        means = [
            (scores * shares)[..., self.task == task].sum(axis=-1)
            for task in range(len(self.tasks))
        ]
        return np.stack(means, axis=-1)

    def within(self, task: int) -> "Strata | None":
        """Return the strata of the items of a task alone; None if it has only one."""
        items = self.task == task
        indices, stratum = np.unique(self.stratum[items], return_inverse=True)
        if len(indices) == 1:
            return None
        names = tuple(self.strata[index] for index in indices)
        weights = self.weights[indices]
        return Strata(names, names, stratum, stratum, weights / weights.sum())


def strata_of_labels(tasks: Any, strata: Any, design: Items) -> Strata | None:
    """Return the strata that labels of items name; None if all items are of one."""
    suite = Strata.from_labels(
        tasks, strata, mean=design.mean, equal_strata=design.equal_strata
    )
    return suite if len(suite.strata) > 1 else None


def _weights(
    sizes: Codes,
    task: Codes,
    task_names: Sequence[str],
    mean: str,
    equal_strata: Sequence[str],
) -> Array:
    """Return the weight of each stratum of `sizes` items of a `task` in the mean of all."""
    if mean == "items":
        return np.asarray(sizes / sizes.sum())
    counts_equally = np.isin(np.array(task_names), list(equal_strata))[task]
    weight_in_task = np.where(counts_equally, 1.0, sizes)
    total_of_task = np.bincount(task, weight_in_task)
    return np.asarray(weight_in_task / total_of_task[task] / len(task_names))
