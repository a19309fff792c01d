"""Bayesian networks over nominal variables: sampling, and exact results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from companion.lab.sources.flat_network import FlatNetwork, sample_into
from replib._validation import real_array

_MOST = 127  # values of a variable: the largest int8
_LARGEST_JOINT = 2**22  # cells; enumeration needs well below 100 MB
_ROUNDING = 1e-9  # largest distance of a table row's sum from one


@dataclass(frozen=True, eq=False)
class BayesianNetwork:
    """A joint distribution of a class and of nominal attributes.

    Variable 0 is the class; variables 1 to `n_attributes` are the attributes.  The
    parents of a variable come before it, so there is no cycle, and the class has no
    parents.

    Parameters
    ----------
    parents : sequence of sequence of int
        For each variable its parents, ascending.
    tables : sequence of array_like
        For each variable its probabilities given its parents, shape (cardinalities of
        the parents..., cardinality of the variable); the last axis sums to one.

    Raises
    ------
    ValueError
        If there is no attribute, a parent does not come before its child, or a table
        does not have the shape that its parents require or does not hold probabilities.

    Examples
    --------
    The exclusive or of two fair coins, which naive Bayes cannot learn:

    >>> xor = BayesianNetwork(
    ...     parents=[(), (0,), (0, 1)],
    ...     tables=[[0.5, 0.5], [[0.5, 0.5], [0.5, 0.5]], [[[1, 0], [0, 1]], [[0, 1], [1, 0]]]],
    ... )
    >>> xor.bayes_accuracy
    1.0
    >>> xor.expected_accuracy([[0, 0, 0, 0], [0, 1, 1, 0]]).tolist()
    [0.5, 1.0]
    >>> labels, columns = xor.sample(1000, np.random.default_rng(1))
    >>> bool((labels == columns[0] ^ columns[1]).all())
    True
    """

    parents: Sequence[Sequence[int]]
    tables: Sequence[ArrayLike] = field(repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "parents", tuple(tuple(int(u) for u in p) for p in self.parents)
        )
        object.__setattr__(
            self, "tables", tuple(_frozen(table) for table in self.tables)
        )
        _check(self.parents, self.tables)

    @property
    def cardinality(self) -> tuple[int, ...]:
        """Number of values of each variable, the class first."""
        return tuple(table.shape[-1] for table in self.tables)

    @property
    def n_classes(self) -> int:
        return self.cardinality[0]

    @property
    def n_attributes(self) -> int:
        return len(self.tables) - 1

    @property
    def class_probabilities(self) -> np.ndarray:
        return self.tables[0]

    def arrows(self) -> list[tuple[int, int]]:
        """Return the arrows between attributes, each from a parent to its child.

        Examples
        --------
        >>> fair = [0.5, 0.5]
        >>> BayesianNetwork([(), (), (1,)], [fair, fair, [fair, [0.1, 0.9]]]).arrows()
        [(1, 2)]
        """
        return [(u, v) for v, above in enumerate(self.parents) for u in above if u > 0]

    def with_class_probabilities(
        self, probabilities: Sequence[float]
    ) -> "BayesianNetwork":
        """Return the same network with other probabilities of the same number of classes.

        Parameters
        ----------
        probabilities : sequence of float
            One per class.

        Returns
        -------
        BayesianNetwork

        Raises
        ------
        ValueError
            If they are not probabilities, one per class.
        """
        return BayesianNetwork(self.parents, (probabilities, *self.tables[1:]))

    # ---------------------------------------------------------------- sampling

    @cached_property
    def flat(self) -> FlatNetwork:
        """The network in the form that :func:`companion.lab.sources.sample_into` takes."""
        strides = [
            np.cumprod((1, *table.shape[-2:0:-1]))[::-1][: table.ndim - 1]
            for table in self.tables
        ]
        cumulated = [np.cumsum(table, axis=-1) for table in self.tables]
        # divided by the sum of the row, so that a last value of probability 0 is never
        # drawn
        limits = [(row[..., :-1] / row[..., -1:]).ravel() for row in cumulated]
        return FlatNetwork(
            cardinality=np.array(self.cardinality),
            parents=np.concatenate(
                [np.array(above, dtype=np.int64) for above in self.parents]
            ),
            strides=np.concatenate(strides).astype(np.int64),
            first_parent=np.cumsum([0, *map(len, self.parents)]),
            limits=np.concatenate(limits),
            first_limit=np.cumsum([0, *map(len, limits[:-1])]),
        )

    def sample(self, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Draw rows by stochastic simulation: each variable after its parents.

        A row takes one uniform number per variable, in the order of the variables, so
        the first rows of a larger sample are the smaller sample.

        Parameters
        ----------
        n : int
            Number of rows, at least 1.
        rng : Generator

        Returns
        -------
        labels : ndarray of int8, shape (n,)
            Classes.
        columns : ndarray of int8, shape (n_attributes, n)
            Values of the attributes.
        """
        labels = np.empty(n, dtype=np.int8)
        columns = np.empty((self.n_attributes, n), dtype=np.int8)
        sample_into(rng, self.flat, labels, columns)
        return labels, columns

    def frame(
        self, labels: ArrayLike, columns: ArrayLike
    ) -> tuple[pd.DataFrame, pd.Series]:
        """Return rows in the form that learners take: all values are declared, even unused ones.

        Parameters
        ----------
        labels : array_like of int, shape (n,)
        columns : array_like of int, shape (n_attributes, n)
            As :meth:`sample` returns them.

        Returns
        -------
        X : DataFrame
            Columns ``x1``, ``x2``, ..., categorical.
        y : Series
            Categorical, with the name ``class``.

        Examples
        --------
        >>> coin = BayesianNetwork([(), ()], [[0.5, 0.5], [0.2, 0.8]])
        >>> X, y = coin.frame([0, 0], [[1, 1]])
        >>> X["x1"].cat.categories.tolist(), y.tolist()
        ([0, 1], [0, 0])
        """
        rows, *others = (
            pd.Categorical.from_codes(codes, categories=range(cardinality))
            for codes, cardinality in zip([labels, *columns], self.cardinality)
        )
        named = {f"x{a}": values for a, values in enumerate(others, start=1)}
        return pd.DataFrame(named), pd.Series(rows, name="class")

    # ---------------------------------------------------------------- by enumeration

    def grid(self) -> np.ndarray:
        """Return every combination of values of the attributes, the last attribute fastest.

        Returns
        -------
        ndarray of int8, shape (n_attributes, combinations)
            Columns like those of :meth:`sample`.

        Raises
        ------
        ValueError
            If the joint distribution is too large to enumerate.
        """
        self._check_size()
        return np.indices(self.cardinality[1:], dtype=np.int8).reshape(
            self.n_attributes, -1
        )

    def joint(self) -> np.ndarray:
        """Return the probability of every combination of values of the attributes and every class.

        Returns
        -------
        ndarray of float, read-only, shape (combinations, n_classes)
            Combinations as in :meth:`grid`.

        Raises
        ------
        ValueError
            If there are more than four million cells.

        Examples
        --------
        >>> coin = BayesianNetwork([(), (0,)], [[0.5, 0.5], [[0.2, 0.8], [0.4, 0.6]]])
        >>> coin.joint().tolist()
        [[0.1, 0.2], [0.4, 0.3]]
        """
        return self._joint

    @cached_property
    def _joint(self) -> np.ndarray:
        self._check_size()
        joint = np.ones(())
        for v, (above, table) in enumerate(zip(self.parents, self.tables)):
            axes = {*above, v}
            # parents ascend and precede the variable, so its table has the axes in
            # order
            shape = [
                k if u in axes else 1 for u, k in enumerate(self.cardinality[: v + 1])
            ]
            joint = joint[..., np.newaxis] * table.reshape(shape)
        return _frozen(joint.reshape(self.n_classes, -1).T)

    @property
    def bayes_accuracy(self) -> float:
        """Largest expected accuracy of any classifier, between 0 and 1."""
        return float(self.joint().max(axis=1).sum())

    def expected_accuracy(self, predicted: ArrayLike) -> np.ndarray | float:
        """Return the accuracy of classifiers on an infinite test set.

        Parameters
        ----------
        predicted : array_like of int, shape (..., combinations)
            The class predicted for each combination of :meth:`grid`.

        Returns
        -------
        float or ndarray of float, shape (...)
            Between 0 and 1.
        """
        cells = np.asarray(predicted) + np.arange(0, self.joint().size, self.n_classes)
        return self.joint().take(cells).sum(axis=-1)[()]

    def _check_size(self) -> None:
        cells = prod(self.cardinality)
        if cells > _LARGEST_JOINT:
            raise ValueError(
                f"the joint distribution has {cells} cells; at most {_LARGEST_JOINT} are enumerated"
            )

    # ---------------------------------------------------------------- plain data

    def to_dict(self) -> dict[str, list]:
        """Return the network as data for JSON, with every bit of the probabilities."""
        return {
            "parents": [list(above) for above in self.parents],
            "tables": [table.tolist() for table in self.tables],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, list]) -> "BayesianNetwork":
        """Make a network from the result of :meth:`to_dict`."""
        return cls(data["parents"], data["tables"])


