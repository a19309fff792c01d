"""C4.5 and naive Bayes on nominal data as bit sets: the results of the plain learners, but faster.

They are for simulations, which train millions of times on small tables of nominal
attributes without missing values; `companion.lab.learners.correct_counts` uses them
wherever it can. Compiled experiments call the functions of
``companion.lab.learners.kernels``.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from companion.lab.learners.c45 import C45
from companion.lab.learners.kernels.bits import PackedTable, pack_rows
from companion.lab.learners.kernels.packed_c45 import Workspace, make_workspace


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
    codes = (
        np.ascontiguousarray(x, dtype=np.int64) for x in (columns, labels, cardinality)
    )
    return pack_rows(*codes, n_classes)


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
        table,
        prune=bool(learner.prune),
        confidence=float(learner.confidence),
        z=float(special.ndtri(1 - learner.confidence)),
        min_leaf=int(learner.min_leaf),
    )
