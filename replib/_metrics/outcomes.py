"""All outcomes of the exchanges of two models, if there are few enough to go through.

Items with the same truth on which one model says x and the other y are of one kind,
whichever says x: after a random exchange, the first model has x on a binomial number of
them, and only that number matters.  So all outcomes are those of one number for each
kind, each with the product of its binomial probabilities.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from replib._validation import Array

Codes = NDArray[np.int64]

#: Most coins of which the largest binomial coefficient is a float.
_MOST_COINS = 1000


class Kinds(NamedTuple):
    """Units that change something when they are exchanged, by what they change.

    Attributes
    ----------
    unit : ndarray of int, shape (kinds,)
        A unit of each kind.
    like : ndarray of int, shape (kinds,)
        How many units change the same as it, itself included.
    opposite : ndarray of int, shape (kinds,)
        How many change the same in the other direction.
    """

    unit: Codes
    like: Codes
    opposite: Codes

    @property
    def sizes(self) -> Codes:
        """How many units there are of each kind."""
        return self.like + self.opposite

    def have_at_most(self, n: int) -> bool:
        """Return whether there are at most n outcomes of their exchanges."""
        # by logarithms: of many kinds the number is too large for a float
        return bool(np.log2(self.sizes + 1).sum() <= math.log2(n))


class Outcomes(NamedTuple):
    """All outcomes of the exchanges.

    Attributes
    ----------
    lent : ndarray of int, shape (outcomes, kinds)
        How many of the unit of each kind are lent, those that are lent in the other
        direction subtracted.
    probability : ndarray, shape (outcomes,)
    """

    lent: Codes
    probability: Array


def all_outcomes(kinds: Kinds) -> Outcomes:
    """Return all outcomes of exchanges with fair coins.

    Examples
    --------
    Two units of a kind, of which one model is better on both:

    >>> outcomes = all_outcomes(Kinds(np.array([0]), like=np.array([2]), opposite=np.array([0])))
    >>> outcomes.lent[:, 0].tolist(), outcomes.probability.tolist()
    ([0, 1, 2], [0.25, 0.5, 0.25])
    """
    sizes = kinds.sizes
    lengths = (sizes + 1).tolist()
    numbers = np.indices(lengths).reshape(len(sizes), math.prod(lengths)).T
    probability = np.ones(len(numbers))
    for size, of_kind in zip(sizes.tolist(), numbers.T):
        probability *= _of_fair_coins(size)[of_kind]
    return Outcomes(numbers - kinds.opposite, probability)


def _of_fair_coins(n: int) -> Array:
    """Return the probability of each number of heads from 0 to n."""
    numbers = np.arange(n + 1)
    if n > _MOST_COINS:
        return np.asarray(stats.binom.pmf(numbers, n, 0.5))
    # without rounding for small n, so that a p-value is 0.125 and not a little more
    return np.ldexp(special.binom(n, numbers), -n)


def kinds_of_steps(steps: Array, counts: Codes) -> Kinds:
    """Return the kinds of units with these steps.

    Parameters
    ----------
    steps : ndarray, shape (totals, units)
        By what each total of the first model grows when it gets the second's unit.
    counts : ndarray of int, shape (units,)
        How often each unit is there.

    Examples
    --------
    Units that add 1, take 2 away, take 1 away, change nothing, and add 1:

    >>> kinds = kinds_of_steps(np.array([[1, -2, -1, 0, 1]]), np.array([1, 5, 2, 9, 1]))
    >>> kinds.unit.tolist(), kinds.like.tolist(), kinds.opposite.tolist()
    ([0, 1], [2, 5], [2, 0])
    """
    sign = _signs(steps)
    changing = np.flatnonzero(sign)
    distinct = distinct_columns(steps[:, changing] * sign[changing])
    unit = changing[distinct.first]
    is_like = sign[changing] == sign[unit][distinct.code]
    like, opposite = (
        np.bincount(
            distinct.code[which], counts[changing[which]], minlength=unit.size
        ).astype(int)
        for which in (is_like, ~is_like)
    )
    return Kinds(unit, like, opposite)


def _signs(steps: Array) -> Array:
    """Return the sign of the first total that each unit changes; 0 if it changes none."""
    first = (steps != 0).argmax(axis=0)
    return np.sign(steps[first, np.arange(steps.shape[1])])


class Distinct(NamedTuple):
    """Distinct columns, in ascending order.

    Attributes
    ----------
    first : ndarray of int, shape (distinct,)
        The first column of each.
    code : ndarray of int, shape (columns,)
        Which of the distinct ones each column is.
    counts : ndarray of int, shape (distinct,)
    """

    first: Codes
    code: Codes
    counts: Codes


def distinct_columns(rows: NDArray[Any]) -> Distinct:
    """Return the distinct columns of an array, which takes a tenth of the time of `np.unique`.

    Examples
    --------
    >>> distinct_columns(np.array([[2, 1, 2], [0, 5, 0]]))._asdict()
    {'first': array([1, 0]), 'code': array([1, 0, 1]), 'counts': array([1, 2])}
    """
    order = np.lexsort(rows[::-1])
    in_order = rows[:, order]
    is_new = np.ones(order.size, bool)
    is_new[1:] = (in_order[:, 1:] != in_order[:, :-1]).any(axis=0)
    first = order[is_new]
    code = np.empty(order.size, np.int64)
    code[order] = np.cumsum(is_new) - 1
    return Distinct(first, code, np.bincount(code, minlength=first.size))