def _check(
    parents: tuple[tuple[int, ...], ...], tables: tuple[np.ndarray, ...]
) -> None:
    if not len(parents) == len(tables) >= 2 or parents[0]:
        raise ValueError(
            "a network has a class without parents and one attribute or more, each with its table"
        )
    for v, (above, table) in enumerate(zip(parents, tables)):
        if above != tuple(sorted({u for u in above if 0 <= u < v})):
            raise ValueError(
                f"the parents of variable {v} must be ascending numbers from 0 to {v - 1}, "
                f"not {above}"
            )
        expected = tuple(tables[u].shape[-1] for u in above)
        if table.shape[:-1] != expected or not (
            table.ndim and 2 <= table.shape[-1] <= _MOST
        ):
            raise ValueError(
                f"the table of variable {v} must have shape "
                f"({', '.join(map(str, (*expected, f'2 to {_MOST}')))}), not {table.shape}"
            )
        # `not all` instead of `any`, because NaN is not a probability either
        if not (
            np.all(table >= 0) and np.all(np.abs(table.sum(axis=-1) - 1) <= _ROUNDING)
        ):
            raise ValueError(
                f"each row of the table of variable {v} must hold probabilities that sum to one"
            )


def _frozen(values: ArrayLike) -> np.ndarray:
    array = np.array(real_array("tables", values), order="C")
    array.flags.writeable = False
    return array
