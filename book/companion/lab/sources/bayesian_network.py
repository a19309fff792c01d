"""Bayesian networks over nominal variables: sampling, and exact results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from companion.lab.sources.flat_network import FlatNetwork, sample_into
from replib.validation import (
    LARGEST_ARRAY,
    check_generator,
    real_array,
    rectangular_array,
    whole_number,
    whole_numbers,
)

LARGEST_CARDINALITY = 127  # the largest int8
_LARGEST_JOINT = 2**22  # cells; enumeration needs well below 100 MB
_ROUNDING = 1e-9  # largest distance of a table row's sum from one


@dataclass(frozen=True, eq=False)
class BayesianNetwork:
    """A joint distribution of a class and of nominal attributes.

    Variable 0 is the class; variables 1 to `n_attributes` are the attributes.  The parents of a
    variable come before it, so there is no cycle, and the class has no parents.

    Parameters
    ----------
    parents : sequence of sequence of int
        For each variable its parents, ascending.
    tables : sequence of array_like
        For each variable its probabilities given its parents, shape (cardinalities of the
        parents..., cardinality of the variable); the last axis sums to one.

    Raises
    ------
    ValueError
        If there is no attribute, a parent does not come before its child, or a table does not have
        the shape that its parents require or does not hold probabilities.

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
        object.__setattr__(self, "parents", tuple(tuple(int(u) for u in p) for p in self.parents))
        object.__setattr__(self, "tables", tuple(_frozen(table) for table in self.tables))
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

    def with_class_probabilities(self, probabilities: Sequence[float]) -> "BayesianNetwork":
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
            If there is not one per class, or they are not probabilities.
        """
        if real_array("probabilities", probabilities).shape != (self.n_classes,):
            raise ValueError(
                f"probabilities must be a list of {self.n_classes} numbers, one per class"
            )
        try:
            return BayesianNetwork(self.parents, (probabilities, *self.tables[1:]))
        except ValueError as problem:
            raise ValueError(f"probabilities cannot be used: {problem}") from problem

    # ---------------------------------------------------------------- sampling

    @cached_property
    def flat(self) -> FlatNetwork:
        """The network in the form that :func:`companion.lab.sources.sample_into` takes."""
        strides = [
            np.cumprod((1, *table.shape[-2:0:-1]))[::-1][: table.ndim - 1] for table in self.tables
        ]
        cumulated = [np.cumsum(table, axis=-1) for table in self.tables]
        # divided by the sum of the row, so that a last value of probability 0 is never drawn
        limits = [(row[..., :-1] / row[..., -1:]).ravel() for row in cumulated]
        return FlatNetwork(
            cardinality=np.array(self.cardinality),
            parents=np.concatenate([np.array(above, dtype=np.int64) for above in self.parents]),
            strides=np.concatenate(strides).astype(np.int64),
            first_parent=np.cumsum([0, *map(len, self.parents)]),
            limits=np.concatenate(limits),
            first_limit=np.cumsum([0, *map(len, limits[:-1])]),
        )

    def sample(self, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Draw rows by stochastic simulation: each variable after its parents.

        A row takes one uniform number per variable, in the order of the variables, so the first
        rows of a larger sample are the smaller sample.

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

        Raises
        ------
        ValueError
            If `n` is not as above, or `rng` is not a generator.
        """
        n = whole_number("n", n, at_least=1, at_most=LARGEST_ARRAY)
        check_generator("rng", rng)
        labels = np.empty(n, dtype=np.int8)
        columns = np.empty((self.n_attributes, n), dtype=np.int8)
        sample_into(rng, self.flat, labels, columns)
        return labels, columns

    def frame(self, labels: ArrayLike, columns: ArrayLike) -> tuple[pd.DataFrame, pd.Series]:
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

        Raises
        ------
        ValueError
            If the shapes are different, or a value is not declared.

        Examples
        --------
        >>> coin = BayesianNetwork([(), ()], [[0.5, 0.5], [0.2, 0.8]])
        >>> X, y = coin.frame([0, 0], [[1, 1]])
        >>> X["x1"].cat.categories.tolist(), y.tolist()
        ([0, 1], [0, 0])
        """
        rows = self._values("labels", labels, 0)
        columns = rectangular_array("columns", columns)
        if columns.shape != (self.n_attributes, len(rows)):
            raise ValueError(
                f"columns must have shape {(self.n_attributes, len(rows))}, as there are "
                f"{len(rows)} labels, not {columns.shape}"
            )
        named = {f"x{a}": self._values("columns", columns[a - 1], a)
                 for a in range(1, self.n_attributes + 1)}
        return pd.DataFrame(named), pd.Series(rows, name="class")

    def _values(self, name: str, values: ArrayLike, variable: int) -> pd.Categorical:
        cardinality = self.cardinality[variable]
        codes = whole_numbers(name, values, at_least=0, at_most=cardinality - 1)
        if codes.ndim != 1:
            raise ValueError(f"{name} must be one list of values, not of shape {codes.shape}")
        return pd.Categorical.from_codes(codes, categories=range(cardinality))

    # ---------------------------------------------------------------- by enumeration

    @property
    def n_combinations(self) -> int:
        """Number of combinations of values of the attributes."""
        return prod(self.cardinality[1:])

    def grid(self) -> np.ndarray:
        """Return every combination of values of the attributes, the last attribute fastest.

        Returns
        -------
        ndarray of int8, shape (n_attributes, n_combinations)
            Columns like those of :meth:`sample`.

        Raises
        ------
        ValueError
            If the joint distribution is too large to enumerate.
        """
        self._check_size()
        return np.indices(self.cardinality[1:], dtype=np.int8).reshape(self.n_attributes, -1)

    def joint(self) -> np.ndarray:
        """Return the probability of every combination of values of the attributes and every class.

        Returns
        -------
        ndarray of float, read-only, shape (n_combinations, n_classes)
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
        return _frozen(self._full_joint().reshape(self.n_classes, -1).T)

    def _full_joint(self) -> np.ndarray:
        """Return the joint distribution with one axis per variable, the class first."""
        self._check_size()
        joint = np.ones(())
        for v, (above, table) in enumerate(zip(self.parents, self.tables)):
            axes = {*above, v}
            # parents ascend and precede the variable, so its table has the axes in order
            shape = [k if u in axes else 1 for u, k in enumerate(self.cardinality[: v + 1])]
            joint = joint[..., np.newaxis] * table.reshape(shape)
        return joint

    @property
    def bayes_accuracy(self) -> float:
        """Largest expected accuracy of any classifier, between 0 and 1."""
        return float(self.joint().max(axis=1).sum())

    def expected_accuracy(self, predicted: ArrayLike) -> np.ndarray | float:
        """Return the accuracy of classifiers on an infinite test set.

        Parameters
        ----------
        predicted : array_like of int, shape (..., n_combinations)
            The class predicted for each combination of :meth:`grid`.

        Returns
        -------
        float or ndarray of float, shape (...)
            Between 0 and 1.

        Raises
        ------
        ValueError
            If the last axis does not have a prediction for each combination, or a class does not
            exist.
        """
        predicted = rectangular_array("predicted", predicted)
        if predicted.ndim == 0 or predicted.shape[-1] != self.n_combinations:
            raise ValueError(
                f"predicted must have {self.n_combinations} entries along its last axis, one for "
                f"each combination of values, but has shape {predicted.shape}"
            )
        if predicted.dtype.kind not in "iu" or (predicted.size and not (
            0 <= predicted.min() <= predicted.max() < self.n_classes
        )):
            raise ValueError(f"predicted must hold classes from 0 to {self.n_classes - 1}")
        cells = predicted + np.arange(0, self.joint().size, self.n_classes)
        return self.joint().take(cells).sum(axis=-1)[()]

    def strengths(self) -> pd.DataFrame:
        """Measure each arrow: how much the parent says about its child beyond the other parents.

        Returns
        -------
        DataFrame
            One row per arrow, including those from the class: `parent`, `child`, and `bits`, their
            conditional mutual information given the child's other parents.

        Raises
        ------
        ValueError
            If the joint distribution is too large to enumerate.

        Examples
        --------
        >>> copy = BayesianNetwork([(), (0,)], [[0.5, 0.5], [[1, 0], [0, 1]]])
        >>> copy.strengths().values.tolist()
        [[0.0, 1.0, 1.0]]
        """
        joint = self._full_joint()
        rows = [
            (u, v, _conditional_information(joint, u, v, set(above) - {u}))
            for v, above in enumerate(self.parents) for u in above
        ]
        return pd.DataFrame(rows, columns=["parent", "child", "bits"])

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


