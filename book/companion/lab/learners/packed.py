"""C4.5 and naive Bayes on nominal data as bit sets: the results of the plain learners, but faster.

They are for simulations, which train millions of times on small tables of nominal attributes
without missing values; `companion.lab.learners.correct_counts` uses them wherever it can.
Compiled experiments call the functions of ``companion.lab.learners.kernels``.

>>> columns = [[0, 0, 1, 1, 0, 0, 1, 1], [0, 1, 0, 1, 0, 1, 0, 1]]
>>> table = pack(columns, [0, 1, 1, 1, 0, 1, 1, 1], [2, 2], 2)
>>> predict_tree(grow(table, [True] * 8), table).tolist()
[0, 1, 1, 1, 0, 1, 1, 1]
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from companion.lab.learners.c45 import C45
from companion.lab.learners.kernels.bits import PackedTable, pack_masks, pack_rows
from companion.lab.learners.kernels.c45 import Nodes
from companion.lab.learners.kernels.packed_c45 import (
    Workspace,
    copy_tree,
    learn_any,
    learn_binary,
    make_workspace,
)
from companion.lab.learners.kernels.packed_c45 import predict_tree as _predict_tree
from companion.lab.learners.kernels.packed_naive_bayes import empty_model, learn_naive_bayes
from companion.lab.learners.kernels.packed_naive_bayes import (
    predict_naive_bayes as _predict_naive_bayes,
)


def pack(
    columns: ArrayLike, labels: ArrayLike, cardinality: ArrayLike, n_classes: int
) -> PackedTable:
    """Turn nominal data into bit sets.

    Parameters
    ----------
    columns : array_like of int, shape (n_attributes, n_rows)
        The value of each attribute in each row, from 0 to its cardinality less 1.
    labels : array_like of int, shape (n_rows,)
        The class of each row, from 0 to `n_classes` less 1.
    cardinality : array_like of int, shape (n_attributes,)
        Number of declared values of each attribute.
    n_classes : int
        Number of declared classes.

    Returns
    -------
    PackedTable

    Examples
    --------
    >>> table = pack([[0, 1, 2, 1]], [0, 0, 1, 1], [3], 2)
    >>> table.values.tolist(), table.classes.tolist()
    ([[1], [10], [4]], [[3], [12]])
    """
    codes = (np.ascontiguousarray(x, dtype=np.int64) for x in (columns, labels, cardinality))
    return pack_rows(*codes, n_classes)


def grow(
    table: PackedTable, train: ArrayLike, *, prune: bool = True, confidence: float = 0.25,
    min_leaf: int = 2,
) -> Nodes:
    """Grow a C4.5 tree from some rows, the same in every node as that of :class:`C45`.

    Parameters
    ----------
    table : PackedTable
    train : array_like of bool, shape (n_rows,)
        Training rows, at least one.
    prune, confidence, min_leaf
        As for :class:`C45`.

    Returns
    -------
    Nodes
        The nodes level by level; thresholds are NaN.

    Examples
    --------
    >>> table = pack([[0, 0, 0, 1, 1, 1]], [0, 0, 0, 1, 1, 1], [2], 2)
    >>> nodes = grow(table, [True] * 6)
    >>> nodes.attribute.tolist(), nodes.counts.tolist()
    ([0, -1, -1], [[3.0, 3.0], [3.0, 0.0], [0.0, 3.0]])
    """
    learner = C45(prune=prune, confidence=confidence, min_leaf=min_leaf)
    memory = workspace(table, learner=learner)
    learn = learn_binary if memory.is_binary else learn_any
    learn(table, _bit_set(train), memory)
    return copy_tree(table, memory)


def predict_tree(nodes: Nodes, table: PackedTable) -> np.ndarray:
    """Return the class that a tree gives each row of a table, not necessarily its training table.

    Parameters
    ----------
    nodes : Nodes
        From :func:`grow`.
    table : PackedTable
        With the same attributes; its classes are ignored.

    Returns
    -------
    ndarray of int, shape (n_rows,)

    Examples
    --------
    >>> table = pack([[0, 0, 0, 1, 1, 1]], [0, 0, 0, 1, 1, 1], [2], 2)
    >>> predict_tree(grow(table, [True] * 6), pack([[1, 0]], [0, 0], [2], 2)).tolist()
    [1, 0]
    """
    predicted = np.empty(table.n_rows, dtype=np.int64)
    _predict_tree(nodes.attribute, nodes.first_child, nodes.counts, table, predicted)
    return predicted


def predict_naive_bayes(table: PackedTable, train: ArrayLike, other: PackedTable) -> np.ndarray:
    """Return the classes of one table's rows by naive Bayes trained on some rows of another.

    Parameters
    ----------
    table : PackedTable
    train : array_like of bool, shape (n_rows,)
        Training rows of `table`, at least one.
    other : PackedTable
        With the same attributes; its classes are ignored.

    Returns
    -------
    ndarray of int, shape (other.n_rows,)

    Examples
    --------
    >>> table = pack([[0, 0, 0, 1, 1, 1]], [0, 0, 0, 1, 1, 1], [2], 2)
    >>> predict_naive_bayes(table, [True] * 6, pack([[1, 0]], [0, 0], [2], 2)).tolist()
    [1, 0]
    """
    model = empty_model(table)
    learn_naive_bayes(table, _bit_set(train), model)
    predicted = np.empty(other.n_rows, dtype=np.int64)
    _predict_naive_bayes(model, other, predicted)
    return predicted


def workspace(table: PackedTable, *, learner: C45 | None = None) -> Workspace:
    """Allocate memory for the compiled functions, for tables with the shape of this one.

    Parameters
    ----------
    table : PackedTable
    learner : C45, optional
        Source of the parameters; by default those of `C45()`.

    Returns
    -------
    Workspace
        For one thread at a time.

    Examples
    --------
    >>> workspace(pack([[0, 1, 1]], [0, 1, 1], [2], 2)).is_binary
    True
    """
    learner = C45() if learner is None else learner
    learner._check_parameters()
    return make_workspace(
        table, prune=bool(learner.prune), confidence=float(learner.confidence),
        z=float(special.ndtri(1 - learner.confidence)), min_leaf=int(learner.min_leaf),
    )


def _bit_set(train: ArrayLike) -> np.ndarray:
    return pack_masks(np.ascontiguousarray(train, dtype=bool)[None])[0]
