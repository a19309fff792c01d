r"""Task I of Bouckaert (2005): two classifiers that learn nothing; a data set is three counts.

Class y and attribute x are fair coins that agree with probability 2q.  A predicts 1, B
predicts x. On an instance only A is right (probability :math:`\frac12 - q`), only B is
(q), or both do equally well, a draw (:math:`\frac12`).  A data set is therefore three
counts, *A wins, B wins, draws*, always in this order, and a random test set is a draw
from an urn.

:func:`counts`, :func:`random_test_sets` and :func:`folds` draw counts; :func:`instances` draws the
instances themselves, for examples and as an oracle for tests.
"""

from fractions import Fraction

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from replib._validation import as_number

#: Number of steps in which Bouckaert (2005) increases q from 1/4 to 1/2.
STEPS = 100

#: Sign of an instance, by whether A is right and whether B is.
_SIGNS = {
    (True, True): "0",
    (False, False): "0",
    (False, True): "+",
    (True, False): "-",
}


def combinations(q: Fraction | float) -> pd.DataFrame:
    """Return the possible outcomes on one instance.

    Parameters
    ----------
    q : Fraction or float
        P(x = 0, y = 0) = P(x = 1, y = 1), 1/4 to 1/2; at 1/4 the classifiers are
        equally good.

    Returns
    -------
    DataFrame
        One row per combination: `x`, `y`, `probability`, `a_correct`, `b_correct`, and
        `sign`: "+" if only B is right, "-" if only A is, "0" for a draw.

    Examples
    --------
    >>> combinations(Fraction(3, 8)).groupby("sign")["probability"].sum().to_dict()
    {'+': Fraction(3, 8), '-': Fraction(1, 8), '0': Fraction(1, 2)}
    """
    rows = []
    for x, y in ((0, 0), (0, 1), (1, 0), (1, 1)):
        a_correct = y == 1
        b_correct = y == x
        row = {
            "x": x,
            "y": y,
            "probability": q if b_correct else Fraction(1, 2) - q,
            "a_correct": a_correct,
            "b_correct": b_correct,
            "sign": _SIGNS[a_correct, b_correct],
        }
        rows.append(row)
    return pd.DataFrame(rows)


def rates(
    step: ArrayLike, *, steps: int = STEPS
) -> tuple[np.ndarray | float, np.ndarray | float]:
    """Return the win rates at a step of the paper's scale: how often only B, and only A, is right.

    Step k of 100 means q = 1/4 + k/400 and an accuracy difference of k/2 percent.

    Parameters
    ----------
    step : array_like
        0 (no difference) to `steps`; fractions are allowed.
    steps : int, default 100
        Number of steps from q = 1/4 to q = 1/2.

    Returns
    -------
    p_plus, p_minus : ndarray or float
        q and 1/2 - q.

    Examples
    --------
    >>> rates(20)
    (0.3, 0.2)
    """
    step = np.asarray(step)
    p_plus = (steps + step) / (4 * steps)
    p_minus = (steps - step) / (4 * steps)
    return as_number(p_plus), as_number(p_minus)


def accuracy_difference(step: ArrayLike, *, steps: int = STEPS) -> np.ndarray | float:
    """Return the accuracy of B minus the accuracy of A at a step, 2q - 1/2, in percent.

    Parameters
    ----------
    step : array_like
        0 to `steps`.
    steps : int, default 100

    Returns
    -------
    ndarray or float

    Examples
    --------
    >>> accuracy_difference(6)
    3.0
    """
    return as_number(50 * np.asarray(step) / steps)


def instances(
    rng: np.random.Generator, size: int, *, q: float = 0.25
) -> tuple[np.ndarray, np.ndarray]:
    """Draw a data set instance by instance.

    Parameters
    ----------
    rng : Generator
    size : int
        Instances in the data set.
    q : float
        1/4 to 1/2.

    Returns
    -------
    a_correct, b_correct : ndarray of bool, shape (size,)

    Examples
    --------
    >>> a_correct, b_correct = instances(np.random.default_rng(0), 4, q=0.5)
    >>> b_correct.tolist()
    [True, True, True, True]
    """
    y = rng.random(size) < 0.5
    x = np.where(rng.random(size) < 2 * q, y, ~y)
    return y, x == y


def counts(
    rng: np.random.Generator, size: int, *, q: float = 0.25, datasets: int = 1
) -> np.ndarray:
    """Draw data sets as counts.

    Parameters
    ----------
    rng : Generator
    size : int
        Instances in each data set.
    q : float
        1/4 to 1/2.
    datasets : int

    Returns
    -------
    ndarray of int, shape (datasets, 3)
        Wins of A, wins of B, draws.

    Examples
    --------
    >>> counts(np.random.default_rng(0), 1000, q=0.3, datasets=2).sum(axis=1).tolist()
    [1000, 1000]
    """
    return rng.multinomial(size, [0.5 - q, q, 0.5], size=datasets)


def random_test_sets(
    rng: np.random.Generator, counts: np.ndarray, test_size: int, *, experiments: int
) -> np.ndarray:
    """Draw random test sets, without replacement, from each data set.

    Parameters
    ----------
    rng : Generator
    counts : ndarray of int, shape (..., 3)
        Data sets.
    test_size : int
        Instances in a test set, at least 1 and at most as many as in a data set.
    experiments : int
        Test sets from each data set, independent of each other.

    Returns
    -------
    ndarray of int, shape (..., experiments, 3)

    Examples
    --------
    A test set that is the whole data set:

    >>> rng = np.random.default_rng(0)
    >>> random_test_sets(rng, np.array([3, 4, 5]), 12, experiments=1).tolist()
    [[3, 4, 5]]
    """
    urns = np.repeat(counts[..., np.newaxis, :], experiments, axis=-2)
    return _take(rng, urns, test_size)


def folds(
    rng: np.random.Generator, counts: np.ndarray, *, runs: int, folds: int
) -> np.ndarray:
    """Deal data sets into folds, again for each run of cross-validation.

    Parameters
    ----------
    rng : Generator
    counts : ndarray of int, shape (..., 3)
        Data sets of equal size.
    runs, folds : int
        Fold sizes differ by at most one; the first folds are the larger ones.

    Returns
    -------
    ndarray of int, shape (..., runs, folds, 3)

    Examples
    --------
    >>> dealt = folds(np.random.default_rng(0), np.array([[3, 4, 5]]), runs=2, folds=5)
    >>> dealt.sum(axis=-1).tolist(), dealt.sum(axis=-2).tolist()
    ([[[3, 3, 2, 2, 2], [3, 3, 2, 2, 2]]], [[[3, 4, 5], [3, 4, 5]]])
    """
    size = int(counts.sum(axis=-1).flat[0])
    urn = np.repeat(counts[..., np.newaxis, :], runs, axis=-2)
    dealt = np.empty((*urn.shape[:-1], folds, 3), dtype=urn.dtype)
    for fold in range(folds):
        fold_size = size // folds + (fold < size % folds)
        dealt[..., fold, :] = _take(rng, urn, fold_size)
        urn = urn - dealt[..., fold, :]
    return dealt


def _take(rng: np.random.Generator, urn: np.ndarray, size: int) -> np.ndarray:
    """Draw `size` instances from each urn: first those that A wins, then B's among the rest."""
    wins_a, wins_b, draws = np.moveaxis(urn, -1, 0)
    taken_a = rng.hypergeometric(wins_a, wins_b + draws, size)
    taken_b = rng.hypergeometric(wins_b, draws, size - taken_a)
    return np.stack([taken_a, taken_b, size - taken_a - taken_b], axis=-1)
