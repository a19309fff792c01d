"""A decision tree for reading, as text or as a drawing."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from companion.lab.learners.kernels.c45 import LEAF, TOLERANCE, errors, majority
from companion.lab.learners.table import Attributes

_INDENT = "|   "


@dataclass(frozen=True, eq=False)
class Tree:
    """A decision tree.  ``print(tree)`` prints it.

    Nodes are numbered level by level from the root, 0; the children of a node are consecutive, in
    the order of its branches: ``<=`` and ``>`` the threshold, or the declared values.

    Attributes
    ----------
    attributes : Attributes
        Attributes of the data set.
    classes : ndarray of shape (n_classes,)
    attribute : ndarray of int, shape (size,)
        Position of the attribute that a node tests, -1 for a leaf.
    threshold : ndarray of float, shape (size,)
        Threshold of a numeric test, in the attribute's unit; otherwise NaN.
    first_child : ndarray of int, shape (size,)
        Node of the first branch, -1 for a leaf.
    counts : ndarray of float, shape (size, n_classes)
        Weight of the training instances of each class at the node, not whole if instances with
        missing values went down several branches.
    """

    attributes: Attributes
    classes: np.ndarray
    attribute: np.ndarray
    threshold: np.ndarray
    first_child: np.ndarray
    counts: np.ndarray

    @property
    def size(self) -> int:
        """Number of nodes, leaves included."""
        return len(self.attribute)

    @property
    def n_leaves(self) -> int:
        """Number of leaves, empty ones included."""
        return int(np.count_nonzero(self.attribute == LEAF))

    @cached_property
    def parent(self) -> np.ndarray:
        """Parent of each node, -1 for the root."""
        parent = np.full(self.size, -1)
        for node in range(self.size):
            parent[self.children(node)] = node
        return parent

    @cached_property
    def depth(self) -> np.ndarray:
        """Number of tests above each node."""
        depth = np.zeros(self.size, dtype=int)
        for node in range(1, self.size):
            depth[node] = depth[self.parent[node]] + 1
        return depth

    @cached_property
    def majority(self) -> np.ndarray:
        """Index of each node's first largest class; an empty leaf has that of its parent."""
        majorities = np.array([majority(counts) for counts in self.counts])
        empty = np.flatnonzero(self.counts.sum(axis=1) < TOLERANCE)
        majorities[empty] = majorities[self.parent[empty]]
        return majorities

    def children(self, node: int) -> range:
        """Return the nodes to which the branches of a node lead, none for a leaf.

        Examples
        --------
        >>> from companion.lab.learners import C45
        >>> tree = C45(min_leaf=1).fit([[1.0], [2.0], [7.0], [8.0]], list("aabb")).tree_
        >>> tree.children(0), tree.children(1)
        (range(1, 3), range(0, 0))
        """
        a = self.attribute[node]
        if a == LEAF:
            return range(0)
        first = int(self.first_child[node])
        return range(first, first + int(self.attributes.cardinality[a] or 2))

    def condition(self, node: int) -> str:
        """Return the condition of a node's branch, such as ``wind <= 2``; empty for the root."""
        above = self.parent[node]
        if above < 0:
            return ""
        a, branch = self.attribute[above], node - self.first_child[above]
        name, declared = self.attributes.names[a], self.attributes.categories[a]
        if declared is not None:
            return f"{name} = {declared[branch]}"
        return f"{name} {('<=', '>')[branch]} {_number(self.threshold[above])}"

    def verdict(self, node: int) -> str:
        """Write the majority class of a node with its weight and any weight of other classes."""
        total, wrong = self.counts[node].sum(), errors(self.counts[node])
        also = f"/{round(float(wrong), 2)}" if wrong > TOLERANCE else ""
        return f"{self.classes[self.majority[node]]} ({round(float(total), 2)}{also})"

    def __str__(self) -> str:
        if self.size == 1:
            return f": {self.verdict(0)}"
        return "\n".join(
            _INDENT * (self.depth[node] - 1)
            + self.condition(node)
            + (f": {self.verdict(node)}" if self.attribute[node] == LEAF else "")
            for node in self._preorder()
            if node
        )

    def _preorder(self) -> Iterator[int]:
        to_visit = [0]
        while to_visit:
            node = to_visit.pop()
            yield node
            to_visit.extend(reversed(self.children(node)))


def _number(value: float) -> str:
    """Write a threshold with six decimals, without trailing zeros."""
    return f"{value:.6f}".rstrip("0").rstrip(".")