def _conditional_information(joint: np.ndarray, u: int, v: int, given: set[int]) -> float:
    """Return I(u; v | given) in bits."""
    others = tuple(set(range(joint.ndim)) - {u, v} - given)
    p = joint.sum(axis=others, keepdims=True)
    ratio = p * p.sum(axis=(u, v), keepdims=True)
    independent = p.sum(axis=u, keepdims=True) * p.sum(axis=v, keepdims=True)
    seen = p > 0
    ratio = ratio[seen] / independent[seen]
    return max(0.0, float(p[seen] @ np.log2(ratio)))


def _check(parents: tuple[tuple[int, ...], ...], tables: tuple[np.ndarray, ...]) -> None:
    if len(parents) != len(tables):
        raise ValueError(f"there are parents of {len(parents)} variables but {len(tables)} tables")
    if len(tables) < 2:
        raise ValueError("a network needs a class and at least one attribute")
    if parents[0]:
        raise ValueError("variable 0 is the class and has no parents")
    for v, (above, table) in enumerate(zip(parents, tables)):
        if list(above) != sorted({u for u in above if 0 <= u < v}):
            raise ValueError(
                f"the parents of variable {v} must be ascending numbers from 0 to {v - 1}, "
                f"not {list(above)}"
            )
        expected = tuple(tables[u].shape[-1] for u in above)
        if table.ndim == 0 or table.shape[:-1] != expected:
            raise ValueError(
                f"the table of variable {v} must have shape ({', '.join(map(str, expected))}"
                f"{', ' if expected else ''}its cardinality), not {table.shape}"
            )
        if not 2 <= table.shape[-1] <= LARGEST_CARDINALITY:
            raise ValueError(
                f"a variable has 2 to {LARGEST_CARDINALITY} values, but variable {v} has "
                f"{table.shape[-1]}"
            )
        # `not all` instead of `any`, because NaN is not a probability either
        if not (np.all(table >= 0) and np.all(np.abs(table.sum(axis=-1) - 1) <= _ROUNDING)):
            raise ValueError(
                f"each row of the table of variable {v} must hold probabilities that sum to one"
            )


def _frozen(values: ArrayLike) -> np.ndarray:
    array = np.array(real_array("tables", values), order="C")
    array.flags.writeable = False
    return array


