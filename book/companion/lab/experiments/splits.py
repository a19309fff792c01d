"""Random splits of instances into training and test sets."""

from fractions import Fraction

import numpy as np

from companion.lab.compiled import njit


def stratified_folds(
    labels: np.ndarray, folds: int, rng: np.random.Generator, *, runs: int | None = None
) -> np.ndarray:
    """Deal instances into folds such that every fold has its share of each class.

    The instances are shuffled, sorted by class, and dealt out in turn.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Classes, counted from 0.
    folds : int
        2 to n.
    rng : Generator
    runs : int, optional
        Number of times that the instances are dealt.

    Returns
    -------
    ndarray of int, shape (n,) or (runs, n)
        The fold of each instance; fold f has the size ``fold_sizes(n, folds)[f]``.

    Examples
    --------
    >>> labels = np.array([0] * 6 + [1] * 3)
    >>> dealt = stratified_folds(labels, 3, np.random.default_rng(0))
    >>> [np.bincount(labels[dealt == f]).tolist() for f in range(3)]
    [[2, 1], [2, 1], [2, 1]]
    """
    labels = np.asarray(labels, dtype=np.int64)
    n_runs = 1 if runs is None else runs
    orders = np.empty((n_runs, len(labels)), dtype=np.int64)
    for order in orders:  # not compiled: numba takes seconds to compile a permutation
        order[:] = rng.permutation(len(labels))
    # where each class begins among the sorted instances
    ends = np.bincount(labels).cumsum()
    starts = np.concatenate([[0], ends[:-1]])
    dealt = _deal(labels, starts, folds, orders)
    return dealt[0] if runs is None else dealt


@njit
def _deal(labels, first_place, folds, orders):
    dealt = np.empty_like(orders)
    for run in range(len(orders)):
        next_place = first_place.copy()
        for row in orders[run]:
            dealt[run, row] = next_place[labels[row]] % folds
            next_place[labels[row]] += 1
    return dealt


def fold_sizes(n: int, folds: int) -> np.ndarray:
    """Return the sizes of the folds into which n instances are dealt.

    Parameters
    ----------
    n : int
        At least 1.
    folds : int
        1 to `n`.

    Returns
    -------
    ndarray of int, shape (folds,)

    Examples
    --------
    >>> fold_sizes(11, 3).tolist()
    [4, 4, 3]
    """
    return n // folds + (np.arange(folds) < n % folds)


def size_of_test_set(n: int, test_fraction: float | Fraction) -> int:
    """Return the number of test instances of a random split: a share of n, rounded, at least one.

    Parameters
    ----------
    n : int
        Instances of the data set, at least 1.
    test_fraction : float or Fraction
        0 to 1.

    Returns
    -------
    int

    Examples
    --------
    >>> size_of_test_set(150, 0.1), size_of_test_set(57, Fraction(1, 10)), size_of_test_set(4, 0.1)
    (15, 6, 1)
    """
    return max(1, round(n * test_fraction))


def test_set(
    labels: np.ndarray, size: int, rng: np.random.Generator, *, stratified: bool
) -> np.ndarray:
    """Draw a random test set, as a mask of the instances.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Classes.
    size : int
        Size of the test set, 1 to n.
    rng : Generator
    stratified : bool
        Whether the set contains its share of each class, to within an instance.

    Returns
    -------
    ndarray of bool, shape (n,)

    Examples
    --------
    >>> labels = np.array([0] * 6 + [1] * 3)
    >>> chosen = test_set(labels, 3, np.random.default_rng(0), stratified=True)
    >>> np.bincount(labels[chosen]).tolist()
    [2, 1]
    """
    n = len(labels)
    order = rng.permutation(n)
    chosen = np.zeros(n, dtype=bool)
    if stratified:
        order = order[np.argsort(labels[order], kind="stable")]
        # every (n / size)-th of the sorted instances, from a random start
        steps = rng.random() + np.arange(size)
        chosen[order[(steps * n / size).astype(int)]] = True
    else:
        chosen[order[:size]] = True
    return chosen


test_set.__test__ = False  # its name makes pytest take it for a test


@njit
def random_test_sets(rng, sets, n, size):
    """Draw random sets of `size` of n instances by partial shuffles; masks, shape (sets, n)."""
    chosen = np.zeros((sets, n), dtype=np.bool_)
    rows = np.arange(n)
    for mask in chosen:
        for i in range(size):
            j = rng.integers(i, n)
            rows[i], rows[j] = rows[j], rows[i]
            mask[rows[i]] = True
    return chosen
